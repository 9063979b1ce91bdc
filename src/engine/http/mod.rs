//! HTTP as this program speaks it to servers of models: JSON out, JSON or a stream in.
//!
//! What to send and what it means is the caller's business. Invariant: no redirect is followed, no
//! body is read without bound, and no error holds a key.

pub mod embeddings;
pub mod scrub;

use pithead_core::text::clean::clean_excerpt;
use reqwest::Response;
use std::time::Duration;

/// How long a connection may take and how long the whole of a request; none is without bound.
#[derive(Debug, Clone, Copy, Default)]
pub struct Patience {
    pub connect: Option<Duration>,
    pub whole: Option<Duration>,
}

/// A client. One for each server, so that connections are used again.
pub fn client(patience: Patience) -> Result<reqwest::Client, String> {
    // Once per process; a second call finds the first provider in place, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        // A redirect could carry question and key to another server.
        // And nothing would show the operator where it went.
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("pithead/", env!("CARGO_PKG_VERSION")));
    if let Some(connect) = patience.connect {
        builder = builder.connect_timeout(connect);
    }
    if let Some(whole) = patience.whole {
        builder = builder.timeout(whole);
    }
    builder
        .build()
        .map_err(|error| format!("the client could not be made: {}", reasons(error)))
}

/// The address of a path on a server whose address may end in a slash.
#[must_use]
pub fn url(base_url: &str, path: &str) -> String {
    format!("{}/{path}", base_url.trim_end_matches('/'))
}

/// The body, as much as is wanted and comes in time; each part may take so long.
pub async fn body(mut response: Response, bytes_max: usize, each: Duration) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Ok(Some(chunk))) = tokio::time::timeout(each, response.chunk()).await {
        body.extend_from_slice(&chunk);
        if body.len() > bytes_max {
            body.truncate(bytes_max);
            break;
        }
    }
    body
}

/// Text of a server as it may be shown: without these keys, short, and on one line.
#[must_use]
pub fn shown_text(text: &str, keys: &[&str], letters_max: usize) -> String {
    clean_excerpt(&scrub::scrub(text, keys), letters_max)
}

/// An error with all that is behind it; the outermost alone says little. Without the address, which
/// the caller knows better how to name.
#[must_use]
pub fn reasons(error: reqwest::Error) -> String {
    let error = error.without_url();
    let first: &dyn std::error::Error = &error;
    let mut text = error.to_string();
    for inner in std::iter::successors(first.source(), |error| error.source()) {
        let inner = inner.to_string();
        // Libraries repeat the text of the error inside.
        if !text.contains(&inner) {
            text = format!("{text}: {inner}");
        }
    }
    text
}
