//! What is asked of the server, without a browser.

use super::{WORKSHEET, position, serve};
use serde_json::{Value, json};
use std::time::Duration;
use tests::page::Serving;
use tests::processes::{wait_until, with_marker};

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

#[test]
fn a_class_that_compares_all_at_once_is_answered_one_after_the_other() {
    let (_folder, serving) = serve();
    let asked = json!({ "a": ["most"], "b": ["edge"], "against": "random", "matches": 4 }).to_string();
    std::thread::scope(|scope| {
        let ask = || serving.post("/paper/compare", &asked);
        let pupils: Vec<_> = (0..12).map(|_| scope.spawn(ask)).collect();
        for pupil in pupils {
            let answer = pupil.join().expect("it is answered");
            assert_eq!(answer.status, 200, "{answer:?}");
        }
    });
}

#[test]
fn a_comparison_ends_that_nobody_waits_for() {
    let (_folder, serving) = serve();
    // No other test has these rules in this order, and whoever had played to the end would be kept for another comparison.
    let [a, b] = [["most", "avoid", "edge", "corner"], ["most", "edge", "avoid", "corner"]];
    let asked = |matches: u64| json!({ "a": a, "b": b, "against": "random", "matches": matches }).to_string();
    let plays = || !with_marker(&a.join(",")).is_empty();
    let gone: Vec<_> = (0..2).map(|_| serving.call("/paper/compare", &asked(400))).collect();
    assert!(wait_until(Duration::from_secs(30), plays), "it plays");
    drop(gone);
    assert!(wait_until(Duration::from_secs(30), || !plays()), "it ends");
    assert_eq!(serving.post("/paper/compare", &asked(2)).status, 200, "there is a place again");
}
