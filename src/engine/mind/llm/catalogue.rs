//! The catalogue: what servers say they serve, without asking a model anything.
//!
//! Invariant: no token is spent, and only configured servers and this machine are reached.

use super::client::{Client, ServedModel};
use super::known;
use super::settings::{LlmSettings, Price, ServerSettings};
use pithead_core::domain::mind::role::MindRole;
use pithead_world::clock::Clock;
use serde::Serialize;

/// A program that serves models, and where it listens unless told otherwise.
#[derive(Debug, Clone, Copy)]
pub struct LocalServer {
    pub program: &'static str,
    /// The name that a config gives it.
    pub name: &'static str,
    pub base_url: &'static str,
}

/// The usual places on this machine. No other machine is ever looked at.
pub const LOCAL_SERVERS: [LocalServer; 4] = [
    LocalServer {
        program: "Ollama",
        name: "ollama",
        base_url: "http://127.0.0.1:11434/v1",
    },
    LocalServer {
        program: "llama.cpp",
        name: "llamacpp",
        base_url: "http://127.0.0.1:8080/v1",
    },
    LocalServer {
        program: "LM Studio",
        name: "lmstudio",
        base_url: "http://127.0.0.1:1234/v1",
    },
    LocalServer {
        program: "vLLM",
        name: "vllm",
        base_url: "http://127.0.0.1:8000/v1",
    },
];

/// Seconds that a server has to say what it serves: a person waits.
const PATIENCE_S: u64 = 5;
/// A program on this machine answers at once or is not there.
const LOCAL_PATIENCE_S: u64 = 1;

/// One server and what it serves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Catalogue {
    /// Its name in the config; none for a server that is not in it.
    pub server: Option<String>,
    /// What program it seems to be; for servers that were found by their port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<&'static str>,
    pub base_url: String,
    /// It gave a list.
    pub listed: bool,
    /// What is wrong, if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    pub ms: u64,
    /// As the server lists them; then those that roles use and it does not list.
    pub models: Vec<ListedModel>,
}

/// One model of a server.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListedModel {
    pub model: String,
    /// The server names it.
    pub served: bool,
    /// Tokens, where the server says so.
    pub context: Option<u64>,
    /// Roles that it answers, also as a fallback.
    pub roles: Vec<MindRole>,
    /// What the server was found to support with it; none before the first question.
    pub support: Option<Support>,
    /// Per million tokens.
    pub price: Option<PriceOfModel>,
}

/// What a server takes of a request, as far as it has been asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Support {
    /// The best form of an answer: `json_schema`, `json_object` or `text`.
    pub form: &'static str,
    pub streams: bool,
    pub counts_tokens: bool,
    /// Instructions as a message of their own.
    pub system: bool,
}

/// Money for a million tokens, in the unit of the price table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PriceOfModel {
    pub input: f64,
    pub output: f64,
}

/// Asks every configured server for its list.
#[must_use]
pub fn configured(settings: &LlmSettings) -> Vec<Catalogue> {
    let one = |(name, server): (&String, &ServerSettings)| {
        let patient = impatient(server, PATIENCE_S);
        let mut found = look(&patient);
        found.server = Some(name.clone());
        describe(&mut found, settings, server);
        found
    };
    settings.servers.iter().map(one).collect()
}

/// Servers on this machine that are running and not in the config.
#[must_use]
pub fn local(settings: &LlmSettings) -> Vec<Catalogue> {
    let is_new = |place: &&LocalServer| {
        let mut servers = settings.servers.values();
        !servers.any(|server| is_same_place(&server.base_url, place.base_url))
    };
    let places = LOCAL_SERVERS.iter().filter(is_new);
    places.filter_map(at).collect()
}

/// What listens there, if it is a server of models.
fn at(place: &LocalServer) -> Option<Catalogue> {
    let server = ServerSettings::at(place.base_url);
    let mut found = look(&impatient(&server, LOCAL_PATIENCE_S));
    found.program = Some(place.program);
    found.listed.then_some(found)
}

/// `localhost` and `127.0.0.1` are one machine; a slash at the end says nothing.
fn is_same_place(a: &str, b: &str) -> bool {
    let plain = |url: &str| {
        url.trim_end_matches('/')
            .replace("//localhost", "//127.0.0.1")
    };
    plain(a) == plain(b)
}

fn impatient(server: &ServerSettings, seconds: u64) -> ServerSettings {
    ServerSettings {
        connect_s: server.connect_s.min(seconds),
        first_token_s: server.first_token_s.min(seconds),
        idle_s: server.idle_s.min(seconds),
        total_s: server.total_s.min(seconds),
        retries: 0,
        ..server.clone()
    }
}

