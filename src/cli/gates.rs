//! `pithead gates`: the rules by which the operator is asked, where they are kept, and changes of them.
//!
//! The headless twin of the console's Rules screen.

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{print_stdout, to_json};
use crate::config;
use pithead_console::screens::inbox::rules;
use pithead_core::domain::run::decision::{GateKind, Gates};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Save a rule: KIND=auto, =ask, =ask:SECONDS:approve or =ask:SECONDS:veto
    #[arg(long, value_name = "KIND=POLICY", value_parser = super::options::gate)]
    set: Vec<(GateKind, pithead_core::domain::run::decision::Policy)>,
    /// Take the saved rule about a gate off
    #[arg(long, value_name = "KIND", value_parser = super::options::gate_kind)]
    remove: Vec<GateKind>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Listing {
    schema: u32,
    /// Where rules are saved.
    file: PathBuf,
    gates: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    gate: &'static str,
    policy: String,
    /// False if it is what the console does by itself.
    saved: bool,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let file = config::gates_file().ok_or_else(|| {
        CommandError::usage(
            "no home folder was found for the rules; name a file with PITHEAD_GATES",
        )
    })?;
    for (kind, policy) in &args.set {
        rules::save(&file, *kind, *policy).map_err(CommandError::usage)?;
    }
    for kind in &args.remove {
        rules::remove(&file, *kind).map_err(CommandError::usage)?;
    }
    let saved = rules::read(&file).map_err(CommandError::usage)?;
    let gates: Vec<Line> = GateKind::ALL
        .into_iter()
        .map(|kind| {
            let own = saved.0.get(&kind).copied();
            let policy = own.unwrap_or_else(|| Gates::console().of(kind));
            Line {
                gate: kind.name(),
                policy: policy.to_string(),
                saved: own.is_some(),
            }
        })
        .collect();
    let listing = Listing {
        schema: 1,
        file,
        gates,
    };
    if args.json {
        print_stdout(&to_json(&listing)?);
        return Ok(ExitStatus::Done);
    }
    let mut text = format!("saved rules: {}\n\n", listing.file.display());
    for line in &listing.gates {
        let saved = if line.saved { "saved" } else { "" };
        let row = format!("{:<16} {:<16} {saved}", line.gate, line.policy);
        text += row.trim_end();
        text.push('\n');
    }
    print_stdout(&text);
    Ok(ExitStatus::Done)
}
