//! The base of an evaluation: the entries and options that each episode begins with, from a database or an export.
//!
//! Invariant: what acts or ranks differently has another digest, so that results with another base
//! are never taken for results with this one.

use super::base_kinds::{BaseKind, BaseKinds};
use crate::journal::{EntryFilter, Journal, JournalError};
use crate::runtime::review;
use pithead_core::domain::experience::shared_options::OptionsOfOrigin;
use pithead_core::domain::knowledge::title::title_of;
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::plan::note::Severity;
use pithead_core::domain::run::event::Event;
use pithead_core::knowledge::exchange::own;
use pithead_core::knowledge::exchange::{
    self, ExchangeFormat, ImportFault, ImportSource, OWN_FILE_BYTES_MAX,
};
use pithead_core::text::untrusted_file::read_text;
use pithead_world::clock::Millis;
use pithead_world::ids::{KnowledgeId, RunId};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a database begins.
const DATABASE_MARK: &[u8; 16] = b"SQLite format 3\0";
/// Run numbers leave half of their range to the episodes.
const RUN_MAX: u64 = 1 << 30;
/// Faults that are named when a file is refused.
const FAULTS_NAMED_MAX: usize = 5;

/// Why episodes cannot begin with a file.
#[derive(Debug, thiserror::Error)]
pub enum BaseError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("could not read {path}: {source}")]
    File {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{0}; --kb takes a Pithead database or a file of `pithead kb export`")]
    Import(ImportFault),
    #[error(
        "{path} is not used because it has errors; correct them, or add --anyway\n{}",
        errors.join("\n")
    )]
    Lint { path: PathBuf, errors: Vec<String> },
    #[error("{path} is not used: {because}")]
    Ids { path: PathBuf, because: String },
    #[error(
        "{file} holds no active entry of {kinds} (`option` is a kind too); `--kb none` begins without knowledge"
    )]
    Empty { file: String, kinds: String },
}

/// The active entries of a file, and what was tried in its database.
#[derive(Debug)]
pub struct BaseFile {
    file: String,
    entries: Vec<Entry>,
    options: Vec<OptionsOfOrigin>,
}

impl BaseFile {
    /// Reads a database, or an export of one; `anyway` accepts entries of an export that lint finds errors in.
    pub fn read(path: &Path, anyway: bool) -> Result<Self, BaseError> {
        let (mut entries, options) = if is_database(path)? {
            let filter = EntryFilter {
                status: Some(Status::Active),
                kind: None,
            };
            let journal = Journal::look(path)?;
            let newest = journal.runs()?.iter().map(|run| run.id).max();
            let options = journal.options_by_origin(newest.unwrap_or(RunId(0)))?;
            (journal.knowledge(filter)?, options)
        } else {
            read_export(path, anyway)?
        };
        entries.sort_by_key(|entry| entry.id);
        check_ids(path, &entries)?;
        for entry in &mut entries {
            // How it came to be what it is does not act.
            entry.history.clear();
        }
        Ok(Self {
            file: path.display().to_string(),
            entries,
            options,
        })
    }

    /// What is of these kinds, as a base.
    pub fn select(&self, kinds: &BaseKinds) -> Result<Base, BaseError> {
        let is_wanted = |entry: &&Entry| kinds.holds(&entry.body);
        let entries: Vec<Entry> = self.entries.iter().filter(is_wanted).cloned().collect();
        let options = if kinds.holds_options() {
            self.options.clone()
        } else {
            Vec::new()
        };
        if entries.is_empty() && options.is_empty() {
            return Err(BaseError::Empty {
                file: self.file.clone(),
                kinds: kinds.to_string(),
            });
        }
        let mut counts = BTreeMap::new();
        for entry in &entries {
            let name = BaseKind::of_body(&entry.body).name().to_owned();
            *counts.entry(name).or_default() += 1;
        }
        let records: usize = options.iter().map(|origin| origin.records.len()).sum();
        if records > 0 {
            counts.insert(BaseKind::Option.name().to_owned(), records as u64);
        }
        Ok(Base {
            label: BaseLabel {
                file: self.file.clone(),
                kinds: kinds.to_string(),
                digest: digest(&entries, &options),
                entries: counts,
            },
            entries: Arc::new(entries),
            options: Arc::new(options),
        })
    }
}

