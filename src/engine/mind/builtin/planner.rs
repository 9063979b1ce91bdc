//! The planner: from what the task wants back to what lies about, over beliefs and the ask.
//!
//! Invariant: same beliefs, same ask, same plan; nothing but these two is looked at.

use super::beliefs::Beliefs;
use super::demand::{Step, Want, steps};
use super::evidence::bound_time;
use super::learnt::Learnt;
use super::price::hunts_the_rare;
use super::requests::Requests;
use super::skills;
use super::subgoals;
use super::ways::{Knowing, Way};
use pithead_core::domain::check::Check;
use pithead_core::domain::knowledge::pattern::within;
use pithead_core::domain::mind::ask::PlanAsk;
use pithead_core::domain::plan::{Executor, Plan, Subgoal};
use pithead_world::block;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::ids::SubgoalId;
use pithead_world::natural::Lie;
use std::collections::BTreeMap;

/// A station in sight serves if it is within so many blocks.
const STATION_NEAR: f64 = 6.0;
/// Where trees and animals are: at least the level of the sea.
const SURFACE_Y: i32 = 63;
/// Lower than this and under a roof, the way to trees leads up.
/// Between this and the sea a body may stand in a valley.
const CLEARLY_BELOW: i32 = 56;

/// The plan for what is left to do, or why there is none.
pub(super) fn plan(beliefs: &Beliefs, ask: &PlanAsk) -> Result<Plan, String> {
    let learnt = Learnt::from(ask);
    let requests = Requests::from_reasons(&ask.vetoes);
    let mut made = match attempt(beliefs, ask, &learnt, &requests) {
        Ok(plan) if !hunts_the_rare(beliefs, &plan) => plan,
        // Something learnt cannot be followed: it is left out, not the whole plan.
        Ok(_) | Err(_) => following_what_one_can(beliefs, ask, &learnt, &requests)
            .map_err(|item| impossible(beliefs, ask, item))?,
    };
    // The last veto is the one that this plan must answer.
    if let Some(reason) = ask.vetoes.last() {
        // The operator must be able to tell whether the words had an effect.
        let other = requests.is_empty()
            || attempt(beliefs, ask, &learnt, &Requests::default())
                .is_ok_and(|plain| same(&plain, &made));
        let word = if other {
            "no other way is known"
        } else {
            "planned otherwise"
        };
        if let Some(first) = made.subgoals.first_mut() {
            let said = format!("the operator vetoed: \"{reason}\"; {word}");
            let before = first
                .rationale
                .take()
                .map_or(String::new(), |r| format!("; {r}"));
            first.rationale = Some(said + &before);
        }
    }
    if let Some(capsule) = &ask.capsule {
        made.global_constraints
            .extend(capsule.constraints.iter().map(|c| c.text.clone()));
    }
    Ok(made)
}

/// Advice that cannot be followed is passed over, and only that: what else was learnt still holds.
/// What asks of a thing the thing itself is never followed; of the rest the latest word counts first.
fn following_what_one_can(
    beliefs: &Beliefs,
    ask: &PlanAsk,
    learnt: &Learnt,
    requests: &Requests,
) -> Result<Plan, ItemSpec> {
    let mut kept = Learnt::default();
    let mut made = attempt(beliefs, ask, &kept, requests)?;
    // From the latest back: newer lessons know more.
    for at in (0..learnt.len()).rev() {
        if is_circle(beliefs, ask, (learnt, at), requests) {
            continue;
        }
        let more = kept.with(learnt, at);
        if let Ok(better) = attempt(beliefs, ask, &more, requests)
            && (hunts_the_rare(beliefs, &made) || !hunts_the_rare(beliefs, &better))
        {
            (kept, made) = (more, better);
        }
    }
    Ok(made)
}

/// Advice by which its own target cannot be had any more, whatever else is done.
fn is_circle(
    beliefs: &Beliefs,
    ask: &PlanAsk,
    (learnt, at): (&Learnt, usize),
    requests: &Requests,
) -> bool {
    let Some(target) = learnt.target(at) else {
        return false;
    };
    let alone = Learnt::default().with(learnt, at);
    let can = |learnt: &Learnt| {
        let draft = Draft::new(beliefs, ask, learnt, requests);
        let ways = draft.knowing(&ask.state.inventory).ways(&[target]);
        ways.contains_key(&target)
    };
    // Possible without the advice and impossible with it alone.
    can(&Learnt::default()) && !can(&alone)
}

