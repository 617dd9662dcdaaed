//! Which matches are played for a check: positions of each game, and the oddities of a match that bots trip over.

use crate::clock::Clock;
use crate::game::{AnyGame, OPENING};
use crate::play::{Kind, Trial};
use crate::seat::Seat;
use crate::seed;
use crate::table::pass_maker;
use std::time::Duration;

/// Turns that the arena's own player plays: in a match that is only to show whether the game is played, in the usual
/// positions, in special ones, in matches for one oddity, and in those that are to come to their end.
const TRIES: u32 = 2;
const USUAL: u32 = 40;
const SPECIAL: u32 = 12;
const ODD: u32 = 4;
/// So many that what a bot does at first can be told from what it goes on doing.
const MANY: u32 = 14;
const TO_THE_END: u32 = 500;

/// How much longer than its limit a bot is waited for that did not answer.
const PATIENCE: Duration = Duration::from_secs(3);
const LONGEST_PATIENCE: Duration = Duration::from_secs(5);

/// So many deals are looked at for one in which the bot soon has to pass.
const DEALS: u64 = 60;

/// The bank in the match with one, and what a move adds to it: enough for any bot that keeps the limit on moves.
const BANK_IN_MOVES: u32 = 3;

/// The situation in which a match soon ends by the rules.
const SHORT: usize = 1;

/// The match that shows whether a bot plays a game at all.
pub fn tries(game: &'static dyn AnyGame, clock: &Clock, hints: bool, seed: u64) -> Trial {
    let name = format!("{}/tries", game.info().id);
    trial(name, Kind::Tries, game, 0, Seat::First, hints, clock, seed, TRIES)
}

/// The positions of a game, in both seats, with and without its legal moves listed. With `hints` they always are.
pub fn plays(game: &'static dyn AnyGame, clock: &Clock, hints: bool, seed: u64) -> Vec<Trial> {
    let info = game.info();
    let mut trials = Vec::new();
    for (number, situation) in info.situations.iter().enumerate() {
        let both = number == 0 && !hints && lists_on_request(game);
        for seat in Seat::BOTH {
            // Special positions are asked for in turn without the list and with it.
            let listed = hints || (number > 0 && seat == Seat::Second && lists_on_request(game));
            for hints in if both { vec![false, true] } else { vec![listed] } {
                let with = if hints { "+hints" } else { "" };
                let name = format!("{}/{}/{seat}{with}", info.id, situation.name.replace(' ', "-"));
                let turns = if number == 0 { USUAL } else { SPECIAL };
                trials.push(trial(name, Kind::Plays, game, number, seat, hints, clock, seed, turns));
            }
        }
    }
    trials
}

/// The matches of one oddity each.
pub fn handling(game: &'static dyn AnyGame, clock: &Clock, hints: bool, seed: u64) -> Vec<Trial> {
    let id = game.info().id;
    let odd = |kind: Kind, word: &str, seat: Seat| {
        trial(format!("{id}/{word}"), kind, game, 0, seat, hints, clock, seed, ODD)
    };
    let usual = plays(game, clock, hints, seed).swap_remove(0);
    let mut rests = odd(Kind::Rests, "rests", Seat::First);
    rests.turns = MANY;
    let mut no_limits = odd(Kind::NoLimits, "no-limits", Seat::First);
    no_limits.told = Some(clock.without_limits());
    let mut bank = odd(Kind::Bank, "bank", Seat::Second);
    let each = clock.per_move.or(clock.game).unwrap_or(Duration::from_secs(10));
    bank.clock.game = Some(each * BANK_IN_MOVES);
    bank.clock.increment = each;
    vec![
        Trial { name: format!("{id}/second-match"), kind: Kind::SecondMatch, ..usual },
        odd(Kind::UnknownKeys, "unknown-keys", Seat::First),
        odd(Kind::InPieces, "in-pieces", Seat::Second),
        no_limits,
        bank,
        odd(Kind::RivalForfeits, "rival-forfeits", Seat::Second),
        odd(Kind::NoFirstTurn, "no-first-turn", Seat::First),
        odd(Kind::EndAtOnce, "end-at-once", Seat::First),
        odd(Kind::NoEnd, "no-end", Seat::First),
        rests,
        odd(Kind::Jump, "jump", Seat::First),
    ]
}

/// Two matches with one process, and the second one's with a process of its own.
pub fn reuse(game: &'static dyn AnyGame, clock: &Clock, hints: bool, seed: u64) -> [Trial; 3] {
    let id = game.info().id;
    let each = |kind, word: &str, situation, seat| {
        let turns = if kind == Kind::ReuseFirst { TO_THE_END } else { ODD };
        trial(format!("{id}/{word}"), kind, game, situation, seat, hints, clock, seed, turns)
    };
    let second = each(Kind::ReuseSecond, "reuse-second", 0, Seat::Second);
    let fresh = Trial { name: format!("{id}/reuse-fresh"), kind: Kind::ReuseFresh, ..second.clone() };
    [each(Kind::ReuseFirst, "reuse-first", SHORT, Seat::First), second, fresh]
}

