//! `pithead kb`: the knowledge base.

use super::options::Database;
use crate::app::{self, Exit, Fault, out};
use crate::domain::knowledge::{Entry, Status};
use crate::journal::Filter;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// List the entries
    List(ListArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// Print a JSON array of whole entries
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

pub(crate) fn perform(command: &Command) -> Result<Exit, Fault> {
    match command {
        Command::List(args) => list(args),
    }
}

fn list(args: &ListArgs) -> Result<Exit, Fault> {
    let entries = args.database.look()?.knowledge(Filter::default())?;
    if args.json {
        out(&app::to_json(&entries)?);
        return Ok(Exit::Done);
    }
    let head = "ID        KIND            STATUS      SHOWN  BLOCKED  TITLE\n".to_owned();
    out(&entries.iter().map(row).fold(head, |text, row| text + &row));
    Ok(Exit::Done)
}

fn row(entry: &Entry) -> String {
    let status = match entry.status {
        Status::Proposed => "proposed",
        Status::Active => "active",
        Status::Superseded => "superseded",
        Status::Retired => "retired",
        Status::Vetoed => "vetoed",
    };
    let (id, kind, outcomes) = (entry.id.to_string(), entry.body.kind(), entry.outcomes);
    format!(
        "{id:<9} {kind:<15} {status:<10}{:>7}{:>9}  {}\n",
        outcomes.shown, outcomes.blocked, entry.title
    )
}
