//! The operator's commands: each becomes events, or a refusal that says why.

use super::{answers, steering};
use crate::agent::state::{Hold, Phase};
use crate::agent::transitions::adoption;
use crate::agent::turn::Turn;
use crate::agent::{executor, plan_ids};
use crate::domain::experience::attempt::Stop;
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::run::breakpoint::BREAKPOINTS_MAX;
use crate::domain::run::command::Command;
use crate::domain::run::decision::{By, Question, Subject, Verdict};
use crate::domain::run::event::{Event, Outcome};
use crate::domain::run::take_over;
use pithead_world::ids::{AttemptId, DecisionId, SubgoalId};

/// The run is driven (again): its pace is told, and no question answers itself for the time in which
/// nobody drove the run or after a console that died while it was looked at.
pub(in crate::agent) fn on_started(turn: &mut Turn<'_>, times_realtime: f64, by: &str) {
    let timed = turn.state().questions.iter();
    let timed: Vec<DecisionId> = timed
        .filter(|q| q.deadline.is_some() || q.held.is_some())
        .map(|q| q.id)
        .collect();
    for decision in timed {
        answers::release(turn, decision, by);
    }
    if !turn.state().is_over() && turn.state().pace != Some(times_realtime) {
        turn.say(Event::PaceSet {
            times_realtime,
            by: by.to_owned(),
        });
    }
}

/// A command arrived.
pub(in crate::agent) fn on(turn: &mut Turn<'_>, command: Command, operator: String) {
    let name = command.name();
    let decision = match &command {
        Command::Decide { decision, .. } => Some(*decision),
        _ => None,
    };
    if let Err(because) = obey(turn, command, operator) {
        turn.say(Event::CommandRefused {
            command: name.to_owned(),
            decision,
            because,
        });
    }
}

fn obey(turn: &mut Turn<'_>, command: Command, by: String) -> Result<(), String> {
    let over = turn.state().is_over();
    let hold = turn.state().hold;
    match command {
        Command::Decide { decision, verdict } => {
            let question = open(turn, decision)?;
            fits(turn, &question, &verdict)?;
            answers::answer(turn, &question, verdict, By::Operator(by));
            return Ok(());
        }
        Command::HoldDecision { decision } => {
            let question = open(turn, decision)?;
            if question.deadline.is_none() {
                return Err(format!("no time-out runs for {decision}"));
            }
            turn.say(Event::DecisionHeld { decision, by });
        }
        Command::ReleaseDecision { decision } => {
            if open(turn, decision)?.held.is_none() {
                return Err(format!("{decision} is not held"));
            }
            answers::release(turn, decision, &by);
        }
        Command::Overrule {
            attempt,
            label,
            reason,
        } => overrule(turn, attempt, label, reason, by)?,
        _ if over => return Err("the run is over".to_owned()),
        Command::Pause if hold == Hold::Paused => {
            return Err("the run is paused already".to_owned());
        }
        Command::Pause => turn.say(Event::Paused { by }),
        Command::Resume if hold == Hold::Free && turn.state().pause_soon.is_none() => {
            return Err("the run is not paused".to_owned());
        }
        Command::Resume => turn.say(Event::Resumed { by }),
        Command::Step if turn.state().at_break => turn.say(Event::Stepped { by }),
        Command::SetBreaks { breaks } if breaks.len() > BREAKPOINTS_MAX => {
            return Err(format!("a run has at most {BREAKPOINTS_MAX} breakpoints"));
        }
        Command::SetBreaks { breaks } => turn.say(Event::BreaksSet { breaks, by }),
        Command::Step if hold == Hold::Free => {
            return Err("stepping works on a paused run; pause it first".to_owned());
        }
        Command::Step if !matches!(turn.state().phase, Phase::Acting(_)) => {
            return Err("no action is under way that could be stepped".to_owned());
        }
        Command::Step => turn.say(Event::Stepped { by }),
        Command::Abort { reason } => {
            let because = format!("aborted by {by}: {reason}");
            turn.say(Event::RunEnded {
                outcome: Outcome::Aborted,
                because,
            });
        }
        Command::Act { words } => act(turn, &words, by)?,
        Command::Steer { how } => steering::on(turn, how, by)?,
        Command::SetPolicy { kind, policy } => turn.say(Event::PolicySet { kind, policy, by }),
        Command::SetPace { times_realtime } if !(0.0..=1e6).contains(&times_realtime) => {
            return Err(format!(
                "{times_realtime} is no pace; 0 is as fast as it can, 1 is real time"
            ));
        }
        Command::SetPace { times_realtime } => turn.say(Event::PaceSet { times_realtime, by }),
    }
    Ok(())
}

