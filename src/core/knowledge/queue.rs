//! Queues for the curator: entries that say the same, entries that forbid what others do, and entries that do
//! harm.
//!
//! Nothing is decided here; it is said what speaks for merging, for a choice, or for retiring.

use super::possible::{entails, together};
use crate::domain::check::Check;
use crate::domain::condition::situation::Situation;
use crate::domain::condition::{Condition, Predicate};
use crate::domain::knowledge::effect::EntryEffect;
use crate::domain::knowledge::pattern;
use crate::domain::knowledge::{Body, Entry, Guardrail, Skill, Status};
use crate::text::signature::Signature;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::ids::KnowledgeId;
use serde::Serialize;

/// Two entries that the curator should look at together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryPair {
    pub one: KnowledgeId,
    pub other: KnowledgeId,
    /// One sentence.
    pub because: String,
}

/// Pairs shown of each queue; a base with more has to be cleaned from the top.
/// Comparing all pairs grows with the square of the base; the bound is for the reader.
pub const PAIRS_MAX: usize = 200;

/// Entries that say the same, or of which one says what the other does and more.
#[must_use]
pub fn duplicates(entries: &[Entry]) -> Vec<EntryPair> {
    // Signatures are computed once for each entry, not once for each pair.
    let living: Vec<(&Entry, Signature)> = living(entries)
        .map(|entry| (entry, entry.body.signature()))
        .collect();
    let pair = |(a, sign): &(&Entry, Signature), (b, other): &(&Entry, Signature)| {
        if are_kept(a, b) {
            return None;
        }
        let because = if sign == other && a.body.kind() == b.body.kind() {
            SAME.to_owned()
        } else {
            alike(&a.body, &b.body)?
        };
        Some(EntryPair {
            one: a.id,
            other: b.id,
            because,
        })
    };
    pairs(&living, pair)
}

const SAME: &str = "they do the same";

/// Guardrails that forbid what an active skill does, the guardrail first.
#[must_use]
pub fn contradictions(entries: &[Entry]) -> Vec<EntryPair> {
    let living: Vec<&Entry> = living(entries).collect();
    pairs(&living, |a, b| {
        // A proposed guardrail against a proposed skill concerns nobody yet.
        if a.status != Status::Active && b.status != Status::Active || are_kept(a, b) {
            return None;
        }
        let (rail, skill, because) = match (&a.body, &b.body) {
            (Body::Guardrail(rail), Body::Skill(skill)) => (a, b, forbids(rail, skill)?),
            (Body::Skill(skill), Body::Guardrail(rail)) => (b, a, forbids(rail, skill)?),
            _ => return None, // no other two kinds can be held against each other
        };
        Some(EntryPair {
            one: rail.id,
            other: skill.id,
            because,
        })
    })
}

/// An entry that the curator should look at by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QueuedEntry {
    pub id: KnowledgeId,
    /// One sentence.
    pub because: String,
}

/// Active entries with which fewer runs succeed, as hold-out has measured.
#[must_use]
pub fn harmful<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Vec<QueuedEntry> {
    let active = entries.into_iter().filter(|e| e.status == Status::Active);
    let found = active.filter_map(|entry| {
        let effect = entry.outcomes.effect().filter(EntryEffect::is_harmful)?;
        let [(_, success), ..] = effect.lines();
        Some(QueuedEntry {
            id: entry.id,
            because: format!("its effect on success is below zero: {success}"),
        })
    });
    found.collect()
}

/// Someone has let both stand as they are.
fn are_kept(a: &Entry, b: &Entry) -> bool {
    // Both must say so: one alone may have been edited since.
    a.is_kept_beside(b.id) && b.is_kept_beside(a.id)
}

fn living(entries: &[Entry]) -> impl Iterator<Item = &Entry> {
    // Vetoed, retired and superseded entries act on nothing.
    let lives = |e: &&Entry| matches!(e.status, Status::Active | Status::Proposed);
    entries.iter().filter(lives)
}

fn pairs<T>(all: &[T], pair: impl Fn(&T, &T) -> Option<EntryPair>) -> Vec<EntryPair> {
    let each = all.iter().enumerate();
    let both = each.flat_map(|(at, a)| all[at + 1..].iter().map(move |b| (a, b)));
    both.filter_map(|(a, b)| pair(a, b))
        .take(PAIRS_MAX)
        .collect()
}

/// How far two contents are the same; none if they are not.
#[must_use]
pub fn same(a: &Body, b: &Body) -> Option<String> {
    if a.kind() == b.kind() && a.signature() == b.signature() {
        return Some(SAME.to_owned());
    }
    alike(a, b)
}

/// As `same`, for two whose signatures differ.
fn alike(a: &Body, b: &Body) -> Option<String> {
    match (a, b) {
        // Which of the two is wider decides what a merge would keep.
        (Body::Guardrail(a), Body::Guardrail(b)) if a.forbid == b.forbid => {
            match (
                entails(&a.trigger, &b.trigger),
                entails(&b.trigger, &a.trigger),
            ) {
                (true, true) => Some("they forbid the same at the same times".to_owned()),
                (true, false) => Some("the second forbids all that the first does".to_owned()),
                (false, true) => Some("the first forbids all that the second does".to_owned()),
                (false, false) => None,
            }
        }
        (Body::Skill(a), Body::Skill(b)) if a.goal == b.goal && labels(a) == labels(b) => {
            Some("the same steps to the same thing, from other beginnings".to_owned())
        }
        _ => None, // distinguished by their kinds, or by their signatures
    }
}

fn labels(skill: &Skill) -> Vec<String> {
    skill.steps.iter().map(|step| step.label()).collect()
}

