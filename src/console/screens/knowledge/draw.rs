//! What lies over the knowledge base: an entry above the keys that change it, its history, a reason.

use crate::cache::Cache;
use crate::screens::knowledge::overlay::is_asked;
use crate::screens::knowledge::state::{EntryAction, ReasonPrompt};
use crate::theme::{Role, Theme};
use crate::widgets::popup::{keys, popup, read_on_bar, typing};
use crate::widgets::rich::Rich;
use crate::widgets::table::ListItem;
use pithead_core::domain::knowledge::Status;
use pithead_core::text::clean::{fit_columns, wrap_columns};
use pithead_world::ids::KnowledgeId;
use ratatui::Frame;

/// Columns of a question.
const ASK_WIDTH: usize = 72;

/// What can be done with the entry on the screen.
pub(crate) fn entry_bar(id: KnowledgeId, seen: bool, cache: &Cache) -> Rich {
    let Some(entry) = cache.entry(id) else {
        return Rich::text(Role::Faint, "gone; esc closes");
    };
    if !seen {
        return read_on_bar();
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

pub(crate) fn history_bar() -> Rich {
    keys(&[
        ("↑↓", "versions"),
        ("pgdn", "read on"),
        ("r", "roll back to it"),
        ("esc", "the entry"),
    ])
}

pub(crate) fn pair_bar() -> Rich {
    keys(&[
        ("<", "merge into the left"),
        (">", "into the right"),
        ("=", "keep both"),
        ("x X", "retire left, right"),
    ])
}

/// The question why, and what the change means.
pub(crate) fn draw_reason(frame: &mut Frame<'_>, ask: &ReasonPrompt, cache: &Cache, theme: &Theme) {
    let name = fit_columns(&cache.name(ListItem::Entry(ask.id)), ASK_WIDTH - 24);
    let mut lines = vec![Rich::text(Role::Strong, ask.what.question(&name))];
    if let Some(entry) = cache.entry(ask.id) {
        let means = ask.what.means(entry, is_asked(cache, entry));
        let means = wrap_columns(&means, ASK_WIDTH);
        lines.extend(means.iter().map(|line| Rich::text(Role::Faint, line)));
    }
    let remarks = ask.remarks.iter();
    lines.extend(remarks.map(|said| Rich::text(Role::Notice, format!("! {said}")).cut(ASK_WIDTH)));
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
