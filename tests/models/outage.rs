//! Outages and refusals: what a run does when its model cannot be asked, and how requests adapt to servers.

use crate::models::client::{ANSWER, answered, failed, mind, think};
use crate::models::place::{Place, RUN, config, reply_to_open_question};
use crate::models::server::{Piece, Say, Server, delta, end, json_body, refusal, streamed, whole};
use pithead_core::domain::mind::spending::Allowance;
use pithead_core::domain::run::event::Event;
use pithead_engine::mind::Silence;
use pithead_engine::mind::watch::Watch;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A server that is out of order until the flag is set, and the run that met it.
fn run_through_outage(fault: Say) -> (Place, Server, Value) {
    let place = Place::new("");
    let database = place.path("pithead.db");
    let works = Arc::new(AtomicBool::new(false));
    let now = Arc::clone(&works);
    let server = Server::start(move |_, _| {
        if now.load(Ordering::SeqCst) {
            reply_to_open_question(&database)
        } else {
            fault.clone()
        }
    });
    let settings =
        config(&server.base_url, "").replace("backoff_ms = 1", "backoff_ms = 1\nretries = 2");
    std::fs::write(place.path("config.toml"), settings).unwrap();
    let output = place.run(&[&RUN[..], &["--mind", "llm"]].concat());
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["outcome"], "open", "{summary}");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("resume 1"), "{told}");
    let events = place.events();
    assert!(
        matches!(events.last().unwrap().event, Event::MindUnavailable { .. }),
        "{events:?}"
    );
    assert!(place.good(&["runs"]).contains("left"));
    works.store(true, Ordering::SeqCst);
    let resumed = place.good(&["resume", "1", "--headless", "--json"]);
    let resumed: Value = serde_json::from_str(&resumed).unwrap();
    assert_eq!(resumed["success"], true, "{resumed}");
    (place, server, summary)
}

#[test]
fn a_permanent_fault_is_met_once_and_leaves_the_run_with_its_cause() {
    let page = Say::Body {
        status: 200,
        headers: vec![("content-type", "text/html".to_owned())],
        body: "<html>".to_owned(),
    };
    for (fault, cause, remedy) in [
        (refusal(401, "no such key"), "401", "key_env"),
        (refusal(404, "no such model"), "no such model", "base_url"),
        (
            refusal(429, "You exceeded your current quota"),
            "quota",
            "top up",
        ),
        (
            refusal(400, "maximum context length is 2048 tokens"),
            "2048",
            "longer context",
        ),
        (page, "web page", "base_url"),
    ] {
        let (place, server, summary) = run_through_outage(fault);
        let because = summary["because"].as_str().unwrap();
        assert!(
            because.contains(cause) && because.contains(remedy),
            "{because}"
        );
        let events = place.events();
        let outages = events
            .iter()
            .filter(|f| matches!(f.event, Event::MindUnavailable { .. }));
        assert_eq!(outages.count(), 1);
        // The question that met the fault is the one that was answered, and nothing was held against it.
        let asked = events
            .iter()
            .filter(|f| matches!(f.event, Event::MindAsked { .. }))
            .count();
        assert_eq!(server.requests().len(), asked + 1, "{because}");
        let first = server.requests()[1]["messages"].to_string();
        assert!(!first.contains("could not be used"), "{first}");
    }
}

#[test]
fn a_transient_fault_is_tried_again_by_one_policy_and_leaves_the_run_then() {
    let (place, server, summary) = run_through_outage(refusal(503, "overloaded"));
    assert!(
        summary["because"]
            .as_str()
            .unwrap()
            .contains("after 3 tries"),
        "{summary}"
    );
    let asked = place
        .events()
        .iter()
        .filter(|f| matches!(f.event, Event::MindAsked { .. }))
        .count();
    assert_eq!(server.requests().len(), asked + 3);
}

