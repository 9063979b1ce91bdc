//! Servers: what this process knows of each, over all of its runs.
//!
//! How many answers are under way, and which form the server takes. The second owner of what is in
//! the table is any other run of the process (an evaluation drives many): a limit per run would not
//! be a limit per server, and each would probe anew.

use super::client::Part;
use super::known;
use super::settings::{ServerSettings, Structured};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// How the form of an answer is asked for, best first.
/// The order matters: a refusal moves on to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    JsonSchema,
    JsonObject,
    Text,
}

impl Form {
    const ALL: [Self; 3] = [Self::JsonSchema, Self::JsonObject, Self::Text];

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::JsonSchema => "json_schema",
            Self::JsonObject => "json_object",
            Self::Text => "text",
        }
    }
}

/// What is known of a server and a model there.
#[derive(Debug)]
pub(super) struct Server {
    /// Of the server, whatever the model.
    /// Permits for answers under way; taken by every run of the process.
    pub(super) turns: Arc<Semaphore>,
    /// Index into `Form::ALL` of the best form not refused yet.
    /// Atomic: runs learn from each other's refusals without a lock.
    form: AtomicU8,
    /// Whether the server counts tokens at the end of a stream when asked to.
    counts: AtomicBool,
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
        let (form, counts) = begin(settings, found.as_ref());
        Arc::new(Server {
            turns: Arc::clone(turns),
            form: AtomicU8::new(form),
            counts: AtomicBool::new(counts),
        })
    };
    Arc::clone(servers.entry(key).or_insert_with(make))
}

/// The form to begin with, and whether tokens are to be counted. What the operator sets goes before
/// what was found.
fn begin(settings: &ServerSettings, found: Option<&known::Entry>) -> (u8, bool) {
    let index = |form: Form| form as u8;
    let form = match settings.structured {
        Structured::Auto => found.and_then(known::Entry::form).map_or(0, index),
        Structured::JsonSchema => index(Form::JsonSchema),
        Structured::JsonObject => index(Form::JsonObject),
        Structured::Text => index(Form::Text),
    };
    (form, found.is_none_or(known::Entry::counts_tokens))
}

/// As if nothing were known of the server: it is found out anew.
pub(super) fn afresh(settings: &ServerSettings, model: &str, known: Option<&Path>) -> Arc<Server> {
    if let Some(path) = known {
        // Else the next process would believe the old entry.
        known::forget(path, settings, model);
    }
    let server = server_for(settings, model, None);
    // The table is changed in place: other runs hold the same entry.
    let (form, counts) = begin(settings, None);
    server.form.store(form, Ordering::Release);
    server.counts.store(counts, Ordering::Release);
    server
}

impl Server {
    pub(super) fn form(&self) -> Form {
        let at = usize::from(self.form.load(Ordering::Acquire));
        Form::ALL.get(at).copied().unwrap_or(Form::Text)
    }

    pub(super) fn counts(&self) -> bool {
        self.counts.load(Ordering::Acquire)
    }

    /// The server refused this part of a request made in this form: never ask it so again. False if
    /// there is nothing left to leave out.
    /// By the form that was asked: several requests may be refused at once, and each
    /// refusal must count only once.
    pub(super) fn without(&self, part: Part, asked: Form) -> bool {
        match part {
            Part::Usage => self.counts.swap(false, Ordering::AcqRel),
            Part::Form if asked == Form::Text => false,
            Part::Form => {
                let next = Form::ALL
                    .iter()
                    .position(|form| *form == asked)
                    .unwrap_or(0)
                    + 1;
                let next = u8::try_from(next).unwrap_or(u8::MAX);
                // `fetch_max`: a late refusal never goes back to a better form.
                self.form.fetch_max(next, Ordering::AcqRel);
                true
            }
        }
    }
}
