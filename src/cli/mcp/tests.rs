//! A client talks to the server: what it may ask, what it gets, and what it can never do.

use super::*;
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::run::event::Event;
use pithead_core::domain::samples;
use pithead_engine::journal::{Durability, EntryFilter, Journal};
use pithead_engine::runtime::operator::Operator;
use pithead_world::clock::{Clock, Millis};
use std::path::{Path, PathBuf};

fn base(folder: &Path) -> PathBuf {
    let path = folder.join("pithead.db");
    let mut journal = Journal::open(&path, Durability::Full).unwrap();
    let proposed = Event::KnowledgeProposed {
        entry: Box::new(samples::entry(0, 1, "stone")),
    };
    let made = journal.curate(Millis(1), |_| Ok(vec![proposed.clone()]));
    made.unwrap().unwrap();
    path
}

/// What the server says to a line.
fn ask(tools: &Tools, line: &str) -> Value {
    let answer = answered(Ok(line.to_owned()), tools).expect("a request is answered");
    serde_json::from_str(&answer).unwrap()
}

fn call(tools: &Tools, name: &str, arguments: &Value) -> Value {
    let request = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": {"name": name, "arguments": arguments}});
    ask(tools, &request.to_string())["result"].clone()
}

#[test]
fn a_client_searches_reads_and_backtests() {
    let folder = tempfile::tempdir().unwrap();
    let tools = Tools::at(base(folder.path()), None);
    let hello = ask(
        &tools,
        r#"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
    );
    assert_eq!(hello["id"], "a");
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
    let quiet = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(answered(Ok(quiet.to_owned()), &tools), None);
    // Nothing is active yet, so nothing is found unless it is asked for.
    let found = call(&tools, "search_knowledge", &json!({"text": "stone"}));
    assert_eq!(found["structuredContent"]["found"], 0, "{found}");
    let found = call(
        &tools,
        "search_knowledge",
        &json!({"text": "STONE", "status": "proposed"}),
    );
    assert_eq!(
        found["structuredContent"]["entries"][0]["id"], "k0.1",
        "{found}"
    );
    let none = call(
        &tools,
        "search_knowledge",
        &json!({"text": "netherite", "status": "proposed"}),
    );
    assert_eq!(none["structuredContent"]["found"], 0);
    let read = call(&tools, "read_entry", &json!({"id": "k0.1"}));
    assert_eq!(read["structuredContent"]["status"], "proposed", "{read}");
    let resource = ask(
        &tools,
        r#"{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"pithead://knowledge/k0.1"}}"#,
    );
    let text = resource["result"]["contents"][0]["text"].as_str().unwrap();
    assert!(text.contains("kind: guardrail"), "{text}");
    let past = call(&tools, "backtest_guardrail", &json!({"id": "k0.1"}));
    assert_eq!(past["structuredContent"]["attempts"], 0, "{past}");
}

#[test]
fn a_server_that_only_reads_changes_nothing_and_a_proposal_only_waits() {
    let folder = tempfile::tempdir().unwrap();
    let path = base(folder.path());
    let names = |tools: &Tools| -> Vec<String> {
        let listed = tools.listed();
        listed.iter().map(|tool| tool["name"].to_string()).collect()
    };
    let body = "kind: guardrail\ntrigger: \"inv diamond < 1\"\nforbid: {kind: mine, target: sand}\navoid: it falls\nrecovery: []\nreason: UNKNOWN\n";
    let reads = Tools::at(path.clone(), None);
    assert!(!names(&reads).iter().any(|name| name.contains("propose")));
    let refused = call(&reads, "propose_entry", &json!({"body": body}));
    assert_eq!(refused["isError"], true, "{refused}");
    let entries = || {
        Journal::look(&path)
            .unwrap()
            .knowledge(EntryFilter::default())
            .unwrap()
    };
    assert_eq!(entries().len(), 1);
    let operator = Operator::new(path.clone(), "ada", Clock::System);
    let takes = Tools::at(path.clone(), Some(operator));
    let taken = call(
        &takes,
        "propose_entry",
        &json!({"body": body, "task": "get sand"}),
    );
    assert_eq!(taken["structuredContent"]["new"], true, "{taken}");
    assert_eq!(entries().len(), 2);
    assert!(
        entries()
            .iter()
            .all(|entry| entry.status == Status::Proposed)
    );
    // The same content again is known.
    let again = call(&takes, "propose_entry", &json!({"body": body}));
    assert_eq!(again["structuredContent"]["new"], false, "{again}");
    let broken = call(
        &takes,
        "propose_entry",
        &json!({"body": "kind: guardrail\nforbit: {}"}),
    );
    assert_eq!(broken["isError"], true, "{broken}");
}

#[test]
fn what_is_no_request_gets_the_error_of_the_protocol() {
    let folder = tempfile::tempdir().unwrap();
    let tools = Tools::at(base(folder.path()), None);
    for (line, code) in [
        ("{", -32_700),
        ("[]", -32_600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32_600),
        (r#"{"jsonrpc":"2.0","id":1,"method":3}"#, -32_600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"kb/delete"}"#, -32_601),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}"#,
            -32_602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}"#,
            -32_602,
        ),
    ] {
        assert_eq!(ask(&tools, line)["error"]["code"], code, "{line}");
    }
    for (name, arguments) in [
        ("search_knowledge", json!({"limit": 0})),
        ("search_knowledge", json!({"kind": "spell"})),
        ("search_knowledge", json!({"txt": "stone"})),
        ("read_entry", json!({"id": "k9.9"})),
        ("backtest_guardrail", json!({})),
    ] {
        let said = call(&tools, name, &arguments);
        assert_eq!(said["isError"], true, "{name} {arguments}: {said}");
    }
    // A flood in one line is not kept, and the line after it is read.
    let mut flood = vec![b'x'; 3 << 20];
    flood.extend(b"\n{}\n");
    let mut input = std::io::Cursor::new(flood);
    let first = next_line(&mut input).unwrap().unwrap();
    assert_eq!(first.unwrap_err().code, -32_600);
    assert_eq!(
        next_line(&mut input).unwrap().unwrap().unwrap().trim(),
        "{}"
    );
    assert_eq!(next_line(&mut input).unwrap(), None);
}