#[test]
fn an_evaluation_stops_at_an_outage_and_the_same_command_continues() {
    let place = Place::new("");
    let works = Arc::new(AtomicBool::new(false));
    let now = Arc::clone(&works);
    let plan = json!({"subgoals": [{"subgoal_id": 1, "condition": "mine a log", "task_kind": "mine", "executor_hint": "mine",
        "timeout_s": 160, "goal": {"object": "#logs", "count": 1}, "checks": [{"check": "inv_ge", "item": "#logs", "count": 1}]}]});
    let server = Server::start(move |_, _| match now.load(Ordering::SeqCst) {
        true => streamed(&plan.to_string()),
        false => refusal(401, "no such key"),
    });
    std::fs::write(place.path("config.toml"), config(&server.base_url, "")).unwrap();
    let out = place.path("eval");
    let args = [
        "eval",
        "--suite",
        "mcu70",
        "--tasks",
        "mcu70/wooden/01",
        "--seeds",
        "2",
        "--jobs",
        "1",
        "--mind",
        "llm",
        "--out",
        out.to_str().unwrap(),
    ];
    let output = place.run(&args);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains("401") && told.contains("continues"), "{told}");
    assert_eq!(server.requests().len(), 1);
    works.store(true, Ordering::SeqCst);
    let output = place.run(&args);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_role_that_no_server_answers_is_left_to_the_program_for_the_rest_of_the_run() {
    let place = Place::new("");
    let database = place.path("pithead.db");
    let server = Server::start(move |_, body| match body["model"].as_str() {
        Some("gone") => refusal(404, "no such model"),
        _ => reply_to_open_question(&database),
    });
    let more = "[llm.roles.rule_generator]\nmodel = \"gone\"";
    std::fs::write(place.path("config.toml"), config(&server.base_url, more)).unwrap();
    // A novice may fail; this test is about who writes the rules.
    place.run(&[&RUN[..], &["--mind", "llm", "--system", "metagent-p"]].concat());
    let gone = server
        .requests()
        .iter()
        .filter(|body| body["model"] == "gone")
        .count();
    let replaced: Vec<String> = place
        .events()
        .iter()
        .filter_map(|fact| match &fact.event {
            Event::RoleReplaced { role, .. } => Some(role.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!((gone, replaced), (1, vec!["rule_generator".to_owned()]));
}

#[test]
fn requests_adapt_to_what_a_server_refuses() {
    let server = Server::start(|_, body| {
        let has = |name: &str| body.get(name).is_some_and(|value| *value != Value::Null);
        if has("stream") {
            return refusal(400, "stream=true is not supported by this deployment");
        }
        if body["messages"][0]["role"] == "system" {
            return refusal(400, "System role not supported");
        }
        if has("max_tokens") {
            return refusal(
                400,
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            );
        }
        if has("temperature") {
            return refusal(
                400,
                "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
            );
        }
        if body["max_completion_tokens"].as_u64() > Some(2_000) {
            return refusal(
                400,
                "max_completion_tokens is too large: the maximum context length is 4096 tokens and your request has 1000 input tokens",
            );
        }
        whole(ANSWER)
    });
    let mut mind = mind(
        &server.base_url,
        "",
        "temperature = 0.2\n[roles.goal]\nmax_tokens = 8000",
    );
    assert_eq!(answered(&mut mind).tries, 7);
    assert_eq!(
        answered(&mut mind).tries,
        1,
        "what was refused once is not sent again"
    );
    let last = server.requests().pop().unwrap();
    let said = last["messages"][0]["content"].as_str().unwrap();
    assert_eq!(last["messages"].as_array().unwrap().len(), 1);
    assert!(
        said.contains("something to melt ore in") && said.contains("The answer is"),
        "{said}"
    );
    assert_eq!(last["max_completion_tokens"], 2_000);
}

#[test]
fn a_drip_is_ended_by_the_rate_and_not_by_the_hour() {
    let drips: Vec<Piece> = (0..100)
        .flat_map(|_| [delta(json!({"content": " "})), Piece::Pause(200)])
        .collect();
    let server = Server::start(move |_, _| Say::Stream(drips.clone()));
    let because = failed(&mut mind(
        &server.base_url,
        "idle_s = 1\ntokens_min = 50",
        "",
    ));
    assert!(because.contains("too slow"), "{because}");
    assert_eq!(
        server.requests().len(),
        1,
        "a slow server is not asked four times more"
    );
    // Comments keep a connection open and are no tokens.
    let comments: Vec<Piece> = (0..100)
        .flat_map(|_| [Piece::Text(": wait\n\n".to_owned()), Piece::Pause(200)])
        .collect();
    let server = Server::start(move |_, _| Say::Stream(comments.clone()));
    let because = failed(&mut mind(
        &server.base_url,
        "first_token_s = 1\nretries = 0",
        "",
    ));
    assert!(because.contains("no first token within 1 s"), "{because}");
}

#[test]
fn a_model_that_reads_a_long_prompt_is_not_too_slow() {
    // llama.cpp begins with an empty piece and pings while it reads; a machine without a graphics card reads for minutes.
    let mut stream = vec![delta(json!({"role": "assistant", "content": null}))];
    for _ in 0..8 {
        stream.extend([Piece::Text(": ping\n\n".to_owned()), Piece::Pause(200)]);
    }
    stream.push(delta(json!({"content": ANSWER})));
    stream.extend(end("stop"));
    let server = Server::start(move |_, _| Say::Stream(stream.clone()));
    let mut mind = mind(
        &server.base_url,
        "idle_s = 1\ntokens_min = 50\nfirst_token_s = 30",
        "",
    );
    assert_eq!(answered(&mut mind).tries, 1);
}

#[test]
fn an_answer_without_end_is_fetched_once() {
    let long = "x".repeat(10 * 1024 * 1024);
    let body = json!({"choices": [{"message": {"content": long}, "finish_reason": "stop"}]});
    let server = Server::start(move |_, _| json_body(200, &body));
    let because = failed(&mut mind(&server.base_url, "stream = false", ""));
    assert!(because.contains("longer than"), "{because}");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_model_that_failed_is_passed_over_for_a_while() {
    let server = Server::start(|_, body| match body["model"].as_str() {
        Some("m2") => streamed(ANSWER),
        _ => refusal(503, "down for maintenance"),
    });
    let more = "fallbacks = [{ server = \"local\", model = \"m2\" }]";
    let mut mind = mind(&server.base_url, "retries = 1", more);
    assert_eq!(answered(&mut mind).tries, 3);
    let spent = answered(&mut mind);
    assert_eq!((spent.tries, server.requests().len()), (1, 4));
    let because = spent.fallback.unwrap();
    assert!(
        because.contains("passed over") && because.contains("maintenance"),
        "{because}"
    );
}

#[test]
fn only_the_fault_of_an_answer_goes_back_to_the_model() {
    let cut_off = json!({"choices": [{"message": {"content": "{"}, "finish_reason": "length"}]});
    for (say, is_answer) in [
        (json_body(200, &cut_off), true),
        (refusal(401, "no such key"), false),
        (refusal(503, "overloaded"), false),
    ] {
        let server = Server::start(move |_, _| say.clone());
        let mut mind = mind(&server.base_url, "retries = 0", "");
        let reply = think(&mut mind, &Watch::new(), Allowance::default());
        let silence = reply.result.unwrap_err();
        assert_eq!(
            matches!(silence, Silence::Failed(_)),
            is_answer,
            "{silence:?}"
        );
    }
}
