//! Bots with a folder: links that lead out of it, and what its manifest gives to the bot.

use super::support::{Field, Layers, Whose, settings};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;
use tests::skip;

fn folder(field: &Field, more: &str) -> String {
    let run: Vec<String> = field.targets().into_iter().collect();
    let words = ["./attacks.py".to_string(), "links".to_string()].into_iter().chain(run);
    let words: Vec<String> = words.map(|word| format!("{word:?}")).collect();
    field.write("home/bad/bot.toml", &format!("run = [{}]\n{more}\n", words.join(", ")));
    field.path("home/bad").display().to_string()
}

#[test]
fn links_lead_nowhere() {
    for setting in settings(&[Layers::Strict, Layers::LauncherAlone]) {
        let field = Field::new(setting);
        let bot = folder(&field, "");
        symlink(field.path("open/results.csv"), field.path("home/bad/out.csv")).expect("the place is ours");
        symlink("../rival", field.path("home/bad/up")).expect("the place is ours");
        let running = field.start(&bot, &field.innocent("good"), "");
        let outcome = field.finish(running);
        match setting.0 {
            // A copy is made of the folder, and a link is no part of it.
            Whose::Root => {
                assert_eq!(outcome.code, Some(2), "{outcome:#?}");
                assert!(outcome.stderr.contains("outside the bot's folder"), "{outcome:#?}");
            }
            Whose::Ordinary => {
                field.assert_in_peace("links", &outcome);
                for name in ["link-out", "link-up"] {
                    let refused = outcome.finding(name).is_some_and(|end| end.starts_with("refused"));
                    assert!(refused, "{setting:?} {name}: {outcome:#?}");
                }
            }
        }
    }
}

/// A library that a bot has loaded into its programs must not come into those that confine it.
#[test]
fn a_bots_environment_reaches_the_bot_only() {
    if !skip::needs("gcc") {
        return;
    }
    for setting in settings(&[Layers::Strict, Layers::LauncherAlone]) {
        let field = Field::new(setting);
        let spy = field.path("home/bad/spy.so");
        // Where the bot finds it, and where everybody else would.
        let both = format!("./spy.so {}", spy.display());
        let bot = folder(&field, &format!("env = {{ LD_PRELOAD = {both:?} }}"));
        let source = format!(
            "#include <stdio.h>\n#include <string.h>\n__attribute__((constructor)) static void spy(void) {{\n\
             char name[64] = \"\", path[512];\nFILE *f = fopen(\"/proc/self/comm\", \"r\");\nif (f) fgets(name, 64, f);\n\
             name[strcspn(name, \"\\n\")] = 0;\nfprintf(stderr, \"loaded-in %s\\n\", name);\n\
             snprintf(path, 512, \"%s/loaded-%s\", \"{}\", name);\nfopen(path, \"w\");\n}}\n",
            field.path("open").display()
        );
        let source = field.write("spy.c", &source);
        let compiled = Command::new("gcc").args(["-shared", "-fPIC", "-w", "-o"]).arg(&spy).arg(source).status();
        assert!(compiled.is_ok_and(|status| status.success()), "the library is compiled");
        fs::set_permissions(&spy, fs::Permissions::from_mode(0o755)).expect("the file is ours");
        let running = field.start(&bot, &field.innocent("good"), "");
        let outcome = field.finish(running);
        field.assert_in_peace("preload", &outcome);
        let loaded: Vec<&str> = outcome.findings.iter().filter_map(|line| line.strip_prefix("loaded-in ")).collect();
        // The script's first line starts it by way of its name; nothing else is to load it.
        assert!(!loaded.is_empty() && loaded.iter().all(|name| *name == "attacks.py"), "{setting:?}: {outcome:#?}");
        let outside: Vec<_> = fs::read_dir(field.path("open")).expect("the place is ours").flatten().collect();
        let outside: Vec<_> = outside.iter().map(|entry| entry.file_name()).collect();
        assert!(!outside.iter().any(|name| name.to_string_lossy().starts_with("loaded-")), "{setting:?}: {outside:?}");
    }
}
