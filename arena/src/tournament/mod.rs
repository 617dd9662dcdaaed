//! Cups: who plays whom, with what, and what follows from the results.
//!
//! A format is a pure pull machine over entrants, seed and settled results. Threads, retries, resume and the single
//! writer live in the conductor; ratings and tables read rows and know no format.

pub mod audit;
pub mod conductor;
pub mod course;
pub mod crosstable;
pub mod excerpts;
pub mod failures;
pub mod feedback;
pub mod folder;
pub mod formats;
pub mod grades;
pub mod ledger;
pub mod observation;
pub mod observations;
pub mod rating;
pub mod roster;
mod seen;
pub mod slot;
pub mod standings;
pub mod tables;
pub mod tally;

use crate::game::Params;
use crate::seat::Seat;
use crate::seed;

/// The number of an entrant: its place in the cup file, from 0.
pub type Entrant = usize;

/// What a format needs to know of a cup.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The entrants' names, in the order of the cup file; unique whatever the case.
    pub names: Vec<String>,
    /// The parameter sets, at least one.
    pub sets: Vec<Params>,
    /// Paired matches per pairing and parameter set, at least one.
    pub pairs: u32,
    /// The cup's seed.
    pub seed: u64,
}

/// One match that is to be played: half of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Its id, made of names and numbers, so that it stays the same when entrants or pairs are added: the pair's id and
    /// `a` or `b`.
    pub id: String,
    /// The round, from 1.
    pub round: u32,
    /// The parameter set, its place in [`Field::sets`].
    pub set: usize,
    /// The match's seed, the same for both halves of a pair.
    pub seed: u64,
    /// Who sits in seats 0 and 1.
    pub seats: [Entrant; 2],
}

/// Which half of a pair a match is: in the second the seats are swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// The first.
    First,
    /// The second, with the seats swapped.
    Second,
}

impl Field {
    /// One half of a pair. `pair` is its id, unique in the cup: [`Field::pair_id`] makes one.
    pub fn pairing(&self, pair: &str, round: u32, set: usize, players: [Entrant; 2], half: Half) -> Pairing {
        let [one, other] = players;
        let (letter, seats) = match half {
            Half::First => ('a', [one, other]),
            Half::Second => ('b', [other, one]),
        };
        Pairing { id: format!("{pair}{letter}"), round, set, seed: seed::of_text(self.seed, pair), seats }
    }

    /// The id of a pair: `ALICE+BOB+1`, with `rROUND+` before it where the same two may meet in several rounds, and `+sSET`
    /// within where there are several parameter sets. Names have no `+`, so ids cannot be mixed up; they are file names.
    pub fn pair_id(&self, round: Option<u32>, set: usize, players: [Entrant; 2], number: u32) -> String {
        let round = round.map(|round| format!("r{round}+")).unwrap_or_default();
        let set = if self.sets.len() > 1 { format!("+s{}", set + 1) } else { String::new() };
        let [one, other] = players.map(|entrant| self.names[entrant].as_str());
        format!("{round}{one}+{other}{set}+{number}")
    }
}

/// How a match ended, as far as a format cares. Void matches are played again by the conductor; one that stays void
/// counts nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// This seat won.
    Won(Seat),
    /// Nobody did.
    Drawn,
    /// It was void as often as it was tried.
    Void,
}

/// What a format wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// This match.
    Play(Pairing),
    /// Some result that is still out.
    Wait,
    /// Nothing more.
    Finished,
}

/// A round of a format in which who meets whom follows from results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// What it is called.
    pub name: String,
    /// Its number in the rows of its matches, from 1.
    pub number: u32,
    /// Who meets whom.
    pub meetings: Vec<RoundMeeting>,
    /// Those who have a bye.
    pub byes: Vec<Entrant>,
    /// Twice the points that a bye is worth; nothing in a bracket.
    pub bye_half_points: u32,
}

/// Two who meet in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundMeeting {
    /// Who.
    pub players: [Entrant; 2],
    /// Twice the points of each so far.
    pub half_points: [u32; 2],
    /// Who goes on, where that is what they play for, and it is decided.
    pub winner: Option<Entrant>,
}

/// Who plays whom. What it says depends only on its field and on what was settled: within a round (or a batch) not on the
/// order of settling. So to go on after a stop is to build it anew and to feed it what is on record: the conductor asks
/// `next`, and answers at once with `settle` for every pairing whose result is there already.
pub trait Format: Send {
    /// What is to be done next.
    fn next(&mut self) -> Next;

    /// The match with this id has ended. `repeat`: it is move for move one that was settled before it in the order of the
    /// schedule, so it tells nothing new (only formats that estimate care).
    fn settle(&mut self, id: &str, result: Settled, repeat: bool);

    /// A budget is used up: nothing is planned beyond what is planned already, a batch that was begun is finished. Formats
    /// whose end is fixed do not heed it. A cup that goes on after a stop calls it only once the results on record are fed.
    fn stop_planning(&mut self) {}

    /// Whether `repeat` makes a difference to it: where not, nobody has to remember what was seen.
    fn heeds_repeats(&self) -> bool {
        false
    }

    /// How many matches there will be in all, where that is known.
    fn planned(&self) -> Option<u64>;

    /// Where entrants stand by the format itself, best first, equals together; `None` where points decide.
    fn ranking(&self) -> Option<Vec<Vec<Entrant>>> {
        None
    }

    /// What the format has to say of its course, a line each: a bracket, a decision, a likelihood.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// The rounds so far, where who meets whom follows from results: brackets, and those of a Swiss cup. The last one may go on.
    fn rounds(&self) -> Vec<Round> {
        Vec::new()
    }
}
