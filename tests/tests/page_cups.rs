//! The pages of cups: what is told of a cup while it is played and afterwards, in plain requests and in a real browser; and the wall, that
//! goes round by itself.

use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;
use tests::arena::Arena;
use tests::browser::{self, Browser};
use tests::page::Serving;
use tests::processes::wait_until;
use tests::{skip, transcript};

/// What somebody might call a cup or a person to become part of the page. No folder can have a slash in its name.
const HOSTILE: &str =
    "<img src=x onerror=\"document.documentElement.dataset.taken='1'\"><b id=evil>\u{202e}\u{200f}\u{1}\"'&amp;";

const THREE: &[(&str, &str)] = &[("paper", "paper"), ("greedy", "greedy"), ("random", "random")];

/// A folder for cups.
fn ground() -> Arena {
    Arena::new(["tournament"]).within(Duration::from_secs(300))
}

/// Plays a cup of small matches to its end.
fn play(arena: &Arena, name: &str, format: &str, pairs: u32, sets: &str, bots: &[(&str, &str)]) {
    let mut text = format!(
        "name = \"{name}\"\ngame = \"othello\"\nformat = \"{format}\"\npairs = {pairs}\nseed = 3\n[params]\nsize = {sets}\nopening = 2\n\
         [isolation]\nmode = \"none\"\n"
    );
    for (name, command) in bots {
        text += &format!("[[bots]]\nname = {name:?}\nbot = {command:?}\nauthors = [{}]\n", json!("<b id=evil>me</b>"));
    }
    arena.write(&format!("{name}.toml"), text);
    let run = arena.also(&format!("tournament run {name}.toml --jobs 1"));
    assert_eq!(run.code, Some(0), "{run:#?}");
}

fn serve(folder: &Path) -> Serving {
    Serving::start("serve --listen 127.0.0.1:0", folder)
}

/// The text of a page; it has to be there.
fn page(serving: &Serving, path: &str) -> String {
    let answer = serving.get(path);
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    answer.body
}

#[test]
fn all_cups_are_listed_and_what_is_none_spoils_nothing() {
    let arena = ground();
    play(&arena, "spring", "round-robin", 1, "4", THREE);
    let results = arena.path("results");
    fs::create_dir(results.join("foreign")).expect("the folder is writable");
    arena.write("results/broken/cup.toml", "<script>alert(1)</script>");
    arena.write("results/broken/entrants.json", "[]");
    symlink("/etc", results.join("outside")).expect("links can be made");
    let serving = serve(arena.folder());
    let list = page(&serving, "/");
    for told in [
        "href=\"/cup/spring\"",
        "Othello",
        "finished",
        "6 matches",
        "Winner",
        "foreign",
        "there is no cup.toml",
        "broken",
    ] {
        assert!(list.contains(told), "{told:?} is not in {list}");
    }
    assert!(!list.contains("<script>alert") && !list.contains(&results.display().to_string()), "{list}");
    assert_eq!(serving.get("/cup/foreign").status, 500);
    for path in ["/cup/nothing", "/cup/outside", "/cup/..%2f..", "/cup/nothing/matches", "/cup/spring/bot/nobody"] {
        let answer = serving.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.body.contains("id=\"ways\"") && answer.body.contains("<a href=\"/"), "{path}: {}", answer.body);
    }
}

