//! Status: what a run is doing right now, as one of a fixed set of states.
//!
//! Invariant: a run is in exactly one state; pausing lies over the state and does not replace it.

use crate::view::plan::PlanView;
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::run::event::Event;
use pithead_core::domain::run::outcome::Outcome;
use pithead_core::domain::run::steering::Steering;
use pithead_world::clock::Millis;
use pithead_world::ids::{DecisionId, SubgoalId};
use serde::{Deserialize, Serialize};

/// What the run is doing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub enum Doing {
    #[default]
    Opening,
    Recalling,
    Planning,
    Replanning {
        subgoal: SubgoalId,
    },
    /// The mind is asked for the cause of repeated failure.
    Diagnosing {
        subgoal: SubgoalId,
    },
    /// Nothing goes on until this is answered.
    Waiting {
        decision: DecisionId,
    },
    Choosing,
    Executing {
        subgoal: SubgoalId,
        label: String,
        attempt: u32,
        timeout_s: u32,
    },
    /// What was learnt is compared with what is known.
    Distilling,
    Ended {
        outcome: Outcome,
        because: String,
    },
}

/// Whether the operator holds the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum PauseState {
    #[default]
    Free,
    Paused,
    /// One more frame, then paused again.
    Stepping,
}

/// The state and since when.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RunStatus {
    pub doing: Doing,
    pub hold: PauseState,
    /// When the operator's hold began, by the clock and by the world.
    pub held_since: (Millis, u64),
    /// It was asked for between two steps, and began there.
    pub is_between: bool,
    /// A pause is asked for when the attempt under way has ended.
    pub is_pausing: bool,
    pub since: Millis,
    pub since_tick: u64,
    /// The mind has not answered yet; the wall clock runs, the world does not.
    pub mind_busy: bool,
    /// The subgoal whose failures led to a replan that is not in force yet.
    replanning: Option<SubgoalId>,
}

/// How a run ended, in one word.
#[must_use]
pub fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Success => "success",
        Outcome::Failure => "failure",
        Outcome::Aborted => "aborted",
    }
}

impl RunStatus {
    pub(crate) fn apply(&mut self, event: &Event, tick: u64, at: Millis, plan: &PlanView) {
        self.apply_hold(event, tick, at);
        if let Some(doing) = self.next(event, plan)
            && doing != self.doing
        {
            self.doing = doing;
            self.since = at;
            self.since_tick = tick;
        }
    }

    fn apply_hold(&mut self, event: &Event, tick: u64, at: Millis) {
        match event {
            Event::Steered {
                how: Steering::PauseSoon,
                ..
            } => self.is_pausing = true,
            Event::Paused { .. } => {
                let pausing = std::mem::take(&mut self.is_pausing);
                self.is_between = pausing && !matches!(self.doing, Doing::Executing { .. });
                (self.hold, self.held_since) = (PauseState::Paused, (at, tick));
            }
            Event::Resumed { .. } | Event::RunEnded { .. } => {
                (self.hold, self.is_between, self.is_pausing) = (PauseState::Free, false, false);
            }
            Event::Stepped { .. } => self.hold = PauseState::Stepping,
            Event::FrameSeen { .. } | Event::ActionEnded { .. }
                if self.hold == PauseState::Stepping =>
            {
                self.hold = PauseState::Paused;
            }
            Event::MindAsked { .. } => self.mind_busy = true,
            Event::MindAnswered { .. }
            | Event::MindFailed { .. }
            | Event::MindUnavailable { .. } => self.mind_busy = false,
            _ => (), // every other event leaves the operator's hold as it is
        }
        if matches!(event, Event::RunEnded { .. }) {
            self.mind_busy = false;
        }
    }

    /// The state after the event; none if it stays.
    fn next(&mut self, event: &Event, plan: &PlanView) -> Option<Doing> {
        match event {
            Event::RunStarted { .. } | Event::WorldAsked => Some(Doing::Opening),
            Event::RecallAsked { .. } => Some(Doing::Recalling),
            Event::Recalled { .. } | Event::CapsuleMade { .. } => Some(Doing::Planning),
            Event::MindAsked { ask, .. } => Some(self.thinking(ask)),
            Event::ReplanStarted { subgoal, .. } => {
                self.replanning = Some(*subgoal);
                Some(Doing::Replanning { subgoal: *subgoal })
            }
            Event::LessonLearnt { .. } | Event::FailureExplained { .. } => {
                self.replanning.map(|subgoal| Doing::Replanning { subgoal })
            }
            Event::LookupAsked { .. } => Some(Doing::Distilling),
            Event::DecisionAsked { question } if question.kind.blocks_run() => {
                Some(Doing::Waiting {
                    decision: question.id,
                })
            }
            Event::DecisionMade { decision, .. } => match self.doing {
                Doing::Waiting { decision: waiting } if waiting == *decision => {
                    Some(self.planning())
                }
                _ => None,
            },
            Event::PlanAdopted { .. } => {
                self.replanning = None;
                Some(Doing::Choosing)
            }
            Event::AttemptStarted { subgoal, .. } => {
                let node = plan.node(*subgoal)?;
                Some(Doing::Executing {
                    subgoal: *subgoal,
                    label: node.label.clone(),
                    attempt: node.attempts + 1,
                    timeout_s: node.subgoal.timeout_s,
                })
            }
            Event::AttemptEnded { .. } => Some(Doing::Choosing),
            Event::RunEnded { outcome, because } => Some(Doing::Ended {
                outcome: *outcome,
                because: because.clone(),
            }),
            _ => None, // facts that do not begin or end a phase
        }
    }

    fn thinking(&self, ask: &Ask) -> Doing {
        match ask {
            Ask::Capsule(_) => Doing::Recalling,
            Ask::Plan(_) | Ask::Goal(_) | Ask::Decompose(_) | Ask::Judge(_) => self.planning(),
            Ask::Explain(ask) => Doing::Diagnosing {
                subgoal: ask.subgoal.id,
            },
            Ask::Summarise(_)
            | Ask::Reference(_)
            | Ask::Skill(_)
            | Ask::Guardrail(_)
            | Ask::Rules(_)
            | Ask::Score(_) => Doing::Distilling,
            Ask::Reflect(ask) => match &ask.subgoal {
                Some(subgoal) => Doing::Diagnosing {
                    subgoal: subgoal.id,
                },
                None => Doing::Distilling,
            },
            Ask::Diagnose(ask) => Doing::Diagnosing {
                subgoal: ask.subgoal.id,
            },
        }
    }

    fn planning(&self) -> Doing {
        self.replanning
            .map_or(Doing::Planning, |subgoal| Doing::Replanning { subgoal })
    }

    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.doing, Doing::Ended { .. })
    }

    /// How the run ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self.doing {
            Doing::Ended { outcome, .. } => Some(outcome),
            _ => None, // every other state goes on
        }
    }

    /// True if the pill shows wall time that goes on without events.
    #[must_use]
    pub fn runs_on_wall_time(&self) -> bool {
        self.mind_busy && self.hold == PauseState::Free && !self.is_over()
    }
}
