//! The reflector pane: what set off the last reflection, its thoughts, and how far the plan is trusted (Metagent-P).

use crate::screens::live::panes::pane::{Pane, open_selected, page_rows, scrolled_to};
use crate::screens::live::state::{LiveState, RunPage};
use crate::shell::Shell;
use crate::theme::Role;
use crate::view::View;
use crate::widgets::gauge::gauge;
use crate::widgets::pane::{PaneContent, Room, scrolled_content};
use crate::widgets::rich::{Rich, paragraph};
use crate::widgets::scroll::Motion;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::runtime::system_record::{ReflectionLine, ReflectorRecord};

/// What it shows, and what keys do in it.
pub(crate) const PANE: Pane = Pane {
    show,
    move_selection,
    open,
};

/// Columns of the gauge where there is room.
const GAUGE: usize = 16;

pub fn show(view: &View, ui: &LiveState, room: Room) -> PaneContent {
    let Some(record) = &view.system.reflector else {
        return PaneContent::default();
    };
    let title = count_with_noun(record.reflections.len(), "reflection", "reflections");
    let mut lines = Vec::new();
    match record.reflections.last() {
        None => {
            let words = "nothing has set it off yet: no failure, no goal lost, no anomaly";
            paragraph(&mut lines, Rich::new(), Role::Faint, words, room.width);
        }
        Some(last) => {
            push_reflection(&mut lines, last, record.trust_min, room.width);
            lines.push(triggers(record).cut(room.width));
        }
    }
    PaneContent {
        title,
        ..scrolled_content(lines, ui.reflector_scroll, room)
    }
}

/// One reflection in full.
pub(crate) fn push_reflection(
    out: &mut Vec<Rich>,
    line: &ReflectionLine,
    trust_min: f64,
    width: usize,
) {
    let (role, then) = match line.then.as_str() {
        "keep" => (Role::Good, "the plan stays"),
        "repair" => (Role::Notice, "repaired"),
        _ => (Role::Bad, "new plan"),
    };
    let what =
        Rich::text(Role::Strong, line.trigger.clone()).and(Role::Text, format!(" · {}", line.step));
    out.push(what.with_right(Rich::text(role, then), width));
    let numbers = format!(" {:.2} of more than {trust_min:.2}", line.confidence);
    let columns = GAUGE.min(width.saturating_sub(numbers.len() + 8));
    let trust = Rich::text(Role::Faint, "trust ")
        .with_rest(&gauge(line.confidence, trust_min, columns))
        .and(role, numbers);
    out.push(trust.cut(width));
    let number = |value: Option<f64>| value.map_or("unknown".to_owned(), |v| format!("{v:.2}"));
    let mut parts = vec![
        format!("C_history {}", number(line.history)),
        format!("C_LLM {}", number(line.said)),
    ];
    if line.cases > 0 {
        let cases = usize::try_from(line.cases).unwrap_or(usize::MAX);
        parts.push(count_with_noun(cases, "case", "cases"));
    }
    parts.extend(line.disturbance.clone());
    paragraph(out, Rich::new(), Role::Text, &parts.join(" · "), width);
    for (name, text) in [
        ("T_e  ", &line.now),
        ("T_h  ", &line.before),
        ("then ", &line.suggestion),
    ] {
        if !text.is_empty() {
            paragraph(out, Rich::text(Role::Faint, name), Role::Text, text, width);
        }
    }
}

/// `failure 3 · replans 1`
fn triggers(record: &ReflectorRecord) -> Rich {
    let each = record.triggers.iter();
    let each: Vec<String> = each.map(|(name, n)| format!("{name} {n}")).collect();
    Rich::text(Role::Faint, format!("so far: {}", each.join(" · ")))
}

fn move_selection(shell: &mut Shell, _: &View, motion: Motion) {
    let page = page_rows(shell);
    shell.live.reflector_scroll = scrolled_to(shell.live.reflector_scroll, page, motion);
}

fn open(shell: &mut Shell, view: &View) {
    let record = view.system.reflector.as_ref();
    let has_any = record.is_some_and(|record| !record.reflections.is_empty());
    open_selected(shell, has_any.then_some(RunPage::Reflections));
}
