//! Needed knowledge: what the active entries say about the things that a plan has to get.
//!
//! The second stage of retrieval; the first goes by the task (`active`). Guardrails go first, then a few skills for
//! each thing, within a budget of words. Invariant: an entry that was given already is not given again.

use super::active::{self, covers};
use super::rule_scores;
use crate::domain::knowledge::pattern::overlaps;
use crate::domain::knowledge::{Body, Entry, Status};
use crate::domain::plan::task::Task;
use pithead_world::clock::Millis;
use pithead_world::family::ItemSpec;
use pithead_world::ids::KnowledgeId;
use std::collections::BTreeSet;

/// Skills for one thing; the next best would repeat what the first say.
const SKILLS_PER_NEED: usize = 3;
/// Words for all that is retrieved for one plan: about two thousand tokens.
const WORDS_MAX: usize = 1_500;

/// The active entries about these things, oldest first.
#[must_use]
pub fn choose(
    mut entries: Vec<Entry>,
    needs: &[ItemSpec],
    task: &Task,
    given: &BTreeSet<KnowledgeId>,
    now: Millis,
) -> Vec<Entry> {
    entries.retain(|e| {
        e.status == Status::Active && !given.contains(&e.id) && is_about_any(&e.body, needs, task)
    });
    entries.sort_by_cached_key(|e| (order(&e.body), active::value(e, now)));
    let mut skills = vec![0; needs.len()];
    let mut words = 0;
    entries.retain(|entry| {
        if let Body::Skill(skill) = &entry.body {
            let about = |need: &ItemSpec| overlaps(skill.goal, *need);
            let Some(at) = needs.iter().position(about) else {
                return false;
            };
            if skills[at] >= SKILLS_PER_NEED {
                return false;
            }
            skills[at] += 1;
        }
        words = words_in(entry).saturating_add(words);
        words <= WORDS_MAX
    });
    entries.sort_by_key(|entry| entry.id);
    entries
}

/// Roughly: an English word and a space are six characters.
fn words_in(entry: &Entry) -> usize {
    serde_json::to_string(&entry.body).map_or(usize::MAX, |text| text.len() / 6)
}

/// What forbids goes before what shows how.
fn order(body: &Body) -> u8 {
    match body {
        Body::Guardrail(_) => 0,
        Body::TaskGuardrail(_) | Body::Rule(_) => 1,
        Body::Skill(_) => 2,
        Body::ReferencePlan(_) | Body::Note(_) => 3,
    }
}

fn is_about_any(body: &Body, needs: &[ItemSpec], task: &Task) -> bool {
    let needed = |item: ItemSpec| needs.iter().any(|need| overlaps(item, *need));
    match body {
        Body::Skill(skill) => needed(skill.goal),
        Body::ReferencePlan(plan) => needed(plan.goal),
        Body::Guardrail(guardrail) => guardrail.forbid.target.is_some_and(needed),
        Body::TaskGuardrail(guardrail) => {
            guardrail.before.target.is_some_and(needed) && covers(&guardrail.task, task)
        }
        Body::Rule(rule) => rule_scores::target(&rule.when).is_some_and(needed),
        Body::Note(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::condition::Condition;
    use crate::domain::knowledge::EntryUse;
    use crate::domain::knowledge::Skill;
    use crate::domain::samples::{entry, subgoal};

    fn ids(entries: Vec<Entry>, needs: &[&str], given: &[u64]) -> Vec<u64> {
        let needs: Vec<ItemSpec> = needs.iter().map(|item| item.parse().unwrap()).collect();
        let given = given.iter().map(|n| KnowledgeId {
            run: pithead_world::ids::RunId(1),
            n: *n,
        });
        let task = Task::parse("get a bucket").unwrap();
        let chosen = choose(entries, &needs, &task, &given.collect(), Millis(0));
        chosen.iter().map(|entry| entry.id.n).collect()
    }

    fn skill_entry(run: u64, n: u64, goal: &str) -> Entry {
        let body = Body::Skill(Skill {
            goal: goal.parse().unwrap(),
            count: 1,
            requires: Condition::always(),
            steps: vec![subgoal(1, goal)],
            success: Vec::new(),
            effects: std::collections::BTreeMap::new(),
            flows: Vec::new(),
        });
        Entry {
            body,
            ..entry(run, n, goal)
        }
    }

    fn active(mut entry: Entry) -> Entry {
        entry.status = Status::Active;
        entry
    }

    #[test]
    fn what_is_about_the_needs_is_given_once() {
        let base = || {
            vec![
                active(entry(1, 1, "stone")),
                active(entry(1, 2, "coal")),
                entry(1, 3, "stone"),
            ]
        };
        assert_eq!(ids(base(), &["stone"], &[]), [1]);
        assert_eq!(ids(base(), &["stone", "coal"], &[]), [1, 2]);
        assert_eq!(ids(base(), &["stone", "coal"], &[1]), [2]);
        assert!(ids(base(), &[], &[]).is_empty());
    }

    #[test]
    fn of_many_skills_for_one_thing_the_best_three_are_given() {
        let mut base: Vec<Entry> = (1..=5)
            .map(|n| active(skill_entry(1, n, "stone")))
            .collect();
        base[4].outcomes.count(EntryUse::Helped, Millis(0));
        base.push(active(skill_entry(1, 6, "coal")));
        assert_eq!(ids(base, &["stone", "coal"], &[]), [1, 2, 5, 6]);
    }
}
