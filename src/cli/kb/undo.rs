//! `pithead kb undo`: undo the last decision about an entry, as `z` does in the console.

use super::change::{ChangeOptions, Wanted, parse_reason};
use crate::cli::outcome::{CommandError, ExitStatus};
use pithead_engine::runtime::operator::curate::Curation;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The entry's id, as in `pithead kb list`, or an unambiguous beginning of it
    #[arg(value_name = "ID")]
    entry: String,
    /// The reason, recorded with the entry
    #[arg(long, value_name = "TEXT", value_parser = parse_reason, default_value = "taken back")]
    reason: String,
    #[command(flatten)]
    change: ChangeOptions,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let wanted = Wanted::new(&args.entry, Curation::TakeBack, &args.reason);
    args.change.change_entry(&wanted)
}
