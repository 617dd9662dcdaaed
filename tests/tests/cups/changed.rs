//! Cups that are not any more what they were when they were begun: more bots and pairs are taken up, anything else is
//! refused, with old, new and the ways out.

use crate::support::{Cup, Row, ids, names, rows, transcripts};
use nix::sys::signal::Signal;
use std::fs;
use std::time::Duration;
use tests::arena::{Arena, Run};
use tests::processes::wait_until;

fn cup() -> Cup {
    Cup::othello(1).bot("greedy", "greedy").bot("paper", "paper").bot("random", "random")
}

const BEGUN: &str = "is not the cup that was begun in results/cup: ";
const APART: &str = "play it in a folder of its own with --out NEW";

/// A refusal that says all of these and changes nothing.
#[track_caller]
fn refused(cup: &Cup, flags: &str, says: &[&str]) -> Run {
    let record = || fs::read_to_string(cup.results().join("matches.csv")).expect("there are rows");
    let before = (record(), transcripts(&cup.results()));
    let run = cup.run(flags);
    assert_eq!(run.code, Some(2), "{run:#?}");
    for part in says {
        assert!(run.stderr.contains(part), "{part:?} is not told: {run:#?}");
    }
    assert_eq!((record(), transcripts(&cup.results())), before);
    run
}

/// A bot in a file of its own, which plays like the bundled random one, or like the greedy one.
fn write_bot(cup: &Cup, folder: &str, like: &str) {
    let program = tests::binaries::program(like);
    cup.arena.write(&format!("{folder}/bot.toml"), format!("run = [\"sh\", \"bot.sh\"]\n# {like}\n"));
    cup.arena.write(&format!("{folder}/bot.sh"), format!("exec '{}'\n", program.display()));
}

#[test]
fn a_bot_that_has_changed_is_refused_and_its_matches_can_be_played_again() {
    // Its name is also the last part of the id of every pair's first match.
    let mut cup = Cup::othello(3).bot("greedy", "greedy").bot("random", "random");
    write_bot(&cup, "1a", "random");
    cup.enter("1a", "./1a");
    cup.played("");
    write_bot(&cup, "1a", "greedy");
    refused(
        &cup,
        "",
        &[
            BEGUN,
            "the files of 1a have changed: their SHA-256 was ",
            APART,
            "or play the matches of 1a again with --again 1a\n",
        ],
    );
    let before = fs::read_to_string(cup.results().join("matches.csv")).expect("there are rows");

    let again = cup.played("--again 1a --json");
    let played = again.stdout.lines().filter(|line| line.contains("\"ended\"")).count();
    assert_eq!(played, 12, "only its own matches are played again: {again:#?}");
    let aside = names(&cup.results().join("superseded"));
    assert_eq!(aside.iter().filter(|name| name.ends_with(".jsonl")).count(), 12, "{aside:?}");
    assert_eq!(ids(&cup.rows()), transcripts(&cup.results()));
    let after = fs::read_to_string(cup.results().join("matches.csv")).expect("there are rows");
    let others =
        |text: &str| text.lines().filter(|row| row.starts_with("greedy+random")).map(String::from).collect::<Vec<_>>();
    assert_eq!(others(&before), others(&after), "matches of others stay");
    // What is there now is what the cup is gone on with.
    assert_eq!(cup.played("").code, Some(0));
    refused(&cup, "--again nobody", &["--again nobody: there is no bot of that name in this cup"]);
}

#[test]
fn what_is_played_again_is_kept_when_it_is_stopped_and_gone_on_with() {
    let cup = Cup::othello(6).fixture("mine", "think 40").bot("random", "random");
    cup.played("");
    let mut running = cup.arena.start_also("tournament run cup.toml --jobs 1 --again mine");
    let played = || rows(&cup.results().join("matches.csv")).len();
    let begun = || cup.results().join("superseded").exists() && (1..12).contains(&played());
    assert!(wait_until(Duration::from_secs(60), begun), "it is played again");
    running.signal(Signal::SIGINT);
    let run = running.finish(Duration::from_secs(60)).expect("Ctrl-C ends it");
    let on = run.stdout.lines().find_map(|line| line.split_once("the same command goes on: ")).expect("it is told").1;
    assert!(!on.contains("--again"), "what was played again would be thrown away: {on}");
    let kept = rows(&cup.results().join("matches.csv"));
    let rest = cup.played("--jobs 1 --json");
    let ended = rest.stdout.lines().filter(|line| line.contains("\"ended\"")).count();
    assert_eq!(ended + kept.len(), 12, "{rest:#?}");
}

