//! What debugging makes of the state: breakpoints, and a past that was another run's.

use super::super::state::{Hold, State};
use crate::domain::run::decision::{Question, Subject};
use crate::domain::run::event::Event;
use crate::domain::run::fork::{Fork, Kept};
use crate::text::signature::Signature;
use pithead_world::ids::DecisionId;

impl State {
    pub(super) fn debug_changed(&mut self, event: &Event) {
        match event {
            Event::LabelOverruled {
                attempt,
                was,
                label,
                ..
            } => self.label_overruled(*attempt, *was, *label),
            Event::BreaksSet { breaks, .. } => self.breaks.clone_from(breaks),
            Event::BreakHit { .. } => self.at_break = true,
            Event::RunForked { fork } => self.forked(fork),
            _ => unreachable!("only events of debugging are sent here"),
        }
    }

    fn forked(&mut self, fork: &Fork) {
        // Who held the other run, and where it was to stop, is no matter of this one.
        (self.hold, self.at_break) = (Hold::Free, false);
        self.breaks.clear();
        self.without.extend(&fork.without);
        let without = &self.without;
        self.knowledge.retain(|entry| !without.contains(&entry.id));
        self.kept.clone_from(&fork.kept);
        self.gates.0.extend(fork.policies.iter().copied());
        if let (Some(config), Some(thresholds)) = (&mut self.config, &fork.thresholds) {
            config.thresholds = thresholds.clone();
        }
    }

    /// What an entry asked about says.
    pub(in crate::agent) fn content(&self, question: &Question) -> Option<Signature> {
        let Subject::Knowledge(id) = question.subject else {
            return None;
        };
        let entries = self.proposed.iter().chain(&self.knowledge);
        let mut entries = entries.filter(|entry| entry.id == id);
        entries.next().map(|entry| entry.body.signature())
    }

    /// The decision that was made on a question like this in the run this one was forked from.
    pub(in crate::agent) fn kept_for(&self, question: &Question) -> Option<(usize, &Kept)> {
        let about = self.content(question);
        let is_like = |kept: &Kept| kept.kind == question.kind && kept.about == about;
        self.kept.iter().enumerate().find(|(_, kept)| is_like(kept))
    }

    /// A question was answered, by whomever: what was kept for it is used up.
    pub(super) fn forget_kept(&mut self, decision: DecisionId) {
        let question = self.questions.iter().find(|q| q.id == decision);
        if let Some((at, _)) = question.and_then(|question| self.kept_for(question)) {
            self.kept.remove(at);
        }
    }
}
