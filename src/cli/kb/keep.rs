//! `pithead kb keep`: two entries of the queues may stand beside each other.

use super::change::{Manner, reason, wish};
use super::find::find;
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
    /// Why; it stays with both
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
    #[command(flatten)]
    manner: Manner,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let wish = wish(&args.reason);
    args.manner.change(&args.one, Vec::new(), |one, base| {
        let other = find(base, &args.other).map_err(|error| error.to_string())?;
        life::keep_both(one, other, &wish)
    })
}
