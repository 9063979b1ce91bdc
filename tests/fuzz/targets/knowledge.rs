//! Knowledge in our own form (YAML): imports of files, and bodies that were edited.

use super::text;
use pithead_core::domain::knowledge::Entry;
use pithead_core::knowledge::exchange::{
    Draft, ExchangeFormat, ImportSource, arrive, own, read_source,
};
use pithead_core::knowledge::reading;
use pithead_core::text::clean::without_hidden;
use pithead_world::clock::Millis;
use pithead_world::ids::{KnowledgeId, RunId};

pub(crate) fn check(data: &[u8]) {
    let given = text(data);
    match read_source(ExchangeFormat::Own, &source("a.yaml", "", given)) {
        Ok(drafts) => check_drafts(drafts),
        Err(fault) => assert_eq!(without_hidden(&fault.message), fault.message),
    }
    if let Ok(body) = reading::body(given) {
        super::check_json(&body);
    }
}

pub(super) fn source(path: &str, folder: &str, text: &str) -> ImportSource {
    ImportSource {
        path: path.to_owned(),
        text: text.to_owned(),
        folder: folder.to_owned(),
        beside: Vec::new(),
    }
}

/// The entries that these become.
pub(super) fn entries(drafts: Vec<Draft>) -> Vec<Entry> {
    let id = |n| KnowledgeId { run: RunId(0), n };
    let each = (1..).zip(drafts);
    each.map(|(n, draft)| arrive(draft, id(n), Millis(n)))
        .collect()
}

/// What was imported holds nothing hidden, and an export of it is read back as it is.
pub(super) fn check_drafts(drafts: Vec<Draft>) {
    let entries = entries(drafts);
    let shown = serde_json::to_value(&entries).expect("entries are plain data");
    check_clean(&shown);
    let written = own::write(&entries).expect("entries can be written");
    let again = own::read_entries(&source("b.yaml", "", &written)).expect("an export can be read");
    assert_eq!(entries, again, "{written}");
}

fn check_clean(value: &serde_json::Value) {
    match value {
        serde_json::Value::String(text) => assert_eq!(without_hidden(text), *text),
        serde_json::Value::Array(items) => items.iter().for_each(check_clean),
        serde_json::Value::Object(fields) => fields.values().for_each(check_clean),
        _ => (),
    }
}
