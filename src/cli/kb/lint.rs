//! `pithead kb lint`: faults of an entry, of a file, or of the base as a whole.

use super::super::options::Database;
use super::change::remark_line;
use super::find::find_entry;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::print_document;
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::plan::note::Severity;
use pithead_core::knowledge::lint::Remark;
use pithead_core::knowledge::queue::{EntryPair, QueuedEntry, contradictions, duplicates, harmful};
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::journal::EntryFilter;
use pithead_engine::runtime::review::remarks;
use pithead_world::ids::KnowledgeId;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The entry; without one, all active and proposed entries and the queues
    #[arg(value_name = "ID", conflicts_with = "body")]
    entry: Option<String>,
    /// Check a body in a file instead, as for `pithead kb edit`; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    body: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// The findings; the JSON form is stable.
#[derive(Debug, Default, Serialize)]
struct Page {
    schema: u32,
    /// Entries with remarks.
    entries: Vec<Line>,
    duplicates: Vec<EntryPair>,
    contradictions: Vec<EntryPair>,
    harmful: Vec<QueuedEntry>,
    errors: usize,
    warnings: usize,
}

#[derive(Debug, Serialize)]
struct Line {
    /// None for a file.
    id: Option<KnowledgeId>,
    remarks: Vec<Remark>,
}

/// ExitStatus code 1 if there are errors.
pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let base = match (&args.body, args.database.open_read_only()) {
        // A file can be checked without a base.
        (Some(_), Err(_)) => Vec::new(),
        (_, journal) => journal?.knowledge(EntryFilter::default())?,
    };
    let mut page = Page {
        schema: 1,
        ..Page::default()
    };
    if let Some(path) = &args.body {
        let (body, text) = super::decide::read_body(path)?;
        page.add(None, remarks(&body, None, &base, Some(&text)));
    } else if let Some(given) = &args.entry {
        let entry = find_entry(&base, given)?;
        page.add(
            Some(entry.id),
            remarks(&entry.body, Some(entry.id), &base, None),
        );
    } else {
        let is_vetoed = |e: &&Entry| e.status == Status::Vetoed;
        let vetoed: Vec<Entry> = base.iter().filter(is_vetoed).cloned().collect();
        let living = base
            .iter()
            .filter(|e| matches!(e.status, Status::Active | Status::Proposed));
        for entry in living {
            // Pairs of living entries are in the queues below, each once.
            let found = remarks(&entry.body, Some(entry.id), &vetoed, None);
            page.add(Some(entry.id), found);
        }
        page.duplicates = duplicates(&base);
        page.contradictions = contradictions(&base);
        page.harmful = harmful(&base);
    }
    print_document(args.json, &page, |page| page.text())?;
    Ok(if page.errors > 0 {
        ExitStatus::Unsuccessful
    } else {
        ExitStatus::Done
    })
}

impl Page {
    fn add(&mut self, id: Option<KnowledgeId>, remarks: Vec<Remark>) {
        let errors = remarks
            .iter()
            .filter(|r| r.severity == Severity::Error)
            .count();
        self.errors += errors;
        self.warnings += remarks.len() - errors;
        if !remarks.is_empty() {
            self.entries.push(Line { id, remarks });
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.entries {
            let id = line.id.map_or(String::new(), |id| format!("{id} "));
            for remark in &line.remarks {
                text += &format!("{id}{}\n", remark_line(remark));
            }
        }
        for (name, pairs) in [
            ("duplicates", &self.duplicates),
            ("contradictions", &self.contradictions),
        ] {
            if !pairs.is_empty() {
                text += &format!("\n{name}\n");
            }
            for pair in pairs {
                text += &format!("  {} and {}: {}\n", pair.one, pair.other, pair.because);
            }
        }
        if !self.harmful.is_empty() {
            text += "\nharmful\n";
        }
        for entry in &self.harmful {
            text += &format!("  {}: {}\n", entry.id, entry.because);
        }
        let errors = count_with_noun(self.errors, "error", "errors");
        let warnings = count_with_noun(self.warnings, "warning", "warnings");
        text + &format!("{errors}, {warnings}\n")
    }
}
