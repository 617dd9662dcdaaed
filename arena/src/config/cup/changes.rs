//! What has changed in a cup since it was played, when it is to go on: what can be taken up, and what cannot, because
//! finished matches would no longer be matches of this cup.

use super::{Cup, CupBot};
use crate::config::words::command_text;
use crate::config::{BotKind, BotSpec, escaped};
use crate::table::Thinking;
use crate::tournament::formats::Plan;
use serde_json::Value;
use std::time::Duration;

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The key as the cup file has it, like `pairs`, `[clock] move` or `[[bots]] NAME`.
    pub key: String,
    /// What it was; `none` where there was nothing.
    pub old: String,
    /// What it is now; `none` where there is nothing.
    pub new: String,
    /// Whether the cup can go on with it: more bots or pairs, or what no finished match depends on.
    pub taken_up: bool,
}

/// Everything in which `new` is another cup than `old`, settings first, bots last. What only shows in the bots'
/// files is not seen here.
pub fn differences(old: &Cup, new: &Cup) -> Vec<Change> {
    let mut changes = Vec::new();
    for (before, after) in settings(old).into_iter().zip(settings(new)) {
        if before.value != after.value {
            let (key, old, new) = (before.key.to_string(), before.value, after.value);
            changes.push(Change { key, old, new, taken_up: before.incidental });
        }
    }
    if old.pairs != new.pairs {
        let taken_up = new.pairs > old.pairs && can_grow(new);
        changes.push(Change { taken_up, ..change("pairs", old.pairs.to_string(), new.pairs.to_string()) });
    }
    changes.extend(plan_changes(old, new));
    changes.extend(bot_changes(old, new));
    changes
}

struct Setting {
    key: &'static str,
    value: String,
    /// Whether no finished match depends on it.
    incidental: bool,
}

/// All settings but format, pairs and bots, in one order.
fn settings(cup: &Cup) -> Vec<Setting> {
    let (clock, limits) = (&cup.clock, &cup.limits);
    let matters = |key, value| Setting { key, value, incidental: false };
    let incidental = |key, value| Setting { key, value, incidental: true };
    let thinking = match cup.thinking {
        Thinking::OwnTurn => "own-turn",
        Thinking::Any => "any",
    };
    let sets: Vec<String> = cup.sets.iter().map(|set| Value::Object(set.clone()).to_string()).collect();
    vec![
        matters("name", cup.name.clone()),
        matters("game", cup.game.info().id.to_string()),
        matters("seed", cup.seed.to_string()),
        matters("hints", cup.hints.to_string()),
        incidental("jobs", or_none(cup.jobs)),
        incidental("cores", or_none(cup.cores.as_ref().map(|cores| format!("{cores:?}")))),
        matters("thinking", thinking.to_string()),
        matters("reuse", cup.reuse.to_string()),
        matters("[clock] start", time(clock.start)),
        matters("[clock] move", time(clock.per_move)),
        matters("[clock] game", time(clock.game)),
        matters("[clock] increment", time(Some(clock.increment))),
        matters("[clock] stop", time(Some(clock.stop))),
        matters("[params]", escaped(&sets.join(", "))),
        matters("[limits] files", or_none(limits.file_bytes.map(|bytes| format!("{bytes}B")))),
        matters("[limits] cpu", or_none(limits.cpu_seconds.map(|seconds| format!("{seconds}s")))),
        incidental("[until_ranked] max_time", time(cup.max_time)),
        incidental("[build] time", time(Some(cup.build_time))),
        incidental(
            "[grades]",
            or_none(cup.grades.as_ref().map(|grades| grades_text(cup, grades.pass_against, grades.pass_pct))),
        ),
    ]
}

fn plan_changes(old: &Cup, new: &Cup) -> Vec<Change> {
    if old.plan.id() != new.plan.id() {
        return vec![change("format", old.plan.id().to_string(), new.plan.id().to_string())];
    }
    let (before, after) = (plan_settings(old), plan_settings(new));
    let changed = before.into_iter().zip(after).filter(|((_, old), (_, new))| old != new);
    changed.map(|((key, old), (_, new))| change(key, old, new)).collect()
}

