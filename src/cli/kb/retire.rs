//! `pithead kb retire`: take an entry out of use.

use super::change::{Manner, reason, wish};
use crate::cli::outcome::{CommandError, ExitStatus};
use pithead_core::knowledge::life;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The entry, as in `pithead kb list`; the beginning of an id is enough
    #[arg(value_name = "ID")]
    entry: String,
    /// Why; it stays with the entry
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
    #[command(flatten)]
    manner: Manner,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let wish = wish(&args.reason);
    let retired = |entry: &_, _: &[_]| life::retire(entry, &wish);
    args.manner.change(&args.entry, Vec::new(), retired)
}
