//! Reading one untrusted subgoal, with defaults for what may be left out.

use super::fields::{Field, Object, count, item, text, whole};
use super::graph::Ids;
use super::{PlanFault, checks, note};
use crate::domain::check::{Check, Place};
use crate::domain::plan::note::Note;
use crate::domain::plan::{Executor, Goal, Mode, Subgoal, TaskKind, building, label};
use pithead_world::action::Target;
use pithead_world::blueprint::BlueprintName;
use pithead_world::ids::{KnowledgeId, SubgoalId};
use pithead_world::mob::MobKind;
use pithead_world::smelting::COOK_TICKS;

/// An hour: no attempt is worth more.
pub(in crate::domain::plan) const TIMEOUT_MAX_S: i64 = 3_600;
/// A subgoal may need all others.
const NEEDS_MAX: usize = super::SUBGOALS_MAX;
/// Citations that are read at all, and those that are kept: credit that is shared by more says nothing.
const CITED_MAX: usize = 1_000;
const FOLLOWS_MAX: usize = 16;
const TICKS_PER_S: u32 = 20;

pub(super) fn read_subgoal(
    row: &Field<'_>,
    id: SubgoalId,
    ids: &Ids,
    notes: &mut Vec<Note>,
) -> Result<Subgoal, PlanFault> {
    let mut fields = Object::new(&row.path, row.value)?;
    fields.first(&["subgoal_id", "id"]);
    let task_kind = kind(&mut fields)?;
    let mut checks = checks::read_all(&mut fields, "checks", id, notes)?;
    let (goal, blueprint) = goal(&mut fields, id, &checks, notes)?;
    let builds = |check: &Check| matches!(check, Check::Built { .. });
    if let Some(blueprint) = blueprint.filter(|_| !checks.iter().any(builds)) {
        checks.push(Check::Built { blueprint });
    }
    // A plan without checks is still readable where its goal says what to count.
    if checks.is_empty() {
        checks.push(check_of_goal(&mut fields, task_kind, &goal)?);
    }
    let executor_hint = executor(&mut fields, id, task_kind, &goal, &checks, notes)?;
    let condition = fields
        .text("condition")?
        .filter(|words| !words.trim().is_empty());
    let subgoal = Subgoal {
        id,
        condition: condition.unwrap_or_else(|| label(executor_hint, &goal, &checks)),
        task_kind,
        executor_hint,
        mode: mode(&mut fields)?,
        timeout_s: timeout(&mut fields, task_kind, &goal, &checks)?,
        checks,
        needs: needs(&mut fields, id, ids)?,
        parent: parent(&mut fields, id, ids)?,
        alternatives: fields.text("alternatives")?,
        goal,
        rationale: fields.text("rationale")?,
        follows: follows(&mut fields, id, notes)?,
        asserts: checks::read_all(&mut fields, "asserts", id, notes)?,
        expectation: fields.text("expectation")?,
    };
    fields.report_unknown(Some(id), notes);
    Ok(subgoal)
}

fn kind(fields: &mut Object<'_>) -> Result<TaskKind, PlanFault> {
    let expected = "mine, craft, smelt, use, combat, move or wait";
    // Planners are asked for the hint alone, and the kind follows from it.
    let names = || Executor::ALL.map(Executor::name).join(", ");
    let Some(field) = fields.get("task_kind") else {
        return Err(match fields.get("executor_hint") {
            Some(hint) => hint.fault(&names()),
            None => fields.missing("executor_hint", &names()),
        });
    };
    Ok(match text(&field)?.as_str() {
        // Words that models use for the same kinds; the executor is found from goal and
        // checks.
        "mine" | "gather" | "collect" => TaskKind::Mine,
        "craft" => TaskKind::Craft,
        "smelt" | "cook" => TaskKind::Smelt,
        "use" | "place" | "equip" | "eat" => TaskKind::Use,
        "combat" | "fight" | "kill" => TaskKind::Combat,
        "move" | "navigate" | "explore" => TaskKind::Move,
        "wait" => TaskKind::Wait,
        // Everything else is refused.
        _ => return Err(field.fault(expected)),
    })
}

