//! Triage from the command line, and the columns of tables.

use super::{check, pithead};
use serde_json::Value;

#[test]
fn what_waits_is_assigned_snoozed_and_commented() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    pithead(
        folder,
        "run craft~a~wooden~pickaxe --headless --gate skill=ask",
    );
    let waiting = |folder| -> Value {
        let told = pithead(folder, "inbox --json");
        serde_json::from_slice(&told.stdout).unwrap()
    };
    let first = waiting(folder)["waiting"][0]["entry"]
        .as_str()
        .unwrap()
        .to_owned();
    let line = format!("triage {first} --assign ada --snooze 2h --comment ask~bea~first");
    check(folder, &line, 0, &["@ada", "1 comment", "ask bea first"]);
    // The run is over: an answer about what it learnt holds at once.
    check(folder, "tell 1 approve d9", 0, &["approve d9: done"]);
    check(folder, "triage 1 --comment odd", 0, &["run 1", "odd"]);
    check(folder, "triage", 0, &[&first, "run 1"]);
    let waits = waiting(folder)["waiting"].as_array().unwrap().clone();
    let last = waits.last().unwrap();
    assert_eq!(last["entry"], first.as_str(), "what is snoozed stands last");
    assert_eq!(last["triage"]["assigned"], "ada");
    assert_eq!(last["triage"]["comments"][0]["text"], "ask bea first");
    check(folder, "inbox", 0, &["@ada · back in", "TITLE"]);
    check(
        folder,
        &format!("triage {first} --unassign --wake"),
        0,
        &["1 comment"],
    );
    let waits = waiting(folder);
    assert_eq!(waits["waiting"][0]["entry"], first.as_str());
    for (line, said) in [
        ("triage k1.99 --assign ada", "k1.99 is not in the database"),
        ("triage 1/d99 --comment x", "run 1 has no question d99"),
        ("triage 9 --comment x", "9"),
        ("triage nonsense --comment x", "no entry (k1.2), run (7)"),
        ("triage 1 --snooze soon", "30m, 2h or 1d"),
        ("triage 1 --snooze 900d", "at most 90 days"),
        ("triage --assign ada", "SUBJECT"),
    ] {
        check(folder, line, 2, &[said]);
    }
}

#[test]
fn an_entry_about_which_a_fork_asks_again_waits_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    pithead(
        folder,
        "run craft~a~wooden~pickaxe --headless --gate skill=ask",
    );
    let entries = || -> Vec<String> {
        let told = pithead(folder, "inbox --json");
        let told: Value = serde_json::from_slice(&told.stdout).unwrap();
        let waits = told["waiting"].as_array().unwrap().iter();
        waits
            .map(|one| one["entry"].as_str().unwrap().to_owned())
            .collect()
    };
    let before = entries();
    let told = pithead(folder, "runs show 1 --json");
    let shown: Value = serde_json::from_slice(&told.stdout).unwrap();
    let attempts = shown["summary"]["attempts"].as_u64().expect("a count");
    check(
        folder,
        &format!("fork 1 --before a{attempts} --only"),
        0,
        &["2"],
    );
    let asked = pithead(folder, "runs show 2 --json");
    assert!(asked.status.success());
    assert_eq!(entries(), before);
    let many = format!("{} questions wait for you", before.len());
    check(folder, "status", 0, &[&many]);
}

#[test]
fn columns_of_a_table_are_chosen_by_name_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    pithead(folder, "run craft~a~wooden~pickaxe --headless");
    let told = pithead(folder, "runs list --columns task,run");
    let text = String::from_utf8(told.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(told.status.success(), "{text}");
    assert!(lines[0].starts_with("TASK"), "{text}");
    assert!(lines[0].ends_with("RUN"), "{text}");
    assert!(lines[1].starts_with("craft a wooden pickaxe"), "{text}");
    check(folder, "--columns run runs list", 0, &["RUN"]);
    let wrong = "runs list --columns run,weather";
    check(folder, wrong, 2, &["there is no column `weather`", "task"]);
    check(
        folder,
        "runs list --json --columns run",
        2,
        &["printed none"],
    );
}
