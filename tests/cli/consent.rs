//! A database from elsewhere has nothing read that only its recorded runs name.

use super::pithead;
use pithead::config;
use pithead_core::domain::plan::task::Task;
use pithead_core::domain::run::event::RunConfig;
use pithead_core::systems;
use pithead_engine::journal::{Durability, Journal};
use pithead_world::aids::WorldAids;
use pithead_world::clock::Millis;
use pithead_world::port::{Account, ServerSpec, WorldSpec};
use std::path::Path;

/// A database whose next run was left at once, and names this mind.
fn with_left_run(folder: &Path, mind: &str) {
    let task = Task::parse("craft a wooden pickaxe").unwrap();
    let profile = systems::named(systems::DEFAULT).unwrap();
    leave_run(folder, config::run_config(task, 7, mind, profile));
}

fn leave_run(folder: &Path, config: RunConfig) {
    let mut journal = Journal::open(&folder.join("pithead.db"), Durability::Full).unwrap();
    journal.create_run(config, Millis(1)).unwrap();
}

#[test]
fn no_route_reads_a_file_that_only_a_recorded_run_names() {
    let folder = tempfile::tempdir().unwrap();
    with_left_run(folder.path(), "recorded:/no/such/cassette");
    let routes = [
        "resume 1 --headless",
        "resume 1 --json",
        "fork 1 --at 1 --headless",
    ];
    for args in routes {
        let output = pithead(folder.path(), args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{args}: {said}");
        assert!(
            said.contains("run 1 wants to read /no/such/cassette"),
            "{args}: {said}"
        );
        assert!(said.contains("--trust-recorded"), "{args}: {said}");
    }
    let many = pithead(folder.path(), "runs resume 1");
    let said = String::from_utf8_lossy(&many.stdout);
    assert!(
        said.contains("stays as it is") && said.contains("/no/such/cassette"),
        "{said}"
    );
    let runs = String::from_utf8(pithead(folder.path(), "runs --json").stdout).unwrap();
    let runs: serde_json::Value = serde_json::from_str(&runs).unwrap();
    assert_eq!(
        runs.as_array().unwrap().len(),
        1,
        "no fork was made: {runs}"
    );
    assert_eq!(runs[0]["events"], 1, "nothing was driven: {runs}");
    for args in routes {
        let trusted = pithead(folder.path(), &format!("{args} --trust-recorded"));
        let said = String::from_utf8_lossy(&trusted.stderr);
        assert!(!said.contains("wants to read"), "{args}: {said}");
    }
}

#[test]
fn what_was_allowed_is_read_and_what_names_no_file_is_not_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    with_left_run(folder.path(), "builtin:competent");
    let output = pithead(folder.path(), "resume 1 --headless");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let file = folder.path().join("answers.gz");
    let file = file.to_str().unwrap();
    let output = pithead(folder.path(), &format!("cassette export 1 --out {file}"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    with_left_run(folder.path(), &format!("recorded:{file}"));
    let output = pithead(folder.path(), "resume 2 --headless --trust-recorded");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    with_left_run(folder.path(), "recorded:1");
    let output = pithead(folder.path(), "resume 3 --headless");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn no_route_joins_a_server_elsewhere_that_only_a_recorded_run_names() {
    let folder = tempfile::tempdir().unwrap();
    let task = Task::parse("craft a wooden pickaxe").unwrap();
    let profile = systems::named(systems::DEFAULT).unwrap();
    let mut config = config::run_config(task, 7, "builtin:competent", profile);
    let server = ServerSpec {
        host: "192.0.2.1".to_owned(),
        port: 25_565,
        player: "pithead_7".to_owned(),
        version: None,
        place: None,
        account: Account::default(),
    };
    config.world = WorldSpec::on_server(server, 7, WorldAids::default());
    leave_run(folder.path(), config);
    let refused = pithead(folder.path(), "resume 1 --headless");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3), "{said}");
    assert!(
        said.contains("192.0.2.1:25565 is not on this machine"),
        "{said}"
    );
    let many = pithead(folder.path(), "runs resume 1");
    let said = String::from_utf8_lossy(&many.stdout);
    assert!(said.contains("it wants to join 192.0.2.1:25565"), "{said}");
    let doctor = pithead(folder.path(), "bridge doctor --server 192.0.2.1 --json");
    let told: serde_json::Value = serde_json::from_slice(&doctor.stdout).unwrap();
    assert_eq!(doctor.status.code(), Some(3), "{told}");
    assert_eq!(told["tried"]["server"], "192.0.2.1:25565");
    assert_eq!(told["tried"]["joined"], false);
}
