//! What the page's scripts ask for: many at once, what is refused, what is kept.

use crate::{Ground, last_line};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
use tests::processes::wait_until;

#[test]
fn a_class_plays_at_once_and_no_more_than_there_is_room_for() {
    let ground = Ground::new();
    let wish = json!({"game": "othello", "params": {"size": 4}, "bot": "random", "side": "second"});
    let addresses: Vec<String> = (0..40).map(|_| ground.begin(&wish)).collect();
    thread::scope(|scope| {
        for own in addresses.chunks(5) {
            let ground = &ground;
            scope.spawn(move || own.iter().for_each(|address| ground.play_out(address)));
        }
    });
    let files = ground.transcripts();
    assert_eq!(files.len(), 40);
    for file in files {
        let result = last_line(&file);
        assert!(result["type"] == "result" && result["at_fault"].is_null(), "{result}");
    }
    // Matches that are over take no room.
    let full: Vec<String> = (0..48).map(|_| ground.begin(&wish)).collect();
    let refused = ground.page.post("/play", &wish.to_string());
    assert_eq!(refused.status, 429);
    assert!(refused.body.contains("This page is full for you: 48 matches"), "{}", refused.body);
    ground.told(ground.page.post(&format!("{}/resign", full[0]), "{}"));
    assert!(ground.targets(&full[0], &json!([])).is_none(), "it ends");
    ground.begin(&wish);
    // The page stops, and with it all that is played.
    let Ground { page, folder } = ground;
    drop(page);
    let files = fs::read_dir(folder.path().join("results/played/transcripts")).expect("matches are kept");
    let files: Vec<PathBuf> = files.map(|entry| entry.expect("it can be read").path()).collect();
    let ends: Vec<Value> = files.iter().map(|file| last_line(file)).collect();
    assert!(ends.iter().all(|end| end["type"] == "result"), "every match is closed");
    assert_eq!(ends.iter().filter(|end| end["reason"] == "interrupted").count(), 49);
}

#[test]
fn what_cannot_be_played_is_refused_in_words() {
    let ground = Ground::new();
    let cases = [
        (json!({"game": "chess", "bot": "random"}), "There is no game `chess`"),
        (json!({"game": "othello", "bot": "nobody"}), "No bot `nobody` plays Othello here"),
        (json!({"game": "othello", "bot": "random", "params": {"size": 5}}), "`size` is 5"),
        (json!({"game": "othello", "bot": "random", "side": "third"}), "first, second or lot"),
        (json!({"game": "othello", "bot": "random", "seconds": 0}), "1 to 3600"),
        (json!({"game": "othello", "bot": "random", "seed": 1_u64 << 53}), "seeds are below"),
    ];
    for (wish, why) in cases {
        let answer = ground.page.post("/play", &wish.to_string());
        assert_eq!(answer.status, 422, "{wish}");
        assert!(answer.head.to_lowercase().contains("content-type: text/plain"), "{wish}: {answer:?}");
        assert!(answer.body.contains(why), "{wish}: {answer:?}");
    }
    assert_eq!(ground.page.post("/play", "not JSON").status, 422);
    assert_eq!(ground.page.get("/play/0123").status, 404);
    let address = ground.begin(&json!({"game": "othello", "bot": "random"}));
    let turn = ground.targets(&address, &json!([])).expect("the person moves first")["turn"].clone();
    for (mv, why) in [
        (json!({"turn": turn, "typed": "a1"}), "Not played: "),
        (json!({"turn": turn, "path": ["nowhere"]}), "Not played: "),
        (json!({"turn": turn, "path": []}), "not a whole move"),
        (json!({"turn": turn}), "Neither a `path`"),
    ] {
        let answer = ground.page.post(&format!("{address}/move"), &mv.to_string());
        assert!(answer.status == 422 && answer.body.contains(why), "{mv}: {answer:?}");
    }
    let long =
        ground.page.post(&format!("{address}/move"), &json!({"turn": turn, "typed": "a".repeat(9000)}).to_string());
    assert!(long.status == 422 && long.body.contains("9000 letters"), "{long:?}");
    assert!(long.body.len() < 300, "it is not repeated at full length: {long:?}");
    let undo = ground.page.post(&format!("{address}/undo"), "{}");
    assert!(undo.status == 409 && undo.body.contains("no move of yours to take back"), "{undo:?}");
}

#[test]
fn a_cup_of_that_name_is_not_written_into() {
    let ground = Ground::new();
    let folder = ground.folder.path().join("results/played");
    fs::create_dir_all(&folder).expect("the folder is writable");
    fs::write(folder.join("matches.csv"), "").expect("the folder is writable");
    let refused = ground.page.post("/play", &json!({"game": "othello", "bot": "random"}).to_string());
    assert_eq!(refused.status, 503);
    assert!(refused.body.contains("is a cup's folder"), "{}", refused.body);
    assert!(!folder.join("transcripts").exists());
}

