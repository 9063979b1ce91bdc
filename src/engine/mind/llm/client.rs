//! The client: one request, one answer, and what can go wrong on the way.
//!
//! It tries once; trying again is `retry`'s business. Invariant: nothing it returns holds a key.

use super::completion::{Completion, error_text};
use super::secret::Key;
use super::settings::ServerSettings;
use super::sse::Events;
use crate::http::{self, Patience, embeddings, scrub::scrub};
use pithead_world::clock::{Clock, Millis};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use serde_json::Value;
use std::time::Duration;

/// Bytes of an error's body that are looked at.
/// Error pages can be whole web sites.
const ERROR_MAX: usize = 16 * 1024;
/// Letters of it that are shown.
/// One line on a terminal.
const TOLD_MAX: usize = 300;
/// Bytes of an answer of any kind.
/// Far above any plan; a server that sends more is broken.
const BODY_MAX: usize = 16 * 1024 * 1024;

/// A connection to one server.
#[derive(Debug, Clone)]
pub(super) struct Client {
    http: reqwest::Client,
    pub(super) settings: ServerSettings,
    /// Held only here and scrubbed from everything that is returned.
    key: Option<Key>,
}

/// Why a try gave no answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TryFault {
    pub(super) kind: FaultKind,
    pub(super) because: String,
    /// Tokens that came before it broke off.
    /// They cost money all the same.
    pub(super) pieces: u64,
}

/// What can be done about it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FaultKind {
    /// Another try may go well, after so long if the server said.
    /// For example what `Retry-After` says.
    Passing { wait: Option<Duration> },
    /// The server does not take a part of the request.
    Unsupported(Part),
    /// Another try would go the same way.
    Lasting,
}

/// A part of the request that not every server takes.
/// Both are left out on refusal, for they make an answer better and are not needed for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Form,
    Usage,
}

impl TryFault {
    pub(super) fn passing(because: impl Into<String>) -> Self {
        Self {
            kind: FaultKind::Passing { wait: None },
            because: because.into(),
            pieces: 0,
        }
    }

    pub(super) fn lasting(because: impl Into<String>) -> Self {
        Self {
            kind: FaultKind::Lasting,
            because: because.into(),
            pieces: 0,
        }
    }
}

impl Client {
    pub(super) fn new(settings: &ServerSettings) -> Result<Self, String> {
        let key = Key::for_server(settings).map_err(|error| error.to_string())?;
        let http = http::client(Patience {
            // Only connecting has a bound here; the other waits are bound where they are
            // known.
            connect: Some(Duration::from_secs(settings.connect_s)),
            ..Patience::default()
        })?;
        Ok(Self {
            http,
            settings: settings.clone(),
            key,
        })
    }

    fn url(&self, path: &str) -> String {
        http::url(&self.settings.base_url, path)
    }

    /// Without keys, short, and on one line.
    fn clean(&self, text: &str) -> String {
        // A server may echo the header in its error.
        let keys: Vec<&str> = self.key.iter().map(Key::reveal).collect();
        http::shown_text(text, &keys, TOLD_MAX)
    }

    /// The text with this server's key taken out.
    pub(super) fn scrubbed(&self, text: &str) -> String {
        let keys: Vec<&str> = self.key.iter().map(Key::reveal).collect();
        scrub(text, &keys)
    }

    async fn send(&self, path: &str, body: Option<&Value>) -> Result<Response, TryFault> {
        let mut request = match body {
            Some(body) => self.http.post(self.url(path)).json(body),
            None => self.http.get(self.url(path)),
        };
        // Both kinds: some servers ignore `stream`.
        request = request.header(ACCEPT, "application/json, text/event-stream");
        if let Some(value) = self.key.as_ref().and_then(Key::header) {
            request = request.header(AUTHORIZATION, value);
        }
        // Up to the headers. Local servers load a model first, which takes its time.
        let wait = Duration::from_secs(self.settings.first_token_s);
        let sent = tokio::time::timeout(wait, request.send()).await;
        let response = match sent {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => {
                let because = self.clean(&http::reasons(error));
                let url = &self.settings.base_url;
                return Err(TryFault::passing(format!(
                    "{url} could not be reached: {because}"
                )));
            }
            Err(_) => return Err(self.silent()),
        };
        if response.status().is_success() {
            return Ok(response);
        }
        Err(self.refused(response).await)
    }

    fn silent(&self) -> TryFault {
        let seconds = self.settings.first_token_s;
        TryFault::passing(format!("no first token within {seconds} s"))
    }

