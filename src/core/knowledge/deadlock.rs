//! Deadlocks: tasks that failed although every subgoal was done, traced back to what was missing (Eq. 8).
//!
//! Invariant: what is called missing follows from what was seen and from what the body reported; no recipe is read.

use super::post_mortem;
use crate::domain::check::{Check, Place};
use crate::domain::condition::situation::Situation;
use crate::domain::experience::Experience;
use crate::domain::knowledge::pattern::overlaps;
use crate::domain::knowledge::{Pattern, Remedy, TaskGuardrail};
use crate::domain::plan::TaskKind;
use crate::domain::plan::task::Task;
use pithead_world::action::Target;
use pithead_world::block::BlockId;
use pithead_world::family::ItemSpec;
use pithead_world::item::{Tier, ToolKind};

/// From a dead end: all subgoals are done and a check of the task is not true.
#[must_use]
pub fn from_dead_end(
    task: &Task,
    successes: &[Experience],
    failures: &[Experience],
    now: &Situation<'_>,
) -> Option<TaskGuardrail> {
    let unmet = task
        .success
        .iter()
        // The first unmet check: its cause usually explains the others.
        .find(|check| !check.truth(now).is_true())?;
    let steps = match successes.len() {
        1 => "the one step was".to_owned(),
        n => format!("all {n} steps were"),
    };
    let done = format!("{steps} done and {} was not", unmet.describe());
    let (missing, why) = match unmet {
        Check::InvGe { item, count }
        | Check::InvDeltaGe { item, count }
        // Each kind of check has its own remedy; what has none gives no guardrail.
        | Check::CraftedGe { item, count } => of_item((*item, *count), successes, failures)?,
        Check::YposLe { y } => (
            vec![Remedy::GoBelow { y: *y }],
            "nothing led down".to_owned(),
        ),
        Check::YposGe { y } => (vec![Remedy::GoAbove { y: *y }], "nothing led up".to_owned()),
        Check::Near {
            place: Place::Thing(Target::Block(block)),
            ..
        } => {
            let remedy = Remedy::Station { block: *block };
            (vec![remedy], format!("no {block} was put there"))
        }
        // Nothing that a plan could have seen to.
        _ => return None,
    };
    Some(about(task, missing, format!("{done}: {why}")))
}

/// What went wrong with the item, along the steps that made it and used it up.
fn of_item(
    (item, count): (ItemSpec, u32),
    successes: &[Experience],
    failures: &[Experience],
) -> Option<(Vec<Remedy>, String)> {
    // The last maker and the last user: earlier ones were made up for.
    let made = successes.iter().rfind(|e| gained(e, item) > 0);
    let user = successes.iter().rfind(|e| used(e, item) > 0);
    let consumed: u32 = successes.iter().map(|e| used(e, item)).sum();
    if let (Some(maker), Some(user)) = (made, user) {
        // The same things again, for the pieces that the other step took.
        let pieces = gained(maker, item).max(1);
        // Rounded up to whole crafts, for what is needed and what was used up on the way.
        let factor = (count + consumed).div_ceil(pieces);
        let inputs = maker
            .diagnosis
            .delta
            .used
            .iter()
            .map(|(input, n)| Remedy::Have {
                // The family, since the wood or stone at hand is chance.
                item: ItemSpec::family_of(input).unwrap_or(ItemSpec::Item(input)),
                count: n * factor,
            });
        let inputs: Vec<Remedy> = inputs.collect();
        let why = format!("\"{}\" used up {consumed} {item}", user.action.condition);
        return (!inputs.is_empty()).then_some((inputs, why));
    }
    // Never made at all: what its last failed attempt asked for is what it would take.
    let tried = failures
        .iter()
        .rfind(|e| e.action.goal.object.is_some_and(|o| overlaps(o, item)))?;
    let (needs, count) = post_mortem::lacked(tried)?;
    let asked = Remedy::Have { item: needs, count };
    Some((vec![asked], format!("no step made {item}")))
}

fn gained(experience: &Experience, item: ItemSpec) -> u32 {
    let gains = experience.diagnosis.delta.inventory.iter();
    let own = gains.filter(|(gain, n)| **n > 0 && item.matches(**gain));
    own.map(|(_, n)| u32::try_from(*n).unwrap_or(0)).sum()
}

