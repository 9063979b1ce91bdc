//! The client: one request, one answer, and what can go wrong on the way.
//!
//! It tries once; trying again is `retry`'s business. Invariant: nothing it returns holds a key.

use super::completion::{Completion, error_text};
use super::fault::{FaultKind, TryFault, retry_after};
use super::secret::Key;
use super::settings::ServerSettings;
use super::sse::Events;
use crate::http::scrub::{scrub, scrub_growing};
use crate::http::{self, Patience, embeddings};
use pithead_world::clock::{Clock, Millis};
use reqwest::Response;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, LOCATION};
use serde_json::Value;
use std::time::Duration;

/// Bytes of an error's body that are looked at.
/// Error pages can be whole web sites.
const ERROR_MAX: usize = 16 * 1024;
/// Letters of it that are shown.
/// One line on a terminal.
const TOLD_MAX: usize = 300;
/// Bytes of an answer in one piece.
/// Far above any plan; a server that sends more is broken.
const BODY_MAX: usize = 4 * 1024 * 1024;
/// Bytes of a stream, in which every token comes with its wrapping.
const STREAM_MAX: usize = 16 * 1024 * 1024;
/// Bytes of an answer's text. More is no answer to anything asked here.
const TEXT_MAX: usize = 2 * 1024 * 1024;
/// Bytes at the end of an answer that are shown while it comes: several screens.
const SHOWN_MAX: usize = 8 * 1024;
/// Letters that count as one token where a server sends many in one piece.
const TOKEN_LETTERS: u64 = 4;

/// A connection to one server.
#[derive(Debug, Clone)]
pub(super) struct Client {
    http: reqwest::Client,
    pub(super) settings: ServerSettings,
    /// Held only here and scrubbed from everything that is returned.
    key: Option<Key>,
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

    /// The end of an answer that is still coming, without this server's key.
    pub(super) fn said_so_far(&self, text: &str) -> String {
        let keys: Vec<&str> = self.key.iter().map(Key::reveal).collect();
        scrub_growing(text, &keys, SHOWN_MAX)
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
                    "{url} could not be reached: {because}; is the server running?"
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
        let leads_to = response.headers().get(LOCATION);
        let leads_to = leads_to.and_then(|to| to.to_str().ok()).map(str::to_owned);
        let body = http::body(response, ERROR_MAX, self.idle()).await;
        let text = String::from_utf8_lossy(&body);
        // Some put the error in `error`, some are the error.
        let said = match serde_json::from_str::<Value>(&text) {
            Ok(body) => error_text(body.get("error").unwrap_or(&body)),
            Err(_) => text.into_owned(),
        };
        let said = match leads_to {
            Some(to) if status.is_redirection() => format!("moved to {to}"),
            _ => said, // only a redirect leads anywhere
        };
        TryFault::of_refusal(status, &self.clean(&said), wait)
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
        let mut rate = Rate::from(began);
        loop {
            let Some(chunk) = self.chunk(&mut response, began, &done).await? else {
                // Some servers close the stream without the last event.
                let rest = events.finish();
                self.take_all(rest.into_iter().collect(), &mut done)?;
                return ended(done);
            };
            bytes += chunk.len();
            // Bytes over the whole stream, so a model that repeats itself for ever is stopped.
            if bytes > STREAM_MAX {
                return Err(TryFault::lasting("the stream does not end"));
            }
            let data = events.feed(&chunk).map_err(TryFault::passing)?;
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
            rate.check(&done, &self.settings)?;
        }
    }

