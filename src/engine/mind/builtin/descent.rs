//! The way down: what is done on it, so that it is gone once and what it gives is used.
//!
//! Digging down breaks more stone than furnaces and tools take, so only the first tool of stone is made above. What lies
//! as well deeper is looked for where the plan digs last. Invariant: the steps make and use the same as before, furnaces and their fuel aside.

use super::beliefs::Beliefs;
use super::demand::Step;
use super::supplies::BLOCKS_PER_LEVEL;
use super::ways::Way;
use pithead_core::domain::knowledge::pattern::within;
use pithead_world::block;
use pithead_world::family::ItemSpec;
use pithead_world::item::ItemId;
use pithead_world::natural::Lie;

/// Furnaces that are lit at once; more take longer to put down and take up than they save.
const FURNACES_MAX: u32 = 4;
/// A way down this short gives too little stone.
const LEVELS_MIN: i32 = 12;
/// The first tool of stone is used so far on the way down, of what it lasts.
const WORN_SHARE: u32 = 3;

/// What comes next in a plan.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Leg {
    Step(Step),
    DownTo(i32),
}

/// The steps in an order that goes down once, from this height.
pub(super) fn legs_down(beliefs: &Beliefs, mut path: Vec<Step>, from: i32) -> Vec<Leg> {
    share_levels(beliefs, &mut path);
    let steps = |path: Vec<Step>| path.into_iter().map(Leg::Step).collect();
    let Some(split) = Split::of(&path, from) else {
        return steps(path);
    };
    light_more_furnaces(&mut path, &split);
    split.apply(path)
}

/// Looks for what lies as well deeper at the depth that a later step goes to anyway.
fn share_levels(beliefs: &Beliefs, path: &mut [Step]) {
    let mut deepest: Option<i32> = None;
    for step in path.iter_mut().rev() {
        let Way::Mine { depth: Some(y), .. } = &mut step.way else {
            continue;
        };
        if beliefs.is_bound_to_land(step.item) {
            continue;
        }
        match deepest {
            Some(deeper) if deeper < *y && beliefs.lies_at(step.item, deeper) => *y = deeper,
            Some(deeper) if deeper <= *y => {}
            _ => deepest = Some(*y),
        }
    }
}

/// Where a plan is parted: the stone for the first better tool is mined above, the rest comes on the way down.
#[derive(Debug)]
struct Split {
    /// Indexes of the steps that mine the stone, make the tool, and mine below first.
    stone: usize,
    tool: usize,
    below: usize,
    /// Pieces of stone in one tool.
    each: u32,
    better: ItemId,
    /// Where the first tool still lasts.
    level: i32,
}

impl Split {
    fn of(path: &[Step], from: i32) -> Option<Self> {
        let is_stone = |step: &Step| {
            matches!(
                step.way,
                Way::Mine {
                    tool: Some(_),
                    lie: Lie::Rock,
                    depth: None,
                    ..
                }
            )
        };
        let stone = path.iter().position(is_stone)?;
        let Way::Mine {
            tool: Some(plain), ..
        } = path[stone].way
        else {
            return None;
        };
        let plain = plain.facts().tool?;
        let is_better = |step: &Step| {
            let tool = step.item.single().and_then(|item| item.facts().tool);
            let better = tool.is_some_and(|t| t.kind == plain.kind && t.tier > plain.tier);
            better && matches!(step.way, Way::Craft(_)) && use_of(step, path[stone].item).is_some()
        };
        let tool = path.iter().position(is_better).filter(|at| *at > stone)?;
        let is_deep = |step: &Step| matches!(step.way, Way::Mine { depth: Some(_), .. });
        let below = path.iter().position(is_deep).filter(|at| *at > tool)?;
        // What is between has to be doable on the way: made of what is carried.
        let is_made = |step: &Step| step.way.is_making();
        if !path[stone + 1..below].iter().all(is_made) {
            return None;
        }
        let Way::Mine { depth: Some(y), .. } = path[below].way else {
            return None;
        };
        let better = path[tool].item.single()?;
        let lasts = better.facts().durability? / BLOCKS_PER_LEVEL;
        let levels = lasts - lasts / WORN_SHARE;
        let level = y.max(from - i32::try_from(levels).unwrap_or(i32::MAX));
        let (_, used) = use_of(&path[tool], path[stone].item)?;
        let each = used.div_ceil(path[tool].make.max(1));
        let has_rest = path[stone].make > each;
        (has_rest && from - level >= LEVELS_MIN).then_some(Self {
            stone,
            tool,
            below,
            each,
            better,
            level,
        })
    }

