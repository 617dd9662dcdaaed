//! Play against a bot on the page, in a real browser: by mouse and by keyboard, to the result.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use tempfile::TempDir;
use tests::browser::{self, Browser};
use tests::page::Serving;
use tests::skip;

/// A page on which `random` can be played, and the folder that it is served from.
struct Ground {
    page: Serving,
    folder: TempDir,
}

impl Ground {
    fn new() -> Ground {
        let folder = TempDir::with_prefix("arena-play-").expect("a folder for temporary files");
        let page = Serving::start("serve --listen 127.0.0.1:0 --results results --bot random", folder.path());
        Ground { page, folder }
    }

    /// Begins a match; the address of its page, without the first slash.
    fn begin(&self, wish: &Value) -> String {
        let told = self.told(self.page.post("/play", &wish.to_string()));
        told["address"].as_str().expect("a match has an address").to_string()
    }

    fn told(&self, answer: tests::page::Answer) -> Value {
        assert_eq!(answer.status, 200, "{answer:?}");
        serde_json::from_str(&answer.body).expect("it is JSON")
    }

    /// What can be chosen, once it is the person's turn; `None` when the match is over.
    fn targets(&self, address: &str, path: &Value) -> Option<Value> {
        let query: String = path.to_string().bytes().map(|byte| format!("%{byte:02x}")).collect();
        for _ in 0..2000 {
            let told = self.told(self.page.get(&format!("{address}/targets?path={query}")));
            if told["turn"] != Value::Null {
                return Some(told);
            }
            if self.told(self.page.get(&format!("{address}/state")))["over"] == json!(true) {
                return None;
            }
            thread::yield_now();
        }
        panic!("{address}: neither a turn nor an end comes");
    }

    /// Plays a match of single clicks to its end, over plain requests.
    fn play_out(&self, address: &str) {
        while let Some(told) = self.targets(address, &json!([])) {
            let mv = json!({"turn": told["turn"], "path": [told["targets"][0]["key"]]});
            self.told(self.page.post(&format!("{address}/move"), &mv.to_string()));
        }
    }

    fn transcripts(&self) -> Vec<PathBuf> {
        let folder = self.folder.path().join("results/played/transcripts");
        let files = fs::read_dir(folder).expect("matches are kept").map(|entry| entry.expect("it can be read").path());
        files.collect()
    }

    fn visit(&self, browser: &mut Browser, address: &str) {
        browser.visit(&format!("{}{address}", self.page.url.trim_end_matches('/')));
        browser.value("document.getElementById('speed').value = '25'");
    }
}

fn last_line(file: &Path) -> Value {
    let text = fs::read_to_string(file).expect("the transcript is there");
    serde_json::from_str(text.lines().last().expect("it has lines")).expect("it is JSON")
}

/// Whether something is to be done: a choice, a pass to be confirmed, a warning; or nothing more.
const WAITS: &str = "(() => { const seen = (id) => !document.getElementById(id).hidden; \
     const choice = document.querySelector('#choices .choice, #choices .allowed, #hand button'); \
     if (seen('passed')) return 'pass'; \
     if (!seen('to-live') && document.getElementById('slider').value === document.getElementById('slider').max \
         && document.getElementById('headline').textContent.includes('human')) return 'over'; \
     if (choice !== null) return choice.classList.contains('allowed') ? 'ring' : choice.closest('#hand') ? 'hand' : 'place'; \
     return null; })()";

/// What the page shows of a choice, to see that it has changed.
const STATE: &str = "[document.documentElement.dataset.step, document.getElementById('choices').innerHTML, \
     document.getElementById('hand').innerHTML, document.getElementById('passed').hidden].join('|')";

/// Waits for what is to be done next, once the state differs from this one.
fn wait(browser: &mut Browser, before: &str) -> String {
    browser.until(&format!("{WAITS} !== null && {STATE} !== {}", json!(before)));
    browser.value(WAITS).as_str().expect("something waits").to_string()
}

fn state(browser: &mut Browser) -> String {
    browser.value(STATE).as_str().expect("a text").to_string()
}

