//! The page of the Debug screen: a diagnosis with every input.

use crate::cache::Cache;
use crate::screens::debug::inspection::inspection;
use crate::screens::debug::state::DebugPage;
use crate::screens::debug::{relabel, tree};
use crate::shell::Shell;
use crate::theme::Role;
use crate::widgets::page::reading_area;
use crate::widgets::rich::{Rich, paragraph};

/// The lines of a page in full.
#[must_use]
pub fn page_lines(page: DebugPage, shell: &Shell, cache: &Cache) -> Vec<Rich> {
    let width = usize::from(reading_area(shell.size, 0).width);
    match page {
        DebugPage::Relabelled => relabel::lines(&shell.debug, &cache.debug, width),
        DebugPage::Trace => match inspection(shell, cache) {
            Some(inspection) => trace(&inspection, width),
            None => vec![Rich::text(Role::Faint, "reading …")],
        },
    }
}

/// Every predicate with its inputs.
fn trace(
    inspection: &crate::screens::debug::inspection::Inspection<'_>,
    width: usize,
) -> Vec<Rich> {
    let diagnosis = inspection.diagnosis;
    let label = tree::name(diagnosis.reason, diagnosis.success);
    let title = format!(
        "{} {} · {label}",
        inspection.case.row.id, inspection.case.row.words
    );
    let mut out = vec![Rich::text(Role::Strong, title).cut(width)];
    paragraph(&mut out, Rich::new(), Role::Text, &diagnosis.summary, width);
    for (n, step) in diagnosis.trace.iter().enumerate() {
        crate::widgets::diagnosis::predicate(&mut out, n + 1, step, width);
    }
    crate::widgets::page::heading(&mut out, "What was ordered");
    for (seq, words) in &inspection.case.deeds {
        let lead = Rich::text(Role::Faint, format!("event {seq}  "));
        paragraph(&mut out, lead, Role::Text, words, width);
    }
    out
}
