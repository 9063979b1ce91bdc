//! State of the knowledge screens: what was read to its end, what was sent, and what lies over them.

use crate::cache::Cache;
use crate::screens::knowledge::study_result::StudyResult;
use crate::widgets::editor::Editor;
use pithead_core::domain::knowledge::{Body, Entry};
use pithead_core::domain::run::event::Event;
use pithead_core::knowledge::life;
use pithead_core::knowledge::life::ChangeRequest;
use pithead_engine::runtime::operator::curate::Curation;
use pithead_world::ids::KnowledgeId;
use std::collections::BTreeMap;

/// What is chosen about entries beyond their list.
#[derive(Debug, Clone, Default)]
pub struct KnowledgeState {
    /// The text that is being saved: it comes back if it is refused.
    pub sent: Option<(KnowledgeId, Box<Editor>)>,
    /// What was looked into in the background.
    pub studies: Studies,
    /// What entries said when their end was on the screen.
    pub read: BTreeMap<KnowledgeId, Body>,
}

/// Entries of which that is remembered.
pub(crate) const READ_MAX: usize = 200;

impl KnowledgeState {
    /// The end of an entry has been on the screen.
    pub(crate) fn has_read(&mut self, entry: &Entry) {
        self.read.insert(entry.id, entry.body.clone());
        while self.read.len() > READ_MAX {
            self.read.pop_first();
        }
    }

    /// What an entry says now was read to its end; another text under its name was not.
    pub(crate) fn was_read(&self, entry: &Entry) -> bool {
        self.read.get(&entry.id) == Some(&entry.body)
    }
}

/// What is to become of an entry.
#[derive(Debug, Clone, PartialEq)]
pub enum EntryAction {
    Approve,
    Veto,
    Retire,
    Restore,
    Edit(Box<Body>),
    /// The content that it had in this version.
    RollBack(u32),
    /// It becomes part of the other.
    MergeInto(KnowledgeId),
    /// Both stand as they are.
    KeepBeside(KnowledgeId),
}

/// One change, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryRequest {
    pub id: KnowledgeId,
    /// Other entries to which the same is done, each by itself.
    pub also: Vec<KnowledgeId>,
    pub what: EntryAction,
    pub reason: String,
}

pub(crate) fn gone(id: KnowledgeId) -> String {
    format!("{id} is no longer in the database")
}

