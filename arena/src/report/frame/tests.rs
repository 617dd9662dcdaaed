//! The policy that a page stands under, down to its digests.

use super::*;

/// As `printf abc | openssl dgst -sha256 -binary | base64` has it.
#[test]
fn a_policy_names_what_it_allows_by_the_digest_that_browsers_reckon() {
    assert_eq!(sha256_base64(b"abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

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

#[test]
fn what_turns_text_around_or_hides_is_made_visible() {
    let shown = text("a\u{202e}b\u{200f}c\u{2069}d\u{feff}e\u{1b}f\ng<\"&");
    assert_eq!(shown, "a\\u202eb\\u200fc\\u2069d\\ufeffe\\x1bf g&lt;&quot;&amp;");
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).expect("it begins");
    rest.split_once(after).expect("it ends").0
}
