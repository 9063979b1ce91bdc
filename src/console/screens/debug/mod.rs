//! Debug: one attempt in full, what the operator has chosen of it, and where that is shown.
//!
//! The evidence is read by a thread of its own (`loader`); drawing and keys work on what it has brought.
//! Invariant: nothing here changes a run; what is to be changed is asked for as an effect.

pub mod bench;
pub mod breaks;
pub mod charts;
pub mod compare;
pub(crate) mod draw;
pub mod forking;
pub mod knobs;
pub mod loader;
pub mod mind;
pub mod observed;
pub mod place;
pub mod sheet;
pub mod strips;
pub mod tree;
pub mod update;

use crate::cache::Cache;
use crate::screen::Screen;
use crate::shell::Shell;
use crate::view::View;
use crate::widgets::rich::Rich;
use crate::widgets::table::ListItem;
use pithead_core::diagnosis::series::{Series, series};
use pithead_core::diagnosis::whatif::Rejudgement;
use pithead_core::domain::condition::Condition;
use pithead_core::domain::experience::diagnosis::Diagnosis;
use pithead_core::domain::experience::thresholds::Thresholds;
use pithead_core::domain::run::breakpoint::Breakpoint;
use pithead_engine::runtime::case_file::CaseFile;
use pithead_engine::runtime::run_search::WatchedValue;
use pithead_world::ids::{AttemptId, RunId, Seq};
use std::sync::Arc;

/// A part of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DebugPart {
    #[default]
    Attempts,
    Observed,
    Checks,
    Charts,
    Trace,
    Knobs,
    Mind,
}

impl DebugPart {
    pub const ALL: [Self; 7] = [
        Self::Attempts,
        Self::Observed,
        Self::Checks,
        Self::Charts,
        Self::Trace,
        Self::Knobs,
        Self::Mind,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Attempts => "Attempts",
            Self::Observed => "Observables",
            Self::Checks => "Checks",
            Self::Charts => "Indicators",
            Self::Trace => "Diagnosis",
            Self::Knobs => "Thresholds",
            Self::Mind => "Mind",
        }
    }
}

/// What the operator has chosen.
#[derive(Debug, Clone, Default)]
pub struct DebugUi {
    pub part: DebugPart,
    /// What stands in the place that parts share.
    pub shared: DebugPart,
    pub zoom: bool,
    /// The frame in sight; none is the attempt's end. Kept when another attempt is chosen, so that two
    /// are looked at at the same time.
    pub stand: Option<Stand>,
    /// Thresholds as they were moved, and what is different with them.
    pub moved: Option<Thresholds>,
    pub change: Option<Arc<Rejudgement>>,
    pub series: Option<Arc<Vec<Series>>>,
    /// The attempt that those two are about.
    judged: Option<(AttemptId, Option<Seq>)>,
    pub knob: usize,
    pub chart: usize,
    pub step: usize,
    pub ask: usize,
    pub scroll: usize,
    /// Two attempts beside each other.
    pub side: bool,
    pub search: Option<RunSearch>,
    /// The question whose text is wanted.
    pub asked: Option<Seq>,
    /// Where the playing of a recording stops.
    pub breaks: Vec<Breakpoint>,
}

/// A frame, by its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stand {
    /// From the attempt's beginning.
    pub ticks: u64,
    /// Among the frames of that tick.
    pub nth: usize,
}

/// What is looked for over the run.
#[derive(Debug, Clone, PartialEq)]
pub enum RunSearch {
    /// Where a condition becomes true, from there on.
    Becomes { condition: Condition, after: Seq },
    /// What changed a value last, up to and with this event.
    Wrote { value: WatchedValue, until: Seq },
}

/// What is to be read for the screen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wants {
    pub run: Option<RunId>,
    pub attempt: Option<AttemptId>,
    pub other: Option<AttemptId>,
    pub asked: Option<Seq>,
    pub search: Option<RunSearch>,
}

/// The chosen attempt with all that is said about it.
#[derive(Debug, Clone, Copy)]
pub struct Inspection<'a> {
    pub ui: &'a DebugUi,
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
    marked.next().or_else(|| cache.bench.index.twin(own))
}

/// What is to be read now.
#[must_use]
pub fn wants(shell: &Shell, cache: &Cache, view: &View) -> Wants {
    let ui = &shell.debug;
    Wants {
        run: view.head.as_ref().map(|head| head.run),
        attempt: chosen(shell, cache),
        other: beside(shell, cache).filter(|_| ui.side),
        asked: ui.asked,
        search: ui.search.clone(),
    }
}

/// The chosen attempt, if it has been read.
#[must_use]
pub fn inspection<'a>(shell: &'a Shell, cache: &'a Cache) -> Option<Inspection<'a>> {
    let case = cache.bench.case.as_deref()?;
    if chosen(shell, cache) != Some(case.row.id) {
        return None;
    }
    let ui = &shell.debug;
    let change = ui.change.as_deref();
    Some(Inspection {
        ui,
        case,
        other: cache
            .bench
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
pub fn at(ui: &DebugUi, case: &CaseFile) -> usize {
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
    let case = cache.bench.case.as_deref();
    let now = case.map(|case| (case.row.id, case.seqs.last().copied()));
    if now == ui.judged {
        return;
    }
    judge_anew(ui, case);
}

/// Judges with the thresholds as they are moved.
pub fn judge_anew(ui: &mut DebugUi, case: Option<&CaseFile>) {
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
    pub fn of(lines: Vec<Rich>) -> Self {
        Self {
            lines,
            ..Self::default()
        }
    }
}

/// A part in so many columns.
#[must_use]
pub fn said(
    part: DebugPart,
    inspection: &Inspection<'_>,
    cache: &Cache,
    width: usize,
) -> PartContent {
    match part {
        DebugPart::Attempts => PartContent::default(),
        DebugPart::Observed => observed::said(inspection, width),
        DebugPart::Checks => strips::said(inspection, width),
        DebugPart::Charts => charts::said(inspection, width),
        DebugPart::Trace => tree::said(inspection, width),
        DebugPart::Knobs => knobs::said(inspection, width),
        DebugPart::Mind => mind::said(inspection, cache, width),
    }
}

#[cfg(test)]
mod tests;
