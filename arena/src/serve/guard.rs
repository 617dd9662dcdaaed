//! What may be asked of the page at all, and what every answer says to the browser.

use super::{Site, paper};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
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
        .fallback(|| async { (StatusCode::NOT_FOUND, "There is no such page.\n") })
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(from_fn_with_state(site, check))
}

async fn check(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let mut response = match refusal(&site, request.method(), request.headers()) {
        Some(why) => (StatusCode::FORBIDDEN, format!("{why}\n")).into_response(),
        None => {
            let compares = request.uri().path() == paper::COMPARE;
            tokio::time::timeout(if compares { paper::PATIENCE_TO_COMPARE } else { PATIENCE }, next.run(request))
                .await
                .unwrap_or_else(|_| (StatusCode::REQUEST_TIMEOUT, "That took too long.\n").into_response())
        }
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
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
