//! Sequences: what the last runs that reached a goal did for it, from the drafts that they ended with.
//!
//! Invariant: a run is counted by what it recorded itself; of a run that is not in this database nothing is taken.

use super::knowledge::find;
use super::{Journal, JournalError};
use pithead_core::domain::knowledge::{Body, Entry, ReferencePlan, Skill};
use pithead_core::domain::mind::sequences::{SEQUENCES_WANTED, Sequence, Sequences};
use pithead_core::domain::run::event::Event;
use pithead_core::text::signature::Signature;
use pithead_world::ids::{KnowledgeId, RunId, Seq};
use std::collections::{BTreeMap, BTreeSet};

/// Goals that are summarised at the end of one run; the others come at the next.
const GOALS_MAX: usize = 4;
/// Look-ups of one run that are searched for its drafts.
const LOOKUPS_MAX: usize = 64;

impl Journal {
    /// The goals of these drafts that enough runs have reached, with what the last of them did, and that have no
    /// reference plan yet, whatever became of it.
    pub fn sequences_due(&self, drafts: &[Entry]) -> Result<Vec<Sequences>, JournalError> {
        let mut recorded: BTreeMap<RunId, Vec<Entry>> = BTreeMap::new();
        let mut due = Vec::new();
        for draft in drafts {
            let Body::Skill(own) = &draft.body else {
                continue;
            };
            if own.steps.len() < 2 || self.has_reference_plan(own)? {
                continue;
            }
            let Some((known, _)) = self.entry_saying_the_same(&draft.body)? else {
                continue;
            };
            let signature = draft.body.signature();
            let mut seen = Vec::new();
            for run in self.runs_behind(known)?.into_iter().rev() {
                if seen.len() + 1 >= SEQUENCES_WANTED {
                    break;
                }
                if Some(run) == draft.provenance.run {
                    continue;
                }
                if let std::collections::btree_map::Entry::Vacant(place) = recorded.entry(run) {
                    place.insert(self.drafts_of(run)?);
                }
                seen.extend(sequence_in(&recorded[&run], run, signature));
            }
            seen.reverse();
            seen.extend(sequence(draft, draft.provenance.run));
            if seen.len() >= SEQUENCES_WANTED {
                due.extend(Sequences::of_goal(seen));
            }
            if due.len() >= GOALS_MAX {
                break;
            }
        }
        Ok(due)
    }

    fn has_reference_plan(&self, skill: &Skill) -> Result<bool, JournalError> {
        // Alike in all that its signature holds.
        let like = ReferencePlan {
            goal: skill.goal,
            count: skill.count,
            requires: skill.requires.clone(),
            steps: Vec::new(),
            from_successes: 0,
            flows: Vec::new(),
            runs: Vec::new(),
        };
        let found = self.entry_saying_the_same(&Body::ReferencePlan(like))?;
        Ok(found.is_some())
    }

    /// The runs that an entry rests on, oldest first.
    fn runs_behind(&self, id: KnowledgeId) -> Result<BTreeSet<RunId>, JournalError> {
        let found = self.read("read an entry", |db| find(db, id))?;
        let entry = found.transpose()?;
        let experiences = entry.map(|entry| entry.provenance.experiences);
        Ok(experiences.into_iter().flatten().map(|e| e.run).collect())
    }

    /// What a run drafted at its end.
    fn drafts_of(&self, run: RunId) -> Result<Vec<Entry>, JournalError> {
        let asked = self.events_of_kinds(run, Seq(0), &["lookup.asked"], LOOKUPS_MAX)?;
        let drafts = asked.into_iter().filter_map(|fact| match fact.event {
            Event::LookupAsked { drafts, .. } => Some(drafts),
            _ => None, // the journal was asked for no other kind
        });
        Ok(drafts.flatten().collect())
    }
}

fn sequence_in(drafts: &[Entry], run: RunId, wanted: Signature) -> Option<Sequence> {
    let same = drafts.iter().find(|draft| draft.body.signature() == wanted);
    sequence(same?, Some(run))
}

/// None of a skill of which it was not seen what its steps took.
fn sequence(draft: &Entry, run: Option<RunId>) -> Option<Sequence> {
    let Body::Skill(way) = &draft.body else {
        return None;
    };
    let is_seen = way.flows.len() == way.steps.len();
    Some(Sequence {
        run: run.filter(|_| is_seen)?,
        way: way.clone(),
        experiences: draft.provenance.experiences.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_core::domain::run::event::Then;
    use pithead_core::domain::run::outcome::Outcome;
    use pithead_core::domain::samples::{config, entry, seen_skill};
    use pithead_world::clock::Millis;
    use pithead_world::ids::ExperienceId;

    fn draft(run: RunId) -> Entry {
        let way = seen_skill(
            "crafting_table",
            "always",
            &[
                ("mine 1 oak_log", "", ""),
                ("craft 4 #planks", "oak_log 1", ""),
                ("craft 1 crafting_table", "#planks 4", ""),
            ],
        );
        let mut draft = entry(run.0, 1, "stone");
        draft.body = Body::Skill(way);
        draft.provenance.run = Some(run);
        draft.provenance.experiences = vec![ExperienceId { run, n: 1 }];
        draft
    }

    /// A run that ends with the draft.
    fn play(journal: &mut Journal) -> Vec<Sequences> {
        let run = journal.create_run(config(), Millis(1)).unwrap();
        let draft = draft(run);
        let due = journal.sequences_due(std::slice::from_ref(&draft)).unwrap();
        let then = Then::End {
            outcome: Outcome::Success,
            because: "done".to_owned(),
        };
        let known = journal.entry_saying_the_same(&draft.body).unwrap();
        let learnt = match known {
            Some((into, _)) => Event::KnowledgeMerged {
                into,
                draft: Box::new(draft.clone()),
            },
            None => Event::KnowledgeProposed {
                entry: Box::new(draft.clone()),
            },
        };
        let drafts = vec![draft];
        let events = vec![Event::LookupAsked { drafts, then }, learnt];
        journal.append(run, Millis(2), events).unwrap();
        due
    }

    #[test]
    fn the_fifth_success_makes_a_goal_due_until_it_has_a_reference_plan() {
        let mut journal = Journal::in_memory().unwrap();
        for _ in 0..4 {
            assert_eq!(play(&mut journal), []);
        }
        let due = play(&mut journal);
        let runs: Vec<u64> = due[0].seen.iter().map(|sequence| sequence.run.0).collect();
        assert_eq!((due.len(), runs), (1, vec![1, 2, 3, 4, 5]));
        // Refused or not answered: the next success asks again, with the newest five.
        let due = play(&mut journal);
        assert_eq!(due[0].seen[0].run, RunId(2));
        let run = RunId(6);
        let mut plan = entry(run.0, 9, "stone");
        plan.body = Body::ReferencePlan(ReferencePlan {
            goal: "crafting_table".parse().unwrap(),
            count: 1,
            requires: pithead_core::domain::condition::Condition::always(),
            steps: Vec::new(),
            from_successes: 5,
            flows: Vec::new(),
            runs: Vec::new(),
        });
        let entry = Box::new(plan);
        let events = vec![Event::KnowledgeProposed { entry }];
        journal.append(run, Millis(3), events).unwrap();
        assert_eq!(play(&mut journal), []);
    }
}
