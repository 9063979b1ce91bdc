//! The attempt in sight: which one is chosen, which stands beside it, and how it is judged.

use crate::cache::Cache;
use crate::overlay::asked_in_hand;
use crate::screen::Screen;
use crate::screens::debug::state::{DebugState, Stand, Wants};
use crate::shell::Shell;
use crate::view::View;
use crate::widgets::rich::Rich;
use crate::widgets::table::ListItem;
use pithead_core::diagnosis::series::{Series, series};
use pithead_core::domain::experience::diagnosis::Diagnosis;
use pithead_core::domain::experience::thresholds::Thresholds;
use pithead_engine::runtime::case_file::CaseFile;
use pithead_world::ids::AttemptId;
use std::sync::Arc;

/// The chosen attempt with all that is said about it.
#[derive(Debug, Clone, Copy)]
pub struct Inspection<'a> {
    pub ui: &'a DebugState,
    pub case: &'a CaseFile,
    pub other: Option<&'a CaseFile>,
    /// The frame in sight.
    pub at: usize,
    /// As they are moved.
    pub thresholds: &'a Thresholds,
    pub diagnosis: &'a Diagnosis,
    pub series: &'a [Series],
}

/// The attempt that is chosen in the list.
#[must_use]
pub fn chosen(shell: &Shell, cache: &Cache) -> Option<AttemptId> {
    let table = cache.table(Screen::Debug)?;
    match shell.lists.get(&Screen::Debug)?.item(table)? {
        ListItem::Attempt(id) => Some(id),
        _ => None, // the list holds attempts only
    }
}

/// The attempt beside it: the marked one, else the nearest at the same node of the plan.
#[must_use]
pub fn beside(shell: &Shell, cache: &Cache) -> Option<AttemptId> {
    let own = chosen(shell, cache)?;
    let marks = shell.lists.get(&Screen::Debug)?.marks.iter();
    let mut marked = marks.rev().filter_map(|item| match item {
        ListItem::Attempt(id) if *id != own => Some(*id),
        _ => None, // the list holds attempts only
    });
    marked.next().or_else(|| cache.debug.index.twin(own))
}

/// What is to be read now.
#[must_use]
pub fn wants(shell: &Shell, cache: &Cache, view: &View) -> Wants {
    let ui = &shell.debug;
    let is_here = shell.screen == Screen::Debug;
    Wants {
        run: view.head.as_ref().map(|head| head.run),
        attempt: chosen(shell, cache).filter(|_| is_here),
        other: beside(shell, cache).filter(|_| ui.side),
        asked: asked_in_hand(&shell.overlays),
        search: ui.search.clone(),
        relabel: ui.relabel.clone(),
    }
}

/// The chosen attempt, if it has been read.
#[must_use]
pub fn inspection<'a>(shell: &'a Shell, cache: &'a Cache) -> Option<Inspection<'a>> {
    let case = cache.debug.case.as_deref()?;
    if chosen(shell, cache) != Some(case.row.id) {
        return None;
    }
    let ui = &shell.debug;
    let change = ui.change.as_deref();
    Some(Inspection {
        ui,
        case,
        other: cache
            .debug
            .other
            .as_deref()
            .filter(|other| ui.side && beside(shell, cache) == Some(other.row.id)),
        at: at(ui, case),
        thresholds: ui.moved.as_ref().unwrap_or(&case.thresholds),
        diagnosis: change.map_or(&case.diagnosis, |change| &change.after),
        series: ui.series.as_ref().map_or(&case.series, |series| series),
    })
}

/// The frame in sight of an attempt.
#[must_use]
pub fn at(ui: &DebugState, case: &CaseFile) -> usize {
    let last = case.samples.len().saturating_sub(1);
    let Some(Stand { ticks, nth }) = ui.stand else {
        return last;
    };
    let first = case.at_tick(ticks);
    let tick = |at: usize| case.samples.get(at).map(|sample| sample.tick);
    let mut same = (first..=first.saturating_add(nth)).rev();
    same.find(|at| tick(*at) == tick(first))
        .map_or(last, |at| at.min(last))
}

/// Another attempt has come, or the thresholds were moved: it is judged with them.
pub fn judge(shell: &mut Shell, cache: &Cache) {
    let ui = &mut shell.debug;
    let case = cache.debug.case.as_deref();
    let now = case.map(|case| (case.row.id, case.seqs.last().copied()));
    if now == ui.judged {
        return;
    }
    judge_anew(ui, case);
}

/// Judges with the thresholds as they are moved.
pub fn judge_anew(ui: &mut DebugState, case: Option<&CaseFile>) {
    (ui.change, ui.series) = (None, None);
    ui.judged = case.map(|case| (case.row.id, case.seqs.last().copied()));
    if let (Some(case), Some(moved)) = (case, &ui.moved) {
        let change = case.as_case().compare(&case.thresholds, moved);
        ui.change = Some(Arc::new(change));
        if moved.window_ticks != case.thresholds.window_ticks {
            ui.series = Some(Arc::new(series(&case.attempt, moved.window_ticks)));
        }
    }
}

/// What a part shows: its lines, the selected one, and what stands beside its name.
#[derive(Debug, Clone, Default)]
pub struct PartContent {
    pub title: String,
    pub lines: Vec<Rich>,
    pub selected: Option<usize>,
}

impl PartContent {
    #[must_use]
    pub fn from_lines(lines: Vec<Rich>) -> Self {
        Self {
            lines,
            ..Self::default()
        }
    }
}
