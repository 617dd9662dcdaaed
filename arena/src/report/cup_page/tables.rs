//! The tables of results: standings, who did what against whom, and scores by parameter.

use super::CupPage;
use super::elo::Axis;
use super::markup::{
    bot, cell, column, count, counted, half_points, likelihood, percent, points, row_head, section, sentences, shade,
    signed, table, text,
};
use crate::game::Params;
use crate::tournament::grades::Grade;
use crate::tournament::rating::Hold;
use crate::tournament::standings::{BYES_COUNT, Standing};
use crate::tournament::tally::{Meeting, Results, Sheet};
use serde_json::Value;

/// Ranks, points, and Elo with its interval.
pub(super) fn standings(cup: &CupPage<'_>) -> String {
    let axis = Axis::new(cup.standings);
    let byes = cup.byes();
    let of_byes = if byes.is_empty() { String::new() } else { column("number", "Byes") };
    let head: String = [
        column("number", "#"),
        column("bot", "Bot"),
        column("number", "Points"),
        of_byes,
        column("number", "Played"),
        column("number", "Score"),
        column("number", "Elo"),
        column("drawing", &format!("<span class=\"unseen\">Elo, 95 % interval</span>{}", axis.scale())),
        column("number least", "95 %"),
        column("number lesser", "Won"),
        column("number lesser", "Drawn"),
        column("number lesser", "Lost"),
        column("number", "<abbr title=\"How likely it is stronger than the next one below\">Beats next</abbr>"),
        column("number", "Faults"),
    ]
    .concat();
    let rows: String = cup.standings.rows.iter().map(|row| standing(cup, row, &byes, &axis)).collect();
    let head = format!("<tr>{head}</tr>");
    let table = table("standings", "Standings", &head, &rows);
    let mut remarks = cup.standings.remarks();
    if !byes.is_empty() {
        remarks.insert(0, BYES_COUNT.to_string());
    }
    section("standings", "Standings", &(table + &sentences("small", &remarks)))
}

fn standing(cup: &CupPage<'_>, row: &Standing, byes: &[u64], axis: &Axis) -> String {
    let results = &row.totals.results;
    let faults = row.totals.faults.total();
    let elo = row.rating.map(|rating| {
        let guess = if rating.hold == Hold::Both { "" } else { "~\u{202f}" };
        format!("{guess}{}", signed(rating.elo))
    });
    let interval = row.rating.map(|rating| format!("{} to {}", signed(rating.low), signed(rating.high)));
    let cells: String = [
        cell("number soft", &row.rank.to_string()),
        row_head(&cup.links.bot(&row.bot)),
        cell("number strong", &points(results)),
        byes.get(row.entrant).map(|more| of_byes(*more)).unwrap_or_default(),
        cell("number", &count(results.played())),
        cell("number", &percent(results)),
        cell("number strong", &elo.unwrap_or_default()),
        cell("drawing", &axis.bar(row.rating)),
        cell("number soft least", &interval.unwrap_or_default()),
        cell("number lesser", &count(results.won)),
        cell("number lesser", &count(results.drawn)),
        cell("number lesser", &count(results.lost)),
        cell("number", &row.superior.map(likelihood).unwrap_or_default()),
        cell(if faults > 0 { "number alarm" } else { "number soft" }, &count(faults)),
    ]
    .concat();
    format!("<tr>{cells}</tr>\n")
}

/// What byes add to the points: `+2`.
pub(super) fn of_byes(half: u64) -> String {
    cell("number", &if half == 0 { String::new() } else { format!("+{}", half_points(half)) })
}

