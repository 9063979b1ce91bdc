//! Steering: limits, retries, withdrawn operator actions, a requested replan, and both kinds of pause.

use crate::scenarios::stage::{Stage, check};

#[test]
fn the_tick_budget_is_changed_during_a_run() {
    check(
        "task get 9 oak_log
         plan mine oak_log 9
         say limit ticks 21
         acts oak_log=1
         acts oak_log=2",
        "plan r1 · adopt r1 · limit ticks 21 · mine oak_log MONITOR_NEVER_TRUE \
         · mine oak_log MONITOR_NEVER_TRUE · propose task_guardrail · activate · failure",
    );
}

#[test]
fn a_limit_that_is_already_reached_is_refused() {
    check(
        "task get 9 oak_log
         plan mine oak_log 9
         acts oak_log=1
         say limit ticks 20
         say limit calls 1
         say limit calls 2
         acts oak_log=9",
        "plan r1 · adopt r1 · mine oak_log MONITOR_NEVER_TRUE · refuse steer · refuse steer · limit calls 2 \
         · mine oak_log ok · success",
    );
}

#[test]
fn new_limits_for_attempts_and_seconds_apply_to_the_current_attempt() {
    let stage = Stage::played(
        "task get 9 oak_log
         plan mine oak_log 9
         say limit seconds 7
         say limit attempts 30
         acts oak_log=1
         say limit seconds none",
    );
    let limits = stage.state.config().unwrap().limits;
    assert_eq!((limits.attempts_max, limits.attempt_seconds), (30, None));
    assert_eq!(stage.timeouts, [60, 7, 7, 7, 60], "{:?}", stage.said);
}

#[test]
fn the_current_step_is_retried_without_counting_a_failure() {
    check(
        "task get 1 crafting_table
         plan mine oak_log 1 > craft crafting_table 1
         say retry sg_1
         acts stick=1
         say retry sg_2
         acts oak_log=1
         acts crafting_table=1",
        "plan r1 · adopt r1 · retry sg_1 · mine oak_log UNKNOWN · retry sg_2 · mine oak_log ok \
         · craft crafting_table ok · success",
    );
}

#[test]
fn a_finished_step_that_no_longer_holds_is_done_again() {
    check(
        "task get 1 crafting_table
         plan mine oak_log 1 > craft crafting_table 1
         acts oak_log=1
         say retry sg_1
         acts stick=1
         say retry sg_1
         say retry sg_9
         say act mine dirt 1
         acts stick=1
         acts dirt=1
         acts dirt=1,oak_log=1
         acts crafting_table=1",
        "plan r1 · adopt r1 · mine oak_log ok · refuse steer · craft crafting_table MONITOR_NEVER_TRUE · retry sg_1 \
         · refuse steer · craft crafting_table UNKNOWN · mine dirt ok · mine oak_log ok \
         · craft crafting_table ok · success",
    );
}

#[test]
fn a_retry_takes_precedence_over_a_pending_replan() {
    check(
        "task get 1 oak_log
         plan mine oak_log 1
         acts stick=1
         say retry sg_1
         acts stick=1
         acts stick=1
         acts oak_log=1",
        "plan r1 · adopt r1 · mine oak_log MONITOR_NEVER_TRUE · retry sg_1 · mine oak_log UNKNOWN \
         · mine oak_log MONITOR_NEVER_TRUE · mine oak_log ok · success",
    );
}

#[test]
fn an_operator_action_is_withdrawn_while_it_waits_and_cancelled_while_it_runs() {
    check(
        "task get 1 oak_log
         plan mine oak_log 1
         say act mine dirt 1
         say act mine sand 1
         say withdraw sg_3
         acts stick=1
         say withdraw sg_2
         say withdraw sg_2
         acts stick=1
         say withdraw sg_2
         acts oak_log=1",
        "plan r1 · adopt r1 · withdraw sg_3 · mine oak_log UNKNOWN · withdraw sg_2 · refuse steer \
         · mine dirt UNKNOWN · refuse steer · mine oak_log ok · success",
    );
}

#[test]
fn the_operator_can_request_a_replan_with_a_reason() {
    check(
        "task get 1 oak_log
         plan mine oak_log 1
         say replan the trees burn
         say replan again
         acts stick=1
         plan mine oak_log 2
         acts oak_log=2",
        "plan r1 · adopt r1 · replan the trees burn · refuse steer · mine oak_log UNKNOWN · plan r2 · adopt r2 \
         · mine oak_log ok · success",
    );
}

#[test]
fn a_soft_pause_waits_for_the_step_and_a_hard_one_does_not() {
    check(
        "task get 1 crafting_table
         plan mine oak_log 1 > craft crafting_table 1
         say pause soon
         say pause soon
         acts oak_log=1
         say pause soon
         say act mine dirt 1
         say resume
         acts oak_log=1,dirt=1
         say pause
         say resume
         acts crafting_table=1",
        "plan r1 · adopt r1 · pause soon · refuse steer · mine oak_log ok · paused · refuse steer · resumed \
         · mine dirt ok · paused · resumed · craft crafting_table ok · success",
    );
}

#[test]
fn a_soft_pause_can_be_withdrawn() {
    check(
        "task get 1 oak_log
         plan mine oak_log 1
         say pause soon
         say resume
         acts oak_log=1",
        "plan r1 · adopt r1 · pause soon · resumed · mine oak_log ok · success",
    );
}
