//! A view on a screen. Everything is told by words and signs; colours are the board's only.

use super::keys::HELP;
use super::state::{Mode, View};
use crate::cli::crop::{crop, width};
use crate::cli::output::harmless;
use crate::cli::story::Spent;
use crate::cli::telling::time;
use crate::seat::Seat;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Paragraph};

/// Draws a view that was fitted to the frame.
pub(super) fn draw(view: &View<'_>, frame: &mut Frame<'_>) {
    let layout = view.layout;
    if view.mode() == &Mode::Help {
        let area = Rect { height: frame.area().height.saturating_sub(layout.status.height), ..frame.area() };
        put(frame, area, HELP.iter().map(|line| Line::raw(*line)).collect());
    } else {
        put(frame, layout.heading, vec![Line::styled(view.story.heading[0].as_str(), Modifier::BOLD)]);
        put(frame, layout.clocks, Seat::BOTH.map(|seat| clock(view, seat, layout.clocks.width.into())).into());
        put(frame, layout.board, board(view));
        put(frame, layout.caption, vec![Line::raw(view.caption.as_str())]);
        list(view, frame);
        said(view, frame);
    }
    put(frame, layout.status, vec![Line::styled(status(view), Modifier::REVERSED)]);
}

fn put(frame: &mut Frame<'_>, area: Rect, lines: Vec<Line<'_>>) {
    frame.render_widget(Paragraph::new(lines), area);
}

fn board(view: &View<'_>) -> Vec<Line<'static>> {
    let area = view.layout.board;
    let [left, top] = view.corner;
    let window = view.board.iter().skip(top).take(area.height.into());
    window.map(|line| coloured(&crop(line, left, area.width.into()))).collect()
}

/// A line of a board: its escapes choose colours of the 256, or none.
fn coloured(line: &str) -> Line<'static> {
    let mut parts = line.split('\u{1b}');
    let mut spans = vec![Span::raw(parts.next().unwrap_or_default().to_string())];
    for part in parts {
        let (codes, text) = part.split_once('m').unwrap_or(("", part));
        let codes: Vec<u8> = codes.trim_start_matches('[').split(';').filter_map(|code| code.parse().ok()).collect();
        let mut style = Style::new();
        for colour in codes.windows(3) {
            match colour {
                [38, 5, number] => style = style.fg(Color::Indexed(*number)),
                [48, 5, number] => style = style.bg(Color::Indexed(*number)),
                _ => {}
            }
        }
        spans.push(Span::styled(text.to_string(), style));
    }
    Line::from(spans)
}

