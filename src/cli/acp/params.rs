//! Parameters of requests: what an editor sends is untrusted, and what does not fit is refused with the field that it is in.

use crate::cli::rpc::RpcError;
use pithead_core::text::clean::clean_lines;
use serde_json::Value;
use std::path::Path;

/// Longest task; the mind is told it, and that has a price.
const TASK_CHARS_MAX: usize = 2_000;

pub(super) fn no_session(id: &str) -> RpcError {
    RpcError::not_found(format!(
        "there is no session `{id}`; `session/new` makes one"
    ))
}

pub(super) fn session_id(params: &Value) -> Result<String, RpcError> {
    let id = params.get("sessionId").and_then(Value::as_str);
    let id = id.ok_or_else(|| RpcError::params("`sessionId` is a text"))?;
    Ok(id.to_owned())
}

/// The folder of a session: it is not used, but an editor that does not name it speaks another protocol.
pub(super) fn check_place(params: &Value) -> Result<(), RpcError> {
    let place = params.get("cwd").and_then(Value::as_str);
    match place {
        Some(place) if Path::new(place).is_absolute() => Ok(()),
        _ => Err(RpcError::params("`cwd` is the whole name of a folder")),
    }
}

/// The task that the texts of a prompt ask for. Links may stand beside it and are not read.
pub(super) fn task_of(params: &Value) -> Result<String, RpcError> {
    let blocks = params.get("prompt").and_then(Value::as_array);
    let blocks = blocks.ok_or_else(|| RpcError::params("`prompt` is a list of contents"))?;
    let mut texts = Vec::new();
    for block in blocks {
        match block.get("type").and_then(Value::as_str) {
            Some("text") => {
                let text = block.get("text").and_then(Value::as_str);
                texts.push(text.ok_or_else(|| RpcError::params("`text` of a content is missing"))?);
            }
            Some("resource_link") => (),
            other => {
                let kind = other.unwrap_or("nothing");
                let because = format!("a task is text; a content of the type `{kind}` is not read");
                return Err(RpcError::params(because));
            }
        }
    }
    let task = clean_lines(&texts.join(" "));
    let task = task.split_whitespace().collect::<Vec<_>>().join(" ");
    match task.chars().count() {
        0 => Err(RpcError::params(
            "the prompt has no text; write a task, for example `obtain a diamond`",
        )),
        n if n > TASK_CHARS_MAX => {
            let because =
                format!("a task has at most {TASK_CHARS_MAX} characters, and this has {n}");
            Err(RpcError::params(because))
        }
        _ => Ok(task),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_task_is_the_text_of_a_prompt_and_nothing_else_is_read() {
        let text = |text: &str| json!({"type": "text", "text": text});
        let link = json!({"type": "resource_link", "uri": "file:///etc/passwd", "name": "x"});
        let task = |prompt: Value| task_of(&json!({"prompt": prompt}));
        let read = task(json!([text("obtain\n a\u{1b}[2J"), link, text("diamond")]));
        assert_eq!(read.unwrap(), "obtain a·[2J diamond");
        let long = "x".repeat(TASK_CHARS_MAX + 1);
        for (prompt, because) in [
            (json!([]), "no text"),
            (json!([text(" ")]), "no text"),
            (
                json!([{"type": "image", "data": "", "mimeType": "image/png"}]),
                "`image`",
            ),
            (json!([{"type": "text"}]), "`text`"),
            (json!("obtain a diamond"), "`prompt`"),
            (json!([text(&long)]), "at most"),
        ] {
            let refused = task(prompt).unwrap_err();
            assert!(refused.message.contains(because), "{refused:?}");
        }
    }
}
