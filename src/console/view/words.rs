//! Words for events: the sentence of each, and whether it is worth one.
//!
//! Sentences are made from the view before the event, so that they can name what it removes.

use crate::view::View;
use crate::view::attempt::stop_words;
use crate::view::timeline::{TimelineLine, Weight};
use pithead_core::domain::experience::Experience;
use pithead_core::domain::knowledge::EntryUse;
use pithead_core::domain::plan::note::{Note, Severity};
use pithead_core::domain::run::decision::{By, Verdict};
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_core::domain::run::outcome::Outcome;
use pithead_core::text::clean::clean_line;
use pithead_core::text::numbers::count_with_noun;
use pithead_world::ids::{AttemptId, DecisionId, KnowledgeId, SubgoalId};

/// What sentences are told from: the view before the event.
struct Told<'a> {
    view: &'a View,
}

/// The line for an event, if it is worth one.
pub(crate) fn line(recorded: &Recorded, view: &View) -> Option<TimelineLine> {
    let said = say(&recorded.event, &Told { view })?;
    Some(TimelineLine {
        seq: recorded.seq,
        at: recorded.at,
        elapsed_ms: view.elapsed_ms(),
        tick: tick_of(&recorded.event).unwrap_or(view.tick),
        weight: said.weight,
        text: clean_line(&said.text),
        landmark: said.landmark,
    })
}

/// A sentence.
struct Said {
    weight: Weight,
    text: String,
    landmark: bool,
}

fn said(weight: Weight, text: impl Into<String>) -> Option<Said> {
    Some(Said {
        weight,
        text: text.into(),
        landmark: false,
    })
}

fn landmark(weight: Weight, text: impl Into<String>) -> Option<Said> {
    Some(Said {
        weight,
        text: text.into(),
        landmark: true,
    })
}

/// World time that the event itself brings.
fn tick_of(event: &Event) -> Option<u64> {
    match event {
        Event::WorldReady { frame }
        | Event::WorldRejoined { frame, .. }
        | Event::FrameSeen { frame } => Some(frame.tick),
        Event::ActionEnded { frame, .. } => Some(frame.tick),
        _ => None, // no other event carries world time
    }
}

/// The sentence for an event; none for what happens all the time.
fn say(event: &Event, told: &Told<'_>) -> Option<Said> {
    match event {
        Event::RunStarted { .. }
        | Event::WorldReady { .. }
        | Event::WorldLost { .. }
        | Event::WorldRejoined { .. }
        | Event::BodyReacted { .. }
        | Event::BodySpoke { .. }
        | Event::Recalled { .. }
        | Event::MindFailed { .. }
        | Event::AnswerRejected { .. }
        | Event::AnswerRepaired { .. }
        | Event::MindWithheld { .. }
        | Event::MindUnavailable { .. }
        | Event::RoleReplaced { .. }
        | Event::RunSummarised { .. }
        | Event::StudySettled { .. }
        | Event::RunEnded { .. } => of_run(event),
        Event::PlanProposed { .. }
        | Event::PlanVerified { .. }
        | Event::PlanJudged { .. }
        | Event::PlanAdopted { .. }
        | Event::DecisionAsked { .. }
        | Event::DecisionMade { .. } => of_plan(event, told),
        Event::AttemptStarted { .. }
        | Event::ActionCancelled { .. }
        | Event::AttemptEnded { .. }
        | Event::ReplanStarted { .. }
        | Event::LessonLearnt { .. }
        | Event::FailureExplained { .. }
        | Event::PlanReflected { .. }
        | Event::ConstraintBound { .. } => of_attempt(event, told),
        Event::KnowledgeProposed { .. }
        | Event::KnowledgeMerged { .. }
        | Event::KnowledgeSuppressed { .. }
        | Event::KnowledgeActivated { .. }
        | Event::KnowledgeEdited { .. }
        | Event::KnowledgeVetoed { .. }
        | Event::KnowledgeMoved { .. }
        | Event::KnowledgeUsed { .. }
        | Event::KnowledgeWithheld { .. } => of_knowledge(event, told),
        Event::Paused { .. }
        | Event::Resumed { .. }
        | Event::PolicySet { .. }
        | Event::PaceSet { .. }
        | Event::DecisionHeld { .. }
        | Event::DecisionReleased { .. }
        | Event::LabelOverruled { .. }
        | Event::BreaksSet { .. }
        | Event::BreakHit { .. }
        | Event::RunForked { .. }
        | Event::TakenOver { .. }
        | Event::Steered { .. }
        | Event::CommandRefused { .. } => of_operator(event),
        // Told by what follows them, or too many to tell.
        #[rustfmt::skip]
        Event::WorldAsked | Event::OptionsImported { .. } | Event::FrameSeen { .. } | Event::KnowledgeMeasured { .. }
        | Event::RecallAsked { .. } | Event::PlanContinued { .. } | Event::GoalReached { .. } | Event::CapsuleMade { .. } | Event::GoalTakenApart { .. }
        | Event::MindAsked { .. } | Event::MindAnswered { .. } | Event::MindCharged { .. }
        | Event::SubgoalSelected { .. } | Event::BookmarkSet { .. } | Event::BookmarkRemoved { .. }
        | Event::ActionIssued { .. } | Event::ActionEnded { .. } | Event::SubgoalDone { .. }
        | Event::SimilarFailuresAsked { .. } | Event::SimilarFailuresFound { .. }
        | Event::StudyBegun { .. } | Event::LookupAsked { .. } | Event::LookedUp { .. }
        | Event::Triaged { .. } | Event::Stepped { .. } => None,
    }
}

