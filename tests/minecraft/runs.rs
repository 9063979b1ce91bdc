//! Runs of the whole program on a server: the chain of tools, and a run that outlives its server.

use super::server::TestServer;
use super::{is_ready, pithead};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStderr, Output, Stdio};

pub(super) fn json_of(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("no JSON: {text}\n{said}"))
}

pub(super) fn line(task: &str, port: u16) -> String {
    format!(
        "run {task} --world minecraft --server 127.0.0.1:{port} --server-version 1.16.5 --mind builtin:expert --hold-out 0 --headless"
    )
}

/// A run under way, once it has said these words, and what it says from then on.
#[track_caller]
pub(super) fn begun(home: &Path, port: u16, words: &str) -> (Child, Lines<BufReader<ChildStderr>>) {
    let run = line("craft~a~crafting~table", port) + " --verbose";
    let mut command = pithead(home, &run);
    command.stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let began = said
        .by_ref()
        .map(Result::unwrap)
        .find(|line| line.contains(words));
    assert!(began.is_some(), "it never said {words}");
    (child, said)
}

#[test]
fn a_stone_pickaxe_is_made_on_a_server_by_the_ordinary_loop() {
    if !is_ready() {
        return;
    }
    let server = TestServer::start();
    let home = tempfile::tempdir().unwrap();
    let run = line("craft~a~stone~pickaxe", server.port) + " --json";
    let output = pithead(home.path(), &run).output().unwrap();
    let summary = json_of(&output);
    assert_eq!(summary["outcome"], "success", "{summary}");
    assert_eq!(output.status.code(), Some(0));
}

/// `cargo test --test all -- --ignored --nocapture the_chain_of_tools`; PITHEAD_CHAINS says how often.
#[test]
#[ignore = "a chain takes three minutes; docs/MINECRAFT.md has its figures"]
fn the_chain_of_tools_ends_with_an_iron_pickaxe() {
    if !is_ready() {
        return;
    }
    let chains = std::env::var("PITHEAD_CHAINS").map_or(1, |text| text.parse().unwrap());
    for seed in 1..=chains {
        let server = TestServer::start_with(&json!({"seed": seed}));
        let home = tempfile::tempdir().unwrap();
        let run = line("craft~an~iron~pickaxe", server.port) + &format!(" --json --seed {seed}");
        let summary = json_of(&pithead(home.path(), &run).output().unwrap());
        println!("{summary}");
        assert_eq!(summary["outcome"], "success", "{summary}");
    }
}

#[test]
fn a_body_that_dies_comes_back_and_the_run_goes_on() {
    if !is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let home = tempfile::tempdir().unwrap();
    let (mut child, said) = begun(home.path(), server.port, "→ sg_1");
    server.order(&json!({"do": "hurt", "damage": 40}));
    let rest: Vec<String> = said.map(Result::unwrap).collect();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(0), "{rest:?}");
    let died = rest.iter().any(|line| line.contains("ENV_TERMINATED"));
    assert!(died, "{rest:?}");
}

#[test]
fn an_evaluation_plays_several_bodies_at_places_of_their_own() {
    if !is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let eval = format!(
        "eval --suite mcu70 --tasks mcu70/wooden/01 --seeds 1..2 --jobs 2 --spread 24 --world minecraft \
         --server 127.0.0.1:{} --server-version 1.16.5 --mind builtin:expert --out {} --json",
        server.port,
        out.display()
    );
    let output = pithead(home.path(), &eval).output().unwrap();
    let results = json_of(&output);
    assert_eq!(results["overall"]["successes"], 2, "{results}");
    let aids = results["aids"].to_string();
    assert!(aids.contains("spread 24: "), "{aids}");
    assert_eq!(server.order(&json!({"do": "joined"})), 2, "two names");
}

#[test]
fn a_run_whose_server_dies_is_left_and_resumed_on_the_next_one() {
    if !is_ready() {
        return;
    }
    let mut server = TestServer::start();
    let port = server.port;
    let home = tempfile::tempdir().unwrap();
    // The first attempt is under way.
    let (mut child, said) = begun(home.path(), port, "mine");
    server.kill();
    let rest: Vec<String> = said.map(Result::unwrap).collect();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(3), "{rest:?}");
    let _again = TestServer::start_with(&json!({"port": port}));
    let output = pithead(home.path(), "resume 1 --headless --json")
        .output()
        .unwrap();
    let summary = json_of(&output);
    assert_eq!(summary["outcome"], "success", "{summary}");
    let events = pithead(home.path(), "replay 1 --headless")
        .output()
        .unwrap();
    let events = String::from_utf8_lossy(&events.stdout).into_owned();
    for kind in ["world.lost", "world.rejoined", "replan.started"] {
        assert!(events.contains(kind), "{kind} is missing in {events}");
    }
}
