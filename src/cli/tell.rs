//! `pithead tell`: pause, steer or end a run from another terminal, driven or left.
//!
//! The headless twin of what the console's keys and its palette tell a run.

use super::options::{Database, run_id};
use crate::app::{self, Exit, Fault, err, out};
use crate::clock::Clock;
use crate::config;
use crate::domain::steering;
use crate::headless::clean_lines;
use crate::ids::RunId;
use crate::runtime::tell::{Taken, TellError, Teller, tell};
use serde::Serialize;

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The run's number, as in `pithead runs`
    #[arg(value_parser = run_id)]
    run: RunId,
    /// What it is told, for example: limit ticks 24000
    #[arg(value_name = "WORDS", required = true)]
    words: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

const AFTER: &str = "A run can be told: pause, pause soon (after the step under way), resume, limit LIMIT VALUE \
(ticks, calls, tokens, money, attempts, seconds), retry STEP, withdraw STEP (an act), replan REASON, act WORDS, \
abort REASON. A run that nobody drives has it when it is gone on with.";

/// What came of it; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Report {
    schema: u32,
    run: RunId,
    told: String,
    /// None if it was refused.
    taken: Option<Taken>,
    because: Option<String>,
}

pub(crate) fn perform(args: &Args) -> Result<Exit, Fault> {
    let words = args.words.join(" ");
    let command = steering::read(&words).map_err(Fault::usage)?;
    // Looked for first: telling must not make a database.
    args.database.look()?.run(args.run)?;
    let (path, operator) = (args.database.path()?, config::operator());
    let teller = Teller {
        database: &path,
        operator: &operator,
        clock: &Clock::System,
    };
    let (taken, because) = match tell(&teller, args.run, command) {
        Ok(taken) => (Some(taken), None),
        Err(TellError::Refused(because)) => (None, Some(because)),
        Err(TellError::Open(error)) => return Err(error.into()),
    };
    let report = Report {
        schema: 1,
        run: args.run,
        told: words,
        taken,
        because,
    };
    if args.json {
        out(&app::to_json(&report)?);
    } else if let Some(because) = &report.because {
        err(&clean_lines(&format!(
            "run {} refused: {because}",
            args.run
        )));
    } else {
        out(&clean_lines(&report.text()));
    }
    Ok(match report.taken {
        Some(_) => Exit::Done,
        None => Exit::Unsuccessful,
    })
}

impl Report {
    fn text(&self) -> String {
        let what = match self.taken {
            Some(Taken::Left) => "nobody drives it; it holds when it is gone on with",
            Some(Taken::DriverSilent) => {
                "the process that drives it has it and has not answered yet"
            }
            Some(Taken::Driver) | None => "done",
        };
        format!("run {}, {}: {what}\n", self.run, self.told)
    }
}
