//! A whole run of the real binary with a language model as its mind, and again without a network.

use crate::models::place::{MARKER, Place, RUN, TASK, config, model};
use crate::models::server::{Say, Server, refusal, streamed};
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_engine::journal::{Journal, kind};
use pithead_world::ids::{RunId, Seq};
use serde_json::Value;
use std::path::Path;

/// Frames by checksum and plans by their steps: what happened, without the mind's times.
fn course(events: &[Recorded]) -> Vec<String> {
    let told = |fact: &Recorded| match &fact.event {
        Event::FrameSeen { frame } | Event::WorldReady { frame } => {
            Some(format!("{} {:x}", frame.tick, frame.checksum.value()))
        }
        Event::PlanProposed { plan, .. } => Some(format!("{plan:?}")),
        Event::RunEnded { because, .. } => Some(because.clone()),
        _ => None,
    };
    events.iter().filter_map(told).collect()
}

fn questions_are_shown_with_prompts_and_answers(place: &Place, events: &[Recorded]) {
    let asked: Value =
        serde_json::from_str(&place.good(&["show", "1", "--questions", "--json"])).unwrap();
    let asked = asked.as_array().unwrap();
    let questions = events
        .iter()
        .filter(|f| matches!(f.event, Event::MindAsked { .. }));
    assert_eq!(asked.len(), questions.count());
    let planner = asked.iter().find(|one| one["role"] == "planner").unwrap();
    assert!(planner["user"].as_str().unwrap().contains(TASK));
    assert!(
        planner["spent"]["tokens_in"].as_u64() > Some(0),
        "{planner}"
    );
    let call = planner["call"].as_u64().unwrap();
    let first = place.good(&["show", "1", "--question", &format!("q{call}")]);
    assert!(
        first.contains("── question") && first.contains("── event"),
        "{first}"
    );
    let none = place.run(&["show", "1", "--question", "q999"]);
    let said = String::from_utf8(none.stderr).unwrap();
    assert_eq!(none.status.code(), Some(2), "{said}");
    assert!(said.contains("has no question q999"), "{said}");
}

#[test]
fn a_run_with_a_model_is_recorded_and_replayed_without_a_network() {
    let place = Place::new("");
    let server = model(place.path("pithead.db"));
    std::fs::write(place.path("config.toml"), config(&server.base_url, "")).unwrap();
    let with = |mind| [&RUN[..], &["--mind", mind]].concat();
    let args = with("llm");
    let summary: Value = serde_json::from_str(&place.good(&args)).unwrap();
    assert_eq!(summary["success"], true, "{summary}");
    let events = place.events();
    let repaired = events
        .iter()
        .any(|f| matches!(f.event, Event::AnswerRepaired { .. }));
    let rejected = events
        .iter()
        .any(|f| matches!(f.event, Event::AnswerRejected { .. }));
    assert!(repaired && rejected, "the leniency was not tried");
    assert!(
        server
            .authorizations()
            .iter()
            .all(|value| value.contains(MARKER))
    );

    let costs: Value =
        serde_json::from_str(&place.good(&["show", "1", "--costs", "--json"])).unwrap();
    let answers = events
        .iter()
        .filter(|f| matches!(f.event, Event::MindAnswered { .. }))
        .count();
    assert_eq!(costs["total"]["answers"], answers);
    assert_eq!(costs["total"]["micros"], answers * 1_400);
    assert!(place.good(&["show", "1", "--costs"]).contains("planner"));
    questions_are_shown_with_prompts_and_answers(&place, &events);
    let prompt = place.good(&["prompt", "render", "planner", "--run", "1"]);
    assert!(
        prompt.contains("── system ──") && prompt.contains(TASK),
        "{prompt}"
    );
    assert!(
        place
            .good(&["prompt", "render", "explainer", "--run", "1"])
            .contains("Explain the failure.")
    );

    let cassette = place.path("run.cassette.gz");
    place.good(&[
        "cassette",
        "export",
        "1",
        "--out",
        cassette.to_str().unwrap(),
    ]);
    let other = Place::new("");
    let mind = format!("recorded:{}", cassette.display());
    let args = with(&mind);
    let requests = server.requests().len();
    other.good(&args);
    assert_eq!(
        server.requests().len(),
        requests,
        "the replay asked the server"
    );
    assert_eq!(course(&other.events()), course(&events));

    let texts = serde_json::to_string(&events).unwrap();
    assert!(texts.contains("mind.charged") && !texts.contains("marker-do-not-keep"));
    no_key(place.folder.path());
    no_key(other.folder.path());
}

