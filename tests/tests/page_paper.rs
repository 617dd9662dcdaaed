//! The page of the Paper, as a child uses it: in a browser, by clicks and keys.

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
               const one = {found}; one.dataset.pressed = ''; one.scrollIntoView({{block: 'center'}}); }})()"
        ));
        self.browser.click("[data-pressed]");
    }

    /// Waits until a square can be clicked, and clicks it.
    fn square(&mut self, name: &str) {
        let target = format!("#board .target[role=button][aria-label={name}]");
        self.browser.until(&format!("document.querySelector('{target}')"));
        self.browser.value(&format!("document.querySelector('{target}').scrollIntoView({{block: 'center'}})"));
        self.browser.click(&target);
    }

    fn until_said(&mut self, text: &str) {
        self.browser.until(&format!("document.getElementById('say').innerText.includes({})", json!(text)));
    }

    fn said(&mut self) -> String {
        self.browser.text("#say")
    }

    fn choose(&mut self, select: &str, value: &str) {
        self.browser.value(&format!(
            "(() => {{ const one = document.querySelector('{select}'); one.value = {};
               one.dispatchEvent(new Event('change')); return one.value; }})()",
            json!(value)
        ));
    }

    /// The page has complained of nothing and asked nobody else.
    fn was_quiet(&self) {
        assert_eq!(self.browser.complaints(), [] as [String; 0]);
        let url = &self.serving.url;
        let elsewhere: Vec<_> =
            self.browser.requests().iter().filter(|asked| !asked.starts_with(url) && *asked != "about:blank").collect();
        assert!(elsewhere.is_empty(), "{elsewhere:?}");
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

#[test]
fn the_paper_is_beaten_by_clicks_and_passes_are_confirmed() {
    let Some(mut page) = Page::open() else { return };
    let (moves, [paper, you]) = won_by_white(&page.serving);
    for (at, mv) in moves.iter().enumerate() {
        match mv.as_str() {
            Some(name) if at % 2 == 1 => {
                page.until_said("Your turn! You are White");
                page.square(name);
            }
            // The Paper moves by itself, and tells why.
            Some(_) => {}
            None if at % 2 == 1 => {
                page.until_said("You have no move, so you must pass.");
                page.press("Pass");
            }
            None => {
                page.until_said("The Paper has no move and must pass.");
                page.press("Go on");
            }
        }
    }
    page.until_said(&format!("You have won! The Paper {paper}, you {you}."));
    // The sheet.
    page.press("Result sheet");
    page.browser.value(
        "(() => { const one = document.getElementById('name-0'); one.value = '<b>Ada</b>';
          one.dispatchEvent(new Event('input')); return 1; })()",
    );
    let sheet = page.browser.text("#sheet");
    assert!(sheet.contains("<b>Ada</b>") && sheet.contains(&format!("The Paper {paper}, you {you}.")), "{sheet}");
    let played: Vec<&str> = moves.iter().map(|mv| mv.as_str().unwrap_or("pass")).collect();
    assert!(sheet.contains(&played.join(" ")), "{sheet}");
    page.was_quiet();
}

#[test]
fn paper_against_paper_is_shown_rule_by_rule() {
    let Some(mut page) = Page::open() else { return };
    page.press("Watch the Paper");
    page.choose("#opponent", "paper");
    page.until_said("What does the Paper do?");
    // The first move, rule by rule.
    for says in ["Rule 1 changes nothing here.", "Rule 2 changes nothing here.", "Rule 3 changes nothing here."] {
        page.press("Next rule");
        page.until_said(says);
    }
    page.press("Next rule");
    page.until_said("Rule 4 picks c2, b3, e4 and d5.");
    page.press("Next rule");
    page.until_said("of those the one closest to the top, then farthest left is played: c2.");
    assert_eq!(page.browser.value("document.querySelectorAll('#steps li').length"), json!(4));
    assert_eq!(page.browser.value("document.querySelectorAll('#board .ring').length"), json!(1));
    let mut passes = 0;
    for (number, _) in LINE.split(' ').enumerate() {
        // A pass is confirmed first.
        loop {
            let turns = format!("document.getElementById('played').textContent.split(',').length - {passes}");
            let have = if number == 0 { "true".to_string() } else { format!("{turns} >= {number}") };
            page.browser.until(&format!(
                "{have} && [...document.querySelectorAll('#actions button')].some((one) => /Next move|Go on/.test(one.innerText))"
            ));
            if page.browser.value("document.querySelector('#actions button').innerText") == json!("Go on") {
                page.press("Go on");
                passes += 1;
                continue;
            }
            break;
        }
        page.press("Next move");
    }
    page.until_said("The Paper 6, White 30.");
    let played = page.browser.value("document.getElementById('played').textContent");
    let played = played.as_str().expect("a text");
    let squares: Vec<&str> =
        played.split(", ").filter_map(|turn| turn.split(' ').next_back()).filter(|word| *word != "pass").collect();
    assert_eq!(squares.join(" "), LINE);
    page.was_quiet();
}

