//! Post-mortem: what a failed run died of, where its time went, and what its plan lacked.
//!
//! Made from the run's own attempts and what its plan said, at its end. Invariant: no table of the game is read;
//! what is called missing was reported by the body, or follows from what was carried and what the clock showed.

use super::deadlock;
use super::slice::{flow_of, made};
use crate::domain::experience::Experience;
use crate::domain::experience::diagnosis::{Diagnosis, FailureReason};
use crate::domain::knowledge::pattern::overlaps;
use crate::domain::knowledge::post_mortem::{PostMortem, RunEnds, TriedStep};
use crate::domain::knowledge::title;
use crate::domain::knowledge::{Pattern, Remedy, TaskGuardrail};
use crate::domain::plan::task::Task;
use crate::domain::plan::{Plan, TaskKind};
use crate::text::numbers::count_with_noun;
use pithead_world::action::ActionFailure;
use pithead_world::clock::{NIGHT, TICKS_PER_DAY};
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::ids::ExperienceId;
use pithead_world::item::ItemId;
use pithead_world::mob::MobKind;
use std::collections::{BTreeMap, BTreeSet};

/// A weapon with which the body goes about at night, half hearts (decision 0019).
const NIGHT_WEAPON: f32 = 5.0;
/// Health below which a fight was begun wounded, half hearts of 20.
const WOUNDED: f32 = 12.0;
/// A night that was waited for or fought through costs more than getting a bed.
const NIGHT_LOST: u64 = 4_000;
/// A search of fewer ticks says nothing about where the thing is not.
const SEARCH_TICKS: u64 = 2_000;
/// Feet below this height are under ground, and deeper is another place to search.
const SURFACE_Y: i32 = 56;
/// How much deeper the next search goes, and how deep at most.
const DEEPER: i32 = 16;
const DEEPEST: i32 = 8;
/// Spare tools that are asked for at most.
const TOOLS_MAX: u32 = 4;
/// Attempts that are named as evidence.
const EVIDENCE_MAX: usize = 8;

/// A run that ended in failure.
#[derive(Debug, Clone, Copy)]
pub struct FailedRun<'a> {
    pub task: &'a Task,
    /// Ticks that it might have lasted, and did.
    pub budget: u64,
    pub tick: u64,
    pub alive: bool,
    /// The last plan in force.
    pub plan: Option<&'a Plan>,
    pub successes: &'a [Experience],
    pub failures: &'a [Experience],
}

/// The lesson of the run as a whole, and the attempts that it rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub guardrail: TaskGuardrail,
    pub experiences: Vec<ExperienceId>,
}

/// Looks into a failed run; none if nothing was tried.
#[must_use]
pub fn look_into(run: &FailedRun<'_>) -> Option<Found> {
    let attempts = run.attempts();
    let tried = tried(run, &attempts);
    let cause = if !run.alive {
        cause_of_death(&attempts)?
    } else if run.tick >= run.budget {
        where_time_went(run, &attempts, &tried)?
    } else {
        what_was_lacking(&attempts, &tried)?
    };
    let mut post_mortem = PostMortem {
        ends: run.ends(),
        tried,
    };
    post_mortem.keep_the_longest();
    let target = Some(run.task.goal);
    let at_step = run.step_of(cause.at).unwrap_or_default();
    let missing = gettable(cause.missing, &at_step, &attempts);
    Some(Found {
        guardrail: TaskGuardrail {
            task: Pattern {
                target,
                ..Pattern::default()
            },
            before: at_step,
            missing,
            deadlock: cause.words,
            post_mortem: Some(Box::new(post_mortem)),
        },
        experiences: cause.evidence,
    })
}