/// No file below the folder contains the marker, plain or compressed.
fn no_key(folder: &Path) {
    let mut files = 0;
    let mut open = vec![folder.to_path_buf()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(
                std::fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
            continue;
        }
        files += 1;
        let mut bytes = std::fs::read(&path).unwrap();
        if path.extension().is_some_and(|end| end == "gz") {
            let mut plain = Vec::new();
            std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&bytes[..]), &mut plain)
                .unwrap();
            bytes = plain;
        }
        let text = String::from_utf8_lossy(&bytes);
        assert!(
            !text.contains("marker-do-not-keep"),
            "{} holds the key",
            path.display()
        );
    }
    assert!(files >= 2, "nothing was looked at");
}

/// Everything that the program prints, for every command and error.
#[test]
fn a_key_appears_in_no_output_of_the_program() {
    let place = Place::new("");
    let database = place.path("pithead.db");
    let script = move |n: usize, body: &Value| -> Say {
        no_key_in_arguments(&database);
        let told = body["messages"][0]["content"].as_str().unwrap();
        if told.contains("of the form") {
            return streamed("{\"item\": \"oak_log\", \"count\": 1}");
        }
        // A server that quotes the key in errors, and a model that knows it from somewhere.
        match n % 3 {
            0 => refusal(401, &format!("Incorrect API key provided: {MARKER}.")),
            1 => refusal(503, &format!("upstream said: Bearer {MARKER}")),
            _ => streamed(&format!("The key is {MARKER}, is it not?")),
        }
    };
    let server = Server::start(script);
    std::fs::write(
        place.path("config.toml"),
        config(&server.base_url, "").replace("backoff_ms = 1", "backoff_ms = 1\nretries = 1"),
    )
    .unwrap();
    let out = place.path("eval");
    let out = out.to_str().unwrap();
    let glob = "mcu70/wooden/01";
    let cassette = place.path("run.cassette.gz");
    let commands: [&[&str]; 12] = [
        &["doctor"],
        &["doctor", "--json"],
        &["run", TASK, "--headless", "--mind", "llm"],
        &[
            "run",
            TASK,
            "--headless",
            "--json",
            "--mind",
            "llm",
            "--system",
            "gitm",
        ],
        &["run", "melt ore for me", "--headless", "--mind", "llm"],
        &["show", "1"],
        &["show", "1", "--json"],
        &["show", "1", "--costs", "--json"],
        &["replay", "1", "--headless"],
        &["prompt", "render", "planner", "--run", "1"],
        &[
            "cassette",
            "export",
            "1",
            "--out",
            cassette.to_str().unwrap(),
        ],
        &[
            "eval", "--suite", "mcu70", "--tasks", glob, "--seeds", "1", "--mind", "llm", "--out",
            out, "--json",
        ],
    ];
    for args in commands {
        let output = place.run(args);
        for said in [&output.stdout, &output.stderr] {
            let said = String::from_utf8_lossy(said);
            assert!(!said.contains("marker-do-not-keep"), "{args:?}: {said}");
        }
    }
    let quoted = place.events().iter().any(|fact| match &fact.event {
        Event::MindFailed { because, .. } | Event::MindUnavailable { because, .. } => {
            because.contains("[key]")
        }
        Event::MindAnswered { text, .. } => text.contains("[key]"),
        _ => false,
    });
    assert!(quoted, "the server's words did not come through");
    assert!(server.requests().len() > 10);
    no_key(place.folder.path());
}

/// No process that works on this database was started with the key among its arguments.
fn no_key_in_arguments(database: &Path) {
    let folder = database.parent().unwrap().to_string_lossy().into_owned();
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return; // not on this system
    };
    let mut seen = false;
    for process in processes.flatten() {
        let part = |name| std::fs::read(process.path().join(name)).unwrap_or_default();
        if String::from_utf8_lossy(&part("environ")).contains(&folder) {
            seen = true;
            let arguments = part("cmdline");
            assert!(!String::from_utf8_lossy(&arguments).contains("marker-do-not-keep"));
        }
    }
    assert!(seen, "the process that asks was not found");
}

