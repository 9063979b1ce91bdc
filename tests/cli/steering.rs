//! Policy files, and commands to one run or many from another terminal.

use super::{check, pithead, said};

#[test]
fn a_policy_file_is_checked_applied_to_a_recorded_run_and_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    let file = |name: &str| folder.join(name).display().to_string();
    let rules =
        "unclear = \"veto\"\n\n[[rule]]\naction = \"craft *_pickaxe\"\nthen = \"ask:1:approve\"\n";
    write("good.toml", rules);
    write(
        "bad.toml",
        "[[rule]]\naction = \"craft *_pikaxe\"\nthen = \"ask\"\n",
    );
    write("ask.toml", "[[rule]]\naction = \"*\"\nthen = \"ask\"\n");
    let good = file("good.toml");
    pithead(folder, "run craft~a~wooden~pickaxe --headless");
    check(
        folder,
        &format!("policy check {good}"),
        0,
        &["craft *_pickaxe", "ask:1:approve"],
    );
    let dry = format!("policy check {good} --run 1");
    check(
        folder,
        &dry,
        0,
        &["craft wooden_pickaxe", "asked 1", "vetoed 0"],
    );
    let json = pithead(folder, &format!("{dry} --json"));
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["dry_run"]["asked"], 1, "{json}");
    let bad = format!("policy check {}", file("bad.toml"));
    check(
        folder,
        &bad,
        2,
        &["bad.toml", "line 2", "field action", "fits no step"],
    );
    let waits = format!("run get~a~log --headless --policy {}", file("ask.toml"));
    check(folder, &waits, 2, &["wait forever", "ask:SECONDS:veto"]);
    pithead(
        folder,
        &format!("run craft~a~wooden~pickaxe --headless --policy {good}"),
    );
    let told = said(&pithead(folder, "replay 2 --headless"));
    assert!(told.contains("risky_action ask:1:approve"), "{told}");
}

#[test]
fn an_attempt_that_was_called_off_is_explained_without_a_label() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run craft~a~wooden~pickaxe --headless --break tick=40";
    check(folder, line, 130, &[]);
    check(
        folder,
        "tell 1 act wait 20",
        0,
        &["when the run is resumed"],
    );
    check(folder, "resume 1 --headless", 0, &["success"]);
    let told = said(&pithead(folder, "explain 1 1"));
    let label = "none: it was called off, which is no failure";
    assert!(
        told.contains(label) && !told.contains("UNKNOWN (unknown)"),
        "{told}"
    );
}

/// Leaves drop sticks, which is what the task asks for: the log is not needed any more.
#[test]
fn a_step_that_the_end_of_the_task_cuts_short_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run mcu70/wooden/06 --seed 2 --mind builtin:expert --headless";
    check(folder, line, 0, &["success", "0 failed"]);
    let told = said(&pithead(folder, "explain 1 1"));
    let words = ["it was called off", "the task is done after"];
    assert!(words.iter().all(|word| told.contains(word)), "{told}");
}

#[test]
fn a_run_that_was_left_is_steered_and_ended_from_another_process() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for _ in 0..2 {
        let line = "run craft~a~wooden~pickaxe --headless --break tick=40";
        check(folder, line, 130, &[]);
    }
    check(folder, "run get~a~log --headless --budget 1", 1, &[]);
    check(
        folder,
        "tell 1 limit ticks 9000",
        0,
        &["when the run is resumed"],
    );
    check(
        folder,
        "tell 1 limit ticks 5",
        1,
        &["refused", "would end the run"],
    );
    check(folder, "tell 1 fly", 2, &["pause soon"]);
    check(folder, "tell 9 pause", 2, &["9"]);
    let json = pithead(folder, "tell 1 limit attempts 3 --json");
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(
        (&json["taken"], &json["because"]),
        (&"left".into(), &serde_json::Value::Null)
    );
    let told = said(&pithead(folder, "replay 1 --headless"));
    assert!(told.contains("limit ticks 9000 by"), "{told}");
    // Many at once: a dry run, then one by one.
    let words = [
        "abort 2 of 3 runs",
        "no process drives it; its end is recorded",
        "it has ended",
    ];
    check(
        folder,
        "runs abort 1 2 3 --reason flooded --dry-run",
        0,
        &words,
    );
    check(folder, "runs", 0, &["left"]);
    check(folder, "runs abort 1 --reason flooded", 0, &["1 of 1"]);
    check(folder, "runs abort 2 --reason ~", 2, &["needs a reason"]);
    let told = said(&pithead(folder, "replay 1 --headless"));
    assert!(told.contains("flooded"), "{told}");
    check(folder, "resume 1 --headless", 2, &["has ended"]);
    // A run that was left is resumed in its own background process.
    check(
        folder,
        "runs resume 1 2",
        0,
        &["1 of 2", "background process"],
    );
    let ended = || {
        let list = pithead(folder, "runs --json");
        let list: Vec<serde_json::Value> = serde_json::from_slice(&list.stdout).unwrap();
        list.iter()
            .any(|run| run["run"] == 2 && run["state"] == "success")
    };
    let deadline = 600;
    assert!(
        (0..deadline).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            ended()
        }),
        "run 2 did not go on"
    );
}
