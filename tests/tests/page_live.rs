//! The page of a match while it is played: followed to its end, gone through while it grows, and whatever bots say only ever text.

use serde_json::{Value, json};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::time::Duration;
use tests::arena::Arena;
use tests::browser::{self, Browser, HOSTILE};
use tests::page::Serving;
use tests::processes::wait_until;
use tests::{skip, transcript};

/// What the page is told of one match, by name and data.
type Told = Vec<(String, Value)>;

#[test]
fn each_game_is_followed_to_its_end() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let mut browser = Browser::start();
    browser.look(1280, 800, "light");
    for game in arena::games::GAMES.iter().map(|game| game.info().id) {
        let words = format!("match {game} --bot random --bot greedy --seed 5 --quiet");
        let folder = Arena::new(words.split(' ')).arg("--json");
        let turns = folder.run().json()["turns"].as_u64().expect("turns are counted");
        // Long enough for a browser to come before the end.
        let words = format!("{words} --pause {}ms --transcript m.jsonl --serve 127.0.0.1:0", 6000 / turns);
        let mut serving = Serving::start(&words, folder.folder());
        browser.visit(&serving.url);
        browser.until("document.getElementById('headline').innerText === 'The match is going on'");
        browser.until("document.documentElement.dataset.step !== undefined");
        browser.click("#to-live");
        browser.until("document.getElementById('to-live').hidden");
        let events = transcript::transcript(&folder.path("m.jsonl"));
        let result = events.last().expect("it is recorded");
        let step = browser.value("document.documentElement.dataset.step");
        assert_eq!(step, json!(turns.to_string()), "{game}: the end is shown");
        let [a, b] = [&result["scores"][0], &result["scores"][1]];
        assert!(browser.text("#headline").ends_with(&format!(": random {a}, greedy {b}")), "{game}");
        assert_eq!(serving.ends(), Some(0), "{game}: nobody is left to be told anything");
        let address = serving.url.clone();
        assert!(browser.requests().iter().rev().take(5).all(|url| url.starts_with(&address)), "{game}");
    }
    browser.was_quiet("http://127.0.0.1:");
}

#[test]
fn a_match_is_gone_through_while_it_grows() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let mut played = Growing::new("othello", |_| {});
    let serving = played.serve("");
    played.grow(12);
    let mut browser = Browser::start();
    browser.look(1280, 800, "light");
    let url = format!("{}{}", serving.url, Growing::PAGE);
    browser.visit(&url);
    let shows = |step: usize| format!("document.documentElement.dataset.step === '{step}'");
    browser.until(&shows(12));
    assert_eq!(browser.text("#headline"), "The match is going on");
    assert_eq!(browser.text("#to-live"), "Live");
    // Six turns at once are shown at a pace, and a button leads to the newest.
    browser.value("document.getElementById('speed').value = '0.5', 0");
    played.grow(6);
    browser.until("document.getElementById('to-live').innerText.endsWith('behind')");
    browser.click("#to-live");
    browser.until(&shows(18));
    played.grow(2);
    browser.until(&shows(20));
    assert_eq!(browser.value("document.getElementById('to-live').ariaPressed"), json!("true"), "it stays there");
    // Whoever goes back stays back, while the list grows.
    browser.press("ArrowLeft");
    browser.until(&shows(19));
    played.grow(4);
    browser.until("document.querySelectorAll('#list button').length === 25");
    assert_eq!(browser.value("document.documentElement.dataset.step"), json!("19"));
    assert_eq!(browser.value("document.getElementById('slider').max"), json!("24"));
    browser.until("document.getElementById('to-live').innerText === 'Live · 5 behind'");
    browser.until("location.hash === '#turn=19'");
    browser.visit(&format!("{url}#turn=7"));
    browser.until(&shows(7));
    browser.click("#list li:nth-child(4) button");
    browser.until(&shows(3));
    browser.press("End");
    browser.until(&shows(24));
    // At the pace, without a button, to the end.
    browser.value("document.getElementById('speed').value = '25', 0");
    browser.click("#play");
    played.grow(100);
    let last = played.turns;
    browser.until(&shows(last));
    browser.until("document.getElementById('to-live').hidden");
    assert!(browser.text("#headline").contains(": random "), "{}", browser.text("#headline"));
    let told = browser.value("performance.getEntriesByType('resource').filter((r) => r.name.endsWith('/live')).length");
    assert_eq!(told, json!(1), "the source is closed, and not asked again");
    // What is over opens at its start, like any recorded match.
    browser.visit(&url);
    browser.until(&shows(0));
    browser.was_quiet(&serving.url);
}

