//! The question whether a recorded run may have a file read that only its config names.
//!
//! Invariant: without a terminal nobody is asked, and nothing is read.

use super::options::Database;
use super::outcome::CommandError;
use super::output::{is_stderr_terminal, print_stderr};
use crate::config::consent::{Consent, named_file};
use pithead_core::domain::run::event::RunConfig;
use pithead_world::ids::RunId;
use std::io::{BufRead, IsTerminal};

/// A person's answer is shorter; what else comes through standard input is none.
const ANSWER_BYTES_MAX: u64 = 64;

#[derive(Debug, clap::Args)]
pub(crate) struct TrustRecorded {
    /// Read what the recorded run names as its mind (recorded:FILE) without asking. On a terminal the question
    /// is asked; elsewhere such a run is refused, because a database may come from someone else
    #[arg(long)]
    trust_recorded: bool,
}

impl TrustRecorded {
    /// Who vouches for what the run's config names; on a terminal the operator is asked.
    pub(crate) fn consent(
        &self,
        run: RunId,
        config: &RunConfig,
        database: &Database,
    ) -> Result<Consent, CommandError> {
        if self.trust_recorded {
            return Ok(Consent::Trusted);
        }
        let file = named_file(run, config).map_err(CommandError::unavailable)?;
        let Some(file) = file.filter(|_| std::io::stdin().is_terminal() && is_stderr_terminal())
        else {
            return Ok(Consent::Recorded(run));
        };
        print_stderr(&format!(
            "{file}. The database is {}. Allow it? [y/N]",
            database.path()?.display()
        ));
        let mut answer = String::new();
        let mut input = std::io::Read::take(std::io::stdin().lock(), ANSWER_BYTES_MAX);
        // What cannot be read is no consent.
        let _ = input.read_line(&mut answer);
        Ok(match answer.trim() {
            "y" | "Y" | "yes" => Consent::Allowed(file),
            _ => Consent::Recorded(run),
        })
    }
}
