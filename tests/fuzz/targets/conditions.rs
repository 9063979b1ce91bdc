//! The condition language: text, JSON, and the normal form behind a signature.

use super::{check_json, text};
use pithead_core::domain::condition::Condition;

pub(crate) fn check(data: &[u8]) {
    let given = text(data);
    match given.parse::<Condition>() {
        Ok(condition) => check_condition(&condition),
        Err(fault) => assert!(!fault.to_string().is_empty()),
    }
    if let Ok(condition) = serde_json::from_str::<Condition>(given) {
        check_condition(&condition);
    }
}

fn check_condition(condition: &Condition) {
    check_json(condition);
    let words = condition.to_string();
    let again: Condition = words.parse().expect("what was written can be read");
    assert_eq!(*condition, again, "{words}");
    let normal = condition.normalised();
    assert_eq!(normal.normalised(), normal, "{words}");
    assert_eq!(normal.signature(), condition.signature(), "{words}");
}
