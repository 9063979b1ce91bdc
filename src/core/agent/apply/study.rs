//! What models are asked to learn, and what a look back makes of the plan.

use super::super::state::{Phase, Planning, State, Studying};
use crate::domain::mind::ask::{Explained, Explanation, Rejected};
use crate::domain::mind::study::{Reflected, Studied, Talk};
use crate::domain::plan::Plan;
use crate::domain::plan::note::{Note, Severity};
use crate::domain::run::event::Event;

/// Talks kept, the newest.
const TALKS_MAX: usize = 4;

/// Keeps what was said about a plan once another passes in its place.
pub(super) fn listen(talks: &mut Vec<Talk>, before: Option<Rejected>, plan: &Plan, notes: &[Note]) {
    let faulty = |notes: &[Note]| notes.iter().any(|n| n.severity == Severity::Error);
    let Some(rejected) = before.filter(|before| faulty(&before.notes) && !faulty(notes)) else {
        return;
    };
    if talks.len() >= TALKS_MAX {
        talks.remove(0);
    }
    talks.push(Talk {
        rejected,
        passed: plan.clone(),
    });
}

impl State {
    pub(super) fn study_changed(&mut self, event: &Event) {
        match event {
            Event::StudyBegun {
                topics,
                drafts,
                then,
            } => {
                self.phase = Phase::Studying(Box::new(Studying {
                    topics: topics.clone(),
                    drafts: drafts.clone(),
                    then: then.clone(),
                    faults: Vec::new(),
                    withheld: false,
                }));
            }
            Event::StudySettled { studied } => self.study_settled(studied),
            Event::PlanReflected { reflected } => self.plan_reflected(reflected),
            _ => unreachable!("only events of study are sent here"),
        }
    }

    fn study_settled(&mut self, studied: &Studied) {
        let Phase::Studying(study) = &mut self.phase else {
            return;
        };
        if !study.topics.is_empty() {
            study.topics.remove(0);
        }
        study.topics.splice(0..0, studied.more.iter().cloned());
        study.drafts.clone_from(&studied.drafts);
        study.faults.clear();
    }

    /// The plan is kept, and the step tried once more; or the planner is told why not.
    fn plan_reflected(&mut self, reflected: &Reflected) {
        let node = self.nodes.entry(reflected.subgoal).or_default();
        node.kept = node.failures.len();
        if reflected.keeps {
            self.phase = Phase::Choosing;
            return;
        }
        let plan = self.plan.as_ref();
        if let Some(step) = plan.and_then(|plan| plan.get(reflected.subgoal)) {
            let reflection = &reflected.reflection;
            let explained = Explained {
                step: step.clone(),
                explanation: Explanation {
                    observed: reflection.deadlock.clone(),
                    explanation: reflection.next_time.join(" "),
                    missing: reflection.missing.clone(),
                    wrong_step: None,
                },
            };
            self.explain_to_planner(explained);
        }
        self.phase = Phase::ToPlan(Planning {
            replaces: Some(reflected.subgoal),
            ..Planning::default()
        });
    }
}
