use super::draw::{bar, draw};
use super::keys::action;
use super::layout::lay_out;
use super::state::{Left, Mode, View};
use crate::cli::story::Story;
use crate::games::GAMES;
use crate::play::Reenactment;
use crate::record::{ClockRecord, Header, PlayerRecord, Recorded, RecordedKind, RecordedResult, Times, Transcript};
use crate::seat::Seat;
use crate::seed::Stream;
use crate::verdict::{Reason, Verdict};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Rect;
use serde_json::{Value, json};

const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;title\u{7}\0\r\u{9b}31m\u{202e}\u{2066}\u{200f}\u{feff}words";

/// A match of so many random turns, without a result.
fn recorded(game: &str, turns: u32) -> Transcript {
    let game = GAMES.iter().find(|known| known.info().id == game).expect("it is a game");
    let started = game.start(&Default::default(), 1).expect("defaults hold");
    let clock =
        ClockRecord { start_ms: None, move_ms: Some(1000), game_ms: Some(20_000), increment_ms: 0, stop_ms: 1000 };
    let player = |name: &str| PlayerRecord { name: name.to_string(), ..PlayerRecord::default() };
    let header = Header {
        schema: 1,
        arena: "0".to_string(),
        id: "a-b-1".to_string(),
        game: game.info().id.to_string(),
        params: started.params,
        seed: 1,
        opening: Vec::new(),
        from: None,
        layers: Vec::new(),
        limits: Vec::new(),
        clock,
        hints: false,
        thinking: None,
        cores: None,
        isolation: None,
        players: [player("ann"), player("bob")],
        started: "then".to_string(),
    };
    let (mut position, mut stream) = (started.position, Stream::new(1, "viewer tests"));
    let mut events = Vec::new();
    for turn in 0..turns {
        let kind = match position.status() {
            crate::game::Status::ToMove(seat) => {
                let played = position.play(&position.sample_move(&mut stream)).expect("it is legal");
                let mv = serde_json::from_str(&played.accepted).expect("a move is JSON");
                let times = Times { took_us: 250_000, ..Times::default() };
                RecordedKind::Move { turn, seat, mv, times, note: None }
            }
            crate::game::Status::MustPass(seat) => {
                position.pass();
                RecordedKind::Pass { turn, seat }
            }
            crate::game::Status::Over(_) => break,
        };
        events.push(Recorded { line: events.len() + 2, ms: 0, kind });
    }
    Transcript { path: "m.jsonl".into(), header, events, result: None, torn: false }
}

/// Puts a note to the move of a turn.
fn annotate(transcript: &mut Transcript, number: u32, text: Value) {
    for event in &mut transcript.events {
        if let RecordedKind::Move { turn, note, .. } = &mut event.kind
            && *turn == number
        {
            *note = Some(text.clone());
        }
    }
}

/// Adds what happened after the last turn.
fn add(transcript: &mut Transcript, kind: RecordedKind) {
    let line = transcript.events.len() + 2;
    transcript.events.push(Recorded { line, ms: 0, kind });
}

/// Shows a transcript to a test, at this size, with a way to press keys and see the screen.
fn with_view(transcript: &Transcript, colour: bool, look: impl FnOnce(&mut Looker<'_>)) {
    let reenactment = Reenactment::new(transcript).expect("its game is known");
    let story = Story::new(transcript, &reenactment, colour).at_length();
    look(&mut Looker { view: View::new(&story, 0), left: None });
}

struct Looker<'a> {
    view: View<'a>,
    left: Option<Left>,
}

impl Looker<'_> {
    fn press(&mut self, keys: &[KeyCode]) {
        for key in keys {
            let key = KeyEvent::new(*key, KeyModifiers::NONE);
            let left = action(key, self.view.mode()).and_then(|action| self.view.act(action));
            self.left = self.left.or(left);
        }
    }

    fn write(&mut self, text: &str) {
        let keys: Vec<KeyCode> = text.chars().map(KeyCode::Char).collect();
        self.press(&keys);
    }

    /// The screen in a terminal of so many columns and rows.
    fn screen(&mut self, columns: u16, rows: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a test has a terminal");
        let drawn = terminal.draw(|frame| {
            self.view.fit(frame.area());
            draw(&self.view, frame);
        });
        let buffer = drawn.expect("nothing can fail here").buffer;
        let cells: Vec<&str> = buffer.content().iter().map(|cell| cell.symbol()).collect();
        cells.chunks(columns.max(1).into()).map(|row| row.concat().trim_end().to_string() + "\n").collect()
    }
}

