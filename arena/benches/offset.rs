//! What Offset's rules cost at size 32, on boards from the start to the end of a random match: nanoseconds a call, the
//! mean over the match and the dearest position. `cargo bench --bench offset`

use arena::game::{AnyGame, Game, Params, Status};
use arena::games::offset::{Move, Offset};
use arena::seat::Seat;
use arena::seed::Stream;
use std::hint::black_box;
use std::time::Instant;

/// Rounds of calls on each position, the best of which counts.
const ROUNDS: usize = 5;

fn main() {
    let positions = positions_of_a_match(7);
    println!("{} positions of one match, size 32", positions.len());
    report("check of a legal move", &positions, 5_000, |position| {
        let mv = position.legal_moves().into_iter().flatten().next();
        move |position: &Offset| mv.as_ref().is_some_and(|mv| position.check(mv).is_ok())
    });
    report("apply a move to a copy (status included)", &positions, 500, |position| {
        let mv = position.legal_moves().into_iter().flatten().last();
        move |position: &Offset| mv.as_ref().map(|mv| position.clone().apply(mv))
    });
    report("copy a position", &positions, 500, |_| Offset::clone);
    report("list of legal moves", &positions, 50, |_| Offset::legal_moves);
    report("write the state", &positions, 50, |_| {
        let mut state = Vec::with_capacity(1 << 16);
        move |position: &Offset| {
            state.clear();
            position.write_state(&mut state);
            state.len()
        }
    });
}

/// Every tenth position of a random match, and its last ones.
fn positions_of_a_match(seed: u64) -> Vec<Offset> {
    let game: &dyn AnyGame = arena::game::erase::<Offset>();
    let complete = game.start(&Params::new(), seed).expect("the defaults are allowed").params;
    let mut position = Offset::start(&complete, seed).expect("the defaults are allowed");
    let mut stream = Stream::new(seed, "bench");
    let mut positions = Vec::new();
    for ply in 0.. {
        if ply % 10 == 0 {
            positions.push(position.clone());
        }
        match position.status() {
            Status::Over(_) => break,
            Status::MustPass(_) => position.pass(),
            Status::ToMove(Seat::First | Seat::Second) => {
                let moves: Vec<Move> = position.legal_moves().expect("Offset lists its moves");
                position.apply(stream.pick(&moves));
            }
        }
    }
    positions.push(position);
    positions
}

/// Runs the call that `prepare` makes for each position so many times and prints what one takes.
fn report<'a, F, R>(what: &str, positions: &'a [Offset], times: u32, mut prepare: impl FnMut(&'a Offset) -> F)
where
    F: FnMut(&'a Offset) -> R,
{
    let (mut sum, mut most) = (0.0, 0.0_f64);
    for position in positions {
        let mut call = prepare(position);
        let round = || {
            let begun = Instant::now();
            for _ in 0..times {
                black_box(call(black_box(position)));
            }
            begun.elapsed().as_nanos() as f64 / f64::from(times)
        };
        // The best of some rounds: what else the machine does is not the rules' cost.
        let each = std::iter::repeat_with(round).take(ROUNDS).fold(f64::INFINITY, f64::min);
        sum += each;
        most = most.max(each);
    }
    println!("{what:42} {:10.1} ns, at most {most:10.1} ns", sum / positions.len() as f64);
}