/// The run, its world and its mind.
fn of_run(event: &Event) -> Option<Said> {
    use Weight::{Bad, Good, Notice, Plain};
    match event {
        Event::RunStarted { config } => landmark(
            Plain,
            format!("run {} started: {}", config.run, config.task.text),
        ),
        Event::WorldReady { frame } => said(
            Plain,
            format!(
                "the world is ready; {} at {}",
                frame.biome,
                frame.position.block()
            ),
        ),
        Event::WorldRejoined { differs, .. } => match &differs[..] {
            [] => landmark(Notice, "back in the world; nothing differs".to_owned()),
            differs => landmark(Notice, format!("back in the world: {}", differs.join("; "))),
        },
        Event::BodyReacted { reflex } => said(Notice, format!("the body {reflex} by itself")),
        Event::BodySpoke { text, by } => said(Notice, format!("the body says for {by}: {text}")),
        Event::WorldLost { because } => landmark(Bad, format!("the world is gone: {because}")),
        Event::Recalled {
            hits, knowledge, ..
        } => said(
            Plain,
            format!(
                "recalled {} and {}",
                count_with_noun(hits.len(), "experience", "experiences"),
                count_with_noun(knowledge.len(), "entry", "entries")
            ),
        ),
        Event::MindFailed { because, .. } => {
            said(Bad, format!("the mind did not answer: {because}"))
        }
        Event::AnswerRejected { fault, .. } => {
            said(Notice, format!("the answer could not be read: {fault}"))
        }
        Event::AnswerRepaired { repairs, .. } => said(
            Plain,
            format!("the answer was repaired: {}", repairs.join("; ")),
        ),
        Event::MindWithheld { because, .. } => {
            said(Notice, format!("the mind was not asked: {because}"))
        }
        Event::MindUnavailable { because, .. } => {
            said(Bad, format!("the mind is unavailable: {because}"))
        }
        Event::RoleReplaced { role, because } => said(
            Notice,
            format!("the program does the work of {role} from now on: {because}"),
        ),
        Event::StudySettled { studied } => {
            let (role, because) = (studied.topic.role(), &studied.because);
            let by = if studied.by_mind {
                ""
            } else {
                "the program's own stands: "
            };
            said(Plain, format!("{role}: {by}{because}"))
        }
        Event::RunSummarised { summary } => said(Plain, format!("in short: {}", summary.summary)),
        Event::RunEnded { outcome, because } => match outcome {
            Outcome::Success => landmark(Good, format!("the run ended in success: {because}")),
            Outcome::Failure => landmark(Bad, format!("the run ended without success: {because}")),
            Outcome::Aborted => landmark(Bad, format!("the run was ended: {because}")),
        },
        _ => None, // the others have their own function
    }
}

/// Plans and what is decided of them.
fn of_plan(event: &Event, told: &Told<'_>) -> Option<Said> {
    use Weight::{Good, Notice, Plain};
    match event {
        Event::PlanProposed {
            revision,
            plan,
            replaces,
        } => {
            let steps = count_with_noun(plan.subgoals.len(), "step", "steps");
            let text = match replaces {
                Some(_) => format!("replan {revision} proposed: {steps}"),
                None => format!("plan {revision} proposed: {steps}"),
            };
            landmark(Plain, text)
        }
        Event::PlanVerified { revision, notes } => verified(*revision, notes),
        Event::PlanJudged {
            revision, notes, ..
        } => verified(*revision, notes),
        Event::PlanAdopted { revision } => landmark(Good, format!("plan {revision} is in force")),
        Event::DecisionAsked { question } => {
            let policy = question.policy;
            landmark(
                Notice,
                format!("{} {} asked ({policy})", question.kind.name(), question.id),
            )
        }
        Event::DecisionMade {
            decision,
            verdict,
            by,
        } => decided(*decision, verdict, by, told),
        _ => None, // the others have their own function
    }
}

