//! The lines between an attached console and the process that drives the run, both ways.

use super::{check_json, choice, text};
use pithead_core::text::clean::without_hidden;
use pithead_engine::runtime::attach::lines::{GuestLine, HostLine, parse_hello};

pub(crate) fn check(data: &[u8]) {
    let (n, rest) = choice(data);
    let line = text(rest);
    match n % 3 {
        0 => {
            if let Ok(hello) = parse_hello(line) {
                let name = hello.operator;
                assert_eq!(without_hidden(&name), name);
                assert!(!name.contains(char::is_control), "{name:?}");
            }
        }
        1 => {
            if let Ok(GuestLine::Command(command)) = serde_json::from_str::<GuestLine>(line) {
                check_json(&command);
            }
        }
        _ => {
            if let Ok(told) = serde_json::from_str::<HostLine>(line) {
                check_json(&told);
            }
        }
    }
}
