//! Triage of what is marked or selected in a list: who looks into it, until when it is out of sight, a comment.
//!
//! Invariant: what is typed is checked before it is kept, and each of what is marked is triaged by itself.

use crate::context::Context;
use crate::effect::{Effect, InboxAction};
use crate::msg::Msg;
use crate::overlay::Overlay;
use crate::theme::{Role, Theme};
use crate::triage::{TriageKind, TriagePrompt, order_of};
use crate::widgets::page::field;
use crate::widgets::popup::{keys, popup, typing};
use crate::widgets::rich::Rich;
use crate::widgets::table::ListItem;
use crate::widgets::time::{Zone, moment};
use pithead_core::domain::run::triage::{Triage, TriageSubject};
use pithead_world::clock::Millis;
use ratatui::Frame;

/// The subject of a row, if it can be triaged.
#[must_use]
pub fn subject_of(item: ListItem) -> Option<TriageSubject> {
    Some(match item {
        ListItem::Question(run, decision) => TriageSubject::Question { run, decision },
        ListItem::Entry(id) => TriageSubject::Entry(id),
        ListItem::Run(run) => TriageSubject::Run(run),
        _ => return None, // nothing else waits for anyone
    })
}

/// Asks for what is to be kept about what is marked, else selected.
pub(crate) fn open(context: &mut Context<'_>, kind: TriageKind) {
    let chosen = context.shell.list_with(context.cache);
    let chosen = chosen.map(|(list, table)| list.chosen(table));
    let subjects: Vec<TriageSubject> = chosen
        .into_iter()
        .flatten()
        .filter_map(subject_of)
        .collect();
    if subjects.is_empty() {
        let because = "only questions, entries and runs are triaged; select one";
        return context.shell.refuse(because);
    }
    context.shell.open_overlay(Overlay::Triage(TriagePrompt {
        kind,
        subjects,
        text: String::new(),
    }));
}

/// A message while it is typed.
pub(crate) fn update(context: &mut Context<'_>, prompt: TriagePrompt, msg: Msg) -> Option<Effect> {
    match msg {
        Msg::Back => context.shell.close_overlay(),
        Msg::Submit => match order_of(prompt.kind, &prompt.text) {
            Ok(order) => {
                context.shell.close_overlay();
                let subjects = prompt.subjects;
                return Some(Effect::Inbox(InboxAction::Triage { subjects, order }));
            }
            Err(because) => context.shell.refuse(because),
        },
        _ => (), // keys that move have no meaning in a line of text
    }
    None
}

/// How something stands, in full.
pub(crate) fn triage_lines(
    out: &mut Vec<Rich>,
    triage: &Triage,
    (now, zone): (Millis, &Zone),
    width: usize,
) {
    if let Some(to) = &triage.assigned {
        field(out, "assigned to", to, width);
    }
    if let Some(until) = triage.snoozed_until.filter(|_| triage.is_snoozed(now)) {
        field(out, "snoozed until", &moment(until, zone), width);
    }
    for comment in triage.comments.iter().rev() {
        let words = format!("{} · {}", comment.text, moment(comment.at, zone));
        field(out, &comment.by, &words, width);
    }
}

pub(crate) fn draw(frame: &mut Frame<'_>, prompt: &TriagePrompt, theme: &Theme) {
    let what = match &prompt.subjects[..] {
        [one] => one.to_string(),
        many => format!("{} rows", many.len()),
    };
    let (title, hint, lead) = match prompt.kind {
        TriageKind::Assign => (
            format!("Who looks into {what}?"),
            "The name of an operator; nothing takes the assignment off.",
            "assign to ",
        ),
        TriageKind::Snooze => (
            format!("Snooze {what}"),
            "30m, 2h or 1d; nothing brings it back at once. Time-outs go on.",
            "for ",
        ),
        TriageKind::Comment => (
            format!("A comment on {what}"),
            "All operators of this database can read it; it cannot be taken back.",
            "comment ",
        ),
    };
    let lines = [
        Rich::text(Role::Faint, hint),
        Rich::new(),
        typing(lead, &prompt.text),
        Rich::new(),
        keys(&[("enter", "keep"), ("esc", "back")]),
    ];
    popup(frame, &title, &lines, theme);
}
