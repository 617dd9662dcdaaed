//! Play against a bot on the page, in a real browser: by mouse, by finger and by keyboard, to the result.

mod hands;
mod requests;
mod windows;

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use tests::browser::Browser;
use tests::page::Serving;
use tests::processes::wait_until;

/// A page on which `random` can be played, and the folder that it is served from.
struct Ground {
    page: Serving,
    folder: TempDir,
}

impl Ground {
    fn new() -> Ground {
        Ground::with("--bot random")
    }

    /// The same with other words for `arena serve`.
    fn with(words: &str) -> Ground {
        let folder = TempDir::with_prefix("arena-play-").expect("a folder for temporary files");
        let page = Serving::start(&format!("serve --listen 127.0.0.1:0 --results results {words}"), folder.path());
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
        let mut told = Value::Null;
        let comes = wait_until(Duration::from_secs(60), || {
            told = self.told(self.page.get(&format!("{address}/targets?path={query}")));
            told["turn"] != Value::Null || self.told(self.page.get(&format!("{address}/state")))["over"] == json!(true)
        });
        assert!(comes, "{address}: neither a turn nor an end comes");
        (told["turn"] != Value::Null).then_some(told)
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
     document.getElementById('hand').innerHTML, document.getElementById('passed').hidden, \
     document.getElementById('board').className].join('|')";

/// Waits for what is to be done next, once the state differs from this one.
fn wait(browser: &mut Browser, before: &str) -> String {
    // What waits may be replaced between two looks: by the next step, which waits as well.
    for _ in 0..20 {
        browser.until(&format!("{WAITS} !== null && {STATE} !== {}", json!(before)));
        if let Some(waits) = browser.value(WAITS).as_str() {
            return waits.to_string();
        }
    }
    panic!("what waits goes again and again");
}

fn state(browser: &mut Browser) -> String {
    browser.value(STATE).as_str().expect("a text").to_string()
}

/// With what somebody plays.
#[derive(Clone, Copy)]
enum Hand {
    Mouse,
    Finger,
}

impl Hand {
    /// Clicks or taps into the middle of an element.
    fn press(self, browser: &mut Browser, selector: &str) {
        match self {
            Hand::Mouse => browser.click(selector),
            Hand::Finger => browser.tap(selector),
        }
    }

    fn press_at(self, browser: &mut Browser, place: &Value) {
        match self {
            Hand::Mouse => browser.click_at(place),
            Hand::Finger => browser.tap_at(place),
        }
    }

    /// Plays until the match is over: always the first choice. How often it was passed.
    fn plays(self, browser: &mut Browser) -> u32 {
        let (mut before, mut passes) = (String::new(), 0);
        for _ in 0..300 {
            let waits = wait(browser, &before);
            before = state(browser);
            match waits.as_str() {
                "over" => return passes,
                "pass" => {
                    passes += 1;
                    self.press(browser, "#pass-ok");
                }
                "ring" => {
                    let at = browser.value(
                        "(() => { const arc = document.querySelector('#choices .allowed'); arc.scrollIntoView({ block: 'center', inline: 'center' }); \
                         const matrix = arc.getScreenCTM(); \
                         const at = (part) => arc.getPointAtLength(arc.getTotalLength() * part).matrixTransform(matrix); \
                         const seen = ({ x, y }) => document.elementFromPoint(x, y)?.closest('#choices') != null; \
                         const { x, y } = [0.5, 0.25, 0.75, 0.1, 0.9].map(at).find(seen); \
                         return [x, y]; })()",
                    );
                    self.press_at(browser, &at);
                }
                "hand" => self.press(browser, "#hand button"),
                _ => self.press(browser, "#choices .choice"),
            }
        }
        panic!("the match does not end");
    }
}

/// The turn from which a recorded match goes on, where it does.
fn transcript_from(file: &Path) -> Option<u64> {
    let text = fs::read_to_string(file).expect("the transcript is there");
    let header: Value = serde_json::from_str(text.lines().next().expect("it has lines")).expect("it is JSON");
    header["from"]["turn"].as_u64()
}