/// The step of the skill that the guardrail forbids when the skill is carried out from the least that
/// it requires; none if there is none for certain.
/// "For certain" is the rule: unknown is never a contradiction.
#[must_use]
pub fn forbids(rail: &Guardrail, skill: &Skill) -> Option<String> {
    let mut held = Counts::default();
    least(&skill.requires, &mut held);
    for (at, step) in skill.steps.iter().enumerate() {
        let situation = Situation {
            inventory: Some(&held),
            ..Situation::default()
        };
        if pattern::forbids(rail, step, &situation).is_true()
            // Both conditions must be able to hold at once, or the two never meet.
            && together(&[&rail.trigger, &skill.requires])
        {
            let step = step.label();
            return Some(format!(
                "the guardrail forbids step {} of the skill ({step}): {}",
                at + 1,
                rail.trigger
            ));
        }
        // Each step leaves its product to the next.
        for check in &step.checks {
            gain(check, &mut held);
        }
    }
    None
}

/// The inventory that a condition asks for at least.
pub(super) fn least(condition: &Condition, held: &mut Counts) {
    match condition {
        Condition::All(parts) => parts.iter().for_each(|part| least(part, held)),
        Condition::Is(Predicate::Check(check)) => gain(check, held),
        // One of several, or none, is no claim about what is held.
        Condition::Any(_) | Condition::Not(_) | Condition::Is(_) => (),
    }
}

pub(super) fn gain(check: &Check, held: &mut Counts) {
    let (item, more): (ItemSpec, u32) = match check {
        Check::InvGe { item, count } => (*item, count.saturating_sub(held.count(*item))),
        Check::InvDeltaGe { item, count } | Check::CraftedGe { item, count } => (*item, *count),
        _ => return, // the others bring nothing into the inventory
    };
    // Of a family the first member stands for all.
    if let Some(member) = item.members().first() {
        held.add(*member, more);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::domain::knowledge::Pattern;
    use crate::domain::knowledge::effect::RunResult;
    use crate::domain::samples::{entry, subgoal};

    pub(crate) fn active(n: u64, body: Body) -> Entry {
        Entry {
            status: Status::Active,
            body,
            ..entry(1, n, "stone")
        }
    }

    pub(crate) fn rail(trigger: &str, target: &str) -> Body {
        let Body::Guardrail(base) = entry(1, 1, target).body else {
            panic!()
        };
        Body::Guardrail(Guardrail {
            trigger: trigger.parse().unwrap(),
            forbid: Pattern {
                target: Some(target.parse().unwrap()),
                ..Pattern::default()
            },
            ..base
        })
    }

    fn skill(requires: &str) -> Body {
        Body::Skill(Skill {
            goal: "oak_log".parse().unwrap(),
            count: 1,
            requires: requires.parse().unwrap(),
            steps: vec![subgoal(1, "oak_log")],
            success: Vec::new(),
            effects: std::collections::BTreeMap::new(),
            flows: Vec::new(),
        })
    }

    #[test]
    fn active_entries_with_an_effect_below_zero_are_queued() {
        let mut entries = [1, 2, 3].map(|n| active(n, rail("inv stick < 2", "oak_log")));
        let run = |success| RunResult {
            success,
            failed_attempts: 1,
            ticks: 100,
        };
        for entry in &mut entries[..2] {
            for _ in 0..12 {
                entry.outcomes.given.count(run(false));
                entry.outcomes.withheld.count(run(true));
            }
        }
        entries[1].status = Status::Retired;
        let found = harmful(&entries);
        assert_eq!((found.len(), found[0].id.n), (1, 1));
        let because = &found[0].because;
        assert!(because.contains("below zero: -100.0 points"), "{because}");
    }

    #[test]
    fn entries_that_say_the_same_are_paired() {
        let entries = [
            active(1, rail("inv stick < 2", "oak_log")),
            active(2, rail("not inv stick >= 2", "oak_log")),
            active(3, rail("inv stick < 1", "oak_log")),
            active(4, rail("inv stick < 2", "coal")),
        ];
        let found = duplicates(&entries);
        let ids: Vec<(u64, u64)> = found.iter().map(|p| (p.one.n, p.other.n)).collect();
        assert_eq!(ids, [(1, 2), (1, 3), (2, 3)]);
        assert_eq!(found[0].because, "they do the same");
        assert!(found[1].because.contains("the first forbids all"));
    }

    #[test]
    fn what_was_kept_waits_no_more() {
        use crate::domain::knowledge::{Author, ChangeNote};
        use pithead_world::clock::Millis;
        let mut entries = [
            active(1, rail("inv stick < 2", "oak_log")),
            active(2, rail("not inv stick >= 2", "oak_log")),
        ];
        let [one, other] = [entries[0].id, entries[1].id];
        let by = Author::Operator("ann".to_owned());
        let said = ChangeNote {
            at: Millis(1),
            by: &by,
            reason: "both",
        };
        entries[0].keep_beside(other, said);
        assert_eq!(duplicates(&entries).len(), 1, "said of both, or of none");
        entries[1].keep_beside(one, said);
        assert_eq!(duplicates(&entries), []);
    }

    #[test]
    fn a_guardrail_against_a_step_of_a_skill_is_a_contradiction() {
        let found = |trigger: &str, requires: &str| {
            let entries = [
                active(1, skill(requires)),
                active(2, rail(trigger, "oak_log")),
            ];
            contradictions(&entries).len()
        };
        assert_eq!(found("inv stone_axe < 1", "always"), 1);
        assert_eq!(found("inv stone_axe < 1", "inv stone_axe >= 1"), 0);
        assert_eq!(found("underground", "always"), 0, "not for certain");
    }
}
