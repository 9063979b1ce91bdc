//! The knowledge pane: entries that take part in this run, and how; the lessons that bind it.

use crate::screens::live::panes::pane::{Pane, open_selected, page_rows};
use crate::screens::live::select;
use crate::screens::live::state::{LiveState, RunPage};
use crate::shell::Shell;
use crate::theme::Role;
use crate::view::View;
use crate::view::knowledge::{KnowledgeItem, KnowledgeView, RecalledHit, Uses};
use crate::widgets::pane::{PaneContent, Room, rows_around};
use crate::widgets::rich::Rich;
use crate::widgets::scroll::{Motion, moved};
use pithead_core::domain::knowledge::{Body, Status};
use pithead_core::text::clean::clean_line;
use pithead_core::text::numbers::count_with_noun;
use pithead_world::ids::SubgoalId;

/// What it shows, and what keys do in it.
pub(crate) const PANE: Pane = Pane {
    show,
    move_selection,
    open,
};

pub fn show(view: &View, ui: &LiveState, room: Room) -> PaneContent {
    let knowledge = &view.knowledge;
    let lessons = knowledge.lessons.len();
    let mut title = count_with_noun(knowledge.items.len(), "entry", "entries");
    if knowledge.proposed > 0 {
        title = format!("{title} · {} new", knowledge.proposed);
    }
    let step = view.attempt.as_ref().filter(|attempt| !attempt.over);
    let step = step.map(|attempt| attempt.subgoal.id);
    // Lessons bind the run whatever the list shows: they keep their lines at the bottom.
    let foot = lessons.min(room.height / 3);
    // A line on the step under way, where that leaves room for entries.
    let told = step.filter(|_| room.height >= foot + 3);
    let above = room.height - foot - usize::from(told.is_some());
    let found = found_lines(knowledge, above, room.width);
    let upper = Room {
        height: above - found.len(),
        ..room
    };
    let mut shown = match select::entry_row(view, ui) {
        None => PaneContent {
            lines: vec![Rich::text(Role::Faint, "no entry takes part yet")],
            ..PaneContent::default()
        },
        Some(row) => rows_around(knowledge.items.len(), row, upper, |at| {
            line(&knowledge.items[at], step, room.width)
        }),
    };
    if let Some(step) = told {
        let at = knowledge.at(step);
        let words = format!(
            "{step}: {} shown · {} matched · {} blocked",
            at.shown, at.matched, at.blocked
        );
        let words = Rich::text(Role::Faint, words).cut(room.width);
        shown.lines.insert(0, words);
        shown.selected = shown.selected.map(|row| row + 1);
    }
    shown.lines.extend(found);
    let newest = knowledge.lessons.iter().rev().take(foot);
    shown.lines.extend(newest.map(|lesson| {
        let text = format!("binds this run: {}", lesson.avoid);
        Rich::text(Role::Faint, "‖ ")
            .and(Role::Text, text)
            .cut(room.width)
    }));
    if lessons > 0 {
        title = format!("{title} · {lessons} binding");
    }
    PaneContent { title, ..shown }
}

/// What recall found of earlier attempts, with its score and what the score is made of: what the entries leave room
/// for, and a third of the pane where they leave none.
fn found_lines(knowledge: &KnowledgeView, height: usize, width: usize) -> Vec<Rich> {
    if knowledge.recalled.is_empty() {
        return Vec::new();
    }
    let left = height.saturating_sub(knowledge.items.len().max(1));
    let room = left.max(height / 3);
    if room < 2 {
        return Vec::new();
    }
    let many = usize::try_from(knowledge.experiences).unwrap_or(usize::MAX);
    let head = count_with_noun(many, "attempt", "attempts");
    let head = Rich::text(Role::Faint, format!("recalled: {head}, the likest first"));
    let hits = knowledge.recalled.iter().take(room - 1);
    let lines = hits.map(|hit| hit_line(hit, width));
    std::iter::once(head.cut(width)).chain(lines).collect()
}

