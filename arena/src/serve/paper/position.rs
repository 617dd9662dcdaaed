//! A position of a game with the Paper, told whole. The page holds the moves; here they are played again by the rules.

use super::bot::{Paper, SEAT};
use super::words::{self, Told};
use crate::game::{AnyPosition, Fact, MoveError, Params, Scene, Status};
use crate::report::plain_board_svg;
use crate::seat::Seat;
use crate::seed::SEED_LIMIT;
use crate::serve::refusal::Refusal;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// No game is longer.
const MOVES_LIMIT: usize = 400;

/// What the page asks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    /// All turns so far; `null` for a pass.
    moves: Vec<Value>,
    /// The Paper's rules, in order.
    rules: Vec<String>,
    /// The bot that answers in the other seat; nobody where a person does.
    #[serde(default)]
    opponent: Option<String>,
    /// That bot's seed.
    #[serde(default)]
    seed: u64,
}

/// What it is told.
#[derive(Debug, Serialize)]
pub(super) struct Position {
    board: String,
    caption: String,
    facts: Vec<(String, String)>,
    /// What both seats are called.
    names: Vec<String>,
    /// `move`, `pass` or `over`.
    next: &'static str,
    /// Whose turn it is.
    seat: Option<usize>,
    /// What it may play: the key of each target, and its name.
    choices: Vec<(Value, String)>,
    /// The turns in words, and whose each was.
    played: Vec<(usize, String)>,
    scores: [i64; 2],
    winner: Option<usize>,
    /// Where the Paper is to move: how it comes to its move.
    explanation: Option<Told>,
    /// Where its opponent is to move, and is a bot: its move.
    reply: Option<Value>,
}

/// Tells a position.
pub(super) fn tell(paper: &Paper, asked: &Asked) -> Result<Position, Refusal> {
    if let Some(why) = paper.refusal(&asked.rules) {
        return Err(Refusal::wrong(why));
    }
    if asked.seed >= SEED_LIMIT {
        return Err(Refusal::wrong(format!("seed {} is too large: seeds are below {SEED_LIMIT}", asked.seed)));
    }
    let opponent = asked.opponent.as_deref().map(|name| paper.opponent(name)).transpose().map_err(Refusal::wrong)?;
    let (params, position, played) = replay(paper, &asked.moves).map_err(Refusal::wrong)?;
    let status = position.status();
    let explanation = match status {
        Status::ToMove(SEAT) => {
            let explanation = paper.explain(&asked.rules, &params, &*position).map_err(Refusal::ours)?;
            Some(words::tell(&explanation, &paper.book, &*position))
        }
        _ => None,
    };
    let reply = match (status.clone(), opponent) {
        (Status::ToMove(seat), Some(program)) if seat != SEAT => {
            let answer = paper.ask(program, &params, &*position, seat, asked.seed).map_err(Refusal::ours)?;
            Some(answer.mv)
        }
        _ => None,
    };
    let scene = position.scene();
    let (next, seat) = match &status {
        Status::ToMove(seat) => ("move", Some(*seat)),
        Status::MustPass(seat) => ("pass", Some(*seat)),
        Status::Over(_) => ("over", None),
    };
    let winner = match &status {
        Status::Over(outcome) => outcome.winner.map(Seat::index),
        _ => None,
    };
    Ok(Position {
        board: plain_board_svg(&scene),
        names: names(&scene),
        next,
        seat: seat.map(Seat::index),
        choices: scene.targets.into_iter().map(|target| (target.key, target.label)).collect(),
        caption: scene.caption,
        facts: scene.facts.into_iter().map(|Fact { label, value, .. }| (label, value)).collect(),
        played,
        scores: position.scores(),
        winner,
        explanation,
        reply,
    })
}

/// What both seats are called.
fn names(scene: &Scene) -> Vec<String> {
    let name = |seat: Seat| scene.facts.iter().find(|fact| fact.seat == Some(seat.index()));
    Seat::BOTH.into_iter().filter_map(|seat| name(seat).map(|fact| fact.label.clone())).collect()
}

/// The board as the game begins; none where it cannot.
pub(super) fn first_board(paper: &Paper) -> String {
    replay(paper, &[]).map(|(_, position, _)| plain_board_svg(&position.scene())).unwrap_or_default()
}

type Replayed = (Params, Box<dyn AnyPosition>, Vec<(usize, String)>);

fn replay(paper: &Paper, moves: &[Value]) -> Result<Replayed, String> {
    if moves.len() > MOVES_LIMIT {
        return Err(format!("{} moves are too many: no game has more than {MOVES_LIMIT}", moves.len()));
    }
    let started = paper.game.start(&Params::new(), 0).map_err(|error| error.to_string())?;
    let mut position = started.position;
    let mut played = Vec::new();
    for (at, mv) in moves.iter().enumerate() {
        let number = at + 1;
        match position.status() {
            Status::Over(_) => return Err(format!("move {number} comes after the end of the game")),
            Status::MustPass(seat) if mv.is_null() => {
                position.pass();
                played.push((seat.index(), "pass".to_string()));
            }
            Status::MustPass(_) => {
                return Err(format!("move {number} has to be a pass, `null`: there is no legal move"));
            }
            Status::ToMove(seat) => {
                let text = position.move_text(mv);
                position.play(mv).map_err(|error| {
                    let (MoveError::BadShape(why) | MoveError::Illegal(why)) = error;
                    format!("move {number} cannot be played: {why}")
                })?;
                played.push((seat.index(), text));
            }
        }
    }
    Ok((started.params, position, played))
}
