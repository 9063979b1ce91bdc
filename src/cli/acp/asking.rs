//! Asking: the gates of a run as questions of the editor, and what becomes of its answers.
//!
//! Invariant: an answer that is not understood decides nothing; the question waits in the inbox as before.

use super::server::Server;
use super::session::Turn;
use super::updates::message;
use crate::cli::rpc::request_line;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::{GateKind, Policy, Verdict};
use pithead_engine::runtime::operator::OperatorError;
use pithead_engine::runtime::operator::answer::answer_question;
use pithead_engine::runtime::operator::tell::send_command;
use pithead_world::ids::{DecisionId, RunId};
use serde_json::{Value, json};

/// The answer that also opens the gate for the rest of the run.
const ALWAYS: &str = "approve_all";
/// What the editor can answer to a question.
const OPTIONS: [(&str, &str, &str); 3] = [
    ("approve", "Approve", "allow_once"),
    (
        ALWAYS,
        "Approve all of this kind in this run",
        "allow_always",
    ),
    ("veto", "Veto", "reject_once"),
];

/// A question that the editor was asked.
#[derive(Debug)]
pub(super) struct Asked {
    session: String,
    run: RunId,
    decision: DecisionId,
    kind: GateKind,
}

impl Server {
    /// Asks the editor a question of the run that its session follows.
    pub(super) fn ask(&mut self, session: &str, decision: DecisionId) {
        let Some(Turn::Following { run, .. }) = self.sessions.get(session) else {
            return;
        };
        let Some(open) = run.teller.view.inbox.get(decision) else {
            return;
        };
        let (run, kind, call) = (
            run.teller.run(),
            open.question.kind,
            run.teller.question_call(open),
        );
        let mut told = call.clone();
        told["sessionUpdate"] = json!("tool_call");
        self.update(session, &told);
        let option = |(id, name, kind)| json!({"optionId": id, "name": name, "kind": kind});
        // Without being asked nobody grants money: `auto` at that gate ends the run.
        let offered = |(id, ..): &(&str, &str, &str)| kind != GateKind::Budget || *id != ALWAYS;
        let options: Vec<Value> = OPTIONS.into_iter().filter(offered).map(option).collect();
        let params = json!({"sessionId": session, "toolCall": call, "options": options});
        self.requests += 1;
        self.out.push(request_line(
            self.requests,
            "session/request_permission",
            &params,
        ));
        let asked = Asked {
            session: session.to_owned(),
            run,
            decision,
            kind,
        };
        self.asked.insert(self.requests, asked);
    }

    /// The editor's answer to a question. What is no answer leaves it open: it waits in the inbox.
    pub(super) fn answered(&mut self, id: &Value, result: Result<Value, Value>) {
        let Some(asked) = id.as_u64().and_then(|id| self.asked.remove(&id)) else {
            return;
        };
        let chosen = result.ok().and_then(|result| {
            let outcome = result.get("outcome")?;
            (outcome.get("outcome")? == "selected").then_some(())?;
            outcome.get("optionId")?.as_str().map(str::to_owned)
        });
        let done = match chosen.as_deref() {
            Some("approve") => self.decide(&asked, Verdict::Approve),
            Some(ALWAYS) => self.decide(&asked, Verdict::Approve).and_then(|()| {
                let (kind, policy) = (asked.kind, Policy::Auto);
                send_command(
                    &self.operator,
                    asked.run,
                    &Command::SetPolicy { kind, policy },
                )
                .map(|_| ())
            }),
            Some("veto") => self.decide(
                &asked,
                Verdict::Veto {
                    reason: "vetoed in the editor, which takes no reason".to_owned(),
                },
            ),
            Some(_) | None => {
                let words = format!(
                    "{} of run {} was not answered and still waits; `pithead inbox {} {}{}` shows it",
                    asked.decision, asked.run, asked.run, asked.decision, self.named
                );
                return self.update(&asked.session, &message(&words));
            }
        };
        if let Err(error) = done {
            let words = format!("{} of run {}: {error}", asked.decision, asked.run);
            self.update(&asked.session, &message(&words));
        }
    }

    fn decide(&self, asked: &Asked, verdict: Verdict) -> Result<(), OperatorError> {
        answer_question(&self.operator, asked.run, asked.decision, verdict).map(|_| ())
    }
}
