//! Laws that hold for every game, run over the table of games, so that a new game is tested before anyone writes
//! a test for it.
//!
//! [`check`] plays a game at random and looks at what it says on the way. It knows no game: what it tries comes from the
//! game's own lists, samples and examples. For tests only: it is thorough, not fast.

use super::{AnyGame, AnyPosition, MoveError, ParamKind, Params, Scene, Shape, Status};
use crate::seat::Seat;
use crate::seed::Stream;
use serde_json::{Value, json};
use std::collections::HashSet;

#[cfg(test)]
mod tests;

/// No match is longer, in plies.
pub const LONGEST: usize = 1_000_000;

/// Of long lists of moves, about so many are tried.
const TRIED: usize = 50;

/// With the default parameters; other parameters take the first of them.
const SEEDS: [u64; 3] = [1, 0, 8123];

/// Checks every law on random matches of a game: several seeds, the default parameters and others. The error names the
/// law that was broken, where, and what was seen.
pub fn check(game: &dyn AnyGame) -> Result<(), String> {
    let id = game.info().id;
    game.start(&Params::new(), 0).map_err(|error| format!("{id} does not start with its defaults: {error}"))?;
    for given in choices(game) {
        let seeds = if given.is_empty() { &SEEDS[..] } else { &SEEDS[..1] };
        for &seed in seeds {
            check_match(game, &given, seed)
                .map_err(|broken| format!("{id} with {}, seed {seed}: {broken}", Value::from(given.clone())))?;
        }
    }
    Ok(())
}

/// No parameters, then each parameter alone with small values that it allows.
fn choices(game: &dyn AnyGame) -> Vec<Params> {
    let mut choices = vec![Params::new()];
    for spec in game.params() {
        let values: Vec<i64> = match spec.kind {
            ParamKind::Range(low, high) => vec![low, (low + 1).min(high), (low + 9).min(high)],
            ParamKind::Even(low, high) => vec![low, (low + 4).min(high), high],
            ParamKind::OneOf(values) => values.to_vec(),
            ParamKind::List(_) => Vec::new(),
        };
        choices.extend(values.into_iter().map(|value| Params::from_iter([(spec.name.to_string(), value.into())])));
    }
    choices
}

fn check_match(game: &dyn AnyGame, given: &Params, seed: u64) -> Result<(), String> {
    // Parameters that only together are too much are the game's to refuse.
    let Ok(started) = game.start(given, seed) else { return Ok(()) };
    starts_again(game, given, &started.params, seed)?;
    examples_have_the_games_shape(started.position.as_ref())?;
    counts_its_moves(started.position.as_ref())?;

    let mut stream = Stream::new(seed, "laws");
    let mut position = started.position;
    let mut played = Vec::new();
    let mut known = odd_moves(game);
    loop {
        let status = position.status();
        if is_looked_at(played.len(), position.as_ref()) {
            let seen = Seen::new(game, &started.params, position.as_ref());
            seen.obeys(&known).map_err(|broken| at(played.len(), position.as_ref(), &broken))?;
            known.extend(seen.some_legal().take(2).cloned());
            known.truncate(TRIED);
        }
        match status {
            Status::Over(_) => break,
            Status::MustPass(seat) => pass(position.as_mut(), seat)?,
            Status::ToMove(_) => {
                let mv = position.sample_move(&mut stream);
                let result =
                    position.play(&mv).map_err(|error| format!("its own random move {mv} is refused: {error:?}"));
                let accepted = result.map_err(|broken| at(played.len(), position.as_ref(), &broken))?.accepted;
                played.push(parse(&accepted)?);
            }
        }
        ensure(played.len() < LONGEST, || format!("not over after {LONGEST} plies"))?;
    }
    plays_the_same_again(game, given, seed, &played, &state(position.as_ref()))
}

fn at(ply: usize, position: &dyn AnyPosition, broken: &str) -> String {
    format!("after {ply} moves, in {}: {broken}", state(position))
}

/// Every ply at first, then fewer and fewer, sooner where positions are large; and wherever no move is asked for.
fn is_looked_at(ply: usize, position: &dyn AnyPosition) -> bool {
    let is_early = ply < 12 || (ply < 100 && state(position).len() < 1000);
    is_early || ply.is_power_of_two() || !matches!(position.status(), Status::ToMove(_))
}

