//! What the Paper did, in sentences that a child reads. Rules are numbered by their place in the list.

use super::paper_bot::{Explanation, RuleBook, Step};
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
        instead: wrong.map(|key| Instead { says: words.against(&key), key }).collect(),
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
        let says = if self.has_picked(at) {
            format!("Rule {} picks {}.", at + 1, self.list(&step.kept))
        } else if step.crossed_off.is_empty() {
            format!("Rule {} changes nothing here.", at + 1)
        } else {
            format!("Rule {} crosses off {}.", at + 1, self.list(&step.crossed_off))
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

    /// What speaks against another move.
    fn against(&self, key: &Value) -> String {
        let Some(at) = self.explanation.steps.iter().position(|step| step.crossed_off.contains(key)) else {
            return self.decision();
        };
        let name = self.name(key);
        let rule = self.book.rules.iter().find(|rule| rule.name == self.explanation.steps[at].rule);
        let text = rule.map(|rule| format!(" It {}.", rule.text)).unwrap_or_default();
        if self.has_picked(at) {
            format!("Not {name}. {}{text}", self.decision())
        } else {
            format!("Rule {} crosses this square off ({name}).{text}", at + 1)
        }
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
