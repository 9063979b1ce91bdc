//! Executors: the action that carries out a subgoal as things stand.
//!
//! Invariant: a subgoal that no action can carry out gives a reason, never a guess.

use crate::domain::check::{Check, Place};
use crate::domain::plan::task::Task;
use crate::domain::plan::{Executor, Subgoal};
use pithead_world::action::{Action, Target};
use pithead_world::block::BlockId;
use pithead_world::blueprint::{Blueprint, BlueprintName};
use pithead_world::family::ItemSpec;
use pithead_world::mob::{MobKind, mobs_dropping};
use pithead_world::observation::Frame;

/// Blocks at which something approached counts as reached: near enough to use or to hit it.
const REACH: u32 = 3;

/// The order for one attempt, or why there is none; the task knows the operator's blueprints.
pub(super) fn order_for(subgoal: &Subgoal, frame: &Frame, task: &Task) -> Result<Action, String> {
    let object = || {
        let missing = format!("{} needs a goal with an object", subgoal.condition);
        subgoal.goal.object.ok_or(missing)
    };
    let counted = |make: fn(ItemSpec, u32) -> Action| -> Result<Action, String> {
        Ok(make(object()?, count_missing(subgoal, frame)?))
    };
    Ok(match subgoal.executor_hint {
        Executor::Mine => counted(|item, count| Action::Mine { item, count })?,
        Executor::Craft => counted(Action::craft)?,
        Executor::Smelt => Action::smelt(
            object()?,
            count_missing(subgoal, frame)?,
            subgoal.goal.material,
        ),
        Executor::Equip => Action::Equip { item: object()? },
        Executor::Place => Action::Place {
            item: object()?,
            at: None,
        },
        Executor::Use => Action::Use {
            item: subgoal.goal.tool,
            on: target_by_name(subgoal)?,
            gain: subgoal.goal.object,
            count: count_missing(subgoal, frame)?,
        },
        Executor::Fish => counted(|item, count| Action::Fish { item, count })?,
        Executor::Grow => counted(|item, count| Action::Grow { item, count })?,
        Executor::Breed => Action::Breed {
            mob: wanted_mob(subgoal)?,
        },
        Executor::Trade => counted(|item, count| Action::Trade { item, count })?,
        Executor::Enchant => Action::Enchant { item: object()? },
        Executor::Repair => Action::Repair { item: object()? },
        Executor::Dye => Action::Dye {
            item: object()?,
            dye: dye_item(subgoal)?,
        },
        Executor::Take => counted(|item, count| Action::Take { item, count })?,
        Executor::Put => Action::Put {
            item: object()?,
            count: subgoal.goal.count.max(1),
        },
        Executor::Sleep => Action::Sleep,
        Executor::Build => build_order(subgoal, task)?,
        Executor::Eat => Action::Eat,
        Executor::Attack => Action::Attack {
            mob: wanted_mob(subgoal)?,
            gain: subgoal.goal.object,
            count: count_missing(subgoal, frame)?,
            also: Vec::new(),
        },
        Executor::Explore => Action::Explore {
            targets: vec![sought_target(subgoal)?],
        },
        Executor::Approach => approach_order(subgoal)?,
        Executor::DigDown => Action::dig_down(goal_height(subgoal)?),
        Executor::GoUp => Action::GoUp {
            y: goal_height(subgoal)?,
        },
        Executor::Wait => Action::Wait {
            ticks: goal_amount(subgoal)?.clamp(1, 24_000).unsigned_abs() as u32,
        },
    })
}

/// By its blueprint, or one block as `place` puts it down, at a spot that fits.
fn build_order(subgoal: &Subgoal, task: &Task) -> Result<Action, String> {
    if let Some(name) = subgoal.blueprint() {
        return known_blueprint(name, task).map(Action::build_by);
    }
    let missing = || {
        format!(
            "{} names neither a blueprint nor a block",
            subgoal.condition
        )
    };
    Ok(Action::Build {
        blocks: vec![(subgoal.goal.object.ok_or_else(missing)?, [0, 0, 0])],
        clear: Vec::new(),
        blueprint: None,
    })
}

/// The blueprint of a name that a step gives.
fn known_blueprint<'a>(name: &BlueprintName, task: &'a Task) -> Result<&'a Blueprint, String> {
    let unknown = || Blueprint::unknown(name.as_str(), &task.blueprints).to_string();
    task.blueprint(name).ok_or_else(unknown)
}

