//! Subgoals: a step of the planner in the words of PlanJSON.
//!
//! Ids are made from what a subgoal is about, so that the same subgoal keeps its id over replans;
//! one that has to be done again after it was finished gets the next free id of its kind.

use super::demand::Step;
use super::places::DIRECTIONS;
use super::ways::Way;
use pithead_core::domain::check::{Check, Place};
use pithead_core::domain::plan::{Executor, Goal, Mode, Subgoal, TaskKind};
use pithead_world::action::Target;
use pithead_world::blueprint::BlueprintName;
use pithead_world::family::{FamilyId, ItemSpec};
use pithead_world::ids::SubgoalId;
use pithead_world::item::ItemId;
use pithead_world::naming::noun;
use pithead_world::natural::Lie;
use pithead_world::space::Pos;

/// Ids of one executor; there are fewer than 2,000 items and families.
/// Executors times ids stay below a round, so ids of two rounds never meet.
const IDS_PER_EXECUTOR: u64 = 2_000;
/// Added when an id is taken.
const IDS_PER_ROUND: u64 = 100_000;

/// The first id, not in `taken`, for this way.
#[must_use]
pub(super) fn id(executor: Executor, about: u64, taken: &[SubgoalId]) -> SubgoalId {
    // One more, because ids begin at 1.
    let base = executor as u64 * IDS_PER_EXECUTOR + about % IDS_PER_EXECUTOR + 1;
    let free = (0..).map(|round| SubgoalId(base + round * IDS_PER_ROUND));
    free.into_iter()
        .find(|id| !taken.contains(id))
        .unwrap_or(SubgoalId(base))
}

/// A number for an item or family.
#[must_use]
pub(super) fn number(item: ItemSpec) -> u64 {
    let at = match item {
        ItemSpec::Item(item) => ItemId::all().position(|other| other == item),
        ItemSpec::Family(family) => FamilyId::all()
            .position(|other| other == family)
            // Families come after all items, so no two share a number.
            .map(|at| at + ItemId::all().len()),
    };
    at.map_or(0, |at| at as u64)
}

/// The subgoal for a step; `held` pieces are at hand before it.
#[must_use]
pub(super) fn of_step(step: &Step, held: u32, taken: &[SubgoalId]) -> Subgoal {
    let Step {
        item,
        way,
        make,
        uses,
        ..
    } = step;
    let (executor, verb) = match way {
        Way::Mine { .. } | Way::Pick(_) => (Executor::Mine, "mine"),
        Way::Attack { .. } => (Executor::Attack, "hunt for"),
        Way::Craft(_) => (Executor::Craft, "craft"),
        Way::Smelt { .. } => (Executor::Smelt, "smelt"),
        Way::OtherWay(other) => (other.executor, other.executor.name()),
    };
    let stays = matches!(way, Way::Craft(_) | Way::Smelt { .. });
    let tool = match way {
        Way::Mine { tool, .. } => tool.map(ItemSpec::Item),
        Way::OtherWay(other) => other.tool,
        _ => None,
    };
    Subgoal {
        id: id(executor, number(*item), taken),
        condition: format!("{verb} {make} {item}"),
        task_kind: way.kind(),
        executor_hint: executor,
        mode: if stays { Mode::Stay } else { Mode::Move },
        timeout_s: timeout_s(way, *make),
        // Absolute, not "so many more": a retry must not make them twice.
        checks: vec![Check::InvGe {
            item: *item,
            count: held + make,
        }],
        needs: Vec::new(),
        parent: None,
        alternatives: None,
        goal: Goal {
            object: Some(*item),
            count: *make,
            material: material(way, uses),
            tool,
            amount: None,
            info: info(way),
        },
        rationale: None,
        follows: Vec::new(),
        asserts: Vec::new(),
        expectation: None,
    }
}

