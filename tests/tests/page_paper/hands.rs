//! Mouse, keys, screen readers, small screens, paper.

use super::Page;
use serde_json::{Value, json};

const FOCUSED: &str = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent";

#[test]
fn a_double_click_makes_one_move_and_one_mistake() {
    let Some(mut page) = Page::open() else { return };
    page.until_said("Your turn!");
    let name = page.browser.value("document.querySelector('#board .target').getAttribute('aria-label')");
    let target = format!("#board .target[aria-label={}]", name.as_str().expect("squares have names"));
    page.browser.double_click(&target);
    // The pupil's and the Paper's answer; a second move of the pupil would be the fourth.
    page.until_played(3);
    page.until_said("Your turn!");
    assert_eq!(page.turns(), 3);
    // A game in which both sides are played here: the second click meets a board that is open again.
    page.press("Be the Paper");
    page.choose("#opponent", "friend");
    page.until_said("You are the Paper");
    page.browser.double_click("#board .target[aria-label=b3]");
    page.until_said("Try again.");
    assert_eq!(page.browser.value("state.mistakes"), json!(1));
    page.browser.double_click("#board .target[aria-label=c2]");
    page.until_said("White, it is your turn");
    assert_eq!(page.turns(), 1);
    page.was_quiet();
}

#[test]
fn a_button_that_is_pressed_twice_moves_once() {
    let Some(mut page) = Page::open() else { return };
    page.press("Watch the Paper");
    page.choose("#opponent", "greedy");
    page.until_said("What does the Paper do?");
    page.browser.value(
        "(() => { const one = [...document.querySelectorAll('#actions button')].find((one) => one.textContent === 'Next move');
           one.click(); one.click(); })()",
    );
    page.until_said("is about to move.");
    assert_eq!(page.turns(), 1);
    page.was_quiet();
}

#[test]
fn it_is_played_with_keys_alone_and_the_focus_stays_on_the_board() {
    let Some(mut page) = Page::open() else { return };
    page.until_said("Your turn!");
    // From the top of the page.
    let on_board = "document.activeElement.matches('#board .target[role=button]')";
    for _ in 0..20 {
        page.browser.press("Tab");
        if page.browser.value(on_board) == json!(true) {
            break;
        }
    }
    assert_eq!(page.browser.value(on_board), json!(true), "Tab reaches the board");
    let first = page.browser.value(FOCUSED);
    page.browser.press("ArrowDown");
    assert_ne!(page.browser.value(FOCUSED), first, "an arrow goes to another square");
    for turns in [3, 5, 7] {
        page.browser.press(if turns == 5 { " " } else { "Enter" });
        page.until_played(turns);
        page.until_said("Your turn!");
        assert_eq!(page.browser.value(on_board), json!(true), "{:?}", page.browser.value(FOCUSED));
    }
    page.was_quiet();
}

#[test]
fn a_button_pressed_by_key_keeps_the_focus_for_the_next_press() {
    let Some(mut page) = Page::open() else { return };
    page.press("Watch the Paper");
    page.choose("#opponent", "greedy");
    page.until_said("What does the Paper do?");
    for text in ["Next rule", "Next move"] {
        page.browser.value(&format!(
            "[...document.querySelectorAll('#actions button')].find((one) => one.textContent === '{text}').focus()"
        ));
        for _ in 0..3 {
            page.browser.press(" ");
            page.browser.until(&format!("!state.waiting && document.activeElement.textContent === '{text}'"));
        }
    }
    assert_eq!(page.turns(), 3);
    page.was_quiet();
}

#[test]
fn each_crossed_off_square_shows_and_says_the_rule_that_did_it() {
    let Some(mut page) = Page::open() else { return };
    page.press("Watch the Paper");
    page.choose("#opponent", "paper");
    page.until_said("What does the Paper do?");
    // After ten moves of the line, rule 2 crosses off squares beside corners, and rule 3 the rest.
    for turns in 1..=10 {
        page.press("Next move");
        page.until_played(turns);
    }
    for _ in 0..4 {
        page.press("Next rule");
    }
    let told = page.browser.value(
        "[...document.querySelectorAll('#board .cross')].map((one) =>
           [one.getAttribute('role'), one.querySelector('text').textContent, one.getAttribute('aria-label')])",
    );
    let told = told.as_array().expect("a list");
    let beside = ": it crosses off the squares beside a corner that is empty, unless that leaves none.";
    assert!(told.contains(&json!(["img", "2", format!("Rule 2 crosses b1 off{beside}")])), "{told:?}");
    assert!(told.iter().any(|one| one[1] == "3" && one[2].as_str().is_some_and(|why| why.contains("b3"))), "{told:?}");
    // The text beside the board tells the same.
    let steps = page.browser.text("#why");
    assert!(steps.contains("Rule 2 crosses off b1, b2, a5, b5 and f5."), "{steps}");
    assert!(steps.contains("Rule 3 picks a4. That crosses off b3."), "{steps}");
    assert!(steps.contains("The number on a crossed-off square is the rule that crossed it off."), "{steps}");
    page.was_quiet();
}

#[test]
fn nothing_is_wider_than_a_small_phone() {
    let Some(mut page) = Page::open() else { return };
    page.browser.look(360, 740, "dark");
    page.until_said("Your turn!");
    page.press("Change the rules");
    page.browser.value("document.getElementById('sheet').hidden = false");
    page.browser.value("for (const one of document.querySelectorAll('details')) one.open = true");
    for mode in ["Play against the Paper", "Watch the Paper", "Be the Paper"] {
        page.press(mode);
        page.browser.until("!state.waiting");
        page.browser.value("document.getElementById('sheet').hidden = false");
        let width = page.browser.value("document.documentElement.scrollWidth");
        assert!(width.as_f64().is_some_and(|width| width <= 360.0), "{mode}: {width}");
    }
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
    let colours = page
        .browser
        .value("[document.body, document.getElementById('sheet')].map((one) => getComputedStyle(one).backgroundColor)");
    assert!(
        colours.as_array().is_some_and(|all| all.iter().all(|one: &Value| one == "rgb(255, 255, 255)")),
        "{colours}"
    );
    page.was_quiet();
}

#[test]
fn nothing_is_pushed_away_when_the_first_answer_comes() {
    let Some(mut page) = Page::open() else { return };
    let url = format!("{}paper", page.serving.url);
    for (width, height) in [(360, 740), (1280, 1000)] {
        page.browser.look(width, height, "light");
        page.browser.visit(&url);
        page.until_said("Your turn!");
        // How far what is seen was moved, once what has come is drawn.
        let moved = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
               const seen = new PerformanceObserver(() => {});
               seen.observe({type: 'layout-shift', buffered: true});
               done(seen.takeRecords().reduce((sum, one) => sum + one.value, 0)); })))";
        let by_itself = page.browser.value(moved);
        assert!(by_itself.as_f64().is_some_and(|moved| moved < 0.02), "{width}: {by_itself}");
        page.browser.value("document.body.style.paddingTop = '300px', 0");
        let pushed = page.browser.value(moved);
        assert!(pushed.as_f64().is_some_and(|moved| moved > 0.02), "{width}: a push would be seen: {pushed}");
    }
    page.was_quiet();
}
