//! What the mind has cost: tokens, money and time by role, by what the run was doing, by model.

use crate::theme::Role;
use crate::view::View;
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::text::clean::clean_line;

#[must_use]
pub fn cost_lines(view: &View, width: usize) -> Vec<Rich> {
    let mut out = Vec::new();
    if view.costs.total.questions == 0 {
        return vec![Rich::text(
            Role::Faint,
            "The mind was not asked anything yet.",
        )];
    }
    if let Some(stop) = view.projected_stop() {
        paragraph(&mut out, Rich::new(), Role::Strong, &stop.told(), width);
        out.push(Rich::new());
    }
    let table = view.costs.table_within(width);
    for (at, line) in table.lines().enumerate() {
        let role = if at == 0 { Role::Faint } else { Role::Text };
        out.push(Rich::text(role, clean_line(line)).cut(width));
    }
    out
}