/// The same match for a bot that is not confined.
pub fn unconfined(of: &Trial) -> Trial {
    Trial { name: format!("{}+unconfined", of.name), kind: Kind::Unconfined, ..of.clone() }
}

/// The same match for a bot that did not answer in time, in this turn or at the start: with far more time, then with lines that
/// nobody needs. They tell a slow bot from one that does not flush, and from one that reads too much.
pub fn explaining(of: &Trial, turn: Option<u32>) -> [Trial; 2] {
    let more = |limit: Duration| limit + PATIENCE.max(limit * 2).min(LONGEST_PATIENCE);
    let mut patient = Trial { name: format!("{}+patient", of.name), kind: Kind::Patient, ..of.clone() };
    patient.turns = turn.map_or(1, |turn| turn / 2 + 1);
    match turn {
        None => patient.clock.start = of.clock.start.map(more),
        Some(_) => patient.clock.per_move = of.clock.per_move.map(more),
    }
    patient.clock.game = None;
    // A bot that takes a little more than it is told is to be seen as well.
    patient.told = Some(Clock { game: None, ..of.clock.clone() });
    let mut extra = Trial { name: format!("{}+extra-lines", of.name), kind: Kind::ExtraLines, ..of.clone() };
    extra.turns = patient.turns;
    extra.clock.start = of.clock.start.map(|limit| limit.min(PATIENCE));
    [patient, extra]
}

/// What is to hold in a position, for people.
pub(super) fn what(trial: &Trial) -> String {
    let info = trial.game.info();
    let list = match (info.always_lists_moves, trial.hints) {
        (true, _) => "",
        (false, true) => ", legal moves listed",
        (false, false) => ", no legal moves listed",
    };
    format!("plays {} ({}) in seat {}{list}", info.id, info.situations[trial.situation].name, trial.seat)
}

fn lists_on_request(game: &dyn AnyGame) -> bool {
    let info = game.info();
    let started = game.start(&info.situations[0].params(), 0);
    !info.always_lists_moves && started.is_ok_and(|started| started.position.lists_moves())
}

#[allow(clippy::too_many_arguments, reason = "the parts of a trial, in its own order")]
fn trial(
    name: String,
    kind: Kind,
    game: &'static dyn AnyGame,
    situation: usize,
    seat: Seat,
    hints: bool,
    clock: &Clock,
    seed: u64,
    turns: u32,
) -> Trial {
    let seed = dealt(game, situation, seed::of_text(seed, &format!("{}/{situation}/{seat}", game.info().id)));
    Trial { name, kind, game, situation, seat, hints, clock: clock.clone(), told: None, seed, turns }
}

/// A seed near this one with which the situation can be dealt: not every one has an opening of that length. Where openings differ,
/// one after which the first move can make the other seat pass is looked for.
fn dealt(game: &dyn AnyGame, situation: usize, seed: u64) -> u64 {
    let params = game.info().situations[situation].params();
    let deals = if params.contains_key(OPENING.name) { DEALS } else { 1 };
    let near = |count: u64| (0..count).map(move |step| seed.wrapping_add(step) % seed::SEED_LIMIT);
    let makes_pass =
        |seed: &u64| game.start(&params, *seed).is_ok_and(|started| pass_maker(&*started.position).is_some());
    let found = near(deals).find(makes_pass);
    found.or_else(|| near(DEALS).find(|seed| game.start(&params, *seed).is_ok())).unwrap_or(seed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GAMES;
    use std::collections::HashSet;

    #[test]
    fn every_situation_can_be_dealt_and_every_match_has_its_own_name() {
        for game in GAMES {
            let clock = Clock::default();
            let mut all = plays(*game, &clock, false, 1);
            all.extend(handling(*game, &clock, false, 1));
            all.extend(reuse(*game, &clock, false, 1));
            all.push(tries(*game, &clock, false, 1));
            let names: HashSet<&str> = all.iter().map(|trial| trial.name.as_str()).collect();
            assert_eq!(names.len(), all.len());
            if game.info().situations.iter().any(|situation| situation.name == "passes") {
                let passes = all.iter().find(|trial| trial.name.ends_with("/passes/1")).expect("it is in seat 1 too");
                let params = game.info().situations[passes.situation].params();
                let start = game.start(&params, passes.seed).expect("it can be dealt");
                assert!(pass_maker(&*start.position).is_some(), "the bot's first turn follows a pass of its own");
            }
            for trial in &all {
                let params = game.info().situations[trial.situation].params();
                assert!(game.start(&params, trial.seed).is_ok(), "{}", trial.name);
            }
        }
    }
}
