//! `pithead status`: the live runs and what waits, in one look or in one short line for tmux and prompts.

use super::inbox::count_waiting;
use super::options::Database;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, text_table};
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::journal::JournalError;
use serde::Serialize;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// One short line, such as `▶2 ◆3`: live runs, and questions that wait; nothing if there is neither
    #[arg(long, conflicts_with = "json")]
    short: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// What goes on; the JSON form is stable.
#[derive(Debug, Default, Serialize)]
struct Status {
    schema: u32,
    live: Vec<LiveRun>,
    /// Runs that were left and can be resumed.
    left: usize,
    /// Questions and entries that wait for the operator.
    waiting: usize,
    /// Those of them that keep a run from going on.
    blocking: usize,
}

#[derive(Debug, Serialize)]
struct LiveRun {
    run: u64,
    task: String,
    /// `running`, `paused` or `waiting` for the operator.
    state: &'static str,
    ticks: u64,
    attempts: u64,
    failed_attempts: u64,
    waiting: usize,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let status = read(args)?;
    if args.short {
        let line = status.short();
        if !line.is_empty() {
            super::output::print_stdout(&line);
        }
        return Ok(ExitStatus::Done);
    }
    print_document(args.json, &status, Status::text)?;
    Ok(ExitStatus::Done)
}

fn read(args: &Args) -> Result<Status, CommandError> {
    let path = args.database.path()?;
    let journal = match pithead_engine::journal::Journal::look(&path) {
        Ok(journal) => journal,
        // A prompt asks before there is any run.
        Err(JournalError::Missing { .. }) => {
            return Ok(Status {
                schema: 1,
                ..Status::default()
            });
        }
        Err(error) => return Err(error.into()),
    };
    let runs = journal.runs()?;
    let waiting = count_waiting(&journal)?;
    let live = runs.iter().filter(|run| run.alive && run.ended.is_none());
    let live = live.map(|run| {
        let waits = waiting.iter().filter(|one| one.run == run.id);
        let blocks = waits.clone().any(|one| one.blocks_run);
        let state = match blocks {
            true => "waiting",
            false if journal.is_paused(run.id)? => "paused",
            false => "running",
        };
        Ok(LiveRun {
            run: run.id.0,
            task: run.task.clone(),
            state,
            ticks: run.ticks,
            attempts: run.attempts,
            failed_attempts: run.failed,
            waiting: waits.count(),
        })
    });
    let left = runs.iter().filter(|run| !run.alive && run.ended.is_none());
    Ok(Status {
        schema: 1,
        live: live.collect::<Result<_, JournalError>>()?,
        left: left.count(),
        waiting: waiting.len(),
        blocking: waiting.iter().filter(|one| one.blocks_run).count(),
    })
}

impl Status {
    /// Nothing to tell is an empty line: a status line stays as it was.
    fn short(&self) -> String {
        let parts = [('▶', self.live.len()), ('◆', self.waiting)];
        let parts = parts.iter().filter(|(_, n)| *n > 0);
        let parts: Vec<String> = parts.map(|(sign, n)| format!("{sign}{n}")).collect();
        parts.join(" ")
    }

    fn text(&self) -> String {
        let head = [
            ("RUN", Align::Right),
            ("STATE", Align::Left),
            ("TICKS", Align::Right),
            ("ATTEMPTS", Align::Right),
            ("FAILED", Align::Right),
            ("WAITING", Align::Right),
            ("TASK", Align::Left),
        ];
        let row = |run: &LiveRun| {
            vec![
                run.run.to_string(),
                run.state.to_owned(),
                run.ticks.to_string(),
                run.attempts.to_string(),
                run.failed_attempts.to_string(),
                run.waiting.to_string(),
                run.task.clone(),
            ]
        };
        let mut text = match self.live.is_empty() {
            true => "no run is live\n".to_owned(),
            false => text_table(&head, &self.live.iter().map(row).collect::<Vec<_>>()),
        };
        if self.left > 0 {
            let left = count_with_noun(self.left, "run was left", "runs were left");
            text += &format!("{left}; `pithead resume RUN` continues one\n");
        }
        if self.waiting > 0 {
            let waits = count_with_noun(self.waiting, "question waits", "questions wait");
            text += &format!("{waits} for you; `pithead inbox` lists what waits\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_line_tells_what_there_is_and_nothing_else() {
        let live = |run| LiveRun {
            run,
            task: "craft a stick".to_owned(),
            state: "running",
            ticks: 1,
            attempts: 1,
            failed_attempts: 0,
            waiting: 0,
        };
        let mut status = Status::default();
        assert_eq!(status.short(), "");
        status.waiting = 3;
        assert_eq!(status.short(), "◆3");
        status.live = vec![live(1), live(2)];
        assert_eq!(status.short(), "▶2 ◆3");
        assert!(status.text().contains("3 questions wait for you"));
    }
}
