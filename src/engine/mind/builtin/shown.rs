//! Shown: what skills show of how a thing is made, as points that a planner goes by.
//!
//! Invariant: what one sighting used and another did without is no requirement: sticks are made of planks or of
//! bamboo, and never of both. Of tools the lowest, of heights the highest that did it is asked for.

use super::learnt::{Point, station, wanted_by};
use pithead_core::domain::check::Check;
use pithead_core::domain::knowledge::inputs::{Flow, tool_of};
use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_core::domain::knowledge::{Remedy, Skill};
use pithead_core::domain::plan::{Subgoal, TaskKind};
use pithead_world::family::ItemSpec;
use pithead_world::item::Tool;

/// Whether a point is something that was seen to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// It is said: by a guardrail, a lesson, a rule or an explanation.
    Not,
    /// By a skill of one step, which holds nothing of what led to the place.
    Step,
    /// By a skill of several.
    Way,
}

/// Takes out of what skills show the inputs of a crafting that another skill did without.
pub(super) fn keep_what_all_show(points: &mut [Point]) {
    let made = |point: &Point| {
        let is_made = matches!(point.kind, Some(TaskKind::Craft | TaskKind::Smelt));
        point
            .target
            .filter(|_| is_made)
            .map(|target| (point.kind, target))
    };
    let skills = shown(points);
    for point in points.iter_mut().filter(|point| point.shown != Shown::Not) {
        let Some((kind, target)) = made(point) else {
            continue;
        };
        let is_same =
            |other: &&Point| made(other).is_some_and(|(k, t)| k == kind && overlaps(t, target));
        let seen: Vec<Vec<ItemSpec>> = skills
            .iter()
            .filter(is_same)
            .flat_map(used_each_time)
            .collect();
        point.remedies.retain(|remedy| match remedy {
            Remedy::Have { item, .. } if station(*item).is_none() => {
                let has = |used: &Vec<ItemSpec>| used.iter().any(|input| overlaps(*input, *item));
                seen.iter().all(has)
            }
            _ => true,
        });
    }
}

/// The things of each sighting of which they are known.
fn used_each_time(point: &Point) -> Vec<Vec<ItemSpec>> {
    let mut seen = point.sightings.clone();
    if seen.is_empty() {
        seen.push(inputs(point).collect());
    }
    seen.retain(|used| !used.is_empty());
    seen
}

/// Of all that skills show of one thing's mining: the lowest tool and the greatest height at which it came; nothing
/// where one skill did without. A better tool or more depth was chance. Skills of one step are silent about heights.
pub(super) fn keep_the_least_that_did(points: &mut [Point]) {
    let skills = shown(points);
    for point in points.iter_mut().filter(|point| point.shown != Shown::Not) {
        let Some(target) = point.target.filter(|_| point.kind == Some(TaskKind::Mine)) else {
            continue;
        };
        let is_same = |other: &&Point| {
            other.kind == point.kind && other.target.is_some_and(|t| overlaps(t, target))
        };
        let same: Vec<&Point> = skills.iter().filter(is_same).collect();
        let ways = same.iter().filter(|point| point.shown == Shown::Way);
        let tool = least(same.iter().copied(), |remedy| match remedy {
            Remedy::Tool { tier, .. } => Some(i32::from(tier.level())),
            _ => None,
        });
        // The greater the height, the less it asks.
        let height = least(ways.copied(), |remedy| match remedy {
            Remedy::GoBelow { y } => Some(-y),
            _ => None,
        });
        let others = point
            .remedies
            .iter()
            .filter(|remedy| !matches!(remedy, Remedy::Tool { .. } | Remedy::GoBelow { .. }));
        let kept = others.cloned().chain(tool).chain(height).collect();
        point.remedies = kept;
    }
}

/// What skills show, as it was before anything was taken out.
fn shown(points: &[Point]) -> Vec<Point> {
    let shown = points.iter().filter(|point| point.shown != Shown::Not);
    shown.cloned().collect()
}

/// The remedy that asks least, if each point has one.
fn least<'a>(
    points: impl Iterator<Item = &'a Point>,
    asks: impl Fn(&Remedy) -> Option<i32>,
) -> Option<Remedy> {
    let of = |point: &Point| {
        let remedies = point.remedies.iter();
        remedies
            .filter_map(|remedy| Some((asks(remedy)?, remedy.clone())))
            .min_by_key(|(asked, _)| *asked)
    };
    let each: Option<Vec<(i32, Remedy)>> = points.map(of).collect();
    let (_, remedy) = each?.into_iter().min_by_key(|(asked, _)| *asked)?;
    Some(remedy)
}

