//! What lies over the inbox: entries in full above the keys that decide, and questions before a change.

use crate::cache::Cache;
use crate::screens::inbox::state::InboxOverlay;
use crate::theme::{Role, Theme};
use crate::widgets::popup::{keys, popup, read_on_bar, typing};
use crate::widgets::rich::Rich;
use crate::widgets::table::ListItem;
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::run::decision::GateKind;
use pithead_world::ids::KnowledgeId;
use ratatui::Frame;

/// Entries named in a question about many.
const NAMED_MAX: usize = 8;

pub(crate) fn draw(frame: &mut Frame<'_>, overlay: &InboxOverlay, cache: &Cache, theme: &Theme) {
    match overlay {
        InboxOverlay::Veto { ids, text } => {
            let mut lines = named(cache, "Veto", ids);
            lines.extend([
                Rich::text(
                    Role::Faint,
                    "It never comes back on its own. The reason is stored with it and given to the mind.",
                ),
                Rich::new(),
                typing("because ", text),
                Rich::new(),
                keys(&[("enter", "veto"), ("esc", "back")]),
            ]);
            popup(frame, "Veto", &lines, theme);
        }
        InboxOverlay::Undo(undo) => {
            let mut lines = named(cache, "Undo the decision about", &[undo.id()]);
            lines.extend(undo.sentences().map(|words| Rich::text(Role::Text, words)));
            lines.push(Rich::new());
            lines.push(keys(&[("y", "take it back"), ("esc", "leave it")]));
            popup(frame, "Sure?", &lines, theme);
        }
        InboxOverlay::Forget(kind) => forget(frame, *kind, theme),
    }
}

fn forget(frame: &mut Frame<'_>, kind: GateKind, theme: &Theme) {
    let question = format!("Remove the rule about {}?", kind.name());
    let lines = [
        Rich::text(Role::Strong, question),
        Rich::text(
            Role::Text,
            "Runs that are started from now on ask as the program does by default.",
        ),
        Rich::text(Role::Faint, "Runs in progress keep what they have."),
        Rich::new(),
        keys(&[("y", "take it off"), ("esc", "leave it")]),
    ];
    popup(frame, "Sure?", &lines, theme);
}

/// What is asked about, by name.
fn named(cache: &Cache, verb: &str, ids: &[KnowledgeId]) -> Vec<Rich> {
    if let [id] = ids {
        let name = cache.name(ListItem::Entry(*id));
        return vec![Rich::text(Role::Strong, format!("{verb} {name}?"))];
    }
    let mut lines = vec![Rich::text(
        Role::Strong,
        format!("{verb} {} entries?", ids.len()),
    )];
    let names = ids.iter().take(NAMED_MAX);
    lines.extend(names.map(|id| {
        Rich::text(
            Role::Text,
            format!("  {}", cache.name(ListItem::Entry(*id))),
        )
    }));
    if ids.len() > NAMED_MAX {
        let more = format!("  and {} more", ids.len() - NAMED_MAX);
        lines.push(Rich::text(Role::Faint, more));
    }
    lines
}

/// The keys that decide about entries that wait.
pub(crate) fn proposals_bar(ids: &[KnowledgeId], seen: bool, cache: &Cache) -> Rich {
    let other = ids.iter().find_map(|id| {
        let status = cache.entry(*id).map(|entry| entry.status);
        (status != Some(Status::Proposed)).then_some((*id, status))
    });
    match (other, ids.len()) {
        (Some((id, Some(status))), _) => Rich::text(
            Role::Faint,
            format!(
                "{id} is {} already; there is nothing to decide",
                status.name()
            ),
        ),
        (Some((id, None)), _) => Rich::text(Role::Faint, format!("{id} is gone; esc closes")),
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
        (None, _) => read_on_bar(),
    }
}
