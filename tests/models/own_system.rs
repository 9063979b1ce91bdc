//! Systems of one's own, from a folder or by name.

use super::place::Place;

const MINE: &str =
    "extends = \"planning-only\"\nname = \"mine\"\nabout = \"plans anew\"\nk_tol = 1\n";

fn with_system(config: &str) -> Place {
    let place = Place::new(config);
    let folder = place.path("prompts/mine");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("system.toml"), MINE).unwrap();
    place
}

fn config(place: &Place) {
    let prompts = place.path("prompts");
    let text = format!("[llm]\nprompts = {:?}\n", prompts.display().to_string());
    std::fs::write(place.path("config.toml"), text).unwrap();
}

#[test]
fn a_run_takes_a_system_from_a_folder_and_says_so() {
    let place = with_system("");
    let folder = format!("{}/", place.path("prompts/mine").display());
    let run = [
        "run",
        "2 logs",
        "--headless",
        "--json",
        "--seed",
        "1",
        "--system",
        &folder,
    ];
    let said = place.good(&run);
    assert!(said.contains("\"system\": \"mine\""), "{said}");
    // Prompts in a folder that the config does not name would be lost on resuming.
    std::fs::write(place.path("prompts/mine/planner.md"), "x").unwrap();
    let refused = place.run(&run);
    let fault = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{fault}");
    assert!(fault.contains("under [llm]"), "{fault}");
}

#[test]
fn an_evaluation_takes_a_system_by_name_and_notices_a_change_of_it() {
    let place = with_system("");
    config(&place);
    let out = place.path("out").display().to_string();
    let eval = [
        "eval",
        "--suite",
        "mcu70",
        "--tasks",
        "mcu70/wooden/01",
        "--seeds",
        "1..1",
        "--system",
        "mine",
        "--jobs",
        "1",
        "--out",
        &out,
        "--json",
    ];
    let said = place.good(&eval);
    assert!(said.contains("\"mine\""), "{said}");
    assert!(place.good(&["evals"]).contains("mine"));
    let edited = MINE.replace("k_tol = 1", "k_tol = 2");
    std::fs::write(place.path("prompts/mine/system.toml"), edited).unwrap();
    let refused = place.run(&eval);
    let fault = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && fault.contains("profile"),
        "{fault}"
    );
}
