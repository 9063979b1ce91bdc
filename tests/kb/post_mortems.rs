//! Post-mortems as they are read on the command line: what a failed run leaves to later ones.

use crate::kb::stage::{check, json};

#[test]
fn a_failed_run_leaves_a_task_guardrail_with_the_graph_of_its_attempts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    check(
        folder,
        "run craft~an~iron~pickaxe --seed 6 --budget 2000 --headless",
        1,
        &[],
    );
    let entries = json(folder, "kb list --kind task_guardrail");
    let entry = &entries.as_array().unwrap()[0];
    let ends = &entry["body"]["post_mortem"]["ends"];
    assert_eq!(
        (&ends["out_of_time"], &ends["died"]),
        (&1.into(), &0.into())
    );
    let id = entry["id"].as_str().unwrap().to_owned();
    let words = [
        "for tasks  iron_pickaxe, before ",
        "the time ran out: ",
        "1 run: 1 ran out of time",
        "mine #logs: ",
        "craft iron_pickaxe: planned, never begun",
    ];
    check(folder, &format!("kb show {id}"), 0, &words);
    // Its words are evidence and not what acts, so that the same in another run adds to it. In this world the
    // second run, which knows of the first, ends alike.
    check(
        folder,
        "run craft~an~iron~pickaxe --seed 6 --budget 2000 --headless",
        1,
        &[],
    );
    let again = json(folder, "kb list --kind task_guardrail");
    assert_eq!(again.as_array().unwrap().len(), 1, "{again}");
    assert_eq!(again[0]["body"]["post_mortem"]["ends"]["out_of_time"], 2);
}
