//! Study: models are asked what there is to learn, one topic after the other, before the knowledge base is.
//!
//! The program's own drafts are there from the start and stay where a model says nothing usable.
//! Invariant: what comes out goes past the same gates, whoever drafted it.

use super::state::{Phase, State, Studying};
use super::turn::Turn;
use super::{distil, planning, reading, study_read};
use crate::domain::experience::state_card::StateCard;
use crate::domain::knowledge::{Body, Entry, Rule};
use crate::domain::mind::ask::Ask;
use crate::domain::mind::role::MindRole;
use crate::domain::mind::study::{
    GuardrailAsk, ReflectAsk, RulesAsk, ScoreAsk, SkillAsk, Studied, Topic, Worked,
};
use crate::domain::run::event::{Event, Then};
use crate::knowledge::rules;
use pithead_world::ids::{CallId, ExperienceId, SubgoalId};

/// Takes up what there is to learn; false if that is nothing.
pub(super) fn begin(
    turn: &mut Turn<'_>,
    mut topics: Vec<Topic>,
    drafts: Vec<Entry>,
    then: Then,
) -> bool {
    let state = turn.state();
    topics.retain(|topic| is_answered(state, topic.role()));
    if topics.is_empty() || state.is_spent().is_some() {
        let is_anything = !drafts.is_empty();
        if is_anything {
            turn.say(Event::LookupAsked { drafts, then });
        }
        return is_anything;
    }
    turn.say(Event::StudyBegun {
        topics,
        drafts,
        then,
    });
    true
}

/// Whether a model answers in this role.
fn is_answered(state: &State, role: MindRole) -> bool {
    let config = state.config();
    config.is_some_and(|c| c.distillers.contains(&role))
}

/// Asks about the next topic, or goes on to the knowledge base.
pub(super) fn next(turn: &mut Turn<'_>) {
    let Phase::Studying(study) = turn.state().phase.clone() else {
        return;
    };
    let Some(topic) = study.topics.first() else {
        let Studying { drafts, then, .. } = *study;
        turn.say(Event::LookupAsked { drafts, then });
        return;
    };
    let retries_max = turn.config().limits.mind_retries_max as usize;
    let kept = if !is_answered(turn.state(), topic.role()) {
        Some("no model was given this role".to_owned())
    } else if study.withheld {
        Some("it might have cost more than the budget allows".to_owned())
    } else if study.faults.len() > retries_max {
        Some(format!(
            "no usable answer: {}",
            reading::told(&study.faults)
        ))
    } else {
        turn.state().is_spent()
    };
    if let Some(because) = kept {
        stand_in(turn, &study, topic.clone(), because);
        return;
    }
    let Some(ask) = question(turn, topic, &study) else {
        let because = "there is nothing to ask about".to_owned();
        stand_in(turn, &study, topic.clone(), because);
        return;
    };
    let call = planning::next_call(turn.state());
    turn.say(Event::MindAsked {
        call,
        ask: Box::new(ask),
    });
}

/// The program's own drafts stay as they are; a rule gets the program's own scores.
fn stand_in(turn: &mut Turn<'_>, study: &Studying, topic: Topic, because: String) {
    let mut drafts = study.drafts.clone();
    let mut because = because;
    if let Topic::Score { rule } = &topic {
        let rule = Rule {
            scores: rules::score(&rule.when, &rule.then, &distil::records(turn)),
            ..(**rule).clone()
        };
        because = format!("{because}; {}", admit(turn, &mut drafts, rule));
    }
    settle(turn, topic, drafts, because);
}

fn settle(turn: &mut Turn<'_>, topic: Topic, drafts: Vec<Entry>, because: String) {
    let studied = Studied {
        topic,
        by_mind: false,
        because,
        drafts,
        more: Vec::new(),
    };
    turn.say(Event::StudySettled {
        studied: Box::new(studied),
    });
}

/// The answer on the topic at hand.
pub(super) fn on_answer(turn: &mut Turn<'_>, call: CallId, text: &str) {
    let Phase::Studying(study) = turn.state().phase.clone() else {
        return;
    };
    let Some(topic) = study.topics.first().cloned() else {
        return;
    };
    if let Some((drafts, more, because)) = taken(turn, call, text, &topic, &study) {
        let studied = Studied {
            topic,
            by_mind: true,
            because,
            drafts,
            more,
        };
        turn.say(Event::StudySettled {
            studied: Box::new(studied),
        });
    }
}

/// What is made of an answer: the drafts, what else comes up, and a sentence.
type Taken = (Vec<Entry>, Vec<Topic>, String);

