//! No Tipping: two seats load a board on two supports, then unload it; who tips it loses (`RULES.md`).
//!
//! A position is the loaded board, both hands and whose turn it is; the phase follows from the hands. All torques are
//! whole numbers, so that a board that just stands is told from one that tips without any tolerance.

mod board;
mod moves;
mod scene;
mod state;

pub mod wire;

#[cfg(test)]
mod tests;

pub use moves::Move;

use crate::game::{
    BadShape, Game, GameInfo, Illegal, OPENING, Outcome, ParamError, ParamKind, ParamSpec, Params, Played, Scene,
    Situation, Status,
};
use crate::seat::{BySeat, Seat};
use crate::seed::Stream;
use board::{Board, Hand, REACH};
use serde_json::Value;

/// The greatest number of blocks in a hand.
const MOST_BLOCKS: i64 = 24;

/// A position of No Tipping.
#[derive(Clone, Debug)]
pub struct NoTipping {
    k: u8,
    board: Board,
    hands: BySeat<Hand>,
    /// The seat of the next ply; when the board has tipped, the one that did not tip it.
    to_move: Seat,
    /// The last ply, for whoever looks on; no part of the state.
    last: Option<Ply>,
}

/// What a seat does in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It places one of its own blocks.
    Add,
    /// It takes any block off.
    Remove,
}

/// A ply that was played: what became of which block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ply {
    phase: Phase,
    weight: u8,
    position: i64,
}

impl NoTipping {
    /// Whether blocks are placed or taken off: placed until both hands are empty.
    pub fn phase(&self) -> Phase {
        if self.hands.0.iter().all(|hand| hand.is_empty()) { Phase::Remove } else { Phase::Add }
    }

    /// Whether the seat to move tips the board with this legal move.
    pub fn tips(&self, mv: &Move) -> bool {
        let mut next = self.clone();
        next.apply(mv);
        next.board.torque().tips()
    }

    fn outcome(&self) -> Outcome {
        let (loser, torque) = (self.to_move.other(), self.board.torque());
        let side = if torque.left > 0 { "left" } else { "right" };
        let detail = format!(
            "seat {loser} {} and the board tipped to the {side}: torque {:+} about the left support (tips above 0), {:+} \
             about the right one (tips below 0)",
            self.last_in_words(),
            torque.left,
            torque.right
        );
        Outcome { winner: Some(self.to_move), turn_limit: false, detail: Some(detail) }
    }

    fn last_in_words(&self) -> String {
        match self.last {
            Some(Ply { phase: Phase::Add, weight, position }) => format!("placed {weight} kg at {position}"),
            Some(Ply { phase: Phase::Remove, weight, position }) => format!("took {weight} kg off {position}"),
            None => "moved last".to_string(),
        }
    }

    /// The weight and place of a move, or the rule that it breaks.
    fn ply(&self, mv: &Move) -> Result<Ply, Illegal> {
        let phase = self.phase();
        let Move::Block { weight, position } = *mv else {
            return Err(Illegal("there is no passing in this game: every seat has a move in each turn".to_string()));
        };
        let on_board = || {
            let place = self.board.at(position);
            place.ok_or_else(|| Illegal(format!("position {position} is outside the board, from -{REACH} to {REACH}")))
        };
        match phase {
            Phase::Add => {
                let weight = self.in_hand(weight)?;
                match on_board()? {
                    0 => Ok(Ply { phase, weight, position }),
                    block => Err(Illegal(format!("position {position} is occupied by a block of {block} kg"))),
                }
            }
            Phase::Remove => match on_board()? {
                0 => Err(Illegal(format!("position {position} is empty: there is no block to take off"))),
                weight => Ok(Ply { phase, weight, position }),
            },
        }
    }

    fn in_hand(&self, weight: Option<i64>) -> Result<u8, Illegal> {
        let hand = self.hands[self.to_move];
        let Some(weight) = weight else {
            return Err(Illegal(format!(
                "the move names no `weight`: in phase add it is {{\"weight\":W,\"position\":P}}, W one of {hand}, the \
                 blocks in the hand of seat {}",
                self.to_move
            )));
        };
        u8::try_from(weight).ok().filter(|&weight| hand.has(weight)).ok_or_else(|| {
            Illegal(format!("no block of {weight} kg is in the hand of seat {}: it has {hand}", self.to_move))
        })
    }
}

impl Game for NoTipping {
    type Move = Move;

