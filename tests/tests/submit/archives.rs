//! Archives that mean harm: refused whole, in words, with nothing left anywhere.

use crate::support::{Packed, ground, names, script, submit, tar_gz, zip};
use tar::EntryType;
use tests::arena::Arena;

const TOML: &str = "run = [\"./bot.sh\"]\ngames = [\"othello\"]\n";

fn with(odd: Packed) -> Vec<Packed> {
    vec![Packed::File("bot/bot.toml", TOML.into()), Packed::File("bot/bot.sh", script().into_bytes()), odd]
}

/// It is refused by a text that says this; nothing is filed, and nothing is beside the archive.
fn refused(arena: &Arena, file: &str, says: &str) {
    let before = names(arena.folder());
    let run = submit(arena, &format!("--bot {file}"));
    assert_eq!(run.code, Some(1), "{file}: {run:#?}");
    assert!(run.stdout.starts_with(&format!("NOT FILED: {file}: ")) && run.stdout.contains(says), "{says}: {run:#?}");
    assert!(run.stdout.lines().count() == 1 && !run.stderr.contains("panicked"), "{run:#?}");
    assert_eq!(names(&arena.path("filed")), Vec::<String>::new(), "{file}");
    assert_eq!(names(arena.folder()), before, "{file}");
}

#[test]
fn paths_that_lead_out_links_and_devices_are_refused() {
    let arena = ground();
    let file = |name| Packed::File(name, b"harm".to_vec());
    let both = [
        ("../escaped", "leads out of the archive"),
        ("bot/../../escaped", "leads out of the archive"),
        ("/tmp/arena-test-escaped", "leads out of the archive"),
        ("bot/bot.sh/under", "cannot be written"),
        ("bot\\..\\escaped", "backslash"),
    ];
    for (name, says) in both {
        zip(arena.path("bad.zip"), &with(file(name)));
        refused(&arena, "bad.zip", says);
        tar_gz(arena.path("bad.tar.gz"), &with(file(name)));
        refused(&arena, "bad.tar.gz", says);
    }
    assert!(!std::path::Path::new("/tmp/arena-test-escaped").exists());
    zip(arena.path("bad.zip"), &with(Packed::Link("bot/passwords", "/etc/passwd")));
    refused(&arena, "bad.zip", "no plain file and no folder");
    tar_gz(arena.path("bad.tar.gz"), &with(Packed::Link("bot/passwords", "/etc/passwd")));
    refused(&arena, "bad.tar.gz", "no plain file and no folder");
    for kind in [EntryType::Link, EntryType::Char, EntryType::Block, EntryType::Fifo, EntryType::GNUSparse] {
        tar_gz(arena.path("bad.tar.gz"), &with(Packed::Odd("bot/odd", kind)));
        // One that says it has holes in it has to say where, or is no archive.
        let says = if kind == EntryType::GNUSparse { "cannot be unpacked" } else { "no plain file and no folder" };
        refused(&arena, "bad.tar.gz", says);
    }
    tar_gz(arena.path("bad.tar.gz"), &with(Packed::File("bot/bot.sh", b"another".to_vec())));
    refused(&arena, "bad.tar.gz", "is in it twice");
}

#[test]
fn what_unpacks_to_too_much_is_refused_by_what_it_is_and_not_by_what_it_says() {
    let arena = ground();
    let zeros = || Packed::File("bot/zeros", vec![0; 257 << 20]);
    zip(arena.path("bomb.zip"), &with(zeros()));
    assert!(arena.path("bomb.zip").metadata().unwrap().len() < 1 << 20, "it is small while it is packed");
    refused(&arena, "bomb.zip", "unpacks to more than 256 MiB");
    tar_gz(arena.path("bomb.tgz"), &with(zeros()));
    refused(&arena, "bomb.tgz", "unpacks to more than 256 MiB");
    // A name that never ends is read by nobody either.
    tar_gz(arena.path("name.tgz"), &[Packed::Long(300 << 20)]);
    refused(&arena, "name.tgz", "unpacks to more than 256 MiB");
    // What unpacks may still be too much to be filed.
    zip(arena.path("large.zip"), &with(Packed::File("bot/book", vec![1; 65 << 20])));
    refused(&arena, "large.zip", "more than 64 MiB, which is the most for a submission");
}

#[test]
fn too_many_files_are_refused() {
    let arena = ground();
    let many = |count: usize| -> Vec<Packed> {
        (0..count).map(|number| Packed::File(Box::leak(format!("bot/{number}").into_boxed_str()), Vec::new())).collect()
    };
    let bot = || with(Packed::File("bot/readme", Vec::new()));
    tar_gz(arena.path("many.tgz"), &bot().into_iter().chain(many(20_000)).collect::<Vec<_>>());
    refused(&arena, "many.tgz", "more than 20000 files and folders");
    zip(arena.path("many.zip"), &bot().into_iter().chain(many(20_000)).collect::<Vec<_>>());
    refused(&arena, "many.zip", "more than 20000 files and folders");
    tar_gz(arena.path("some.tgz"), &bot().into_iter().chain(many(5_000)).collect::<Vec<_>>());
    refused(&arena, "some.tgz", "and a submission may have 5000");
}

#[test]
fn what_is_no_archive_or_no_whole_one_is_refused() {
    let arena = ground();
    for (file, says) in [
        ("no.zip", "no whole zip archive"),
        ("no.tar.gz", "no whole tar.gz archive"),
        ("no.tgz", "no whole tar.gz archive"),
    ] {
        arena.write(file, "this is no archive");
        refused(&arena, file, says);
    }
    zip(arena.path("half.zip"), &with(Packed::File("bot/readme", vec![7; 1000])));
    let whole = std::fs::read(arena.path("half.zip")).unwrap();
    arena.write("half.zip", &whole[..whole.len() / 2]);
    refused(&arena, "half.zip", "no whole zip archive");
    tar_gz(arena.path("half.tgz"), &with(Packed::File("bot/readme", vec![7; 1000])));
    let whole = std::fs::read(arena.path("half.tgz")).unwrap();
    arena.write("half.tgz", &whole[..whole.len() / 2]);
    refused(&arena, "half.tgz", "cannot be unpacked");
    tar_gz(arena.path("other.tgz"), &[Packed::File("readme", b"no bot".to_vec())]);
    refused(&arena, "other.tgz", "it has no bot.toml at its top");
}
