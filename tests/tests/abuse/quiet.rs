//! Attacks that take no time: all in one match.

use super::support::{Field, Layers, Whose, settings};

/// What works without namespaces, as SECURITY.md admits: that a file is there, and how large it is, is no secret then.
const SEEN_WITHOUT_NAMESPACES: [&str; 3] = ["see-results", "see-rival", "see-secret"];

/// What the system says when something is not allowed, or not there to be had.
const REFUSALS: [&str; 11] = [
    "EPERM",
    "EACCES",
    "ENOENT",
    "EROFS",
    "ENOSYS",
    "ESRCH",
    "ECONNREFUSED",
    "EISCONN",
    "EPROTOTYPE",
    "EBADF",
    "EAFNOSUPPORT",
];

#[test]
fn what_no_bot_may_do_is_refused() {
    for setting in settings(&[Layers::Strict, Layers::LauncherAlone]) {
        let field = Field::new(setting);
        let outcome = field.attack("all-quiet", "");
        let tried: usize = outcome.finding("all-tried").and_then(|many| many.parse().ok()).unwrap_or(0);
        assert!(tried > 180, "{setting:?}: the list was not tried to its end: {outcome:#?}");
        let admitted = |name: &str| setting.1 == Layers::LauncherAlone && SEEN_WITHOUT_NAMESPACES.contains(&name);
        let worked: Vec<&String> = outcome
            .findings
            .iter()
            .filter(|line| line.contains(" DONE"))
            .filter(|line| !admitted(line.split(' ').next().unwrap_or_default()))
            .collect();
        assert!(worked.is_empty(), "{setting:?}: {worked:#?}");
        // An attack that fails for its own mistakes, or for want of descriptors, proves nothing.
        let convincing = |line: &&String| {
            let mut words = line.split(' ');
            let (name, is, why) = (words.next(), words.next(), words.next());
            is == Some("refused")
                && (why.is_some_and(|why| REFUSALS.contains(&why))
                    || name.is_some_and(|name| name.starts_with("setuid")))
        };
        let refused = outcome.findings.iter().filter(convincing).count();
        assert!(refused + SEEN_WITHOUT_NAMESPACES.len() >= tried, "{setting:?}: {refused} of {tried}: {outcome:#?}");
        // The home is closed to others, so root's bots do not even see that.
        if setting.1 == Layers::LauncherAlone && setting.0 == Whose::Root {
            assert!(outcome.finding("see-rival").is_some_and(|end| end.starts_with("refused")), "{outcome:#?}");
        }
    }
}

/// The layers of a match are on record, so that whoever reads its result can tell.
#[test]
fn the_layers_are_on_record() {
    for setting in settings(&[Layers::Strict, Layers::LauncherAlone]) {
        let field = Field::new(setting);
        field.attack("nothing", "");
        let events = tests::transcript::transcript(&field.path("open/m.jsonl"));
        let layers = events[0]["layers"].as_array().cloned().unwrap_or_default();
        let has = |word: &str| layers.iter().any(|layer| layer.as_str().is_some_and(|text| text.starts_with(word)));
        assert_eq!(has("bubblewrap"), setting.1 == Layers::Strict, "{layers:?}");
        assert_eq!(has("user"), setting.0 == Whose::Root, "{layers:?}");
        assert!(has("seccomp") && has("memory"), "{layers:?}");
    }
}
