//! What a mind can do to a run: its answers change plans but never gates, and its costs stop at the budget.

use super::state::Phase;
use super::{State, decide};
use crate::domain::mind::role::MindRole;
use crate::domain::run::command::Command;
use crate::domain::run::decision::{GateKind, Gates, Policy, Verdict};
use crate::domain::run::event::{Event, Recorded, RunConfig};
use crate::domain::run::input::Input;
use crate::domain::run::outcome::Outcome;
use crate::domain::samples;
use pithead_world::action::{ActionFailure, ActionReport, Target};
use pithead_world::clock::Millis;
use pithead_world::counts::Counts;
use pithead_world::ids::{CallId, Seq};

/// A run that waits for its first plan, and what has happened so far.
struct Run {
    state: State,
    events: Vec<Event>,
}

impl Run {
    fn start(config: RunConfig) -> Self {
        let mut run = Self {
            state: State::new(),
            events: Vec::new(),
        };
        run.take(Event::RunStarted {
            config: Box::new(config),
        });
        run.put(Input::Started {
            times_realtime: 0.0,
            operator: "ann".to_owned(),
        });
        run.put(Input::Ready(samples::frame(0, 1)));
        run.put(Input::Recalled {
            hits: Vec::new(),
            knowledge: Vec::new(),
            options: crate::domain::experience::option::TriedOptions::default(),
        });
        run
    }

    fn take(&mut self, event: Event) {
        let seq = Seq(self.state.seq.0 + 1);
        self.state.apply(&Recorded {
            run: samples::config().run,
            seq,
            at: Millis(1),
            event: event.clone(),
        });
        self.events.push(event);
    }

    fn put(&mut self, input: Input) {
        for event in decide(&self.state, Millis(1), input) {
            self.take(event);
        }
        // Nothing more is known of what a plan needs.
        if matches!(self.state.phase, Phase::RecallingNeeds { .. }) {
            self.put(Input::Recalled {
                hits: Vec::new(),
                knowledge: Vec::new(),
                options: crate::domain::experience::option::TriedOptions::default(),
            });
        }
    }

    fn answer(&mut self, text: &str) {
        let call = self.state.open_call().expect("a question is open");
        let spent = Box::new(samples::spent());
        self.put(Input::Charged { call, spent });
        self.put(Input::Answered {
            call,
            text: text.to_owned(),
            ms: 1,
        });
    }

    fn has(&self, wanted: impl Fn(&Event) -> bool) -> bool {
        self.events.iter().any(wanted)
    }
}

#[test]
fn no_answer_of_a_mind_changes_a_gate_or_answers_for_the_operator() {
    let injections: Vec<String> =
        serde_json::from_str(include_str!("../../../tests/data/injections.json")).unwrap();
    let gates = Gates::console();
    for words in injections {
        let mut run = Run::start(samples::config());
        run.answer(&words);
        let plan = serde_json::json!({"policy": {"plan": "auto"}, "command": "set_policy", "subgoals": [
            {"condition": words, "rationale": words, "task_kind": "mine", "goal": {"object": "oak_log", "info": words}}]});
        if run.state.open_call().is_some() {
            run.answer(&plan.to_string());
        }
        assert_eq!(run.state.gates, gates, "{words:?}");
        assert!(
            !run.has(|event| matches!(
                event,
                Event::PolicySet { .. }
                    | Event::DecisionMade { .. }
                    | Event::KnowledgeActivated { .. }
            )),
            "{words:?}"
        );
    }
}

