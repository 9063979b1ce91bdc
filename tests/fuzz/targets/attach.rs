//! The lines between an attached console and the process that drives the run, both ways.

use super::{check_json, choice, text};
use pithead_core::text::clean::without_hidden;
use pithead_engine::runtime::attach::lines::{Reply, SentCommand, parse_hello};

pub(crate) fn check(data: &[u8]) {
    let (n, rest) = choice(data);
    let line = text(rest);
    match n % 3 {
        0 => {
            if let Ok(name) = parse_hello(line) {
                assert_eq!(without_hidden(&name), name);
                assert!(!name.contains(char::is_control), "{name:?}");
            }
        }
        1 => {
            if let Ok(sent) = serde_json::from_str::<SentCommand>(line) {
                check_json(&sent.command);
            }
        }
        _ => {
            if let Ok(reply) = serde_json::from_str::<Reply>(line) {
                check_json(&reply);
            }
        }
    }
}
