//! How a cup says that its bots are confined: in its file, by a flag, or not at all; and what a cup remembers of it.

use super::support::{can_confine, executable};
use std::fs;
use tests::arena::Arena;

const CUP: &str = "name = \"cup\"\ngame = \"othello\"\nseed = 3\npairs = 12\n[params]\nsize = 4\nopening = 2\n";
const BUNDLED: &str = "[[bots]]\nbot = \"random\"\n[[bots]]\nbot = \"greedy\"\n";

fn stored(arena: &Arena, folder: &str) -> String {
    fs::read_to_string(arena.path(folder).join("cup.toml")).expect("a cup is stored with its results")
}

fn is_done(arena: &Arena, words: &str) {
    let run = arena.also(words);
    assert_eq!(run.code, Some(0), "{words}: {run:#?}");
}

fn is_refused(arena: &Arena, words: &str, says: &[&str]) {
    let run = arena.also(words);
    assert_eq!(run.code, Some(2), "{words}: {run:#?}");
    assert!(says.iter().all(|part| run.stderr.contains(part)), "{words}: {says:?} in {}", run.stderr);
}

#[test]
fn where_the_file_says_nothing_the_flag_decides_and_is_remembered() {
    let arena = Arena::new([""; 0]);
    for more in ["", "[isolation]\nread = [\"/opt\"]\n", "[isolation]\nusers = \"70000-70999\"\n"] {
        arena.write("cup.toml", format!("{CUP}{more}{BUNDLED}"));
        is_done(&arena, "tournament check cup.toml --isolation none");
        is_done(&arena, "tournament run cup.toml --isolation none --out mine");
        let text = stored(&arena, "mine");
        assert!(text.contains("mode = \"none\""), "{text}");
        assert_eq!(text.matches("isolation").count(), 1, "{text}");
        is_done(&arena, "tournament run cup.toml --isolation none --out mine");
        is_refused(&arena, "tournament run cup.toml --out mine", &["`[isolation] mode` was none and is strict"]);
        let others = ["`[isolation] mode` was none and is best-effort", "--out"];
        is_refused(&arena, "tournament run cup.toml --isolation best-effort --out mine", &others);
        // What is stored is the whole cup.
        is_done(&arena, "tournament run mine/cup.toml --out copy");
        is_done(&arena, "verify mine");
        for folder in ["mine", "copy"] {
            fs::remove_dir_all(arena.path(folder)).expect("it is ours");
        }
    }
}

#[test]
fn a_cup_without_a_file_is_stored_with_its_isolation() {
    let arena = Arena::new([""; 0]);
    let words = "tournament run --game othello --bot random --bot greedy --param size=4 --out mine";
    is_done(&arena, &format!("{words} --isolation none"));
    let text = stored(&arena, "mine");
    assert!(text.contains("[isolation]\nmode = \"none\""), "{text}");
    is_done(&arena, &format!("{words} --isolation none"));
    is_refused(&arena, words, &["`[isolation] mode` was none and is strict", "or add --isolation none"]);
}

#[test]
fn a_file_and_a_flag_that_differ_are_both_named() {
    let arena = Arena::new([""; 0]);
    arena.write("cup.toml", format!("{CUP}{BUNDLED}[isolation]\nmode = \"none\"\n"));
    for command in ["run", "check"] {
        let says = ["cup.toml:13", "mode = \"none\"", "--isolation says strict"];
        is_refused(&arena, &format!("tournament {command} cup.toml --isolation strict"), &says);
    }
    is_done(&arena, "tournament run cup.toml --isolation none");
}

/// This bot exits at its twentieth request, which comes only where a process plays several matches.
#[test]
fn a_confined_bot_is_used_again_only_when_the_cup_says_so() {
    if !can_confine() {
        return;
    }
    let arena = Arena::new([""; 0]).within(std::time::Duration::from_secs(180));
    let bots: String = [("mortal", "exit 3 --at 20 --reuse"), ("good", "good --reuse")]
        .map(|(name, word)| format!("[[bots]]\nname = \"{name}\"\nbot = {:?}\n", arena.fixture_command(word)))
        .concat();
    for (more, dies) in [("", false), ("reuse = true\n", true)] {
        arena.write("cup.toml", format!("{more}{CUP}{bots}"));
        let out = format!("out{dies}");
        is_done(&arena, &format!("tournament run cup.toml --jobs 1 --out {out}"));
        let rows = fs::read_to_string(arena.path(&format!("{out}/matches.csv"))).expect("it was played");
        assert_eq!(rows.contains(",crashed,mortal,"), dies, "{rows}");
    }
}

#[test]
fn a_bot_that_comes_with_the_arena_plays_beside_a_confined_one() {
    if !can_confine() {
        return;
    }
    let arena = Arena::new([""; 0]);
    executable(&arena, "bot.sh", super::support::SHELL_BOT);
    arena.write(
        "cup.toml",
        format!("{CUP}[[bots]]\nbot = \"./bot.sh\"\n[[bots]]\nbot = \"random\"\n").replace("12", "1"),
    );
    is_done(&arena, "tournament check cup.toml");
    is_done(&arena, "tournament run cup.toml");
}
