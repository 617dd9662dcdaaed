//! Why something is not done, as every page tells it: in plain text.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// Why something is not done, in a sentence, for the person who wants it.
#[derive(Debug)]
pub(super) struct Refusal(pub StatusCode, pub String);

impl Refusal {
    /// What was asked for makes no sense.
    pub fn wrong(why: impl Into<String>) -> Refusal {
        Refusal(StatusCode::UNPROCESSABLE_ENTITY, why.into())
    }

    /// What was asked for is not there.
    pub fn missing(why: impl Into<String>) -> Refusal {
        Refusal(StatusCode::NOT_FOUND, why.into())
    }

    /// It is not for whoever asks.
    pub fn forbidden(why: impl Into<String>) -> Refusal {
        Refusal(StatusCode::FORBIDDEN, why.into())
    }

    /// It cannot be had as things are now.
    pub fn now(why: impl Into<String>) -> Refusal {
        Refusal(StatusCode::CONFLICT, why.into())
    }

    /// There is no room.
    pub fn full(why: impl Into<String>) -> Refusal {
        Refusal(StatusCode::TOO_MANY_REQUESTS, why.into())
    }

    /// It does not come to an end.
    pub fn late(why: impl Into<String>) -> Refusal {
        Refusal(StatusCode::REQUEST_TIMEOUT, why.into())
    }

    /// We cannot do it.
    pub fn ours(why: impl Into<String>) -> Refusal {
        Refusal(StatusCode::SERVICE_UNAVAILABLE, why.into())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.0, format!("{}\n", self.1)).into_response()
    }
}
