//! Meeting breakpoints: which event stops a run, and why.
//!
//! Apart from the breakpoints themselves, which are part of events. Invariant: the same events meet the
//! same breakpoints, live and replayed.

use crate::domain::check::Truth;
use crate::domain::condition::situation::Situation;
use crate::domain::knowledge::EntryUse;
use crate::domain::mind::ask::Ask;
use crate::domain::plan::Subgoal;
use crate::domain::run::breakpoint::{BreakOn, Breakpoint, LoopPhase};
use crate::domain::run::event::Event;
use pithead_world::ids::{AttemptId, SubgoalId};
use pithead_world::observation::Frame;

/// One event with what must be known of the run to judge it.
#[derive(Debug, Clone, Copy)]
pub struct EventInContext<'a> {
    pub event: &'a Event,
    /// Subgoals of the plan in force.
    pub plan: &'a [Subgoal],
    /// The last that was seen before the event.
    /// Needed for breakpoints that fire on a change.
    pub before: Option<Situation<'a>>,
    /// What the event shows, if it shows the world.
    pub after: Option<Situation<'a>>,
}

/// What the event shows of the world.
#[must_use]
pub fn shown(event: &Event) -> Option<&Frame> {
    match event {
        Event::WorldReady { frame }
        | Event::WorldRejoined { frame, .. }
        | Event::FrameSeen { frame }
        | Event::ActionEnded { frame, .. } => Some(frame),
        _ => None, // no other event shows the world
    }
}

impl LoopPhase {
    /// The phase that the event begins, if it begins one.
    #[must_use]
    pub fn begun_by(event: &Event) -> Option<Self> {
        match event {
            Event::RecallAsked { .. } => Some(Self::Recall),
            // The question begins the phase, since that is what the operator wants to see
            // before it is answered.
            Event::MindAsked { ask, .. } => match **ask {
                Ask::Decompose(_) => Some(Self::Decompose),
                Ask::Plan(_) => Some(Self::Plan),
                // Each belongs to a phase that another event begins.
                Ask::Capsule(_)
                | Ask::Goal(_)
                | Ask::Diagnose(_)
                | Ask::Explain(_)
                | Ask::Reflect(_)
                | Ask::Judge(_)
                | Ask::Reference(_)
                | Ask::Skill(_)
                | Ask::Guardrail(_)
                | Ask::Rules(_)
                | Ask::Score(_)
                | Ask::Summarise(_) => None,
            },
            Event::PlanProposed { .. } => Some(Self::Verify),
            Event::DecisionAsked { .. } => Some(Self::Gate),
            Event::SubgoalSelected { .. } => Some(Self::Select),
            Event::AttemptStarted { .. } => Some(Self::Execute),
            Event::AttemptEnded { .. } => Some(Self::Diagnose),
            Event::ReplanStarted { .. } => Some(Self::Replan),
            Event::StudyBegun { .. } | Event::LookupAsked { .. } => Some(Self::Distil),
            _ => None, // no other event begins a phase
        }
    }
}

impl Breakpoint {
    /// Why the event meets this breakpoint, if it does.
    #[must_use]
    pub fn met_by(&self, moment: &EventInContext<'_>) -> Option<String> {
        if self.off {
            return None;
        }
        let event = moment.event;
        match &self.on {
            BreakOn::Phase(stage) => (LoopPhase::begun_by(event) == Some(*stage))
                .then(|| format!("the phase {} begins", stage.name())),
            BreakOn::Subgoal(pattern) => {
                let (attempt, id) = started(event)?;
                let subgoal = moment.plan.iter().find(|subgoal| subgoal.id == id)?;
                // Any of label, condition and id, so that a pattern can name what is on the
                // screen.
                let words = [subgoal.label(), subgoal.condition.clone(), id.to_string()];
                let fits = words.iter().any(|words| pattern.fits(words));
                fits.then(|| format!("{attempt} begins: {}", words[0]))
            }
            BreakOn::Reason(reason) => match event {
                Event::AttemptEnded {
                    attempt,
                    experience,
                } if experience.diagnosis.reason == Some(*reason) => {
                    Some(format!("{attempt} failed: {}", reason.name()))
                }
                _ => None, // only a judgement has a reason
            },
            BreakOn::Guardrail(wanted) => match event {
                Event::KnowledgeUsed {
                    id,
                    how: EntryUse::Blocked,
                    ..
                } if wanted.is_none_or(|wanted| wanted == *id) => Some(format!("{id} blocked")),
                _ => None, // nothing else says that an entry blocked
            },
            BreakOn::Check(condition) => {
                let is_true = |now: Option<Situation<'_>>| {
                    now.is_some_and(|now| condition.truth(&now) == Truth::True)
                };
                // Edge, not level: a condition that stays true stops the run once.
                (is_true(moment.after) && !is_true(moment.before))
                    .then(|| format!("{condition} became true"))
            }
            BreakOn::Tick(tick) => {
                let time = |now: Option<Situation<'_>>| now.and_then(|now| now.tick);
                let reached = time(moment.after).is_some_and(|now| now >= *tick);
                // The world may have passed the tick between two frames.
                let had = time(moment.before).is_some_and(|then| then >= *tick);
                (reached && !had).then(|| format!("tick {tick} is reached"))
            }
        }
    }
}

