//! Study: models are asked what there is to learn, one topic after the other, before the drafts are looked up.
//!
//! The program's own drafts are there from the start, and stay where a model gives no usable answer.
//! Invariant: what comes out goes past the same gates, whoever drafted it.

use crate::agent::reading::verdicts;
use crate::agent::state::{Phase, Studying};
use crate::agent::transitions::giving_up;
use crate::agent::transitions::mind_question::ask_mind;
use crate::agent::transitions::study_start::is_answered;
use crate::agent::turn::Turn;
use crate::agent::{drafts, reading};
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::knowledge::{Body, Entry, ReferencePlan, Rule};
use crate::domain::mind::ask::Ask;
use crate::domain::mind::reflection::Trigger;
use crate::domain::mind::sequences::{ReferenceAsk, Sequences};
use crate::domain::mind::study::{
    GuardrailAsk, ReflectAsk, RulesAsk, ScoreAsk, SkillAsk, Studied, Topic, Worked,
};
use crate::domain::run::event::Event;
use crate::knowledge::rule_scores;
use crate::text::numbers::count_with_noun;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{CallId, ExperienceId};

/// Asks about the next topic, or moves on to the knowledge base.
pub(in crate::agent) fn ask_next_topic(turn: &mut Turn<'_>) {
    let Phase::Studying(study) = turn.state().phase.clone() else {
        return;
    };
    let Some(topic) = study.topics.first() else {
        let Studying { drafts, then, .. } = *study;
        turn.say(Event::LookupAsked { drafts, then });
        return;
    };
    let role = topic.role();
    let kept = if turn.state().replaced_roles.contains(&role) {
        Some("the program does the work of this role".to_owned())
    } else if !is_answered(turn.state(), role) {
        Some("no model is configured for this role".to_owned())
    } else if study.withheld {
        Some("it might have cost more than the budget allows".to_owned())
    } else if !giving_up::may_ask_again(turn, &study.faults) {
        let because = format!("no usable answer: {}", reading::list_faults(&study.faults));
        turn.say(Event::RoleReplaced {
            role,
            because: because.clone(),
        });
        Some(because)
    } else {
        turn.state().is_spent()
    };
    if let Some(because) = kept {
        keep_own_drafts(turn, &study, topic.clone(), because);
        return;
    }
    let Some(ask) = question_about(turn, topic, &study) else {
        let because = "there is nothing to ask about".to_owned();
        keep_own_drafts(turn, &study, topic.clone(), because);
        return;
    };
    ask_mind(turn, ask);
}

/// The program's own drafts stay as they are; a rule gets the program's own scores.
fn keep_own_drafts(turn: &mut Turn<'_>, study: &Studying, topic: Topic, because: String) {
    let mut drafts = study.drafts.clone();
    let mut because = because;
    if let Topic::Score { rules } = &topic {
        let attempts = drafts::attempts_in_full(turn);
        for rule in rules {
            let record = rule_scores::record_in(&rule.when, &rule.then, &attempts);
            let rule = Rule {
                scores: rule_scores::score(&rule.when, &rule.then, record),
                record,
                ..rule.clone()
            };
            because = format!("{because}; {}", draft_rule(turn, &mut drafts, rule));
        }
    }
    settle_topic(turn, topic, drafts, because);
}