#[test]
fn nobody_is_led_out_of_the_folder_nor_told_where_it_is() {
    let ground = Ground::new();
    let [results, elsewhere] = ["results", "elsewhere"].map(|name| ground.folder.path().join(name));
    fs::create_dir_all(&results).expect("the folder is writable");
    fs::create_dir_all(&elsewhere).expect("the folder is writable");
    symlink(&elsewhere, results.join("played")).expect("the folder is writable");
    let refused = ground.page.post("/play", &json!({"game": "othello", "bot": "random"}).to_string());
    assert!(refused.status == 503 && refused.body.contains("leads out of"), "{refused:?}");
    assert_eq!(fs::read_dir(&elsewhere).expect("it is there").count(), 0);

    fs::remove_file(results.join("played")).expect("the folder is writable");
    ground.begin(&json!({"game": "othello", "bot": "random"}));
    fs::write(results.join("played/transcripts/junk.jsonl"), "{}\n").expect("the folder is writable");
    let told = ground.page.get("/cup/played/match/junk/live");
    assert!(told.body.contains("event: trouble") && told.body.contains("junk.jsonl:1: "), "{told:?}");
    assert!(!told.body.contains("transcripts/"), "{told:?}");
}

#[test]
fn many_questions_at_once_are_answered_a_few_at_a_time() {
    let ground = Ground::new();
    let address = ground.begin(&json!({"game": "offset", "bot": "random", "params": {"size": 32}}));
    ground.targets(&address, &json!([])).expect("the person moves first");
    let ask = || ground.page.get(&format!("{address}/targets?path=%5B%5D")).status;
    thread::scope(|scope| {
        let all: Vec<_> = (0..30).map(|_| scope.spawn(ask)).collect();
        let choosing = || {
            let busy = fs::read_dir(format!("/proc/{}/task", ground.page.pid())).expect("it runs");
            let names = busy.flatten().filter_map(|task| fs::read_to_string(task.path().join("comm")).ok());
            names.filter(|name| name.trim() == "choices").count()
        };
        let mut most = 0;
        wait_until(Duration::from_secs(60), || {
            most = most.max(choosing());
            all.iter().all(|one| one.is_finished())
        });
        assert!((1..=4).contains(&most), "{most} at once");
        assert!(all.into_iter().all(|status| status.join().expect("it is answered") == 200));
    });
}

#[test]
fn a_match_of_people_is_suggested_that_is_not_too_long() {
    let ground = Ground::new();
    let form = ground.page.get("/play").body;
    let field = |id: &str| {
        let from = &form[form.find(&format!("id=\"{id}\"")).expect("there is such a field")..];
        from[..from.find('>').expect("it ends")].to_string()
    };
    assert!(field("flip-n").contains("value=\"2\""), "{}", field("flip-n"));
    assert!(!field("othello-size").contains(" value="), "{}", field("othello-size"));
}

#[test]
fn matches_are_played_with_the_priority_that_the_arena_has() {
    let ground = Ground::new();
    let address = ground.begin(&json!({"game": "othello", "bot": "random"}));
    ground.targets(&address, &json!([])).expect("it is being played");
    let pid = ground.page.pid();
    let own = nice(Path::new("/proc/self/stat"));
    let threads =
        fs::read_dir(format!("/proc/{pid}/task")).expect("it runs").map(|task| task.expect("it can be read").path());
    let mut named: Vec<(String, i64)> = threads
        .filter_map(|task| {
            Some((fs::read_to_string(task.join("comm")).ok()?.trim().to_string(), nice(&task.join("stat"))))
        })
        .filter(|(name, _)| ["page", "visitor"].contains(&name.as_str()))
        .collect();
    named.sort();
    // A page's thread that has read a file may still be there beside the one that serves.
    named.dedup();
    assert_eq!(named, [("page".to_string(), (own + 10).min(19)), ("visitor".to_string(), own)]);
    let processes =
        fs::read_dir("/proc").expect("there are processes").flatten().map(|entry| entry.path().join("stat"));
    let of_bots: Vec<i64> = processes.filter(|stat| parent(stat) == Some(pid)).map(|stat| nice(&stat)).collect();
    assert!(!of_bots.is_empty() && of_bots.iter().all(|nice| *nice == own), "{of_bots:?}");
}

/// The fields of a process after its name, which may hold anything.
fn fields(stat: &Path) -> Option<Vec<String>> {
    let text = fs::read_to_string(stat).ok()?;
    Some(text[text.rfind(')')? + 2..].split(' ').map(str::to_string).collect())
}

fn nice(stat: &Path) -> i64 {
    fields(stat).and_then(|fields| fields[16].parse().ok()).expect("a process has a priority")
}

fn parent(stat: &Path) -> Option<u32> {
    fields(stat)?[1].parse().ok()
}

#[test]
fn a_person_is_asked_in_the_words_of_the_game() {
    let ground = Ground::new();
    for (game, first, then) in [
        ("othello", "Choose a square.", None),
        ("offset", "Choose a pile to move.", Some("Choose the pile that it goes onto.")),
        ("notipping", "Choose a block.", Some("Choose its place on the board.")),
        ("flip", "Choose one of your circles.", None),
    ] {
        let address = ground.begin(&json!({"game": game, "bot": "random"}));
        let asked = |path: Value| ground.targets(&address, &path).expect("the match goes on");
        let told = asked(json!([]));
        assert_eq!(told["ask"], first, "{game}");
        if let Some(then) = then {
            assert_eq!(asked(json!([told["targets"][0]["key"]]))["ask"], then, "{game}");
        }
    }
}
