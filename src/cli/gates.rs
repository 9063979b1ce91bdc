//! `pithead gates`: the saved rules about when the operator is asked.
//!
//! The headless twin of the console's Rules screen.

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, text_table};
use crate::config;
use pithead_core::domain::run::decision::{GateKind, Gates};
use pithead_engine::runtime::operator::rules::{read_rules, remove_rule, save_rule};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Save a rule: KIND=auto, =ask, =ask:SECONDS:approve or =ask:SECONDS:veto
    #[arg(long, value_name = "KIND=POLICY", value_parser = super::options::parse_gate_rule)]
    set: Vec<(GateKind, pithead_core::domain::run::decision::Policy)>,
    /// Remove the saved rule for a gate
    #[arg(long, value_name = "KIND", value_parser = super::options::parse_gate_kind)]
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
    /// False if it is the console's default.
    saved: bool,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let file = config::gates_file()
        .ok_or_else(|| CommandError::usage("no home folder was found for the rules"))?;
    for (kind, policy) in &args.set {
        save_rule(&file, *kind, *policy)?;
    }
    for kind in &args.remove {
        remove_rule(&file, *kind)?;
    }
    let saved = read_rules(&file)?;
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
    print_document(args.json, &listing, Listing::text)?;
    Ok(ExitStatus::Done)
}

impl Listing {
    fn text(&self) -> String {
        let row = |line: &Line| {
            let origin = if line.saved { "saved" } else { "default" };
            vec![line.gate.to_owned(), line.policy.clone(), origin.to_owned()]
        };
        let rows: Vec<_> = self.gates.iter().map(row).collect();
        let head = [
            ("GATE", Align::Left),
            ("POLICY", Align::Left),
            ("ORIGIN", Align::Left),
        ];
        format!(
            "saved rules: {}\n\n{}",
            self.file.display(),
            text_table(&head, &rows)
        )
    }
}
