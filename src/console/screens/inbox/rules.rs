//! Rules: gate policies that hold for every run that is started from the console, in a file.
//!
//! `gates.toml` is the operator's; it may be written by hand too. Invariant: a file that does not read
//! is told and never written over.

use pithead_core::domain::run::decision::{GateKind, Gates, Policy};
use pithead_core::text::atomic_file::write_atomically;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A longer file is none of ours.
const BYTES_MAX: u64 = 64 * 1024;

/// The first lines of the file that the program writes.
const HEAD: &str = "# When the operator is asked, in runs that the console starts. `pithead gates` lists these\n\
                    # rules; --gate KIND=POLICY goes before them. auto, ask, ask:SECONDS:approve, ask:SECONDS:veto\n";

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    #[serde(default)]
    gates: Gates,
}

/// The saved rules; none if there is no file.
pub fn read(path: &Path) -> Result<Gates, String> {
    let fault = |because: String| format!("{}: {because}", path.display());
    let facts = match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Gates::default()),
        other => other.map_err(|error| fault(error.to_string()))?,
    };
    if facts.len() > BYTES_MAX {
        return Err(fault(format!("it has more than {BYTES_MAX} bytes")));
    }
    let text = pithead_core::text::utf8::read(path).map_err(|error| fault(error.to_string()))?;
    let form: Form =
        toml::from_str(&text).map_err(|error| fault(error.to_string().trim_end().to_owned()))?;
    Ok(form.gates)
}

/// Saves a rule; the one before of its kind is replaced.
pub fn save(path: &Path, kind: GateKind, policy: Policy) -> Result<(), String> {
    let mut gates = read(path)?;
    gates.0.insert(kind, policy);
    write(path, gates)
}

/// Takes a rule off; false if there was none of the kind.
pub fn remove(path: &Path, kind: GateKind) -> Result<bool, String> {
    let mut gates = read(path)?;
    if gates.0.remove(&kind).is_none() {
        return Ok(false);
    }
    write(path, gates).map(|()| true)
}

/// A file beside it first, so that a full disk leaves the old rules as they are.
fn write(path: &Path, gates: Gates) -> Result<(), String> {
    let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = toml::to_string(&Form { gates }).map_err(|error| fault(&error))?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| fault(&error))?;
    }
    write_atomically(path, format!("{HEAD}{text}").as_bytes()).map_err(|error| fault(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_kept_replaced_and_taken_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join("gates.toml");
        assert_eq!(read(&path), Ok(Gates::default()), "no file, no rules");
        let later = "ask:60:veto".parse().unwrap();
        save(&path, GateKind::Guardrail, Policy::Auto).unwrap();
        save(&path, GateKind::Replan, Policy::Ask).unwrap();
        save(&path, GateKind::Replan, later).unwrap();
        let gates = read(&path).unwrap();
        let kept: Vec<_> = gates.0.into_iter().collect();
        assert_eq!(
            kept,
            [
                (GateKind::Replan, later),
                (GateKind::Guardrail, Policy::Auto)
            ]
        );
        assert_eq!(remove(&path, GateKind::Replan), Ok(true));
        assert_eq!(remove(&path, GateKind::Replan), Ok(false));
        assert_eq!(read(&path).unwrap().0.len(), 1);
    }

    #[test]
    fn a_file_that_does_not_read_is_told_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gates.toml");
        for text in [
            "[gates]\nplam = \"ask\"",
            "[gates]\nplan = \"never\"",
            "[gate]",
        ] {
            std::fs::write(&path, text).unwrap();
            let because = save(&path, GateKind::Plan, Policy::Ask).unwrap_err();
            assert!(because.contains("gates.toml"), "{because}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }
}
