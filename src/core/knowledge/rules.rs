//! Rules: what steps require, drawn from disagreements between a judgement and its outcome, and scored on the record.
//!
//! A rule says of one step (its kind and what it is for) what has to be so before it. What is recorded of such
//! steps, over all runs, scores it. Invariant: no rule is admitted that a success contradicts, and none that no
//! success has borne out.

use crate::domain::check::{Check, Truth};
use crate::domain::condition::{Condition, Predicate};
use crate::domain::experience::Experience;
use crate::domain::knowledge::Rule;
use crate::domain::knowledge::hindsight;
use crate::domain::knowledge::inputs::{at_hand, holding};
use crate::domain::knowledge::pattern::{overlaps, within};
use crate::domain::mind::evidence::Rejected;
use crate::domain::plan::note::{About, Note, Severity};
use crate::domain::plan::{Plan, Subgoal};
use crate::knowledge::rule_scores::{is_of_lack, record_in, score};
use crate::knowledge::slice::flow_of_success;
use pithead_world::action::ActionFailure;
use pithead_world::family::ItemSpec;
use pithead_world::ids::ExperienceId;
use pithead_world::item::ItemId;
use std::collections::BTreeMap;

/// Prerequisites that one talk may teach; more of them say that the whole plan is another one.
const LEARNT_PER_TALK: usize = 3;
/// What one success may show of what an earlier failure lacked; more says that everything was different.
const LEARNT_PER_CONTRAST: usize = 3;

/// What attempts and corrections teach, each scored by these attempts alone; the record of other runs is added
/// where the knowledge base is asked. `corrections` are plans that were sent back and those that passed instead.
#[must_use]
pub fn rules_from_run<'a>(
    corrections: impl IntoIterator<Item = (&'a Rejected, &'a Plan)>,
    attempts: &[Experience],
) -> Vec<Rule> {
    let talks = corrections.into_iter().flat_map(|(rejected, passed)| {
        let notes = rejected.notes.iter();
        let errors = notes.filter(|n| n.severity == Severity::Error);
        errors.flat_map(|note| lessons(note, &rejected.plan, passed))
    });
    let surprises = attempts.iter().filter(|e| is_surprise(e));
    let all = surprises
        .flat_map(|failed| lacked(failed, attempts))
        .chain(talks.map(|(when, then)| (when, Condition::from(then))));
    let mut rules: Vec<Rule> = Vec::new();
    for (when, then) in all {
        // Twice the same lesson is one rule.
        if rules.iter().any(|r| (&r.when, &r.then) == (&when, &then)) {
            continue;
        }
        let record = record_in(&when, &then, attempts);
        let scores = score(&when, &then, record);
        // What a success of the run refutes is not worth asking about.
        if scores[0] > 0.0 {
            rules.push(Rule {
                when,
                then,
                scores,
                record,
            });
        }
    }
    rules
}

/// It was expected to succeed, or nobody said otherwise, and failed for want of something.
fn is_surprise(attempt: &Experience) -> bool {
    let expected = attempt.judged.as_ref().is_none_or(|said| said.success);
    expected && attempt.is_failure() && is_of_lack(attempt)
}

/// What the failed attempt lacked: as its body told, or else what a success of the same step had and it had not.
fn lacked(failed: &Experience, attempts: &[Experience]) -> Vec<(Condition, Condition)> {
    let Some(when) = step_named(&failed.action) else {
        return Vec::new();
    };
    let required = match told(failed) {
        Some(told) => vec![told],
        None => contrasted(failed, attempts),
    };
    let then = hindsight::situation(&failed.pre, &failed.action);
    let is_new = |one: &Condition| one.truth(&then) == Truth::False;
    let required = required.into_iter().filter(is_new);
    required.map(|then| (when.clone(), then)).collect()
}

fn step_named(step: &Subgoal) -> Option<Condition> {
    let target = step.goal.object?;
    Some(Condition::All(vec![
        Predicate::SubgoalKind(step.task_kind).into(),
        Predicate::Target(target).into(),
    ]))
}

