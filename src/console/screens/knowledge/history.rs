//! The history of an entry as a page: its versions, and what the selected one changed.
//!
//! ```text
//! ▌ version 3    2 h ago  +1 -1  operator ann: eight, not four
//!   version 2    3 h ago  proposed → active  operator ann: approved
//!   version 1    3 h ago  made by mind builtin:competent
//! ```

use crate::theme::Role;
use crate::widgets::page::heading;
use crate::widgets::rich::{Rich, paragraph};
use crate::widgets::scroll::window;
use pithead_core::domain::knowledge::{Body, Entry};
use pithead_core::knowledge::history::{HistoryLine, LineChange, Step, diff, steps};
use pithead_core::text::numbers::format_seconds;
use pithead_world::clock::Millis;

/// Versions in sight at once; the selected one is among them.
const VERSIONS_MAX: usize = 8;

/// An entry's content as the editor has it.
#[must_use]
pub fn text(body: &Body) -> String {
    serde_saphyr::to_string(body).unwrap_or_else(|fault| format!("# cannot be written: {fault}"))
}

/// The version that stands at this place, counted from the newest.
#[must_use]
pub fn version_at(entry: &Entry, at: usize) -> u32 {
    let made = steps(entry, |_| String::new());
    let mut newest_first = made.iter().rev().map(|step| step.made);
    newest_first.nth(at).unwrap_or(1)
}

#[must_use]
pub fn version_lines(entry: &Entry, at: usize, now: Millis, width: usize) -> Vec<Rich> {
    let mut steps = steps(entry, text);
    steps.reverse();
    let all = steps.len() + 1;
    let at = at.min(all - 1);
    let title = format!("{} · {}", entry.id, entry.title);
    let mut out = vec![Rich::text(Role::Strong, title).cut(width), Rich::new()];
    let first = window(at, all, VERSIONS_MAX);
    for place in (first..all).take(VERSIONS_MAX) {
        let (sign, role) = if place == at {
            ("▌ ", Role::Strong)
        } else {
            ("  ", Role::Text)
        };
        let said = match steps.get(place) {
            Some(step) => of_step(step, role, now),
            None => made(entry, role, now),
        };
        out.push(
            Rich::text(Role::BorderFocus, sign)
                .with_rest(&said)
                .cut(width),
        );
    }
    let hidden = all - VERSIONS_MAX.min(all);
    if hidden > 0 {
        let more = format!("  {all} versions in all; ↑ ↓ go through them");
        out.push(Rich::text(Role::Faint, more));
    }
    changed(&mut out, entry, steps.get(at), width);
    out
}

fn of_step(step: &Step, role: Role, now: Millis) -> Rich {
    let mut out = version(step.made, step.at, role, now);
    if let Some((from, to)) = step.status {
        out.add(Role::Notice, format!("{} → {}  ", from.name(), to.name()));
    }
    if !step.diff.is_empty() {
        let n = |sign| step.diff.iter().filter(|line| line.sign == sign).count();
        out.add(Role::Added, format!("+{} ", n(LineChange::Added)));
        out.add(Role::Removed, format!("-{}  ", n(LineChange::Removed)));
    }
    if let Some(other) = step.other {
        out.add(Role::Notice, format!("({other})  "));
    }
    out.and(Role::Faint, format!("{}: ", step.by))
        .and(role, &step.reason)
}

fn made(entry: &Entry, role: Role, now: Millis) -> Rich {
    version(1, entry.created, role, now).and(Role::Faint, format!("made by {}", entry.author))
}

fn version(n: u32, at: Millis, role: Role, now: Millis) -> Rich {
    let age = format!("{:>8} ago  ", format_seconds(now.since(at) / 1000));
    Rich::text(role, format!("version {n:<4}")).and(Role::Faint, age)
}

/// What the selected version says beside the one before it, and beside the present one.
fn changed(out: &mut Vec<Rich>, entry: &Entry, step: Option<&Step>, width: usize) {
    let version = step.map_or(1, |step| step.made);
    let then = entry.content_of(version).unwrap_or(&entry.body);
    match step {
        Some(step) if step.diff.is_empty() => {
            heading(out, &format!("Version {version}"));
            let words = "The content stayed as it was.";
            paragraph(out, Rich::new(), Role::Faint, words, width);
        }
        Some(step) => {
            heading(out, &format!("What version {version} changed"));
            out.extend(step.diff.iter().map(|line| diff_line(line, width)));
        }
        None => {
            heading(out, "What it said at first");
            let text = text(then);
            let each = text
                .lines()
                .map(|line| Rich::text(Role::Text, format!("  {line}")));
            out.extend(each.map(|line| line.cut(width)));
        }
    }
    if *then != entry.body {
        heading(
            out,
            &format!("What going back to version {version} would change now"),
        );
        let back = diff(&text(&entry.body), &text(then));
        out.extend(back.iter().map(|line| diff_line(line, width)));
    }
}

/// One line of a difference; the sign says what the colour says.
#[must_use]
pub fn diff_line(line: &HistoryLine, width: usize) -> Rich {
    let (role, sign) = match line.sign {
        LineChange::Kept => (Role::Faint, "  "),
        LineChange::Added => (Role::Added, "+ "),
        LineChange::Removed => (Role::Removed, "- "),
    };
    Rich::text(role, sign).and(role, &line.text).cut(width)
}
