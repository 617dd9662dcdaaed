//! A recorded match as a page: written once, shown in a real browser, whatever the bots have said.

use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use tests::arena::Arena;
use tests::browser::{self, Browser, HOSTILE};
use tests::{skip, transcript};

#[test]
fn every_game_becomes_one_page_that_asks_for_nothing() {
    for game in games() {
        let page = Page::of_match(&game);
        let text = page.text();
        assert!(text.starts_with("<!DOCTYPE html>") && text.contains("default-src 'none'"), "{game}");
        let elsewhere: Vec<&str> = text
            .match_indices("://")
            .map(|(at, _)| text[..at].rsplit(['"', '\'', ' ', '(']).next().unwrap_or_default())
            .filter(|scheme| scheme.starts_with("http"))
            .collect();
        let own = text.matches("http://www.w3.org/2000/svg").count();
        assert_eq!(elsewhere.len(), own, "{game}: only the name space of SVG is named");
        assert!(text.len() < 2 << 20, "{game}: {} bytes", text.len());
    }
}

#[test]
fn a_file_that_is_there_is_not_overwritten() {
    let page = Page::of_match("othello");
    fs::write(page.folder.path("page.html"), "mine").expect("the folder is writable");
    let run = page.folder_run("replay match.jsonl --html page.html");
    assert_eq!((run.0, run.1.as_str()), (Some(2), ""));
    assert!(run.2.contains("page.html") && run.2.contains("remove it, or name another"), "{}", run.2);
    assert_eq!(page.text(), "mine");
}

#[test]
fn what_bots_say_is_never_markup() {
    let page = Page::of_hostile_bots();
    let text = page.text();
    assert!(!text.contains("<img") && !text.contains("<!--"), "no markup comes from a bot");
    let scripts = (text.matches("<script").count(), text.matches("</script").count());
    assert_eq!(scripts, (2, 2), "the data and the program");
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let mut browser = Browser::start();
    browser.look(360, 740, "light");
    browser.open(&page.file(), "#turn=6");
    assert_eq!(browser.value("document.documentElement.dataset.taken ?? null"), Value::Null);
    let heard = browser.text("#heard");
    for (what, told) in
        [("stderr", "on stderr "), ("stray", "stray "), ("stale", "stale "), ("invalid", "part 1: "), ("note", "pv: ")]
    {
        assert!(heard.contains(&format!("{told}{HOSTILE}")), "the {what} is shown as it is: {heard}");
    }
    assert!(heard.contains("\\x1b[31mred"), "control characters are seen: {heard}");
    assert_eq!(browser.text(".player bdi"), HOSTILE);
    assert_fits(&mut browser, "long words");
    browser.click("#to-fault");
    assert_eq!(browser.text("#heading"), format!("Turn 10: fault of {HOSTILE}"));
    let fault = browser.text("#heard .fault");
    assert!(
        fault.contains("illegal") && fault.contains("the square is taken") && fault.contains("the move: a1"),
        "{fault}"
    );
    assert_eq!(browser.text("#headline"), format!("greedy wins, because {HOSTILE} forfeits: {HOSTILE} 0, greedy 36"));
    browser.was_quiet("file:");
}

#[test]
fn each_game_is_shown_turn_by_turn() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let mut browser = Browser::start();
    for game in games() {
        let page = Page::of_match(&game);
        let events = transcript::transcript(&page.folder.path("match.jsonl"));
        let turns: Vec<&Value> =
            events.iter().filter(|event| ["move", "pass"].iter().any(|kind| event["type"] == *kind)).collect();
        for (width, height, scheme) in [(1280, 800, "light"), (360, 740, "dark"), (1920, 1080, "dark")] {
            browser.look(width, height, scheme);
            browser.open(&page.file(), "#turn=6");
            assert_fits(&mut browser, &format!("{game} at {width}"));
        }
        let names = ["random", "greedy"];
        let mover = |turn: usize| names[turns[turn]["seat"].as_u64().expect("a turn has a seat") as usize];
        assert!(browser.text("#heading").starts_with(&format!("Turn 5: {} plays ", mover(5))), "{game}");
        let (caption, label) =
            (browser.text("#caption"), browser.value("document.querySelector('svg.arena-board').ariaLabel"));
        assert_eq!(json!(caption), label, "{game}: the drawing is labelled with the position");
        let current = browser.text("#list [aria-current=step]");
        assert!(current.starts_with('5'), "{game}: {current}");
        assert_eq!(
            browser.value("document.querySelectorAll('#list button .mark[class*=is-]').length"),
            json!(turns.len())
        );
        assert!(
            browser.value("document.querySelector('svg.arena-board').children.length").as_u64() > Some(10),
            "{game}"
        );
        browser.press("End");
        assert_eq!(browser.value("document.documentElement.dataset.step"), json!(turns.len().to_string()), "{game}");
        let result = events.last().expect("a transcript has lines");
        let [a, b] = [&result["scores"][0], &result["scores"][1]];
        assert!(browser.text("#headline").ends_with(&format!(": random {a}, greedy {b}")), "{game}");
    }
    browser.was_quiet("file:");
}