/// What the body said that it lacked. Of an order of several pieces what one of them takes: never more than is needed.
fn told(failed: &Experience) -> Option<Condition> {
    match failed.diagnosis.report.as_ref()? {
        ActionFailure::MissingIngredient { needs, need, .. } => {
            let pieces = failed.action.goal.count.max(1);
            Some(holding(needs.kind(), need.div_ceil(pieces).max(1)))
        }
        ActionFailure::NoStation { station, .. } => {
            let item = ItemId::named(station.name())?;
            Some(at_hand(ItemSpec::Item(item)))
        }
        ActionFailure::NotHeld { item } => Some(holding(*item, 1)),
        _ => None, // the others name nothing that could be had
    }
}

/// What the first success of the same step had and used, and the failure had not.
fn contrasted(failed: &Experience, attempts: &[Experience]) -> Vec<Condition> {
    let is_same = |e: &&Experience| {
        e.diagnosis.success
            && e.action.task_kind == failed.action.task_kind
            && e.action.goal.object == failed.action.goal.object
    };
    let Some(success) = attempts.iter().find(is_same) else {
        return Vec::new();
    };
    let then = hindsight::situation(&failed.pre, &failed.action);
    let had = flow_of_success(success).requirements(1);
    let lacked = had.into_iter().filter(|c| c.truth(&then) == Truth::False);
    let lacked: Vec<Condition> = lacked.collect();
    if lacked.len() > LEARNT_PER_CONTRAST {
        return Vec::new();
    }
    lacked
}

/// The attempts at the rule's step.
#[must_use]
pub fn attempts_about(rule: &Rule, attempts: &[Experience]) -> Vec<ExperienceId> {
    let is_about = |e: &&Experience| {
        let now = hindsight::situation(&e.pre, &e.action);
        rule.when.truth(&now).is_true()
    };
    attempts.iter().filter(is_about).map(|e| e.id).collect()
}

/// Rules that the run was given and has something to say about, as drafts that are counted anew.
pub fn touched<'a>(
    known: impl Iterator<Item = &'a Rule>,
    attempts: &[Experience],
) -> impl Iterator<Item = Rule> {
    let says = |rule: &&Rule| !record_in(&rule.when, &rule.then, attempts).is_empty();
    known.filter(says).cloned()
}

/// What the plan that passed sees to before the step and the one sent back did not.
fn lessons(note: &Note, before: &Plan, after: &Plan) -> Vec<(Condition, Check)> {
    let Some(step) = note.subgoal.and_then(|id| before.get(id)) else {
        return Vec::new();
    };
    let Some(target) = step.goal.object else {
        return Vec::new();
    };
    let is_like = |other: &&Subgoal| {
        let object = other.goal.object;
        other.task_kind == step.task_kind && object.is_some_and(|o| overlaps(o, target))
    };
    // Where the step was left out altogether, there is nothing that it needs.
    let Some(again) = after.subgoals.iter().find(is_like) else {
        return Vec::new();
    };
    // What both plans had explains nothing; only what is new in the one that passed can
    // have mattered.
    let (had, has) = (seen_to(before, step), seen_to(after, again));
    let named = named_by(&note.about);
    let is_new = |item: &ItemSpec, count: u32| had.items.get(item).is_none_or(|c| *c < count);
    let mut checks: Vec<Check> = has
        .items
        .iter()
        .filter(|(item, count)| is_new(item, **count) && !overlaps(**item, target))
        .filter(|(item, _)| {
            // If the note names an item, only that one; else everything that is new.
            named.is_none_or(|named| within(**item, named) || within(named, **item))
        })
        // How many depends on how many are made; that it takes some does not.
        .map(|(item, count)| Check::InvGe {
            item: *item,
            // For a step of several pieces the amount belongs to the order, not to the
            // rule.
            count: if step.goal.count <= 1 { *count } else { 1 },
        })
        .collect();
    if let Some(y) = has.lowest.filter(|y| had.lowest.is_none_or(|own| own > *y)) {
        checks.push(Check::YposLe { y });
    }
    if checks.len() > LEARNT_PER_TALK {
        return Vec::new();
    }
    let when = Condition::All(vec![
        Predicate::SubgoalKind(step.task_kind).into(),
        Predicate::Target(target).into(),
    ]);
    let each = checks.into_iter().map(|check| (when.clone(), check));
    each.collect()
}