#[test]
fn a_bot_that_is_entered_otherwise_is_taken_up_with_again_and_all_that_have_changed_are_named_at_once() {
    let mut cup = cup();
    write_bot(&cup, "mine", "random");
    write_bot(&cup, "more", "random");
    cup.enter("mine", "./mine");
    cup.enter("more", "./more");
    cup.played("");
    cup.swap("bot = \"paper\"\n", "bot = \"paper --rules edge\"\n");
    let told = "`[[bots]] paper` was paper and is paper --rules edge";
    refused(&cup, "", &[BEGUN, told, APART, "or play the matches of paper again with --again paper\n"]);
    refused(&cup, "--again mine", &[told, "--again paper"]);
    cup.swap("\"./mine\"\n", "\"./mine\"\nauthors = [\"id1\"]\n");
    refused(&cup, "", &[told, "`[[bots]] mine` was no authors and is id1", "--again paper --again mine\n"]);
    cup.played("--again paper --again mine");
    assert_eq!(ids(&cup.rows()), transcripts(&cup.results()));
    assert_eq!(cup.rows().len(), 20);

    write_bot(&cup, "mine", "greedy");
    write_bot(&cup, "more", "greedy");
    refused(
        &cup,
        "",
        &["the files of mine have", "the files of more have", "mine, more again with --again mine --again more\n"],
    );
    cup.edit("seed = 7", "seed = 8");
    cup.swap("bot = \"paper --rules edge\"\n", "bot = \"paper\"\n");
    let mixed =
        "or put back what was, but for what has changed of paper, whose matches are played again with --again paper\n";
    refused(&cup, "", &["`seed` was 7 and is 8", APART, mixed]);
}

#[test]
fn matches_that_the_course_does_not_ask_for_any_more_are_set_aside() {
    for (format, table) in [
        ("knockout", ""),
        ("swiss", "[swiss]\nrounds = 2\n"),
        ("until-ranked", "[until_ranked]\nmax_matches = 40\nbatch = 2\n"),
    ] {
        let mut cup = Cup::othello(1);
        cup.edit("seed = 7", &format!("seed = 7\nformat = \"{format}\""));
        cup.edit("[params]", &format!("{table}[params]"));
        cup.arena.write("mine/bot.toml", "run = [\"sh\", \"bot.sh\"]\n");
        let plays = |cup: &Cup, program: &str| cup.arena.write("mine/bot.sh", format!("exec {program}\n"));
        plays(&cup, &cup.arena.fixture_command("illegal-move --at 1"));
        let cup = cup.bot("mine", "./mine").bot("a", "random").bot("b", "paper").bot("c", "greedy");
        cup.played("");
        plays(&cup, &tests::binaries::program("paper").display().to_string());
        let run = cup.played("--again mine");
        let note = "are in superseded/ now: since others were played again, other pairings have followed\n";
        assert!(run.stderr.contains(note), "{format}: {run:#?}");
        let aside = names(&cup.results().join("superseded"));
        assert!(aside.iter().any(|name| !name.contains("mine")), "{format}: {aside:?}");
        assert_eq!(ids(&cup.rows()), transcripts(&cup.results()), "{format}");
        let verified = cup.arena.also("verify results/cup");
        assert_eq!(verified.code, Some(0), "{format}: {verified:#?}");
        let again = cup.played("--json");
        assert!(!again.stdout.contains("\"started\""), "{format}: {again:#?}");
        // The same cup, played with the other bot from the beginning.
        let rows = cup.lasting();
        cup.played("--out fresh");
        assert_eq!(rows, crate::support::lasting(&cup.arena.path("fresh")), "{format}");
    }
}

#[test]
fn more_bots_and_more_pairs_are_taken_up() {
    let mut cup = cup();
    cup.played("");
    let before = cup.rows();
    cup.edit("pairs = 1", "pairs = 2");
    cup.enter("late", "random");
    cup.played("");
    let after = cup.rows();
    assert_eq!(after.len(), 6 * 2 * 2);
    for row in &before {
        let same = after.iter().find(|new| new["id"] == row["id"]).expect("a finished match stays");
        let good = |row: &Row| {
            let mut row = row.clone();
            row.remove("round");
            row
        };
        assert_eq!(good(same), good(row), "it was played again");
    }
}

