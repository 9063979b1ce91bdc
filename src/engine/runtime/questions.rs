//! Questions to the mind, word for word: the prompt, what came of it, what it cost.
//!
//! A prompt is not stored; it is rendered again from the question, as the run's system renders it.

use crate::journal::{Journal, JournalError};
use crate::mind::llm::prompt::Prompts;
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::mind::spending::Spent;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_world::ids::{CallId, RunId, Seq};
use serde::Serialize;

/// The events that it is made of.
const KINDS: [&str; 8] = [
    "mind.asked",
    "mind.answered",
    "mind.failed",
    "mind.rejected",
    "mind.repaired",
    "mind.withheld",
    "mind.unavailable",
    "mind.charged",
];
/// Events that can come of one question.
const REPLIES_MAX: usize = 16;

/// One question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MindCall {
    pub seq: Seq,
    pub call: CallId,
    pub role: MindRole,
    pub system: String,
    pub user: String,
    /// In their order.
    pub replies: Vec<CallReply>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent: Option<Spent>,
}

/// An answer, a refusal or a repair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallReply {
    pub seq: Seq,
    /// What it is, for example `answered in 12 ms`.
    pub what: String,
    pub text: String,
}

impl MindCall {
    /// The question of an event; none if the event asks nothing.
    fn begun(fact: &Recorded, prompts: &Result<Prompts, String>) -> Option<Self> {
        let Event::MindAsked { call, ask } = &fact.event else {
            return None;
        };
        let (system, user) = rendered(ask, prompts)
            .unwrap_or_else(|because| (String::new(), format!("it cannot be shown: {because}")));
        Some(Self {
            seq: fact.seq,
            call: *call,
            role: ask.role(),
            system,
            user,
            replies: Vec::new(),
            spent: None,
        })
    }

    /// Takes in what came of it.
    fn apply(&mut self, fact: &Recorded) {
        if let Event::MindCharged { spent, .. } = &fact.event {
            self.spent = Some((**spent).clone());
        }
        if let Some((what, text)) = reply(&fact.event) {
            let seq = fact.seq;
            self.replies.push(CallReply { seq, what, text });
        }
    }
}

fn rendered(ask: &Ask, prompts: &Result<Prompts, String>) -> Result<(String, String), String> {
    let prompts = prompts.as_ref().map_err(Clone::clone)?;
    let prompt = prompts.of_ask(ask).map_err(|error| error.to_string())?;
    Ok((prompt.system, prompt.user))
}

fn reply(event: &Event) -> Option<(String, String)> {
    let (what, text) = match event {
        Event::MindAnswered { text, ms, .. } => {
            return Some((format!("answered in {ms} ms"), text.clone()));
        }
        Event::MindFailed { because, .. } => ("failed", because.clone()),
        Event::AnswerRejected { fault, .. } => ("could not be read", fault.clone()),
        Event::AnswerRepaired { repairs, .. } => ("read after repairs", repairs.join("\n")),
        Event::MindWithheld { because, .. } => ("not put", because.clone()),
        Event::MindUnavailable { because, .. } => ("no server could be asked", because.clone()),
        _ => return None, // what it cost is no reply
    };
    Some((what.to_owned(), text))
}

/// The question of an event of a run, with all that came of it; none if the event asks nothing.
pub fn question_at(
    journal: &Journal,
    run: RunId,
    seq: Seq,
) -> Result<Option<MindCall>, JournalError> {
    let before = Seq(seq.0.saturating_sub(1));
    let facts = journal.events_of_kinds(run, before, &KINDS, REPLIES_MAX + 1)?;
    let Some((first, later)) = facts.split_first() else {
        return Ok(None);
    };
    let prompts = prompts_of(journal, run)?;
    let Some(mut call) = MindCall::begun(first, &prompts).filter(|call| call.seq == seq) else {
        return Ok(None);
    };
    let is_later = |fact: &&Recorded| !matches!(fact.event, Event::MindAsked { .. });
    later
        .iter()
        .take_while(is_later)
        .for_each(|fact| call.apply(fact));
    Ok(Some(call))
}

/// All questions of a run, oldest first.
pub fn questions_of(journal: &Journal, run: RunId) -> Result<Vec<MindCall>, JournalError> {
    let prompts = prompts_of(journal, run)?;
    let (mut calls, mut last): (Vec<MindCall>, Seq) = (Vec::new(), Seq(0));
    loop {
        let facts = journal.events_of_kinds(run, last, &KINDS, PAGE)?;
        let Some(newest) = facts.last() else {
            return Ok(calls);
        };
        last = newest.seq;
        for fact in &facts {
            match (MindCall::begun(fact, &prompts), calls.last_mut()) {
                (Some(call), _) => calls.push(call),
                // One question is open at a time.
                (None, Some(call)) => call.apply(fact),
                (None, None) => (),
            }
        }
    }
}

/// Events read in one go.
const PAGE: usize = 512;

/// The prompts of the run's system, or why there are none.
fn prompts_of(journal: &Journal, run: RunId) -> Result<Result<Prompts, String>, JournalError> {
    let first = journal.events_of_kinds(run, Seq(0), &["run.started"], 1)?;
    let system = first.into_iter().find_map(|fact| match fact.event {
        Event::RunStarted { config } => Some(config.profile.name),
        _ => None, // only this kind was asked for
    });
    Ok(match system {
        Some(name) => Prompts::for_system(&name, None),
        None => Err("the run has no beginning".to_owned()),
    })
}
