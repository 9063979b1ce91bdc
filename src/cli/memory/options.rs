//! `pithead memory options`: what the tries of each way to get something came to.

use super::SCHEMA;
use crate::cli::options::Database;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, text_table};
use pithead_core::domain::experience::option::{Circumstance, OptionRecord, TriedOptions, Tries};
use pithead_core::domain::knowledge::pattern::overlaps;
use pithead_world::family::ItemSpec;
use pithead_world::ids::RunId;
use serde::Serialize;

#[derive(Debug, clap::Args)]
pub(crate) struct OptionsArgs {
    /// Only ways to get this item or family
    target: Option<ItemSpec>,
    /// Show the circumstances too: biome, height, day or night, armed or not
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
    // As the next run would be told.
    let last = journal.runs()?.iter().map(|run| run.id.0).max();
    let tried: TriedOptions = journal.tried_options(RunId(last.unwrap_or(0) + 1))?;
    let is_asked = |record: &&OptionRecord| {
        let asked = args.target;
        asked.is_none_or(|target| overlaps(record.key.target, target))
    };
    let found = Found {
        schema: SCHEMA,
        options: tried.iter().filter(is_asked).cloned().collect(),
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
    let mut rows = Vec::new();
    for record in &found.options {
        let within = record.ticks_a_piece(0.95);
        let within = within.map_or("-".to_owned(), |ticks| format!("{ticks:.0}"));
        rows.push(row(record.key.to_string(), &record.all, within));
        let shown = record
            .by
            .iter()
            .filter(|(circumstance, _)| by && !is_time(circumstance));
        rows.extend(
            shown.map(|(circumstance, tries)| {
                row(format!("  {circumstance}"), tries, String::new())
            }),
        );
    }
    text_table(&head, &rows)
}

fn is_time(circumstance: &Circumstance) -> bool {
    matches!(circumstance, Circumstance::Took(_))
}

fn row(name: String, tries: &Tries, within: String) -> Vec<String> {
    let Tries {
        tried,
        done,
        died,
        pieces,
        ticks,
    } = *tries;
    let a_piece = if pieces > 0.0 {
        format!("{:.0}", ticks / pieces)
    } else {
        "-".to_owned()
    };
    // Runs of long ago count for less, so counts may be broken.
    let count = |count: f64| {
        if count.fract() == 0.0 {
            format!("{count:.0}")
        } else {
            format!("{count:.1}")
        }
    };
    vec![
        name,
        count(tried),
        count(done),
        count(died),
        count(pieces),
        a_piece,
        within,
    ]
}