    const INFO: GameInfo = GameInfo {
        id: "notipping",
        title: "No Tipping",
        summary: "Load a board on two supports, then unload it; whoever tips it loses.",
        params: &[
            ParamSpec {
                name: "k",
                kind: ParamKind::Range(1, MOST_BLOCKS),
                default: Some("15"),
                help: "blocks in each hand: one of each weight from 1 to k",
            },
            OPENING,
        ],
        for_people: r#"{}"#,
        asks: &["Choose a block.", "Choose its place on the board."],
        situations: &[
            Situation { name: "usual", params: r#"{}"# },
            Situation { name: "removing", params: r#"{"k":4,"opening":8}"# },
            Situation { name: "few blocks", params: r#"{"k":2}"# },
            Situation { name: "many blocks", params: r#"{"k":24,"opening":20}"# },
        ],
        always_lists_moves: false,
        counts_ignored: false,
        rules: include_str!("RULES.md"),
        example_move: r#"{"weight":7,"position":-3}"#,
        example_typed: "7 -3",
        typed_in_words: "to place a block its weight, then the position; to take one off the position alone.",
        bots: &["random", "greedy", "notipping-random", "notipping-bridge", "plain"],
        plain: include_str!("PLAIN.md"),
        plain_answer: "WEIGHT POSITION when adding, POSITION when removing",
        starters: starters!("notipping", "Notipping"),
    };

    fn start(params: &Params, _seed: u64) -> Result<Self, ParamError> {
        let k = params.get("k").and_then(Value::as_i64).expect("`k` has a default and is a number");
        let k = u8::try_from(k).expect("`k` is in its range");
        let hands = BySeat([Hand::full(k), Hand::full(k)]);
        Ok(NoTipping { k, board: Board::start(), hands, to_move: Seat::First, last: None })
    }

    fn params(&self) -> Params {
        Params::from_iter([("k".to_string(), self.k.into())])
    }

    fn status(&self) -> Status {
        if self.board.torque().tips() { Status::Over(self.outcome()) } else { Status::ToMove(self.to_move) }
    }

    fn scores(&self) -> [i64; 2] {
        if self.board.torque().tips() { self.forfeit_scores(self.to_move.other()) } else { [0, 0] }
    }

    fn forfeit_scores(&self, loser: Seat) -> [i64; 2] {
        BySeat::from_fn(|seat| i64::from(seat != loser)).0
    }

    fn check(&self, mv: &Move) -> Result<(), Illegal> {
        if self.board.torque().tips() {
            return Err(Illegal("the match is over: the board has tipped".to_string()));
        }
        self.ply(mv).map(|_| ())
    }

    fn apply(&mut self, mv: &Move) -> Played<Move> {
        let ply = self.ply(mv).expect("a move is checked before it is played");
        let mover = self.to_move;
        let weight = match ply.phase {
            Phase::Add => {
                self.hands[mover].take(ply.weight);
                self.board.place(ply.position, ply.weight, mover);
                Some(i64::from(ply.weight))
            }
            Phase::Remove => {
                self.board.clear(ply.position);
                None
            }
        };
        self.last = Some(ply);
        self.to_move = mover.other();
        Played { accepted: Move::Block { weight, position: ply.position }, ignored: Vec::new() }
    }

    fn legal_moves(&self) -> Option<Vec<Move>> {
        if self.board.torque().tips() {
            return Some(Vec::new());
        }
        let with = |weight| move |position| Move::Block { weight, position };
        Some(match self.phase() {
            Phase::Add => {
                let weights = self.hands[self.to_move].weights();
                weights.flat_map(|weight| self.board.free().map(with(Some(i64::from(weight))))).collect()
            }
            Phase::Remove => self.board.blocks().map(|block| with(None)(block.position)).collect(),
        })
    }

    /// Only moves that do not tip: an opening is to be played on from.
    fn opening_moves(&self) -> Vec<Move> {
        self.legal_moves().unwrap_or_default().into_iter().filter(|mv| !self.tips(mv)).collect()
    }

    /// Placing: a random one of the blocks that have a placement that does not tip, as far left as it goes without tipping.
    /// Taking off: a random block among those that do not tip. Any legal move when everything tips.
    fn sample_move(&self, stream: &mut Stream) -> Move {
        // The moves that do not tip come by weight, each weight's from the left: its first one is the leftmost.
        let mut sensible = self.opening_moves();
        sensible.dedup_by_key(|mv| match mv {
            Move::Block { weight: Some(weight), .. } => (Some(*weight), None),
            Move::Block { weight: None, position } => (None, Some(*position)),
            Move::Pass => (None, None),
        });
        let moves = if sensible.is_empty() { self.legal_moves().unwrap_or_default() } else { sensible };
        stream.pick(&moves).clone()
    }

    fn read_move(&self, value: &Value) -> Result<Move, BadShape> {
        moves::read(value, self.phase())
    }

    fn write_move(mv: &Move, out: &mut Vec<u8>) {
        moves::write(mv, out);
    }

    fn read_typed(&self, text: &str) -> Result<Move, BadShape> {
        moves::read_typed(text, self.phase())
    }

    fn move_text(mv: &Move) -> String {
        mv.to_string()
    }

    fn write_state(&self, out: &mut Vec<u8>) {
        state::write(self, out);
    }

    fn read_state(params: &Params, state: &Value, to_move: Seat) -> Result<Self, BadShape> {
        state::read(params, state, to_move)
    }

    /// The line of the course's server, and after it the mover's hand: an opening has placed blocks that nobody saw placed.
    fn write_plain(&self, out: &mut Vec<u8>) {
        let view = wire::View { phase: self.phase(), board: *self.board.weights(), over: false };
        wire::Kind::Text.write_state(&view, None, out);
        out.pop();
        for weight in self.hands[self.to_move].weights() {
            out.extend_from_slice(format!(" {weight}").as_bytes());
        }
    }

    fn read_plain(&self, line: &str) -> Result<Move, BadShape> {
        moves::read_plain(line, self.phase())
    }

    fn write_plain_move(mv: &Move, out: &mut Vec<u8>) {
        wire::Kind::Text.write_move(mv, out);
    }

    fn scene(&self) -> Scene {
        scene::draw(self)
    }
}