/// Before the first thing was made nothing can be got: then it is only said what was missing. A planner that took it
/// as an order would go out of its way to avoid the step.
fn gettable(missing: Vec<Remedy>, before: &Pattern, attempts: &[&Experience]) -> Vec<Remedy> {
    let is_step = |e: &&Experience| {
        let object = e.action.goal.object.map(ItemSpec::kind);
        (Some(e.action.task_kind), object) == (before.kind, before.target)
    };
    let earlier = attempts.iter().take_while(|e| !is_step(e));
    let is_made = |e: &&&Experience| e.diagnosis.success && e.action.task_kind == TaskKind::Craft;
    let has_made = earlier.filter(is_made).count() > 0;
    let said = |remedy: Remedy| match remedy {
        Remedy::Have { .. } if !has_made => advice(&title::remedy(&remedy)),
        other => other,
    };
    missing.into_iter().map(said).collect()
}

/// What it came down to.
struct Cause<'a> {
    /// The attempt at which it came to pass.
    at: &'a Experience,
    missing: Vec<Remedy>,
    words: String,
    evidence: Vec<ExperienceId>,
}

impl FailedRun<'_> {
    /// The plan's own attempts, oldest first.
    fn attempts(&self) -> Vec<&Experience> {
        let all = self.successes.iter().chain(self.failures);
        let mut own: Vec<&Experience> = all.filter(|e| !e.by_operator).collect();
        own.sort_by_key(|e| e.id);
        own
    }

    fn ends(&self) -> RunEnds {
        let is_late = self.alive && self.tick >= self.budget;
        RunEnds {
            died: u32::from(!self.alive),
            out_of_time: u32::from(is_late),
            gave_up: u32::from(self.alive && !is_late),
            ticks: self.tick,
            budget: self.budget,
        }
    }

    /// The step as a pattern; for a move the product that it was made for. None if the plan names none.
    fn step_of(&self, at: &Experience) -> Option<Pattern> {
        let action = &at.action;
        let goal = |kind, object: ItemSpec| Pattern {
            kind: Some(kind),
            target: Some(object.kind()),
            ..Pattern::default()
        };
        if let Some(object) = action.goal.object.filter(|_| !is_move(action.task_kind)) {
            return Some(goal(action.task_kind, object));
        }
        let steps = &self.plan?.subgoals;
        let from = steps.iter().position(|step| step.id == action.id)?;
        let mut later = steps[from..].iter().filter(|step| !is_move(step.task_kind));
        later.find_map(|step| Some(goal(step.task_kind, step.goal.object?)))
    }
}

/// It serves another step; a wait serves none.
fn is_move(kind: TaskKind) -> bool {
    matches!(kind, TaskKind::Move | TaskKind::Wait)
}

/// The graph: each product with its attempts, what went into it, and what it lacked; after these what was
/// planned and never begun.
fn tried(run: &FailedRun<'_>, attempts: &[&Experience]) -> Vec<TriedStep> {
    let mut graph = PostMortem::default();
    for (at, e) in attempts.iter().enumerate() {
        let flow = flow_of(e, BTreeMap::new());
        let product = e.action.goal.object.map(ItemSpec::kind);
        let used = flow.inputs.iter().flat_map(|inputs| inputs.used.keys());
        let needs = used.chain(&flow.held).map(|item| item.kind());
        let mut needs: BTreeSet<ItemSpec> = needs.collect();
        needs.retain(|item| Some(*item) != product);
        let is_done = e.diagnosis.success;
        let lacked = lacked(e).filter(|(item, _)| !is_done && !is_made(*item, &attempts[at..]));
        graph.count(TriedStep {
            kind: e.action.task_kind,
            product,
            y: height(e.action.goal.amount, product),
            attempts: 1,
            failed: u32::from(!is_done),
            ticks: e.ticks(),
            got: made(e),
            needs,
            lacked: lacked.into_iter().collect(),
        });
    }
    for step in run.plan.iter().flat_map(|plan| &plan.subgoals) {
        let product = step.goal.object.map(ItemSpec::kind);
        let made_by = |id| run.plan.and_then(|plan| plan.get(id))?.goal.object;
        let needs = step
            .needs
            .iter()
            .filter_map(|id| made_by(*id))
            .map(ItemSpec::kind);
        graph.count(TriedStep {
            kind: step.task_kind,
            product,
            y: height(step.goal.amount, product),
            attempts: 0,
            failed: 0,
            ticks: 0,
            got: 0,
            needs: needs.filter(|item| Some(*item) != product).collect(),
            lacked: BTreeMap::new(),
        });
    }
    graph.tried
}