#[test]
fn any_other_change_is_refused_with_its_key_and_both_values() {
    const ROW: &[(&str, &str, &str)] = &[
        ("seed = 7", "seed = 8", "`seed` was 7 and is 8"),
        ("size = 4", "size = 6", "`[params]` was {\"size\":4,\"opening\":2} and is {\"size\":6,\"opening\":2}"),
        ("pairs = 2", "pairs = 1", "`pairs` was 2 and is 1"),
        ("seed = 7", "seed = 7\nformat = \"knockout\"", "`format` was round-robin and is knockout"),
        ("seed = 7", "seed = 7\njobs = 2", "`jobs` was none and is 2"),
        ("seed = 7", "seed = 7\ncores = [\"0\"]", "`cores` was none and is [[0]]"),
        ("seed = 7", "seed = 7\nhints = true", "`hints` was false and is true"),
        ("[params]", "[build]\ntime = \"3s\"\n[params]", "`[build] time` was 600s and is 3s"),
        ("[params]", "[clock]\nmove = \"3s\"\n[params]", "`[clock] move` was 1s and is 3s"),
        (
            "[params]",
            "[grades]\npass_against = \"random\"\npass_pct = 60\n[params]",
            "`[grades]` was none and is 60 % against random",
        ),
    ];
    let mut cup = cup();
    cup.edit("pairs = 1", "pairs = 2");
    cup.played("");
    for (old, new, told) in ROW {
        cup.edit(old, new);
        let run = refused(&cup, "", &[BEGUN, told, &format!("The ways out: {APART}, or put back what was\n")]);
        assert!(!run.stderr.contains("--again"), "{run:#?}");
        cup.edit(new, old);
    }
    // What is no part of the cup is free, and the cup is still the one that it was.
    cup.played("--jobs 1");
    cup.edit("seed = 7", "seed = 8");
    assert_eq!(cup.run("--out elsewhere").code, Some(0), "the way out");
}

#[test]
fn nothing_is_added_where_later_pairings_follow_from_results() {
    for (format, table) in [
        ("knockout", ""),
        ("double-elimination", ""),
        ("swiss", "[swiss]\nrounds = 1\n"),
        ("until-ranked", "[until_ranked]\nmax_matches = 12\nbatch = 1\n"),
    ] {
        let mut cup = cup();
        cup.edit("seed = 7", &format!("seed = 7\nformat = \"{format}\""));
        cup.edit("[params]", &format!("{table}[params]"));
        cup.played("");
        let why = format!(
            "In the format {format} later pairings follow from results, so no bots and no pairs can be added to a cup that \
             has begun. The ways out: {APART}, or put back what was\n"
        );
        cup.edit("pairs = 1", "pairs = 2");
        refused(&cup, "", &["`pairs` was 1 and is 2. ", &why]);
        cup.edit("pairs = 2", "pairs = 1");
        cup.enter("late", "random");
        refused(&cup, "", &["`[[bots]] late` was none and is random. ", &why]);
        assert_eq!(cup.run("--out elsewhere").code, Some(0), "{format}: the way out");
    }
}

#[test]
fn bots_that_came_and_went_in_a_patterns_folder_are_seen() {
    let folder = |arena: &Arena, name: &str| {
        let program = tests::binaries::program("random");
        arena.write(&format!("bots/{name}/bot.toml"), format!("run = [{:?}]\n", program.display().to_string()));
    };
    for (format, may_grow) in [("round-robin", true), ("knockout", false)] {
        let arena = Arena::new([""; 0]);
        for name in ["one", "two", "three"] {
            folder(&arena, name);
        }
        let head =
            format!("name = \"cup\"\ngame = \"othello\"\nformat = \"{format}\"\n[params]\nsize = 4\nopening = 2\n");
        arena.write("cup.toml", head + "[[bots]]\npath = \"bots/*\"\n");
        let run = || arena.also("tournament run cup.toml");
        assert_eq!(run().code, Some(0));
        folder(&arena, "xfour");
        let more = run();
        if may_grow {
            assert_eq!(more.code, Some(0), "{more:#?}");
        } else {
            assert_eq!(more.code, Some(2), "{more:#?}");
            assert!(more.stderr.contains("`[[bots]] xfour` was none and is ./bots/xfour"), "{more:#?}");
            fs::remove_dir_all(arena.path("bots/xfour")).expect("it is there");
        }
        fs::remove_dir_all(arena.path("bots/two")).expect("it is there");
        let less = run();
        assert_eq!(less.code, Some(2), "{less:#?}");
        assert!(less.stderr.contains("`[[bots]] two` was ./bots/two and is none"), "{less:#?}");
        assert!(less.stderr.contains(APART), "{less:#?}");
    }
}

#[test]
fn a_cup_goes_on_where_its_whole_folder_was_moved_to() {
    let cup = cup();
    write_bot(&cup, "mine", "random");
    let cup = cup.bot("mine", "./mine");
    cup.played("");
    let (from, to) = (cup.arena.folder(), cup.arena.path("moved"));
    fs::create_dir(&to).expect("the private folder is writable");
    for name in ["cup.toml", "mine", "results"] {
        fs::rename(from.join(name), to.join(name)).expect("the private folder is writable");
    }
    let run = std::process::Command::new(tests::binaries::arena())
        .args(["tournament", "run", "cup.toml", "--json"])
        .current_dir(&to)
        .output()
        .expect("the arena starts");
    let stdout = String::from_utf8_lossy(&run.stdout);
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    assert!(!stdout.contains("\"started\""), "nothing is played again: {stdout}");
}
