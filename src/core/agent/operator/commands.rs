//! Commands: what the operator asks of a run, checked against the state it is in.
//!
//! Invariant: nothing is stated before the command has passed all its checks.

use super::{answers, steering};
use crate::agent::state::{Phase, RunHold};
use crate::agent::transitions::adoption;
use crate::agent::turn::Turn;
use crate::agent::{executor, plan_ids};
use crate::domain::experience::attempt::Stop;
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::run::breakpoint::BREAKPOINTS_MAX;
use crate::domain::run::command::Command;
use crate::domain::run::decision::{By, Question, Subject, Verdict};
use crate::domain::run::event::Event;
use crate::domain::run::outcome::{Outcome, aborted_by};
use crate::domain::run::saying::{SAYING_EVERY_TICKS, parse_saying};
use crate::domain::run::take_over;
use pithead_world::ids::{AttemptId, DecisionId, SubgoalId};

/// A driver starts or resumes the run: its pace is stated, and the clocks of open questions start anew.
/// Otherwise a question could answer itself for the hours in which no driver ran, or stay held by a console
/// that has died.
pub(in crate::agent) fn on_started(turn: &mut Turn<'_>, times_realtime: f64, by: &str) {
    let timed = turn.state().questions.iter();
    let timed: Vec<DecisionId> = timed
        .filter(|q| q.deadline.is_some() || q.held.is_some())
        .map(|q| q.id)
        .collect();
    for decision in timed {
        answers::restart_clock(turn, decision, by);
    }
    if !turn.state().is_over() && turn.state().pace != Some(times_realtime) {
        turn.say(Event::PaceSet {
            times_realtime,
            by: by.to_owned(),
        });
    }
}

/// A command arrived.
pub(in crate::agent) fn on_command(turn: &mut Turn<'_>, command: Command, operator: String) {
    let name = command.name();
    // Named in a refusal, so that the console finds its question again.
    let decision = match &command {
        Command::Decide { decision, .. } => Some(*decision),
        _ => None,
    };
    if let Err(because) = carry_out(turn, command, operator) {
        turn.say(Event::CommandRefused {
            command: name.to_owned(),
            decision,
            because,
        });
    }
}

fn carry_out(turn: &mut Turn<'_>, command: Command, by: String) -> Result<(), String> {
    let over = turn.state().is_over();
    let hold = turn.state().hold;
    match command {
        Command::Decide { decision, verdict } => {
            let question = open_question(turn, decision)?;
            check_fits(turn, &question, &verdict)?;
            answers::answer_question(turn, &question, verdict, By::Operator(by));
            return Ok(());
        }
        Command::HoldDecision { decision } => {
            let question = open_question(turn, decision)?;
            if question.deadline.is_none() {
                return Err(format!("{decision} has no time-out to hold"));
            }
            turn.say(Event::DecisionHeld { decision, by });
        }
        Command::ReleaseDecision { decision } => {
            if open_question(turn, decision)?.held.is_none() {
                return Err(format!("{decision} is not held"));
            }
            answers::restart_clock(turn, decision, &by);
        }
        Command::Overrule {
            attempt,
            label,
            reason,
        } => overrule(turn, attempt, label, reason, by)?,
        // What stands above may come after the end too.
        _ if over => return Err("the run is over".to_owned()),
        Command::Pause if hold == RunHold::Paused => {
            return Err("the run is paused already".to_owned());
        }
        Command::Pause => turn.say(Event::Paused { by }),
        Command::Resume if hold == RunHold::Free && turn.state().pause_soon.is_none() => {
            return Err("the run is not paused".to_owned());
        }
        Command::Resume => turn.say(Event::Resumed { by }),
        Command::Step if turn.state().at_break => turn.say(Event::Stepped { by }),
        Command::SetBreaks { breaks } if breaks.len() > BREAKPOINTS_MAX => {
            return Err(format!("a run has at most {BREAKPOINTS_MAX} breakpoints"));
        }
        Command::SetBreaks { breaks } => turn.say(Event::BreaksSet { breaks, by }),
        Command::Step if hold == RunHold::Free => {
            return Err("only a paused run can be stepped; pause it first".to_owned());
        }
        Command::Step if !matches!(turn.state().phase, Phase::Acting(_)) => {
            return Err("no action is under way, so there is nothing to step".to_owned());
        }
        Command::Step => turn.say(Event::Stepped { by }),
        Command::Abort { reason } => {
            let because = aborted_by(&by, &reason);
            turn.say(Event::RunEnded {
                outcome: Outcome::Aborted,
                because,
            });
        }
        Command::Act { words } => take_over_step(turn, &words, by)?,
        Command::Say { text } => say(turn, &text, by)?,
        Command::Steer { how } => steering::steer(turn, how, by)?,
        Command::SetPolicy { kind, policy } => turn.say(Event::PolicySet { kind, policy, by }),
        Command::SetPace { times_realtime } if !(0.0..=1e6).contains(&times_realtime) => {
            return Err(format!(
                "{times_realtime} is not a pace: use 0 for as fast as possible, 1 for real time"
            ));
        }
        Command::SetPace { times_realtime } => turn.say(Event::PaceSet { times_realtime, by }),
    }
    Ok(())
}

