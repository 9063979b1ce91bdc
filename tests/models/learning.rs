//! What a run learns with a language model as its mind: drafts, the program's own drafts, rules and reflections.

use crate::models::place::{Place, RUN, config, model, reply_to_open_question};
use crate::models::server::Server;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::run::event::{Event, Recorded};

fn settled(events: &[Recorded], by_mind: bool) -> Vec<&'static str> {
    let of = |fact: &Recorded| match &fact.event {
        Event::StudySettled { studied } if studied.by_mind == by_mind => {
            Some(studied.topic.role().name())
        }
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

#[test]
fn what_a_model_finds_is_knowledge_and_only_what_is_in_doubt_is_asked_about() {
    let place = Place::new("");
    let server = model(place.path("pithead.db"));
    std::fs::write(place.path("config.toml"), config(&server.base_url, "")).unwrap();
    // A body that says why it failed leaves nothing to ask.
    let silent = ["--mind", "llm", "--reports", "none"];
    place.run(&[&RUN[..], &silent].concat());
    let events = place.events();
    let drafted = settled(&events, true);
    // What the diagnosis proposes agrees with the record, and the program's own skill plays through.
    assert!(!drafted.contains(&"guardrail"), "{drafted:?}");
    assert!(!drafted.contains(&"skill"), "{drafted:?}");
    let put = events.iter().any(|fact| match &fact.event {
        Event::KnowledgeProposed { entry } => {
            let body = serde_json::to_string(&entry.body).unwrap();
            body.contains("as the model puts it")
        }
        _ => false,
    });
    assert!(put, "the model's words are in no entry");
}

#[test]
fn a_cause_that_the_body_names_is_asked_of_no_model() {
    let place = Place::new("");
    let database = place.path("pithead.db");
    let server = Server::start(move |_, _| reply_to_open_question(&database));
    std::fs::write(place.path("config.toml"), config(&server.base_url, "")).unwrap();
    place.run(&[&RUN[..], &["--mind", "llm"]].concat());
    let events = place.events();
    let of_role = |wanted: MindRole| {
        let asked = events.iter().filter(|fact| match &fact.event {
            Event::MindAsked { ask, .. } => ask.role() == wanted,
            _ => false,
        });
        asked.count()
    };
    let told = events.iter().filter_map(|fact| match &fact.event {
        Event::LessonLearnt { lesson } => Some(lesson.root_cause.as_str()),
        _ => None,
    });
    let told = told.filter(|cause| cause.contains(" needs ")).count();
    assert!(told > 0, "nothing was lacking in this run");
    let lessons = events
        .iter()
        .filter(|fact| matches!(fact.event, Event::LessonLearnt { .. }));
    assert_eq!(lessons.count(), told + of_role(MindRole::Diagnosis));
}

#[test]
fn rules_are_derived_from_a_failure_at_the_end_of_a_run() {
    let place = Place::new("");
    let server = model(place.path("pithead.db"));
    std::fs::write(place.path("config.toml"), config(&server.base_url, "")).unwrap();
    let run = [&RUN[..], &["--system", "metagent-p"]].concat();
    // A novice may fail; this test is about what is learned from that.
    place.run(&[&run[..], &["--mind", "llm"]].concat());
    let events = place.events();
    assert!(
        events
            .iter()
            .any(|f| matches!(f.event, Event::PlanReflected { .. }))
    );
    assert!(
        !events
            .iter()
            .any(|f| matches!(f.event, Event::LessonLearnt { .. }))
    );
    let drafted = settled(&events, true);
    assert!(
        drafted.contains(&"rule_generator") && drafted.contains(&"rule_scorer"),
        "{drafted:?}"
    );
    let rules = events.iter().filter_map(|fact| match &fact.event {
        Event::KnowledgeProposed { entry } if entry.body.kind() == "rule" => Some(&entry.title),
        _ => None,
    });
    let rules: Vec<&String> = rules.collect();
    assert!(
        rules.iter().any(|title| title.contains("stick")),
        "{rules:?}"
    );
    // Every success refutes that rule.
    assert!(
        !rules.iter().any(|title| title.contains("diamond")),
        "{rules:?}"
    );
    let cassette = place.path("run.cassette.gz");
    let file = cassette.to_str().unwrap();
    place.good(&["cassette", "export", "1", "--out", file]);
    // Learned knowledge would make it a different run.
    std::fs::remove_file(place.path("pithead.db")).unwrap();
    let asked = server.requests().len();
    let recorded = format!("recorded:{file}");
    place.run(&[&run[..], &["--mind", &recorded]].concat());
    assert_eq!(server.requests().len(), asked, "a recording asks no one");
    assert_eq!(settled(&place.events(), true), drafted);
}
