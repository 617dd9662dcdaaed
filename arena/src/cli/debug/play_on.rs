//! `--from-turn N --play-on`: a new match from a position of a recorded one.

use super::wrap::Wrap;
use super::{DebugArguments, LOOKING, Place, Recorded, ready, seat_of, signals};
use crate::cli::bots;
use crate::cli::failure::Failure;
use crate::cli::matches::{new_transcript, person, summary};
use crate::cli::output::{self, Paper};
use crate::cli::screen::{Detail, Screen};
use crate::cli::{DONE, FOUND_WRONG};
use crate::clock::Clock;
use crate::config::{BotKind, BotSpec};
use crate::game::Status;
use crate::play::{Continuation, MatchPlan, play_match, player_record};
use crate::record::{Everyone, PlayerRecord, Recorder};
use crate::seat::BySeat;
use crate::table::{Table, Thinking};

pub(super) fn run(arguments: &DebugArguments, recorded: &Recorded<'_>, turn: u32) -> Result<u8, Failure> {
    check_turn(recorded, turn)?;
    let against = arguments.against.as_ref().expect("it is required with --play-on");
    let mut specs = bots::read_bots(&[arguments.bot.clone(), against.clone()], recorded.game.info())?;
    let (seat, note) = seat_of(recorded.header(), &specs[0], arguments.seat);
    specs.rotate_left(seat.index());
    if let Some(note) = note {
        output::complain(&format!("note: {note}"));
    }
    let wrap = arguments.wrap.as_deref().map(Wrap::read).transpose()?;
    let signals = signals(wrap.as_ref())?;
    let place = Place::choose(wrap.as_ref())?;
    let programs = specs.iter().map(ready).collect::<Result<Vec<_>, Failure>>()?;
    let players = [0, 1].map(|seat| player_record(&specs[seat].name, programs[seat].as_ref()));
    let mut plan = MatchPlan { cores: place.cores.clone(), ..plan(arguments, recorded, turn, &specs, players)? };
    if wrap.as_ref().is_some_and(Wrap::takes_terminal) {
        // Its user may want to look after the match, and quits it then.
        plan.clock.stop = LOOKING;
    }
    let path = arguments.new_transcript.as_deref();
    let mut writer = path.map(new_transcript).transpose()?;
    let chairs = specs.iter().zip(&programs).enumerate().map(|(index, (spec, program))| {
        let Some(program) = program else { return person() };
        let own_wrap = wrap.as_ref().filter(|_| index == seat.index());
        let (chair, hint) = place.seat(&spec.name, program, own_wrap)?;
        hint.iter().for_each(|hint| output::complain(hint));
        Ok(chair)
    });
    let chairs = chairs.collect::<Result<Vec<_>, Failure>>().inspect_err(|_| {
        // Nothing was played, so nothing is left to be taken for a match.
        let _ = path.map(std::fs::remove_file);
    })?;
    let [first, second] = chairs.try_into().unwrap_or_else(|_| unreachable!("there are two"));
    let mut table = Table::new(BySeat([first, second]), plan.thinking, signals.interrupt());
    let mut paper = Paper::new(arguments.json);
    let mut screen = Screen::new(&mut paper, Detail::Boards, plan.started.position.clone_box(), false);
    let mut everyone = Everyone(vec![&mut screen as &mut dyn Recorder]);
    if let Some(writer) = &mut writer {
        everyone.0.insert(0, writer);
    }
    let closing = play_match(&plan, &mut table, &mut everyone).map_err(Failure::of_match)?;
    if arguments.json {
        output::line(&summary(&plan, &closing, path).to_string())?;
    }
    let status = if closing.verdict.is_void() { FOUND_WRONG } else { DONE };
    Ok(signals.status().unwrap_or(status))
}

fn plan(
    arguments: &DebugArguments,
    recorded: &Recorded<'_>,
    turn: u32,
    specs: &[BotSpec],
    players: [PlayerRecord; 2],
) -> Result<MatchPlan, Failure> {
    let header = recorded.header();
    let clock = Clock::from(&header.clock);
    let clock = if arguments.no_limits || arguments.wrap.is_some() { clock.without_limits() } else { clock };
    let [first, second] = [&specs[0], &specs[1]];
    let clocks = BySeat::from_fn(|seat| match specs[seat.index()].kind {
        BotKind::Human => clock.without_limits(),
        BotKind::Program(_) => clock.clone(),
    });
    let id = format!("{}-{}-{}-{}-from-{turn}", header.game, first.name, second.name, header.seed);
    let started = recorded.game.start(&header.params, header.seed)?;
    Ok(MatchPlan {
        from: Some(Continuation::of(recorded.transcript, turn as usize)),
        clocks,
        hints: header.hints,
        thinking: header.thinking.as_deref().and_then(Thinking::parse).unwrap_or_default(),
        ..MatchPlan::of(id, recorded.game, started, header.seed, clock, players)
    })
}

/// The turn has to be one before which there is a position to play on from.
fn check_turn(recorded: &Recorded<'_>, turn: u32) -> Result<(), Failure> {
    let (path, turns) = (recorded.transcript.path.display(), recorded.reenactment.turns.len());
    if turn as usize > turns {
        return Err(Failure::new(format!("--from-turn {turn}: {path} has {turns} turns, so it is 0 to {turns}")));
    }
    match recorded.reenactment.before(turn as usize).status() {
        Status::Over(_) => {
            Err(Failure::new(format!("--from-turn {turn}: the game is over there: name an earlier turn")))
        }
        Status::ToMove(_) | Status::MustPass(_) => Ok(()),
    }
}
