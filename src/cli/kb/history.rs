//! `pithead kb history`: the versions of an entry, and what each changed.

use super::find::{Chosen, find};
use super::show::says;
use crate::app::{self, Exit, Fault, out};
use crate::clock::Millis;
use crate::domain::knowledge::{Author, Entry, Status};
use crate::headless::clean_lines;
use crate::ids::KnowledgeId;
use crate::journal::Filter;
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
    /// Oldest first; the entry as it was made is not among them.
    changes: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    /// The version that was left.
    left: u32,
    at_ms: u64,
    by: Author,
    reason: String,
    /// The status before and after, if it changed.
    status: Option<(Status, Status)>,
    /// Lines of the content that went (`-`) and came (`+`).
    diff: Vec<String>,
    other: Option<KnowledgeId>,
}

pub(super) fn perform(args: &Args) -> Result<Exit, Fault> {
    let base = args.chosen.database.look()?.knowledge(Filter::default())?;
    let entry = find(&base, &args.chosen.entry)?;
    let page = page(entry);
    out(&if args.chosen.json {
        app::to_json(&page)?
    } else {
        clean_lines(&text(entry, &page))
    });
    Ok(Exit::Done)
}

fn page(entry: &Entry) -> Page {
    let mut changes = Vec::new();
    // From the newest back, for each says what was before it.
    let (mut status, mut body) = (entry.status, &entry.body);
    for left in entry.history.iter().rev() {
        let moved = left.status.map(|before| (before, status));
        status = left.status.unwrap_or(status);
        let diff = left.before.as_ref().map_or(Vec::new(), |before| {
            let diff = diff(&says(before), &says(body));
            body = before;
            diff
        });
        changes.push(Line {
            left: left.version,
            at_ms: left.at.0,
            by: left.by.clone(),
            reason: left.reason.clone(),
            status: moved,
            diff,
            other: left.other,
        });
    }
    changes.reverse();
    Page {
        schema: 1,
        id: entry.id,
        status: entry.status,
        version: entry.version,
        changes,
    }
}

/// Lines of one and of the other that the two do not share.
fn diff(before: &str, after: &str) -> Vec<String> {
    let gone = before
        .lines()
        .filter(|line| !after.lines().any(|l| l == *line));
    let new = after
        .lines()
        .filter(|line| !before.lines().any(|l| l == *line));
    let gone = gone.map(|line| format!("- {}", line.trim()));
    gone.chain(new.map(|line| format!("+ {}", line.trim())))
        .collect()
}

fn text(entry: &Entry, page: &Page) -> String {
    let mut text = format!(
        "version 1  {}  made by {}\n",
        time(entry.created),
        entry.author
    );
    for line in &page.changes {
        let status = line.status.map_or(String::new(), |(from, to)| {
            format!("  {} → {}", from.name(), to.name())
        });
        let other = line.other.map_or(String::new(), |id| format!(" ({id})"));
        text += &format!(
            "version {}  {}  {}{status}{other}: {}\n",
            line.left + 1,
            time(Millis(line.at_ms)),
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
pub(super) fn time(at: Millis) -> String {
    let ms = i64::try_from(at.0).unwrap_or(i64::MAX);
    jiff::Timestamp::from_millisecond(ms).map_or_else(
        |_| "?".to_owned(),
        |at| {
            let zoned = at.to_zoned(jiff::tz::TimeZone::system());
            zoned.strftime("%Y-%m-%d %H:%M").to_string()
        },
    )
}
