//! The llm mind: language models behind servers that speak OpenAI's chat completions.
//!
//! A question becomes a prompt, the prompt a request, the answer plain text; reading and judging
//! it is the asker's business. Async lives here and ends here.

mod attempt_slots;
pub mod catalogue;
mod client;
mod completion;
mod fault;
mod known;
mod plan_slots;
pub mod probe;
pub mod prompt;
#[cfg(test)]
mod prompt_tests;
mod request;
mod retry;
mod schema;
mod secret;
mod server;
pub mod settings;
pub mod slots;
mod sse;
mod state_slot;
mod study_slots;

use super::watch::{AnswerProgress, AnswerStage, Watch};
use super::{Mind, MindQuestion, MindReply, Silence};
use client::Client;
use fault::{FaultKind, TryFault};
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::mind::spending::{Allowance, Estimate, MICROS, Spent, money};
use pithead_world::clock::Clock;
use pithead_world::ids::CallId;
use pithead_world::rng::{Rng, Streams};
use prompt::{Prompt, Prompts};
use retry::{Telling, Tried};
use settings::{LlmSettings, Model, Price, ResolvedRole};

/// A mind made of language models.
#[derive(Debug)]
pub struct Llm {
    settings: LlmSettings,
    prompts: Prompts,
    runtime: tokio::runtime::Runtime,
    /// By server, made at the first question to it.
    clients: std::collections::BTreeMap<String, Client>,
    rng: Rng,
}

/// What became of one model's turn.
struct Turn {
    result: Result<String, TryFault>,
    spent: Spent,
}

/// Why the models of a role gave no answer, one after the other.
#[derive(Default)]
struct Faults {
    /// Of every model.
    told: Vec<String>,
    /// Of answers alone, which are the model's own affair.
    answers: Vec<String>,
    lasting: bool,
}

impl Faults {
    fn add(&mut self, model: &Model, fault: &TryFault) {
        self.told.push(told(model, &fault.because));
        match fault.kind {
            FaultKind::Answer | FaultKind::Cancelled => self.answers.push(fault.because.clone()),
            FaultKind::Lasting | FaultKind::TooLong | FaultKind::Unsupported(_) => {
                self.lasting = true;
            }
            FaultKind::Passing { .. } => (),
        }
    }

    fn text(&self) -> String {
        self.told.join("; ")
    }

    /// A model that answered uselessly is asked again; one that could not be asked is not.
    fn silence(&self) -> Silence {
        if !self.answers.is_empty() {
            return Silence::Failed(self.answers.join("; "));
        }
        Silence::Unavailable {
            because: self.text(),
            lasting: self.lasting,
        }
    }
}

fn told(model: &Model, because: &str) -> String {
    format!("{}/{}: {because}", model.server, model.model)
}

impl Llm {
    /// The mind of these settings, with the prompts of a system. A model given goes before that of
    /// `roles.default`; `seed` spreads the waits between tries.
    pub fn new(
        mut settings: LlmSettings,
        system: &str,
        model: Option<&str>,
        seed: u64,
    ) -> Result<Self, String> {
        if let Some(model) = model {
            let common = settings.roles.entry(settings::DEFAULT_ROLE.to_owned());
            common.or_default().model = Some(model.to_owned());
        }
        let prompts = Prompts::for_system(system, settings.prompts.as_deref())?;
        // A role that nothing answers is to be known before the run begins.
        for role in MindRole::ALL
            .into_iter()
            .filter(|role| settings.is_asked(*role))
        {
            settings.role(role).map_err(|error| error.to_string())?;
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| format!("the mind's runtime could not be started: {error}"))?;
        Ok(Self {
            settings,
            prompts,
            runtime,
            clients: std::collections::BTreeMap::new(),
            rng: Streams(seed).get("llm"),
        })
    }

    fn client(&mut self, server: &str) -> Result<Client, String> {
        if let Some(client) = self.clients.get(server) {
            return Ok(client.clone());
        }
        let settings = self.settings.servers.get(server);
        let settings = settings.ok_or_else(|| format!("there is no server `{server}`"))?;
        let client = Client::new(settings)?;
        self.clients.insert(server.to_owned(), client.clone());
        Ok(client)
    }

