//! The flags of `arena match` and of cups without a file that say under what limits is played.

use super::failure::Failure;
use super::values::{duration, thinking};
use crate::clock::Clock;
use crate::table::Thinking;
use std::time::Duration;

#[derive(clap::Args, Default)]
pub(super) struct ClockFlags {
    /// How long a bot may take to be ready [default: 10s]
    #[arg(long, value_name = "D", value_parser = duration, allow_hyphen_values = true)]
    start_time: Option<Duration>,
    /// How long each move may take [default: 1s]
    #[arg(long, value_name = "D", value_parser = duration, allow_hyphen_values = true)]
    move_time: Option<Duration>,
    /// A bank for all moves of a match, each seat [default: none]
    #[arg(long, value_name = "D", value_parser = duration, allow_hyphen_values = true)]
    game_time: Option<Duration>,
    /// Added to the bank after each move [default: 0s]
    #[arg(long, value_name = "D", value_parser = duration, allow_hyphen_values = true)]
    increment: Option<Duration>,
    /// How long a bot may take to end once its stdin is closed, before it is killed [default: 1s]
    #[arg(long, value_name = "D", value_parser = duration, allow_hyphen_values = true)]
    stop_time: Option<Duration>,
    /// Send the legal moves also in games that do not always list them
    #[arg(long)]
    pub hints: bool,
    /// What a bot may do while its rival is to move: `own-turn` stops it, `any` lets it think on [default: own-turn]
    #[arg(long, value_name = "WHEN", value_parser = thinking)]
    thinking: Option<Thinking>,
}

impl ClockFlags {
    /// The limits, defaults filled in.
    pub fn clock(&self) -> Clock {
        let usual = Clock::default();
        Clock {
            start: self.start_time.or(usual.start),
            per_move: self.move_time.or(usual.per_move),
            game: self.game_time.or(usual.game),
            increment: self.increment.unwrap_or(usual.increment),
            stop: self.stop_time.unwrap_or(usual.stop),
        }
    }

    /// The same; an increment without a bank is refused.
    pub fn checked_clock(&self) -> Result<Clock, Failure> {
        let clock = self.clock();
        if clock.game.is_none() && !clock.increment.is_zero() {
            return Err(Failure::new(
                "--increment is added to a bank, and there is none: give --game-time too, like 2m",
            ));
        }
        Ok(clock)
    }

    pub fn thinking(&self) -> Thinking {
        self.thinking.unwrap_or_default()
    }

    /// The flags that were given, each with the line of a cup file that says the same, and the table that the line
    /// belongs to, if any.
    pub fn given(&self) -> Vec<(&'static str, &'static str, &'static str)> {
        let all = [
            (self.start_time.is_some(), "--start-time", "start = \"10s\"", "[clock]"),
            (self.move_time.is_some(), "--move-time", "move = \"500ms\"", "[clock]"),
            (self.game_time.is_some(), "--game-time", "game = \"2m\"", "[clock]"),
            (self.increment.is_some(), "--increment", "increment = \"1s\"", "[clock]"),
            (self.stop_time.is_some(), "--stop-time", "stop = \"1s\"", "[clock]"),
            (self.hints, "--hints", "hints = true", ""),
            (self.thinking.is_some(), "--thinking", "thinking = \"any\"", ""),
        ];
        all.into_iter().filter(|(given, ..)| *given).map(|(_, flag, line, table)| (flag, line, table)).collect()
    }
}
