//! Each game's parameters, state and moves, as its rules describe them, and the table of games.
//!
//! An answer is what a bot may say, a move is what the arena tells: as it was accepted.

use super::message::{End, Move, Start, Turn};
use super::transcript::Line;
use super::{said, written};
use schemars::{JsonSchema, Schema};

/// Every game by its word, with its schemas by their names.
pub fn schemas() -> Vec<(&'static str, Vec<(&'static str, Schema)>)> {
    vec![
        ("othello", schemas_of::<OthelloParams, OthelloState, Square, Square>()),
        ("offset", schemas_of::<OffsetParams, OffsetState, Combination, Combination>()),
        ("notipping", schemas_of::<NoTippingParams, NoTippingState, Block, BlockAnswer>()),
        ("flip", schemas_of::<FlipParams, FlipState, Vec<Flipped>, FlipAnswer>()),
    ]
}

/// The schemas of a game with these parameters, this state, a move as it was accepted, and a bot's answer.
fn schemas_of<P: JsonSchema, S: JsonSchema, M: JsonSchema, A: JsonSchema>() -> Vec<(&'static str, Schema)> {
    vec![
        ("start", written::<Start<P>>()),
        ("turn", written::<Turn<S, M>>()),
        ("end", written::<End<M>>()),
        ("move", said::<Move<A>>()),
        ("transcript", written::<Line<P, M>>()),
    ]
}

/// Parameters of Othello.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct OthelloParams {
    /// Rows and columns of the board.
    #[schemars(extend("enum" = [4, 6, 8, 10]))]
    pub size: u8,
    /// Random legal plies before the first turn.
    #[schemars(range(max = 20), extend("multipleOf" = 2))]
    pub opening: u8,
}

/// A position of Othello.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct OthelloState {
    /// Rows and columns.
    #[schemars(extend("enum" = [4, 6, 8, 10]))]
    pub size: u8,
    /// The rows from the top, each from the left: `B` black, `W` white, `.` empty.
    #[schemars(length(min = 4, max = 10), inner(regex(pattern = "^[.BW]{4,10}$")))]
    pub board: Vec<String>,
    /// `B` when seat 0 is asked, `W` when seat 1 is.
    #[schemars(extend("enum" = ["B", "W"]))]
    pub to_move: String,
}

/// The name of a square: a small letter and a number.
#[derive(JsonSchema)]
#[schemars(rename = "square")]
pub struct Square(#[schemars(regex(pattern = "^[a-j]([1-9]|10)$"))] pub String);

/// Parameters of Offset.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct OffsetParams {
    /// Cells a side.
    #[schemars(range(min = 5, max = 64))]
    pub size: u8,
    /// The sum of either seat's pair.
    #[schemars(range(min = 5, max = 123))]
    pub d: u8,
    /// The pairs of seats 0 and 1.
    pub offsets: [[u8; 2]; 2],
    /// Random legal plies before the first turn.
    #[schemars(range(max = 20), extend("multipleOf" = 2))]
    pub opening: u8,
}

/// A position of Offset.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct OffsetState {
    /// Cells a side.
    #[schemars(range(min = 5, max = 64))]
    pub size: u8,
    /// The sum of either seat's pair.
    #[schemars(range(min = 5, max = 123))]
    pub d: u8,
    /// The pairs of seats 0 and 1.
    pub offsets: [[u8; 2]; 2],
    /// Coins in each cell: rows, y = 1 first, each from x = 1 on.
    pub coins: Vec<Vec<u32>>,
    /// Whose pile each cell holds, in the same order: 0, 1, or -1 for nobody.
    #[schemars(inner(inner(range(min = -1, max = 1))))]
    pub owner: Vec<Vec<i8>>,
}

/// Two cells `[x,y]`, counted from 1: the pile of `from` goes onto the one of `to`.
#[derive(JsonSchema)]
#[schemars(rename = "combination")]
pub struct Combination {
    /// The cell that becomes empty.
    #[schemars(inner(range(min = 1, max = 64)))]
    pub from: [u8; 2],
    /// The cell that holds the sum.
    #[schemars(inner(range(min = 1, max = 64)))]
    pub to: [u8; 2],
}

