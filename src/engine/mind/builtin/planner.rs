//! The planner: from what the task wants back to what lies about, over beliefs and the ask.
//!
//! Invariant: same beliefs, same ask, same plan; nothing but these two is looked at.

use super::asserts;
use super::beliefs::Beliefs;
use super::building;
use super::demand::{Step, Want, digs_many_scattered, hunts_many, steps, wanders, wants_of};
use super::descent::{Leg, legs_down};
use super::evidence::bound_time;
use super::felling::axe_first;
use super::learnt::Learnt;
use super::places::Places;
use super::requests::Requests;
use super::skills;
use super::stock::Stock;
use super::subgoals;
use super::supplies::{daylight, meets_night};
use super::tools::with_tools_that_pay;
use super::ways::{Knowing, Way};
use pithead_core::domain::check::Check;
use pithead_core::domain::knowledge::pattern::within;
use pithead_core::domain::mind::ask::PlanAsk;
use pithead_core::domain::plan::{Executor, Plan, Subgoal, TaskKind};
use pithead_world::block;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::ids::SubgoalId;
use pithead_world::item::ItemId;
use std::cell::OnceCell;

/// A station in sight serves if it is within so many blocks.
const STATION_NEAR: f64 = 6.0;
/// Where trees and animals are: at least the level of the sea.
const SURFACE_Y: i32 = 63;
/// Lower than this and under a roof, the way to trees leads up.
/// Between this and the sea a body may stand in a valley.
const CLEARLY_BELOW: i32 = 56;

/// The plan for what is left to do, or why there is none.
pub(super) fn plan(beliefs: &Beliefs, ask: &PlanAsk) -> Result<Plan, String> {
    let Some(smaller) = building::for_material(ask) else {
        return plan_for_items(beliefs, ask);
    };
    let mut plan = plan_for_items(beliefs, &smaller)?;
    building::add_buildings(&mut plan, ask);
    Ok(plan)
}

