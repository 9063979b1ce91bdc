//! The command line: one file per command, dispatched here and nowhere else.
//!
//! Invariant: no command imports another one's arguments; what several need is in options, output and watching.

mod backup;
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
mod run;
mod runs;
mod selector;
mod server;
mod show;
mod status;
mod tasks;
mod tell;
mod verify;
mod watch;
mod watching;
mod world;

pub use reference::commands_markdown;

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{output_fault, print_stderr, print_stdout};
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
    /// Count why subgoals failed, over some runs or all
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
    /// Inspect the embedded world without playing
    #[command(subcommand)]
    World(world::Command),
    /// Install and try the bridge to Minecraft servers
    #[command(subcommand)]
    Bridge(bridge::Command),
    /// List the published task suites
    Tasks(tasks::Args),
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
        Ok(command) => perform(command),
        Err(exit) => Ok(exit),
    };
    let exit = exit.and_then(|exit| output_fault().map_or(Ok(exit), Err));
    let exit = exit.unwrap_or_else(|error| {
        print_stderr(&format!("pithead: {error}"));
        error.exit()
    });
    ExitCode::from(exit as u8)
}

/// Reads the command line; a request for help and a command line with errors are answered here.
fn read_command_line() -> Result<Command, ExitStatus> {
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
    groups::grouped(Cli::command())
}

