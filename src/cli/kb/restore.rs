//! `pithead kb restore`: undo a veto, a retirement or a merge, or restore an older version.

use super::change::{ChangeOptions, Wanted, parse_reason};
use crate::cli::outcome::{CommandError, ExitStatus};
use pithead_engine::runtime::operator::curate::Curation;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The entry's id, as in `pithead kb list`, or an unambiguous beginning of it
    #[arg(value_name = "ID")]
    entry: String,
    /// Restore the content of this version; the status stays
    #[arg(long, value_name = "N")]
    version: Option<u32>,
    /// The reason, recorded with the entry
    #[arg(long, value_name = "TEXT", value_parser = parse_reason, default_value = "restored")]
    reason: String,
    #[command(flatten)]
    change: ChangeOptions,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let change = args.version.map_or(Curation::Restore, Curation::RollBack);
    args.change
        .change_entry(&Wanted::new(&args.entry, change, &args.reason))
}