    /// Why the question is not to be put, if it might cost more than is allowed.
    fn withheld(
        &self,
        allowance: Allowance,
        prompt: &Prompt,
        role: &ResolvedRole,
    ) -> Option<String> {
        let (tokens_in, tokens_out) = (prompt.tokens, role.max_tokens);
        let worst = self.worst(prompt, role);
        if let Some(left) = allowance.tokens.filter(|left| worst.tokens > *left) {
            return Some(format!(
                "the budget of tokens would be crossed: {left} are left, and this question may take \
                 {tokens_in} and its answer {tokens_out}"
            ));
        }
        let left = allowance.micros?;
        let Some(micros) = worst.micros else {
            let unpriced = |model: &&Model| !self.settings.prices.contains_key(&model.model);
            let model = role.models.iter().find(unpriced);
            let name = model.map_or("", |model| &model.model);
            return Some(format!(
                "there is a budget of money, and `{name}` has no price; add [llm.prices.\"{name}\"]"
            ));
        };
        (micros > left).then(|| {
            format!(
                "the budget of money would be crossed: {} is left, and this question may cost {}",
                money(left),
                money(micros)
            )
        })
    }

    /// What the dearest model of the role would cost for its longest answer.
    fn worst(&self, prompt: &Prompt, role: &ResolvedRole) -> Estimate {
        let costs = role.models.iter().map(|model| {
            let price = self.settings.prices.get(&model.model)?;
            Some(cost(*price, prompt.tokens, role.max_tokens))
        });
        let costs: Option<Vec<u64>> = costs.collect();
        Estimate {
            tokens: prompt.tokens.saturating_add(role.max_tokens),
            micros: costs.map(|costs| costs.into_iter().max().unwrap_or(0)),
        }
    }

    /// The models of the role, one after the other, until one answers. One that is down is passed over,
    /// unless all of them are.
    fn ask(
        &mut self,
        call: CallId,
        prompt: &Prompt,
        role: &ResolvedRole,
        watch: &Watch,
    ) -> MindReply {
        let mut total: Option<Spent> = None;
        let mut faults = Faults::default();
        let down: Vec<Option<String>> = role.models.iter().map(|model| self.down(model)).collect();
        let all_down = down.iter().all(Option::is_some);
        for (model, down) in role.models.iter().zip(down) {
            if let Some(because) = down.filter(|_| !all_down) {
                faults
                    .told
                    .push(told(model, &format!("passed over after: {because}")));
                continue;
            }
            let turn = match self.turn(call, prompt, role, model, watch) {
                Ok(turn) => turn,
                Err(because) => {
                    faults.add(model, &TryFault::lasting(because));
                    continue;
                }
            };
            let fallback = (!faults.told.is_empty()).then(|| faults.text());
            total = Some(added(total, turn.spent, fallback));
            match turn.result {
                Ok(text) => {
                    return MindReply {
                        result: Ok(text),
                        spent: total.map(Box::new),
                    };
                }
                Err(fault) => faults.add(model, &fault),
            }
            if watch.is_cancelled(call) {
                break;
            }
        }
        MindReply {
            result: Err(faults.silence()),
            spent: total.map(Box::new),
        }
    }

    /// Why the model's server is passed over, if it failed a moment ago.
    fn down(&self, model: &Model) -> Option<String> {
        let settings = self.settings.servers.get(&model.server)?;
        server::server_for(settings, &model.model, self.settings.known.as_deref()).down()
    }

    fn turn(
        &mut self,
        call: CallId,
        prompt: &Prompt,
        role: &ResolvedRole,
        model: &Model,
        watch: &Watch,
    ) -> Result<Turn, String> {
        let client = self.client(&model.server)?;
        let place = self.settings.known.clone();
        let server = server::server_for(&client.settings, &model.model, place.as_deref());
        let before = server.takes();
        let began = Clock::System.now();
        let telling = Telling {
            watch,
            progress: AnswerProgress {
                call,
                role: prompt.role,
                model: model.model.clone(),
                stage: AnswerStage::Queued,
                since: began.0,
            },
        };
        let stream = client.settings.stream;
        let body = |takes: &_| request::chat(prompt, role, model, takes, stream);
        let asked = (body, role.max_tokens);
        let tried =
            self.runtime
                .block_on(retry::ask(&client, &server, &telling, &mut self.rng, asked));
        if let Some(place) = place.filter(|_| before != server.takes()) {
            known::keep(&place, &client.settings, &model.model, &server);
        }
        let price = self.settings.prices.get(&model.model).copied();
        let ms = Clock::System.now().since(began);
        let spent = charge(prompt, model, &tried, price, ms);
        match tried.result.as_ref().map_err(|fault| &fault.kind) {
            Err(FaultKind::Passing { .. } | FaultKind::Lasting | FaultKind::Unsupported(_)) => {
                let because = tried.result.as_ref().err().map(|fault| &*fault.because);
                server.set_down(because);
            }
            // It was there, whatever it said.
            Ok(_) | Err(FaultKind::Answer | FaultKind::TooLong) => server.set_down(None),
            Err(FaultKind::Cancelled) => (),
        }
        let result = tried.result.map(|done| client.scrubbed(done.said()));
        Ok(Turn { result, spent })
    }
}

