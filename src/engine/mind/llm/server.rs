//! Servers: what this process knows of each, over all of its runs.
//!
//! How many answers are under way, what the server takes, and whether it is down. The second owner of
//! what is in the table is any other run of the process (an evaluation drives many): a limit per run
//! would not be a limit per server, and each would probe anew.

use super::fault::Part;
use super::known;
use super::settings::{ServerSettings, Structured};
use pithead_world::clock::{Clock, Millis};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;

/// How long a server that failed is passed over, if another can answer.
/// Long enough that an outage costs few waits, short enough that its end is noticed.
const DOWN_MS: u64 = 60_000;
/// Tokens of an answer below which its limit is not lowered; no plan is shorter.
const ROOM_MIN: u64 = 512;

/// How the form of an answer is asked for, best first.
/// The order matters: a refusal moves on to the next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Form {
    #[default]
    JsonSchema,
    JsonObject,
    Text,
}

impl Form {
    const ALL: [Self; 3] = [Self::JsonSchema, Self::JsonObject, Self::Text];

    /// The next best.
    fn next(self) -> Option<Self> {
        let at = Self::ALL.iter().position(|form| *form == self)?;
        Self::ALL.get(at + 1).copied()
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::JsonSchema => "json_schema",
            Self::JsonObject => "json_object",
            Self::Text => "text",
        }
    }
}

/// What a server takes of a request. It begins with everything, and each refusal takes one part away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Takes {
    /// The best form not refused yet.
    pub(super) form: Form,
    /// Counts tokens at the end of a stream when asked to.
    pub(super) counts_tokens: bool,
    pub(super) stream: bool,
    /// A message of its own for the instructions.
    pub(super) system: bool,
    /// Temperature, top_p and seed.
    pub(super) sampling: bool,
    /// Its own name for the limit of an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_tokens_field: Option<String>,
    /// The highest limit that it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_tokens: Option<u64>,
}

impl Default for Takes {
    fn default() -> Self {
        Self {
            form: Form::default(),
            counts_tokens: true,
            stream: true,
            system: true,
            sampling: true,
            max_tokens_field: None,
            max_tokens: None,
        }
    }
}

impl Takes {
    /// Without the part; false if it was left out already. `asked` is the limit of the answer asked for.
    fn leave_out(&mut self, part: &Part, asked: u64) -> bool {
        match part {
            Part::Usage => std::mem::take(&mut self.counts_tokens),
            Part::Stream => std::mem::take(&mut self.stream),
            Part::System => std::mem::take(&mut self.system),
            Part::Sampling => std::mem::take(&mut self.sampling),
            Part::MaxTokens(name) => {
                let before = self.max_tokens_field.replace(name.clone());
                // Renamed twice: the server refuses the field for another reason.
                before.is_none()
            }
            Part::Room => {
                let asked = self.max_tokens.map_or(asked, |known| known.min(asked));
                self.max_tokens = Some((asked / 2).max(ROOM_MIN));
                asked > ROOM_MIN
            }
            Part::Form => match self.form.next() {
                Some(next) => {
                    self.form = next;
                    true
                }
                None => false,
            },
        }
    }
}

/// What is known of a server and a model there.
#[derive(Debug)]
pub(super) struct Server {
    /// Of the server, whatever the model.
    /// Permits for answers under way; taken by every run of the process.
    pub(super) turns: Arc<Semaphore>,
    /// Runs learn from each other's refusals and outages.
    state: Mutex<ServerState>,
}

#[derive(Debug)]
struct ServerState {
    takes: Takes,
    /// Until when it is passed over, and why.
    down: Option<(Millis, String)>,
}

/// All that this process has met.
/// Never cleared: there are as many entries as servers in the config.
#[derive(Default)]
struct Met {
    /// By address.
    turns: BTreeMap<String, Arc<Semaphore>>,
    /// By address and model.
    servers: BTreeMap<(String, String), Arc<Server>>,
}

static MET: LazyLock<Mutex<Met>> = LazyLock::new(Mutex::default);

/// The server's entry; made at the first call, from what is known of it in the file.
pub(super) fn server_for(
    settings: &ServerSettings,
    model: &str,
    known: Option<&Path>,
) -> Arc<Server> {
    let key = (settings.base_url.clone(), model.to_owned());
    // Held only for the look-up; waiting happens at the semaphore.
    let mut met = MET.lock().unwrap_or_else(PoisonError::into_inner);
    let Met { turns, servers } = &mut *met;
    let turns = turns.entry(settings.base_url.clone()).or_insert_with(|| {
        let turns = usize::try_from(settings.concurrency).unwrap_or(1);
        Arc::new(Semaphore::new(turns))
    });
    let make = || {
        let found = known.and_then(|path| known::known_entry(path, settings, model));
        // The file is read only when a server is met first.
        Arc::new(Server {
            turns: Arc::clone(turns),
            state: Mutex::new(ServerState {
                takes: begin(settings, found),
                down: None,
            }),
        })
    };
    Arc::clone(servers.entry(key).or_insert_with(make))
}

/// What to begin with. What the operator sets goes before what was found.
fn begin(settings: &ServerSettings, found: Option<Takes>) -> Takes {
    let found = found.unwrap_or_default();
    let form = match settings.structured {
        Structured::Auto => found.form,
        Structured::JsonSchema => Form::JsonSchema,
        Structured::JsonObject => Form::JsonObject,
        Structured::Text => Form::Text,
    };
    Takes { form, ..found }
}

/// As if nothing were known of the server: it is found out anew.
pub(super) fn afresh(settings: &ServerSettings, model: &str, known: Option<&Path>) -> Arc<Server> {
    if let Some(path) = known {
        // Else the next process would believe the old entry.
        known::forget(path, settings, model);
    }
    let server = server_for(settings, model, None);
    // The table is changed in place: other runs hold the same entry.
    *server.lock() = ServerState {
        takes: begin(settings, None),
        down: None,
    };
    server
}

impl Server {
    fn lock(&self) -> MutexGuard<'_, ServerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What it takes, as far as is known.
    pub(super) fn takes(&self) -> Takes {
        self.lock().takes.clone()
    }

    /// The server refused this part of a request that was made so: never ask it so again. False if
    /// there is nothing left to leave out.
    pub(super) fn without(&self, part: &Part, asked: &Takes, max_tokens: u64) -> bool {
        let mut state = self.lock();
        if state.takes != *asked {
            // Another run learnt something meanwhile: that may be enough, and each refusal counts once.
            return true;
        }
        state.takes.leave_out(part, max_tokens)
    }

    /// Why it is passed over, if it is down.
    pub(super) fn down(&self) -> Option<String> {
        let now = Clock::System.now();
        let state = self.lock();
        let (until, because) = state.down.as_ref()?;
        (now < *until).then(|| because.clone())
    }

    /// It is down, or it has answered.
    pub(super) fn set_down(&self, because: Option<&str>) {
        let until = Millis(Clock::System.now().0 + DOWN_MS);
        self.lock().down = because.map(|because| (until, because.to_owned()));
    }
}
