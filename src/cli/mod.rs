//! The command line: one file per command, dispatched here and nowhere else.
//!
//! Invariant: no command imports another one's arguments; what several need is in options, output and watching.

mod acp;
mod backup;
mod blueprints;
mod bookmarks;
mod bridge;
mod bulk;
mod cassette;
mod causes;
mod client;
mod compare;
mod completions;
mod config_files;
mod consent;
mod console;
mod delete;
mod doctor;
mod drive;
mod eval;
mod evals;
mod explain;
mod export;
mod find;
mod fork;
mod gates;
mod goal;
mod groups;
mod hook;
mod inbox;
mod init;
mod interrupt;
mod kb;
mod keys;
mod learn;
mod log;
mod man;
mod mcp;
mod memory;
mod models;
mod options;
mod outcome;
mod output;
mod plan;
mod play;
mod policy;
mod prompt;
mod reference;
mod replay;
mod restore;
mod resume;
mod rounds;
mod rpc;
mod run;
mod runs;
mod selector;
mod server;
mod show;
mod status;
mod tables;
mod tasks;
mod tell;
mod triage;
mod verify;
mod views;
mod watch;
mod watching;
mod world;

pub use reference::commands_markdown;

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{choose_columns, columns_fault, output_fault, print_stderr, print_stdout};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use pithead_engine::journal::say_waits_with;
use std::ffi::OsString;
use std::process::ExitCode;

/// Supervise agents that learn from their own experience.
#[derive(Debug, Parser)]
#[command(name = "pithead", version, about, max_term_width = 100, after_help = AFTER)]
struct Cli {
    /// Without a command, the console opens on the lists of the database
    #[command(subcommand)]
    command: Option<Command>,
    /// The columns of a table, by their names and in this order
    #[arg(
        long,
        global = true,
        hide = true,
        value_name = "NAMES",
        value_delimiter = ','
    )]
    columns: Vec<String>,
    /// For the console without a command
    #[command(flatten)]
    lists: console::Args,
}

