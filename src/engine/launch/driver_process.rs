//! Driver processes: a run gets a process of its own, which outlives the console that started it.
//!
//! The same binary is started with `drive`, gets its order on standard input and reports on standard output.
//! Invariant: when `start_driver` returns, the run is driven, or it is said why not.

use super::LaunchError;
use super::order::DriverOrder;
use pithead_world::ids::RunId;
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};

/// The command of the program that drives what it is ordered.
pub const DRIVE_COMMAND: &str = "drive";
/// Longest report; a fault is a few sentences.
const REPORT_BYTES_MAX: u64 = 64 << 10;

/// What a driver process reports once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DriverReport {
    /// The run is driven, and consoles can attach to it.
    Driving {
        run: RunId,
    },
    Failed(DriverFault),
}

/// Why a driver process drives nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{text}")]
pub struct DriverFault {
    pub text: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Whoever typed the command can do something about it.
    pub is_usage: bool,
}

/// Starts a process that drives the run, and returns when it does.
pub fn start_driver(order: &DriverOrder) -> Result<RunId, LaunchError> {
    let mut child = spawn().map_err(LaunchError::Spawn)?;
    let reported = order_and_report(&mut child, order);
    let waiter = std::thread::Builder::new().name("driver process".to_owned());
    match reported {
        Ok(Some(DriverReport::Driving { run })) => {
            // Waited for only so that the process leaves no zombie when it ends before this one.
            // Without the thread it leaves one, and nothing else.
            let _ = waiter.spawn(move || child.wait());
            Ok(run)
        }
        Ok(Some(DriverReport::Failed(fault))) => {
            let _ = child.wait();
            Err(LaunchError::Driver(fault))
        }
        // It ended without a word; how it ended is all that is known.
        Ok(None) => Err(silent(child.wait().ok())),
        Err(error) => {
            // What it does without our order or us hearing it is nothing that was wanted.
            let _ = child.kill();
            let _ = child.wait();
            Err(LaunchError::Spawn(error))
        }
    }
}

fn spawn() -> std::io::Result<Child> {
    // The same binary, so that both understand the same journal.
    let mut command = Command::new(std::env::current_exe()?);
    command
        .arg(DRIVE_COMMAND)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        // A panic is told there; the process may outlive the terminal.
        .stderr(log().map_or_else(Stdio::null, Stdio::from));
    command.spawn()
}

/// The log, which the program has made already; nothing where it keeps none.
fn log() -> Option<std::fs::File> {
    OpenOptions::new()
        .append(true)
        .open(crate::config::log_file()?)
        .ok()
}

/// Hands the order over and waits for the report; none if the process ended without one.
fn order_and_report(
    child: &mut Child,
    order: &DriverOrder,
) -> std::io::Result<Option<DriverReport>> {
    let text = serde_json::to_string(order)?;
    if let Some(mut stdin) = child.stdin.take() {
        match stdin.write_all(text.as_bytes()) {
            // A process that has ended says why below.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => (),
            written => written?,
        }
    }
    let Some(stdout) = child.stdout.take() else {
        return Ok(None);
    };
    let mut line = String::new();
    BufReader::new(stdout.take(REPORT_BYTES_MAX)).read_line(&mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    Ok(Some(serde_json::from_str(&line)?))
}

fn silent(status: Option<ExitStatus>) -> LaunchError {
    let ended = status.map_or_else(|| "unknown status".to_owned(), |status| status.to_string());
    let log = crate::config::log_file().map_or_else(String::new, |path| {
        format!("; {} may say why", path.display())
    });
    LaunchError::Driver(DriverFault {
        text: format!("the process that was to drive the run ended at once ({ended}){log}"),
        hint: None,
        is_usage: false,
    })
}