    /// What a status other than success means.
    async fn refused(&self, response: Response) -> TryFault {
        let (status, wait) = (response.status(), retry_after(response.headers()));
        let body = http::body(response, ERROR_MAX, self.idle()).await;
        let text = String::from_utf8_lossy(&body);
        // Some put the error in `error`, some are the error.
        let said = match serde_json::from_str::<Value>(&text) {
            Ok(body) => error_text(body.get("error").unwrap_or(&body)),
            Err(_) => text.into_owned(),
        };
        let said = self.clean(&said);
        let kind = kind_of(status, &said, wait);
        let because = match said.as_str() {
            "" => format!("the server answered {status}"),
            said => format!("the server answered {status}: {said}"),
        };
        TryFault {
            kind,
            because,
            pieces: 0,
        }
    }

    /// One chat; `see` hears of every piece.
    pub(super) async fn chat(
        &self,
        body: &Value,
        mut see: impl FnMut(&Completion),
    ) -> Result<Completion, TryFault> {
        let began = Clock::System.now();
        let response = self.send("chat/completions", Some(body)).await?;
        let kind = response
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or("")
            .to_lowercase();
        // The commonest mistake of set-up: the address without its version.
        if kind.contains("text/html") {
            return Err(TryFault::lasting(format!(
                "{} answered with a web page; is base_url right, up to and with /v1?",
                self.settings.base_url
            )));
        }
        // By the type of the answer, not by what was asked for.
        if kind.contains("text/event-stream") || kind.contains("ndjson") {
            self.streamed(response, began, &mut see).await
        } else {
            self.whole(response, began).await
        }
    }

    async fn streamed(
        &self,
        mut response: Response,
        began: Millis,
        see: &mut impl FnMut(&Completion),
    ) -> Result<Completion, TryFault> {
        let (mut events, mut done) = (Events::default(), Completion::default());
        let mut bytes = 0;
        loop {
            // Two bounds: until the first token, and between tokens. A model that thinks is
            // slow once.
            let is_first = done.first_token_ms.is_none();
            let settings = &self.settings;
            let wait = if is_first {
                settings.first_token_s
            } else {
                settings.idle_s
            };
            let chunk = tokio::time::timeout(Duration::from_secs(wait), response.chunk()).await;
            let broken = |because: String, pieces| TryFault {
                pieces,
                ..TryFault::passing(because)
            };
            let data = match chunk {
                Err(_) if is_first => return Err(self.silent()),
                Err(_) => {
                    let because = format!("no token for {wait} s after {}", done.pieces);
                    return Err(broken(because, done.pieces));
                }
                Ok(Err(error)) => {
                    let because = self.clean(&http::reasons(error));
                    return Err(broken(
                        format!("the stream broke off: {because}"),
                        done.pieces,
                    ));
                }
                Ok(Ok(None)) => {
                    // Some servers close the stream without the last event.
                    let rest = events.finish();
                    self.take_all(rest.into_iter().collect(), &mut done)?;
                    return ended(done);
                }
                Ok(Ok(Some(chunk))) => {
                    bytes += chunk.len();
                    // Bytes over the whole stream, so a model that repeats itself for ever
                    // is stopped.
                    if bytes > BODY_MAX {
                        return Err(TryFault::lasting("the stream does not end"));
                    }
                    events.feed(&chunk).map_err(TryFault::passing)?
                }
            };
            let is_done = self.take_all(data, &mut done)?;
            // A piece with content, not the first event: some begin with an empty one.
            if done.pieces > 0 && done.first_token_ms.is_none() {
                done.first_token_ms = Some(Clock::System.now().since(began));
            }
            // Called for each chunk, for the progress that the console shows.
            see(&done);
            if is_done {
                return ended(done);
            }
        }
    }

    /// Takes events in; true after the last.
    fn take_all(&self, data: Vec<String>, done: &mut Completion) -> Result<bool, TryFault> {
        for event in data {
            // The end in OpenAI's protocol; what follows is passed over.
            if event.trim() == "[DONE]" {
                return Ok(true);
            }
            let piece: Value = serde_json::from_str(&event).map_err(|error| {
                TryFault::passing(format!("an event of the stream is not JSON: {error}"))
            })?;
            done.take(&piece)
                .map_err(|said| TryFault::passing(self.clean(&said)))?;
        }
        Ok(false)
    }

