//! Agent skills: the text of a `SKILL.md`.

use super::knowledge::{check_drafts, entries, source};
use super::text;
use pithead_core::knowledge::exchange::{ExchangeFormat, agent_skill, read_source};

/// The name that a skill must have: that of its folder.
const FOLDER: &str = "a";

pub(crate) fn check(data: &[u8]) {
    let read = |folder: &str, text: &str| {
        read_source(
            ExchangeFormat::AgentSkill,
            &source("x/SKILL.md", folder, text),
        )
    };
    let Ok(drafts) = read(FOLDER, text(data)) else {
        return;
    };
    for entry in entries(drafts.clone()) {
        let folder = agent_skill::write(&entry).expect("entries can be written");
        let again = read(&folder.name, &folder.text).expect("an export can be read");
        assert_eq!(again[0].body, entry.body, "{}", folder.text);
    }
    check_drafts(drafts);
}