/// A command with its arguments; the console's own options belong to the console.
fn parse(
    words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> Result<Command, clap::Error> {
    let mut command = command();
    let mut matches = command.try_get_matches_from_mut(words)?;
    let cli =
        Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))?;
    match cli.command {
        None => Ok(Command::Console(cli.lists)),
        Some(_) if cli.lists.is_set() => Err(command.error(
            clap::error::ErrorKind::ArgumentConflict,
            "options of the console cannot be used with a command before its name; write them behind it",
        )),
        Some(named) => Ok(named),
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
        Command::Drive => drive::perform(),
        Command::Resume(args) => resume::perform(&args),
        Command::Verify(args) => verify::perform(&args),
        Command::Backup(args) => backup::perform(&args),
        Command::Restore(args) => restore::perform(&args),
        Command::Kb(command) => kb::perform(&command),
        Command::Memory(command) => memory::perform(&command),
        Command::World(command) => world::perform(&command),
        Command::Bridge(command) => bridge::perform(&command),
        Command::Tasks(args) => tasks::perform(&args),
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
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        command().debug_assert();
    }

    #[test]
    fn every_documented_option_is_accepted() {
        let line = "pithead run craft --headless --json --seed 9 --pace x4 --budget 12000 --gate plan=ask:5:veto \
                    --gate replan=auto --db x.db --mind builtin:novice --system no-skills";
        parse(line.split(' ')).unwrap();
        parse([
            "pithead",
            "plan",
            "t",
            "--inventory",
            "oak_log=3,stick=2",
            "--json",
        ])
        .unwrap();
        for line in [
            "--db x.db",
            "--db x.db --theme light --record sitting.cast",
            "runs --json",
            "runs delete 3 4 --dry-run --json --db x.db",
            "compare 1 2 3 --json",
            "causes",
            "causes 1 2 --json",
            "watch 3 --headless",
            "console --theme light",
            "keys --json",
            "show 3 --json",
            "explain 3 7 --json",
            "explain 3 a7 --set nav_variance=0.5 --set window_ticks=200",
            "explain --all --set gui_toggles=3 --json",
            "explain --doubts",
            "explain 3 7 --overrule nav_stuck --reason held",
            "replay 3 --headless",
            "fork 3 --at 120 --without k1.2 --set nav_variance=0.5 --plan f --keep-decisions --only",
            "fork 3 --before a7 --headless --json",
            "run t --headless --break reason=NAV_STUCK --break tick=40",
            "resume 3 --headless",
            "kb list --json",
            "kb list --kind skill --status active --text x --author y --sort trust --limit 3 --json",
            "kb trial 1.1 --task t --seeds 1..3 --budget 9 --alone --jobs 2 --json",
            "kb import f --format voyager --anyway --dry-run --json",
            "kb why k1.2 --run 3 --attempt a4 --json",
            "kb keep k1.2 k1.3 --reason both --dry-run --json",
            "kb effect k1.2 --json",
            "kb graph k1.2 --json",
            "memory search stuck --have coal --at 1 -64 3 --seed 7 --limit 3 --json",
            "memory show e1.2 --json",
            "memory stats --json",
            "memory reindex --force --json",
            "world map --seed 3 --at -5 9 --radius 4 --png m.png --json",
            "world view --at 1 70 -3.5 --yaw -90 --pitch 10 --png v.png",
            "world find diamond --seed 3 --limit 5",
            "world how torch --json",
            "tasks --suite mcu70 --json",
            "prompt render planner --run 3 --at 17",
            "prompt list",
            "cassette export 3 --out run.cassette.gz",
            "doctor --json",
            "models --json",
            "show 3 --costs --json",
            "run t --mind llm:m --budget-tokens 9 --budget-money 0.5 --budget-calls 3",
            "run t --controller table18 --frames d --frames-large",
            "eval --suite mcu70 --tasks mcu70/iron/* --seeds 1..20 --mind builtin:expert --system no-skills \
             --controller table18 --jobs 2 --out d --json",
            "learn --curve --groups iron,armor --seeds 1..4 --passes 2 --systems no-skills --jobs 2 --out d --json",
            "eval --suite gitm262 --seeds 7 --learn --journal-frames --out d --db x.db",
            "evals --json --db x.db",
        ] {
            parse(std::iter::once("pithead").chain(line.split(' '))).unwrap();
        }
    }

    #[test]
    fn commands_are_folded_and_the_database_stands_before_or_after_them() {
        for line in [
            "--db x.db runs",
            "--db x.db run t --headless",
            "--db x.db runs delete 3",
            "runs --db x.db delete 3",
            "runs list --json",
            "runs show 3 --json",
            "runs compare 1 2",
            "runs causes 1 2 --json",
            "config keys --json",
            "config gates --set plan=ask",
            "config policy check f.toml",
            "status --short",
            "completions zsh",
            "man d",
            "keys --json",
            "--db x.db eval --suite mcu70 --seeds 1..2 --out d",
        ] {
            parse(std::iter::once("pithead").chain(line.split(' '))).unwrap();
        }
        let line = ["pithead", "--db", "before.db", "runs", "list"];
        let Command::Runs(args) = parse(line).unwrap() else {
            panic!("it lists runs")
        };
        let place = format!("{args:?}");
        assert!(place.contains("before.db"), "{place}");
    }

    #[test]
    fn options_of_servers_are_accepted_or_refused_with_a_suggestion() {
        for line in [
            "bridge install",
            "bridge doctor --json",
            "bridge run --server 127.0.0.1:25565 --json",
            "run t --world minecraft --server play.example.org --server-version 1.16.5 --player Anna --allow-server",
            "resume 3 --allow-server",
        ] {
            parse(std::iter::once("pithead").chain(line.split(' '))).unwrap();
        }
        for (line, word) in [
            ("run t --world mincraft", "minecraft"),
            ("run t --world minecraft --server a:b:c:d", "HOST:PORT"),
            ("run t --world minecraft --player x", "letters"),
        ] {
            let error = parse(std::iter::once("pithead").chain(line.split(' '))).unwrap_err();
            assert!(error.to_string().contains(word), "{line}: {error}");
        }
    }

    #[test]
    fn commands_for_several_runs_and_whole_databases_are_accepted() {
        for line in [
            "policy check f.toml --run 3 --json --db x.db",
            "run t --policy f.toml --headless",
            "tell 3 limit ticks 24000 --json --db x.db",
            "tell 3 pause soon",
            "runs abort 3 4 --reason flooded --dry-run --json",
            "runs resume 3 4 --json --db x.db",
            "verify --deep --json --db x.db",
            "backup x.backup --json --db x.db",
            "restore x.backup --replace --json --db x.db",
        ] {
            parse(std::iter::once("pithead").chain(line.split(' '))).unwrap();
        }
    }

    /// What is wrong, and one word that must be in the answer.
    #[test]
    fn bad_options_are_refused_with_a_suggestion() {
        for (line, word) in [
            ("--theme light runs", "cannot be used with"),
            ("run t --gate plan=maybe", "ask:SECONDS:approve"),
            ("run t --gate plam=ask", "did you mean plan"),
            ("run t --gate plan", "KIND=POLICY"),
            ("run t --pace fast", "realtime"),
            ("run t --seeds 3", "--seed"),
            ("run t --seed x", "invalid digit"),
            ("plan t --inventory oak_lgo=3", "oak_log"),
            ("show x", "number"),
            ("explain 3", "<ATTEMPT>"),
            ("explain 3 x7", "form aN"),
            (
                "explain 3 7 --set nav_varance=1",
                "did you mean nav_variance",
            ),
            ("explain 3 7 --overrule NAV_STUK --reason x", "NAV_STUCK"),
            ("explain 3 7 --overrule NAV_STUCK", "--reason"),
            ("explain 3 7 --all", "cannot be used with"),
            ("fork 3", "--at"),
            ("compare 3", "2"),
            ("tell 3", "<WORDS>"),
            ("policy", "check"),
            ("policy check f.toml --run x", "number"),
            ("runs delete", "<RUN>"),
            ("runs abort 3", "--reason"),
            ("runs delete x", "number"),
            ("fork 3 --at 1 --before a1", "cannot be used with"),
            ("run t --break phase=plam", "plan"),
            ("tasks --suite mcu71", "mcu70"),
            ("run t --controller learned", "table18"),
            ("eval --suite mcu70 --seeds 9..1", "A not above B"),
            (
                "eval --suite mcu70 --seeds 1..2 --tasks [",
                "is not a pattern",
            ),
            ("eval --suite mcu70 --seeds 1..2 --journal-frames", "--out"),
            ("memory search x --have cole", "unknown item"),
            ("memory search x --at 1 2 3", "--seed"),
            ("memory search x --limit 0", "1"),
            ("memory show 12", "e1.8"),
            ("world how oak_lgo", "oak_log"),
            ("learn", "--curve"),
            ("learn --curve --seeds 3..1", "A not above B"),
            ("rum t", "run"),
        ] {
            let error = parse(std::iter::once("pithead").chain(line.split(' '))).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{line}");
            assert!(error.to_string().contains(word), "{line}: {error}");
        }
    }
}
