//! A whole game of each kind, by clicks only, to the result sheet.

use super::{LINE, Page, WORKSHEET, position, won_by_white};
use serde_json::{Value, json};

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
            // The Paper moves by itself.
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
    page.press("Result sheet");
    assert_eq!(page.browser.value("document.activeElement.id"), json!("sheet-title"), "who uses keys is led to it");
    page.call_them("<b>Ada</b>", "");
    let sheet = page.browser.text("#sheet");
    assert!(sheet.contains("<b>Ada</b>") && sheet.contains(&format!("{paper} : {you}")), "{sheet}");
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
    let mut moves: Vec<Value> = Vec::new();
    for name in LINE.split(' ') {
        // A pass is announced, and confirmed.
        if position(&page.serving, &moves, WORKSHEET)["next"] == "pass" {
            page.until_said("has no move and must pass.");
            page.press("Go on");
            moves.push(Value::Null);
            page.until_played(moves.len());
        }
        page.press("Next move");
        moves.push(json!(name));
        page.until_played(moves.len());
    }
    page.until_said("White has won! The Paper 6, White 30.");
    page.press("Result sheet");
    let sheet = page.browser.text("#sheet");
    let played: Vec<&str> = moves.iter().map(|mv| mv.as_str().unwrap_or("pass")).collect();
    assert!(sheet.contains(&played.join(" ")) && sheet.contains("6 : 30"), "{sheet}");
    page.was_quiet();
}

#[test]
fn what_is_watched_goes_on_by_itself_and_can_be_stopped() {
    let Some(mut page) = Page::open() else { return };
    page.press("Watch the Paper");
    page.choose("#opponent", "greedy");
    page.until_said("What does the Paper do?");
    page.press("Play on");
    page.until_played(2);
    page.press("Stop");
    // Where it stopped it goes on by hand.
    page.browser.until("!state.waiting && document.getElementById('actions').innerText.includes('Next move')");
    let turns = page.turns();
    page.press("Next move");
    page.until_played(turns + 1);
    assert_eq!((page.turns(), page.browser.value("state.running")), (turns + 1, json!(false)));
    page.was_quiet();
}

#[test]
fn whoever_is_the_paper_is_told_which_rule_was_overlooked() {
    let Some(mut page) = Page::open() else { return };
    page.press("Be the Paper");
    page.choose("#opponent", "friend");
    page.until_said("You are the Paper (Black). Which square do the rules choose?");
    let orders = page.browser.text("#orders");
    assert!(orders.contains("corner: picks corners") && orders.contains("closest to the top"), "{orders}");
    page.square("b3");
    let tie = "Of c2, b3, e4 and d5, the one closest to the top, then farthest left is played, not b3. Try again.";
    page.until_said(tie);
    page.square("c2");
    page.until_said("White, it is your turn: click a square with a dot.");
    // On goes the line of the worksheet; where a rule crosses a square off, it is tried first, once for each rule.
    let mut moves = vec![json!("c2")];
    let mut overlooked = Vec::new();
    for name in LINE.split(' ').skip(1) {
        let mut told = position(&page.serving, &moves, WORKSHEET);
        if told["next"] == "pass" {
            page.until_said("has no move and must pass.");
            page.press("Pass");
            moves.push(Value::Null);
            told = position(&page.serving, &moves, WORKSHEET);
        }
        let instead = told["explanation"]["instead"].as_array().cloned().unwrap_or_default();
        if !told["explanation"].is_null() {
            page.until_said("Which square do the rules choose?");
        }
        for wrong in instead {
            let Some(rule) = wrong["rule"].as_i64().filter(|rule| !overlooked.contains(rule)) else { continue };
            let square = wrong["key"].as_str().expect("a square");
            page.square(square);
            page.until_said(&format!("Rule {rule} crosses {square} off: it "));
            page.until_said("That rule was overlooked. Try again.");
            overlooked.push(rule);
        }
        page.square(name);
        moves.push(json!(name));
        page.until_played(moves.len());
    }
    overlooked.sort_unstable();
    assert_eq!(overlooked, [2, 3, 4], "on the line each rule but the first crosses something off");
    page.until_said("White has won! The Paper 6, White 30. Mistakes: 4.");
    page.press("Result sheet");
    page.call_them("Ada", "Ben");
    assert_eq!(page.browser.text("#games tbody"), "1\tAda\tBen\t6 : 30\t4");
    // The second game swaps the jobs, not the colours.
    page.press("Game 2: swap the jobs");
    page.until_said("Game 2: swap the jobs, not the colours. You are the Paper (Black).");
    moves.clear();
    for name in LINE.split(' ') {
        if position(&page.serving, &moves, WORKSHEET)["next"] == "pass" {
            page.press("Pass");
            moves.push(Value::Null);
        }
        page.square(name);
        moves.push(json!(name));
        page.until_played(moves.len());
    }
    page.press("Result sheet");
    assert_eq!(page.browser.text("#games tbody"), "1\tAda\tBen\t6 : 30\t4\n2\tBen\tAda\t6 : 30\t0");
    page.was_quiet();
}

#[test]
fn whoever_is_the_paper_can_have_a_bot_as_rival() {
    let Some(mut page) = Page::open() else { return };
    page.press("Be the Paper");
    page.choose("#opponent", "greedy");
    page.until_said("You are the Paper (Black).");
    page.square("c2");
    page.until_played(2);
    page.until_said("You are the Paper (Black).");
    page.was_quiet();
}

#[test]
fn the_sheet_has_the_rules_of_both_games_and_jobs_are_swapped_with_a_friend_only() {
    let Some(mut page) = Page::open() else { return };
    let mut moves: Vec<Value> = Vec::new();
    for name in LINE.split(' ') {
        if position(&page.serving, &moves, WORKSHEET)["next"] == "pass" {
            moves.push(Value::Null);
        }
        moves.push(json!(name));
    }
    // The end of a game is there at once.
    let ends = |page: &mut Page| {
        page.browser.until("!state.waiting");
        page.browser.value(&format!("state.moves = {}, look()", json!(moves)));
        page.until_said("White has won!");
    };
    let lists = "[...document.querySelectorAll('#used ol')].map((list) => [...list.children].map((one) => one.innerText.split(':')[0]).join())";
    page.press("Be the Paper");
    for (rival, offered) in [("greedy", "Play again"), ("friend", "Game 2: swap the jobs")] {
        page.choose("#opponent", rival);
        ends(&mut page);
        assert_eq!(page.browser.text("#actions button"), offered, "{rival}");
    }
    page.press("Result sheet");
    assert_eq!(page.browser.value(lists), json!([WORKSHEET]));
    page.press("Game 2: swap the jobs");
    ends(&mut page);
    page.press("Result sheet");
    assert_eq!(page.browser.value(lists), json!([WORKSHEET]), "the same rules are told once");
    // The second game has other rules.
    page.press("Play once more");
    page.press("Change the rules");
    ends(&mut page);
    page.browser.click("[data-rule=edge] [data-does=down]");
    page.press("Game 2: swap the jobs");
    ends(&mut page);
    page.press("Result sheet");
    assert_eq!(page.browser.value(lists), json!([WORKSHEET, "corner,avoid,most,edge"]));
    let used = page.browser.text("#used");
    assert!(used.contains("Game 1, 2, 3, 4\n") && used.contains("Game 5\n"), "{used}");
    page.was_quiet();
}