#[test]
fn other_scripts_hear_what_is_shown() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let mut played = Growing::new("notipping", |_| {});
    let serving = played.serve("");
    played.grow(3);
    let mut browser = Browser::start();
    browser.visit(&format!("{}{}", serving.url, Growing::PAGE));
    browser.until("document.documentElement.dataset.step === '3'");
    browser.value(
        "window.heard = [], document.addEventListener('arena-shown', ({ detail }) =>
           heard.push([detail.step.kind, detail.last, detail.over, detail.playing, detail.svg === document.querySelector('svg.arena-board')])),
         document.addEventListener('arena-result', ({ detail }) => heard.push(detail.kind)), 0",
    );
    browser.click("#to-live");
    played.grow(1);
    browser.until("heard.length === 1");
    assert_eq!(browser.value("heard[0]"), json!(["turn", true, false, false, true]));
    // They lead it on, and stop it.
    let say = |browser: &mut Browser, what: &str, detail: Value| {
        browser.value(&format!("document.dispatchEvent(new CustomEvent('{what}', {{ detail: {detail} }})), 0"));
    };
    browser.press("Home");
    say(&mut browser, "arena-follow", json!({"newest": true}));
    browser.until("document.documentElement.dataset.step === '4'");
    assert_eq!(browser.value("document.getElementById('play').ariaLabel"), json!("Pause"), "it goes on");
    say(&mut browser, "arena-follow", json!({}));
    assert_eq!(browser.value("document.getElementById('play').ariaLabel"), json!("Pause"), "still");
    played.grow(1);
    browser.until("document.documentElement.dataset.step === '5'");
    assert_eq!(browser.value("heard.at(-1)"), json!(["turn", true, false, true, true]));
    say(&mut browser, "arena-stay", json!({}));
    assert_eq!(browser.value("document.getElementById('play').ariaLabel"), json!("Play"));
    say(&mut browser, "arena-follow", json!({}));
    played.grow(100);
    browser.until("heard.some((what) => ['first', 'second', 'draw'].includes(what))");
    browser.was_quiet(&serving.url);
}

#[test]
fn a_broken_line_comes_back_by_itself() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let mut played = Growing::new("othello", |_| {});
    let serving = played.serve("");
    played.grow(5);
    let mut browser = Browser::start();
    browser.visit(&format!("{}{}", serving.url, Growing::PAGE));
    browser.until("document.documentElement.dataset.step === '5'");
    browser.click("#to-live");
    let address = serving.address().to_string();
    drop(serving);
    browser.until("!document.getElementById('line').hidden");
    assert!(browser.text("#line").contains("is broken"));
    played.grow(3);
    // The arena is there again, under the same address.
    let again = Serving::start(&format!("serve --listen {address} --results results"), played.folder.folder());
    browser.until("document.documentElement.dataset.step === '8'");
    browser.until("document.getElementById('line').hidden");
    drop(again);
}

#[test]
fn whoever_comes_back_hears_the_rest_only() {
    let mut played = Growing::new("othello", |_| {});
    let serving = played.serve("");
    played.grow(4);
    let [opening, first] = &heard_until(&serving, "", "piece")[..] else { panic!("an opening and a piece") };
    assert_eq!((opening.1.as_str(), first.1.as_str()), ("opening", "piece"));
    played.grow(100);
    let rest = heard_until(&serving, &format!("Last-Event-ID: {}\r\n", first.0), "over");
    assert!(rest.iter().all(|(_, name, _)| name != "opening") && rest[0].2["from"] == json!(5), "{rest:?}");
    let stranger = heard_until(&serving, "Last-Event-ID: 17-1\r\n", "over");
    assert_eq!(stranger[0].1, "opening", "who heard another arena starts anew");
    let steps: usize = stranger.iter().map(|(_, _, data)| data["steps"].as_array().map_or(0, Vec::len)).sum();
    assert_eq!(steps, played.turns + 1);
}

