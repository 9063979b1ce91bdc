//! Settings of language models, as they stand under `[llm]` in the config file.
//!
//! Reading checks everything that can be checked without a network: a mistake is reported before a run
//! starts, with the name of the entry. Keys are named here and never held.

use pithead_core::domain::mind::role::MindRole;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The entry of `roles` whose values hold for every role that does not say otherwise.
/// Not a role of its own: it only fills gaps.
pub const DEFAULT_ROLE: &str = "default";

/// The model of a role that the program's own distiller is to do.
/// For distilling roles only: without an answer the program's own draft stays.
pub const OWN: &str = "builtin";

/// `[llm]`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LlmSettings {
    /// Servers by the name that roles use.
    pub servers: BTreeMap<String, ServerSettings>,
    pub roles: BTreeMap<String, RoleSettings>,
    /// By model.
    /// Names as servers report them.
    pub prices: BTreeMap<String, Price>,
    pub budget: BudgetSettings,
    /// A folder whose `<system>/<role>.md` go before the prompts of the program.
    pub prompts: Option<PathBuf>,
    /// The file in which is kept what servers were found to take; none keeps it in the process alone.
    #[serde(skip)]
    pub known: Option<PathBuf>,
}

/// One server that speaks the protocol of OpenAI's chat completions.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    /// Up to and with the version, for example `http://127.0.0.1:8080/v1`.
    /// One place for the version: paths are appended to it.
    pub base_url: String,
    /// The variable of the environment that holds the key.
    #[serde(default)]
    pub key_env: Option<String>,
    /// A file that holds the key; nobody else may read it.
    #[serde(default)]
    pub key_file: Option<PathBuf>,
    /// Send the key over plain HTTP to another machine.
    /// Off by default; a machine on the same network can listen.
    #[serde(default)]
    pub plain_http: bool,
    /// Off for servers that stream badly.
    #[serde(default = "yes")]
    pub stream: bool,
    #[serde(default)]
    pub structured: Structured,
    /// Answers at the same time, over all runs of this process.
    #[serde(default = "four")]
    pub concurrency: u32,
    /// Tries after the first.
    #[serde(default = "four")]
    pub retries: u32,
    /// The wait before the first of them; it doubles.
    /// Half a second, one, two, four.
    #[serde(default = "half_second")]
    pub backoff_ms: u64,
    /// No wait is longer; a server that asks for more is given up.
    /// A run would rather fail than stand for an hour.
    #[serde(default = "minute")]
    pub wait_max_s: u64,
    #[serde(default = "ten")]
    pub connect_s: u64,
    /// Long, because a local server may have to load the model.
    #[serde(default = "two_minutes")]
    pub first_token_s: u64,
    /// Between two tokens.
    /// Between tokens a model does not think.
    #[serde(default = "minute")]
    pub idle_s: u64,
    /// Tokens in each `idle_s` of an answer at the least; a slower server is given up.
    #[serde(default = "ten")]
    pub tokens_min: u64,
    /// For one try.
    /// Everything together, also a stream that never ends.
    #[serde(default = "ten_minutes")]
    pub total_s: u64,
}

impl ServerSettings {
    /// A server at this address, with what holds unless it is set.
    #[must_use]
    pub fn at(base_url: &str) -> Self {
        Self {
            base_url: base_url.to_owned(),
            key_env: None,
            key_file: None,
            plain_http: false,
            stream: yes(),
            structured: Structured::default(),
            concurrency: four(),
            retries: four(),
            backoff_ms: half_second(),
            wait_max_s: minute(),
            connect_s: ten(),
            first_token_s: two_minutes(),
            idle_s: minute(),
            tokens_min: ten(),
            total_s: ten_minutes(),
        }
    }
}

fn yes() -> bool {
    true
}
fn four() -> u32 {
    4
}
fn half_second() -> u64 {
    500
}
fn ten() -> u64 {
    10
}
fn minute() -> u64 {
    60
}
fn two_minutes() -> u64 {
    120
}
fn ten_minutes() -> u64 {
    600
}

/// How a reply's form is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structured {
    /// The best that the server takes.
    #[default]
    Auto,
    JsonSchema,
    JsonObject,
    Text,
}

