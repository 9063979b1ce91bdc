//! Scenes: what the horizon predictor knows of a step and of the state in which it would begin.
//!
//! Only what an attempt's own record holds, so that a model is trained on what it is asked about. Invariant: the
//! names of features are stored in models and never change their meaning.

use crate::domain::experience::state_summary::StateSummary;
use crate::domain::plan::{Executor, Subgoal};
use pithead_world::clock::NIGHT;
use pithead_world::drops::blocks_dropping;
use pithead_world::family::ItemSpec;
use pithead_world::mob::mobs_dropping;

/// Height that counts as nothing: the level of the sea.
const SEA: f64 = 63.0;
/// One unit of height.
const LEVELS: f64 = 32.0;

/// The features of a step that would begin in this state.
#[must_use]
pub fn features(state: &StateSummary, step: &Subgoal) -> Vec<(String, f64)> {
    let what = step.executor_hint.name();
    let mut found = vec![(format!("do {what}"), 1.0)];
    let mut add = |name: String, value: f64| found.push((name, value));
    let object = step.goal.object;
    let count = object.map_or(1, |item| {
        let held = state.inventory.count(item);
        step.goal.count.saturating_sub(held).max(1)
    });
    add(format!("count {what}"), f64::from(count).ln());
    let searches = matches!(
        step.executor_hint,
        Executor::Mine | Executor::Attack | Executor::Explore | Executor::Approach | Executor::Use
    );
    let item = object.map(|item| item.name());
    if let Some(item) = item {
        add(format!("{what} {item}"), 1.0);
    }
    if searches && let Some(object) = object {
        let name = object.name();
        match nearest(state, object) {
            Some(blocks) => {
                add(format!("seen {what}"), 1.0);
                add(format!("seen {what} {name}"), 1.0);
                add(format!("blocks {what}"), blocks.ln_1p());
            }
            None => {
                add(format!("unseen {what}"), 1.0);
                add(format!("unseen {what} {name} in {}", state.biome), 1.0);
            }
        }
    }
    let height = (f64::from(state.position.y) - SEA) / LEVELS;
    add(format!("height {what}"), height);
    if let Some(y) = step.goal.amount.filter(|_| object.is_none()) {
        let levels = (y - i64::from(state.position.y)).unsigned_abs();
        add(format!("levels {what}"), (levels as f64).ln_1p());
    }
    if state.underground {
        add(format!("underground {what}"), 1.0);
    }
    if NIGHT.contains(&u64::from(state.time)) {
        add(format!("night {what}"), 1.0);
    }
    if let Some(tool) = step.goal.tool {
        let held = state.inventory.count(tool) > 0;
        add(
            format!("{} {what}", if held { "tool" } else { "no tool" }),
            1.0,
        );
    }
    add("wounds".to_owned(), 1.0 - f64::from(state.health) / 20.0);
    add("hunger".to_owned(), 1.0 - f64::from(state.hunger) / 20.0);
    found
}

/// Blocks to the nearest known source of the item: a mob in sight or a block that was seen.
fn nearest(state: &StateSummary, object: ItemSpec) -> Option<f64> {
    let here = state.position;
    let mobs = mobs_dropping(object);
    let mobs = state
        .mobs
        .iter()
        .filter(|seen| mobs.iter().any(|(kind, _)| *kind == seen.kind))
        .map(|seen| here.distance(seen.at.block()));
    let sources = blocks_dropping(object);
    let blocks = state
        .notable
        .iter()
        .filter(|seen| sources.iter().any(|source| source.block == seen.block))
        .map(|seen| here.distance(seen.at));
    mobs.chain(blocks).min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples;
    use pithead_world::counts::Counts;
    use pithead_world::mob::MobKind;
    use pithead_world::observation::MobSight;
    use pithead_world::space::Point;

    #[test]
    fn what_is_in_sight_and_how_far_is_a_feature() {
        let mut state = StateSummary::holding(Counts::default());
        let mut hunt = samples::subgoal(1, "beef");
        hunt.executor_hint = Executor::Attack;
        let value = |state: &StateSummary, name: &str| {
            let all = features(state, &hunt);
            all.into_iter().find(|(n, _)| n == name).map(|(_, x)| x)
        };
        assert_eq!(value(&state, "unseen attack"), Some(1.0));
        state.mobs = vec![MobSight {
            kind: MobKind::named("cow").unwrap(),
            at: Point::new(3.5, 64.0, 4.5),
        }];
        assert_eq!(value(&state, "unseen attack"), None);
        let blocks = value(&state, "blocks attack").unwrap();
        assert!((blocks - 6.0_f64.ln()).abs() < 1e-9, "{blocks}");
    }
}
