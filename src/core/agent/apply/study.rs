//! What models are asked to learn, and what the knowledge base is asked before a draft is proposed.

use crate::agent::state::{Phase, State, Studying};
use crate::domain::knowledge::Entry;
use crate::domain::mind::sequences::Sequences;
use crate::domain::mind::study::{Studied, Topic};
use crate::domain::run::event::{Event, Then};

impl State {
    pub(super) fn study_begun(&mut self, topics: &[Topic], drafts: &[Entry], then: &Then) {
        self.phase = Phase::Studying(Box::new(Studying {
            topics: topics.to_vec(),
            drafts: drafts.to_vec(),
            then: then.clone(),
            faults: Vec::new(),
            withheld: false,
        }));
    }

    pub(super) fn study_settled(&mut self, studied: &Studied) {
        let Phase::Studying(study) = &mut self.phase else {
            return;
        };
        if !study.topics.is_empty() {
            study.topics.remove(0);
        }
        // Topics that arose from this one come next.
        study.topics.splice(0..0, studied.more.iter().cloned());
        study.drafts.clone_from(&studied.drafts);
        // Faults belong to one topic.
        study.faults.clear();
    }

    pub(super) fn lookup_asked(&mut self, drafts: &[Entry], then: &Then, event: &Event) {
        self.drafts = drafts.to_vec();
        self.wait_for(event, Phase::LookingUp { then: then.clone() });
    }

    /// The phase stays where the run ends next; a replan moves on to the planner.
    pub(super) fn looked_up(&mut self, sequences: &[Sequences]) {
        self.open = None;
        self.drafts.clear();
        self.sequences = sequences.to_vec();
        if let Phase::LookingUp {
            then: Then::Replan { subgoal },
        } = self.phase
        {
            self.replan_from(subgoal);
        }
    }
}