fn goal(
    fields: &mut Object<'_>,
    id: SubgoalId,
    checks: &[Check],
    notes: &mut Vec<Note>,
) -> Result<(Goal, Option<BlueprintName>), PlanFault> {
    let Some(field) = fields.get("goal") else {
        return Ok((implied_goal(checks), None));
    };
    let mut goal = Object::new(&field.path, field.value)?;
    let blueprint = goal.get("blueprint");
    let blueprint = blueprint.map(|field| checks::blueprint_name(&field));
    let optional_item = |field: Option<Field<'_>>| field.map(|field| item(&field)).transpose();
    let read = Goal {
        object: optional_item(goal.get("object"))?,
        count: goal.get("count").map_or(Ok(1), |field| count(&field))?,
        material: optional_item(goal.get("material"))?,
        tool: optional_item(goal.get("tool"))?,
        amount: goal
            .get("amount")
            .map(|field| whole(&field, i64::MIN, i64::MAX))
            .transpose()?,
        info: goal.text("info")?,
    };
    goal.report_unknown(Some(id), notes);
    Ok((read, blueprint.transpose()?))
}

/// The goal that the first telling check speaks of.
fn implied_goal(checks: &[Check]) -> Goal {
    let none = Goal {
        object: None,
        count: 1,
        material: None,
        tool: None,
        amount: None,
        info: None,
    };
    let tell = |check: &Check| match check {
        Check::InvGe { item, count }
        | Check::InvDeltaGe { item, count }
        | Check::CraftedGe { item, count } => Some(Goal {
            object: Some(*item),
            count: *count,
            ..none.clone()
        }),
        Check::Equipped { item } => Some(Goal {
            object: Some(*item),
            ..none.clone()
        }),
        Check::YposLe { y } | Check::YposGe { y } => Some(Goal {
            amount: Some(i64::from(*y)),
            ..none.clone()
        }),
        Check::WorldTime {
            elapsed: Some(ticks),
            ..
        } => Some(Goal {
            amount: i64::try_from(*ticks).ok(),
            ..none.clone()
        }),
        _ => None, // no other check names what is to be obtained or reached
    };
    checks.iter().find_map(tell).unwrap_or_else(|| none.clone())
}

fn implied_check(kind: TaskKind, goal: &Goal) -> Option<Check> {
    match kind {
        TaskKind::Mine | TaskKind::Craft | TaskKind::Smelt | TaskKind::Combat => {
            Some(Check::InvGe {
                item: goal.object?,
                count: goal.count.max(1),
            })
        }
        TaskKind::Wait => {
            let ticks = goal.amount.and_then(|ticks| u64::try_from(ticks).ok())?;
            Some(Check::WorldTime {
                window: None,
                elapsed: Some(ticks),
            })
        }
        // Neither says by itself what would be true at its end.
        TaskKind::Use | TaskKind::Move => None,
    }
}

/// Blocks within which one stands at what was approached or put down, and at which what was looked for is in sight.
const AT_HAND: u32 = 4;
const IN_SIGHT: u32 = 24;
/// Ticks of the day without monsters, in which nobody can sleep.
const DAYTIME: (u32, u32) = (0, 12_541);

/// The check that goes without saying, where kind and goal leave one reading.
#[must_use]
pub(in crate::domain::plan) fn usual_check(
    executor: Executor,
    kind: TaskKind,
    goal: &Goal,
) -> Option<Check> {
    let height = || goal.amount.and_then(|y| i32::try_from(y).ok());
    let near = |range| {
        let place = Place::Thing(Target::Source(goal.object?));
        Some(Check::Near { place, range })
    };
    match executor {
        Executor::DigDown => height().map(|y| Check::YposLe { y }),
        Executor::GoUp => height().map(|y| Check::YposGe { y }),
        Executor::Equip => goal.object.map(|item| Check::Equipped { item }),
        Executor::Use | Executor::Fish | Executor::Grow | Executor::Trade | Executor::Take => {
            Some(Check::InvGe {
                item: goal.object?,
                count: goal.count.max(1),
            })
        }
        Executor::Explore => near(IN_SIGHT),
        Executor::Approach | Executor::Place => near(AT_HAND),
        Executor::Sleep => Some(Check::WorldTime {
            window: Some(DAYTIME),
            elapsed: None,
        }),
        Executor::Mine
        | Executor::Craft
        | Executor::Smelt
        | Executor::Attack
        | Executor::Wait
        | Executor::Breed
        | Executor::Enchant
        | Executor::Repair
        | Executor::Dye
        | Executor::Put
        | Executor::Build
        | Executor::Eat => implied_check(kind, goal),
    }
}

