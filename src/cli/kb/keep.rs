//! `pithead kb keep`: keep two entries that lint would merge or separate.

use super::change::{ChangeOptions, Wanted, parse_reason};
use super::find::find_entry;
use crate::cli::outcome::{CommandError, ExitStatus};
use pithead_engine::runtime::operator::curate::Curation;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// One entry of a pair that `pithead kb lint` lists
    #[arg(value_name = "ID")]
    one: String,
    /// The other
    #[arg(value_name = "OTHER")]
    other: String,
    /// The reason, recorded with both entries
    #[arg(long, value_name = "TEXT", value_parser = parse_reason)]
    reason: String,
    #[command(flatten)]
    change: ChangeOptions,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let other = find_entry(&args.change.base()?, &args.other)?.id;
    let change = Curation::KeepBeside(other);
    args.change
        .change_entry(&Wanted::new(&args.one, change, &args.reason))
}
