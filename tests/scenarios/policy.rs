//! Policy files: what they ask, approve and veto in a run, and what happens then.

use crate::scenarios::stage::check;

#[test]
fn a_rule_asks_once_before_the_step_that_it_names() {
    check(
        "task get 1 crafting_table
         rule action = 'craft *_table'; then = 'ask'
         plan mine oak_log 1 > craft crafting_table 1
         acts oak_log=1
         say approve 1
         acts oak_log=1
         acts crafting_table=1",
        "plan r1 · adopt r1 · mine oak_log ok · ask risky_action · approved \
         · craft crafting_table MONITOR_NEVER_TRUE · craft crafting_table ok · success",
    );
}

#[test]
fn a_veto_by_a_rule_reaches_the_mind_and_applies_to_the_same_step() {
    check(
        "task get 1 oak_log
         rule action = 'mine oak_log'; count = '>= 8'; then = 'veto'
         plan mine oak_log 8
         plan mine oak_log 8
         plan mine oak_log 1
         acts oak_log=1",
        "plan r1 · adopt r1 · ask risky_action · vetoed by policy · plan r2 · adopt r2 · ask risky_action \
         · vetoed by policy · plan r3 · adopt r3 · mine oak_log ok · success",
    );
}

#[test]
fn three_vetoes_before_any_step_end_the_run() {
    check(
        "task get 1 oak_log
         rule action = 'mine *'; then = 'veto'
         plan mine oak_log 1
         plan mine oak_log 2
         plan mine oak_log 3",
        "plan r1 · adopt r1 · ask risky_action · vetoed by policy · plan r2 · adopt r2 · ask risky_action \
         · vetoed by policy · plan r3 · adopt r3 · ask risky_action · vetoed by policy · failure",
    );
}

#[test]
fn an_allowed_step_is_asked_about_again_when_it_grows() {
    check(
        "task get 9 oak_log
         rule action = 'mine *'; then = 'ask'
         plan mine oak_log 9
         say approve 1
         acts oak_log=1
         acts oak_log=1
         lesson inv stick < 1 | mine dirt
         plan mine oak_log 12
         say approve 2
         acts oak_log=12",
        "plan r1 · adopt r1 · ask risky_action · approved · mine oak_log MONITOR_NEVER_TRUE · mine oak_log MONITOR_NEVER_TRUE \
         · replan · lesson · propose guardrail · activate · plan r2 · adopt r2 · bind · ask risky_action \
         · approved · mine oak_log ok · success",
    );
}

#[test]
fn the_first_matching_rule_precedes_later_rules_and_the_gates() {
    check(
        "task get 1 oak_log
         gate risky_action=ask
         rule action = 'dig_down'; y = '<= 10'; then = 'approve'
         rule kind = 'move'; then = 'veto'
         plan dig_down 8 > mine oak_log 1
         acts oak_log=1",
        "plan r1 · adopt r1 · ask risky_action · approved by policy · dig_down 8 MONITOR_NEVER_TRUE · success",
    );
}

#[test]
fn a_rule_that_cannot_be_decided_asks() {
    check(
        "task get 1 oak_log
         rule action = 'mine oak_log'; then = 'approve'
         plan mine #logs 1
         say approve 1
         acts oak_log=1",
        "plan r1 · adopt r1 · ask risky_action · approved · mine #logs ok · success",
    );
}

#[test]
fn no_rule_applies_to_operator_actions() {
    check(
        "task get 1 oak_log
         rule action = '*'; then = 'ask:60:veto'
         plan mine oak_log 1
         say act mine dirt 1
         say approve 1
         acts dirt=1
         acts dirt=1,oak_log=1",
        "plan r1 · adopt r1 · ask risky_action · approved · mine dirt ok · mine oak_log ok · success",
    );
}
