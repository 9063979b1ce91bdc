//! `pithead kb keep`: keep two entries that lint would merge or separate.

use super::change::{ChangeOptions, parse_reason, request};
use super::find::find_entry;
use crate::cli::outcome::{CommandError, ExitStatus};
use pithead_core::knowledge::life;

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
    let request = request(&args.reason);
    args.change
        .change_entry(&args.one, Vec::new(), |one, base| {
            let other = find_entry(base, &args.other).map_err(|error| error.to_string())?;
            life::keep_both(one, other, &request)
        })
}
