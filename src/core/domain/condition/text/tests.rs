//! Texts and what they read as; algebra and round trips over generated conditions.

use super::*;
use crate::domain::check::Truth;
use crate::domain::condition::arbitrary;
use proptest::prelude::*;

fn read(text: &str) -> Condition {
    text.parse().unwrap()
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    assert_eq!(text.parse::<Condition>().unwrap_err().to_string(), expected);
}

#[test]
fn texts_are_written_as_they_are_best_read() {
    for (typed, written) in [
        (
            "subgoal craft and target wooden_pickaxe and not (near crafting_table 4 or inv crafting_table >= 1)",
            "subgoal is craft and target wooden_pickaxe and not (near crafting_table 4 or inv crafting_table >= 1)",
        ),
        ("always", "always"),
        ("inv logs > 2", "inv #logs >= 3"),
        ("inv minecraft:oak_log <= 2", "inv oak_log < 3"),
        ("y<=12 or y >= -3", "y <= 12 or y >= -3"),
        ("y < 12 or y > -3", "y <= 11 or y >= -2"),
        ("near cow 8", "near mob cow 8"),
        ("near #logs 8", "near source #logs 8"),
        ("near at 10 64 -3 4", "near at 10 64 -3 4"),
        (
            "gui open and not gui furnace",
            "gui open and not gui furnace",
        ),
        (
            "time 13000..23000 elapsed >= 200",
            "time 13000..23000 elapsed >= 200",
        ),
        ("biome forest | \"the end\"", "biome forest|\"the end\""),
        ("tool pickaxe", "tool pickaxe >= wood"),
        ("failed tool_missing >= 2", "failed TOOL_MISSING >= 2"),
        (
            "(y <= 1 or y <= 2) and (on_ground and underground)",
            "(y <= 1 or y <= 2) and (on_ground and underground)",
        ),
    ] {
        assert_eq!(read(typed).to_string(), written);
        assert_eq!(read(written), read(typed));
    }
}

#[test]
fn faults_name_the_column_and_what_was_expected() {
    refused(
        "inv oak_lgo >= 3",
        "column 5: expected an item (such as oak_log), found `oak_lgo`",
    );
    refused("inv oak_log = 3", "column 13: expected `>=`, found `=`");
    refused(
        "inv oak_log >= three",
        "column 16: expected a whole number, found `three`",
    );
    refused("not (y <= 12", "column 13: expected `)`, found the end");
    refused(
        "y <= 12 underground",
        "column 9: expected `and`, `or` or the end, found `underground`",
    );
    refused(
        "subgoal is dance",
        "column 12: expected mine, craft, smelt, use, combat, move or wait, found `dance`",
    );
    assert!(
        "".parse::<Condition>()
            .unwrap_err()
            .to_string()
            .starts_with("column 1: expected a predicate")
    );
    assert!("not ".repeat(100).parse::<Condition>().is_err());
    assert!("(".repeat(10_000).parse::<Condition>().is_err());
}

