//! To the last bit: what a seed deals, where flips land, what JSON brings back.

use super::*;

#[test]
fn a_seed_deals_the_same_circles_to_the_last_bit() {
    let dealt: Vec<Centre> = start(3, 2026).table.centres(Seat::First).collect();
    let golden = [
        [-50.97078058373003, -8.875243695018051],
        [-44.49439695910543, 17.438746592414525],
        [-33.54506058496154, -12.920951795736498],
    ];
    assert_eq!(dealt, golden);
    // The last circle of the densest start: it shows that a thousand words before it were right.
    let last = start(200, 2026).table.centres(Seat::First).last();
    assert_eq!(last, Some([-32.81834998229867, 9.293247411003566]));
}

#[test]
fn the_start_is_sound_and_symmetric_up_to_the_densest() {
    for (n, seed) in [(1, 0), (5, 1), (50, 2), (200, 3), (200, 4), (200, 5), (200, (1 << 53) - 1)] {
        let game = start(n, seed);
        assert_sound(&game);
        assert_eq!(game.table.pieces_each() as u64, n);
        for (left, right) in game.table.centres(Seat::First).zip(game.table.centres(Seat::Second)) {
            assert!((-59.0..=-21.0).contains(&left[0]) && left[1].abs() <= 19.0, "{left:?}");
            assert_eq!([-left[0], left[1]], right);
        }
    }
}

