//! What a person can choose, as the page is told it: in the units of the drawing, and without a word of any game.

use super::Refusal;
use crate::game::{AnyPosition, Chosen, MoveError, Next, Ring, Status, Target};
use crate::report::{BoardUnits, board_parts};
use crate::seat::Seat;
use serde_json::{Value, json};

/// What can be chosen after a path of choices: `targets`, each with `key`, `label`, `at` (left, top, width, height, or null beside the
/// board) and `next` (`"move"`, `"more"`, or a ring: `centre`, `radius`, `arcs`, `ends`), `svg`, the board as it is then, its
/// `caption`, and what is to be chosen in words, `ask`. `{"move": …}` where the path is whole.
pub(super) fn after(position: &dyn AnyPosition, path: &[Value]) -> Result<Value, Refusal> {
    Ok(match position.choose(path).map_err(refusal)? {
        Chosen::Move(mv) => json!({"move": position.move_text(&mv)}),
        Chosen::Open(scene) => {
            let units = BoardUnits::of(&scene);
            let targets: Vec<Value> = scene.targets.iter().map(|target| told(target, &units)).collect();
            let asks = position.info().asks;
            let ask = asks.get(path.len()).or(asks.last());
            json!({"targets": targets, "svg": board_parts(&scene).concat(), "caption": scene.caption, "ask": ask})
        }
    })
}

fn told(target: &Target, units: &BoardUnits) -> Value {
    let next = match &target.next {
        Next::Move(_) => json!("move"),
        Next::Targets(_) => json!("more"),
        Next::Ring(Ring { centre, radius, arcs, ends }) => {
            json!({"centre": units.point(*centre), "radius": units.length(*radius), "arcs": arcs, "ends": ends})
        }
    };
    json!({"key": target.key, "label": target.label, "at": target.at.map(|at| units.place(at)), "next": next})
}

/// The move that a whole path makes.
pub(super) fn chosen(position: &dyn AnyPosition, path: &[Value]) -> Result<Value, Refusal> {
    match position.choose(path).map_err(refusal)? {
        Chosen::Move(mv) => Ok(mv),
        Chosen::Open(_) => Err(Refusal::wrong("That is not a whole move yet: choose on.")),
    }
}

/// A typed move has no more letters. What the rules say about one repeats it.
const TYPED: usize = 200;

/// The move that a person typed, when the rules allow it.
pub(super) fn typed(position: &dyn AnyPosition, text: &str) -> Result<Value, Refusal> {
    let text = text.trim();
    let letters = text.chars().count();
    if letters > TYPED {
        let (begin, example) = (text.chars().take(20).collect::<String>(), position.info().example_typed);
        return Err(Refusal::wrong(format!(
            "Not played: `{begin}…` has {letters} letters, and a move has {TYPED} at most. Type one like {example}"
        )));
    }
    let read = position.read_typed(text).or_else(|error| position.read_typed(&text.to_lowercase()).map_err(|_| error));
    let mv = read.map_err(refusal)?;
    position.clone_box().play(&mv).map_err(refusal)?;
    Ok(mv)
}

/// Whether a move of this seat loses at once.
pub(super) fn loses(position: &dyn AnyPosition, seat: Seat, mv: &Value) -> bool {
    let mut then = position.clone_box();
    let played = then.play(mv).is_ok();
    played && matches!(then.status(), Status::Over(outcome) if outcome.winner == Some(seat.other()))
}

fn refusal(error: MoveError) -> Refusal {
    match error {
        MoveError::BadShape(why) | MoveError::Illegal(why) => Refusal::wrong(format!("Not played: {why}")),
    }
}
