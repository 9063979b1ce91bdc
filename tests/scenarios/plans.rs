//! Plans: what is adopted, skipped and sent back.

use crate::scenarios::stage::check;

#[test]
fn a_plan_that_works_is_followed_to_its_end() {
    check(
        "task get 4 oak_planks
         plan mine oak_log 1 > craft oak_planks 4
         acts oak_log=1
         acts oak_planks=4",
        "plan r1 · adopt r1 · mine oak_log ok · craft oak_planks ok · success",
    );
}

#[test]
fn a_step_whose_checks_already_hold_is_skipped() {
    check(
        "task get 4 oak_planks
         have oak_log=1
         plan mine oak_log 1 > craft oak_planks 4
         acts oak_planks=4",
        "plan r1 · adopt r1 · skip mine oak_log · craft oak_planks ok · success",
    );
}

#[test]
fn an_unreadable_answer_is_asked_for_again_with_its_fault() {
    check(
        "task get 1 oak_log
         answer not json at all
         plan mine oak_log 1
         acts oak_log=1",
        "unread · plan r1 · adopt r1 · mine oak_log ok · success",
    );
}

#[test]
fn a_mind_that_stays_unreadable_ends_the_run() {
    check(
        "task get 1 oak_log
         answer 1
         answer 2
         answer 3
         answer 4",
        "unread · unread · unread · unread · failure",
    );
}
