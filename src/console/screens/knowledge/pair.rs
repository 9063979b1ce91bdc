//! Two entries side by side: what both say, what they have done, and what stands between them.
//!
//! ```text
//! they do the same
//! ◂ k1.2 · guardrail · active       ▸ k3.4 · guardrail · proposed
//! helped 4 · hurt 0 · 0.82          helped 0 · hurt 0 · 0.50
//!   avoid: it falls                ≠  avoid: gravel falls
//! ```

use crate::cache::Cache;
use crate::screens::knowledge::history::text;
use crate::theme::Role;
use crate::widgets::page::heading;
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::domain::knowledge::Entry;
use pithead_core::knowledge::history::{HistoryLine, LineChange, diff};
use pithead_core::text::clean::{fit_columns, pad_columns};
use pithead_world::ids::KnowledgeId;

/// From this width on there is room for two.
const BESIDE_FROM: usize = 76;

/// The two, in the order in which they stand in the queue.
#[must_use]
pub fn pair_lines(ids: [KnowledgeId; 2], cache: &Cache, width: usize) -> Vec<Rich> {
    let [Some(one), Some(other)] = ids.map(|id| cache.entry(id)) else {
        return vec![Rich::text(
            Role::Faint,
            "They are no longer in the database.",
        )];
    };
    let mut out = Vec::new();
    let queued = cache.queue.iter();
    let mut found = queued.filter(|queued| [queued.pair.one, queued.pair.other] == ids);
    match found.next() {
        Some(queued) => {
            let lead = Rich::text(Role::Notice, format!("{}: ", queued.kind.word()));
            paragraph(&mut out, lead, Role::Text, &queued.pair.because, width);
        }
        None => out.push(Rich::text(
            Role::Good,
            "✔ there is no conflict between them any longer",
        )),
    }
    out.push(Rich::new());
    if width >= BESIDE_FROM {
        beside(&mut out, one, other, width);
    } else {
        for (sign, entry) in [('◂', one), ('▸', other)] {
            out.push(Rich::text(Role::Strong, name(sign, entry)).cut(width));
            out.push(Rich::text(Role::Faint, record(entry)).cut(width));
            let says = text(&entry.body);
            out.extend(
                says.lines()
                    .map(|line| Rich::text(Role::Text, format!("  {line}")).cut(width)),
            );
            out.push(Rich::new());
        }
        heading(&mut out, "From the first to the second");
        let lines = diff(&text(&one.body), &text(&other.body));
        out.extend(
            lines
                .iter()
                .map(|line| crate::screens::knowledge::history::diff_line(line, width)),
        );
    }
    out
}

fn name(sign: char, entry: &Entry) -> String {
    let (kind, status) = (entry.body.kind(), entry.status.name());
    format!("{sign} {} · {kind} · {status} · {}", entry.id, entry.title)
}

fn record(entry: &Entry) -> String {
    let o = &entry.outcomes;
    let rests = entry.provenance.experiences.len();
    format!(
        "  rests on {rests} · blocked {} · helped {} · hurt {} · sure {:.2}",
        o.blocked, o.helped, o.hurt, entry.confidence
    )
}

fn beside(out: &mut Vec<Rich>, one: &Entry, other: &Entry, width: usize) {
    let half = width.saturating_sub(3) / 2;
    let mut two = |role, left: &str, sign: &str, right: &str| {
        out.push(
            Rich::text(role, pad_columns(left, half))
                .and(Role::Notice, format!(" {sign} "))
                .and(role, fit_columns(right, half)),
        );
    };
    two(Role::Strong, &name('◂', one), " ", &name('▸', other));
    two(Role::Faint, &record(one), " ", &record(other));
    two(Role::Faint, "", " ", "");
    for (left, right) in rows(&diff(&text(&one.body), &text(&other.body))) {
        let sign = if left == right { " " } else { "≠" };
        let role = if left == right {
            Role::Faint
        } else {
            Role::Text
        };
        two(role, left.unwrap_or(""), sign, right.unwrap_or(""));
    }
}

/// The lines of a difference in two columns: what went stands beside what came in its place.
fn rows(lines: &[HistoryLine]) -> Vec<(Option<&str>, Option<&str>)> {
    let mut rows = Vec::new();
    let (mut gone, mut new) = (Vec::new(), Vec::new());
    let flush = |gone: &mut Vec<_>, new: &mut Vec<_>, rows: &mut Vec<_>| {
        for at in 0..gone.len().max(new.len()) {
            rows.push((gone.get(at).copied(), new.get(at).copied()));
        }
        gone.clear();
        new.clear();
    };
    for line in lines {
        let text = line.text.as_str();
        match line.sign {
            LineChange::Removed => gone.push(text),
            LineChange::Added => new.push(text),
            LineChange::Kept => {
                flush(&mut gone, &mut new, &mut rows);
                rows.push((Some(text), Some(text)));
            }
        }
    }
    flush(&mut gone, &mut new, &mut rows);
    rows
}
