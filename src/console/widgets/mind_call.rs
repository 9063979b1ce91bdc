//! A question to the mind in full: what came of it, what it cost, the prompt.
//!
//! What came of it stands first: prompts are long, and an answer under way is to be in sight.

use crate::theme::Role;
use crate::widgets::page::heading;
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::domain::mind::spending::{Spent, money};
use pithead_core::text::numbers::{count_with_noun, format_count};
use pithead_engine::runtime::questions::MindCall;

/// Lines of a text that are shown of one part; a model may answer without end.
const LINES_MAX: usize = 4_000;

/// A question in full, and what came of it. `so_far` is what has come of an answer that is under way.
#[must_use]
pub fn call_lines(asked: &MindCall, so_far: Option<&str>, width: usize) -> Vec<Rich> {
    let title = format!("{} · {} · event {}", asked.call, asked.role, asked.seq);
    let mut out = vec![Rich::text(Role::Strong, title).cut(width)];
    if let Some(spent) = &asked.spent {
        paragraph(
            &mut out,
            Rich::new(),
            Role::Faint,
            &cost_words(spent),
            width,
        );
    }
    for reply in &asked.replies {
        heading(&mut out, &format!("Event {} · {}", reply.seq, reply.what));
        push_text(&mut out, &reply.text, width);
    }
    match so_far.filter(|_| asked.replies.is_empty()) {
        Some(text) => {
            heading(&mut out, "The answer so far");
            push_text(&mut out, text, width);
        }
        None if asked.replies.is_empty() => heading(&mut out, "No answer yet"),
        None => (),
    }
    for (name, text) in [("Question", &asked.user), ("System", &asked.system)] {
        if !text.is_empty() {
            heading(&mut out, name);
            push_text(&mut out, text, width);
        }
    }
    out
}

/// `qwen3 at local · 1,204 tokens in (512 cached), 310 out · 0.0021 · 4.2 s · 1 request`
fn cost_words(spent: &Spent) -> String {
    let cached = spent.tokens_cached.filter(|cached| *cached > 0);
    let cached = cached.map_or(String::new(), |n| format!(" ({} cached)", format_count(n)));
    let about = if spent.counted { "" } else { "≈" };
    let mut words = format!(
        "{} at {} · {about}{} in{cached}, {about}{} out",
        spent.model,
        spent.server,
        count_with_noun(spent.tokens_in, "token", "tokens"),
        format_count(spent.tokens_out),
    );
    if let Some(micros) = spent.micros {
        words += &format!(" · {}", money(micros));
    }
    words += &format!(" · {}.{} s", spent.ms / 1000, spent.ms % 1000 / 100);
    if spent.tries > 1 {
        words += &format!(" · {} requests", spent.tries);
    }
    if let Some(because) = &spent.fallback {
        words += &format!(" · in place of {because}");
    }
    words
}

/// A text of others, line by line.
fn push_text(out: &mut Vec<Rich>, text: &str, width: usize) {
    for line in text.lines().take(LINES_MAX) {
        paragraph(out, Rich::new(), Role::Text, line, width);
    }
    if text.lines().count() > LINES_MAX {
        out.push(Rich::text(Role::Notice, "… the rest is in the journal"));
    }
}
