//! `pithead kb`: the knowledge base, one file per command.
//!
//! Everything that changes takes `--dry-run`, says whether anything changed, and is done twice with
//! the same result as once.

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
mod lint;
mod list;
mod merge;
mod restore;
mod retire;
mod show;
mod stats;
mod trial;
mod why;

pub(crate) use trial::trial_for_console;

use crate::cli::outcome::{CommandError, ExitStatus};

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// List the entries
    List(list::Args),
    /// Show one entry: what it says, what it rests on, what it has done, why it does not act
    Show(show::Args),
    /// Show the versions of an entry, who made them and why
    History(history::Args),
    /// Change what an entry says
    Edit(decide::EditArgs),
    /// Let an entry act
    Approve(decide::ApproveArgs),
    /// Refuse an entry for good: the same is never learnt again
    Veto(decide::VetoArgs),
    /// Take an entry out of use
    Retire(retire::Args),
    /// Take back a veto, a retirement or a merge, or go back to an older version
    Restore(restore::Args),
    /// Make one entry of two
    Merge(merge::Args),
    /// Let two entries stand beside each other that say the same or speak against each other
    Keep(keep::Args),
    /// Look for what is wrong with an entry, with a file, or with the whole base
    Lint(lint::Args),
    /// Hold a guardrail against all recorded attempts: what would it have blocked?
    Backtest(backtest::Args),
    /// Play runs with and without an entry and compare them
    Trial(trial::Args),
    /// Count how runs ended that had an entry, beside those that had not
    Effect(effect::Args),
    /// Show what an entry rests on, touches, and came from
    Graph(graph::Args),
    /// Say why an entry is not active, or did nothing at an attempt
    Why(why::Args),
    /// Write entries into a file or into skill folders
    Export(export::Args),
    /// Read entries from a file or folder, ours or another program's
    Import(import::Args),
    /// Count the base: kinds, queues, ages, records
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
        Command::Merge(args) => merge::perform(args),
        Command::Keep(args) => keep::perform(args),
        Command::Lint(args) => lint::perform(args),
        Command::Backtest(args) => backtest::perform(args),
        Command::Trial(args) => trial::perform(args),
        Command::Effect(args) => effect::perform(args),
        Command::Graph(args) => graph::perform(args),
        Command::Why(args) => why::perform(args),
        Command::Export(args) => export::perform(args),
        Command::Import(args) => import::perform(args),
        Command::Stats(args) => stats::perform(args),
    }
}
