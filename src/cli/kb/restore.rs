//! `pithead kb restore`: take back a veto, a retirement or a merge, or go back to an older version.

use super::change::{Manner, reason, wish};
use crate::cli::outcome::{CommandError, ExitStatus};
use pithead_core::knowledge::life;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The entry, as in `pithead kb list`; the beginning of an id is enough
    #[arg(value_name = "ID")]
    entry: String,
    /// Give it the content that it had in this version; its status stays
    #[arg(long, value_name = "N")]
    version: Option<u32>,
    /// Why; it stays with the entry
    #[arg(long, value_name = "TEXT", value_parser = reason, default_value = "restored")]
    reason: String,
    #[command(flatten)]
    manner: Manner,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let said = match args.version {
        Some(version) => format!("back to version {version}: {}", args.reason),
        None => args.reason.clone(),
    };
    let wish = wish(&said);
    args.manner
        .change(&args.entry, Vec::new(), |entry, _| match args.version {
            Some(version) => life::roll_back(entry, version, &wish),
            None => life::restore(entry, &wish),
        })
}
