//! A whole match of each game by clicks, one by keyboard alone, one by finger.

use crate::{Ground, Hand, last_line, state, wait};
use serde_json::json;
use tests::browser::{self, Browser};
use tests::skip;

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
        browser.click("#start");
        browser.until("location.pathname !== '/play' && document.readyState === 'complete'");
        browser.value("document.getElementById('speed').value = '25'");
        Hand::Mouse.plays(&mut browser);
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
    browser.was_quiet(&ground.page.url);
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
            browser.was_quiet(&ground.page.url);
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
fn a_match_is_played_by_finger_on_a_small_screen() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let ground = Ground::new();
    let mut browser = Browser::start();
    browser.look(360, 740, "light");
    for wish in [
        json!({"game": "notipping", "params": {"k": 2}, "bot": "random", "seed": 7}),
        json!({"game": "flip", "params": {"n": 1, "rounds": 2}, "bot": "random", "seed": 7}),
    ] {
        let address = ground.begin(&wish);
        ground.visit(&mut browser, &address);
        Hand::Finger.plays(&mut browser);
        assert!(browser.text("#headline").contains("human"), "{wish}");
    }
    browser.was_quiet(&ground.page.url);
}

#[test]
fn a_board_with_places_too_small_for_a_finger_is_enlarged_where_it_is_touched() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let ground = Ground::new();
    let mut browser = Browser::start();
    browser.look(360, 740, "light");
    let address = ground.begin(&json!({"game": "offset", "params": {"size": 32}, "bot": "random", "seed": 7}));
    ground.visit(&mut browser, &address);
    wait(&mut browser, "");
    let middle = "(() => { const all = document.querySelectorAll('#choices .choice'); return all[Math.floor(all.length / 2)]; })()";
    let place = |browser: &mut Browser| {
        browser.value(&format!(
            "(() => {{ const {{ x, y, width, height }} = {middle}.getBoundingClientRect(); return [x + width / 2, y + height / 2, width]; }})()"
        ))
    };
    browser.value(&format!("{middle}.scrollIntoView({{ block: 'center', inline: 'center' }})"));
    let small = place(&mut browser);
    assert!(small[2].as_f64().is_some_and(|width| width < 24.0), "{small}");
    browser.tap_at(&small);
    browser.until("document.getElementById('board').classList.contains('enlarged')");
    let large = place(&mut browser);
    assert!(large[2].as_f64().is_some_and(|width| width >= 40.0), "{large}");
    let seen = browser.value("(() => { const { left, right, top, bottom } = document.getElementById('board').getBoundingClientRect(); return [left, right, top, bottom]; })()");
    let (x, y) = (large[0].as_f64().expect("a number"), large[1].as_f64().expect("a number"));
    let [left, right, top, bottom] = [0, 1, 2, 3].map(|at| seen[at].as_f64().expect("a number"));
    assert!((left..right).contains(&x) && (top..bottom).contains(&y), "what was touched is in view: {large} in {seen}");
    // Source, then target, which is chosen among those that are shown.
    let before = state(&mut browser);
    browser.tap_at(&large);
    wait(&mut browser, &before);
    assert_eq!(browser.value("document.getElementById('back').hidden"), json!(false), "a source is chosen");
    browser.tap("#choices .choice");
    browser.until("document.querySelectorAll('#list li').length >= 3");
    browser.until("document.querySelector('#turn.mine') !== null");
    browser.tap("#enlarge");
    browser.until("!document.getElementById('board').classList.contains('enlarged')");
    assert_eq!(browser.value("document.documentElement.scrollWidth <= innerWidth"), json!(true));
    browser.was_quiet(&ground.page.url);
}