#[test]
fn what_bots_say_is_text_and_shown_only_where_that_is_wanted() {
    let mut played = Growing::new("othello", |lines| {
        lines[0]["players"][0]["name"] = json!(HOSTILE);
        let at = lines.iter().position(|line| line["turn"] == 3).expect("turn 3 is played");
        lines[at]["note"] = json!({"pv": format!("a note {HOSTILE}")});
        for kind in ["stray", "stale", "stderr"] {
            let text = format!("on {kind} {HOSTILE}");
            lines.insert(at, json!({"type": kind, "ms": 1, "turn": 3, "seat": 1, "text": text}));
        }
    });
    let (quiet, open) = (played.serve(""), played.serve("--show-logs"));
    played.grow(6);
    for (serving, shows) in [(&quiet, false), (&open, true)] {
        let told: Told = heard_until(serving, "", "piece").into_iter().map(|(_, name, data)| (name, data)).collect();
        let text = format!("{told:?}");
        for what in ["a note ", "on stray ", "on stale ", "on stderr "] {
            assert_eq!(text.contains(what), shows, "{what}: {text}");
        }
        let taken = serving.get(&format!("/{}/transcript", Growing::PAGE));
        assert_eq!(taken.body.contains("a note "), shows, "{}", taken.body);
        assert!(taken.body.contains("\"type\":\"match\""), "{}", taken.head);
    }
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let mut browser = Browser::start();
    browser.look(360, 740, "dark");
    for (serving, shows) in [(&quiet, false), (&open, true)] {
        browser.visit(&format!("{}{}#turn=4", serving.url, Growing::PAGE));
        browser.until("document.documentElement.dataset.step === '4'");
        assert_eq!(browser.value("document.documentElement.dataset.taken ?? null"), Value::Null);
        assert_eq!(browser.text(".player bdi"), HOSTILE);
        let heard = browser.value("document.getElementById('heard').textContent");
        let heard = heard.as_str().expect("it is text");
        for what in ["pv: a note ", "on stray ", "on stale ", "on stderr "] {
            assert_eq!(heard.contains(&format!("{what}{HOSTILE}")), shows, "{what}: {heard}");
        }
        let [page, window] =
            ["document.documentElement.scrollWidth", "window.innerWidth"].map(|width| browser.value(width).as_u64());
        assert!(page <= window, "the page is {page:?} broad, the window {window:?}");
    }
    played.grow(100);
    browser.until("document.getElementById('to-live').hidden");
    browser.was_quiet("http://127.0.0.1:");
}

#[test]
fn a_wall_shows_the_board_and_no_controls() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let mut played = Growing::new("othello", |_| {});
    let serving = played.serve("");
    played.grow(10);
    let mut browser = Browser::start();
    browser.look(1920, 1080, "light");
    browser.visit(&format!("{}{}?wall", serving.url, Growing::PAGE));
    browser.until("document.documentElement.dataset.step === '10'");
    let seen = |browser: &mut Browser, selector: &str| {
        browser.value(&format!("document.querySelector('{selector}').getBoundingClientRect().height")).as_f64()
    };
    for hidden in ["#controls", "#moves", "#ways"] {
        assert_eq!(seen(&mut browser, hidden), Some(0.0), "{hidden}");
    }
    assert!(seen(&mut browser, "svg.arena-board") > Some(600.0));
    assert_eq!(browser.value("document.documentElement.scrollHeight <= innerHeight"), json!(true), "nobody scrolls");
    played.grow(1);
    browser.until("document.documentElement.dataset.step === '11'");
    browser.was_quiet(&serving.url);
}

#[test]
fn the_second_match_follows_the_first() {
    let folder = Arena::new([""; 0]);
    let words = "match othello --bot random --bot greedy --seed 5 --quiet --pause 120ms --swap-too --serve 127.0.0.1:0";
    let mut serving = Serving::start(words, folder.folder());
    let newest = |serving: &Serving| {
        let answer = serving.get("/");
        let to = answer.head.lines().find_map(|line| line.strip_prefix("location: ")).map(str::to_string);
        to.unwrap_or_else(|| answer.head.clone())
    };
    let (first, second) = ("/cup/-now/match/othello-random-greedy-5", "/cup/-now/match/othello-greedy-random-5");
    assert_eq!(newest(&serving), first);
    let page = serving.get(first).body;
    assert!(page.contains("id=\"newer\" hidden") && page.contains("data-next"), "{page}");
    assert!(wait_until(Duration::from_secs(60), || newest(&serving) == second));
    let page = serving.get(first).body;
    assert!(page.contains(&format!("id=\"newer\" href=\"{second}\"")), "{page}");
    assert_eq!(serving.get(&format!("{first}/next")).body, format!("\"{second}\""));
    let page = serving.get(second).body;
    assert!(page.contains("id=\"newer\" hidden") && !page.contains("data-next"), "{page}");
    assert_eq!(serving.ends(), Some(0));
    assert!(fs::read_dir(folder.folder()).expect("a folder").next().is_none(), "no transcript was asked for");
}

