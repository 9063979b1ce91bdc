//! Faults: why a try gave no answer, and what can be done about it.
//!
//! Servers agree on few codes and on no words, so a refusal is judged by both. Invariant: only the
//! fault of an answer goes back to the model; every other is the operator's affair.

use pithead_world::clock::{Clock, Millis};
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use std::time::Duration;

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
    /// Another try would go the same way, whatever is asked.
    Lasting,
    /// The question is too long for this server; another question may not be.
    TooLong,
    /// The model answered, and the answer cannot be used.
    Answer,
    /// The operator wants no answer any more.
    Cancelled,
}

/// A part of the request that not every server takes.
/// All are left out or said otherwise on refusal: an answer can be had without them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Form,
    Usage,
    Stream,
    /// A message of its own for the instructions.
    System,
    /// Temperature, top_p and seed.
    Sampling,
    /// The limit of the answer goes by this name.
    MaxTokens(String),
    /// The limit of the answer is too high beside the question.
    Room,
}

impl TryFault {
    pub(super) fn new(kind: FaultKind, because: impl Into<String>) -> Self {
        Self {
            kind,
            because: because.into(),
            pieces: 0,
        }
    }

    pub(super) fn passing(because: impl Into<String>) -> Self {
        Self::new(FaultKind::Passing { wait: None }, because)
    }

    pub(super) fn lasting(because: impl Into<String>) -> Self {
        Self::new(FaultKind::Lasting, because)
    }

    /// A refusal, judged by its code and its words, which are quoted.
    pub(super) fn of_refusal(status: StatusCode, said: &str, wait: Option<Duration>) -> Self {
        let kind = kind_of(status, said, wait);
        let mut because = match said {
            "" => format!("the server answered {status}"),
            said => format!("the server answered {status}: {said}"),
        };
        if let Some(advice) = advice(status, &kind) {
            because = format!("{because}; {advice}");
        }
        Self::new(kind, because)
    }
}

/// What the operator can do.
fn advice(status: StatusCode, kind: &FaultKind) -> Option<&'static str> {
    match (kind, status.as_u16()) {
        (FaultKind::TooLong, _) => {
            Some("give the server a longer context, or choose a model with one")
        }
        (FaultKind::Lasting, 401 | 403) => Some("check the key, key_env or key_file of the server"),
        (FaultKind::Lasting, 402 | 429) => Some("top up the account, or choose another server"),
        (FaultKind::Lasting, 404) => {
            Some("check base_url, up to and with /v1, and the name of the model")
        }
        (FaultKind::Lasting, 300..=399) => {
            Some("redirects are not followed; set base_url to where it leads")
        }
        _ => None, // the server's words are all there is
    }
}

/// Words of a question that is too long.
const TOO_LONG: [&str; 8] = [
    "context length",
    "context_length",
    "context window",
    "context size",
    "maximum context",
    "too many tokens",
    "prompt is too long",
    "prompt too long",
];
/// Words that refuse a part of a request, rather than mention it.
const REFUSING: [&str; 12] = [
    "not support",
    "unsupported",
    "not allowed",
    "not permitted",
    "not enabled",
    "does not accept",
    "invalid",
    "unknown",
    "unrecognized",
    "extra",
    "must be",
    "only",
];

fn kind_of(status: StatusCode, said: &str, wait: Option<Duration>) -> FaultKind {
    let said = said.to_lowercase();
    let names = |words: &[&str]| words.iter().any(|word| said.contains(word));
    // Only if the text names the part: the same codes have many causes. 500 too: some servers fail
    // over a part that they do not know.
    let may_be_a_part = matches!(status.as_u16(), 400 | 404 | 415 | 422 | 500 | 501);
    match status.as_u16() {
        413 => FaultKind::TooLong,
        400 | 422 | 500 if names(&TOO_LONG) => {
            let names_limit = names(&["max_tokens", "max_completion_tokens", "completion"]);
            if names_limit {
                FaultKind::Unsupported(Part::Room)
            } else {
                FaultKind::TooLong
            }
        }
        _ if may_be_a_part && let Some(part) = refused_part(&said) => FaultKind::Unsupported(part),
        // A quota that is used up is reported as too many requests, and waiting does not help.
        429 if names(&[
            "insufficient_quota",
            "exceeded your current quota",
            "billing",
        ]) =>
        {
            FaultKind::Lasting
        }
        // Time-outs, conflicts, too early, too many, and all of the server's own faults.
        408 | 409 | 425 | 429 | 500..=599 => FaultKind::Passing { wait },
        _ => FaultKind::Lasting,
    }
}