fn plan_settings(cup: &Cup) -> Vec<(&'static str, String)> {
    match &cup.plan {
        Plan::RoundRobin | Plan::Knockout | Plan::DoubleElimination => Vec::new(),
        Plan::Gauntlet { challengers } => {
            let mut names: Vec<&str> = challengers.iter().map(|place| name(&cup.bots[*place])).collect();
            names.sort_unstable();
            vec![("[gauntlet] challengers", names.join(", "))]
        }
        Plan::Swiss { rounds } => vec![("[swiss] rounds", or_none(*rounds))],
        Plan::Sprt { elo0, elo1, alpha, beta, batch, max_pairs } => vec![
            ("[sprt] elo0", elo0.to_string()),
            ("[sprt] elo1", elo1.to_string()),
            ("[sprt] alpha", alpha.to_string()),
            ("[sprt] beta", beta.to_string()),
            ("[sprt] batch", batch.to_string()),
            ("[sprt] max_pairs", or_none(*max_pairs)),
        ],
        Plan::UntilRanked { confidence, batch, max_matches } => vec![
            ("[until_ranked] confidence", confidence.to_string()),
            ("[until_ranked] batch", batch.to_string()),
            ("[until_ranked] max_matches", or_none(*max_matches)),
        ],
    }
}

/// Bots that came, went, moved or are another. Those that were there must stay in their order, which the matches' ids
/// and seats come from.
fn bot_changes(old: &Cup, new: &Cup) -> Vec<Change> {
    let mut changes = Vec::new();
    let find = |cup: &'_ Cup, wanted: &CupBot| cup.bots.iter().find(|bot| name(bot) == name(wanted)).cloned();
    for before in &old.bots {
        let was = description(&before.spec);
        match find(new, before) {
            None => changes.push(change(&bot_key(before), was, "none".to_string())),
            Some(after) => {
                let pairs = [(was, description(&after.spec), false), (authors(before), authors(&after), true)];
                for (old, new, taken_up) in pairs.into_iter().filter(|(old, new, _)| old != new) {
                    changes.push(Change { taken_up, ..change(&bot_key(before), old, new) });
                }
            }
        }
    }
    for after in new.bots.iter().filter(|after| find(old, after).is_none()) {
        let added = change(&bot_key(after), "none".to_string(), description(&after.spec));
        changes.push(Change { taken_up: can_grow(new), ..added });
    }
    let shared = |cup: &Cup, other: &Cup| -> Vec<String> {
        let known = cup.bots.iter().filter(|bot| find(other, bot).is_some());
        known.map(|bot| name(bot).to_string()).collect()
    };
    let (before, after) = (shared(old, new), shared(new, old));
    if before != after {
        changes.push(change("the order of [[bots]]", before.join(", "), after.join(", ")));
    }
    changes
}

/// Whether finished matches stay good when bots or pairs are added: not where later pairings follow from results.
fn can_grow(cup: &Cup) -> bool {
    matches!(cup.plan, Plan::RoundRobin | Plan::Gauntlet { .. })
}

/// How a bot is started; a bundled one wherever the arena is.
fn description(spec: &BotSpec) -> String {
    let text = match &spec.kind {
        BotKind::Human => "human".to_string(),
        BotKind::Program(launch) => {
            let mut argv = launch.argv.clone();
            if launch.bundled {
                argv[0] = argv[0].rsplit('/').next().unwrap_or_default().to_string();
            }
            let command = command_text(&argv);
            if launch.bundled && !launch.described {
                command
            } else {
                let variables = launch.env.iter().map(|(key, value)| format!("{key}={value} "));
                format!("{}{command} in {}", variables.collect::<String>(), launch.folder.display())
            }
        }
    };
    escaped(&text)
}

fn authors(bot: &CupBot) -> String {
    if bot.spec.authors.is_empty() { "no authors".to_string() } else { escaped(&bot.spec.authors.join(", ")) }
}

fn grades_text(cup: &Cup, against: usize, pct: f64) -> String {
    format!("{pct} % against {}", name(&cup.bots[against]))
}

fn bot_key(bot: &CupBot) -> String {
    format!("[[bots]] {}", name(bot))
}

fn name(bot: &CupBot) -> &str {
    &bot.spec.name
}

fn change(key: &str, old: String, new: String) -> Change {
    Change { key: key.to_string(), old, new, taken_up: false }
}

fn time(time: Option<Duration>) -> String {
    time.map_or("none".to_string(), |time| format!("{time:?}"))
}

fn or_none<T: ToString>(value: Option<T>) -> String {
    value.map_or("none".to_string(), |value| value.to_string())
}
