//! `pithead kb approve | veto | edit`: decide about an entry, at the gate of its run or in the
//! knowledge log.
//!
//! The headless twin of the console's inbox. Invariant: what a run asks is answered in that run, so
//! that it is answered once.

use super::change::{Manner, Wanted, on_errors, reason};
use crate::cli::options;
use crate::cli::outcome::{CommandError, ExitStatus};
use pithead_core::domain::knowledge::Body;
use pithead_core::knowledge::reading;
use pithead_engine::runtime::operator::curate::Curation;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(crate) struct ApproveArgs {
    /// The entry, as in `pithead kb list`; the beginning of an id is enough
    #[arg(value_name = "ID")]
    entry: String,
    /// Why; it stays with the entry
    #[arg(long, value_name = "TEXT", value_parser = reason, default_value = "approved")]
    reason: String,
    /// Approve it even if lint finds errors
    #[arg(long)]
    anyway: bool,
    #[command(flatten)]
    manner: Manner,
}

#[derive(Debug, clap::Args)]
pub(crate) struct VetoArgs {
    /// The entry, as in `pithead kb list`; the beginning of an id is enough
    #[arg(value_name = "ID")]
    entry: String,
    /// Why; it stays with the entry
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
    #[command(flatten)]
    manner: Manner,
}

#[derive(Debug, clap::Args)]
pub(crate) struct EditArgs {
    /// The entry, as in `pithead kb list`; the beginning of an id is enough
    #[arg(value_name = "ID")]
    entry: String,
    /// The new body as YAML or JSON, as `pithead kb show ID --body` prints it; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    body: PathBuf,
    /// Why; it stays with the entry
    #[arg(long, value_name = "TEXT", value_parser = reason, default_value = "edited")]
    reason: String,
    /// Take it even if lint finds errors
    #[arg(long)]
    anyway: bool,
    #[command(flatten)]
    manner: Manner,
}

pub(super) fn approve(args: &ApproveArgs) -> Result<ExitStatus, CommandError> {
    args.manner.change(&Wanted {
        on_errors: on_errors(args.anyway),
        ..Wanted::new(&args.entry, Curation::Approve, &args.reason)
    })
}

pub(super) fn veto(args: &VetoArgs) -> Result<ExitStatus, CommandError> {
    let wanted = Wanted::new(&args.entry, Curation::Veto, &args.reason);
    args.manner.change(&wanted)
}

pub(super) fn edit(args: &EditArgs) -> Result<ExitStatus, CommandError> {
    let (body, text) = read(&args.body)?;
    args.manner.change(&Wanted {
        on_errors: on_errors(args.anyway),
        text: Some((&args.body, &text)),
        ..Wanted::new(&args.entry, Curation::Edit(Box::new(body)), &args.reason)
    })
}

/// A body from a file or from standard input, with its text.
pub(super) fn read(path: &Path) -> Result<(Body, String), CommandError> {
    let (place, text) = (path.display(), options::text(path)?);
    let body = reading::body(&text).map_err(|fault| {
        let words = pithead_core::text::clean::clean_lines(&fault.to_string());
        CommandError::usage(format!(
            "{place} is no body of an entry: {}",
            words.trim_end()
        ))
    })?;
    Ok((body, text))
}
