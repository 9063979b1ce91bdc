//! Operator actions: the operator acts for the agent, and then the plan continues.

use crate::scenarios::stage::check;

#[test]
fn an_operator_action_precedes_the_plan_and_the_step_it_cancels_is_not_a_failure() {
    check(
        "task get 2 oak_log
         plan mine oak_log 2
         say act mine dirt 1
         acts stick=1
         acts dirt=1
         say act mine sand 1
         acts dirt=1
         acts dirt=1,sand=1
         acts dirt=1,oak_log=2",
        "plan r1 · adopt r1 · mine oak_log UNKNOWN · mine dirt ok · mine oak_log UNKNOWN · mine sand ok \
         · mine oak_log ok · success",
    );
}

#[test]
fn a_step_done_by_the_operator_is_not_repeated() {
    check(
        "task get 1 crafting_table
         plan mine oak_log 1 > craft crafting_table 1
         say act mine oak_log 1
         acts stick=1
         acts oak_log=1
         acts crafting_table=1",
        "plan r1 · adopt r1 · mine oak_log UNKNOWN · mine oak_log ok · craft crafting_table ok · success",
    );
}

#[test]
fn an_unreadable_operator_action_is_refused() {
    check(
        "task get 1 oak_log
         plan mine oak_log 1
         say act mine oak_lgo 1
         say act fly
         acts oak_log=1",
        "plan r1 · adopt r1 · refuse act · refuse act · mine oak_log ok · success",
    );
}

#[test]
fn an_operator_action_waits_for_the_answer_to_a_blocking_question() {
    check(
        "task get 1 oak_log
         gate plan=ask
         plan mine oak_log 1
         say act mine dirt 1
         say approve 1
         acts dirt=1
         acts oak_log=1",
        "plan r1 · ask plan · approved · adopt r1 · mine dirt ok · mine oak_log ok · success",
    );
}