/// The check of a step that names none.
fn check_of_goal(fields: &mut Object<'_>, kind: TaskKind, goal: &Goal) -> Result<Check, PlanFault> {
    let hint = fields.text("executor_hint")?;
    let named = hint.and_then(|name| Executor::ALL.into_iter().find(|known| known.name() == name));
    let Some(executor) = named else {
        let implied = implied_check(kind, goal);
        return implied.ok_or_else(|| fields.missing("checks", "at least one check"));
    };
    usual_check(executor, kind, goal)
        .or_else(|| mob_in_sight(executor, goal))
        .ok_or_else(|| {
            let name = executor.name();
            fields.missing(
                "checks",
                &format!("a check that says when this `{name}` is done"),
            )
        })
}

/// Who is looked for or gone to, where that is a living thing.
fn mob_in_sight(executor: Executor, goal: &Goal) -> Option<Check> {
    let range = match executor {
        Executor::Explore => IN_SIGHT,
        Executor::Approach => AT_HAND,
        _ => return None, // what else is done to a living thing, its being near does not show
    };
    let mob = goal.info.as_deref().and_then(MobKind::named)?;
    let place = Place::Thing(Target::Mob(mob));
    Some(Check::Near { place, range })
}

fn executor(
    fields: &mut Object<'_>,
    id: SubgoalId,
    kind: TaskKind,
    goal: &Goal,
    checks: &[Check],
    notes: &mut Vec<Note>,
) -> Result<Executor, PlanFault> {
    let usual = usual_executor(kind, goal, checks);
    let Some(field) = fields.get("executor_hint") else {
        return Ok(usual);
    };
    let name = text(&field)?;
    if let Some(known) = Executor::ALL.into_iter().find(|known| known.name() == name) {
        return Ok(known);
    }
    // The paper's executors are other programs; ours with the same task is meant.
    if !matches!(name.as_str(), "stevei" | "mcu_craft" | "mcu_smelt") {
        let text = format!(
            "{} `{name}` is not known here; {} is used.",
            field.path,
            usual.name()
        );
        // Not refused: the step can be done in another way, and the note tells of it.
        notes.push(note(Some(id), &field.path, text));
    }
    Ok(usual)
}

fn usual_executor(kind: TaskKind, goal: &Goal, checks: &[Check]) -> Executor {
    let asks = |question: fn(&Check) -> bool| checks.iter().any(question);
    match kind {
        TaskKind::Mine => Executor::Mine,
        TaskKind::Craft => Executor::Craft,
        TaskKind::Smelt => Executor::Smelt,
        TaskKind::Combat => Executor::Attack,
        TaskKind::Wait => Executor::Wait,
        // A piece to equip shows in its check.
        TaskKind::Use if asks(|check| matches!(check, Check::Equipped { .. })) => Executor::Equip,
        TaskKind::Use if asks(|check| matches!(check, Check::Built { .. })) => Executor::Build,
        TaskKind::Use => {
            let is_food = goal
                .object
                .and_then(|object| object.single())
                .is_some_and(|item| item.facts().food.is_some());
            if is_food {
                Executor::Eat
            } else {
                Executor::Place
            }
        }
        // Where to go shows in the check; without such a check one can only look around.
        TaskKind::Move if asks(|check| matches!(check, Check::YposLe { .. })) => Executor::DigDown,
        TaskKind::Move if asks(|check| matches!(check, Check::YposGe { .. })) => Executor::GoUp,
        TaskKind::Move if asks(|check| matches!(check, Check::Near { .. })) => Executor::Approach,
        TaskKind::Move => Executor::Explore,
    }
}

