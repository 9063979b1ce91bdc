//! Lines: one event in one line of plain text, for logs and for `replay --headless`.
//!
//! Text of minds and worlds is untrusted: no control characters get through.

use pithead_core::domain::mind::plan_part::PlanPart;
use pithead_core::domain::mind::spending::Spent;
use pithead_core::domain::plan::Goal;
use pithead_core::domain::run::compared_step::ComparedStep;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_core::text::clean::clean_line;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::journal::kind;
use pithead_world::ids::{KnowledgeId, SubgoalId};

/// One line about any event: number, kind and content in short.
#[must_use]
pub fn line(fact: &Recorded) -> String {
    let text = format!(
        "{:>6}  {:<20} {}",
        fact.seq.0,
        kind(&fact.event),
        short(&fact.event)
    );
    clean_line(text.trim_end())
}

/// A line about an event that an operator waits for; nothing for the others.
#[must_use]
pub fn headline(fact: &Recorded) -> Option<String> {
    let text = match &fact.event {
        Event::PlanAdopted { revision } => format!("plan {revision} adopted"),
        Event::SubgoalSelected {
            subgoal,
            candidates,
        } => selected(*subgoal, candidates),
        Event::AttemptEnded { experience, .. } => short_attempt(experience),
        Event::ReplanStarted { because, .. } => format!("replanning: {because}"),
        Event::KnowledgeProposed { entry } => {
            format!("learned {}: {}", entry.body.kind(), entry.title)
        }
        Event::DecisionAsked { question } => {
            format!(
                "waits for a decision on {} ({})",
                question.kind.name(),
                question.policy
            )
        }
        Event::WorldRejoined { differs, .. } => match &differs[..] {
            [] => "back in the world; nothing differs".to_owned(),
            differs => format!("back in the world: {}", differs.join("; ")),
        },
        Event::BodyReacted { reflex } => format!("the body {reflex}"),
        Event::BodySpoke { text, by } => format!("the body says for {by}: {text}"),
        Event::WorldLost { because } => format!("the connection to the world is lost: {because}"),
        Event::MindFailed { because, .. } => format!("the mind failed: {because}"),
        Event::MindWithheld { because, .. } => format!("the mind was not asked: {because}"),
        Event::MindUnavailable { because, .. } => format!("the mind is unavailable: {because}"),
        Event::RoleReplaced { role, because } => {
            format!("the program does the work of {role} from now on: {because}")
        }
        Event::BreakHit { because, .. } => format!("stopped at a breakpoint: {because}"),
        Event::RunEnded { because, .. } => format!("ended: {because}"),
        // Frames and the small steps of the loop would drown these.
        _ => return None,
    };
    Some(clean_line(&text))
}

/// The step, and what was expected of those that it was chosen from.
fn selected(subgoal: SubgoalId, candidates: &[ComparedStep]) -> String {
    if candidates.is_empty() {
        return format!("→ {subgoal}");
    }
    let each = candidates.iter().map(|candidate| {
        let ComparedStep {
            subgoal,
            horizon,
            probability,
        } = candidate;
        format!(
            "{subgoal} {} {:.0} %",
            count_with_noun(horizon.ticks, "tick", "ticks"),
            probability * 100.0
        )
    });
    let each: Vec<String> = each.collect();
    format!("→ {subgoal} of {}", each.join(", "))
}

fn goals(apart: &pithead_core::domain::mind::ask::TakenApart) -> String {
    let goal_text = |goal: &pithead_core::domain::plan::Goal| match goal.object {
        Some(object) => format!("{} {object}", goal.count),
        None => "-".to_owned(),
    };
    let before: Vec<String> = apart.before.iter().map(goal_text).collect();
    format!("{} from {}", goal_text(&apart.goal), before.join(", "))
}

fn short_attempt(experience: &pithead_core::domain::experience::Experience) -> String {
    let diagnosis = &experience.diagnosis;
    let failed = || diagnosis.reason.map_or("failed", |reason| reason.name());
    let verdict = match experience.no_failure() {
        Some(ended) => ended,
        None if diagnosis.success => "done",
        None => failed(),
    };
    format!(
        "{} {}: {verdict}: {}",
        experience.attempt, experience.action.condition, diagnosis.summary
    )
}

