//! Published tasks by their ids: with the words, the budget and the aids that their set gives them.

use super::{check, pithead, said};

#[test]
fn a_published_task_is_run_and_planned_by_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = "run mcu70/wooden/04 --headless --seed 3 --mind builtin:expert";
    let published = said(&pithead(folder, run));
    assert!(published.contains("biome: begins"), "{published}");
    let shown = said(&pithead(folder, "show 1 --json"));
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    let tasks = said(&pithead(folder, "tasks --suite mcu70 --json"));
    let sets: serde_json::Value = serde_json::from_str(&tasks).unwrap();
    let tasks = sets[0]["tasks"].as_array().unwrap();
    let task = tasks.iter().find(|task| task["id"] == "mcu70/wooden/04");
    assert_eq!(
        shown["summary"]["task"],
        task.unwrap()["instruction"],
        "{shown}"
    );
    check(folder, "plan mcu70/wooden/04", 0, &["craft"]);
    check(
        folder,
        "run mcu70/wooden/99 --headless",
        2,
        &[
            "mcu70 has no task `mcu70/wooden/99`",
            "pithead tasks --suite mcu70",
        ],
    );
}