fn impossible(beliefs: &Beliefs, ask: &PlanAsk, item: ItemSpec) -> String {
    let (learnt, requests) = (Learnt::default(), Requests::default());
    let draft = Draft::new(beliefs, ask, &learnt, &requests);
    let item = draft.knowing(&ask.state.inventory).obstacle(item);
    if item == ask.task.goal {
        format!("no way is known to get {item} from nature, animals, fields, crafting or smelting")
    } else {
        format!(
            "{} takes {item}, and no way is known to get that",
            ask.task.goal
        )
    }
}

fn same(a: &Plan, b: &Plan) -> bool {
    let other_ways = |plan: &Plan| -> Vec<(String, Option<ItemSpec>)> {
        plan.subgoals
            .iter()
            .map(|s| (s.condition.clone(), s.goal.material))
            .collect()
    };
    other_ways(a) == other_ways(b)
}

fn attempt(
    beliefs: &Beliefs,
    ask: &PlanAsk,
    learnt: &Learnt,
    requests: &Requests,
) -> Result<Plan, ItemSpec> {
    let drafted = |begin: Begin| {
        let mut draft = Draft::new(beliefs, ask, learnt, requests);
        if begin == Begin::WithSkill {
            draft.begin_with_skill()?;
        }
        draft.reach_all()?;
        Ok(draft.subgoals)
    };
    // Skills begin only a first plan: later ones have steps that are done already.
    let fresh = ask.done.is_empty() && ask.lessons.is_empty() && ask.rejected.is_none();
    let plain = drafted(Begin::Plainly);
    // With requests too: a skill knows nothing of them.
    let subgoals = if fresh && requests.is_empty() {
        on_the_way(drafted(Begin::WithSkill)?, plain)
    } else {
        plain?
    };
    Ok(Plan {
        plan_id: format!("plan-{}", ask.nonce),
        subgoals,
        global_constraints: Vec::new(),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Begin {
    Plainly,
    WithSkill,
}

/// The plan that begins with a skill, unless the rest of it has to climb back to what the plain plan
/// takes along from the start: wood for spare tools, after a skill that led below ground.
fn on_the_way(begun: Vec<Subgoal>, plain: Result<Vec<Subgoal>, ItemSpec>) -> Vec<Subgoal> {
    let climbs = |steps: &[Subgoal]| {
        let up = |step: &&Subgoal| step.executor_hint == Executor::GoUp;
        steps.iter().filter(up).count()
    };
    match plain {
        // Fewer climbs mean less digging up and down.
        Ok(plain) if climbs(&plain) < climbs(&begun) => plain,
        Ok(_) | Err(_) => begun,
    }
}

/// A plan in the making, and what will be at hand when it is carried out so far.
struct Draft<'a> {
    beliefs: &'a Beliefs,
    ask: &'a PlanAsk,
    learnt: &'a Learnt,
    requests: &'a Requests,
    /// What will be held when the steps so far are done.
    stock: Stock,
    /// The height at which the body will be.
    y: i32,
    /// Ids in use, done ones included.
    taken: Vec<SubgoalId>,
    subgoals: Vec<Subgoal>,
}

impl<'a> Draft<'a> {
    fn new(
        beliefs: &'a Beliefs,
        ask: &'a PlanAsk,
        learnt: &'a Learnt,
        requests: &'a Requests,
    ) -> Self {
        Self {
            beliefs,
            ask,
            learnt,
            requests,
            stock: Stock::of(&ask.state.inventory),
            y: ask.state.position.y,
            taken: ask.done.iter().map(|s| s.id).collect(),
            subgoals: Vec::new(),
        }
    }

    fn knowing<'b>(&'b self, stock: &'b Counts) -> Knowing<'b> {
        Knowing {
            beliefs: self.beliefs,
            learnt: self.learnt.clone(),
            requests: self.requests.clone(),
            stock,
            options: &self.ask.options,
            notable: &self.ask.state.notable,
            here: self.ask.state.position,
        }
    }

    fn wants(&self) -> Vec<Want> {
        let mut wants: Vec<Want> = Vec::new();
        for check in &self.ask.task.success {
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

    /// Starts with a skill that leads to something needed, nearest to the goal first.
    fn begin_with_skill(&mut self) -> Result<(), ItemSpec> {
        let stock = self.stock.counts();
        let needed = steps(&self.knowing(&stock), &self.wants())?;
        let Some((id, skill)) = skills::prefix(self.ask, &needed) else {
            return Ok(());
        };
        for step in &skill.steps {
            let mut subgoal = step.clone();
            subgoal.id = subgoals::id(
                step.executor_hint,
                step.goal.object.map_or(0, subgoals::number),
                &self.taken,
            );
            subgoal.needs = self.subgoals.last().map(|s| s.id).into_iter().collect();
            subgoal.parent = None;
            subgoal.rationale = Some(format!("as in skill {id}"));
            self.taken.push(subgoal.id);
            // A skill may lead to another height; the next steps begin there.
            for check in &subgoal.checks {
                if let Check::YposLe { y } | Check::YposGe { y } = check {
                    self.y = *y;
                }
            }
            self.subgoals.push(subgoal);
        }
        // As if the skill had been carried out.
        for (item, change) in &skill.effects {
            let count = u32::try_from(change.unsigned_abs()).unwrap_or(u32::MAX);
            if *change > 0 {
                self.stock.add(*item, count);
            } else {
                self.stock.take(*item, count);
            }
        }
        Ok(())
    }

    /// Adds what all checks of the task ask for.
    fn reach_all(&mut self) -> Result<(), ItemSpec> {
        let carried = self.stock.counts();
        let with_stations = self.with_stations_near(&carried);
        let mut path = steps(&self.knowing(&with_stations), &self.wants())?;
        // Who wanders leaves the stations behind, so they are planned as if none were near.
        if path.iter().any(wanders) {
            path = steps(&self.knowing(&carried), &self.wants())?;
        }
        for step in &path {
            self.add_step(step);
        }
        for check in &self.ask.task.success {
            let last = match check {
                Check::YposLe { y } if self.y > *y => Some(self.height(Executor::DigDown, *y)),
                Check::YposGe { y } if self.y < *y => Some(self.height(Executor::GoUp, *y)),
                other => subgoals::finish(other, &self.taken),
            };
            if let Some(subgoal) = last {
                self.push(subgoal);
            }
        }
        Ok(())
    }

    fn with_stations_near(&self, carried: &Counts) -> Counts {
        let state = &self.ask.state;
        let near = state
            .notable
            .iter()
            .filter(|sight| sight.at.distance(state.position) <= STATION_NEAR);
        let stations = near
            .map(|s| s.block)
            .filter(|b| [block::CRAFTING_TABLE, block::FURNACE].contains(b));
        let mut stock = carried.clone();
        for item in stations.filter_map(block::BlockId::item) {
            stock.add(item, 1);
        }
        stock
    }

    fn add_step(&mut self, step: &Step) {
        self.go_where_it_is(step);
        let mut subgoal = subgoals::of_step(step, self.stock.held(step.item), &self.taken);
        subgoal.rationale = Some(self.rationale(step));
        bound_time(&mut subgoal, &self.ask.options);
        let parts: Vec<ItemSpec> = step.uses.keys().chain(&step.holds).copied().collect();
        let makes_part = |earlier: &&Subgoal| {
            let made = earlier.goal.object;
            let moved = made.is_none() && wanders(step);
            // A step waits for every earlier step that makes one of its parts.
            moved || made.is_some_and(|made| parts.iter().any(|part| within(made, *part)))
        };
        subgoal.needs = self
            .subgoals
            .iter()
            .filter(makes_part)
            .map(|s| s.id)
            .collect();
        for (item, count) in &step.uses {
            self.stock.take(*item, *count);
        }
        self.stock.add(step.item, step.make);
        self.push(subgoal);
    }

    fn push(&mut self, mut subgoal: Subgoal) {
        if subgoal.goal.object.is_none() {
            // A move follows what was done before it, or it would come first.
            // Moves have no product by which others could wait for them.
            subgoal.needs = self.subgoals.last().map(|s| s.id).into_iter().collect();
        }
        self.taken.push(subgoal.id);
        self.subgoals.push(subgoal);
    }

    fn go_where_it_is(&mut self, step: &Step) {
        let kind = step.way.kind();
        // Only for steps that search: a move away from a workbench helps nobody.
        let away = self.learnt.away(kind, step.item, self.ask.state.position);
        if let Some(blocks) = away.filter(|_| wanders(step)) {
            let from = self.ask.state.position;
            let subgoal = subgoals::away(step.item, blocks, from, self.ask.nonce, &self.taken);
            self.push(subgoal);
        }
        let above = self.learnt.above(kind, step.item).filter(|y| self.y < *y);
        let (down, up) = match &step.way {
            Way::OtherWay(other) if other.is_on_the_spot() => (None, None),
            Way::Mine {
                lie: Lie::Surface, ..
            }
            | Way::Attack { .. }
            | Way::OtherWay(_) => {
                // Under a roof now, or led below ground by earlier steps.
                let roofed = self.ask.state.underground || self.y != self.ask.state.position.y;
                (
                    None,
                    (self.y < CLEARLY_BELOW && roofed).then_some(SURFACE_Y),
                )
            }
            Way::Mine { depth, .. } => (depth.filter(|y| self.y > *y), None),
            Way::Craft(_) | Way::Smelt { .. } | Way::Pick(_) => (None, None),
        };
        let subgoal = match (above.or(up), down) {
            (Some(y), _) => self.height(Executor::GoUp, y),
            (None, Some(y)) => self.height(Executor::DigDown, y),
            (None, None) => return,
        };
        self.push(subgoal);
    }

    fn height(&mut self, executor: Executor, y: i32) -> Subgoal {
        // The plan continues from the new height.
        let from = std::mem::replace(&mut self.y, y);
        subgoals::to_height(executor, y, from, &self.taken)
    }

    fn rationale(&self, step: &Step) -> String {
        let uses: Vec<String> = step
            .uses
            .iter()
            .map(|(item, n)| format!("{n} {item}"))
            .collect();
        let holds: Vec<&str> = step.holds.iter().map(|item| item.name()).collect();
        let uses = if uses.is_empty() {
            String::new()
        } else {
            format!(" from {}", uses.join(", "))
        };
        let holds = if holds.is_empty() {
            String::new()
        } else {
            format!(" with {}", holds.join(", "))
        };
        let from = self.learnt.sources(step.way.kind(), step.item);
        let from = from.map_or(String::new(), |from| format!(" (after {from})"));
        format!("believed: {}{uses}{holds}{from}", step.item)
    }
}

fn wanders(step: &Step) -> bool {
    match &step.way {
        Way::Mine { .. } | Way::Attack { .. } => true,
        Way::OtherWay(other) => !other.is_on_the_spot(),
        Way::Craft(_) | Way::Smelt { .. } | Way::Pick(_) => false,
    }
}

/// What will be held, by thing: "any log" is kept apart from oak logs.
#[derive(Debug, Clone, Default)]
struct Stock(BTreeMap<ItemSpec, u32>);

impl Stock {
    fn of(counts: &Counts) -> Self {
        Self(
            counts
                .iter()
                .map(|(item, count)| (item.into(), count))
                .collect(),
        )
    }

    fn held(&self, wanted: ItemSpec) -> u32 {
        self.0
            .iter()
            .filter(|(item, _)| within(**item, wanted))
            .map(|(_, count)| count)
            .sum()
    }

    fn add(&mut self, item: ItemSpec, count: u32) {
        *self.0.entry(item).or_default() += count;
    }

    fn take(&mut self, wanted: ItemSpec, count: u32) {
        let mut left = count;
        // What was got for this very purpose goes first.
        // Exactly this thing before others of its family, so that "any log" stays
        // available.
        let exact = self.0.get_mut(&wanted).into_iter();
        for held in exact {
            let taken = left.min(*held);
            (*held, left) = (*held - taken, left - taken);
        }
        for (item, held) in &mut self.0 {
            if within(*item, wanted) {
                let taken = left.min(*held);
                (*held, left) = (*held - taken, left - taken);
            }
        }
        self.0.retain(|_, held| *held > 0);
    }

    /// As pieces: of "any log" the first kind stands for all.
    fn counts(&self) -> Counts {
        // A family has no piece of its own; any member will do for counting.
        let piece = |(item, count): (&ItemSpec, &u32)| Some((*item.members().first()?, *count));
        self.0.iter().filter_map(piece).collect()
    }
}
