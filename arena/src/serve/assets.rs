//! Styles and scripts, in the program itself.

use super::Site;
use crate::report::{CUP_STYLE, MATCH_SCRIPT, MATCH_STYLE, look};
use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::borrow::Cow;
use std::sync::Arc;

pub(super) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/assets/{name}", get(asset))
        .route("/favicon.ico", get(|| async { ([(CONTENT_TYPE, "image/svg+xml")], include_str!("assets/icon.svg")) }))
}

async fn asset(Path(name): Path<String>) -> Response {
    let text: Cow<'static, str> = match name.as_str() {
        "look.css" => look().into(),
        "site.css" => include_str!("assets/site.css").into(),
        "cup.css" => format!("{CUP_STYLE}{}", include_str!("assets/cup.css")).into(),
        "cup.js" => include_str!("assets/cup.js").into(),
        "wall.css" => include_str!("assets/wall.css").into(),
        "wall.js" => include_str!("assets/wall.js").into(),
        "match.css" => MATCH_STYLE.into(),
        "match.js" => MATCH_SCRIPT.into(),
        "common.js" => include_str!("assets/common.js").into(),
        "play.css" => include_str!("assets/play.css").into(),
        "play.js" => include_str!("assets/play.js").into(),
        "begin.js" => include_str!("assets/begin.js").into(),
        "paper.css" => include_str!("assets/paper.css").into(),
        "paper.js" => include_str!("assets/paper.js").into(),
        "paper_board.js" => include_str!("assets/paper_board.js").into(),
        "paper_sheet.js" => include_str!("assets/paper_sheet.js").into(),
        "paper_rules.js" => include_str!("assets/paper_rules.js").into(),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    let kind = if name.ends_with(".css") { "text/css; charset=utf-8" } else { "text/javascript; charset=utf-8" };
    // It is small and on this machine or its network; a new version of the arena must not meet an old script.
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], text).into_response()
}
