//! What lies over the inbox: entries in full above the keys that decide, and questions before a change.

use crate::cache::Cache;
use crate::screens::inbox::sheet;
use crate::screens::inbox::sheet::BAR;
use crate::screens::inbox::state::InboxOverlay;
use crate::shell::Shell;
use crate::theme::{Role, Theme};
use crate::widgets::popup::{clear, keys, popup, put, reading, typing};
use crate::widgets::rich::Rich;
use crate::widgets::table::ListItem;
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::run::decision::GateKind;
use pithead_world::ids::KnowledgeId;
use ratatui::Frame;
use ratatui::layout::Rect;

/// Entries named in a question about many.
const NAMED_MAX: usize = 8;

pub(crate) fn cover(
    frame: &mut Frame<'_>,
    sheet: &InboxOverlay,
    shell: &Shell,
    cache: &Cache,
    theme: &Theme,
) {
    match sheet {
        InboxOverlay::Read { ids, scroll, seen } => {
            let lines = sheet::lines(shell, cache);
            let title = match ids[..] {
                [id] => cache.name(ListItem::Entry(id)),
                _ => format!("{} entries, each decided by itself", ids.len()),
            };
            reading(frame, &title, &lines, *scroll, (shell.size, BAR), theme);
            bar(frame, shell, cache, (ids, *seen), theme);
        }
        InboxOverlay::Veto { ids, text } => {
            let mut lines = named(cache, "Veto", ids);
            lines.extend([
                Rich::of(
                    Role::Faint,
                    "It never comes back by itself. The reason stays with it, and the mind is told.",
                ),
                Rich::new(),
                typing("because ", text),
                Rich::new(),
                keys(&[("enter", "veto"), ("esc", "back")]),
            ]);
            popup(frame, "Veto", &lines, theme);
        }
        InboxOverlay::Edit(_) => {
            if let Some(editor) = &shell.editor {
                crate::widgets::editor::draw::draw(frame, editor, theme);
            }
        }
        InboxOverlay::Rule(ruling) => {
            let file = cache
                .rules_file
                .as_ref()
                .map(|path| path.display().to_string());
            let mut lines = sheet::rule_lines(ruling, file.as_deref());
            lines.push(Rich::new());
            lines.push(keys(&[
                ("↑↓", "reach"),
                ("←→", "policy"),
                ("y", "save"),
                ("esc", "leave"),
            ]));
            popup(frame, "A rule", &lines, theme);
        }
        InboxOverlay::Undo(undo) => {
            let mut lines = named(cache, "Take back what was decided about", &[undo.id()]);
            lines.extend(undo.words().map(|words| Rich::of(Role::Text, words)));
            lines.push(Rich::new());
            lines.push(keys(&[("y", "take it back"), ("esc", "leave it")]));
            popup(frame, "Sure?", &lines, theme);
        }
        InboxOverlay::Forget(kind) => forget(frame, *kind, theme),
    }
}

fn forget(frame: &mut Frame<'_>, kind: GateKind, theme: &Theme) {
    let question = format!("Take off the rule about {}?", kind.name());
    let lines = [
        Rich::of(Role::Strong, question),
        Rich::of(
            Role::Text,
            "Runs that are started from now on ask as the program does by itself.",
        ),
        Rich::of(Role::Faint, "Runs under way keep what they have."),
        Rich::new(),
        keys(&[("y", "take it off"), ("esc", "leave it")]),
    ];
    popup(frame, "Sure?", &lines, theme);
}

/// What is asked about, by name.
fn named(cache: &Cache, verb: &str, ids: &[KnowledgeId]) -> Vec<Rich> {
    if let [id] = ids {
        let name = cache.name(ListItem::Entry(*id));
        return vec![Rich::of(Role::Strong, format!("{verb} {name}?"))];
    }
    let mut lines = vec![Rich::of(
        Role::Strong,
        format!("{verb} {} entries?", ids.len()),
    )];
    let names = ids.iter().take(NAMED_MAX);
    lines.extend(names.map(|id| {
        Rich::of(
            Role::Text,
            format!("  {}", cache.name(ListItem::Entry(*id))),
        )
    }));
    if ids.len() > NAMED_MAX {
        let more = format!("  and {} more", ids.len() - NAMED_MAX);
        lines.push(Rich::of(Role::Faint, more));
    }
    lines
}

/// The keys that decide, on lines which no text of others reaches.
fn bar(
    frame: &mut Frame<'_>,
    shell: &Shell,
    cache: &Cache,
    (ids, seen): (&[KnowledgeId], bool),
    theme: &Theme,
) {
    let text = crate::widgets::page::reading_area(shell.size, BAR);
    let area = Rect {
        y: text.bottom(),
        height: BAR,
        ..text
    };
    let area = area.intersection(frame.area());
    clear(frame, area);
    let other = ids.iter().find_map(|id| {
        let status = cache.entry(*id).map(|entry| entry.status);
        (status != Some(Status::Proposed)).then_some((*id, status))
    });
    let bar = match (other, ids.len()) {
        (Some((id, Some(status))), _) => Rich::of(
            Role::Faint,
            format!(
                "{id} is {} already; there is nothing to decide",
                status.name()
            ),
        ),
        (Some((id, None)), _) => Rich::of(Role::Faint, format!("{id} is gone; esc closes")),
        (None, 1) if seen => keys(&[
            ("a", "approve"),
            ("e", "edit"),
            ("v", "veto with a reason"),
            ("P", "always …"),
        ]),
        (None, _) if seen => keys(&[
            ("a", "approve all"),
            ("v", "veto all with one reason"),
            ("P", "always …"),
        ]),
        (None, _) => Rich::of(Role::Notice, "↓ read on to the end; then you can decide")
            .and(Role::Faint, "   ")
            .and(Role::Key, "pgdn G"),
    };
    let rule = Rich::of(Role::Border, "─".repeat(usize::from(area.width)));
    put(frame, area, &[rule, bar], theme);
}
