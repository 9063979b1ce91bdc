//! Keeping: what the steps still to be done need, for the body to leave alone.
//!
//! Invariant: nothing is kept for a step that is done.

use crate::agent::state::State;
use crate::domain::check::Check;
use crate::domain::plan::Executor;
use pithead_world::counts::Counts;
use pithead_world::keep::Keeping;
use pithead_world::mob::MobKind;

/// What the body must not eat, burn, build with or throw away of its own accord.
pub(super) fn kept(state: &State) -> Counts {
    let mut keeping = Keeping::default();
    let task = state.config().map(|config| &config.task.success);
    for check in task.into_iter().flatten() {
        if let Check::InvGe { item, count } = check {
            keeping.hold(*item, *count);
        }
    }
    for step in state.open_steps() {
        let count = step.goal.count.max(1);
        let Some(object) = step.goal.object else {
            if step.executor_hint == Executor::Breed {
                let mob = step.goal.info.as_deref().and_then(MobKind::named);
                mob.into_iter().for_each(|mob| keeping.breed(mob));
            }
            continue;
        };
        match step.executor_hint {
            Executor::Craft => keeping.craft(object, count),
            Executor::Smelt => keeping.smelt(object, count, step.goal.material),
            Executor::Put => keeping.take(object, count),
            Executor::Trade => keeping.trade(object, count),
            _ => {}
        }
        keeping.hold(object, count);
    }
    keeping.kept()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::node::Node;
    use crate::domain::plan::Plan;
    use crate::domain::samples::{item, subgoal};
    use pithead_world::ids::SubgoalId;

    #[test]
    fn the_price_of_a_trade_is_kept_until_it_is_paid() {
        let mut sell = subgoal(1, "emerald");
        sell.executor_hint = Executor::Trade;
        let mut state = State::new();
        state.plan = Some(Plan {
            subgoals: vec![sell],
            ..Plan::default()
        });
        assert!(kept(&state).count(item("potato")) > 0);
        let done = Node {
            done: true,
            ..Node::default()
        };
        state.nodes.insert(SubgoalId(1), done);
        assert_eq!(kept(&state).count(item("potato")), 0);
    }

    #[test]
    fn an_apple_is_kept_until_the_golden_one_is_made() {
        let mut make = subgoal(2, "golden_apple");
        make.executor_hint = Executor::Craft;
        let mut state = State::new();
        state.plan = Some(Plan {
            subgoals: vec![subgoal(1, "apple"), make],
            ..Plan::default()
        });
        let apples = |state: &State| kept(state).count(item("apple"));
        let done = || Node {
            done: true,
            ..Node::default()
        };
        assert_eq!(apples(&state), 1);
        state.nodes.insert(SubgoalId(1), done());
        assert_eq!(apples(&state), 1, "got, and still to be used");
        state.nodes.insert(SubgoalId(2), done());
        assert_eq!(apples(&state), 0);
    }
}
