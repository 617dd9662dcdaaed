//! A match as it is watched in the terminal: the board after every turn, what goes wrong, and how it ends. It reads
//! events like everybody else, and plays the moves on a position of its own.

use super::crop;
use super::output::{Paper, harmless};
use super::telling::{Teller, time};
use crate::clock::{Bank, Clock, micros};
use crate::game::{AnyPosition, Params};
use crate::games;
use crate::record::{Closing, Event, GoesOn, Header, Recorder, Times};
use crate::report::board_text;
use crate::seat::{BySeat, Seat};
use std::io;

/// So many smaller values of a parameter are tried, to find one whose board fits.
const VALUES_TRIED: usize = 200;

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// The board after every turn.
    Boards,
    /// What goes wrong, and the end.
    EndOnly,
}

/// Shows a match on paper.
pub(super) struct Screen<'a> {
    paper: &'a mut Paper,
    detail: Detail,
    position: Box<dyn AnyPosition>,
    teller: Teller,
    spent: BySeat<Spent>,
    /// Whether a part of a move that was ignored has been told of, for each seat.
    told_ignored: [bool; 2],
    /// From where the match goes on, if it does not begin at its start.
    goes_on: Option<GoesOn>,
    /// Whether each board is drawn over the one before.
    in_place: bool,
    /// The board that stands last on the screen, to be drawn over.
    stands: Option<Standing>,
    /// Of a board that was cut off, the columns that it needs and those that there are.
    cut_off: Option<(usize, usize)>,
    /// The match, until it was told what can be done about boards that are cut off.
    untold: Option<Header>,
}

/// What a seat has used of its time.
struct Spent {
    total_us: u64,
    bank: Bank,
}

impl Spent {
    fn nothing_of(clock: &Clock) -> Spent {
        Spent { total_us: 0, bank: Bank::new(clock) }
    }
}

/// A board on the screen: its lines, and the size of the terminal as it was drawn. In another size its lines may have
/// been broken up, and it is left where it is.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Standing {
    lines: usize,
    size: (u16, u16),
}

impl<'a> Screen<'a> {
    /// Shows a match that begins from `position`. `in_place`: boards are drawn over each other, where that can be done.
    pub fn new(paper: &'a mut Paper, detail: Detail, position: Box<dyn AnyPosition>, in_place: bool) -> Screen<'a> {
        let in_place = in_place && paper.terminal;
        Screen {
            paper,
            detail,
            position,
            teller: Teller::default(),
            spent: BySeat::from_fn(|_| Spent::nothing_of(&Clock::default())),
            told_ignored: [false; 2],
            goes_on: None,
            in_place,
            stands: None,
            cut_off: None,
            untold: None,
        }
    }

    fn board(&mut self, heading: &str) -> io::Result<()> {
        if self.detail == Detail::EndOnly {
            return Ok(());
        }
        let size = self.paper.size();
        let board = self.board_lines(size);
        let clocks = self.clocks();
        let lines: Vec<&str> =
            std::iter::once(heading).chain(board.iter().map(String::as_str)).chain([clocks.as_str(), ""]).collect();
        let stands = size.filter(|_| self.in_place).and_then(|size| standing(&lines, size));
        let over = self.stands.filter(|before| stands.is_some_and(|stands| stands.size == before.size));
        self.stands = stands;
        let text = match over {
            // Up to where the last board began; each line is wiped as it is written, so that nothing flickers.
            Some(before) => format!("\x1b[{}F{}\x1b[K\n\x1b[J", before.lines, lines.join("\x1b[K\n")),
            None => lines.join("\n") + "\n",
        };
        self.paper.put(&text)?;
        let Some((needed, columns)) = self.cut_off.take() else { return Ok(()) };
        let Some(header) = self.untold.take() else { return Ok(()) };
        let smaller = fitting(&header, columns, self.paper.colour);
        let smaller = smaller.map(|param| format!("play with --param {param}, ")).unwrap_or_default();
        let note = format!(
            "note: boards need {needed} columns and are cut off at {columns}: widen the terminal, {smaller}or keep a --transcript \
             for `arena replay`, which scrolls through boards, and with --html makes a page"
        );
        self.aside(&[note, String::new()])
    }

    /// The board; where the terminal is too narrow for it, cut off at its edge, since broken lines are no board.
    fn board_lines(&mut self, size: Option<(u16, u16)>) -> Vec<String> {
        let mut scene = self.position.scene();
        scene.caption = self.teller.named(&scene.caption);
        let text = board_text(&scene, self.paper.colour);
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        let needed = lines.iter().map(|line| crop::width(line)).max().unwrap_or(0);
        let columns = size.map_or(usize::MAX, |(columns, _)| columns.saturating_sub(1).into());
        if needed > columns {
            self.cut_off = Some((needed + 1, columns + 1));
            lines = lines.iter().map(|line| crop::crop(line, 0, columns)).collect();
            let note = format!("(cut off: the board needs {} columns)", needed + 1);
            lines.push(crop::crop(&note, 0, columns));
        }
        lines
    }

    /// The board that is there before the first move, once the turns of another match have been replayed.
    fn board_of_the_start(&mut self, replayed: u32) -> io::Result<()> {
        let heading = match &self.goes_on {
            None => "the start".to_string(),
            Some(from) if from.turn == replayed => self.teller.goes_on(from),
            Some(_) => return Ok(()),
        };
        self.board(&heading)
    }

    fn clocks(&self) -> String {
        let one = |seat: Seat| {
            let spent = &self.spent[seat];
            let left = spent.bank.left().map(|left| format!(", {} left", time(micros(left)))).unwrap_or_default();
            format!("{} {}{left}", self.teller.name(seat), time(spent.total_us))
        };
        format!("thought: {}; {}", one(Seat::First), one(Seat::Second))
    }

    fn charge(&mut self, seat: Seat, times: &Times) {
        let spent = &mut self.spent[seat];
        spent.total_us += times.charged_us();
        spent.bank.charge(times.charged_us());
    }

    /// Writes lines that stay, below the board.
    fn aside(&mut self, lines: &[String]) -> io::Result<()> {
        self.stands = None;
        lines.iter().try_for_each(|line| self.paper.folded(line))
    }
}

impl Recorder for Screen<'_> {
    fn begin(&mut self, header: &Header) -> io::Result<()> {
        self.teller = Teller::new(header, self.paper.colour);
        self.spent = BySeat::from_fn(|seat| Spent::nothing_of(&header.clock_of(seat).into()));
        let heading = self.teller.heading(header);
        let clock = &header.clock;
        let untimed = (clock.start_ms, clock.move_ms, clock.game_ms) == (None, None, None);
        let untimed =
            untimed.then(|| "untimed: nobody is held to a limit, and the match proves nothing about time".to_string());
        self.aside(&[Some(heading), untimed, Some(String::new())].into_iter().flatten().collect::<Vec<_>>())?;
        self.goes_on = header.from.clone();
        self.untold = Some(header.clone());
        self.board_of_the_start(0)
    }

