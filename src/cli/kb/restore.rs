//! `pithead kb restore`: take back a veto, a retirement or a merge, or go back to an older version.

use super::change::{Manner, Wanted, reason};
use crate::cli::outcome::{CommandError, ExitStatus};
use pithead_engine::runtime::operator::curate::Curation;

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
    let change = args.version.map_or(Curation::Restore, Curation::RollBack);
    args.manner
        .change(&Wanted::new(&args.entry, change, &args.reason))
}
