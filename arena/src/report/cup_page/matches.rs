//! Where the matches are: lost by a fault, won against the odds, and some of every pairing, with links to transcripts.

use super::CupPage;
use super::markup::{
    bot, cell, column, count, counted, percent, points, row_head, section, table, text, won_drawn_lost,
};
use crate::record::RowOutcome;
use crate::report::words::in_words;
use crate::seat::Seat;
use crate::tournament::Entrant;
use crate::tournament::excerpts::Excerpt;
use crate::tournament::standings::Standing;
use crate::tournament::tally::{Faults, Meeting, Sheet};
use crate::verdict::Reason;

/// More pairings than these are folded away together.
const SHOWN_PAIRINGS: usize = 45;

/// So many upsets are told.
const UPSETS: usize = 8;

/// A score is an upset where less than this was expected,
const UNEXPECTED: f64 = 0.25;

/// and so many times as much was taken.
const MORE: f64 = 1.5;

/// Faults by kind and bot, with the last matches of each.
pub(super) fn faults(cup: &CupPage<'_>) -> String {
    faults_of(cup, &cup.standings.rows.iter().collect::<Vec<_>>())
}

/// The same of these bots only.
pub(super) fn faults_of(cup: &CupPage<'_>, rows: &[&Standing]) -> String {
    let rows: Vec<&Standing> = rows.iter().copied().filter(|row| row.totals.faults != Faults::default()).collect();
    if rows.is_empty() {
        return section("faults", "Faults", "<p>No match was lost by a fault.</p>\n");
    }
    let headings = ["illegal", "malformed", "timeout", "crashed", "other"];
    let heads: String = headings.map(|heading| column("number", heading)).concat();
    let head = format!("<tr>{}{heads}</tr>", column("bot", "Bot"));
    let counts: String = rows.iter().map(|row| fault_counts(cup, row)).collect();
    let says = "<p class=\"small\">The last matches of each kind, and what led to each:</p>\n";
    let causes: String = rows.iter().map(|row| fault_causes(cup, row)).collect();
    section("faults", "Faults", &(table("faults", "Faults by kind", &head, &counts) + says + &causes))
}

fn fault_counts(cup: &CupPage<'_>, row: &Standing) -> String {
    let Faults { illegal, malformed, timeout, crashed, other } = row.totals.faults;
    let counts = [illegal, malformed, timeout, crashed, other].map(|number| match number {
        0 => cell("number soft", "0"),
        number => cell("number alarm", &count(number)),
    });
    format!("<tr>{}{}</tr>\n", row_head(&cup.links.bot(&row.bot)), counts.concat())
}

/// Matches of the same cause together. They are no part of the table, so that they fold on a narrow screen.
fn fault_causes(cup: &CupPage<'_>, row: &Standing) -> String {
    let mut items = String::new();
    for reason in Reason::ALL {
        let Some(kept) = cup.excerpts.faults.get(&(row.entrant, reason.as_str())) else { continue };
        let mut causes: Vec<(Option<&str>, Vec<String>)> = Vec::new();
        for excerpt in kept {
            let (cause, link) = (excerpt.cause.as_deref(), cup.links.link(excerpt) + &cup.links.why(excerpt));
            match causes.iter_mut().find(|(known, _)| *known == cause) {
                Some((_, links)) => links.push(link),
                None => causes.push((cause, vec![link])),
            }
        }
        let (word, words) = (reason.as_str(), in_words(reason));
        for (cause, links) in causes {
            let cause = cause.map(|cause| format!(" {}", text(cause))).unwrap_or_default();
            items +=
                &format!("<li><abbr title=\"{words}\"><b>{word}</b></abbr>:{cause}<br>{}</li>\n", links.join(", "));
        }
    }
    if items.is_empty() { items } else { format!("<h3>{}</h3>\n<ul class=\"causes\">\n{items}</ul>\n", text(&row.bot)) }
}

/// A score that was not expected.
struct Upset<'a> {
    /// The part of the points that was expected by Elo, 0 to 1.
    expected: f64,
    weak: Entrant,
    strong: Entrant,
    meeting: Meeting,
    last_win: Option<&'a Excerpt>,
}

/// Scores of bots that were not expected to score so, the least expected first; nothing where there are none.
pub(super) fn upsets(cup: &CupPage<'_>, sheet: &Sheet) -> String {
    let mut upsets = all_upsets(cup, sheet);
    if upsets.is_empty() {
        return String::new();
    }
    upsets.sort_by(|one, other| one.expected.total_cmp(&other.expected));
    let items: String = upsets.iter().take(UPSETS).map(|upset| format!("<li>{}</li>\n", told(cup, upset))).collect();
    section("upsets", "Upsets", &format!("<ul>\n{items}</ul>\n"))
}

/// The upset whose last match is the latest, as markup within a paragraph.
pub fn latest_upset(cup: &CupPage<'_>) -> Option<String> {
    let upsets = all_upsets(cup, &cup.tally.whole());
    let latest = upsets.into_iter().max_by_key(|upset| upset.last_win.map(|excerpt| excerpt.number))?;
    Some(told(cup, &latest))
}

