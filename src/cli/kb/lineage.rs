//! `pithead kb lineage`: from failures to an entry, to the runs that it helped, blocked or hurt, to what has to be
//! reviewed.

use super::find::{Chosen, find_entry};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_document, text_columns};
use pithead_engine::journal::{EntryFilter, Journal};
use pithead_engine::runtime::lineage::{Lineage, LineageLine, LineageSubject, LineageTarget};
use pithead_world::ids::ExperienceId;

#[derive(Debug, clap::Args)]
#[command(after_help = "ID can also be an attempt: e3.7 is attempt a7 of run 3")]
pub(crate) struct Args {
    #[command(flatten)]
    chosen: Chosen,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let journal = args.chosen.database.open_read_only()?;
    let subject = subject(&args.chosen.entry, &journal)?;
    let lineage = Lineage::read(&journal, subject)?.ok_or_else(|| {
        CommandError::usage(format!("there is no {subject} in this database"))
            .hint("`pithead kb list` lists the entries, `pithead show RUN` the attempts of a run")
    })?;
    print_document(args.chosen.json, &lineage, text)?;
    Ok(ExitStatus::Done)
}

fn subject(given: &str, journal: &Journal) -> Result<LineageSubject, CommandError> {
    if let Ok(id) = given.parse::<ExperienceId>() {
        return Ok(LineageSubject::Attempt(id));
    }
    let base = journal.knowledge(EntryFilter::default())?;
    Ok(LineageSubject::Entry(find_entry(&base, given)?.id))
}

fn text(lineage: &Lineage) -> String {
    let mut text = format!("{} · {}\n", lineage.subject, lineage.title);
    let rows: Vec<Vec<String>> = lineage.lines.iter().map(row).collect();
    text += &text_columns(&rows);
    for (left_out, what) in [
        (lineage.attempts_left_out, "attempts"),
        (lineage.runs_left_out, "runs"),
    ] {
        if left_out > 0 {
            text += &format!("{left_out} older {what} are left out\n");
        }
    }
    text
}

fn row(line: &LineageLine) -> Vec<String> {
    let indent = "  ".repeat(usize::from(line.level));
    vec![
        format!("{indent}{}", line.stage.name()),
        onward(&line.target),
        line.text.clone(),
    ]
}

/// The command that goes where the line leads.
fn onward(target: &LineageTarget) -> String {
    match target {
        LineageTarget::Attempt { run, attempt } => format!("explain {run} {attempt}"),
        LineageTarget::Moment { run, seq } => format!("replay {run} --at {seq}"),
        LineageTarget::Entry { id } => format!("kb show {id}"),
        LineageTarget::Lineage { of } => format!("kb lineage {of}"),
    }
}