fn plan_for_items(beliefs: &Beliefs, ask: &PlanAsk) -> Result<Plan, String> {
    let learnt = Learnt::from(ask);
    let requests = Requests::from_reasons(&ask.vetoes);
    let near = Given {
        beliefs,
        ask,
        requests: &requests,
        goes_far: false,
    };
    // To villages and chests for parts only where nothing nearer gives them.
    let far = Given {
        goes_far: true,
        ..near
    };
    let mut made = near
        .plan_by(&learnt)
        .or_else(|_| far.plan_by(&learnt))
        .map_err(|item| far.impossible(item))?;
    // The last veto is the one that this plan must answer.
    if let Some(reason) = ask.vetoes.last() {
        // The operator must be able to tell whether the words had an effect.
        let other = requests.is_empty()
            || Given {
                requests: &Requests::default(),
                ..near
            }
            .attempt(&learnt)
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

/// What a plan is made for, whatever is learnt.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub(super) beliefs: &'a Beliefs,
    pub(super) ask: &'a PlanAsk,
    pub(super) requests: &'a Requests,
    pub(super) goes_far: bool,
}

impl<'a> Given<'a> {
    /// Advice by which its own target cannot be had any more, whatever else is done.
    pub(super) fn is_circle(self, learnt: &Learnt, at: usize) -> bool {
        let Some(target) = learnt.target(at) else {
            return false;
        };
        let alone = Learnt::default().with(learnt, at);
        let can = |learnt: &Learnt| {
            let draft = Draft::new(self, learnt);
            draft
                .knowing(&self.ask.state.inventory, &[])
                .can_get(target)
        };
        // Possible without the advice and impossible with it alone.
        can(&Learnt::default()) && !can(&alone)
    }

    fn impossible(self, item: ItemSpec) -> String {
        let (learnt, requests) = (Learnt::default(), Requests::default());
        let given = Given {
            requests: &requests,
            ..self
        };
        let draft = Draft::new(given, &learnt);
        let knowing = draft.knowing(&self.ask.state.inventory, &[]);
        knowing.why_impossible(item)
    }

    pub(super) fn attempt(self, learnt: &Learnt) -> Result<Plan, ItemSpec> {
        if self.ask.task.any {
            return self.one_of_several(learnt);
        }
        let Given { ask, requests, .. } = self;
        let drafted = |begin: Begin| {
            let mut draft = Draft::new(self, learnt);
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
            skills::on_the_way(drafted(Begin::WithSkill)?, plain)
        } else {
            plain?
        };
        Ok(Plan {
            plan_id: format!("plan-{}", ask.nonce),
            subgoals,
            global_constraints: Vec::new(),
            explanation: None,
            thoughts: None,
        })
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Begin {
    Plainly,
    WithSkill,
}

/// A plan in the making, and what will be at hand when it is carried out so far.
struct Draft<'a> {
    beliefs: &'a Beliefs,
    ask: &'a PlanAsk,
    learnt: &'a Learnt,
    requests: &'a Requests,
    goes_far: bool,
    /// What will be held when the steps so far are done.
    stock: Stock,
    /// The height at which the body will be, and whether a search may have led it elsewhere since.
    y: i32,
    strayed: bool,
    buys_scattered: bool,
    hunts_many: bool,
    /// Ids in use, done ones included.
    taken: Vec<SubgoalId>,
    subgoals: Vec<Subgoal>,
}

impl<'a> Draft<'a> {
    fn new(given: Given<'a>, learnt: &'a Learnt) -> Self {
        let Given {
            beliefs,
            ask,
            requests,
            goes_far,
        } = given;
        Self {
            beliefs,
            ask,
            learnt,
            requests,
            goes_far,
            stock: Stock::of(&ask.state.inventory),
            y: ask.state.position.y,
            strayed: false,
            buys_scattered: false,
            hunts_many: false,
            taken: ask.done.iter().map(|s| s.id).collect(),
            subgoals: Vec::new(),
        }
    }

    fn knowing<'b>(&'b self, stock: &'b Counts, stations: &'b [ItemId]) -> Knowing<'b> {
        Knowing {
            beliefs: self.beliefs,
            learnt: self.learnt.clone(),
            requests: self.requests.clone(),
            stock,
            stations,
            options: &self.ask.options,
            notable: &self.ask.state.notable,
            here: self.ask.state.position,
            goes_far: self.goes_far,
            buys_scattered: self.buys_scattered,
            hunts_many: self.hunts_many,
            meets_night: meets_night(self.ask.state.time, self.ask.ticks_left),
            daylight: daylight(self.ask.state.time, self.ask.ticks_left),
            ticks_left: self.ask.ticks_left,
            fuels: OnceCell::new(),
        }
    }

    /// Starts with a skill that leads to something needed, nearest to the goal first.
    fn begin_with_skill(&mut self) -> Result<(), ItemSpec> {
        let stock = self.stock.counts();
        let needed = self.steps_away(&stock, &wants_of(&self.ask.task))?;
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
            subgoal.follows = vec![id];
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

    /// The steps to all that the checks of the task ask for, with the tools that pay.
    fn path(&mut self) -> Result<Vec<Step>, ItemSpec> {
        let (carried, wants) = (self.stock.counts(), wants_of(&self.ask.task));
        let near = self.stations_near();
        let mut path = steps(&self.knowing(&carried, &near), &wants)?;
        // Who wanders leaves the stations behind, so they are planned as if none were near.
        if !near.is_empty() && path.iter().any(wanders) {
            path = self.steps_away(&carried, &wants)?;
        }
        if path
            .iter()
            .any(|step| digs_many_scattered(self.beliefs, step))
        {
            self.buys_scattered = true;
            path = self.steps_away(&carried, &wants).unwrap_or(path);
        }
        if path.iter().any(hunts_many) {
            // Where no sword can be had one hunts by hand.
            self.hunts_many = true;
            path = self.steps_away(&carried, &wants).unwrap_or(path);
        }
        let away = |stock: &Counts, wants: &[Want]| self.steps_away(stock, wants);
        let paying = |path, stock: &Counts, wants: &[Want]| {
            with_tools_that_pay(self.beliefs, path, stock, wants, &away)
        };
        let path = paying(path, &carried, &wants);
        Ok(axe_first(path, &carried, &wants, |stock, wants| {
            Ok(paying(away(stock, wants)?, stock, wants))
        }))
    }

    /// The steps where no station stands near.
    fn steps_away(&self, stock: &Counts, wants: &[Want]) -> Result<Vec<Step>, ItemSpec> {
        steps(&self.knowing(stock, &[]), wants)
    }

    /// Adds what all checks of the task ask for.
    fn reach_all(&mut self) -> Result<(), ItemSpec> {
        let path = self.path()?;
        for leg in legs_down(self.beliefs, path, self.y) {
            match leg {
                Leg::Step(step) => self.add_step(&step),
                Leg::DownTo(y) => {
                    let subgoal = self.height(Executor::DigDown, y);
                    self.push(subgoal);
                }
            }
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

    fn stations_near(&self) -> Vec<ItemId> {
        let state = &self.ask.state;
        let near = state
            .notable
            .iter()
            .filter(|sight| sight.at.distance(state.position) <= STATION_NEAR);
        let stations = near
            .map(|s| s.block)
            .filter(|b| [block::CRAFTING_TABLE, block::FURNACE].contains(b));
        stations.filter_map(block::BlockId::item).collect()
    }

    fn add_step(&mut self, step: &Step) {
        self.go_where_it_is(step);
        let mut subgoal = subgoals::of_step(step, self.stock.held(step.item), &self.taken);
        subgoal.rationale = Some(self.rationale(step));
        subgoal.follows = self.learnt.cited(step.way.kind(), step.item);
        subgoal.asserts = asserts::of_step(step, self.ask.form);
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
        self.stock.go_on(step);
        self.strayed |= matches!(step.way, Way::Mine { depth: Some(_), .. });
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
        let here = self.ask.state.position;
        let places = Places {
            hits: &self.ask.hits,
            here,
        };
        let out = self.way_out(step);
        if let Some(y) = out {
            // Below ground there is no straight way to anywhere.
            let climb = self.height(Executor::GoUp, y);
            self.push(climb);
        }
        let away = self.learnt.away(kind, step.item, here);
        if let Some(blocks) = away.filter(|_| wanders(step)) {
            let goal = |direction| subgoals::point_away(here, blocks, direction).1;
            let direction = places.least_searched(step.item, self.ask.nonce, goal);
            let subgoal = subgoals::away(step.item, blocks, here, direction, &self.taken);
            self.push(subgoal);
        } else if let Some(at) = places
            .known_place(step)
            .filter(|_| !self.gets_nowhere(step))
        {
            self.push(subgoals::to_place(step.item, at, here, &self.taken));
        }
        let above = self.learnt.above(kind, step.item).filter(|y| self.y < *y);
        // To ore that few lands bear one goes over the land first.
        let depth = step.way.depth();
        let depth = depth.filter(|_| !self.beliefs.is_bound_to_land(step.item));
        // A search may have led up: one goes down again, which is nothing for who is there.
        let down = depth.filter(|y| self.y > *y || self.strayed);
        let subgoal = match (above, down.filter(|_| out.is_none())) {
            (Some(y), _) => self.height(Executor::GoUp, y),
            (None, Some(y)) => self.height(Executor::DigDown, y),
            (None, None) => return,
        };
        self.push(subgoal);
    }

    /// To what height one climbs for what is only found above ground, from below it.
    fn way_out(&self, step: &Step) -> Option<i32> {
        // Under a roof now, or led below ground by earlier steps.
        let roofed = self.ask.state.underground || self.y != self.ask.state.position.y;
        (step.way.is_above_ground() && self.y < CLEARLY_BELOW && roofed).then_some(SURFACE_Y)
    }

    /// A way to where the thing was got failed in this run already.
    fn gets_nowhere(&self, step: &Step) -> bool {
        let failed = self.ask.failed.as_ref().map(|failed| &failed.step);
        let went = |failed: &Subgoal| failed.executor_hint == Executor::Approach;
        if failed.is_some_and(|failed| went(failed) && failed.goal.object == Some(step.item)) {
            return true;
        }
        self.ask.lessons.iter().any(|lesson| {
            let target = lesson.forbid.target;
            lesson.forbid.kind == Some(TaskKind::Move)
                && target.is_none_or(|target| within(step.item, target))
        })
    }

    fn height(&mut self, executor: Executor, y: i32) -> Subgoal {
        // The plan continues from the new height.
        self.strayed = false;
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
