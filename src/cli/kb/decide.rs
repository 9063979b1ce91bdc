//! `pithead kb approve | veto | edit`: decide about an entry, the headless counterpart of the console's inbox.
//!
//! Invariant: a question that a run has asked is answered in that run, so that it is answered once; an entry
//! that no run asks about is changed in the knowledge log.

use super::change::{ChangeOptions, Wanted, on_errors, parse_reason};
use crate::cli::options;
use crate::cli::outcome::{CommandError, ExitStatus};
use pithead_core::domain::knowledge::Body;
use pithead_core::knowledge::reading;
use pithead_engine::runtime::operator::curate::Curation;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(crate) struct ApproveArgs {
    /// The entry's id, as in `pithead kb list`, or an unambiguous beginning of it
    #[arg(value_name = "ID")]
    entry: String,
    /// The reason, recorded with the entry
    #[arg(long, value_name = "TEXT", value_parser = parse_reason, default_value = "approved")]
    reason: String,
    /// Approve it even if lint finds errors
    #[arg(long)]
    anyway: bool,
    #[command(flatten)]
    change: ChangeOptions,
}

#[derive(Debug, clap::Args)]
pub(crate) struct VetoArgs {
    /// The entry's id, as in `pithead kb list`, or an unambiguous beginning of it
    #[arg(value_name = "ID")]
    entry: String,
    /// The reason, recorded with the entry
    #[arg(long, value_name = "TEXT", value_parser = parse_reason)]
    reason: String,
    #[command(flatten)]
    change: ChangeOptions,
}

#[derive(Debug, clap::Args)]
pub(crate) struct EditArgs {
    /// The entry's id, as in `pithead kb list`, or an unambiguous beginning of it
    #[arg(value_name = "ID")]
    entry: String,
    /// The new body as YAML or JSON, as `pithead kb show ID --body` prints it; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    body: PathBuf,
    /// The reason, recorded with the entry
    #[arg(long, value_name = "TEXT", value_parser = parse_reason, default_value = "edited")]
    reason: String,
    /// Accept it even if lint finds errors
    #[arg(long)]
    anyway: bool,
    #[command(flatten)]
    change: ChangeOptions,
}

pub(super) fn approve(args: &ApproveArgs) -> Result<ExitStatus, CommandError> {
    args.change.change_entry(&Wanted {
        on_errors: on_errors(args.anyway),
        ..Wanted::new(&args.entry, Curation::Approve, &args.reason)
    })
}

pub(super) fn veto(args: &VetoArgs) -> Result<ExitStatus, CommandError> {
    let wanted = Wanted::new(&args.entry, Curation::Veto, &args.reason);
    args.change.change_entry(&wanted)
}

pub(super) fn edit(args: &EditArgs) -> Result<ExitStatus, CommandError> {
    let (body, text) = read_body(&args.body)?;
    args.change.change_entry(&Wanted {
        on_errors: on_errors(args.anyway),
        text: Some((&args.body, &text)),
        ..Wanted::new(&args.entry, Curation::Edit(Box::new(body)), &args.reason)
    })
}

/// A body from a file or from standard input, with its text.
pub(super) fn read_body(path: &Path) -> Result<(Body, String), CommandError> {
    let (place, text) = (path.display(), options::read_text(path)?);
    let body = reading::body(&text).map_err(|fault| {
        let words = pithead_core::text::clean::clean_lines(&fault.to_string());
        CommandError::usage(format!(
            "{place} is not the body of an entry: {}",
            words.trim_end()
        ))
    })?;
    Ok((body, text))
}
