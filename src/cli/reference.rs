//! The commands and their options as Markdown, made from the parser itself.
//!
//! docs/REFERENCE.md holds this text, and a test holds it to the program.

use super::Cli;
use clap::{Arg, CommandFactory};
use std::collections::BTreeMap;

/// An option with one help text in this many commands is described once, before the commands.
const SHARED_MIN: usize = 8;

/// Two commands may use one name with two meanings, so an option is known by both.
type Described = (String, String);

/// Every command with its arguments, in the order of `pithead --help`.
#[must_use]
pub fn commands_markdown() -> String {
    let mut root = Cli::command();
    root.build();
    let mut commands = Vec::new();
    collect(&root, "pithead", &mut commands);
    let shared = shared_options(&commands);

    let mut out = "### Options of many commands\n\n".to_owned();
    out += &table(shared.keys());
    for (name, command) in &commands {
        out += &section(name, command, &shared);
    }
    out
}

/// The command and all below it that do something by themselves.
fn collect<'a>(
    command: &'a clap::Command,
    name: &str,
    into: &mut Vec<(String, &'a clap::Command)>,
) {
    if !command.is_subcommand_required_set() {
        into.push((name.to_owned(), command));
    }
    for below in command.get_subcommands() {
        if below.get_name() != "help" && !below.is_hide_set() {
            collect(below, &format!("{name} {}", below.get_name()), into);
        }
    }
}

fn shared_options(commands: &[(String, &clap::Command)]) -> BTreeMap<Described, usize> {
    let mut counts = BTreeMap::new();
    for (_, command) in commands {
        for option in visible(command).filter(|arg| !arg.is_positional()) {
            *counts.entry(described(option)).or_insert(0) += 1;
        }
    }
    counts.retain(|_, count| *count >= SHARED_MIN);
    counts
}

fn section(name: &str, command: &clap::Command, shared: &BTreeMap<Described, usize>) -> String {
    let about = command
        .get_about()
        .map_or(String::new(), ToString::to_string);
    let (also, own): (Vec<Described>, Vec<Described>) = visible(command)
        .map(described)
        .partition(|arg| shared.contains_key(arg));
    let mut out = format!("\n### `{name}`\n\n{about}.\n");
    if !own.is_empty() {
        out += &format!("\n{}", table(own.iter()));
    }
    if !also.is_empty() {
        let names: Vec<&str> = also
            .iter()
            .map(|(signature, _)| signature.as_str())
            .collect();
        out += &format!("\nAlso: {}\n", names.join(", "));
    }
    out
}

fn visible(command: &clap::Command) -> impl Iterator<Item = &Arg> {
    let own = ["help", "version"];
    command
        .get_arguments()
        .filter(move |arg| !arg.is_hide_set() && !own.contains(&arg.get_id().as_str()))
}

fn table<'a>(rows: impl Iterator<Item = &'a Described>) -> String {
    let rows = rows.map(|(signature, help)| format!("| {signature} | {help} |\n"));
    format!(
        "| Argument | Meaning |\n|---|---|\n{}",
        rows.collect::<String>()
    )
}

/// How the argument is typed, and what it means with its values and its default.
fn described(arg: &Arg) -> Described {
    let mut help = arg.get_help().map_or(String::new(), ToString::to_string);
    let values: Vec<String> = match arg.get_action().takes_values() {
        true => arg
            .get_possible_values()
            .iter()
            .map(|v| v.get_name().to_owned())
            .collect(),
        false => Vec::new(),
    };
    if !values.is_empty() {
        help += &format!(" (one of {})", values.join(", "));
    }
    let defaults: Vec<_> = arg
        .get_default_values()
        .iter()
        .map(|v| v.to_string_lossy())
        .collect();
    if arg.get_action().takes_values() && !defaults.is_empty() {
        help += &format!(" [default: {}]", defaults.join(", "));
    }
    (signature(arg), cell(&help))
}

fn signature(arg: &Arg) -> String {
    let names: Vec<String> = arg
        .get_value_names()
        .unwrap_or_default()
        .iter()
        .map(|name| format!("<{name}>"))
        .collect();
    let (values, more) = (
        names.join(" "),
        if arg
            .get_num_args()
            .is_some_and(|n| n.max_values() > names.len().max(1))
        {
            "…"
        } else {
            ""
        },
    );
    let typed = match (arg.get_short(), arg.get_long()) {
        (Some(short), Some(long)) => format!("-{short}, --{long}"),
        (Some(short), None) => format!("-{short}"),
        (None, Some(long)) => format!("--{long}"),
        (None, None) => return format!("`{values}{more}`"),
    };
    match arg.get_action().takes_values() {
        true => format!("`{typed} {values}{more}`"),
        false => format!("`{typed}`"),
    }
}

/// The text on one line, with nothing that ends a cell of a table or begins a tag.
fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace('|', "\\|").replace('<', "\\<")
}
