//! Offset: two seats combine equal piles of coins that lie at an offset of their own (`RULES.md`).
//!
//! A position is the board, the pairs of both seats and whose turn it is. Whether a seat has a move is found once,
//! when the position is made, so that asking for the status costs nothing.

mod board;
mod deal;
mod moves;
mod scene;
mod state;

#[cfg(test)]
mod tests;

pub use deal::{Offsets, choices};
pub use moves::Move;

use crate::game::{
    BadShape, Game, GameInfo, Illegal, OPENING, Outcome, ParamError, ParamKind, ParamSpec, Params, Played, Scene,
    Situation, Status,
};
use crate::seat::Seat;
use board::Board;
use moves::Step;
use serde_json::Value;
use std::cmp::Ordering;

/// A position of Offset.
#[derive(Clone, Debug)]
pub struct Offset {
    board: Board,
    offsets: Offsets,
    to_move: Seat,
    next: Next,
    /// The cells of the last combination, for whoever looks on; no part of the state.
    last: Option<Step>,
}

/// What is to happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Move,
    Pass,
    Over,
}

impl Offset {
    fn new(board: Board, offsets: Offsets, to_move: Seat) -> Offset {
        let mut position = Offset { board, offsets, to_move, next: Next::Over, last: None };
        position.look_ahead();
        position
    }

    /// The seat with more coins, if either has.
    fn ahead(&self) -> Option<Seat> {
        let [first, second] = self.scores();
        match first.cmp(&second) {
            Ordering::Greater => Some(Seat::First),
            Ordering::Less => Some(Seat::Second),
            Ordering::Equal => None,
        }
    }

    /// Finds out what the seat to move is to do.
    fn look_ahead(&mut self) {
        let has_move = |seat: Seat| self.board.has_move(self.offsets[seat]);
        self.next = if has_move(self.to_move) {
            Next::Move
        } else if has_move(self.to_move.other()) {
            Next::Pass
        } else {
            Next::Over
        };
    }
}

impl Game for Offset {
    type Move = Move;

