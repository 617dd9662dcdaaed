//! The command line: one file a subcommand. The only place that prints.

mod bots;
mod building;
mod check;
mod clock_flags;
mod compare;
mod confine;
mod crop;
mod debug;
mod doctor;
mod failure;
mod feedback;
mod fitness;
mod games;
mod html;
mod matches;
mod new;
mod notipping_client;
mod notipping_server;
mod output;
mod own;
mod perft;
mod replay;
mod rules;
mod screen;
mod serve;
mod signals;
mod story;
mod submissions;
mod submit;
mod telling;
mod tournament;
mod values;
mod verify;
mod viewer;

use crate::isolation::{launcher, probe};
use crate::transport::keeper;
use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

/// Exit status: all is done.
const DONE: u8 = 0;
/// Exit status: the work was done and found something wrong.
const FOUND_WRONG: u8 = 1;
/// Exit status: a mistake in the command or its files, or a failure of the arena's own.
const CANNOT: u8 = 2;

/// Referees games between bots that are separate programs.
#[derive(Parser)]
#[command(
    name = "arena",
    version,
    about,
    after_help = "Exit status: 0 done; 1 done, and something is wrong (a void match, a transcript that does not hold); 2 a mistake in the command or its files; 130 after Ctrl-C, 143 after SIGTERM."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the games and their parameters
    Games(games::GamesArguments),
    /// Tell a game's rules, its state and its moves, with an example of each
    Rules(rules::RulesArguments),
    /// Count move sequences, a depth a line
    Perft(perft::PerftArguments),
    /// Play one match between two bots
    Match(Box<matches::MatchArguments>),
    /// Serve No Tipping to the course's socket clients
    NotippingServer(notipping_server::ServerArguments),
    /// Play No Tipping with a bot on the course's server
    NotippingClient(notipping_client::ClientArguments),
    /// Write a starter bot that plays legal moves, to be changed
    New(new::NewArguments),
    /// Tell a bot's author whether it is fit to enter, and why not
    Check(Box<check::CheckArguments>),
    /// Play a cup, prepare one, look at its tables
    Tournament(Box<tournament::TournamentArguments>),
    /// Tell whether a new version of a bot is better than the old one
    Compare(Box<compare::CompareArguments>),
    /// Check bots, and file clean copies for a cup
    Submit(submit::SubmitArguments),
    /// List what was filed, fit or not, and why
    Submissions(submissions::SubmissionsArguments),
    /// Step through a recorded match
    Replay(replay::ReplayArguments),
    /// Put the requests of a recorded match to a bot again
    Debug(Box<debug::DebugArguments>),
    /// Referee transcripts once more, and name each that does not hold
    Verify(verify::VerifyArguments),
    /// Serve the page: cups, live matches, replays, play against a bot
    Serve(serve::ServeArguments),
    /// Tell how well bots are confined on this machine, by having a probe attack
    Doctor(doctor::DoctorArguments),
}

/// Runs the program and says how it ended.
pub fn main() -> ExitCode {
    // Keeper, launcher and probe are this program too, and must be it before anything else happens.
    match std::env::args_os().nth(1) {
        Some(first) if first == keeper::SUBCOMMAND => return keeper::run(),
        Some(first) if first == launcher::SUBCOMMAND => return launcher::run(),
        Some(first) if first == probe::SUBCOMMAND => {
            return doctor::be_the_probe(&std::env::args().skip(2).collect::<Vec<_>>());
        }
        _ => {}
    }
    let done = match Arguments::parse().command {
        Command::Games(arguments) => games::run(&arguments),
        Command::Rules(arguments) => rules::run(&arguments),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Match(arguments) => matches::run(&arguments),
        Command::NotippingServer(arguments) => notipping_server::run(&arguments),
        Command::NotippingClient(arguments) => notipping_client::run(&arguments),
        Command::New(arguments) => new::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Tournament(arguments) => tournament::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Submit(arguments) => submit::run(&arguments),
        Command::Submissions(arguments) => submissions::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Debug(arguments) => debug::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
    };
    match done {
        Ok(status) => ExitCode::from(status),
        Err(Failure::NobodyReads) => ExitCode::SUCCESS,
        Err(Failure::Message(message)) => {
            // What it quotes may come from a file or a bot.
            output::complain(&format!("error: {}", output::harmless(&message)));
            ExitCode::from(CANNOT)
        }
    }
}
