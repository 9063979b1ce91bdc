//! Requests: a prompt and a role's settings as the body of a chat completion.

use super::prompt::Prompt;
use super::schema;
use super::server::{Form, Takes};
use super::settings::{Model, ResolvedRole};
use serde_json::{Map, Value, json};

/// The body, of what the server takes; `stream` if the operator wants streams.
pub(super) fn chat(
    prompt: &Prompt,
    role: &ResolvedRole,
    model: &Model,
    takes: &Takes,
    stream: bool,
) -> Value {
    let mut body = Map::new();
    let mut put = |name: &str, value: Value| body.insert(name.to_owned(), value);
    put("model", Value::from(model.model.clone()));
    put("messages", messages(prompt, takes));
    let field = takes.max_tokens_field.as_ref();
    let room = takes.max_tokens.unwrap_or(u64::MAX);
    put(
        field.unwrap_or(&role.max_tokens_field),
        Value::from(role.max_tokens.min(room)),
    );
    // Only if set: some models refuse even the default value.
    let optional = [
        ("temperature", role.temperature.map(Value::from)),
        ("top_p", role.top_p.map(Value::from)),
        ("seed", role.seed.map(Value::from)),
    ];
    for (name, value) in optional {
        if let Some(value) = value.filter(|_| takes.sampling) {
            put(name, value);
        }
    }
    match takes.form {
        Form::JsonSchema => {
            let schema = schema::schema_of_role(prompt.role);
            let schema = json!({"name": prompt.role, "strict": true, "schema": schema});
            put(
                "response_format",
                json!({"type": "json_schema", "json_schema": schema}),
            );
        }
        Form::JsonObject => {
            put("response_format", json!({"type": "json_object"}));
        }
        Form::Text => (),
    }
    if stream && takes.stream {
        put("stream", Value::from(true));
        if takes.counts_tokens {
            put("stream_options", json!({"include_usage": true}));
        }
    }
    // Last, so that it goes before everything above.
    for (name, value) in &role.extra {
        if let Ok(value) = serde_json::to_value(value) {
            put(name, value);
        }
    }
    Value::Object(body)
}

/// The instructions and the question, in one message for models that have no instructions apart.
fn messages(prompt: &Prompt, takes: &Takes) -> Value {
    if takes.system {
        return json!([
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": user(prompt, &prompt.user)},
        ]);
    }
    let all = format!("{}\n\n{}", prompt.system, prompt.user);
    json!([{"role": "user", "content": user(prompt, &all)}])
}

/// What the picture is.
const CAPTION: &str = "The picture shows what the body sees now, from its eyes.";

/// The words alone, or the words and what the body sees.
fn user(prompt: &Prompt, words: &str) -> Value {
    match &prompt.picture {
        None => Value::from(words),
        // A data address: no server has to fetch the picture.
        Some(png) => json!([
            {"type": "text", "text": words},
            {"type": "text", "text": CAPTION},
            {"type": "image_url", "image_url": {"url": format!("data:image/png;base64,{png}"), "detail": "low"}},
        ]),
    }
}
