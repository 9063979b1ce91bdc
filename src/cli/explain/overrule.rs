//! Overruling: a person's label replaces the program's; entries learnt from the wrong one need review.

use super::super::options::Database;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_document;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_engine::journal::Doubt;
use pithead_engine::runtime::operator::OperatorError;
use pithead_engine::runtime::operator::answer::overrule_label;
use pithead_engine::runtime::operator::distil_anew::DistilledAnew;
use pithead_world::ids::{AttemptId, RunId};
use serde::Serialize;

/// What is printed; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Answer {
    schema: u32,
    run: RunId,
    attempt: AttemptId,
    label: FailureReason,
    /// False if the label was this one before.
    changed: bool,
    /// Entries that were distilled from what remains of their evidence.
    distilled_anew: Vec<DistilledAnew>,
    /// Entries to review.
    doubts: Vec<Doubt>,
}

pub(super) fn perform(
    database: &Database,
    (run, attempt): (RunId, AttemptId),
    (label, reason): (FailureReason, &str),
    json: bool,
) -> Result<ExitStatus, CommandError> {
    // Read-only first: no database is created.
    database.open_read_only()?;
    let done = overrule_label(&database.operator()?, (run, attempt), (label, reason));
    let done = done.map_err(|error| match error {
        OperatorError::Refused { because } => {
            CommandError::usage(because).hint(format!("`pithead show {run}` lists its attempts"))
        }
        other => other.into(),
    })?;
    let answer = Answer {
        schema: 1,
        run,
        attempt,
        label,
        changed: done.is_changed,
        distilled_anew: done.anew,
        doubts: done.doubts,
    };
    print_document(json, &answer, |answer| {
        let already = if answer.changed { "" } else { "already " };
        let head = format!("{attempt} of run {run} is {already}{}\n", label.name());
        let anew = answer.distilled_anew.iter().map(anew_line);
        head + &anew.collect::<String>() + &doubt_lines(&answer.doubts)
    })?;
    Ok(ExitStatus::Done)
}

/// All entries in doubt.
pub(super) fn doubts(database: &Database, json: bool) -> Result<ExitStatus, CommandError> {
    let doubts = database.open_read_only()?.in_doubt()?;
    print_document(json, &doubts, |doubts| match doubts[..] {
        [] => "no entry rests on an overruled label\n".to_owned(),
        _ => doubt_lines(doubts),
    })?;
    Ok(ExitStatus::Done)
}

fn anew_line(done: &DistilledAnew) -> String {
    let DistilledAnew {
        entry,
        title,
        became,
        because,
    } = done;
    format!("{} {entry} {title}: {because}\n", became.name())
}

fn doubt_lines(doubts: &[Doubt]) -> String {
    let line = |doubt: &Doubt| {
        let Doubt {
            entry,
            title,
            status,
            overruled: o,
        } = doubt;
        format!(
            "review {entry} ({}) {title}: learned from {} of run {} as {}, which is now {}\n",
            status.name(),
            o.attempt,
            o.run,
            o.was.name(),
            o.label.name()
        )
    };
    doubts.iter().map(line).collect()
}
