//! `pithead blueprints`: what can be built by name, what it takes, and what is wrong with files of one's own.

use crate::cli::outcome::{CommandError, ExitStatus};
use crate::cli::output::{Align, print_document, text_table};
use pithead_core::text::clean::clean_lines;
use pithead_engine::config::blueprints;
use pithead_world::blueprint::{Blueprint, layers};
use serde::Serialize;
use std::collections::BTreeMap;

/// Raised when a field of the JSON output changes its meaning or goes away.
const SCHEMA: u32 = 1;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show one blueprint layer by layer
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Report {
    schema: u32,
    /// Where files of one's own are looked for.
    folder: Option<String>,
    blueprints: Vec<Row>,
    /// Files that hold no blueprint, and why.
    faults: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    about: String,
    /// Of the program, or a file of one's own.
    own: bool,
    blocks: usize,
    /// Width, height and depth.
    size: [i32; 3],
    material: BTreeMap<String, u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layers: Option<String>,
}

pub(crate) fn perform(args: &Args) -> Result<ExitStatus, CommandError> {
    let (own, faults): (Vec<_>, Vec<_>) = blueprints::own_blueprints()
        .into_iter()
        .partition(Result::is_ok);
    let own: Vec<Blueprint> = own.into_iter().flatten().collect();
    let faults: Vec<String> = faults
        .into_iter()
        .filter_map(|fault| fault.err().map(|fault| fault.to_string()))
        .collect();
    let is_wanted = |blueprint: &&Blueprint| {
        let name = args.name.as_deref();
        name.is_none_or(|name| name == blueprint.name.as_str())
    };
    let all = Blueprint::embedded().iter().chain(&own);
    let found: Vec<Row> = all
        .filter(is_wanted)
        .map(|blueprint| row(blueprint, own.contains(blueprint), args.name.is_some()))
        .collect();
    if let Some(name) = args.name.as_deref().filter(|_| found.is_empty()) {
        // A faulty file of that name says more than that there is none.
        let of_name = format!("{name}.toml");
        let fault = faults
            .iter()
            .find(|fault| fault.contains(&of_name))
            .cloned();
        return Err(CommandError::usage(
            fault.unwrap_or_else(|| Blueprint::unknown(name, &own).to_string()),
        ));
    }
    let report = Report {
        schema: SCHEMA,
        folder: blueprints::folder().map(|folder| folder.display().to_string()),
        blueprints: found,
        faults,
    };
    print_document(args.json, &report, text)?;
    Ok(if report.faults.is_empty() || args.name.is_some() {
        ExitStatus::Done
    } else {
        ExitStatus::Unsuccessful
    })
}

fn row(blueprint: &Blueprint, own: bool, whole: bool) -> Row {
    let material = blueprint.material().into_iter();
    Row {
        name: blueprint.name.to_string(),
        about: blueprint.about.clone(),
        own,
        blocks: blueprint.blocks.len(),
        size: blueprint.size(),
        material: material
            .map(|(item, count)| (item.to_string(), count))
            .collect(),
        layers: whole.then(|| layers::drawn(blueprint)),
    }
}

fn text(report: &Report) -> String {
    let rows: Vec<Vec<String>> = report.blueprints.iter().map(columns).collect();
    let head = [
        ("BLUEPRINT", Align::Left),
        ("TAKES", Align::Left),
        ("SIZE", Align::Left),
        ("WHAT IT IS", Align::Left),
        ("WHOSE", Align::Left),
    ];
    let mut text = text_table(&head, &rows);
    for row in &report.blueprints {
        if let Some(layers) = &row.layers {
            text += &format!("\n{layers}");
        }
    }
    for fault in &report.faults {
        text += &format!("✗ {fault}\n");
    }
    if let Some(folder) = report
        .folder
        .as_ref()
        .filter(|_| report.blueprints.iter().all(|row| row.layers.is_none()))
    {
        text += &format!(
            "\nYour own: one file NAME.toml for each in {folder}; docs/FORMATS.md has the format.\n"
        );
    }
    clean_lines(&text)
}

fn columns(row: &Row) -> Vec<String> {
    let material: Vec<String> = row
        .material
        .iter()
        .map(|(item, count)| format!("{count} {item}"))
        .collect();
    let [width, height, depth] = row.size;
    let whose = if row.own { "yours" } else { "the program's" };
    vec![
        row.name.clone(),
        material.join(", "),
        format!("{width} × {depth}, {height} high"),
        row.about.clone(),
        whose.to_owned(),
    ]
}