fn height(amount: Option<i64>, product: Option<ItemSpec>) -> Option<i32> {
    let y = amount.filter(|_| product.is_none())?;
    i32::try_from(y).ok()
}

/// What the body reported as missing, and how many of it.
pub(super) fn lacked(e: &Experience) -> Option<(ItemSpec, u32)> {
    match e.diagnosis.report.as_ref()? {
        ActionFailure::MissingIngredient { needs, need, .. } => Some((*needs, *need)),
        ActionFailure::NotHeld { item } => Some((*item, 1)),
        ActionFailure::NoStation { station, .. } => Some((station.item()?.into(), 1)),
        _ => None, // no other report names a thing that a plan could provide
    }
}

/// A later step produced it after all.
fn is_made(wanted: ItemSpec, later: &[&Experience]) -> bool {
    let gains = later
        .iter()
        .filter(|e| e.diagnosis.success)
        .flat_map(|e| &e.diagnosis.delta.inventory);
    gains
        .into_iter()
        .any(|(item, n)| *n > 0 && wanted.matches(*item))
}

fn remedy((item, count): (&ItemSpec, &u32)) -> Remedy {
    Remedy::Have {
        item: *item,
        count: *count,
    }
}

fn advice(text: &str) -> Remedy {
    Remedy::Advice {
        text: format!("{text} (in words only: no step of a plan sees to it)"),
    }
}

fn have(name: &str, count: u32) -> Option<Remedy> {
    let item = name.parse().ok()?;
    Some(Remedy::Have { item, count })
}

fn holds(held: &Counts, name: &str) -> bool {
    let item = name.parse::<ItemSpec>();
    item.is_ok_and(|item| held.count(item) > 0)
}

fn weapon(held: &Counts) -> Option<ItemId> {
    let damage = |item: &ItemId| item.facts().attack_damage;
    let weapons = held.iter().map(|(item, _)| item);
    let armed = weapons.filter(|item| damage(item) >= NIGHT_WEAPON);
    armed.max_by(|a, b| damage(a).total_cmp(&damage(b)))
}

/// What hit the body, where, and what it carried against that.
fn cause_of_death<'a>(attempts: &[&'a Experience]) -> Option<Cause<'a>> {
    let ended = |e: &&&Experience| e.diagnosis.reason == Some(FailureReason::EnvTerminated);
    let at: &'a Experience = attempts.iter().rfind(ended)?;
    let of = match &at.diagnosis.report {
        Some(ActionFailure::Died { of }) => of.as_str(),
        _ => "something unseen",
    };
    let (pre, post) = (&at.pre, &at.post);
    let is_night = NIGHT.contains(&u64::from(post.time));
    let weapon = weapon(&pre.inventory);
    let missing = match MobKind::named(of) {
        Some(_) if weapon.is_none() => have("stone_sword", 1),
        Some(_) if is_night && is_hunt(at) && !holds(&pre.inventory, "#beds") => have("#beds", 1),
        Some(_) if pre.health < WOUNDED => Some(advice(
            "eat, and wait until the wounds have healed before it",
        )),
        Some(_) => Some(advice(&format!("wear armour against {of}"))),
        None => Some(advice(&format!("look out for {of}"))),
    };
    let place = if pre.underground || post.underground {
        "under ground"
    } else {
        "under the sky"
    };
    let words = format!(
        "died of {of} at \"{}\" {} s into the run, {place} in {} at y {}, by {}, {}, with health {:.0} when it began ({})",
        at.action.label(),
        seconds(post.tick),
        pre.biome,
        post.position.y,
        if is_night { "night" } else { "day" },
        weapon.map_or_else(
            || "without a weapon".to_owned(),
            |w| format!("with {}", w.name())
        ),
        pre.health,
        at.id,
    );
    Some(Cause {
        at,
        missing: missing.into_iter().collect(),
        words,
        evidence: vec![at.id],
    })
}

