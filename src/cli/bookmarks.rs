//! `pithead runs bookmarks`: marked events of runs, with notes.
//!
//! The headless counterpart of `w` and `W` on the Debug screen.

use super::options::{Database, parse_run_id};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, text_table};
use crate::config;
use pithead_core::domain::run::event::Event;
use pithead_core::text::clean::clean_line;
use pithead_engine::journal::{Durability, Journal};
use pithead_world::clock::Clock;
use pithead_world::ids::{RunId, Seq};
use serde::Serialize;

/// Raised when a field of the JSON output changes its meaning or goes away.
const SCHEMA: u32 = 1;
/// Letters of a note: it stands in one line.
const NOTE_MAX: usize = 500;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = parse_run_id)]
    run: RunId,
    /// Mark this event, as in `pithead replay RUN --headless`
    #[arg(long, value_name = "EVENT")]
    set: Option<u64>,
    /// Why it is marked
    #[arg(long, value_name = "TEXT", requires = "set")]
    note: Option<String>,
    /// Take the mark of this event off
    #[arg(long, value_name = "EVENT", conflicts_with = "set")]
    remove: Option<u64>,
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
    run: u64,
    bookmarks: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    event: u64,
    tick: u64,
    note: String,
    by: String,
    at_ms: u64,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let journal = args.database.open_read_only()?;
    let change = change(args, &journal)?;
    if let Some(event) = change {
        drop(journal);
        let mut journal = args.database.open_with(Durability::Full)?;
        journal.mark(Clock::System.now(), event)?;
    }
    let journal = args.database.open_read_only()?;
    let marks = journal.bookmarks(args.run)?;
    let bookmarks = marks.into_iter().map(|mark| Line {
        event: mark.seq.0,
        tick: mark.tick,
        note: mark.note,
        by: mark.by,
        at_ms: mark.at.0,
    });
    let report = Report {
        schema: SCHEMA,
        run: args.run.0,
        bookmarks: bookmarks.collect(),
    };
    print_document(args.json, &report, text)?;
    Ok(ExitStatus::Done)
}

/// What was asked for, checked against the run.
fn change(args: &Args, journal: &Journal) -> Result<Option<Event>, CommandError> {
    let row = journal.run(args.run)?;
    let by = config::operator();
    let run = args.run;
    if let Some(event) = args.remove {
        let seq = Seq(event);
        let known = journal.bookmarks(run)?.iter().any(|mark| mark.seq == seq);
        return match known {
            true => Ok(Some(Event::BookmarkRemoved { run, seq, by })),
            false => Err(CommandError::usage(format!(
                "event {event} of run {run} is not marked; `pithead runs bookmarks {run}` lists the marks"
            ))),
        };
    }
    let Some(event) = args.set else {
        return Ok(None);
    };
    if event == 0 || event > row.events {
        return Err(CommandError::usage(format!(
            "run {run} has the events 1 to {}, not {event}",
            row.events
        )));
    }
    let note = clean_line(args.note.as_deref().unwrap_or_default().trim());
    if note.chars().count() > NOTE_MAX {
        return Err(CommandError::usage(format!(
            "a note has at most {NOTE_MAX} letters"
        )));
    }
    Ok(Some(Event::BookmarkSet {
        run,
        seq: Seq(event),
        tick: tick_at(journal, run, Seq(event))?,
        note,
        by,
    }))
}

/// World time at an event: that of the last frame.
fn tick_at(journal: &Journal, run: RunId, seq: Seq) -> Result<u64, CommandError> {
    let kinds = ["frame.seen", "world.ready"];
    let frame = journal.last_before(run, Seq(seq.0 + 1), &kinds)?;
    Ok(match frame.map(|fact| fact.event) {
        Some(Event::FrameSeen { frame } | Event::WorldReady { frame }) => frame.tick,
        _ => 0, // nothing was seen before
    })
}

fn text(report: &Report) -> String {
    if report.bookmarks.is_empty() {
        return format!("no event of run {} is marked\n", report.run);
    }
    let rows: Vec<Vec<String>> = report
        .bookmarks
        .iter()
        .map(|mark| {
            let numbers = [mark.event, mark.tick].map(|n| n.to_string());
            numbers
                .into_iter()
                .chain([mark.by.clone(), mark.note.clone()])
                .collect()
        })
        .collect();
    let head = [
        ("EVENT", Align::Right),
        ("TICK", Align::Right),
        ("BY", Align::Left),
        ("NOTE", Align::Left),
    ];
    text_table(&head, &rows)
}
