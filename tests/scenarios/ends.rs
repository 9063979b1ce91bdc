//! Ends: death and abort.

use crate::scenarios::stage::check;

#[test]
fn death_ends_the_run() {
    check(
        "task get 1 oak_log
         plan mine oak_log 1
         acts dies of lava",
        "plan r1 · adopt r1 · mine oak_log ENV_TERMINATED · propose task_guardrail · activate · failure",
    );
}

#[test]
fn an_abort_ends_the_run_at_once() {
    check(
        "task get 1 oak_log
         plan mine oak_log 1
         say abort
         say pause",
        "plan r1 · adopt r1 · aborted · refuse pause",
    );
}
