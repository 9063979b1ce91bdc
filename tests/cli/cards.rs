//! Cards of experiences in JSON, and bodies that tell less of their failures.

use super::{check, pithead, said};
use pithead_core::domain::run::event::Event;
use pithead_engine::journal::Journal;
use pithead_world::action::ActionFailure;
use pithead_world::ids::{RunId, Seq};
use serde_json::Value;
use std::path::Path;

/// A run in which things fail.
const RUN: &str = "run craft~a~stone~pickaxe --headless --seed 4 --mind builtin:novice";

fn json(folder: &Path, args: &str) -> Value {
    let output = pithead(folder, args);
    assert_eq!(output.status.code(), Some(0), "{args}: {}", said(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
fn check_card(card: &Value, of_failure: bool) {
    let modes = card["failure_modes"].as_array().unwrap();
    assert_eq!(!modes.is_empty(), of_failure, "{card}");
    assert_eq!(card["symptom"].is_string(), of_failure, "{card}");
    let cause = card["root_cause"].as_str().unwrap_or_default();
    if of_failure {
        assert!(
            cause.starts_with(modes[0]["reason"].as_str().unwrap()),
            "{card}"
        );
    }
    let facts = card["facts"].as_array().unwrap();
    let is_whole = |fact: &Value| {
        ["k", "v", "source"]
            .iter()
            .all(|name| fact[name].is_string())
    };
    assert!(!facts.is_empty() && facts.iter().all(is_whole), "{card}");
}

#[test]
fn experiences_are_shown_as_whole_cards() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    pithead(folder, RUN);
    let run = json(folder, "show 1 --json");
    let attempts = run["attempts"].as_array().unwrap();
    let failed = attempts.iter().position(|a| a["success"] == false).unwrap();
    for attempt in attempts {
        check_card(&attempt["card"], attempt["success"] == false);
    }
    let one = json(folder, &format!("memory show e1.{} --json", failed + 1));
    assert_eq!(one["card"], attempts[failed]["card"]);
    let source = one["card"]["facts"][0]["source"].as_str().unwrap();
    assert_eq!(source, format!("e1.{} before", failed + 1));
    let found = json(folder, "memory search log --json");
    let first = &found["hits"][0];
    let card = &found["cards"][first["id"].as_str().unwrap()];
    check_card(card, first["success"] == false);
    let moments = json(folder, "find 1 inv~#logs~>=~1 --json");
    let attempt = moments["found"][0]["attempt"].to_string();
    assert!(moments["cards"][&attempt].is_object(), "{moments}");
    // An operator's label goes before what the diagnosis said.
    let name = attempts[failed]["attempt"].as_str().unwrap();
    let overrule = format!("explain 1 {name} --overrule UNKNOWN --reason nobody~knows");
    let said = said(&pithead(folder, &overrule));
    let run = json(folder, "show 1 --json");
    let card = &run["attempts"][failed]["card"];
    assert_eq!(card["failure_modes"][0]["reason"], "UNKNOWN", "{said}");
}

#[test]
fn a_body_that_tells_less_leaves_no_more_in_the_record() {
    for level in ["coarse", "none"] {
        // What one run learnt would spare the next its failures.
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let summary = said(&pithead(folder, &format!("{RUN} --reports {level}")));
        assert!(summary.contains(&format!("reports {level}: ")), "{summary}");
        let journal = Journal::look(&folder.join("pithead.db")).unwrap();
        let facts = journal.events(RunId(1), Seq(0), usize::MAX).unwrap();
        let failures: Vec<ActionFailure> = facts
            .into_iter()
            .filter_map(|fact| match fact.event {
                Event::ActionEnded { report, .. } => report.failure,
                _ => None, // no other event holds what the body said first
            })
            .collect();
        let is_cut = |failure: &&ActionFailure| match level {
            "coarse" => matches!(failure, ActionFailure::Felt { .. }),
            _ => matches!(failure, ActionFailure::Untold),
        };
        let cancelled = |failure: &&ActionFailure| **failure == ActionFailure::Cancelled;
        assert!(
            failures.iter().any(|failure| is_cut(&failure)),
            "{failures:?}"
        );
        assert!(
            failures.iter().all(|f| is_cut(&f) || cancelled(&f)),
            "{failures:?}"
        );
    }
    let folder = tempfile::tempdir().unwrap();
    check(
        folder.path(),
        "run get~a~log --headless --reports all",
        2,
        &["all", "typed, coarse, none"],
    );
}
