//! Study: a model's drafts of entries, each compared with what the run has seen before it may be proposed.
//!
//! Invariant: a draft that leaves here agrees with every attempt of the run that it is about, and claims
//! no effect that was not observed.

use super::{ReadAnswer, parse_typed, record_reading, shorten};
use crate::agent::state::State;
use crate::agent::turn::Turn;
use crate::domain::check::{Check, Truth};
use crate::domain::condition::{Condition, Predicate};
use crate::domain::experience::Experience;
use crate::domain::knowledge::hindsight;
use crate::domain::knowledge::pattern;
use crate::domain::knowledge::{
    Guardrail, Remedy, Rule, RuleRecord, Skill, TaskGuardrail, closure,
};
use crate::domain::mind::reply;
use crate::domain::mind::study::{Reflection, RuleDraft, SkillDraft};
use crate::domain::plan::Subgoal;
use crate::domain::plan::task::Task;
use crate::knowledge::skills::{Distilled, Shortfall};
use crate::knowledge::{possible, skills};
use pithead_world::family::ItemSpec;
use pithead_world::ids::{CallId, SubgoalId};
use pithead_world::item::ItemId;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Rules taken from one answer; each costs another question for its scores.
const RULES_MAX: usize = 4;
/// Remedies in one guardrail.
const REMEDIES_MAX: usize = 16;
/// Sentences about the next time.
const SENTENCES_MAX: usize = 4;

/// A skill of steps that the run has done, with effects as they were seen.
pub(in crate::agent) fn skill_from_answer(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
) -> Option<Distilled> {
    let state = turn.state();
    let read = parse_typed::<SkillDraft>(text, reply::SKILL).and_then(|(draft, repairs)| {
        let task = &turn.config().task;
        let made = checked_skill(&draft, task, &state.done, &state.successes)?;
        Ok((made, repairs))
    });
    record_reading(turn, call, read)
}

fn checked_skill(
    draft: &SkillDraft,
    task: &Task,
    done: &[Subgoal],
    successes: &[Experience],
) -> Result<Distilled, String> {
    let mut steps: Vec<Subgoal> = Vec::new();
    let mut from = 0;
    for (at, name) in draft.steps.iter().enumerate() {
        let found = done[from..].iter().position(|step| is_named(step, name));
        let place = found.ok_or_else(|| {
            format!("steps[{at}]: `{name}` is no step of the record, or it came before the one named last")
        })?;
        steps.push(done[from + place].clone());
        from += place + 1;
    }
    let kept = |experience: &&Experience| steps.iter().any(|s| s.id == experience.action.id);
    let kept: Vec<Experience> = successes.iter().filter(kept).cloned().collect();
    let first = kept
        .first()
        .ok_or("steps: expected the steps that were needed, found none")?;
    if !draft
        .requires
        .truth(&hindsight::situation(&first.pre, &first.action))
        .is_true()
    {
        return Err(format!(
            "requires: `{}` did not hold before the first step",
            draft.requires
        ));
    }
    if let Some(own) = own_slice(task, &steps, successes) {
        let skill = Skill {
            requires: draft.requires.clone(),
            ..own.skill
        };
        closure::replay(&skill).map_err(|gap| format!("requires: {gap}"))?;
        return Ok(Distilled { skill, ..own });
    }
    let mut made = skills::from_steps(task, &steps, &kept).map_err(|lack| lack_in_words(&lack))?;
    made.skill.effects = summed_effects(&kept);
    let gained = |item: ItemId| made.skill.effects.get(&ItemSpec::Item(item)).copied();
    let reached = task
        .goal
        .members()
        .iter()
        .filter_map(|i| gained(*i))
        .sum::<i64>();
    if reached <= 0 {
        return Err(format!("steps: these do not end with {}", task.goal));
    }
    for (item, count) in used_from_before(&kept) {
        let wide = ItemSpec::family_of(item).unwrap_or(ItemSpec::Item(item));
        let needed = Condition::from(Check::InvGe { item: wide, count });
        if !possible::entails(&draft.requires, &needed) {
            return Err(format!(
                "requires: the steps use up {count} {wide} from before them"
            ));
        }
    }
    made.skill.requires = draft.requires.clone();
    Ok(made)
}

