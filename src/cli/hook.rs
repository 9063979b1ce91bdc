//! The hook: the operator's own command, run by a driver process when something waits or the run is over; and the
//! second operator, to whom it assigns what waits for too long.
//!
//! Invariant: what a run says reaches the command as values of its environment, cleaned, and never as a word
//! of its command line; a command that fails or hangs does not hold the run up.

use pithead_console::view::status::outcome_word;
use pithead_core::domain::run::decision::{Question, Subject};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_core::domain::run::triage::{TriageAct, TriageSubject};
use pithead_core::text::clean::clean_line;
use pithead_engine::config::notices::NoticeSettings;
use pithead_engine::runtime::operator::Operator;
use pithead_engine::runtime::operator::triage::triage;
use pithead_world::clock::Millis;
use pithead_world::ids::{DecisionId, RunId};
use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};

/// Commands under way at one time; more are not started.
const RUNNING_MAX: usize = 4;

/// What waits in one run, and the commands under way.
#[derive(Debug)]
pub(super) struct Hook {
    settings: NoticeSettings,
    run: RunId,
    task: String,
    /// Questions for which the command was not run yet, with when it is due.
    due: BTreeMap<DecisionId, (Millis, String)>,
    /// Questions that were not assigned to the second operator yet, with when that is due.
    unassigned: BTreeMap<DecisionId, (Millis, TriageSubject, String)>,
    /// In whose name they are assigned; none where the database has no file.
    operator: Option<Operator>,
    running: Vec<Child>,
}

impl Hook {
    /// What has happened before this moment is known to whoever started the run.
    pub(super) fn new(settings: NoticeSettings, run: RunId, operator: Option<Operator>) -> Self {
        Self {
            settings,
            run,
            unassigned: BTreeMap::new(),
            operator,
            task: String::new(),
            due: BTreeMap::new(),
            running: Vec::new(),
        }
    }

    /// Takes in what has happened; runs the command for what has become due.
    pub(super) fn take(&mut self, events: &[Recorded], now: Millis) {
        for fact in events {
            self.note(&fact.event, fact.at);
        }
        self.running
            .retain_mut(|child| !matches!(child.try_wait(), Ok(Some(_)) | Err(_)));
        let is_due = |(at, _): &(Millis, String)| *at <= now;
        let over: Vec<DecisionId> = self
            .due
            .iter()
            .filter(|(_, of)| is_due(of))
            .map(|(id, _)| *id)
            .collect();
        for id in over {
            if let Some((_, what)) = self.due.remove(&id) {
                self.start("waiting", &what);
            }
        }
        self.escalate(now);
    }

    /// Assigns what has waited for too long, and says so to the command.
    fn escalate(&mut self, now: Millis) {
        let due = self.unassigned.iter().filter(|(_, (at, ..))| *at <= now);
        let due: Vec<DecisionId> = due.map(|(id, _)| *id).collect();
        for id in due {
            let Some((_, subject, what)) = self.unassigned.remove(&id) else {
                continue;
            };
            let to = self.settings.escalate_to.clone();
            let seconds = self.settings.escalate_after_s;
            let acts = [
                TriageAct::Comment(format!(
                    "waited {seconds} s for an answer; assigned to {to}"
                )),
                TriageAct::Assign(Some(to.clone())),
            ];
            for act in acts {
                let done = self.operator.as_ref().map(|by| triage(by, subject, act));
                if let Some(Err(error)) = done {
                    tracing::warn!(%error, %to, "a question could not be assigned");
                }
            }
            self.start("escalated", &format!("{to}: {what}"));
        }
    }

    fn note(&mut self, event: &Event, at: Millis) {
        match event {
            Event::RunStarted { config } => self.task = clean_line(&config.task.text),
            Event::DecisionAsked { question } => {
                let due = at.plus(self.settings.after_s * 1000);
                self.due.insert(question.id, (due, words(question)));
                if !self.settings.escalate_to.trim().is_empty() {
                    let due = at.plus(self.settings.escalate_after_s * 1000);
                    let row = (due, subject(self.run, question), words(question));
                    self.unassigned.insert(question.id, row);
                }
            }
            Event::DecisionMade { decision, .. } => {
                self.due.remove(decision);
                self.unassigned.remove(decision);
            }
            Event::RunEnded { outcome, because } => {
                let what = format!("{}: {}", outcome_word(*outcome), clean_line(because));
                self.start("over", &what);
            }
            _ => (), // nothing else waits for a person
        }
    }

    fn start(&mut self, event: &str, what: &str) {
        let [program, words @ ..] = &self.settings.command[..] else {
            return;
        };
        if self.running.len() >= RUNNING_MAX {
            tracing::warn!(
                program,
                "the notice command is still running; it is not started again"
            );
            return;
        }
        let started = Command::new(program)
            .args(words)
            .env("PITHEAD_NOTICE", event)
            .env("PITHEAD_NOTICE_RUN", self.run.to_string())
            .env("PITHEAD_NOTICE_TASK", &self.task)
            .env("PITHEAD_NOTICE_TEXT", what)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        match started {
            Ok(child) => self.running.push(child),
            Err(error) => {
                tracing::warn!(program, %error, "the notice command could not be started");
            }
        }
    }
}

