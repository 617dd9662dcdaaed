//! Where everybody arrives: the cups that there are, and what is being played.

use super::Site;
use super::html::{Page, text};
use super::match_page::match_address;
use super::shelf::NOW;
use axum::Router;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use std::sync::Arc;

pub(super) fn routes() -> Router<Arc<Site>> {
    Router::new().route("/", get(home)).route("/index.html", get(home))
}

async fn home(State(site): State<Arc<Site>>) -> Response {
    // Whoever plays one match shows that one.
    match &site.shown()[..] {
        [] => cups(&site).into_response(),
        [.., (id, _)] => Redirect::temporary(&match_address(NOW, id)).into_response(),
    }
}

fn cups(site: &Site) -> Html<String> {
    let body = format!("<main><h1>Cups</h1><p>{}</p></main>", text(&site.results.display().to_string()));
    Page { title: "Cups", styles: &[], scripts: &[], body }.html(site)
}