/// What the note itself names as lacking.
fn named_by(about: &About) -> Option<ItemSpec> {
    match about {
        About::MissingPrerequisite { item, .. } | About::WrongQuantity { item, .. } => Some(*item),
        About::WrongToolTier { tool } => Some(*tool),
        _ => None, // the other notes name no item
    }
}

#[derive(Default)]
struct SeenTo {
    items: BTreeMap<ItemSpec, u32>,
    lowest: Option<i32>,
}

/// What the plan declares to be so before this step's turn comes.
fn seen_to(plan: &Plan, step: &Subgoal) -> SeenTo {
    let mut found = SeenTo::default();
    // Declared, not simulated: the plan's own checks are what the planner promised.
    let before = plan.subgoals.iter().take_while(|other| other.id != step.id);
    for check in before.flat_map(|other| &other.checks) {
        match check {
            Check::InvGe { item, count }
            | Check::InvDeltaGe { item, count }
            | Check::CraftedGe { item, count } => {
                let known = found.items.entry(*item).or_default();
                // The largest amount of any step before it.
                *known = (*known).max(*count);
            }
            // Depth lasts only if nothing leads up again; the lowest is the best guess.
            Check::YposLe { y } => found.lowest = Some(found.lowest.map_or(*y, |own| own.min(*y))),
            _ => (), // of the others nothing lasts until the step
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::experience::diagnosis::FailureReason;
    use crate::domain::knowledge::hindsight::Blocked;
    use crate::domain::mind::judge::{JudgedBy, Judgement};
    use crate::domain::plan::TaskKind;
    use crate::domain::samples::{experience, item, subgoal};
    use crate::knowledge::rule_scores::scored_on;
    use pithead_world::ids::SubgoalId;

    fn plan(targets: &[&str]) -> Plan {
        Plan {
            plan_id: "p".to_owned(),
            subgoals: (1..).zip(targets).map(|(n, t)| subgoal(n, t)).collect(),
            global_constraints: Vec::new(),
            explanation: None,
            thoughts: None,
        }
    }

    /// Sent back for want of a pickaxe under the second step; the plan in its place makes one first.
    fn correction() -> (Rejected, Plan) {
        let note = Note {
            severity: Severity::Error,
            subgoal: Some(SubgoalId(2)),
            about: About::WrongToolTier {
                tool: item("stone_pickaxe"),
            },
            text: String::new(),
        };
        let rejected = Rejected {
            plan: plan(&["oak_log", "iron_ore"]),
            notes: vec![note],
            answer: None,
        };
        (
            rejected,
            plan(&["oak_log", "stone_pickaxe", "coal", "iron_ore"]),
        )
    }

    fn attempt(n: u64, held: &str, success: bool) -> Experience {
        let mut attempt = experience(1, n, "iron_ore", success);
        attempt.pre.inventory = held.parse().unwrap();
        attempt.diagnosis.reason = (!success).then_some(FailureReason::ToolMissing);
        attempt
    }

    fn learnt(attempts: &[Experience]) -> Vec<String> {
        let (rejected, passed) = correction();
        let rules = rules_from_run([(&rejected, &passed), (&rejected, &passed)], attempts);
        let admitted = rules.iter().filter(|rule| rule.is_admitted());
        admitted.map(Rule::requirement).collect()
    }

    #[test]
    fn what_the_note_names_and_the_next_plan_has_becomes_a_rule() {
        let records = [attempt(1, "", false), attempt(2, "stone_pickaxe=1", true)];
        let rules = learnt(&records);
        assert_eq!(rules.len(), 1, "{rules:?}");
        assert!(rules[0].starts_with("mine iron_ore requires"), "{rules:?}");
        assert!(rules[0].contains("stone_pickaxe"), "{rules:?}");
    }

    #[test]
    fn without_a_record_or_against_one_there_is_no_rule() {
        assert!(learnt(&[]).is_empty());
        let records = [
            attempt(1, "", false),
            attempt(2, "stone_pickaxe=1", true),
            attempt(3, "iron_pickaxe=1", true), // it went without a stone one
        ];
        assert!(learnt(&records).is_empty());
        // Failures with it say nothing: there are other reasons.
        assert!(learnt(&[attempt(1, "stone_pickaxe=1", false)]).is_empty());
        // Nor that it went well with it: it may take less.
        assert!(learnt(&[attempt(1, "stone_pickaxe=1", true)]).is_empty());
        // Nor is it enough that the step failed without it: nobody has shown that it helps.
        assert!(learnt(&[attempt(1, "", false)]).is_empty());
    }

    /// A pickaxe that was begun with so many planks, and what the body told.
    fn crafting(n: u64, held: &str, told: Option<ActionFailure>) -> Experience {
        let mut one = attempt(n, held, told.is_none());
        one.action.task_kind = TaskKind::Craft;
        one.action.goal.object = Some(item("wooden_pickaxe"));
        one.action.goal.count = 1;
        one.diagnosis.report = told;
        one
    }

    fn short_of_planks() -> ActionFailure {
        ActionFailure::MissingIngredient {
            item: item("wooden_pickaxe"),
            needs: item("oak_planks"),
            have: 1,
            need: 3,
        }
    }

    fn surprises(attempts: &[Experience]) -> Vec<String> {
        let rules = rules_from_run([], attempts);
        let told = |rule: &Rule| format!("{} {:.2}", rule.requirement(), rule.total());
        rules.iter().map(told).collect()
    }

    #[test]
    fn a_failure_that_nobody_foresaw_teaches_what_it_lacked() {
        let failed = crafting(1, "oak_planks=1,stick=2", Some(short_of_planks()));
        let alone = surprises(std::slice::from_ref(&failed));
        assert_eq!(alone.len(), 1, "{alone:?}");
        assert!(alone[0].ends_with("0.70"), "{alone:?}");
        let done = crafting(2, "oak_planks=3,stick=2", None);
        let both = surprises(&[failed.clone(), done.clone()]);
        assert!(
            both[0].starts_with("craft wooden_pickaxe requires"),
            "{both:?}"
        );
        assert!(
            both[0].contains("#planks") && both[0].ends_with("0.92"),
            "{both:?}"
        );
        // It was foreseen: nothing to learn. And a success without it refutes it.
        let mut foreseen = failed.clone();
        foreseen.judged = Some(Box::new(Judgement {
            subgoal: SubgoalId(1),
            success: false,
            by: JudgedBy::Mind,
            missing: Vec::new(),
            suggestion: String::new(),
        }));
        assert!(surprises(&[foreseen, done]).is_empty());
        let without = crafting(3, "stick=2", None);
        assert!(surprises(&[failed, without]).is_empty());
    }

    #[test]
    fn where_the_body_tells_nothing_a_later_success_shows_what_was_lacking() {
        let failed = crafting(1, "stick=2", Some(ActionFailure::Untold));
        let mut done = crafting(2, "oak_planks=3,stick=2", None);
        done.diagnosis.delta.used = "oak_planks=3,stick=2".parse().unwrap();
        done.diagnosis.delta.inventory = [("wooden_pickaxe".parse().unwrap(), 1)].into();
        let rules = surprises(&[failed, done]);
        assert_eq!(rules.len(), 1, "{rules:?}");
        assert!(rules[0].contains("3 #planks"), "{rules:?}");
    }

    #[test]
    fn the_record_of_other_runs_admits_a_rule_or_refutes_it() {
        let failed = crafting(1, "oak_planks=1", Some(short_of_planks()));
        let rule = rules_from_run([], &[failed]).remove(0);
        assert!(!rule.is_admitted());
        let past = |successes, met_successes| Blocked {
            failures: 1,
            successes,
            met_failures: 0,
            met_successes,
        };
        let pooled = scored_on(&rule, past(0, 3));
        assert!(pooled.is_admitted());
        assert_eq!((pooled.record.hits(), pooled.record.misses()), (4, 0));
        assert!(!scored_on(&pooled, past(1, 9)).is_admitted());
    }
}
