//! `pithead models`: servers, the models that they list, and what each supports. No model is asked anything.

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, text_table};
use crate::config::file;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::text::clean::clean_lines;
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::mind::llm::catalogue::{Catalogue, ListedModel, configured, local};
use serde::Serialize;

/// Raised when a field of the JSON output changes its meaning or goes away.
const SCHEMA: u32 = 1;
/// Models of one server that no role uses are shown up to this number, unless all are wanted.
const UNUSED_SHOWN: usize = 10;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show every model that a server lists; otherwise those that roles use, and ten others
    #[arg(long)]
    all: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is printed; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Report {
    schema: u32,
    config: String,
    /// In the config.
    servers: Vec<Catalogue>,
    /// On this machine and not in the config.
    found: Vec<Catalogue>,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let settings = file::settings().map_err(CommandError::unavailable)?.llm;
    let config = file::path().map_or("none".to_owned(), |path| path.display().to_string());
    let report = Report {
        schema: SCHEMA,
        config,
        servers: configured(&settings),
        found: local(&settings),
    };
    if report.servers.is_empty() && report.found.is_empty() && !args.json {
        return Err(CommandError::unavailable(format!(
            "no language model is configured in {}, and no server of models answers on this machine; \
             start one (docs/MODELS.md names some), or `pithead init` asks for a service",
            report.config
        )));
    }
    print_document(args.json, &report, |report| text(report, args.all))?;
    let fails = |server: &Catalogue| !server.listed;
    Ok(if report.servers.iter().any(fails) {
        ExitStatus::Unavailable
    } else {
        ExitStatus::Done
    })
}

fn text(report: &Report, all: bool) -> String {
    let mut text = format!("config  {}\n", report.config);
    for server in report.servers.iter().chain(&report.found) {
        text += &server_text(server, all);
    }
    if !report.found.is_empty() {
        text += "\n`pithead init` writes a first config with a server that was found.\n";
    }
    clean_lines(&text)
}

fn server_text(server: &Catalogue, all: bool) -> String {
    let mark = if server.listed { "✓" } else { "✗" };
    let name = match (&server.server, server.program) {
        (Some(name), _) => name.clone(),
        (None, Some(program)) => format!("{program}, not in the config,"),
        (None, None) => String::new(),
    };
    let said = match &server.because {
        Some(because) => because.clone(),
        None => format!(
            "{}, {} ms",
            count_with_noun(server.models.len(), "model", "models"),
            server.ms
        ),
    };
    let mut text = format!("\n{mark} {name} at {} ({said})\n", server.base_url);
    let unused = |model: &&ListedModel| model.roles.is_empty();
    let used = server.models.iter().filter(|model| !unused(model));
    let others: Vec<&ListedModel> = server.models.iter().filter(unused).collect();
    let shown = if all { others.len() } else { UNUSED_SHOWN };
    let rows: Vec<Vec<String>> = used
        .chain(others.iter().take(shown).copied())
        .map(row)
        .collect();
    if !rows.is_empty() {
        let head = [
            ("  MODEL", Align::Left),
            ("CONTEXT", Align::Right),
            ("ANSWERS", Align::Left),
            ("STREAMS", Align::Left),
            ("PRICE", Align::Right),
            ("ROLES", Align::Left),
        ];
        text += &text_table(&head, &rows);
    }
    if others.len() > shown {
        text += &format!("  and {} more (--all)\n", others.len() - shown);
    }
    text
}

fn row(model: &ListedModel) -> Vec<String> {
    let unknown = || "-".to_owned();
    let name = if model.served {
        format!("  {}", model.model)
    } else {
        format!("  {} (not listed)", model.model)
    };
    let support = model.support.as_ref();
    let roles = if model.roles.is_empty() {
        unknown()
    } else if model.roles.len() == MindRole::ALL.len() {
        "all".to_owned()
    } else {
        MindRole::list_names(model.roles.iter().copied())
    };
    vec![
        name,
        model.context.map_or_else(unknown, |n| n.to_string()),
        support.map_or_else(unknown, |known| known.form.to_owned()),
        support.map_or_else(unknown, |known| {
            if known.streams { "yes" } else { "no" }.to_owned()
        }),
        model.price.map_or_else(unknown, |price| {
            format!("{} in, {} out", price.input, price.output)
        }),
        roles,
    ]
}
