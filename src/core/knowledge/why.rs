//! Why an entry is not active, or did nothing at an attempt: reasons, with what the predicates saw.
//!
//! The same questions are asked as by the run, in the same order, but none stops at the first answer.
//! Invariant: no reason means that it acts.

use super::active::{self, ActiveSetPlace};
use crate::domain::check::{Check, Truth};
use crate::domain::condition::situation::Situation;
use crate::domain::condition::{Condition, Predicate};
use crate::domain::experience::Experience;
use crate::domain::knowledge::hindsight;
use crate::domain::knowledge::kind::EntryKind;
use crate::domain::knowledge::pattern;
use crate::domain::knowledge::{Body, Entry, Guardrail, Pattern, Skill, Status};
use crate::domain::plan::Subgoal;
use crate::domain::plan::task::Task;
use crate::domain::run::event::RunConfig;
use crate::domain::run::profile::Profile;
use crate::text::numbers::count_with_noun;
use pithead_world::clock::Millis;
use serde::Serialize;

/// One reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// A short name that stays the same.
    /// Tests and scripts compare it; the text may change.
    pub code: &'static str,
    /// One sentence.
    pub text: String,
    /// The predicates asked, where a condition did not hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<PredicateAnswer>,
}

/// One predicate, as it was answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PredicateAnswer {
    pub predicate: String,
    pub truth: Truth,
    /// What was seen, in words; empty where that says no more.
    pub seen: String,
}

fn reason(code: &'static str, text: impl Into<String>) -> Reason {
    Reason {
        code,
        text: text.into(),
        values: Vec::new(),
    }
}

/// Why the entry takes no part at all; none if it is active.
#[must_use]
pub fn not_active(entry: &Entry) -> Option<Reason> {
    // The newest change says who took it out of use.
    let said = entry.last_move().map_or(String::new(), |change| {
        format!(" by {}: {}", change.by, change.reason)
    });
    Some(match entry.status {
        Status::Active => return None,
        Status::Proposed => reason("proposed", "it waits for approval"),
        Status::Vetoed => reason("vetoed", format!("it was vetoed{said}")),
        Status::Retired => reason("retired", format!("it was retired{said}")),
        Status::Superseded => {
            let other = entry.superseded_by();
            let by = other.map_or(String::new(), |id| format!(" by {id}"));
            reason("superseded", format!("its place was taken{by}{said}"))
        }
    })
}

/// Why an active entry would not be given to a run of this task as the base is now.
#[must_use]
pub fn not_given(
    entry: &Entry,
    base: &[Entry],
    task: &Task,
    now: Millis,
    bound: usize,
) -> Option<Reason> {
    // Asked with the base as it is: what the base was then is not kept.
    let places = active::places(base, task, now, bound);
    let (_, place) = places.into_iter().find(|(e, _)| e.id == entry.id)?;
    match place {
        ActiveSetPlace::Chosen => None,
        ActiveSetPlace::Outranked { by } => {
            let ids: Vec<String> = by.iter().map(ToString::to_string).collect();
            Some(reason(
                "outranked",
                format!(
                    "{} trusted more: {}",
                    count_with_noun(
                        by.len(),
                        "skill for the same goal is",
                        "skills for the same goal are"
                    ),
                    ids.join(", ")
                ),
            ))
        }
        ActiveSetPlace::OverBound { rank, bound } => Some(reason(
            "over-bound",
            format!("it ranks {rank} and a run is given the best {bound}"),
        )),
    }
}

/// A run, up to one of its attempts.
#[derive(Debug, Clone)]
pub struct RecallCase<'a> {
    pub config: &'a RunConfig,
    pub started: Millis,
    /// What recall gave to the run.
    pub given: &'a [Entry],
    /// It became active in this run, before the attempt.
    /// Learnt entries are in use without recall.
    pub learnt: bool,
    /// It was passed over in this run before the attempt, for it left no way round.
    pub passed_over: bool,
    pub attempt: &'a Experience,
}

/// Why the entry did nothing at the attempt; `base` is the knowledge base as it is now.
#[must_use]
pub fn not_here(entry: &Entry, base: &[Entry], case: &RecallCase<'_>) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let given = case.given.iter().find(|e| e.id == entry.id);
    // An entry that was not given needs the reason from before the run.
    if given.is_none() && !case.learnt {
        reasons.extend(absent(entry, base, case));
    }
    let profile = &case.config.profile;
    reasons.extend(switched_off(entry, profile));
    if case.passed_over {
        reasons.push(reason(
            "passed-over",
            "it had left the planner no way round, and was passed over from then on",
        ));
    }
    // The run saw the content of its own time.
    let body = given.map_or(&entry.body, |then| &then.body);
    reasons.extend(of_body(body, case));
    reasons
}