fn used(experience: &Experience, item: ItemSpec) -> u32 {
    let used = experience.diagnosis.delta.used.iter();
    // By overlap: a step that burns any log also burns this one.
    used.filter(|(spent, _)| overlaps(ItemSpec::Item(*spent), item))
        .map(|(_, n)| n)
        .sum()
}

/// The tool that is quicker at the longest of this work, if a better one than was carried is known.
#[must_use]
pub(super) fn quicker_tool(work: &[&Experience]) -> Option<Remedy> {
    // In ticks of world time, from before the step to after it.
    // Waiting is slow by nature and no tool helps it.
    let worked = work.iter().filter(|e| e.action.task_kind != TaskKind::Wait);
    let longest = worked.max_by_key(|e| e.ticks())?;
    let (block, _) = longest
        .diagnosis
        .delta
        .blocks
        .iter()
        // The kind of block broken most is what the time went into.
        .max_by_key(|(_, n)| **n)?;
    let (kind, tier) = better_tool(*block, longest)?;
    Some(Remedy::Tool { kind, tier })
}

/// The next better tool than the best that was carried, for this block.
fn better_tool(block: BlockId, experience: &Experience) -> Option<(ToolKind, Tier)> {
    let kind = block.facts().tool?;
    let tools = experience
        .pre
        .inventory
        .iter()
        .filter_map(|(item, _)| item.facts().tool);
    let best = tools
        .filter(|tool| tool.kind == kind)
        .map(|tool| tool.tier)
        .max_by_key(|t| t.level());
    let tier = match best {
        None => Tier::Wood,
        // Gold is quick and breaks soon, so the next after it is stone.
        Some(Tier::Wood | Tier::Gold) => Tier::Stone,
        Some(Tier::Stone) => Tier::Iron,
        Some(Tier::Iron | Tier::Diamond | Tier::Netherite) => return None,
    };
    Some((kind, tier))
}

/// The guardrail for tasks of this goal.
#[must_use]
pub fn about(task: &Task, missing: Vec<Remedy>, deadlock: String) -> TaskGuardrail {
    TaskGuardrail {
        task: Pattern {
            target: Some(task.goal),
            ..Pattern::default()
        },
        missing,
        deadlock,
        ..TaskGuardrail::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::condition::situation::Situation;
    use crate::domain::samples::experience;

    fn step(n: u64, words: &str, gains: &str, spends: &str) -> Experience {
        let mut e = experience(1, n, "oak_log", true);
        e.action.condition = words.to_owned();
        let gains: pithead_world::counts::Counts = gains.parse().unwrap();
        e.diagnosis.delta.inventory = gains.iter().map(|(i, n)| (i, i64::from(n))).collect();
        e.diagnosis.delta.used = spends.parse().unwrap();
        e
    }

    #[test]
    fn what_a_later_step_used_up_is_to_be_had_twice() {
        let task = Task::parse("get 4 sticks").unwrap();
        let inventory = pithead_world::counts::Counts::default();
        let now = Situation {
            inventory: Some(&inventory),
            ..Situation::default()
        };
        let steps = [
            step(1, "craft 4 stick", "stick=4", "oak_planks=2"),
            step(2, "craft ladders", "ladder=3", "stick=4"),
        ];
        let found = from_dead_end(&task, &steps, &[], &now).unwrap();
        let planks = Remedy::Have {
            item: "#planks".parse().unwrap(),
            count: 4,
        };
        assert_eq!(found.missing, [planks]);
        assert!(
            found.deadlock.contains("craft ladders"),
            "{}",
            found.deadlock
        );
    }

    #[test]
    fn a_long_dig_by_hand_calls_for_a_tool() {
        let mut dig = step(1, "mine 30 dirt", "dirt=30", "");
        dig.diagnosis.delta.blocks = [("dirt".parse().unwrap(), 30)].into();
        dig.post.tick = dig.pre.tick + 900;
        let shovel = Remedy::Tool {
            kind: ToolKind::Shovel,
            tier: Tier::Wood,
        };
        assert_eq!(quicker_tool(&[&dig]), Some(shovel));
    }
}
