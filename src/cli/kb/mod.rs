//! `pithead kb`: the knowledge base.

mod decide;

use super::options::Database;
use crate::app::{self, Exit, Fault, out};
use crate::domain::knowledge::Entry;
use crate::journal::Filter;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// List the entries
    List(ListArgs),
    /// Let an entry that waits at its gate act
    Approve(decide::ApproveArgs),
    /// Refuse an entry that waits at its gate, for good
    Veto(decide::VetoArgs),
    /// Let an entry that waits at its gate act in a changed form
    Edit(decide::EditArgs),
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
        Command::Approve(args) => decide::approve(args),
        Command::Veto(args) => decide::veto(args),
        Command::Edit(args) => decide::edit(args),
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
    let status = entry.status.name();
    let (id, kind, outcomes) = (entry.id.to_string(), entry.body.kind(), entry.outcomes);
    format!(
        "{id:<9} {kind:<15} {status:<10}{:>7}{:>9}  {}\n",
        outcomes.shown, outcomes.blocked, entry.title
    )
}