/// What stands in the inbox for it: a question about an entry is listed as the entry.
fn subject(run: RunId, question: &Question) -> TriageSubject {
    match &question.subject {
        Subject::Knowledge(id) => TriageSubject::Entry(*id),
        Subject::Plan(_) | Subject::Risk { .. } | Subject::End { .. } | Subject::Budget { .. } => {
            let decision = question.id;
            TriageSubject::Question { run, decision }
        }
    }
}

/// What a question is about, in a few words.
fn words(question: &Question) -> String {
    let about = match &question.subject {
        Subject::Plan(revision) => revision.to_string(),
        Subject::Knowledge(id) => id.to_string(),
        Subject::Risk { risk, .. } => clean_line(risk),
        Subject::End { because, .. } | Subject::Budget { because } => clean_line(because),
    };
    format!("{} {about}", question.kind.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::run::decision::{By, GateKind, Policy, Verdict};
    use pithead_core::domain::samples;
    use pithead_engine::journal::{Durability, Journal};
    use pithead_world::clock::Clock;
    use pithead_world::ids::{KnowledgeId, Seq};

    fn fact(at: u64, event: Event) -> Recorded {
        Recorded {
            run: RunId(3),
            seq: Seq(at),
            at: Millis(at),
            event,
        }
    }

    fn asked(id: u64) -> Event {
        Event::DecisionAsked {
            question: Question {
                id: DecisionId(id),
                kind: GateKind::Guardrail,
                subject: Subject::Knowledge(KnowledgeId {
                    run: RunId(3),
                    n: 1,
                }),
                policy: Policy::Ask,
                asked: Millis(0),
                deadline: None,
                held: None,
            },
        }
    }

    fn hook(after_s: u64, command: &[&str]) -> Hook {
        let settings = NoticeSettings {
            command: command.iter().map(|word| (*word).to_owned()).collect(),
            after_s,
            ..NoticeSettings::default()
        };
        Hook::new(settings, RunId(3), None)
    }

    #[test]
    fn what_waits_too_long_is_assigned_to_the_second_operator() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pithead.db");
        let mut journal = Journal::open(&path, Durability::Full).unwrap();
        let proposed = Event::KnowledgeProposed {
            entry: Box::new(samples::entry(0, 1, "stone")),
        };
        let made = journal.curate(Millis(1), |_| Ok(vec![proposed.clone()]));
        let id = KnowledgeId {
            run: RunId(0),
            n: 1,
        };
        made.unwrap().unwrap();
        let settings = NoticeSettings {
            escalate_to: "bea".to_owned(),
            escalate_after_s: 60,
            ..NoticeSettings::default()
        };
        let operator = Operator::new(path, "ada", Clock::System);
        let mut hook = Hook::new(settings, RunId(3), Some(operator));
        let ask = |id: u64, about: KnowledgeId| {
            let mut event = asked(id);
            if let Event::DecisionAsked { question } = &mut event {
                question.subject = Subject::Knowledge(about);
            }
            event
        };
        hook.take(&[fact(1_000, ask(1, id))], Millis(60_999));
        assert!(journal.triages().unwrap().is_empty(), "not due yet");
        hook.take(&[], Millis(61_000));
        let triages = journal.triages().unwrap();
        let triage = &triages[&TriageSubject::Entry(id)];
        assert_eq!(triage.assigned.as_deref(), Some("bea"));
        assert!(triage.comments[0].text.contains("waited 60 s"));
        // What was answered in time is assigned to nobody, and nothing is assigned twice.
        hook.take(&[fact(70_000, ask(2, id))], Millis(70_000));
        let made = Event::DecisionMade {
            decision: DecisionId(2),
            verdict: Verdict::Approve,
            by: By::Operator("ada".to_owned()),
        };
        hook.take(&[fact(71_000, made)], Millis(900_000));
        let comments = journal.triages().unwrap()[&TriageSubject::Entry(id)]
            .comments
            .len();
        assert_eq!(comments, 1);
    }

    #[test]
    fn a_question_that_was_answered_in_time_runs_no_command() {
        let mut hook = hook(60, &["/no/such/program"]);
        hook.take(
            &[fact(1_000, asked(1)), fact(2_000, asked(2))],
            Millis(2_000),
        );
        assert_eq!(hook.due.len(), 2);
        let made = Event::DecisionMade {
            decision: DecisionId(1),
            verdict: Verdict::Approve,
            by: By::Operator("ada".to_owned()),
        };
        hook.take(&[fact(3_000, made)], Millis(61_999));
        assert_eq!(hook.due.len(), 1, "the other is not due yet");
        hook.take(&[], Millis(62_000));
        assert!(hook.due.is_empty() && hook.running.is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn the_command_gets_what_waits_in_its_environment() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let script = format!(
            "printf '%s %s' \"$PITHEAD_NOTICE\" \"$PITHEAD_NOTICE_TEXT\" > {}",
            out.display()
        );
        let mut hook = hook(0, &["sh", "-c", &script]);
        hook.take(&[fact(1, asked(1))], Millis(1));
        let mut child = hook.running.pop().unwrap();
        assert!(child.wait().unwrap().success());
        assert_eq!(
            std::fs::read_to_string(out).unwrap(),
            "waiting guardrail k3.1"
        );
    }
}
