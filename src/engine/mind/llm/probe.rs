//! The probe: one tiny call to a server, and what it says about the server.

use super::client::Client;
use super::completion::Completion;
use super::known;
use super::prompt::Prompt;
use super::request;
use super::retry::{self, Telling};
use super::server;
use super::settings::{LlmSettings, Model};
use crate::mind::watch::{AnswerProgress, AnswerStage, Watch};
use pithead_core::domain::mind::reply;
use pithead_core::domain::mind::role::MindRole;
use pithead_world::clock::Clock;
use pithead_world::ids::CallId;
use pithead_world::rng::Rng;
use serde::Serialize;

/// Enough for a tiny object after a model's reasoning.
/// Reasoning models think before the smallest answer.
const TOKENS_MAX: u64 = 2_048;

/// What a server answered with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Probed {
    pub server: String,
    pub base_url: String,
    pub model: String,
    pub roles: Vec<MindRole>,
    pub works: bool,
    /// What is wrong, if it does not.
    pub because: Option<String>,
    /// The best form that the server took: `json_schema`, `json_object` or `text`.
    pub form: Option<&'static str>,
    pub streams: bool,
    pub counts_tokens: bool,
    pub first_token_ms: Option<u64>,
    pub ms: u64,
    pub has_price: bool,
    /// None if the server lists no models; else whether this one is among them.
    /// Not every server has the list.
    pub listed: Option<bool>,
    /// Numbers per embedding, if the server has embeddings of this model.
    pub embedding: Option<usize>,
}

/// Asks every server and model that some role uses for one tiny object. Before each question it is told which
/// server is asked and for which model: a slow one takes minutes.
pub fn probe(
    settings: &LlmSettings,
    roles: &[MindRole],
    mut tell: impl FnMut(&str, &str),
) -> Vec<Probed> {
    // Each server and model once, whatever the number of roles.
    let mut wanted: Vec<(Model, Vec<MindRole>)> = Vec::new();
    for role in roles {
        let Ok(found) = settings.role(*role) else {
            continue;
        };
        for model in found.models {
            match wanted.iter_mut().find(|(known, _)| *known == model) {
                Some((_, roles)) => roles.push(*role),
                None => wanted.push((model, vec![*role])),
            }
        }
    }
    wanted
        .into_iter()
        .map(|(model, roles)| {
            tell(&model.server, &model.model);
            one(settings, &model, roles)
        })
        .collect()
}

fn one(settings: &LlmSettings, model: &Model, roles: Vec<MindRole>) -> Probed {
    let found = settings.servers.get(&model.server);
    let mut probed = Probed {
        server: model.server.clone(),
        base_url: found.map_or(String::new(), |server| server.base_url.clone()),
        model: model.model.clone(),
        roles,
        works: false,
        because: None,
        form: None,
        streams: found.is_some_and(|server| server.stream),
        counts_tokens: false,
        first_token_ms: None,
        ms: 0,
        has_price: settings.prices.contains_key(&model.model),
        listed: None,
        embedding: None,
    };
    if let Err(because) = ask(settings, model, &mut probed) {
        probed.because = Some(because);
    }
    probed
}

fn ask(settings: &LlmSettings, model: &Model, probed: &mut Probed) -> Result<(), String> {
    let role = probed.roles.first().copied().ok_or("no role uses it")?;
    let mut role = settings.role(role).map_err(|error| error.to_string())?;
    // Never more than the role allows.
    role.max_tokens = role.max_tokens.min(TOKENS_MAX);
    let server = settings
        .servers
        .get(&model.server)
        .ok_or("there is no such server")?;
    let mut server = server.clone();
    // A person waits for the result: one more try, not four.
    server.retries = server.retries.min(1);
    let client = Client::new(&server)?;
    // The only async of the probe, ended before it returns.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    let prompt = tiny();
    // The doctor looks anew, whatever was found earlier.
    let place = settings.known.as_deref();
    let found = server::afresh(&server, &model.model, place);
    let watch = Watch::new();
    let began = Clock::System.now();
    let telling = Telling {
        watch: &watch,
        progress: AnswerProgress {
            call: CallId(1),
            role: prompt.role,
            model: model.model.clone(),
            stage: AnswerStage::Queued,
            since: began.0,
        },
    };
    let body = |takes: &_| request::chat(&prompt, &role, model, takes, server.stream);
    let mut rng = Rng::new(1);
    let asked = retry::ask(&client, &found, &telling, &mut rng, (body, role.max_tokens));
    let tried = runtime.block_on(asked);
    probed.ms = Clock::System.now().since(began);
    // Also where the chat failed: the name of the model may be what is wrong.
    probed.listed = runtime
        .block_on(client.models())
        .ok()
        .filter(|models| !models.is_empty())
        .map(|models| models.iter().any(|served| served.name == model.model));
    let done = tried.result.map_err(|fault| fault.because)?;
    probed.form = Some(tried.form.name());
    probed.streams = server.stream && found.takes().stream;
    if let Some(place) = place {
        known::keep(place, &server, &model.model, &found);
    }
    // An extra: its failure says nothing about chats.
    let embedded = runtime.block_on(client.embed(&model.model, &["a log"]));
    probed.embedding = embedded
        .ok()
        .and_then(|points| points.first().map(Vec::len));
    // Judged by the same reader as real answers.
    settle(probed, &done)
}

fn settle(probed: &mut Probed, done: &Completion) -> Result<(), String> {
    probed.counts_tokens = done.tokens_in.is_some() && done.tokens_out.is_some();
    probed.first_token_ms = done.first_token_ms;
    let read = reply::read_reply(done.said(), reply::GOAL).map_err(|fault| fault.to_string())?;
    match read.value.get("item").and_then(serde_json::Value::as_str) {
        Some(_) => probed.works = true,
        None => return Err("it answered, but did not name an item".to_owned()),
    }
    Ok(())
}

fn tiny() -> Prompt {
    Prompt {
        role: MindRole::Goal,
        system: "Answer with one JSON object of the form {\"item\": TEXT, \"count\": N} and nothing else.".to_owned(),
        user: "Name the item that is got by punching a tree, and the count one.".to_owned(),
        picture: None,
        tokens: 64,
    }
}
