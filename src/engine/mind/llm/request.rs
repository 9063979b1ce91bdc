//! Requests: a prompt and a role's settings as the body of a chat completion.

use super::prompt::Prompt;
use super::schema;
use super::server::Form;
use super::settings::{Model, ResolvedRole};
use serde_json::{Map, Value, json};

/// The body. `stream` is none for an answer in one piece, else whether tokens are to be counted.
pub(super) fn chat(
    prompt: &Prompt,
    role: &ResolvedRole,
    model: &Model,
    form: Form,
    stream: Option<bool>,
) -> Value {
    let mut body = Map::new();
    let mut put = |name: &str, value: Value| body.insert(name.to_owned(), value);
    put("model", Value::from(model.model.clone()));
    put(
        "messages",
        json!([
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": user(prompt)},
        ]),
    );
    put(&role.max_tokens_field, Value::from(role.max_tokens));
    // Only if set: some models refuse even the default value.
    let optional = [
        ("temperature", role.temperature.map(Value::from)),
        ("top_p", role.top_p.map(Value::from)),
        ("seed", role.seed.map(Value::from)),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            put(name, value);
        }
    }
    match form {
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
    if let Some(counts) = stream {
        put("stream", Value::from(true));
        if counts {
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

/// The words alone, or the words and what the body sees.
fn user(prompt: &Prompt) -> Value {
    match &prompt.picture {
        None => Value::from(prompt.user.clone()),
        // A data address: no server has to fetch the picture.
        Some(png) => json!([
            {"type": "text", "text": prompt.user},
            {"type": "image_url", "image_url": {"url": format!("data:image/png;base64,{png}")}},
        ]),
    }
}
