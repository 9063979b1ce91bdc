//! The client: its requests, the answers it accepts, and how it handles errors.

use crate::models::server::{
    Piece, Say, Server, delta, end, event, json_body, refusal, streamed, whole,
};
use pithead_core::domain::mind::ask::{Ask, GoalAsk};
use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::mind::spending::{Allowance, Spent};
use pithead_engine::mind::llm::Llm;
use pithead_engine::mind::llm::probe::probe;
use pithead_engine::mind::llm::settings::LlmSettings;
use pithead_engine::mind::watch::{AnswerStage, Watch};
use pithead_engine::mind::{Mind, MindQuestion, MindReply, Silence};
use pithead_world::ids::CallId;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) const ANSWER: &str = "{\"item\":\"furnace\",\"count\":1,\"because\":\"ore – melts\"}";

fn settings(base_url: &str, server: &str, more: &str) -> LlmSettings {
    let text = format!(
        "[servers.local]\nbase_url = \"{base_url}\"\nbackoff_ms = 1\n{server}\n\
         [roles.default]\nserver = \"local\"\nmodel = \"m1\"\nmax_tokens = 500\n{more}\n"
    );
    toml::from_str(&text).unwrap()
}

pub(crate) fn mind(base_url: &str, server: &str, more: &str) -> Llm {
    let settings = settings(base_url, server, more);
    settings.check().unwrap();
    Llm::new(settings, "steve-evolving", None, 7).unwrap()
}

fn ask() -> Ask {
    Ask::Goal(GoalAsk {
        words: "something to melt ore in".to_owned(),
        near: vec!["furnace".to_owned()],
        faults: Vec::new(),
    })
}

pub(crate) fn think(mind: &mut Llm, watch: &Watch, allowance: Allowance) -> MindReply {
    mind.think(&MindQuestion {
        call: CallId(1),
        ask: &ask(),
        picture: None,
        allowance,
        watch,
    })
}

fn spent(reply: &MindReply) -> &Spent {
    reply.spent.as_deref().unwrap()
}

#[track_caller]
pub(crate) fn answered(mind: &mut Llm) -> Spent {
    let reply = think(mind, &Watch::new(), Allowance::default());
    assert_eq!(reply.result.as_deref(), Ok(ANSWER));
    spent(&reply).clone()
}

#[track_caller]
pub(crate) fn failed(mind: &mut Llm) -> String {
    let reply = think(mind, &Watch::new(), Allowance::default());
    reply.result.unwrap_err().because().to_owned()
}

/// The first answers are the script's, all later ones are good.
fn then_good(script: Vec<Say>) -> Server {
    Server::start(move |n, _| script.get(n).cloned().unwrap_or_else(|| streamed(ANSWER)))
}

#[test]
fn a_streamed_answer_comes_with_what_it_cost() {
    let server = then_good(Vec::new());
    let more = "temperature = 0.25\nseed = 3\nextra = { top_k = 20 }\n[prices.m1]\ninput = 2.0\noutput = 10.0";
    let mut mind = mind(&server.base_url, "", more);
    let spent = answered(&mut mind);
    assert_eq!(
        (spent.tokens_in, spent.tokens_out, spent.counted),
        (1000, 200, true)
    );
    assert_eq!(spent.micros, Some(4_000));
    assert_eq!((spent.tries, spent.form.as_str()), (1, "json_schema"));
    assert!(spent.first_token_ms.is_some());
    let request = &server.requests()[0];
    assert_eq!(request["model"], "m1");
    assert_eq!(request["max_tokens"], 500);
    assert_eq!(request["temperature"], 0.25);
    assert_eq!(request["seed"], 3);
    assert_eq!(request["top_k"], 20);
    assert_eq!(request["response_format"]["type"], "json_schema");
    let user = request["messages"][1]["content"].as_str().unwrap();
    assert!(
        user.contains("<data>\"something to melt ore in\"</data>"),
        "{user}"
    );
}

