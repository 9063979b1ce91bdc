//! `pithead triage`: who looks into a question, an entry or a run, until when it is out of sight, and comments.
//!
//! The headless counterpart of `w`, `Z` and `n` in the console's lists.

use super::options::Database;
use crate::cli::kb::find_entry;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, text_table};
use pithead_console::screens::inbox::decisions::{DecisionReader, Decisions};
use pithead_console::triage::{parse_span, parse_subject, triage_words};
use pithead_core::domain::run::triage::{Triage, TriageAct, TriageSubject, Triages};
use pithead_engine::journal::EntryFilter;
use pithead_engine::runtime::operator::triage::triage;
use pithead_world::clock::{Clock, Millis};
use serde::Serialize;

/// Raised when a field of the JSON output changes its meaning or goes away.
const SCHEMA: u32 = 1;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// An entry (k1.2, or an unambiguous beginning of its id), a run (7) or a question of a run (7/d2); all that was
    /// triaged if left out
    subject: Option<String>,
    /// Say who looks into it
    #[arg(long, value_name = "NAME", requires = "subject")]
    assign: Option<String>,
    /// Take the assignment off
    #[arg(long, requires = "subject", conflicts_with = "assign")]
    unassign: bool,
    /// Move it to the end of the inbox for a time: 30m, 2h, 1d
    #[arg(long, value_name = "SPAN", value_parser = parse_span, requires = "subject")]
    snooze: Option<u64>,
    /// Bring it back at once
    #[arg(long, requires = "subject", conflicts_with = "snooze")]
    wake: bool,
    /// Say something about it, for all operators
    #[arg(long, value_name = "TEXT", requires = "subject")]
    comment: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// What is printed; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Report {
    schema: u32,
    triaged: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    subject: TriageSubject,
    snoozed: bool,
    #[serde(flatten)]
    triage: Triage,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let now = Clock::System.now();
    let subject = args.subject.as_deref();
    let subject = subject
        .map(|given| subject_named(args, given))
        .transpose()?;
    if let Some(subject) = subject {
        let acts = acts(args, now);
        if !acts.is_empty() {
            // An operator never makes a database; a wrong name is told before anything is written.
            drop(args.database.open_read_only()?);
            let operator = args.database.operator()?;
            for act in acts {
                triage(&operator, subject, act)?;
            }
        }
    }
    let journal = args.database.open_read_only()?;
    let mut known = journal.triages()?;
    if subject.is_none() {
        let decisions = DecisionReader::default().read(&journal, &journal.runs()?)?;
        known.retain(|subject, _| !is_answered(*subject, &decisions));
    }
    let report = report(known, subject, now);
    print_document(args.json, &report, |report| text(report, now))?;
    Ok(ExitStatus::Done)
}

/// What the operator means; the beginning of an entry's id is enough.
fn subject_named(args: &Args, given: &str) -> Result<TriageSubject, CommandError> {
    match parse_subject(given) {
        Ok(subject) => Ok(subject),
        Err(_) if given.starts_with('k') => {
            let base = args.database.open_read_only()?;
            let base = base.knowledge(EntryFilter::default())?;
            Ok(TriageSubject::Entry(find_entry(&base, given)?.id))
        }
        Err(fault) => Err(CommandError::usage(fault)),
    }
}

/// Nobody looks into a question any more that was answered.
fn is_answered(subject: TriageSubject, decisions: &Decisions) -> bool {
    match subject {
        TriageSubject::Question { run, decision } => decisions.asked(run, decision).is_none(),
        TriageSubject::Entry(_) | TriageSubject::Run(_) => false,
    }
}

/// What was asked for, the comment last.
fn acts(args: &Args, now: Millis) -> Vec<TriageAct> {
    let mut acts = Vec::new();
    if args.unassign {
        acts.push(TriageAct::Assign(None));
    }
    acts.extend(args.assign.clone().map(|to| TriageAct::Assign(Some(to))));
    if args.wake {
        acts.push(TriageAct::Snooze(None));
    }
    let until = |seconds: u64| TriageAct::Snooze(Some(now.plus(seconds.saturating_mul(1_000))));
    acts.extend(args.snooze.map(until));
    acts.extend(args.comment.clone().map(TriageAct::Comment));
    acts
}

fn report(known: Triages, wanted: Option<TriageSubject>, now: Millis) -> Report {
    let known = known.into_iter();
    let known = known.filter(|(subject, _)| wanted.is_none_or(|wanted| wanted == *subject));
    let triaged = known.map(|(subject, triage)| Line {
        subject,
        snoozed: triage.is_snoozed(now),
        triage,
    });
    Report {
        schema: SCHEMA,
        triaged: triaged.collect(),
    }
}

fn text(report: &Report, now: Millis) -> String {
    if report.triaged.is_empty() {
        return "nothing was assigned, snoozed or commented\n".to_owned();
    }
    let rows: Vec<Vec<String>> = report
        .triaged
        .iter()
        .map(|line| {
            let last = line.triage.comments.last();
            let last = last.map_or(String::new(), |said| format!("{}: {}", said.by, said.text));
            let words = triage_words(&line.triage, now);
            vec![line.subject.to_string(), words, last]
        })
        .collect();
    let head = [
        ("SUBJECT", Align::Left),
        ("TRIAGE", Align::Left),
        ("LAST COMMENT", Align::Left),
    ];
    text_table(&head, &rows)
}
