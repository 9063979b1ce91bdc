//! Files that people write in TOML: settings, keys, gates, themes, chosen by the first byte.

use super::{choice, text};
use pithead_console::input::keymap::Keymap;
use pithead_console::theme::Theme;
use pithead_engine::config::file::parse_settings;
use pithead_engine::runtime::operator::rules::{parse_rules, rules_text};

pub(crate) fn check(data: &[u8]) {
    let (n, rest) = choice(data);
    let given = text(rest);
    match n % 4 {
        0 => drop(parse_settings(given)),
        1 => drop(Keymap::parse(given)),
        2 => drop(Theme::parse(given)),
        _ => {
            if let Ok(gates) = parse_rules(given) {
                let written = rules_text(gates.clone()).expect("rules can be written");
                assert_eq!(parse_rules(&written), Ok(gates), "{written}");
            }
        }
    }
}