fn seconds(ticks: u64) -> u64 {
    ticks / pithead_world::clock::TICKS_PER_SECOND
}

/// The product that took the most time, and what would have spared some of it.
fn where_time_went<'a>(
    run: &FailedRun<'_>,
    attempts: &[&'a Experience],
    tried: &[TriedStep],
) -> Option<Cause<'a>> {
    // Waiting is slow by nature, and a move is for what comes after it.
    let works = tried
        .iter()
        .filter(|step| step.product.is_some() && !is_move(step.kind));
    let longest = works
        .max_by_key(|step| step.ticks)
        .filter(|s| s.ticks > 0)?;
    let is_at = |e: &&&Experience| {
        let object = e.action.goal.object.map(ItemSpec::kind);
        (e.action.task_kind, object) == (longest.kind, longest.product)
    };
    let at: Vec<&'a Experience> = attempts.iter().filter(is_at).copied().collect();
    let last = *at.last()?;
    let worn = worn_out(&at, attempts);
    let mut missing: Vec<Remedy> = Vec::new();
    let mut why = String::new();
    if let Some((tool, count)) = worn {
        why = format!("; {count} {tool} wore out in it");
        missing.push(Remedy::Have {
            item: tool.into(),
            count: (count + 1).min(TOOLS_MAX),
        });
    } else if let Some(y) = searched_in_vain(longest, &at) {
        why = format!("; it lies nowhere that was searched down to y {y}");
        let y = (y - DEEPER).max(DEEPEST);
        missing.push(Remedy::GoBelow { y });
    }
    let night: u64 = at.iter().map(|e| night_ticks(e)).sum();
    let has_bed = at.iter().any(|e| holds(&e.pre.inventory, "#beds"));
    if night >= NIGHT_LOST && !has_bed {
        why += &format!("; {} s of it were night, without a bed", seconds(night));
        missing.extend(have("#beds", 1));
    }
    missing.extend(longest.lacked.iter().map(remedy));
    // Only of work that went well, and slowly: what failed was not for want of speed.
    if missing.is_empty() && longest.kind == TaskKind::Mine && longest.failed == 0 {
        missing.extend(deadlock::quicker_tool(&at));
    }
    if missing.is_empty() {
        missing.push(advice(
            "leave more time for it: begin with it, or get it elsewhere",
        ));
    }
    let words = format!(
        "the time ran out: \"{}\" took {} s of {} s in {}, {} of them failed, and gave {}{why}",
        last.action.label(),
        seconds(longest.ticks),
        seconds(run.budget),
        count_with_noun(longest.attempts as usize, "try", "tries"),
        longest.failed,
        longest.got,
    );
    Some(Cause {
        at: last,
        missing,
        words,
        evidence: at.iter().rev().take(EVIDENCE_MAX).map(|e| e.id).collect(),
    })
}

/// The tool of which most broke at this work, if the run was held up by that: it made another, or had none.
fn worn_out(at: &[&Experience], attempts: &[&Experience]) -> Option<(ItemId, u32)> {
    let mut broken: BTreeMap<ItemId, u32> = BTreeMap::new();
    for e in at {
        for (item, n) in &e.diagnosis.delta.inventory {
            let lost = u32::try_from(-n).unwrap_or(0);
            let lost = lost.saturating_sub(e.diagnosis.delta.used.count(*item));
            if lost > 0 && item.facts().durability.is_some() {
                *broken.entry(*item).or_default() += lost;
            }
        }
    }
    let (tool, count) = broken.into_iter().max_by_key(|(_, n)| *n)?;
    let first = at.iter().find(|e| {
        e.diagnosis
            .delta
            .inventory
            .get(&tool)
            .is_some_and(|n| *n < 0)
    })?;
    let later = attempts.iter().filter(|e| e.id > first.id);
    let mut held_up = later.filter(|e| {
        let makes = e
            .action
            .goal
            .object
            .is_some_and(|object| object.matches(tool));
        let by_hand = e.diagnosis.is_of_tools();
        makes || by_hand
    });
    held_up.next().map(|_| (tool, count))
}

