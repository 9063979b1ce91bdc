//! `pithead kb keep`: two entries of the queues may stand beside each other.

use super::change::{Manner, Wanted, reason};
use super::find::find;
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
    /// Why; it stays with both
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
    #[command(flatten)]
    manner: Manner,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let other = find(&args.manner.base()?, &args.other)?.id;
    let change = Curation::KeepBeside(other);
    args.manner
        .change(&Wanted::new(&args.one, change, &args.reason))
}
