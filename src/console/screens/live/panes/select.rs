//! The select pane: the steps that could be next, what is predicted of each, and what it came to (DEPS).

use crate::screens::live::panes::pane::{Pane, open_selected, page_rows};
use crate::screens::live::state::{LiveState, RunPage};
use crate::shell::Shell;
use crate::theme::Role;
use crate::view::View;
use crate::widgets::gauge::{Prediction, prediction_bar};
use crate::widgets::pane::{PaneContent, Room, items_around};
use crate::widgets::rich::Rich;
use crate::widgets::scroll::{Motion, moved};
use pithead_core::domain::horizon::ENDS;
use pithead_core::text::numbers::format_count;
use pithead_engine::runtime::system_record::{Candidate, SelectRecord, Selection};
use pithead_world::ids::SubgoalId;

/// What it shows, and what keys do in it.
pub(crate) const PANE: Pane = Pane {
    show,
    move_selection,
    open,
};

/// Lines of one candidate.
const LINES: usize = 2;
/// Columns of the numbers behind a bar.
const NUMBERS: usize = 22;

pub fn show(view: &View, ui: &LiveState, room: Room) -> PaneContent {
    let Some(record) = &view.system.select else {
        return PaneContent::default();
    };
    let title = rounds(record);
    let Some(last) = record.selections.last() else {
        let lines = vec![Rich::text(Role::Faint, "nothing was predicted yet")];
        return PaneContent {
            title,
            lines,
            ..PaneContent::default()
        };
    };
    let row = candidate_row(last, ui);
    PaneContent {
        title,
        ..items_around(&last.candidates, row, room, |one| {
            lines(one, last, room.width)
        })
    }
}

/// `round 2 of 5`
fn rounds(record: &SelectRecord) -> String {
    let round = u64::from(record.round) + 1;
    let of = u64::from(record.rounds_max) + 1;
    format!("round {} of {}", format_count(round), format_count(of))
}

/// A candidate: its name and probability, then its horizon on an axis that all share.
pub(crate) fn lines(one: &Candidate, selection: &Selection, width: usize) -> [Rich; LINES] {
    let is_selected = one.subgoal == selection.selected;
    let (role, sign) = match (is_selected, selection.success) {
        (true, Some(true)) => (Role::Good, "✔ "),
        (true, Some(false)) => (Role::Bad, "✗ "),
        (true, None) => (Role::Running, "▶ "),
        (false, _) => (Role::Faint, "· "),
    };
    let probability = format!("{:.0} %", one.probability * 100.0);
    let name = Rich::text(role, sign)
        .and(Role::Faint, format!("{} ", one.subgoal))
        .and(Role::Text, &one.step)
        .with_right(Rich::text(Role::Strong, probability), width);
    let actual = selection.ticks.filter(|_| is_selected);
    let ends = selection.candidates.iter().map(|c| c.late.max(c.ticks));
    let end = ends.map(u64::from).max();
    let end = end.unwrap_or(1).max(actual.unwrap_or(0));
    let prediction = Prediction {
        early: one.early.into(),
        expected: one.ticks.into(),
        late: one.late.into(),
        actual,
    };
    let room = width.saturating_sub(NUMBERS + 3);
    let bar = Rich::text(Role::Text, "  ").with_rest(&prediction_bar(prediction, end, room));
    let expected = format_count(one.ticks.into());
    let numbers = match actual {
        Some(ticks) => Rich::text(Role::Notice, format!("took {} ", format_count(ticks)))
            .and(Role::Faint, format!("of {expected}")),
        None => Rich::text(Role::Text, format!("{expected} ")).and(Role::Faint, range(one)),
    };
    [name, bar.with_right(numbers, width)]
}

/// When one and nine of ten such steps are done. The predictor sees no further than its last span.
fn range(one: &Candidate) -> String {
    let early = format_count(one.early.into());
    match Some(&one.late) == ENDS.last() && one.ticks > one.late {
        true => format!("from {early} on"),
        false => format!("{early}–{}", format_count(one.late.into())),
    }
}

fn candidate_row(selection: &Selection, ui: &LiveState) -> usize {
    let place = |id: SubgoalId| selection.candidates.iter().position(|c| c.subgoal == id);
    ui.candidate
        .and_then(place)
        .or_else(|| place(selection.selected))
        .unwrap_or(0)
}

/// The step that is selected among those that could be next.
pub(crate) fn candidate(view: &View, ui: &LiveState) -> Option<SubgoalId> {
    let last = view.system.select.as_ref()?.selections.last()?;
    let candidate = last.candidates.get(candidate_row(last, ui))?;
    Some(candidate.subgoal)
}

fn move_selection(shell: &mut Shell, view: &View, motion: Motion) {
    let page = page_rows(shell);
    let record = view.system.select.as_ref();
    if let Some(last) = record.and_then(|record| record.selections.last()) {
        let row = candidate_row(last, &shell.live);
        let to = moved(row, last.candidates.len(), page, motion);
        shell.live.candidate = last.candidates.get(to).map(|one| one.subgoal);
    }
}

fn open(shell: &mut Shell, view: &View) {
    let record = view.system.select.as_ref();
    let has_any = record.is_some_and(|record| !record.selections.is_empty());
    open_selected(shell, has_any.then_some(RunPage::Selections));
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_world::ids::Seq;

    #[test]
    fn what_is_expected_beyond_the_last_span_has_no_late_end() {
        let candidate = |ticks| Candidate {
            subgoal: SubgoalId(2),
            step: "attack white_wool ×3".to_owned(),
            ticks,
            early: 2560,
            late: 7240,
            probability: 0.0,
        };
        assert_eq!(range(&candidate(5_000)), "2,560–7,240");
        assert_eq!(range(&candidate(13_926)), "from 2,560 on");
        let selection = Selection {
            event: Seq(1),
            selected: SubgoalId(2),
            candidates: vec![candidate(13_926)],
            ticks: None,
            success: None,
        };
        let [_, bar] = lines(&selection.candidates[0], &selection, 60);
        let bar = bar.plain();
        assert!(bar.find('┤') < bar.find('●'), "{bar}");
    }
}
