//! The matches of a check, one after the other, and when to stop: a bot that makes the same mistake everywhere is not asked
//! a hundred times.

use super::{Manner, Wanted};
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::clock::Clock;
use crate::config::BotSpec;
use crate::files::temporary_folder;
use crate::game::AnyGame;
use crate::play::fitness::{Played, explaining, handling, plays, reuse, tries, unconfined};
use crate::play::{Bench, Mistake, Trial, TrialError};
use crate::table::Chair;
use crate::transport::Host;
use crate::verdict::Reason;
use indicatif::ProgressBar;
use std::time::Instant;
use tempfile::TempDir;

/// After so many matches of a game with mistakes the rest of them is left out.
const ENOUGH: usize = 3;

/// A match that the machine disturbed is played so often.
const ATTEMPTS: u32 = 3;

/// All that was played.
pub(super) struct Done {
    pub played: Vec<Played>,
    /// The games that it turned out to play, or was to.
    pub games: Vec<&'static dyn AnyGame>,
    /// Those that it turned out not to play, each with its match.
    pub not_played: Vec<(&'static str, Played)>,
    /// Why matches are missing, where some are.
    pub missing: Option<String>,
    /// Where the transcripts are.
    pub folder: TempDir,
}

/// A check that goes on.
pub(super) struct Session<'a> {
    manner: &'a Manner,
    bot: &'a BotSpec,
    bench: Bench<'a>,
    free: Host,
    clock: Clock,
    bar: ProgressBar,
    attempts: usize,
    done: Done,
}

