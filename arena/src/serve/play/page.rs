//! What the page of a match against a bot is, and what it asks for.

use super::session::{Session, Settings, TOO_LATE, TakenBack};
use super::{
    AGAIN, ENDS_WITHIN, PLAYED, Refusal, UNDO, begin, choices, form, no_such_match, retention, short, threads,
    to_the_end,
};
use crate::report::MATCH_BODY;
use crate::serve::Site;
use crate::serve::connections::Caller;
use crate::serve::html::{Page, text};
use crate::serve::match_page::match_address;
use axum::body::Body;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use futures_util::StreamExt;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

pub(in crate::serve) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/play", get(form::page).post(new))
        .route("/play/{id}", get(page))
        .route("/play/{id}/live", get(live))
        .route("/play/{id}/targets", get(targets))
        .route("/play/{id}/state", get(state))
        .route("/play/{id}/move", post(make))
        .route(&format!("/play/{{id}}{UNDO}"), post(undo))
        .route(&format!("/play/{{id}}{AGAIN}"), post(again))
        .route("/play/{id}/resign", post(resign))
}

type At = State<Arc<Site>>;

fn find(site: &Site, id: &str) -> Result<Arc<Session>, Refusal> {
    let session = site.sessions.find(id).ok_or_else(no_such_match)?;
    session.presence.sign();
    Ok(session)
}

fn read<T>(body: Result<Json<T>, JsonRejection>) -> Result<T, Refusal> {
    body.map(|Json(body)| body).map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::wrong("That is longer than anything that this page asks for."),
        _ => Refusal::wrong(format!("That is nothing that this page asks for: {}", short(&error.body_text()))),
    })
}

async fn new(
    State(site): At,
    Extension(Caller(from)): Extension<Caller>,
    body: Result<Json<form::Wish>, JsonRejection>,
) -> Result<Response, Refusal> {
    let settings = read(body)?.settings(&site, from)?;
    let session = begin(&site, settings, None).await?;
    Ok(Json(json!({"address": session.address()})).into_response())
}

async fn page(State(site): At, Path(id): Path<String>) -> Result<Response, Response> {
    let session = find(&site, &id).map_err(|Refusal(status, why)| {
        let body = format!("<main><h1>Play</h1><p>{}</p><p><a href=\"/play\">Play</a></p></main>", text(&why));
        (status, Page { title: "Play", styles: &[], scripts: &[], body }.html(&site)).into_response()
    })?;
    if let Some(next) = &*session.next().await {
        return Ok(Redirect::temporary(next).into_response());
    }
    let here = session.address();
    let transcript = match_address(PLAYED, &session.match_id);
    let Settings { game, seat, .. } = session.settings;
    let body = format!(
        "<div id=\"live\" data-live=\"{here}/live\" data-transcript=\"{}/transcript\"></div>\n\
         <a id=\"newer\" hidden></a>\n{MATCH_BODY}{}",
        text(&transcript),
        include_str!("../assets/turn.html")
            .replace("HERE", &here)
            .replace("SEAT", &seat.to_string())
            .replace("EXAMPLE", &text(game.info().example_typed))
            .replace("IN_WORDS", &text(game.info().typed_in_words)),
    );
    let title = format!("{} against {}", game.info().title, site.bots[session.settings.bot].name);
    let scripts = &["common.js", "play.js", "match.js"];
    let page = Page { title: &title, styles: &["match.css", "play.css"], scripts, body };
    Ok(page.html(&site).into_response())
}

async fn live(State(site): At, Path(id): Path<String>, headers: HeaderMap) -> Result<Response, Refusal> {
    let session = find(&site, &id)?;
    let look = session.look();
    let heard_last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let path = session.transcript.clone();
    let is_written = Box::new(move || !session.is_over());
    let (head, body) = site.watches.look_at(&path, site.told(), is_written).tell(heard_last).into_parts();
    // Whoever hears it is there.
    let body = body.into_data_stream().map(move |piece| {
        let _here = &look;
        piece
    });
    Ok(Response::from_parts(head, Body::from_stream(body)))
}

#[derive(Deserialize)]
struct PathOfChoices {
    /// A JSON list of keys.
    path: String,
}

async fn targets(
    State(site): At,
    Path(id): Path<String>,
    Query(PathOfChoices { path }): Query<PathOfChoices>,
) -> Result<Json<Value>, Refusal> {
    let session = find(&site, &id)?;
    let path: Vec<Value> = serde_json::from_str(&path).map_err(|_| Refusal::wrong("`path` is to be a list."))?;
    // Whether there is something to choose, and for which turn, is told too: that there is not is no mistake.
    let Some((turn, position)) = session.asked() else { return Ok(Json(json!({"turn": null}))) };
    let mut told = off_the_page(&site, move || choices::after(&*position, &path)).await??;
    told["turn"] = turn.into();
    Ok(Json(told))
}