/// What a turn cost: as the server counted, else by estimate.
fn charge(prompt: &Prompt, model: &Model, tried: &Tried, price: Option<Price>, ms: u64) -> Spent {
    let done = tried.result.as_ref().ok();
    let counted = done.and_then(|done| Some((done.tokens_in?, done.tokens_out?)));
    let estimate = |text: &str| prompt::tokens(text);
    let (tokens_in, tokens_out) = match (counted, done) {
        (Some(counted), _) => counted,
        (None, Some(done)) => (prompt.tokens, estimate(done.said())),
        // Nothing came, so nothing is known to have been charged; what broke off is in `lost`.
        (None, None) if tried.lost > 0 => (prompt.tokens, 0),
        (None, None) => (0, 0),
    };
    let tokens_out = tokens_out + tried.lost;
    Spent {
        role: prompt.role,
        server: model.server.clone(),
        model: model.model.clone(),
        tokens_in,
        tokens_out,
        // Where nothing came, nothing had to be estimated.
        counted: (counted.is_some() || done.is_none()) && tried.lost == 0,
        micros: price.map(|price| cost(price, tokens_in, tokens_out)),
        tries: tried.tries,
        first_token_ms: done.and_then(|done| done.first_token_ms),
        ms,
        form: tried.form.name().to_owned(),
        tokens_cached: done.and_then(|done| done.tokens_cached),
        fallback: None,
    }
}

/// The costs of several models for one answer; the last is the one that counts.
fn added(before: Option<Spent>, now: Spent, fallback: Option<String>) -> Spent {
    let Some(before) = before else {
        return Spent { fallback, ..now };
    };
    Spent {
        tokens_in: before.tokens_in + now.tokens_in,
        tokens_out: before.tokens_out + now.tokens_out,
        counted: before.counted && now.counted,
        micros: before.micros.zip(now.micros).map(|(a, b)| a + b),
        tries: before.tries + now.tries,
        ms: before.ms + now.ms,
        tokens_cached: now.tokens_cached.or(before.tokens_cached),
        fallback,
        ..now
    }
}

/// Money for so many tokens, rounded up.
fn cost(price: Price, tokens_in: u64, tokens_out: u64) -> u64 {
    // A price is for a million tokens and a micro is a millionth: they cancel.
    let micros = price.input * tokens_in as f64 + price.output * tokens_out as f64;
    micros.ceil().clamp(0.0, MICROS * MICROS) as u64
}

impl Mind for Llm {
    fn name(&self) -> String {
        let model = self.settings.default_role().ok();
        let model = model.and_then(|role| role.models.into_iter().next());
        model.map_or("llm".to_owned(), |m| {
            format!("llm:{}/{}", m.server, m.model)
        })
    }

    fn answer(&mut self, ask: &Ask) -> Result<String, String> {
        let reply = self.think(&MindQuestion {
            call: CallId(1),
            ask,
            picture: None,
            allowance: Allowance::default(),
            watch: &Watch::new(),
        });
        reply.result.map_err(|silence| silence.because().to_owned())
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn is_language_model(&self) -> bool {
        true
    }

    fn takes_pictures(&self, role: MindRole) -> bool {
        self.settings.role(role).is_ok_and(|role| role.images)
    }

    fn distils(&self) -> Vec<MindRole> {
        MindRole::distillers()
            .filter(|role| self.settings.is_asked(*role))
            .collect()
    }

    fn estimate(&mut self, question: &MindQuestion<'_>) -> Estimate {
        let prompt = self.prompts.of_ask(question.ask);
        let prompt = prompt.map(|prompt| prompt.with_picture(question.picture));
        match prompt.map(|prompt| (self.settings.role(prompt.role), prompt)) {
            Ok((Ok(role), prompt)) => self.worst(&prompt, &role),
            // It will not be asked at all.
            Ok((Err(_), _)) | Err(_) => Estimate::NOTHING,
        }
    }

    fn think(&mut self, question: &MindQuestion<'_>) -> MindReply {
        let silent = |silence| MindReply {
            result: Err(silence),
            spent: None,
        };
        let prompt = match self.prompts.of_ask(question.ask) {
            Ok(prompt) => prompt.with_picture(question.picture),
            Err(fault) => return silent(Silence::Failed(fault.to_string())),
        };
        let role = match self.settings.role(prompt.role) {
            Ok(role) => role,
            Err(fault) => return silent(Silence::Failed(fault.to_string())),
        };
        if let Some(because) = self.withheld(question.allowance, &prompt, &role) {
            return silent(Silence::Withheld(because));
        }
        self.ask(question.call, &prompt, &role, question.watch)
    }
}