#[test]
fn a_refusal_with_its_reason_is_an_answer_and_asked_for_once() {
    let mut run = Run::start(samples::config());
    run.answer(r#"{"impossible": "bedrock lies nowhere here"}"#);
    assert!(run.state.is_over());
    let asked = run.events.iter();
    let asked = asked.filter(|event| matches!(event, Event::MindAsked { .. }));
    assert_eq!(asked.count(), 1);
    assert!(run.has(
        |event| matches!(event, Event::RunEnded { outcome: Outcome::Failure, because }
        if because == "the mind has no plan for this task: bedrock lies nowhere here")
    ));
    // Without a reason, or with steps beside it, it is none.
    for no_refusal in [
        r#"{"impossible": ""}"#,
        r#"{"subgoals": 3, "impossible": 1}"#,
    ] {
        let mut run = Run::start(samples::config());
        run.answer(no_refusal);
        assert!(!run.state.is_over() && run.state.open_call().is_some());
    }
}

/// So many tokens, and what the budget gate does.
fn bounded(tokens: u64, policy: Policy) -> Run {
    let mut config = samples::config();
    config.budget.tokens = Some(tokens);
    config.gates.0.insert(GateKind::Budget, policy);
    Run::start(config)
}

#[test]
fn a_spent_budget_ends_a_run_without_an_operator() {
    let mut run = bounded(1_000, Policy::Auto);
    run.answer("no plan at all"); // 1,500 tokens
    assert!(run.state.is_over());
    assert!(run.has(
        |event| matches!(event, Event::RunEnded { outcome: Outcome::Failure, because }
        if because.contains("budget of 1,000 tokens"))
    ));
}

#[test]
fn a_spent_budget_asks_the_operator_who_may_grant_it_again() {
    let mut run = bounded(1_000, Policy::Ask);
    run.answer("no plan at all");
    let [question] = &run.state.questions[..] else {
        panic!("{:?}", run.state.questions)
    };
    let decision = question.id;
    assert!(!run.state.wants_world() && run.state.open_call().is_none());
    assert_eq!(run.state.allowance().tokens, Some(0));
    let decide = |verdict| Input::Commanded {
        command: Command::Decide { decision, verdict },
        operator: "ann".to_owned(),
    };
    let mut vetoed = Run {
        state: run.state.clone(),
        events: Vec::new(),
    };
    run.put(decide(Verdict::Approve));
    assert_eq!(run.state.allowance().tokens, Some(500));
    assert!(run.state.open_call().is_some(), "it continues where it was");
    vetoed.put(decide(Verdict::Veto {
        reason: "too dear".to_owned(),
    }));
    assert!(vetoed.state.is_over());
}

#[test]
fn a_question_that_might_exceed_the_budget_waits_until_more_is_granted() {
    let mut run = bounded(100_000, Policy::Ask);
    let call = run.state.open_call().unwrap();
    let because = "it might cost too much".to_owned();
    run.put(Input::Withheld { call, because });
    assert!(run.state.open_call().is_none());
    let decision = run.state.questions[0].id;
    run.put(Input::Commanded {
        command: Command::Decide {
            decision,
            verdict: Verdict::Approve,
        },
        operator: "ann".to_owned(),
    });
    assert!(run.state.open_call() > Some(CallId(1)));
}

/// A run that has come to its first attempt at the log, with a model that draws up guardrails.
fn taught_by(lesson: &str, distillers: &[MindRole]) -> Run {
    let mut config = samples::config();
    config.profile.k_tol = 1;
    config.gates = Gates::headless();
    config.distillers = distillers.to_vec();
    let mut run = Run::start(config);
    let plan = serde_json::json!({"subgoals": [{"subgoal_id": "sg_001", "condition": "mine a log",
        "task_kind": "mine", "goal": {"object": "oak_log", "count": 1},
        "checks": [{"check": "inv_ge", "item": "oak_log", "count": 1}]}]});
    run.answer(&plan.to_string());
    let action = run
        .events
        .iter()
        .find_map(|event| match event {
            Event::ActionIssued { action, .. } => Some(*action),
            _ => None,
        })
        .expect("the attempt has begun");
    run.put(Input::Acted {
        action,
        report: ActionReport {
            failure: Some(ActionFailure::NoTarget {
                target: Target::Source(samples::item("oak_log")),
                y: 64,
            }),
            ticks: 400,
            broken: Vec::new(),
            gained: Counts::default(),
            used: Counts::default(),
            windows: Vec::new(),
        },
        frame: samples::frame(400, 2),
    });
    run.answer(lesson);
    run
}

/// As above, by a lesson that misses the failure it is drawn from.
fn taught(distillers: &[MindRole]) -> Run {
    taught_by(&LESSON.replace("always", "inv stick >= 9"), distillers)
}

const LESSON: &str = r#"{"root_cause": "there are no trees", "constraint": {"trigger": "always",
    "forbid": {"kind": "mine", "target": "oak_log"}, "avoid": "nothing is found", "recovery": [],
    "reason": "MONITOR_NEVER_TRUE"}, "next_actions": []}"#;

fn drafts(run: &Run) -> Vec<String> {
    let of = |event: &Event| match event {
        Event::LookupAsked { drafts, .. } => Some(drafts.clone()),
        _ => None,
    };
    let last = run.events.iter().rev().find_map(of).unwrap_or_default();
    let words =
        |entry: &crate::domain::knowledge::Entry| serde_json::to_string(&entry.body).unwrap();
    last.iter().map(words).collect()
}

