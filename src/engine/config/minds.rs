//! Minds by name: the builtin planner, the language models of the config, recorded answers.

use super::{ConfigError, file};
use crate::journal::{Journal, JournalError};
use crate::mind::Mind;
use crate::mind::builtin::Builtin;
use crate::mind::cassette::Cassette;
use crate::mind::llm::Llm;
use crate::mind::recorded::RecordedMind;
use crate::mind::spec::MindSpec;
use pithead_core::domain::mind::spending::MICROS;
use pithead_core::domain::run::budget::Budget;
use pithead_world::ids::RunId;
use std::ops::ControlFlow;

/// What a name stands for.
pub fn parse_mind(name: &str) -> Result<MindSpec, ConfigError> {
    Ok(name.parse::<MindSpec>()?)
}

/// The mind that a run names. `seed` is the run's, `system` chooses the prompts.
/// Built anew for each run: a mind keeps state of its run.
pub fn build_mind(
    name: &str,
    seed: u64,
    system: &str,
    journal: Option<&Journal>,
) -> Result<Box<dyn Mind>, ConfigError> {
    let missing = |because: String| ConfigError::NoMind {
        name: name.to_owned(),
        because,
    };
    Ok(match parse_mind(name)? {
        MindSpec::Builtin(level) => Box::new(Builtin::new(level, seed)),
        MindSpec::Llm(model) => {
            let settings = file::settings()?.llm;
            // Said here, as a model's name alone cannot tell what is missing.
            if settings.servers.is_empty() {
                let place = file::path().map_or("the config file".to_owned(), |path| {
                    path.display().to_string()
                });
                return Err(missing(format!(
                    "no server is configured; add one under [llm.servers] in {place} (see docs/MODELS.md)"
                )));
            }
            Box::new(Llm::new(settings, system, model.as_deref(), seed).map_err(missing)?)
        }
        MindSpec::Recorded(run) => {
            let because = || missing("it needs the database that holds that run".to_owned());
            // Recorded answers live in a database.
            let journal = journal.ok_or_else(because)?;
            let cassette =
                cassette_of_run(journal, run).map_err(|error| missing(error.to_string()))?;
            Box::new(RecordedMind::new(cassette, name))
        }
        MindSpec::Cassette(path) => {
            let cassette = Cassette::read(&path).map_err(|error| missing(error.to_string()))?;
            Box::new(RecordedMind::new(cassette, name))
        }
    })
}

/// The questions and answers of a recorded run.
pub fn cassette_of_run(journal: &Journal, run: RunId) -> Result<Cassette, JournalError> {
    let mut cassette = Cassette::default();
    journal.each_event(run, |fact| {
        cassette.apply(fact);
        Ok::<_, JournalError>(ControlFlow::Continue(()))
    })?;
    Ok(cassette)
}

/// The budget that the config gives runs with this mind; the builtin one costs nothing.
pub fn budget_of_mind(name: &str) -> Result<Budget, ConfigError> {
    // Ticks stay those of the default: they belong to the world.
    let mut budget = Budget::default();
    if let MindSpec::Llm(_) = parse_mind(name)? {
        let set = file::settings()?.llm.budget;
        budget.mind_calls = set.calls.unwrap_or(budget.mind_calls);
        budget.tokens = set.tokens;
        budget.micros = set.money.map(micros);
    }
    Ok(budget)
}

/// Money as it is typed, in millionths; never more than was typed.
#[must_use]
pub fn micros(money: f64) -> u64 {
    // Rounded down: a budget must never be more than was typed.
    (money * MICROS).floor().clamp(0.0, 1e18) as u64
}
