//! Minecraft: the whole program, and the body alone, on a server of our own.
//!
//! All but `missing` need Node and the packages of bridge and server (`.ci/run` installs both) and say so where these
//! are missing.

mod body;
mod hostile;
mod microsoft;
mod missing;
mod returns;
mod runs;
mod senses;
mod server;
mod table;
mod trades;

use pithead_minecraft::install::BRIDGE_FOLDER;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn bridge() -> PathBuf {
    root().join("src/minecraft/bridge")
}

/// True if everything is there; else a line says what is missing and how to get it.
fn is_ready() -> bool {
    let node = Command::new("node")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let missing = if !node.is_ok_and(|status| status.success()) {
        Some("Node is missing".to_owned())
    } else {
        [bridge(), root().join("tests/minecraft/server")]
            .into_iter()
            .find(|folder| !folder.join("node_modules").is_dir())
            .map(|folder| format!("run `npm ci --ignore-scripts` in {}", folder.display()))
    };
    if let Some(missing) = &missing {
        println!("skipped: {missing}");
    }
    missing.is_none()
}

/// What a script that Node runs in the sources prints.
fn node(script: &str) -> String {
    let said = Command::new("node")
        .args(["-e", script])
        .current_dir(root())
        .output()
        .unwrap();
    String::from_utf8_lossy(&said.stdout).trim().to_owned()
}

/// The program, with the bridge of the sources and a home of its own; `~` is a space within an argument.
fn pithead(home: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pithead"));
    command
        .args(line.split_whitespace().map(|word| word.replace('~', " ")))
        .env(BRIDGE_FOLDER, bridge())
        .env("HOME", home)
        .env("XDG_DATA_HOME", home.join("data"))
        .env("PITHEAD_DB", home.join("runs.db"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}
