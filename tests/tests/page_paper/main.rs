//! The page of the Paper, as a child uses it: in a browser, by clicks and keys.

mod games;
mod hands;
mod rules;
mod server;

use arena::game::{Game, Params, Status};
use arena::games::othello::{Move, Othello};
use arena::seat::Seat;
use serde_json::{Value, json};
use tests::browser::{Browser, PROGRAM};
use tests::page::Serving;
use tests::skip;

/// The Paper against itself, as the worksheet has it.
const LINE: &str = "c2 d2 e4 d5 c6 f4 d1 b4 f3 c1 a4 e3 b3 d6 c5 a3 b1 f2 a2 f5 e6 b2 e2 a1 a5 a6 b5 f1 b6 f6 e5 e1";
const WORKSHEET: &str = "corner,avoid,edge,most";

struct Page {
    browser: Browser,
    serving: Serving,
    _folder: tempfile::TempDir,
}

impl Page {
    /// Opens the page; nothing where there is no browser.
    fn open() -> Option<Page> {
        if !skip::needs(PROGRAM) {
            return None;
        }
        let (folder, serving) = serve();
        let mut browser = Browser::start();
        browser.look(1280, 1000, "light");
        browser.visit(&format!("{}paper", serving.url));
        Some(Page { browser, serving, _folder: folder })
    }

    /// Clicks a button that says this.
    fn press(&mut self, text: &str) {
        let found =
            format!("[...document.querySelectorAll('button')].find((one) => one.textContent === {})", json!(text));
        self.browser.until(&format!("{found} && !{found}.disabled && {found}.getClientRects().length"));
        self.browser.value(&format!(
            "(() => {{ for (const old of document.querySelectorAll('[data-pressed]')) delete old.dataset.pressed;
               const one = {found}; one.dataset.pressed = ''; }})()"
        ));
        self.browser.click("[data-pressed]");
    }

    /// Waits until a square can be clicked, and no answer is awaited that would draw the board anew, and clicks it.
    fn square(&mut self, name: &str) {
        let target = format!("#board .target[role=button][aria-label={name}]");
        self.browser.until(&format!("!state.waiting && document.querySelector('{target}')"));
        self.browser.click(&target);
    }

    fn until_said(&mut self, text: &str) {
        self.browser.until(&format!("document.getElementById('say').innerText.includes({})", json!(text)));
    }

    fn choose(&mut self, select: &str, value: &str) {
        self.browser.value(&format!(
            "(() => {{ const one = document.querySelector('{select}'); one.value = {};
               one.dispatchEvent(new Event('change')); return one.value; }})()",
            json!(value)
        ));
    }

    /// Waits until so many turns are played, passes too, and the position that they lead to is there.
    fn until_played(&mut self, turns: usize) {
        self.browser.until(&format!("!state.waiting && document.querySelectorAll('#played li').length >= {turns}"));
    }

    /// So many turns are played.
    fn turns(&mut self) -> usize {
        self.browser.value("document.querySelectorAll('#played li').length").as_u64().expect("a number") as usize
    }

    /// Writes the names on the sheet.
    fn call_them(&mut self, one: &str, other: &str) {
        let names = json!([one, other]);
        self.browser.value(&format!(
            "for (const [at, name] of {names}.entries()) {{ const one = document.getElementById(`name-${{at}}`);
               one.value = name; one.dispatchEvent(new Event('input')); }}"
        ));
    }

    /// The page has complained of nothing and asked nobody else.
    fn was_quiet(&self) {
        self.browser.was_quiet(&self.serving.url);
    }
}

fn serve() -> (tempfile::TempDir, Serving) {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let serving = Serving::start("serve --listen 127.0.0.1:0", folder.path());
    (folder, serving)
}

/// What the server tells of a position.
fn position(serving: &Serving, moves: &[Value], rules: &str) -> Value {
    let rules: Vec<&str> = rules.split(',').collect();
    let answer = serving.post("/paper/position", &json!({ "moves": moves, "rules": rules }).to_string());
    assert_eq!(answer.status, 200, "{answer:?}");
    serde_json::from_str(&answer.body).expect("it tells JSON")
}

fn start() -> Othello {
    Othello::start(&Params::from_iter([("size".to_string(), json!(6))]), 0).expect("the size is allowed")
}

/// The game's turns (`null` for a pass) when White plays what is chosen here, and its end.
fn against(serving: &Serving, mut white: impl FnMut(&[Move]) -> Move) -> (Vec<Value>, [i64; 2]) {
    let (mut game, mut moves) = (start(), Vec::new());
    loop {
        let mv = match game.status() {
            Status::Over(_) => return (moves, game.scores()),
            Status::MustPass(_) => {
                game.pass();
                moves.push(Value::Null);
                continue;
            }
            Status::ToMove(Seat::First) => {
                let told = position(serving, &moves, WORKSHEET)["explanation"]["chosen"].clone();
                game.read_move(&told).expect("the Paper plays moves")
            }
            Status::ToMove(Seat::Second) => white(&game.legal_moves().expect("the game lists its moves")),
        };
        game.check(&mv).expect("the move is legal");
        game.apply(&mv);
        moves.push(json!(Othello::move_text(&mv)));
    }
}

/// A game in which White beats the Paper, and somebody has to pass.
fn won_by_white(serving: &Serving) -> (Vec<Value>, [i64; 2]) {
    for seed in 0..300 {
        let mut stream = arena::seed::Stream::new(seed, "white");
        let (moves, scores) = against(serving, |legal| stream.pick(legal).clone());
        if scores[1] > scores[0] && moves.iter().any(Value::is_null) {
            return (moves, scores);
        }
    }
    panic!("none of 300 games was won by White");
}
