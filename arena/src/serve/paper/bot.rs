//! The Paper's program, which alone knows its rules: it is asked what they are, and what each of them does in a position. The bundled bots
//! that it meets are asked for their moves in the same way. They are few and trusted, so their processes are kept for the next question.

use crate::clock::Clock;
use crate::files::temporary_file;
use crate::game::{AnyGame, AnyPosition, Params};
use crate::games::GAMES;
use crate::play::seat_program;
use crate::protocol::Since;
use crate::seat::{BySeat, Seat};
use crate::serve::{PageBot, lock};
use crate::table::{Answer, Chair, JsonLines, Opening, Outcome, Request, Table, Thinking};
use crate::transport::{Absent, Ended, Host, Interrupt, Job, JobEnd, Limits, Program};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{Read, Seek};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Semaphore;

/// The program's name.
const PAPER: &str = "paper";

/// What makes it tell what every rule did.
const EXPLAIN: &str = "--explain";

/// The seat that it has on the worksheet.
pub(super) const SEAT: Seat = Seat::First;

/// So many processes wait for the next question.
const KEPT: usize = 12;

/// So many letters of an unknown rule are shown.
const NAME_SHOWN: usize = 40;

/// So many comparisons are played at once.
const COMPARISONS: usize = 2;

/// So many questions are asked at once: each has a thread and a process.
const QUESTIONS: usize = 4;

/// How long it may take to list its rules: never, but for a machine that is very busy.
const LIST_TIME: Duration = Duration::from_secs(20);

/// What is told when all is to stop.
pub(super) const STOPS: &str = "the arena is to stop";

/// One rule, as the program tells it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Rule {
    /// Its word.
    pub name: String,
    /// What it does.
    pub text: String,
}

/// All that the program tells of its rules.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct RuleBook {
    /// Every rule.
    pub rules: Vec<Rule>,
    /// The list of the worksheet, in order.
    pub worksheet: Vec<String>,
    /// Which of several moves is played.
    pub ties: String,
}

/// How the rules came to a move: moves as the game writes them.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Explanation {
    pub steps: Vec<Step>,
    /// The rule that picked, or a word that is no rule's.
    pub rule: String,
    /// The move.
    pub chosen: Value,
}

/// What one rule did.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Step {
    pub rule: String,
    pub crossed_off: Vec<Value>,
    pub kept: Vec<Value>,
}

/// The Paper, its game, and whom it meets.
pub(in crate::serve) struct Paper {
    pub game: &'static dyn AnyGame,
    pub(super) book: RuleBook,
    program: Program,
    opponents: Vec<PageBot>,
    host: Host,
    interrupt: Interrupt,
    /// Programs that wait, with the command that each was started by; the longest at rest first.
    waiting: Mutex<Vec<(Vec<String>, Chair)>>,
    pub comparisons: Arc<Semaphore>,
    pub questions: Arc<Semaphore>,
}

impl Paper {
    /// The Paper among these bots; `None` where it is not there, or plays nothing.
    ///
    /// # Errors
    /// It cannot be started, or what it tells of its rules cannot be read.
    pub fn find(bundled: Vec<PageBot>) -> Result<Option<Paper>, String> {
        let game = GAMES.iter().copied().find(|game| game.info().bots.contains(&PAPER));
        let program = bundled.iter().find(|bot| bot.name == PAPER).map(|bot| bot.program.clone());
        let (Some(game), Some(program)) = (game, program) else { return Ok(None) };
        let host = Host::new(false);
        let interrupt = Interrupt::new().map_err(|error| error.to_string())?;
        let book = read_rules(&host, &program, &interrupt)?;
        let opponents = bundled.into_iter().filter(|bot| game.info().bots.contains(&bot.name.as_str())).collect();
        let (comparisons, questions) = (Arc::new(Semaphore::new(COMPARISONS)), Arc::new(Semaphore::new(QUESTIONS)));
        let waiting = Mutex::default();
        Ok(Some(Paper { game, book, program, opponents, host, interrupt, waiting, comparisons, questions }))
    }

    /// The names of the bots that it can meet.
    pub fn opponents(&self) -> impl Iterator<Item = &str> {
        self.opponents.iter().map(|bot| bot.name.as_str())
    }

    /// The program of an opponent.
    ///
    /// # Errors
    /// There is none of this name: a sentence.
    pub fn opponent(&self, name: &str) -> Result<&Program, String> {
        let found = self.opponents.iter().find(|bot| bot.name == name).map(|bot| &bot.program);
        found.ok_or_else(|| {
            let all: Vec<&str> = self.opponents().collect();
            format!("no such opponent is here: there are {}", all.join(", "))
        })
    }

    /// The program with this list of rules.
    pub fn with_rules(&self, rules: &[String]) -> Program {
        let mut program = self.program.clone();
        program.argv.extend(["--rules".to_string(), rules.join(",")]);
        program
    }

