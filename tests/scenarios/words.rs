//! The words for events: the outcome of a script is one line of them.

use crate::scenarios::stage::Stage;
use pithead_core::agent::State;
use pithead_core::agent::state::Phase;
use pithead_core::domain::plan::note::Severity;
use pithead_core::domain::run::decision::{By, Verdict};
use pithead_core::domain::run::event::Event;

impl Stage {
    /// The words for an event; none for events that scenarios leave out.
    pub(crate) fn words(&self, event: &Event) -> Option<String> {
        let label = |state: &State, id| {
            let subgoal = state
                .plan
                .as_ref()
                .and_then(|plan| plan.get(id))
                .or_else(|| state.acts.iter().find(|act| act.id == id))
                .expect("in the plan or an act");
            let words: Vec<&str> = subgoal.condition.split_whitespace().collect();
            words[..2].join(" ")
        };
        Some(match event {
            Event::PlanProposed { revision, .. } => format!("plan {revision}"),
            Event::PlanAdopted { revision } => format!("adopt {revision}"),
            Event::AnswerRejected { .. } => "unread".to_owned(),
            Event::PlanVerified { notes, .. } => {
                let error = notes.iter().find(|n| n.severity == Severity::Error);
                error.map(|_| "refused".to_owned())?
            }
            Event::DecisionAsked { question } => format!("ask {}", question.kind.name()),
            Event::DecisionHeld { .. } => "held".to_owned(),
            Event::DecisionReleased { .. } => "released".to_owned(),
            Event::DecisionMade { verdict, by, .. } => decided(verdict, by),
            Event::SubgoalDone { subgoal } if self.acting() != Some(*subgoal) => {
                let ended = self.said.last().is_some_and(|s| s.ends_with(" ok"));
                if ended {
                    return None;
                } else {
                    format!("skip {}", label(&self.state, *subgoal))
                }
            }
            Event::AttemptEnded { experience, .. } => {
                let outcome = experience
                    .diagnosis
                    .reason
                    .map_or("ok", |reason| reason.name());
                format!("{} {outcome}", label(&self.state, experience.action.id))
            }
            Event::ReplanStarted { .. } => "replan".to_owned(),
            Event::LessonLearnt { .. } => "lesson".to_owned(),
            Event::ConstraintBound { .. } => "bind".to_owned(),
            Event::KnowledgeProposed { entry } if entry.body.kind() != "skill" => {
                format!("propose {}", entry.body.kind())
            }
            Event::KnowledgeActivated { id, .. } => {
                let skill = self
                    .state
                    .proposed
                    .iter()
                    .any(|e| e.id == *id && e.body.kind() == "skill");
                if skill {
                    return None;
                } else {
                    "activate".to_owned()
                }
            }
            Event::KnowledgeSuppressed { .. } => {
                let ended = self
                    .said
                    .last()
                    .is_some_and(|s| s.ends_with(" ok") || s == "suppress");
                if ended {
                    return None;
                } else {
                    "suppress".to_owned()
                }
            }
            Event::KnowledgeVetoed { .. } => "tombstone".to_owned(),
            Event::Steered { how, .. } => how.to_string(),
            Event::Paused { .. } => "paused".to_owned(),
            Event::Resumed { .. } => "resumed".to_owned(),
            Event::CommandRefused { command, .. } => format!("refuse {command}"),
            Event::RunEnded { outcome, .. } => format!("{outcome:?}").to_lowercase(),
            _ => return None,
        })
    }

    fn acting(&self) -> Option<pithead_world::ids::SubgoalId> {
        match &self.state.phase {
            Phase::Acting(attempt) => Some(attempt.subgoal.id),
            _ => None,
        }
    }
}

fn decided(verdict: &Verdict, by: &By) -> String {
    let word = match verdict {
        Verdict::Approve => "approved",
        Verdict::EditPlan(_) | Verdict::EditKnowledge(_) => "edited",
        Verdict::Veto { .. } => "vetoed",
    };
    match by {
        By::Timeout => format!("{word} by time-out"),
        By::Policy => format!("{word} by policy"),
        By::Operator(_) => word.to_owned(),
    }
}
