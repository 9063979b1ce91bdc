//! Runs that go on in processes of their own, without a console and without anybody waiting for them.

use pithead_world::ids::RunId;
use std::path::Path;
use std::process::{Command, Stdio};

/// Goes on with a run that was left; the process outlives this one and its terminal.
pub fn go_on(database: &Path, run: RunId) -> Result<(), String> {
    let fault = |error: std::io::Error| format!("run {run} could not be resumed: {error}");
    let mut command = Command::new(std::env::current_exe().map_err(fault)?);
    command
        .args(["resume", "--headless", &run.to_string(), "--db"])
        .arg(database)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // Ctrl-C here is not meant for it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(fault)?;
    let waits = std::thread::Builder::new().name(format!("run {run} elsewhere"));
    // Only so that nothing of it stays in the system's table when it has ended.
    waits.spawn(move || child.wait()).map_err(fault)?;
    Ok(())
}
