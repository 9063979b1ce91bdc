//! JSON-RPC 2.0 over standard input and output, one message in each line; the protocols of `mcp` and `acp` are made of it.
//!
//! What comes in is untrusted: lines are bounded, and whatever is no message is answered with the error that the
//! protocol has for it.

use serde_json::{Value, json};
use std::io::{self, BufRead, Read};

/// A longer line is refused: no question about knowledge and no task is that long.
const LINE_MAX: u64 = 1 << 20;

/// What JSON-RPC calls an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RpcError {
    pub(crate) code: i64,
    pub(crate) message: String,
}

impl RpcError {
    fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    pub(crate) fn unparsed(message: impl Into<String>) -> Self {
        Self::new(-32_700, message)
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(-32_600, message)
    }

    pub(crate) fn no_method(method: &str) -> Self {
        Self::new(-32_601, format!("there is no method `{method}`"))
    }

    pub(crate) fn params(message: impl Into<String>) -> Self {
        Self::new(-32_602, message)
    }

    /// What is named does not exist.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(-32_002, message)
    }

    /// The program, not the question, is at fault.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(-32_603, message)
    }
}

/// One message that came in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Incoming {
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    /// Nothing is said to it.
    Notice { method: String, params: Value },
    /// To a request of ours.
    Answer {
        id: Value,
        result: Result<Value, Value>,
    },
}

/// The next line; none at the end of the input.
pub(crate) fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, RpcError>>> {
    let mut line = Vec::new();
    let read = input
        .by_ref()
        .take(LINE_MAX + 1)
        .read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.len() as u64 > LINE_MAX {
        skip_line(input)?;
        let because = format!("a message has at most {LINE_MAX} bytes");
        return Ok(Some(Err(RpcError::invalid(because))));
    }
    let text = String::from_utf8(line).map_err(|_| RpcError::unparsed("a message is UTF-8"));
    Ok(Some(text))
}

/// Passes over the rest of a line that is too long, without keeping it.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let (length, is_end) = {
            let buffer = input.fill_buf()?;
            match buffer.iter().position(|byte| *byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            }
        };
        input.consume(length);
        if is_end {
            return Ok(());
        }
    }
}

/// Reads a message; a fault comes with the id that its answer has to have.
pub(crate) fn read_message(line: &str) -> Result<Incoming, (Value, RpcError)> {
    let unknown = |error| (Value::Null, error);
    let message: Value = serde_json::from_str(line)
        .map_err(|error| unknown(RpcError::unparsed(format!("not JSON: {error}"))))?;
    let Value::Object(mut fields) = message else {
        return Err(unknown(RpcError::invalid("a message is one object")));
    };
    let id = fields.remove("id");
    let method = match fields.remove("method") {
        Some(Value::String(method)) => method,
        Some(_) => {
            return Err((
                id.unwrap_or_default(),
                RpcError::invalid("`method` is a text"),
            ));
        }
        None if id.is_some() && (fields.contains_key("result") || fields.contains_key("error")) => {
            let error = fields.remove("error").map(Err);
            return Ok(Incoming::Answer {
                id: id.unwrap_or_default(),
                result: error.unwrap_or_else(|| Ok(fields.remove("result").unwrap_or_default())),
            });
        }
        None => {
            return Err((
                id.unwrap_or_default(),
                RpcError::invalid("`method` is missing"),
            ));
        }
    };
    if fields.get("jsonrpc") != Some(&json!("2.0")) {
        let because = RpcError::invalid("`jsonrpc` is \"2.0\"");
        return Err((id.unwrap_or_default(), because));
    }
    match id {
        None => Ok(Incoming::Notice {
            method,
            params: fields.remove("params").unwrap_or_default(),
        }),
        Some(id @ (Value::String(_) | Value::Number(_))) => Ok(Incoming::Request {
            id,
            method,
            params: fields.remove("params").unwrap_or_default(),
        }),
        Some(_) => Err(unknown(RpcError::invalid("`id` is a text or a number"))),
    }
}

/// The line that answers.
pub(crate) fn answer_line(id: &Value, answer: Result<Value, RpcError>) -> String {
    let message = match answer {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({
            "jsonrpc": "2.0",
            "id": id,
            "error": {"code": error.code, "message": error.message},
        }),
    };
    message.to_string()
}

/// The line of a request of ours.
pub(crate) fn request_line(id: u64, method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

/// The line of a notification.
pub(crate) fn notice_line(method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string()
}
