//! Forks: what of the other run's past holds in this one, and which decisions are kept.

use crate::agent::state::{RunHold, State};
use crate::domain::run::decision::{Question, Subject};
use crate::domain::run::fork::{Fork, Kept};
use crate::text::signature::Signature;
use pithead_world::ids::DecisionId;

impl State {
    pub(super) fn run_forked(&mut self, fork: &Fork) {
        // Pauses and breakpoints of the other run do not concern this one.
        (self.hold, self.at_break) = (RunHold::Free, false);
        self.breaks.clear();
        self.without.extend(&fork.without);
        let without = &self.without;
        // The other run may have been given them.
        self.knowledge.retain(|entry| !without.contains(&entry.id));
        // A fork shares its past with a run that is measured, so it takes part in no draw.
        self.given.clear();
        self.withheld.clear();
        self.kept.clone_from(&fork.kept);
        self.gates.0.extend(fork.policies.iter().copied());
        // Only what the fork changes; everything else of the config holds.
        if let Some(config) = &mut self.config {
            config.hold_out = 0;
            if let Some(thresholds) = &fork.thresholds {
                config.thresholds = thresholds.clone();
            }
        }
    }

    /// The content of the entry that the question is about.
    // Ids differ between runs, so questions are compared by content.
    pub(in crate::agent) fn content(&self, question: &Question) -> Option<Signature> {
        let Subject::Knowledge(id) = question.subject else {
            return None;
        };
        let entries = self.proposed.iter().chain(&self.knowledge);
        let mut entries = entries.filter(|entry| entry.id == id);
        entries.next().map(|entry| entry.body.signature())
    }

    /// The decision on an equal question in the run that this one was forked from.
    pub(in crate::agent) fn kept_for(&self, question: &Question) -> Option<(usize, &Kept)> {
        let about = self.content(question);
        let is_like = |kept: &Kept| kept.kind == question.kind && kept.about == about;
        self.kept.iter().enumerate().find(|(_, kept)| is_like(kept))
    }

    /// A question is answered, by whomever: the decision kept for it is used up.
    pub(super) fn forget_kept(&mut self, decision: DecisionId) {
        let question = self.questions.iter().find(|q| q.id == decision);
        if let Some((at, _)) = question.and_then(|question| self.kept_for(question)) {
            // Used up: the same question asked again is a new one.
            self.kept.remove(at);
        }
    }
}
