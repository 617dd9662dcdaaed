//! `arena doctor`: what it says of this machine, as root and as an ordinary user, with bubblewrap and without.

use super::support::{Field, Layers, Setting, Whose, settings};
use serde_json::Value;

fn doctor(setting: Setting, flags: &[&str]) -> (Option<i32>, String) {
    let field = Field::new(setting);
    let arguments: Vec<&str> = ["doctor"].iter().chain(flags).copied().collect();
    let output = field.command(&arguments).output().expect("the arena starts");
    assert!(output.stderr.is_empty(), "{setting:?}: {}", String::from_utf8_lossy(&output.stderr));
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn every_attack_of_the_probe_is_refused_and_strict_is_told_right() {
    for setting in settings(&[Layers::Strict, Layers::LauncherAlone]) {
        let (code, said) = doctor(setting, &["--json"]);
        let report: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{setting:?}: {said}"));
        let attacks = report["attacks"].as_array().cloned().unwrap_or_default();
        assert!(attacks.len() > 20, "{said}");
        let worked: Vec<&Value> = attacks.iter().filter(|one| one["refused"] != true).collect();
        assert!(worked.is_empty(), "{setting:?}: {worked:#?}");
        // Without namespaces it takes users of their own.
        let holds = setting != (Whose::Ordinary, Layers::LauncherAlone);
        assert_eq!((&report["holds"], code), (&Value::from(holds), Some(i32::from(!holds))), "{setting:?}: {said}");
        assert_eq!(report["missing"].to_string().contains("bubblewrap is not installed"), !holds, "{said}");
        let namespaces = report["layers"].as_array().into_iter().flatten().find(|one| one["layer"] == "namespaces");
        let works = namespaces.map(|one| &one["works"]);
        assert_eq!(works, Some(&Value::from(setting.1 == Layers::Strict)), "{said}");
        let python = report["programs"].as_array().into_iter().flatten().find(|one| one["program"] == "python3");
        assert_eq!(python.map(|one| &one["bots_see"]), Some(&Value::from("/usr/bin/python3")), "{said}");
    }
}

#[test]
fn it_says_it_in_words_and_for_another_mode() {
    for setting in settings(&[Layers::Strict, Layers::LauncherAlone]) {
        let (code, said) = doctor(setting, &["--isolation", "best-effort"]);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("isolation best-effort holds here"), "{said}");
        // What strict would lack is said, and that it was not asked for.
        let lacks = setting == (Whose::Ordinary, Layers::LauncherAlone);
        assert_eq!(said.contains("what strict isolation would lack:\n  bubblewrap is not installed"), lacks, "{said}");
        for word in ["user", "namespaces", "landlock", "seccomp", "memory", "fair clock", "cores", "kernel", "python3"]
        {
            assert!(said.lines().any(|line| line.starts_with(word)), "{word}: {said}");
        }
    }
}
