//! The Paper: a program for Othello that fits on a sheet of paper, rule by rule, the first that applies.
//!
//! Its rules are a list that can be changed (`paper --rules corner,avoid,most,edge`), and every move tells in its
//! note which rule chose it. It looks at one position only and remembers nothing.

mod board;
mod rules;
#[cfg(test)]
mod tests;

pub use rules::{Rule, parse};

use crate::{Answer, Request};
use arena::games::othello::{Move, Othello, Square};
use board::Board;
use serde_json::{Value, json};
use std::process::ExitCode;

/// What the bot does with its arguments: plays, or shows what it can be told.
pub fn main() -> ExitCode {
    match read_arguments(crate::arguments().into_iter()) {
        Ok(Wish::Play { rules, told }) => {
            crate::run_game(|position: &Othello, _: &Request| answer(position, &rules, told))
        }
        Ok(Wish::ListRules) => crate::show(&format!("{}\n", list_of_rules())),
        Ok(Wish::Help) => crate::show(&help()),
        Err(why) => crate::refuse(&why),
    }
}

/// How much a note tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// The rule that picked, and the moves that it left.
    Outcome,
    /// What each rule did as well, and the move.
    EveryStep,
}

/// The move that the rules choose, with the rule and the moves that it left as its note.
fn answer(position: &Othello, rules: &[Rule], told: Told) -> Answer<Move> {
    let explanation = explain(position, rules).expect("the loop asks only where a seat has to move");
    let mut note = json!({ "rule": explanation.rule.map_or(NO_RULE, Rule::name), "left": names(explanation.left()) });
    if told == Told::EveryStep {
        let step = |step: &Step| json!({ "rule": step.rule.name(), "crossed_off": names(&step.crossed_off), "kept": names(&step.kept) });
        note["steps"] = explanation.steps.iter().map(step).collect();
        note["chosen"] = explanation.chosen.to_string().into();
    }
    Answer::new(Move::At(explanation.chosen)).with_note(note)
}

fn names(squares: &[Square]) -> Vec<String> {
    squares.iter().map(Square::to_string).collect()
}

/// Which of several moves is played, in words.
const TIES: &str = "the one closest to the top, then farthest left";

/// All that there is to know of the rules, for programs that show them: each rule with its words, the worksheet's list, and what
/// decides between moves that are left.
fn list_of_rules() -> Value {
    let rule = |rule: Rule| json!({ "name": rule.name(), "text": rule.about(), "picks": rule.picks() });
    json!({ "rules": Rule::ALL.map(rule), "worksheet": Rule::WORKSHEET.map(Rule::name), "ties": TIES })
}

/// What stands in a note when the list ended before any rule picked: then the place alone decides.
const NO_RULE: &str = "top-left";

/// How the rules came to their move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The rules that were gone through, in order; none after one that picked.
    pub steps: Vec<Step>,
    /// The rule that picked; `None` when the list ended without.
    pub rule: Option<Rule>,
    /// The move: of those left, the one closest to the top, then farthest left.
    pub chosen: Square,
}

/// What one rule did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The rule.
    pub rule: Rule,
    /// The moves that it crossed off, from the top row down, left to right.
    pub crossed_off: Vec<Square>,
    /// The moves that it left, in the same order; never empty.
    pub kept: Vec<Square>,
}

impl Explanation {
    /// The moves that were left at the end; just the chosen one when the list of rules was empty.
    pub fn left(&self) -> &[Square] {
        self.steps.last().map_or(std::slice::from_ref(&self.chosen), |step| &step.kept)
    }
}

/// Goes through the rules in order, until one picks; `None` where no seat has to move.
pub fn explain(position: &Othello, rules: &[Rule]) -> Option<Explanation> {
    let board = Board::new(position)?;
    let mut left = board.moves();
    let mut steps = Vec::new();
    let mut picked = None;
    for &rule in rules {
        let found = rule.find(&board, &left);
        let applies = !found.is_empty();
        let kept = if applies { found } else { left.clone() };
        let crossed_off = left.iter().copied().filter(|square| !kept.contains(square)).collect();
        steps.push(Step { rule, crossed_off, kept: kept.clone() });
        left = kept;
        if applies && rule.picks() {
            picked = Some(rule);
            break;
        }
    }
    let chosen = left.into_iter().min_by_key(|square| (square.row, square.column))?;
    Some(Explanation { steps, rule: picked, chosen })
}

#[derive(Debug, PartialEq, Eq)]
enum Wish {
    Play { rules: Vec<Rule>, told: Told },
    ListRules,
    Help,
}

fn read_arguments(mut arguments: impl Iterator<Item = String>) -> Result<Wish, String> {
    let mut rules = Rule::WORKSHEET.to_vec();
    let mut told = Told::Outcome;
    while let Some(argument) = arguments.next() {
        if argument == "--help" || argument == "-h" {
            return Ok(Wish::Help);
        } else if argument == "--list-rules" {
            return Ok(Wish::ListRules);
        } else if argument == "--explain" {
            told = Told::EveryStep;
        } else if argument == "--rules" {
            let list = arguments.next().ok_or("`--rules` needs a list, as in `--rules corner,avoid,edge,most`")?;
            rules = parse(&list)?;
        } else if let Some(list) = argument.strip_prefix("--rules=") {
            rules = parse(list)?;
        } else {
            return Err(format!(
                "`{argument}` is no option: there are `--rules LIST`, `--explain`, `--list-rules` and `--help`"
            ));
        }
    }
    Ok(Wish::Play { rules, told })
}

fn help() -> String {
    let mut text = format!(
        "The Paper plays Othello by a list of rules. It goes through them in order: each looks at the moves that are\n\
         left; the first that picks some ends the list. Of those {TIES}, is played.\n\n\
         Usage: paper [--rules LIST] [--explain]\n\n\
         \x20 --rules LIST  its rules, with commas between them [default: corner,avoid,edge,most]\n\
         \x20 --explain     tells in each note what every rule did\n\
         \x20 --list-rules  prints all rules as JSON, for programs, and ends\n\nRules:\n",
    );
    for rule in Rule::ALL {
        text.push_str(&format!("  {:9} {}\n", rule.name(), rule.about()));
    }
    text
}
