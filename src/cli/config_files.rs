//! `pithead config`: the operator's own files: keys, rules about gates, policies.

use crate::cli::outcome::{CommandError, ExitStatus};

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// List the console's commands with their keys, or check a key file
    Keys(super::keys::Args),
    /// List or change the saved rules about when the operator is asked
    Gates(super::gates::Args),
    /// List, save or remove the saved views of the console's lists
    Views(super::views::Args),
    /// Check a policy file, which says what steps and entries need a person
    #[command(subcommand)]
    Policy(super::policy::Command),
}

pub(crate) fn perform(command: &Command) -> Result<ExitStatus, CommandError> {
    match command {
        Command::Keys(args) => super::keys::perform(args),
        Command::Gates(args) => super::gates::perform(args),
        Command::Views(args) => super::views::perform(args),
        Command::Policy(command) => super::policy::perform(command),
    }
}
