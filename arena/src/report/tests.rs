//! Drawings as people see them.

use super::*;
use crate::game::{AnyGame, Fact, Next, Params, Scene, Shape, Target, Tone};
use crate::games::GAMES;
use serde_json::json;

/// A board of two by two: discs, a field that can be chosen, the last move.
fn board() -> Scene {
    let cell = |x: f64, y: f64, tone| Shape::Cell { at: [x, y, 1.0, 1.0], tone, shade: 0, text: String::new() };
    let disc = |x: f64, y: f64, tone| Shape::Disc { centre: [x, y], radius: 0.4, tone, text: String::new() };
    let target = |at, name: &str, next| Target { at, key: json!(name), label: name.to_string(), next };
    Scene {
        view: [-1.0, -1.0, 4.0, 4.0],
        characters: [2.0, 1.0],
        shapes: vec![
            Shape::Label { at: [0.5, -0.5], text: "a".to_string(), height: 0.4, tone: Tone::Ink },
            cell(0.0, 0.0, Tone::Board),
            cell(1.0, 0.0, Tone::Last),
            cell(0.0, 1.0, Tone::Board),
            cell(1.0, 1.0, Tone::Board),
            disc(0.5, 0.5, Tone::First),
            disc(1.5, 0.5, Tone::Second),
        ],
        facts: vec![
            Fact { seat: Some(0), label: "discs".to_string(), value: "1".to_string() },
            Fact { seat: None, label: "empty squares".to_string(), value: "2".to_string() },
        ],
        caption: "White & <Black>".to_string(),
        targets: vec![
            target(Some([0.0, 1.0, 1.0, 1.0]), "a2", Next::Move(json!("a2"))),
            target(
                Some([0.0, 0.0, 1.0, 1.0]),
                "first",
                Next::Targets(vec![target(None, "x", Next::Move(json!({"x": 1})))]),
            ),
        ],
    }
}

#[test]
fn a_plain_board_is_readable_without_colours() {
    let expected = "   a
   X[O]   X discs          1
   * .      empty squares  2

White & <Black>
";
    assert_eq!(board_text(&board(), false), expected);
}

#[test]
fn a_coloured_board_is_the_same_with_discs_and_colours() {
    let text = board_text(&board(), true);
    let expected = "   a
   ●[○]   ● discs          1
   ·        empty squares  2

White & <Black>
";
    assert_eq!(without_escapes(&text), expected);
    for line in text.lines().filter(|line| line.contains('\u{1b}')) {
        let last = line.rsplit('\u{1b}').next().expect("a split has parts");
        assert!(last.starts_with("[0m"), "the colours are not reset at the end of {line:?}");
    }
}

#[test]
fn a_broad_board_has_its_facts_below() {
    let scene = Scene { characters: [20.0, 1.0], ..board() };
    let text = board_text(&scene, false);
    let below: Vec<&str> = text.lines().skip(4).collect();
    assert_eq!(below, ["X discs          1", "  empty squares  2", "White & <Black>"]);
}

#[test]
fn without_colours_piles_say_whose_they_are() {
    let pile =
        |x: f64, tone, text: &str| Shape::Cell { at: [x, 0.0, 1.0, 1.0], tone, shade: 0, text: text.to_string() };
    let scene = Scene {
        view: [0.0, 0.0, 3.0, 1.0],
        characters: [3.0, 1.0],
        shapes: vec![pile(0.0, Tone::First, "128"), pile(1.0, Tone::Second, "2"), pile(2.0, Tone::Neutral, "1")],
        ..Scene::default()
    };
    assert_eq!(board_text(&scene, false), "X128 O2   1\n\n");
    assert_eq!(without_escapes(&board_text(&scene, true)), "128 2  1 \n\n");
}

