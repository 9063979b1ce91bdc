//! The rules pane: rules that take part, with their three scores and their record (Metagent-P).

use crate::screens::live::panes::pane::{Pane, open_selected, page_rows};
use crate::screens::live::state::{LiveState, RunPage};
use crate::shell::Shell;
use crate::theme::Role;
use crate::view::View;
use crate::widgets::gauge::gauge;
use crate::widgets::pane::{PaneContent, Room, items_around};
use crate::widgets::rich::Rich;
use crate::widgets::scroll::{Motion, moved};
use pithead_core::domain::knowledge::Status;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::runtime::system_record::{RuleLine, RulesRecord};

/// What it shows, and what keys do in it.
pub(crate) const PANE: Pane = Pane {
    show,
    move_selection,
    open,
};

/// Lines of one rule.
const LINES: usize = 4;
/// Columns from which the three scores have their names.
const NAMES_FROM: usize = 46;
/// Columns of the gauge.
const GAUGE: usize = 10;

pub fn show(view: &View, ui: &LiveState, room: Room) -> PaneContent {
    let Some(record) = &view.system.rules else {
        return PaneContent::default();
    };
    let mut title = count_with_noun(record.rules.len(), "rule", "rules");
    if record.right + record.wrong > 0 {
        title += &format!(" · judged {} right, {} wrong", record.right, record.wrong);
    }
    if record.rules.is_empty() {
        let judged = format!(
            "no rule is known; the mind judged {}",
            count_with_noun(
                usize::try_from(record.judged_by_mind).unwrap_or(usize::MAX),
                "step",
                "steps"
            )
        );
        let mut lines = Vec::new();
        crate::widgets::rich::paragraph(&mut lines, Rich::new(), Role::Faint, &judged, room.width);
        return PaneContent {
            title,
            lines,
            ..PaneContent::default()
        };
    }
    let row = rule_row(record, ui);
    PaneContent {
        title,
        ..items_around(&record.rules, row, room, |rule| {
            lines(rule, record.admitted_above, room.width)
        })
    }
}

/// A rule: what it requires, its total against the threshold, its three scores, its record.
fn lines(rule: &RuleLine, admitted_above: f64, width: usize) -> [Rich; LINES] {
    let (role, sign, word) = match rule.status {
        Status::Active => (Role::Good, "§", ""),
        Status::Proposed => (Role::Notice, "◇", "waits"),
        Status::Vetoed => (Role::Bad, "✗", "vetoed"),
        Status::Retired => (Role::Ghost, "§", "retired"),
        Status::Superseded => (Role::Ghost, "§", "superseded"),
    };
    let name = Rich::text(role, format!("{sign} "))
        .and(Role::Faint, format!("{} ", rule.id))
        .and(Role::Text, &rule.requirement)
        .with_right(Rich::text(role, word), width);
    let above = if rule.admitted { ">" } else { "≤" };
    let total = Rich::text(Role::Text, "  ")
        .with_rest(&gauge(rule.total, admitted_above, GAUGE))
        .and(Role::Strong, format!(" {:.2} ", rule.total))
        .and(Role::Faint, format!("{above} {admitted_above}"));
    let mut record = Rich::text(
        Role::Faint,
        format!(
            "  {} {}",
            count_with_noun(rule.hits, "hit", "hits"),
            count_with_noun(rule.misses, "miss", "misses")
        ),
    );
    if rule.refused > 0 {
        record.add(Role::Notice, format!(" · refused {}", rule.refused));
    }
    let [consistent, clear, feasible] = rule.scores;
    let scores = if width < NAMES_FROM {
        format!("  scores {consistent:.2} {clear:.2} {feasible:.2}")
    } else {
        format!("  consistent {consistent:.2} clear {clear:.2} feasible {feasible:.2}")
    };
    let scores = Rich::text(Role::Faint, scores);
    [name, total.cut(width), scores.cut(width), record.cut(width)]
}

fn rule_row(record: &RulesRecord, ui: &LiveState) -> usize {
    let place = |id| record.rules.iter().position(|rule| rule.id == id);
    ui.rule.and_then(place).unwrap_or(0)
}

fn move_selection(shell: &mut Shell, view: &View, motion: Motion) {
    let page = page_rows(shell);
    if let Some(record) = &view.system.rules {
        let to = moved(
            rule_row(record, &shell.live),
            record.rules.len(),
            page,
            motion,
        );
        shell.live.rule = record.rules.get(to).map(|rule| rule.id);
    }
}

fn open(shell: &mut Shell, view: &View) {
    let record = view.system.rules.as_ref();
    let rule = record.and_then(|record| record.rules.get(rule_row(record, &shell.live)));
    let id = rule.map(|rule| rule.id);
    open_selected(shell, id.map(RunPage::Entry));
}
