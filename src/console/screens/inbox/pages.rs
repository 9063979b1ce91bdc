//! The pages of the inbox: entries in full, one below the other, and what asks about each.

use crate::cache::Cache;
use crate::overlays::card::{card_lines, study_lines};
use crate::shell::Shell;
use crate::theme::Role;
use crate::widgets::entry;
use crate::widgets::page::heading;
use crate::widgets::rich::{Rich, paragraph};
use pithead_world::ids::KnowledgeId;

/// The lines of entries that wait for an answer.
#[must_use]
pub fn proposal_lines(
    ids: &[KnowledgeId],
    shell: &Shell,
    cache: &Cache,
    width: usize,
) -> Vec<Rich> {
    let mut out = Vec::new();
    for (n, id) in ids.iter().enumerate() {
        if ids.len() > 1 {
            let of = format!("{} of {} ", n + 1, ids.len());
            heading(&mut out, &of);
        }
        match cache.entry(*id) {
            Some(known) => {
                let head = out.len() + 1;
                out.extend(entry::entry_lines(known, width));
                out.splice(head..head, card_lines(known, shell, cache, width));
                study_lines(&mut out, &shell.knowledge.studies, known, width);
                let asked = cache.decisions.about(*id);
                let words = match asked {
                    Some(asked) => format!(
                        "asked at the gate of run {} as {}; blocks nothing",
                        asked.run, asked.question.id
                    ),
                    None => "waits in the knowledge base; no run asks about it".to_owned(),
                };
                paragraph(&mut out, Rich::new(), Role::Faint, &words, width);
            }
            None => out.push(Rich::text(Role::Faint, "It is no longer in the database.")),
        }
    }
    out
}