/// Who has passed; nothing where no rule says so.
pub(super) fn grades(cup: &CupPage<'_>) -> String {
    let Some((against, pct)) = cup.to_pass else { return String::new() };
    let says = format!(
        "<p class=\"small\">To pass, an author's best bot needs {pct}\u{202f}% of the points against {}.</p>\n",
        text(against)
    );
    if cup.grades.is_empty() {
        return section("grades", "Grades", &(says + "<p>No bot names its authors.</p>\n"));
    }
    let head = [column("bot", "Author"), column("", "Best bot"), column("number", "#"), column("", "Passed")].concat();
    let line = |grade: &Grade| {
        let passed = match grade.passed {
            Some(true) => cell("strong", "yes"),
            Some(false) => cell("alarm", "no"),
            None => cell("", ""),
        };
        format!(
            "<tr>{}{}{}{passed}</tr>\n",
            row_head(&bot(&grade.author)),
            cell("", &bot(&grade.standing.bot)),
            cell("number", &grade.standing.rank.to_string())
        )
    };
    let rows: String = cup.grades.iter().map(line).collect();
    section("grades", "Grades", &(says + &table("grades", "Grades", &format!("<tr>{head}</tr>"), &rows)))
}

/// Points of each against each, the shade by score; cells lead to the matches.
pub(super) fn crosstable(cup: &CupPage<'_>, sheet: &Sheet) -> String {
    let rows = &cup.standings.rows;
    let numbers = rows.iter().enumerate().map(|(place, row)| {
        let name = text(&row.bot);
        column("number", &format!("<abbr title=\"{name}\" aria-label=\"{name}\">{}</abbr>", place + 1))
    });
    let head = format!("<tr>{}{}{}</tr>", column("number", "#"), column("bot", "Bot"), numbers.collect::<String>());
    let games = same_games(sheet);
    let line = |(place, row): (usize, &Standing)| {
        let cells = rows.iter().enumerate().map(|(column, other)| match sheet.between(row.entrant, other.entrant) {
            _ if column == place => cell("self", ""),
            None => cell("number soft", "–"),
            Some(meeting) => met(cup, &meeting, [row, other], games.is_none()),
        });
        let name = row_head(&cup.links.bot(&row.bot));
        format!("<tr>{}{name}{}</tr>\n", cell("number soft", &(place + 1).to_string()), cells.collect::<String>())
    };
    let lines: String = rows.iter().enumerate().map(line).collect();
    let each = games.map(|games| format!(" of {}", counted(games, "match", "matches"))).unwrap_or_default();
    let says = format!(
        "<p class=\"small\">Points{each} of the bot in the row against the bot in the column; a cell leads to the \
         matches.</p>\n"
    );
    section("crosstable", "Cross table", &(says + &table("cross", "Cross table", &head, &lines)))
}

/// What the first of two did against the second.
fn met(cup: &CupPage<'_>, meeting: &Meeting, [row, other]: [&Standing; 2], with_games: bool) -> String {
    let results = meeting.results();
    let of = if with_games { format!("<small>/{}</small>", count(results.played())) } else { String::new() };
    let title = format!(
        "{} – {}: {} won, {} drawn, {} lost ({})",
        text(&row.bot),
        text(&other.bot),
        count(results.won),
        count(results.drawn),
        count(results.lost),
        percent(&results)
    );
    let to = cup.meeting(row.entrant, other.entrant);
    let link = format!("<a href=\"{to}\" title=\"{title}\">{}{of}</a>", points(&results));
    cell(&format!("number {}", shade(&results)), &link)
}

/// How many matches every pairing has, where all have the same.
fn same_games(sheet: &Sheet) -> Option<u64> {
    let mut games = sheet.meetings.values().map(|meeting| meeting.results().played());
    let first = games.next()?;
    games.all(|more| more == first).then_some(first)
}