/// Parameters of No Tipping.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct NoTippingParams {
    /// Blocks in each hand: one of each weight from 1 to k.
    #[schemars(range(min = 1, max = MOST_BLOCKS))]
    pub k: u8,
    /// Random legal plies before the first turn.
    #[schemars(range(max = 20), extend("multipleOf" = 2))]
    pub opening: u8,
}

const MOST_BLOCKS: u8 = 24;

/// A position of No Tipping.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct NoTippingState {
    /// Blocks that each hand had at the start.
    #[schemars(range(min = 1, max = MOST_BLOCKS))]
    pub k: u8,
    /// Whether blocks are placed or taken off.
    #[schemars(extend("enum" = ["add", "remove"]))]
    pub phase: String,
    /// 61 weights, position -30 first; 0 where no block lies.
    #[schemars(length(equal = 61))]
    pub board: Vec<u8>,
    /// The weights that each seat still holds.
    pub hands: [Vec<u8>; 2],
    /// The torques about the left and the right support.
    pub torque: [i32; 2],
}

/// A block that was placed (`weight` and `position`) or taken off (`position`).
#[derive(JsonSchema)]
#[schemars(rename = "block")]
pub struct Block {
    /// Its weight in kg, when it was placed.
    #[schemars(with = "u8", skip_serializing_if = "Option::is_none", range(min = 1, max = MOST_BLOCKS))]
    pub weight: Option<u8>,
    /// Where it lies, from the middle of the board in metres.
    #[schemars(range(min = -30, max = 30))]
    pub position: i8,
}

/// In phase `add` the weight of a block in hand and where it is to lie, in phase `remove` the position of the block to
/// take off.
#[derive(JsonSchema)]
#[schemars(rename = "block")]
pub struct BlockAnswer {
    /// The block's weight in kg; needed in phase `add`, ignored in phase `remove`.
    pub weight: Option<i64>,
    /// Where it is, from the middle of the board in metres.
    #[schemars(range(min = -30, max = 30))]
    pub position: i8,
}

/// Parameters of Flip.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct FlipParams {
    /// Pieces of each player.
    #[schemars(range(min = 1, max = 200))]
    pub n: u8,
    /// Rounds until the match is counted.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub rounds: u32,
}

/// A position of Flip.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct FlipState {
    /// Pieces of each player.
    #[schemars(range(min = 1, max = 200))]
    pub n: u8,
    /// The centres `[x,y]` of seat 0's pieces, then of seat 1's.
    pub pieces: [Vec<[f64; 2]>; 2],
    /// How many flips this turn has.
    #[schemars(range(min = 1, max = 2))]
    pub flips: u8,
    /// From 1 to `rounds`.
    #[schemars(range(min = 1))]
    pub round: u32,
    /// Rounds until the match is counted.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub rounds: u32,
}

/// A flip that was made.
#[derive(JsonSchema)]
#[schemars(rename = "flip")]
pub struct Flipped {
    /// The number of the mover's piece.
    #[schemars(range(max = 199))]
    pub piece: u8,
    /// Its new centre.
    pub to: [f64; 2],
}

/// The flips in the order in which they are made, at most as many as the turn has; `[]` makes none.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct FlipAnswer(#[schemars(length(max = 2))] pub Vec<Flip>);

/// A flip that is asked for: either `to` or `angle`.
#[derive(JsonSchema)]
#[schemars(rename = "flip", untagged, transform = either)]
pub enum Flip {
    /// To this centre, 2 cm away.
    To {
        /// The number of one's own piece. One that is no piece's makes the flip an ignored one.
        piece: Piece,
        /// The new centre.
        to: [f64; 2],
    },
    /// In this direction.
    Angle {
        /// The number of one's own piece. One that is no piece's makes the flip an ignored one.
        piece: Piece,
        /// Radians, counter-clockwise from the direction of +x.
        angle: f64,
    },
}

/// A whole number of at most 64 bits.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct Piece(#[schemars(range(min = i64::MIN, max = u64::MAX))] pub i128);

/// Both at once are malformed, so one of them holds, not any.
fn either(schema: &mut Schema) {
    if let Some(ways) = schema.remove("anyOf") {
        schema.insert("oneOf".to_string(), ways);
    }
}
