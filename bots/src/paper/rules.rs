//! The rules that the Paper knows: each looks at the moves that are left and says which of them stay.
//!
//! A rule knows neither the rules before it nor those after it, and never which of several moves is played.

use super::board::Board;
use arena::games::othello::Square;

/// One rule of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Only corners, if there are any.
    Corner,
    /// No squares beside an empty corner, unless all are.
    Avoid,
    /// Only squares on the border that are no corners, if there are any.
    Edge,
    /// The moves that flip the most discs.
    Most,
    /// The moves that flip the fewest discs.
    Fewest,
    /// The moves after which the opponent has the fewest moves.
    Mobility,
    /// The moves closest to the middle of the board.
    Center,
    /// The moves after which the fewest own discs touch an empty square.
    Frontier,
}

impl Rule {
    /// The rules of the worksheet, in its order.
    pub const WORKSHEET: [Rule; 4] = [Rule::Corner, Rule::Avoid, Rule::Edge, Rule::Most];

    /// Every rule.
    pub const ALL: [Rule; 8] =
        [Rule::Corner, Rule::Avoid, Rule::Edge, Rule::Most, Rule::Fewest, Rule::Mobility, Rule::Center, Rule::Frontier];

    /// The word for it in `--rules` and in notes.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Corner => "corner",
            Rule::Avoid => "avoid",
            Rule::Edge => "edge",
            Rule::Most => "most",
            Rule::Fewest => "fewest",
            Rule::Mobility => "mobility",
            Rule::Center => "center",
            Rule::Frontier => "frontier",
        }
    }

    /// What it does, for the list that people are shown.
    pub const fn about(self) -> &'static str {
        match self {
            Rule::Corner => "picks corners, if there are any",
            Rule::Avoid => "crosses off the squares beside a corner that is empty, unless that leaves none",
            Rule::Edge => "picks squares on the border that are no corners, if there are any",
            Rule::Most => "picks the moves that flip the most discs",
            Rule::Fewest => "picks the moves that flip the fewest discs",
            Rule::Mobility => "picks the moves that leave the opponent the fewest moves",
            Rule::Center => "picks the moves closest to the middle of the board",
            Rule::Frontier => "picks the moves after which the fewest own discs touch an empty square",
        }
    }

    /// Whether the list ends with this rule once it found something. `Avoid` only crosses off.
    pub const fn picks(self) -> bool {
        !matches!(self, Rule::Avoid)
    }

    /// Those of `left` (at least one) that this rule finds; none when it does not apply.
    pub(super) fn find(self, board: &Board, left: &[Square]) -> Vec<Square> {
        let only = |keep: &dyn Fn(Square) -> bool| left.iter().copied().filter(|&square| keep(square)).collect();
        match self {
            Rule::Corner => only(&|square| board.is_corner(square)),
            Rule::Avoid => only(&|square| !board.touches_empty_corner(square)),
            Rule::Edge => only(&|square| board.is_border(square) && !board.is_corner(square)),
            Rule::Most => least(left, |square| -board.flips(square)),
            Rule::Fewest => least(left, |square| board.flips(square)),
            Rule::Mobility => least(left, |square| board.replies(square)),
            Rule::Center => least(left, |square| board.distance_to_middle(square)),
            Rule::Frontier => least(left, |square| board.frontier(square)),
        }
    }
}

/// The squares with the least of something.
fn least(squares: &[Square], of: impl Fn(Square) -> i64) -> Vec<Square> {
    let values: Vec<i64> = squares.iter().map(|&square| of(square)).collect();
    let least = values.iter().min();
    squares.iter().zip(&values).filter(|(_, value)| Some(*value) == least).map(|(&square, _)| square).collect()
}

/// Reads a list of rules, as `--rules` takes it: names with commas between them.
pub fn parse(list: &str) -> Result<Vec<Rule>, String> {
    list.split(',').map(|name| parse_one(name.trim())).collect()
}

fn parse_one(name: &str) -> Result<Rule, String> {
    Rule::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(|| {
        let names = Rule::ALL.map(Rule::name).join(", ");
        format!("there is no rule `{name}`: the rules are {names}; write them with commas between, as in `--rules corner,avoid,edge,most`")
    })
}