    async fn whole(&self, response: Response, began: Millis) -> Result<Completion, TryFault> {
        let body = http::body(response, BODY_MAX, self.total()).await;
        let piece: Value = serde_json::from_slice(&body).map_err(|error| {
            TryFault::passing(format!("the answer of the server is not JSON: {error}"))
        })?;
        let mut done = Completion::default();
        done.take(&piece)
            .map_err(|said| TryFault::passing(self.clean(&said)))?;
        // Without it the address is that of another kind of server.
        if piece.get("choices").is_none() {
            return Err(TryFault::lasting(
                "the server's answer has no `choices`; is this a chat completions server?",
            ));
        }
        done.first_token_ms = Some(Clock::System.now().since(began));
        ended(done)
    }

    /// The names of the models that the server offers.
    pub(super) async fn models(&self) -> Result<Vec<String>, TryFault> {
        let response = self.send("models", None).await?;
        let body = http::body(response, BODY_MAX, self.idle()).await;
        let body: Value = serde_json::from_slice(&body).map_err(|error| {
            TryFault::lasting(format!("the list of models is not JSON: {error}"))
        })?;
        let rows = body.get("data").and_then(Value::as_array);
        let name = |row: &Value| row.get("id").and_then(Value::as_str).map(str::to_owned);
        Ok(rows.into_iter().flatten().filter_map(name).collect())
    }

    /// The texts as points.
    pub(super) async fn embed(
        &self,
        model: &str,
        texts: &[&str],
    ) -> Result<Vec<Vec<f32>>, TryFault> {
        let body = embeddings::request(model, texts);
        let response = self.send(embeddings::PATH, Some(&body)).await?;
        let body = http::body(response, BODY_MAX, self.total()).await;
        embeddings::read_vectors(&body, texts.len()).map_err(TryFault::lasting)
    }

    fn idle(&self) -> Duration {
        Duration::from_secs(self.settings.idle_s)
    }

    fn total(&self) -> Duration {
        Duration::from_secs(self.settings.total_s)
    }
}

/// An answer that has come to its end, if that is the end it should have.
fn ended(done: Completion) -> Result<Completion, TryFault> {
    let fault = |kind, because: &str| TryFault {
        kind,
        because: because.to_owned(),
        pieces: done.pieces,
    };
    match done.finish.as_deref() {
        // The same request would be cut off at the same place.
        Some("length" | "max_tokens") => Err(fault(
            FaultKind::Lasting,
            "the answer was cut off at max_tokens; raise it for this role",
        )),
        Some("content_filter") => Err(fault(
            FaultKind::Lasting,
            "the server's filter held the answer back",
        )),
        // Any other reason is a proper end: servers have their own words.
        Some(_) => Ok(done),
        None if done.said().is_empty() => Err(fault(
            FaultKind::Passing { wait: None },
            "the server ended without an answer",
        )),
        // A stream that broke off may have an answer next time.
        None => Err(fault(
            FaultKind::Passing { wait: None },
            "the answer ended in the middle",
        )),
    }
}

fn kind_of(status: StatusCode, said: &str, wait: Option<Duration>) -> FaultKind {
    let said = said.to_lowercase();
    let names = |words: &[&str]| words.iter().any(|word| said.contains(word));
    match status.as_u16() {
        // Only if the text names the part: the same codes have many causes.
        400 | 404 | 415 | 422 | 501 if names(&["stream_options", "include_usage"]) => {
            FaultKind::Unsupported(Part::Usage)
        }
        // 500 too: some servers fail over a schema that they do not know.
        400 | 404 | 415 | 422 | 500 | 501
            if names(&[
                "response_format",
                "json_schema",
                "json_object",
                "grammar",
                "schema",
            ]) =>
        {
            FaultKind::Unsupported(Part::Form)
        }
        // A quota that is used up is reported as too many requests, and waiting does not help.
        429 if names(&["insufficient_quota", "exceeded your current quota"]) => FaultKind::Lasting,
        // Time-outs, conflicts, too early, too many, and all of the server's own faults.
        408 | 409 | 425 | 429 | 500..=599 => FaultKind::Passing { wait },
        _ => FaultKind::Lasting,
    }
}

/// Seconds, or a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return (seconds.is_finite() && seconds >= 0.0)
            // At most a day, so that the number fits; `wait_max_s` decides later.
            .then(|| Duration::from_secs_f64(seconds.min(86_400.0)));
    }
    let at = httpdate::parse_http_date(text).ok()?;
    // A time in the past is no wait.
    let at = at.duration_since(std::time::UNIX_EPOCH).ok()?;
    let now = Duration::from_millis(Clock::System.now().0);
    Some(at.saturating_sub(now))
}
