//! What is read from good cups.

use super::super::Ground;
use super::{CUP, cup_text, names};
use crate::clock::Clock;
use crate::config::{BUILD_TIME, CupParts, Grades, cup_from_parts, read_cup, template};
use crate::game::Params;
use crate::games::{GAMES, offset};
use crate::table::Thinking;
use crate::tournament::formats::{FORMATS, Plan};
use crate::transport::Limits;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

#[test]
fn what_is_left_out_has_its_default() {
    let cup = Ground::new().cup(CUP);
    assert_eq!((cup.name.as_str(), cup.game.info().id), ("spring", "othello"));
    assert_eq!((cup.plan, cup.pairs, cup.seed), (Plan::RoundRobin, 1, 1));
    assert_eq!(Value::from_iter(cup.sets), json!([{"size": 6, "opening": 0}]));
    assert_eq!((cup.clock, cup.hints, cup.jobs, cup.cores), (Clock::default(), false, None, None));
    assert_eq!((cup.thinking, cup.reuse, cup.limits), (Thinking::OwnTurn, None, Limits::default()));
    assert_eq!((cup.build_time, cup.grades, cup.max_time), (BUILD_TIME, None, None));
    assert_eq!(
        cup.bots.iter().map(|bot| (bot.spec.name.as_str(), bot.line)).collect::<Vec<_>>(),
        [("paper", 4), ("random", 6)]
    );
    assert_eq!(cup.text, CUP);
}

#[test]
fn every_key_is_read() {
    let cup = Ground::new().cup(
        "name = \"spring\"\ngame = \"othello\"\nformat = \"gauntlet\"\npairs = 10\nseed = 9007199254740991\nhints = true\n\
         jobs = 2\ncores = [\"0\", \"2-3\"]\nthinking = \"any\"\nreuse = false\n\
         [clock]\nstart = \"5s\"\nmove = \"500ms\"\ngame = \"2m\"\nincrement = \"1s\"\nstop = \"0s\"\n\
         [limits]\nfiles = \"16MiB\"\ncpu = \"60s\"\n[isolation]\nmode = \"none\"\n[build]\ntime = \"30s\"\n\
         [gauntlet]\nchallengers = [\"mine\"]\n[grades]\npass_against = \"random\"\npass_pct = 60\n\
         [[bots]]\nbot = \"random\"\n[[bots]]\nbot = \"greedy\"\nname = \"mine\"\nauthors = [\"id1\", \"id2\"]\n",
    );
    let seconds = Duration::from_secs;
    assert_eq!((cup.pairs, cup.seed, cup.hints), (10, (1 << 53) - 1, true));
    assert_eq!((cup.jobs, cup.cores), (Some(2), Some(vec![vec![0], vec![2, 3]])));
    assert_eq!((cup.thinking, cup.reuse), (Thinking::Any, Some(false)));
    assert_eq!(
        cup.clock,
        Clock {
            start: Some(seconds(5)),
            per_move: Some(Duration::from_millis(500)),
            game: Some(seconds(120)),
            increment: seconds(1),
            stop: Duration::ZERO,
        }
    );
    assert_eq!(cup.limits, Limits { cpu_seconds: Some(60), file_bytes: Some(16 << 20), ..Limits::default() });
    assert_eq!(cup.build_time, seconds(30));
    assert_eq!(cup.plan, Plan::Gauntlet { challengers: vec![1] });
    assert_eq!(cup.grades, Some(Grades { pass_against: 0, pass_pct: 60.0 }));
    assert_eq!(cup.bots[1].spec.authors, ["id1", "id2"]);
}

#[test]
fn formats_have_their_settings() {
    let sprt = |elo0, elo1, alpha, max_pairs| Plan::Sprt { elo0, elo1, alpha, beta: 0.05, batch: 8, max_pairs };
    let table = [
        ("knockout", "", Plan::Knockout),
        ("double-elimination", "", Plan::DoubleElimination),
        ("gauntlet", "", Plan::Gauntlet { challengers: vec![0] }),
        ("swiss", "", Plan::Swiss { rounds: None }),
        ("swiss", "[swiss]\nrounds = 1", Plan::Swiss { rounds: Some(1) }),
        ("sprt", "", sprt(0.0, 20.0, 0.05, None)),
        ("sprt", "[sprt]\nelo0 = -5\nelo1 = 5.5\nalpha = 0.01\nmax_pairs = 100", sprt(-5.0, 5.5, 0.01, Some(100))),
        ("until-ranked", "", Plan::UntilRanked { confidence: 0.95, batch: 8, max_matches: None }),
        (
            "until-ranked",
            "[until_ranked]\nconfidence = 0.9\nbatch = 4\nmax_matches = 500\nmax_time = \"1h\"",
            Plan::UntilRanked { confidence: 0.9, batch: 4, max_matches: Some(500) },
        ),
    ];
    for (format, settings, plan) in table {
        let cup = Ground::new().cup(&cup_text("othello", &format!("format = \"{format}\""), settings));
        assert_eq!((cup.plan.id(), &cup.plan), (format, &plan));
        assert_eq!(cup.max_time.is_some(), settings.contains("max_time"));
        assert!(FORMATS.iter().any(|known| known.id == format));
    }
}