    fn record(&mut self, _ms: u64, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Move { turn, seat, mv, times, .. } => {
                let mv = serde_json::from_str(mv)?;
                let text = self.position.move_text(&mv);
                // The same move was accepted by the referee a moment ago.
                let _ = self.position.play(&mv);
                self.charge(*seat, times);
                let heading = self.teller.played(*turn, *seat, &text, times);
                self.board(&heading)
            }
            Event::Pass { turn, seat } => {
                self.position.pass();
                let heading = self.teller.passed(*turn, *seat);
                self.board(&heading)
            }
            Event::Replayed { turn, mv, .. } => {
                match mv.map(serde_json::from_str).transpose()? {
                    Some(mv) => drop(self.position.play(&mv)),
                    None => self.position.pass(),
                }
                self.board_of_the_start(turn + 1)
            }
            Event::Invalid { seat, part, why, .. } if self.detail == Detail::Boards => {
                let text = self.teller.ignored(*seat, *part, why);
                self.aside(&[text])
            }
            // Without boards the first one has to do: a bot may have such a part in every turn.
            Event::Invalid { turn, seat, part, why } => {
                if std::mem::replace(&mut self.told_ignored[seat.index()], true) {
                    return Ok(());
                }
                let text = self.teller.ignored(*seat, *part, why);
                self.aside(&[format!("note: turn {turn}: {text}; later ones are only counted")])
            }
            Event::Warning { seat, text } => {
                let text = format!("note: {} {}", self.teller.name(*seat), harmless(text));
                self.aside(&[text])
            }
            Event::Fault { seat, fault, .. } => {
                let lines = self.teller.fault(*seat, fault);
                self.aside(&lines)
            }
            Event::Result(closing) => {
                let lines = closing_lines(&self.teller, closing);
                self.aside(&lines)
            }
            _ => Ok(()),
        }
    }
}

/// How these lines can be drawn over later: only where the terminal shows them whole, none of them broken up.
fn standing(lines: &[&str], size: (u16, u16)) -> Option<Standing> {
    let fits = lines.len() < size.1.into() && lines.iter().all(|line| crop::width(line) < size.0.into());
    fits.then_some(Standing { lines: lines.len(), size })
}

/// The parameter that keeps most of the game and makes its first board fit, as `NAME=VALUE`, if one alone can.
fn fitting(header: &Header, columns: usize, colour: bool) -> Option<String> {
    let game = games::find(&header.game)?;
    let specs = game.info().params;
    // What the game dealt or derived goes with the rest.
    let is_derived = |name: &str| specs.iter().all(|spec| spec.name != name || spec.default.is_none());
    let params: Params = header.params.clone().into_iter().filter(|(name, _)| !is_derived(name)).collect();
    let fits = |name: &str, value: i64| {
        let mut params = params.clone();
        params.insert(name.to_string(), value.into());
        let Ok(started) = game.start(&params, header.seed) else { return false };
        let text = board_text(&started.position.scene(), colour);
        text.lines().all(|line| crop::width(line) < columns)
    };
    specs.iter().find_map(|spec| {
        let value = header.params.get(spec.name)?.as_i64()?;
        let most = spec.kind.less_than(value).rev().take(VALUES_TRIED).find(|value| fits(spec.name, *value))?;
        Some(format!("{}={most}", spec.name))
    })
}

fn closing_lines(teller: &Teller, closing: &Closing) -> Vec<String> {
    let mut lines = teller.outcome(&closing.verdict, closing.turns);
    lines.extend(teller.thinking(closing.total_us, closing.max_us));
    lines
}
