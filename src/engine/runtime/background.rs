//! Runs that are resumed in processes of their own, which outlive this one and its terminal.

use pithead_world::ids::RunId;
use std::path::Path;
use std::process::{Command, Stdio};

/// Resumes a run that nobody drives, without a console.
pub(super) fn resume_in_background(database: &Path, run: RunId) -> Result<(), String> {
    let fault = |error: std::io::Error| format!("run {run} could not be resumed: {error}");
    // The same binary, so that both understand the same journal.
    let mut command = Command::new(std::env::current_exe().map_err(fault)?);
    command
        .args(["resume", "--headless", &run.to_string(), "--db"])
        .arg(database)
        // No terminal: the process may outlive it.
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // Ctrl-C in this terminal must not end it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(fault)?;
    let waiter = std::thread::Builder::new().name(format!("run {run} elsewhere"));
    // Waited for only so that the process leaves no zombie when it ends.
    // The thread ends with the child, or with this process.
    waiter.spawn(move || child.wait()).map_err(fault)?;
    Ok(())
}
