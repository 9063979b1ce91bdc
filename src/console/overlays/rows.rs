//! Rows of lists in full.

use crate::cache::Cache;
use crate::screens::evaluate::pages;
use crate::screens::knowledge::pair;
use crate::screens::options::page::option_lines;
use crate::screens::runs::{comparison, heat};
use crate::theme::Role;
use crate::widgets::rich::{Rich, paragraph};
use crate::widgets::table::ListItem;

/// A row in full.
#[must_use]
pub fn row_lines(item: ListItem, cache: &Cache, width: usize) -> Vec<Rich> {
    let gone = || {
        vec![Rich::text(
            Role::Faint,
            "This is no longer in the database.",
        )]
    };
    match item {
        ListItem::Line(n) => match cache.line(n) {
            Some(line) => {
                let mut out = Vec::new();
                paragraph(&mut out, Rich::new(), Role::Text, &line.text, width);
                out
            }
            None => gone(),
        },
        ListItem::Failure(..) => match &cache.heat {
            Some((_, heat)) => heat::whole_heatmap(heat, width),
            None => gone(),
        },
        ListItem::Pair(one, other) => pair::pair_lines([one, other], cache, width),
        ListItem::Comparison => comparison::comparison_lines(cache.compared.as_ref(), width),
        ListItem::Evaluation(id) => match cache.evaluation(id) {
            Some(evaluation) => pages::evaluation_lines(evaluation, width),
            None => gone(),
        },
        ListItem::Episode(id) => match cache.episode(id) {
            Some(episode) => {
                let opened = cache.episodes.as_ref().map(|(id, _)| *id);
                let evaluation = opened.and_then(|id| cache.evaluation(id));
                let journal = evaluation.and_then(|evaluation| evaluation.journal.as_deref());
                pages::episode_lines(episode, journal, width)
            }
            None => gone(),
        },
        ListItem::Option(key, _) => option_lines(key, cache.options.as_ref(), width),
        // Runs are opened on their own screen; the inbox and the knowledge base have pages of their own.
        ListItem::Run(_)
        | ListItem::Attempt(_)
        | ListItem::Lineage(_)
        | ListItem::Fold(_)
        | ListItem::Task(_)
        | ListItem::New
        | ListItem::Group(_)
        | ListItem::Starter(_)
        | ListItem::Again(_)
        | ListItem::Entry(_)
        | ListItem::Question(..)
        | ListItem::Past(..)
        | ListItem::Rule(_) => Vec::new(),
    }
}
