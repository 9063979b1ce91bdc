//! Gates: who answers, when, and what happens then.

use crate::scenarios::stage::check;

#[test]
fn a_gate_waits_for_the_operator() {
    check(
        "task get 1 oak_log
         gate plan=ask
         plan mine oak_log 1
         say approve 1
         acts oak_log=1",
        "plan r1 · ask plan · approved · adopt r1 · mine oak_log ok · success",
    );
}

#[test]
fn a_gate_with_a_timeout_is_answered_by_the_timeout() {
    check(
        "task get 1 oak_log
         gate plan=ask:60:approve
         plan mine oak_log 1
         at 59000
         at 60000
         acts oak_log=1",
        "plan r1 · ask plan · approved by time-out · adopt r1 · mine oak_log ok · success",
    );
}

#[test]
fn a_veto_reaches_the_mind_and_three_vetoes_end_the_phase() {
    check(
        "task get 1 oak_log
         gate plan=ask
         plan mine oak_log 1
         say veto 1 not there
         plan mine oak_log 2
         say veto 2 not there either
         plan mine oak_log 3
         say veto 3 enough",
        "plan r1 · ask plan · vetoed · plan r2 · ask plan · vetoed · plan r3 · ask plan · vetoed \
         · failure",
    );
}

#[test]
fn a_second_answer_to_one_question_is_refused() {
    check(
        "task get 1 oak_log
         gate plan=ask
         plan mine oak_log 1
         say approve 1
         say approve 1
         acts oak_log=1",
        "plan r1 · ask plan · approved · adopt r1 · refuse decide · mine oak_log ok · success",
    );
}

#[test]
fn a_question_that_is_being_read_does_not_time_out() {
    check(
        "task get 1 oak_log
         gate plan=ask:60:approve
         plan mine oak_log 1
         at 59000
         say hold 1
         at 600000
         say release 1
         at 659000
         at 660000
         acts oak_log=1",
        "plan r1 · ask plan · held · released · approved by time-out · adopt r1 · mine oak_log ok \
         · success",
    );
}

#[test]
fn a_held_question_is_answered_as_it_was_read() {
    check(
        "task get 1 oak_log
         gate plan=ask:60:approve
         plan mine oak_log 1
         say hold 1
         say hold 1
         at 600000
         say veto 1 not there
         plan mine oak_log 2
         say release 1
         at 660000
         acts oak_log=2",
        "plan r1 · ask plan · held · refuse hold decision · vetoed · plan r2 · ask plan \
         · refuse release decision · approved by time-out · adopt r2 · mine oak_log ok · success",
    );
}

#[test]
fn a_resumed_run_gives_its_questions_their_full_timeout() {
    check(
        "task get 1 oak_log
         gate plan=ask:60:approve
         plan mine oak_log 1
         say hold 1
         opened at 600000
         at 659000
         opened at 900000
         at 959000
         at 960000
         acts oak_log=1",
        "plan r1 · ask plan · held · released · released · approved by time-out · adopt r1 \
         · mine oak_log ok · success",
    );
}

#[test]
fn a_question_without_a_timeout_cannot_be_held() {
    check(
        "task get 1 oak_log
         gate plan=ask
         plan mine oak_log 1
         say hold 1
         say approve 1
         acts oak_log=1",
        "plan r1 · ask plan · refuse hold decision · approved · adopt r1 · mine oak_log ok · success",
    );
}