/// Attempts and what follows from their failure.
fn of_attempt(event: &Event, told: &Told<'_>) -> Option<Said> {
    use Weight::{Notice, Plain};
    match event {
        Event::AttemptStarted { attempt, subgoal } => {
            let n = told
                .view
                .plan
                .node(*subgoal)
                .map_or(0, |node| node.attempts)
                + 1;
            landmark(
                Plain,
                format!("{attempt} {} · attempt {n}", told.name(*subgoal)),
            )
        }
        Event::ActionCancelled { stop, .. } => {
            said(Plain, format!("cancelled: {}", stop_words(stop)))
        }
        Event::AttemptEnded {
            attempt,
            experience,
        } => attempt_ended(*attempt, experience),
        Event::ReplanStarted { subgoal, because } => landmark(
            Notice,
            format!("replanning after {}: {because}", told.name(*subgoal)),
        ),
        Event::LessonLearnt { lesson } => said(Notice, format!("cause: {}", lesson.root_cause)),
        Event::FailureExplained { explanation, .. } => {
            said(Notice, format!("explained: {}", explanation.explanation))
        }
        Event::PlanReflected { reflected } => {
            let (sure, why) = (reflected.confidence, &reflected.reflection.deadlock);
            let plan = if reflected.keeps {
                "the plan stays"
            } else {
                "the plan goes"
            };
            said(
                Notice,
                format!("looked back, {plan} (trust {sure:.2}): {why}"),
            )
        }
        Event::ConstraintBound { constraint } => {
            said(Plain, format!("bound for this run: {}", constraint.avoid))
        }
        _ => None, // the others have their own function
    }
}

/// What is learnt and used.
fn of_knowledge(event: &Event, told: &Told<'_>) -> Option<Said> {
    use Weight::{Good, Notice, Plain};
    match event {
        Event::KnowledgeProposed { entry } => {
            let kind = entry.body.kind();
            landmark(
                Notice,
                format!("{kind} {} proposed: {}", entry.id, entry.title),
            )
        }
        Event::KnowledgeMerged { into, .. } => said(
            Plain,
            format!("{into} is known already; its evidence grows"),
        ),
        Event::KnowledgeSuppressed { by } => {
            said(Plain, format!("not proposed: {by} was vetoed before"))
        }
        Event::KnowledgeActivated { id, .. } => {
            said(Good, format!("{} is active", told.entry(*id)))
        }
        Event::KnowledgeEdited { id, reason, .. } => {
            said(Plain, format!("{} edited: {reason}", told.entry(*id)))
        }
        Event::KnowledgeVetoed { id, reason, .. } => {
            said(Notice, format!("{} vetoed: {reason}", told.entry(*id)))
        }
        Event::KnowledgeMoved { id, to, reason, .. } => said(
            Notice,
            format!("{} {}: {reason}", told.entry(*id), to.name()),
        ),
        Event::KnowledgeUsed { id, how, subgoal } => used(*id, *how, *subgoal, told),
        Event::KnowledgeWithheld { ids } => {
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            let ids = ids.join(", ");
            said(Plain, format!("withheld to measure their effect: {ids}"))
        }
        _ => None, // the others have their own function
    }
}

