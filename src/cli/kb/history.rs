//! `pithead kb history`: the versions of an entry, and what each changed.

use super::find::{Chosen, find_entry};
use super::show::content_text;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_document;
use pithead_core::domain::knowledge::{Author, Entry, Status};
use pithead_core::knowledge::history::{self, LineChange, Step};
use pithead_engine::journal::EntryFilter;
use pithead_world::clock::Millis;
use pithead_world::ids::KnowledgeId;
use serde::Serialize;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    chosen: Chosen,
}

/// What is shown; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Page {
    schema: u32,
    id: KnowledgeId,
    status: Status,
    version: u32,
    /// Oldest first, without the creation of the entry.
    changes: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    /// The version that was left, and the one that was made.
    left: u32,
    made: u32,
    at_ms: u64,
    by: Author,
    reason: String,
    /// The status before and after, if it changed.
    status: Option<(Status, Status)>,
    /// Lines of the content that went (`-`) and came (`+`).
    diff: Vec<String>,
    other: Option<KnowledgeId>,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let base = args
        .chosen
        .database
        .open_read_only()?
        .knowledge(EntryFilter::default())?;
    let entry = find_entry(&base, &args.chosen.entry)?;
    let page = page(entry);
    print_document(args.chosen.json, &page, |page| text(entry, &page))?;
    Ok(ExitStatus::Done)
}

fn page(entry: &Entry) -> Page {
    let lines = |step: &Step| {
        let signed = |line: &history::HistoryLine| match line.sign {
            LineChange::Kept => None,
            LineChange::Removed => Some(format!("- {}", line.text.trim())),
            LineChange::Added => Some(format!("+ {}", line.text.trim())),
        };
        step.diff.iter().filter_map(signed).collect()
    };
    let changes = history::steps(entry, content_text)
        .into_iter()
        .map(|step| Line {
            left: step.left,
            made: step.made,
            at_ms: step.at.0,
            diff: lines(&step),
            by: step.by,
            reason: step.reason,
            status: step.status,
            other: step.other,
        });
    Page {
        schema: 1,
        id: entry.id,
        status: entry.status,
        version: entry.version,
        changes: changes.collect(),
    }
}

fn text(entry: &Entry, page: &Page) -> String {
    let mut text = format!(
        "version 1  {}  created by {}\n",
        local_time(entry.created),
        entry.author
    );
    for line in &page.changes {
        let status = line.status.map_or(String::new(), |(from, to)| {
            format!("  {} → {}", from.name(), to.name())
        });
        let other = line.other.map_or(String::new(), |id| format!(" ({id})"));
        text += &format!(
            "version {}  {}  {}{status}{other}: {}\n",
            line.made,
            local_time(Millis(line.at_ms)),
            line.by,
            line.reason
        );
        for changed in &line.diff {
            text += &format!("    {changed}\n");
        }
    }
    text + &format!("now: {}, version {}\n", page.status.name(), page.version)
}

/// In the user's zone, to the minute.
pub(super) fn local_time(at: Millis) -> String {
    let ms = i64::try_from(at.0).unwrap_or(i64::MAX);
    jiff::Timestamp::from_millisecond(ms).map_or_else(
        |_| "?".to_owned(),
        |at| {
            let zoned = at.to_zoned(jiff::tz::TimeZone::system());
            zoned.strftime("%Y-%m-%d %H:%M").to_string()
        },
    )
}