#[test]
fn json_reads_the_structure_and_the_text() {
    let text = "subgoal is mine and not tool pickaxe >= stone";
    let structure = serde_json::to_string(&read(text)).unwrap();
    assert_eq!(
        structure,
        r#"{"all":[{"is":{"subgoal_kind":"mine"}},{"not":{"is":{"tool_ge":{"kind":"pickaxe","tier":"stone"}}}}]}"#
    );
    assert_eq!(
        serde_json::from_str::<Condition>(&structure).unwrap(),
        read(text)
    );
    assert_eq!(
        serde_json::from_str::<Condition>(&format!("{text:?}")).unwrap(),
        read(text)
    );
    let mixed = r#"{"all":["y <= 12",{"is":"underground"}]}"#;
    assert_eq!(
        serde_json::from_str::<Condition>(mixed).unwrap(),
        read("y <= 12 and underground")
    );
    let fault = serde_json::from_str::<Condition>(r#""y = 12""#)
        .unwrap_err()
        .to_string();
    assert!(
        fault.contains("column 3: expected `<=`, `<`, `>=` or `>`, found `=`"),
        "{fault}"
    );
}

#[test]
fn conditions_that_mean_the_same_have_one_signature() {
    for (one, other) in [
        ("inv stick < 3", "not inv stick >= 3"),
        ("holding iron_axe", "equipped iron_axe"),
        ("mob_near zombie 8", "near mob zombie 8"),
        ("y >= 13", "not y <= 12"),
        ("gui closed", "not gui open"),
        (
            "biome plains|forest",
            "biome forest or biome minecraft:plains",
        ),
        (
            "not (on_ground and underground)",
            "not underground or not on_ground",
        ),
        ("inv stick >= 3 and inv stick >= 1", "inv stick >= 3"),
        ("on_ground and (on_ground or underground)", "on_ground"),
        ("on_ground or never", "on_ground"),
        ("tool axe >= gold", "tool axe"),
    ] {
        assert_eq!(
            read(one).signature(),
            read(other).signature(),
            "{one} / {other}"
        );
    }
    assert_ne!(
        read("inv stick >= 3").signature(),
        read("inv stick >= 4").signature()
    );
    // Pinned: signatures are stored, and must never change.
    assert_eq!(read("always").signature().to_string(), "f7c4a6dffaf7e544");
}

proptest! {
    #[test]
    fn text_and_json_give_the_condition_back(condition in arbitrary::conditions()) {
        prop_assert_eq!(&read(&condition.to_string()), &condition);
        let json = serde_json::to_string(&condition).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Condition>(&json).unwrap(), &condition);
    }

    #[test]
    fn de_morgan_and_double_negation_hold(
        a in arbitrary::conditions(), b in arbitrary::conditions(), world in arbitrary::worlds()
    ) {
        let now = world.situation();
        let truth = |condition: Condition| condition.truth(&now);
        let (a, b) = (|| a.clone(), || b.clone());
        prop_assert_eq!(truth(a().not().not()), truth(a()));
        prop_assert_eq!(
            truth(Condition::All(vec![a(), b()]).not()),
            truth(Condition::Any(vec![a().not(), b().not()]))
        );
        prop_assert_eq!(truth(Condition::All(vec![a(), b()])), truth(a()).and(truth(b())));
        prop_assert_eq!(truth(a()).and(truth(b())).or(Truth::False), truth(b()).and(truth(a())));
    }

    #[test]
    fn a_known_answer_never_changes_when_more_becomes_known(
        condition in arbitrary::conditions(), some in arbitrary::worlds(), more in arbitrary::worlds()
    ) {
        let before = condition.truth(&some.situation());
        let after = condition.truth(&some.filled_from(&more).situation());
        prop_assert!(before == Truth::Unknown || before == after, "{before:?} became {after:?}");
    }

    #[test]
    fn truth_is_an_algebra(
        a in arbitrary::conditions(), b in arbitrary::conditions(), c in arbitrary::conditions(),
        world in arbitrary::worlds()
    ) {
        let now = world.situation();
        let (a, b, c) = (a.truth(&now), b.truth(&now), c.truth(&now));
        prop_assert_eq!(a.or(b).negated(), a.negated().and(b.negated()));
        prop_assert_eq!(a.and(b.or(c)), a.and(b).or(a.and(c)));
        prop_assert_eq!(a.or(b.and(c)), a.or(b).and(a.or(c)));
        prop_assert_eq!((a.and(a.or(b)), a.or(a.and(b))), (a, a));
        prop_assert_eq!((a.and(b).and(c), a.or(b).or(c)), (a.and(b.and(c)), a.or(b.or(c))));
        // Not of two values: where it is unknown, so is its contrary.
        prop_assert_eq!(a.or(a.negated()) == Truth::True, a != Truth::Unknown);
    }

    #[test]
    fn the_normal_form_means_the_same(condition in arbitrary::conditions(), world in arbitrary::worlds()) {
        let now = world.situation();
        prop_assert_eq!(condition.normalised().truth(&now), condition.truth(&now));
        prop_assert_eq!(condition.normalised().normalised(), condition.normalised());
    }

    #[test]
    fn order_grouping_and_repetition_do_not_change_the_signature(
        a in arbitrary::conditions(), b in arbitrary::conditions(), c in arbitrary::conditions()
    ) {
        let (a, b, c) = (|| a.clone(), || b.clone(), || c.clone());
        let plain = Condition::All(vec![a(), b(), c()]).signature();
        let grouped = Condition::All(vec![c(), Condition::All(vec![b(), a()]), b()]).signature();
        prop_assert_eq!(plain, grouped);
        let doubled = Condition::Any(vec![a(), b(), c()]).not().not().signature();
        prop_assert_eq!(doubled, Condition::Any(vec![Condition::Any(vec![c(), b()]), a()]).signature());
    }
}