/// What the operator did.
fn of_operator(event: &Event) -> Option<Said> {
    use Weight::{Bad, Notice, Plain};
    match event {
        Event::Paused { by } => landmark(Notice, format!("paused by {by}")),
        Event::Resumed { by } => landmark(Plain, format!("resumed by {by}")),
        Event::PolicySet { kind, policy, by } => said(
            Plain,
            format!("gate {} is now {policy} ({by})", kind.name()),
        ),
        Event::PaceSet { times_realtime, by } => said(
            Plain,
            format!(
                "pace {} ({by})",
                pithead_core::text::numbers::format_pace(*times_realtime)
            ),
        ),
        Event::DecisionHeld { decision, by } => said(
            Plain,
            format!("{decision} is being read by {by}; its clock stands"),
        ),
        Event::DecisionReleased { decision, by, .. } => said(
            Plain,
            format!("{decision} was laid back by {by}; its clock starts anew"),
        ),
        Event::LabelOverruled {
            attempt,
            was,
            label,
            reason,
            by,
        } => landmark(
            Notice,
            format!(
                "{attempt}: {} instead of {}, says {by}: {reason}",
                label.name(),
                was.name()
            ),
        ),
        Event::BreaksSet { breaks, by } => {
            let on = breaks.iter().filter(|b| !b.off).count();
            said(
                Plain,
                format!(
                    "{} ({by})",
                    count_with_noun(on, "breakpoint", "breakpoints")
                ),
            )
        }
        Event::BreakHit { on, because } => landmark(Notice, format!("stopped at {on}: {because}")),
        Event::RunForked { fork } => landmark(
            Notice,
            format!(
                "forked from run {} at event {} by {}",
                fork.from, fork.at, fork.by
            ),
        ),
        Event::TakenOver { subgoal, by } => {
            landmark(Notice, format!("{by} takes over: {}", subgoal.label()))
        }
        Event::Steered { how, by } => landmark(Notice, format!("{by}: {how}")),
        Event::CommandRefused {
            command, because, ..
        } => said(Bad, format!("{command} refused: {because}")),
        _ => None, // the others have their own function
    }
}

fn verified(revision: pithead_world::ids::Revision, notes: &[Note]) -> Option<Said> {
    let errors = notes
        .iter()
        .filter(|note| note.severity == Severity::Error)
        .count();
    let worst = notes.iter().max_by_key(|note| note.severity)?;
    let (weight, verb) = if errors > 0 {
        (Weight::Notice, "sent back")
    } else {
        (Weight::Plain, "checked")
    };
    let more = match notes.len() {
        1 => String::new(),
        n => format!(" (+{} more)", n - 1),
    };
    said(
        weight,
        format!("plan {revision} {verb}: {}{more}", worst.text),
    )
}

fn decided(id: DecisionId, verdict: &Verdict, by: &By, told: &Told<'_>) -> Option<Said> {
    let title = told
        .view
        .inbox
        .get(id)
        .map_or_else(|| id.to_string(), crate::view::inbox::Open::title);
    let weight = match verdict {
        Verdict::Veto { .. } => Weight::Notice,
        _ => Weight::Good,
    };
    landmark(weight, format!("{title} {verdict} by {by}"))
}

fn attempt_ended(attempt: AttemptId, experience: &Experience) -> Option<Said> {
    let label = crate::view::plan::label(&experience.action);
    let diagnosis = &experience.diagnosis;
    let ticks = experience.ticks();
    let took = pithead_core::text::numbers::format_ticks(ticks);
    if let Some(ended) = experience.no_failure() {
        let because = match experience.called_off {
            true => String::new(),
            false => format!(": {}", diagnosis.summary),
        };
        let text = format!("{attempt} {label} {ended} after {took}{because}");
        return landmark(Weight::Notice, text);
    }
    match diagnosis.reason {
        None => landmark(Weight::Good, format!("{attempt} {label} done in {took}")),
        Some(reason) => {
            let (name, sure) = (reason.name(), diagnosis.confidence);
            let text = format!(
                "{attempt} {label} failed: {name} ({sure:.2}) {}",
                diagnosis.summary
            );
            landmark(Weight::Bad, text)
        }
    }
}

fn used(
    id: KnowledgeId,
    how: EntryUse,
    subgoal: Option<SubgoalId>,
    told: &Told<'_>,
) -> Option<Said> {
    let what = subgoal.map_or(String::new(), |subgoal| format!(" {}", told.name(subgoal)));
    match how {
        EntryUse::Blocked => said(Weight::Notice, format!("{} blocked{what}", told.entry(id))),
        EntryUse::Hurt => said(Weight::Bad, format!("{} hurt{what}", told.entry(id))),
        // Every plan shows the same entries, and every subgoal matches some.
        EntryUse::Retrieved | EntryUse::Shown | EntryUse::Matched | EntryUse::Helped => None,
    }
}

impl Told<'_> {
    fn name(&self, id: SubgoalId) -> String {
        self.view
            .plan
            .node(id)
            .map_or_else(|| id.to_string(), |node| node.label.clone())
    }

    fn entry(&self, id: KnowledgeId) -> String {
        match self.view.knowledge.item(id) {
            Some(item) => format!("{} {id}", item.entry.body.kind()),
            None => id.to_string(),
        }
    }
}