/// What the subgoal does not say and its executor cannot do without.
pub(super) fn missing_target(subgoal: &Subgoal, task: &Task) -> Option<String> {
    match subgoal.executor_hint {
        Executor::Build => {
            let name = subgoal.blueprint()?;
            known_blueprint(name, task).err()
        }
        Executor::Explore => sought_target(subgoal).err(),
        Executor::Approach => approach_order(subgoal).err(),
        Executor::Attack | Executor::Breed => wanted_mob(subgoal).err(),
        Executor::Use => target_by_name(subgoal).err(),
        Executor::DigDown | Executor::GoUp => goal_height(subgoal).err(),
        Executor::Wait => goal_amount(subgoal).err(),
        _ => None, // the others need an object, or nothing
    }
}

/// How many more of the object are needed before the checks can be true.
fn count_missing(subgoal: &Subgoal, frame: &Frame) -> Result<u32, String> {
    let wanted = subgoal.checks.iter().find_map(|check| match check {
        Check::InvGe { item, count } if Some(*item) == subgoal.goal.object => {
            Some(count.saturating_sub(frame.inventory.count(*item)))
        }
        Check::InvDeltaGe { count, .. } | Check::CraftedGe { count, .. } => Some(*count),
        _ => None,
    });
    match wanted.unwrap_or(subgoal.goal.count) {
        0 => Err(format!("{} asks for a count of zero", subgoal.condition)),
        count => Ok(count),
    }
}

fn goal_amount(subgoal: &Subgoal) -> Result<i64, String> {
    subgoal
        .goal
        .amount
        .ok_or_else(|| format!("{} needs goal.amount", subgoal.condition))
}

/// The height asked for: by a check, or by the goal's amount.
fn goal_height(subgoal: &Subgoal) -> Result<i32, String> {
    let checked = subgoal.checks.iter().find_map(|check| match check {
        Check::YposLe { y } | Check::YposGe { y } => Some(*y),
        _ => None,
    });
    let asked = || goal_amount(subgoal).map(|y| y.clamp(-64, 320) as i32);
    checked.map_or_else(asked, Ok)
}

fn sought_target(subgoal: &Subgoal) -> Result<Target, String> {
    let near = subgoal.checks.iter().find_map(|check| match check {
        Check::Near {
            place: Place::Thing(target),
            ..
        } => Some(target.clone()),
        _ => None,
    });
    let source = subgoal.goal.object.map(Target::Source);
    near.or(source)
        .ok_or_else(|| format!("{} does not name what to look for", subgoal.condition))
}

/// What `goal.info` names: a living thing or a block.
fn target_by_name(subgoal: &Subgoal) -> Result<Target, String> {
    let name = subgoal.goal.info.as_deref().unwrap_or_default();
    let mob = MobKind::named(name).map(Target::Mob);
    mob.or_else(|| BlockId::named(name).map(Target::Block))
        .ok_or_else(|| {
            format!(
                "{} does not name in goal.info what to use it on",
                subgoal.condition
            )
        })
}

/// To a place if a check names one, else to the nearest of the things sought.
fn approach_order(subgoal: &Subgoal) -> Result<Action, String> {
    let place = subgoal.checks.iter().find_map(|check| match check {
        Check::Near {
            place: Place::At(at),
            range,
        } => Some((*at, *range)),
        _ => None,
    });
    Ok(match place {
        Some((at, range)) => Action::Goto { at, range },
        None => Action::Approach {
            target: sought_target(subgoal)?,
            range: REACH,
        },
    })
}

/// What a thing is dyed with.
fn dye_item(subgoal: &Subgoal) -> Result<ItemSpec, String> {
    let missing = || format!("{} names no dye in goal.material", subgoal.condition);
    subgoal.goal.material.ok_or_else(missing)
}

/// The mob to hunt or to breed: named by `goal.info`, else as any mob.
pub(super) fn wanted_mob(subgoal: &Subgoal) -> Result<MobKind, String> {
    let named = subgoal.goal.info.as_deref().and_then(MobKind::named);
    named.map_or_else(|| named_mob(subgoal), Ok)
}

/// The mob that a check names, else the first that drops the object.
fn named_mob(subgoal: &Subgoal) -> Result<MobKind, String> {
    if let Ok(Target::Mob(mob)) = sought_target(subgoal) {
        return Ok(mob);
    }
    let drops = |item: ItemSpec| mobs_dropping(item).first().map(|(mob, _)| *mob);
    subgoal
        .goal
        .object
        .and_then(drops)
        .ok_or_else(|| format!("{} names no living thing", subgoal.condition))
}