/// A seat's clock: what its latest move took of the limit, and what is left of its bank.
fn clock(view: &View<'_>, seat: Seat, columns: usize) -> Line<'static> {
    let Spent { move_us, limit_us, total_us, left_us, bank_us } = view.story.scenes[view.scene].clocks[seat];
    let teller = &view.story.teller;
    let names = Seat::BOTH.map(|seat| width(&teller.who(seat)));
    let broad = names[0].max(names[1]).min(columns / 4);
    let who = crop(&teller.who(seat), 0, broad);
    let mut text = format!("{who}{:gap$}", "", gap = broad.saturating_sub(width(&who)) + 1);
    let bar = |part: u64, whole: u64| self::bar(part, whole, if columns >= 78 { 10 } else { 5 });
    let took = move_us.map_or_else(|| "no move yet".to_string(), time);
    match (move_us, limit_us) {
        (Some(took_us), Some(limit)) => text.push_str(&format!("{} {took} of {}", bar(took_us, limit), time(limit))),
        _ => text.push_str(&took),
    }
    if let (Some(left), Some(bank)) = (left_us, bank_us) {
        text.push_str(&format!("  {} {} left", bar(left, bank), time(left)));
    }
    text.push_str(&format!("  {} in all", time(total_us)));
    Line::raw(text)
}

/// So much of a whole, to the nearest step.
pub(super) fn bar(part: u64, whole: u64, columns: u64) -> String {
    let [part, whole, steps] = [part, whole, columns].map(u128::from);
    let full = if whole == 0 { steps } else { (2 * part * steps + whole) / (2 * whole) };
    let full = full.min(steps) as usize;
    format!("[{}{}]", "#".repeat(full), ".".repeat(columns as usize - full))
}

/// The moves around where one is, that one marked.
fn list(view: &View<'_>, frame: &mut Frame<'_>) {
    let block = Block::new().borders(Borders::LEFT | Borders::TOP).title(" moves ");
    let inner = block.inner(view.layout.list);
    if inner.is_empty() {
        return;
    }
    let (story, rows) = (view.story, usize::from(inner.height));
    let first = view.scene.saturating_sub(rows / 2).min(story.scenes.len().saturating_sub(rows));
    let lines = (first..story.scenes.len()).take(rows).map(|index| {
        let scene = &story.scenes[index];
        let sign = if story.wrong.binary_search(&index).is_ok() {
            '!'
        } else if story.has_words(index) {
            '*'
        } else {
            ' '
        };
        let text = match scene.mover {
            Some(seat) => format!("{sign}{:>4} {} {}", scene.turns - 1, story.teller.sign(seat), scene.label),
            None => format!("{sign}     {}", scene.label),
        };
        if index == view.scene {
            let text = crop(&format!(">{text}"), 0, inner.width.into());
            Line::styled(format!("{text:<room$}", room = inner.width.into()), Modifier::REVERSED)
        } else {
            Line::raw(format!(" {text}"))
        }
    });
    put(frame, inner, lines.collect());
    frame.render_widget(block, view.layout.list);
}

fn said(view: &View<'_>, frame: &mut Frame<'_>) {
    let area = view.layout.said;
    let mut block = Block::new().borders(Borders::TOP).title(" what happened ");
    let inner = block.inner(area);
    let (count, rows) = (view.said.len(), usize::from(inner.height));
    if count > rows {
        let last = (view.top + rows).min(count);
        block = block.title(format!(" lines {} to {last} of {count} ", view.top + 1));
    }
    let line = |(index, line): (usize, &'_ String)| {
        let is_match = index > 0 && view.is_match(line);
        let style = if is_match {
            Modifier::REVERSED
        } else if index == 0 || line.starts_with("FAULT") {
            Modifier::BOLD
        } else {
            Modifier::empty()
        };
        Line::styled(crop(line, 0, inner.width.into()), style)
    };
    put(frame, inner, view.said.iter().enumerate().skip(view.top).take(rows).map(line).collect());
    frame.render_widget(block, area);
}

fn status(view: &View<'_>) -> String {
    let story = view.story;
    let place = match view.scene + 1 == story.scenes.len() {
        true => "the end".to_string(),
        false => format!("before turn {}", story.scenes[view.scene].turns),
    };
    let unfinished = if story.is_unfinished() { ", unfinished" } else { "" };
    let place = format!("[{place} of {}{unfinished}]", story.turns());
    match (view.mode(), &view.message) {
        (Mode::Turn(number), _) => format!("turn: {number}_  Enter goes there, Esc does not"),
        (Mode::Search(text), _) => format!("/{text}_  Enter searches, Esc does not"),
        (_, Some(message)) => format!("{place} {}", harmless(message)),
        _ if view.pace().is_some() => format!("{place} playing, {} a second  Space pause  + - pace", view.speed()),
        _ => {
            let mut text = format!("{place} Left/Right  q leave  ? help");
            let size = view.board_size();
            let cut = size[0] > view.layout.board.width.into() || size[1] > view.layout.board.height.into();
            let scrolls = view.said.len() + 1 > view.layout.said.height.into();
            for (holds, keys) in
                [(!story.wrong.is_empty(), "f fault"), (scrolls, "Up/Down"), (cut, "hjkl board"), (true, "Space play")]
            {
                if holds {
                    text.push_str(&format!("  {keys}"));
                }
            }
            text
        }
    }
}
