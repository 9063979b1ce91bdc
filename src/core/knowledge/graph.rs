//! Graph: what an entry rests on, what it touches, and which others it came from or went into.
//!
//! Pure: everything is read off the entries themselves. Invariant: whatever is said of two entries is
//! said on the pages of both.

use super::queue;
use crate::domain::knowledge::pattern::fits;
use crate::domain::knowledge::{Body, Entry, Guardrail, Skill, Status};
use pithead_world::ids::RunId;
use serde::Serialize;
use std::collections::BTreeMap;

/// Members told of one relation; the count is of all.
/// The page of an entry must stay short; the count says what is left out.
pub const MEMBERS_MAX: usize = 20;

/// The relation to entries that say the same.
pub const SAME_AS: &str = "says the same as";

/// One relation, and all that are in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Relation {
    pub name: &'static str,
    pub count: usize,
    pub members: Vec<Member>,
}

/// A run or an entry at the other end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Member {
    pub id: String,
    pub text: String,
}

/// All relations of an entry that are not empty; `base` are all entries, itself among them.
#[must_use]
pub fn relations(entry: &Entry, base: &[Entry]) -> Vec<Relation> {
    // An entry has no relation to itself.
    let others = || base.iter().filter(|other| other.id != entry.id);
    let of = |name, each: &dyn Fn(&Entry) -> Option<String>| {
        let members = others().filter_map(|other| {
            Some(Member {
                id: other.id.to_string(),
                text: each(other)?,
            })
        });
        relation(name, members.collect())
    };
    let title = |other: &Entry| format!("{} · {}", other.status.name(), other.title);
    let into = entry.superseded_by();
    let all = [
        rests_on(entry),
        of("became part of", &|other| {
            (into == Some(other.id)).then(|| title(other))
        }),
        // The same fact from both ends, so each page shows it.
        of("took over", &|other| {
            (other.superseded_by() == Some(entry.id)).then(|| title(other))
        }),
        of("kept beside", &|other| {
            // Both must have been kept, as in `queue`.
            let kept = entry.is_kept_beside(other.id) && other.is_kept_beside(entry.id);
            kept.then(|| title(other))
        }),
        of("touches", &|other| touches(entry, other)),
        of("speaks against", &|other| against(entry, other)),
        of(SAME_AS, &|other| {
            (lives(entry) && lives(other)).then(|| queue::same(&entry.body, &other.body))?
        }),
    ];
    let found = all.into_iter();
    found.filter(|relation| relation.count > 0).collect()
}

fn relation(name: &'static str, mut members: Vec<Member>) -> Relation {
    // Counted before the cut.
    let count = members.len();
    members.truncate(MEMBERS_MAX);
    Relation {
        name,
        count,
        members,
    }
}

/// Its evidence, run by run.
fn rests_on(entry: &Entry) -> Relation {
    // By run and in order, so the list is the same each time.
    let mut runs: BTreeMap<RunId, Vec<String>> = BTreeMap::new();
    for id in &entry.provenance.experiences {
        runs.entry(id.run).or_default().push(format!("a{}", id.n));
    }
    let members = runs.into_iter().map(|(run, attempts)| Member {
        id: format!("run {run}"),
        text: attempts.join(" "),
    });
    relation("rests on", members.collect())
}

fn lives(entry: &Entry) -> bool {
    matches!(entry.status, Status::Active | Status::Proposed)
}

/// Which of two is the guardrail and which the skill, if they are one of each and both live.
fn both<'a>(a: &'a Entry, b: &'a Entry) -> Option<(&'a Guardrail, &'a Skill)> {
    match (&a.body, &b.body) {
        _ if !lives(a) || !lives(b) => None,
        (Body::Guardrail(rail), Body::Skill(skill))
        | (Body::Skill(skill), Body::Guardrail(rail)) => Some((rail, skill)),
        _ => None, // no other two kinds meet in a step
    }
}

/// The steps of the skill that the guardrail is about, whether or not it would forbid them.
/// Scope only: whether it forbids depends on its trigger, and is `against`.
fn touches(a: &Entry, b: &Entry) -> Option<String> {
    let (rail, skill) = both(a, b)?;
    let steps = (1..).zip(&skill.steps);
    let touched = steps.filter(|(_, step)| fits(&rail.forbid, step));
    let told: Vec<String> = touched
        .map(|(n, step)| format!("step {n} {}", step.label()))
        .collect();
    (!told.is_empty()).then(|| format!("{} · {}", b.title, told.join(", ")))
}

fn against(a: &Entry, b: &Entry) -> Option<String> {
    let (rail, skill) = both(a, b)?;
    queue::forbids(rail, skill)
}

#[cfg(test)]
mod tests {
    use super::super::queue::tests::{active, rail};
    use super::*;
    use crate::domain::knowledge::{Author, ChangeNote};
    use crate::domain::samples::subgoal;
    use pithead_world::clock::Millis;
    use pithead_world::ids::ExperienceId;

    fn skill() -> Body {
        Body::Skill(Skill {
            goal: "oak_log".parse().unwrap(),
            count: 1,
            requires: "always".parse().unwrap(),
            steps: vec![subgoal(1, "coal"), subgoal(2, "oak_log")],
            success: Vec::new(),
            effects: BTreeMap::new(),
            flows: Vec::new(),
        })
    }

    fn told(entry: &Entry, base: &[Entry]) -> Vec<String> {
        let line = |relation: Relation| {
            let ids: Vec<&str> = relation.members.iter().map(|m| m.id.as_str()).collect();
            format!("{} {}", relation.name, ids.join(" "))
        };
        relations(entry, base).into_iter().map(line).collect()
    }

    #[test]
    fn what_is_said_of_two_is_said_of_both() {
        let by = Author::Operator("ann".to_owned());
        let said = ChangeNote {
            at: Millis(1),
            by: &by,
            reason: "so",
        };
        let mut base = [
            active(1, rail("inv stone_axe < 1", "oak_log")),
            active(2, skill()),
            active(3, rail("inv stone_axe < 1", "oak_log")),
            active(4, rail("inv stone_axe < 1", "oak_log")),
        ];
        for known in &mut base {
            known.provenance.experiences.clear();
        }
        let ids = base.each_ref().map(|known| known.id);
        base[2].become_status(Status::Superseded, said, Some(ids[0]));
        base[0].keep_beside(ids[3], said);
        base[3].keep_beside(ids[0], said);
        let evidence = [(1, 4), (1, 6), (2, 3)];
        base[0].provenance.experiences = evidence
            .map(|(run, n)| ExperienceId { run: RunId(run), n })
            .to_vec();
        assert_eq!(
            told(&base[0], &base),
            [
                "rests on run 1 run 2",
                "took over k1.3",
                "kept beside k1.4",
                "touches k1.2",
                "speaks against k1.2",
                "says the same as k1.4",
            ]
        );
        assert_eq!(
            told(&base[1], &base),
            ["touches k1.1 k1.4", "speaks against k1.1 k1.4"]
        );
        assert_eq!(told(&base[2], &base), ["became part of k1.1"]);
        let touched = &relations(&base[1], &base)[0].members[0].text;
        assert!(
            touched.contains("step 2") && !touched.contains("step 1"),
            "{touched}"
        );
    }

    #[test]
    fn a_relation_of_many_is_counted_in_full() {
        let base: Vec<Entry> = (1..=30)
            .map(|n| active(n, rail("inv stone_axe < 1", "oak_log")))
            .collect();
        let same = relations(&base[0], &base).pop().unwrap();
        assert_eq!((same.count, same.members.len()), (29, MEMBERS_MAX));
    }
}
