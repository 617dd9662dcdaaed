//! What a long record costs: a cup with a million rows is gone on with, and its table is asked for.
//!
//! `cargo bench -p arena --bench resume [-- MATCHES]`. The folder is made up but for its last matches, which are played: rows,
//! what they are observations of, and for each a name among the transcripts (links to one real transcript; going on asks
//! whether they are there, not what they say). Told are the time and the peak memory of `arena tournament run` and
//! `standings`, as a user runs them. With TMPDIR on a memory file system, the disk is left out.

mod support;

use arena::game::Params;
use arena::record::rows::{RowReader, RowWriter};
use arena::tournament::Field;
use arena::tournament::Next;
use arena::tournament::formats::{self, Plan};
use arena::tournament::ledger::MATCHES;
use arena::tournament::observations::ObservationWriter;
use std::fs;
use std::path::Path;
use support::{Cost, cup_of_empty_moves, memory_aim_kib, plays_another_part, run_arena};

/// Files may have 65,000 names on ext4.
const NAMES_A_FILE: usize = 60_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if plays_another_part(&arguments) {
        return;
    }
    // `cargo test --all-targets` runs this without `--bench`: a short look is enough then.
    let long = arguments.iter().any(|word| word == "--bench");
    let matches: u32 =
        arguments.iter().find_map(|word| word.parse().ok()).unwrap_or(if long { 1_000_000 } else { 100 });
    let place = tempfile::tempdir().expect("there is room for temporary files");
    let (cup, folder) = (place.path().join("cup.toml"), place.path().join("results"));
    let play = |pairs: u32| {
        fs::write(&cup, cup_of_empty_moves(&format!("pairs = {pairs}\nseed = 1"))).expect("a cup file can be written");
        let words = ["tournament", "run", &cup.display().to_string(), "--jobs", "1", "--out"].map(String::from);
        run_arena(&[&words[..], &[folder.display().to_string()]].concat())
    };
    play(1);
    make_up(&folder, matches / 2 - 1);
    tell("run, to play two more", matches, &play(matches / 2));
    tell("run, with nothing left", matches, &play(matches / 2));
    let standings = run_arena(&["tournament".to_string(), "standings".to_string(), folder.display().to_string()]);
    tell("standings", matches, &standings);
}

fn tell(what: &str, matches: u32, cost: &Cost) {
    println!(
        "{matches} matches on record, {what:22} {:6.2} s, peak {:6} KiB (aim: {:.0})",
        cost.time.as_secs_f64(),
        cost.peak_kib,
        memory_aim_kib(matches)
    );
}

/// Puts so many pairs on record in a folder where one was played.
fn make_up(folder: &Path, pairs: u32) {
    let path = folder.join(MATCHES);
    let real =
        RowReader::open(&path).expect("one pair is on record").next().expect("it has rows").expect("they are whole");
    let transcripts = folder.join("transcripts");
    let mut model = transcripts.join(format!("{}.jsonl", real.id));
    let (mut rows, _) = RowWriter::open(&path).expect("rows can be added");
    let observations = ObservationWriter::open(folder).expect("observations can be noted");
    let params: Params = serde_json::from_str(&real.params).expect("parameters are JSON");
    let field = Field { names: vec!["a".to_string(), "b".to_string()], sets: vec![params], pairs, seed: 1 };
    let mut format = formats::build(&Plan::RoundRobin, &field).expect("two bots make a cup");
    let mut count = 0;
    while let Next::Play(pairing) = format.next() {
        count += 1;
        if count <= 2 {
            continue;
        }
        let bots = pairing.seats.map(|seat| field.names[seat].clone());
        let file = format!("transcripts/{}.jsonl", pairing.id);
        let link = folder.join(&file);
        if count % NAMES_A_FILE == 0 {
            fs::copy(&model, &link).expect("a transcript can be copied");
            model = link;
        } else {
            fs::hard_link(&model, &link).expect("a transcript can be linked");
        }
        let (id, seed) = (pairing.id.clone(), pairing.seed);
        rows.append(&arena::record::Row { id, seed, bots, transcript: file, ..real.clone() })
            .expect("a row can be written");
        // Any number that is not there twice.
        let observation = u64::from(count as u32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        observations.note(count - 1, &pairing.id, observation).expect("it can be noted");
    }
}
