//! Rules over steps and entries: first fit, what is not clear, and faults by line and field.

use super::*;
use crate::domain::samples::{entry, frame, subgoal};
use pithead_world::space::Point;

const FILE: &str = r#"
unclear = "ask:30:veto"
harmful = "retire"

[[rule]]
name = "few diamonds"
action = "mine diamond*"
count = "< 3"
then = "approve"

[[rule]]
action = ["mine diamond*", "craft diamond_*"]
then = "ask"
because = "the last went into a hoe"

[[rule]]
kind = ["mine", "craft"]
y = "< 16"
then = "veto"

[[rule]]
entry = "guardrail"
failure = "TOOL_MISSING"
confidence = ">= 0.5"
then = "approve"

[[rule]]
entry = "*"
then = "ask:60:approve"
"#;

fn step(verb: Executor, item: &str, count: u32) -> Subgoal {
    let mut step = subgoal(1, "iron_ore");
    (step.executor_hint, step.task_kind) = (verb, verb.kind());
    step.goal.object = Some(item.parse().unwrap());
    step.goal.count = count;
    step
}

fn told(book: &Rulebook, step: &Subgoal, y: f64) -> Option<(usize, String, bool)> {
    let mut seen = frame(0, 0);
    seen.position = Point { y, ..seen.position };
    let judged = book.on_action(step, &Situation::of(&seen))?;
    Some((judged.rule, judged.then.to_string(), judged.is_clear))
}

#[test]
fn the_first_rule_that_fits_decides() {
    let book = parse_rulebook(FILE).unwrap();
    let ruled = |rule, then: &str| Some((rule, then.to_owned(), true));
    let mine = |count| step(Executor::Mine, "diamond", count);
    assert_eq!(told(&book, &mine(2), 12.0), ruled(1, "approve"));
    assert_eq!(told(&book, &mine(3), 12.0), ruled(2, "ask"));
    let craft = step(Executor::Craft, "diamond_hoe", 1);
    assert_eq!(told(&book, &craft, 70.0), ruled(2, "ask"));
    let coal = step(Executor::Mine, "coal", 1);
    assert_eq!(told(&book, &coal, 15.9), ruled(3, "veto"));
    assert_eq!(told(&book, &coal, 16.0), None, "the gates decide");
    let smelt = step(Executor::Smelt, "iron_ingot", 1);
    assert_eq!(told(&book, &smelt, 3.0), None, "another kind");
}

#[test]
fn a_step_that_goes_to_a_height_is_judged_by_it() {
    let book =
        parse_rulebook("[[rule]]\naction = \"dig_down\"\ny = \"<= 12\"\nthen = \"ask\"").unwrap();
    let mut dig = step(Executor::DigDown, "iron_ore", 1);
    dig.goal.amount = Some(12);
    assert_eq!(told(&book, &dig, 70.0).unwrap().0, 1);
    dig.goal.amount = Some(40);
    assert_eq!(told(&book, &dig, 5.0), None);
}

#[test]
fn an_unclear_match_is_never_approved() {
    let text =
        "unclear = \"ask:30:veto\"\n[[rule]]\naction = \"craft oak_planks\"\nthen = \"approve\"";
    let book = parse_rulebook(text).unwrap();
    let any = step(Executor::Craft, "#planks", 1);
    assert_eq!(
        told(&book, &any, 70.0),
        Some((1, "ask:30:veto".to_owned(), false)),
        "any planks may be oak planks or others"
    );
    let low = parse_rulebook("[[rule]]\ny = \"< 16\"\nthen = \"approve\"").unwrap();
    let judged = low.on_action(&any, &Situation::default()).unwrap();
    assert_eq!(
        (judged.then, judged.is_clear),
        (PolicyRuling::Ask(Policy::Ask), false)
    );
    assert!(judged.words.contains("unclear"), "{}", judged.words);
}

#[test]
fn entries_are_judged_by_kind_failure_title_and_confidence() {
    let book = parse_rulebook(FILE).unwrap();
    let mut guardrail = entry(1, 1, "iron_ingot");
    let rule = |entry: &Entry| book.on_entry(entry).unwrap().rule;
    let Body::Guardrail(body) = &mut guardrail.body else {
        panic!("the sample is a guardrail")
    };
    body.reason = FailureReason::ToolMissing;
    guardrail.confidence = 0.5;
    assert_eq!(rule(&guardrail), 4);
    guardrail.confidence = 0.4;
    assert_eq!(rule(&guardrail), 5);
    let titled =
        parse_rulebook("[[rule]]\nentry = \"*\"\ntitle = \"*lava*\"\nthen = \"veto\"").unwrap();
    assert_eq!(titled.on_entry(&guardrail), None);
    guardrail.title = "keep off Lava".to_owned();
    assert_eq!(
        titled.on_entry(&guardrail).unwrap().then,
        PolicyRuling::Veto
    );
}