/// What a role is answered by. What is left out comes from `roles.default`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RoleSettings {
    pub server: Option<String>,
    pub model: Option<String>,
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    pub seed: Option<u64>,
    pub max_tokens: Option<u64>,
    /// Name of the field for `max_tokens`, for servers that want `max_completion_tokens`.
    /// Newer models of OpenAI refuse the old name.
    pub max_tokens_field: Option<String>,
    /// Asked in this order when the first cannot answer.
    pub fallbacks: Option<Vec<Model>>,
    /// Send a picture of what the body sees. Under `default` it is sent with diagnoses alone.
    pub images: Option<bool>,
    /// Put into the request as it is.
    /// Last, so it can replace anything, for fields of single servers.
    pub extra: Option<toml::Table>,
}

/// A model on a server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    pub server: String,
    pub model: String,
}

/// Money for a million tokens.
/// In any currency, as long as all prices use one.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub input: f64,
    pub output: f64,
}

/// What a run may spend unless its command line says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BudgetSettings {
    pub calls: Option<u64>,
    pub tokens: Option<u64>,
    /// In units of the price table.
    pub money: Option<f64>,
}

/// A role's settings with the defaults filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedRole {
    /// The first choice, then the fallbacks.
    pub models: Vec<Model>,
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    pub seed: Option<u64>,
    pub max_tokens: u64,
    pub max_tokens_field: String,
    pub images: bool,
    pub extra: toml::Table,
}

/// Tokens of an answer unless the config says otherwise: a plan of a hundred steps.
/// About eighty tokens a step.
const MAX_TOKENS: u64 = 8_192;

/// What is wrong with the settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    #[error("no language model is configured; put a server and a model under [llm] in {config} (docs/MODELS.md has the lines)", config = .0)]
    None(String),
    #[error("{place}: there is no server `{server}` under [llm.servers]")]
    NoServer { place: String, server: String },
    #[error("[llm.roles.{role}]: {field} is missing, and [llm.roles.default] does not give it")]
    Missing { role: String, field: &'static str },
    #[error("{place}: {because}")]
    Bad { place: String, because: String },
}

impl LlmSettings {
    /// Whether a model is asked in this role; of distilling roles some may be left to the program.
    /// Everything but a distilling role set to `builtin`.
    #[must_use]
    pub fn is_asked(&self, role: MindRole) -> bool {
        let own = self
            .roles
            .get(role.name())
            .and_then(|own| own.model.as_deref());
        own != Some(OWN)
    }

    /// What answers in this role.
    pub fn role(&self, role: MindRole) -> Result<ResolvedRole, SettingsError> {
        self.resolved(role.name())
    }

    /// What answers in every role that does not say otherwise.
    pub fn default_role(&self) -> Result<ResolvedRole, SettingsError> {
        self.resolved(DEFAULT_ROLE)
    }

    fn resolved(&self, name: &str) -> Result<ResolvedRole, SettingsError> {
        let empty = RoleSettings::default();
        let own = self.roles.get(name).unwrap_or(&empty);
        // Field by field: a role that sets one value keeps the others.
        let common = self.roles.get(DEFAULT_ROLE).unwrap_or(&empty);
        let missing = |field| SettingsError::Missing {
            role: name.to_owned(),
            field,
        };
        let model = own.model.clone().or_else(|| common.model.clone());
        let first = Model {
            server: self.server_of(own, common).ok_or(missing("server"))?,
            model: model.ok_or(missing("model"))?,
        };
        // All fallbacks of one or all of the other; two lists are never mixed.
        let fallbacks = own.fallbacks.clone().or_else(|| common.fallbacks.clone());
        let mut models = vec![first];
        models.extend(fallbacks.unwrap_or_default());
        for model in &models {
            if !self.servers.contains_key(&model.server) {
                return Err(SettingsError::NoServer {
                    place: format!("[llm.roles.{name}]"),
                    server: model.server.clone(),
                });
            }
        }
        // Merged, the role's own last.
        let mut extra = common.extra.clone().unwrap_or_default();
        extra.extend(own.extra.clone().unwrap_or_default());
        let field = own.max_tokens_field.clone();
        Ok(ResolvedRole {
            models,
            temperature: own.temperature.or(common.temperature),
            top_p: own.top_p.or(common.top_p),
            seed: own.seed.or(common.seed),
            max_tokens: own.max_tokens.or(common.max_tokens).unwrap_or(MAX_TOKENS),
            max_tokens_field: field
                .or_else(|| common.max_tokens_field.clone())
                .unwrap_or_else(|| "max_tokens".to_owned()),
            images: own
                .images
                .unwrap_or(common.images == Some(true) && name == MindRole::Diagnosis.name()),
            extra,
        })
    }

