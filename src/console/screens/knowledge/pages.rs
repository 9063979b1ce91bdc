//! The pages of the knowledge base: an entry with what is known about it, and its history.

use crate::cache::Cache;
use crate::overlays::card::{card_lines, study_lines};
use crate::screens::knowledge::history;
use crate::shell::Shell;
use crate::theme::Role;
use crate::widgets::entry;
use crate::widgets::rich::{Rich, paragraph};
use pithead_core::domain::knowledge::Entry;
use pithead_core::knowledge::graph::Relation;
use pithead_world::ids::KnowledgeId;

/// An entry in full.
#[must_use]
pub fn entry_lines(id: KnowledgeId, shell: &Shell, cache: &Cache, width: usize) -> Vec<Rich> {
    let Some(known) = cache.entry(id) else {
        return gone();
    };
    let mut out = doubt_lines(id, cache, width);
    out.extend(standing_lines(known, cache, width));
    let head = out.len() + 1;
    out.extend(entry::entry_lines(known, width));
    out.splice(head..head, card_lines(known, shell, cache, width));
    study_lines(&mut out, &shell.knowledge.studies, known, width);
    if let Some(record) = cache.records.get(&id) {
        record.lines(&mut out, width);
    }
    let relations = cache.relations.as_ref().filter(|(of, _)| *of == id);
    tree(&mut out, relations.map(|(_, all)| all.as_slice()), width);
    if let Some(asked) = cache.decisions.about(id) {
        let words = format!(
            "asked at the gate of run {} as {}; blocks nothing",
            asked.run, asked.question.id
        );
        paragraph(&mut out, Rich::new(), Role::Faint, &words, width);
    }
    out
}

/// Why it does not act, if it does not.
fn standing_lines(entry: &Entry, cache: &Cache, width: usize) -> Vec<Rich> {
    let mut out = Vec::new();
    let known = cache.standing.as_ref().filter(|(of, _)| *of == entry.id);
    for reason in known.iter().flat_map(|(_, reasons)| reasons) {
        let lead = Rich::text(Role::Notice, "does not act  ");
        paragraph(&mut out, lead, Role::Text, &reason.text, width);
    }
    if !out.is_empty() {
        out.push(Rich::new());
    }
    out
}

/// Why the entry has to be reviewed, if it rests on a label that was overruled.
fn doubt_lines(id: KnowledgeId, cache: &Cache, width: usize) -> Vec<Rich> {
    let mut out = Vec::new();
    let Some(doubt) = cache.doubts.get(&id) else {
        return out;
    };
    let of = &doubt.overruled;
    let (was, label) = (of.was.name(), of.label.name());
    let words = format!(
        "It rests on attempt {} of run {}, which was {was}; {} overruled that to {label}: {}. \
         Edit or retire it, or approve it if it waits, and this mark goes.",
        of.attempt, of.run, of.by, of.reason
    );
    let lead = Rich::text(Role::Notice, "? review  ");
    paragraph(&mut out, lead, Role::Text, &words, width);
    out.push(Rich::new());
    out
}

/// The versions of an entry, and what the selected one changed.
#[must_use]
pub fn history_lines(id: KnowledgeId, at: usize, cache: &Cache, width: usize) -> Vec<Rich> {
    match cache.entry(id) {
        Some(known) => history::version_lines(known, at, cache.now, width),
        None => gone(),
    }
}

fn gone() -> Vec<Rich> {
    vec![Rich::text(Role::Faint, "It is no longer in the database.")]
}

/// `├ rests on` and below it what it rests on.
fn tree(out: &mut Vec<Rich>, relations: Option<&[Relation]>, width: usize) {
    crate::widgets::page::heading(out, "What depends on what");
    let Some(relations) = relations else {
        out.push(Rich::text(Role::Faint, "reading …"));
        return;
    };
    if relations.is_empty() {
        out.push(Rich::text(
            Role::Faint,
            "It has no evidence and is related to no other entry.",
        ));
    }
    for (at, relation) in relations.iter().enumerate() {
        let is_last = at + 1 == relations.len();
        let (branch, stem) = if is_last {
            ("└ ", "  ")
        } else {
            ("├ ", "│ ")
        };
        let name = Rich::text(Role::Border, branch).and(Role::Strong, relation.name);
        out.push(name.and(Role::Faint, format!(" · {}", relation.count)));
        let more = relation.count - relation.members.len();
        for (at, member) in relation.members.iter().enumerate() {
            let is_last = at + 1 == relation.members.len() && more == 0;
            let branch = if is_last { "└ " } else { "├ " };
            let line = Rich::text(Role::Border, format!("{stem}{branch}"))
                .and(Role::Key, format!("{:<8} ", member.id))
                .and(Role::Text, &member.text);
            out.push(line.cut(width));
        }
        if more > 0 {
            let line = Rich::text(Role::Border, format!("{stem}└ "));
            out.push(line.and(Role::Faint, format!("and {more} more")));
        }
    }
}
