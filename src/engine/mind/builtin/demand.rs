//! Demand: how much of what has to be got, in which order, with the ways chosen.
//!
//! Each thing is got in full before anything that needs it. Counts follow the beliefs.

use super::beliefs::Beliefs;
use super::cost::Cost;
use super::graph::WayGraph;
use super::price::UNWANTED;
use super::search::{Draw, Need, NeedKind, Reach, Search};
use super::ways::{Knowing, Part, Way, is_scattered};
use pithead_core::domain::check::Check;
use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_core::domain::plan::task::Task;
use pithead_world::family::ItemSpec;
use pithead_world::natural::Lie;
use std::collections::BTreeMap;

/// A wooden sword takes two logs and saves seven blows and a chase for each animal.
const MANY: u32 = 4;
/// A piece of what lies scattered takes 4,500 ticks to find; to buy any number, with the way to a village and the price,
/// takes three times that.
const MANY_SCATTERED: u32 = 4;

/// Something the plan has to end with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Want {
    pub(super) item: ItemSpec,
    pub(super) count: u32,
    /// What is held already does not count.
    /// As for `CraftedGe` and `InvDeltaGe`, which count from the start of the run.
    pub(super) fresh: bool,
}

/// What the checks of a task ask to be got.
pub(super) fn wants_of(task: &Task) -> Vec<Want> {
    let mut wants: Vec<Want> = Vec::new();
    for check in &task.success {
        let (item, count, fresh) = match check {
            Check::InvGe { item, count } => (*item, *count, false),
            // Crafted or gained since the start: what is held does not count.
            Check::InvDeltaGe { item, count } | Check::CraftedGe { item, count } => {
                (*item, *count, true)
            }
            Check::Equipped { item } => (*item, 1, false),
            _ => continue,
        };
        match wants.iter_mut().find(|want| want.item == item) {
            Some(want) => {
                want.count = want.count.max(count);
                want.fresh |= fresh;
            }
            None => wants.push(Want { item, count, fresh }),
        }
    }
    wants
}

/// Getting one thing.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    pub(super) item: ItemSpec,
    pub(super) way: Way,
    pub(super) make: u32,
    /// Used up, by thing.
    pub(super) uses: BTreeMap<ItemSpec, u32>,
    /// Has to be there.
    pub(super) holds: Vec<ItemSpec>,
    /// Is carried and has to be there, and is used up by a later step.
    pub(super) keeps: Vec<ItemSpec>,
    /// What it costs besides its parts, in the unit of `price`.
    pub(super) price: u64,
}

/// The steps to all that is wanted, in order; or the thing that cannot be had.
pub(super) fn steps(knowing: &Knowing<'_>, wants: &[Want]) -> Result<Vec<Step>, ItemSpec> {
    let goals: Vec<(ItemSpec, u32)> = wants.iter().map(|want| (want.item, want.count)).collect();
    let graph = WayGraph::to(knowing, &goals);
    let needs = |want: &Want| {
        let kind = if want.fresh {
            NeedKind::Fresh
        } else {
            NeedKind::Used
        };
        Some(Need {
            thing: graph.number(want.item)?,
            count: want.count,
            kind,
        })
    };
    let needs: Vec<Need> = wants.iter().filter_map(needs).collect();
    let cannot = |costs: &[Option<Cost>]| {
        let is_lacking = |need: &&Need| {
            let held = knowing.stock.count(graph.things[need.thing].item);
            costs[need.thing].is_none() && (need.kind == NeedKind::Fresh || held < need.count)
        };
        needs.iter().find(is_lacking).map(|need| need.thing)
    };
    let mut lacking = needs.first().map(|need| need.thing);
    // What can be made of what is held needs no search outside.
    for reach in [Reach::Stock, Reach::WholeStock, Reach::World] {
        let costs = graph.costs(reach);
        if let Some(thing) = cannot(&costs) {
            lacking = Some(thing);
            continue;
        }
        let mut search = Search::new(&graph, &costs, reach);
        let draw = search.run(knowing.stock, needs.clone());
        let is_fine = |draw: &Draw| reach == Reach::World || search.price_of(draw) < UNWANTED;
        let steps = draw
            .filter(is_fine)
            .map(|draw| in_order(&graph, &needs, &draw, reach));
        if let Some(mut steps) = steps.flatten() {
            lose_track(knowing, &mut steps);
            return Ok(steps);
        }
    }
    lacking.map_or(Ok(Vec::new()), |thing| Err(graph.things[thing].item))
}

/// The steps of what was decided, parts before what they are for; none if each waits for another.
fn in_order(graph: &WayGraph, needs: &[Need], draw: &Draw, reach: Reach) -> Option<Vec<Step>> {
    let mut order = Vec::new();
    for need in needs {
        visit(graph, draw, need.thing, &mut order);
    }
    let mut picked = Picked::new();
    let mut steps = Vec::new();
    for thing in order.iter().rev() {
        for made in draw.made.iter().filter(|made| made.thing == *thing) {
            let item = graph.things[made.thing].item;
            let candidate = &graph.things[made.thing].links[made.link].candidate;
            match &candidate.way {
                // A picked member has its own step.
                Way::Pick(member) => picked.entry(item).or_default().push((*member).into()),
                way => steps.push(Step {
                    item,
                    way: way.clone(),
                    make: made.pieces,
                    uses: candidate.uses(made.pieces),
                    holds: held(&candidate.parts),
                    keeps: match reach {
                        Reach::WholeStock => held(&candidate.keeps),
                        Reach::Stock | Reach::World => Vec::new(),
                    },
                    price: candidate.own_for(0, made.pieces),
                }),
            }
        }
    }
    arrange(steps, &picked)
}