#[test]
fn whoever_is_the_paper_is_told_which_rule_was_overlooked() {
    let Some(mut page) = Page::open() else { return };
    page.press("Be the Paper");
    page.choose("#opponent", "friend");
    page.until_said("You are the Paper (Black). Which square do the rules choose?");
    page.square("b3");
    page.until_said("Rule 4 picks c2, b3, e4 and d5; of those the one closest to the top, then farthest left is played: c2. Try again.");
    page.square("c2");
    page.until_said("White, it is your turn: click a square with a dot.");
    // On goes the line of the worksheet; wherever a rule crosses a square off, it is tried first.
    let mut moves = vec![json!("c2")];
    let mut crossed = None;
    let mut mistakes = 1;
    for name in LINE.split(' ').skip(1) {
        let mut told = position(&page.serving, &moves, WORKSHEET);
        if told["next"] == "pass" {
            page.press("Go on");
            moves.push(Value::Null);
            told = position(&page.serving, &moves, WORKSHEET);
        }
        let instead = told["explanation"]["instead"].as_array().cloned().unwrap_or_default();
        let off =
            |one: &Value| one["says"].as_str().is_some_and(|says| says.starts_with("Rule 2 crosses this square off"));
        if let (None, Some(wrong)) = (&crossed, instead.iter().find(|one| off(one))) {
            page.until_said("Which square do the rules choose?");
            page.square(wrong["key"].as_str().expect("a square"));
            page.until_said(wrong["says"].as_str().expect("a sentence"));
            crossed = Some(page.said());
            mistakes += 1;
        }
        page.square(name);
        moves.push(json!(name));
        let count = moves.len();
        page.browser.until(&format!("document.getElementById('played').textContent.split(',').length === {count}"));
    }
    let crossed = crossed.expect("somewhere a square is crossed off");
    assert!(crossed.contains("It crosses off the squares beside a corner that is empty"), "{crossed}");
    page.until_said(&format!("The Paper 6, White 30. Mistakes: {mistakes}."));
    // The second game swaps the jobs, not the colours.
    page.press("Result sheet");
    page.browser.value(
        "(() => { for (const [at, name] of ['Ada', 'Ben'].entries()) document.getElementById(`name-${at}`).value = name;
          document.getElementById('name-0').dispatchEvent(new Event('input')); return 1; })()",
    );
    let row = page.browser.text("#games tbody tr");
    assert!(row.contains("Ada\tBen\t") && row.ends_with(&mistakes.to_string()), "{row}");
    page.press("Game 2: swap the jobs");
    page.until_said("You are the Paper (Black)");
    page.was_quiet();
}

#[test]
fn a_changed_list_of_rules_changes_the_move_and_is_compared() {
    let Some(mut page) = Page::open() else { return };
    // In some position of a game the two lists play differently.
    let mut found = None;
    let (mut game, mut moves): (Othello, Vec<Value>) = (start(), Vec::new());
    for name in LINE.split(' ') {
        if game.status() == Status::ToMove(Seat::First) {
            let chosen = |rules| position(&page.serving, &moves, rules)["explanation"]["chosen"].clone();
            let [worksheet, swapped] = [WORKSHEET, "corner,avoid,most,edge"].map(chosen);
            if worksheet != swapped {
                found = Some((moves.clone(), worksheet, swapped));
                break;
            }
        }
        let mv = game.read_move(&json!(name)).expect("a square");
        game.apply(&mv);
        moves.push(json!(name));
        if matches!(game.status(), Status::MustPass(_)) {
            game.pass();
            moves.push(Value::Null);
        }
    }
    assert!(found.is_some(), "the order of rules 3 and 4 matters somewhere on the line");

    page.press("Change the rules");
    page.browser.value("document.querySelector('[data-rule=edge] [data-does=down]').scrollIntoView({block: 'center'})");
    page.browser.click("[data-rule=edge] [data-does=down]");
    let list = "[...document.querySelectorAll('#list li')].map((one) => one.dataset.rule).join()";
    assert_eq!(page.browser.value(list), json!("corner,avoid,most,edge"));
    assert_eq!(page.browser.value("document.activeElement.getAttribute('aria-label')"), json!("edge: up"));
    // All rules can be taken out but the last; others are added.
    page.choose("#more", "mobility");
    page.press("Add");
    page.browser.value(
        "document.querySelector('[data-rule=mobility] [data-does=\"take out\"]').scrollIntoView({block: 'center'})",
    );
    page.browser.click("[data-rule=mobility] [data-does='take out']");
    assert_eq!(page.browser.value(list), json!("corner,avoid,most,edge"));
    page.choose("#against", "random");
    page.choose("#matches", "50");
    page.press("Compare");
    page.browser.until("!document.getElementById('compared').hidden");
    let rows = page.browser.value(
        "[...document.querySelectorAll('#compared tbody tr')].map((row) => [...row.cells].slice(1, 4).reduce((sum, cell) => sum + Number(cell.innerText), 0))",
    );
    assert_eq!(rows, json!([50, 50]));
    let verdict = page.browser.text("#verdict");
    assert!(verdict.contains("of 50 matches"), "{verdict}");
    page.press("Play again with these rules");
    page.until_said("Your turn!");
    page.browser.value("document.getElementById('why').open = true");
    page.was_quiet();
}

