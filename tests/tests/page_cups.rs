//! The pages of cups, as they are served: over plain requests, and in a real browser.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tests::arena::Arena;
use tests::browser::{Browser, PROGRAM};
use tests::page::Serving;
use tests::skip::needs;

/// A cup of small matches, in a folder of cups.
fn cup(name: &str, format: &str, pairs: u32, sets: &str, bots: &[(&str, &str)]) -> Arena {
    let arena = Arena::new(["tournament"]).within(Duration::from_secs(300));
    write(&arena, name, format, pairs, sets, bots);
    arena
}

fn write(arena: &Arena, name: &str, format: &str, pairs: u32, sets: &str, bots: &[(&str, &str)]) {
    let mut text = format!(
        "name = \"{name}\"\ngame = \"othello\"\nformat = \"{format}\"\npairs = {pairs}\nseed = 3\n[params]\nsize = {sets}\nopening = 2\n\
         [isolation]\nmode = \"none\"\n"
    );
    for (name, command) in bots {
        text += &format!("[[bots]]\nname = {name:?}\nbot = {command:?}\nauthors = [\"<b id=evil>{name}</b>\"]\n");
    }
    arena.write(&format!("{name}.toml"), text);
}

fn play(arena: &Arena, name: &str) {
    let run = arena.also(&format!("tournament run {name}.toml --jobs 1"));
    assert_eq!(run.code, Some(0), "{run:#?}");
}

const THREE: &[(&str, &str)] = &[("paper", "paper"), ("greedy", "greedy"), ("random", "random")];

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
    let arena = cup("spring", "round-robin", 1, "4", THREE);
    play(&arena, "spring");
    let results = arena.path("results");
    fs::create_dir(results.join("foreign")).unwrap();
    fs::create_dir(results.join("broken")).unwrap();
    fs::write(results.join("broken/cup.toml"), "<script>alert(1)</script>").unwrap();
    fs::write(results.join("broken/entrants.json"), "[]").unwrap();
    symlink("/etc", results.join("outside")).unwrap();
    let serving = serve(arena.folder());
    let list = page(&serving, "/");
    for told in ["href=\"/cup/spring\"", "finished", "6 matches", "Winner", "foreign", "there is no cup.toml", "broken"]
    {
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
    let arena = Arena::new(["tournament"]);
    let wrong = arena.fixture_command("illegal-move --at 2");
    let bots = [("greedy", "greedy"), ("random", "random"), ("wrong", wrong.as_str())];
    write(&arena, "sets", "round-robin", 5, "[4, 6]", &bots);
    play(&arena, "sets");
    let serving = serve(arena.folder());
    let first = page(&serving, "/cup/sets/matches");
    assert!(first.contains("60 matches") && first.contains("Page 1 of 2"), "{first}");
    assert_eq!(first.matches("<th scope=\"row\"").count(), 50);
    assert_eq!(page(&serving, "/cup/sets/matches?page=2").matches("<th scope=\"row\"").count(), 10);
    for (query, count) in [
        ("bot=greedy", 40),
        ("bot=greedy&against=random", 20),
        ("bot=greedy&against=random&set=2", 10),
        ("set=1", 30),
        ("bot=wrong&faults=1", 40),
    ] {
        let body = page(&serving, &format!("/cup/sets/matches?{query}"));
        assert!(body.contains(&format!("{count} matches")), "{query}: {body}");
    }
    assert!(
        page(&serving, "/cup/sets/matches?bot=greedy&faults=1").contains("No match"),
        "it gained, and was not at fault"
    );
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
    let arena = cup("ko", "knockout", 1, "4", &bots);
    write(&arena, "double", "double-elimination", 1, "4", &bots);
    write(&arena, "swiss", "swiss", 1, "4", &bots);
    ["ko", "double", "swiss"].iter().for_each(|name| play(&arena, name));
    let serving = serve(arena.folder());
    let knockout = page(&serving, "/cup/ko");
    assert!(
        knockout.contains("Bracket") && knockout.contains("<h4>Final</h4>") && knockout.contains("<i>bye</i>"),
        "{knockout}"
    );
    assert_eq!(knockout.matches("class=\"goes-on\"").count(), 4, "five bots need four ties");
    let double = page(&serving, "/cup/double");
    for told in ["Winners' bracket", "Losers' bracket", "Grand final"] {
        assert!(double.contains(told) || double.contains(&told.replace('\'', "&#39;")), "{told} is not in {double}");
    }
    let swiss = page(&serving, "/cup/swiss");
    assert!(swiss.contains("<h4>Round 1</h4>") && swiss.contains("in all"), "{swiss}");
    assert!(fs::read_to_string(arena.path("results/ko/report.html")).unwrap().contains("<h4>Final</h4>"));
}