fn taken(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
    topic: &Topic,
    study: &Studying,
) -> Option<Taken> {
    let mut drafts = study.drafts.clone();
    let n = drafts.len() as u64 + 1;
    match topic {
        Topic::Skill => {
            let made = study_read::skill(turn, call, text)?;
            let steps = made.skill.steps.len();
            let entry = distil::draft(turn, 1, Body::Skill(made.skill), made.experiences);
            drafts[0] = entry; // the program's own draft of the whole run stands there
            Some((drafts, Vec::new(), format!("a skill of {steps} steps")))
        }
        Topic::Guardrail { subgoal } => {
            let guardrail = study_read::guardrail(turn, call, text, *subgoal)?;
            let because = guardrail.avoid.clone();
            // In place of what the diagnosis proposed for the same failures.
            drafts = vec![distil::guardrail(turn, 1, *subgoal, guardrail)];
            Some((drafts, Vec::new(), because))
        }
        Topic::Deadlock => {
            let guardrail = study_read::deadlock(turn, call, text)?;
            let because = guardrail.deadlock.clone();
            let rests = successes(turn);
            drafts = vec![distil::draft(
                turn,
                1,
                Body::TaskGuardrail(guardrail),
                rests,
            )];
            Some((drafts, Vec::new(), because))
        }
        Topic::Rules => {
            let rules = study_read::rules(turn, call, text)?;
            let because = format!("{} rules to be judged", rules.len());
            let more = rules.into_iter().map(Box::new);
            let more = more.map(|rule| Topic::Score { rule }).collect();
            Some((drafts, more, because))
        }
        Topic::Score { rule } => {
            let scores = study_read::scores(turn, call, text)?;
            let rule = Rule {
                scores,
                ..(**rule).clone()
            };
            let because = admit(turn, &mut drafts, rule);
            debug_assert!(drafts.len() as u64 <= n);
            Some((drafts, Vec::new(), because))
        }
    }
}

/// Puts a rule among the drafts if its scores are high enough, and says which it is.
fn admit(turn: &Turn<'_>, drafts: &mut Vec<Entry>, rule: Rule) -> String {
    let total = rule.total();
    if total <= Rule::ADMITTED_ABOVE {
        let bound = Rule::ADMITTED_ABOVE;
        return format!("the rule scores {total:.2} and is dropped; more than {bound} is asked");
    }
    let n = drafts.len() as u64 + 1;
    let rests = successes(turn);
    drafts.push(distil::draft(turn, n, Body::Rule(rule), rests));
    format!("the rule scores {total:.2}")
}

fn successes(turn: &Turn<'_>) -> Vec<ExperienceId> {
    turn.state().successes.iter().map(|e| e.id).collect()
}

fn question(turn: &Turn<'_>, topic: &Topic, study: &Studying) -> Option<Ask> {
    let state = turn.state();
    let task = turn.config().task.clone();
    let knowledge = || state.visible().cloned().collect::<Vec<_>>();
    let worked = || state.successes.iter().map(Worked::of).collect::<Vec<_>>();
    let faults = study.faults.clone();
    Some(match topic {
        Topic::Skill => {
            let Body::Skill(draft) = &study.drafts.first()?.body else {
                return None;
            };
            Ask::Skill(Box::new(SkillAsk {
                task,
                worked: worked(),
                draft: draft.clone(),
                knowledge: knowledge(),
                faults,
            }))
        }
        Topic::Guardrail { subgoal } => {
            let draft = study.drafts.iter().find_map(|entry| match &entry.body {
                Body::Guardrail(guardrail) => Some(guardrail.clone()),
                _ => None, // no other kind comes of a lesson
            });
            Ask::Guardrail(Box::new(GuardrailAsk {
                task,
                subgoal: step(state, *subgoal)?.clone(),
                attempts: state.nodes.get(subgoal)?.failures.clone(),
                worked: worked(),
                draft,
                knowledge: knowledge(),
                faults,
            }))
        }
        Topic::Deadlock => Ask::Reflect(Box::new(ReflectAsk {
            task,
            state: StateCard::of(state.frame.as_deref()?),
            plan: state.plan.clone().unwrap_or_default(),
            done: state.done.clone(),
            subgoal: None,
            failures: Vec::new(),
            attempts: state.told.clone(),
            hits: state.hits.clone(),
            faults,
        })),
        Topic::Rules => Ask::Rules(Box::new(RulesAsk {
            task,
            talks: state.talks.clone(),
            attempts: state.told.clone(),
            knowledge: knowledge(),
            faults,
        })),
        Topic::Score { rule } => Ask::Score(Box::new(ScoreAsk {
            rule: (**rule).clone(),
            attempts: state.told.clone(),
            faults,
        })),
    })
}

pub(super) fn step(state: &State, id: SubgoalId) -> Option<&crate::domain::plan::Subgoal> {
    state.plan.as_ref().and_then(|plan| plan.get(id))
}
