//! `pithead kb effect`: how runs ended that had an entry, compared with runs that did not.

use super::find::{Chosen, find_entry};
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, to_json};
use pithead_core::text::clean::clean_lines;
use pithead_engine::journal::EntryFilter;
use pithead_engine::runtime::effect::observe_effect;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    chosen: Chosen,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let journal = args.chosen.database.open_read_only()?;
    let base = journal.knowledge(EntryFilter::default())?;
    let entry = find_entry(&base, &args.chosen.entry)?;
    let seen = observe_effect(&journal, entry)?;
    print_stdout(&if args.chosen.json {
        to_json(&seen)?
    } else {
        let title = format!("{} · {}", entry.id, entry.title);
        clean_lines(&format!("{title}\n{}\n", seen.lines().join("\n")))
    });
    Ok(ExitStatus::Done)
}
