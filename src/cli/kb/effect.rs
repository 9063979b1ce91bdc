//! `pithead kb effect`: how runs ended that had an entry, beside those that had not.

use super::find::{Chosen, find};
use crate::app::{self, Exit, Fault, out};
use pithead_core::text::clean::clean_lines;
use pithead_engine::journal::Filter;
use pithead_engine::runtime::effect::effect;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    chosen: Chosen,
}

pub(super) fn perform(args: &Args) -> Result<Exit, Fault> {
    let journal = args.chosen.database.look()?;
    let base = journal.knowledge(Filter::default())?;
    let entry = find(&base, &args.chosen.entry)?;
    let seen = effect(&journal, entry)?;
    out(&if args.chosen.json {
        app::to_json(&seen)?
    } else {
        let title = format!("{} · {}", entry.id, entry.title);
        clean_lines(&format!("{title}\n{}\n", seen.lines().join("\n")))
    });
    Ok(Exit::Done)
}