#[test]
fn every_game_is_shown_at_every_size() {
    for game in GAMES {
        let mut transcript = recorded(game.info().id, 12);
        annotate(&mut transcript, 3, json!("a thought ".repeat(100)));
        with_view(&transcript, true, |looker| {
            for scene in 0..looker.view.story.scenes.len() {
                for (columns, rows) in [(80, 24), (40, 15), (200, 60), (20, 6), (1, 1), (3, 2), (9, 100), (300, 3)] {
                    let screen = looker.screen(columns, rows);
                    if columns >= 40 && rows >= 15 {
                        let place = if scene == 13 { "[the end".to_string() } else { format!("[before turn {scene} ") };
                        assert!(screen.contains(&place) && screen.contains("250 ms of 1 s") == (scene > 0), "{screen}");
                        assert!(screen.contains(if scene == 0 { "the start" } else { " what happened " }), "{screen}");
                        assert!(screen.contains("unfinished"), "{screen}");
                    }
                }
                looker.press(&[KeyCode::Char('?')]);
                looker.screen(5, 5);
                looker.press(&[KeyCode::Char('x'), KeyCode::Right]);
            }
        });
    }
}

#[test]
fn nothing_overlaps_and_nothing_lies_outside() {
    for columns in 0..120 {
        for rows in 0..50 {
            for board in [[0, 0], [19, 9], [99, 34], [2000, 2000]] {
                let area = Rect::new(0, 0, columns, rows);
                let layout = lay_out(area, board);
                let parts = [
                    layout.heading,
                    layout.clocks,
                    layout.board,
                    layout.caption,
                    layout.list,
                    layout.said,
                    layout.status,
                ];
                let covered: u32 = parts.iter().map(|part| part.area()).sum();
                assert!(covered <= area.area(), "{columns} x {rows}: {layout:?}");
                for part in parts.iter().filter(|part| !part.is_empty()) {
                    assert_eq!(part.intersection(area), *part, "{columns} x {rows}: {layout:?}");
                }
            }
        }
    }
}

#[test]
fn keys_lead_where_they_say() {
    let mut transcript = recorded("othello", 20);
    annotate(&mut transcript, 4, json!({"Plan": "corner"}));
    annotate(&mut transcript, 9, json!("CORNER at last"));
    let why = "no such flip".to_string();
    transcript.events.insert(
        6,
        Recorded { line: 8, ms: 0, kind: RecordedKind::Invalid { turn: 6, seat: Seat::First, part: 0, why } },
    );
    with_view(&transcript, false, |looker| {
        let places: &[(&[KeyCode], usize)] = &[
            (&[KeyCode::Right, KeyCode::Right], 2),
            (&[KeyCode::Left], 1),
            (&[KeyCode::PageDown], 11),
            (&[KeyCode::PageUp], 1),
            (&[KeyCode::End], 21),
            (&[KeyCode::Right], 21),
            (&[KeyCode::Home], 0),
            (&[KeyCode::Left], 0),
            (&[KeyCode::Char('f')], 7),
            (&[KeyCode::Home, KeyCode::Char('F')], 7),
        ];
        for (keys, scene) in places {
            looker.press(keys);
            assert_eq!(looker.view.scene, *scene, "{keys:?}");
        }
        looker.write("12");
        assert!(looker.screen(80, 24).contains("turn: 12_"));
        looker.press(&[KeyCode::Enter]);
        assert_eq!(looker.view.scene, 12);
        assert!(looker.screen(80, 24).contains("next: turn 12 "), "what was played there");
        looker.write("99");
        looker.press(&[KeyCode::Enter]);
        assert!(looker.screen(80, 24).contains("there is no turn 99: 0 to 20"));
        looker.write("20");
        looker.press(&[KeyCode::Enter]);
        assert!(looker.screen(80, 24).contains("[the end of 20"));

        looker.press(&[KeyCode::Home]);
        looker.write("/corner");
        looker.press(&[KeyCode::Enter]);
        assert_eq!(looker.view.scene, 5);
        for (key, scene) in [('n', 10), ('n', 5), ('N', 10)] {
            looker.write(&key.to_string());
            assert_eq!(looker.view.scene, scene, "{key}");
        }
        looker.write("/edge");
        looker.press(&[KeyCode::Enter]);
        assert!(looker.screen(80, 24).contains("nobody said edge"));
        assert_eq!((looker.view.scene, looker.left), (10, None));
        looker.write("/q");
        looker.press(&[KeyCode::Esc]);
        assert_eq!((looker.view.mode(), looker.left), (&Mode::Look, None));
        looker.write("q");
        assert_eq!(looker.left, Some(Left::Done));
    });
}

#[test]
fn a_match_plays_at_a_pace_until_its_end() {
    with_view(&recorded("othello", 3), false, |looker| {
        assert_eq!(looker.view.pace(), None);
        looker.write(" ");
        let slow = looker.view.pace().expect("it plays");
        looker.write("+");
        assert!(looker.view.pace().expect("it still plays") < slow);
        looker.view.tick();
        assert_eq!(looker.view.scene, 1);
        looker.write(" ");
        assert_eq!(looker.view.pace(), None, "it pauses");
        looker.write(" ");
        (0..3).for_each(|_| looker.view.tick());
        assert_eq!((looker.view.scene, looker.view.pace()), (4, None), "it stops at the end");
        looker.write(" ");
        assert_eq!(looker.view.scene, 0, "and begins again");
        looker.press(&[KeyCode::Right]);
        assert_eq!(looker.view.pace(), None, "whoever steps wants to look");
    });
}

