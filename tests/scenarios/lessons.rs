//! Lessons: constraints and guardrails from repeated failure.

use crate::scenarios::stage::check;

#[test]
fn two_failures_lead_to_a_lesson_and_a_new_plan() {
    check(
        "task craft a wooden_pickaxe
         have oak_planks=3,stick=2
         plan craft wooden_pickaxe 1
         acts no_station wooden_pickaxe crafting_table
         acts no_station wooden_pickaxe crafting_table
         lesson inv crafting_table < 1 | craft wooden_pickaxe
         plan craft crafting_table 1 > craft wooden_pickaxe 1
         acts oak_planks=3,stick=2,crafting_table=1
         acts crafting_table=1,wooden_pickaxe=1",
        "plan r1 · adopt r1 · craft wooden_pickaxe TOOL_MISSING · craft wooden_pickaxe TOOL_MISSING \
         · replan · lesson · propose guardrail · activate · plan r2 · adopt r2 · bind \
         · craft crafting_table ok · craft wooden_pickaxe ok · success",
    );
}

#[test]
fn a_plan_that_ignores_a_lesson_is_rejected() {
    check(
        "task craft a wooden_pickaxe
         have oak_planks=3,stick=2
         plan craft wooden_pickaxe 1
         acts no_station wooden_pickaxe crafting_table
         acts no_station wooden_pickaxe crafting_table
         lesson inv crafting_table < 1 | craft wooden_pickaxe
         plan craft wooden_pickaxe 1
         plan craft crafting_table 1 > craft wooden_pickaxe 1
         acts oak_planks=3,stick=2,crafting_table=1
         acts crafting_table=1,wooden_pickaxe=1",
        "plan r1 · adopt r1 · craft wooden_pickaxe TOOL_MISSING · craft wooden_pickaxe TOOL_MISSING \
         · replan · lesson · propose guardrail · activate · plan r2 · refused · plan r3 · adopt r3 \
         · bind · craft crafting_table ok · craft wooden_pickaxe ok · success",
    );
}

#[test]
fn a_vetoed_content_is_never_proposed_again() {
    check(
        "task craft a wooden_pickaxe
         have oak_planks=3,stick=2
         tombstone
         plan craft wooden_pickaxe 1
         acts no_station wooden_pickaxe crafting_table
         acts no_station wooden_pickaxe crafting_table
         lesson inv crafting_table < 1 | craft wooden_pickaxe
         plan craft crafting_table 1 > craft wooden_pickaxe 1
         acts oak_planks=3,stick=2,crafting_table=1
         acts crafting_table=1,wooden_pickaxe=1",
        "plan r1 · adopt r1 · craft wooden_pickaxe TOOL_MISSING · craft wooden_pickaxe TOOL_MISSING \
         · replan · lesson · suppress · plan r2 · adopt r2 · bind · craft crafting_table ok \
         · craft wooden_pickaxe ok · success",
    );
}

#[test]
fn a_guardrail_waits_in_the_inbox_without_blocking() {
    check(
        "task craft a wooden_pickaxe
         have oak_planks=3,stick=2
         gate guardrail=ask
         plan craft wooden_pickaxe 1
         acts no_station wooden_pickaxe crafting_table
         acts no_station wooden_pickaxe crafting_table
         lesson inv crafting_table < 1 | craft wooden_pickaxe
         plan craft crafting_table 1 > craft wooden_pickaxe 1
         acts oak_planks=3,stick=2,crafting_table=1
         acts crafting_table=1,wooden_pickaxe=1
         say veto 1 too strict",
        "plan r1 · adopt r1 · craft wooden_pickaxe TOOL_MISSING · craft wooden_pickaxe TOOL_MISSING \
         · replan · lesson · propose guardrail · ask guardrail · plan r2 · adopt r2 · bind \
         · craft crafting_table ok · craft wooden_pickaxe ok · success · vetoed · tombstone",
    );
}