const AFTER: &str = "Exit codes: 0 task done, 1 run ended without success, 2 usage, \
3 world, mind or database unavailable, 130 interrupted.\n\
Environment: PITHEAD_DB names the database, PITHEAD_CONFIG the config file, PITHEAD_LOG the log filter, PITHEAD_KEYS a key file, PITHEAD_GATES a file of gate rules, PITHEAD_POLICY a policy file for runs started in the console, \
PITHEAD_EMBED_URL, PITHEAD_EMBED_MODEL and PITHEAD_EMBED_KEY an embeddings server.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Start a run and watch it in the console
    Run(run::Args),
    /// Plan a task and verify the plan, without running it
    Plan(plan::Args),
    /// Open the console on the database: inbox, knowledge, runs, log
    Console(console::Args),
    /// The key file, the saved rules about gates, and policy files
    #[command(subcommand)]
    Config(config_files::Command),
    /// List the console's commands with their keys, or check a key file
    #[command(hide = true)]
    Keys(keys::Args),
    /// List or change the saved rules about when the operator is asked
    #[command(hide = true)]
    Gates(gates::Args),
    /// Check a policy file, which says what steps and entries need a person
    #[command(subcommand, hide = true)]
    Policy(policy::Command),
    /// List runs; show, compare, count failures; abort, resume or delete several
    Runs(runs::Args),
    /// Count why steps failed, over some runs or all
    #[command(hide = true)]
    Causes(causes::Args),
    /// Compare runs side by side: outcome, failures, knowledge, costs
    #[command(hide = true)]
    Compare(compare::Args),
    /// Show one run: plan, attempts, decisions, knowledge
    #[command(hide = true)]
    Show(show::Args),
    /// Explain why an attempt got its label, and what would change it
    Explain(explain::Args),
    /// Find the moments of a run at which a condition becomes true or a value changes
    Find(find::Args),
    /// Continue from a point of a recorded run, as a new run with something changed
    Fork(fork::Args),
    /// Replay a recorded run in the console
    Replay(replay::Args),
    /// Play a console session that `--record` saved
    Play(play::Args),
    /// Follow a run that another process drives, and answer its questions
    Watch(watch::Args),
    /// Tell what goes on: live runs, and what waits; --short for tmux and prompts
    Status(status::Args),
    /// List what waits for the operator, or show one question in full
    Inbox(inbox::Args),
    /// Assign, snooze or comment what waits: questions, entries, runs
    Triage(triage::Args),
    /// Send a command to a run from another terminal: answer, pause, steer or end it
    Tell(tell::Args),
    /// Drive the run of an order; the program starts this by itself
    #[command(hide = true)]
    Drive,
    /// Resume a run that was left or killed
    Resume(resume::Args),
    /// Check that the database holds what was written to it, and say where it does not
    Verify(verify::Args),
    /// Copy the database to a file, while runs write to it
    Backup(backup::Args),
    /// Put a backup in the place of the database
    Restore(restore::Args),
    /// Inspect and change the knowledge base
    #[command(subcommand)]
    Kb(kb::Command),
    /// Search the experience store
    #[command(subcommand)]
    Memory(memory::Command),
    /// Serve the knowledge base to other agents: the Model Context Protocol on standard input and output
    Mcp(mcp::Args),
    /// Let an editor drive runs: the Agent Client Protocol on standard input and output
    Acp(acp::Args),
    /// Inspect the embedded world without playing
    #[command(subcommand)]
    World(world::Command),
    /// Install and try the bridge to Minecraft servers
    #[command(subcommand)]
    Bridge(bridge::Command),
    /// List the published task suites
    Tasks(tasks::Args),
    /// List what can be built by name, and what it takes; show one layer by layer
    Blueprints(blueprints::Args),
    /// Show the prompts that language models get
    #[command(subcommand)]
    Prompt(prompt::Command),
    /// Save a run's questions and answers as a file
    #[command(subcommand)]
    Cassette(cassette::Command),
    /// Write a first config: finds servers of models on this machine, and asks
    Init(init::Args),
    /// List servers of models, the models that they serve, and what each supports
    Models(models::Args),
    /// Check the configured language models with one small call each
    Doctor(doctor::Args),
    /// Train and judge the predictor of the selector `horizon`
    #[command(subcommand)]
    Selector(selector::Command),
    /// Play a task suite over many seeds and count the successes
    Eval(eval::Args),
    /// List evaluations: running, finished and stopped
    Evals(evals::Args),
    /// Measure whether the agent learns: success and failed attempts as episodes accumulate
    Learn(learn::Args),
    /// Print the line that gives a shell completions, of runs, entries and tasks too
    Completions(completions::Args),
    /// Write the manual pages
    Man(man::Args),
}

/// Runs the program.
#[must_use]
pub fn main() -> ExitCode {
    clap_complete::CompleteEnv::with_factory(|| completions::with_offers(command()))
        .var(completions::VARIABLE)
        .complete();
    log::start_log();
    say_waits_with(Some(|notice| print_stderr(&format!("pithead: {notice}"))));
    let exit = match read_command_line() {
        Ok((command, columns)) => {
            choose_columns(columns);
            perform(command)
        }
        Err(exit) => Ok(exit),
    };
    let fault = || output_fault().or_else(columns_fault);
    let exit = exit.and_then(|exit| fault().map_or(Ok(exit), Err));
    let exit = exit.unwrap_or_else(|error| {
        print_stderr(&format!("pithead: {error}"));
        error.exit()
    });
    ExitCode::from(exit as u8)
}

/// Reads the command line; a request for help and a command line with errors are answered here.
fn read_command_line() -> Result<(Command, Vec<String>), ExitStatus> {
    parse(std::env::args_os()).map_err(|error| {
        if error.use_stderr() {
            print_stderr(error.render().to_string().trim_end());
            ExitStatus::Usage
        } else {
            print_stdout(&error.render().to_string());
            ExitStatus::Done
        }
    })
}

