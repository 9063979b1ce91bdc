//! On the way: a hunt also takes the prey that later steps of the plan want, where it meets it.
//!
//! Invariant: only what an open step asks for, up to its count, and only animals: nobody is to seek a second fight.

use super::executor;
use super::state::State;
use crate::domain::check::Check;
use crate::domain::plan::{Executor, Subgoal};
use pithead_world::action::{Action, OtherPrey};

/// The order with the prey of the other open hunts, if it is a hunt for animals.
pub(super) fn with_other_prey(order: Action, state: &State) -> Action {
    let Action::Attack {
        mob,
        gain: Some(gain),
        count,
        ..
    } = order
    else {
        return order;
    };
    if mob.facts().hostile {
        return order;
    }
    let others = state.open_steps().filter_map(prey_of);
    let also = others.filter(|other| other.mob != mob && other.gain != gain);
    Action::Attack {
        mob,
        gain: Some(gain),
        count,
        also: also.collect(),
    }
}

/// The animal that the step hunts, and how much of what it leaves is to be held in the end.
fn prey_of(step: &Subgoal) -> Option<OtherPrey> {
    if step.executor_hint != Executor::Attack {
        return None;
    }
    let gain = step.goal.object?;
    let mob = executor::wanted_mob(step).ok()?;
    let hold = step.checks.iter().find_map(|check| match check {
        Check::InvGe { item, count } if *item == gain => Some(*count),
        _ => None, // a gain is counted from when its own step begins
    })?;
    (!mob.facts().hostile).then_some(OtherPrey { mob, gain, hold })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::node::Node;
    use crate::domain::plan::Plan;
    use crate::domain::samples::{item, subgoal};
    use pithead_world::ids::SubgoalId;
    use pithead_world::mob::MobKind;

    fn hunt(n: u64, gain: &str, mob: MobKind) -> Subgoal {
        let mut step = subgoal(n, gain);
        step.executor_hint = Executor::Attack;
        step.goal.info = Some(mob.name().to_owned());
        step
    }

    fn also(state: &State, mob: MobKind, gain: &str) -> Vec<MobKind> {
        let order = Action::Attack {
            mob,
            gain: Some(item(gain)),
            count: 3,
            also: Vec::new(),
        };
        match with_other_prey(order, state) {
            Action::Attack { also, .. } => also.iter().map(|other| other.mob).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn who_looks_for_sheep_takes_the_cows_of_a_later_step() {
        let mut state = State::new();
        state.plan = Some(Plan {
            subgoals: vec![
                hunt(1, "white_wool", MobKind::Sheep),
                hunt(2, "leather", MobKind::Cow),
                hunt(3, "bone", MobKind::Skeleton),
            ],
            ..Plan::default()
        });
        assert_eq!(also(&state, MobKind::Sheep, "white_wool"), [MobKind::Cow]);
        assert!(also(&state, MobKind::Skeleton, "bone").is_empty());
        let done = Node {
            done: true,
            ..Node::default()
        };
        state.nodes.insert(SubgoalId(2), done);
        assert!(also(&state, MobKind::Sheep, "white_wool").is_empty());
    }
}
