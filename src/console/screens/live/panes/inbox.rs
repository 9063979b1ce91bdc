//! The inbox pane: what waits for the operator, the selected question in brief, and past decisions.

use crate::overlay::PageSubject;
use crate::screens::live::pages::decision::diff_line;
use crate::screens::live::panes::pane::{Pane, page_rows};
use crate::screens::live::select;
use crate::screens::live::state::LiveState;
use crate::shell::Shell;
use crate::theme::Role;
use crate::view::View;
use crate::view::diff::DiffSign;
use crate::view::inbox::{Content, Decided, Open, timeout_words};
use crate::widgets::pane::{PaneContent, Room};
use crate::widgets::rich::{Rich, paragraph};
use crate::widgets::scroll::{Motion, moved};
use pithead_core::domain::knowledge::Body;

/// What it shows, and what keys do in it.
pub(crate) const PANE: Pane = Pane {
    show,
    move_selection,
    open,
};

pub fn show(view: &View, ui: &LiveState, room: Room) -> PaneContent {
    let open = &view.inbox.open;
    let Some(row) = select::question_row(view, ui) else {
        let mut lines = vec![Rich::text(Role::Faint, "nothing waits for you")];
        lines.extend(
            view.inbox
                .history
                .iter()
                .map(|decided| past(decided).cut(room.width)),
        );
        let below = lines.len() > room.height;
        lines.truncate(room.height);
        return PaneContent {
            title: "nothing open".to_owned(),
            lines,
            below,
            ..PaneContent::default()
        };
    };
    // The list gets at most half of the room; the question in brief needs the rest.
    let shown = (room.height / 2).clamp(1, open.len().max(1));
    let first = crate::widgets::scroll::window(row, open.len(), shown);
    let mut lines: Vec<Rich> = open
        .iter()
        .skip(first)
        .take(shown)
        .map(|open| line(open, ui, room.width))
        .collect();
    brief(&mut lines, &open[row], room.width);
    if open.len() <= shown {
        lines.extend(
            view.inbox
                .history
                .iter()
                .map(|decided| past(decided).cut(room.width)),
        );
    }
    // The last line is the program's own: no text of others can push it out of sight.
    lines.truncate(room.height.saturating_sub(1));
    lines.push(
        Rich::text(Role::Key, "enter")
            .and(Role::Faint, " reads it in full, then ")
            .and(Role::Key, "a e v"),
    );
    let blocking = open
        .iter()
        .filter(|open| open.question.kind.blocks_run())
        .count();
    let title = match blocking {
        0 => format!("{} open", open.len()),
        _ => format!("{} open · the run waits", open.len()),
    };
    let (above, below) = (first > 0, first + shown < open.len());
    PaneContent {
        title,
        lines,
        selected: Some(row - first),
        above,
        below,
    }
}

fn line(open: &Open, ui: &LiveState, width: usize) -> Rich {
    let sign = if open.question.kind.blocks_run() {
        "◆"
    } else {
        "◇"
    };
    let left = Rich::text(Role::Notice, format!("{sign} "))
        .and(Role::Faint, format!("{} ", open.question.id))
        .and(Role::Text, open.title());
    let right = if ui.answered.contains_key(&open.question.id) {
        Rich::text(Role::Good, "answered")
    } else {
        match timeout_words(&open.question, ui.now) {
            Some(words) => Rich::text(Role::Notice, words),
            None => Rich::text(Role::Faint, open.blocks()),
        }
    };
    left.with_right(right, width)
}

/// A few lines on what is asked.
fn brief(out: &mut Vec<Rich>, open: &Open, width: usize) {
    match &open.content {
        Content::Plan { diff, .. } => {
            let changes = diff.iter().filter(|line| line.sign != DiffSign::Kept);
            let before = out.len();
            out.extend(changes.map(|line| diff_line(line).cut(width)));
            if out.len() == before {
                out.push(Rich::text(Role::Notice, "nothing changes"));
            }
        }
        Content::Knowledge(entry) => match &entry.body {
            Body::Guardrail(guardrail) => {
                let when = guardrail.trigger.to_string();
                paragraph(
                    out,
                    Rich::text(Role::Faint, "when  "),
                    Role::Text,
                    &when,
                    width,
                );
                for remedy in &guardrail.recovery {
                    let words = pithead_core::domain::knowledge::title::remedy(remedy);
                    paragraph(
                        out,
                        Rich::text(Role::Faint, "first "),
                        Role::Text,
                        &words,
                        width,
                    );
                }
                paragraph(
                    out,
                    Rich::text(Role::Faint, "else  "),
                    Role::Text,
                    &guardrail.avoid,
                    width,
                );
            }
            Body::Skill(_)
            | Body::TaskGuardrail(_)
            | Body::Rule(_)
            | Body::ReferencePlan(_)
            | Body::Note(_) => {
                paragraph(out, Rich::new(), Role::Text, &entry.title, width);
            }
        },
        Content::Risk { risk, .. } => paragraph(out, Rich::new(), Role::Text, risk, width),
        Content::End { because, .. } | Content::Budget { because } => {
            paragraph(out, Rich::new(), Role::Text, because, width);
        }
        Content::Missing => (),
    }
}

fn past(decided: &Decided) -> Rich {
    let by = &decided.by;
    let sign = if decided.verdict == "vetoed" {
        "✗"
    } else {
        "✔"
    };
    let mut line = Rich::text(
        Role::Faint,
        format!("{sign} {} {} ", decided.id, decided.title),
    )
    .and(Role::Text, format!("{} by {by}", decided.verdict));
    if let Some(reason) = &decided.reason {
        line.add(Role::Faint, format!(": {reason}"));
    }
    line
}

fn move_selection(shell: &mut Shell, view: &View, motion: Motion) {
    let page = page_rows(shell);
    let open = &view.inbox.open;
    if let Some(row) = select::question_row(view, &shell.live) {
        shell.live.question = Some(open[moved(row, open.len(), page, motion)].question.id);
    }
}

/// Opens the selected question; says so if nothing waits.
pub(crate) fn open(shell: &mut Shell, view: &View) {
    match select::question_row(view, &shell.live) {
        Some(row) => shell.open_page(PageSubject::Question(view.inbox.open[row].question.id)),
        None => shell.refuse("nothing waits for you"),
    }
}
