//! Rules: gate policies for every run that is started from the console, kept in a file, and policies
//! of one run.
//!
//! `gates.toml` is the operator's and may be written by hand. Invariant: a file that cannot be read
//! is reported and never overwritten.

use super::tell::send_command;
use super::{Operator, OperatorError};
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::{GateKind, Gates, Policy};
use pithead_core::text::atomic_file::write_atomically;
use pithead_core::text::untrusted_file::{TEXT_BYTES_MAX, read_text};
use pithead_world::ids::RunId;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A longer file was not written by this program: thirty rules take two kilobytes.
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
pub fn read_rules(path: &Path) -> Result<Gates, OperatorError> {
    let fault = |because: String| fault_in(path, &because);
    let facts = match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Gates::default()),
        other => other.map_err(|error| fault(error.to_string()))?,
    };
    if facts.len() > BYTES_MAX {
        return Err(fault(format!("it has more than {BYTES_MAX} bytes")));
    }
    let text = read_text(path, TEXT_BYTES_MAX).map_err(|error| fault(error.to_string()))?;
    parse_rules(&text).map_err(fault)
}

/// The rules in the text of a file.
pub fn parse_rules(text: &str) -> Result<Gates, String> {
    let form: Form =
        toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
    Ok(form.gates)
}

/// The text of a file with these rules.
pub fn rules_text(gates: Gates) -> Result<String, toml::ser::Error> {
    toml::to_string(&Form { gates }).map(|text| format!("{HEAD}{text}"))
}

/// Gives a run another policy for the rest of it.
pub fn set_run_policy(
    operator: &Operator,
    run: RunId,
    (kind, policy): (GateKind, Policy),
) -> Result<(), OperatorError> {
    send_command(operator, run, &Command::SetPolicy { kind, policy }).map(|_| ())
}

/// Saves a rule in place of the one of its kind.
pub fn save_rule(path: &Path, kind: GateKind, policy: Policy) -> Result<(), OperatorError> {
    let mut gates = read_rules(path)?;
    gates.0.insert(kind, policy);
    write_rules(path, gates)
}

/// Removes a rule; false if there was none of the kind.
pub fn remove_rule(path: &Path, kind: GateKind) -> Result<bool, OperatorError> {
    let mut gates = read_rules(path)?;
    if gates.0.remove(&kind).is_none() {
        return Ok(false);
    }
    write_rules(path, gates).map(|()| true)
}

fn fault_in(path: &Path, because: &dyn std::fmt::Display) -> OperatorError {
    OperatorError::Rules {
        path: path.to_path_buf(),
        because: because.to_string(),
    }
}

/// A file beside it first, so that a full disk leaves the old rules as they are.
fn write_rules(path: &Path, gates: Gates) -> Result<(), OperatorError> {
    let fault = |error: &dyn std::fmt::Display| fault_in(path, error);
    let text = rules_text(gates).map_err(|error| fault(&error))?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| fault(&error))?;
    }
    write_atomically(path, text.as_bytes()).map_err(|error| fault(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_saved_replaced_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join("gates.toml");
        assert_eq!(
            read_rules(&path).unwrap(),
            Gates::default(),
            "no file, no rules"
        );
        let later = "ask:60:veto".parse().unwrap();
        save_rule(&path, GateKind::Guardrail, Policy::Auto).unwrap();
        save_rule(&path, GateKind::Replan, Policy::Ask).unwrap();
        save_rule(&path, GateKind::Replan, later).unwrap();
        let gates = read_rules(&path).unwrap();
        let kept: Vec<_> = gates.0.into_iter().collect();
        assert_eq!(
            kept,
            [
                (GateKind::Replan, later),
                (GateKind::Guardrail, Policy::Auto)
            ]
        );
        assert!(remove_rule(&path, GateKind::Replan).unwrap());
        assert!(!remove_rule(&path, GateKind::Replan).unwrap());
        assert_eq!(read_rules(&path).unwrap().0.len(), 1);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_reported_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gates.toml");
        for text in [
            "[gates]\nplam = \"ask\"",
            "[gates]\nplan = \"never\"",
            "[gate]",
        ] {
            std::fs::write(&path, text).unwrap();
            let error = save_rule(&path, GateKind::Plan, Policy::Ask).unwrap_err();
            let because = error.to_string();
            assert!(because.contains("gates.toml"), "{because}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }
}