fn lack_in_words(lack: &Shortfall) -> String {
    let Shortfall {
        step,
        item,
        need,
        have,
    } = lack;
    format!(
        "steps: {step} used up {need} {item}, and the steps named before it leave {have}: name the step that got them, or, \
         if a failed attempt did, only the steps that the program chose"
    )
}

/// The program's own skill of the run, if it has just these steps.
fn own_slice(task: &Task, steps: &[Subgoal], successes: &[Experience]) -> Option<Distilled> {
    let own = skills::from_run(task, true, successes).into_iter().next()?;
    let same = own
        .skill
        .steps
        .iter()
        .map(|s| s.id)
        .eq(steps.iter().map(|s| s.id));
    same.then_some(own)
}

/// Ids are shown as `sg_7` and often written as `sg_007`.
fn is_named(step: &Subgoal, name: &str) -> bool {
    let number = name.trim().strip_prefix("sg_").map(str::parse::<u64>);
    matches!(number, Some(Ok(n)) if n == step.id.0)
}

/// What the steps that stay changed, without the detours.
fn summed_effects(successes: &[Experience]) -> BTreeMap<ItemSpec, i64> {
    let mut sum: BTreeMap<ItemSpec, i64> = BTreeMap::new();
    for (item, n) in successes.iter().flat_map(|e| &e.diagnosis.delta.inventory) {
        *sum.entry(ItemSpec::Item(*item)).or_default() += n;
    }
    sum.retain(|_, n| *n != 0);
    sum
}

/// What the inventory must hold before the first of these, so that each has what it uses up.
fn used_from_before(successes: &[Experience]) -> BTreeMap<ItemId, u32> {
    let mut held: BTreeMap<ItemId, i64> = BTreeMap::new();
    let mut lowest: BTreeMap<ItemId, i64> = BTreeMap::new();
    for success in successes {
        let delta = &success.diagnosis.delta;
        for (item, n) in delta.used.iter() {
            let left = held.get(&item).copied().unwrap_or(0) - i64::from(n);
            let low = lowest.entry(item).or_default();
            *low = left.min(*low);
        }
        for (item, n) in &delta.inventory {
            *held.entry(*item).or_default() += n;
        }
    }
    let short = lowest.into_iter().filter(|(_, low)| *low < 0);
    short
        .map(|(item, low)| (item, u32::try_from(-low).unwrap_or(u32::MAX)))
        .collect()
}

/// A guardrail that would have prevented each of the failures, and none of the successes.
pub(in crate::agent) fn guardrail_from_answer(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
    subgoal: SubgoalId,
) -> Option<Guardrail> {
    let state = turn.state();
    let read = parse_typed::<Guardrail>(text, reply::GUARDRAIL).and_then(|(mut made, repairs)| {
        if made.forbid.region.take().is_some() || made.forbid == Default::default() {
            return Err("forbid: expected kind, target, tool or text, and no place".to_owned());
        }
        shorten(&mut made.avoid);
        made.recovery.truncate(REMEDIES_MAX);
        match guardrail_fault(state, subgoal, &made) {
            Some(fault) => Err(fault),
            None => Ok((made, repairs)),
        }
    });
    record_reading(turn, call, read)
}

/// What the record of the run says against a guardrail: it can never hold, misses a failure, or forbids a success.
pub(in crate::agent) fn guardrail_fault(
    state: &State,
    subgoal: SubgoalId,
    made: &Guardrail,
) -> Option<String> {
    if !possible::together(&[&made.trigger]) {
        return Some(format!("trigger: `{}` can never hold", made.trigger));
    }
    let failures = state
        .nodes
        .get(&subgoal)
        .map_or(&[][..], |node| &node.failures);
    if let Some(step) = state.planned(subgoal) {
        for failure in failures {
            let then = hindsight::situation(&failure.pre, step);
            if pattern::forbids(made, step, &then) == Truth::False {
                let attempt = failure.attempt;
                return Some(format!(
                    "trigger and forbid: attempt {attempt} failed and is not covered"
                ));
            }
        }
    }
    let harmed = |e: &&Experience| hindsight::would_forbid(made, e).is_true();
    if let Some(success) = state.successes.iter().find(harmed) {
        let (id, words) = (success.id, &success.action.condition);
        return Some(format!(
            "trigger and forbid: {id} (\"{words}\") went well and would have been forbidden"
        ));
    }
    None
}

/// A reflection, with every list and sentence bounded.
pub(in crate::agent) fn reflection_from_answer(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
) -> Option<Reflection> {
    record_reading(turn, call, parse_reflection(text))
}

