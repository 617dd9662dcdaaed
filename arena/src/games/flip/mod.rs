//! Flip: two players bring their circles across a table, each flip exactly one diameter long.
//!
//! This file is the game: whose turn it is, how many flips it has, when it is over. Where a circle may lie is the
//! table's matter, JSON that of `moves` and `state`. Nothing here knows who plays, or how long they think.

mod choices;
mod deal;
mod moves;
mod sample;
mod scene;
mod state;
mod table;
#[cfg(test)]
mod tests;

pub use moves::{Goal, PieceFlip};
pub use table::{Centre, DIAMETER, HALF_TABLE, Invalid, Landing, THIRD, TOLERANCE, Table};

use crate::game::{
    BadShape, Chosen, Game, GameInfo, Ignored, Illegal, Outcome, ParamError, ParamKind, ParamSpec, Params, Played,
    Scene, Situation, Status,
};
use crate::seat::Seat;
use crate::seed::Stream;
use serde_json::Value;
use state::PiecesText;

/// A position of Flip.
#[derive(Clone, Debug)]
pub struct Flip {
    table: Table,
    /// The centres as the state shows them, kept up to date so that a turn costs the writing of what moved.
    pieces_text: PiecesText,
    to_move: Seat,
    /// From 1; one more than `rounds` when the last round is over.
    round: u64,
    rounds: u64,
    /// The flips of the turn before, for drawings.
    last: Vec<Landing>,
}

impl Flip {
    /// Where the circles lie: for bots that look ahead without the rest of the game.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// How many flips the seat to move may make: one in the first turn of the match, else two.
    pub fn flips_allowed(&self) -> usize {
        if self.round == 1 && self.to_move == Seat::First { 1 } else { 2 }
    }

    fn new(table: Table, rounds: u64, round: u64, to_move: Seat) -> Flip {
        let pieces_text = PiecesText::new(&table);
        Flip { table, pieces_text, to_move, round, rounds, last: Vec::new() }
    }

    fn end_turn(&mut self) {
        self.to_move = self.to_move.other();
        if self.to_move == Seat::First {
            self.round += 1;
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        // Only a turn of one's own wins, so of two full thirds (in a position that was read) the last mover's counts.
        let across = [self.to_move.other(), self.to_move].into_iter().find(|&seat| self.table.all_across(seat));
        if across.is_some() {
            return Some(Outcome { winner: across, turn_limit: false, detail: None });
        }
        if self.round <= self.rounds {
            return None;
        }
        let [first, second] = self.scores();
        let winner = match first.cmp(&second) {
            std::cmp::Ordering::Greater => Some(Seat::First),
            std::cmp::Ordering::Less => Some(Seat::Second),
            std::cmp::Ordering::Equal => None,
        };
        let detail = format!(
            "after {} rounds seat 0 has {first} and seat 1 has {second} of {} pieces in the opposite third",
            self.rounds,
            self.table.pieces_each()
        );
        Some(Outcome { winner, turn_limit: true, detail: Some(detail) })
    }
}

impl Game for Flip {
    /// The flips, in the order in which they are made.
    type Move = Vec<PieceFlip>;