    /// The server named, or the only one there is.
    fn server_of(&self, own: &RoleSettings, common: &RoleSettings) -> Option<String> {
        let named = own.server.clone().or_else(|| common.server.clone());
        let only = || match self.servers.len() {
            1 => self.servers.keys().next().cloned(),
            _ => None,
        };
        named.or_else(only)
    }

    /// Everything that can be told without asking a server.
    pub fn check(&self) -> Result<(), SettingsError> {
        // Servers first: roles refer to them.
        for (name, server) in &self.servers {
            check_server(&format!("[llm.servers.{name}]"), server)?;
        }
        for (name, role) in &self.roles {
            let place = format!("[llm.roles.{name}]");
            let known: Option<MindRole> = name.parse().ok();
            if name != DEFAULT_ROLE && known.is_none() {
                let because = format!(
                    "there is no such role; use default, {}",
                    MindRole::list_names(MindRole::ALL)
                );
                return Err(SettingsError::Bad { place, because });
            }
            if role.model.as_deref() == Some(OWN) && !known.is_some_and(MindRole::is_distiller) {
                let roles = MindRole::list_names(MindRole::distillers());
                let because = format!("model: only {roles} can be left to the program");
                return Err(SettingsError::Bad { place, because });
            }
            if role.temperature.is_some_and(|t| !(0.0..=2.0).contains(&t)) {
                let because = "temperature: expected 0 to 2".to_owned();
                return Err(SettingsError::Bad { place, because });
            }
            if role.max_tokens == Some(0) {
                let because = "max_tokens: expected at least 1".to_owned();
                return Err(SettingsError::Bad { place, because });
            }
        }
        for (model, price) in &self.prices {
            let sound = |price: f64| price.is_finite() && price >= 0.0;
            if !sound(price.input) || !sound(price.output) {
                return Err(SettingsError::Bad {
                    place: format!("[llm.prices.{model:?}]"),
                    because: "expected money of zero or more".to_owned(),
                });
            }
        }
        if self
            .budget
            .money
            .is_some_and(|money| !(money.is_finite() && money >= 0.0))
        {
            return Err(SettingsError::Bad {
                place: "[llm.budget]".to_owned(),
                because: "money: expected zero or more".to_owned(),
            });
        }
        Ok(())
    }
}

fn check_server(place: &str, server: &ServerSettings) -> Result<(), SettingsError> {
    let bad = |because: String| {
        Err(SettingsError::Bad {
            place: place.to_owned(),
            because,
        })
    };
    let url = match reqwest::Url::parse(&server.base_url) {
        Ok(url) => url,
        Err(error) => return bad(format!("base_url `{}`: {error}", server.base_url)),
    };
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return bad(format!(
            "base_url `{}`: expected http:// or https:// and a host",
            server.base_url
        ));
    }
    // A key in an address would be shown in every error.
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
        return bad("base_url: keys do not belong there; use key_env or key_file".to_owned());
    }
    if server.key_env.is_some() && server.key_file.is_some() {
        return bad("key_env and key_file: give one of them".to_owned());
    }
    let has_key = server.key_env.is_some() || server.key_file.is_some();
    // Loopback does not leave the machine.
    if has_key && url.scheme() == "http" && !is_local(&url) && !server.plain_http {
        return bad(
            "the key would travel over plain HTTP; use https, or set plain_http = true".to_owned(),
        );
    }
    let times = [
        server.connect_s,
        server.first_token_s,
        server.idle_s,
        server.total_s,
    ];
    if times.contains(&0) || server.concurrency == 0 {
        return bad("times and concurrency: expected at least 1".to_owned());
    }
    Ok(())
}

fn is_local(url: &reqwest::Url) -> bool {
    matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"))
}
