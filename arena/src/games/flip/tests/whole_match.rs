//! One match from start to end.

use super::*;

/// Both seats walk straight on, or else around; every fifth turn asks for a piece that is not there.
#[test]
fn a_match_from_start_to_end() {
    let mut game = start(2, 40);
    let mut told = format!("{}\n", state(&game));
    for turn in 0.. {
        let Status::ToMove(seat) = game.status() else { break };
        let mv = walk(&game, turn);
        let played = game.apply(&mv);
        let mut accepted = Vec::new();
        Flip::write_move(&played.accepted, &mut accepted);
        told += &format!("{turn} {seat} {}", String::from_utf8_lossy(&accepted));
        told +=
            &played.ignored.iter().map(|ignored| format!(" ({}: {})", ignored.part, ignored.why)).collect::<String>();
        told += "\n";
    }
    told += &format!("{}\n{:?}\n{}\n", state(&game), game.scores(), scene::draw(&game).caption);
    assert_eq!(told, include_str!("whole_match.txt"));
}

fn walk(game: &Flip, turn: usize) -> Vec<PieceFlip> {
    let seat = game.to_move;
    let forward = if seat == Seat::First { 1.0 } else { -1.0 };
    let mut table = game.table.clone();
    let mut flips = Vec::new();
    for flip in 0..game.flips_allowed() {
        if turn % 5 == 4 && flip == 0 {
            flips.push(PieceFlip { piece: 2, goal: Goal::Angle(0.0) });
            continue;
        }
        let behind = table.centres(seat).map(|at| at[0] * forward).enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        let piece = behind.expect("there are pieces").0 as i128;
        let [x, y] = table.centre(seat, piece).expect("the piece is there");
        let steps = [[2.0, 0.0], [1.6, 1.2], [1.6, -1.2], [0.0, 2.0], [0.0, -2.0]];
        let tries = steps.map(|[a, b]| PieceFlip { piece, goal: Goal::To([x + forward * a, y + b]) });
        if let Some(landing) = tries.iter().find_map(|flip| table.judge(seat, flip).ok()) {
            table.make(&landing);
            flips.push(landing.as_flip());
        }
    }
    flips
}
