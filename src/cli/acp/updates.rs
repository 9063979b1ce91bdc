//! Updates: the events of a run as an editor shows them: plan, attempts as tool calls, messages.
//!
//! A fold of the same events as the console's. Invariant: text of minds and worlds is cleaned before it leaves.

use crate::headless::headline;
use pithead_console::screens::live::pages::decision::decision_lines;
use pithead_console::screens::live::panes::monitor::order_words;
use pithead_console::view::View;
use pithead_console::view::inbox::Open;
use pithead_console::view::plan::{NodeState, NodeView};
use pithead_core::domain::experience::Experience;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_core::text::clean::{clean_line, clean_lines};
use pithead_core::text::numbers::count_with_noun;
use pithead_world::ids::{AttemptId, DecisionId, RunId};
use serde_json::{Value, json};

/// Columns of a question in full; an editor wraps what is longer.
const WIDTH: usize = 100;

/// One run as it is told to an editor.
#[derive(Debug)]
pub(super) struct Teller {
    run: RunId,
    pub(super) view: View,
    /// As it was told last.
    plan: Value,
    /// The attempt that has begun and not ended.
    attempt: Option<AttemptId>,
    /// Questions of which the editor was told.
    told: Vec<DecisionId>,
}

impl Teller {
    pub(super) fn new(run: RunId) -> Self {
        Self {
            run,
            view: View::default(),
            plan: json!([]),
            attempt: None,
            told: Vec::new(),
        }
    }

    pub(super) fn run(&self) -> RunId {
        self.run
    }

    /// What an event comes to.
    pub(super) fn take(&mut self, fact: &Recorded) -> Vec<Value> {
        self.view.apply(fact);
        if matches!(fact.event, Event::FrameSeen { .. }) {
            return Vec::new();
        }
        let mut out = self.told_of(fact);
        let plan = entries(&self.view);
        if plan != self.plan {
            out.push(json!({"sessionUpdate": "plan", "entries": plan}));
            self.plan = plan;
        }
        out
    }

    fn told_of(&mut self, fact: &Recorded) -> Vec<Value> {
        match &fact.event {
            Event::AttemptStarted { attempt, subgoal } => {
                self.attempt = Some(*attempt);
                let node = self.view.plan.node(*subgoal);
                let step = node.map_or_else(|| subgoal.to_string(), |node| node.label.clone());
                vec![json!({
                    "sessionUpdate": "tool_call",
                    "toolCallId": self.call(*attempt),
                    "title": clean_line(&step),
                    "kind": "execute",
                    "status": "in_progress",
                    "rawInput": {"run": self.run.0, "step": subgoal.to_string(), "attempt": attempt.0},
                })]
            }
            Event::ActionIssued { attempt, order, .. } => {
                let words = format!("now: {}", order_words(order));
                vec![changed(&self.call(*attempt), "in_progress", &words)]
            }
            Event::AttemptEnded {
                attempt,
                experience,
            } => {
                self.attempt = None;
                let succeeded = experience.diagnosis.success;
                let status = if succeeded { "completed" } else { "failed" };
                vec![changed(&self.call(*attempt), status, &verdict(experience))]
            }
            Event::DecisionMade {
                decision,
                verdict,
                by,
            } if self.told.contains(decision) => {
                let words = format!("{verdict} by {by}");
                vec![changed(&self.question(*decision), "completed", &words)]
            }
            Event::ReplanStarted { because, .. } => {
                vec![thought(&format!("planning again: {because}"))]
            }
            Event::LessonLearnt { lesson } => {
                vec![thought(&format!("cause: {}", lesson.root_cause))]
            }
            Event::KnowledgeProposed { .. } => headline(fact)
                .map(|text| thought(&text))
                .into_iter()
                .collect(),
            Event::CommandRefused {
                command, because, ..
            } => vec![message(&format!("`{command}` was refused: {because}"))],
            Event::RunEnded { because, .. } => self.ended(because),
            // The plan and the calls show these already.
            Event::PlanAdopted { .. }
            | Event::SubgoalSelected { .. }
            | Event::DecisionAsked { .. } => Vec::new(),
            _ => headline(fact)
                .map(|text| message(&text))
                .into_iter()
                .collect(),
        }
    }