fn mode(fields: &mut Object<'_>) -> Result<Mode, PlanFault> {
    let Some(field) = fields.get("mode") else {
        return Ok(Mode::default());
    };
    match text(&field)?.as_str() {
        "move" => Ok(Mode::Move),
        "stay" => Ok(Mode::Stay),
        // Everything else is refused.
        _ => Err(field.fault("move or stay")),
    }
}

fn timeout(
    fields: &mut Object<'_>,
    kind: TaskKind,
    goal: &Goal,
    checks: &[Check],
) -> Result<u32, PlanFault> {
    match fields.get("timeout_s") {
        Some(field) => {
            let seconds = whole(&field, 1, TIMEOUT_MAX_S)?;
            Ok(u32::try_from(seconds).unwrap_or(u32::MAX))
        }
        None => Ok(default_timeout_s(kind, goal, checks)),
    }
}

/// Seconds that a body which knows the way needs, with room for a search.
#[must_use]
pub(in crate::domain::plan) fn default_timeout_s(
    kind: TaskKind,
    goal: &Goal,
    checks: &[Check],
) -> u32 {
    if checks
        .iter()
        .any(|check| matches!(check, Check::Built { .. }))
    {
        return building::BUILD_TIMEOUT_S;
    }
    // A stack; more than that gets no more time.
    let count = goal.count.min(64);
    match kind {
        TaskKind::Mine => 120 + 15 * count,
        TaskKind::Craft => 40,
        TaskKind::Smelt => 40 + count * (COOK_TICKS / TICKS_PER_S + 1),
        TaskKind::Use => 30,
        TaskKind::Combat => 120,
        TaskKind::Move => 180,
        TaskKind::Wait => {
            let ticks = goal
                .amount
                .and_then(|ticks| u32::try_from(ticks).ok())
                .unwrap_or(0);
            // Ten seconds more than the wait itself.
            (ticks / TICKS_PER_S + 10).min(TIMEOUT_MAX_S as u32)
        }
    }
}

fn needs(fields: &mut Object<'_>, id: SubgoalId, ids: &Ids) -> Result<Vec<SubgoalId>, PlanFault> {
    let mut needs = Vec::new();
    for field in fields.array("needs", 0, NEEDS_MAX)? {
        let meant = ids.meant(&field)?;
        // A step that needs itself could never begin.
        if meant == id {
            return Err(field.fault("another subgoal"));
        }
        needs.push(meant);
    }
    Ok(needs)
}

/// What it cites. A wrong citation takes nothing from the step, so it is noted and left out.
fn follows(
    fields: &mut Object<'_>,
    id: SubgoalId,
    notes: &mut Vec<Note>,
) -> Result<Vec<KnowledgeId>, PlanFault> {
    let mut cited = Vec::new();
    for field in fields.array("follows", 0, CITED_MAX)? {
        match text(&field)?.parse() {
            Ok(entry) => cited.push(entry),
            Err(fault) => notes.push(note(
                Some(id),
                &field.path,
                format!("{}: {fault}; it is not used.", field.path),
            )),
        }
    }
    cited.sort_unstable();
    cited.dedup();
    if cited.len() > FOLLOWS_MAX {
        let text = format!(
            "follows: {} entries; the first {FOLLOWS_MAX} are used.",
            cited.len()
        );
        notes.push(note(Some(id), "follows", text));
        cited.truncate(FOLLOWS_MAX);
    }
    Ok(cited)
}

fn parent(
    fields: &mut Object<'_>,
    id: SubgoalId,
    ids: &Ids,
) -> Result<Option<SubgoalId>, PlanFault> {
    let Some(field) = fields.get("parent") else {
        return Ok(None);
    };
    match ids.meant(&field)? {
        meant if meant == id => Err(field.fault("another subgoal")),
        meant => Ok(Some(meant)),
    }
}