#[test]
fn matches_are_paged_and_chosen_by_bot_rival_set_and_fault() {
    let arena = ground();
    let wrong = arena.fixture_command("illegal-move --at 2");
    let bots = [("greedy", "greedy"), ("random", "random"), ("wrong", wrong.as_str())];
    play(&arena, "sets", "round-robin", 5, "[4, 6]", &bots);
    let serving = serve(arena.folder());
    let first = page(&serving, "/cup/sets/matches");
    assert!(first.contains("60 matches") && first.contains("Page 1 of 2"), "{first}");
    assert_eq!(first.matches("<th scope=\"row\"").count(), 50);
    assert_eq!(page(&serving, "/cup/sets/matches?page=2").matches("<th scope=\"row\"").count(), 10);
    for (query, count) in
        [("bot=greedy", 40), ("bot=greedy&against=random", 20), ("bot=greedy&against=random&set=2", 10), ("set=1", 30)]
    {
        let body = page(&serving, &format!("/cup/sets/matches?{query}"));
        assert!(body.contains(&format!("{count} matches")), "{query}: {body}");
    }
    let found = |query: &str| {
        let body = page(&serving, &format!("/cup/sets/matches?{query}"));
        let (_, rest) = body.split_once("id=\"found\">").expect("it says how many there are");
        rest.split_once('<').expect("it is a heading").0.to_string()
    };
    assert!(found("bot=wrong&faults=1").ends_with(" matches, the latest first"));
    assert_eq!(found("bot=wrong&faults=1"), found("faults=1"), "nobody else is ever at fault");
    assert_ne!(found("faults=1"), found(""), "not every match ends so");
    let gained = page(&serving, "/cup/sets/matches?bot=greedy&faults=1");
    assert!(gained.contains("No match"), "it gained, and was not at fault: {gained}");
    // Many numbers that there are not, more than are kept, change nothing of what there is.
    for number in [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 65_536, 70_000] {
        for path in ["", "/matches", "/live", "/part/standings"] {
            let answer = serving.get(&format!("/cup/sets{path}?set={number}"));
            assert_eq!(answer.status, 404, "{path} {number}: {}", answer.body);
            let told = format!("Set {number} was asked for; they are counted from 1 to 2.");
            assert!(answer.body.contains(&told) && answer.body.contains("href=\"/cup/sets\""), "{}", answer.body);
        }
    }
    let one = page(&serving, "/cup/sets?set=2");
    assert!(one.contains("set=2") && !one.contains("Score by parameter"), "{one}");
    let bot = page(&serving, "/cup/sets/bot/wrong");
    for told in ["Against each other bot", "By parameter set", "Thinking times", "illegal", "&lt;b id=evil&gt;"] {
        assert!(bot.contains(told), "{told:?} is not in {bot}");
    }
    assert!(!bot.contains("<b id=evil>"), "what authors are called is text");
}

#[test]
fn brackets_and_rounds_are_shown_with_who_goes_on_and_points_after_each() {
    let bots = [("a", "paper"), ("b", "greedy"), ("c", "random"), ("d", "greedy"), ("e", "random")];
    let arena = ground();
    for (name, format) in [("ko", "knockout"), ("double", "double-elimination"), ("swiss", "swiss")] {
        play(&arena, name, format, 1, "4", &bots);
    }
    let serving = serve(arena.folder());
    let knockout = page(&serving, "/cup/ko");
    for told in ["Bracket", "<h4>Final</h4>", "<i>bye</i>"] {
        assert!(knockout.contains(told), "{told} is not in {knockout}");
    }
    assert_eq!(knockout.matches("class=\"goes-on\"").count(), 4, "five bots need four ties");
    let double = page(&serving, "/cup/double");
    for told in ["Winners' bracket", "Losers' bracket", "Grand final"] {
        assert!(double.contains(told), "{told} is not in {double}");
    }
    let swiss = page(&serving, "/cup/swiss");
    assert!(swiss.contains("<h4>Round 1</h4>") && swiss.contains("in all"), "{swiss}");
    let report = fs::read_to_string(arena.path("results/ko/report.html")).expect("it is written");
    assert!(report.contains("<h4>Final</h4>"));
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let mut browser = Browser::start();
    for name in ["ko", "double", "swiss"] {
        fits_and_asks_nobody_else(&mut browser, &serving, &format!("cup/{name}"));
        // A tie leads to its matches.
        browser.click(".tie a");
        browser.until(
            "location.pathname.endsWith('/matches') && document.querySelectorAll('.matches tbody tr').length > 0",
        );
    }
    browser.was_quiet(&serving.url);
}

