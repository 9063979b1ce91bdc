//! The palette: every command that works here, the runs and entries that one can jump to, and the themes.
//!
//! What fits a few letters of its name or its help is offered, first what would do something now, and of that what
//! the operator uses most.

use crate::available::fits_screen;
use crate::context::Scene;
use crate::input::keys::Binding;
use crate::input::scopes::screen_scopes;
use crate::msg::Msg;
use crate::theme;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use pithead_core::text::clean::clean_line;
use pithead_world::ids::{KnowledgeId, RunId};
use std::cmp::Reverse;

/// Uses of a command that count; more of them say nothing new.
const USES_MAX: u32 = 8;
/// What one use is worth beside how well the letters fit.
const USE_WEIGHT: u32 = 8;

/// What the palette offers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PaletteOffer {
    Command(&'static Binding),
    Run(RunId),
    Entry(KnowledgeId),
    Theme(&'static str),
}

/// What fits the text: places first, then commands; all commands of the place if nothing is typed.
#[must_use]
pub(crate) fn find_offers(scene: &Scene<'_>, text: &str) -> Vec<PaletteOffer> {
    let mut offers = jumps(scene, text);
    offers.extend(
        find_commands(scene, text)
            .into_iter()
            .map(PaletteOffer::Command),
    );
    offers
}

/// `14`, `run 14`, `k1.1`, `theme light`, `light`. A run is offered by its whole number, never by a part of it.
fn jumps(scene: &Scene<'_>, text: &str) -> Vec<PaletteOffer> {
    let text = text.trim();
    let (word, rest) = text.split_once(' ').unwrap_or(("", text));
    let mut out = Vec::new();
    if matches!(word, "" | "run")
        && let Ok(id) = rest.parse()
    {
        let is_known = scene.cache.runs.is_empty() || scene.cache.run(RunId(id)).is_some();
        out.extend(is_known.then_some(PaletteOffer::Run(RunId(id))));
    }
    if rest.starts_with('k')
        && let Ok(id) = rest.parse()
        && scene.cache.entry(id).is_some()
    {
        out.push(PaletteOffer::Entry(id));
    }
    let names = theme::names().into_iter();
    let themes = names.filter(|name| is_theme_meant(name, text));
    out.extend(themes.map(PaletteOffer::Theme));
    out
}

/// `theme` means all of them, `theme li` and `lig` the light one; two letters alone are those of a command.
fn is_theme_meant(name: &str, text: &str) -> bool {
    match text.strip_prefix("theme") {
        Some(wanted) => name.contains(wanted.trim()),
        None => text.len() > 2 && name.starts_with(text),
    }
}

fn find_commands(scene: &Scene<'_>, text: &str) -> Vec<&'static Binding> {
    let shell = scene.shell;
    let scopes = screen_scopes(shell);
    let rows = shell.keymap.rows(&scopes).map(|(row, _)| row);
    // Moving about is what keys are for; nobody looks for it by name.
    let rows = rows.filter(|row| !matches!(row.msg, Msg::Move(_) | Msg::Palette));
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::parse(text.trim(), CaseMatching::Ignore, Normalization::Smart);
    let mut buffer = Vec::new();
    let mut scored: Vec<(bool, u32, &'static Binding)> = rows
        .filter_map(|row| {
            let words = format!("{} {}", row.name, row.help);
            let haystack = Utf32Str::new(&words, &mut buffer);
            let fits = pattern.score(haystack, &mut matcher)?;
            let uses = shell.uses.get(row.name).copied().unwrap_or(0);
            let score = fits + USE_WEIGHT * uses.min(USES_MAX);
            Some((fits_screen(scene, row.msg), score, row))
        })
        .collect();
    // Stable: what is alike keeps the order of the table.
    scored.sort_by_key(|(works, score, _)| (Reverse(*works), Reverse(*score)));
    scored.into_iter().map(|(.., row)| row).collect()
}

impl PaletteOffer {
    /// Its name and what it does.
    #[must_use]
    pub(crate) fn words(self, scene: &Scene<'_>) -> (String, String) {
        match self {
            Self::Command(row) => (row.name.to_owned(), row.help.to_owned()),
            Self::Run(id) => {
                let task = scene.cache.run(id).map(|row| row.task.clone());
                let about = task.unwrap_or_else(|| "open it".to_owned());
                (format!("run {id}"), clean_line(&about))
            }
            Self::Entry(id) => {
                let title = scene.cache.entry(id).map(|entry| entry.title.clone());
                (id.to_string(), clean_line(&title.unwrap_or_default()))
            }
            Self::Theme(name) => (format!("theme {name}"), "switch to this theme".to_owned()),
        }
    }
}