/// The system lets no entry of this kind act here.
fn switched_off(entry: &Entry, profile: &Profile) -> Option<Reason> {
    let (name, kind) = (&profile.name, entry.body.entry_kind());
    let part = match kind {
        EntryKind::Skill | EntryKind::ReferencePlan | EntryKind::Note => "skills",
        EntryKind::Guardrail | EntryKind::TaskGuardrail | EntryKind::Rule => "guardrails",
    };
    if !profile.uses(kind) {
        return Some(reason("hidden", format!("the system {name} hides {part}")));
    }
    let blocks = kind != EntryKind::Guardrail || profile.blocks_by(kind);
    (!blocks).then(|| {
        let words = format!("the system {name} lets no guardrail block a step");
        reason("not-blocking", words)
    })
}

fn absent(entry: &Entry, base: &[Entry], case: &RecallCase<'_>) -> Vec<Reason> {
    // By time, not by id: imports bring old ids.
    if entry.created > case.started {
        return vec![reason("later", "it was not known yet when the run began")];
    }
    let bound = case.config.limits.shown_max;
    let now = not_active(entry)
        .or_else(|| not_given(entry, base, &case.config.task, case.started, bound));
    let mut reasons = vec![reason("not-given", "the run was not given it")];
    reasons.extend(now);
    reasons
}

fn of_body(body: &Body, case: &RecallCase<'_>) -> Vec<Reason> {
    let (attempt, task) = (case.attempt, &case.config.task);
    let now = hindsight::situation(&attempt.pre, &attempt.action);
    match body {
        Body::Guardrail(rail) => of_guardrail(rail, &attempt.action, &now),
        // Scope is checked first; such an entry is never asked about a single attempt.
        Body::TaskGuardrail(rail) if active::covers(&rail.task, task) => {
            vec![reason(
                "plans-only",
                "it is about whole plans, and acts when one is verified",
            )]
        }
        Body::TaskGuardrail(_) => vec![reason(
            "out-of-scope",
            format!("it is about other tasks than \"{}\"", task.text),
        )],
        Body::Skill(skill) => of_skill(skill, &attempt.action, &now),
        Body::Rule(_) | Body::ReferencePlan(_) | Body::Note(_) => vec![reason(
            "shown-only",
            "it is shown to the planner and acts on no attempt",
        )],
    }
}

fn of_guardrail(rail: &Guardrail, action: &Subgoal, now: &Situation<'_>) -> Vec<Reason> {
    let mut reasons = misfits(&rail.forbid, action);
    if let Some(region) = rail.forbid.region
        && let Some(at) = now.position
        && !pattern::contains(&region, at.block())
    {
        reasons.push(reason(
            "out-of-scope",
            format!("the body stood outside of its region, at {}", at.block()),
        ));
    }
    reasons.extend(unmet("trigger", "trigger", &rail.trigger, now));
    reasons
}

fn of_skill(skill: &Skill, action: &Subgoal, now: &Situation<'_>) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if action.goal.object != Some(skill.goal) {
        reasons.push(reason(
            "out-of-scope",
            format!(
                "it makes {}, and the step was {}",
                skill.goal,
                action.label()
            ),
        ));
    }
    reasons.extend(unmet("requirement", "requirements", &skill.requires, now));
    reasons
}

