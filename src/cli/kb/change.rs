//! What all commands that change entries share: their options, one transaction, and the answer.

use super::super::options::Database;
use super::find::find_entry;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_document;
use crate::config;
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::plan::note::Severity;
use pithead_core::domain::run::event::Event;
use pithead_core::knowledge::life::ChangeRequest;
use pithead_core::knowledge::lint::{self, Remark};
use pithead_core::text::clean::clean_lines;
use pithead_engine::journal::{Durability, Filter, Refused};
use pithead_world::clock::{Clock, Millis};
use pithead_world::ids::KnowledgeId;
use serde::Serialize;

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

    pub(super) fn now() -> Millis {
        Clock::System.now()
    }

    /// All entries, as they are before the change.
    pub(super) fn base(&self) -> Result<Vec<Entry>, CommandError> {
        Ok(self
            .database
            .open_read_only()?
            .knowledge(Filter::default())?)
    }

    /// Makes a change on the base as it is at that moment; the number of events that were, or would be,
    /// written.
    pub(super) fn write_change(
        &self,
        change: impl Fn(&[Entry]) -> Result<Vec<Event>, String>,
    ) -> Result<usize, CommandError> {
        // Read-only first: where nothing changes, nothing is opened for writing.
        let events = change(&self.base()?).map_err(CommandError::usage)?;
        if self.dry_run || events.is_empty() {
            return Ok(events.len());
        }
        let mut journal = self.database.open_with(Durability::Full)?;
        let written = journal.curate(Self::now(), |base| change(base).map_err(Refused))?;
        match written {
            Ok(recorded) => Ok(recorded.len()),
            Err(Refused(because)) => Err(CommandError::usage(because)),
        }
    }

    /// Changes one entry and reports it.
    pub(super) fn change_entry(
        &self,
        given: &str,
        remarks: Vec<Remark>,
        change: impl Fn(&Entry, &[Entry]) -> Result<Vec<Event>, String>,
    ) -> Result<ExitStatus, CommandError> {
        let events = self.write_change(|base| {
            let entry = find_entry(base, given).map_err(|error| error.to_string())?;
            change(entry, base)
        })?;
        self.report(given, events > 0, remarks)
    }

    /// Reports the entry as it is now.
    pub(super) fn report(
        &self,
        given: &str,
        changed: bool,
        remarks: Vec<Remark>,
    ) -> Result<ExitStatus, CommandError> {
        let base = self.base()?;
        let entry = find_entry(&base, given)?;
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

/// A request in the operator's name.
pub(super) fn request(reason: &str) -> ChangeRequest {
    ChangeRequest {
        by: config::operator(),
        reason: reason.to_owned(),
    }
}

/// Parses a reason, which must not be blank.
pub(super) fn parse_reason(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("a reason is needed; it is recorded with the entry".to_owned()),
        text => Ok(text.to_owned()),
    }
}

/// Refuses an entry with errors, unless the operator insists.
pub(super) fn refuse_errors(
    what: &str,
    remarks: &[Remark],
    anyway: bool,
) -> Result<(), CommandError> {
    if anyway || !lint::has_errors(remarks) {
        return Ok(());
    }
    let errors = remarks.iter().filter(|r| r.severity == Severity::Error);
    let lines: Vec<String> = errors.map(remark_line).collect();
    Err(CommandError::usage(clean_lines(&format!(
        "{what} has errors; correct them, or add --anyway\n{}",
        lines.join("\n")
    ))))
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