#[test]
fn a_cup_is_watched_to_its_end_and_pages_fit_and_ask_nobody_else() {
    if !needs(PROGRAM) {
        return;
    }
    let arena = cup("live", "round-robin", 12, "6", THREE);
    arena.write("results/.keep", "");
    let mut browser = Browser::start();
    let serving = serve(arena.folder());
    std::thread::scope(|scope| {
        let playing = scope.spawn(|| play(&arena, "live"));
        let begun = arena.path("results/live/matches.csv");
        wait_for(&begun);
        browser.visit(&format!("{}cup/live", serving.url));
        browser.until("document.querySelector('#result p:last-child').innerText.includes('Elo') && !document.querySelector('#running')");
        playing.join().expect("it is played");
    });
    browser.until("document.querySelector('#result').innerText.includes('of 48 matches')");
    browser.click("#crosstable tbody a");
    browser.until("location.pathname.endsWith('/matches') && document.readyState === 'complete'");
    assert!(browser.text("#found").contains("24 matches"));
    for path in ["", "cup/live", "cup/live/matches", "cup/live/bot/paper", "cup/nothing"] {
        for width in [360, 1280, 1920] {
            browser.look(width, 800, "light");
            if path != "cup/nothing" {
                browser.visit(&format!("{}{path}", serving.url));
                assert_eq!(
                    browser.value("document.documentElement.scrollWidth <= window.innerWidth"),
                    true,
                    "{path} is broader than {width}"
                );
            }
        }
    }
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
    let own = |url: &&String| !url.starts_with(&serving.url) && !url.starts_with("about:");
    assert_eq!(browser.requests().iter().find(own), None, "nothing is asked for elsewhere");
}

#[test]
fn the_wall_goes_round_can_be_stopped_and_outlasts_the_arena() {
    if !needs(PROGRAM) {
        return;
    }
    let bots: Vec<(String, &str)> = (0..13).map(|number| (format!("bot{number}"), "random")).collect();
    let bots: Vec<(&str, &str)> = bots.iter().map(|(name, bot)| (name.as_str(), *bot)).collect();
    let arena = cup("wall", "swiss", 1, "4", &bots);
    play(&arena, "wall");
    let serving = serve(arena.folder());
    let mut browser = Browser::start();
    browser.visit(&format!("{}cup/wall?wall", serving.url));
    assert_eq!(browser.value("document.querySelectorAll('.wall-table tbody tr').length"), 12);
    let next = browser.value("document.querySelector('#round').dataset.next");
    assert!(next.as_str().unwrap().contains("wall=table&page=2"), "{next}");
    browser.click("#pause");
    assert_eq!(browser.value("document.querySelector('#pause').getAttribute('aria-pressed')"), "true");
    browser.click("#pause");
    browser.until("location.search === '?wall=table&page=2' && document.readyState === 'complete'");
    assert_eq!(browser.value("document.querySelectorAll('.wall-table tbody tr').length"), 1);
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
    let address = serving.address().to_string();
    drop(serving);
    browser.click("#pause");
    browser.click("#pause");
    browser.until("!document.querySelector('#away').hidden");
    let _again = Serving::start(&format!("serve --listen {address}"), arena.folder());
    browser.until("location.search !== '?wall=table&page=2'");
}

/// Waits for a file to be there, within a bound.
fn wait_for(file: &PathBuf) {
    let bound = std::time::Instant::now() + Duration::from_secs(60);
    while !file.exists() {
        assert!(std::time::Instant::now() < bound, "{} does not come", file.display());
        std::thread::yield_now();
    }
}