#[test]
fn a_cell_leads_to_the_matches_and_a_match_to_its_page_and_back() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let arena = ground();
    play(&arena, "sets", "round-robin", 2, "[4, 6]", THREE);
    let serving = serve(arena.folder());
    let mut browser = Browser::start();
    browser.look(1280, 800, "light");
    browser.visit(&serving.url);
    browser.click(".cups a");
    arrive(&mut browser, "/cup/sets", "document.querySelector('.filter select') !== null");
    browser.value("document.querySelector('.filter select').value = '2'");
    browser.click(".filter button");
    arrive(&mut browser, "/cup/sets", "location.search === '?set=2' && document.querySelector('.cross td a') !== null");
    browser.click(".cross td a");
    arrive(&mut browser, "/cup/sets/matches", "document.querySelector('#found') !== null");
    assert_eq!(browser.text("#found"), "4 matches, the latest first", "of the set that was looked at");
    browser.click(".matches tbody th a");
    arrive(&mut browser, "/cup/sets/match/", "document.documentElement.dataset.step === '0'");
    assert!(browser.text("#headline").contains(':'), "{}", browser.text("#headline"));
    assert_eq!(browser.value("document.getElementById('download').hidden"), json!(false));
    browser.click("#of a");
    arrive(&mut browser, "/cup/sets", "document.querySelector('.standings .bot a') !== null");
    browser.click(".standings .bot a");
    arrive(&mut browser, "/cup/sets/bot/", "document.querySelector('.against a') !== null");
    for path in ["", "cup/sets", "cup/sets/matches", "cup/sets/bot/paper"] {
        fits_and_asks_nobody_else(&mut browser, &serving, path);
    }
    browser.was_quiet(&serving.url);
}

#[test]
fn a_cup_is_watched_while_it_runs_and_to_its_end() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let arena = ground();
    let bot = arena.fixture_command("think 40");
    let words = format!(
        "tournament run --game othello --param size=4 --pairs 15 --seed 1 --out c/cup --isolation none --bot random --bot 'slow={bot}' \
         --serve 127.0.0.1:0"
    );
    let mut browser = Browser::start();
    browser.look(1280, 800, "light");
    let mut serving = Serving::start(&words, arena.folder());
    assert!(wait_until(Duration::from_secs(60), || serving.get("/cup/cup").status == 200), "the cup begins");
    browser.visit(&format!("{}cup/cup", serving.url));
    browser.value("window.mark = 1, window.played = () => Number(/([0-9]+) match(es are| is) played of/.exec(document.getElementById('result').innerText)?.[1] ?? -1), 0");
    browser.until("document.querySelector('#running a') !== null && played() >= 0");
    for _ in 0..2 {
        browser.value("window.before = played()");
        browser.until("played() > before");
    }
    assert_eq!(browser.value("window.mark"), json!(1), "without being loaded anew");
    browser.was_quiet(&serving.url);
    let address = serving.address().to_string();
    assert_eq!(serving.ends(), Some(0));
    browser.until("!document.getElementById('line').hidden");
    // The arena is there again, under the same address: the page goes on by itself.
    let again = Serving::start(&format!("serve --listen {address} --results c"), arena.folder());
    browser.until("document.getElementById('line').hidden && document.querySelector('#result:not(.open)') !== null");
    browser.until("document.querySelector('#running') === null && document.querySelector('#standings') !== null");
    assert_eq!(browser.value("window.mark"), json!(1));
    assert!(!browser.text("#result").contains("So far"), "{}", browser.text("#result"));
    drop(again);
}

