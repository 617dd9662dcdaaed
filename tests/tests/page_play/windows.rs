//! What is asked beside the move: passes, warnings, moves taken back, in one window and in several.

use crate::{Ground, Hand, transcript_from, wait};
use serde_json::json;
use std::thread;
use std::time::Duration;
use tests::binaries;
use tests::browser::{self, Browser};
use tests::processes::wait_until;
use tests::skip;

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
        if Hand::Mouse.plays(&mut browser) > 0 {
            let list = browser.text("#list");
            assert!(list.contains("passes"), "{list}");
            return browser.was_quiet(&ground.page.url);
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
    one.click("#undo");
    let moved = format!("location.pathname !== '{address}' && document.querySelector('#turn.mine') !== null");
    one.until(&moved);
    other.until(&moved);
    let undone = one.value("location.pathname");
    assert_eq!(other.value("location.pathname"), undone);
    let again = one.value("document.querySelectorAll('#choices .choice')[1].getAttribute('aria-label')");
    assert_eq!((first, one.value("document.querySelectorAll('#list li').length")), (again, json!(1)));
    // Whoever has the old address comes to the new one.
    assert!(ground.page.get(&address).head.to_lowercase().contains(&format!("location: {}", undone.as_str().unwrap())));
    ground.play_out(undone.as_str().expect("an address"));
    one.until("document.getElementById('swap').hidden === false");
    one.click("#swap");
    one.until(&format!("location.pathname !== {undone} && document.querySelector('#turn.mine') !== null"));
    let players = one.text("#players");
    assert!(players.find("random") < players.find("human"), "the bot moves first now: {players}");
    one.was_quiet(&ground.page.url);
    other.was_quiet(&ground.page.url);
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
    browser.was_quiet(&ground.page.url);
    let address = ground.begin(&wish(false));
    let turn = ground.targets(&address, &json!([])).expect("it is the person's turn")["turn"].clone();
    let made = ground.page.post(&format!("{address}/move"), &json!({"turn": turn, "typed": "15 25"}).to_string());
    assert_eq!(made.body, "{}", "who wants no warning gets none");
    assert!(ground.targets(&address, &json!([])).is_none());
}

#[test]
fn a_warning_that_comes_in_another_turn_is_left_out() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let ground = Ground::with("--bot greedy");
    let mut browser = Browser::start();
    let address = ground.begin(&json!({"game": "notipping", "bot": "greedy", "seed": 1, "warn": true}));
    ground.visit(&mut browser, &address);
    wait(&mut browser, "");
    // The answer to the move is there, and is heard only when the test lets it through.
    browser.value(
        "(() => { const ask = window.fetch, through = new Promise((done) => { window.letThrough = done; });
           window.fetch = async (where, how) => {
             const answer = await ask(where, how);
             if (!String(where).endsWith('/move')) return answer;
             const told = await answer.json();
             window.warned = told.loses;
             answer.json = () => through.then(() => told);
             return answer; }; })()",
    );
    browser.value("document.getElementById('typed').value = '15 25'");
    browser.click("#typing button");
    browser.until("window.warned !== undefined");
    // Another window moves, and the bot replies.
    let told = ground.targets(&address, &json!([])).expect("it is the person's turn");
    let made = ground.page.post(&format!("{address}/move"), &json!({"turn": told["turn"], "typed": "1 0"}).to_string());
    assert_eq!(made.body, "{}", "a move that does not lose");
    browser.until("document.querySelectorAll('#list li').length >= 3 && document.querySelector('#turn.mine') !== null");
    browser.value("letThrough(), new Promise((done) => setTimeout(done))");
    assert_eq!(
        browser.value("document.getElementById('sure').hidden"),
        json!(true),
        "that move is no longer to be made"
    );
    assert_eq!(browser.value("document.querySelector('#turn.mine') !== null"), json!(true), "another one is");
    browser.was_quiet(&ground.page.url);
}

#[test]
fn one_move_after_the_other_is_taken_back_and_none_is_where_there_is_none() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let ground = Ground::new();
    let mut browser = Browser::start();
    let offered = |browser: &mut Browser| browser.value("!document.getElementById('undo').hidden");
    let mine = "document.readyState === 'complete' && document.querySelector('#turn.mine') !== null \
                && document.querySelector('#choices .choice') !== null";
    for (side, before) in [("first", 0), ("second", 1)] {
        let address = ground.begin(&json!({"game": "othello", "bot": "random", "seed": 5, "side": side}));
        ground.visit(&mut browser, &address);
        for own in 0..2 {
            let turns = before + 2 * own;
            browser.until(&format!("{mine} && document.querySelectorAll('#list li').length === {}", turns + 1));
            assert_eq!(offered(&mut browser), json!(own > 0), "{side}: before move {own} of one's own");
            browser.click("#choices .choice");
        }
        let mut at = json!(address);
        for turns in [before + 2, before] {
            let newest = "document.getElementById('slider').value === document.getElementById('slider').max";
            let all_there = format!("document.querySelectorAll('#list li').length === {}", turns + 3);
            browser.until(&format!("{mine} && {newest} && {all_there}"));
            assert_eq!(offered(&mut browser), json!(true), "{side}: {turns} turns are to be left");
            browser.click("#undo");
            browser.until(&format!("location.pathname !== {at} && {mine}"));
            at = browser.value("location.pathname");
            let next = ground.targets(at.as_str().expect("an address"), &json!([])).expect("it is the person's turn");
            assert_eq!(next["turn"], json!(turns), "{side}");
        }
        assert_eq!(offered(&mut browser), json!(false), "{side}: there is none left");
    }
    browser.was_quiet(&ground.page.url);
}

