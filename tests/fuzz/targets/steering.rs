//! What operators type: commands to a run, acts, breakpoints, values to watch, policies of gates.

use super::{check_json, text};
use pithead_core::domain::run::breakpoint::{BreakOn, Breakpoint};
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::decision::Policy;
use pithead_core::domain::run::steering::parse_steering;
use pithead_core::domain::run::take_over::{complete, parse_operator_action};
use pithead_engine::runtime::Pace;
use pithead_engine::runtime::run_search::WatchedValue;
use std::fmt::{Debug, Display};
use std::str::FromStr;

pub(crate) fn check(data: &[u8]) {
    let words = text(data);
    if let Ok(command) = parse_steering(words) {
        check_json(&command);
        if let Command::Steer { how } = command {
            let again = parse_steering(&how.to_string());
            assert_eq!(again, Ok(Command::Steer { how }));
        }
    }
    let _ = parse_operator_action(words);
    let _ = complete(words);
    if let Ok(on) = words.parse::<BreakOn>() {
        check_json(&Breakpoint::new(on));
    }
    check_text::<BreakOn>(words);
    check_text::<Policy>(words);
    check_text::<Pace>(words);
    check_text::<WatchedValue>(words);
}

/// What was written is read back as it was.
fn check_text<T: FromStr + Display + PartialEq + Debug>(words: &str)
where
    T::Err: Debug,
{
    if let Ok(value) = words.parse::<T>() {
        let written = value.to_string();
        let again: T = written.parse().expect("what was written can be read");
        assert_eq!(value, again, "{written}");
    }
}