#[test]
fn an_answer_that_is_not_streamed_is_accepted_too() {
    let server = Server::start(|_, _| whole(ANSWER));
    answered(&mut mind(&server.base_url, "stream = false", ""));
    answered(&mut mind(&server.base_url, "", ""));
    let requests = server.requests();
    assert_eq!(
        (&requests[0]["stream"], &requests[1]["stream"]),
        (&Value::Null, &json!(true))
    );
    // Content in parts, with reasoning, and without a content type.
    let body = json!({"choices": [{"message": {"content": [{"type": "text", "text": ANSWER}],
        "reasoning_content": "hm"}, "finish_reason": "stop"}]});
    let server = Server::start(move |_, _| Say::Body {
        status: 200,
        headers: Vec::new(),
        body: body.to_string(),
    });
    let spent = answered(&mut mind(&server.base_url, "", ""));
    assert!(!spent.counted && spent.tokens_in > 100 && spent.tokens_out > 5);
}

#[test]
fn a_tool_call_or_a_refusal_counts_as_the_answer() {
    let call =
        json!({"tool_calls": [{"index": 0, "function": {"name": "answer", "arguments": ANSWER}}]});
    let mut pieces = vec![delta(call)];
    pieces.extend(end("tool_calls"));
    let server = Server::start(move |_, _| Say::Stream(pieces.clone()));
    answered(&mut mind(&server.base_url, "", ""));
    let mut pieces = vec![delta(json!({"refusal": "I cannot help with that."}))];
    pieces.extend(end("stop"));
    let server = Server::start(move |_, _| Say::Stream(pieces.clone()));
    let reply = think(
        &mut mind(&server.base_url, "", ""),
        &Watch::new(),
        Allowance::default(),
    );
    assert_eq!(reply.result.as_deref(), Ok("I cannot help with that."));
}

#[test]
fn transient_errors_are_retried() {
    let cut = vec![
        delta(json!({"content": "{\"item\""})),
        Piece::Pause(5),
        Piece::Cut,
    ];
    let early = vec![delta(json!({"content": "{\"item\""}))];
    let sick = vec![event(
        &json!({"error": {"message": "out of memory", "code": 500}}),
    )];
    let limited = Say::Body {
        status: 429,
        headers: vec![
            ("retry-after", "0".to_owned()),
            ("content-type", "application/json".to_owned()),
        ],
        body: "{\"error\":{\"message\":\"slow down\"}}".to_owned(),
    };
    for fault in [
        limited,
        refusal(503, "loading the model"),
        refusal(500, ""),
        Say::Stream(cut),
        Say::Stream(early),
        Say::Stream(sick),
        Say::Stream(vec![Piece::Text("data: {not json}\n\n".to_owned())]),
        json_body(200, &json!({"choices": [{"message": {"content": ""}}]})),
    ] {
        let server = then_good(vec![fault]);
        let spent = answered(&mut mind(&server.base_url, "", ""));
        assert_eq!((spent.tries, server.requests().len()), (2, 2));
    }
}

#[test]
fn permanent_errors_are_reported_with_their_reason() {
    let server = Server::start(|_, _| refusal(502, "bad gateway"));
    let because = failed(&mut mind(&server.base_url, "retries = 2", ""));
    assert!(
        because.contains("502")
            && because.contains("bad gateway")
            && because.contains("after 3 tries"),
        "{because}"
    );
    let page = Say::Body {
        status: 200,
        headers: vec![("content-type", "text/html".to_owned())],
        body: "<html>".to_owned(),
    };
    let moved = Say::Body {
        status: 307,
        headers: vec![(
            "location",
            "http://127.0.0.1:1/v1/chat/completions".to_owned(),
        )],
        body: String::new(),
    };
    let mut cut_off = vec![delta(json!({"content": "{"}))];
    cut_off.extend(end("length"));
    for (say, word) in [
        (refusal(404, "no such model"), "no such model"),
        (refusal(429, "You exceeded your current quota"), "quota"),
        (page, "base_url"),
        (moved, "307"),
        (Say::Stream(cut_off), "max_tokens"),
        (json_body(200, &json!({"result": 1})), "choices"),
    ] {
        let server = Server::start(move |_, _| say.clone());
        let because = failed(&mut mind(&server.base_url, "", ""));
        assert!(because.contains(word), "{because}");
        assert_eq!(server.requests().len(), 1, "{because}");
    }
    // Nothing listens there.
    let because = failed(&mut mind("http://127.0.0.1:9/v1", "retries = 1", ""));
    assert!(because.contains("could not be reached"), "{because}");
}

