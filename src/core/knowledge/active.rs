//! The active set of a run: which of the active entries are given to it, and why the others are not.
//!
//! A run is given so many at most, because planners read badly what is long. Those about its task go
//! before the others, then what was measured to help, then what is trusted more, then what rests on more attempts.
//! Invariant: the same entries and task give the same set, whatever their order.

use super::rule_scores;
use crate::domain::knowledge::pattern;
use crate::domain::knowledge::{Body, Entry, Remedy, Status};
use crate::domain::plan::task::Task;
use pithead_world::clock::Millis;
use pithead_world::family::ItemSpec;
use pithead_world::ids::KnowledgeId;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Skills for one goal: ways to the same thing beyond these only take the place of other knowledge.
pub const SKILLS_PER_GOAL_MAX: usize = 8;

/// What became of an active entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActiveSetPlace {
    Chosen,
    /// Enough better skills for the same goal.
    Outranked {
        by: Vec<KnowledgeId>,
    },
    /// Its place is behind the last one that there is.
    OverBound {
        /// From 1.
        // The rank it would have; `bound` is the limit `shown_max`.
        rank: usize,
        bound: usize,
    },
}

/// The place of every active entry, best first; entries of another status have none.
#[must_use]
pub fn places<'a>(
    entries: &'a [Entry],
    task: &Task,
    now: Millis,
    bound: usize,
) -> Vec<(&'a Entry, ActiveSetPlace)> {
    let mut ranked: Vec<&Entry> = entries
        .iter()
        .filter(|entry| entry.status == Status::Active)
        .collect();
    // The key is computed once for each entry: confidence is not free.
    ranked.sort_by_cached_key(|entry| key(entry, task, now));
    // Counted by goal over the ranked list, so the first eight are the best eight.
    let mut ways: BTreeMap<ItemSpec, Vec<KnowledgeId>> = BTreeMap::new();
    let mut rank = 0;
    let place = |entry: &'a Entry| {
        if let Body::Skill(skill) = &entry.body {
            let better = ways.entry(skill.goal).or_default();
            if better.len() >= SKILLS_PER_GOAL_MAX {
                return (entry, ActiveSetPlace::Outranked { by: better.clone() });
            }
            better.push(entry.id);
        }
        // A skill that is outranked takes no rank, so its place goes to the next entry.
        rank += 1;
        let is_in = rank <= bound;
        let place = if is_in {
            ActiveSetPlace::Chosen
        } else {
            ActiveSetPlace::OverBound { rank, bound }
        };
        (entry, place)
    };
    ranked.into_iter().map(place).collect()
}

/// The entries that a run is given, oldest first.
#[must_use]
pub fn choose(entries: Vec<Entry>, task: &Task, now: Millis, bound: usize) -> Vec<Entry> {
    let placed = places(&entries, task, now, bound);
    let chosen = placed
        .into_iter()
        .filter(|(_, p)| *p == ActiveSetPlace::Chosen);
    let chosen: std::collections::BTreeSet<KnowledgeId> = chosen.map(|(e, _)| e.id).collect();
    let mut kept: Vec<Entry> = entries
        .into_iter()
        .filter(|entry| chosen.contains(&entry.id))
        .collect();
    // By id, so that prompts and journals list them in one order.
    kept.sort_by_key(|entry| entry.id);
    kept
}

/// Ascending: `false` first, hence "not about the task" is the first part.
type Key = (bool, Value);

fn key(entry: &Entry, task: &Task, now: Millis) -> Key {
    (!is_about(&entry.body, task), value(entry, now))
}

/// Measured effect, trust, support, the best first; the id makes the order total.
pub(super) type Value = (MeasuredEffect, Reverse<u64>, Reverse<usize>, KnowledgeId);

/// What an entry is worth, wherever it is used.
pub(super) fn value(entry: &Entry, now: Millis) -> Value {
    // Thousandths: floats have no total order, and finer differences mean nothing.
    let trust = (entry.outcomes.confidence(now) * 1_000.0).round() as u64;
    let support = entry.provenance.experiences.len();
    let effect = measured_effect(entry);
    (effect, Reverse(trust), Reverse(support), entry.id)
}

/// What hold-out has shown of an entry, as far as the whole interval says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MeasuredEffect {
    MoreSuccess,
    FewerFailures,
    NotKnown,
    MoreFailures,
    LessSuccess,
}

