//! Stored events: bodies of every kind, whole and damaged. The first byte chooses the kind.

use super::{choice, text};
use pithead_engine::journal::samples::every_kind;
use pithead_engine::journal::{parse_event, stored_form};
use std::sync::LazyLock;

/// Every kind with the version that is written now.
static KINDS: LazyLock<Vec<(&str, u32)>> = LazyLock::new(|| {
    let samples = every_kind(1);
    let forms = samples.iter().map(stored_form);
    forms.map(|(kind, version, _)| (kind, version)).collect()
});

pub(crate) fn check(data: &[u8]) {
    let (n, rest) = choice(data);
    let (kind, version) = KINDS[n % KINDS.len()];
    if let Ok(event) = parse_event(kind, version, text(rest)) {
        let (kind, version, body) = stored_form(&event);
        let again = parse_event(kind, version, &body).expect("what was stored can be read");
        assert_eq!(event, again, "{body}");
    }
}