#[test]
fn lines_polygons_and_arrows_leave_texts_alone() {
    let scene = Scene {
        view: [0.0, 0.0, 9.0, 3.0],
        characters: [1.0, 1.0],
        shapes: vec![
            Shape::Disc { centre: [4.5, 1.5], radius: 0.5, tone: Tone::First, text: "7".to_string() },
            Shape::Line { from: [0.0, 1.5], to: [8.9, 1.5], tone: Tone::Ink, arrow: false },
            Shape::Line { from: [0.0, 0.0], to: [4.5, 1.5], tone: Tone::Last, arrow: true },
            Shape::Polygon { points: vec![[6.0, 2.0], [9.0, 2.0], [9.0, 3.0], [6.0, 3.0]], tone: Tone::Neutral },
            Shape::Polygon { points: vec![[0.9, 0.2], [1.1, 0.2], [1.0, 0.3]], tone: Tone::Ink },
        ],
        ..Scene::default()
    };
    assert_eq!(board_text(&scene, false), " ^\n---X7----\n      ###\n\n");
}

#[test]
fn what_lies_outside_the_view_does_no_harm() {
    let mut scene = board();
    scene.shapes.push(Shape::Label { at: [-9e9, 9e9], text: "far".to_string(), height: 1.0, tone: Tone::Ink });
    scene.shapes.push(Shape::Line { from: [-9e9, 0.0], to: [9e9, f64::NAN], tone: Tone::Ink, arrow: true });
    assert_eq!(board_text(&scene, false), board_text(&board(), false));
    let vast = Scene { view: [0.0, 0.0, 1e12, 1e12], ..board() };
    assert!(board_text(&vast, false).len() < 1 << 20);
    assert_eq!(board_text(&Scene::default(), true), "\n\n");
}

#[test]
fn an_svg_holds_shapes_choices_and_a_palette_for_light_and_dark() {
    let svg = board_svg(&board());
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains(r#"aria-label="White &amp; &lt;Black&gt;""#));
    assert!(svg.contains(r#"viewBox="0 0 800 800""#));
    assert!(svg.contains(r#"<circle class="disc first" cx="300" cy="300" r="80"/>"#));
    assert!(svg.contains(r#"<rect class="cell last" x="400" y="200" width="200" height="200"/>"#));
    assert!(svg.contains("prefers-color-scheme:dark") && svg.contains("var(--arena-first,"));
    assert_eq!(svg.matches(r#"class="choice""#).count(), 1, "a dot stands only where nothing else does");
    assert!(svg.contains(r#"data-key="&quot;first&quot;" x="#) && svg.contains("<title>first</title>"));
    assert_eq!(svg.matches("class=\"target\"").count(), 2, "one a place");
    assert!(!svg.contains("http") || svg.matches("http").count() == 1, "nothing but the name space is named");
}

#[test]
fn an_arrow_in_an_svg_stops_at_the_rim_of_the_disc_it_leads_to() {
    let scene = Scene {
        view: [0.0, 0.0, 8.0, 8.0],
        shapes: vec![
            Shape::Disc { centre: [6.0, 4.0], radius: 1.0, tone: Tone::First, text: "7".to_string() },
            Shape::Line { from: [2.0, 4.0], to: [6.0, 4.0], tone: Tone::Last, arrow: true },
        ],
        ..Scene::default()
    };
    let svg = board_svg(&scene);
    assert!(svg.contains(r#"<polygon class="last" points="500,400 486,407 486,393"/>"#), "{svg}");
    assert!(svg.contains(r#"<line class="stroke-last" x1="200" y1="400" x2="486" y2="400"/>"#), "{svg}");
}

#[test]
fn every_game_can_be_drawn() {
    for game in GAMES {
        let scene = start(*game).scene();
        let (plain, svg) = (board_text(&scene, false), board_svg(&scene));
        assert!(plain.lines().count() > 3 && plain.ends_with(&format!("{}\n", scene.caption)), "{plain}");
        assert!(!plain.contains('\u{1b}'), "a plain drawing has no escapes: {plain:?}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

fn start(game: &dyn AnyGame) -> Box<dyn crate::game::AnyPosition> {
    game.start(&Params::new(), 1).expect("a game starts with its defaults").position
}

fn without_escapes(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |bare, part| bare + part.split_once('m').map_or("", |(_, rest)| rest))
}
