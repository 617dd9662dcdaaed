//! What pages that are served show besides: one bot of a cup, a list of single matches, the table for a wall.

use super::CupPage;
use super::markup::{
    and_elo, cell, column, count, percent, points, row_head, section, shade, signed, table, text, time, won_drawn_lost,
};
use super::matches::{faults_of, outcome};
use super::tables::{of_byes, set_labels};
use super::times::times_of;
use crate::record::{Row, RowOutcome};
use crate::tournament::excerpts::Excerpt;
use crate::tournament::standings::Standing;
use crate::tournament::tally::Results;
use crate::tournament::{Entrant, tally::Sheet, tally::set_of};

/// What one bot did: against each other one, by parameter set, its time, its faults. Nothing for who is not in the cup.
pub fn bot_sections(cup: &CupPage<'_>, entrant: Entrant) -> String {
    let Some(standing) = cup.standings.of(entrant) else { return String::new() };
    let sheet = cup.tally.whole();
    let mut sections = summary(cup, standing) + &against(cup, standing, &sheet);
    if cup.tally.sets() > 1 {
        sections += &by_set(cup, entrant);
    }
    sections + &times_of(cup, &[standing]) + &faults_of(cup, &[standing])
}

fn summary(cup: &CupPage<'_>, row: &Standing) -> String {
    let results = &row.totals.results;
    let place = if results.played() == 0 {
        "No match yet".to_string()
    } else {
        format!("Place {} of {}", row.rank, cup.standings.rows.len())
    };
    format!(
        "<div id=\"result\">\n<p><strong>{place}</strong></p>\n<p>{} of {} points ({}){}. Won {}, drawn {}, lost {}.</p>\n</div>\n",
        points(results),
        count(results.played()),
        percent(results),
        and_elo(row.rating),
        count(results.won),
        count(results.drawn),
        count(results.lost)
    )
}

const RECORD: [&str; 5] = ["Points", "Played", "Score", "In seat 0", "In seat 1"];

fn record_head(first: &str) -> String {
    format!("<tr>{}{}</tr>", column("bot", first), RECORD.map(|heading| column("number", heading)).concat())
}

/// The cells of [`RECORD`].
fn record(by_seat: &[Results; 2], link: Option<&str>) -> String {
    let mut all = by_seat[0];
    all.add(&by_seat[1]);
    let seats = by_seat.each_ref().map(won_drawn_lost);
    let played = match link {
        Some(to) => format!("<a href=\"{to}\">{}</a>", count(all.played())),
        None => count(all.played()),
    };
    [
        cell("number strong", &points(&all)),
        cell("number", &played),
        cell(&format!("number {}", shade(&all)), &percent(&all)),
        cell("number", &seats[0]),
        cell("number", &seats[1]),
    ]
    .concat()
}

fn against(cup: &CupPage<'_>, own: &Standing, sheet: &Sheet) -> String {
    let line = |other: &Standing| {
        let meeting = sheet.between(own.entrant, other.entrant)?;
        let to = cup.meeting(own.entrant, other.entrant);
        let name = row_head(&cup.links.bot(&other.bot));
        Some(format!("<tr>{name}{}</tr>\n", record(&meeting.by_seat, Some(&to))))
    };
    let lines: String =
        cup.standings.rows.iter().filter(|other| other.entrant != own.entrant).filter_map(line).collect();
    let says = "<p class=\"small\">+ won, = drawn, − lost; the number of matches leads to them.</p>\n";
    section(
        "against",
        "Against each other bot",
        &(says.to_string() + &table("against", "Against each other bot", &record_head("Against"), &lines)),
    )
}

fn by_set(cup: &CupPage<'_>, entrant: Entrant) -> String {
    let line = |(set, label): (usize, String)| {
        let mut by_seat = [Results::default(); 2];
        let sheet = cup.tally.of_set(set);
        for meeting in (0..cup.tally.names().len()).filter_map(|other| sheet.between(entrant, other)) {
            by_seat.iter_mut().zip(&meeting.by_seat).for_each(|(sum, seat)| sum.add(seat));
        }
        format!("<tr>{}{}</tr>\n", row_head(&text(&label)), record(&by_seat, None))
    };
    let sets = 0..cup.tally.sets();
    let lines: String = sets.zip(set_labels(cup.sets)).map(line).collect();
    section("sets", "By parameter set", &table("sets", "By parameter set", &record_head("Parameters"), &lines))
}

/// A table of matches, with links to each.
pub fn match_table(cup: &CupPage<'_>, rows: &[Row]) -> String {
    let sets = set_labels(cup.sets);
    let mut heads = vec![column("bot", "Match"), column("", "Seat 0"), column("", "Seat 1"), column("", "Result")];
    heads.extend((sets.len() > 1).then(|| column("", "Parameters")));
    heads.extend([column("number", "Turns"), column("number", "Time")]);
    let line = |row: &Row| {
        let excerpt = Excerpt::of(0, row, [0, 1]);
        let mut cells = vec![row_head(&cup.links.link(&excerpt))];
        cells.extend(row.bots.each_ref().map(|bot| cell("", &cup.links.bot(bot))));
        let told = match row.outcome {
            RowOutcome::Void => format!("<span class=\"alarm\">void ({})</span>", row.reason.as_str()),
            _ => outcome([&row.bots[0], &row.bots[1]], &excerpt),
        };
        cells.push(cell("", &told));
        cells.extend((sets.len() > 1).then(|| cell("", &text(sets.get(set_of(row)).map_or("", String::as_str)))));
        cells.extend([cell("number", &row.turns.to_string()), cell("number", &time(row.duration_ms as f64))]);
        format!("<tr>{}</tr>\n", cells.concat())
    };
    let lines: String = rows.iter().map(line).collect();
    table("matches", "Matches", &format!("<tr>{}</tr>", heads.concat()), &lines)
}

/// Some lines of the standings, large: place, name, points, score, Elo.
pub fn wall_table(cup: &CupPage<'_>, from: usize, lines: usize) -> String {
    let byes = cup.byes();
    let head = [
        column("number", "#"),
        column("bot", "Bot"),
        column("number", "Points"),
        if byes.is_empty() { String::new() } else { column("number", "Byes") },
        column("number", "Score"),
        column("number", "Elo"),
    ];
    let line = |row: &Standing| {
        let results = &row.totals.results;
        let elo = row.rating.map(|rating| {
            let half = (rating.high - rating.low) / 2.0;
            format!("{} <small>±{half:.0}</small>", signed(rating.elo))
        });
        let cells = [
            cell("number soft", &row.rank.to_string()),
            row_head(&text(&row.bot)),
            cell("number strong", &points(results)),
            byes.get(row.entrant).map(|more| of_byes(*more)).unwrap_or_default(),
            cell("number", &percent(results)),
            cell("number", &elo.unwrap_or_default()),
        ];
        format!("<tr>{}</tr>\n", cells.concat())
    };
    let lines: String = cup.standings.rows.iter().skip(from).take(lines).map(line).collect();
    table("wall-table", "Standings", &format!("<tr>{}</tr>", head.concat()), &lines)
}
