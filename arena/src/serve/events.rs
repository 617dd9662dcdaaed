//! Server-sent events, as all that is told live is sent.

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::Stream;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::watch::Receiver;

/// Nothing was said for so long: a sign of life, by which whoever has gone is noticed.
const SILENCE: Duration = Duration::from_secs(15);

/// An event that tells nothing.
pub(super) const SIGN_OF_LIFE: Bytes = Bytes::from_static(b":\n\n");

/// How a wait for news has ended.
pub(super) enum News {
    /// There are some.
    Come,
    /// There were none for so long that a sign of life is due.
    Silence,
    /// Nobody is left from whom any could come.
    Over,
}

/// Waits until something new is to be told.
pub(super) async fn news<T>(told: &mut Receiver<T>) -> News {
    match tokio::time::timeout(SILENCE, told.changed()).await {
        Ok(Ok(())) => News::Come,
        Ok(Err(_)) => News::Over,
        Err(_) => News::Silence,
    }
}

/// The answer that tells these events, each as it comes.
pub(super) fn tell(events: impl Stream<Item = Result<Bytes, Infallible>> + Send + 'static) -> Response {
    ([(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-store")], Body::from_stream(events)).into_response()
}