fn started(event: &Event) -> Option<(AttemptId, SubgoalId)> {
    match event {
        Event::AttemptStarted { attempt, subgoal } => Some((*attempt, *subgoal)),
        _ => None, // nothing else begins an attempt
    }
}

/// The first breakpoint that the event meets, and why.
#[must_use]
pub fn first_met<'a>(
    list: &'a [Breakpoint],
    moment: &EventInContext<'_>,
) -> Option<(&'a Breakpoint, String)> {
    // One stop for one event; the others are met again only by another event.
    list.iter()
        .find_map(|breakpoint| Some((breakpoint, breakpoint.met_by(moment)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::{experience, frame, subgoal};
    use pithead_world::ids::{KnowledgeId, RunId};
    use pithead_world::item::ItemId;

    fn on(text: &str) -> Breakpoint {
        Breakpoint::new(text.parse().unwrap())
    }

    fn met(breakpoint: &Breakpoint, event: &Event) -> Option<String> {
        let plan = [subgoal(1, "iron_ore")];
        breakpoint.met_by(&EventInContext {
            event,
            plan: &plan,
            before: None,
            after: None,
        })
    }

    #[test]
    fn subgoals_reasons_phases_and_guardrails_are_met_by_their_events() {
        let started = Event::AttemptStarted {
            attempt: AttemptId(4),
            subgoal: SubgoalId(1),
        };
        assert!(met(&on("subgoal *iron*"), &started).unwrap().contains("a4"));
        assert!(met(&on("subgoal SG_1"), &started).is_some());
        assert!(met(&on("subgoal *coal*"), &started).is_none());
        assert!(met(&on("phase execute"), &started).is_some());
        let failed = Event::AttemptEnded {
            attempt: AttemptId(4),
            experience: Box::new(experience(1, 4, "iron_ore", false)),
        };
        let reason = experience(1, 4, "iron_ore", false)
            .diagnosis
            .reason
            .unwrap();
        assert!(met(&on(&format!("reason {}", reason.name())), &failed).is_some());
        assert!(met(&on("reason RISK_ABORT"), &failed).is_none());
        let id = KnowledgeId {
            run: RunId(1),
            n: 2,
        };
        let blocked = Event::KnowledgeUsed {
            id,
            how: EntryUse::Blocked,
            subgoal: None,
        };
        assert!(met(&on("guardrail"), &blocked).is_some());
        assert!(met(&on("guardrail k1.3"), &blocked).is_none());
        let mut off = on("guardrail k1.2");
        assert!(met(&off, &blocked).is_some());
        off.off = true;
        assert!(met(&off, &blocked).is_none());
    }

    #[test]
    fn a_check_is_met_when_it_becomes_true_and_not_while_it_is() {
        let mut rich = frame(40, 0);
        rich.inventory.add(ItemId::named("iron_ore").unwrap(), 3);
        let (poor, seen) = (
            frame(20, 0),
            Event::FrameSeen {
                frame: rich.clone(),
            },
        );
        let of = |before, after| EventInContext {
            event: &seen,
            plan: &[],
            before: Some(Situation::of(before)),
            after: Some(Situation::of(after)),
        };
        let check = on("check inv iron_ore >= 3");
        assert!(check.met_by(&of(&poor, &rich)).is_some());
        assert!(check.met_by(&of(&rich, &rich)).is_none());
        assert!(check.met_by(&of(&rich, &poor)).is_none());
        assert!(on("tick 30").met_by(&of(&poor, &rich)).is_some());
        assert!(on("tick 20").met_by(&of(&poor, &rich)).is_none());
        assert!(on("tick 41").met_by(&of(&poor, &rich)).is_none());
    }
}
