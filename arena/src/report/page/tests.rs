//! The page's parts that a browser would only call broken.

use super::boards::Boards;
use crate::game::{Scene, Shape, Tone};
use serde_json::json;

#[test]
fn a_drawing_tells_only_what_has_changed() {
    let disc = |x: f64| Shape::Disc { centre: [x, 1.0], radius: 0.4, tone: Tone::First, text: String::new() };
    let scene = |places: &[f64]| Scene {
        view: [0.0, 0.0, 8.0, 2.0],
        shapes: places.iter().map(|&x| disc(x)).collect(),
        ..Scene::default()
    };
    let mut boards = Boards::default();
    assert_eq!(boards.add(&scene(&[1.0, 2.0, 3.0])), json!([0, 1, 2]));
    assert_eq!(boards.add(&scene(&[1.0, 4.0, 3.0])), json!([[0, 1], 3, [2, 1]]));
    assert_eq!(boards.add(&scene(&[5.0, 1.0, 4.0, 3.0, 2.0])), json!([4, [0, 3], 1]));
    assert_eq!(boards.add(&scene(&[])), json!([]));
    assert_eq!(boards.add(&scene(&[1.0, 1.0])), json!([0, 0]));
    assert_eq!(boards.parts().len(), 5);
}