#[test]
fn a_slow_server_times_out() {
    let limited = Say::Body {
        status: 429,
        headers: vec![("retry-after", "3600".to_owned())],
        body: String::new(),
    };
    let server = Server::start(move |_, _| limited.clone());
    let because = failed(&mut mind(&server.base_url, "", ""));
    assert!(because.contains("wait 3600 s"), "{because}");
    let server = Server::start(|_, _| Say::After(60_000, Box::new(streamed(ANSWER))));
    let because = failed(&mut mind(
        &server.base_url,
        "first_token_s = 1\nretries = 0",
        "",
    ));
    assert!(because.contains("no first token within 1 s"), "{because}");
    let stalls = vec![delta(json!({"content": "{"})), Piece::Pause(60_000)];
    let server = Server::start(move |_, _| Say::Stream(stalls.clone()));
    let because = failed(&mut mind(&server.base_url, "idle_s = 1\nretries = 0", ""));
    assert!(because.contains("no token for 1 s"), "{because}");
    let drips: Vec<Piece> = (0..100)
        .flat_map(|_| [delta(json!({"content": " "})), Piece::Pause(300)])
        .collect();
    let server = Server::start(move |_, _| Say::Stream(drips.clone()));
    let because = failed(&mut mind(&server.base_url, "total_s = 1\nretries = 0", ""));
    assert!(because.contains("no whole answer within 1 s"), "{because}");
}

#[test]
fn a_request_form_that_the_server_refuses_is_not_used_again() {
    let server = Server::start(|_, body| match body["response_format"]["type"].as_str() {
        Some("json_schema") => refusal(400, "response_format: json_schema is not supported"),
        Some(_) => refusal(422, "unknown field response_format"),
        None if body.get("stream_options").is_some() => refusal(400, "stream_options: extra field"),
        None => streamed(ANSWER),
    });
    let mut mind = mind(&server.base_url, "", "");
    let spent = answered(&mut mind);
    assert_eq!((spent.form.as_str(), spent.tries), ("text", 4));
    assert_eq!(answered(&mut mind).tries, 1);
    let last = server.requests().pop().unwrap();
    assert!(last.get("response_format").is_none() && last.get("stream_options").is_none());
}

#[test]
fn a_cancelled_question_ends_at_once() {
    let server = Server::start(|_, _| Say::After(600_000, Box::new(streamed(ANSWER))));
    let watch = Watch::new();
    let mut mind = mind(&server.base_url, "", "");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while watch
                .look()
                .is_none_or(|progress| progress.stage != AnswerStage::Asked)
            {
                std::thread::yield_now();
            }
            watch.cancel(CallId(1));
        });
        let reply = think(&mut mind, &watch, Allowance::default());
        let because = reply.result.unwrap_err();
        assert!(because.because().contains("cancelled"), "{because:?}");
    });
}

#[test]
fn concurrent_requests_stay_within_the_limit_of_the_server() {
    let server = Server::start(|_, _| Say::After(30, Box::new(streamed(ANSWER))));
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| answered(&mut mind(&server.base_url, "concurrency = 2", "")));
        }
    });
    assert_eq!(server.requests().len(), 6);
    assert!(server.most_at_once() <= 2, "{}", server.most_at_once());
}

#[test]
fn the_next_model_answers_when_the_first_cannot() {
    let server = Server::start(|_, body| match body["model"].as_str() {
        Some("m2") => streamed(ANSWER),
        _ => refusal(404, "no such model"),
    });
    let more = "fallbacks = [{ server = \"local\", model = \"m2\" }]";
    let spent = answered(&mut mind(&server.base_url, "", more));
    assert_eq!((spent.model.as_str(), spent.tries), ("m2", 2));
    assert!(spent.fallback.unwrap().contains("no such model"));
}

