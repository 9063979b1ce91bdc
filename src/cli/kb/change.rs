//! What all commands that change entries share: their options, the dry run, and the answer.

use super::super::options::Database;
use super::find::find_entry;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_document;
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::plan::note::Severity;
use pithead_core::knowledge::lint::Remark;
use pithead_core::knowledge::reading;
use pithead_core::text::clean::clean_lines;
use pithead_engine::journal::EntryFilter;
use pithead_engine::runtime::operator::OperatorError;
use pithead_engine::runtime::operator::answer::answer_entry;
use pithead_engine::runtime::operator::curate::{
    self, Changed, Curation, EntryChange, OnErrors, preview_change,
};
use pithead_world::ids::KnowledgeId;
use serde::Serialize;
use std::path::Path;

/// How a change is made and reported.
#[derive(Debug, clap::Args)]
pub(super) struct ChangeOptions {
    /// Say what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) database: Database,
}

/// The answer; the JSON form is stable.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    pub(super) schema: u32,
    pub(super) id: KnowledgeId,
    pub(super) status: Status,
    pub(super) version: u32,
    /// False if it was so already.
    pub(super) changed: bool,
    pub(super) dry_run: bool,
    /// The remarks of lint.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) remarks: Vec<Remark>,
}

impl ChangeOptions {
    pub(super) fn is_dry(&self) -> bool {
        self.dry_run
    }

    /// All entries, as they are before the change.
    pub(super) fn base(&self) -> Result<Vec<Entry>, CommandError> {
        Ok(self
            .database
            .open_read_only()?
            .knowledge(EntryFilter::default())?)
    }

    /// Makes a change of one entry, or says what it would come to, and prints the answer.
    pub(super) fn change_entry(&self, wanted: &Wanted<'_>) -> Result<ExitStatus, CommandError> {
        let base = self.base()?;
        let change = EntryChange {
            id: find_entry(&base, wanted.given)?.id,
            change: wanted.change.clone(),
            reason: wanted.reason.to_owned(),
            on_errors: wanted.on_errors,
        };
        let operator = self.database.operator()?;
        let done = if self.dry_run {
            preview_change(&base, &change, &operator.name).and_then(|(events, remarks)| {
                Ok(Changed {
                    entry: curate::find_entry(&base, change.id)?.clone(),
                    is_changed: !events.is_empty(),
                    remarks,
                })
            })
        } else {
            answer_entry(&operator, &change)
        };
        let done = match done {
            Err(OperatorError::Lint { id, remarks }) => {
                let what = wanted.text.map(|(file, _)| file.display().to_string());
                let what = what.unwrap_or_else(|| id.to_string());
                return Err(errors_in(&what, &with_lines(remarks, wanted.text)));
            }
            other => other?,
        };
        let remarks = with_lines(done.remarks, wanted.text);
        self.report(&done.entry, done.is_changed, remarks)
    }

    /// Reports the entry as it is now.
    fn report(
        &self,
        entry: &Entry,
        changed: bool,
        remarks: Vec<Remark>,
    ) -> Result<ExitStatus, CommandError> {
        let answer = Answer {
            schema: 1,
            id: entry.id,
            status: entry.status,
            version: entry.version,
            changed,
            dry_run: self.dry_run,
            remarks,
        };
        print_document(self.json, &answer, Answer::text)?;
        Ok(ExitStatus::Done)
    }
}

impl Answer {
    fn text(&self) -> String {
        let (id, status) = (self.id, self.status.name());
        let line = match (self.changed, self.dry_run) {
            (true, true) => format!("{id} is {status} and would change; this is a dry run"),
            (true, false) => format!("{id} is {status} (version {})", self.version),
            (false, _) => format!("{id} is already {status}; nothing changed"),
        };
        let remarks = self.remarks.iter();
        let remarks: String = remarks.map(|one| remark_line(one) + "\n").collect();
        format!("{remarks}{line}\n")
    }
}

/// One change as it was asked for on the command line.
pub(super) struct Wanted<'a> {
    /// The entry's id, or the beginning of it.
    pub(super) given: &'a str,
    pub(super) change: Curation,
    pub(super) reason: &'a str,
    pub(super) on_errors: OnErrors,
    /// The file with the new content, for the lines of remarks.
    pub(super) text: Option<(&'a Path, &'a str)>,
}

impl<'a> Wanted<'a> {
    /// A change that brings no new content.
    pub(super) fn new(given: &'a str, change: Curation, reason: &'a str) -> Self {
        Self {
            given,
            change,
            reason,
            on_errors: OnErrors::Refuse,
            text: None,
        }
    }
}

/// As `--anyway` asks for.
pub(super) fn on_errors(anyway: bool) -> OnErrors {
    if anyway {
        OnErrors::Accept
    } else {
        OnErrors::Refuse
    }
}

/// Parses a reason, which must not be blank.
pub(super) fn parse_reason(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("a reason is needed; it is recorded with the entry".to_owned()),
        text => Ok(text.to_owned()),
    }
}

fn errors_in(what: &str, remarks: &[Remark]) -> CommandError {
    let errors = remarks.iter().filter(|r| r.severity == Severity::Error);
    let lines: Vec<String> = errors.map(remark_line).collect();
    CommandError::usage(clean_lines(&format!(
        "{what} has errors; correct them, or add --anyway\n{}",
        lines.join("\n")
    )))
}

fn with_lines(mut remarks: Vec<Remark>, text: Option<(&Path, &str)>) -> Vec<Remark> {
    for remark in &mut remarks {
        remark.line = text.and_then(|(_, text)| reading::line_of(text, &remark.path));
    }
    remarks
}

pub(super) fn remark_line(remark: &Remark) -> String {
    let severity = match remark.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    };
    let line = remark
        .line
        .map_or(String::new(), |line| format!(" line {line}:"));
    let path = if remark.path.is_empty() {
        String::new()
    } else {
        format!(" {}:", remark.path)
    };
    format!(
        "{severity}:{line}{path} {} [{}]",
        remark.message, remark.code
    )
}
