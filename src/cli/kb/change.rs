//! What all commands that change entries share: their options, one transaction, and the answer.

use super::super::options::Database;
use super::find::find_entry;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, to_json};
use crate::config;
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::plan::note::Severity;
use pithead_core::domain::run::event::Event;
use pithead_core::knowledge::life::Wish;
use pithead_core::knowledge::lint::{self, Remark};
use pithead_core::text::clean::clean_lines;
use pithead_engine::journal::{Durability, Filter, Refused};
use pithead_world::clock::{Clock, Millis};
use pithead_world::ids::KnowledgeId;
use serde::Serialize;

/// How a change is made and told.
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
    /// False if it was so before.
    pub(super) changed: bool,
    pub(super) dry_run: bool,
    /// What lint has to say.
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

    /// Makes the change that `wished` says, on the base as it is at that moment; the number of events
    /// that were, or would be, written.
    pub(super) fn make(
        &self,
        wished: impl Fn(&[Entry]) -> Result<Vec<Event>, String>,
    ) -> Result<usize, CommandError> {
        // Looking first: where nothing changes, nothing is opened for writing.
        let wanted = wished(&self.base()?).map_err(CommandError::usage)?;
        if self.dry_run || wanted.is_empty() {
            return Ok(wanted.len());
        }
        let mut journal = self.database.open_with(Durability::Full)?;
        let written = journal.curate(Self::now(), |base| wished(base).map_err(Refused))?;
        match written {
            Ok(recorded) => Ok(recorded.len()),
            Err(Refused(because)) => Err(CommandError::usage(because)),
        }
    }

    /// Makes a change of one entry and tells of it.
    pub(super) fn change(
        &self,
        given: &str,
        remarks: Vec<Remark>,
        wished: impl Fn(&Entry, &[Entry]) -> Result<Vec<Event>, String>,
    ) -> Result<ExitStatus, CommandError> {
        let events = self.make(|base| {
            let entry = find_entry(base, given).map_err(|error| error.to_string())?;
            wished(entry, base)
        })?;
        self.tell(given, events > 0, remarks)
    }

    /// Tells how the entry stands now.
    pub(super) fn tell(
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
        if self.json {
            print_stdout(&to_json(&answer)?);
            return Ok(ExitStatus::Done);
        }
        let (id, status) = (answer.id, answer.status.name());
        let line = match (answer.changed, answer.dry_run) {
            (true, true) => format!("{id} is {status} and would change"),
            (true, false) => format!("{id} is {status} (version {})", answer.version),
            (false, _) => format!("{id} is {status} already; nothing changed"),
        };
        let told = answer
            .remarks
            .iter()
            .map(|remark| remark_line(remark) + "\n");
        print_stdout(&clean_lines(&format!(
            "{}{line}\n",
            told.collect::<String>()
        )));
        Ok(ExitStatus::Done)
    }
}

/// In whose name, and why.
pub(super) fn request(reason: &str) -> Wish {
    Wish {
        by: config::operator(),
        reason: reason.to_owned(),
    }
}

/// A reason that is worth keeping.
pub(super) fn parse_reason(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("a reason is needed; it stays with the entry".to_owned()),
        text => Ok(text.to_owned()),
    }
}

/// Refuses what has errors, unless it is wanted anyway.
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
