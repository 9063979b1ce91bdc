//! Frames of the attempt in sight: which one is looked at, and how another comes in sight.

use crate::cache::Cache;
use crate::context::Context;
use crate::screen::Screen;
use crate::screens::debug::inspection::{at, chosen, inspection};
use crate::screens::debug::state::{DebugState, Stand};
use crate::shell::Shell;
use crate::widgets::table::ListItem;
use pithead_engine::runtime::attempts::AttemptRow;
use pithead_engine::runtime::case_file::CaseFile;
use pithead_world::ids::{AttemptId, Seq};

/// Selects an attempt in the list.
pub fn choose(shell: &mut Shell, cache: &Cache, id: AttemptId) {
    let list = shell.lists.entry(Screen::Debug).or_default();
    let item = ListItem::Attempt(id);
    let hidden = cache
        .table(Screen::Debug)
        .is_some_and(|table| !list.order.iter().any(|at| table.rows[*at].item == item));
    list.selected = Some(item);
    if let (true, Some(table)) = (hidden, cache.table(Screen::Debug)) {
        // What was looked for must be seen: the filter goes.
        list.filter.clear();
        let _ = list.settle(table);
    }
}

/// The attempts of a run are in sight for the first time: of a run with failures one comes for the last of them.
pub(crate) fn enter(shell: &mut Shell, cache: &Cache) {
    let index = &cache.debug.index;
    if index.attempts.is_empty() || shell.debug.entered == index.run {
        return;
    }
    shell.debug.entered = index.run;
    if std::mem::take(&mut shell.debug.is_aimed) {
        return;
    }
    let mut newest_first = index.attempts.iter().rev();
    let is_failure = |row: &&AttemptRow| row.success == Some(false) && row.no_failure.is_none();
    if let Some(failure) = newest_first.find(is_failure) {
        choose(shell, cache, failure.id);
    }
}

/// Puts a frame of the attempt in sight.
pub fn stand_at(ui: &mut DebugState, case: &CaseFile, at: usize) {
    let last = case.samples.len().saturating_sub(1);
    let first = case.samples.first().map_or(0, |sample| sample.tick);
    let at = at.min(last);
    let tick = case.samples.get(at).map(|sample| sample.tick);
    ui.stand = tick.map(|tick| Stand {
        ticks: tick - first,
        nth: at - case.at_tick(tick - first),
    });
}

/// The event and the tick in sight.
#[must_use]
pub fn moment(context: &Context<'_>) -> Option<(Seq, u64)> {
    if context.shell.screen != Screen::Debug {
        return Some((context.view.seq, context.view.tick));
    }
    let inspection = inspection(context.shell, context.cache)?;
    let tick = inspection.case.samples.get(inspection.at)?.tick;
    Some((inspection.case.seq_at(inspection.at), tick))
}

/// The chosen attempt; says so if it has not been read yet.
pub(crate) fn case<'a>(context: &mut Context<'a>) -> Option<&'a CaseFile> {
    let case = context.cache.debug.case.as_deref();
    let case = case.filter(|case| chosen(context.shell, context.cache) == Some(case.row.id));
    if case.is_none() {
        context.shell.refuse("the attempt has not been read yet");
    }
    case
}

/// The share of the attempt that lies before the frame in sight, and the numbers of both.
#[must_use]
pub fn position(ui: &DebugState, case: &CaseFile) -> (usize, usize) {
    (at(ui, case) + 1, case.samples.len())
}