/// Scores by parameter set and by the values of each parameter; nothing where there is one set only.
pub(super) fn by_parameter(cup: &CupPage<'_>) -> String {
    if cup.sets.len() < 2 || cup.tally.sets() < 2 {
        return String::new();
    }
    let sheets: Vec<Sheet> = (0..cup.tally.sets()).map(|set| cup.tally.of_set(set)).collect();
    let varying = varying(cup.sets);
    let mut body = String::new();
    for name in &varying {
        let groups = by_value(cup.sets, name);
        if varying.len() > 1 && groups.len() < cup.sets.len() {
            let columns: Vec<(String, Vec<Results>)> =
                groups.into_iter().map(|(value, sets)| (value, together(cup, &sheets, &sets))).collect();
            body.push_str(&format!("<div><h3>By {}</h3>\n{}</div>\n", text(name), scores(cup, &columns)));
        }
    }
    let columns: Vec<(String, Vec<Results>)> = cup
        .sets
        .iter()
        .zip(0..sheets.len())
        .map(|(params, set)| (told(params, &varying), together(cup, &sheets, &[set])))
        .collect();
    let heading = if body.is_empty() { "" } else { "<h3>By parameter set</h3>\n" };
    body.push_str(&format!("<div>{heading}{}</div>\n", scores(cup, &columns)));
    let body = format!("<div class=\"beside\">\n{body}</div>\n");
    section("parameters", "Score by parameter", &body)
}

/// What tells each parameter set from the others, in plain text.
pub fn set_labels(sets: &[Params]) -> Vec<String> {
    let varying = varying(sets);
    sets.iter().map(|params| told(params, &varying)).collect()
}

/// The parameters that are not the same in all sets, in their order.
pub(super) fn varying(sets: &[Params]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in sets.iter().flat_map(Params::keys) {
        let first = sets[0].get(name);
        if !names.contains(name) && sets.iter().any(|params| params.get(name) != first) {
            names.push(name.clone());
        }
    }
    names
}

/// `size 8, holes 4`.
fn told(params: &Params, names: &[String]) -> String {
    let told = names.iter().filter_map(|name| Some(format!("{name} {}", short(params.get(name)?))));
    told.collect::<Vec<String>>().join(", ")
}

/// A value, and not all of one that is long.
pub(super) fn short(value: &Value) -> String {
    const LONGEST: usize = 40;
    let whole = value.to_string();
    if whole.chars().count() <= LONGEST {
        return whole;
    }
    whole.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// The values of a parameter, each with the sets that have it.
fn by_value(sets: &[Params], name: &str) -> Vec<(String, Vec<usize>)> {
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for (set, params) in sets.iter().enumerate() {
        let value = params.get(name).map(short).unwrap_or_else(|| "none".to_string());
        match groups.iter_mut().find(|(known, _)| *known == value) {
            Some((_, members)) => members.push(set),
            None => groups.push((value, vec![set])),
        }
    }
    groups
}

/// What each entrant did in these sets.
fn together(cup: &CupPage<'_>, sheets: &[Sheet], sets: &[usize]) -> Vec<Results> {
    let mut sums = vec![Results::default(); cup.tally.names().len()];
    for sheet in sets.iter().filter_map(|set| sheets.get(*set)) {
        sums.iter_mut().zip(&sheet.totals).for_each(|(sum, totals)| sum.add(&totals.results));
    }
    sums
}

/// A column each for these scores, a row a bot.
fn scores(cup: &CupPage<'_>, columns: &[(String, Vec<Results>)]) -> String {
    let heads: String = columns.iter().map(|(label, _)| column("number wrap", &text(label))).collect();
    let head = format!("<tr>{}{}{heads}</tr>", column("number", "#"), column("bot", "Bot"));
    let line = |row: &Standing| {
        let cells: String = columns.iter().map(|(_, results)| score(&results[row.entrant])).collect();
        let name = row_head(&cup.links.bot(&row.bot));
        format!("<tr>{}{name}{cells}</tr>\n", cell("number soft", &row.rank.to_string()))
    };
    let lines: String = cup.standings.rows.iter().map(line).collect();
    table("cross", "Score by parameter", &head, &lines)
}

fn score(results: &Results) -> String {
    match results.played() {
        0 => cell("number soft", "–"),
        played => {
            let title = format!("{} of {}", points(results), count(played));
            cell(&format!("number {}", shade(results)), &format!("<span title=\"{title}\">{}</span>", percent(results)))
        }
    }
}
