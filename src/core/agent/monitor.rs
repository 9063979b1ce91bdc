//! The reflector's monitor: what is wrong with the next step before it has failed (Metagent-P).
//!
//! Invariant: it looks at what is held and at rules in force, and raises the same alarm once in a plan.

use super::state::State;
use crate::domain::check::{Check, Place, Truth};
use crate::domain::condition::situation::Situation;
use crate::domain::condition::{Condition, Predicate};
use crate::domain::knowledge::pattern::overlaps;
use crate::domain::knowledge::{Body, Remedy};
use crate::domain::mind::reflection::Trigger;
use crate::domain::plan::{Subgoal, TaskKind};
use pithead_world::action::Target;
use pithead_world::family::ItemSpec;
use pithead_world::observation::Frame;

/// What set the alarm off, and what is gone or lacking.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Alarm {
    pub(super) trigger: Trigger,
    pub(super) lost: Vec<Remedy>,
}

/// The alarm that beginning this step now would raise.
pub(super) fn alarm_at(state: &State, step: &Subgoal) -> Option<Alarm> {
    let config = state.config()?;
    if !config.profile.reflect || state.alarmed.contains(&step.id) {
        return None;
    }
    let frame = state.frame.as_deref()?;
    let lost = lost_goals(state, step, frame);
    if !lost.is_empty() {
        return Some(Alarm {
            trigger: Trigger::GoalLost,
            lost,
        });
    }
    let lost = broken_rules(state, step, frame);
    (!lost.is_empty()).then_some(Alarm {
        trigger: Trigger::Anomaly,
        lost,
    })
}

/// Things that done steps had got for this one, of which nothing is left, and that no step uses up by itself: tools
/// and stations. Materials are a matter of counts, which rules and the judge look at.
fn lost_goals(state: &State, step: &Subgoal, frame: &Frame) -> Vec<Remedy> {
    let is_done = |need: &&Subgoal| state.done.iter().any(|done| done.id == need.id);
    let own = step.needs.iter().filter_map(|id| state.planned(*id));
    let got = own
        .filter(is_done)
        .filter(|need| need.task_kind == TaskKind::Craft);
    let objects = got
        .filter_map(|need| need.goal.object)
        .chain(step.goal.tool);
    let mut lost: Vec<Remedy> = Vec::new();
    for item in objects.filter(|item| lasts(*item)) {
        let was_got = state.done.iter().any(|done| {
            done.goal
                .object
                .is_some_and(|object| overlaps(object, item))
        });
        if was_got && frame.inventory.count(item) == 0 && !stands_near(frame, item) {
            let remedy = Remedy::Have { item, count: 1 };
            if !lost.contains(&remedy) {
                lost.push(remedy);
            }
        }
    }
    lost
}

/// It wears, or is a block that one works at.
fn lasts(item: ItemSpec) -> bool {
    let single = item.single();
    single.is_some_and(|item| item.facts().tool.is_some() || item.facts().durability.is_some())
}

fn stands_near(frame: &Frame, item: ItemSpec) -> bool {
    let block = item.single().and_then(|item| item.name().parse().ok());
    block.is_some_and(|block| frame.notable.iter().any(|sight| sight.block == block))
}

/// What rules in force require of the step and is known not to be so.
fn broken_rules(state: &State, step: &Subgoal, frame: &Frame) -> Vec<Remedy> {
    let now = Situation::of(frame).pursuing(step);
    let broken = state.refusing().filter_map(|entry| match &entry.body {
        Body::Rule(rule) => Some(rule),
        _ => None, // the others are asked elsewhere
    });
    let broken = broken
        .filter(|rule| rule.when.truth(&now).is_true() && rule.then.truth(&now) == Truth::False);
    broken.filter_map(|rule| remedy_for(&rule.then)).collect()
}

/// What would make the condition true, if that is one thing.
fn remedy_for(required: &Condition) -> Option<Remedy> {
    match required {
        Condition::Is(Predicate::Check(Check::InvGe { item, count })) => Some(Remedy::Have {
            item: *item,
            count: *count,
        }),
        Condition::Is(Predicate::Check(Check::Near {
            place: Place::Thing(Target::Block(block)),
            ..
        })) => Some(Remedy::Station { block: *block }),
        Condition::Is(Predicate::ToolGe { kind, tier }) => Some(Remedy::Tool {
            kind: *kind,
            tier: *tier,
        }),
        Condition::Any(parts) | Condition::All(parts) => parts.iter().find_map(remedy_for),
        _ => None, // the rest names nothing to be got
    }
}
