//! `pithead kb`: the knowledge base, one file per command.
//!
//! Invariant: every command that changes the base takes `--dry-run`, says whether anything changed, and is
//! idempotent.

mod backtest;
mod change;
mod decide;
mod effect;
mod export;
mod find;
mod graph;
mod history;
mod import;
mod keep;
mod lineage;
mod lint;
mod list;
mod merge;
mod restore;
mod retire;
mod show;
mod stats;
mod trial;
mod undo;
mod why;

use crate::cli::outcome::{CommandError, ExitStatus};
pub(crate) use find::find_entry;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// List the entries
    List(list::Args),
    /// Show one entry: content, evidence, record, and why it is not used
    Show(show::Args),
    /// Show the versions of an entry, who made them and why
    History(history::Args),
    /// Change the content of an entry
    Edit(decide::EditArgs),
    /// Approve an entry, so that runs use it
    Approve(decide::ApproveArgs),
    /// Veto an entry for good: the same content is never learned again
    Veto(decide::VetoArgs),
    /// Retire an entry, so that runs no longer use it
    Retire(retire::Args),
    /// Undo a veto, a retirement or a merge, or restore an older version
    Restore(restore::Args),
    /// Undo the last decision about an entry: it waits again or, if runs have used it, is retired
    Undo(undo::Args),
    /// Merge two entries into one
    Merge(merge::Args),
    /// Keep two entries although they are duplicates or contradict each other
    Keep(keep::Args),
    /// Check an entry, a file or the whole base for faults
    Lint(lint::Args),
    /// Count what recorded attempts a guardrail would have blocked
    Backtest(backtest::Args),
    /// Play runs with and without an entry and compare them
    Trial(trial::Args),
    /// Compare how runs ended with and without an entry
    Effect(effect::Args),
    /// Show what an entry rests on, what it touches and where it came from
    Graph(graph::Args),
    /// Walk from failures to the entry, to each run that it helped, blocked or hurt, and to what must be reviewed
    Lineage(lineage::Args),
    /// Explain why an entry is not active, or had no part in an attempt
    Why(why::Args),
    /// Export entries to a file or to skill folders
    Export(export::Args),
    /// Import entries from a file or folder of this or another program
    Import(import::Args),
    /// Summarise the base in figures: kinds, queues, ages, records
    Stats(stats::Args),
}

pub(crate) fn perform(command: &Command) -> Result<ExitStatus, CommandError> {
    match command {
        Command::List(args) => list::perform(args),
        Command::Show(args) => show::perform(args),
        Command::History(args) => history::perform(args),
        Command::Edit(args) => decide::edit(args),
        Command::Approve(args) => decide::approve(args),
        Command::Veto(args) => decide::veto(args),
        Command::Retire(args) => retire::perform(args),
        Command::Restore(args) => restore::perform(args),
        Command::Undo(args) => undo::perform(args),
        Command::Merge(args) => merge::perform(args),
        Command::Keep(args) => keep::perform(args),
        Command::Lint(args) => lint::perform(args),
        Command::Backtest(args) => backtest::perform(args),
        Command::Trial(args) => trial::perform(args),
        Command::Effect(args) => effect::perform(args),
        Command::Graph(args) => graph::perform(args),
        Command::Lineage(args) => lineage::perform(args),
        Command::Why(args) => why::perform(args),
        Command::Export(args) => export::perform(args),
        Command::Import(args) => import::perform(args),
        Command::Stats(args) => stats::perform(args),
    }
}