/// The content of an event, in short.
fn short(event: &Event) -> String {
    match event {
        Event::RunStarted { config } => {
            format!("{} (seed {})", config.task.text, config.world.seed)
        }
        Event::WorldReady { frame } | Event::FrameSeen { frame } => {
            let at = frame.position.block();
            format!("tick {} at {at} health {}", frame.tick, frame.health)
        }
        Event::RecallAsked { query, .. } => query.clone(),
        Event::Recalled {
            hits, knowledge, ..
        } => recalled(hits.len(), knowledge.len()),
        Event::CapsuleMade { capsule } => count_with_noun(capsule.facts.len(), "fact", "facts"),
        Event::MindAsked { call, ask } => format!("{call} {}", ask.role()),
        Event::MindAnswered { call, text, ms } => {
            let bytes = count_with_noun(text.len(), "byte", "bytes");
            format!("{call} {bytes} in {ms} ms")
        }
        Event::MindFailed { call, because }
        | Event::AnswerRejected {
            call,
            fault: because,
        } => format!("{call} {because}"),
        Event::PlanProposed { revision, plan, .. } => {
            let steps = count_with_noun(plan.subgoals.len(), "step", "steps");
            format!("{revision} {steps}")
        }
        Event::PlanVerified { revision, notes } => {
            let notes = count_with_noun(notes.len(), "note", "notes");
            format!("{revision} {notes}")
        }
        Event::PlanAdopted { revision } => revision.to_string(),
        Event::SubgoalSelected { subgoal, .. } | Event::SubgoalDone { subgoal } => {
            subgoal.to_string()
        }
        Event::AttemptStarted { attempt, subgoal } => format!("{attempt} at {subgoal}"),
        Event::ActionIssued { action, order, .. } => format!("{action} {}", order.name()),
        Event::ActionEnded {
            action,
            report,
            frame,
        } => match &report.failure {
            None => format!("{action} done at tick {}", frame.tick),
            Some(failure) => format!("{action} {failure}"),
        },
        Event::AttemptEnded { experience, .. } => short_attempt(experience),
        Event::ReplanStarted { subgoal, because } => format!("{subgoal} {because}"),
        Event::PlanContinued { part } => short_part(part),
        Event::LessonLearnt { lesson } => lesson.root_cause.clone(),
        Event::GoalTakenApart { apart } => goals(apart),
        Event::GoalReached { goal } => goal_words(goal),
        Event::FailureExplained { explanation, .. } => explanation.explanation.clone(),
        Event::RunSummarised { summary } => summary.summary.clone(),
        Event::StudyBegun { topics, .. } => {
            let roles: Vec<&str> = topics.iter().map(|topic| topic.role().name()).collect();
            roles.join(", ")
        }
        Event::StudySettled { studied } => {
            format!("{}: {}", studied.topic.role(), studied.because)
        }
        Event::RunEnded { because, .. } | Event::WorldLost { because } => because.clone(),
        Event::WorldRejoined { differs, .. } => differs.join("; "),
        Event::BodyReacted { reflex } => reflex.to_string(),
        Event::BodySpoke { text, .. } => text.clone(),
        Event::PlanJudged { .. } | Event::PlanReflected { .. } => short_verdict(event),
        other => short_rest(other),
    }
}

fn recalled(experiences: usize, entries: usize) -> String {
    let experiences = count_with_noun(experiences, "experience", "experiences");
    format!(
        "{experiences}, {}",
        count_with_noun(entries, "entry", "entries")
    )
}

/// What a question took.
fn charged(spent: &Spent) -> String {
    let tokens = count_with_noun(spent.tokens_in, "token", "tokens");
    let (server, model) = (&spent.server, &spent.model);
    format!("{server}/{model}: {tokens} in, {} out", spent.tokens_out)
}

fn goal_words(goal: &Goal) -> String {
    let object = goal.object.map_or(String::new(), |item| item.to_string());
    format!("{} {object}", goal.count)
}

/// What of the plan is asked for.
fn short_part(part: &PlanPart) -> String {
    match part {
        PlanPart::NextStep { last } => format!("the step after {}", last.step),
        PlanPart::Goal(part) => {
            format!("{}, question {}", goal_words(&part.goal), part.question)
        }
        PlanPart::Mending { step, assertion } => {
            format!(
                "{} does not hold before {}",
                assertion.describe(),
                step.condition
            )
        }
    }
}

/// What was expected of a plan, and what a look back made of it.
fn short_verdict(event: &Event) -> String {
    match event {
        Event::PlanJudged {
            revision, judged, ..
        } => {
            let failing = judged.iter().filter(|said| !said.success).count();
            format!(
                "{revision} {failing} of {} judged to fail",
                count_with_noun(judged.len(), "step", "steps")
            )
        }
        Event::PlanReflected { reflected } => {
            let what = match (reflected.keeps, reflected.repairs) {
                (true, _) => "kept",
                (false, true) => "repaired",
                (false, false) => "dropped",
            };
            let said = &reflected.reflection.deadlock;
            format!("{what} at {:.2}: {said}", reflected.confidence)
        }
        _ => String::new(), // no other event is sent here
    }
}