#[test]
fn lengths_have_a_tolerance_of_1e_7_and_no_more() {
    let game = position(&[[-40.0, 0.0]], &[[-35.99999995, 0.0]], Seat::First, 2);
    let mut near = game.clone();
    // Asked for 5e-8 too far, put 2 cm away, 0.5e-7 nearer to its neighbour than touching.
    let played = play(&mut near, r#"[{"piece":0,"to":[-37.99999995,0]}]"#);
    assert_eq!(played.accepted, r#"[{"piece":0,"to":[-38.0,0.0]}]"#);
    let off = why(&game, r#"{"piece":0,"to":[-42.0000002,0]}"#);
    assert!(off.contains("2.0e-7 cm too far"), "{off}");
    let tight = position(&[[-40.0, 0.0]], &[[-36.0000002, 0.0]], Seat::First, 2);
    let told = why(&tight, r#"{"piece":0,"to":[-38,0]}"#);
    assert_eq!(told, "it would overlap the opponent's piece 0 by 2.0e-7 cm");
    // Judged where it is put: as it was sent, this one would be clear of its neighbour.
    assert_eq!(why(&tight, r#"{"piece":0,"to":[-38.00000009,0]}"#), told);
    let edge = position(&[[57.00000005, 0.0]], &[[40.0, 0.0]], Seat::First, 2);
    assert_eq!(play(&mut edge.clone(), r#"[{"piece":0,"angle":0}]"#).ignored, []);
    let edge = position(&[[57.0000002, 0.0]], &[[40.0, 0.0]], Seat::First, 2);
    assert!(why(&edge, r#"{"piece":0,"angle":0}"#).contains("right edge"));
}

#[test]
fn a_flip_is_exactly_2_cm_and_its_record_makes_it_again() {
    let mut game = start(20, 11);
    let mut again = game.clone();
    let mut stream = Stream::new(11, "exact");
    let mut put = 0;
    for _ in 0..3000 {
        let seat = game.to_move;
        let piece = stream.below(20) as i128;
        let from = game.table.centre(seat, piece).expect("the piece is there");
        let (angle, length) = (std::f64::consts::TAU * stream.unit(), 2.0 + 1.9e-7 * (stream.unit() - 0.5));
        let asked = [from[0] + length * angle.cos(), from[1] + length * angle.sin()];
        let played = game.apply(&vec![PieceFlip { piece, goal: Goal::To(asked) }]);
        if let [PieceFlip { goal: Goal::To(to), .. }] = played.accepted[..] {
            assert!((apart(from, to) - 2.0).abs() < 1e-13, "{from:?} to {to:?}");
            let [x, y] = [to[0] - from[0], to[1] - from[1]];
            assert!((x * angle.sin() - y * angle.cos()).abs() < 1e-13, "the direction is kept");
            put += 1;
        }
        assert_eq!(again.apply(&played.accepted), Played { ignored: Vec::new(), ..played });
    }
    assert!(put > 2000, "{put} flips were made");
    assert_eq!(state(&game), state(&again));
}

#[test]
fn ten_thousand_random_flips_keep_every_circle_apart_and_every_bit() {
    for (n, seed) in [(5, 1), (200, 2)] {
        let mut game = Flip { rounds: 100_000, ..start(n, seed) };
        let mut again = game.clone();
        let mut stream = Stream::new(seed, "flips");
        let (mut made, mut ignored) = (0, 0);
        while made < 5000 {
            let mv = game.sample_move(&mut stream);
            let played = game.apply(&mv);
            assert_eq!(again.apply(&played.accepted).accepted, played.accepted, "what is recorded can be played again");
            ignored += played.ignored.len();
            made += played.accepted.len();
            if made % 500 < 2 {
                assert_sound(&game);
                let back = read_back(&game, game.to_move);
                assert_eq!(back.table, game.table, "to the last bit");
                assert_eq!(back.pieces_text, game.pieces_text, "the kept text is what would be written anew");
                assert_eq!((back.round, back.rounds, back.to_move), (game.round, game.rounds, game.to_move));
            }
        }
        assert_sound(&game);
        assert_eq!(again.table, game.table);
        assert!(ignored > 0 && ignored < made / 4, "mostly valid flips: {ignored} were not, {made} were");
    }
}

#[test]
fn moves_survive_json_to_the_last_bit() {
    let game = position(&[[-40.0, 0.0]], &[[40.0, 0.0]], Seat::Second, 1);
    let mut stream = Stream::new(5, "moves");
    for _ in 0..1000 {
        let mv = vec![
            PieceFlip { piece: stream.below(9).into(), goal: Goal::To([stream.unit() * 60.0, -stream.unit() / 1e9]) },
            PieceFlip { piece: u64::MAX.into(), goal: Goal::Angle(stream.unit() - 0.5) },
        ];
        let mut text = Vec::new();
        Flip::write_move(&mv, &mut text);
        let value = serde_json::from_slice(&text).expect("JSON");
        assert_eq!(game.read_move(&value), Ok(mv));
    }
}

#[test]
fn a_zero_has_no_sign() {
    let mut game = position(&[[-2.0, -0.0]], &[[40.0, 0.0]], Seat::First, 1);
    assert!(!state(&game).contains("-0.0"));
    let played = play(&mut game, r#"[{"piece":0,"to":[-0.0,-0.0]}]"#);
    assert_eq!(played.accepted, r#"[{"piece":0,"to":[0.0,0.0]}]"#);
    assert!(!state(&game).contains("-0.0"));
}

#[test]
fn both_seats_play_by_the_same_rules() {
    let mut left = start(30, 21);
    left.apply(&Vec::new());
    let mut right = left.clone();
    left.apply(&Vec::new());
    let mut stream = Stream::new(21, "mirror");
    let (mut made, mut ignored) = (0, 0);
    for _ in 0..2000 {
        let seat = left.to_move;
        assert_eq!(right.to_move, seat.other());
        let asked: Vec<PieceFlip> = left.sample_move(&mut stream).iter().map(|flip| with_centre(&left, flip)).collect();
        let mirrored_flip = |flip: &PieceFlip| match flip.goal {
            Goal::To(to) => PieceFlip { goal: Goal::To(mirrored(to)), ..*flip },
            Goal::Angle(_) => unreachable!("all flips have a centre"),
        };
        let (here, there) = (left.apply(&asked), right.apply(&asked.iter().map(mirrored_flip).collect()));
        assert_eq!(here.accepted.iter().map(mirrored_flip).collect::<Vec<_>>(), there.accepted);
        made += here.accepted.len();
        ignored += here.ignored.len();
    }
    assert!(made > 2000 && ignored > 0, "{made} flips were made, {ignored} were not");
    for seat in Seat::BOTH {
        let expected: Vec<Centre> = left.table.centres(seat).map(mirrored).collect();
        assert_eq!(expected, right.table.centres(seat.other()).collect::<Vec<_>>());
    }
}

/// The flip with the centre that its angle means: mirrored angles would be rounded differently.
fn with_centre(game: &Flip, flip: &PieceFlip) -> PieceFlip {
    let [x, y] = game.table.centre(game.to_move, flip.piece).expect("the piece is there");
    match flip.goal {
        Goal::To(_) => *flip,
        Goal::Angle(angle) => PieceFlip { goal: Goal::To([x + 2.0 * angle.cos(), y + 2.0 * angle.sin()]), ..*flip },
    }
}

fn mirrored(at: Centre) -> Centre {
    [0.0 - at[0], at[1]]
}