#[test]
fn the_next_match_is_asked_for_until_it_comes_or_nobody_knows_of_this_one() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let mut browser = Browser::start();
    let failed = "() => new Response('', { status: 408 }), () => { throw new TypeError('no line'); }, \
                  () => new Response('\"/cup/cup', { status: 200 }), () => new Response('null'), () => new Response(null, { status: 500 })";
    for (last, comes) in
        [("() => new Response('\"/next-one\"')", true), ("() => new Response('', { status: 404 })", false)]
    {
        let mut played = Growing::new("othello", |_| {});
        let serving = played.serve("");
        played.grow(5);
        browser.visit(&format!("{}{}", serving.url, Growing::PAGE));
        browser.until("document.documentElement.dataset.step === '5'");
        // What is answered, one after the other; the pauses between are counted, and left out.
        browser.value(&format!(
            "(() => {{ const answers = [{failed}, {last}];
               Object.assign(window, {{ asked: 0, pauses: 0, wait: window.setTimeout }});
               window.setTimeout = (act, ms) => wait(act, ms < 2000 ? ms : (pauses += 1, 0));
               window.fetch = async () => {{ asked += 1; return answers.shift()(); }};
               document.getElementById('live').dataset.next = '/next'; }})()"
        ));
        played.grow(100);
        browser.until("asked === 6");
        browser.value("new Promise((done) => wait(done))");
        assert_eq!(browser.value("[asked, pauses]"), json!([6, 6]), "it is not asked again: {last}");
        assert_eq!(browser.value("document.getElementById('newer').hidden"), json!(!comes), "{last}");
        if comes {
            assert_eq!(browser.value("document.getElementById('newer').pathname"), json!("/next-one"));
        }
    }
    browser.was_quiet("http://127.0.0.1:");
}

#[test]
fn output_for_programs_stays_pure() {
    let arena =
        Arena::new(["match", "othello", "--json", "--bot", "random", "--bot", "greedy", "--serve", "127.0.0.1:0"]);
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert_eq!(run.json()["transcript"], Value::Null, "{run:#?}");
    assert!(run.stderr.contains("the page is at http://127.0.0.1:"), "{run:#?}");
    let run = arena.also("tournament run --game othello --pairs 1 --seed 1 --out c/cup --json --bot random --bot greedy --serve 127.0.0.1:0");
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(run.stdout.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{run:#?}");
    assert!(run.stderr.contains("this cup is at http://127.0.0.1:") && run.stderr.contains("/cup/cup\n"), "{run:#?}");
    for words in
        ["match --serve othello --bot random --bot greedy", "match othello --bot random --bot greedy --serve 1.2.3"]
    {
        let run = arena.also(words);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:#?}");
        assert!(run.stderr.contains("HOST:PORT") && run.stderr.contains("last"), "{run:#?}");
    }
}

#[test]
fn a_cup_shows_its_matches_while_it_is_played() {
    let arena = Arena::new([""; 0]);
    let bot = arena.fixture_command("think 20");
    let words = format!(
        "tournament run --game othello --param size=4 --pairs 2 --seed 1 --out c/cup --isolation none --bot random --bot 'slow={bot}' \
         --serve 127.0.0.1:0"
    );
    let mut serving = Serving::start(&words, arena.folder());
    assert_eq!(serving.get("/").status, 200);
    let running = || {
        let names = fs::read_dir(arena.path("c/cup/transcripts")).into_iter().flatten().flatten();
        names
            .filter_map(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                Some(name.strip_prefix('.')?.strip_suffix(".jsonl")?.to_string())
            })
            .next()
    };
    assert!(wait_until(Duration::from_secs(60), || running().is_some()), "a match is played");
    let id = running().expect("the next one begins soon");
    let events = heard_from(&serving, &format!("/cup/cup/match/{id}/live"), "", "over");
    assert_eq!(events[0].1, "opening");
    assert!(events[0].2["title"].as_str().is_some_and(|title| title.starts_with("Othello: ")), "{:?}", events[0]);
    assert_eq!(serving.ends(), Some(0));
}

#[test]
fn the_server_of_the_course_has_its_page() {
    let folder = Arena::new([""; 0]);
    let mut serving = Serving::start("notipping-server 127.0.0.1:0 4 --matches 2 --serve 127.0.0.1:0", folder.folder());
    let line = serving.line();
    let address = line.trim_end().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line:?}"));
    let shown = serving.get("/index.html").head;
    assert!(shown.contains("location: /cup/-now/match/notipping-server-1"), "also before anybody plays: {shown}");
    for number in [1, 2] {
        let mut clients = ["-f --bot random", "--bot greedy"]
            .map(|words| folder.start_also(&format!("notipping-client {address} {words}")));
        for client in &mut clients {
            let run = client.finish(Duration::from_secs(60)).expect("a client ends");
            assert!(run.code < Some(2), "{run:#?}");
        }
        if number == 1 {
            let events = heard_from(&serving, "/cup/-now/match/notipping-server-1/live", "", "over");
            let text = format!("{events:?}");
            for shown in ["torque", "hand"] {
                assert!(text.to_lowercase().contains(shown), "{shown}: {text}");
            }
        }
    }
    assert_eq!(serving.ends(), Some(0));
}

