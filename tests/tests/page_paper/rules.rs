//! Rules that are changed, and what comes of it.

use super::{LINE, Page, WORKSHEET, position, start};
use arena::game::{Game, Status};
use arena::games::othello::Othello;
use arena::seat::Seat;
use serde_json::{Value, json};

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
    let (before, worksheet, swapped) = found.expect("the order of rules 3 and 4 matters somewhere on the line");

    page.press("Change the rules");
    page.browser.click("[data-rule=edge] [data-does=down]");
    let list = "[...document.querySelectorAll('#list li')].map((one) => one.dataset.rule).join()";
    assert_eq!(page.browser.value(list), json!("corner,avoid,most,edge"));
    assert_eq!(page.browser.value("document.activeElement.getAttribute('aria-label')"), json!("edge: up"));
    // By mouse a rule is dragged to another place.
    page.browser.drag("[data-rule=corner] .grip", "[data-rule=avoid]");
    assert_eq!(page.browser.value(list), json!("avoid,corner,most,edge"));
    assert!(page.browser.text("#changed").starts_with("corner is now rule 2."), "it is told");
    page.browser.drag("[data-rule=avoid] .grip", "[data-rule=corner]");
    assert_eq!(page.browser.value(list), json!("corner,avoid,most,edge"));
    // All rules can be taken out but the last; others are added.
    page.choose("#more", "mobility");
    page.press("Add");
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
    // What is compared is not played yet; then the next game is played by these rules.
    assert_eq!(page.browser.value("state.rules.join()"), json!(WORKSHEET));
    page.press("Play again with these rules");
    page.browser.until("!state.waiting && state.rules.join() === 'corner,avoid,most,edge'");
    page.browser.value(&format!("state.moves = {}, look()", json!(before)));
    page.until_played(before.len() + 1);
    let played = page.browser.value(&format!("document.querySelectorAll('#played li')[{}].textContent", before.len()));
    assert_eq!(played, json!(format!("Black {}", swapped.as_str().expect("a square"))), "and not {worksheet}");
    page.was_quiet();
}

#[test]
fn what_is_compared_is_told_of_the_list_that_is_shown() {
    let Some(mut page) = Page::open() else { return };
    page.until_said("Your turn!");
    // Each comparison is answered when the test lets it.
    page.browser.value(
        "window.answers = [], window.fetch = (where, how) => new Promise((done) => {
           const { a } = JSON.parse(how.body);
           answers.push(() => done(Response.json({ says: `told of ${a}`, a: { won: 1, drawn: 0, lost: 0, mean: [1, 0] },
             b: { won: 0, drawn: 0, lost: 1, mean: [0, 1] } }))); }), 0",
    );
    let answered = "new Promise((done) => setTimeout(done))";
    let can = |page: &mut Page| page.browser.value("!document.getElementById('compare').disabled");
    page.press("Change the rules");
    page.browser.click("[data-rule=edge] [data-does=down]");
    page.press("Compare");
    page.browser.until("answers.length === 1");
    assert_eq!(can(&mut page), json!(false), "one at a time");
    page.browser.click("[data-rule=avoid] [data-does=up]");
    assert_eq!(can(&mut page), json!(true), "it is another list");
    page.browser.value(&format!("answers[0](), {answered}"));
    assert_eq!(page.browser.text("#verdict"), "", "what was compared was another list");
    assert_eq!(page.browser.value("document.getElementById('compared').hidden"), json!(true));
    page.press("Compare");
    page.browser.until("answers.length === 2");
    // Back to the worksheet's rules while it runs: there is nothing to compare.
    page.press("Back to the worksheet's rules");
    page.browser.value(&format!("answers[1](), {answered}"));
    assert_eq!((page.browser.text("#verdict"), can(&mut page)), (String::new(), json!(false)));
    page.browser.click("[data-rule=edge] [data-does=down]");
    page.press("Compare");
    page.browser.until("answers.length === 3");
    // A rule that is dragged nowhere changes nothing.
    page.browser.drag("[data-rule=corner] .grip", "[data-rule=corner]");
    assert_eq!(can(&mut page), json!(false), "it still runs");
    page.browser.value(&format!("answers[2](), {answered}"));
    page.browser.until("document.getElementById('verdict').innerText === 'told of corner,avoid,most,edge'");
    assert_eq!(can(&mut page), json!(true));
    page.was_quiet();
}
