//! Completions: the parts of a chat answer, streamed or whole, put together.

use reqwest::StatusCode;
use serde_json::Value;

/// An answer as far as it has come.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Completion {
    pub(super) text: String,
    /// Arguments of a tool call, from models that answer with one unasked.
    /// Some models call a tool that nobody offered; the answer is in its arguments.
    pub(super) arguments: String,
    /// Read as an answer too: the reader then says what was wrong.
    pub(super) refusal: String,
    pub(super) finish: Option<String>,
    pub(super) tokens_in: Option<u64>,
    pub(super) tokens_out: Option<u64>,
    /// Of the tokens in, those that the server had in its cache.
    pub(super) tokens_cached: Option<u64>,
    /// Pieces that came, of any sort; a rough count of tokens.
    /// Used when the server counts no tokens.
    pub(super) pieces: u64,
    /// Letters that came, reasoning included.
    pub(super) letters: u64,
    pub(super) first_token_ms: Option<u64>,
}

impl Completion {
    /// Takes a piece of a stream, or a whole answer; an error is one that the server told, with the code
    /// that it would have as an answer of its own.
    pub(super) fn take(&mut self, piece: &Value) -> Result<(), (StatusCode, String)> {
        // Servers report errors in the middle of a stream, with status 200.
        if let Some(error) = piece.get("error").filter(|error| !error.is_null()) {
            return Err((error_status(error), error_text(error)));
        }
        if let Some(usage) = piece.get("usage") {
            let count = |name| usage.get(name).and_then(Value::as_u64);
            // The last number wins: some servers count as they go.
            self.tokens_in = count("prompt_tokens").or(self.tokens_in);
            self.tokens_out = count("completion_tokens").or(self.tokens_out);
            let details = usage.get("prompt_tokens_details");
            let cached = details.and_then(|details| details.get("cached_tokens"));
            let cached = cached.and_then(Value::as_u64);
            self.tokens_cached = cached
                .or_else(|| count("prompt_cache_hit_tokens"))
                .or(self.tokens_cached);
        }
        let Some(choice) = piece.get("choices").and_then(|choices| choices.get(0)) else {
            return Ok(());
        };
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            self.finish = Some(reason.to_owned());
        }
        // `delta` in a stream, `message` in a whole answer.
        let Some(message) = choice.get("delta").or_else(|| choice.get("message")) else {
            // The older completions protocol.
            self.text += choice.get("text").and_then(Value::as_str).unwrap_or("");
            return Ok(());
        };
        let before = self.size();
        self.text += &content(message.get("content"));
        self.refusal += &content(message.get("refusal"));
        self.arguments += &arguments(message);
        // Reasoning counts as a piece but is not part of the answer.
        let thought =
            content(message.get("reasoning_content")) + &content(message.get("reasoning"));
        let came = self.size() - before + thought.len();
        self.letters += came as u64;
        self.pieces += u64::from(came > 0);
        Ok(())
    }

    /// Bytes of the answer so far, without reasoning.
    pub(super) fn size(&self) -> usize {
        self.text.len() + self.arguments.len() + self.refusal.len()
    }

    /// What the model said, wherever it put it.
    pub(super) fn said(&self) -> &str {
        [&self.text, &self.arguments, &self.refusal]
            .into_iter()
            .find(|part| !part.trim().is_empty())
            .map_or("", String::as_str)
    }
}

/// Text, or a list of parts with text.
fn content(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts
            .iter()
            .filter_map(|part| part.get("text").and_then(Value::as_str))
            .collect(),
        Some(_) | None => String::new(),
    }
}

fn arguments(message: &Value) -> String {
    let of_call = |call: &Value| {
        let arguments = call.get("function").and_then(|f| f.get("arguments"))?;
        arguments.as_str().map(str::to_owned)
    };
    match message.get("tool_calls") {
        Some(Value::Array(calls)) => calls.iter().filter_map(of_call).collect(),
        Some(_) | None => String::new(),
    }
}

/// The server's own words about an error.
pub(super) fn error_text(error: &Value) -> String {
    let message = error.get("message").and_then(Value::as_str);
    match (message, error.as_str()) {
        (Some(text), _) | (None, Some(text)) => text.to_owned(),
        (None, None) => error.to_string(),
    }
}

/// Its code, where it is one of HTTP.
fn error_status(error: &Value) -> StatusCode {
    let code = error.get("code").and_then(Value::as_u64);
    let code = code.and_then(|code| u16::try_from(code).ok());
    let status = code.and_then(|code| StatusCode::from_u16(code).ok());
    status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
