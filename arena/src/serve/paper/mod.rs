//! The Paper: a page on which a child plays against it, watches it, is it, and changes its rules. The page holds moves and rules; here
//! is only answered what comes of them. What the rules are, its program alone knows.
//!
//! Whose is what: [`bot`] is its program, and those that it meets; [`position`] is what is told of a position, [`words`] how, and
//! [`compare`] plays two lists of rules.

mod bot;
mod compare;
mod position;
mod words;

pub(super) use bot::Paper;

use super::Site;
use super::html::{Page, text};
use super::refusal::Refusal;
use crate::transport::Interrupt;
use axum::extract::State;
use axum::response::Html;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;

/// Where it is.
pub(super) const ADDRESS: &str = "/paper";

/// Where two lists of rules are compared.
pub(super) const COMPARE: &str = "/paper/compare";

/// How long a comparison waits for those of others: a class compares all at once.
const TURN_TO_COMPARE: Duration = Duration::from_secs(200);

/// How long its own matches may take then.
const TIME_TO_COMPARE: Duration = Duration::from_secs(100);

/// So long whoever compares is waited with.
pub(super) const PATIENCE: Duration = TURN_TO_COMPARE.saturating_add(TIME_TO_COMPARE);

pub(super) fn routes() -> Router<Arc<Site>> {
    Router::new().route(ADDRESS, get(page)).route("/paper/position", post(position)).route(COMPARE, post(compare))
}

async fn page(State(site): State<Arc<Site>>) -> Result<Html<String>, Refusal> {
    let paper = offered(&site)?;
    let opponents: Vec<&str> = paper.opponents().collect();
    let told = serde_json::json!({ "book": paper.book, "opponents": opponents });
    let body = format!(
        "<div id=\"told\" data-told=\"{}\" hidden></div>\n{}",
        text(&told.to_string()),
        // There from the beginning, so that nothing is pushed away under a hand when the first answer comes.
        include_str!("../assets/paper.html")
            .replace("<!-- aim -->", &text(paper.game.info().summary))
            .replace("<!-- board -->", &position::first_board(&paper)),
    );
    let scripts = &["common.js", "paper.js", "paper_board.js", "paper_rules.js", "paper_sheet.js"];
    Ok(Page { title: "The Paper", styles: &["paper.css"], scripts, body }.html(&site))
}

async fn position(
    State(site): State<Arc<Site>>,
    Json(asked): Json<position::Asked>,
) -> Result<Json<position::Position>, Refusal> {
    let paper = offered(&site)?;
    let turn = Arc::clone(&paper.questions).acquire_owned().await;
    let turn = turn.map_err(|error| Refusal::ours(error.to_string()))?;
    answer(paper, turn, move |paper| position::tell(paper, &asked)).await
}

async fn compare(
    State(site): State<Arc<Site>>,
    Json(asked): Json<compare::Asked>,
) -> Result<Json<compare::Compared>, Refusal> {
    let paper = offered(&site)?;
    let comparison = compare::Comparison::of(&paper, asked)?;
    let turn = tokio::time::timeout(TURN_TO_COMPARE, Arc::clone(&paper.comparisons).acquire_owned()).await;
    let Ok(Ok(turn)) = turn else {
        return Err(Refusal::full("Many others are comparing just now: try again in a moment."));
    };
    let waits = Waits(Interrupt::new().map_err(|error| Refusal::ours(error.to_string()))?);
    let nobody_waits = waits.0.clone();
    answer(paper, turn, move |paper| comparison.play(paper, &nobody_waits)).await
}

/// Held by whoever waits for an answer. Dropped, also where the asker hangs up or the guard has lost its patience, it ends what is
/// played for that answer.
struct Waits(Interrupt);

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// Answers from a thread of its own, which holds its `turn` until it is done.
async fn answer<T: Serialize + Send + 'static>(
    paper: Arc<Paper>,
    turn: OwnedSemaphorePermit,
    work: impl FnOnce(&Paper) -> Result<T, Refusal> + Send + 'static,
) -> Result<Json<T>, Refusal> {
    let done = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        work(&paper)
    });
    done.await.unwrap_or_else(|_| Err(Refusal::ours("the page failed"))).map(Json)
}

fn offered(site: &Site) -> Result<Arc<Paper>, Refusal> {
    site.paper.clone().ok_or_else(|| Refusal::missing("The Paper is not offered here."))
}