    /// Why this is no list of rules, in a sentence; `None` where it is one.
    pub fn refusal(&self, rules: &[String]) -> Option<String> {
        let is_known = |name: &String| self.book.rules.iter().any(|rule| rule.name == *name);
        if rules.is_empty() {
            return Some("the list of rules is empty: keep at least one".to_string());
        }
        if let Some(name) = rules.iter().find(|name| !is_known(name)) {
            let names: Vec<&str> = self.book.rules.iter().map(|rule| rule.name.as_str()).collect();
            let name: String = name.chars().take(NAME_SHOWN).collect();
            return Some(format!("there is no rule `{name}`: the rules are {}", names.join(", ")));
        }
        let twice = rules.iter().enumerate().find(|(at, name)| rules[..*at].contains(name));
        twice.map(|(_, name)| format!("the rule `{name}` is twice in the list: leave one of them out"))
    }

    /// Asks the Paper what its rules do in a position in which its seat is to move.
    ///
    /// # Errors
    /// It does not answer; why.
    pub(super) fn explain(
        &self,
        rules: &[String],
        params: &Params,
        position: &dyn AnyPosition,
    ) -> Result<Explanation, String> {
        let mut program = self.with_rules(rules);
        program.argv.push(EXPLAIN.to_string());
        let note = self.ask(&program, params, position, SEAT, 0)?.note.unwrap_or_default();
        serde_json::from_str(&note).map_err(|error| format!("what {PAPER} tells of its rules cannot be read: {error}"))
    }

    /// Asks a program for a move of a seat that is to move.
    ///
    /// # Errors
    /// It does not answer; why.
    pub fn ask(
        &self,
        program: &Program,
        params: &Params,
        position: &dyn AnyPosition,
        seat: Seat,
        seed: u64,
    ) -> Result<Answer, String> {
        let clock = Clock { per_move: Some(Duration::from_secs(10)), ..Clock::default() };
        let mut chairs = [self.seat(program)?, Chair::new(Box::<Absent>::default(), Box::<JsonLines>::default())];
        chairs.rotate_left(seat.index());
        let mut table = Table::new(BySeat(chairs), Thinking::Any, self.interrupt.clone());
        let opening = Opening {
            match_id: PAPER,
            game: self.game.info().id,
            params,
            seat,
            players: [PAPER; 2],
            seed,
            clock: &clock,
        };
        let request = Request {
            match_id: PAPER,
            turn: 0,
            seat,
            position,
            since: &Since::new(),
            hints: false,
            limit: clock.per_move,
            per_move: clock.per_move,
            left: None,
        };
        let failed = |error: std::io::Error| error.to_string();
        match table.start(&opening).map_err(failed)?.outcome {
            Outcome::Ready => {}
            other => return Err(no_answer(other)),
        }
        let answer = match table.ask(&request).map_err(failed)?.outcome {
            Outcome::Move(answer) => answer,
            other => return Err(no_answer(other)),
        };
        let [first, second] = table.into_chairs().0;
        self.keep(program, if seat == Seat::First { first } else { second });
        Ok(answer)
    }

    /// A program that waits, or a new one.
    pub fn seat(&self, program: &Program) -> Result<Chair, String> {
        if let Some(mut chair) = self.take(program)
            && chair.can_play_again()
        {
            return Ok(chair);
        }
        seat_program(&self.host, program, &Limits::default()).map_err(|error| error.to_string())
    }

    fn take(&self, program: &Program) -> Option<Chair> {
        let mut waiting = lock(&self.waiting);
        let at = waiting.iter().position(|(argv, _)| *argv == program.argv)?;
        Some(waiting.remove(at).1)
    }

    /// Keeps a program for the next question.
    pub fn keep(&self, program: &Program, chair: Chair) {
        let mut waiting = lock(&self.waiting);
        waiting.push((program.argv.clone(), chair));
        let too_many = (waiting.len() > KEPT).then(|| waiting.remove(0));
        // Whoever is ended is waited for, by nobody else.
        drop(waiting);
        drop(too_many);
    }

    /// Where the programs are.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Ends all that it is asked: the arena stops.
    pub fn stop(&self) {
        self.interrupt.raise();
    }

    /// Whether all is to stop.
    pub fn is_stopping(&self) -> bool {
        self.interrupt.raised()
    }
}

fn no_answer(outcome: Outcome) -> String {
    match outcome {
        Outcome::Fault(_, fault) => fault.detail,
        Outcome::Disturbed(why) => why,
        _ => STOPS.to_string(),
    }
}

fn read_rules(host: &Host, program: &Program, interrupt: &Interrupt) -> Result<RuleBook, String> {
    let failed = |why: String| format!("`{PAPER} --list-rules` tells no rules: {why}");
    let mut program = program.clone();
    program.argv.push("--list-rules".to_string());
    let job = Job { program: &program, limits: &Limits::default(), network: false, time: LIST_TIME, stop: &|| None };
    let mut out = temporary_file().map_err(failed)?;
    let end = job.run(host, &out, interrupt).map_err(|error| failed(error.to_string()))?;
    if !matches!(end, JobEnd::Ended(Ended { code: Some(0), .. }, None)) {
        return Err(failed(format!("it ended otherwise than well ({end:?})")));
    }
    let mut text = String::new();
    out.rewind().and_then(|()| out.read_to_string(&mut text)).map_err(|error| failed(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| failed(error.to_string()))
}
