//! `pithead kb graph`: what an entry rests on, touches, and came from.

use super::find::{Chosen, find_entry};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, text_columns, to_json};
use pithead_core::knowledge::graph::{Member, Relation, relations};
use pithead_core::text::clean::clean_lines;
use pithead_engine::journal::EntryFilter;
use pithead_world::ids::KnowledgeId;
use serde::Serialize;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    chosen: Chosen,
}

/// What is shown; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Page {
    schema: u32,
    id: KnowledgeId,
    relations: Vec<Relation>,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let base = args
        .chosen
        .database
        .open_read_only()?
        .knowledge(EntryFilter::default())?;
    let entry = find_entry(&base, &args.chosen.entry)?;
    let relations = relations(entry, &base);
    if args.chosen.json {
        print_stdout(&to_json(&Page {
            schema: 1,
            id: entry.id,
            relations,
        })?);
        return Ok(ExitStatus::Done);
    }
    let mut text = format!("{} · {} · {}\n", entry.id, entry.body.kind(), entry.title);
    for relation in &relations {
        text += &format!("{} ({})\n", relation.name, relation.count);
        let row = |member: &Member| vec![String::new(), member.id.to_string(), member.text.clone()];
        let rows: Vec<Vec<String>> = relation.members.iter().map(row).collect();
        text += &text_columns(&rows);
    }
    print_stdout(&clean_lines(&text));
    Ok(ExitStatus::Done)
}