fn inputs(point: &Point) -> impl Iterator<Item = ItemSpec> {
    point.remedies.iter().filter_map(|remedy| match remedy {
        Remedy::Have { item, .. } if station(*item).is_none() => Some(*item),
        _ => None,
    })
}

/// A skill of one step shows what that step used and needed.
pub(super) fn of_skill(skill: &Skill, by: String) -> Option<Point> {
    let [step] = &skill.steps[..] else {
        return None;
    };
    let (pieces, used) = match &skill.flows[..] {
        [flow] => used_by_flow(flow),
        _ => used_by_effects(skill)?,
    };
    // Used items are counted above, for the pieces that were made.
    let needed = wanted_by(&skill.requires)
        .into_iter()
        .filter(|r| !matches!(r, Remedy::Have { item, .. } if station(*item).is_none()));
    Some(Point {
        kind: Some(step.task_kind),
        target: Some(skill.goal),
        region: None,
        pieces: Some(pieces),
        remedies: used.into_iter().chain(needed).collect(),
        shown: Shown::Step,
        sightings: match &skill.flows[..] {
            [flow] => sightings(flow),
            _ => Vec::new(),
        },
        by,
    })
}

/// A skill of several steps is a graph of needs: what each step used and what had to stand there. Order and counts are
/// those of its own task. Of one from elsewhere only the whole is known.
pub(super) fn of_steps(skill: &Skill, by: &str) -> Vec<Point> {
    let steps = skill.steps.iter().zip(&skill.flows).enumerate();
    let points = steps.filter_map(|(at, (step, flow))| {
        let target = step.goal.object?;
        let (pieces, used) = used_by_flow(flow);
        let held = flow.held.iter().filter_map(|item| had(*item));
        // What led to the place of this step came right before it.
        let before = at.checked_sub(1).and_then(|before| skill.steps.get(before));
        let led_to = before.filter(|_| step.task_kind == TaskKind::Mine);
        let height = led_to.and_then(went_below);
        Some(Point {
            kind: Some(step.task_kind),
            target: Some(target),
            region: None,
            pieces: Some(pieces),
            remedies: used.into_iter().chain(held).chain(height).collect(),
            sightings: sightings(flow),
            shown: Shown::Way,
            by: by.to_owned(),
        })
    });
    points.collect()
}

/// What had to be there and stayed, as something to see to.
fn had(item: ItemSpec) -> Option<Remedy> {
    if station(item).is_some() {
        return Some(Remedy::Have { item, count: 1 });
    }
    let Tool { kind, tier, .. } = tool_of(item)?;
    Some(Remedy::Tool { kind, tier })
}

/// The height that a step goes down to.
fn went_below(step: &Subgoal) -> Option<Remedy> {
    let is_move = step.task_kind == TaskKind::Move;
    step.checks
        .iter()
        .filter(|_| is_move)
        .find_map(|check| match check {
            Check::YposLe { y } => Some(Remedy::GoBelow { y: *y }),
            _ => None,
        })
}

/// What was used each time, what all have in common and what varies together.
fn sightings(flow: &Flow) -> Vec<Vec<ItemSpec>> {
    let common: Vec<ItemSpec> = flow.common().used.into_keys().collect();
    let alternatives = flow.alternatives();
    if alternatives.is_empty() {
        return vec![common];
    }
    let with_common =
        |used: Vec<ItemSpec>| used.into_iter().chain(common.iter().copied()).collect();
    let used = alternatives
        .into_iter()
        .map(|inputs| inputs.used.into_keys().collect());
    used.map(with_common).collect()
}

/// What all sightings together took, for the pieces that they made.
fn used_by_flow(flow: &Flow) -> (u32, Vec<Remedy>) {
    let count = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    let common = flow.common();
    // Of what varies, what was seen most: the planner knows what else will do.
    let besides = flow.alternatives().into_iter().next();
    let besides = besides.into_iter().flat_map(|inputs| {
        let made = inputs.made.max(1);
        let share = move |n: u64| n.saturating_mul(common.made).div_ceil(made);
        inputs
            .used
            .into_iter()
            .map(move |(item, n)| (item, share(n)))
    });
    let used = flow.common().used.into_iter().chain(besides);
    let used = used.map(|(item, n)| Remedy::Have {
        item,
        count: count(n),
    });
    (count(common.made), used.collect())
}

