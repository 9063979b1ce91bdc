//! The help page: the keys that work here, from the key table.

use crate::input::keys;
use crate::input::keys::Scope;
use crate::input::scopes::scopes_below_help;
use crate::shell::Shell;
use crate::theme::Role;
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::text::clean::pad_columns;

/// Columns of the keys; the longest is `pgup ctrl-u`.
const KEYS_WIDTH: usize = 18;

#[must_use]
pub fn help_lines(shell: &Shell, width: usize) -> Vec<Rich> {
    let mut scopes = scopes_below_help(shell);
    scopes.extend([
        Scope::Decision,
        Scope::Reading,
        Scope::Editor,
        Scope::Typing,
        Scope::Confirm,
    ]);
    let mut out = Vec::new();
    let mut told = Vec::new();
    for scope in scopes {
        if told.contains(&scope) {
            continue;
        }
        told.push(scope);
        let here = [scope];
        let rows: Vec<_> = shell.keymap.rows(&here).collect();
        if rows.is_empty() {
            continue;
        }
        crate::widgets::page::heading(&mut out, &scope.title());
        for (row, keys) in rows {
            let names = pad_columns(&keys::names(keys), KEYS_WIDTH);
            paragraph(
                &mut out,
                Rich::text(Role::Key, names),
                Role::Text,
                row.help,
                width,
            );
        }
    }
    crate::widgets::page::heading(&mut out, "Signs");
    for (sign, meaning) in SIGNS {
        let lead = Rich::text(Role::Strong, pad_columns(sign, KEYS_WIDTH));
        paragraph(&mut out, lead, Role::Text, meaning, width);
    }
    out
}

const SIGNS: [(&str, &str); 10] = [
    ("✔ ✗ ▶ ·", "done, failed, under way, to come"),
    ("▷", "selected, about to begin"),
    ("┆", "replaced by a replan"),
    ("↻2", "second attempt"),
    ("◆ ★ § ≡", "guardrail, skill, rule, reference plan"),
    ("▲", "shown to the planner, or matched; ■ blocked a step"),
    (
        "@ • ✗",
        "on the map: the agent, its path, a place where it got stuck",
    ),
    ("◆ ⌂", "on the map: ore, station (table, furnace, chest)"),
    (
        "♣ ≈ ~ ▒ ▓ █",
        "on the map: plants, lava, water, ground, a wall, what is above the head",
    ),
    ("? ", "unknown; it never counts as done"),
];
