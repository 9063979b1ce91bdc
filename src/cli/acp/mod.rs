//! `pithead acp`: an editor drives runs over standard input and output, by the Agent Client Protocol.
//!
//! A prompt is a task; its run belongs to a driver process like any other, and its gates are asked in the editor.
//! Invariant: an editor that goes away ends no run.

mod asking;
mod params;
mod record;
mod server;
mod session;
mod updates;

use super::options::{ConsoleOptions, Database, parse_gate_rule, parse_seed};
use super::rpc::{RpcError, next_line};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::write_stdout;
use crate::config::{self, minds};
use pithead_core::domain::run::decision::{GateKind, Policy};
use pithead_core::systems;
use pithead_core::text::clean::escape_hidden_json;
use pithead_engine::launch::{CONSOLE_PACE, DrivePlace, Launcher, RunAim, WantedRun};
use pithead_engine::runtime::Pace;
use pithead_engine::runtime::operator::Operator;
use pithead_world::clock::Clock;
use server::Server;
use std::io::{ErrorKind, stdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// Between two looks at runs that go on.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Lines on their way; an editor that sends more waits.
const LINES_MAX: usize = 64;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The world's seed; the same seed is the same world
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = parse_seed)]
    seed: u64,
    /// Who plans, as for `pithead run`
    #[arg(long, value_name = "MIND", default_value = config::MIND)]
    mind: String,
    /// The system, which says what parts of the loop are on
    #[arg(long, value_name = "NAME", default_value = systems::DEFAULT)]
    system: String,
    /// When the editor asks: KIND=auto, =ask, =ask:SECONDS:approve or =ask:SECONDS:veto [default: as in the console]
    #[arg(long = "gate", value_name = "KIND=POLICY", value_parser = parse_gate_rule)]
    gates: Vec<(GateKind, Policy)>,
    /// World speed: max, realtime or a factor such as x8 [default: x8]
    #[arg(long, value_name = "PACE")]
    pace: Option<Pace>,
    #[command(flatten)]
    database: Database,
}

/// A line, or why it is none.
type Line = std::io::Result<Result<String, RpcError>>;

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let mut server = server(args)?;
    let (lines_out, lines) = sync_channel(LINES_MAX);
    let reader = std::thread::Builder::new().name("lines".to_owned());
    let reader = reader.spawn(move || read_lines(&lines_out));
    reader.map_err(CommandError::unavailable)?;
    while let Some(line) = next(&lines, &server) {
        if let Some(line) = line {
            server.take(line.map_err(CommandError::unavailable)?);
        }
        server.look();
        if !write(&mut server)? {
            return Ok(ExitStatus::Done);
        }
    }
    // A run that is being started is started whole; nobody is told of it any more.
    while server.is_starting() {
        std::thread::park_timeout(LOOK_EVERY);
        server.look();
    }
    Ok(ExitStatus::Done)
}

fn server(args: &Args) -> Result<Server, CommandError> {
    minds::parse_mind(&args.mind).map_err(CommandError::usage)?;
    config::systems::system(&args.system).map_err(CommandError::usage)?;
    if ConsoleOptions::default().place() != DrivePlace::OwnProcess {
        return Err(CommandError::usage(
            "runs of an editor need driver processes, which this system does not have",
        ));
    }
    // The drivers keep the folder they are started in.
    let path = std::path::absolute(args.database.path()?).map_err(CommandError::unavailable)?;
    let launcher = Launcher {
        pace: args.pace.unwrap_or(CONSOLE_PACE),
        ..Launcher::new(path.clone(), DrivePlace::OwnProcess)
    };
    let mut gates = config::console_gates().map_err(CommandError::usage)?;
    gates.0.extend(args.gates.iter().copied());
    let wanted = WantedRun {
        aim: RunAim::Words(String::new()),
        seed: args.seed,
        mind: args.mind.clone(),
        system: args.system.clone(),
        gates,
    };
    let operator = Operator::new(path, config::operator(), Clock::System);
    Ok(Server::new(
        launcher,
        wanted,
        operator,
        args.database.as_typed(),
    ))
}

fn read_lines(out: &SyncSender<Line>) {
    let mut input = stdin().lock();
    while let Some(line) = next_line(&mut input).transpose() {
        let is_fault = line.is_err();
        if out.send(line).is_err() || is_fault {
            return;
        }
    }
}

/// The next line, or none of it yet because runs go on; none at all when the editor has gone.
fn next(lines: &Receiver<Line>, server: &Server) -> Option<Option<Line>> {
    if server.is_idle() {
        return lines.recv().ok().map(Some);
    }
    match lines.recv_timeout(LOOK_EVERY) {
        Ok(line) => Some(Some(line)),
        Err(RecvTimeoutError::Timeout) => Some(None),
        Err(RecvTimeoutError::Disconnected) => None,
    }
}

/// Writes what the server has to say; false if the editor has gone.
fn write(server: &mut Server) -> Result<bool, CommandError> {
    for line in server.said() {
        match write_stdout(&escape_hidden_json(&line)) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(false),
            Err(error) => return Err(CommandError::unavailable(error)),
            Ok(()) => (),
        }
    }
    Ok(true)
}