impl EntryAction {
    /// The events that this comes to, none if it is so already, or why it cannot be.
    pub fn events<'a>(
        &self,
        entry: &Entry,
        find: impl Fn(KnowledgeId) -> Option<&'a Entry>,
        request: &ChangeRequest,
    ) -> Result<Vec<Event>, String> {
        self.change().events(entry, find, request)
    }

    /// As the operator's module takes it.
    #[must_use]
    pub fn change(&self) -> Curation {
        match self {
            Self::Approve => Curation::Approve,
            Self::Veto => Curation::Veto,
            Self::Retire => Curation::Retire,
            Self::Restore => Curation::Restore,
            Self::Edit(body) => Curation::Edit(body.clone()),
            Self::RollBack(version) => Curation::RollBack(*version),
            Self::MergeInto(into) => Curation::MergeInto(*into),
            Self::KeepBeside(id) => Curation::KeepBeside(*id),
        }
    }

    /// Why it would change nothing, if it would not.
    #[must_use]
    pub fn refused(&self, cache: &Cache, id: KnowledgeId) -> Option<String> {
        let Some(entry) = cache.entry(id) else {
            return Some(gone(id));
        };
        let find = |id| cache.entry(id).map(AsRef::as_ref);
        let request = ChangeRequest {
            by: String::new(),
            reason: String::new(),
        };
        match self.events(entry, find, &request) {
            Err(because) => Some(because),
            Ok(events) if events.is_empty() => Some(match self {
                Self::Edit(_) => format!("nothing of {id} was changed"),
                Self::RollBack(version) => {
                    format!("{id} already says what it said in version {version}")
                }
                Self::KeepBeside(other) => format!("{id} and {other} are already both kept"),
                _ => format!("{id} is {} already", entry.status.name()),
            }),
            Ok(_) => None,
        }
    }

    /// The question's verb, and what stands behind the entry's name.
    #[must_use]
    pub fn question(&self, name: &str) -> String {
        match self {
            Self::Approve => format!("Approve {name}?"),
            Self::Veto => format!("Veto {name}?"),
            Self::Retire => format!("Retire {name}?"),
            Self::Restore => format!("Bring back {name}?"),
            Self::Edit(_) => format!("Save {name}?"),
            Self::RollBack(version) => format!("Take {name} back to version {version}?"),
            Self::MergeInto(other) => format!("Merge into {other}: {name}?"),
            Self::KeepBeside(other) => format!("Keep both, {other} and {name}?"),
        }
    }

    /// One or two words for the key that does it.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Veto => "veto",
            Self::Retire => "retire",
            Self::Restore => "bring back",
            Self::Edit(_) => "save",
            Self::RollBack(_) => "roll back",
            Self::MergeInto(_) => "merge",
            Self::KeepBeside(_) => "keep both",
        }
    }

    /// The reason that holds if none is typed; empty where one has to be given.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Veto | Self::Retire | Self::KeepBeside(_) => "",
            Self::Approve => "approved",
            Self::Restore | Self::RollBack(_) => "restored",
            Self::Edit(_) => "edited",
            Self::MergeInto(_) => "merged",
        }
    }

    /// What it means.
    #[must_use]
    pub fn means(&self, entry: &Entry, is_asked: bool) -> String {
        let later = "Runs in progress keep what they were given.";
        match self {
            Self::Approve => "Later runs are given it.".to_owned(),
            Self::Veto => {
                "It never comes back on its own. The reason is stored with it and given to the mind."
                    .to_owned()
            }
            Self::Retire => format!("Later runs are not given it. {later}"),
            Self::Restore => {
                let request = ChangeRequest {
                    by: String::new(),
                    reason: String::new(),
                };
                let to = match life::restore(entry, &request).as_deref() {
                    Ok([Event::KnowledgeMoved { to, .. }]) => to.name(),
                    _ => entry.status.name(),
                };
                format!("It is {to} again.")
            }
            Self::Edit(_) if is_asked => {
                "Its run asks about it: it is approved there in this form.".to_owned()
            }
            Self::Edit(_) | Self::RollBack(_) => {
                format!("It becomes version {}. {later}", entry.version + 1)
            }
            Self::MergeInto(other) => format!(
                "{other} takes its evidence, its record and its further requirements; {} is superseded. To undo that, open {} on the Knowledge screen (4) and press R.",
                entry.id, entry.id
            ),
            Self::KeepBeside(_) => {
                "They leave the queue until one of them changes.".to_owned()
            }
        }
    }
}

/// What is about to be done, when its reason is given.
#[derive(Debug, Clone, PartialEq)]
pub struct ReasonPrompt {
    pub id: KnowledgeId,
    /// Other marked entries to which the same is done.
    pub also: Vec<KnowledgeId>,
    pub what: EntryAction,
    /// What is typed; while it is empty, the usual reason of the action holds.
    pub text: String,
    /// What lint says of it, short of errors.
    pub remarks: Vec<String>,
}

/// What is looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StudyKind {
    /// What it would have blocked of all recorded attempts; of what blocks nothing, how runs with it ended.
    Backtest,
    /// Runs with and without it.
    Trial,
    /// Runs that had it, beside those that had not.
    Effect,
    /// What an edit that is not saved yet would change of the backtest.
    Edit,
}

impl StudyKind {
    pub const ALL: [Self; 4] = [Self::Backtest, Self::Trial, Self::Effect, Self::Edit];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Backtest => "backtest",
            Self::Trial => "trial",
            Self::Effect => "effect",
            Self::Edit => "backtest of the edit",
        }
    }
}

/// How far it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Study {
    UnderWay {
        /// The operator asked for it; what begins by itself ends without a word.
        is_asked: bool,
    },
    /// What came of it, and the version of the entry that it is about.
    Over {
        version: u32,
        found: Result<StudyResult, String>,
    },
}

/// All that were asked for in this session.
pub type Studies = BTreeMap<(KnowledgeId, StudyKind), Study>;