/// What is said of a base in results, and kept with them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseLabel {
    /// As it was typed.
    pub file: String,
    /// The kinds that were asked for.
    pub kinds: String,
    /// SHA-256 of the entries and options, in hexadecimal digits.
    pub digest: String,
    /// How many of each kind there are, options among them.
    pub entries: BTreeMap<String, u64>,
}

impl std::fmt::Display for BaseLabel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts = self.entries.iter().map(|(kind, n)| format!("{n} {kind}"));
        let counts: Vec<String> = counts.collect();
        let digest = self.short_digest();
        write!(f, "{} ({}; digest {digest})", self.file, counts.join(", "))
    }
}

impl BaseLabel {
    /// Enough to tell the bases of one evaluation apart.
    #[must_use]
    pub fn short_digest(&self) -> &str {
        self.digest.get(..8).unwrap_or(&self.digest)
    }
}

/// What each episode begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct Base {
    pub label: BaseLabel,
    entries: Arc<Vec<Entry>>,
    options: Arc<Vec<OptionsOfOrigin>>,
}

impl Base {
    /// The active entries and options of a life, to be examined; none if there are none.
    pub(super) fn from_life(entries: Vec<Entry>, options: Vec<OptionsOfOrigin>) -> Option<Self> {
        let file = BaseFile {
            file: "the knowledge of a life".to_owned(),
            entries,
            options,
        };
        file.select(&BaseKinds::all()).ok()
    }

    /// The base of results that are only read, without its entries.
    #[must_use]
    pub(super) fn known_by_label(label: BaseLabel) -> Self {
        Self {
            label,
            entries: Arc::default(),
            options: Arc::default(),
        }
    }

    /// The first number for an episode's run: above all that its entries name, so that what an episode learns
    /// takes the place of nothing.
    pub(super) fn first_run(&self) -> u64 {
        let named = self.entries.iter().flat_map(runs_named);
        named.max().map_or(1, |run| run.0 + 1)
    }

    /// Writes it into an empty journal, for runs from this one on. The evidence is as old as if the newest came now,
    /// so that an evaluation that is resumed next week ranks entries in the same way and its last episode weighs
    /// options as its first does.
    pub(super) fn write_into(
        &self,
        journal: &mut Journal,
        (now, first): (Millis, RunId),
    ) -> Result<(), JournalError> {
        let last = |entry: &Entry| entry.outcomes.last;
        let newest = self.entries.iter().filter_map(last).max();
        let propose = |entry: &Entry| {
            let mut entry = Box::new(entry.clone());
            if let (Some(newest), Some(last)) = (newest, entry.outcomes.last) {
                entry.outcomes.last = Some(Millis(now.0.saturating_sub(newest.since(last))));
            }
            Event::KnowledgeProposed { entry }
        };
        let import = |options: &OptionsOfOrigin| Event::OptionsImported {
            options: Box::new(options.clone()),
            after: RunId(first.0.saturating_sub(1)),
            source: self.label.file.clone(),
            by: "eval".to_owned(),
        };
        let entries = self.entries.iter().map(propose);
        let events: Vec<Event> = entries.chain(self.options.iter().map(import)).collect();
        let _ = journal.curate(now, |_| Ok(events.clone()))?;
        Ok(())
    }
}

fn runs_named(entry: &Entry) -> impl Iterator<Item = RunId> {
    let evidence = entry.provenance.experiences.iter().map(|id| id.run);
    std::iter::once(entry.id.run).chain(evidence)
}

