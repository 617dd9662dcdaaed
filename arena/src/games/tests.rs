use super::*;
use crate::game::{AnyGame, AnyPosition, Chosen, Next, Params, Ring, Status, laws};
use crate::seed::Stream;
use serde_json::Value;
use std::collections::HashSet;
use std::f64::consts::TAU;

#[test]
fn the_laws_hold_for_every_game() {
    let broken: Vec<String> = std::thread::scope(|scope| {
        let checks: Vec<_> = GAMES.iter().map(|game| scope.spawn(|| laws::check(*game))).collect();
        checks.into_iter().filter_map(|check| check.join().expect("no law panics").err()).collect()
    });
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn games_are_found_by_their_ids_and_say_what_people_need() {
    for game in GAMES {
        let info = game.info();
        let found = find(info.id).expect("every game in the table is found");
        assert!(std::ptr::eq(found.info(), info), "two games are called {}", info.id);
        let bare = |text: &str| text.replace(char::is_whitespace, "");
        assert!(
            bare(info.rules).contains(&bare(info.example_move)),
            "the rules of {} do not show its example move",
            info.id
        );
        for spec in game.params() {
            let named = format!("`{}`", spec.name);
            assert!(info.rules.contains(&named), "the rules of {} do not name {named}", info.id);
        }
    }
    assert!(find("tiddlywinks").is_none());
}

/// Positions of a random match, from its start to its end.
fn random_positions(game: &dyn AnyGame, seed: u64) -> Vec<Box<dyn AnyPosition>> {
    let mut position = game.start(&Params::new(), seed).expect("defaults hold").position;
    let mut stream = Stream::new(seed, "tests of choices");
    let mut positions = vec![position.clone_box()];
    while positions.len() < 200 {
        match position.status() {
            Status::ToMove(_) => drop(position.play(&position.sample_move(&mut stream)).expect("it is legal")),
            Status::MustPass(_) => position.pass(),
            Status::Over(_) => break,
        }
        positions.push(position.clone_box());
    }
    positions
}

/// A direction on a ring: an end of an arc, or one between.
fn direction(ring: &Ring, stream: &mut Stream) -> f64 {
    let [from, to] = *stream.pick(&ring.arcs);
    match stream.below(4) {
        0 => from,
        1 => to,
        _ => from + (to - from) * stream.unit(),
    }
}

#[test]
fn every_path_of_choices_is_a_legal_move_and_every_legal_move_has_one() {
    for game in GAMES {
        for seed in 1..=3 {
            let positions = random_positions(*game, seed);
            for position in positions.iter().step_by(positions.len() / 4 + 1) {
                let scene = position.scene();
                let paths = scene.paths();
                let Status::ToMove(_) = position.status() else {
                    assert!(paths.is_empty() && scene.targets.is_empty(), "nobody is to move");
                    continue;
                };
                for (path, mv) in paths.iter().step_by(paths.len() / 6 + 1) {
                    assert_eq!(position.choose(path), Ok(Chosen::Move(mv.clone())), "{path:?}");
                    assert!(position.clone_box().play(mv).is_ok(), "{path:?}");
                    for open in 0..path.len() {
                        let chosen = position.choose(&path[..open]);
                        assert!(matches!(chosen, Ok(Chosen::Open(_))), "{:?}: {chosen:?}", &path[..open]);
                    }
                    let beyond = [path.as_slice(), &path[..1]].concat();
                    assert!(position.choose(&beyond).is_err(), "{beyond:?} goes on after its end");
                }
                assert!(position.choose(&["nonsense".into()]).is_err());
                let chosen: HashSet<String> = paths.iter().map(|(_, mv)| mv.to_string()).collect();
                assert_eq!(chosen.len(), paths.len(), "no move has two paths");
                if let Some(legal) = position.legal_moves() {
                    let legal: HashSet<String> = legal.iter().map(Value::to_string).collect();
                    assert_eq!(chosen, legal, "{}", game.info().id);
                }
            }
        }
    }
}

#[test]
fn every_direction_that_is_offered_is_valid_and_no_other_is() {
    let mut directions = [0, 0];
    for game in
        GAMES.iter().filter(|game| !game.start(&Params::new(), 1).expect("defaults hold").position.lists_moves())
    {
        for n in [1, 5, 120] {
            let params: Params = [("n".to_string(), n.into())].into_iter().collect();
            let mut position = game.start(&params, n).expect("so many fit").position;
            let mut stream = Stream::new(n, "directions");
            for _ in 0..30 {
                let mut path = Vec::new();
                let mv = loop {
                    let scene = match position.choose(&path).expect("the path was offered") {
                        Chosen::Move(mv) => break mv,
                        Chosen::Open(scene) => scene,
                    };
                    let target = stream.pick(&scene.targets).clone();
                    path.push(target.key.clone());
                    if let Next::Ring(ring) = &target.next {
                        assert!(ring.arcs.windows(2).all(|two| two[0][1] < two[1][0]), "in order: {ring:?}");
                        // Anywhere on the ring: valid where an arc is, and nowhere else.
                        for _ in 0..20 {
                            let angle = TAU * stream.unit();
                            let near = |end: f64| (angle - end).abs() < 1e-9 || (angle + TAU - end).abs() < 1e-9;
                            let holds = |[from, to]: &[f64; 2]| (*from..=*to).contains(&angle) || angle + TAU <= *to;
                            let offered = ring.arcs.iter().any(holds);
                            let chosen = position.choose(&[path.as_slice(), &[angle.into()]].concat());
                            let at_an_end = ring.arcs.iter().flatten().any(|end| near(*end));
                            assert!(at_an_end || chosen.is_ok() == offered, "{angle} of {ring:?}: {chosen:?}");
                            directions[usize::from(offered)] += 1;
                        }
                        path.push(direction(ring, &mut stream).into());
                        let whole = matches!(position.choose(&path), Ok(Chosen::Move(_)));
                        assert_eq!(whole, ring.ends, "{path:?}");
                    }
                };
                let played = position.play(&mv).expect("it is legal");
                assert!(played.ignored.is_empty(), "{path:?}: {:?}", played.ignored);
                assert_eq!(played.accepted, mv.to_string(), "its coordinates are exact");
                if let Status::Over(_) = position.status() {
                    break;
                }
            }
        }
    }
    assert!(directions[0] > 500 && directions[1] > 500, "{directions:?}: both kinds were tried");
}