/// The whole command line.
fn command() -> clap::Command {
    groups::grouped(tables::with_columns(Cli::command()))
}

/// A command with its arguments, and the columns that its tables are to have; the console's own options
/// belong to the console.
fn parse(
    words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> Result<(Command, Vec<String>), clap::Error> {
    let mut command = command();
    let mut matches = command.try_get_matches_from_mut(words)?;
    let path = tables::path_of(&matches);
    let cli =
        Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))?;
    match cli.command {
        None if !cli.columns.is_empty() => Err(command.error(
            clap::error::ErrorKind::ArgumentConflict,
            "--columns chooses the columns of a table that a command prints; name the command",
        )),
        None => Ok((Command::Console(cli.lists), Vec::new())),
        Some(_) if cli.lists.is_set() => Err(command.error(
            clap::error::ErrorKind::ArgumentConflict,
            "options of the console cannot be used with a command before its name; write them behind it",
        )),
        Some(_) if !cli.columns.is_empty() && !tables::has_table(&path) => Err(command.error(
            clap::error::ErrorKind::ArgumentConflict,
            format!("`pithead {path}` prints no table whose columns could be chosen"),
        )),
        Some(named) => Ok((named, cli.columns)),
    }
}

fn perform(command: Command) -> Result<ExitStatus, CommandError> {
    match command {
        Command::Run(args) => run::perform(&args),
        Command::Plan(args) => plan::perform(&args),
        Command::Console(args) => console::perform(&args),
        Command::Config(command) => config_files::perform(&command),
        Command::Keys(args) => keys::perform(&args),
        Command::Gates(args) => gates::perform(&args),
        Command::Policy(command) => policy::perform(&command),
        Command::Runs(args) => runs::perform(&args),
        Command::Causes(args) => causes::perform(&args),
        Command::Compare(args) => compare::perform(&args),
        Command::Show(args) => show::perform(&args),
        Command::Explain(args) => explain::perform(&args),
        Command::Find(args) => find::perform(&args),
        Command::Fork(args) => fork::perform(&args),
        Command::Replay(args) => replay::perform(&args),
        Command::Play(args) => play::perform(&args),
        Command::Watch(args) => watch::perform(&args),
        Command::Status(args) => status::perform(&args),
        Command::Inbox(args) => inbox::perform(&args),
        Command::Selector(command) => selector::perform(&command),
        Command::Tell(args) => tell::perform(&args),
        Command::Triage(args) => triage::perform(&args),
        Command::Drive => drive::perform(),
        Command::Resume(args) => resume::perform(&args),
        Command::Verify(args) => verify::perform(&args),
        Command::Backup(args) => backup::perform(&args),
        Command::Restore(args) => restore::perform(&args),
        Command::Kb(command) => kb::perform(&command),
        Command::Mcp(args) => mcp::perform(&args),
        Command::Acp(args) => acp::perform(&args),
        Command::Memory(command) => memory::perform(&command),
        Command::World(command) => world::perform(&command),
        Command::Bridge(command) => bridge::perform(&command),
        Command::Tasks(args) => tasks::perform(&args),
        Command::Blueprints(args) => blueprints::perform(&args),
        Command::Prompt(command) => prompt::perform(&command),
        Command::Cassette(command) => cassette::perform(&command),
        Command::Init(args) => init::perform(&args),
        Command::Models(args) => models::perform(&args),
        Command::Doctor(args) => doctor::perform(&args),
        Command::Eval(args) => eval::perform(&args),
        Command::Evals(args) => evals::perform(&args),
        Command::Learn(args) => learn::perform(&args),
        Command::Completions(args) => completions::perform(&args),
        Command::Man(args) => man::perform(&args),
    }
}

#[cfg(test)]
mod tests;