/// Plays by clicks until the match is over: always the first choice. How often it was passed.
fn play_by_clicks(browser: &mut Browser) -> u32 {
    let (mut before, mut passes) = (String::new(), 0);
    for _ in 0..300 {
        let waits = wait(browser, &before);
        before = state(browser);
        match waits.as_str() {
            "over" => return passes,
            "pass" => {
                passes += 1;
                browser.click("#pass-ok");
            }
            "ring" => {
                let at = browser.value(
                    "(() => { const arc = document.querySelector('#choices .allowed'); \
                     const { x, y } = arc.getPointAtLength(arc.getTotalLength() / 2).matrixTransform(arc.getScreenCTM()); \
                     return [x, y]; })()",
                );
                browser.click_at(&at);
            }
            "hand" => {
                browser.value("document.querySelector('#hand button').scrollIntoView({ block: 'center' })");
                browser.click("#hand button");
            }
            _ => {
                browser.value("document.querySelector('#choices .choice').scrollIntoView({ block: 'center' })");
                browser.click("#choices .choice");
            }
        }
    }
    panic!("the match does not end");
}

fn assert_clean(browser: &Browser, ground: &Ground) {
    assert_eq!(browser.complaints(), [] as [&str; 0]);
    let elsewhere: Vec<_> = browser
        .requests()
        .iter()
        .filter(|url| !url.starts_with(&ground.page.url) && *url != "about:blank" && !url.starts_with("data:"))
        .collect();
    assert_eq!(elsewhere, [] as [&str; 0]);
}

#[test]
fn a_match_of_each_game_is_played_by_clicks() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let ground = Ground::new();
    let mut browser = Browser::start();
    let games = [
        ("othello", vec![("size", "4")]),
        ("offset", vec![("size", "5"), ("d", "5")]),
        ("notipping", vec![("k", "2")]),
        ("flip", vec![("n", "2"), ("rounds", "2")]),
    ];
    for (number, (game, params)) in games.into_iter().enumerate() {
        let [width, height] = if number % 2 == 0 { [360, 740] } else { [1280, 900] };
        browser.look(width, height, "light");
        browser.visit(&format!("{}play", ground.page.url));
        browser.click(&format!("[value={game}]"));
        browser.value("document.querySelector('details').open = true");
        for (name, value) in params {
            browser.value(&format!("document.getElementById('{game}-{name}').value = '{value}'"));
        }
        browser.value("document.getElementById('seed').value = '7'");
        browser.value("document.getElementById('start').scrollIntoView()");
        browser.click("#start");
        browser.until_there("location.pathname !== '/play' && document.readyState === 'complete'");
        browser.value("document.getElementById('speed').value = '25'");
        play_by_clicks(&mut browser);
        let headline = browser.text("#headline");
        assert!(headline.contains("human") && headline.contains("random"), "{game}: {headline}");
        assert_eq!(browser.value("document.documentElement.scrollWidth <= innerWidth"), json!(true), "{game}");
        assert_eq!(ground.transcripts().len(), number + 1, "{game}: the transcript is kept");
    }
    for file in ground.transcripts() {
        let result = last_line(&file);
        assert_eq!(result["type"], "result", "{}", file.display());
        assert!(result["at_fault"].is_null(), "{}: {result}", file.display());
    }
    assert_clean(&browser, &ground);
}

#[test]
fn a_match_is_played_by_keyboard_alone() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let ground = Ground::new();
    let mut browser = Browser::start();
    browser.look(1280, 900, "dark");
    let address = ground.begin(&json!({"game": "othello", "params": {"size": 4}, "bot": "random", "seed": 7}));
    ground.visit(&mut browser, &address);
    let mut before = String::new();
    wait(&mut browser, &before);
    for _ in 0..40 {
        if browser.value("document.activeElement.matches('#choices .choice')") == json!(true) {
            break;
        }
        browser.press("Tab");
    }
    let first = browser.value("document.activeElement.getAttribute('aria-label')");
    browser.press("ArrowDown");
    let second = browser.value("document.activeElement.getAttribute('aria-label')");
    assert!(first.is_string() && second.is_string() && first != second, "an arrow leads from {first} to {second}");
    for _ in 0..40 {
        let waits = wait(&mut browser, &before);
        if waits == "over" {
            assert_clean(&browser, &ground);
            return;
        }
        before = state(&mut browser);
        let focused = if waits == "pass" { "#pass-ok" } else { "#choices .choice" };
        assert_eq!(browser.value(&format!("document.activeElement.matches('{focused}')")), json!(true), "{waits}");
        browser.press(if waits == "pass" { " " } else { "Enter" });
    }
    panic!("the match does not end");
}

#[test]
fn a_pass_is_announced_and_confirmed() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let ground = Ground::new();
    let mut browser = Browser::start();
    // Whoever always takes the first move has to pass somewhere among these matches.
    for seed in 0..30 {
        let address = ground
            .begin(&json!({"game": "othello", "params": {"size": 4, "opening": 4}, "bot": "random", "seed": seed}));
        ground.visit(&mut browser, &address);
        if play_by_clicks(&mut browser) > 0 {
            let list = browser.text("#list");
            assert!(list.contains("passes"), "{list}");
            return assert_clean(&browser, &ground);
        }
    }
    panic!("nobody had to pass");
}