#[test]
fn keys_buttons_list_and_address_lead_to_every_turn() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let page = Page::of_match("othello");
    let last = transcript::events(&transcript::transcript(&page.folder.path("match.jsonl")), "result")
        .next()
        .expect("it ended")["turns"]
        .as_u64()
        .expect("turns are counted");
    let mut browser = Browser::start();
    browser.look(1280, 800, "light");
    browser.open(&page.file(), "");
    let shows = |browser: &mut Browser, step: u64, why: &str| {
        assert_eq!(browser.value("Number(document.documentElement.dataset.step)"), json!(step), "{why}");
        assert_eq!(browser.value("Number(document.getElementById('slider').value)"), json!(step), "the slider: {why}");
    };
    shows(&mut browser, 0, "it begins at the start");
    for (key, step) in
        [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("ArrowRight", last), ("Home", 0)]
    {
        browser.press(key);
        shows(&mut browser, step, key);
    }
    for (button, step) in [("#next", 1), ("#last", last), ("#previous", last - 1), ("#first", 0)] {
        browser.click(button);
        shows(&mut browser, step, button);
    }
    browser.click("#list li:nth-child(4) button");
    shows(&mut browser, 3, "the list");
    browser.press("ArrowDown");
    shows(&mut browser, 4, "down in the list");
    browser.until("location.hash === '#turn=4'");
    browser.value("location.hash = '#turn=8', 0");
    browser.until("document.documentElement.dataset.step === '8'");
    assert!(browser.text("#heading").starts_with("Turn 7:"), "turn 8 is to be played");
    browser.value(&format!("location.hash = '#turn={last}', 0"));
    browser.until(&format!("document.documentElement.dataset.step === '{last}'"));
    browser.value("location.hash = '#turn=8', 0");
    browser.until("document.documentElement.dataset.step === '8'");
    browser.value("document.getElementById('slider').focus()");
    browser.press("ArrowRight");
    shows(&mut browser, 9, "an arrow on the slider counts once");
    browser.value("document.activeElement.blur()");
    browser.value("document.getElementById('speed').value = '25', 0");
    browser.press(" ");
    assert_eq!(browser.value("document.getElementById('play').ariaLabel"), json!("Pause"));
    browser.until(&format!("document.documentElement.dataset.step === '{last}'"));
    assert_eq!(browser.value("document.getElementById('play').ariaLabel"), json!("Play"), "it stops at the end");
    browser.was_quiet("file:");
}

#[test]
fn it_follows_light_and_dark() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let page = Page::of_match("othello");
    let mut browser = Browser::start();
    let brightness = ["light", "dark"].map(|scheme| {
        browser.look(800, 600, scheme);
        browser.open(&page.file(), "");
        let colour = browser.value("getComputedStyle(document.documentElement).backgroundColor");
        let parts = colour.as_str().expect("a colour is text").trim_matches(|c: char| !c.is_ascii_digit()).to_string();
        parts.split(", ").map(|part| part.parse::<u32>().expect("rgb")).sum::<u32>()
    });
    assert!(brightness[0] > 600 && brightness[1] < 165, "{brightness:?}");
    browser.was_quiet("file:");
}

