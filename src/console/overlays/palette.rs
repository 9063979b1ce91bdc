//! The palette: every command that works here, found by a few letters of its name or its help.

use crate::input::keymap::Keymap;
use crate::input::keys::{Binding, Scope};
use crate::msg::Msg;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// Commands that fit what is typed, the best first; all of them in their order if nothing is.
#[must_use]
pub fn find_commands(keymap: &Keymap, scopes: &[Scope], text: &str) -> Vec<&'static Binding> {
    let rows = keymap.rows(scopes).map(|(row, _)| row);
    // Moving about is what keys are for; nobody looks for it by name.
    let rows = rows.filter(|row| !matches!(row.msg, Msg::Move(_) | Msg::Palette));
    if text.trim().is_empty() {
        return rows.collect();
    }
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::parse(text, CaseMatching::Ignore, Normalization::Smart);
    let mut buffer = Vec::new();
    let mut scored: Vec<(u32, &'static Binding)> = rows
        .filter_map(|row| {
            let words = format!("{} {}", row.name, row.help);
            let haystack = Utf32Str::new(&words, &mut buffer);
            Some((pattern.score(haystack, &mut matcher)?, row))
        })
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, row)| row).collect()
}