impl<'a> Session<'a> {
    pub fn new(manner: &'a Manner, bot: &'a BotSpec, bench: Bench<'a>) -> Result<Session<'a>, Failure> {
        let folder = temporary_folder(&format!("arena-check-{}-", bot.name)).map_err(Failure::new)?;
        let done = Done { played: Vec::new(), games: Vec::new(), not_played: Vec::new(), missing: None, folder };
        let clock = manner.clock.clock();
        let free = Host::new(true);
        Ok(Session { manner, bot, bench, free, clock, bar: ProgressBar::new_spinner(), attempts: 0, done })
    }

    /// Plays what is to be played; what was cut short by a signal is left as it is.
    pub fn play(&mut self, wanted: &Wanted) -> Result<(), Failure> {
        if let Some(only) = &self.manner.only {
            return self.play_only(only, wanted);
        }
        self.find_games(wanted)?;
        let mut sound = None;
        for game in self.done.games.clone() {
            let id = game.info().id;
            let mut at_fault = 0;
            for trial in plays(game, &self.clock, self.manner.clock.hints, self.manner.seed) {
                self.one(&trial, None)?;
                if self.stopped() {
                    return Ok(());
                }
                let last = self.done.played.last().filter(|played| played.trial.name == trial.name);
                let Some((_, fault)) = last.and_then(|played| played.seen.fault.as_ref()) else { continue };
                let cannot_start = fault.reason == Reason::NoStart;
                at_fault += 1;
                if at_fault == 1 {
                    self.explain(&trial)?;
                }
                if cannot_start || at_fault >= ENOUGH {
                    let why = if cannot_start { "it did not start" } else { "of mistakes in three matches" };
                    self.done.missing = Some(format!("not played: the check of {id} was cut short, because {why}"));
                    break;
                }
            }
            if at_fault == 0 && sound.is_none() {
                sound = Some(game);
            }
        }
        match sound {
            Some(game) => self.oddities(game),
            None => {
                let why = "not played: it makes mistakes in usual matches, which come first";
                self.done.missing.get_or_insert(why.to_string());
                Ok(())
            }
        }
    }

    /// All that was played.
    pub fn done(self) -> Result<Done, Failure> {
        self.bar.finish_and_clear();
        Ok(self.done)
    }

    /// Which games are to be checked: those that were named, else those that it plays in one short match.
    fn find_games(&mut self, wanted: &Wanted) -> Result<(), Failure> {
        if wanted.named {
            self.done.games = wanted.games.clone();
            return Ok(());
        }
        for game in &wanted.games {
            let trial = tries(*game, &self.clock, self.manner.clock.hints, self.manner.seed);
            self.one(&trial, None)?;
            if self.stopped() {
                return Ok(());
            }
            let Some(played) = self.done.played.pop() else { continue };
            match &played.seen.fault {
                None => {
                    self.done.games.push(*game);
                    self.done.played.push(played);
                }
                Some(_) => self.done.not_played.push((game.info().id, played)),
            }
        }
        if self.done.games.is_empty() && !self.done.not_played.is_empty() {
            // What is told is where it got furthest.
            let answers = |(_, played): &(&str, Played)| (played.seen.moves.len(), played.seen.ready_us.is_some());
            let most = self.done.not_played.iter().map(answers).max();
            let furthest = self.done.not_played.iter().position(|one| Some(answers(one)) == most).unwrap_or(0);
            let (_, played) = self.done.not_played.remove(furthest);
            self.done.games.push(played.trial.game);
            self.done.played.push(played);
        }
        Ok(())
    }

    /// Oddities of matches, in one game that it plays.
    fn oddities(&mut self, game: &'static dyn AnyGame) -> Result<(), Failure> {
        let (hints, seed) = (self.manner.clock.hints, self.manner.seed);
        for trial in handling(game, &self.clock, hints, seed) {
            self.one(&trial, None)?;
            if self.stopped() {
                return Ok(());
            }
        }
        if !self.done.played.iter().any(|played| played.seen.offers_reuse) {
            return Ok(());
        }
        let [first, second, fresh] = reuse(game, &self.clock, hints, seed);
        let Some(stayed) = self.one(&first, None)? else { return Ok(()) };
        self.one(&second, Some(stayed))?;
        if !self.stopped() {
            self.one(&fresh, None)?;
        }
        Ok(())
    }

    /// One match alone.
    fn play_only(&mut self, only: &str, wanted: &Wanted) -> Result<(), Failure> {
        let (hints, seed) = (self.manner.clock.hints, self.manner.seed);
        let mut names = Vec::new();
        for game in &wanted.games {
            let pair = reuse(*game, &self.clock, hints, seed);
            let [first, second, fresh] = &pair;
            if [second, fresh].iter().any(|trial| trial.name == only) {
                self.done.games.push(*game);
                let stayed = self.one(first, None)?;
                if stayed.is_some() {
                    self.one(second, stayed)?;
                }
                self.one(fresh, None)?;
                return Ok(());
            }
            let mut all = plays(*game, &self.clock, hints, seed);
            all.extend(handling(*game, &self.clock, hints, seed));
            all.extend([tries(*game, &self.clock, hints, seed), first.clone()]);
            if let Some(trial) = all.iter().find(|trial| trial.name == only) {
                self.done.games.push(*game);
                self.done.missing = Some("not played: --only".to_string());
                self.one(trial, None)?;
                return self.explain(trial);
            }
            names.extend(all.into_iter().map(|trial| trial.name));
        }
        Err(Failure::new(format!(
            "--only {}: no match is called so; there are {}",
            output::harmless(only),
            names.join(", ")
        )))
    }

    /// Why a match went wrong, where other matches can tell: with more time, with more lines, without confinement.
    fn explain(&mut self, trial: &Trial) -> Result<(), Failure> {
        let Some((turn, fault)) = self.done.played.last().and_then(|played| played.seen.fault.clone()) else {
            return Ok(());
        };
        if self.bench.program.view.is_some() {
            self.compare_unconfined(trial)?;
        }
        let silent = [Mistake::NotReady, Mistake::ReadyTooLate, Mistake::NoAnswer, Mistake::NotFlushed];
        if !silent.contains(&Mistake::of(&fault)) {
            return Ok(());
        }
        let [patient, extra] = explaining(trial, turn);
        self.one(&patient, None)?;
        let answered = self.done.played.last().is_some_and(|played| played.seen.fault.is_none());
        if !answered && !self.stopped() {
            self.one(&extra, None)?;
        }
        Ok(())
    }

    /// A bot that fails confined is tried as it is, again where the machine disturbed that. A match that stays disturbed is kept: it is to be
    /// known that nothing is known.
    fn compare_unconfined(&mut self, trial: &Trial) -> Result<(), Failure> {
        let Ok(Some(program)) = super::Confiner::none().ready(self.bot, &self.bench.interrupt) else { return Ok(()) };
        let trial = unconfined(trial);
        let began = Instant::now();
        let bench = Bench {
            host: &self.free,
            program: &program,
            player: self.bench.player.clone(),
            limits: self.bench.limits,
            thinking: self.bench.thinking,
            cores: self.bench.cores.clone(),
            interrupt: self.bench.interrupt.clone(),
        };
        for attempt in 1..=ATTEMPTS {
            let path = self.done.folder.path().join(format!("{}-{attempt}.jsonl", trial.name.replace('/', "-")));
            let Ok((seen, closing, _)) = bench.play(&trial, None, &path) else { break };
            let disturbed = closing.verdict.reason == Reason::Disturbed;
            if closing.verdict.reason == Reason::Interrupted {
                break;
            }
            if !disturbed || attempt == ATTEMPTS {
                self.done.played.push(Played { trial, seen, closing, took: began.elapsed(), transcript: path });
                break;
            }
        }
        Ok(())
    }

    /// Plays a match, again where the machine disturbed it. The bot comes back where it stays for another one.
    fn one(&mut self, trial: &Trial, mut kept: Option<Chair>) -> Result<Option<Chair>, Failure> {
        self.bar.set_message(format!("{}: match {}", self.bot.name, trial.name));
        self.bar.tick();
        let began = Instant::now();
        for _ in 0..ATTEMPTS {
            self.attempts += 1;
            let path =
                self.done.folder.path().join(format!("{}-{}.jsonl", trial.name.replace('/', "-"), self.attempts));
            let (seen, closing, stayed) = match self.bench.play(trial, kept.take(), &path) {
                Ok(played) => played,
                Err(TrialError::Params(error)) => {
                    output::complain(&format!("note: match {} cannot be dealt: {error}", trial.name));
                    return Ok(None);
                }
                Err(TrialError::Spawn(error)) => return Err(Failure::new(format!("{}: {error}", self.bot.name))),
                Err(TrialError::Failed(error)) => return Err(Failure::of_match(error)),
            };
            match closing.verdict.reason {
                Reason::Interrupted => return Ok(None),
                Reason::Disturbed => {}
                _ => {
                    let trial = trial.clone();
                    self.bar.tick();
                    self.done.played.push(Played { trial, seen, closing, took: began.elapsed(), transcript: path });
                    return Ok(stayed);
                }
            }
        }
        output::complain(&format!(
            "note: match {} was disturbed {ATTEMPTS} times: this machine is too busy",
            trial.name
        ));
        self.done.missing = Some("not played undisturbed: the machine is too busy".to_string());
        Ok(None)
    }

    fn stopped(&self) -> bool {
        self.bench.interrupt.raised()
    }
}