#[test]
fn a_move_is_taken_back_once_also_while_the_bot_thinks_and_from_two_windows() {
    let think = format!("--isolation none --bot '{} think 700'", binaries::fixture().display());
    let ground = Ground::with(&think);
    let wish = json!({"game": "othello", "bot": "fixture", "seed": 5});
    let address = ground.begin(&wish);
    let played = |address: &str| {
        let told = ground.targets(address, &json!([])).expect("it is the person's turn");
        let mv = json!({"turn": told["turn"], "path": [told["targets"][0]["key"]]});
        ground.told(ground.page.post(&format!("{address}/move"), &mv.to_string()));
    };
    let undone = |address: &str| {
        let answer = ground.told(ground.page.post(&format!("{address}/undo"), "{}"));
        answer["address"].as_str().expect("it goes on").to_string()
    };
    // Two moves, the second one not answered yet: that one is taken back.
    played(&address);
    played(&address);
    let both = thread::scope(|scope| {
        [(); 2].map(|()| scope.spawn(|| undone(&address))).map(|one| one.join().expect("it is taken back"))
    });
    assert_eq!(both[0], both[1], "it is taken back once");
    assert_eq!(undone(&address), both[0], "whoever asks later comes to the same");
    assert_eq!(ground.told(ground.page.get(&format!("{address}/state")))["next"], json!(both[0]));
    let turn = ground.targets(&both[0], &json!([])).expect("it is the person's turn again")["turn"].clone();
    assert_eq!(turn, json!(2), "the first move stands");
    // And so does none, after that is taken back as well.
    let first = undone(&both[0]);
    assert_eq!(ground.targets(&first, &json!([])).expect("it is the person's turn")["turn"], json!(0));
    let refused = ground.page.post(&format!("{first}/undo"), "{}");
    assert!(refused.status == 409 && refused.body.contains("no move of yours to take back"), "{refused:?}");
    assert!(ground.targets(&first, &json!([])).is_some(), "what is refused ends nothing");
    let mut from: Vec<_> = ground.transcripts().iter().filter_map(|file| transcript_from(file)).collect();
    from.sort_unstable();
    assert_eq!(from, [0, 2]);
}

#[test]
fn a_move_is_taken_back_also_where_whoever_asked_hangs_up() {
    // A bot that has to be ended leaves time in which nobody waits any more.
    let stubborn = format!("--isolation none --bot '{} ignore-eof'", binaries::fixture().display());
    let ground = Ground::with(&stubborn);
    let address = ground.begin(&json!({"game": "othello", "bot": "fixture", "seed": 5}));
    let told = ground.targets(&address, &json!([])).expect("the person moves first");
    let mv = json!({"turn": told["turn"], "path": [told["targets"][0]["key"]]});
    ground.told(ground.page.post(&format!("{address}/move"), &mv.to_string()));
    ground.targets(&address, &json!([])).expect("it is the person's turn again");
    let gone = ground.page.call(&format!("{address}/undo"), "{}");
    let path = format!("{address}/targets?path=%5B%5D");
    let is_left = || ground.told(ground.page.get(&path))["turn"].is_null();
    assert!(wait_until(Duration::from_secs(30), is_left), "the move is being taken back");
    drop(gone);
    let next = || ground.told(ground.page.get(&format!("{address}/state")))["next"].clone();
    assert!(wait_until(Duration::from_secs(30), || next().is_string()), "it goes on elsewhere");
    let next = next();
    let again = ground.targets(next.as_str().expect("an address"), &json!([])).expect("it is the person's turn");
    assert_eq!(again["turn"], json!(0));
}

#[test]
fn many_matches_are_begun_one_after_the_other_in_one_window() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let ground = Ground::new();
    let mut browser = Browser::start();
    browser.visit(&ground.page.url);
    // A browser keeps pages that were left, and has six lines to a server: each match begins, and none is played to its end.
    let mut last = String::new();
    for seed in 0..8 {
        let address = ground.begin(&json!({"game": "othello", "bot": "random", "seed": seed}));
        last.clone_from(&address);
        browser.value(&format!("setTimeout(() => location.assign('{address}'))"));
        browser.until(&format!("location.pathname === '{address}' && document.querySelector('#turn.mine') !== null"));
        // A page that was kept is told the match anew.
        browser.value(
            "addEventListener('pageshow', () => { window.anew = false;
               document.addEventListener('arena-shown', () => { window.anew = true; }, {once: true}); })",
        );
    }
    // Whoever goes back finds the match where it was.
    browser.value("setTimeout(() => history.back())");
    browser.until(&format!(
        "!location.pathname.endsWith('{last}') && window.anew !== false && document.querySelector('#turn.mine') !== null
         && document.querySelector('#choices .choice') !== null"
    ));
    browser.click("#choices .choice");
    browser.until("document.querySelectorAll('#list li').length >= 3");
    browser.was_quiet(&ground.page.url);
}
