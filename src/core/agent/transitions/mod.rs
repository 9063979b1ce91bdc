//! Transitions: the events by which several phases lead on to the next one.
//!
//! Each is a short run of events, such as the question to the mind with which a phase begins.
//! Invariant: a transition knows no phase of `phases`; who continues is `advance`'s to say.

pub(super) mod admission;
pub(super) mod adoption;
pub(super) mod attempt;
pub(super) mod ending;
pub(super) mod giving_up;
pub(super) mod goals;
pub(super) mod judging;
pub(super) mod lesson;
pub(super) mod loss;
pub(super) mod mind_question;
pub(super) mod needs;
pub(super) mod operator_question;
pub(super) mod parts;
pub(super) mod replan;
pub(super) mod risk_gate;
pub(super) mod step_question;
pub(super) mod study_start;
