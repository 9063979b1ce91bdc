//! `pithead kb retire`: takes an entry out of use; `restore` undoes it.

use super::change::{ChangeOptions, parse_reason, request};
use crate::cli::outcome::{CommandError, ExitStatus};
use pithead_core::knowledge::life;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The entry's id, as in `pithead kb list`, or an unambiguous beginning of it
    #[arg(value_name = "ID")]
    entry: String,
    /// The reason, recorded with the entry
    #[arg(long, value_name = "TEXT", value_parser = parse_reason)]
    reason: String,
    #[command(flatten)]
    change: ChangeOptions,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let request = request(&args.reason);
    let retired = |entry: &_, _: &[_]| life::retire(entry, &request);
    args.change.change_entry(&args.entry, Vec::new(), retired)
}
