//! The matches of a cup, page by page, the latest first: all, or those of a bot, of two, of a parameter set, or that ended by a fault.

use super::view::{Place, View};
use super::{Cups, choice, gone, set_choice, set_from};
use crate::record::rows::rows_at;
use crate::report::{match_table, plain_text as text, url_part};
use crate::serve::Site;
use crate::serve::html::Page;
use crate::tournament::ledger::MATCHES;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::sync::Arc;

/// So many matches are on a page.
const ON_A_PAGE: usize = 50;

/// Which matches are asked for. What is empty asks for nothing.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Asked {
    page: String,
    bot: String,
    against: String,
    set: String,
    faults: String,
}

impl Asked {
    fn set(&self) -> Option<usize> {
        set_from(Some(&self.set))
    }

    fn faults(&self) -> bool {
        !self.faults.is_empty()
    }

    /// The matches that are meant, the latest first, by where their rows begin; `None` when nobody is called so.
    fn chosen(&self, view: &View) -> Option<Vec<u64>> {
        let number = |name: &str| view.setup.field.names.iter().position(|known| known == name);
        let [bot, against] = [&self.bot, &self.against].map(|name| (!name.is_empty()).then(|| number(name)));
        if bot == Some(None) || against == Some(None) {
            return None;
        }
        let (bot, against) = (bot.flatten(), against.flatten());
        let (set, faults) = (self.set(), self.faults());
        let seat_of = |place: &Place, bot: usize| place.seats.iter().position(|seat| usize::from(*seat) == bot);
        let is_meant = |place: &&Place| {
            let fault_of = place.at_fault.map(|seat| seat.index());
            let by_fault = match bot {
                // Its own faults, not those that it gained from.
                Some(bot) => fault_of.is_some() && fault_of == seat_of(place, bot),
                None => fault_of.is_some(),
            };
            bot.is_none_or(|bot| seat_of(place, bot).is_some())
                && against.is_none_or(|other| seat_of(place, other).is_some())
                && set.is_none_or(|set| usize::from(place.set) == set)
                && (!faults || by_fault)
        };
        Some(view.rows.iter().rev().filter(is_meant).map(|place| place.begin).collect())
    }

    /// The address of another page of the same matches.
    fn address(&self, view: &View, page: usize) -> String {
        let set = self.set().map(|set| (set + 1).to_string()).unwrap_or_default();
        let faults = if self.faults() { "1" } else { "" };
        let page = page.to_string();
        let keys = [
            ("page", page.as_str()),
            ("bot", &self.bot),
            ("against", &self.against),
            ("set", &set),
            ("faults", faults),
        ];
        let given = keys.into_iter().filter(|(_, value)| !value.is_empty());
        let given: Vec<String> = given.map(|(key, value)| format!("{key}={}", url_part(value))).collect();
        format!("{}/matches?{}", view.address(), given.join("&amp;"))
    }
}

pub(super) async fn page(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Response {
    let view = match Cups::view(&site, &name, None).await {
        Ok(view) => view,
        Err(trouble) => return trouble.page(&site, &name),
    };
    if let Err(trouble) = view.has_set(asked.set()) {
        return trouble.page(&site, &name);
    }
    let Some(chosen) = asked.chosen(&view) else {
        let says = "<p>No bot of this cup is called so.</p>";
        let back = format!("{}/matches", view.address());
        return gone(&site, StatusCode::NOT_FOUND, "No such bot", says, &back, "All matches");
    };
    let pages = chosen.len().div_ceil(ON_A_PAGE).max(1);
    let number = asked.page.parse().unwrap_or(1).clamp(1, pages);
    let begins: Vec<u64> = chosen.iter().skip((number - 1) * ON_A_PAGE).take(ON_A_PAGE).copied().collect();
    let file = site.cup_folder(&name).map(|folder| folder.join(MATCHES));
    let rows = tokio::task::spawn_blocking(move || file.and_then(|file| rows_at(&file, &begins).ok())).await;
    let Some(rows) = rows.ok().flatten() else {
        let (says, back) = ("<p>It is being put in order just now.</p>", asked.address(&view, number));
        return gone(&site, StatusCode::SERVICE_UNAVAILABLE, "The record is being written", says, &back, "Try again");
    };
    let found = match chosen.len() {
        0 => "No match".to_string(),
        1 => "1 match".to_string(),
        count => format!("{count} matches, the latest first"),
    };
    let table = if rows.is_empty() { String::new() } else { match_table(&view.page(), &rows) };
    let body = format!(
        "<main>\n<header>\n<h1>Matches of {}</h1>\n<p class=\"links\"><a href=\"{}\">The cup</a></p>\n{}</header>\n\
         <section aria-labelledby=\"found\">\n<h2 id=\"found\">{found}</h2>\n{}{table}{}</section>\n</main>\n",
        text(&view.name),
        view.address(),
        filter(&view, &asked),
        pager(&view, &asked, number, pages),
        if rows.len() > 20 { pager(&view, &asked, number, pages) } else { String::new() }
    );
    let title = format!("Matches of {}", view.name);
    Page { title: &title, styles: &["cup.css"], scripts: &[], body }.html(&site).into_response()
}

fn filter(view: &View, asked: &Asked) -> String {
    let bots = |name: &str, chosen: &str| {
        let names = view.setup.field.names.iter().map(|name| (name.clone(), name.clone()));
        choice(name, std::iter::once((String::new(), "any".to_string())).chain(names), chosen)
    };
    let checked = if asked.faults() { " checked" } else { "" };
    format!(
        "<form class=\"filter\" method=\"get\" action=\"{}/matches\">\n<label>Bot {}</label>\n<label>Against {}</label>\n{}\
         <label><input type=\"checkbox\" name=\"faults\" value=\"1\"{checked}> ended by a fault</label>\n<button>Show</button></form>\n",
        view.address(),
        bots("bot", &asked.bot),
        bots("against", &asked.against),
        set_choice(view, asked.set()),
    )
}

fn pager(view: &View, asked: &Asked, number: usize, pages: usize) -> String {
    if pages == 1 {
        return String::new();
    }
    let link = |to: usize, name: &str, rel: &str| match to {
        to if (1..=pages).contains(&to) && to != number => {
            format!("<a href=\"{}\"{rel}>{name}</a>", asked.address(view, to))
        }
        _ => format!("<span class=\"soft\">{name}</span>"),
    };
    format!(
        "<nav class=\"pager\" aria-label=\"Pages of matches\">{}{}<span>Page {number} of {pages}</span>{}{}</nav>\n",
        link(1, "First", ""),
        link(number.wrapping_sub(1), "Earlier page", " rel=\"prev\""),
        link(number + 1, "Next page", " rel=\"next\""),
        link(pages, "Last", "")
    )
}