#[test]
fn a_question_that_could_exceed_the_budget_is_not_asked() {
    let server = then_good(Vec::new());
    let priced = "[prices.m1]\ninput = 1000.0\noutput = 1000.0";
    let withheld = |more: &str, allowance| {
        let reply = think(
            &mut mind(&server.base_url, "", more),
            &Watch::new(),
            allowance,
        );
        match reply.result.unwrap_err() {
            Silence::Withheld(because) => because,
            other => panic!("{other:?}"),
        }
    };
    let tokens = Allowance {
        tokens: Some(600),
        micros: None,
    };
    let money = Allowance {
        tokens: None,
        micros: Some(100_000),
    };
    assert!(withheld("", tokens).contains("600 are left"));
    assert!(withheld(priced, money).contains("0.10 is left"));
    assert!(withheld("", money).contains("has no price"));
    assert!(server.requests().is_empty());
    let plenty = Allowance {
        tokens: Some(100_000),
        micros: Some(100_000_000),
    };
    let reply = think(
        &mut mind(&server.base_url, "", priced),
        &Watch::new(),
        plenty,
    );
    assert_eq!(reply.result.as_deref(), Ok(ANSWER));
}

#[test]
fn a_key_is_sent_to_the_server_and_appears_in_no_message() {
    const MARKER: &str = "marker-0123456789";
    let server =
        Server::start(|_, _| refusal(401, "Incorrect API key provided: marker-0123456789."));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    std::fs::write(&path, MARKER).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    let mut mind = mind(&server.base_url, &format!("key_file = {path:?}"), "");
    let because = failed(&mut mind);
    assert!(
        because.contains("401") && because.contains("[key]"),
        "{because}"
    );
    assert!(!because.contains(MARKER) && !format!("{mind:?}").contains(MARKER));
    assert_eq!(server.authorizations(), [format!("Bearer {MARKER}")]);
}

#[test]
fn the_doctor_reports_what_a_server_supports() {
    let server = Server::start(|_, body| match body["response_format"]["type"].as_str() {
        Some("json_schema") => refusal(400, "json_schema is not supported"),
        _ => streamed("```json\n{\"item\": \"oak_log\", \"count\": 1}\n```"),
    });
    let settings = settings(&server.base_url, "", "");
    let mut asked = Vec::new();
    let tell = |server: &str, model: &str| asked.push(format!("{model} at {server}"));
    let probed = probe(&settings, &[MindRole::Planner, MindRole::Goal], tell);
    assert_eq!(asked, ["m1 at local"]);
    let [found] = &probed[..] else {
        panic!("{probed:?}")
    };
    assert!(
        found.works && found.streams && found.counts_tokens,
        "{found:?}"
    );
    assert_eq!(
        (found.form, found.listed, found.embedding),
        (Some("json_object"), Some(true), Some(2))
    );
    assert_eq!(found.roles, [MindRole::Planner, MindRole::Goal]);
    let server = Server::start(|_, _| streamed("I have no idea."));
    let probed = probe(
        &self::settings(&server.base_url, "", ""),
        &[MindRole::Goal],
        |_, _| (),
    );
    assert!(
        !probed[0].works
            && probed[0]
                .because
                .as_deref()
                .unwrap()
                .contains("I have no idea")
    );
}

#[test]
fn runs_share_what_is_known_about_a_server() {
    let refused = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&refused);
    let server = Server::start(move |_, body| {
        if body["response_format"]["type"] == "json_schema" {
            count.fetch_add(1, Ordering::SeqCst);
            return refusal(400, "json_schema is not supported");
        }
        streamed(ANSWER)
    });
    for _ in 0..3 {
        answered(&mut mind(&server.base_url, "", ""));
    }
    assert_eq!(refused.load(Ordering::SeqCst), 1);
}

#[test]
fn a_picture_is_sent_to_roles_that_accept_one() {
    let server = then_good(Vec::new());
    let mut mind = mind(
        &server.base_url,
        "",
        "images = true\n[roles.explainer]\nimages = true",
    );
    let takes = [MindRole::Diagnosis, MindRole::Explainer, MindRole::Planner];
    assert_eq!(
        takes.map(|role| mind.takes_pictures(role)),
        [true, true, false]
    );
    mind.think(&MindQuestion {
        call: CallId(1),
        ask: &ask(),
        picture: Some(b"png"),
        allowance: Allowance::default(),
        watch: &Watch::new(),
    });
    let content = &server.requests()[0]["messages"][1]["content"];
    assert_eq!(content[0]["type"], "text");
    assert!(
        content[1]["text"]
            .as_str()
            .unwrap()
            .contains("what the body sees now")
    );
    let picture = &content[2]["image_url"];
    assert_eq!(picture["url"], "data:image/png;base64,cG5n");
    assert_eq!(picture["detail"], "low");
}