/// Of a skill from elsewhere only its effects are known.
fn used_by_effects(skill: &Skill) -> Option<(u32, Vec<Remedy>)> {
    let made = skill
        .effects
        .iter()
        .find(|(item, n)| overlaps(**item, skill.goal) && **n > 0)?;
    let used = skill.effects.iter().filter(|(_, n)| **n < 0);
    let used = used.map(|(item, n)| Remedy::Have {
        item: *item,
        count: u32::try_from(n.unsigned_abs()).unwrap_or(u32::MAX),
    });
    Some((u32::try_from(*made.1).ok()?, used.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_world::item::{Tier, ToolKind};

    fn shows(target: &str, items: &[&str]) -> Point {
        let have = |item: &&str| Remedy::Have {
            item: item.parse().unwrap(),
            count: 2,
        };
        Point {
            kind: Some(TaskKind::Craft),
            target: Some(target.parse().unwrap()),
            region: None,
            pieces: Some(4),
            remedies: items.iter().map(have).collect(),
            sightings: Vec::new(),
            shown: Shown::Way,
            by: "k1.1".to_owned(),
        }
    }

    fn with(point: &Point, shown: Shown) -> Point {
        let point = point.clone();
        Point { shown, ..point }
    }

    fn left(points: &[Point]) -> Vec<usize> {
        let mut points = points.to_vec();
        keep_what_all_show(&mut points);
        points.iter().map(|point| point.remedies.len()).collect()
    }

    #[test]
    fn of_tools_the_lowest_and_of_heights_the_highest_that_did_it_stay() {
        let mined = |tier, y: Option<i32>| {
            let tool = Remedy::Tool {
                kind: ToolKind::Pickaxe,
                tier,
            };
            Point {
                kind: Some(TaskKind::Mine),
                remedies: std::iter::once(tool)
                    .chain(y.map(|y| Remedy::GoBelow { y }))
                    .collect(),
                ..shows("iron_ore", &[])
            }
        };
        let of = |points: &[Point]| {
            let mut points = points.to_vec();
            keep_the_least_that_did(&mut points);
            points.swap_remove(0).remedies
        };
        let (iron, stone) = (mined(Tier::Iron, Some(11)), mined(Tier::Stone, Some(40)));
        let both = [iron.clone(), stone.clone()];
        assert_eq!(of(&both), stone.remedies);
        assert_eq!(
            of(&[iron.clone(), with(&stone, Shown::Not)]),
            iron.remedies,
            "a guardrail is no sighting"
        );
        // One found it higher up without going down, one by hand.
        let (found, by_hand) = (mined(Tier::Iron, None), shows("iron_ore", &[]));
        assert_eq!(of(&[iron.clone(), found.clone()]), found.remedies);
        let by_hand = Point {
            kind: Some(TaskKind::Mine),
            ..by_hand
        };
        // A skill of one step does not know how deep it was.
        let knows = of(&[iron.clone(), with(&found, Shown::Step)]);
        assert_eq!(knows, iron.remedies);
        assert_eq!(of(&[iron, by_hand]), []);
    }

    #[test]
    fn what_another_skill_did_without_is_no_requirement() {
        let planks = shows("stick", &["#planks"]);
        let bamboo = shows("stick", &["bamboo"]);
        assert_eq!(left(&[planks.clone(), bamboo.clone()]), [0, 0]);
        // A guardrail is no sighting, and neither speaks for the other.
        assert_eq!(left(&[planks.clone(), with(&bamboo, Shown::Not)]), [1, 1]);
        let oak = shows("stick", &["oak_planks"]);
        assert_eq!(left(&[planks.clone(), oak]), [1, 1]);
        // One skill that saw both says it by itself.
        let mut seen = shows("stick", &["bamboo"]);
        seen.sightings = ["bamboo", "#planks"]
            .map(|item| vec![item.parse().unwrap()])
            .to_vec();
        assert_eq!(left(&[seen]), [0]);
        // One that knows nothing of its inputs speaks against none, and other products have others.
        let unknown = shows("stick", &[]);
        let torch = shows("torch", &["coal"]);
        assert_eq!(left(&[planks, unknown, torch]), [1, 0, 1]);
    }
}
