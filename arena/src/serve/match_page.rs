//! One match: watched while it is played, or gone through afterwards.

use super::Site;
use super::cup::wall::{self, Pace};
use super::download::download;
use super::html::{Page, text};
use super::play::PLAYED;
use super::refusal::Refusal;
use super::shelf::NOW;
use crate::report::{MATCH_BODY, Told, url_part};
use crate::tournament::folder::owner;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use std::sync::Arc;

pub(super) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/cup/{shelf}/match/{id}", get(page))
        .route("/cup/{shelf}/match/{id}/live", get(live))
        .route("/cup/{shelf}/match/{id}/next", get(next))
        .route("/cup/{shelf}/match/{id}/transcript", get(transcript))
}

type Name = Path<(String, String)>;

/// What may stand behind the `?` of a match's page.
#[derive(Deserialize)]
struct Asked {
    /// It is on a wall: by itself, or in the round of its cup.
    wall: Option<String>,
    /// How long a page of the round stays.
    every: Option<String>,
}

async fn page(
    State(site): State<Arc<Site>>,
    Path((shelf, id)): Name,
    Query(asked): Query<Asked>,
) -> Result<Html<String>, Refusal> {
    site.transcript(&shelf, &id).ok_or_else(no_such_match)?;
    let here = text(&match_address(&shelf, &id));
    let (newer, waits) = match site.newer(&shelf, &id) {
        Newer::Is(address) => (format!("href=\"{}\"", text(&address)), String::new()),
        Newer::WillBe => ("hidden".to_string(), format!(" data-next=\"{here}/next\"")),
        Newer::None => ("hidden".to_string(), String::new()),
    };
    let pause = if shelf == NOW { site.pause.as_millis() } else { 0 };
    let round = match asked.wall.as_deref() {
        Some(wall::ROUND) => wall::bar_of_match(&site, &shelf, Pace::read(asked.every.as_deref())).await,
        _ => None,
    };
    let (styles, scripts): (&[&str], &[&str]) = match round {
        Some(_) => (&["match.css", "wall.css"], &["match.js", "wall.js"]),
        None => (&["match.css"], &["match.js"]),
    };
    let cup = if shelf != NOW && shelf != PLAYED { cup_link(&shelf) } else { String::new() };
    let body = format!(
        "{}{cup}<div id=\"live\" data-pause=\"{pause}\" data-live=\"{here}/live\" data-transcript=\"{here}/transcript\"{waits}></div>\n\
         <a id=\"newer\" {newer}>A newer match has begun: watch that one</a>\n{MATCH_BODY}",
        round.unwrap_or_default()
    );
    Ok(Page { title: &id, styles, scripts, body }.html(&site))
}

/// The way back from a match.
fn cup_link(name: &str) -> String {
    format!("<p id=\"of\">A match of <a href=\"{}\">{}</a></p>\n", cup_address(name), text(name))
}

async fn live(State(site): State<Arc<Site>>, Path((shelf, id)): Name, headers: HeaderMap) -> Result<Response, Refusal> {
    let path = site.transcript(&shelf, &id).ok_or_else(no_such_match)?;
    let is_begun = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let folder = path.parent().and_then(std::path::Path::parent).map(std::path::Path::to_path_buf);
    let is_written: super::watch::IsWritten = match folder {
        _ if shelf == NOW => Box::new(|| true),
        // Matches of people have no lock beside them, and their own name from the beginning.
        _ if shelf == PLAYED && !is_begun => site.sessions.is_going_on(&id),
        Some(folder) if is_begun => Box::new(move || owner(&folder).is_some()),
        _ => Box::new(|| false),
    };
    let heard_last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    Ok(site.watches.look_at(&path, site.told(), is_written).tell(heard_last))
}

/// The address of the match that is played after this one, once there is one.
async fn next(State(site): State<Arc<Site>>, Path((shelf, id)): Name) -> Result<Response, Refusal> {
    site.transcript(&shelf, &id).ok_or_else(no_such_match)?;
    Ok(match site.newer(&shelf, &id) {
        Newer::Is(address) => Json(address).into_response(),
        _ => StatusCode::NO_CONTENT.into_response(),
    })
}

async fn transcript(State(site): State<Arc<Site>>, Path((shelf, id)): Name) -> Result<Response, Refusal> {
    let path = site.transcript(&shelf, &id).ok_or_else(no_such_match)?;
    let told = site.told();
    let text = tokio::task::spawn_blocking(move || download(&path, told)).await;
    let text = text.ok().and_then(Result::ok).ok_or_else(no_such_match)?;
    let name = format!(
        "attachment; filename=\"{}.jsonl\"",
        id.replace(|letter: char| !letter.is_ascii_graphic() || letter == '"', "_")
    );
    Ok(([(CONTENT_TYPE, "application/x-ndjson".to_string()), (CONTENT_DISPOSITION, name)], Body::from(text))
        .into_response())
}

/// Where the page of a cup is.
pub(super) fn cup_address(name: &str) -> String {
    format!("/cup/{}", url_part(name))
}

/// Where the page of a match is.
pub(super) fn match_address(shelf: &str, id: &str) -> String {
    format!("{}/match/{}", cup_address(shelf), url_part(id))
}

/// Whether a match of this process is its newest.
enum Newer {
    /// It is, and will be.
    None,
    /// It is, but more are to be played.
    WillBe,
    /// The newest one is at this address.
    Is(String),
}

impl Site {
    fn newer(&self, shelf: &str, id: &str) -> Newer {
        let shown = if shelf == NOW { self.shown() } else { Vec::new() };
        match shown.last() {
            Some((newest, _)) if newest != id => Newer::Is(match_address(NOW, newest)),
            Some(_) if shown.len() < self.to_play => Newer::WillBe,
            _ => Newer::None,
        }
    }

    /// What is told of matches.
    pub(super) fn told(&self) -> Told {
        if self.show_logs { Told::All } else { Told::MovesOnly }
    }
}

/// The match that was asked for is not there.
fn no_such_match() -> Refusal {
    Refusal::missing("There is no such match.")
}
