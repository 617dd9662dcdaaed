//! What has changed in a cup since it was begun, when it is to go on. More bots and more pairs are taken up, where finished
//! matches stay matches of the cup; of anything else it is told what it was and is, and what the ways out are.

use super::{Cup, CupBot, begun_cup};
use crate::config::{ConfigError, escaped};
use crate::table::Thinking;
use crate::tournament::formats::Plan;
use serde_json::Value;
use std::time::Duration;

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What has changed, in a person's words: a key as the cup file has it, like `pairs` or `[clock] move`, or a bot.
    pub key: String,
    /// What it was; `none` where there was nothing.
    pub old: String,
    /// What it is now; `none` where there is nothing.
    pub new: String,
    /// What can be done about it.
    pub remedy: Remedy,
}

/// What can be done about a change, besides playing the cup in a folder of its own or putting the old back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Nothing has to be: it is taken up.
    TakenUp,
    /// The matches of this bot can be played again.
    Again(String),
    /// Nothing: more bots or pairs, in a format whose later pairings follow from results.
    CannotGrow,
    /// Nothing.
    Nothing,
}

/// Every setting in which `new` is another cup than the one that was begun with the file `text` by the bots `begun`.
/// `label` is what errors call that file.
pub fn setting_changes(text: &str, label: &str, begun: &[CupBot], new: &Cup) -> Result<Vec<Change>, ConfigError> {
    // Those that were left out of the old cup are in its file all the same, and may be named there.
    let left_out = new.bots.iter().filter(|bot| find(begun, bot).is_none());
    let old = &begun_cup(text, label, &new.home, begun.iter().chain(left_out).cloned().collect())?;
    let pairs_of = settings(old).into_iter().zip(settings(new));
    let mut changes: Vec<Change> = pairs_of
        .filter(|((_, old), (_, new))| old != new)
        .map(|((key, old), (_, new))| change(key, old, new))
        .collect();
    if old.pairs != new.pairs {
        let remedy = if new.pairs > old.pairs { growth(new) } else { Remedy::Nothing };
        changes.push(Change { remedy, ..change("pairs", old.pairs.to_string(), new.pairs.to_string()) });
    }
    changes.extend(plan_changes(old, new));
    Ok(changes)
}

/// All settings but format, pairs and bots, in one order.
fn settings(cup: &Cup) -> Vec<(&'static str, String)> {
    let (clock, limits) = (&cup.clock, &cup.limits);
    let thinking = match cup.thinking {
        Thinking::OwnTurn => "own-turn",
        Thinking::Any => "any",
    };
    let sets: Vec<String> = cup.sets.iter().map(|set| Value::Object(set.clone()).to_string()).collect();
    vec![
        ("name", cup.name.clone()),
        ("game", cup.game.info().id.to_string()),
        ("seed", cup.seed.to_string()),
        ("hints", cup.hints.to_string()),
        ("jobs", or_none(cup.jobs)),
        ("cores", or_none(cup.cores.as_ref().map(|cores| format!("{cores:?}")))),
        ("thinking", thinking.to_string()),
        ("reuse", or_none(cup.reuse)),
        ("[isolation] mode", cup.isolation.mode.as_str().to_string()),
        ("[isolation] read", format!("{:?}", cup.isolation.read)),
        ("[isolation] users", format!("{:?}", cup.isolation.users)),
        ("[clock] start", time(clock.start)),
        ("[clock] move", time(clock.per_move)),
        ("[clock] game", time(clock.game)),
        ("[clock] increment", time(Some(clock.increment))),
        ("[clock] stop", time(Some(clock.stop))),
        ("[params]", escaped(&sets.join(", "))),
        ("[limits] memory", or_none(limits.memory_bytes.map(|bytes| format!("{bytes}B")))),
        ("[limits] processes", or_none(limits.processes)),
        ("[limits] temp", or_none(limits.temp_bytes.map(|bytes| format!("{bytes}B")))),
        ("[limits] files", or_none(limits.file_bytes.map(|bytes| format!("{bytes}B")))),
        ("[limits] cpu", or_none(limits.cpu_seconds.map(|seconds| format!("{seconds}s")))),
        ("[until_ranked] max_time", time(cup.max_time)),
        ("[build] time", time(Some(cup.build_time))),
        ("[build] network", cup.build_network.to_string()),
        ("[grades]", or_none(cup.grades.as_ref().map(|grades| grades_text(cup, grades.pass_against, grades.pass_pct)))),
    ]
}

fn plan_changes(old: &Cup, new: &Cup) -> Vec<Change> {
    if old.plan.id() != new.plan.id() {
        return vec![change("format", old.plan.id().to_string(), new.plan.id().to_string())];
    }
    let (before, after) = (plan_settings(old), plan_settings(new));
    let changed = before.into_iter().zip(after).filter(|((_, old), (_, new))| old != new);
    let mut changes: Vec<Change> = changed.map(|((key, old), (_, new))| change(key, old, new)).collect();
    // A test that may go on for longer asks for the same pairs first.
    if let (Plan::Sprt { max_pairs: Some(old), .. }, Plan::Sprt { max_pairs: Some(new), .. }) = (&old.plan, &new.plan)
        && new > old
    {
        changes.iter_mut().filter(|change| change.key.ends_with("max_pairs")).for_each(|change| {
            change.remedy = Remedy::TakenUp;
        });
    }
    changes
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

/// Bots that came, went, moved or are entered otherwise. Those that were there must stay in their order, which the matches'
/// ids and seats come from. What only shows in their files is not seen here.
pub fn bot_changes(begun: &[CupBot], new: &Cup) -> Vec<Change> {
    let mut changes = Vec::new();
    for before in begun {
        let Some(after) = find(&new.bots, before) else {
            changes.push(change(&bot_key(before), escaped(&before.entered), "none".to_string()));
            continue;
        };
        let pairs = [(escaped(&before.entered), escaped(&after.entered)), (authors(before), authors(after))];
        for (old, new) in pairs.into_iter().filter(|(old, new)| old != new) {
            changes
                .push(Change { remedy: Remedy::Again(name(before).to_string()), ..change(&bot_key(before), old, new) });
        }
    }
    for after in new.bots.iter().filter(|after| find(begun, after).is_none()) {
        let added = change(&bot_key(after), "none".to_string(), escaped(&after.entered));
        changes.push(Change { remedy: growth(new), ..added });
    }
    let shared = |bots: &[CupBot], others: &[CupBot]| -> Vec<String> {
        bots.iter().filter(|bot| find(others, bot).is_some()).map(|bot| name(bot).to_string()).collect()
    };
    let (before, after) = (shared(begun, &new.bots), shared(&new.bots, begun));
    if before != after {
        changes.push(change("the order of [[bots]]", before.join(", "), after.join(", ")));
    }
    changes
}

fn find<'a>(bots: &'a [CupBot], wanted: &CupBot) -> Option<&'a CupBot> {
    bots.iter().find(|bot| name(bot) == name(wanted))
}

/// What becomes of more bots or pairs: finished matches stay good only where no pairing follows from results.
fn growth(cup: &Cup) -> Remedy {
    match cup.plan {
        Plan::RoundRobin | Plan::Gauntlet { .. } => Remedy::TakenUp,
        _ => Remedy::CannotGrow,
    }
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
    Change { key: key.to_string(), old, new, remedy: Remedy::Nothing }
}

fn time(time: Option<Duration>) -> String {
    time.map_or("none".to_string(), |time| format!("{time:?}"))
}

fn or_none<T: ToString>(value: Option<T>) -> String {
    value.map_or("none".to_string(), |value| value.to_string())
}
