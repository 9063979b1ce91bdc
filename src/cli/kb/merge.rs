//! `pithead kb merge`: merges two entries into one, which takes the evidence of both.

use super::change::{ChangeOptions, Wanted, parse_reason};
use super::find::find_entry;
use crate::cli::outcome::{CommandError, ExitStatus};
use pithead_engine::runtime::operator::curate::Curation;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The entry that is superseded
    #[arg(value_name = "FROM")]
    from: String,
    /// The entry that takes its evidence and its further requirements
    #[arg(value_name = "INTO")]
    into: String,
    /// The reason, recorded with both entries
    #[arg(long, value_name = "TEXT", value_parser = parse_reason, default_value = "merged")]
    reason: String,
    #[command(flatten)]
    change: ChangeOptions,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let into = find_entry(&args.change.base()?, &args.into)?.id;
    let change = Curation::MergeInto(into);
    args.change
        .change_entry(&Wanted::new(&args.from, change, &args.reason))
}
