//! One bot of a cup: its record, its time, its faults.

use super::{Cups, gone};
use crate::record::read_transcript;
use crate::report::{bot_sections, plain_text as text, url_part};
use crate::serve::Site;
use crate::serve::html::Page;
use crate::verdict::Reason;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

pub(super) async fn page(State(site): State<Arc<Site>>, Path((name, bot)): Path<(String, String)>) -> Response {
    let view = match Cups::view(&site, &name, None).await {
        Ok(view) => view,
        Err(trouble) => return trouble.page(&site, &name),
    };
    let Some(entrant) = view.setup.field.names.iter().position(|known| *known == bot) else {
        let says = format!("<p><b>{}</b> does not play in {}.</p>", text(&bot), text(&name));
        return gone(&site, StatusCode::NOT_FOUND, "No such bot", &says, view.address(), "The cup");
    };
    let (asked, cup, seen) = (Arc::clone(&site), name.clone(), view);
    let made = tokio::task::spawn_blocking(move || {
        let mut excerpts = seen.tables.excerpts.clone();
        excerpts.faults.retain(|(guilty, _), _| *guilty == entrant);
        excerpts.tell_causes(|id| cause(&asked, &cup, id));
        let page = crate::report::CupPage { excerpts: &excerpts, ..seen.page() };
        let sections = bot_sections(&page, entrant);
        (seen, sections)
    });
    let Ok((view, sections)) = made.await else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let authors = match view.entrants[entrant].authors.join(", ") {
        authors if authors.is_empty() => String::new(),
        authors => format!("<p id=\"about\">by {}</p>\n", text(&authors)),
    };
    let part = url_part(&bot);
    let body = format!(
        "<main>\n<header>\n<h1>{} in {}</h1>\n{authors}<p class=\"links\"><a href=\"{here}\">The cup</a> \
         <a href=\"{here}/matches?bot={part}\">Its matches</a> <a href=\"{here}/matches?bot={part}&amp;faults=1\">Its faults</a></p>\n\
         </header>\n{sections}</main>\n",
        text(&bot),
        text(&name),
        here = view.address()
    );
    let title = format!("{bot} in {name}");
    Page { title: &title, styles: &["cup.css"], scripts: &[], body }.html(&site).into_response()
}

/// What led to a forfeit, as far as it may be told: what bots said is shown only where all of it is.
fn cause(site: &Site, cup: &str, id: &str) -> Option<String> {
    let transcript = read_transcript(&site.transcript(cup, id)?).ok()?;
    let verdict = transcript.result?.verdict;
    verdict.detail.filter(|_| site.show_logs || verdict.reason == Reason::Illegal)
}
