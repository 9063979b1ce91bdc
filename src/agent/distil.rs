//! Distil: what the run has learnt becomes entries, each past its gate.
//!
//! Invariant: nothing is active without a policy or an operator having said so, and a draft that
//! equals a tombstone goes nowhere.

use super::state::Phase;
use super::turn::Turn;
use super::{finish, gate};
use crate::domain::decision::{By, GateKind, Subject, Verdict};
use crate::domain::event::{Event, Then};
use crate::domain::knowledge::{Author, Body, Entry, Guardrail, Outcomes, Provenance, Status};
use crate::ids::{ExperienceId, KnowledgeId, SubgoalId};
use crate::knowledge::{skills, title};

/// Confidence of what was seen by one run only.
const FRESH: f64 = 0.5;

/// The draft of a guardrail from a lesson.
pub(super) fn guardrail(turn: &Turn<'_>, subgoal: SubgoalId, constraint: Guardrail) -> Entry {
    let run = turn.config().run;
    let node = turn.state().nodes.get(&subgoal);
    let attempts = node
        .iter()
        .flat_map(|node| node.failures.iter().map(|f| f.attempt));
    let experiences = attempts
        .map(|attempt| ExperienceId { run, n: attempt.0 })
        .collect();
    draft(turn, 1, Body::Guardrail(constraint), experiences)
}

/// The drafts of skills from the run's successes; none if the profile does not distil them.
pub(super) fn skill_drafts(turn: &Turn<'_>) -> Vec<Entry> {
    let successes = &turn.state().successes;
    if !turn.config().profile.distil_skills || successes.is_empty() {
        return Vec::new();
    }
    let distilled = skills::from_run(&turn.config().task, &turn.state().done, successes);
    let numbered = (1..).zip(distilled);
    numbered
        .map(|(n, skill)| draft(turn, n, Body::Skill(skill.skill), skill.experiences))
        .collect()
}

fn draft(turn: &Turn<'_>, n: u64, body: Body, experiences: Vec<ExperienceId>) -> Entry {
    let config = turn.config();
    let id = KnowledgeId {
        run: config.run,
        n: turn.state().counters.entries + n,
    };
    Entry {
        id,
        version: 1,
        status: Status::Proposed,
        author: Author::Mind(config.mind.clone()),
        title: title::of(&body),
        body,
        provenance: Provenance {
            run: Some(config.run),
            task: config.task.text.clone(),
            experiences,
            ..Provenance::default()
        },
        outcomes: Outcomes::default(),
        confidence: FRESH,
        created: turn.now,
        history: Vec::new(),
    }
}

/// The knowledge base has answered: propose what is new, add evidence to what is not.
pub(super) fn on_looked_up(turn: &mut Turn<'_>, found: Vec<Option<(KnowledgeId, Status)>>) {
    let Phase::LookingUp { then } = turn.state().phase.clone() else {
        return;
    };
    let drafts = turn.state().drafts.clone();
    if drafts.len() != found.len() {
        return; // not the answer to this question
    }
    turn.say(Event::LookedUp {
        found: found.clone(),
    });
    for (draft, found) in drafts.into_iter().zip(found) {
        match found {
            Some((by, Status::Vetoed)) => turn.say(Event::KnowledgeSuppressed { by }),
            Some((into, _)) => {
                turn.say(Event::KnowledgeMerged {
                    into,
                    draft: Box::new(draft),
                });
            }
            None => propose(turn, draft),
        }
    }
    if let Then::End { outcome, because } = then {
        finish::ended(turn, outcome, because);
    }
}

fn propose(turn: &mut Turn<'_>, entry: Entry) {
    let (id, kind) = (entry.id, gate_of(&entry.body));
    turn.say(Event::KnowledgeProposed {
        entry: Box::new(entry),
    });
    if !gate::ask(turn, kind, Subject::Knowledge(id)) {
        turn.say(Event::KnowledgeActivated {
            id,
            by: Some(By::Policy),
        });
    }
}

fn gate_of(body: &Body) -> GateKind {
    match body {
        Body::Skill(_) => GateKind::Skill,
        Body::Guardrail(_) | Body::TaskGuardrail(_) => GateKind::Guardrail,
        Body::Rule(_) => GateKind::Rule,
        // Words are never distilled; were they, they would be no more than a plan to go by.
        Body::ReferencePlan(_) | Body::Note(_) => GateKind::ReferencePlan,
    }
}

/// The operator's word on an entry takes effect.
pub(super) fn on_verdict(turn: &mut Turn<'_>, id: KnowledgeId, verdict: Verdict, by: By) {
    let by = Some(by);
    match verdict {
        Verdict::Approve | Verdict::EditPlan(_) => turn.say(Event::KnowledgeActivated { id, by }),
        Verdict::EditKnowledge(body) => {
            let reason = "edited at its gate".to_owned();
            turn.say(Event::KnowledgeEdited {
                id,
                body,
                reason,
                by: by.clone(),
            });
            turn.say(Event::KnowledgeActivated { id, by });
        }
        Verdict::Veto { reason } => turn.say(Event::KnowledgeVetoed { id, reason, by }),
    }
}
