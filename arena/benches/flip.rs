//! How fast Flip's rules are: validity checks, writing a state, playing a turn. `cargo bench -p arena --bench flip`
//!
//! Plain loops of a fixed number of rounds, a second or two in all; the figures are for comparing two versions on one machine.

use arena::game::{AnyPosition, Game, Params};
use arena::games::flip::{Flip, Goal, PieceFlip};
use arena::seat::Seat;
use arena::seed::Stream;
use serde_json::Value;
use std::hint::black_box;
use std::time::Instant;

fn main() {
    println!("{:>4} {:>13} {:>12} {:>11} {:>11} {:>12}", "n", "checks", "state", "bytes", "turn", "read state");
    for n in [10, 50, 200] {
        let game = mixed(n);
        let mut state = Vec::new();
        Game::write_state(&game, &mut state);
        println!(
            "{n:>4} {:>9.1} M/s {:>9.2} µs {:>11} {:>8.2} µs {:>9.2} µs",
            checks_per_second(&game) / 1e6,
            micros(20_000, || {
                state.clear();
                Game::write_state(black_box(&game), &mut state);
            }),
            state.len(),
            micros_a_turn(&game),
            micros(500, || {
                let value: Value = serde_json::from_slice(black_box(&state)).expect("a state is JSON");
                black_box(Flip::read_state(&Params::new(), &value, Seat::First).expect("the state is sound"));
            }),
        );
    }
}

/// A position in which random play has mixed the pieces.
fn mixed(n: u64) -> Flip {
    let params = Params::from_iter([("n".to_string(), n.into()), ("rounds".to_string(), 1_000_000.into())]);
    let mut game = Flip::start(&params, 1).expect("the parameters are sound");
    let mut stream = Stream::new(1, "bench");
    for _ in 0..20 * n {
        let mv = Game::sample_move(&game, &mut stream);
        game.apply(&mv);
    }
    game
}

/// Flips to `to`, as bots mostly send them, valid and not.
fn checks_per_second(game: &Flip) -> f64 {
    let mut stream = Stream::new(2, "bench");
    let table = game.table();
    let flips: Vec<PieceFlip> = (0..4096)
        .map(|_| {
            let piece = stream.below(table.pieces_each() as u64).into();
            let [x, y] = table.centre(Seat::First, piece).expect("the piece is there");
            let angle = std::f64::consts::TAU * stream.unit();
            PieceFlip { piece, goal: Goal::To([x + 2.0 * angle.cos(), y + 2.0 * angle.sin()]) }
        })
        .collect();
    let pass = micros(1000, || {
        black_box(flips.iter().filter(|flip| table.judge(Seat::First, flip).is_ok()).count());
    });
    flips.len() as f64 / pass * 1e6
}

/// From a bot's JSON value to the text of the move as accepted and the state after it.
fn micros_a_turn(game: &Flip) -> f64 {
    const TURNS: usize = 5000;
    let mut ahead = game.clone();
    let mut stream = Stream::new(3, "bench");
    let mut text = Vec::new();
    let moves: Vec<Value> = (0..TURNS)
        .map(|_| {
            let mv = Game::sample_move(&ahead, &mut stream);
            ahead.apply(&mv);
            text.clear();
            Flip::write_move(&mv, &mut text);
            serde_json::from_slice(&text).expect("a move is JSON")
        })
        .collect();
    let mut position = AnyPosition::clone_box(game);
    let mut moves = moves.iter();
    micros(TURNS, || {
        let played = position.play(moves.next().expect("there is a move a turn"));
        black_box(played.expect("the move has the game's shape"));
        text.clear();
        position.write_state(&mut text);
    })
}

/// Microseconds that one call takes, on average.
fn micros(calls: usize, mut call: impl FnMut()) -> f64 {
    let began = Instant::now();
    (0..calls).for_each(|_| call());
    began.elapsed().as_secs_f64() * 1e6 / calls as f64
}