#[test]
fn it_is_played_with_keys_alone() {
    let Some(mut page) = Page::open() else { return };
    page.until_said("Your turn!");
    page.browser.value("document.querySelector('#board .target').focus()");
    page.browser.press("Enter");
    page.browser.until("document.getElementById('played').textContent.split(',').length >= 2");
    page.was_quiet();
}

#[test]
fn on_paper_only_the_sheet_is_printed() {
    let Some(mut page) = Page::open() else { return };
    page.until_said("Your turn!");
    let shown = "[...document.querySelectorAll('#paper > *')].filter((one) => one.getClientRects().length).map((one) => one.id)";
    page.browser.print_view();
    assert_eq!(page.browser.value(shown), json!(["sheet"]));
    let lines = "[...document.querySelectorAll('#sheet .write')].filter((one) => one.getClientRects().length).length";
    assert_eq!(page.browser.value(lines), json!(3));
    page.was_quiet();
}

#[test]
fn what_makes_no_sense_is_refused_with_the_reason() {
    let (_folder, serving) = serve();
    let refused = |path: &str, body: &str, why: &str| {
        let answer = serving.post(path, body);
        assert!((400..500).contains(&answer.status) && answer.body.contains(why), "{body}: {answer:?}");
    };
    let rules = r#""rules":["corner"]"#;
    for path in ["/paper/position", "/paper/compare"] {
        refused(path, "nonsense", "JSON");
        refused(path, "[]", "");
        refused(path, "{}", "missing field");
    }
    refused("/paper/position", r#"{"moves":[],"rules":["corner","cheat; rm"]}"#, "there is no rule `cheat; rm`");
    refused("/paper/position", r#"{"moves":[],"rules":[]}"#, "keep at least one");
    refused("/paper/position", r#"{"moves":[],"rules":["most","most"]}"#, "twice");
    refused("/paper/position", &format!(r#"{{"moves":["a1"],{rules}}}"#), "move 1 cannot be played");
    refused("/paper/position", &format!(r#"{{"moves":[null],{rules}}}"#), "move 1 cannot be played");
    refused("/paper/position", &format!(r#"{{"moves":[{{"x":[1]}}],{rules}}}"#), "move 1 cannot be played");
    refused("/paper/position", &format!(r#"{{"moves":[],{rules},"opponent":"../../bin/sh"}}"#), "no such opponent");
    refused("/paper/position", &format!(r#"{{"moves":[],{rules},"seed":9007199254740992}}"#), "too large");
    refused("/paper/position", &format!(r#"{{"moves":[],{rules},"more":1}}"#), "unknown field");
    let many = vec!["\"c2\""; 10_000].join(",");
    refused("/paper/position", &format!(r#"{{"moves":[{many}],{rules}}}"#), "10000 moves are too many");
    let compared = |against: &str, matches: i64| {
        json!({ "a": ["most"], "b": ["edge"], "against": against, "matches": matches }).to_string()
    };
    refused("/paper/compare", &compared("random", 0), "0 matches cannot be played");
    refused("/paper/compare", &compared("random", 401), "ask for 1 to 400");
    refused("/paper/compare", &compared("random", -1), "invalid value");
    refused("/paper/compare", &compared("nobody", 10), "no such opponent");
    // It still answers.
    assert_eq!(position(&serving, &[], WORKSHEET)["explanation"]["chosen"], "c2");
}

#[test]
fn the_paper_is_there_also_when_other_bots_are_named_and_not_where_a_match_is_shown() {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    // A file that is called like the program is not taken for it.
    std::fs::write(folder.path().join("paper"), "no program").expect("it can be written");
    let serving = Serving::start("serve --listen 127.0.0.1:0 --bot greedy", folder.path());
    assert_eq!(position(&serving, &[], WORKSHEET)["explanation"]["chosen"], "c2");
    let compared = json!({ "a": ["most"], "b": ["most"], "against": "greedy", "matches": 2 }).to_string();
    let answer = serving.post("/paper/compare", &compared);
    assert_eq!(answer.status, 200, "{answer:?}");
    let told: Value = serde_json::from_str(&answer.body).expect("it tells JSON");
    assert_eq!(told["a"], told["b"], "the same rules meet the same matches");
    assert!(serving.get("/").body.contains("href=\"/paper\""));
}
