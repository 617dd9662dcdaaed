//! What the Paper did, in sentences that a child reads. Rules are numbered by their place in the list.

use super::bot::{Explanation, RuleBook, Step};
use crate::game::AnyPosition;
use serde::Serialize;
use serde_json::Value;

/// How the Paper came to its move, for the page.
#[derive(Debug, Serialize)]
pub(super) struct Told {
    /// Rule by rule, as far as the list was gone through.
    steps: Vec<ToldStep>,
    /// The move.
    chosen: Value,
    /// Which rule picked, and how a tie was broken.
    decision: String,
    /// For every other move: which rule speaks against it.
    instead: Vec<Instead>,
}

#[derive(Debug, Serialize)]
struct ToldStep {
    /// What it did.
    says: String,
    crossed_off: Vec<Value>,
}

#[derive(Debug, Serialize)]
struct Instead {
    key: Value,
    /// Which rule crossed it off, by its place in the list; `None` where it was left, and another was played.
    rule: Option<usize>,
    says: String,
}

/// Tells an explanation in a position.
pub(super) fn tell(explanation: &Explanation, book: &RuleBook, position: &dyn AnyPosition) -> Told {
    let words = Words { explanation, book, position };
    let wrong = position.legal_moves().unwrap_or_default().into_iter().filter(|mv| *mv != explanation.chosen);
    Told {
        steps: (0..explanation.steps.len()).map(|at| words.step(at)).collect(),
        chosen: explanation.chosen.clone(),
        decision: words.decision(),
        instead: wrong.map(|key| words.against(key)).collect(),
    }
}

struct Words<'a> {
    explanation: &'a Explanation,
    book: &'a RuleBook,
    position: &'a dyn AnyPosition,
}

impl Words<'_> {
    fn step(&self, at: usize) -> ToldStep {
        let step = &self.explanation.steps[at];
        let (rule, kept, crossed_off) = (at + 1, self.list(&step.kept), self.list(&step.crossed_off));
        let says = match (self.has_picked(at), step.crossed_off.is_empty()) {
            (true, true) => format!("Rule {rule} picks {kept}."),
            (true, false) => format!("Rule {rule} picks {kept}. That crosses off {crossed_off}."),
            (false, true) => format!("Rule {rule} changes nothing here."),
            (false, false) => format!("Rule {rule} crosses off {crossed_off}."),
        };
        ToldStep { says, crossed_off: step.crossed_off.clone() }
    }

    /// How it ended: the rule that picked, and what was played of several moves.
    fn decision(&self) -> String {
        let Explanation { steps, chosen, .. } = self.explanation;
        let chosen = self.name(chosen);
        let picked = (0..steps.len()).find(|at| self.has_picked(*at));
        let left: &[Value] = steps.last().map_or(&[], |step: &Step| &step.kept);
        match (picked, left) {
            (Some(at), [_]) => format!("Rule {} picks {chosen}.", at + 1),
            (None, [_]) => format!("Only {chosen} is left."),
            (Some(at), left) => {
                format!("Rule {} picks {}; of those {} is played: {chosen}.", at + 1, self.list(left), self.book.ties)
            }
            (None, left) => {
                format!("No rule picks; of {} {} is played: {chosen}.", self.list(left), self.book.ties)
            }
        }
    }

    /// What speaks against another move. Which move is right it does not tell: that is for whoever is the Paper to find.
    fn against(&self, key: Value) -> Instead {
        let Explanation { steps, .. } = self.explanation;
        let name = self.name(&key);
        let Some(at) = steps.iter().position(|step| step.crossed_off.contains(&key)) else {
            let left = steps.last().map_or_else(String::new, |step| self.list(&step.kept));
            let says = format!("Of {left}, {} is played, not {name}.", self.book.ties);
            return Instead { key, rule: None, says };
        };
        let rule = self.book.rules.iter().find(|rule| rule.name == steps[at].rule);
        let text = rule.map(|rule| format!(": it {}", rule.text)).unwrap_or_default();
        Instead { key, rule: Some(at + 1), says: format!("Rule {} crosses {name} off{text}.", at + 1) }
    }

    fn has_picked(&self, at: usize) -> bool {
        let steps = &self.explanation.steps;
        at + 1 == steps.len() && steps[at].rule == self.explanation.rule
    }

    fn name(&self, mv: &Value) -> String {
        self.position.move_text(mv)
    }

    fn list(&self, moves: &[Value]) -> String {
        let names: Vec<String> = moves.iter().map(|mv| self.name(mv)).collect();
        match &names[..] {
            [] => "nothing".to_string(),
            [one] => one.clone(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
        }
    }
}