/// The lowest height of a long search under ground that gave nothing, though its tools lasted.
fn searched_in_vain(step: &TriedStep, at: &[&Experience]) -> Option<i32> {
    let is_search = step.kind == TaskKind::Mine && step.got == 0 && step.ticks >= SEARCH_TICKS;
    if !is_search || at.iter().any(|e| lost_tool(&e.diagnosis)) {
        return None;
    }
    let heights = at.iter().map(|e| e.pre.position.y.min(e.post.position.y));
    heights.min().filter(|y| *y < SURFACE_Y && *y > DEEPEST)
}

/// A tool broke in it, or there was none: such a search says nothing of the place, at any height.
pub(super) fn lost_tool(diagnosis: &Diagnosis) -> bool {
    let delta = &diagnosis.delta.inventory;
    let mut broken = delta
        .iter()
        .filter(|(item, n)| **n < 0 && item.facts().durability.is_some());
    broken.next().is_some() || diagnosis.is_of_tools()
}

/// About under the sky after animals: whoever digs has the rock for shelter.
fn is_hunt(e: &Experience) -> bool {
    e.action.task_kind == TaskKind::Combat && !e.pre.underground
}

/// How long it was night while it was about under the sky.
fn night_ticks(e: &Experience) -> u64 {
    if !is_hunt(e) {
        return 0;
    }
    let (from, length) = (u64::from(e.pre.time), e.ticks());
    let days = (from + length) / TICKS_PER_DAY;
    let nights = (0..=days).map(|day| {
        let start = (NIGHT.start + day * TICKS_PER_DAY).max(from);
        let end = (NIGHT.end + day * TICKS_PER_DAY).min(from + length);
        end.saturating_sub(start)
    });
    nights.sum()
}

/// Of a run that was given up: the step that failed most, and what it asked for.
fn what_was_lacking<'a>(attempts: &[&'a Experience], tried: &[TriedStep]) -> Option<Cause<'a>> {
    let failed = tried.iter().filter(|step| step.failed > 0);
    let worst = failed.max_by_key(|step| (!step.lacked.is_empty(), step.failed))?;
    let is_at = |e: &&&Experience| {
        let is_product = match (e.action.goal.object, worst.product) {
            (Some(object), Some(product)) => overlaps(object, product),
            (one, other) => one.is_none() && other.is_none(),
        };
        !e.diagnosis.success && is_product && e.action.task_kind == worst.kind
    };
    let at: Vec<&'a Experience> = attempts.iter().filter(is_at).copied().collect();
    let last = *at.last()?;
    let mut missing: Vec<Remedy> = worst.lacked.iter().map(remedy).collect();
    if missing.is_empty() {
        missing.push(advice("find another way to it"));
    }
    let reason = last.diagnosis.reason.map_or("UNKNOWN", FailureReason::name);
    let words = format!(
        "given up: \"{}\" failed {} of {}, in {} s; the last time {reason}: {}",
        last.action.label(),
        worst.failed,
        count_with_noun(worst.attempts, "time", "times"),
        seconds(worst.ticks),
        last.diagnosis.summary,
    );
    Some(Cause {
        at: last,
        missing,
        words,
        evidence: at.iter().rev().take(EVIDENCE_MAX).map(|e| e.id).collect(),
    })
}

#[cfg(test)]
#[path = "post_mortem_tests.rs"]
mod tests;
