//! `pithead kb merge`: one entry of two; the evidence is added up.

use super::change::{Manner, Wanted, reason};
use super::find::find;
use crate::cli::outcome::{CommandError, ExitStatus};
use pithead_engine::runtime::operator::curate::Curation;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The entry that gives way
    #[arg(value_name = "FROM")]
    from: String,
    /// The entry that takes its evidence, and what it asks for beyond
    #[arg(value_name = "INTO")]
    into: String,
    /// Why; it stays with both
    #[arg(long, value_name = "TEXT", value_parser = reason, default_value = "merged")]
    reason: String,
    #[command(flatten)]
    manner: Manner,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let into = find(&args.manner.base()?, &args.into)?.id;
    let change = Curation::MergeInto(into);
    args.manner
        .change(&Wanted::new(&args.from, change, &args.reason))
}