fn all_upsets<'a>(cup: &CupPage<'a>, sheet: &Sheet) -> Vec<Upset<'a>> {
    let mut upsets = Vec::new();
    for [one, other] in sheet.meetings.keys() {
        for (weak, strong) in [(*one, *other), (*other, *one)] {
            let elo = |entrant| Some(cup.standings.of(entrant)?.rating?.elo);
            let (Some(low), Some(high)) = (elo(weak), elo(strong)) else { continue };
            let expected = 1.0 / (1.0 + 10f64.powf((high - low) / 400.0));
            let meeting = sheet.between(weak, strong).unwrap_or_default();
            let results = meeting.results();
            let taken = results.score_pct().unwrap_or_default() / 100.0;
            if expected < UNEXPECTED && taken >= MORE * expected && results.won > 0 {
                let last_win = cup.excerpts.last_win(weak, strong);
                upsets.push(Upset { expected, weak, strong, meeting, last_win });
            }
        }
    }
    upsets
}

fn told(cup: &CupPage<'_>, upset: &Upset<'_>) -> String {
    let Upset { expected, weak, strong, meeting, last_win } = upset;
    let results = meeting.results();
    let last = last_win.map(|last| format!("; the last win: {}", cup.links.link(last))).unwrap_or_default();
    format!(
        "<b>{}</b> took {} of {} from <b>{}</b>: {}, where by Elo {:.0}\u{202f}% were to be expected{last}",
        text(cup.name_of(*weak)),
        points(&results),
        counted(results.played(), "point", "points"),
        text(cup.name_of(*strong)),
        percent(&results),
        100.0 * expected
    )
}

/// Every pairing with its last matches, and how a match is looked at.
pub(super) fn matches(cup: &CupPage<'_>, sheet: &Sheet) -> String {
    let rows = &cup.standings.rows;
    let mut example = None;
    let mut pairings = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        for other in &rows[place + 1..] {
            let Some(meeting) = sheet.between(row.entrant, other.entrant) else { continue };
            let kept = cup.excerpts.between(row.entrant, other.entrant);
            example = example.or(kept.first().map(|excerpt| excerpt.transcript.clone()));
            pairings.push(pairing(cup, row, other, &meeting, &kept));
        }
    }
    let example = example.unwrap_or_else(|| "transcripts/ID.jsonl".to_string());
    let how = format!(
        "<p class=\"small\">Links lead to transcripts beside this page. To watch one: <code>arena replay {} --html \
         match.html</code></p>\n",
        text(&example)
    );
    let number = pairings.len();
    let mut list = format!("<div class=\"pairings\">\n{}</div>\n", pairings.concat());
    if number > SHOWN_PAIRINGS {
        list = format!("<details><summary>All {} pairings</summary>\n{list}</details>\n", count(number as u64));
    }
    let void = void(cup.void);
    let body = if number == 0 { "<p>No match has been played yet.</p>\n".to_string() } else { how + &list };
    section("matches", "Matches", &(body + &void))
}

fn pairing(cup: &CupPage<'_>, row: &Standing, other: &Standing, meeting: &Meeting, kept: &[&Excerpt]) -> String {
    let results = meeting.results();
    let seats = meeting.by_seat.each_ref().map(won_drawn_lost);
    let repeats = match meeting.repeats {
        0 => String::new(),
        repeats => format!(" {} another move for move.", counted(repeats, "match repeats", "matches repeat")),
    };
    let some = if (kept.len() as u64) < results.played() {
        format!(" The last ones of each outcome, {} of {}:", kept.len(), count(results.played()))
    } else {
        String::new()
    };
    let links: String = kept
        .iter()
        .map(|excerpt| {
            format!(
                "<li>{} {}</li>\n",
                cup.links.link(excerpt),
                outcome(excerpt.seats.map(|seat| cup.name_of(seat)), excerpt)
            )
        })
        .collect();
    format!(
        "<details id=\"m-{}-{}\"><summary><span class=\"who\">{} <b>{}</b></span><span class=\"who\"><b>{}</b> \
         {}</span></summary>\n<p class=\"small\">{} in seat 0: {}, in seat 1: {}.{repeats}{some}</p>\n\
         <ul>\n{links}</ul></details>\n",
        row.entrant,
        other.entrant,
        bot(&row.bot),
        points(&results),
        points(&results.reversed()),
        bot(&other.bot),
        text(&row.bot),
        seats[0],
        seats[1]
    )
}

/// `alice 40–24`, the winner's points first; `draw 32–32`; `alice, timeout of bob`. `bots` sat in seats 0 and 1.
pub(super) fn outcome(bots: [&str; 2], excerpt: &Excerpt) -> String {
    let [mut first, mut second] = excerpt.scores;
    let name = |seat: Seat| text(bots[seat.index()]);
    let winner = match excerpt.outcome {
        RowOutcome::Won(seat) => name(seat),
        RowOutcome::Drawn | RowOutcome::Void => "draw".to_string(),
    };
    if excerpt.outcome == RowOutcome::Won(Seat::Second) {
        std::mem::swap(&mut first, &mut second);
    }
    match excerpt.at_fault {
        Some(seat) => {
            format!("{winner}, <span class=\"alarm\">{} of {}</span>", excerpt.reason.as_str(), name(seat))
        }
        None => format!("{winner} {first}–{second}"),
    }
}

fn void(ids: &[String]) -> String {
    const MOST: usize = 50;
    if ids.is_empty() {
        return String::new();
    }
    let some: Vec<String> = ids.iter().take(MOST).map(|id| text(id)).collect();
    let rest = if ids.len() > MOST { format!(" and {} more", count((ids.len() - MOST) as u64)) } else { String::new() };
    let stayed = counted(ids.len() as u64, "match stayed void and counts", "matches stayed void and count");
    format!("<p class=\"alarm\">{stayed} nowhere: {}{rest}.</p>\n", some.join(", "))
}