#[test]
fn a_book_is_read_back_as_it_was_stored() {
    let book = parse_rulebook(FILE).unwrap();
    let json = serde_json::to_string(&book).unwrap();
    assert_eq!(
        serde_json::from_str::<Rulebook>(&json).unwrap(),
        book,
        "{json}"
    );
    let shown: Vec<String> = book.rules.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown[..2],
        [
            "few diamonds: action mine diamond*, count < 3",
            "action mine diamond* or craft diamond_* (the last went into a hoe)",
        ]
    );
}

#[test]
fn a_fault_names_line_rule_field_and_what_would_do() {
    let rule = |lines: &str| format!("# mine\n[[rule]]\n{lines}");
    for (text, words) in [
        (String::new(), vec!["no [[rule]]"]),
        (
            rule("action = \"mine *\""),
            vec!["rule 1, field then", "approve, ask or veto"],
        ),
        (
            rule("action = \"mine *\"\nthen = \"allow\""),
            vec!["line 4", "field then", "ask:SECONDS:veto"],
        ),
        (
            rule("then = \"auto\"\naction = \"*\""),
            vec!["line 3", "no outcome"],
        ),
        (
            rule("action = \"mine *\"\ncount = \"many\"\nthen = \"ask\""),
            vec!["line 4", "field count", ">= 8"],
        ),
        (
            rule("action = \"mine diamnd\"\nthen = \"ask\""),
            vec!["line 3", "fits no step", "mine diamond"],
        ),
        (
            rule("action = \"mne *_ore\"\nthen = \"ask\""),
            vec!["line 3", "mine *_ore"],
        ),
        (
            rule("action = \"mine [\"\nthen = \"ask\""),
            vec!["line 3", "field action"],
        ),
        (
            rule("kind = \"dig\"\nthen = \"ask\""),
            vec!["field kind", "mine, craft"],
        ),
        (
            rule("when = \"inv\"\nthen = \"ask\""),
            vec!["line 3", "field when", "column"],
        ),
        (
            rule("entry = \"skill\"\ny = \"< 3\"\nthen = \"ask\""),
            vec!["line 4", "field y", "two rules"],
        ),
        (
            rule("confidence = \"< 0.5\"\nthen = \"ask\""),
            vec!["field confidence", "entry = \"*\""],
        ),
        (
            rule("entry = \"guardrail\"\nfailure = \"LOST\"\nthen = \"ask\""),
            vec!["field failure", "NAV_STUCK"],
        ),
        (
            rule("dimension = \"nether\"\nthen = \"ask\""),
            vec!["line 3", "dimension"],
        ),
        (
            "unclear = \"approve\"\n[[rule]]\naction=\"*\"\nthen=\"ask\"".to_owned(),
            vec!["line 1", "unclear", "never approved"],
        ),
        (rule("then = \"ask\""), vec!["line 2", "name a step"]),
    ] {
        let fault = parse_rulebook(&text).unwrap_err().to_string();
        for word in words {
            assert!(fault.contains(word), "{text}\n  {word}? {fault}");
        }
    }
}

#[test]
fn what_would_wait_for_ever_is_found() {
    let of = |text: &str| parse_rulebook(text).unwrap().waits_for_ever();
    let step = "[[rule]]\naction = \"*\"\nthen = ";
    assert!(of(&format!("{step}\"ask\"")).unwrap().contains("rule 1"));
    assert!(of(&format!("{step}\"veto\"")).unwrap().contains("unclear"));
    assert_eq!(
        of(&format!("unclear = \"veto\"\n{step}\"ask:5:veto\"")),
        None
    );
    assert_eq!(
        of("[[rule]]\nentry = \"*\"\nthen = \"ask\""),
        None,
        "entries block nothing"
    );
}

/// A book that is empty is left out of a run's record, and what it says would be lost when the run is resumed.
#[test]
fn a_book_that_only_says_what_becomes_of_the_harmful_is_kept() {
    let book = parse_rulebook("harmful = \"retire\"").unwrap();
    assert!(!book.is_empty());
    assert!(parse_rulebook("harmful = \"queue\"").unwrap().is_empty());
    let stored = serde_json::to_string(&book).unwrap();
    assert_eq!(serde_json::from_str::<Rulebook>(&stored).unwrap(), book);
}