#[test]
fn a_system_that_decomposes_tasks_asks_its_own_roles() {
    let place = Place::new("");
    let server = model(place.path("pithead.db"));
    std::fs::write(place.path("config.toml"), config(&server.base_url, "")).unwrap();
    let args = [&RUN[..], &["--mind", "llm", "--system", "gitm"]].concat();
    place.run(&args);
    let costs: Value =
        serde_json::from_str(&place.good(&["show", "1", "--costs", "--json"])).unwrap();
    for (group, name) in [
        ("by_role", "decomposer"),
        ("by_role", "summariser"),
        ("by_phase", "decompose"),
        ("by_phase", "first plan"),
    ] {
        assert!(
            costs[group][name]["questions"].as_u64() > Some(0),
            "{costs}"
        );
    }
    let events = place.events();
    let told = events.iter().any(|fact| match &fact.event {
        Event::MindAsked { ask, .. } => match &**ask {
            Ask::Plan(ask) => ask.guide.goals.len() > 2,
            _ => false,
        },
        _ => false,
    });
    assert!(told, "the planner was not told the goals");
}

#[test]
fn a_task_in_free_words_is_replayed_without_a_network() {
    let place = Place::new("");
    let server = Server::start(move |_, _: &Value| {
        streamed("{\"item\": \"dirt\", \"count\": 1, \"because\": \"so\"}")
    });
    std::fs::write(place.path("config.toml"), config(&server.base_url, "")).unwrap();
    let run = [
        "run",
        "make me a little garden",
        "--headless",
        "--budget-calls",
        "1",
        "--mind",
    ];
    let with = |mind| [&run[..], &[mind]].concat();
    place.run(&with("llm"));
    let asked = server.requests().len();
    let kinds: Vec<&str> = place
        .events()
        .iter()
        .map(|f| kind(&f.event))
        .take(4)
        .collect();
    assert_eq!(
        kinds,
        ["run.started", "mind.asked", "mind.charged", "mind.answered"]
    );
    place.run(&with("recorded:1"));
    assert_eq!(server.requests().len(), asked, "a recording asks no one");
    let journal = Journal::look(&place.path("pithead.db")).unwrap();
    let again = journal.events(RunId(2), Seq(0), 1).unwrap();
    let Event::RunStarted { config } = &again[0].event else {
        panic!("{again:?}")
    };
    assert_eq!(config.task.goal.to_string(), "dirt");
}

#[test]
fn the_next_process_knows_what_a_server_supports_and_the_doctor_probes_again() {
    let place = Place::new("");
    let takes = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let now = std::sync::Arc::clone(&takes);
    let server = Server::start(move |_, body: &Value| {
        let is_schema = body["response_format"]["type"] == "json_schema";
        if is_schema && !now.load(std::sync::atomic::Ordering::SeqCst) {
            return refusal(400, "json_schema is not supported");
        }
        streamed("{\"item\": \"furnace\", \"count\": 1}")
    });
    std::fs::write(place.path("config.toml"), config(&server.base_url, "")).unwrap();
    let forms = |args: &[&str]| -> Vec<String> {
        let before = server.requests().len();
        place.run(args);
        let asked = server.requests().split_off(before);
        let form = |body: &Value| body["response_format"]["type"].as_str().map(str::to_owned);
        asked.iter().filter_map(form).collect()
    };
    let ask = [
        "run",
        "melt ore for me",
        "--headless",
        "--mind",
        "llm",
        "--budget-calls",
        "1",
    ];
    assert_eq!(forms(&ask), ["json_schema", "json_object"]);
    assert_eq!(forms(&ask), ["json_object"]);
    takes.store(true, std::sync::atomic::Ordering::SeqCst);
    assert_eq!(forms(&["doctor"])[0], "json_schema");
    assert_eq!(forms(&ask), ["json_schema"]);
}

#[test]
fn a_run_ends_with_its_reason_when_a_budget_is_reached() {
    let place = Place::new("");
    let server = model(place.path("pithead.db"));
    let config = config(&server.base_url, "[llm.budget]\nmoney = 0.000001");
    std::fs::write(place.path("config.toml"), config).unwrap();
    let output = place.run(&["run", TASK, "--headless", "--json", "--mind", "llm"]);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        summary["because"]
            .as_str()
            .unwrap()
            .contains("budget of money"),
        "{summary}"
    );
    assert!(server.requests().is_empty());
    assert!(
        place
            .events()
            .iter()
            .any(|f| matches!(f.event, Event::MindWithheld { .. }))
    );
}

#[test]
fn a_missing_configuration_is_reported_with_what_to_do() {
    let place = Place::new("");
    for (args, word) in [
        (
            &["run", TASK, "--headless", "--mind", "llm"][..],
            "[llm.servers]",
        ),
        (&["doctor"], "[llm.servers]"),
        (
            &[
                "run",
                TASK,
                "--headless",
                "--mind",
                "recorded:none.cassette",
            ],
            "none.cassette",
        ),
    ] {
        let output = place.run(args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains(word), "{said}");
    }
    assert!(
        !place.path("pithead.db").exists(),
        "a refused command made a database"
    );
}
