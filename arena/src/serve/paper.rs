//! The Paper: a page on which a child plays against it, watches it, is it, and changes its rules. The page holds moves and rules; here
//! is only answered what comes of them. What the rules are, its program alone knows.

use super::Site;
use super::html::{Page, text};
use super::paper_bot::Paper;
use super::paper_compare;
use super::paper_position::{self, Refused};
use crate::transport::Interrupt;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
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
pub(super) const PATIENCE_TO_COMPARE: Duration = TURN_TO_COMPARE.saturating_add(TIME_TO_COMPARE);

pub(super) fn routes() -> Router<Arc<Site>> {
    Router::new().route(ADDRESS, get(page)).route("/paper/position", post(position)).route(COMPARE, post(compare))
}

async fn page(State(site): State<Arc<Site>>) -> Response {
    let Some(paper) = &site.paper else { return not_here() };
    let opponents: Vec<&str> = paper.opponents().collect();
    let told = serde_json::json!({ "book": paper.book, "opponents": opponents });
    let body = format!(
        "<div id=\"told\" data-told=\"{}\" hidden></div>\n{}",
        text(&told.to_string()),
        // There from the beginning, so that nothing is pushed away under a hand when the first answer comes.
        include_str!("assets/paper.html").replace("<!-- board -->", &paper_position::first_board(paper)),
    );
    let scripts = &["paper.js", "paper_board.js", "paper_rules.js", "paper_sheet.js"];
    Page { title: "The Paper", styles: &["paper.css"], scripts, body }.html(&site).into_response()
}

async fn position(
    State(site): State<Arc<Site>>,
    asked: Result<Json<paper_position::Asked>, JsonRejection>,
) -> Response {
    let asked = match asked {
        Ok(Json(asked)) => asked,
        Err(bad) => return bad.into_response(),
    };
    let Some(paper) = &site.paper else { return not_here() };
    let Ok(turn) = Arc::clone(&paper.questions).acquire_owned().await else { return not_here() };
    answer(Arc::clone(&site), turn, move |paper| paper_position::tell(paper, &asked)).await
}

async fn compare(State(site): State<Arc<Site>>, asked: Result<Json<paper_compare::Asked>, JsonRejection>) -> Response {
    let asked = match asked {
        Ok(Json(asked)) => asked,
        Err(bad) => return bad.into_response(),
    };
    let Some(paper) = &site.paper else { return not_here() };
    let comparison = match paper_compare::Comparison::of(paper, asked) {
        Ok(comparison) => comparison,
        Err(refused) => return refused.into_response(),
    };
    let turn = tokio::time::timeout(TURN_TO_COMPARE, Arc::clone(&paper.comparisons).acquire_owned()).await;
    let Ok(Ok(turn)) = turn else {
        let why = "Many others are comparing just now: try again in a moment.\n";
        return (StatusCode::TOO_MANY_REQUESTS, why).into_response();
    };
    let waits = match Interrupt::new() {
        Ok(interrupt) => Waits(interrupt),
        Err(error) => return Refused::Failed(error.to_string()).into_response(),
    };
    let nobody_waits = waits.0.clone();
    answer(Arc::clone(&site), turn, move |paper| comparison.play(paper, &nobody_waits)).await
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
async fn answer<T: serde::Serialize + Send + 'static>(
    site: Arc<Site>,
    turn: OwnedSemaphorePermit,
    work: impl FnOnce(&Paper) -> Result<T, Refused> + Send + 'static,
) -> Response {
    let done = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        site.paper.as_ref().map(work)
    });
    match done.await {
        Ok(Some(Ok(told))) => Json(told).into_response(),
        Ok(Some(Err(refused))) => refused.into_response(),
        Ok(None) => not_here(),
        Err(_) => Refused::Failed("the page failed".to_string()).into_response(),
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        match self {
            Refused::Bad(why) => (StatusCode::BAD_REQUEST, format!("{why}\n")).into_response(),
            Refused::Failed(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response(),
        }
    }
}

fn not_here() -> Response {
    (StatusCode::NOT_FOUND, "The Paper is not offered here.\n").into_response()
}