/// The body says a line to the other players of a server.
fn say(turn: &mut Turn<'_>, text: &str, by: String) -> Result<(), String> {
    let state = turn.state();
    let is_server = state
        .config()
        .is_some_and(|config| config.world.goes_on_by_itself());
    let Some(frame) = state.frame.as_deref().filter(|_| is_server) else {
        return Err("there is nobody who could hear it; only a server has a chat".to_owned());
    };
    if state.is_away {
        return Err("the body is not on the server now".to_owned());
    }
    // A client may be of another build: what it sent is read anew.
    let text = parse_saying(text)?;
    let since = state.spoke_at.map(|last| frame.tick.saturating_sub(last));
    if since.is_some_and(|ticks| ticks < SAYING_EVERY_TICKS) {
        return Err(format!(
            "the body says one line in {SAYING_EVERY_TICKS} ticks at most; wait a moment"
        ));
    }
    turn.say(Event::BodySpoke { text, by });
    Ok(())
}

/// The operator acts for the agent: the action under way is cancelled, and the act comes next.
fn take_over_step(turn: &mut Turn<'_>, words: &str, by: String) -> Result<(), String> {
    let state = turn.state();
    if state.acts.len() >= ACTS_MAX {
        return Err(format!(
            "{ACTS_MAX} acts are waiting already; wait until one of them is done"
        ));
    }
    let mut subgoal = take_over::parse_operator_action(words).map_err(|fault| fault.to_string())?;
    subgoal.id = SubgoalId(state.counters.subgoals).next();
    // Tried now, so that the operator hears of it at once and not when its turn comes.
    if let (Some(frame), Some(config)) = (state.frame.as_deref(), state.config()) {
        executor::order_for(&subgoal, frame, &config.task)?;
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

/// Acts that wait at one time; more would be a plan, which has its own gate.
const ACTS_MAX: usize = 8;

/// The label of an ended attempt, in a run that continues or is over.
fn overrule(
    turn: &mut Turn<'_>,
    attempt: AttemptId,
    label: FailureReason,
    reason: String,
    by: String,
) -> Result<(), String> {
    let Some(known) = turn.state().labels.get(&attempt).copied() else {
        return Err(format!("attempt {attempt} has not ended or does not exist"));
    };
    let Some(was) = known else {
        return Err(format!(
            "attempt {attempt} succeeded; only the reason of a failure can be overruled"
        ));
    };
    if was == label {
        return Err(format!(
            "attempt {attempt} is labelled {} already",
            was.name()
        ));
    }
    if reason.trim().is_empty() {
        return Err("overruling a label needs a reason, which others will read".to_owned());
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
    // Most runs are no forks.
    if state.kept.is_empty() {
        return false;
    }
    let found = state.questions.iter().find_map(|question| {
        let (_, kept) = state.kept_for(question)?;
        // One that no longer fits its question is left to the operator.
        check_fits(turn, question, &kept.verdict).ok()?;
        Some((question.clone(), kept.clone()))
    });
    let Some((question, kept)) = found else {
        return false;
    };
    answers::answer_question(turn, &question, kept.verdict, By::Operator(kept.by));
    true
}

fn open_question(turn: &Turn<'_>, decision: DecisionId) -> Result<Question, String> {
    let found = turn.state().questions.iter().find(|q| q.id == decision);
    found.cloned().ok_or_else(|| {
        format!("decision {decision} is not open: it was decided already or never asked")
    })
}

/// An answer must fit its question; an edited plan must pass the verifier.
fn check_fits(turn: &Turn<'_>, question: &Question, verdict: &Verdict) -> Result<(), String> {
    match (&question.subject, verdict) {
        (Subject::Plan(_), Verdict::EditPlan(plan)) => {
            // As it would be adopted: the verifier's notes refer to these ids.
            let plan = plan_ids::keep_ids(turn.state(), plan.clone());
            let notes = adoption::verifier_notes(turn.state(), &plan);
            match adoption::first_error(&notes) {
                Some(note) => Err(format!(
                    "the verifier rejects the edited plan: {}",
                    note.text
                )),
                None => Ok(()),
            }
        }
        (Subject::Knowledge(_), Verdict::EditKnowledge(_)) => Ok(()),
        (_, Verdict::EditPlan(_)) => Err("this decision is not about a plan".to_owned()),
        (_, Verdict::EditKnowledge(_)) => Err("this decision is not about knowledge".to_owned()),
        (_, Verdict::Veto { reason }) if reason.trim().is_empty() => {
            Err("a veto needs a reason, which the mind will read".to_owned())
        }
        (_, Verdict::Approve | Verdict::Veto { .. }) => Ok(()),
    }
}