#[test]
fn a_move_is_taken_back_in_all_windows_and_sides_are_changed() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let ground = Ground::new();
    let (mut one, mut other) = (Browser::start(), Browser::start());
    let address = ground.begin(&json!({"game": "othello", "params": {"size": 6}, "bot": "random", "seed": 5}));
    ground.visit(&mut one, &address);
    ground.visit(&mut other, &address);
    wait(&mut one, "");
    wait(&mut other, "");
    let first = one.value("document.querySelectorAll('#choices .choice')[1].getAttribute('aria-label')");
    one.click("#choices .choice:nth-of-type(2)");
    one.until("document.querySelectorAll('#list li').length >= 3");
    other.until("document.querySelectorAll('#list li').length >= 3");
    // Only one move counts in a turn, and whoever comes second is told so.
    let told = ground.targets(&address, &json!([])).expect("it is the person's turn again");
    let late = json!({"turn": 0, "path": [told["targets"][0]["key"]]});
    let answer = ground.page.post(&format!("{address}/move"), &late.to_string());
    assert_eq!(answer.status, 409);
    assert!(answer.body.contains("perhaps in another window"), "{}", answer.body);
    one.until("document.querySelector('#turn.mine') !== null");
    one.value("document.getElementById('undo').scrollIntoView({ block: 'center' })");
    one.click("#undo");
    let moved = format!("location.pathname !== '{address}' && document.querySelector('#turn.mine') !== null");
    one.until_there(&moved);
    other.until_there(&moved);
    let undone = one.value("location.pathname");
    assert_eq!(other.value("location.pathname"), undone);
    let again = one.value("document.querySelectorAll('#choices .choice')[1].getAttribute('aria-label')");
    assert_eq!((first, one.value("document.querySelectorAll('#list li').length")), (again, json!(1)));
    // Whoever has the old address comes to the new one.
    assert!(ground.page.get(&address).head.to_lowercase().contains(&format!("location: {}", undone.as_str().unwrap())));
    ground.play_out(undone.as_str().expect("an address"));
    one.until("document.getElementById('swap').hidden === false");
    one.value("document.getElementById('swap').scrollIntoView({ block: 'center' })");
    one.click("#swap");
    one.until_there(&format!("location.pathname !== {undone} && document.querySelector('#turn.mine') !== null"));
    let players = one.text("#players");
    assert!(players.find("random") < players.find("human"), "the bot moves first now: {players}");
    assert_clean(&one, &ground);
    assert_clean(&other, &ground);
}

#[test]
fn a_move_that_loses_at_once_is_warned_of_and_made_all_the_same() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let ground = Ground::new();
    let mut browser = Browser::start();
    let wish = |warn: bool| json!({"game": "notipping", "bot": "random", "seed": 1, "warn": warn});
    let address = ground.begin(&wish(true));
    ground.visit(&mut browser, &address);
    wait(&mut browser, "");
    let type_in = |browser: &mut Browser, text: &str| {
        browser.value(&format!("document.getElementById('typed').value = '{text}'"));
        browser.value("document.querySelector('#typing button').scrollIntoView({ block: 'center' })");
        browser.click("#typing button");
    };
    type_in(&mut browser, "15 25");
    browser.until("document.getElementById('sure').hidden === false");
    assert!(browser.text("#sure-text").contains("loses at once"));
    browser.click("#not-sure");
    browser.until("document.getElementById('sure').hidden && document.querySelector('#hand button') !== null");
    type_in(&mut browser, "15 25");
    browser.until("document.getElementById('sure').hidden === false");
    browser.click("#is-sure");
    browser.until("document.getElementById('headline').textContent.startsWith('random wins')");
    assert_clean(&browser, &ground);
    let address = ground.begin(&wish(false));
    let turn = ground.targets(&address, &json!([])).expect("it is the person's turn")["turn"].clone();
    let made = ground.page.post(&format!("{address}/move"), &json!({"turn": turn, "typed": "15 25"}).to_string());
    assert_eq!(made.body, "{}", "who wants no warning gets none");
    assert!(ground.targets(&address, &json!([])).is_none());
}

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
        let told: Value = serde_json::from_str(&answer.body).expect("it is JSON");
        assert!(told["error"].as_str().is_some_and(|text| text.contains(why)), "{wish}: {told}");
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