/// The parameters of a match, dealt ones included, are accepted again and give the same position.
fn starts_again(game: &dyn AnyGame, given: &Params, complete: &Params, seed: u64) -> Result<(), String> {
    let first = game.start(given, seed).map_err(|error| error.to_string())?;
    let again = game.start(complete, seed).map_err(|error| format!("its own parameters are refused: {error}"))?;
    for (what, one, other) in [
        ("parameters", Value::from(complete.clone()), Value::from(again.params)),
        ("opening", Value::from(first.opening), Value::from(again.opening)),
        ("state", state(first.position.as_ref()).into(), state(again.position.as_ref()).into()),
    ] {
        ensure(one == other, || format!("started again from its own parameters, the {what} {one} became {other}"))?;
    }
    for spec in game.params() {
        ensure(complete.contains_key(spec.name), || format!("the match's parameters lack `{}`", spec.name))?;
    }
    Ok(())
}

fn examples_have_the_games_shape(position: &dyn AnyPosition) -> Result<(), String> {
    let info = position.info();
    let example = parse(info.example_move)?;
    let outcome = position.clone_box().play(&example);
    ensure(!matches!(outcome, Err(MoveError::BadShape(_))), || format!("the example {example}: {outcome:?}"))?;
    match position.read_typed(info.example_typed) {
        Err(MoveError::BadShape(why)) => Err(format!("the typed example {:?} is not read: {why}", info.example_typed)),
        Err(MoveError::Illegal(_)) => Ok(()),
        Ok(read) => {
            let accepted = position.clone_box().play(&read);
            ensure(accepted == outcome, || format!("typed, the example {example} is {read}"))
        }
    }
}

/// The game's own count agrees with playing every move.
fn counts_its_moves(position: &dyn AnyPosition) -> Result<(), String> {
    let (lists, listed) = (position.lists_moves(), position.legal_moves());
    ensure(lists == listed.is_some(), || format!("that its moves are listed is said to be {lists}, but is not"))?;
    ensure(lists == position.perft(1).is_some(), || format!("moves are listed: {lists}, but counted otherwise"))?;
    let (Status::ToMove(_), Some(moves)) = (position.status(), listed) else { return Ok(()) };
    let counted = position.perft(1);
    ensure(counted == Some(moves.len() as u64), || format!("{} moves are listed, {counted:?} counted", moves.len()))?;
    if moves.len() > TRIED {
        return Ok(());
    }
    let mut sequences = 0;
    for mv in moves {
        let mut next = position.clone_box();
        next.play(&mv).map_err(|error| format!("the listed move {mv} is refused: {error:?}"))?;
        sequences += match next.status() {
            Status::ToMove(_) => next.legal_moves().map_or(0, |moves| moves.len() as u64),
            Status::MustPass(_) | Status::Over(_) => 1,
        };
    }
    let counted = position.perft(2);
    ensure(counted == Some(sequences), || format!("{sequences} pairs of moves can be played, {counted:?} are counted"))
}

fn pass(position: &mut dyn AnyPosition, seat: Seat) -> Result<(), String> {
    position.pass();
    let status = position.status();
    ensure(status == Status::ToMove(seat.other()), || format!("after a pass of seat {seat} comes {status:?}"))
}

/// The same seed and moves give the same match.
fn plays_the_same_again(
    game: &dyn AnyGame,
    given: &Params,
    seed: u64,
    played: &[Value],
    end: &str,
) -> Result<(), String> {
    let mut position = game.start(given, seed).map_err(|error| error.to_string())?.position;
    for mv in played {
        while let Status::MustPass(_) = position.status() {
            position.pass();
        }
        let again = position.play(mv).map_err(|error| format!("the accepted move {mv} is refused: {error:?}"))?;
        ensure(parse(&again.accepted)? == *mv, || format!("{mv}, as accepted, is accepted as {}", again.accepted))?;
        ensure(again.ignored.is_empty(), || {
            format!("of {mv}, as accepted, something is ignored: {:?}", again.ignored)
        })?;
    }
    let again = state(position.as_ref());
    ensure(again == end, || format!("played again, it ends in {again} instead of {end}"))
}

/// What no bot should send, but one will.
fn odd_moves(game: &dyn AnyGame) -> Vec<Value> {
    let mut odd = vec![json!(null), json!(7), json!(-1.5), json!(true), json!(""), json!("zz"), json!([]), json!({})];
    odd.extend([json!([7]), json!([{}]), json!({"move": null}), json!("☃".repeat(100))]);
    odd.extend(serde_json::from_str::<Value>(game.info().example_move));
    odd
}

/// What a bot that writes words may send by mistake.
const ODD_LINES: [&str; 12] = [
    "",
    " ",
    "zz",
    "7",
    "-7",
    "1 2 3",
    "1 2 3 4",
    "0 1 2 0 1 2 0 1 2",
    "nan inf -1e999",
    "0 @",
    "☃ ☃",
    "99999999999999999999 0",
];