/// `✗ e42.17 0.83 words 0.92 place 0.40 = NAV_STUCK: 14 s without moving`
fn hit_line(hit: &RecalledHit, width: usize) -> Rich {
    let (role, sign) = match hit.success {
        true => (Role::Good, "✔"),
        false => (Role::Bad, "✗"),
    };
    let same = if hit.exact { " same aim" } else { "" };
    let why = format!("words {:.2} place {:.2}{same} ", hit.cosine, hit.delta);
    let reason = hit
        .reason
        .map_or(String::new(), |reason| format!("{}: ", reason.name()));
    Rich::text(role, format!("{sign} "))
        .and(Role::Faint, format!("{} ", hit.id))
        .and(Role::Strong, format!("{:.2} ", hit.score))
        .and(Role::Faint, why)
        .and(Role::Text, format!("{reason}{}", clean_line(&hit.summary)))
        .cut(width)
}

fn line(item: &KnowledgeItem, step: Option<SubgoalId>, width: usize) -> Rich {
    let entry = &item.entry;
    let (sign, role) = match (&entry.body, item.status) {
        (_, Status::Vetoed) => ("✗", Role::Bad),
        (Body::Guardrail(_) | Body::TaskGuardrail(_), _) => ("◆", Role::Notice),
        (Body::Skill(_), _) => ("★", Role::Good),
        (Body::Rule(_), _) => ("§", Role::Text),
        (Body::ReferencePlan(_), _) => ("≡", Role::Text),
        (Body::Note(_), _) => ("¶", Role::Text),
    };
    let text = match item.status {
        Status::Vetoed | Status::Retired | Status::Superseded => Role::Ghost,
        Status::Active | Status::Proposed => Role::Text,
    };
    let left = Rich::text(role, format!("{sign} "))
        .and(Role::Faint, format!("{} ", item.id))
        .and(text, &entry.title);
    // What takes part in the step under way is marked so.
    let is_here = step.is_some() && item.step.0 == step;
    let mut right = Rich::new();
    if is_here {
        right.add(Role::Running, "▶ ");
    }
    right.append(&part(item));
    left.with_right(right, width)
}

/// What it did here, the strongest first.
fn part(item: &KnowledgeItem) -> Rich {
    let Uses {
        shown,
        matched,
        blocked,
        helped,
        hurt,
    } = item.here;
    match item.status {
        Status::Proposed => return Rich::text(Role::Notice, "waits"),
        Status::Vetoed => return Rich::text(Role::Bad, "vetoed"),
        Status::Retired => return Rich::text(Role::Faint, "retired"),
        Status::Superseded => return Rich::text(Role::Faint, "superseded"),
        Status::Active => (),
    }
    if hurt > 0 {
        Rich::text(Role::Bad, format!("hurt {hurt}"))
    } else if blocked > 0 {
        Rich::text(Role::Notice, format!("■ blocked {blocked}"))
    } else if helped > 0 {
        Rich::text(Role::Good, format!("helped {helped}"))
    } else if matched > 0 {
        Rich::text(Role::Text, format!("▲ matched {matched}"))
    } else if shown > 0 {
        Rich::text(Role::Faint, format!("▲ shown {shown}"))
    } else if item.new {
        Rich::text(Role::Good, "new")
    } else {
        Rich::text(Role::Faint, "recalled")
    }
}

fn move_selection(shell: &mut Shell, view: &View, motion: Motion) {
    let page = page_rows(shell);
    let items = &view.knowledge.items;
    if let Some(row) = select::entry_row(view, &shell.live) {
        shell.live.entry = Some(items[moved(row, items.len(), page, motion)].id);
    }
}

fn open(shell: &mut Shell, view: &View) {
    let row = select::entry_row(view, &shell.live);
    open_selected(
        shell,
        row.map(|row| RunPage::Entry(view.knowledge.items[row].id)),
    );
}