#[test]
fn the_wall_goes_round_by_itself_and_outlasts_the_arena() {
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let bots: Vec<(String, &str)> = (0..13).map(|number| (format!("bot{number}"), "random")).collect();
    let bots: Vec<(&str, &str)> = bots.iter().map(|(name, bot)| (name.as_str(), *bot)).collect();
    let arena = ground();
    play(&arena, "wall", "swiss", 1, "4", &bots);
    // A match is being played, too: somebody, this test, writes it.
    let transcripts = arena.path("results/wall/transcripts");
    let some = fs::read_dir(&transcripts).expect("they are kept").flatten().next().expect("there are some").path();
    let text = fs::read_to_string(&some).expect("it is text");
    let begun: String = text.lines().take(6).map(|line| format!("{line}\n")).collect();
    let running = arena.write("results/wall/transcripts/.m.jsonl", begun);
    arena.write("results/wall/.lock", std::process::id().to_string());
    let serving = serve(arena.folder());
    let mut browser = Browser::start();
    browser.look(1920, 1080, "light");
    let wall = format!("{}cup/wall?wall", serving.url);
    browser.visit(&wall);
    assert_eq!(browser.value("document.querySelectorAll('.wall-table tbody tr').length"), 12);
    browser.click("#pause");
    assert_eq!(browser.value("document.querySelector('#pause').getAttribute('aria-pressed')"), "true");
    browser.click("#pause");
    browser.until(
        "location.search === '?wall=table&page=2' && document.querySelectorAll('.wall-table tbody tr').length === 1",
    );
    let upset = browser.value("document.querySelector('#round').dataset.next.includes('upset')");
    // Everything once and once more, as fast as an address can say.
    browser.visit(&format!("{wall}&every=1"));
    let history = browser.value("history.length");
    for _ in 0..2 {
        browser.until(
            "location.search.startsWith('?wall=table&page=2') && document.querySelector('.wall-table') !== null",
        );
        if upset == json!(true) {
            browser.until("location.search.startsWith('?wall=upset') && document.querySelector('.upset') !== null");
        }
        browser.until("location.pathname.endsWith('/match/m') && document.documentElement?.dataset.step !== undefined");
        assert!(
            browser.value("document.documentElement.scrollHeight <= innerHeight || !location.pathname.endsWith('/m')")
                == json!(true),
            "nobody scrolls"
        );
        browser.until(
            "location.search.startsWith('?wall=table&page=1') && document.querySelector('.wall-table') !== null",
        );
    }
    assert_eq!(browser.value("history.length"), history, "nothing gathers");
    browser.was_quiet(&serving.url);
    // A match that is thrown away while the page before it is shown is left out.
    let last = if upset == json!(true) { "wall=upset" } else { "wall=table&page=2" };
    browser.visit(&format!("{}cup/wall?{last}&every=5", serving.url));
    assert_eq!(browser.value("document.querySelector('#round').dataset.next.includes('/match/m')"), json!(true));
    fs::remove_file(running).expect("it is ours");
    browser.until("location.search.startsWith('?wall=table&page=1')");
    // The arena goes, and comes back.
    browser.visit(&format!("{wall}&every=1"));
    let address = serving.address().to_string();
    drop(serving);
    browser.until("document.querySelector('#away') !== null && !document.querySelector('#away').hidden");
    let again = Serving::start(&format!("serve --listen {address}"), arena.folder());
    browser.value("window.old = 1");
    browser.until("window.old === undefined && document.querySelector('#away')?.hidden === true");
    drop(again);
}

#[test]
fn whatever_a_cup_is_called_stays_text() {
    let arena = ground();
    play(&arena, "spring", "round-robin", 1, "4", THREE);
    let name = format!("{HOSTILE}{}", "x".repeat(60));
    fs::rename(arena.path("results/spring"), arena.path("results").join(&name)).expect("any name will do");
    fs::create_dir(arena.path("results").join(format!("{HOSTILE}2"))).expect("any name will do");
    let address: String = name.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let serving = serve(arena.folder());
    if !skip::needs(browser::PROGRAM) {
        return;
    }
    let mut browser = Browser::start();
    // What has a control character in it is no name of a cup: it is listed and told of, and not shown.
    let shown =
        "document.body.innerText.includes('<img src=x onerror=') && document.body.innerText.includes('\\\\u202e')";
    for path in [String::new(), format!("cup/{address}")] {
        browser.look(360, 740, "dark");
        browser.visit(&format!("{}{path}", serving.url));
        assert_eq!(browser.value(shown), json!(true), "{path}: {}", browser.text("body"));
        stays_text(&mut browser, &path);
    }
    let name = name.replace('\u{1}', "");
    let old = format!("{HOSTILE}{}", "x".repeat(60));
    fs::rename(arena.path("results").join(old), arena.path("results").join(&name)).expect("any name will do");
    let address: String = name.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let id = fs::read_dir(arena.path("results").join(&name).join("transcripts")).expect("they are kept");
    let id = id.flatten().next().expect("there is one").file_name().to_string_lossy().replace(".jsonl", "");
    for path in ["", "/matches", "/bot/paper", "?wall", "?wall=upset", &format!("/match/{}", id.replace('+', "%2b"))] {
        for width in [360, 1280] {
            browser.look(width, 740, "dark");
            browser.visit(&format!("{}cup/{address}{path}", serving.url));
            assert_eq!(browser.value(shown), json!(true), "{path}: {}", browser.text("body"));
            stays_text(&mut browser, path);
        }
    }
    let complaints: Vec<&String> = browser.complaints().iter().filter(|text| !text.contains("404")).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
    browser.asked_only(&serving.url);
}

fn stays_text(browser: &mut Browser, path: &str) {
    let taken = "document.documentElement.dataset.taken ?? document.querySelector('#evil, img')?.outerHTML ?? null";
    assert_eq!(browser.value(taken), Value::Null, "{path}");
    assert_eq!(
        browser.value("/[\\u202a-\\u202e\\u200e\\u200f]/.test(document.body.textContent)"),
        json!(false),
        "{path}"
    );
    assert_eq!(browser.value("document.documentElement.scrollWidth <= innerWidth"), json!(true), "{path}");
}

