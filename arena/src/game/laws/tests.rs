//! The laws find what is wrong: a small game that obeys them, and one that breaks each.

use super::*;
use crate::game::{
    BadShape, Fact, Game, GameInfo, Illegal, Next, OPENING, Outcome, ParamError, ParamSpec, Played, Target, Tone, erase,
};

#[test]
fn a_sound_game_passes() {
    assert_eq!(check(erase::<Pile<SOUND>>()), Ok(()));
}

#[test]
fn each_broken_law_is_named() {
    for (game, says) in [
        (erase::<Pile<PLAYS_WHAT_IS_NOT_LISTED>>(), "7 is played, but not listed"),
        (erase::<Pile<REFUSES_WHAT_IS_LISTED>>(), "the listed move 2 is refused"),
        (erase::<Pile<FORGETS_WHAT_WAS_TAKEN>>(), "read back, the state is"),
        (erase::<Pile<LOSER_WINS>>(), "the winner is"),
        (erase::<Pile<DRAWS_FAR_AWAY>>(), "lies far from the view"),
        (erase::<Pile<OFFERS_NONSENSE>>(), "no move"),
        (erase::<Pile<SHOWS_WATCHERS_ANOTHER>>(), "is drawn another position"),
        (erase::<Pile<MISCOUNTS>>(), "are counted"),
        (erase::<Pile<CHANGES_ITS_PARAMETERS>>(), "started again from its own parameters"),
        (erase::<Pile<ASKS_WITHOUT_A_MOVE>>(), "a seat without a legal move is asked"),
        (erase::<Pile<EXAMPLE_OF_ANOTHER_SHAPE>>(), "the typed example \"one\" is not read"),
        (erase::<Pile<ROLLS_DICE>>(), "played again, it ends in"),
        (erase::<Pile<ASKS_ON_TWO_LINES>>(), "no line of words with single spaces"),
        (erase::<Pile<TAKES_TWO_FOR_ONE>>(), "2, plain \"2\", is read as Ok(Number(1))"),
    ] {
        let broken = check(game).expect_err(says);
        assert!(broken.contains(says), "{broken:?} does not say {says:?}");
        assert!(broken.starts_with("pile with {"), "{broken:?} does not say which match");
    }
}

const SOUND: u32 = 0;
const PLAYS_WHAT_IS_NOT_LISTED: u32 = 1;
const REFUSES_WHAT_IS_LISTED: u32 = 2;
const FORGETS_WHAT_WAS_TAKEN: u32 = 3;
const LOSER_WINS: u32 = 4;
const DRAWS_FAR_AWAY: u32 = 5;
const OFFERS_NONSENSE: u32 = 6;
const MISCOUNTS: u32 = 7;
const CHANGES_ITS_PARAMETERS: u32 = 8;
const ASKS_WITHOUT_A_MOVE: u32 = 9;
const EXAMPLE_OF_ANOTHER_SHAPE: u32 = 10;
const ROLLS_DICE: u32 = 11;
const ASKS_ON_TWO_LINES: u32 = 12;
const TAKES_TWO_FOR_ONE: u32 = 13;
const SHOWS_WATCHERS_ANOTHER: u32 = 14;

/// Seats in turn take one or two from a pile; each has as many points as it took.
#[derive(Clone)]
struct Pile<const FAULT: u32> {
    size: u64,
    left: u64,
    taken: [i64; 2],
    to_move: Seat,
}

impl<const FAULT: u32> Game for Pile<FAULT> {
    type Move = u64;

    const INFO: GameInfo = GameInfo {
        id: "pile",
        title: "Pile",
        summary: "",
        params: &[ParamSpec { name: "size", kind: ParamKind::Range(1, 99), default: Some("15"), help: "" }, OPENING],
        for_people: "{}",
        asks: &["Choose a number."],
        always_lists_moves: false,
        counts_ignored: false,
        rules: "",
        example_move: "1",
        example_typed: if FAULT == EXAMPLE_OF_ANOTHER_SHAPE { "one" } else { "1" },
        typed_in_words: "",
        bots: &[],
        plain: "",
        plain_answer: "",
        starters: &[],
        situations: &[],
    };

    fn start(params: &Params, _seed: u64) -> Result<Self, ParamError> {
        let size = params["size"].as_u64().expect("the list of parameters says so");
        Ok(Pile { size, left: size, taken: [0, 0], to_move: Seat::First })
    }

    fn params(&self) -> Params {
        let change = u64::from(FAULT == CHANGES_ITS_PARAMETERS);
        Params::from_iter([("size".to_string(), (self.size + change).into())])
    }

