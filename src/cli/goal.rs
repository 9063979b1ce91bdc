//! Goals in free words on the command line: an interpretation beyond the plain reading is printed.

use crate::cli::outcome::CommandError;
use crate::cli::output::print_stderr;
use pithead_core::domain::run::budget::Budget;
use pithead_core::text::clean::clean_lines;
use pithead_engine::config::ConfigError;
use pithead_engine::launch::goal::{self, Understood};
use pithead_engine::mind::Mind;
use pithead_engine::suites::{self, SuiteTask};

/// The task that the words ask for, or the one of a published set that they name; `reader` makes the mind that is
/// asked where the plain reading fails.
pub(super) fn task_from_words(
    words: &str,
    mind: &str,
    budget: Budget,
    reader: impl FnOnce() -> Result<Box<dyn Mind>, ConfigError>,
) -> Result<Understood, CommandError> {
    if let Some(published) = published_task(words)? {
        return Ok(Understood {
            task: published.task(),
            events: Vec::new(),
        });
    }
    let understood = goal::task_from_words(words, mind, budget, reader)?;
    if let Some(note) = &understood.task.note {
        print_stderr(clean_lines(&format!("pithead: {note}")).trim_end());
    }
    Ok(understood)
}

/// The task of a published set, if that is what the words are.
pub(super) fn published_task(words: &str) -> Result<Option<&'static SuiteTask>, CommandError> {
    suites::task_of_id(words.trim()).map_err(CommandError::usage)
}