#[test]
fn a_running_match_of_a_person_is_no_finished_one() {
    let arena = ground();
    let serving = Serving::start("serve --listen 127.0.0.1:0 --bot random", arena.folder());
    let begun = serving.post("/play", &json!({"game": "othello", "bot": "random"}).to_string());
    assert_eq!(begun.status, 200, "{begun:?}");
    let told: Value = serde_json::from_str(&begun.body).expect("it is JSON");
    let address = told["address"].as_str().expect("a match has an address");
    let files = fs::read_dir(arena.path("results/played/transcripts")).expect("matches are kept");
    let id = files.flatten().next().expect("it is begun").file_name().to_string_lossy().replace(".jsonl", "");
    let (mut pieces, mut name) = (Vec::new(), String::new());
    serving.listen(&format!("/cup/played/match/{id}/live"), "", |line| {
        if let Some(event) = line.strip_prefix("event: ") {
            name = event.to_string();
        }
        if let Some(data) = line.strip_prefix("data: ").filter(|_| name == "piece") {
            pieces.push(serde_json::from_str::<Value>(data).expect("what is told is JSON"));
            if pieces.len() == 1 {
                assert_eq!(serving.post(&format!("{address}/resign"), "{}").status, 200);
            }
        }
        name != "over"
    });
    assert_eq!(pieces[0]["result"], Value::Null, "it has only begun: {pieces:?}");
    let result = &pieces.last().expect("there is an end")["result"];
    assert!(pieces.len() > 1 && result["kind"] != "unfinished", "its end is told: {pieces:?}");
}

#[test]
fn a_download_tells_nothing_that_is_not_shown() {
    let arena = Arena::new(["match", "othello"]).args("--bot random").fixture("broken", "stderr-no-newline-then-crash");
    let arena = arena.args("--transcript results/cup/transcripts/m.jsonl --quiet");
    fs::create_dir_all(arena.path("results/cup/transcripts")).expect("the folder is writable");
    arena.run();
    let recorded = transcript::transcript(&arena.path("results/cup/transcripts/m.jsonl"));
    let (header, result) = (&recorded[0], recorded.last().expect("it has a result"));
    let detail = result["detail"].as_str().expect("a fault has a detail");
    let said = detail.rsplit_once("its stderr ends:\n").expect("it is quoted").1;
    let folder = header["players"][1]["command"][0].as_str().and_then(|path| path.rsplit_once('/')).expect("a path").0;
    for (flag, shows) in [("", false), ("--show-logs", true)] {
        let serving = Serving::start(&format!("serve --listen 127.0.0.1:0 {flag}"), arena.folder());
        let host = serving.address().to_string();
        // In HTTP/1.0 a body is sent as it is.
        let asked = format!("GET /cup/cup/match/m/transcript HTTP/1.0\r\nHost: {host}\r\n\r\n");
        let taken = serving.send(&asked).body;
        for private in [said.lines().next().expect("it said something"), folder] {
            let private = json!(private).to_string();
            assert_eq!(taken.contains(private.trim_matches('"')), shows, "{private}: {taken}");
        }
        assert!(taken.contains("\"reason\":\"crashed\"") && taken.contains("fixture"), "{taken}");
        let run = arena.also(&format!("verify {}", arena.write("taken.jsonl", &taken).display()));
        assert_eq!(run.code, Some(0), "{run:#?}");
    }
}

/// A page is no broader than its window, whatever that is, and nothing comes from elsewhere.
fn fits_and_asks_nobody_else(browser: &mut Browser, serving: &Serving, path: &str) {
    for (width, scheme) in [(360, "light"), (1280, "dark"), (1920, "light")] {
        browser.look(width, 800, scheme);
        browser.visit(&format!("{}{path}", serving.url));
        let fits = browser.value("document.documentElement.scrollWidth <= window.innerWidth");
        assert_eq!(fits, json!(true), "{path} is broader than {width}");
    }
    browser.was_quiet(&serving.url);
}

/// Waits for a page that another one leads to, until it is whole: what is to be clicked moves before.
fn arrive(browser: &mut Browser, path: &str, holds: &str) {
    browser.until(&format!("document.readyState === 'complete' && location.pathname.startsWith('{path}') && {holds}"));
}
