//! Overlays: pages to read, questions before something is done, lines of text, the editor.
//!
//! The bar that decides is drawn below the text of others, on lines which that text cannot reach.

use crate::screens::live::pages;
use crate::screens::live::panes::inbox::clock;
use crate::screens::live::state::{Confirm, Overlay, Page, Ui};
use crate::theme::{Role, Theme};
use crate::view::View;
use crate::widgets::editor::draw as editor;
use crate::widgets::popup::{keys, popup, put, reading, typing};
use crate::widgets::rich::Rich;
use pithead_world::ids::DecisionId;
use ratatui::Frame;
use ratatui::layout::{Rect, Size};
use ratatui::widgets::Clear;

pub(crate) fn draw(frame: &mut Frame<'_>, view: &View, ui: &Ui, theme: &Theme) {
    match &ui.overlay {
        Overlay::None => (),
        Overlay::Page { page: what, scroll } => {
            page(frame, name(*what), *scroll, view, ui, theme);
        }
        Overlay::Decision { id, scroll, seen } => {
            let title = format!("Decision {id} · {} open", view.inbox.open.len());
            page(frame, &title, *scroll, view, ui, theme);
            decision_bar(frame, *id, *seen, view, ui, theme);
        }
        Overlay::Veto { id, text } => {
            let title = view
                .inbox
                .get(*id)
                .map_or_else(|| id.to_string(), |open| open.title());
            let lines = [
                Rich::of(Role::Strong, format!("Veto {title}?")),
                Rich::of(Role::Faint, "The reason goes to the mind with the veto."),
                Rich::new(),
                typing("because ", text),
                Rich::new(),
                keys(&[("enter", "veto"), ("esc", "back")]),
            ];
            popup(frame, "Veto", &lines, theme);
        }
        Overlay::Jump { text } => {
            let lines = [
                Rich::of(Role::Faint, "An event (120) or a tick (t3400)."),
                Rich::new(),
                typing("to ", text),
                Rich::new(),
                keys(&[("enter", "jump"), ("esc", "back")]),
            ];
            popup(frame, "Jump", &lines, theme);
        }
        Overlay::Confirm(what) => popup(frame, "Sure?", &confirm(*what, view), theme),
        Overlay::Editor(open) => editor::draw(frame, open, theme),
    }
}

fn name(page: Page) -> &'static str {
    match page {
        Page::Node(_) => "Subgoal",
        Page::Entry(_) => "Knowledge",
        Page::Trace => "Diagnosis",
        Page::Costs => "The mind's costs",
        Page::Policy => "Policy file",
        Page::Event(_) => "Event",
    }
}

fn confirm(what: Confirm, view: &View) -> Vec<Rich> {
    let (run, task) = match &view.head {
        Some(head) => (head.run.to_string(), head.task.clone()),
        None => ("?".to_owned(), String::new()),
    };
    let (question, says, yes) = match what {
        Confirm::Abort => (
            format!("Abort run {run} · {task}?"),
            "It ends now, as aborted. It cannot be resumed.".to_owned(),
            "abort it",
        ),
        Confirm::Leave => (
            format!("Leave run {run} · {task}?"),
            format!("It stops cleanly here; `pithead resume {run}` goes on with it."),
            "stop and leave",
        ),
    };
    vec![
        Rich::of(Role::Strong, question),
        Rich::of(Role::Text, says),
        Rich::new(),
        keys(&[("y", yes), ("esc", "no, go on")]),
    ]
}

fn page(frame: &mut Frame<'_>, title: &str, scroll: usize, view: &View, ui: &Ui, theme: &Theme) {
    let lines = pages::lines(ui, view);
    let place = (ui.size, pages::bar(&ui.overlay));
    reading(frame, title, &lines, scroll, place, theme);
}

/// Count-down and keys, below the text.
fn decision_bar(
    frame: &mut Frame<'_>,
    id: DecisionId,
    seen: bool,
    view: &View,
    ui: &Ui,
    theme: &Theme,
) {
    let size: Size = ui.size;
    let text = crate::widgets::page::reading_area(size, pages::bar(&ui.overlay));
    let area = Rect {
        y: text.bottom(),
        height: pages::bar(&ui.overlay),
        ..text
    };
    let area = area.intersection(frame.area());
    frame.render_widget(Clear, area);
    let rule = Rich::of(Role::Border, "─".repeat(usize::from(area.width)));
    let bar = match view.inbox.get(id) {
        None => Rich::of(Role::Faint, "decided already; esc closes"),
        Some(open) if !seen => {
            let held = open.question.held.as_ref();
            let held = held.and_then(|_| clock(open, ui.now));
            Rich::of(Role::Notice, "↓ read on to the end; then you can decide")
                .and(Role::Faint, "   ")
                .and(Role::Key, "pgdn G")
                .and(
                    Role::Notice,
                    held.map_or(String::new(), |words| format!("   {words}")),
                )
        }
        Some(open) => {
            let mut bar = keys(&[("a", "approve"), ("e", "edit"), ("v", "veto with a reason")]);
            match clock(open, ui.now) {
                Some(words) => bar.add(Role::Notice, words),
                None => bar.add(Role::Faint, open.blocks()),
            }
            bar
        }
    };
    put(frame, area, &[rule, bar], theme);
}