fn material(way: &Way, uses: &std::collections::BTreeMap<ItemSpec, u32>) -> Option<ItemSpec> {
    match way {
        Way::Smelt { fuel, .. } => *fuel,
        Way::Craft(recipe) => recipe.ingredients.first().map(|(item, _)| *item),
        Way::Mine { .. } | Way::Attack { .. } | Way::OtherWay(_) | Way::Pick(_) => {
            uses.keys().next().copied()
        }
    }
}

fn info(way: &Way) -> Option<String> {
    match way {
        Way::Attack { mob } => Some(mob.name().to_owned()),
        Way::Smelt { input, .. } => Some(format!("from {input}")),
        Way::OtherWay(other) => other.on.map(str::to_owned),
        Way::Mine { .. } | Way::Craft(_) | Way::Pick(_) => None,
    }
}

/// Seconds that a patient player would give it.
fn timeout_s(way: &Way, make: u32) -> u32 {
    let (base, each) = match way {
        Way::Mine {
            lie: Lie::Surface,
            common: false,
            ..
        } => (600, 10),
        Way::Mine {
            lie: Lie::Surface, ..
        }
        | Way::Pick(_) => (120, 10),
        Way::Mine { lie: Lie::Rock, .. } => (90, 5),
        Way::Mine { lie: Lie::Deep, .. } => (240, 30),
        Way::Attack { .. } => (300, 60),
        Way::Craft(_) => (40, 2),
        Way::Smelt { .. } => (50, 11),
        Way::OtherWay(other) => other.seconds,
    };
    // A search has a large base, a craft a small one; each piece adds its share.
    (base + each * make).min(TIMEOUT_MAX_S)
}

/// No attempt may take longer than a day of the world.
const TIMEOUT_MAX_S: u32 = 1_200;

/// Going down or up to a height.
#[must_use]
pub(super) fn to_height(executor: Executor, y: i32, from: i32, taken: &[SubgoalId]) -> Subgoal {
    let (verb, check) = match executor {
        Executor::GoUp => ("go up", Check::YposGe { y }),
        _ => ("dig down", Check::YposLe { y }),
    };
    // Per level: digging a step, and stepping.
    let levels = from.abs_diff(y);
    Subgoal {
        timeout_s: 40 + 4 * levels,
        checks: vec![check],
        goal: Goal {
            amount: Some(i64::from(y)),
            ..nothing()
        },
        ..blank(
            executor,
            id(executor, u64::from(y.unsigned_abs()), taken),
            format!("{verb} to y {y}"),
        )
    }
}

/// A direction by its number, and the point to which it leads so many blocks off.
#[must_use]
pub(super) fn point_away(from: Pos, blocks: u32, direction: u64) -> (&'static str, Pos) {
    let far = blocks_with_room(blocks);
    match direction % DIRECTIONS {
        0 => ("east", from.plus(far, 0, 0)),
        1 => ("south", from.plus(0, 0, far)),
        2 => ("west", from.plus(-far, 0, 0)),
        _ => ("north", from.plus(0, 0, -far)),
    }
}

/// Farther than asked by what counts as arrived.
fn blocks_with_room(blocks: u32) -> i32 {
    i32::try_from(blocks.saturating_add(ROOM)).unwrap_or(i32::MAX)
}

/// Leaving a place in search of something: to a point so many blocks off.
#[must_use]
pub(super) fn away(
    item: ItemSpec,
    blocks: u32,
    from: Pos,
    direction: u64,
    taken: &[SubgoalId],
) -> Subgoal {
    let far = blocks_with_room(blocks);
    let (name, at) = point_away(from, blocks, direction);
    let about = number(item) + direction % DIRECTIONS;
    let condition = format!("go {far} blocks {name}, to look for {item} there");
    go_to(item, at, blocks, (about, condition), taken)
}

