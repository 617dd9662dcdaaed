//! What it comes to: who won or leads, how sure that is, and how far the cup has got.

use super::CupPage;
use super::markup::{and_elo, count, counted, likelihood, listed, percent, points, text};
use crate::tournament::standings::Standing;
use crate::tournament::tally::Results;

/// Who won, or how it stands: a headline and what it rests on.
pub(super) fn verdict(cup: &CupPage<'_>, played: u64) -> String {
    let leaders: Vec<&Standing> = cup.standings.rows.iter().filter(|row| row.rank == 1).collect();
    let names = listed(&leaders.iter().map(|row| row.bot.as_str()).collect::<Vec<&str>>());
    let headline = match (played, cup.unfinished, leaders.as_slice()) {
        (0, ..) | (_, _, []) => "No match has been played yet".to_string(),
        (_, Some(_), [_]) => format!("So far {names} leads"),
        (_, Some(_), _) => format!("So far {names} lead together"),
        (_, None, [_]) => format!("{names} wins"),
        (_, None, _) => format!("{names} share the first place"),
    };
    let mut details: Vec<String> = Vec::new();
    if let ([leader], true) = (leaders.as_slice(), played > 0) {
        details.push(rests_on(leader));
        details.extend(doubt(cup, leader));
    }
    let state = cup.unfinished.map(|unfinished| {
        let done = counted(unfinished.done, "match is", "matches are");
        let of = unfinished.planned.map_or("so far".to_string(), |planned| format!("of {}", count(planned)));
        let goes_on = if unfinished.is_going_on { "it goes on" } else { "the same command goes on" };
        format!("{done} played {of}: {goes_on}.")
    });
    details.extend(state);
    let class = if cup.unfinished.is_some() || played == 0 { " class=\"open\"" } else { "" };
    format!("<div id=\"result\"{class}>\n<p><strong>{headline}</strong></p>\n<p>{}</p>\n</div>\n", details.join(" "))
}

fn rests_on(leader: &Standing) -> String {
    let results = &leader.totals.results;
    let all = counted(results.played(), "match", "matches");
    let points = format!("{} of {all} ({})", counted_points(results), percent(results));
    format!("{points}{}.", and_elo(leader.rating))
}

fn counted_points(results: &Results) -> String {
    format!("{} {}", points(results), if results.half_points() == 2 { "point" } else { "points" })
}

/// Whether the matches leave open that the leader is the strongest.
fn doubt(cup: &CupPage<'_>, leader: &Standing) -> Option<String> {
    let likely = leader.superior.filter(|likely| *likely < 0.95)?;
    let next = text(&cup.standings.rows.get(1)?.bot);
    Some(format!("That it is stronger than {next} is {} likely, and so not settled.", likelihood(likely)))
}
