//! `pithead restore`: puts a backup in the place of the database.
//!
//! Invariant: what it replaces is kept.

use super::options::Database;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_document;
use pithead_engine::journal::{Backup, restore};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The backup, as `pithead backup` wrote it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Replace the database that is there; it is kept beside the new one
    #[arg(long)]
    replace: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// What was restored; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Page {
    schema: u32,
    #[serde(flatten)]
    restored: Backup,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let restored = restore(&args.file, &args.database.path()?, args.replace)?;
    let page = Page {
        schema: 1,
        restored,
    };
    print_document(args.json, &page, |page| {
        let Backup {
            path,
            counted,
            replaced,
            ..
        } = &page.restored;
        let mut text = format!("{}: {}\n", path.display(), super::verify::counted(counted));
        if let Some(replaced) = replaced {
            text += &format!(
                "the database that was there is now {}\n",
                replaced.display()
            );
        }
        text
    })?;
    Ok(ExitStatus::Done)
}
