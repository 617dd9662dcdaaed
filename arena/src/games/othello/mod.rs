//! Othello on 4×4 to 10×10 squares: the rules, and the state as bots receive it.
//! How discs are counted and flipped is in `bitboard`, how moves are written in `moves`, the drawing in `scene`.

mod bitboard;
mod moves;
mod scene;

#[cfg(test)]
mod tests;

pub use moves::{Move, Square};

use crate::game::{
    BadShape, Game, GameInfo, Illegal, OPENING, Outcome, ParamError, ParamKind, ParamSpec, Params, Played, Scene,
    Situation, Status,
};
use crate::seat::{BySeat, Seat};
use bitboard::Grid;
use serde_json::{Value, json};

/// A position. Seat 0 is Black.
#[derive(Clone, Debug)]
pub struct Othello {
    grid: Grid,
    discs: BySeat<u128>,
    to_move: Seat,
    /// For the drawing only: no part of the state.
    last: Option<Square>,
}

const SIZE: ParamSpec = ParamSpec {
    name: "size",
    kind: ParamKind::OneOf(SIZES),
    default: Some("6"),
    help: "rows and columns of the board",
};

const SIZES: &[i64] = &[4, 6, 8, 10];

impl Game for Othello {
    type Move = Move;

    const INFO: GameInfo = GameInfo {
        id: "othello",
        title: "Othello",
        summary: "Trap the other side's discs between your own to turn them over; most discs win.",
        params: &[SIZE, OPENING],
        for_people: r#"{}"#,
        asks: &["Choose a square."],
        situations: &[
            Situation { name: "usual", params: r#"{}"# },
            Situation { name: "small", params: r#"{"size":4}"# },
            Situation { name: "passes", params: r#"{"size":4,"opening":4}"# },
            Situation { name: "late", params: r#"{"size":6,"opening":20}"# },
            Situation { name: "large", params: r#"{"size":10}"# },
        ],
        always_lists_moves: true,
        counts_ignored: false,
        rules: include_str!("RULES.md"),
        example_move: r#""c2""#,
        example_typed: "c2",
        typed_in_words: "the square's column and row. A small dot or * on the board: you may play there.",
        bots: &["paper", "random", "greedy", "plain"],
        plain: include_str!("PLAIN.md"),
        plain_answer: "one of the moves that end the request, as c2",
        starters: starters!("othello", "Othello"),
    };

    fn start(params: &Params, _seed: u64) -> Result<Self, ParamError> {
        let size = params.get(SIZE.name).and_then(Value::as_u64).filter(|&size| SIZES.contains(&(size as i64)));
        let Some(size) = size else {
            return Err(ParamError(format!("othello: `size` must be {}", SIZE.kind.allowed())));
        };
        let grid = Grid::new(size as u32);
        let (low, high) = (grid.size() / 2 - 1, grid.size() / 2);
        let white = grid.bit(low, low) | grid.bit(high, high);
        let black = grid.bit(high, low) | grid.bit(low, high);
        Ok(Othello { grid, discs: BySeat([black, white]), to_move: Seat::First, last: None })
    }

    fn params(&self) -> Params {
        [(SIZE.name.to_string(), Value::from(self.grid.size()))].into_iter().collect()
    }

    fn status(&self) -> Status {
        if self.moves_of(self.to_move) != 0 {
            Status::ToMove(self.to_move)
        } else if self.moves_of(self.to_move.other()) != 0 {
            Status::MustPass(self.to_move)
        } else {
            Status::Over(self.outcome())
        }
    }

    fn scores(&self) -> [i64; 2] {
        self.discs.0.map(|discs| discs.count_ones().into())
    }

    fn check(&self, mv: &Move) -> Result<(), Illegal> {
        let why = match mv {
            Move::At(square) if !self.is_on_board(*square) => self.no_such_square(&square.to_string()),
            Move::At(square) => match self.refusal(*square) {
                None => return Ok(()),
                Some(why) => why,
            },
            Move::Unknown(text) => self.no_such_square(text),
            Move::Nothing => "null is no move: whoever can move must, and passes are made by the arena".to_string(),
        };
        Err(Illegal(format!("{why}; legal here: {}", self.legal_text())))
    }

    fn apply(&mut self, mv: &Move) -> Played<Move> {
        let Move::At(square) = mv else { unreachable!("only a square passes the check") };
        let at = self.grid.bit(square.column, square.row);
        let (own, other) = self.sides(self.to_move);
        let flipped = self.grid.flips(at, own, other);
        self.discs[self.to_move] = own | flipped | at;
        self.discs[self.to_move.other()] = other & !flipped;
        self.to_move = self.to_move.other();
        self.last = Some(*square);
        Played { accepted: mv.clone(), ignored: Vec::new() }
    }

    fn pass(&mut self) {
        self.to_move = self.to_move.other();
    }

    fn legal_moves(&self) -> Option<Vec<Move>> {
        Some(self.legal_squares().map(Move::At).collect())
    }

    fn perft(&self, depth: u32) -> u64 {
        let (own, other) = self.sides(self.to_move);
        self.grid.perft(own, other, depth)
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
        moves::text(mv)
    }

    fn write_state(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("{{\"size\":{},\"board\":[", self.grid.size()).as_bytes());
        for row in 0..self.grid.size() {
            out.extend_from_slice(if row == 0 { b"\"" } else { b",\"" });
            out.extend((0..self.grid.size()).map(|column| self.letter(column, row)));
            out.push(b'"');
        }
        out.extend_from_slice(b"],\"to_move\":\"");
        out.push(LETTERS[self.to_move]);
        out.extend_from_slice(b"\"}");
    }

    /// Whose turn it is stands in the state itself, which decides.
    fn read_state(params: &Params, state: &Value, _to_move: Seat) -> Result<Self, BadShape> {
        read_state(state).filter(|read| params.get(SIZE.name).is_none_or(|size| *size == json!(read.grid.size()))).ok_or_else(|| {
            BadShape(format!(
                "a state of othello has `size` (as in the match's parameters), `board` (that many texts of that many \
                 of `.`, `B` and `W`) and `to_move` (`B` or `W`), but {state} came"
            ))
        })
    }

    fn write_plain(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("{} {}", self.grid.size(), char::from(LETTERS[self.to_move])).as_bytes());
        for row in 0..self.grid.size() {
            out.push(b' ');
            out.extend((0..self.grid.size()).map(|column| self.letter(column, row)));
        }
        for square in self.legal_squares() {
            out.extend_from_slice(format!(" {square}").as_bytes());
        }
    }

    /// Whatever a line says is as good as a square's name, right or wrong.
    fn read_plain(&self, line: &str) -> Result<Move, BadShape> {
        moves::read(&Value::from(line.trim()))
    }

    fn write_plain_move(mv: &Move, out: &mut Vec<u8>) {
        out.extend_from_slice(moves::text(mv).as_bytes());
    }

    fn scene(&self) -> Scene {
        scene::draw(self)
    }
}

/// How discs are written in a state.
const LETTERS: BySeat<u8> = BySeat([b'B', b'W']);

/// What the sides are called.
const NAMES: BySeat<&str> = BySeat(["Black", "White"]);

impl Othello {
    /// Rows, and columns, of the board.
    pub fn size(&self) -> u32 {
        self.grid.size()
    }

    /// Whose disc lies on a square; `None` where none does, and outside the board.
    pub fn disc(&self, square: Square) -> Option<Seat> {
        if self.is_on_board(square) { self.owner(square.column, square.row) } else { None }
    }

    /// Own discs and the other side's.
    fn sides(&self, seat: Seat) -> (u128, u128) {
        (self.discs[seat], self.discs[seat.other()])
    }

    fn moves_of(&self, seat: Seat) -> u128 {
        let (own, other) = self.sides(seat);
        self.grid.moves(own, other)
    }

    fn legal_squares(&self) -> impl Iterator<Item = Square> {
        self.grid.each(self.moves_of(self.to_move)).map(|(column, row)| Square { column, row })
    }

    fn legal_text(&self) -> String {
        self.legal_squares().map(|square| square.to_string()).collect::<Vec<_>>().join(", ")
    }

    fn empty(&self) -> u32 {
        self.grid.squares() - (self.discs.0[0] | self.discs.0[1]).count_ones()
    }

    fn outcome(&self) -> Outcome {
        let [black, white] = Game::scores(self);
        let winner = match black.cmp(&white) {
            std::cmp::Ordering::Greater => Some(Seat::First),
            std::cmp::Ordering::Less => Some(Seat::Second),
            std::cmp::Ordering::Equal => None,
        };
        let detail = match self.empty() {
            0 => None,
            1 => Some("neither side can move, 1 square stays empty".to_string()),
            empty => Some(format!("neither side can move, {empty} squares stay empty")),
        };
        Outcome { winner, turn_limit: false, detail }
    }

    fn is_on_board(&self, square: Square) -> bool {
        square.column < self.grid.size() && square.row < self.grid.size()
    }

    fn owner(&self, column: u32, row: u32) -> Option<Seat> {
        let at = self.grid.bit(column, row);
        Seat::BOTH.into_iter().find(|&seat| self.discs[seat] & at != 0)
    }

    fn letter(&self, column: u32, row: u32) -> u8 {
        self.owner(column, row).map_or(b'.', |seat| LETTERS[seat])
    }

    /// Why no disc may be put on this square of the board.
    fn refusal(&self, square: Square) -> Option<String> {
        if let Some(owner) = self.owner(square.column, square.row) {
            return Some(format!("{square} is occupied: a disc of {} is there", NAMES[owner]));
        }
        let (own, other) = self.sides(self.to_move);
        if self.grid.flips(self.grid.bit(square.column, square.row), own, other) != 0 {
            return None;
        }
        let (mover, rival) = (NAMES[self.to_move], NAMES[self.to_move.other()]);
        Some(format!("{mover} on {square} traps no disc of {rival}"))
    }

    fn no_such_square(&self, name: &str) -> String {
        let last = Square { column: self.grid.size() - 1, row: self.grid.size() - 1 };
        let shown: String = name.chars().take(40).collect();
        let cut = if shown.len() < name.len() { " (cut)" } else { "" };
        format!("no square of this board is called {shown:?}{cut}: they are a1 to {last}, a small letter and a number")
    }
}

fn read_state(state: &Value) -> Option<Othello> {
    let size = state.get("size")?.as_u64().filter(|&size| SIZES.contains(&(size as i64)))?;
    let seat_of = |letter: u8| Seat::BOTH.into_iter().find(|&seat| LETTERS[seat] == letter);
    let grid = Grid::new(size as u32);
    let rows = state.get("board")?.as_array().filter(|rows| rows.len() as u64 == size)?;
    let mut discs = BySeat([0, 0]);
    for (row, text) in (0..).zip(rows) {
        let letters = text.as_str()?.as_bytes();
        if letters.len() as u64 != size {
            return None;
        }
        for (column, &letter) in (0..).zip(letters) {
            match seat_of(letter) {
                Some(seat) => discs[seat] |= grid.bit(column, row),
                None if letter == b'.' => {}
                None => return None,
            }
        }
    }
    let to_move = state.get("to_move")?.as_str()?;
    let to_move = (to_move.len() == 1).then(|| seat_of(to_move.as_bytes()[0])).flatten()?;
    Some(Othello { grid, discs, to_move, last: None })
}
