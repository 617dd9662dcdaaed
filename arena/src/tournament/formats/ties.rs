//! Ties of a round: two entrants, of whom one goes on.
//!
//! A tie is `pairs` pairs in every parameter set. Only whole pairs count in it, so that a void match favours nobody. If it
//! is level it is played on, a pair at a time, in the sets by turns; after [`FURTHER_PAIRS`] the cup's seed decides. Which
//! bracket a tie belongs to is not known here.

use super::book::{Book, Pair, points};
use crate::seed::{self, Stream};
use crate::tournament::{Entrant, Field, Round, RoundMeeting};

/// By how many pairs a level tie is played on at most.
pub(super) const FURTHER_PAIRS: u32 = 8;

/// The ties of one round. They are played side by side; the round ends when all are decided.
#[derive(Default)]
pub(super) struct Ties {
    round: u32,
    ties: Vec<Tie>,
    /// Those who go on without playing, each with what the ties beside it are called.
    byes: Vec<(String, Entrant)>,
}

struct Tie {
    /// What it is called in remarks.
    name: String,
    players: [Entrant; 2],
    further: u32,
    /// Where its pairs are in the book.
    pairs: Vec<usize>,
    winner: Option<Entrant>,
}

impl Ties {
    /// The ties of a round, each with its name in remarks. The first of two players is named first and begins.
    pub(super) fn new(round: u32, ties: Vec<(String, [Entrant; 2])>, byes: Vec<(String, Entrant)>) -> Ties {
        let tie = |(name, players)| Tie { name, players, further: 0, pairs: Vec::new(), winner: None };
        Ties { round, ties: ties.into_iter().map(tie).collect(), byes }
    }

    /// What they are as rounds: one of each name, in the order in which names come.
    pub(super) fn rounds(&self, book: &Book) -> Vec<Round> {
        let mut rounds: Vec<Round> = Vec::new();
        let place = |rounds: &mut Vec<Round>, name: &str| {
            let known = rounds.iter().position(|round| round.name == name);
            known.unwrap_or_else(|| {
                rounds.push(Round { name: name.to_string(), number: self.round, ..Round::default() });
                rounds.len() - 1
            })
        };
        for tie in &self.ties {
            let at = place(&mut rounds, &tie.name);
            let (players, half_points, winner) = (tie.players, tie.half_points(book), tie.winner);
            rounds[at].meetings.push(RoundMeeting { players, half_points, winner });
        }
        for (name, bye) in &self.byes {
            let at = place(&mut rounds, name);
            rounds[at].byes.push(*bye);
        }
        rounds
    }

    /// Whether this one won its tie of this round.
    pub(super) fn has_won(&self, entrant: Entrant) -> bool {
        self.ties.iter().any(|tie| tie.winner == Some(entrant))
    }

    /// What is to be played now, everything planned before having ended; none once all are decided. What was decided is
    /// added to `remarks`.
    pub(super) fn play(&mut self, book: &Book, remarks: &mut Vec<String>) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for tie in self.ties.iter_mut().filter(|tie| tie.winner.is_none()) {
            let planned = tie.play(book, self.round, remarks);
            let place = book.pairs().len() + pairs.len();
            tie.pairs.extend(place..place + planned.len());
            pairs.extend(planned);
        }
        pairs
    }
}

impl Tie {
    fn play(&mut self, book: &Book, round: u32, remarks: &mut Vec<String>) -> Vec<Pair> {
        let field = &book.field;
        let sets = field.sets.len();
        if self.pairs.is_empty() {
            let numbers = (1..=field.pairs).flat_map(|number| (0..sets).map(move |set| (number, set)));
            return numbers.map(|(number, set)| Pair::of_round(round, set, self.players, number)).collect();
        }
        let [one, other] = self.half_points(book);
        if one == other && self.further < FURTHER_PAIRS {
            let set = self.further as usize % sets;
            self.further += 1;
            return vec![Pair::of_round(round, set, self.players, field.pairs + self.further)];
        }
        remarks.push(self.decide(field, round, [one, other]));
        Vec::new()
    }

    fn half_points(&self, book: &Book) -> [u32; 2] {
        let whole = self.pairs.iter().filter_map(|&place| book.pairs()[place].whole());
        whole.fold([0, 0], |[one, other], [more, other_more]| [one + more, other + other_more])
    }

    /// Names the winner, and says how it was found.
    fn decide(&mut self, field: &Field, round: u32, [one, other]: [u32; 2]) -> String {
        let drawn = one == other;
        let first_wins = if drawn { self.draw(field, round) == 0 } else { one > other };
        let [winner, loser] = if first_wins { [0, 1] } else { [1, 0] }.map(|place| self.players[place]);
        self.winner = Some(winner);
        let [winner, loser] = [winner, loser].map(|entrant| &field.names[entrant]);
        let (more, less) = (points(one.max(other)), points(one.min(other)));
        let further = match self.further {
            0 => String::new(),
            1 => " after a further pair".to_string(),
            count => format!(" after {count} further pairs"),
        };
        let name = &self.name;
        if drawn {
            format!(
                "{name}: {winner} and {loser} were level at {more} : {less}{further}; the cup's seed takes {winner}"
            )
        } else {
            format!("{name}: {winner} beat {loser} {more} : {less}{further}")
        }
    }

    /// 0 or 1, from the cup's seed, the round and the names.
    fn draw(&self, field: &Field, round: u32) -> u64 {
        let [one, other] = self.players.map(|entrant| &field.names[entrant]);
        let text = format!("level tie r{round}+{one}+{other}");
        Stream::new(seed::of_text(field.seed, &text), "draw").below(2)
    }
}
