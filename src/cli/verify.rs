//! `pithead verify`: says whether the database still holds what was written to it.
//!
//! Invariant: nothing is changed, and a database that is not sound is told by the exit code.

use super::options::Database;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{is_stderr_terminal, print_document};
use indicatif::ProgressBar;
use pithead_core::text::numbers::{count_with_noun, format_count};
use pithead_engine::journal::{Counted, Verification, verify};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes: 0 if all is sound, 1 if something is damaged.")]
pub(crate) struct Args {
    /// Read every event too, make all that is derived from events again, and compare
    #[arg(long)]
    deep: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// What was found; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Page {
    schema: u32,
    database: PathBuf,
    sound: bool,
    #[serde(flatten)]
    found: Verification,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let database = args.database.path()?;
    let bar = if is_stderr_terminal() {
        ProgressBar::new_spinner()
    } else {
        ProgressBar::hidden()
    };
    let found = verify(&database, args.deep, |part| {
        bar.set_message(format!("verifying: {part}"));
        bar.tick();
    });
    bar.finish_and_clear();
    let page = Page {
        schema: 1,
        database,
        sound: found.as_ref().is_ok_and(Verification::is_sound),
        found: found?,
    };
    print_document(args.json, &page, text)?;
    Ok(if page.sound {
        ExitStatus::Done
    } else {
        ExitStatus::Unsuccessful
    })
}

fn text(page: &Page) -> String {
    let found = &page.found;
    let mut text = String::new();
    for fault in &found.faults {
        text += &format!("{}: {}\n", fault.place, fault.fault);
    }
    let unlisted = found.faults_count - found.faults.len() as u64;
    if unlisted > 0 {
        text += &format!("and {} more\n", format_count(unlisted));
    }
    for loss in &found.losses {
        text += &format!(
            "lost before: {}; run numbers up to {} are not given again\n",
            loss.because, loss.last_run
        );
    }
    let without = found.counted.events_without_digest;
    if without > 0 {
        text += &format!(
            "{} written by an earlier pithead, without digests: only the form was checked\n",
            count_with_noun(without, "event was", "events were")
        );
    }
    let verdict = if page.sound {
        "sound".to_owned()
    } else {
        let faults = usize::try_from(found.faults_count).unwrap_or(usize::MAX);
        format!(
            "damaged: {}; `pithead restore` puts a backup in its place",
            count_with_noun(faults, "fault", "faults")
        )
    };
    text + &format!(
        "{}: {}\n{verdict}\n",
        page.database.display(),
        counted(&found.counted)
    )
}

/// How much was looked at, on one line.
pub(super) fn counted(counted: &Counted) -> String {
    let parts = [
        (counted.runs, "run", "runs"),
        (counted.events, "event", "events"),
        (counted.entries, "entry", "entries"),
        (counted.experiences, "experience", "experiences"),
        (counted.texts, "long text", "long texts"),
    ];
    let parts = parts
        .map(|(n, one, many)| format!("{} {}", format_count(n), if n == 1 { one } else { many }));
    parts.join(", ")
}