fn look(server: &ServerSettings) -> Catalogue {
    let began = Clock::System.now();
    let asked = ask(server);
    let ms = Clock::System.now().since(began);
    let (models, because) = match asked {
        Ok(models) => (models, None),
        Err(because) => (Vec::new(), Some(because)),
    };
    let listed = |served: ServedModel| ListedModel {
        model: served.name,
        served: true,
        context: served.context,
        roles: Vec::new(),
        support: None,
        price: None,
    };
    Catalogue {
        server: None,
        program: None,
        base_url: server.base_url.clone(),
        listed: because.is_none(),
        because,
        ms,
        models: models.into_iter().map(listed).collect(),
    }
}

fn ask(server: &ServerSettings) -> Result<Vec<ServedModel>, String> {
    let client = Client::new(server)?;
    // The only async here, ended before it returns.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    let models = runtime.block_on(client.models());
    models.map_err(|fault| fault.because)
}

/// Adds what the config and earlier questions say of each model.
fn describe(found: &mut Catalogue, settings: &LlmSettings, server: &ServerSettings) {
    for (role, model) in used(settings, found.server.as_deref()) {
        let known = found.models.iter_mut().find(|known| known.model == model);
        match known {
            Some(known) => known.roles.push(role),
            None => found.models.push(ListedModel {
                model,
                served: false,
                context: None,
                roles: vec![role],
                support: None,
                price: None,
            }),
        }
    }
    for model in &mut found.models {
        let price = settings.prices.get(&model.model);
        model.price = price.map(|Price { input, output }| PriceOfModel {
            input: *input,
            output: *output,
        });
        let place = settings.known.as_deref();
        let takes = place.and_then(|place| known::known_entry(place, server, &model.model));
        model.support = takes.map(|takes| Support {
            form: takes.form.name(),
            streams: takes.stream && server.stream,
            counts_tokens: takes.counts_tokens,
            system: takes.system,
        });
    }
}

/// Roles and the models that they use on this server.
fn used(settings: &LlmSettings, server: Option<&str>) -> Vec<(MindRole, String)> {
    let mut used = Vec::new();
    for role in MindRole::ALL {
        if !settings.is_asked(role) {
            continue;
        }
        // What is wrong with a role, `pithead doctor` says.
        let Ok(resolved) = settings.role(role) else {
            continue;
        };
        for model in resolved.models {
            if Some(model.server.as_str()) == server {
                used.push((role, model.model));
            }
        }
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> LlmSettings {
        toml::from_str(
            "servers.near.base_url = \"http://localhost:8080/v1/\"
             roles.default.model = \"small\"
             roles.planner.model = \"large\"
             prices.large = { input = 1.0, output = 2.0 }",
        )
        .unwrap()
    }

    #[test]
    fn models_that_roles_use_are_named_whether_or_not_the_server_lists_them() {
        let settings = settings();
        let served = |name: &str| ListedModel {
            model: name.to_owned(),
            served: true,
            context: Some(8_192),
            roles: Vec::new(),
            support: None,
            price: None,
        };
        let mut found = Catalogue {
            server: Some("near".to_owned()),
            program: None,
            base_url: String::new(),
            listed: true,
            because: None,
            ms: 1,
            models: vec![served("large"), served("other")],
        };
        describe(&mut found, &settings, &settings.servers["near"]);
        let said: Vec<_> = found
            .models
            .iter()
            .map(|model| (model.model.as_str(), model.served, model.roles.len()))
            .collect();
        let others = MindRole::ALL.len() - 1;
        assert_eq!(
            said,
            [
                ("large", true, 1),
                ("other", true, 0),
                ("small", false, others)
            ]
        );
        assert_eq!(found.models[0].roles, [MindRole::Planner]);
        assert_eq!(found.models[0].price.map(|price| price.output), Some(2.0));
    }

    #[test]
    fn a_configured_place_is_not_found_a_second_time() {
        assert!(is_same_place(
            "http://localhost:8080/v1/",
            LOCAL_SERVERS[1].base_url
        ));
        assert!(!is_same_place(
            "http://127.0.0.1:8081/v1",
            LOCAL_SERVERS[1].base_url
        ));
        for place in LOCAL_SERVERS {
            // Nothing but this machine is ever looked at.
            assert!(place.base_url.starts_with("http://127.0.0.1:"), "{place:?}");
        }
    }
}