    const INFO: GameInfo = GameInfo {
        id: "offset",
        title: "Offset",
        summary: "Combine equal piles of coins at your own offset; whoever owns more coins at the end wins.",
        params: &[
            ParamSpec {
                name: "size",
                kind: ParamKind::Range(deal::SIZES.0, deal::SIZES.1),
                default: Some("32"),
                help: "cells a side",
            },
            ParamSpec {
                name: "d",
                kind: ParamKind::Range(deal::LEAST_D, 2 * deal::SIZES.1 - 5),
                default: Some("7"),
                help: "the sum of either seat's pair, at most 2 times size minus 5",
            },
            ParamSpec {
                name: "offsets",
                kind: ParamKind::List("the pairs of seats 0 and 1, [[p,q],[r,s]], each with the sum d"),
                default: None,
                help: "the pairs of seats 0 and 1; dealt from the seed when left out",
            },
            OPENING,
        ],
        for_people: r#"{"size":10}"#,
        asks: &["Choose a pile to move.", "Choose the pile that it goes onto."],
        situations: &[
            Situation { name: "usual", params: r#"{}"# },
            Situation { name: "small", params: r#"{"size":8,"d":5}"# },
            Situation { name: "late", params: r#"{"size":6,"d":5,"opening":12}"# },
            Situation { name: "large", params: r#"{"size":64,"d":21}"# },
        ],
        always_lists_moves: false,
        counts_ignored: false,
        rules: include_str!("RULES.md"),
        example_move: r#"{"from":[3,4],"to":[9,5]}"#,
        example_typed: "3 4 9 5",
        typed_in_words: "column and row of the pile that you move, then of the equal pile that you put it on. The two \
                         must lie at your own pair: the one number apart across, the other down, or the other way round.",
        bots: &["random", "greedy", "plain"],
        plain: include_str!("PLAIN.md"),
        plain_answer: "X Y X Y, four whole numbers",
        starters: starters!("offset", "Offset"),
    };

    fn start(params: &Params, seed: u64) -> Result<Self, ParamError> {
        let (size, offsets) = deal::start(params, seed)?;
        Ok(Offset::new(Board::full(size), offsets, Seat::First))
    }

    /// `offsets = "all"`: every ordered choice of two different pairs, so that none is left to the deal.
    fn expand(name: &str, word: &str, params: &Params) -> Option<Vec<Value>> {
        (name == "offsets" && word == "all").then(|| deal::all(params))
    }

    fn params(&self) -> Params {
        deal::params(self.board.size(), self.offsets)
    }

    fn status(&self) -> Status {
        match self.next {
            Next::Move => Status::ToMove(self.to_move),
            Next::Pass => Status::MustPass(self.to_move),
            Next::Over => Status::Over(Outcome { winner: self.ahead(), turn_limit: false, detail: None }),
        }
    }

    fn scores(&self) -> [i64; 2] {
        self.board.owned().0.map(i64::from)
    }

    fn check(&self, mv: &Move) -> Result<(), Illegal> {
        match mv {
            Move::Combine { from, to } => match self.board.step(*from, *to) {
                Some(step) if self.board.allows(step, self.offsets[self.to_move]) => Ok(()),
                _ => Err(self.why_not(*from, *to)),
            },
            Move::Pass => Err(self.why_no_pass()),
        }
    }

    fn apply(&mut self, mv: &Move) -> Played<Move> {
        let Move::Combine { from, to } = mv else { unreachable!("a checked move is a combination") };
        let step = self.board.step(*from, *to).expect("a checked move is on the board");
        self.board.combine(step, self.to_move);
        self.last = Some(step);
        self.to_move = self.to_move.other();
        self.look_ahead();
        Played { accepted: mv.clone(), ignored: Vec::new() }
    }

    fn pass(&mut self) {
        self.to_move = self.to_move.other();
        self.next = Next::Move;
    }

    fn legal_moves(&self) -> Option<Vec<Move>> {
        Some(self.board.moves(self.offsets[self.to_move]))
    }

    fn read_move(&self, value: &Value) -> Result<Move, BadShape> {
        moves::read(value)
    }

    fn write_move(mv: &Move, out: &mut Vec<u8>) {
        moves::write(mv, out);
    }

    fn read_typed(&self, text: &str) -> Result<Move, BadShape> {
        moves::read_typed(text)
    }

    fn move_text(mv: &Move) -> String {
        mv.to_string()
    }

    fn write_state(&self, out: &mut Vec<u8>) {
        state::write(&self.board, self.offsets, out);
    }

    fn read_state(params: &Params, state: &Value, to_move: Seat) -> Result<Self, BadShape> {
        let (board, offsets) = state::read(params, state)?;
        Ok(Offset::new(board, offsets, to_move))
    }

    fn write_plain(&self, out: &mut Vec<u8>) {
        state::write_plain(&self.board, self.offsets, self.to_move, out);
    }

    fn read_plain(&self, line: &str) -> Result<Move, BadShape> {
        moves::read_plain(line)
    }

    fn write_plain_move(mv: &Move, out: &mut Vec<u8>) {
        moves::write_plain(mv, out);
    }

    fn scene(&self) -> Scene {
        scene::draw(self)
    }

    fn picture(&self) -> Scene {
        scene::picture(self)
    }
}

/// The words for moves that are refused; found only then, so that checking a good move stays cheap.
impl Offset {
    fn why_not(&self, from: [i64; 2], to: [i64; 2]) -> Illegal {
        let size = self.board.size();
        for (name, [x, y]) in [("from", from), ("to", to)] {
            if self.board.index([x, y]).is_none() {
                return Illegal(format!("`{name}` [{x},{y}] is off the board: x and y go from 1 to {size}"));
            }
        }
        let ([x, y], [to_x, to_y]) = (from, to);
        let [p, q] = self.offsets[self.to_move];
        let (across, down) = ((to_x - x).abs(), (to_y - y).abs());
        if !board::at_offset([across, down], [p, q]) {
            return Illegal(format!(
                "[{x},{y}] and [{to_x},{to_y}] lie {across} across and {down} down from each other, but the pair of \
                 seat {} is [{p},{q}]: the two cells must lie {p} and {q} apart, either way round",
                self.to_move
            ));
        }
        let piles = [from, to].map(|cell| self.board.pile(cell));
        for (name, [x, y], pile) in [("from", from, piles[0]), ("to", to, piles[1])] {
            if pile == 0 {
                return Illegal(format!("`{name}` [{x},{y}] is empty: both cells must hold coins"));
            }
        }
        Illegal(format!(
            "[{x},{y}] holds {} and [{to_x},{to_y}] holds {}: only piles of the same number combine",
            piles[0], piles[1]
        ))
    }

    fn why_no_pass(&self) -> Illegal {
        Illegal(match self.legal_moves().unwrap_or_default().first() {
            Some(mv) => format!("passing with a move at hand, {mv} for instance: only a seat without one passes"),
            None => "there is no move, and then the arena passes by itself: nobody is asked".to_string(),
        })
    }
}