    fn status(&self) -> Status {
        if self.left > 0 || FAULT == ASKS_WITHOUT_A_MOVE {
            return Status::ToMove(self.to_move);
        }
        let [first, second] = self.taken;
        let more = if (first > second) == (FAULT != LOSER_WINS) { Seat::First } else { Seat::Second };
        Status::Over(Outcome { winner: (first != second).then_some(more), turn_limit: false, detail: None })
    }

    fn scores(&self) -> [i64; 2] {
        self.taken
    }

    fn check(&self, taken: &u64) -> Result<(), Illegal> {
        let most = if FAULT == PLAYS_WHAT_IS_NOT_LISTED { 9 } else { 2 };
        let refused = FAULT == REFUSES_WHAT_IS_LISTED && *taken == 2;
        let is_legal = (1..=most).contains(taken) && *taken <= self.left && !refused;
        if is_legal { Ok(()) } else { Err(Illegal(format!("{taken} cannot be taken from {}", self.left))) }
    }

    fn apply(&mut self, taken: &u64) -> Played<u64> {
        self.left -= taken;
        self.taken[self.to_move.index()] += *taken as i64;
        self.to_move = self.to_move.other();
        if FAULT == ROLLS_DICE {
            self.size = crate::seed::fresh();
        }
        Played { accepted: *taken, ignored: Vec::new() }
    }

    fn legal_moves(&self) -> Option<Vec<u64>> {
        Some((1..=self.left.min(2)).collect())
    }

    fn perft(&self, depth: u32) -> u64 {
        crate::game::perft(self, depth) + u64::from(FAULT == MISCOUNTS && depth == 2)
    }

    fn read_move(&self, value: &Value) -> Result<u64, BadShape> {
        value.as_u64().ok_or_else(|| BadShape(format!("{value} is no move")))
    }

    fn write_move(taken: &u64, out: &mut Vec<u8>) {
        out.extend_from_slice(taken.to_string().as_bytes());
    }

    fn read_typed(&self, text: &str) -> Result<u64, BadShape> {
        text.parse().map_err(|_| BadShape(format!("{text} is no number")))
    }

    fn move_text(taken: &u64) -> String {
        taken.to_string()
    }

    fn write_state(&self, out: &mut Vec<u8>) {
        let state = json!({"size": self.size, "left": self.left, "taken": self.taken});
        out.extend_from_slice(state.to_string().as_bytes());
    }

    fn read_state(_params: &Params, state: &Value, to_move: Seat) -> Result<Self, BadShape> {
        let number = |value: &Value| value.as_u64().ok_or_else(|| BadShape(format!("{state} is no state")));
        let [first, second] = [number(&state["taken"][0])? as i64, number(&state["taken"][1])? as i64];
        let taken = if FAULT == FORGETS_WHAT_WAS_TAKEN { [0, 0] } else { [first, second] };
        Ok(Pile { size: number(&state["size"])?, left: number(&state["left"])?, taken, to_move })
    }

    fn write_plain(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.left.to_string().as_bytes());
        out.extend_from_slice(if FAULT == ASKS_ON_TWO_LINES { b"\n" } else { b"" });
    }

    fn read_plain(&self, line: &str) -> Result<u64, BadShape> {
        let taken = Game::read_typed(self, line)?;
        Ok(if FAULT == TAKES_TWO_FOR_ONE && taken == 2 { 1 } else { taken })
    }

    fn write_plain_move(taken: &u64, out: &mut Vec<u8>) {
        Self::write_move(taken, out);
    }

    fn scene(&self) -> Scene {
        let x = if FAULT == DRAWS_FAR_AWAY { f64::NAN } else { 0.5 };
        let mv = if FAULT == OFFERS_NONSENSE { json!("all") } else { json!(1) };
        Scene {
            view: [0.0, 0.0, 1.0, 1.0],
            characters: [9.0, 1.0],
            shapes: vec![Shape::Label { at: [x, 0.5], text: self.left.to_string(), height: 1.0, tone: Tone::Ink }],
            facts: vec![Fact { seat: None, label: "left".to_string(), value: self.left.to_string() }],
            caption: format!("{} left", self.left),
            targets: vec![Target {
                at: Some([0.0, 0.0, 1.0, 1.0]),
                key: json!(1),
                label: "one".to_string(),
                next: Next::Move(mv),
            }],
        }
    }

    fn picture(&self) -> Scene {
        let another = Pile { left: 0, ..self.clone() };
        Game::scene(if FAULT == SHOWS_WATCHERS_ANOTHER { &another } else { self })
    }
}
