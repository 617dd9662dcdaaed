//! Formats are played with results from a seed: laws that hold for every entry of the table, then what is each one's own.

mod brackets;
mod laws;
mod maths;
mod open;
mod sure;
mod swiss;

use super::{BATCH, FORMATS, Plan, build};
use crate::game::Params;
use crate::seat::Seat;
use crate::seed::{self, Stream};
use crate::tournament::{Field, Format, Next, Pairing, Settled};

/// A field of so many entrants, with one parameter set and one pair.
fn field(entrants: usize) -> Field {
    let names = (0..entrants).map(|number| format!("bot{number}")).collect();
    Field { names, sets: vec![Params::new()], pairs: 1, seed: 5 }
}

fn sprt(elo1: f64, max_pairs: u32) -> Plan {
    Plan::Sprt { elo0: 0.0, elo1, alpha: 0.05, beta: 0.05, batch: BATCH, max_pairs: Some(max_pairs) }
}

fn until_ranked(max_matches: u64) -> Plan {
    Plan::UntilRanked { confidence: 0.95, batch: BATCH, max_matches: Some(max_matches) }
}

/// Every format of the table, with settings that fit the fields the laws use.
fn plans() -> Vec<(Plan, Vec<Field>)> {
    let fields = |sizes: &[usize]| {
        let wide = Field { pairs: 2, sets: vec![Params::new(); 2], ..field(sizes[0]) };
        sizes.iter().map(|&size| field(size)).chain([wide]).collect::<Vec<_>>()
    };
    let plan = |id| match id {
        "round-robin" => (Plan::RoundRobin, fields(&[2, 3, 6, 7])),
        "gauntlet" => (Plan::Gauntlet { challengers: vec![1, 0] }, fields(&[2, 3, 6, 7])),
        "knockout" => (Plan::Knockout, fields(&[2, 3, 5, 8, 13])),
        "double-elimination" => (Plan::DoubleElimination, fields(&[2, 3, 5, 6, 8, 11])),
        "swiss" => (Plan::Swiss { rounds: None }, fields(&[2, 3, 5, 6, 9, 12])),
        "sprt" => (sprt(150.0, 60), fields(&[2])),
        "until-ranked" => (until_ranked(150), fields(&[2, 3, 5])),
        other => panic!("give the laws settings for the format {other}"),
    };
    FORMATS.iter().map(|info| plan(info.id)).collect()
}

fn built(plan: &Plan, field: &Field) -> Box<dyn Format> {
    build(plan, field).unwrap_or_else(|error| panic!("{error}"))
}

/// How a match ends, and whether it repeats another.
type Ending = (Settled, bool);

/// An ending that depends on the match alone, not on when it is played: now and then a draw, void, or a repeat.
fn by_luck(luck: u64) -> impl Fn(&Pairing) -> Ending {
    move |pairing| {
        let mut stream = Stream::new(seed::of_text(luck, &pairing.id), "ending");
        let result = match stream.below(20) {
            0 => Settled::Void,
            1..4 => Settled::Drawn,
            4..13 => Settled::Won(Seat::First),
            _ => Settled::Won(Seat::Second),
        };
        (result, stream.below(10) == 0)
    }
}

/// The entrant with the lower number wins.
fn by_number(pairing: &Pairing) -> Ending {
    (Settled::Won(if pairing.seats[0] < pairing.seats[1] { Seat::First } else { Seat::Second }), false)
}

/// Plays a format to its end, one match after the other, and tells what was played.
fn play(format: &mut dyn Format, ending: &dyn Fn(&Pairing) -> Ending) -> Vec<Pairing> {
    let mut played = Vec::new();
    loop {
        match format.next() {
            Next::Play(pairing) => {
                let (result, repeat) = ending(&pairing);
                format.settle(&pairing.id, result, repeat);
                played.push(pairing);
            }
            Next::Wait => panic!("everything handed out is settled, and yet there is something to wait for"),
            Next::Finished => return played,
        }
        assert!(played.len() < 2_000_000, "it does not come to an end");
    }
}

/// What a format says when it is over.
fn last_word(format: &dyn Format) -> (Option<u64>, Option<Vec<Vec<usize>>>, Vec<String>) {
    (format.planned(), format.ranking(), format.remarks())
}
