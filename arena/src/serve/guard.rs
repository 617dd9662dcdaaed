//! What may be asked of the page at all, and what every answer says to the browser.

use super::refusal::Refusal;
use super::{Site, paper, play};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// The longest body of a request, in bytes.
const BODY_LIMIT: usize = 64 * 1024;

/// A request that is not answered by then is given up: its body does not come.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a browser is told with every answer: to load nothing from elsewhere, to run no script but ours, to show the page in no frame.
const HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; \
         base-uri 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Puts the guard before all of a page's routes.
pub(super) fn around(pages: Router<Arc<Site>>, site: Arc<Site>) -> Router<Arc<Site>> {
    pages
        .fallback(|| async { Refusal::missing("There is no such page.") })
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(from_fn_with_state(site, check))
}

async fn check(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let mut response = match refusal(&site, request.method(), request.headers()) {
        Some(why) => Refusal::forbidden(why).into_response(),
        None => {
            let patience = patience(request.uri().path());
            tokio::time::timeout(patience, next.run(request))
                .await
                .unwrap_or_else(|_| Refusal::late("That took too long.").into_response())
        }
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// How long whoever asks for this path may have to wait.
fn patience(path: &str) -> Duration {
    if path == paper::COMPARE { paper::PATIENCE } else { PATIENCE + play::end_awaited_by(path) }
}

/// Why a request is not answered; `None` when it is.
fn refusal(site: &Site, method: &Method, headers: &HeaderMap) -> Option<&'static str> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let host = text(HOST).unwrap_or_default();
    // A foreign site can give its own name this machine's address, and would then be let in to read.
    if site.loopback && !is_this_machine(host) {
        return Some("This page answers to localhost and 127.0.0.1 only.");
    }
    // What changes something may come from our own pages only.
    if *method != Method::GET && *method != Method::HEAD {
        let ours = text(ORIGIN).and_then(|origin| origin.strip_prefix("http://")) == Some(host);
        return (!ours).then_some("Only pages of this server may ask for that.");
    }
    None
}

fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || bare.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_match_first_has_as_long_after_it_as_what_does_not() {
        let seconds = |path: &str| patience(path).as_secs();
        assert_eq!([seconds("/play"), seconds("/play/0/move"), seconds("/cup/play/match/undo")], [30; 3]);
        assert_eq!([seconds("/play/0/undo"), seconds("/play/0/again")], [50; 2]);
        assert_eq!(seconds("/paper/compare"), 300);
    }
}