fn parse_reflection(text: &str) -> ReadAnswer<Reflection> {
    let (mut said, repairs) = parse_typed::<Reflection>(text, reply::REFLECTION)?;
    if said.deadlock.trim().is_empty() {
        return Err("deadlock: expected a sentence, found nothing".to_owned());
    }
    if said.confidence.is_some_and(|c| !(0.0..=1.0).contains(&c)) {
        return Err("confidence: expected a number from 0 to 1".to_owned());
    }
    shorten(&mut said.deadlock);
    shorten(&mut said.now);
    shorten(&mut said.before);
    said.missing.truncate(REMEDIES_MAX);
    said.next_time.truncate(SENTENCES_MAX);
    said.next_time.iter_mut().for_each(shorten);
    Ok((said, repairs))
}

/// What the plan lacked as a whole.
pub(in crate::agent) fn deadlock_from_answer(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
) -> Option<TaskGuardrail> {
    let task = turn.config().task.clone();
    let read = parse_reflection(text).and_then(|(said, repairs)| {
        let is_more = |remedy: &Remedy| match remedy {
            Remedy::Have { item, .. } => !pattern::overlaps(*item, task.goal),
            Remedy::Advice { .. } => false,
            _ => true, // places, stations and tools are no words and not the goal
        };
        let missing: Vec<Remedy> = said.missing.into_iter().filter(is_more).collect();
        if missing.is_empty() {
            return Err(
                "missing: expected what the plan lacked other than the goal itself".to_owned(),
            );
        }
        let made = crate::knowledge::deadlock::about(&task, missing, said.deadlock);
        Ok((made, repairs))
    });
    record_reading(turn, call, read)
}

#[derive(Deserialize)]
struct Rules {
    rules: Vec<RuleDraft>,
}

/// Rules that no success of the run contradicts; the others are dropped, and reported as repairs.
pub(in crate::agent) fn rules_from_answer(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
) -> Option<Vec<Rule>> {
    let successes = &turn.state().successes;
    let read = parse_typed::<Rules>(text, reply::RULES).and_then(|(said, mut repairs)| {
        let (mut kept, mut faults) = (Vec::new(), Vec::new());
        for (at, draft) in said.rules.into_iter().take(RULES_MAX).enumerate() {
            match checked_rule(draft, successes) {
                Ok(rule) => kept.push(rule),
                Err(fault) => faults.push(format!("rules[{at}].{fault}")),
            }
        }
        if kept.is_empty() && !faults.is_empty() {
            return Err(faults.join("; "));
        }
        repairs.extend(faults.into_iter().map(|fault| format!("left out: {fault}")));
        Ok((kept, repairs))
    });
    record_reading(turn, call, read)
}

fn checked_rule(draft: RuleDraft, successes: &[Experience]) -> Result<Rule, String> {
    let rule = Rule {
        when: draft.when,
        then: Condition::from(draft.then),
        scores: [0.0; 3],
        record: RuleRecord::default(),
    };
    if !possible::together(&[&rule.when]) {
        return Err(format!("when: `{}` can never hold", rule.when));
    }
    if named_parts(&rule.when) == 0 {
        let when = &rule.when;
        return Err(format!(
            "when: `{when}` names neither a kind of step nor its target"
        ));
    }
    let belies = |e: &&Experience| {
        let then = hindsight::situation(&e.pre, &e.action);
        rule.when.truth(&then).is_true() && rule.then.truth(&then) == Truth::False
    };
    match successes.iter().find(belies) {
        Some(success) => Err(format!(
            "then: {} (\"{}\") went well without it",
            success.id, success.action.condition
        )),
        None => Ok(rule),
    }
}

/// How many of kind and target the condition names.
fn named_parts(when: &Condition) -> usize {
    fn walk(when: &Condition, found: &mut [bool; 2]) {
        match when {
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().for_each(|part| walk(part, found));
            }
            Condition::Is(Predicate::SubgoalKind(_)) => found[0] = true,
            Condition::Is(Predicate::Target(_)) => found[1] = true,
            // That something is not the target says little about what is.
            Condition::Not(_) | Condition::Is(_) => (),
        }
    }
    let mut found = [false; 2];
    walk(when, &mut found);
    found.into_iter().filter(|named| *named).count()
}

#[cfg(test)]
#[path = "study_tests.rs"]
mod tests;