/// A match of a cup that a test plays on, line by line, as a running arena would.
struct Growing {
    folder: Arena,
    lines: Vec<Value>,
    turns: usize,
    written: usize,
}

impl Growing {
    const PAGE: &str = "cup/cup/match/m";

    /// Random against greedy, always the same match; `change` is what else happens in it.
    fn new(game: &str, change: impl FnOnce(&mut Vec<Value>)) -> Growing {
        let folder =
            Arena::new(["match", game]).args("--bot random --bot greedy --seed 5 --transcript m.jsonl --quiet");
        let run = folder.run();
        assert_eq!(run.code, Some(0), "{run:#?}");
        let mut lines = transcript::transcript(&folder.path("m.jsonl"));
        change(&mut lines);
        let turns = lines.iter().filter(|line| is_turn(line)).count();
        fs::create_dir_all(folder.path("results/cup/transcripts")).expect("the folder is writable");
        // Somebody plays there: this test.
        folder.write("results/cup/.lock", std::process::id().to_string());
        let mut played = Growing { folder, lines, turns, written: 0 };
        played.grow(0);
        played
    }

    fn serve(&self, more: &str) -> Serving {
        Serving::start(&format!("serve --listen 127.0.0.1:0 --results results {more}"), self.folder.folder())
    }

    /// So many turns more, and whatever comes before the next one; after the last turn the result.
    fn grow(&mut self, turns: usize) {
        let path = self.folder.path("results/cup/transcripts/.m.jsonl");
        let mut file = OpenOptions::new().append(true).create(true).open(path).expect("the folder is writable");
        let mut played = 0;
        let mut text = String::new();
        while let Some(line) = self.lines.get(self.written) {
            if is_turn(line) || line["type"] == "stray" {
                if played == turns {
                    break;
                }
                played += usize::from(is_turn(line));
            }
            text.push_str(&format!("{line}\n"));
            self.written += 1;
        }
        file.write_all(text.as_bytes()).expect("there is room for it");
    }
}

fn is_turn(line: &Value) -> bool {
    line["type"] == "move" || line["type"] == "pass"
}

/// What is told of the growing match until an event of this name: id, name and data of each.
fn heard_until(serving: &Serving, head: &str, last: &str) -> Vec<(String, String, Value)> {
    heard_from(serving, &format!("/{}/live", Growing::PAGE), head, last)
}

fn heard_from(serving: &Serving, path: &str, head: &str, last: &str) -> Vec<(String, String, Value)> {
    let mut events: Vec<(String, String, Value)> = Vec::new();
    serving.listen(path, head, |line| {
        if let Some(id) = line.strip_prefix("id: ") {
            events.push((id.to_string(), String::new(), Value::Null));
        }
        if let (Some(name), Some(event)) = (line.strip_prefix("event: "), events.last_mut()) {
            event.1 = name.to_string();
        }
        if let (Some(data), Some(event)) = (line.strip_prefix("data: "), events.last_mut()) {
            event.2 = serde_json::from_str(data).expect("what is told is JSON");
            return event.1 != last;
        }
        true
    });
    assert_eq!(events.last().map(|event| event.1.as_str()), Some(last), "{events:?}");
    events
}
