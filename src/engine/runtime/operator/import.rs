//! Imports: entries of a file that the base does not say already are added and wait for approval.
//!
//! Invariant: entries with errors are refused before anything is written; what is written is whole, entry
//! by entry, so that an import that was killed continues when it is repeated.

use super::super::review;
use super::{Operator, OperatorError};
use crate::journal::{Added, EntryFilter, ImportedOptions, JournalError, KNOWLEDGE_LOG};
use pithead_core::domain::experience::shared_options::OptionsOfOrigin;
use pithead_core::domain::knowledge::Entry;
use pithead_core::knowledge::base_index::BaseIndex;
use pithead_core::knowledge::exchange::{Draft, arrive};
use pithead_core::knowledge::lint::Remark;
use pithead_core::text::signature::Signature;
use pithead_world::clock::Millis;
use pithead_world::ids::KnowledgeId;
use std::collections::HashMap;

/// What an import comes to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Import {
    /// Entries that are new to the base, with what lint has to say of each.
    pub new: Vec<(Entry, Vec<Remark>)>,
    /// Entries that say the same as one of the import.
    pub known: Vec<Entry>,
}

/// What an import would do to the base as it is now; there need not be a database yet.
pub fn preview_import(operator: &Operator, drafts: &[Draft]) -> Result<Import, OperatorError> {
    let base = match operator.look_journal() {
        Ok(journal) => journal.knowledge(EntryFilter::default())?,
        Err(JournalError::Missing { .. }) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    Ok(compare(drafts, &base, operator.clock.now()))
}

/// Adds what a preview found to be new. What another program has added in between is known by now.
pub fn carry_out_import(operator: &Operator, preview: Import) -> Result<Import, OperatorError> {
    let Import { new, known } = preview;
    let mut done = Import {
        new: Vec::with_capacity(new.len()),
        known,
    };
    let entries: Vec<Entry> = new.iter().map(|(entry, _)| entry.clone()).collect();
    let added = operator
        .open_journal()?
        .add_entries(operator.clock.now(), &entries)?;
    for ((entry, remarks), added) in new.into_iter().zip(added) {
        match added {
            Added::New(id) => done.new.push((Entry { id, ..entry }, remarks)),
            Added::Known(known) => done.known.push(*known),
        }
    }
    Ok(done)
}

/// Takes in what was tried in other databases; a dry run says what would be taken.
pub fn take_options(
    operator: &Operator,
    options: &[OptionsOfOrigin],
    source: &str,
    is_dry: bool,
) -> Result<ImportedOptions, OperatorError> {
    if is_dry {
        return match operator.look_journal() {
            Ok(journal) => Ok(journal.preview_options(options)?),
            Err(JournalError::Missing { .. }) => Ok(ImportedOptions {
                taken: options.len(),
                known: 0,
            }),
            Err(error) => Err(error.into()),
        };
    }
    let by = (source, operator.name.as_str());
    let now = operator.clock.now();
    Ok(operator.open_journal()?.import_options(now, options, by)?)
}

fn compare(drafts: &[Draft], base: &[Entry], now: Millis) -> Import {
    let index = BaseIndex::new(base);
    let of_log = base.iter().filter(|entry| entry.id.run == KNOWLEDGE_LOG);
    let mut last = of_log.map(|entry| entry.id.n).max().unwrap_or(0);
    let mut import = Import::default();
    // Entries of one import that say the same are listed once as new, then as known.
    let mut own: HashMap<(&str, Signature), usize> = HashMap::new();
    for draft in drafts {
        let key = (draft.body.kind(), draft.body.signature());
        let there = index.saying_the_same(&draft.body);
        let there = there.or_else(|| own.get(&key).map(|at| &import.new[*at].0));
        if let Some(there) = there {
            import.known.push(there.clone());
            continue;
        }
        last += 1;
        let id = KnowledgeId {
            run: KNOWLEDGE_LOG,
            n: last,
        };
        let entry = arrive(draft.clone(), id, now);
        let near = index.comparable(&entry.body);
        let remarks = review::remarks(&entry.body, Some(id), near, None);
        own.insert(key, import.new.len());
        import.new.push((entry, remarks));
    }
    import
}
