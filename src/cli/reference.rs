//! The commands and their options as Markdown, made from the parser itself.
//!
//! docs/REFERENCE.md holds this text, and a test holds it to the program.

use clap::{Arg, ArgAction};
use std::collections::BTreeMap;

/// An option with one help text in this many commands is described once, before the commands.
const SHARED_MIN: usize = 6;

/// Two commands may use one name with two meanings, so an option is known by both.
type Described = (String, String);

/// Every command with its arguments, in the order of `pithead --help`.
#[must_use]
pub fn commands_markdown() -> String {
    let mut root = super::command();
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
    let stop = if about.ends_with(['.', '?']) { "" } else { "." };
    let mut out = format!("\n### `{name}`\n\n{about}{stop}\n");
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

/// Positional arguments first, as they are typed.
fn visible(command: &clap::Command) -> impl Iterator<Item = &Arg> {
    let positional = command.get_positionals();
    let options = command.get_arguments().filter(|arg| !arg.is_positional());
    positional.chain(options).filter(|arg| {
        let is_claps_own = matches!(
            arg.get_action(),
            ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
        );
        !arg.is_hide_set() && !is_claps_own
    })
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
    if arg.get_action().takes_values() {
        let values = arg.get_possible_values();
        let values: Vec<&str> = values
            .iter()
            .map(clap::builder::PossibleValue::get_name)
            .collect();
        if !values.iter().all(|value| help.contains(value)) {
            help += &format!(" (one of {})", values.join(", "));
        }
        let defaults = arg.get_default_values().iter();
        let defaults: Vec<_> = defaults.map(|value| value.to_string_lossy()).collect();
        if defaults.iter().any(|value| !value.is_empty()) {
            help += &format!(" [default: {}]", defaults.join(", "));
        }
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

/// The text on one line, with nothing that ends a cell of a table or, outside of code, begins a tag.
fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let parts = line.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => part.replace('<', "\\<"),
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("`").replace('|', "\\|")
}