    /// An attempt that the end cut short is closed, and the run told in a sentence.
    fn ended(&mut self, because: &str) -> Vec<Value> {
        let cut = self.attempt.take().map(|attempt| {
            let words = "the run ended before the attempt did";
            changed(&self.call(attempt), "failed", words)
        });
        let counts = &self.view.counts;
        let words = format!(
            "run {} ended: {because} ({}, {} of {} failed)",
            self.run,
            count_with_noun(self.view.tick, "tick", "ticks"),
            counts.failed,
            count_with_noun(counts.attempts, "attempt", "attempts")
        );
        cut.into_iter().chain([message(&words)]).collect()
    }

    /// Questions that are open and of which the editor was not told yet.
    pub(super) fn new_questions(&mut self) -> Vec<DecisionId> {
        let open = self.view.inbox.open.iter().map(|open| open.question.id);
        let new: Vec<DecisionId> = open.filter(|id| !self.told.contains(id)).collect();
        self.told.extend(&new);
        new
    }

    /// The call that stands for a question: its title, and all that the operator has to read before the answer.
    pub(super) fn question_call(&self, open: &Open) -> Value {
        let lines = decision_lines(open, &self.view, WIDTH);
        let text: String = lines.iter().map(|line| line.plain() + "\n").collect();
        json!({
            "toolCallId": self.question(open.question.id),
            "title": clean_line(&open.title()),
            "kind": "think",
            "status": "pending",
            "content": content(&text),
        })
    }

    fn call(&self, attempt: AttemptId) -> String {
        format!("run{}-{attempt}", self.run)
    }

    fn question(&self, decision: DecisionId) -> String {
        format!("run{}-{decision}", self.run)
    }
}

/// What came of an attempt, with its label.
fn verdict(experience: &Experience) -> String {
    let diagnosis = &experience.diagnosis;
    match (experience.no_failure(), diagnosis.reason) {
        (Some(ended), _) => format!("{ended}: {}", diagnosis.summary),
        (None, Some(reason)) => format!("{}: {}", reason.name(), diagnosis.summary),
        (None, None) => diagnosis.summary.clone(),
    }
}

/// The plan in force, without what a replan left out.
fn entries(view: &View) -> Value {
    let wanted = |node: &&NodeView| !node.state.is_gone();
    view.plan.nodes.iter().filter(wanted).map(entry).collect()
}

fn entry(node: &NodeView) -> Value {
    let status = match node.state {
        NodeState::Waiting
        | NodeState::Replaced
        | NodeState::CutShort
        | NodeState::NotDone
        | NodeState::CalledOff => "pending",
        // The protocol has no word for a step that failed and is tried again.
        NodeState::Selected | NodeState::Running | NodeState::Failed => "in_progress",
        NodeState::Done => "completed",
    };
    let failed = match node.failures.last() {
        Some(reason) if node.state != NodeState::Done => {
            format!(" · failed {}×, {}", node.failures.len(), reason.name())
        }
        _ => String::new(),
    };
    let content = clean_line(&format!("{}{failed}", node.label));
    json!({"content": content, "priority": "medium", "status": status})
}

fn content(text: &str) -> Value {
    json!([{"type": "content", "content": {"type": "text", "text": clean_lines(text)}}])
}

fn changed(call: &str, status: &str, text: &str) -> Value {
    json!({
        "sessionUpdate": "tool_call_update",
        "toolCallId": call,
        "status": status,
        "content": content(text),
    })
}

/// Something said to the user.
pub(super) fn message(text: &str) -> Value {
    chunk("agent_message_chunk", text)
}

fn thought(text: &str) -> Value {
    chunk("agent_thought_chunk", text)
}

/// What the user has said, when a session is told again.
pub(super) fn said(text: &str) -> Value {
    chunk("user_message_chunk", text)
}

/// Chunks follow each other without a gap: each ends its own paragraph.
fn chunk(kind: &str, text: &str) -> Value {
    let text = format!("{}\n\n", clean_lines(text).trim_end());
    json!({"sessionUpdate": kind, "content": {"type": "text", "text": text}})
}