/// Going back to where the thing was got before.
#[must_use]
pub(super) fn to_place(item: ItemSpec, at: Pos, from: Pos, taken: &[SubgoalId]) -> Subgoal {
    let blocks = from.distance(at).ceil() as u32;
    let far = noun(blocks.into(), "block", "blocks");
    let condition = format!("go {blocks} {far} to {at}, where {item} was got before");
    go_to(item, at, blocks, (number(item), condition), taken)
}

fn go_to(
    item: ItemSpec,
    at: Pos,
    blocks: u32,
    (about, condition): (u64, String),
    taken: &[SubgoalId],
) -> Subgoal {
    Subgoal {
        timeout_s: 60 + 2 * blocks,
        checks: vec![Check::Near {
            place: Place::At(at),
            range: ROOM,
        }],
        goal: Goal {
            object: Some(item),
            info: Some(format!("to {at}")),
            ..nothing()
        },
        ..blank(
            Executor::Approach,
            id(Executor::Approach, about, taken),
            condition,
        )
    }
}

/// How near is near enough to a point that only stands for "elsewhere", blocks.
/// Wide: the point itself means nothing.
const ROOM: u32 = 24;

/// Something small that makes a check of the task true.
#[must_use]
pub(super) fn finish(check: &Check, taken: &[SubgoalId]) -> Option<Subgoal> {
    let (executor, words, goal) = match check {
        Check::Equipped { item } => (
            Executor::Equip,
            format!("hold {item}"),
            Goal {
                object: Some(*item),
                count: 1,
                ..nothing()
            },
        ),
        Check::WorldTime { elapsed, .. } => (
            Executor::Wait,
            "wait".to_owned(),
            Goal {
                amount: elapsed.map(u64::cast_signed),
                ..nothing()
            },
        ),
        Check::Near {
            place: Place::Thing(target),
            ..
        } => {
            let object = match target {
                Target::Source(item) => Some(*item),
                Target::Block(block) => block.item().map(ItemSpec::Item),
                Target::Mob(_) => None,
            };
            let info = Some(target.to_string());
            (
                Executor::Approach,
                format!("find {target}"),
                Goal {
                    object,
                    info,
                    ..nothing()
                },
            )
        }
        // The other checks are reached by getting things.
        _ => return None,
    };
    let about = goal.object.map_or(0, number);
    let kind = if executor == Executor::Equip {
        TaskKind::Use
    } else {
        TaskKind::Move
    };
    let kind = if executor == Executor::Wait {
        TaskKind::Wait
    } else {
        kind
    };
    Some(Subgoal {
        task_kind: kind,
        timeout_s: 240,
        checks: vec![check.clone()],
        goal,
        ..blank(executor, id(executor, about, taken), words)
    })
}

/// Putting up a building by its blueprint.
#[must_use]
pub(super) fn to_build(blueprint: &BlueprintName, taken: &[SubgoalId]) -> Subgoal {
    let letters = blueprint.as_str().bytes();
    let about = letters.fold(0_u64, |sum, letter| {
        (sum * 31 + u64::from(letter)) % IDS_PER_EXECUTOR
    });
    Subgoal {
        task_kind: TaskKind::Use,
        checks: vec![Check::Built {
            blueprint: blueprint.clone(),
        }],
        ..blank(
            Executor::Build,
            id(Executor::Build, about, taken),
            format!("build {blueprint}"),
        )
    }
}

fn nothing() -> Goal {
    Goal {
        object: None,
        count: 0,
        material: None,
        tool: None,
        amount: None,
        info: None,
    }
}

fn blank(executor: Executor, id: SubgoalId, condition: String) -> Subgoal {
    Subgoal {
        id,
        condition,
        task_kind: TaskKind::Move,
        executor_hint: executor,
        mode: Mode::Move,
        timeout_s: 60,
        checks: Vec::new(),
        needs: Vec::new(),
        parent: None,
        alternatives: None,
        goal: nothing(),
        rationale: None,
        follows: Vec::new(),
        asserts: Vec::new(),
        expectation: None,
    }
}