    /// The next part of a stream; none at its end.
    async fn chunk(
        &self,
        response: &mut Response,
        began: Millis,
        done: &Completion,
    ) -> Result<Option<Vec<u8>>, TryFault> {
        // Two bounds: until the first token, and between tokens. A model that thinks is slow once.
        let is_first = done.first_token_ms.is_none();
        let wait = if is_first {
            // What is left of it: a server that sends comments has said nothing yet.
            let passed = Duration::from_millis(Clock::System.now().since(began));
            Duration::from_secs(self.settings.first_token_s).saturating_sub(passed)
        } else {
            self.idle()
        };
        let broken = |because: String| TryFault {
            pieces: done.pieces,
            ..TryFault::passing(because)
        };
        match tokio::time::timeout(wait, response.chunk()).await {
            Ok(Ok(chunk)) => Ok(chunk.map(|chunk| chunk.to_vec())),
            Ok(Err(error)) => {
                let because = self.clean(&http::reasons(error));
                Err(broken(format!("the stream broke off: {because}")))
            }
            Err(_) if is_first => Err(self.silent()),
            Err(_) => {
                let seconds = self.settings.idle_s;
                let pieces = done.pieces;
                Err(broken(format!("no token for {seconds} s after {pieces}")))
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
            self.take(&piece, done)?;
        }
        Ok(false)
    }

    fn take(&self, piece: &Value, done: &mut Completion) -> Result<(), TryFault> {
        done.take(piece)
            .map_err(|(status, said)| TryFault::of_refusal(status, &self.clean(&said), None))?;
        // Checked while it grows, before it fills the memory.
        if done.size() > TEXT_MAX {
            return Err(TryFault::lasting(too_long(TEXT_MAX)));
        }
        Ok(())
    }

    async fn whole(&self, response: Response, began: Millis) -> Result<Completion, TryFault> {
        let body = http::body(response, BODY_MAX, self.total()).await;
        if body.len() >= BODY_MAX {
            return Err(TryFault::lasting(too_long(BODY_MAX)));
        }
        let piece: Value = serde_json::from_slice(&body).map_err(|error| {
            TryFault::passing(format!("the answer of the server is not JSON: {error}"))
        })?;
        let mut done = Completion::default();
        self.take(&piece, &mut done)?;
        // Without it the address is that of another kind of server.
        if piece.get("choices").is_none() {
            return Err(TryFault::lasting(
                "the server's answer has no `choices`; is this a chat completions server?",
            ));
        }
        done.first_token_ms = Some(Clock::System.now().since(began));
        ended(done)
    }

    /// The models that the server offers.
    pub(super) async fn models(&self) -> Result<Vec<ServedModel>, TryFault> {
        let response = self.send("models", None).await?;
        let body = http::body(response, BODY_MAX, self.idle()).await;
        let body: Value = serde_json::from_slice(&body).map_err(|error| {
            TryFault::lasting(format!("the list of models is not JSON: {error}"))
        })?;
        let Some(rows) = body.get("data").and_then(Value::as_array) else {
            return Err(TryFault::lasting("it has no list of models".to_owned()));
        };
        Ok(rows.iter().take(MODELS_MAX).filter_map(served).collect())
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

/// A model as a server lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ServedModel {
    pub(super) name: String,
    /// Tokens of its context, where the server says so.
    pub(super) context: Option<u64>,
}

/// More are not read; the longest lists have some hundred.
const MODELS_MAX: usize = 2_000;

fn served(row: &Value) -> Option<ServedModel> {
    // vLLM, OpenRouter, and llama.cpp, each in its own place.
    const CONTEXT: [&str; 4] = [
        "/max_model_len",
        "/context_length",
        "/meta/n_ctx",
        "/meta/n_ctx_train",
    ];
    let context = |place: &&str| row.pointer(place).and_then(Value::as_u64);
    Some(ServedModel {
        name: row.get("id")?.as_str()?.to_owned(),
        context: CONTEXT.iter().find_map(context),
    })
}

/// An answer that has come to its end, if that is the end it should have.
fn ended(done: Completion) -> Result<Completion, TryFault> {
    let fault = |kind, because: &str| TryFault {
        pieces: done.pieces,
        ..TryFault::new(kind, because)
    };
    match done.finish.as_deref() {
        // The same request would be cut off at the same place; one that asks for less may not.
        Some("length" | "max_tokens") => Err(fault(
            FaultKind::Answer,
            "the answer was cut off at max_tokens; raise it for this role",
        )),
        Some("content_filter") => Err(fault(
            FaultKind::Answer,
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

fn too_long(bytes: usize) -> String {
    format!("the answer is longer than {bytes} bytes; is this a chat completions server?")
}

/// How fast a stream comes.
/// A server that sends a token now and then passes every other bound, and holds a run for hours.
struct Rate {
    since: Millis,
    tokens: u64,
}

impl Rate {
    fn from(began: Millis) -> Self {
        Self {
            since: began,
            tokens: 0,
        }
    }

    /// A fault if too few tokens came within `idle_s`.
    fn check(&mut self, done: &Completion, settings: &ServerSettings) -> Result<(), TryFault> {
        // The wait for the first token has its own bound, also where empty pieces or comments come meanwhile.
        if done.first_token_ms.is_none() {
            return Ok(());
        }
        let now = Clock::System.now();
        let tokens = done.pieces.max(done.letters / TOKEN_LETTERS);
        if self.tokens == 0 {
            *self = Self { since: now, tokens };
            return Ok(());
        }
        let seconds = settings.idle_s;
        if now.since(self.since) < seconds * 1_000 {
            return Ok(());
        }
        let came = tokens.saturating_sub(self.tokens);
        *self = Self { since: now, tokens };
        if came >= settings.tokens_min {
            return Ok(());
        }
        let because = format!(
            "the server is too slow: {came} tokens in {seconds} s; choose a smaller model, or lower tokens_min"
        );
        Err(TryFault {
            pieces: done.pieces,
            ..TryFault::lasting(because)
        })
    }
}
