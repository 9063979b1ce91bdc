//! `pithead kb merge`: one entry of two; the evidence is added up.

use super::change::{Manner, reason, wish};
use super::find::find;
use crate::cli::outcome::{CommandError, ExitStatus};
use pithead_core::knowledge::life;

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
    let wish = wish(&args.reason);
    args.manner.change(&args.from, Vec::new(), |from, base| {
        let into = find(base, &args.into).map_err(|error| error.to_string())?;
        life::merge(from, into, &wish)
    })
}
