//! Build steps that attack. They are confined as their bot is, but for a copy of its folder that they may write into.

use super::support::{Field, Layers, settings};

/// What a build step may do in its own folder, and a bot may not.
const ITS_OWN: [&str; 3] = ["change-itself", "chmod-itself", "create-in-"];

fn folder(field: &Field, step: &str) -> String {
    let build = ["/usr/bin/python3".to_string(), "attacks.py".to_string(), step.to_string()];
    let words: Vec<String> = build.into_iter().chain(field.targets()).map(|word| format!("{word:?}")).collect();
    let manifest = format!("run = [\"./made\", \"nothing\"]\nbuild = [{}]\n", words.join(", "));
    field.write("home/bad/bot.toml", &manifest);
    field.path("home/bad").display().to_string()
}

#[test]
fn a_build_step_reaches_no_more_than_its_bot() {
    for setting in settings(&[Layers::Strict]) {
        let field = Field::new(setting);
        let bot = folder(&field, "build");
        let running = field.start(&bot, &field.innocent("good"), "");
        let outcome = field.finish(running);
        field.assert_in_peace("build", &outcome);
        assert!(outcome.stderr.lines().any(|line| line.starts_with("all-tried ")), "{setting:?}: {outcome:#?}");
        let own = field.path("home/bad").display().to_string();
        let may = |line: &str| {
            ITS_OWN.iter().any(|name| line.starts_with(name)) && {
                !line.starts_with("create-in-") || line.starts_with(&format!("create-in-{own} "))
            }
        };
        let worked: Vec<&str> = outcome.stderr.lines().filter(|line| line.contains(" DONE") && !may(line)).collect();
        assert!(worked.is_empty(), "{setting:?}: {worked:#?}");
        // It has written into a copy: what its author has given is as it was.
        assert!(!field.path("home/bad/made").exists() && !field.path("home/bad/mine").exists(), "{setting:?}");
    }
}

#[test]
fn a_build_step_that_fills_its_folder_is_stopped() {
    for setting in settings(&[Layers::Strict, Layers::LauncherAlone]) {
        for (step, says) in [
            ("build-fill", "fills its folder with more than 512 MiB"),
            ("build-files", "fills its folder with more than 50000 files"),
            ("build-nest", "puts more than 64 folders into one another"),
        ] {
            let field = Field::new(setting);
            let bot = folder(&field, step);
            let running = field.start(&bot, &field.innocent("good"), "");
            let outcome = field.finish(running);
            assert_eq!(outcome.code, Some(2), "{setting:?} {step}: {outcome:#?}");
            assert!(outcome.stderr.contains(says), "{setting:?} {step}: {outcome:#?}");
        }
    }
}