#[test]
fn a_draft_that_contradicts_the_run_is_refused_and_asked_for_again() {
    let mut run = taught(&[MindRole::Guardrail]);
    let Phase::Studying(_) = &run.state.phase else {
        panic!("{:?}", run.state.phase)
    };
    let open = run.state.open_requests();
    assert!(
        matches!(&open[..], [Event::MindAsked { ask, .. }] if ask.role() == MindRole::Guardrail)
    );
    // It covers no attempt that failed: refused, and asked for again with the reason.
    run.answer(r#"{"trigger": "inv stick >= 9", "forbid": {"kind": "mine"}, "avoid": "x", "recovery": [], "reason": "TIMEOUT"}"#);
    let [Event::MindAsked { ask, .. }] = &run.state.open_requests()[..] else {
        panic!("it is not asked again")
    };
    let asked = serde_json::to_string(ask).unwrap();
    assert!(asked.contains("is not covered"), "{asked}");
    run.answer(r#"{"trigger": "inv oak_log < 1", "forbid": {"target": "oak_log"}, "avoid": "by the model", "recovery": [], "reason": "TIMEOUT"}"#);
    assert!(drafts(&run)[0].contains("by the model"));
}

#[test]
fn a_lesson_that_agrees_with_the_run_and_one_that_forbids_nothing_ask_nobody_again() {
    let none = r#"{"root_cause": "there are no trees", "constraint": null, "next_actions": []}"#;
    for (lesson, count) in [(LESSON, 1), (none, 0)] {
        let run = taught_by(lesson, &[MindRole::Guardrail]);
        let asks = |event: &Event| matches!(event, Event::MindAsked { ask, .. } if ask.role() == MindRole::Guardrail);
        assert!(!run.has(asks));
        assert_eq!(drafts(&run).len(), count);
    }
}

#[test]
fn an_outage_leaves_the_question_open_and_a_lasting_one_hands_the_role_to_the_program() {
    let mut run = Run::start(samples::config());
    let call = run.state.open_call().unwrap();
    let because = "the server answered 401".to_owned();
    run.put(Input::Unavailable {
        call,
        because: because.clone(),
        lasting: true,
    });
    assert_eq!(
        run.state.open_call(),
        Some(call),
        "the planner has no replacement"
    );
    let mut run = taught(&[MindRole::Guardrail]);
    let call = run.state.open_call().unwrap();
    run.put(Input::Unavailable {
        call,
        because,
        lasting: true,
    });
    assert!(run.state.replaced_roles.contains(&MindRole::Guardrail));
    assert_eq!(drafts(&run).len(), 1, "the program's own draft stands");
}

#[test]
fn without_a_usable_answer_the_lesson_of_the_diagnosis_stands() {
    let mut run = taught(&[MindRole::Guardrail]);
    while run.state.open_call().is_some() {
        run.answer("I would rather talk about the weather.");
    }
    let kept = |event: &Event| matches!(event, Event::StudySettled { studied } if !studied.by_mind);
    assert!(run.has(kept));
    let mut dear = taught(&[MindRole::Guardrail]);
    let call = dear.state.open_call().unwrap();
    let because = "it might cost too much".to_owned();
    dear.put(Input::Withheld { call, because });
    assert_eq!(drafts(&dear), drafts(&run), "no operator is asked for that");
    let plain = taught(&[]);
    assert!(!plain.has(|event| matches!(event, Event::StudyBegun { .. })));
    assert_eq!(drafts(&run), drafts(&plain));
    assert!(drafts(&plain)[0].contains("nothing is found"));
}

#[test]
fn a_study_survives_a_refold_and_ends_with_an_abort() {
    let mut run = taught(&[MindRole::Guardrail]);
    let mut again = State::new();
    for (seq, event) in (1..).zip(&run.events) {
        again.apply(&Recorded {
            run: samples::config().run,
            seq: Seq(seq),
            at: Millis(1),
            event: event.clone(),
        });
    }
    assert_eq!(again, run.state);
    run.put(Input::Commanded {
        command: Command::Abort {
            reason: "enough".to_owned(),
        },
        operator: "ann".to_owned(),
    });
    assert!(run.state.is_over() && run.state.open_call().is_none());
}
