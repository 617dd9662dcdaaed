//! The policy that a page stands under, down to its digests.

use super::digest::sha256_base64;
use super::*;

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
fn a_policy_lets_in_what_the_page_holds_and_nothing_else() {
    let page = page("a \"title\" </title>", "p{}", Some("1"), "<p>body</p>\n");
    let style = between(&page, "<style>", "</style>");
    let script = between(&page, "<script>", "</script>");
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
    assert!(style.ends_with("p{}") && script == "1");
    assert_eq!(
        policy,
        format!(
            "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
            sha256_base64(style.as_bytes()),
            sha256_base64(script.as_bytes())
        )
    );
    assert!(page.contains("<title>a &quot;title&quot; &lt;/title&gt;</title>"));
}

#[test]
fn without_a_script_no_script_is_let_in() {
    let page = page("still", "", None, "<p>body</p>\n");
    assert!(!page.contains("script"), "{page}");
    assert!(page.contains("default-src 'none'; style-src"));
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).expect("it begins");
    rest.split_once(after).expect("it ends").0
}