    const INFO: GameInfo = GameInfo {
        id: "flip",
        title: "Flip",
        summary: "Bring all your circles to the other end of the table, two flips of one diameter a turn.",
        params: &[
            ParamSpec { name: "n", kind: ParamKind::Range(1, 200), default: Some("5"), help: "pieces of each player" },
            ParamSpec {
                name: "rounds",
                kind: ParamKind::Range(1, 1_000_000),
                default: None,
                help: "rounds until the match is counted; without it the greater of 1000 and 50 times n",
            },
        ],
        for_people: r#"{"n":2,"rounds":40}"#,
        asks: &["Choose one of your circles.", "Choose a circle for another flip, or leave it at that."],
        situations: &[
            Situation { name: "usual", params: r#"{"rounds":10}"# },
            Situation { name: "sparse", params: r#"{"n":1,"rounds":12}"# },
            Situation { name: "dense", params: r#"{"n":120,"rounds":6}"# },
            Situation { name: "large", params: r#"{"n":200,"rounds":3}"# },
        ],
        always_lists_moves: false,
        counts_ignored: true,
        rules: include_str!("RULES.md"),
        example_move: r#"[{"piece":0,"angle":0.5}]"#,
        example_typed: "0 @0.5",
        typed_in_words: "the piece, then @ and the direction in radians (0 to the right, 1.57 up) or in degrees (@90deg); or \
                         the piece, then x and y of a point towards which it goes. Two flips: `;` between them. No flip: Enter.",
        bots: &["random", "greedy", "plain"],
        plain: include_str!("PLAIN.md"),
        plain_answer: "for each flip PIECE X Y or PIECE @RADIANS; none for no flip",
        starters: starters!("flip", "Flip"),
    };

    /// An angle may be any number.
    const LISTS_MOVES: bool = false;

    fn start(params: &Params, seed: u64) -> Result<Self, ParamError> {
        let n = params["n"].as_u64().expect("a checked parameter is a whole number");
        let rounds = params.get("rounds").and_then(Value::as_u64).unwrap_or_else(|| (50 * n).max(1000));
        Ok(Flip::new(deal::deal(n as usize, seed)?, rounds, 1, Seat::First))
    }

    fn params(&self) -> Params {
        let n = self.table.pieces_each() as u64;
        Params::from_iter([("n".to_string(), n.into()), ("rounds".to_string(), self.rounds.into())])
    }

    fn status(&self) -> Status {
        self.outcome().map_or(Status::ToMove(self.to_move), Status::Over)
    }

    fn scores(&self) -> [i64; 2] {
        Seat::BOTH.map(|seat| self.table.across(seat) as i64)
    }

    /// An invalid flip is no illegal move: it only costs that flip.
    fn check(&self, mv: &Self::Move) -> Result<(), Illegal> {
        moves::check_count(mv.len(), self.flips_allowed()).map_err(Illegal)
    }

    fn apply(&mut self, mv: &Self::Move) -> Played<Self::Move> {
        let mut played = Played { accepted: Vec::new(), ignored: Vec::new() };
        self.last.clear();
        for (part, flip) in mv.iter().enumerate() {
            match self.table.judge(self.to_move, flip) {
                Ok(landing) => {
                    self.table.make(&landing);
                    self.pieces_text.replace(landing.seat, landing.piece, landing.to);
                    played.accepted.push(landing.as_flip());
                    self.last.push(landing);
                }
                Err(invalid) => played.ignored.push(Ignored { part, why: invalid.words(self.to_move) }),
            }
        }
        self.end_turn();
        played
    }

    fn legal_moves(&self) -> Option<Vec<Self::Move>> {
        None
    }

    /// Mostly of valid flips.
    fn sample_move(&self, stream: &mut Stream) -> Self::Move {
        sample::draw(&self.table, self.to_move, self.flips_allowed(), stream)
    }

    fn read_move(&self, value: &Value) -> Result<Self::Move, BadShape> {
        moves::read(value, self.flips_allowed())
    }

    fn write_move(mv: &Self::Move, out: &mut Vec<u8>) {
        moves::write(mv, out);
    }

    fn read_typed(&self, text: &str) -> Result<Self::Move, BadShape> {
        moves::read_typed(text, &self.table, self.to_move, self.flips_allowed())
    }

    fn move_text(mv: &Self::Move) -> String {
        moves::short_text(mv)
    }

    fn write_state(&self, out: &mut Vec<u8>) {
        state::write(self, out);
    }

    fn read_state(params: &Params, state: &Value, to_move: Seat) -> Result<Self, BadShape> {
        state::read(params, state, to_move)
    }

    fn choose(&self, path: &[Value]) -> Result<Chosen, BadShape> {
        choices::choose(self, path)
    }

    fn write_plain(&self, out: &mut Vec<u8>) {
        state::write_plain(self, out);
    }

    fn read_plain(&self, line: &str) -> Result<Self::Move, BadShape> {
        moves::read_plain(line, self.flips_allowed())
    }

    fn write_plain_move(mv: &Self::Move, out: &mut Vec<u8>) {
        moves::write_plain(mv, out);
    }

    fn scene(&self) -> Scene {
        scene::draw(self)
    }
}
