//! How fast each game counts its move sequences, on one thread: `cargo bench -p arena --bench perft`.
//!
//! Every game that lists its moves is counted from its start, with its default parameters and with each value of a
//! parameter that has a few, a ply deeper each time until the next would take longer than a few seconds. Printed are
//! the deepest count and how many sequences ("leaves") a second that was. Words after `--` choose games: `-- GAME …`.

use arena::game::{AnyGame, ParamKind, Params};
use arena::games::GAMES;
use std::time::{Duration, Instant};

/// No deeper count is begun that would take longer than this, going by the one before.
const LONGEST: Duration = Duration::from_secs(3);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // Cargo says so when it runs benchmarks; without it, this is a test that everything still runs.
    let longest = if words.iter().any(|word| word == "--bench") { LONGEST } else { Duration::from_millis(1) };
    let chosen: Vec<&String> = words.iter().filter(|word| !word.starts_with("--")).collect();
    for game in GAMES {
        if chosen.is_empty() || chosen.iter().any(|word| *word == game.info().id) {
            for params in variations(*game) {
                measure(*game, &params, longest);
            }
        }
    }
}

fn variations(game: &dyn AnyGame) -> Vec<Params> {
    let mut variations = Vec::new();
    for spec in game.params() {
        if let ParamKind::OneOf(values) = spec.kind {
            variations.extend(values.iter().map(|&value| Params::from_iter([(spec.name.to_string(), value.into())])));
        }
    }
    if variations.is_empty() {
        variations.push(Params::new());
    }
    variations
}

fn measure(game: &dyn AnyGame, params: &Params, longest: Duration) {
    let position = match game.start(params, 1) {
        Ok(started) => started.position,
        Err(error) => return println!("{error}"),
    };
    let mut before = 1;
    for depth in 1.. {
        let begin = Instant::now();
        let Some(leaves) = position.perft(depth) else { return };
        let took = begin.elapsed();
        let grows = leaves as f64 / before as f64;
        if took.mul_f64(grows) > longest || leaves == before {
            let rate = leaves as f64 / took.as_secs_f64() / 1e6;
            let named: Vec<String> = params.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let name = format!("{} {}", game.info().id, named.join(" "));
            return println!("{name:<24} depth {depth:>2}  {leaves:>14} leaves  {took:>8.2?}  {rate:>8.1} M leaves/s");
        }
        before = leaves;
    }
}
