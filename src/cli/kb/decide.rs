//! `pithead kb approve | veto | edit`: decide about an entry, the headless counterpart of the console's inbox.
//!
//! Invariant: a question that a run has asked is answered in that run, so that it is answered once; an entry
//! that no run asks about is changed in the knowledge log.

use super::change::{ChangeOptions, parse_reason, refuse_errors, request};
use super::find::find_entry;
use crate::cli::options;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::config;
use pithead_core::domain::knowledge::{Body, Entry, Status};
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::Verdict;
use pithead_core::domain::run::event::Event;
use pithead_core::knowledge::lint::Remark;
use pithead_core::knowledge::{life, reading};
use pithead_engine::journal::{Durability, JournalError};
use pithead_engine::runtime::review::remarks;
use pithead_engine::runtime::{OpenError, Parked};
use pithead_world::clock::Clock;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(crate) struct ApproveArgs {
    /// The entry's id, as in `pithead kb list`, or an unambiguous beginning of it
    #[arg(value_name = "ID")]
    entry: String,
    /// The reason, recorded with the entry
    #[arg(long, value_name = "TEXT", value_parser = parse_reason, default_value = "approved")]
    reason: String,
    /// Approve it even if lint finds errors
    #[arg(long)]
    anyway: bool,
    #[command(flatten)]
    change: ChangeOptions,
}

#[derive(Debug, clap::Args)]
pub(crate) struct VetoArgs {
    /// The entry's id, as in `pithead kb list`, or an unambiguous beginning of it
    #[arg(value_name = "ID")]
    entry: String,
    /// The reason, recorded with the entry
    #[arg(long, value_name = "TEXT", value_parser = parse_reason)]
    reason: String,
    #[command(flatten)]
    change: ChangeOptions,
}

#[derive(Debug, clap::Args)]
pub(crate) struct EditArgs {
    /// The entry's id, as in `pithead kb list`, or an unambiguous beginning of it
    #[arg(value_name = "ID")]
    entry: String,
    /// The new body as YAML or JSON, as `pithead kb show ID --body` prints it; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    body: PathBuf,
    /// The reason, recorded with the entry
    #[arg(long, value_name = "TEXT", value_parser = parse_reason, default_value = "edited")]
    reason: String,
    /// Accept it even if lint finds errors
    #[arg(long)]
    anyway: bool,
    #[command(flatten)]
    change: ChangeOptions,
}

pub(super) fn approve(args: &ApproveArgs) -> Result<ExitStatus, CommandError> {
    let base = args.change.base()?;
    let entry = find_entry(&base, &args.entry)?;
    let notes = remarks(&entry.body, Some(entry.id), &base, None);
    if entry.status == Status::Proposed {
        refuse_errors(&entry.id.to_string(), &notes, args.anyway)?;
    }
    let request = request(&args.reason);
    decide(&args.change, entry, Verdict::Approve, notes, |entry| {
        life::approve(entry, &request)
    })
}

pub(super) fn veto(args: &VetoArgs) -> Result<ExitStatus, CommandError> {
    let base = args.change.base()?;
    let (entry, request) = (find_entry(&base, &args.entry)?, request(&args.reason));
    let reason = args.reason.clone();
    decide(
        &args.change,
        entry,
        Verdict::Veto { reason },
        Vec::new(),
        |entry| life::veto(entry, &request),
    )
}

pub(super) fn edit(args: &EditArgs) -> Result<ExitStatus, CommandError> {
    let (body, text) = read_body(&args.body)?;
    let base = args.change.base()?;
    let entry = find_entry(&base, &args.entry)?;
    let notes = remarks(&body, Some(entry.id), &base, Some(&text));
    refuse_errors(&args.body.display().to_string(), &notes, args.anyway)?;
    let request = request(&args.reason);
    let verdict = Verdict::EditKnowledge(body.clone());
    decide(&args.change, entry, verdict, notes, |entry| {
        life::edit(entry, &body, &request)
    })
}

/// A body from a file or from standard input, with its text.
pub(super) fn read_body(path: &Path) -> Result<(Body, String), CommandError> {
    let (place, text) = (path.display(), options::read_text(path)?);
    let body = reading::body(&text).map_err(|fault| {
        let words = pithead_core::text::clean::clean_lines(&fault.to_string());
        CommandError::usage(format!(
            "{place} is not the body of an entry: {}",
            words.trim_end()
        ))
    })?;
    Ok((body, text))
}

/// Answers the question that the entry's run has open about it, or changes the entry in the knowledge log.
fn decide(
    change: &ChangeOptions,
    entry: &Entry,
    verdict: Verdict,
    remarks: Vec<Remark>,
    edit: impl Fn(&Entry) -> Result<Vec<Event>, String>,
) -> Result<ExitStatus, CommandError> {
    let given = entry.id.to_string();
    let question = if entry.status == Status::Proposed {
        open_question(change, entry)?
    } else {
        None
    };
    let Some((mut run, decision)) = question else {
        return change.change_entry(&given, remarks, |entry, _| edit(entry));
    };
    if !change.is_dry() {
        run.tell(Command::Decide { decision, verdict }, config::operator())?
            .map_err(CommandError::usage)?;
    }
    drop(run);
    change.report(&given, true, remarks)
}

/// The entry's run and its question, if the run waits for an answer about the entry.
fn open_question(
    change: &ChangeOptions,
    entry: &Entry,
) -> Result<Option<(Parked, pithead_world::ids::DecisionId)>, CommandError> {
    if entry.id.run == pithead_engine::journal::DESK {
        return Ok(None);
    }
    let journal = change.database.open_with(Durability::Full)?;
    match Parked::open(entry.id.run, journal, Clock::System) {
        Ok(run) => {
            let asked = run.question_about(entry.id);
            Ok(asked.map(|decision| (run, decision)))
        }
        Err(OpenError::Journal(JournalError::Driven { run, pid })) => {
            Err(CommandError::unavailable(format!(
                "{} waits for an answer in run {run}, which process {pid} drives; `pithead inbox {run}` shows the question, `pithead tell {run} approve` or `veto` answers it",
                entry.id
            )))
        }
        // The run was deleted; its entries stay.
        Err(OpenError::Journal(JournalError::NoRun { .. })) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