#[test]
fn lists_make_grids_and_tables_make_sets() {
    let sets = |game, params| Value::from_iter(Ground::new().cup(&cup_text(game, "", params)).sets);
    assert_eq!(sets("flip", "[params]\nn = 5"), json!([{"n": 5}]));
    assert_eq!(
        sets("notipping", "[params]\nopening = [0, 2]\nk = [3, 4]"),
        json!([{"k": 3, "opening": 0}, {"k": 3, "opening": 2}, {"k": 4, "opening": 0}, {"k": 4, "opening": 2}]),
        "the game's first parameter changes slowest"
    );
    assert_eq!(
        sets("flip", "[[params]]\nn = [1, 2]\n[[params]]\nn = 2\nrounds = 10"),
        json!([{"n": 1}, {"n": 2}, {"n": 2, "rounds": 10}])
    );
    assert_eq!(
        sets("offset", "[[params]]\noffsets = [[1, 6], [3, 4]]\n[[params]]\nd = 5\nsize = 6"),
        json!([{"size": 32, "d": 7, "offsets": [[1, 6], [3, 4]], "opening": 0}, {"size": 6, "d": 5, "opening": 0}]),
        "a parameter that is a list is no grid, and what is dealt is left to each match"
    );
}

#[test]
fn all_means_exactly_every_ordered_choice() {
    let cup = Ground::new().cup(&cup_text("offset", "", "[params]\noffsets = \"all\"\nsize = [6, 32]\nd = [5, 7]"));
    let mut wanted = Vec::new();
    for (size, d) in [(6, 5), (6, 7), (32, 5), (32, 7)] {
        wanted.extend(offset::choices(size, d).into_iter().map(|choice| (size, d, json!(choice.0))));
    }
    let number = |set: &Params, key: &str| set[key].as_i64().expect("a number");
    let seen: Vec<_> =
        cup.sets.iter().map(|set| (number(set, "size"), number(set, "d"), set["offsets"].clone())).collect();
    assert_eq!(seen, wanted);
    assert_eq!(wanted.len(), 2 + 2 + 2 + 6, "2 pairs make 2 choices, 3 make 6");
}

#[test]
fn a_cup_from_the_command_line_goes_through_the_same_checks() {
    let ground = Ground::new();
    let bots = ["paper".to_string(), "swapped=paper --rules corner,avoid,most,edge".to_string()];
    let clock = Clock { per_move: Some(Duration::from_micros(1500)), ..Clock::default() };
    let params = Params::from_iter([("size".to_string(), json!([4, 6]))]);
    let parts = CupParts { game: "othello", bots: &bots, ..CupParts::default() };
    let read = |parts: &CupParts<'_>| cup_from_parts(parts, ground.0.path(), &ground.path("arena-dir"));

    let cup = read(&CupParts {
        format: Some("gauntlet"),
        pairs: Some(3),
        seed: Some(7),
        params,
        clock: Some(clock.clone()),
        hints: true,
        ..parts.clone()
    })
    .unwrap_or_else(|error| panic!("the parts are good, but: {error}"));
    assert_eq!((cup.name.as_str(), names(&cup)), ("othello", vec!["paper", "swapped"]));
    assert_eq!((cup.pairs, cup.seed, cup.hints, &cup.clock), (3, 7, true, &clock));
    assert_eq!((cup.sets.len(), &cup.plan), (2, &Plan::Gauntlet { challengers: vec![0] }));
    assert_eq!(ground.cup(&cup.text).clock, clock, "its text is a cup file");

    for (wrong, message) in [
        (CupParts { game: "othelo", ..parts.clone() }, "there is no game `othelo`, did you mean `othello`?"),
        (CupParts { pairs: Some(0), ..parts.clone() }, "`pairs` is 0, but must be from 1 to 1000000"),
        (
            CupParts { bots: &bots[..1], ..parts.clone() },
            "a cup has two bots or more, and this one has only `paper`: add another [[bots]]",
        ),
    ] {
        assert_eq!(read(&wrong).err().map(|error| error.0).as_deref(), Some(message));
    }
}

#[test]
fn templates_are_cups_of_every_game() {
    let ground = Ground::new();
    ground.program("bots/mine", "#!/bin/sh\n");
    for game in GAMES {
        let info = game.info();
        let cup = ground.cup(&template("contest", info.id, None));
        assert_eq!((cup.game.info().id, cup.bots.len(), cup.sets.len()), (info.id, 2, 1));
        assert_eq!(cup.name, "contest");
        let text = template("my cup", info.id, Some("bots/*"));
        assert_eq!(ground.cup(&text).name, "my-cup");
        assert_eq!(names(&ground.cup(&text)), ["mine", "random", "greedy"]);
        for spec in game.params() {
            let mark = if spec.name == "opening" { "\n" } else { "\n# " };
            assert!(text.contains(&format!("{mark}{} = ", spec.name)), "{} shows `{}`", info.id, spec.name);
        }
    }
}

#[test]
fn the_example_cups_are_good() {
    let ground = Ground::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/cups");
    let mut files = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        let cup = read_cup(&path, &ground.path("arena-dir")).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(path.file_stem().and_then(|stem| stem.to_str()), Some(cup.name.as_str()), "named after its file");
        files += 1;
    }
    assert_eq!(files, 5);
}
