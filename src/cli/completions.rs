//! `pithead completions`: the line for a shell's start-up file, and what the shell then asks.
//!
//! Runs, entries and tasks are read at the moment of completing. Invariant: completing never writes, never
//! asks, and offers nothing rather than a fault.

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_stdout;
use crate::config;
use clap::{Arg, Command};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::Shells;
use pithead_core::domain::knowledge::title::title_of;
use pithead_core::text::clean::clean_line;
use pithead_engine::journal::{EntryFilter, Journal};
use pithead_engine::suites::SuiteName;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The variable by which a shell asks; its value is the name of the shell.
pub(super) const VARIABLE: &str = "COMPLETE";
/// Offers at one time; a shell asks before it lists more.
const OFFERS_MAX: usize = 200;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell: bash, zsh, fish, elvish or powershell
    #[arg(value_parser = ["bash", "zsh", "fish", "elvish", "powershell"])]
    shell: String,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let shells = Shells::builtins();
    let shell = shells.completer(&args.shell);
    let shell = shell.ok_or_else(|| CommandError::usage("this shell cannot be completed for"))?;
    let mut script = Vec::new();
    shell
        .write_registration(VARIABLE, "pithead", "pithead", "pithead", &mut script)
        .map_err(CommandError::unavailable)?;
    print_stdout(&String::from_utf8_lossy(&script));
    Ok(ExitStatus::Done)
}

/// The command line with what is offered for runs, entries and tasks.
pub(super) fn with_offers(command: Command) -> Command {
    let command = command.mut_args(|arg| match offers_of(&arg) {
        Some(offers) => arg.add(offers),
        None => arg,
    });
    command.mut_subcommands(with_offers)
}

/// What is offered for an argument, by its name.
fn offers_of(arg: &Arg) -> Option<ArgValueCompleter> {
    let offer: fn(&str) -> Vec<CompletionCandidate> = match arg.get_id().as_str() {
        "run" | "runs" => runs,
        "entry" | "entries" | "into" | "other" | "without" => entries,
        "task" | "tasks" => tasks,
        _ => return None, // the rest is offered by its type, or is the operator's own
    };
    Some(ArgValueCompleter::new(move |typed: &OsStr| {
        let mut found = typed.to_str().map(offer).unwrap_or_default();
        found.truncate(OFFERS_MAX);
        found
    }))
}

fn candidate(value: String, about: &str) -> CompletionCandidate {
    CompletionCandidate::new(value).help(Some(clean_line(about).into()))
}

/// The newest first, which is the one that is mostly meant.
fn runs(typed: &str) -> Vec<CompletionCandidate> {
    let runs = journal().and_then(|journal| journal.runs().ok());
    let runs = runs.unwrap_or_default().into_iter().rev();
    let fits = runs.filter(|run| run.id.to_string().starts_with(typed));
    fits.map(|run| {
        candidate(
            run.id.to_string(),
            &format!("{} · {}", run.state(), run.task),
        )
    })
    .collect()
}

fn entries(typed: &str) -> Vec<CompletionCandidate> {
    let found = journal().and_then(|journal| journal.knowledge(EntryFilter::default()).ok());
    let found = found.unwrap_or_default().into_iter();
    let fits = found.filter(|entry| entry.id.to_string().starts_with(typed));
    fits.map(|entry| candidate(entry.id.to_string(), &title_of(&entry.body)))
        .collect()
}

fn tasks(typed: &str) -> Vec<CompletionCandidate> {
    let all = SuiteName::ALL.into_iter();
    let all = all.flat_map(|name| &name.suite().tasks);
    let all: Vec<_> = all.collect();
    let ids = all.iter().filter(|task| task.id.starts_with(typed));
    let ids = ids.map(|task| candidate(task.id.clone(), &task.instruction));
    // A task of one's own is given in words; two suites may have the same words.
    let words: BTreeSet<&str> = all.iter().map(|task| task.instruction.as_str()).collect();
    let words = words.into_iter().filter(|words| begins(words, typed));
    let words = words.map(|words| candidate(words.to_owned(), "in words"));
    ids.chain(words).collect()
}

/// Whether words go on from what was typed; a bare `tab` offers ids only.
fn begins(words: &str, typed: &str) -> bool {
    let head = words.get(..typed.len());
    !typed.is_empty() && head.is_some_and(|head| head.eq_ignore_ascii_case(typed))
}

/// The database of the command line that is completed.
fn journal() -> Option<Journal> {
    let words = std::env::args_os().skip_while(|word| word != "--");
    let path = config::database(given_database(words)).ok()?;
    Journal::look(&path).ok()
}

/// The value of `--db PATH` or `--db=PATH`.
fn given_database(mut words: impl Iterator<Item = OsString>) -> Option<PathBuf> {
    while let Some(word) = words.next() {
        if word == "--db" {
            return words.next().map(PathBuf::from);
        }
        if let Some(path) = word.to_str().and_then(|word| word.strip_prefix("--db=")) {
            return Some(PathBuf::from(path));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_completed_by_id_and_in_words() {
        let offered = |typed| -> Vec<String> {
            let found = tasks(typed).into_iter();
            found
                .map(|one| one.get_value().to_string_lossy().into_owned())
                .collect()
        };
        let suite = SuiteName::ALL[0].suite();
        let task = &suite.tasks[0];
        assert!(offered(&task.id).contains(&task.id));
        let (half, _) = task.instruction.split_at(task.instruction.len() / 2);
        let found = offered(half);
        let is_once = found
            .iter()
            .filter(|words| **words == task.instruction)
            .count()
            == 1;
        assert!(is_once, "{half}: {found:?}");
        assert!(offered("").iter().all(|id| id.contains('/')));
    }

    #[test]
    fn the_database_is_found_however_it_is_written() {
        let given = |line: &str| given_database(line.split(' ').map(OsString::from));
        let there = Some(PathBuf::from("a.db"));
        assert_eq!(given("-- pithead --db a.db show 1"), there);
        assert_eq!(given("-- pithead show --db=a.db 1"), there);
        assert_eq!(given("-- pithead show 1 --db"), None);
        assert_eq!(given("-- pithead show 1"), None);
    }
}
