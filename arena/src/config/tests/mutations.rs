//! Thousands of damaged texts: each is read or refused in words, and nothing panics.

use super::Ground;
use crate::config::{BotKind, check_name, check_startable, parse_duration, parse_size};
use crate::seed::Stream;

const MANIFEST: &str = "name = \"mine\"\nrun = [\"sh\", \"bot.sh\"]\nbuild = [\"make\"]\ngames = [\"a\"]\n\
                        authors = [\"id1\"]\nenv = { KEY = \"value\" }\n";
const PIECES: [&str; 24] = [
    "=", "'", "\"", "\\", "$", "|", "\0", "\r\n", "\u{feff}", "🎉", "[", "]", "{", "}", "#", " ", "\t", "/", "..", "~",
    "-", "\u{202e}", "9", "bot.toml",
];

/// The text with one to four pieces cut, doubled or put in.
pub(super) fn damage(text: &str, stream: &mut Stream) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=stream.below(4) {
        let at = stream.below(letters.len() as u64 + 1) as usize;
        let end = (at + stream.below(6) as usize).min(letters.len());
        match stream.below(3) {
            0 => drop(letters.drain(at..end)),
            1 => letters.splice(at..at, letters[at..end].to_vec()).for_each(drop),
            _ => letters.splice(at..at, stream.pick(&PIECES).chars()).for_each(drop),
        }
    }
    letters.into_iter().collect()
}

#[track_caller]
pub(super) fn whole_sentence(message: &str, input: &str) {
    assert!(message.len() > 20, "{input:?} gives only {message:?}");
    assert!(!message.contains(char::is_control), "{input:?} gives {message:?}");
}

#[test]
fn damaged_manifests() {
    let ground = Ground::new();
    let mut stream = Stream::new(1, "damaged manifests");
    let (mut read, mut refused) = (0, 0);
    for _ in 0..4000 {
        let content = damage(MANIFEST, &mut stream);
        ground.file("mine/bot.toml", &content);
        match ground.read("mine") {
            Ok(spec) => {
                read += 1;
                assert_eq!(check_name(&spec.name), Ok(()));
            }
            Err(error) => {
                refused += 1;
                let message = error.to_string();
                assert!(message.starts_with("mine/bot.toml:"), "{content:?} gives {message:?}");
                whole_sentence(&message, &content);
            }
        }
    }
    assert!(
        read > 100 && refused > 1000,
        "the damage is neither nothing nor everything: {read} read, {refused} refused"
    );
}

#[test]
fn damaged_bots() {
    let ground = Ground::new();
    ground.program("bots/my bot", "#!/bin/sh\n");
    ground.file("mine/bot.toml", MANIFEST);
    let forms = ["mine", "mine/bot.toml", "a=./bots/my bot", "human", "paper --rules a,b", "sh -u 'bot.sh' --depth 3"];
    let mut stream = Stream::new(2, "damaged bots");
    for round in 0..6000 {
        let bot = damage(forms[round % forms.len()], &mut stream);
        match ground.read(&bot) {
            Ok(spec) => {
                assert!(
                    spec.kind == BotKind::Human || check_name(&spec.name).is_ok(),
                    "{bot:?} is called {:?}",
                    spec.name
                );
                if let BotKind::Program(launch) = &spec.kind
                    && let Err(error) = check_startable(launch)
                {
                    whole_sentence(&error.to_string(), &bot);
                }
            }
            Err(error) => whole_sentence(&error.to_string(), &bot),
        }
    }
}

#[test]
fn damaged_programs() {
    let ground = Ground::new();
    let whole = std::fs::read(std::fs::canonicalize("/bin/sh").expect("there is a shell")).expect("it can be read");
    let mut stream = Stream::new(3, "damaged programs");
    for _ in 0..1000 {
        let mut program = whole[..stream.below(1200) as usize].to_vec();
        for _ in 0..stream.below(8) {
            let at = stream.below(program.len() as u64 + 1) as usize;
            program.splice(at..(at + 1).min(program.len()), [stream.word() as u8]).for_each(drop);
        }
        ground.program("bot", &program);
        if let Err(error) = check_startable(&ground.launch("bot")) {
            whole_sentence(&error.to_string(), "a damaged program");
        }
    }
}

#[test]
fn damaged_amounts() {
    let mut stream = Stream::new(4, "damaged amounts");
    for round in 0..4000 {
        let text = damage(["500ms", "1m30s", "0.25s", "512MiB"][round % 4], &mut stream);
        for error in [parse_duration(&text).err(), parse_size(&text).err()].into_iter().flatten() {
            whole_sentence(&error.to_string(), &text);
        }
    }
}
