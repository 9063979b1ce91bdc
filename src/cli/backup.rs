//! `pithead backup`: copies the database to a file while runs write to it.

use super::options::Database;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_document;
use pithead_core::text::numbers::format_count;
use pithead_engine::journal::{Backup, back_up};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file to write; it must not be there yet
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// What was copied; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Page {
    schema: u32,
    #[serde(flatten)]
    backup: Backup,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let backup = back_up(&args.database.path()?, &args.file)?;
    let page = Page { schema: 1, backup };
    print_document(args.json, &page, |page| {
        let Backup {
            path,
            bytes,
            counted,
            ..
        } = &page.backup;
        format!(
            "{}: {}, {} bytes, verified\n",
            path.display(),
            super::verify::counted(counted),
            format_count(*bytes)
        )
    })?;
    Ok(ExitStatus::Done)
}
