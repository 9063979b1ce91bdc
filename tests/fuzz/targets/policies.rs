//! Policy files (TOML), and policies as they are stored with a run.

use super::{check_json, text};
use pithead_core::domain::run::rulebook::{Rulebook, parse_rulebook};

pub(crate) fn check(data: &[u8]) {
    let given = text(data);
    match parse_rulebook(given) {
        Ok(rulebook) => check_rulebook(&rulebook),
        Err(fault) => assert!(!fault.to_string().is_empty()),
    }
    if let Ok(rulebook) = serde_json::from_str::<Rulebook>(given) {
        check_rulebook(&rulebook);
    }
}

fn check_rulebook(rulebook: &Rulebook) {
    check_json(rulebook);
    for rule in &rulebook.rules {
        assert!(!rule.to_string().is_empty());
    }
}