/// One position, and what it came from.
struct Seen<'a> {
    game: &'a dyn AnyGame,
    params: &'a Params,
    position: &'a dyn AnyPosition,
    to_move: Option<Seat>,
    /// Of the seat to move; `None` also where there is none.
    legal: Option<Vec<Value>>,
}

impl<'a> Seen<'a> {
    fn new(game: &'a dyn AnyGame, params: &'a Params, position: &'a dyn AnyPosition) -> Seen<'a> {
        let to_move = match position.status() {
            Status::ToMove(seat) => Some(seat),
            Status::MustPass(_) | Status::Over(_) => None,
        };
        Seen { game, params, position, to_move, legal: to_move.and_then(|_| position.legal_moves()) }
    }

    fn obeys(&self, known: &[Value]) -> Result<(), String> {
        self.state_reads_back()?;
        self.legal_moves_are_legal()?;
        self.refused_moves_change_nothing(known)?;
        self.plain_moves_survive()?;
        self.the_winner_has_more_points()?;
        self.is_drawn_well(&self.position.scene())?;
        self.watchers_see_the_same()
    }

    fn some_legal(&self) -> impl Iterator<Item = &Value> {
        let moves = self.legal.as_deref().unwrap_or_default();
        moves.iter().step_by(moves.len() / TRIED + 1)
    }

    fn state_reads_back(&self) -> Result<(), String> {
        let text = state(self.position);
        let seat = match self.position.status() {
            Status::ToMove(seat) | Status::MustPass(seat) => seat,
            Status::Over(_) => return parse(&text).map(drop),
        };
        let read = self.game.read_state(self.params, &parse(&text)?, seat);
        let read = read.map_err(|error| format!("its own state is not read: {error:?}"))?;
        ensure(state(read.as_ref()) == text, || format!("read back, the state is {}", state(read.as_ref())))?;
        let (was, is) = (self.position.status(), read.status());
        ensure(was == is, || format!("read back, {was:?} is {is:?}"))?;
        ensure(self.position.scores() == read.scores(), || format!("read back, the scores are {:?}", read.scores()))?;
        ensure(legal_text(self.position) == legal_text(read.as_ref()), || {
            "read back, the legal moves are others".to_string()
        })
    }

    fn legal_moves_are_legal(&self) -> Result<(), String> {
        if let Some(moves) = &self.legal {
            ensure(!moves.is_empty(), || "a seat without a legal move is asked".to_string())?;
            let written = parse(&legal_text(self.position))?;
            ensure(written.as_array() == Some(moves), || "the legal moves are written as others".to_string())?;
        }
        for mv in self.some_legal() {
            let played = self.position.clone_box().play(mv);
            let played = played.map_err(|error| format!("the listed move {mv} is refused: {error:?}"))?;
            ensure(parse(&played.accepted)? == *mv, || format!("{mv} is accepted as {}", played.accepted))?;
            ensure(!self.position.move_text(mv).is_empty(), || format!("{mv} has no text for people"))?;
        }
        Ok(())
    }

    /// What a bot that reads no JSON is told is one line of words, and each move that it can answer comes through.
    fn plain_moves_survive(&self) -> Result<(), String> {
        let Some(seat) = self.to_move else { return Ok(()) };
        let mut request = Vec::new();
        self.position.write_plain(&mut request);
        let request = String::from_utf8(request).map_err(|error| format!("its plain request is no UTF-8: {error}"))?;
        let words: Vec<&str> = request.split_whitespace().collect();
        ensure(!words.is_empty() && words.join(" ") == request, || {
            format!("its plain request is no line of words with single spaces: {request:?}")
        })?;
        let sample = self.position.sample_move(&mut Stream::new(seat.index() as u64, "plain"));
        for mv in self.some_legal().chain([&sample]) {
            let line = self.position.plain_move(mv).map_err(|error| format!("{mv} has no plain form: {error:?}"))?;
            let read = self.position.read_plain(&line);
            ensure(read.as_ref() == Ok(mv), || format!("{mv}, plain {line:?}, is read as {read:?}"))?;
            let end_of_line = line.is_empty() || line.contains(['\n', '\r']);
            ensure(!end_of_line, || format!("{mv}, plain, is {line:?}, which is no line"))?;
        }
        for line in ODD_LINES {
            match self.position.read_plain(line) {
                Ok(mv) => {
                    let result = self.position.clone_box().play(&mv);
                    let has_shape = !matches!(result, Err(MoveError::BadShape(_)));
                    ensure(has_shape, || {
                        format!("the plain line {line:?} is read as {mv}, which is no move: {result:?}")
                    })?;
                }
                Err(MoveError::BadShape(why) | MoveError::Illegal(why)) => {
                    ensure(!why.is_empty(), || format!("the plain line {line:?} is refused without a word"))?;
                }
            }
        }
        Ok(())
    }

    /// And what is not in the list, where there is one, is refused.
    fn refused_moves_change_nothing(&self, known: &[Value]) -> Result<(), String> {
        if self.to_move.is_none() {
            return Ok(());
        }
        let before = state(self.position);
        let legal: Option<HashSet<String>> =
            self.legal.as_ref().map(|moves| moves.iter().map(Value::to_string).collect());
        for mv in known {
            let mut tried = self.position.clone_box();
            let is_listed = |mv: &Value| legal.as_ref().map(|moves| moves.contains(&mv.to_string()));
            match tried.play(mv) {
                // What is accepted may be shorter than what was sent: keys that the rules ignore are left out.
                Ok(played) => {
                    let is_listed = is_listed(&parse(&played.accepted)?);
                    ensure(is_listed != Some(false), || format!("{mv} is played, but not listed"))?;
                }
                Err(error) if is_listed(mv) == Some(true) => {
                    return Err(format!("{mv} is listed, but refused: {error:?}"));
                }
                Err(MoveError::BadShape(why) | MoveError::Illegal(why)) => {
                    ensure(!why.is_empty(), || format!("{mv} is refused without a word"))?;
                    let after = state(tried.as_ref());
                    let is_same = after == before && tried.status() == self.position.status();
                    ensure(is_same, || format!("the refused move {mv} changes the position: {after}"))?;
                }
            }
        }
        Ok(())
    }

    fn the_winner_has_more_points(&self) -> Result<(), String> {
        let Status::Over(outcome) = self.position.status() else { return Ok(()) };
        let [first, second] = self.position.scores();
        let more = match first.cmp(&second) {
            std::cmp::Ordering::Greater => Some(Seat::First),
            std::cmp::Ordering::Less => Some(Seat::Second),
            std::cmp::Ordering::Equal => None,
        };
        ensure(outcome.winner == more, || format!("the winner is {:?} with {first} to {second}", outcome.winner))
    }

    fn watchers_see_the_same(&self) -> Result<(), String> {
        let [scene, picture] =
            [self.position.scene(), self.position.picture()].map(|scene| Scene { targets: Vec::new(), ..scene });
        ensure(scene == picture, || "who only watches is drawn another position".to_string())
    }

    fn is_drawn_well(&self, scene: &Scene) -> Result<(), String> {
        let [left, top, width, height] = scene.view;
        let has_room = [width, height, scene.characters[0], scene.characters[1]].iter().all(|&size| size > 0.0);
        ensure(has_room, || format!("the scene has no room: {:?} at {:?}", scene.view, scene.characters))?;
        let is_near = |[x, y]: [f64; 2]| {
            (left - width / 2.0..=left + width * 1.5).contains(&x)
                && (top - height / 2.0..=top + height * 1.5).contains(&y)
        };
        for shape in &scene.shapes {
            let outside = points(shape).into_iter().find(|&point| !is_near(point));
            ensure(outside.is_none(), || format!("{shape:?} lies far from the view {:?}", scene.view))?;
        }
        ensure(!scene.caption.is_empty(), || "the scene has no caption".to_string())?;
        for place in scene.places() {
            ensure(corners(place).into_iter().all(is_near), || format!("the target {place:?} lies far from the view"))?;
        }
        let paths = scene.paths();
        for (path, mv) in paths.iter().step_by(paths.len() / TRIED + 1) {
            let result = self.to_move.map(|_| self.position.clone_box().play(mv));
            ensure(!matches!(result, Some(Err(_))), || format!("the choices {path:?} make {result:?}"))?;
        }
        Ok(())
    }
}

fn points(shape: &Shape) -> Vec<[f64; 2]> {
    match shape {
        Shape::Cell { at, .. } => corners(*at).to_vec(),
        Shape::Disc { centre: [x, y], radius, .. } => vec![[x - radius, y - radius], [x + radius, y + radius]],
        Shape::Polygon { points, .. } => points.clone(),
        Shape::Line { from, to, .. } => vec![*from, *to],
        Shape::Label { at, .. } => vec![*at],
    }
}

fn corners([left, top, width, height]: [f64; 4]) -> [[f64; 2]; 2] {
    [[left, top], [left + width, top + height]]
}

fn state(position: &dyn AnyPosition) -> String {
    let mut text = Vec::new();
    position.write_state(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

fn legal_text(position: &dyn AnyPosition) -> String {
    let mut text = Vec::new();
    position.write_legal(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("{text} is no JSON: {error}"))
}

fn ensure(holds: bool, broken: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(broken()) }
}
