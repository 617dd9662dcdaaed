//! `arena tournament`: cups, one file a subcommand.

mod begun;
mod check;
pub(super) mod entrants;
mod new;
mod playing_time;
pub(super) mod progress;
pub(super) mod run;
mod standings;
mod stop_at;
mod tables;

use super::failure::Failure;
use super::feedback;
use clap::Subcommand;
use std::path::PathBuf;

/// What can be done about bots that cannot play.
const MEND: &str = "mend them, or enter the rest with --skip-broken";

#[derive(clap::Args)]
pub(super) struct TournamentArguments {
    #[command(subcommand)]
    command: TournamentCommand,
}

#[derive(Subcommand)]
enum TournamentCommand {
    /// Play a cup into results/NAME/; run again, it goes on where it stopped
    Run(Box<run::RunArguments>),
    /// Write a commented cup to edit
    New(new::NewArguments),
    /// Start every bot once, play one sample match each, and tell what the cup will take; keeps nothing
    Check(check::CheckArguments),
    /// Write a folder an entrant, to be handed back: its matches without the rival's stderr and notes, its rows, its failures
    Feedback(FeedbackArguments),
    /// Show standings and cross table of what has been played so far
    Standings(standings::StandingsArguments),
}

#[derive(clap::Args)]
struct FeedbackArguments {
    /// The cup's folder
    dir: PathBuf,
    /// The folder to be written, which must not be there yet
    #[arg(long, value_name = "OUT")]
    to: PathBuf,
}

pub(super) fn run(arguments: &TournamentArguments) -> Result<u8, Failure> {
    match &arguments.command {
        TournamentCommand::Run(arguments) => run::run(arguments),
        TournamentCommand::New(arguments) => new::run(arguments),
        TournamentCommand::Check(arguments) => check::run(arguments),
        TournamentCommand::Feedback(arguments) => feedback::run(&arguments.dir, &arguments.to),
        TournamentCommand::Standings(arguments) => standings::run(arguments),
    }
}