fn settle_topic(turn: &mut Turn<'_>, topic: Topic, drafts: Vec<Entry>, because: String) {
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
pub(in crate::agent) fn on_answer(turn: &mut Turn<'_>, call: CallId, text: &str) {
    let Phase::Studying(study) = turn.state().phase.clone() else {
        return;
    };
    let Some(topic) = study.topics.first().cloned() else {
        return;
    };
    if let Some((drafts, more, because)) = drafts_from_answer(turn, call, text, &topic, &study) {
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

/// The outcome of an answer: the drafts, further topics, and a sentence for the journal.
type FromAnswer = (Vec<Entry>, Vec<Topic>, String);

fn drafts_from_answer(
    turn: &mut Turn<'_>,
    call: CallId,
    text: &str,
    topic: &Topic,
    study: &Studying,
) -> Option<FromAnswer> {
    let mut drafts = study.drafts.clone();
    match topic {
        Topic::Skill => {
            let made = reading::study::skill_from_answer(turn, call, text)?;
            let steps = made.skill.steps.len();
            let entry = drafts::new_draft(turn, 1, Body::Skill(made.skill), made.experiences);
            // In place of the program's own of the whole run, which stands there.
            let id = drafts.first()?.id;
            drafts[0] = Entry { id, ..entry };
            let steps = count_with_noun(steps, "step", "steps");
            Some((drafts, Vec::new(), format!("a skill of {steps}")))
        }
        Topic::Guardrail { subgoal } => {
            let guardrail = reading::study::guardrail_from_answer(turn, call, text, *subgoal)?;
            let because = guardrail.avoid.clone();
            // In place of what the diagnosis proposed for the same failures.
            let failures = drafts::failures_of_step(turn, *subgoal);
            drafts = vec![drafts::guardrail_draft(turn, 1, failures, guardrail)];
            Some((drafts, Vec::new(), because))
        }
        Topic::ReferencePlan { goal } => {
            let of_goal = sequences_of(turn, *goal)?.clone();
            let (plan, because) = reading::sequences::plan_from_answer(turn, call, text, &of_goal)?;
            let before = drafts.len();
            drafts.extend(plan.map(|plan| reference_draft(turn, plan, &of_goal, before)));
            Some((drafts, Vec::new(), because))
        }
        Topic::Deadlock => {
            let guardrail = reading::study::deadlock_from_answer(turn, call, text)?;
            let because = guardrail.deadlock.clone();
            let rests = success_ids(turn);
            // In place of the program's own; what else the run has learnt stays.
            let is_own = |draft: &Entry| matches!(draft.body, Body::TaskGuardrail(_));
            let at = drafts.iter().position(is_own).unwrap_or(drafts.len());
            let body = Body::TaskGuardrail(guardrail);
            let made = drafts::new_draft(turn, at as u64 + 1, body, rests);
            match drafts.get_mut(at) {
                Some(own) => *own = made,
                None => drafts.push(made),
            }
            Some((drafts, Vec::new(), because))
        }
        Topic::Rules => {
            let rules = reading::study::rules_from_answer(turn, call, text)?;
            let count = count_with_noun(rules.len(), "rule", "rules");
            let because = format!("{count} to be judged");
            let more = (!rules.is_empty()).then_some(Topic::Score { rules });
            Some((drafts, more.into_iter().collect(), because))
        }
        Topic::Score { rules } => {
            let scored = verdicts::scores_from_answer(turn, call, text, rules.len())?;
            let mut told: Vec<String> = Vec::new();
            for (rule, scores) in rules.iter().zip(scored) {
                let rule = Rule {
                    scores,
                    ..rule.clone()
                };
                told.push(draft_rule(turn, &mut drafts, rule));
            }
            Some((drafts, Vec::new(), told.join("; ")))
        }
    }
}

/// Puts a rule among the drafts, and says what it scores. What is recorded of other runs may still admit or refute
/// it, so that only what no requirement at all speaks for is dropped here.
fn draft_rule(turn: &Turn<'_>, drafts: &mut Vec<Entry>, rule: Rule) -> String {
    let (total, told) = (rule.total(), rule.requirement());
    if rule.scores[0] <= 0.0 {
        return format!("\"{told}\" is dropped: the record speaks against it");
    }
    let n = drafts.len() as u64 + 1;
    let rests = success_ids(turn);
    drafts.push(drafts::new_draft(turn, n, Body::Rule(rule), rests));
    format!("\"{told}\" scores {total:.2}")
}

/// A question about the plan as a whole.
fn look_back(turn: &Turn<'_>, faults: Vec<String>) -> Option<ReflectAsk> {
    let state = turn.state();
    Some(ReflectAsk {
        task: turn.config().task.clone(),
        state: StateSummary::from_frame(state.frame.as_deref()?),
        plan: state.plan.clone().unwrap_or_default(),
        done: state.done.clone(),
        subgoal: None,
        failures: Vec::new(),
        attempts: state.summaries.clone(),
        hits: state.hits.clone(),
        trigger: Trigger::default(),
        lost: Vec::new(),
        faults,
    })
}

/// It rests on what all of the runs did.
fn reference_draft(
    turn: &Turn<'_>,
    plan: ReferencePlan,
    of_goal: &Sequences,
    before: usize,
) -> Entry {
    let seen = of_goal.seen.iter();
    let rests = seen.flat_map(|sequence| sequence.experiences.clone());
    let rests = rests.collect();
    drafts::new_draft(turn, before as u64 + 1, Body::ReferencePlan(plan), rests)
}

/// What the knowledge base reported of a goal.
fn sequences_of<'a>(turn: &'a Turn<'_>, goal: ItemSpec) -> Option<&'a Sequences> {
    let mut all = turn.state().sequences.iter();
    all.find(|of_goal| of_goal.goal == goal)
}

fn success_ids(turn: &Turn<'_>) -> Vec<ExperienceId> {
    turn.state().successes.iter().map(|e| e.id).collect()
}

fn question_about(turn: &Turn<'_>, topic: &Topic, study: &Studying) -> Option<Ask> {
    let state = turn.state();
    let task = turn.config().task.clone();
    let knowledge = || state.visible().cloned().collect::<Vec<_>>();
    let worked = || {
        state
            .successes
            .iter()
            .map(Worked::from_experience)
            .collect::<Vec<_>>()
    };
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
                subgoal: state.planned(*subgoal)?.clone(),
                attempts: state.nodes.get(subgoal)?.failures.clone(),
                worked: worked(),
                draft,
                knowledge: knowledge(),
                faults,
            }))
        }
        Topic::ReferencePlan { goal } => Ask::Reference(Box::new(ReferenceAsk {
            sequences: sequences_of(turn, *goal)?.clone(),
            faults,
        })),
        Topic::Deadlock => Ask::Reflect(Box::new(look_back(turn, faults)?)),
        Topic::Rules => Ask::Rules(Box::new(RulesAsk {
            task,
            corrections: state.corrections.clone(),
            attempts: state.summaries.clone(),
            knowledge: knowledge(),
            faults,
        })),
        Topic::Score { rules } => Ask::Score(Box::new(ScoreAsk {
            rules: rules.clone(),
            attempts: state.summaries.clone(),
            faults,
        })),
    })
}