#[test]
fn what_bots_say_stays_text() {
    let mut transcript = recorded("othello", 6);
    transcript.header.players[0].name = HOSTILE.to_string();
    annotate(&mut transcript, 2, json!(HOSTILE));
    annotate(&mut transcript, 4, json!("\u{754c}".repeat(100_000)));
    for kind in [
        RecordedKind::Stderr { seat: Seat::First, text: format!("{HOSTILE}\n{HOSTILE}"), cut: None },
        RecordedKind::Stray { seat: Seat::First, text: HOSTILE.to_string() },
        RecordedKind::Fault {
            seat: Seat::First,
            reason: Reason::Malformed,
            detail: HOSTILE.to_string(),
            line: Some(HOSTILE.to_string()),
            mv: Some(json!(HOSTILE)),
        },
    ] {
        add(&mut transcript, kind);
    }
    with_view(&transcript, true, |looker| {
        for _ in 0..looker.view.story.scenes.len() {
            for (columns, rows) in [(80, 60), (40, 15)] {
                let screen = looker.screen(columns, rows);
                let harmful = |character: char| {
                    (character.is_control() && character != '\n')
                        || "\u{202e}\u{2066}\u{200f}\u{feff}".contains(character)
                };
                assert!(!screen.contains(harmful), "{screen:?}");
            }
            looker.press(&[KeyCode::Right]);
        }
        assert!(looker.screen(80, 60).contains("\\u{1b}[2J"), "it is seen as what it is");
    });
}

#[test]
fn a_long_match_with_long_notes_is_searched_and_scrolled() {
    let mut transcript = recorded("flip", 300);
    let text: String = (0..40_000).map(|line| format!("line {line} of a long thought\n")).collect();
    annotate(&mut transcript, 200, json!(text));
    with_view(&transcript, false, |looker| {
        looker.write("/LINE 31234 of");
        looker.press(&[KeyCode::Enter]);
        assert_eq!(looker.view.scene, 201);
        let screen = looker.screen(80, 24);
        assert!(screen.contains("line 31234 of a long thought"), "{screen}");
        looker.press(&[KeyCode::Down]);
        assert!(!looker.screen(80, 24).contains("line 31234 of"));
    });
}

#[test]
fn a_position_is_the_same_from_wherever_one_comes() {
    let transcript = recorded("othello", 30);
    let long = recorded("flip", 200);
    for transcript in [&transcript, &long] {
        let reenactment = Reenactment::new(transcript).expect("its game is known");
        let states: Vec<Value> = (0..=reenactment.turns.len()).map(|turn| reenactment.before(turn).state()).collect();
        assert!(states.len() > 20 && states.windows(2).any(|two| two[0] != two[1]));
        for step in 1..states.len() {
            // Every turn, in an order that goes up and down.
            let turn = step * 67 % states.len();
            assert_eq!(reenactment.before(turn).state(), states[turn], "before turn {turn}");
        }
    }
}

#[test]
fn names_stand_where_the_rules_say_seats() {
    let mut transcript = recorded("notipping", 4);
    let verdict = Verdict {
        winner: Some(Seat::First),
        scores: [1, 0],
        reason: Reason::Finished,
        detail: Some("seat 1 tipped the board".to_string()),
        at_fault: None,
        invalid: None,
    };
    transcript.result = Some(RecordedResult { line: 9, verdict, value: json!({}) });
    with_view(&transcript, false, |looker| {
        assert!(looker.screen(80, 24).contains("ann (seat 0) is to place"));
        looker.press(&[KeyCode::End]);
        let screen = looker.screen(80, 24);
        assert!(screen.contains("bob (seat 1) tipped the board"), "{screen}");
        assert!(!screen.contains("unfinished"), "{screen}");
    });
}

#[test]
fn a_traceback_is_told_once() {
    let mut transcript = recorded("othello", 2);
    let traceback = "Traceback:\n  File x\nValueError: oh no\n";
    add(&mut transcript, RecordedKind::Stderr { seat: Seat::First, text: traceback.to_string(), cut: None });
    let detail = format!("the bot exited with code 1{}{}", crate::verdict::STDERR_ENDS, traceback.trim_end());
    add(
        &mut transcript,
        RecordedKind::Fault { seat: Seat::First, reason: Reason::Crashed, detail, line: None, mv: None },
    );
    with_view(&transcript, false, |looker| {
        looker.write("f");
        let screen = looker.screen(80, 40);
        assert!(screen.contains("FAULT: X ann forfeits: crashed") && screen.contains("exited with code 1"), "{screen}");
        assert_eq!(screen.matches("ValueError: oh no").count(), 1, "{screen}");
    });
}

#[test]
fn a_bar_shows_the_nearest_step() {
    let cases = [((30, 1_000_000), ".........."), ((60_000, 1_000_000), "#........."), ((500, 1000), "#####.....")];
    for ((part, whole), steps) in cases.into_iter().chain([((1000, 1000), "##########"), ((0, 0), "##########")]) {
        assert_eq!(bar(part, whole, 10), format!("[{steps}]"), "{part} of {whole}");
    }
}
