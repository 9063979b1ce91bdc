//! On the way: a hunt also takes the prey that later steps of the plan want, a way down the ore that they mine.
//!
//! Invariant: only what an open step asks for, up to its count, and only animals: nobody is to seek a second fight.

use super::executor;
use super::state::State;
use crate::domain::check::Check;
use crate::domain::plan::{Executor, Subgoal};
use pithead_world::action::{Action, OtherOre, OtherPrey};
use pithead_world::drops::blocks_dropping;
use pithead_world::family::ItemSpec;

/// The order with what the other open steps want of that which it meets.
pub(super) fn with_what_is_met(order: Action, state: &State) -> Action {
    match order {
        Action::Attack {
            mob,
            gain: Some(gain),
            count,
            ..
        } if !mob.facts().hostile => {
            let others = state.open_steps().filter_map(prey_of);
            let also = others.filter(|other| other.mob != mob && other.gain != gain);
            Action::Attack {
                mob,
                gain: Some(gain),
                count,
                also: also.collect(),
            }
        }
        Action::DigDown { y, .. } => Action::DigDown {
            y,
            also: state.open_steps().filter_map(ore_of).collect(),
        },
        order => order,
    }
}

/// The animal that the step hunts, and how much of what it leaves is to be held in the end.
fn prey_of(step: &Subgoal) -> Option<OtherPrey> {
    if step.executor_hint != Executor::Attack {
        return None;
    }
    let gain = step.goal.object?;
    let mob = executor::wanted_mob(step).ok()?;
    let hold = held_in_the_end(step, gain)?;
    (!mob.facts().hostile).then_some(OtherPrey { mob, gain, hold })
}

/// What the step mines, if it comes of ore alone, and how much of it is to be held in the end.
fn ore_of(step: &Subgoal) -> Option<OtherOre> {
    let item = step.goal.object?;
    let sources = blocks_dropping(item);
    let is_of_ore = sources
        .iter()
        .all(|source| source.block.name().ends_with("_ore"));
    if step.executor_hint != Executor::Mine || sources.is_empty() || !is_of_ore {
        return None;
    }
    let hold = held_in_the_end(step, item)?;
    Some(OtherOre { item, hold })
}

/// How much of it a check asks for; a gain is counted from when its own step begins.
fn held_in_the_end(step: &Subgoal, wanted: ItemSpec) -> Option<u32> {
    step.checks.iter().find_map(|check| match check {
        Check::InvGe { item, count } if *item == wanted => Some(*count),
        _ => None,
    })
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
        match with_what_is_met(order, state) {
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

    #[test]
    fn who_digs_down_takes_the_ore_of_later_steps_and_no_other_rock() {
        let mut state = State::new();
        let mining = [(1, "iron_ore"), (2, "cobblestone"), (3, "gold_ore")];
        let steps = mining.map(|(n, what)| subgoal(n, what));
        state.plan = Some(Plan {
            subgoals: steps.to_vec(),
            ..Plan::default()
        });
        let done = Node {
            done: true,
            ..Node::default()
        };
        let ores = |state: &State| match with_what_is_met(Action::dig_down(12), state) {
            Action::DigDown { y: 12, also } => {
                let names = also.iter().map(|ore| (ore.item.to_string(), ore.hold));
                names.collect::<Vec<_>>()
            }
            other => panic!("{other:?}"),
        };
        let named = |name: &str| (name.to_owned(), 1);
        assert_eq!(ores(&state), [named("iron_ore"), named("gold_ore")]);
        state.nodes.insert(SubgoalId(1), done);
        assert_eq!(ores(&state), [named("gold_ore")]);
    }
}