    fn apply(self, path: Vec<Step>) -> Vec<Leg> {
        let (mut above, mut rest, mut after) = (Vec::new(), Vec::new(), Vec::new());
        for (at, step) in path.into_iter().enumerate() {
            if at == self.stone {
                let mut more = step.clone();
                more.make -= self.each;
                if let Way::Mine { tool, .. } = &mut more.way {
                    *tool = Some(self.better);
                }
                above.push(Leg::Step(Step {
                    make: self.each,
                    ..step
                }));
                rest.push(Leg::Step(more));
            } else if at == self.tool {
                let (first, more) = parted(&step);
                above.push(Leg::Step(first));
                rest.extend(more.map(Leg::Step));
            } else if at < self.stone {
                above.push(Leg::Step(step));
            } else if at < self.below {
                rest.push(Leg::Step(step));
            } else {
                after.push(Leg::Step(step));
            }
        }
        above.push(Leg::DownTo(self.level));
        above.extend(rest);
        above.extend(after);
        above
    }
}

/// How much of a thing a step uses up, and under which name.
fn use_of(step: &Step, of: ItemSpec) -> Option<(ItemSpec, u32)> {
    let mut uses = step.uses.iter();
    let found = uses.find(|(item, _)| within(of, **item));
    found.map(|(item, count)| (*item, *count))
}

/// The making of one piece, and of the others.
fn parted(step: &Step) -> (Step, Option<Step>) {
    let make = step.make.max(1);
    let share = |of: u32| {
        let each = step
            .uses
            .iter()
            .map(|(item, count)| (*item, count.div_ceil(make)));
        let part = |(item, each): (ItemSpec, u32)| {
            let first = each.min(step.uses[&item]);
            (
                item,
                if of == 1 {
                    first
                } else {
                    step.uses[&item] - first
                },
            )
        };
        each.map(part).collect()
    };
    let first = Step {
        make: 1,
        uses: share(1),
        ..step.clone()
    };
    let others = Step {
        make: make - 1,
        uses: share(make),
        ..step.clone()
    };
    (first, (make > 1).then_some(others))
}

/// The stone for them is dug on the way down: so many furnaces as there are pieces to smelt at once, each with its own fuel.
fn light_more_furnaces(path: &mut [Step], split: &Split) {
    let furnace: Option<ItemSpec> = block::FURNACE.item().map(ItemSpec::Item);
    let smelts = |step: &&Step| matches!(step.way, Way::Smelt { furnace: true, .. });
    let most = path.iter().filter(smelts).map(|step| step.make).max();
    let wanted = most.unwrap_or(1).min(FURNACES_MAX);
    let is_furnace = |step: &Step| Some(step.item) == furnace && step.make == 1;
    let Some(at) = path
        .iter()
        .position(is_furnace)
        .filter(|at| *at < split.below)
    else {
        return;
    };
    let Some((stone, each)) = use_of(&path[at], path[split.stone].item) else {
        return;
    };
    if wanted < 2 || !carry_fuel(path) {
        return;
    }
    path[at].make = wanted;
    path[at].uses.insert(stone, each * wanted);
    path[split.stone].make += each * (wanted - 1);
}

/// Raises the planks to one for each piece that is smelted over planks, and the logs for them; false if they come
/// another way.
fn carry_fuel(path: &mut [Step]) -> bool {
    let named = |name: &str| name.parse::<ItemSpec>().ok();
    let (Some(planks), Some(logs)) = (named("#planks"), named("#logs")) else {
        return false;
    };
    // The last ones: an axe may have been made of earlier ones.
    let at = |path: &[Step], item| path.iter().rposition(|step: &Step| step.item == item);
    let (Some(sawn), Some(cut)) = (at(path, planks), at(path, logs)) else {
        return false;
    };
    let mut more = 0;
    for step in path.iter_mut() {
        let Way::Smelt {
            fuel: Some(fuel), ..
        } = step.way
        else {
            continue;
        };
        let burnt = step.uses.entry(fuel).or_default();
        if fuel == planks && *burnt < step.make {
            more += step.make - *burnt;
            *burnt = step.make;
        }
    }
    let Way::Craft(recipe) = &path[sawn].way else {
        return false;
    };
    let yields = recipe.yields.max(1);
    path[sawn].make += more;
    let needed = path[sawn].make.div_ceil(yields);
    let used = path[sawn].uses.insert(logs, needed).unwrap_or(needed);
    path[cut].make += needed.saturating_sub(used);
    true
}