/// Events about the operator, and those about knowledge.
fn short_rest(event: &Event) -> String {
    match event {
        Event::DecisionAsked { question } => {
            format!(
                "{} {} {}",
                question.id,
                question.kind.name(),
                question.policy
            )
        }
        Event::DecisionMade {
            decision,
            verdict,
            by,
        } => format!("{decision} {verdict} by {by}"),
        Event::AnswerRepaired { call, repairs } => format!("{call} {}", repairs.join("; ")),
        Event::MindWithheld { call, because } | Event::MindUnavailable { call, because } => {
            format!("{call} {because}")
        }
        Event::RoleReplaced { role, because } => format!("{role}: {because}"),
        Event::MindCharged { call, spent } => format!("{call} {}", charged(spent)),
        Event::LabelOverruled {
            attempt,
            was,
            label,
            reason,
            by,
        } => format!(
            "{attempt} {} instead of {} by {by}: {reason}",
            label.name(),
            was.name()
        ),
        Event::OptionsImported {
            options,
            source,
            by,
            ..
        } => format!(
            "{} of {} from {source} by {by}",
            count_with_noun(options.attempts, "attempt", "attempts"),
            options.origin
        ),
        Event::ActionCancelled { action, .. } => action.to_string(),
        Event::TakenOver { subgoal, by } => format!("{} by {by}", subgoal.label()),
        Event::Paused { by } | Event::Resumed { by } | Event::Stepped { by } => format!("by {by}"),
        Event::PolicySet { kind, policy, by } => format!("{} {policy} by {by}", kind.name()),
        Event::PaceSet { times_realtime, by } => format!("x{times_realtime} by {by}"),
        Event::DecisionHeld { decision, by } | Event::DecisionReleased { decision, by, .. } => {
            format!("{decision} by {by}")
        }
        Event::CommandRefused {
            command, because, ..
        } => format!("{command}: {because}"),
        Event::Steered { how, by } => format!("{how} by {by}"),
        Event::BreaksSet { breaks, by } => {
            let each: Vec<String> = breaks.iter().map(|b| b.on.to_string()).collect();
            format!("{} by {by}", each.join("; "))
        }
        // The reason names the place, so the breakpoint itself would repeat it.
        Event::BreakHit { because, .. } => because.clone(),
        Event::RunForked { fork } => {
            format!("from run {} at event {} by {}", fork.from, fork.at, fork.by)
        }
        Event::BookmarkSet { run, seq, note, .. } => format!("run {run} event {seq}: {note}"),
        Event::BookmarkRemoved { run, seq, .. } => format!("run {run} event {seq}"),
        other => knowledge_rest(other),
    }
}

fn knowledge_rest(event: &Event) -> String {
    match event {
        Event::KnowledgeProposed { entry } => format!("{} {}", entry.id, entry.title),
        Event::KnowledgeMerged { into: id, .. }
        | Event::KnowledgeSuppressed { by: id }
        | Event::KnowledgeActivated { id, .. } => id.to_string(),
        Event::KnowledgeEdited { id, reason, .. } | Event::KnowledgeVetoed { id, reason, .. } => {
            format!("{id} {reason}")
        }
        Event::KnowledgeMoved { id, to, reason, .. } => format!("{id} {}: {reason}", to.name()),
        Event::KnowledgeUsed { id, how, .. } => format!("{id} {}", how.name()),
        Event::Triaged { subject, act, by } => format!("{subject}: {act}, by {by}"),
        Event::KnowledgeWithheld { ids } => format!("hold-out: {}", ids_text(ids)),
        Event::KnowledgeMeasured {
            given, withheld, ..
        } => format!("given {}, withheld {}", given.len(), withheld.len()),
        // The kind says it all, or `short` has said it.
        _ => String::new(),
    }
}

/// Ids of entries in one line.
pub(super) fn ids_text(ids: &[KnowledgeId]) -> String {
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    ids.join(", ")
}

/// Names with their values, one in a line, the values under each other.
#[must_use]
pub fn fields<N: AsRef<str>>(rows: &[(N, String)]) -> String {
    let names = rows.iter().map(|(name, _)| name.as_ref().chars().count());
    let wide = names.max().unwrap_or(0) + 2;
    let line =
        |(name, value): &(N, String)| format!("{:<wide$}{}\n", name.as_ref(), clean_line(value));
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_world::ids::CallId;

    #[test]
    fn one_is_told_in_the_singular() {
        let answered = |text: &str| {
            short(&Event::MindAnswered {
                call: CallId(1),
                text: text.to_owned(),
                ms: 3,
            })
        };
        assert_eq!(answered("a"), "q1 1 byte in 3 ms");
        assert_eq!(answered("abc"), "q1 3 bytes in 3 ms");
    }
}