/// The operator acts for the agent: what is under way is called off, the act comes next.
fn act(turn: &mut Turn<'_>, words: &str, by: String) -> Result<(), String> {
    let state = turn.state();
    if state.acts.len() >= ACTS_MAX {
        return Err(format!(
            "{ACTS_MAX} acts wait already; let them be done first"
        ));
    }
    let mut subgoal = take_over::read(words).map_err(|fault| fault.to_string())?;
    subgoal.id = SubgoalId(state.counters.subgoals).next();
    if let Some(frame) = state.frame.as_deref() {
        executor::order(&subgoal, frame)?;
    }
    let under_way = match &state.phase {
        Phase::Acting(attempt) if attempt.stop.is_none() && !state.is_act(attempt.subgoal.id) => {
            attempt.actions.last().map(|deed| deed.id)
        }
        _ => None, // nothing is under way, or another act
    };
    turn.say(Event::TakenOver {
        subgoal: Box::new(subgoal),
        by,
    });
    if let Some(action) = under_way {
        let stop = Stop::Aborted;
        turn.say(Event::ActionCancelled { action, stop });
    }
    Ok(())
}

/// Acts that wait at one time.
const ACTS_MAX: usize = 8;

/// The label of an ended attempt, in a run that goes on or is over.
fn overrule(
    turn: &mut Turn<'_>,
    attempt: AttemptId,
    label: FailureReason,
    reason: String,
    by: String,
) -> Result<(), String> {
    let Some(known) = turn.state().labels.get(&attempt).copied() else {
        return Err(format!("attempt {attempt} has not ended, or there is none"));
    };
    let Some(was) = known else {
        return Err(format!(
            "attempt {attempt} succeeded; only the reason of a failure can be overruled"
        ));
    };
    if was == label {
        return Err(format!("the label of {attempt} is {} already", was.name()));
    }
    if reason.trim().is_empty() {
        return Err("an overrule needs a reason; others will read it".to_owned());
    }
    turn.say(Event::LabelOverruled {
        attempt,
        was,
        label,
        reason,
        by,
    });
    Ok(())
}

/// Answers a question as it was answered in the run that this one was forked from; true if it did.
pub(in crate::agent) fn decide_as_before(turn: &mut Turn<'_>) -> bool {
    let state = turn.state();
    if state.kept.is_empty() {
        return false;
    }
    let found = state.questions.iter().find_map(|question| {
        let (_, kept) = state.kept_for(question)?;
        // One that does not fit any more is left to the operator.
        fits(turn, question, &kept.verdict).ok()?;
        Some((question.clone(), kept.clone()))
    });
    let Some((question, kept)) = found else {
        return false;
    };
    answers::answer(turn, &question, kept.verdict, By::Operator(kept.by));
    true
}

fn open(turn: &Turn<'_>, decision: DecisionId) -> Result<Question, String> {
    let found = turn.state().questions.iter().find(|q| q.id == decision);
    found.cloned().ok_or_else(|| {
        format!("there is no open decision {decision}; it is decided already or was never asked")
    })
}

/// An answer must fit its question; an edited plan must pass the verifier.
fn fits(turn: &Turn<'_>, question: &Question, verdict: &Verdict) -> Result<(), String> {
    match (&question.subject, verdict) {
        (Subject::Plan(_), Verdict::EditPlan(plan)) => {
            let plan = plan_ids::settle(turn.state(), plan.clone());
            let notes = adoption::judge(turn.state(), &plan);
            match adoption::first_error(&notes) {
                Some(note) => Err(format!("the edited plan does not pass: {}", note.text)),
                None => Ok(()),
            }
        }
        (Subject::Knowledge(_), Verdict::EditKnowledge(_)) => Ok(()),
        (_, Verdict::EditPlan(_)) => Err("this decision is not about a plan".to_owned()),
        (_, Verdict::EditKnowledge(_)) => Err("this decision is not about knowledge".to_owned()),
        (_, Verdict::Veto { reason }) if reason.trim().is_empty() => {
            Err("a veto needs a reason; the mind is told it".to_owned())
        }
        (_, Verdict::Approve | Verdict::Veto { .. }) => Ok(()),
    }
}