/// The part of the request that these words refuse, in lower case.
fn refused_part(said: &str) -> Option<Part> {
    let names = |words: &[&str]| words.iter().any(|word| said.contains(word));
    let is_refused = names(&REFUSING);
    if names(&["stream_options", "include_usage"]) {
        return Some(Part::Usage);
    }
    if is_refused && let Some(name) = other_name(said) {
        return Some(Part::MaxTokens(name));
    }
    let forms = [
        "response_format",
        "json_schema",
        "json_object",
        "grammar",
        "schema",
    ];
    if names(&forms) {
        return Some(Part::Form);
    }
    if is_refused && names(&["temperature", "top_p", "seed"]) {
        return Some(Part::Sampling);
    }
    let system = [
        "system role",
        "system message",
        "system prompt",
        "system instruction",
        "developer instruction",
        "'system'",
        "\"system\"",
        "`system`",
        "roles must alternate",
    ];
    if names(&system) && (is_refused || said.contains("alternate")) {
        return Some(Part::System);
    }
    (is_refused && names(&["stream"])).then_some(Part::Stream)
}

/// The name that the server has for the limit of an answer, if it names two: the one sent and its own.
fn other_name(said: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_lowercase() || c == '_';
    let mut names: Vec<&str> = said
        .split(|c| !is_part(c))
        .filter(|word| word.starts_with("max_") && word.ends_with("tokens"))
        .collect();
    names.dedup();
    match names[..] {
        // "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        [sent, own, ..] if sent != own => Some(own.to_owned()),
        _ => None,
    }
}

/// Seconds, or a date.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return (seconds.is_finite() && seconds >= 0.0)
            // At most a day, so that the number fits; `wait_max_s` decides later.
            .then(|| Duration::from_secs_f64(seconds.min(86_400.0)));
    }
    let at = httpdate::parse_http_date(text).ok()?;
    // A time in the past is no wait.
    let at = at.duration_since(std::time::UNIX_EPOCH).ok()?;
    let now: Millis = Clock::System.now();
    Some(at.saturating_sub(Duration::from_millis(now.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_judged_by_their_code_and_their_words() {
        let renamed = Part::MaxTokens("max_completion_tokens".to_owned());
        for (status, said, expected) in [
            (
                400,
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                FaultKind::Unsupported(renamed),
            ),
            (
                400,
                "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 8192 tokens and your request has 3000 input tokens",
                FaultKind::Unsupported(Part::Room),
            ),
            (
                400,
                "This model's maximum context length is 4096 tokens. Your messages resulted in 9000 tokens.",
                FaultKind::TooLong,
            ),
            (
                400,
                "System role not supported",
                FaultKind::Unsupported(Part::System),
            ),
            (
                500,
                "Conversation roles must alternate user/assistant; system message",
                FaultKind::Unsupported(Part::System),
            ),
            (
                400,
                "Developer instruction is not enabled for models/gemma-3",
                FaultKind::Unsupported(Part::System),
            ),
            (
                400,
                "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
                FaultKind::Unsupported(Part::Sampling),
            ),
            (
                400,
                "streaming is not supported",
                FaultKind::Unsupported(Part::Stream),
            ),
            (
                400,
                "Unrecognized request argument supplied: stream_options",
                FaultKind::Unsupported(Part::Usage),
            ),
            (
                400,
                "response_format.json_schema is invalid",
                FaultKind::Unsupported(Part::Form),
            ),
            (
                429,
                "You exceeded your current quota, please check your plan and billing details",
                FaultKind::Lasting,
            ),
            (429, "slow down", FaultKind::Passing { wait: None }),
            (413, "", FaultKind::TooLong),
            (401, "Incorrect API key", FaultKind::Lasting),
            (307, "", FaultKind::Lasting),
            (503, "overloaded", FaultKind::Passing { wait: None }),
        ] {
            let status = StatusCode::from_u16(status).unwrap();
            assert_eq!(kind_of(status, said, None), expected, "{status} {said}");
        }
    }
}
