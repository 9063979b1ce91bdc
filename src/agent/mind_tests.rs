//! What a mind can and cannot do to a run: its answers change plans, never gates, and its costs stop
//! at the budget.

use super::{State, decide};
use crate::clock::Millis;
use crate::domain::command::Command;
use crate::domain::decision::{GateKind, Gates, Policy, Verdict};
use crate::domain::event::{Event, Outcome, Recorded, RunConfig};
use crate::domain::input::Input;
use crate::domain::samples;
use crate::ids::{CallId, Seq};

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
fn no_answer_of_a_mind_moves_a_gate_or_speaks_for_the_operator() {
    let injections: Vec<String> =
        serde_json::from_str(include_str!("../../tests/data/injections.json")).unwrap();
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

/// So many tokens, and what the budget gate does.
fn bounded(tokens: u64, policy: Policy) -> Run {
    let mut config = samples::config();
    config.budget.tokens = Some(tokens);
    config.gates.0.insert(GateKind::Budget, policy);
    Run::start(config)
}

#[test]
fn a_budget_that_is_spent_ends_a_run_that_nobody_watches() {
    let mut run = bounded(1_000, Policy::Auto);
    run.answer("no plan at all"); // 1,500 tokens
    assert!(run.state.is_over());
    assert!(run.has(
        |event| matches!(event, Event::RunEnded { outcome: Outcome::Failure, because }
        if because.contains("budget of 1000 tokens"))
    ));
}

#[test]
fn a_budget_that_is_spent_asks_the_operator_who_may_grant_it_again() {
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
    assert!(run.state.open_call().is_some(), "it goes on where it was");
    vetoed.put(decide(Verdict::Veto {
        reason: "too dear".to_owned(),
    }));
    assert!(vetoed.state.is_over());
}

#[test]
fn a_question_that_might_cross_the_budget_is_not_put_and_put_again_later() {
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