/// Of what acts and what ranks; of entries alone it is as it was before there were options.
fn digest(entries: &[Entry], options: &[OptionsOfOrigin]) -> String {
    let mut hash = Sha256::new();
    for entry in entries {
        let parts = (
            entry.id,
            &entry.body,
            &entry.outcomes,
            &entry.provenance.experiences,
        );
        let text = serde_json::to_string(&parts).expect("entries are stored as JSON elsewhere too");
        hash.update(text.as_bytes());
        hash.update(b"\n");
    }
    for origin in options {
        let text = serde_json::to_string(origin).expect("options are stored as JSON elsewhere too");
        hash.update(text.as_bytes());
        hash.update(b"\n");
    }
    let bytes = hash.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_database(path: &Path) -> Result<bool, BaseError> {
    let fault = |source| BaseError::File {
        path: path.to_owned(),
        source,
    };
    // A pipe would be waited for; the reader of exports refuses it by name.
    if !std::fs::metadata(path).map_err(fault)?.is_file() {
        return Ok(false);
    }
    let mut first = Vec::new();
    let file = std::fs::File::open(path).map_err(fault)?;
    let mark = DATABASE_MARK.len() as u64;
    file.take(mark).read_to_end(&mut first).map_err(fault)?;
    Ok(first == DATABASE_MARK)
}

/// The active entries of an export, cleaned and looked at like those of an import, and its options.
fn read_export(path: &Path, anyway: bool) -> Result<(Vec<Entry>, Vec<OptionsOfOrigin>), BaseError> {
    let fault = |source| BaseError::File {
        path: path.to_owned(),
        source,
    };
    let source = ImportSource {
        path: path.display().to_string(),
        text: read_text(path, OWN_FILE_BYTES_MAX).map_err(fault)?,
        folder: String::new(),
        beside: Vec::new(),
    };
    let whole = own::read_entries(&source).map_err(BaseError::Import)?;
    let options = own::read_options(&source).map_err(BaseError::Import)?;
    // Once more as an import reads it, which cleans the texts; an import would leave out record and status.
    let drafts = exchange::read_source(ExchangeFormat::Own, &source).map_err(BaseError::Import)?;
    let both = whole.into_iter().zip(drafts);
    let entries: Vec<Entry> = both
        .filter(|(entry, _)| entry.status == Status::Active)
        .map(|(mut entry, draft)| {
            entry.title = title_of(&draft.body);
            entry.body = draft.body;
            entry.provenance.task = draft.task;
            entry
        })
        .collect();
    let errors: Vec<String> = entries.iter().flat_map(lint_errors).collect();
    if errors.is_empty() || anyway {
        return Ok((entries, options));
    }
    let path = path.to_owned();
    let errors = errors.into_iter().take(FAULTS_NAMED_MAX).collect();
    Err(BaseError::Lint { path, errors })
}

fn lint_errors(entry: &Entry) -> Vec<String> {
    let remarks = review::remarks(&entry.body, Some(entry.id), [], None);
    let wrong = remarks
        .into_iter()
        .filter(|remark| remark.severity == Severity::Error);
    wrong
        .map(|remark| format!("{}: {}: {}", entry.title, remark.code, remark.message))
        .collect()
}

fn check_ids(path: &Path, entries: &[Entry]) -> Result<(), BaseError> {
    let fault = |because| {
        let path = path.to_owned();
        Err(BaseError::Ids { path, because })
    };
    let mut seen: BTreeSet<KnowledgeId> = BTreeSet::new();
    for entry in entries {
        if !seen.insert(entry.id) {
            return fault(format!("two of its entries have the id {}", entry.id));
        }
        if let Some(run) = runs_named(entry).find(|run| run.0 > RUN_MAX) {
            return fault(format!("{} names run {run}, beyond {RUN_MAX}", entry.id));
        }
    }
    Ok(())
}
