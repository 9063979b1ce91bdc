//! Known: what servers were found to take, kept in a file from process to process.
//!
//! A cache and nothing more: what is old, damaged or foreign is as if it were not there, and a file
//! that cannot be written is reported in the log. Invariant: it holds addresses and forms, never keys.

use super::server::{Server, Takes};
use super::settings::ServerSettings;
use pithead_core::text::atomic_file::write_atomically;
use pithead_world::clock::{Clock, Millis};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Servers are updated; after a week they are tried anew.
const FRESH_MS: u64 = 7 * 24 * 3_600 * 1_000;
/// More entries are not kept, the oldest go.
const ENTRIES_MAX: usize = 256;
/// Longer files are none of ours.
const BYTES_MAX: u64 = 1024 * 1024;

/// One server and model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    takes: Takes,
    /// When it was found out.
    at: Millis,
}

/// By address and model.
type Entries = BTreeMap<String, Entry>;

/// One writer at a time within the process; the second owner is any other run of it.
/// Read, change and write must be one step, or one of two runs would lose its entry.
static WRITING: Mutex<()> = Mutex::new(());

fn name(settings: &ServerSettings, model: &str) -> String {
    format!("{} {model}", settings.base_url.trim_end_matches('/'))
}

fn read_entries(path: &Path) -> Entries {
    // The size is checked first: the path may be wrong.
    let is_ours = std::fs::metadata(path).is_ok_and(|facts| facts.len() <= BYTES_MAX);
    let text = is_ours
        .then(|| std::fs::read_to_string(path).ok())
        .flatten();
    text.and_then(|text| serde_json::from_str(&text).ok())
        // Damaged is as if empty: everything is found out anew.
        .unwrap_or_default()
}

/// What is known of the server and not too old.
pub(super) fn known_entry(path: &Path, settings: &ServerSettings, model: &str) -> Option<Takes> {
    let entry = read_entries(path).remove(&name(settings, model))?;
    let now = Clock::System.now();
    // A time that lies ahead is of another clock.
    (entry.at <= now && now.since(entry.at) < FRESH_MS).then_some(entry.takes)
}

/// Keeps what the server was found to take.
pub(super) fn keep(path: &Path, settings: &ServerSettings, model: &str, server: &Server) {
    let entry = Entry {
        takes: server.takes(),
        at: Clock::System.now(),
    };
    change(path, |entries| {
        entries.insert(name(settings, model), entry);
    });
}

/// Forgets it, so that it is tried anew.
pub(super) fn forget(path: &Path, settings: &ServerSettings, model: &str) {
    change(path, |entries| {
        entries.remove(&name(settings, model));
    });
}

fn change(path: &Path, change: impl FnOnce(&mut Entries)) {
    let _one = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut entries = read_entries(path);
    let before = entries.clone();
    change(&mut entries);
    while entries.len() > ENTRIES_MAX {
        let oldest = entries.iter().min_by_key(|(_, entry)| entry.at);
        let Some(oldest) = oldest.map(|(name, _)| name.clone()) else {
            break;
        };
        entries.remove(&oldest);
    }
    // A file that says the same need not be written.
    if entries == before {
        return;
    }
    // Another process may write too; a rename leaves one whole file or the other.
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = folder
        .and_then(|()| serde_json::to_string_pretty(&entries).map_err(std::io::Error::from))
        .and_then(|text| write_atomically(path, (text + "\n").as_bytes()));
    if let Err(error) = written {
        tracing::warn!(path = %path.display(), "what servers take was not kept: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mind::llm::server::Form;

    #[test]
    fn what_is_old_or_damaged_is_not_known() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("servers.json");
        let settings: ServerSettings = toml::from_str("base_url = \"http://h/v1/\"").unwrap();
        let put = |at: u64| {
            let text = format!(
                "{{\"http://h/v1 m\":{{\"form\":\"text\",\"counts_tokens\":false,\"at\":{at}}}}}"
            );
            std::fs::write(&path, text).unwrap();
            known_entry(&path, &settings, "m").map(|takes| takes.form)
        };
        let now = Clock::System.now().0;
        assert_eq!(put(now - 1_000), Some(Form::Text));
        assert_eq!(put(now - FRESH_MS - 1), None);
        assert_eq!(put(now + 3_600_000), None);
        assert!(known_entry(&path, &settings, "other").is_none());
        std::fs::write(&path, "{\"http").unwrap();
        assert!(known_entry(&path, &settings, "m").is_none());
        forget(&path, &settings, "m");
    }
}
