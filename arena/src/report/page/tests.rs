//! The page's parts that a browser would only call broken.

use super::boards::Boards;
use super::digest::sha256_base64;
use crate::game::{Scene, Shape, Tone};
use serde_json::json;

/// FIPS 180-4's own examples, and lengths around the end of a block, as `sha256sum` has them.
#[test]
fn digests_are_those_of_the_standard() {
    assert_eq!(sha256_base64(b""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    assert_eq!(sha256_base64(b"abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    let two_blocks = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    assert_eq!(sha256_base64(two_blocks), "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=");
    for (length, digest) in SAME_LETTERS {
        assert_eq!(sha256_base64(&vec![b'a'; length]), digest, "of {length} letters");
    }
}

const SAME_LETTERS: [(usize, &str); 4] = [
    (55, "n0OQ+NMMLdkuyfCVtl4rmumwqSWlJY4kHJ8ekQ9zQxg="),
    (56, "s1Q5pKxvCUi21vnjxq8PX1kM4g8b3nCQ73lwaG7Gc4o="),
    (63, "fT50oF19sVvOStnsBljqmOPwbu7PFrTG//LaRX3cLzQ="),
    (64, "/+BU/nrgy23GXDr5th1SCfQ5hR20PQulmXM33xVGaOs="),
];

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
    assert_eq!(boards.into_parts().len(), 5);
}