/// Takes from what several steps use up the share of the last one that the ask does not tell of, where
/// the planner loses track of it.
fn lose_track(knowing: &Knowing<'_>, steps: &mut [Step]) {
    for at in 0..steps.len() {
        let item = steps[at].item;
        let users = || steps[at..].iter().filter(|step| share(step, item) > 0);
        if users().count() < 2 || !knowing.beliefs.loses_track_of(item) {
            continue;
        }
        let is_told = |user: &&Step| {
            let floors = knowing.learnt.floors(user.way.kind(), user.item);
            floors.iter().any(|floor| overlaps(floor.item, item))
        };
        let forgotten = users().rfind(|user| !is_told(user));
        let lost = forgotten.map_or(0, |user| share(user, item));
        steps[at].make = steps[at].make.saturating_sub(lost).max(1);
    }
}

/// How much of it the step uses up.
fn share(step: &Step, item: ItemSpec) -> u32 {
    let uses = step.uses.iter();
    uses.filter(|(used, _)| overlaps(**used, item))
        .map(|(_, count)| count)
        .sum()
}

fn held(parts: &[Part]) -> Vec<ItemSpec> {
    let held = parts.iter().filter_map(Part::held_count);
    held.map(|(item, _)| item).collect()
}

/// The members chosen for a family.
type Picked = BTreeMap<ItemSpec, Vec<ItemSpec>>;

fn visit(graph: &WayGraph, draw: &Draw, thing: usize, order: &mut Vec<usize>) {
    if order.contains(&thing) {
        return;
    }
    let made = draw.made.iter().filter(|made| made.thing == thing);
    // No circle is possible: nothing is made of itself.
    for made in made {
        let candidate = &graph.things[thing].links[made.link].candidate;
        for part in &candidate.parts {
            if let Some(part) = graph.number(part.item) {
                visit(graph, draw, part, order);
            }
        }
    }
    order.push(thing);
}

/// Puts the steps in order: parts first, then what is near before what is deep; none if each waits for another.
fn arrange(mut left: Vec<Step>, picked: &Picked) -> Option<Vec<Step>> {
    let mut done: Vec<Step> = Vec::new();
    while !left.is_empty() {
        let waits = |step: &Step| {
            // What is burnt at the end is needed until then.
            let is_needed =
                |other: &Step| other.keeps.iter().any(|kept| step.uses.contains_key(kept));
            left.iter().any(|other| other != step && is_needed(other))
                || needed_by(step, picked).any(|item| left.iter().any(|s| s.item == item))
        };
        let ready = (0..left.len()).filter(|at| !waits(&left[*at]));
        // Later in the list is nearer to raw material.
        let next = ready.min_by_key(|at| (rank(&left[*at]), std::cmp::Reverse(*at)))?;
        done.push(left.remove(next));
    }
    Some(done)
}

/// What the step needs, with the members picked for families.
fn needed_by<'a>(step: &'a Step, picked: &'a Picked) -> impl Iterator<Item = ItemSpec> + 'a {
    let parts = step.uses.keys().chain(&step.holds);
    parts.flat_map(|item| {
        let members = picked.get(item).map_or(&[][..], Vec::as_slice);
        std::iter::once(*item).chain(members.iter().copied())
    })
}

fn rank(step: &Step) -> (u8, i32) {
    match &step.way {
        Way::OtherWay(other) if other.is_on_the_spot() => (1, 0),
        Way::Mine {
            lie: Lie::Surface, ..
        }
        | Way::Attack { .. }
        | Way::OtherWay(_) => (0, 0),
        Way::Craft(_) | Way::Smelt { .. } | Way::Pick(_) => (1, 0),
        Way::Mine { depth: None, .. } => (2, 0),
        // Shallow before deep: the body goes down once.
        Way::Mine { depth: Some(y), .. } => (3, -y),
    }
}

/// So many pieces of prey that a sword for it is worth its wood.
pub(super) fn hunts_many(step: &Step) -> bool {
    matches!(step.way, Way::Attack { .. }) && step.make >= MANY
}

/// So many pieces of what lies scattered that villagers have them sooner.
pub(super) fn digs_many_scattered(beliefs: &Beliefs, step: &Step) -> bool {
    let digs = matches!(step.way, Way::Mine { .. }) && step.make >= MANY_SCATTERED;
    digs && is_scattered(beliefs, step.item)
}

/// It leads away from here.
pub(super) fn wanders(step: &Step) -> bool {
    match &step.way {
        Way::Mine { .. } | Way::Attack { .. } => true,
        Way::OtherWay(other) => !other.is_on_the_spot(),
        Way::Craft(_) | Way::Smelt { .. } | Way::Pick(_) => false,
    }
}