async fn state(State(site): At, Path(id): Path<String>) -> Result<Json<Value>, Refusal> {
    let session = find(&site, &id)?;
    let next = session.next().await.clone();
    Ok(Json(json!({"over": session.is_over(), "next": next})))
}

#[derive(Deserialize)]
struct Made {
    turn: u32,
    path: Option<Vec<Value>>,
    typed: Option<String>,
    #[serde(default)]
    sure: bool,
}

/// Makes a move: `{}`. A move that loses at once is not made but told of, `{"loses": …}`, where a warning is wanted.
async fn make(
    State(site): At,
    Path(id): Path<String>,
    body: Result<Json<Made>, JsonRejection>,
) -> Result<Json<Value>, Refusal> {
    let session = find(&site, &id)?;
    let made = read(body)?;
    let asked = session.asked().filter(|(turn, _)| *turn == made.turn);
    let (turn, position) = asked.ok_or_else(|| Refusal::now(TOO_LATE))?;
    let (seat, warn) = (session.settings.seat, session.settings.warn && !made.sure);
    let (mv, loses) = off_the_page(&site, move || {
        let mv = match (made.path, made.typed) {
            (Some(path), _) => choices::chosen(&*position, &path)?,
            (None, Some(text)) => choices::typed(&*position, &text)?,
            (None, None) => {
                return Err(Refusal::wrong("Neither a `path` of choices nor a move that was `typed` came."));
            }
        };
        let loses = (warn && choices::loses(&*position, seat, &mv)).then(|| position.move_text(&mv));
        Ok((mv, loses))
    })
    .await??;
    if let Some(text) = loses {
        return Ok(Json(json!({"loses": text})));
    }
    session.answer(turn, &mv)?;
    Ok(Json(json!({})))
}

/// Some games think for a while about what can be chosen, and some transcripts are long: the others are not to wait for that, nor whoever
/// chooses for the page's turn among the machine's threads.
async fn off_the_page<T: Send + 'static>(site: &Site, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
    let threads = threads(site)?;
    threads
        .done(&threads.choices, "choices", work)
        .await
        .map_err(|why| Refusal::ours(format!("The page failed at that: {why}.")))
}

async fn undo(State(site): At, Path(id): Path<String>) -> Result<Json<Value>, Refusal> {
    let session = find(&site, &id)?;
    if !session.has_moved() {
        return Err(nothing_to_take_back());
    }
    let settings = session.settings.clone();
    let from = |session: &Session| session.before_last_move()?.ok_or_else(nothing_to_take_back).map(Some);
    go_on(site, session, settings, from).await
}

fn nothing_to_take_back() -> Refusal {
    Refusal::now("There is no move of yours to take back.")
}

#[derive(Deserialize)]
struct Again {
    /// Whether the sides change.
    swap: bool,
}

async fn again(
    State(site): At,
    Path(id): Path<String>,
    body: Result<Json<Again>, JsonRejection>,
) -> Result<Json<Value>, Refusal> {
    let session = find(&site, &id)?;
    let old = session.settings.clone();
    let seat = if read(body)?.swap { old.seat.other() } else { old.seat };
    go_on(site, session, Settings { seat, seed: crate::seed::fresh(), ..old }, |_| Ok(None)).await
}

/// Ends a match, and begins the one that takes its place, from where `from` says once it is over. Who asks for one while it is being
/// made, in another window, gets the same.
async fn go_on(
    site: Arc<Site>,
    session: Arc<Session>,
    settings: Settings,
    from: impl FnOnce(&Session) -> Result<Option<TakenBack>, Refusal> + Send + 'static,
) -> Result<Json<Value>, Refusal> {
    // Once the old match is left, the other windows are to find the new one.
    to_the_end(async move {
        let mut next = session.next().await;
        if next.is_none() {
            // Else the match would be ended for one that cannot be kept.
            retention::folder(&site.results)?;
            session.leave();
            if !session.ended(ENDS_WITHIN).await {
                return Err(Refusal::now("The match is still ending: try again in a moment."));
            }
            let left = Arc::clone(&session);
            let from = off_the_page(&site, move || from(&left)).await??;
            *next = Some(begin(&site, settings, from).await?.address());
        }
        Ok(Json(json!({"address": *next})))
    })
    .await
}

async fn resign(State(site): At, Path(id): Path<String>) -> Result<Json<Value>, Refusal> {
    find(&site, &id)?.leave();
    Ok(Json(json!({})))
}
