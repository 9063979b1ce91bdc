//! `pithead kb why`: why an entry is not active, or had no part in an attempt.

use super::super::options::parse_run_id;
use super::super::replay::each_page;
use super::find::{Chosen, find_entry};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, text_columns, to_json};
use pithead_core::domain::check::Truth;
use pithead_core::domain::experience::Experience;
use pithead_core::domain::knowledge::{Entry, EntryUse};
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::run::budget::Limits;
use pithead_core::domain::run::event::{Event, Recorded, RunConfig};
use pithead_core::knowledge::why::{
    PredicateAnswer, Reason, RecallCase, not_active, not_given, not_here,
};
use pithead_core::text::clean::clean_lines;
use pithead_engine::journal::EntryFilter;
use pithead_engine::runtime::Recording;
use pithead_world::clock::{Clock, Millis};
use pithead_world::ids::{AttemptId, KnowledgeId, RunId};
use serde::Serialize;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    chosen: Chosen,
    /// Explain an attempt of this run
    #[arg(long, value_name = "RUN", value_parser = parse_run_id, requires = "attempt")]
    run: Option<RunId>,
    /// The attempt in that run, as `pithead show` prints it: 7 or a7
    #[arg(long, value_name = "N", requires = "run")]
    attempt: Option<AttemptId>,
    /// Explain whether a run of this task would get it now
    #[arg(long, value_name = "TASK", conflicts_with = "run")]
    task: Option<String>,
}

/// The answer; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Page {
    schema: u32,
    id: KnowledgeId,
    /// True if runs use it.
    acts: bool,
    reasons: Vec<Reason>,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let journal = args.chosen.database.open_read_only()?;
    let base = journal.knowledge(EntryFilter::default())?;
    let entry = find_entry(&base, &args.chosen.entry)?;
    let (reasons, acts) = match (args.run, args.attempt) {
        (Some(run), Some(attempt)) => {
            let recording = Recording::open(args.chosen.database.open_read_only()?, run)?;
            let past = past_until(&recording, entry.id, attempt)?;
            (
                past.reasons(entry, &base),
                "its trigger held and it applied to the attempt",
            )
        }
        _ => (standing(args, entry, &base)?, "it is active"),
    };
    if args.chosen.json {
        print_stdout(&to_json(&Page {
            schema: 1,
            id: entry.id,
            acts: reasons.is_empty(),
            reasons,
        })?);
        return Ok(ExitStatus::Done);
    }
    print_stdout(&clean_lines(&text(entry.id, &reasons, acts)));
    Ok(ExitStatus::Done)
}

fn standing(args: &Args, entry: &Entry, base: &[Entry]) -> Result<Vec<Reason>, CommandError> {
    let mut reasons: Vec<Reason> = not_active(entry).into_iter().collect();
    if let Some(task) = &args.task {
        let task = Task::parse(task).map_err(CommandError::usage)?;
        let bound = Limits::default().shown_max;
        reasons.extend(not_given(entry, base, &task, Clock::System.now(), bound));
    }
    Ok(reasons)
}

fn text(id: KnowledgeId, reasons: &[Reason], acts: &str) -> String {
    if reasons.is_empty() {
        return format!("{id}: {acts}\n");
    }
    let mut text = String::new();
    for reason in reasons {
        text += &format!("{id}: {} [{}]\n", reason.text, reason.code);
        let row = |asked: &PredicateAnswer| {
            let truth = match asked.truth {
                Truth::True => "true",
                Truth::False => "false",
                Truth::Unknown => "unknown",
            };
            let seen = if asked.seen.is_empty() {
                String::new()
            } else {
                format!(" ({})", asked.seen)
            };
            let indent = String::new();
            vec![
                indent,
                truth.to_owned(),
                format!("{}{seen}", asked.predicate),
            ]
        };
        let rows: Vec<Vec<String>> = reason.values.iter().map(row).collect();
        text += &text_columns(&rows);
    }
    text
}

/// A run as it was up to an attempt.
#[derive(Default)]
struct Past {
    config: Option<Box<RunConfig>>,
    started: Millis,
    given: Vec<Entry>,
    learnt: bool,
    passed_over: bool,
    attempt: Option<Box<Experience>>,
}

fn past_until(
    recording: &Recording,
    id: KnowledgeId,
    wanted: AttemptId,
) -> Result<Past, CommandError> {
    let mut past = Past::default();
    each_page(recording, |facts| {
        facts.iter().for_each(|fact| past.apply(fact, id, wanted));
    })?;
    if past.attempt.is_none() {
        let run = recording.row().id;
        return Err(CommandError::usage(format!(
            "run {run} has no ended attempt {wanted}; `pithead show {run}` lists them"
        )));
    }
    Ok(past)
}

impl Past {
    fn apply(&mut self, fact: &Recorded, id: KnowledgeId, wanted: AttemptId) {
        if self.attempt.is_some() {
            return; // later events had no part in the attempt
        }
        match &fact.event {
            Event::RunStarted { config } => {
                self.config = Some(config.clone());
                self.started = fact.at;
            }
            Event::Recalled { knowledge, .. } => self.given.clone_from(knowledge),
            Event::KnowledgeActivated { id: learnt, .. } => self.learnt |= *learnt == id,
            Event::KnowledgeUsed {
                id: used,
                how: EntryUse::Hurt,
                ..
            } => self.passed_over |= *used == id,
            Event::AttemptEnded {
                attempt,
                experience,
            } if *attempt == wanted => self.attempt = Some(experience.clone()),
            _ => (), // the others do not decide which entries take part
        }
    }

    fn reasons(&self, entry: &Entry, base: &[Entry]) -> Vec<Reason> {
        let (Some(config), Some(attempt)) = (&self.config, &self.attempt) else {
            return Vec::new(); // `past_until` refused runs without them
        };
        let case = RecallCase {
            config,
            started: self.started,
            given: &self.given,
            learnt: self.learnt,
            passed_over: self.passed_over,
            attempt,
        };
        not_here(entry, base, &case)
    }
}
