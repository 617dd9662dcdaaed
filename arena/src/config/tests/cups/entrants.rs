//! Who is entered, under which names, and who is not.

use super::super::{Ground, says};
use super::names;
use crate::config::{BotKind, Broken, Cup, check_name, read_cup, read_cup_with};

const HEAD: &str = "name = \"spring\"\ngame = \"othello\"\n";

/// The cup with these bots, a line each.
fn of(bots: &[&str]) -> String {
    let bots: Vec<String> = bots.iter().map(|bot| format!("[[bots]]\n{bot}\n")).collect();
    format!("{HEAD}{}", bots.concat())
}

fn folder_of(cup: &Cup, bot: usize) -> String {
    match &cup.bots[bot].spec.kind {
        BotKind::Program(launch) => launch.folder.display().to_string(),
        BotKind::Human => panic!("a program"),
    }
}

#[test]
fn paths_are_taken_from_the_cup_files_folder() {
    let ground = Ground::new();
    ground.file("bots/mine/bot.toml", "run = [\"sh\"]\n");
    ground.program("bots/a=b", "#!/bin/sh\n");
    ground
        .file("cups/cup.toml", of(&["path = \"../bots/mine\"", "path = \"../bots/a=b\"", "bot = \"x=../bots/mine\""]));
    let cup =
        read_cup(&ground.path("cups/cup.toml"), &ground.path("arena-dir")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(names(&cup), ["mine", "a-b", "x"]);
    assert!(folder_of(&cup, 0).ends_with("cups/../bots/mine"));
}

#[test]
fn a_pattern_enters_every_match_in_the_order_of_names() {
    let ground = Ground::new();
    for bot in ["b", "a", "c"] {
        ground.file(&format!("bots/{bot}/bot.toml"), "run = [\"sh\"]\n");
    }
    ground.file("bots/.hidden", "");
    ground.folder("bots/__pycache__");
    ground.program("scripts/one.py", "");
    ground.file("scripts/notes.txt", "");
    ground.program("odd/st*r", "#!/bin/sh\n");
    let cup = ground.cup(&of(&[
        "path = \"bots/*\"\nauthors = [\"id1\"]",
        "path = \"scripts/*.py\"\nname = \"py\"",
        "path = \"odd/st*r\"",
    ]));
    assert_eq!(names(&cup), ["a", "b", "c", "py", "st-r"]);
    assert_eq!(cup.bots.iter().map(|bot| bot.line).collect::<Vec<_>>(), [4, 4, 4, 7, 10]);
    assert!(cup.bots[..3].iter().all(|bot| bot.spec.authors == ["id1"]));
    assert_eq!(names(&ground.cup(&of(&["path = \"*/?\""]))), ["a", "b", "c"]);
}

#[test]
fn given_names_stay_and_derived_ones_give_way() {
    let ground = Ground::new();
    let cup =
        ground.cup(&of(&["bot = \"paper --rules edge\"", "bot = \"paper --rules most\"", "bot = \"Paper=random\""]));
    assert_eq!(names(&cup), ["paper-2", "paper-3", "Paper"]);
    assert!(cup.bots.iter().all(|bot| check_name(&bot.spec.name).is_ok()));
    assert_eq!(
        names(&ground.cup(&of(&["bot = \"random\"", "bot = \"random\"\nname = \"other\""]))),
        ["random", "other"]
    );
}

#[test]
fn who_cannot_be_entered_is_told_with_the_line() {
    let ground = Ground::new();
    ground.file("bots/mine/bot.toml", "name = \"mine\"\nrun = [\"sh\"]\n");
    ground.file("bots/other/bot.toml", "name = \"MINE\"\nrun = [\"sh\"]\ngames = [\"othello\"]\n");
    ground.file("flipper/bot.toml", "run = [\"sh\"]\ngames = [\"flip\", \"go\"]\n");
    ground.file("broken/bot.toml", "\nrnu = [\"sh\"]\n");
    ground.folder("empty");
    let here = ground.text("");
    let here = here.trim_end_matches('/');
    let table = [
        (vec!["path = \"bots/mine\"", "path = \"bots/other\""], "6: the name `MINE` is taken by the bot of line 4 (capitals make no difference): give one of the two another `name`".to_string()),
        (vec!["bot = \"random\"", "bot = \"random\""], "6: the bot `random` is entered already, in line 4: give one of the two another `name`".to_string()),
        (vec!["path = \"bots/mine\"", "path = \"bots/m*\""], "6: the bot `mine` is entered already, in line 4: give one of the two another `name`".to_string()),
        (vec!["path = \"bots/mine\"\nname = \"a b\""], "5: `a b` cannot be a bot's name: a name is 1 to 40 of A-Z a-z 0-9 . _ -, beginning with a letter or digit, and neither `draw` nor `human`".to_string()),
        (vec!["path = \"bots/*\"\nname = \"a\""], "5: `name` is for one bot, but the pattern matches 2: leave `name` out".to_string()),
        (vec!["path = \"flipper\""], "4: flipper does not play othello: its bot.toml lists flip, go".to_string()),
        (vec!["path = \"broken\""], "4: broken/bot.toml:2: unknown key `rnu`, did you mean `run`?".to_string()),
        (vec!["path = \"bots/mien\""], format!("4: there is no bot at `bots/mien`: `{here}/bots/mien` is not there, did you mean `bots/mine`?")),
        (vec!["path = \"no where\""], format!("4: there is no bot at `no where`: `{here}/no where` is not there: paths are taken from the cup file's folder")),
        (vec!["path = \"bots/z*\""], format!("4: the pattern `bots/z*` matches nothing (it is taken from the folder `{here}`)")),
        (vec!["path = \"**/mine\""], "4: the pattern `**/mine` has `**`, which means nothing here: write a `*` for each level of folders".to_string()),
        (vec!["path = \"\""], "4: `path` is empty: write path = \"../bots/mine\"".to_string()),
        (vec!["bot = \"human\""], "4: `human` cannot be entered in a cup, which is played without anyone at the terminal".to_string()),
        (vec!["bot = \"random\"\npath = \"bots/mine\""], "5: `path` and `bot` are both there: one [[bots]] table enters either".to_string()),
        (vec!["name = \"a\""], "3: [[bots]]: `path` is missing: write path = \"../bots/mine\", or bot = \"random\"".to_string()),
    ];
    for (bots, message) in table {
        assert_eq!(ground.cup_error(&of(&bots)), format!("cup.toml:{message}"));
    }
    says(&ground.cup_error(&of(&["path = \"empty\""])), &["cup.toml:4: the folder ", "/empty` has no bot.toml"]);
    says(&ground.cup_error(&of(&["bot = \"papr\""])), &["cup.toml:4: there is no bot `papr`", "did you mean `paper`?"]);
}

#[test]
fn broken_bots_are_left_out_when_that_is_asked_for() {
    let ground = Ground::new();
    for bot in ["a", "d"] {
        ground.file(&format!("bots/{bot}/bot.toml"), "run = [\"sh\"]\n");
    }
    ground.file("bots/b/bot.toml", "rnu = [\"sh\"]\n");
    ground.folder("bots/c");
    ground.file("cup.toml", of(&["path = \"bots/*\""]));
    let read = |broken| read_cup_with(&ground.path("cup.toml"), &ground.path("arena-dir"), broken, None);
    says(&read(Broken::Refuse).err().expect("it is refused").0, &["cup.toml:4: ", "unknown key `rnu`"]);
    let cup = read(Broken::Skip).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((names(&cup), cup.skipped.len()), (vec!["a", "d"], 2));
    says(&cup.skipped[1].0, &["cup.toml:4: the folder ", "/bots/c` has no bot.toml"]);
    ground.file("cup.toml", of(&["path = \"bots/*\"", "path = \"bots/e\""]));
    says(&read(Broken::Skip).err().expect("what is not there is no broken bot").0, &["cup.toml:6: there is no bot at"]);
}

#[test]
fn notes_reach_the_organiser() {
    let ground = Ground::new();
    ground.program("random", "#!/bin/sh\n");
    let cup = ground.cup(
        &of(&["bot = \"random\"", "bot = \"greedy\""]).replace(HEAD, &format!("{HEAD}cores = [\"0\", \"0-1\"]\n")),
    );
    assert_eq!(cup.notes.len(), 2, "{:?}", cup.notes);
    says(&cup.notes[0], &["core 0 is in several entries of `cores`"]);
    says(&cup.notes[1], &["random: both a path `./random` and a bundled bot `random` exist: the path is taken"]);
}
