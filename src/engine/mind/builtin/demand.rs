//! Demand: how much of what has to be got, in which order, with the ways chosen.
//!
//! Each thing is got once, in full, before anything that needs it. Counts follow the beliefs.

use super::ways::{Amount, COOKING, Knowing, Way, Ways};
use pithead_world::family::ItemSpec;
use pithead_world::natural::Lie;
use std::collections::BTreeMap;

/// Something the plan has to end with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Want {
    pub(super) item: ItemSpec,
    pub(super) count: u32,
    /// What is held already does not count.
    /// As for `CraftedGe` and `InvDeltaGe`, which count from the start of the run.
    pub(super) fresh: bool,
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
}

#[derive(Debug, Clone, Copy, Default)]
struct Need {
    /// The most that is needed at once; it is not used up.
    used: u32,
    held: u32,
    fresh: u32,
}

/// The steps to all that is wanted, in order; or the thing that cannot be had.
pub(super) fn steps(knowing: &Knowing<'_>, wants: &[Want]) -> Result<Vec<Step>, ItemSpec> {
    let goals: Vec<ItemSpec> = wants.iter().map(|want| want.item).collect();
    let mut ways = knowing.ways(&goals);
    // Parts before what needs them; the loop goes through it backwards, from the goals
    // down.
    let order = settle(knowing, &goals, &mut ways)?;
    let mut needs: BTreeMap<ItemSpec, Need> = BTreeMap::new();
    for want in wants {
        let need = needs.entry(want.item).or_default();
        if want.fresh {
            need.fresh += want.count;
        } else {
            need.used += want.count;
        }
    }
    let mut free = knowing.stock.clone();
    let mut steps = Vec::new();
    for item in order.iter().rev() {
        let Need { used, held, fresh } = needs.get(item).copied().unwrap_or_default();
        // Held stock serves first, and each piece only once.
        let taken = free.count(*item).min(used + held);
        free.remove(*item, taken);
        let make = used + held + fresh - taken;
        if make == 0 {
            continue;
        }
        let way = ways.get(item).ok_or(*item)?;
        let step = step(knowing, *item, way, make);
        for (part, count) in &step.uses {
            needs.entry(*part).or_default().used += count;
        }
        for part in knowing.parts(*item, way) {
            if let Amount::Held(count) = part.amount {
                let need = needs.entry(part.item).or_default();
                // The maximum: what stays can serve several steps.
                need.held = need.held.max(count);
            }
        }
        // A picked member has its own step.
        if !matches!(way, Way::Pick(_)) {
            steps.push(step);
        }
    }
    Ok(arrange(steps, &ways))
}

fn step(knowing: &Knowing<'_>, item: ItemSpec, way: &Way, make: u32) -> Step {
    // Whole craftings: the surplus stays in the inventory.
    let batches = match way {
        Way::Craft(recipe) => make.div_ceil(recipe.yields.max(1)),
        _ => make,
    };
    let parts = knowing.parts(item, way);
    let mut uses: BTreeMap<ItemSpec, u32> = BTreeMap::new();
    for part in &parts {
        let count = match part.amount {
            Amount::PerBatch(count) => count * batches,
            Amount::PerPieces { count, pieces } => {
                let share = u64::from(make) * u64::from(count);
                let whole = share.div_ceil(u64::from(pieces.max(1)));
                u32::try_from(whole).unwrap_or(u32::MAX)
            }
            Amount::Burning(_) | Amount::Held(_) => continue,
        };
        // Two bounds on one thing: the greater holds.
        let known = uses.entry(part.item).or_default();
        *known = count.max(*known);
    }
    for part in &parts {
        if let Amount::Burning(ticks) = part.amount {
            let count = (make * COOKING).div_ceil(ticks.max(1));
            let known = uses.entry(part.item).or_default();
            // What is cooked cannot be burnt as well; a bound learnt for the fuel is for the fuel.
            let cooked = matches!(way, Way::Smelt { input, .. } if *input == part.item);
            *known = if cooked {
                *known + count
            } else {
                count.max(*known)
            };
        }
    }
    let held = parts
        .iter()
        .filter(|part| matches!(part.amount, Amount::Held(_)));
    let holds = held.map(|part| part.item).collect();
    Step {
        item,
        way: way.clone(),
        make,
        uses,
        holds,
    }
}

/// Orders all things so that parts come before what they are for. Where both a family and one of
/// its members are needed, the member serves for both, so that no piece is counted twice.
fn settle(
    knowing: &Knowing<'_>,
    goals: &[ItemSpec],
    ways: &mut Ways,
) -> Result<Vec<ItemSpec>, ItemSpec> {
    loop {
        let mut order = Vec::new();
        for goal in goals {
            visit(knowing, ways, *goal, &mut order)?;
        }
        let member_of = |family: &ItemSpec| {
            let ItemSpec::Family(family) = family else {
                return None;
            };
            let members = family.members().iter();
            members
                .copied()
                .find(|member| order.contains(&ItemSpec::Item(*member)))
        };
        let loose = order.iter().find_map(|item| {
            let picked = matches!(ways.get(item), Some(Way::Pick(_)));
            if picked {
                // The family and a member of it are both needed: one kind serves for both.
                None
            } else {
                Some((*item, member_of(item)?))
            }
        });
        match loose {
            // Changed ways change the order, so it is computed anew. Each round picks one
            // family, so the loop ends.
            Some((family, member)) => ways.insert(family, Way::Pick(member)),
            None => return Ok(order),
        };
    }
}

fn visit(
    knowing: &Knowing<'_>,
    ways: &Ways,
    item: ItemSpec,
    order: &mut Vec<ItemSpec>,
) -> Result<(), ItemSpec> {
    if order.contains(&item) {
        return Ok(());
    }
    let Some(way) = ways.get(&item) else {
        return Err(item);
    };
    // No circle is possible: a way costs more than each of its parts.
    for part in knowing.parts(item, way) {
        visit(knowing, ways, part.item, order)?;
    }
    order.push(item);
    Ok(())
}

/// Puts the steps in order: parts first, then what is near before what is deep.
fn arrange(mut left: Vec<Step>, ways: &Ways) -> Vec<Step> {
    let mut done: Vec<Step> = Vec::new();
    while !left.is_empty() {
        let waits =
            |step: &Step| needed_by(step, ways).any(|item| left.iter().any(|s| s.item == item));
        let ready = (0..left.len()).filter(|at| !waits(&left[*at]));
        // Later in the list is nearer to raw material.
        let next = ready.min_by_key(|at| (rank(&left[*at]), std::cmp::Reverse(*at)));
        // A circle cannot happen here either; the last step then keeps the loop going.
        let at = next.unwrap_or(left.len() - 1);
        done.push(left.remove(at));
    }
    done
}

/// What the step needs, with picked members in place of their families.
pub(super) fn needed_by<'a>(step: &'a Step, ways: &'a Ways) -> impl Iterator<Item = ItemSpec> + 'a {
    let parts = step.uses.keys().chain(&step.holds);
    parts.map(|item| match ways.get(item) {
        Some(Way::Pick(member)) => ItemSpec::Item(*member),
        _ => *item,
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
