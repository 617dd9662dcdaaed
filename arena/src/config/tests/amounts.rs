//! Durations, sizes, names and suggestions.

use super::says;
use crate::config::names::name_from;
use crate::config::{BotKind, BotSpec, check_name, distinct_names, parse_duration, parse_size, suggest};
use std::time::Duration;

#[test]
fn durations_are_a_number_and_a_unit() {
    for (text, microseconds) in [
        ("500ms", 500_000),
        ("1s", 1_000_000),
        ("2m", 120_000_000),
        ("0s", 0),
        ("1h", 3_600_000_000),
        ("1m30s", 90_000_000),
        ("0.5s", 500_000),
        ("1.25ms", 1_250),
        ("250us", 250),
        (" 10 s ", 10_000_000),
        ("365d", 31_536_000_000_000),
    ] {
        assert_eq!(parse_duration(text), Ok(Duration::from_micros(microseconds)), "{text}");
    }
}

#[test]
fn a_duration_that_is_none_says_how_to_write_one() {
    for (text, part) in [
        ("", "no number"),
        ("10", "`10` has no unit"),
        ("-1s", "no number"),
        ("ms", "no number"),
        ("1.s", "no number"),
        (".5s", "no number"),
        ("1.2.3s", "no number"),
        ("5sec", "`sec` is no unit"),
        ("5S", "did you mean `5s`?"),
        ("5mss", "did you mean `5ms`?"),
        ("1s,2s", "`s,` is no unit"),
        ("99999999999999999999999s", "too many digits"),
        ("0.0000000001s", "more decimals"),
        ("1s\n\u{1f600}", "is no unit"),
    ] {
        let message = parse_duration(text).expect_err(text).to_string();
        says(&message, &["is not a duration", "`500ms`, `1s` or `2m`", part]);
    }
    for text in ["366d", "18446744073709551616s", "99999999999999999999d99999999999999999999d"] {
        says(&parse_duration(text).expect_err(text).to_string(), &["longer than 365 days"]);
    }
}

#[test]
fn sizes_are_a_number_and_a_unit() {
    for (text, bytes) in [
        ("512MiB", 512 << 20),
        ("64KiB", 65_536),
        ("2GiB", 2 << 30),
        ("1.5GiB", 3 << 29),
        ("1TiB", 1 << 40),
        ("0B", 0),
        ("10MB", 10_000_000),
        ("1 kB", 1000),
    ] {
        assert_eq!(parse_size(text), Ok(bytes), "{text}");
    }
    for (text, part) in [
        ("512", "has no unit"),
        ("512M", "did you mean `512MiB`?"),
        ("512mib", "did you mean `512MiB`?"),
        ("2g", "did you mean `2GiB`?"),
        ("lots", "no number"),
        ("0.5B", "more decimals"),
        ("1GiB1MiB", "`GiB1MiB` is no unit"),
    ] {
        says(&parse_size(text).expect_err(text).to_string(), &["is not a size", "`512MiB`", part]);
    }
    says(&parse_size("99999999999TiB").expect_err("too large").to_string(), &["more than 2^60 bytes"]);
}

#[test]
fn the_rule_for_names() {
    let longest = "a".repeat(40);
    for name in ["a", "7", "mine", "Bot_v1.2-rc", "drawn", "humans", longest.as_str()] {
        assert_eq!(check_name(name), Ok(()), "{name}");
    }
    let longer = "a".repeat(41);
    for name in
        ["", ".bot", "-bot", "_bot", "my bot", "a,b", "a\nb", "é", "🎉", "a=b", "a/b", "draw", "Human", longer.as_str()]
    {
        says(
            &check_name(name).expect_err(name).to_string(),
            &["cannot be a bot's name", "1 to 40 of A-Z a-z 0-9 . _ -"],
        );
    }
}

#[test]
fn names_that_are_made_keep_the_rule() {
    for (text, name) in [
        ("mine", "mine"),
        ("my bot", "my-bot"),
        (".hidden", "hidden"),
        ("a \t\"b\"", "a-b"),
        ("🎉", "bot"),
        ("", "bot"),
        ("draw", "bot-draw"),
        ("Human", "bot-Human"),
    ] {
        assert_eq!(name_from(text), name, "{text}");
    }
    assert_eq!(name_from(&"x".repeat(50)), "x".repeat(40));
}

#[test]
fn two_of_a_name_are_told_apart_whatever_the_case() {
    let distinct = |names: &[&str]| {
        let named = |name: &&str| BotSpec {
            name: (*name).to_string(),
            name_given: false,
            kind: BotKind::Human,
            authors: Vec::new(),
            games: None,
            notes: Vec::new(),
        };
        let mut bots: Vec<BotSpec> = names.iter().map(named).collect();
        distinct_names(&mut bots);
        bots.into_iter().map(|bot| bot.name).collect::<Vec<_>>()
    };
    assert_eq!(distinct(&["a", "b"]), ["a", "b"]);
    assert_eq!(distinct(&["paper", "Paper", "PAPER"]), ["paper", "Paper-2", "PAPER-3"]);
    assert_eq!(distinct(&["a", "a", "a-2", "A-2"]), ["a", "a-3", "a-2", "A-2-2"]);
    let long = "y".repeat(40);
    assert_eq!(distinct(&[&long, &long])[1], format!("{}-2", "y".repeat(38)));
    assert_eq!(distinct(&["human", "human"]), ["human", "human-2"]);
}

#[test]
fn slips_of_a_letter_or_two_are_recognised() {
    let keys = ["name", "run", "build", "games", "authors", "env"];
    for (word, meant) in [
        ("bulid", Some("build")),
        ("Build", Some("build")),
        ("game", Some("games")),
        ("author", Some("authors")),
        ("nmae", Some("name")),
        ("command", None),
        ("x", None),
        ("", None),
    ] {
        assert_eq!(suggest(word, keys).as_deref(), meant, "{word}");
    }
}