fn measured_effect(entry: &Entry) -> MeasuredEffect {
    let Some(effect) = entry.outcomes.effect() else {
        return MeasuredEffect::NotKnown;
    };
    let (success, failed) = (effect.success, effect.failed_attempts);
    if success.low > 0.0 {
        MeasuredEffect::MoreSuccess
    } else if effect.is_harmful() {
        MeasuredEffect::LessSuccess
    } else if failed.high < 0.0 {
        MeasuredEffect::FewerFailures
    } else if failed.low > 0.0 {
        MeasuredEffect::MoreFailures
    } else {
        MeasuredEffect::NotKnown
    }
}

/// Whether the entry names what the task wants.
fn is_about(body: &Body, task: &Task) -> bool {
    let wants = |item: ItemSpec| pattern::overlaps(item, task.goal);
    match body {
        Body::Skill(skill) => wants(skill.goal),
        Body::ReferencePlan(plan) => wants(plan.goal),
        Body::Guardrail(guardrail) => guardrail.forbid.target.is_some_and(wants),
        // One about every task with some step goes with general knowledge, by its trust; so does one that no
        // plan can act on.
        Body::TaskGuardrail(guardrail) => {
            let is_general = guardrail.task.is_anything() && !guardrail.before.is_anything();
            let is_words = |remedy: &Remedy| matches!(remedy, Remedy::Advice { .. });
            let acts = !guardrail.missing.iter().all(is_words);
            acts && !is_general && covers(&guardrail.task, task)
        }
        Body::Rule(rule) => rule_scores::target(&rule.when).is_some_and(wants),
        Body::Note(_) => false,
    }
}

/// Whether a task guardrail's pattern is about this task.
#[must_use]
pub fn covers(wanted: &crate::domain::knowledge::Pattern, task: &Task) -> bool {
    let text = task.text.to_lowercase();
    wanted
        .target
        .is_none_or(|target| pattern::within(task.goal, target))
        // Text is matched without regard to case; both parts of a pattern must fit.
        && wanted
            .text
            .as_ref()
            .is_none_or(|part| text.contains(&part.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::knowledge::{EntryUse, Pattern, TaskGuardrail};
    use crate::domain::samples::entry;

    fn base(n: u64) -> Vec<Entry> {
        let active = |n| Entry {
            status: Status::Active,
            ..entry(1, n, "stone")
        };
        (1..=n).map(active).collect()
    }

    #[test]
    fn beyond_the_bound_the_least_trusted_stay_out() {
        let task = Task::parse("get a bucket").unwrap();
        let mut entries = base(4);
        entries[3].outcomes.count(EntryUse::Helped, Millis(0));
        entries[0].outcomes.count(EntryUse::Hurt, Millis(0));
        entries[1].status = Status::Proposed;
        let now = Millis(0);
        let ids = |kept: Vec<Entry>| -> Vec<u64> { kept.iter().map(|e| e.id.n).collect() };
        assert_eq!(ids(choose(entries.clone(), &task, now, 2)), [3, 4]);
        entries.reverse();
        assert_eq!(ids(choose(entries.clone(), &task, now, 2)), [3, 4]);
        let (last, place) = places(&entries, &task, now, 2).pop().unwrap();
        assert_eq!(
            (last.id.n, place),
            (1, ActiveSetPlace::OverBound { rank: 3, bound: 2 })
        );
    }

    #[test]
    fn a_task_guardrail_that_no_plan_can_act_on_takes_no_place_of_others() {
        let task = Task::parse("get a bucket").unwrap();
        let rail = |remedy| {
            let mut rail = TaskGuardrail {
                missing: vec![remedy],
                ..TaskGuardrail::default()
            };
            rail.task.target = Some("bucket".parse().unwrap());
            rail
        };
        let text = "wear armour".to_owned();
        let [mut words, sword] = [Remedy::Advice { text }, Remedy::GoBelow { y: 15 }].map(rail);
        assert!(!is_about(&Body::TaskGuardrail(words.clone()), &task));
        assert!(is_about(&Body::TaskGuardrail(sword.clone()), &task));
        // Nor one about every task with that step.
        words.clone_from(&sword);
        words.task = Pattern::default();
        words.before.target = Some("iron_ore".parse().unwrap());
        assert!(!is_about(&Body::TaskGuardrail(words), &task));
    }

    #[test]
    fn what_the_task_is_about_goes_first() {
        let mut entries = base(2);
        entries[0].outcomes.count(EntryUse::Helped, Millis(0));
        let Body::Guardrail(about) = &mut entries[1].body else {
            panic!()
        };
        about.forbid.target = Some("coal".parse().unwrap());
        let task = Task::parse("get a coal").unwrap();
        let kept = choose(entries, &task, Millis(0), 1);
        assert_eq!(kept[0].id.n, 2);
    }
}
