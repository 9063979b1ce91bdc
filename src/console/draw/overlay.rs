//! Overlays: pages to read, questions before something is done, lines of text, the editor.
//!
//! The bar that decides is drawn below the text of others, on lines which that text cannot reach.

use super::editor;
use crate::pages;
use crate::panes::inbox::clock;
use crate::rich::Rich;
use crate::theme::{Role, Theme};
use crate::ui::{Confirm, Overlay, Page, Ui};
use crate::view::View;
use pithead_core::text::clean::{clean_line, fit_columns};
use pithead_world::ids::DecisionId;
use ratatui::Frame;
use ratatui::layout::{Rect, Size};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph};

pub(super) fn draw(frame: &mut Frame<'_>, view: &View, ui: &Ui, theme: &Theme) {
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

pub(crate) fn keys(pairs: &[(&str, &str)]) -> Rich {
    let mut out = Rich::new();
    for (key, does) in pairs {
        out.add(Role::Key, *key);
        out.add(Role::Faint, format!(" {does}   "));
    }
    out
}

/// A line being typed, its end in sight, with a cursor.
pub(super) fn typing(lead: &str, text: &str) -> Rich {
    const SHOWN: usize = 40;
    let tail: String = text
        .chars()
        .skip(text.chars().count().saturating_sub(SHOWN))
        .collect();
    Rich::of(Role::Faint, lead)
        .and(Role::Strong, tail)
        .and(Role::Key, "▏")
}

/// A box of lines in the middle of the screen.
pub(super) fn popup(frame: &mut Frame<'_>, title: &str, lines: &[Rich], theme: &Theme) {
    let screen = frame.area();
    let wanted = lines.iter().map(Rich::width).max().unwrap_or(0).max(44) + 4;
    let width = u16::try_from(wanted).unwrap_or(u16::MAX).min(screen.width);
    let height = u16::try_from(lines.len() + 2)
        .unwrap_or(u16::MAX)
        .min(screen.height);
    let area = Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y + (screen.height - height) / 2,
        width,
        height,
    };
    clear(frame, area);
    let bordered = height > 3 && width > 8;
    let inner = if bordered {
        frame.render_widget(block(title, theme), area);
        Rect {
            x: area.x + 2,
            y: area.y + 1,
            width: area.width - 4,
            height: area.height - 2,
        }
    } else {
        area
    };
    put(frame, inner, lines, theme);
}

pub(super) fn block<'a>(title: &str, theme: &Theme) -> Block<'a> {
    Block::bordered()
        .border_type(BorderType::Thick)
        .border_style(theme.style(Role::BorderFocus))
        .title_top(Span::styled(
            format!(" {} ", clean_line(title)),
            theme.style(Role::BorderFocus),
        ))
}

/// Clears an area, and wide characters that reach into it from the left.
pub(super) fn clear(frame: &mut Frame<'_>, area: Rect) {
    let from = area.x.saturating_sub(1);
    let buffer = frame.buffer_mut();
    for y in area.y..area.bottom() {
        if from < area.x && unicode_width::UnicodeWidthStr::width(buffer[(from, y)].symbol()) > 1 {
            buffer[(from, y)].set_symbol(" ");
        }
    }
    frame.render_widget(Clear, area);
}

pub(super) fn put(frame: &mut Frame<'_>, area: Rect, lines: &[Rich], theme: &Theme) {
    let width = usize::from(area.width);
    for (row, rich) in (0_u16..).zip(lines).take(usize::from(area.height)) {
        let line = Rect {
            y: area.y + row,
            height: 1,
            ..area
        };
        let cut = rich.clone().cut(width);
        frame.render_widget(Paragraph::new(cut.styled(theme, false)), line);
    }
}

fn page(frame: &mut Frame<'_>, title: &str, scroll: usize, view: &View, ui: &Ui, theme: &Theme) {
    let lines = pages::lines(ui, view);
    let place = (ui.size, pages::bar(&ui.overlay));
    reading(frame, title, &lines, scroll, place, theme);
}

/// A text on the whole screen, with `bar` lines kept free below it.
pub(super) fn reading(
    frame: &mut Frame<'_>,
    title: &str,
    lines: &[Rich],
    scroll: usize,
    (size, bar): (Size, u16),
    theme: &Theme,
) {
    let screen = frame.area();
    let whole = Rect {
        height: screen.height.saturating_sub(1),
        ..screen
    };
    frame.render_widget(Clear, whole);
    let text = pages::reading_area(size, bar).intersection(screen);
    let height = usize::from(text.height);
    let first = scroll.min(lines.len().saturating_sub(height));
    if pages::has_border(size) {
        let title = fit_columns(title, usize::from(size.width.saturating_sub(6)));
        let block = block(&title, theme).title_bottom(
            Line::from(Span::styled(
                extent(first, height, lines.len()),
                theme.style(Role::Faint),
            ))
            .right_aligned(),
        );
        frame.render_widget(block, whole);
    }
    put(frame, text, lines.get(first..).unwrap_or_default(), theme);
}

fn extent(first: usize, height: usize, lines: usize) -> String {
    let last = (first + height).min(lines);
    if lines <= height {
        return " all of it ".to_owned();
    }
    format!(" lines {}–{last} of {lines} ", first + 1)
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
    let text = pages::reading_area(size, pages::bar(&ui.overlay));
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