/// A match, and its page.
#[test]
fn the_standings_of_a_cup_need_no_scrolling_in_a_narrow_window() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let words =
        "tournament run --game othello --param size=4 --pairs 1 --seed 1 --out cup --bot paper --bot greedy --bot";
    let arena = Arena::new([""; 0]);
    let run = arena.also(&format!("{words} a-name-that-is-rather-long-for-it=random"));
    assert_eq!(run.code, Some(0), "{run:#?}");
    let mut browser = Browser::start();
    let page = arena.path("cup/report.html");
    for width in [700, 900, 1000, 1280] {
        browser.look(width, 800, "light");
        browser.open(&page, "");
        let beyond = "(box => box.scrollWidth - box.clientWidth)(document.querySelector('.standings').parentElement)";
        assert_eq!(browser.value(beyond), json!(0), "at {width}");
    }
    let text = fs::read_to_string(page).expect("the cup has a page");
    assert!(text.contains("none (all bots come with the arena)"), "why nobody is confined is told");
}

struct Page {
    folder: Arena,
}

impl Page {
    /// Random against greedy, always the same match.
    fn of_match(game: &str) -> Page {
        let page = Page::record(game);
        page.write();
        page
    }

    /// A match in which one bot's name and all that bots say is hostile, and which ends by a fault in turn 10.
    fn of_hostile_bots() -> Page {
        let page = Page::record("othello");
        let mut lines = Vec::new();
        for mut event in transcript::transcript(&page.folder.path("match.jsonl")) {
            if event["type"] == "match" {
                event["players"][0]["name"] = json!(HOSTILE);
            }
            if event["turn"] == 5 {
                let said =
                    |kind: &str, text: String| json!({"type": kind, "ms": 1, "turn": 5, "seat": 1, "text": text});
                lines.push(said("stray", format!("stray {HOSTILE}")));
                lines.push(said("stale", format!("stale {HOSTILE}")));
                lines.push(said("stderr", format!("on stderr {HOSTILE}\n\u{1b}[31mred\n")));
                lines.push(json!({"type": "invalid", "ms": 1, "turn": 5, "seat": 1, "flip": 1, "why": HOSTILE}));
                event["note"] = json!({"depth": 7, "pv": HOSTILE});
            }
            if event["turn"] == 10 {
                let detail = format!("turn 10: the square is taken {HOSTILE}");
                lines.push(
                    json!({"type": "fault", "ms": 2, "seat": 0, "reason": "illegal", "detail": detail, "move": "a1"}),
                );
                lines.push(json!({"type": "result", "ms": 2, "winner": 1, "scores": [0, 36], "reason": "illegal", "detail": detail, "at_fault": 0}));
                break;
            }
            lines.push(event);
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        page.folder.write("match.jsonl", text);
        page.write();
        page
    }

    fn record(game: &str) -> Page {
        let folder =
            Arena::new(["match", game]).args("--bot random --bot greedy --seed 5 --transcript match.jsonl --quiet");
        let run = folder.run();
        assert_eq!(run.code, Some(0), "{run:#?}");
        Page { folder }
    }

    fn write(&self) {
        let (code, stdout, stderr) = self.folder_run("replay match.jsonl --html page.html");
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(0), "page.html\n", ""));
    }

    /// Another command in the folder of the match: its status, stdout and stderr.
    fn folder_run(&self, arguments: &str) -> (Option<i32>, String, String) {
        let output = std::process::Command::new(tests::binaries::arena())
            .args(arguments.split(' '))
            .current_dir(self.folder.folder())
            .output()
            .expect("the arena starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the arena prints UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    fn file(&self) -> PathBuf {
        self.folder.path("page.html")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).expect("the page is there")
    }
}

fn games() -> Vec<String> {
    arena::games::GAMES.iter().map(|game| game.info().id.to_string()).collect()
}

/// Nothing is broader than the page, but the board in its own place.
fn assert_fits(browser: &mut Browser, what: &str) {
    let [page, window] =
        ["document.documentElement.scrollWidth", "window.innerWidth"].map(|width| browser.value(width).as_u64());
    assert!(page <= window, "{what}: the page is {page:?} broad, the window {window:?}");
}
