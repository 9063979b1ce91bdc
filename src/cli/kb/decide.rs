//! `pithead kb approve | veto | edit`: answer for an entry that a run has left waiting at its gate.
//!
//! The headless twin of the console's inbox. Saying the same twice changes nothing the second time.

use super::super::options::Database;
use crate::app::{self, Exit, Fault, out};
use crate::clock::Clock;
use crate::config;
use crate::domain::command::Command;
use crate::domain::decision::Verdict;
use crate::domain::knowledge::{Body, Entry, Status};
use crate::headless::clean_lines;
use crate::ids::KnowledgeId;
use crate::journal::{Durability, Filter, Journal};
use crate::runtime::Parked;
use serde::Serialize;
use std::io::Read;
use std::path::PathBuf;

/// Longest body read from a file or from standard input.
const BODY_BYTES_MAX: u64 = 1 << 20;

#[derive(Debug, clap::Args)]
pub(crate) struct ApproveArgs {
    #[command(flatten)]
    which: Which,
}

#[derive(Debug, clap::Args)]
pub(crate) struct VetoArgs {
    #[command(flatten)]
    which: Which,
    /// Why; it stays with the entry
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct EditArgs {
    #[command(flatten)]
    which: Which,
    /// The new body as YAML or JSON; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    body: PathBuf,
}

#[derive(Debug, clap::Args)]
struct Which {
    /// The entry, as in `pithead kb list`
    #[arg(value_name = "ID")]
    entry: KnowledgeId,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// What is printed.
#[derive(Debug, Serialize)]
struct Answer {
    schema: u32,
    id: KnowledgeId,
    status: Status,
    /// False if it was so before.
    changed: bool,
}

fn reason(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("a veto needs a reason".to_owned()),
        text => Ok(text.to_owned()),
    }
}

pub(super) fn approve(args: &ApproveArgs) -> Result<Exit, Fault> {
    args.which.decide(Verdict::Approve)
}

pub(super) fn veto(args: &VetoArgs) -> Result<Exit, Fault> {
    let reason = args.reason.clone();
    args.which.decide(Verdict::Veto { reason })
}

pub(super) fn edit(args: &EditArgs) -> Result<Exit, Fault> {
    let mut text = String::new();
    let read = if args.body.as_os_str() == "-" {
        std::io::stdin()
            .take(BODY_BYTES_MAX)
            .read_to_string(&mut text)
    } else {
        std::fs::File::open(&args.body)
            .and_then(|file| file.take(BODY_BYTES_MAX).read_to_string(&mut text))
    };
    let place = args.body.display();
    read.map_err(|error| Fault::usage(format!("{place} cannot be read: {error}")))?;
    let body: Body = serde_saphyr::from_str(&text).map_err(|error| {
        let error = error.without_snippet().to_string();
        Fault::usage(format!("{place} is no body of an entry: {error}"))
    })?;
    args.which.decide(Verdict::EditKnowledge(body))
}

impl Which {
    fn decide(&self, verdict: Verdict) -> Result<Exit, Fault> {
        let entry = self.find(&self.database.look()?)?;
        if let Some(answer) = settled(&entry, &verdict)? {
            return self.tell(&answer);
        }
        let journal = self.database.open_lasting(Durability::Full)?;
        let mut run = Parked::open(entry.id.run, journal, Clock::System)?;
        let Some(decision) = run.question_about(entry.id) else {
            return Err(Fault::usage(format!(
                "no question about {} is open in run {}; it cannot be answered",
                entry.id, entry.id.run
            )));
        };
        run.tell(Command::Decide { decision, verdict }, config::operator())?
            .map_err(Fault::usage)?;
        drop(run);
        let entry = self.find(&self.database.look()?)?;
        self.tell(&answer(&entry, true))
    }

    fn find(&self, journal: &Journal) -> Result<Entry, Fault> {
        let all = journal.knowledge(Filter::default())?;
        let found = all.into_iter().find(|entry| entry.id == self.entry);
        found.ok_or_else(|| {
            Fault::usage(format!(
                "there is no entry {}; `pithead kb list` lists them",
                self.entry
            ))
        })
    }

    fn tell(&self, answer: &Answer) -> Result<Exit, Fault> {
        if self.json {
            out(&app::to_json(answer)?);
            return Ok(Exit::Done);
        }
        let (id, word) = (answer.id, answer.status.name());
        let before = if answer.changed { "" } else { " already" };
        out(&clean_lines(&format!("{id} is {word}{before}\n")));
        Ok(Exit::Done)
    }
}

/// The answer for an entry that does not wait any more; nothing if it waits.
fn settled(entry: &Entry, verdict: &Verdict) -> Result<Option<Answer>, Fault> {
    let is_so = match (entry.status, verdict) {
        (Status::Proposed, _) => return Ok(None),
        (Status::Active, Verdict::Approve) | (Status::Vetoed, Verdict::Veto { .. }) => true,
        (Status::Active, Verdict::EditKnowledge(body)) => entry.body == *body,
        _ => false, // the entry was decided otherwise
    };
    if is_so {
        return Ok(Some(answer(entry, false)));
    }
    Err(Fault::usage(format!(
        "{} is {} already; only what waits at its gate can be answered",
        entry.id,
        entry.status.name()
    )))
}

fn answer(entry: &Entry, changed: bool) -> Answer {
    Answer {
        schema: 1,
        id: entry.id,
        status: entry.status,
        changed,
    }
}
