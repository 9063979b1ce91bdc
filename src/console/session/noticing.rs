//! Noticing in a session: what the operator is told through the terminal because it waits for them.
//!
//! Invariant: what was there before the run came in sight, and what blocks nothing, makes no sound.

use crate::screens::live::state::RunMode;
use crate::session::Session;
use crate::view::View;
use crate::view::status::outcome_word;
use pithead_core::text::clean::clean_line;
use pithead_world::ids::{DecisionId, RunId};

/// What was noticed of the run in sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Noticed {
    run: Option<RunId>,
    /// The newest question that was told, or was there before.
    question: Option<DecisionId>,
    is_over: bool,
}

impl Session {
    /// What has begun to wait for the operator since, in a few words.
    pub(crate) fn take_notice(&mut self) -> Option<String> {
        let is_live = matches!(self.shell.live.mode, RunMode::Live(_)) && !self.more;
        let run = self.view.head.as_ref().map(|head| head.run);
        let (Some(run), true) = (run, is_live) else {
            return None;
        };
        let now = Noticed {
            run: Some(run),
            question: newest(&self.view),
            is_over: self.view.status.is_over(),
        };
        let before = std::mem::replace(&mut self.noticed, now);
        if before.run != now.run {
            return None;
        }
        if now.is_over && !before.is_over {
            let outcome = self.view.status.outcome()?;
            return Some(format!("run {run} is over: {}", outcome_word(outcome)));
        }
        let id = now.question.filter(|_| now.question > before.question)?;
        let open = self.view.inbox.get(id)?;
        Some(format!(
            "run {run} waits for you: {}",
            clean_line(&open.title())
        ))
    }
}

/// The newest question that keeps the run from going on, or runs out.
fn newest(view: &View) -> Option<DecisionId> {
    let open = view.inbox.open.iter().map(|open| &open.question);
    let waits = open.filter(|question| question.kind.blocks_run() || question.deadline.is_some());
    waits.map(|question| question.id).max()
}
