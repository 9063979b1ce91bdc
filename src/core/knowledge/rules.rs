//! Rules out of corrections with the verifier: what a plan lacked when it was sent back, and had when it passed.
//!
//! A rule says of one step (its kind and what it is for) what has to be so before it. It is scored by every
//! recorded attempt at such a step. Invariant: no rule is admitted that a success contradicts.

use crate::domain::check::{Check, Truth};
use crate::domain::condition::{Condition, Predicate};
use crate::domain::experience::Experience;
use crate::domain::knowledge::Rule;
use crate::domain::knowledge::hindsight;
use crate::domain::knowledge::pattern::{overlaps, within};
use crate::domain::mind::evidence::Rejected;
use crate::domain::plan::note::{About, Note, Severity};
use crate::domain::plan::{Plan, Subgoal};
use pithead_world::family::ItemSpec;
use std::collections::BTreeMap;

/// Prerequisites that one talk may teach; more of them say that the whole plan is another one.
const LEARNT_PER_TALK: usize = 3;

/// The admitted rules of these corrections, each a plan that was sent back and the one that passed in its place.
/// `attempts` are all that is recorded of such steps, whatever came of them.
#[must_use]
pub fn rules_from_corrections<'a>(
    corrections: impl IntoIterator<Item = (&'a Rejected, &'a Plan)>,
    attempts: &[Experience],
) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    for (rejected, passed) in corrections {
        let errors = rejected
            .notes
            .iter()
            .filter(|n| n.severity == Severity::Error);
        for (when, then) in errors.flat_map(|note| lessons(note, &rejected.plan, passed)) {
            // Scored over all recorded attempts, not over those of this run.
            let scores = score(&when, &then, attempts);
            let rule = Rule { when, then, scores };
            let is_known = rules
                .iter()
                .any(|r| (&r.when, &r.then) == (&rule.when, &rule.then));
            // Twice the same lesson is one rule.
            if !is_known && rule.total() > Rule::ADMITTED_ABOVE {
                rules.push(rule);
            }
        }
    }
    rules
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

/// [consistent, clear, feasible]: no record speaks against it, one knows when it applies, and it can be
/// seen to. Without a record that speaks for it, it is as likely wrong as right.
/// Each from 0 to 1; the rule is admitted by their sum.
#[must_use]
pub fn score(when: &Condition, then: &Check, attempts: &[Experience]) -> [f64; 3] {
    let (mut good, mut bad) = (0_u32, 0_u32);
    for attempt in attempts {
        let now = hindsight::situation(&attempt.pre, &attempt.action);
        if !when.truth(&now).is_true() {
            continue;
        }
        match (then.truth(&now), attempt.diagnosis.success) {
            // It went well without: that one case says that the rule is not one.
            (Truth::False, true) => bad += 1,
            (Truth::True, true) | (Truth::False, false) => good += 1,
            // It may have failed for another reason, or nobody knows how it stood.
            (Truth::True, false) | (Truth::Unknown, _) => (),
        }
    }
    let consistent = if bad > 0 {
        0.0
    } else {
        // Laplace's rule of succession: without any record a half, and never a full one.
        f64::from(good + 1) / f64::from(good + 2)
    };
    let clear = match (kind_named(when), target(when)) {
        (true, Some(_)) => 1.0,
        (true, None) | (false, Some(_)) => 0.5,
        (false, None) => 0.0,
    };
    let feasible = match then {
        Check::InvGe { .. } | Check::Equipped { .. } | Check::Near { .. } => 1.0,
        Check::YposLe { .. } | Check::YposGe { .. } => 1.0,
        _ => 0.5, // it depends on what the world does by itself
    };
    [consistent, clear, feasible]
}

/// What the rule's step is for, if it names that.
#[must_use]
pub fn target(when: &Condition) -> Option<ItemSpec> {
    named(when, &|predicate| match predicate {
        Predicate::Target(item) => Some(*item),
        _ => None, // the others name no item
    })
}

fn kind_named(when: &Condition) -> bool {
    let kind = |predicate: &Predicate| matches!(predicate, Predicate::SubgoalKind(_)).then_some(());
    named(when, &kind).is_some()
}

/// What a conjunction says for certain; alternatives and negations say nothing.
/// In a disjunction none of the parts is certain.
fn named<T>(when: &Condition, of: &dyn Fn(&Predicate) -> Option<T>) -> Option<T> {
    match when {
        Condition::All(parts) => parts.iter().find_map(|part| named(part, of)),
        Condition::Is(predicate) => of(predicate),
        Condition::Any(_) | Condition::Not(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::{experience, item, subgoal};
    use pithead_world::ids::SubgoalId;

    fn plan(targets: &[&str]) -> Plan {
        Plan {
            plan_id: "p".to_owned(),
            subgoals: (1..).zip(targets).map(|(n, t)| subgoal(n, t)).collect(),
            global_constraints: Vec::new(),
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
        attempt
    }

    fn learnt(attempts: &[Experience]) -> Vec<String> {
        let (rejected, passed) = correction();
        let rules = rules_from_corrections([(&rejected, &passed), (&rejected, &passed)], attempts);
        let told = |rule: &Rule| format!("if {} then {}", rule.when, rule.then.describe());
        rules.iter().map(told).collect()
    }

    #[test]
    fn what_the_note_names_and_the_next_plan_has_becomes_a_rule() {
        let records = [attempt(1, "", false), attempt(2, "stone_pickaxe=1", true)];
        let rules = learnt(&records);
        assert_eq!(rules.len(), 1, "{rules:?}");
        assert!(
            rules[0].starts_with("if subgoal is mine and target iron_ore then"),
            "{rules:?}"
        );
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
    }

    #[test]
    fn the_weights_are_those_of_the_design() {
        let rule = |scores| Rule {
            when: Condition::always(),
            then: Check::GuiClosed,
            scores,
        };
        assert!((rule([1.0, 1.0, 1.0]).total() - 1.0).abs() < 1e-12);
        assert!((rule([1.0, 0.0, 0.0]).total() - 0.3).abs() < 1e-12);
        // Clear and feasible alone are not enough.
        assert!(rule([0.5, 1.0, 1.0]).total() <= Rule::ADMITTED_ABOVE);
    }
}
