//! `pithead kb export`: entries into a file of our own, or into folders of Agent Skills.

use super::super::options::Database;
use super::find::find_entry;
use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, to_json};
use pithead_core::domain::experience::shared_options::{ORIGINS_MAX, OptionsOfOrigin};
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::knowledge::exchange::{agent_skill, own};
use pithead_core::text::atomic_file::write_atomically;
use pithead_core::text::numbers::count_with_noun;
use pithead_core::text::untrusted_file::read_text;
use pithead_engine::journal::EntryFilter;
use pithead_world::ids::RunId;
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The entries' ids; without any, all entries of --status
    #[arg(value_name = "ID")]
    entries: Vec<String>,
    /// pithead (YAML, all fields) or agent-skill (a folder with a SKILL.md per entry)
    #[arg(long, value_name = "FORMAT", default_value = OWN, value_parser = [OWN, "agent-skill"])]
    format: String,
    /// The file, or the folder for agent-skill [default: YAML on standard output]
    #[arg(
        long,
        short,
        value_name = "PATH",
        required_if_eq("format", "agent-skill")
    )]
    out: Option<PathBuf>,
    /// Export entries of this status if no ids are given; `all` exports every entry
    #[arg(long, value_name = "STATUS", default_value = "active")]
    status: String,
    /// Leave out what was tried to get things (options), which a whole base takes with it in the format pithead
    #[arg(long)]
    no_options: bool,
    /// Say what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object about what was written
    #[arg(long, requires = "out")]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// The format that has a place for options.
const OWN: &str = "pithead";

/// What was written; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Page {
    schema: u32,
    entries: usize,
    /// Databases whose options go with them.
    options: usize,
    /// Files that were, or would be, new or changed.
    written: Vec<String>,
    changed: bool,
    dry_run: bool,
}

pub(super) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let chosen = chosen(args)?;
    let options = options(args)?;
    let files = if args.format == "agent-skill" {
        let folder = args.out.clone().unwrap_or_default();
        let each = chosen.iter().map(|entry| {
            let skill = agent_skill::write(entry).map_err(CommandError::unavailable)?;
            Ok((folder.join(skill.name).join(agent_skill::FILE), skill.text))
        });
        each.collect::<Result<Vec<_>, CommandError>>()?
    } else {
        let text = own::write_base(&chosen, &options).map_err(CommandError::unavailable)?;
        match &args.out {
            Some(path) => vec![(path.clone(), text)],
            None => {
                print_stdout(&text);
                return Ok(ExitStatus::Done);
            }
        }
    };
    let mut written = Vec::new();
    for (path, text) in &files {
        // An unchanged file keeps its time, so that build tools see no change.
        if read_text(path, text.len() as u64).is_ok_and(|there| there == *text) {
            continue;
        }
        if !args.dry_run {
            write(path, text)?;
        }
        written.push(path.display().to_string());
    }
    report(args, (chosen.len(), options.len()), written)
}

fn report(
    args: &Args,
    (entries, options): (usize, usize),
    written: Vec<String>,
) -> Result<ExitStatus, CommandError> {
    let page = Page {
        schema: 1,
        entries,
        options,
        changed: !written.is_empty(),
        written,
        dry_run: args.dry_run,
    };
    print_stdout(&if args.json {
        to_json(&page)?
    } else {
        let verb = if args.dry_run {
            "would be written"
        } else {
            "written"
        };
        let files: String = page
            .written
            .iter()
            .map(|path| format!("{path} {verb}\n"))
            .collect();
        format!(
            "{files}{}, {} {verb}\n",
            count_with_noun(entries, "entry", "entries"),
            count_with_noun(page.written.len(), "file", "files")
        )
    });
    Ok(ExitStatus::Done)
}

/// What was tried, for a file that holds a whole base.
fn options(args: &Args) -> Result<Vec<OptionsOfOrigin>, CommandError> {
    if args.no_options || !args.entries.is_empty() || args.format != OWN {
        return Ok(Vec::new());
    }
    let journal = args.database.open_read_only()?;
    let newest = journal.runs()?.iter().map(|run| run.id).max();
    let mut options = journal.options_by_origin(newest.unwrap_or(RunId(0)))?;
    options.truncate(ORIGINS_MAX);
    Ok(options)
}

fn chosen(args: &Args) -> Result<Vec<Entry>, CommandError> {
    let status: Option<Status> = match args.status.as_str() {
        "all" => None,
        name => Some(name.parse().map_err(CommandError::usage)?),
    };
    let base = args
        .database
        .open_read_only()?
        .knowledge(EntryFilter::default())?;
    if args.entries.is_empty() {
        let fits = |e: &Entry| status.is_none_or(|status| e.status == status);
        return Ok(base.into_iter().filter(fits).collect());
    }
    let named = args
        .entries
        .iter()
        .map(|given| find_entry(&base, given).cloned());
    named.collect()
}

/// Whole or not at all.
fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    let fault = |error: std::io::Error| {
        CommandError::unavailable(format!("could not write {}: {error}", path.display()))
    };
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(fault)?;
    }
    write_atomically(path, text.as_bytes()).map_err(fault)
}
