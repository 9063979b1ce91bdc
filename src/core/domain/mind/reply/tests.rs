//! Replies: repairs by name, faults by place. The corpus is with the reader of plans.

use super::*;
use proptest::prelude::*;

#[track_caller]
fn check(text: &str, value: &str, repairs: &[&str]) {
    let reply = read_reply(text, LESSON).unwrap();
    assert_eq!(reply.value.to_string(), value);
    assert_eq!(reply.repairs.descriptions(), repairs);
}

#[test]
fn a_sound_object_is_taken_as_it_is() {
    let text = r#"{"root_cause":"a – \"b\" \\ \u00fc","n":[1,-2.5,1e3,true,null]}"#;
    check(
        text,
        r#"{"root_cause":"a – \"b\" \\ ü","n":[1,-2.5,1000.0,true,null]}"#,
        &[],
    );
}

#[test]
fn every_repair_is_told_with_how_often() {
    check(
        "<think>hm</think> Here: {root_cause: 'x', // why\n \"n\": [1, 2,], \"m\": [3, 4,]}",
        r#"{"root_cause":"x","n":[1,2],"m":[3,4]}"#,
        &[
            "a comment left out",
            "a key without quotes",
            "a trailing comma left out (2 times)",
            "other quotes read as double quotes",
            "reasoning before the answer left out",
            "text around the object left out",
        ],
    );
}

#[test]
fn faults_name_line_and_column() {
    let told = |text: &str| read_reply(text, LESSON).unwrap_err().to_string();
    assert_eq!(
        told("{\n \"root_cause\": NaN}"),
        "line 2 column 16: `NaN` is no value; texts stand in double quotes"
    );
    assert_eq!(
        told("{\"root_cause\": \"x"),
        "line 1 column 18: the answer stops in the middle of a text"
    );
    assert_eq!(
        told("No."),
        "the answer holds no JSON object, it begins with `No.`; answer with one JSON object"
    );
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC*") {
        let _ = read_reply(&text, PLAN);
    }

    #[test]
    fn no_soup_of_signs_makes_it_panic(text in "[\\[\\]{}:,\"'`/*#<>thinkjson0-9 \\n.+-]{0,200}") {
        let _ = read_reply(&text, PLAN);
        let _ = read_reply(&format!("{{\"subgoals\":{text}"), PLAN);
    }
}
