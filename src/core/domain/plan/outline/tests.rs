//! Tests of outlines: what is written can be read, and what is wrong is told where it stands.

use super::*;
use crate::domain::plan::json::parse_plan;
use crate::domain::plan::json::tests::plans;
use proptest::prelude::*;

/// A plan of a few steps, with words that no outline has.
fn known() -> Plan {
    let text = r##"{"plan_id": "p_2", "thoughts": "wood first", "subgoals": [
        {"subgoal_id": "sg_1", "condition": "fell a tree", "task_kind": "mine", "timeout_s": 160, "rationale": "near",
         "goal": {"object": "#logs", "count": 4}},
        {"subgoal_id": "sg_2", "task_kind": "craft", "mode": "stay", "timeout_s": 68, "needs": ["sg_1"],
         "goal": {"object": "#planks", "count": 14, "material": "#logs"}},
        {"subgoal_id": "sg_4", "task_kind": "craft", "mode": "stay", "timeout_s": 42, "needs": ["sg_2"],
         "goal": {"object": "crafting_table"}},
        {"subgoal_id": "sg_5", "task_kind": "craft", "mode": "stay", "timeout_s": 42, "needs": ["sg_2", "sg_4"],
         "goal": {"object": "wooden_pickaxe"}, "follows": ["k1.3"]},
        {"subgoal_id": "sg_7", "task_kind": "move", "timeout_s": 136, "checks": [{"check": "ypos_le", "y": 40}],
         "goal": {"count": 0, "amount": 40}},
        {"subgoal_id": "sg_8", "task_kind": "smelt", "mode": "move", "timeout_s": 83, "needs": ["sg_7"],
         "checks": [{"check": "inv_delta_ge", "item": "iron_ingot", "count": 2}],
         "goal": {"object": "iron_ingot", "count": 2, "material": "coal", "info": "from iron_ore"}}]}"##;
    parse_plan(text).unwrap().0
}

#[test]
fn a_plan_is_a_line_for_each_step_indented_under_what_it_needs() {
    let expected = "\
# One step in each line. A step needs the one that it is indented under, and those after `after`.
sg_1 mine #logs ×4 160s
  sg_2 craft #planks ×14 from #logs 68s
    sg_4 craft crafting_table 42s
      sg_5 craft wooden_pickaxe 42s after sg_2
sg_7 dig_down y 40 136s
  sg_8 smelt iron_ingot ×2 fuel coal roam 83s until gained iron_ingot >= 2
";
    assert_eq!(outline_text(&known()), expected);
}

#[test]
fn an_edit_changes_what_it_says_and_keeps_the_rest() {
    let text = outline_text(&known());
    let text = text
        .replace("×4 160s", "×6")
        .replace("wooden_pickaxe 42s", "wooden_axe 42s");
    let text = text + "\n  mine cobblestone ×3 with wooden_pickaxe after sg_5\n";
    let read = parse_outline(&text, &known()).unwrap();
    let step = |id| read.plan.get(SubgoalId(id)).unwrap();
    // The words named the old count; the reason still holds, and the time limit follows the count.
    assert_eq!(step(1).condition, "mine #logs ×6");
    assert_eq!(step(1).rationale.as_deref(), Some("near"));
    assert_eq!((step(1).timeout_s, step(1).goal.count), (210, 6));
    assert_eq!(step(1).checks[0].describe(), "inv_ge #logs 6");
    assert_eq!(step(8).goal.info.as_deref(), Some("from iron_ore"));
    assert_eq!(read.plan.thoughts.as_deref(), Some("wood first"));
    // What a step does not do any more has no citation, and that is told.
    assert_eq!(step(5).follows, []);
    assert_eq!(read.notes.len(), 1);
    assert!(
        read.notes[0].text.starts_with("sg_5 does something else"),
        "{}",
        read.notes[0].text
    );
    // A new step has an id that was never given, and needs what it is under.
    assert_eq!(step(9).needs, [SubgoalId(7), SubgoalId(5)]);
    assert_eq!(read.lines, [1, 2, 3, 4, 5, 6, 8]);
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    let fault = parse_outline(text, &Plan::default()).unwrap_err();
    assert_eq!(fault.to_string(), expected, "{text}");
}

#[test]
fn faults_name_line_and_column_and_what_was_expected() {
    refused(
        "",
        "plan: expected at least one step, such as `mine oak_log ×4`",
    );
    refused(
        "mine oak_log\n\n  mine irn_ore ×3",
        "line 3 column 8: `irn_ore` is no item; did you mean iron_ore?",
    );
    refused(
        "mine oak_log after sg_4",
        "line 1 column 20: no line has the step sg_4",
    );
    refused(
        "sg_4 mine oak_log after sg_4",
        "line 1 column 25: a step cannot come after itself",
    );
    refused(
        "sg_4 mine oak_log\nsg_4 mine sand",
        "line 2 column 1: sg_4 stands in two lines",
    );
    refused(
        "explore 60s",
        "line 1 column 1: nothing says when it is done; add, for example, `until near chest 4`",
    );
    refused(
        "mine sand until inv sand >= x",
        "line 1 column 29: expected a whole number, found `x`",
    );
    refused(
        "mine sand until inv sand >= 3 and inv dirt >= 1",
        "line 1 column 17: expected one check such as `inv iron_ore >= 3`; put `;` between checks",
    );
    refused(
        "mine sand 4000s",
        "line 1 column 11: expected a time limit from 1s to 3600s, found `4000s`",
    );
    refused(
        "mine sand with",
        "line 1 column 15: expected the name of an item, found the end of the line",
    );
    refused(
        "mine sand stay roam",
        "line 1 column 16: `roam` says again what was said before",
    );
    refused(
        "wait ×3 200 ticks",
        "line 1 column 1: a count needs the item that is counted",
    );
    refused(
        "mine sand either \"a",
        "line 1 column 18: expected a closing quote `\"`",
    );
}

#[test]
fn a_long_chain_stays_within_the_screen() {
    let mut plan = known();
    let step = plan.subgoals[0].clone();
    plan.subgoals = (1..40)
        .map(|n| Subgoal {
            id: SubgoalId(n),
            ..step.clone()
        })
        .collect();
    for at in 1..plan.subgoals.len() {
        plan.subgoals[at].needs = vec![plan.subgoals[at - 1].id];
    }
    let text = outline_text(&plan);
    assert!(text.lines().skip(1).all(|line| line.len() < 50), "{text}");
    assert_eq!(parse_outline(&text, &plan).unwrap().plan, plan);
}

proptest! {
    #[test]
    fn an_outline_that_was_not_changed_gives_the_same_plan(plan in plans()) {
        let read = parse_outline(&outline_text(&plan), &plan).unwrap();
        prop_assert_eq!(read.plan, plan);
        prop_assert_eq!(read.notes, []);
    }

    #[test]
    fn without_the_plan_it_was_made_of_only_words_are_lost(plan in plans()) {
        let text = outline_text(&plan);
        let read = parse_outline(&text, &Plan::default()).unwrap();
        prop_assert_eq!(outline_text(&read.plan), text);
    }

    #[test]
    fn no_text_makes_the_reader_panic(
        text in "\\PC{0,60}|( {0,4}(sg_[1-3] )?(mine|craft|wait|y|after|until|with|x3|9s|sand|\"|;|inv|near|,){0,6}\n){0,4}"
    ) {
        let _ = parse_outline(&text, &Plan::default());
    }
}
