//! What lies over the knowledge base: an entry above the keys that change it, its history, a reason.

use crate::cache::Cache;
use crate::screens::knowledge::sheet;
use crate::screens::knowledge::sheet::{BAR, is_asked};
use crate::screens::knowledge::state::EntryAction;
use crate::screens::knowledge::state::{KnowledgeOverlay, ReasonPrompt};
use crate::shell::Shell;
use crate::theme::{Role, Theme};
use crate::widgets::popup::{clear, keys, popup, put, reading, typing};
use crate::widgets::rich::Rich;
use crate::widgets::table::ListItem;
use pithead_core::domain::knowledge::Status;
use pithead_core::text::clean::{fit_columns, wrap_columns};
use pithead_world::ids::KnowledgeId;
use ratatui::Frame;
use ratatui::layout::Rect;

/// Columns of a question.
const ASK_WIDTH: usize = 72;

pub(crate) fn cover(
    frame: &mut Frame<'_>,
    sheet: &KnowledgeOverlay,
    shell: &Shell,
    cache: &Cache,
    theme: &Theme,
) {
    match sheet {
        KnowledgeOverlay::Read { id, scroll, seen } => {
            let lines = sheet::lines(shell, cache);
            let title = cache.name(ListItem::Entry(*id));
            reading(frame, &title, &lines, *scroll, (shell.size, BAR), theme);
            below(frame, shell, &stands(cache, *id, *seen), theme);
        }
        KnowledgeOverlay::History { id, scroll, .. } => {
            let lines = sheet::lines(shell, cache);
            let title = format!("History of {}", cache.name(ListItem::Entry(*id)));
            reading(frame, &title, &lines, *scroll, (shell.size, BAR), theme);
            let bar = keys(&[
                ("↑↓", "versions"),
                ("pgdn", "read on"),
                ("r", "roll back to it"),
                ("esc", "the entry"),
            ]);
            below(frame, shell, &bar, theme);
        }
        KnowledgeOverlay::Pair { ids, scroll } => {
            let lines = sheet::lines(shell, cache);
            let [one, other] = ids;
            let title = format!("{one} ◂▸ {other}");
            reading(frame, &title, &lines, *scroll, (shell.size, BAR), theme);
            let bar = keys(&[
                ("<", "merge into the left"),
                (">", "into the right"),
                ("=", "keep both"),
                ("x X", "retire left, right"),
            ]);
            below(frame, shell, &bar, theme);
        }
        KnowledgeOverlay::Edit(_) => {
            if let Some(editor) = &shell.editor {
                crate::widgets::editor::draw::draw(frame, editor, theme);
            }
        }
        KnowledgeOverlay::Reason(ask) => reason(frame, ask, cache, theme),
    }
}

/// What can be done with the entry on the screen.
fn stands(cache: &Cache, id: KnowledgeId, seen: bool) -> Rich {
    let Some(entry) = cache.entry(id) else {
        return Rich::of(Role::Faint, "gone; esc closes");
    };
    if !seen {
        return Rich::of(Role::Notice, "↓ read on to the end; then you can decide")
            .and(Role::Faint, "   ")
            .and(Role::Key, "pgdn G");
    }
    match entry.status {
        Status::Proposed => keys(&[
            ("a", "approve"),
            ("e", "edit"),
            ("v", "veto"),
            ("x", "retire"),
            ("h", "history"),
        ]),
        Status::Active => keys(&[
            ("e", "edit"),
            ("x", "retire"),
            ("v", "veto"),
            ("h", "history"),
        ]),
        Status::Superseded | Status::Retired => keys(&[
            ("R", "bring back"),
            ("e", "edit"),
            ("v", "veto"),
            ("h", "history"),
        ]),
        Status::Vetoed => keys(&[("R", "lift the veto"), ("h", "history")]),
    }
}

/// A line below the text, where no text of others reaches.
fn below(frame: &mut Frame<'_>, shell: &Shell, bar: &Rich, theme: &Theme) {
    let text = crate::widgets::page::reading_area(shell.size, BAR);
    let area = Rect {
        y: text.bottom(),
        height: BAR,
        ..text
    };
    let area = area.intersection(frame.area());
    clear(frame, area);
    let rule = Rich::of(Role::Border, "─".repeat(usize::from(area.width)));
    put(frame, area, &[rule, bar.clone()], theme);
}

fn reason(frame: &mut Frame<'_>, ask: &ReasonPrompt, cache: &Cache, theme: &Theme) {
    let name = fit_columns(&cache.name(ListItem::Entry(ask.id)), ASK_WIDTH - 24);
    let mut lines = vec![Rich::of(Role::Strong, ask.what.question(&name))];
    if let Some(entry) = cache.entry(ask.id) {
        let means = ask.what.means(entry, is_asked(cache, entry));
        let means = wrap_columns(&means, ASK_WIDTH);
        lines.extend(means.iter().map(|line| Rich::of(Role::Faint, line)));
    }
    let remarks = ask.remarks.iter();
    lines.extend(remarks.map(|said| Rich::of(Role::Notice, format!("! {said}")).cut(ASK_WIDTH)));
    let back = match ask.what {
        EntryAction::Edit(_) => "back to the text",
        _ => "back",
    };
    lines.extend([
        Rich::new(),
        typing("because ", &ask.text),
        Rich::new(),
        keys(&[("enter", ask.what.word()), ("esc", back)]),
    ]);
    popup(frame, "Sure?", &lines, theme);
}
