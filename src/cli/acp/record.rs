//! The record of sessions: which runs an editor began in which session, so that it can be told again.
//!
//! A file beside the database, one line for each run. Invariant: what it says is checked against the database, and a
//! line that cannot be read loses itself alone.

use pithead_core::text::untrusted_file::read_text;
use pithead_world::ids::RunId;
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Some ten thousand runs; a record that is longer is read no more.
const BYTES_MAX: u64 = 1 << 20;

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    session: String,
    run: u64,
}

/// `pithead.db.acp`, beside `pithead.db`.
fn path_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".acp");
    PathBuf::from(name)
}

/// Notes that a run was begun in a session.
pub(super) fn note_run(database: &Path, session: &str, run: RunId) -> std::io::Result<()> {
    let line = Line {
        session: session.to_owned(),
        run: run.0,
    };
    // A line that was torn by a crash has no end of its own, and must not swallow this one.
    let line = format!("\n{}\n", serde_json::to_string(&line)?);
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path_of(database))?;
    file.write_all(line.as_bytes())?;
    file.sync_data()
}

/// The runs of a session, oldest first.
pub(super) fn runs_of(database: &Path, session: &str) -> Vec<RunId> {
    let text = read_text(&path_of(database), BYTES_MAX).unwrap_or_default();
    let lines = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Line>(line).ok());
    let own = lines.filter(|line| line.session == session);
    own.map(|line| RunId(line.run)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runs_of_a_session_are_found_again_and_a_torn_line_loses_itself_alone() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("pithead.db");
        assert!(runs_of(&database, "a").is_empty());
        note_run(&database, "a", RunId(1)).unwrap();
        note_run(&database, "b", RunId(2)).unwrap();
        let mut file = OpenOptions::new()
            .append(true)
            .open(path_of(&database))
            .unwrap();
        file.write_all(b"{\"session\": \"a\", \"ru").unwrap();
        note_run(&database, "a", RunId(3)).unwrap();
        assert_eq!(runs_of(&database, "a"), [RunId(1), RunId(3)]);
        assert_eq!(runs_of(&database, "b"), [RunId(2)]);
    }
}
