//! Offset: the combination that puts its seat ahead the most.

use super::best;
use crate::Request;
use arena::game::Game;
use arena::games::offset::{Move, Offset};
use serde_json::Value;

/// The seat to move has a move.
pub(super) fn choose(position: &Offset, request: &Request) -> Move {
    let moves = position.legal_moves().expect("Offset lists its moves");
    let cells = Cells::read(&request.turn.state);
    let me = request.turn.seat.index() as i64;
    best(&moves, request, |mv| match mv {
        Move::Combine { from, to } => cells.gain(*from, me) + cells.gain(*to, me),
        Move::Pass => 0,
    })
}

/// Coins and owners, row by row. Trying a move on a copy of the board would cost far more than looking two cells up.
struct Cells {
    size: usize,
    coins: Vec<i64>,
    owners: Vec<i64>,
}

impl Cells {
    /// Reads a state that the game has read before.
    fn read(state: &Value) -> Cells {
        let grid = |name: &str| -> Vec<i64> {
            let rows = state[name].as_array().into_iter().flatten();
            rows.flat_map(|row| row.as_array().into_iter().flatten()).filter_map(Value::as_i64).collect()
        };
        let size = state["coins"].as_array().map_or(0, Vec::len);
        Cells { size, coins: grid("coins"), owners: grid("owner") }
    }

    /// How much nearer the seat comes to winning when this pile becomes its own: a pile of nobody's counts once,
    /// one of the opponent's twice.
    fn gain(&self, [x, y]: [i64; 2], me: i64) -> i64 {
        let index = (y as usize - 1) * self.size + x as usize - 1;
        let times = match self.owners[index] {
            owner if owner == me => 0,
            -1 => 1,
            _ => 2,
        };
        times * self.coins[index]
    }
}