/// The parts of the pattern that the step does not fit.
fn misfits(wanted: &Pattern, action: &Subgoal) -> Vec<Reason> {
    // One part of the pattern at a time, so that the answer names the part that does not
    // fit.
    let part = |only: Pattern, text: String| {
        (!pattern::fits(&only, action)).then(|| reason("out-of-scope", text))
    };
    let none = Pattern::default();
    let label = action.label();
    [
        wanted.kind.and_then(|kind| {
            let only = Pattern {
                kind: Some(kind),
                ..none.clone()
            };
            part(
                only,
                format!("it is about {}, and the step was {label}", kind.name()),
            )
        }),
        wanted.target.and_then(|target| {
            let only = Pattern {
                target: Some(target),
                ..none.clone()
            };
            part(
                only,
                format!("it is about {target}, and the step was {label}"),
            )
        }),
        wanted.tool.and_then(|tool| {
            let only = Pattern {
                tool: Some(tool),
                ..none.clone()
            };
            part(
                only,
                format!("it is about the tool {tool}, which the step does not name"),
            )
        }),
        wanted.text.as_ref().and_then(|words| {
            let only = Pattern {
                text: Some(words.clone()),
                ..none.clone()
            };
            part(only, format!("the step's words do not hold \"{words}\""))
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn unmet(
    what: &'static str,
    words: &str,
    condition: &Condition,
    now: &Situation<'_>,
) -> Option<Reason> {
    let truth = condition.truth(now);
    // Unknown and false are different answers: the first may be for want of something seen.
    let (code, says) = match (truth, what) {
        (Truth::True, _) => return None,
        (Truth::False, "trigger") => ("trigger-false", "did not hold"),
        (Truth::False, _) => ("requirement-false", "were not met"),
        (Truth::Unknown, "trigger") => ("trigger-unknown", "may or may not have held"),
        (Truth::Unknown, _) => ("requirement-unknown", "may or may not have been met"),
    };
    let mut values = Vec::new();
    ask(condition, now, &mut values);
    Some(Reason {
        code,
        text: format!("its {words} {says}: {condition}"),
        values,
    })
}

fn ask(condition: &Condition, now: &Situation<'_>, values: &mut Vec<PredicateAnswer>) {
    // All leaves, not only those that decided: a person wants to see the values.
    match condition {
        Condition::All(parts) | Condition::Any(parts) => {
            parts.iter().for_each(|part| ask(part, now, values));
        }
        Condition::Not(part) => ask(part, now, values),
        Condition::Is(predicate) => values.push(PredicateAnswer {
            predicate: condition.to_string(),
            truth: condition.truth(now),
            seen: seen_value(predicate, now),
        }),
    }
}

fn seen_value(predicate: &Predicate, now: &Situation<'_>) -> String {
    let words = match predicate {
        Predicate::Check(Check::InvGe { item, .. } | Check::InvLt { item, .. }) => now
            .inventory
            .map(|held| format!("held {}", held.count(*item))),
        Predicate::Check(Check::YposLe { .. } | Check::YposGe { .. }) => {
            now.position.map(|at| format!("y {}", at.block().y))
        }
        Predicate::Check(Check::Equipped { .. }) | Predicate::Holding(_) => now
            .held
            .map(|held| held.map_or("empty hand", |item| item.name()).to_owned()),
        Predicate::HealthLt(_) => now.health.map(|health| format!("health {health}")),
        Predicate::HungerLt(_) => now.hunger.map(|food| format!("food {food}")),
        Predicate::BiomeIn(_) => now.biome.map(str::to_owned),
        Predicate::SubgoalKind(_) => now.subgoal.map(|s| s.task_kind.name().to_owned()),
        Predicate::Target(_) => now
            .subgoal
            .and_then(|s| s.goal.object.map(|object| object.to_string())),
        Predicate::Check(_)
        | Predicate::OnGround
        | Predicate::Underground
        | Predicate::MobNear { .. }
        | Predicate::ToolGe { .. }
        | Predicate::AttemptsGe { .. } => None,
    };
    words.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples::{config, entry, experience};

    fn active(target: &str) -> Entry {
        Entry {
            status: Status::Active,
            created: Millis(0),
            ..entry(1, 1, target)
        }
    }

    fn codes(
        entry: &Entry,
        change: impl FnOnce(&mut RecallCase<'_>, &mut RunConfig),
    ) -> Vec<&'static str> {
        let (attempt, given) = (experience(2, 1, "stone", false), [entry.clone()]);
        let mut settings = config();
        settings.profile.show_guardrails = true;
        let base = settings.clone();
        let mut case = RecallCase {
            config: &base,
            started: Millis(1),
            given: &given,
            learnt: false,
            passed_over: false,
            attempt: &attempt,
        };
        change(&mut case, &mut settings);
        let case = RecallCase {
            config: &settings,
            ..case
        };
        let reasons = not_here(entry, &given, &case);
        reasons.iter().map(|r| r.code).collect()
    }

    #[test]
    fn each_way_of_doing_nothing_has_its_reason() {
        let fires = {
            let mut known = active("stone");
            let Body::Guardrail(rail) = &mut known.body else {
                panic!()
            };
            rail.trigger = Condition::always();
            known
        };
        assert_eq!(codes(&fires, |_, _| ()), [""; 0]);
        assert_eq!(
            codes(&fires, |_, c| c.profile.show_guardrails = false),
            ["hidden"]
        );
        assert_eq!(
            codes(&fires, |_, c| c.profile.guardrails_block = Some(false)),
            ["not-blocking"]
        );
        assert_eq!(
            codes(&fires, |_, c| {
                c.profile.show_guardrails = false;
                c.profile.guardrails_block = Some(true);
            }),
            [""; 0]
        );
        assert_eq!(codes(&fires, |c, _| c.passed_over = true), ["passed-over"]);
        assert_eq!(codes(&fires, |c, _| c.given = &[]), ["not-given"]);
        let mut retired = fires.clone();
        retired.status = Status::Retired;
        assert_eq!(
            codes(&retired, |c, _| c.given = &[]),
            ["not-given", "retired"]
        );
        let young = Entry {
            created: Millis(9),
            ..fires.clone()
        };
        assert_eq!(codes(&young, |c, _| c.given = &[]), ["later"]);
        assert_eq!(
            codes(&fires, |_, c| c.limits.shown_max = 0),
            [""; 0],
            "it was given"
        );
        let mut other = fires;
        let Body::Guardrail(rail) = &mut other.body else {
            panic!()
        };
        rail.forbid.target = Some("coal".parse().unwrap());
        rail.trigger = "inv stick >= 60".parse().unwrap();
        assert_eq!(codes(&other, |_, _| ()), ["out-of-scope", "trigger-false"]);
        let Body::Guardrail(rail) = &mut other.body else {
            panic!()
        };
        rail.trigger = "on_ground".parse().unwrap();
        assert_eq!(
            codes(&other, |_, _| ()),
            ["out-of-scope", "trigger-unknown"]
        );
    }
}
