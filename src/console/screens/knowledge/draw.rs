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

/// Entries named in a question about several.
const NAMED_MAX: usize = 8;
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

pub(crate) fn blocked_bar() -> Rich {
    keys(&[
        ("↑↓", "attempts"),
        ("enter", "frame by frame"),
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

/// The reason as it is typed; before that, the one that holds if none is.
fn because(ask: &ReasonPrompt) -> Rich {
    let line = typing("because ", &ask.text);
    match ask.what.reason() {
        usual if ask.text.is_empty() && !usual.is_empty() => {
            line.and(Role::Faint, format!(" {usual} (type another reason)"))
        }
        _ => line, // a reason is typed, or has to be
    }
}

/// The question why, and what the change means.
pub(crate) fn draw_reason(frame: &mut Frame<'_>, ask: &ReasonPrompt, cache: &Cache, theme: &Theme) {
    let name = |id| fit_columns(&cache.name(ListItem::Entry(id)), ASK_WIDTH - 24);
    let question = match ask.also.len() {
        0 => ask.what.question(&name(ask.id)),
        others => ask.what.question(&format!("{} entries", others + 1)),
    };
    let mut lines = vec![Rich::text(Role::Strong, question)];
    if !ask.also.is_empty() {
        let all = std::iter::once(&ask.id).chain(&ask.also);
        let named = all.take(NAMED_MAX).map(|id| format!("  {}", name(*id)));
        lines.extend(named.map(|name| Rich::text(Role::Text, name)));
        let more = (ask.also.len() + 1).saturating_sub(NAMED_MAX);
        if more > 0 {
            lines.push(Rich::text(Role::Faint, format!("  and {more} more")));
        }
    }
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
        because(ask),
        Rich::new(),
        keys(&[("enter", ask.what.word()), ("esc", back)]),
    ]);
    popup(frame, "Sure?", &lines, theme);
}
