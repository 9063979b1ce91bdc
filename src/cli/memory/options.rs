//! `pithead memory options`: what the tries of each way to get something came to.

use super::SCHEMA;
use crate::cli::kb::find_entry;
use crate::cli::options::Database;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, text_table};
use pithead_core::domain::experience::option::OptionRecord;
use pithead_core::knowledge::targets::targets_of;
use pithead_engine::journal::EntryFilter;
use pithead_engine::runtime::option_table::{
    OptionRow, format_tries, read_options, rows_of_option,
};
use pithead_world::family::ItemSpec;
use serde::Serialize;

#[derive(Debug, clap::Args)]
pub(crate) struct OptionsArgs {
    /// Only ways to get this item or family
    target: Option<ItemSpec>,
    /// Only ways to get what this entry is about, as its steps and remedies name it
    #[arg(long, value_name = "ID", conflicts_with = "target")]
    entry: Option<String>,
    /// Show the circumstances too: biome, height, day or night, with or without arms, food and a bed
    #[arg(long)]
    by: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

#[derive(Serialize)]
struct Found {
    schema: u32,
    options: Vec<OptionRecord>,
}

pub(super) fn options(args: &OptionsArgs) -> Result<ExitStatus, CommandError> {
    let journal = args.database.open_read_only()?;
    let targets: Vec<ItemSpec> = match &args.entry {
        Some(given) => {
            let base = journal.knowledge(EntryFilter::default())?;
            let entry = find_entry(&base, given)?;
            let targets = targets_of(&entry.body);
            if targets.is_empty() {
                return Err(CommandError::usage(format!(
                    "{} is about no item",
                    entry.id
                )));
            }
            targets
        }
        None => args.target.into_iter().collect(),
    };
    let found = Found {
        schema: SCHEMA,
        options: read_options(&journal, &targets)?,
    };
    print_document(args.json, &found, |found| text(found, args.by))?;
    Ok(ExitStatus::Done)
}

fn text(found: &Found, by: bool) -> String {
    if found.options.is_empty() {
        return "nothing was tried\n".to_owned();
    }
    let head = [
        ("OPTION", Align::Left),
        ("TRIED", Align::Right),
        ("DONE", Align::Right),
        ("DIED", Align::Right),
        ("PIECES", Align::Right),
        ("TICKS A PIECE", Align::Right),
        ("95 % OF DONE WITHIN", Align::Right),
    ];
    let rows = found
        .options
        .iter()
        .flat_map(|record| rows_of_option(record, by));
    text_table(&head, &rows.map(|row| cells(&row)).collect::<Vec<_>>())
}

fn cells(row: &OptionRow) -> Vec<String> {
    let rounded = |ticks: Option<f64>, none: &str| {
        ticks.map_or_else(|| none.to_owned(), |ticks| format!("{ticks:.0}"))
    };
    let (name, no_time) = match &row.circumstance {
        Some(circumstance) => (format!("  {circumstance}"), ""),
        None => (row.key.to_string(), "-"),
    };
    let tries = &row.tries;
    vec![
        name,
        format_tries(tries.tried),
        format_tries(tries.done),
        format_tries(tries.died),
        format_tries(tries.pieces),
        rounded(row.ticks_a_piece(), "-"),
        rounded(row.within, no_time),
    ]
}
