//! Which commands print a table whose columns have names: these have `--columns`, the others refuse it.
//!
//! The option is one of the whole program, so that it stands before or after the command; it is told only where it
//! does something.

use clap::{ArgMatches, Command};

/// The option's name within the parser.
const COLUMNS: &str = "columns";

/// The commands, by the words that are typed.
const WITH_TABLE: [&str; 23] = [
    "blueprints",
    "causes",
    "config gates",
    "config keys",
    "config views",
    "evals",
    "gates",
    "inbox",
    "kb list",
    "keys",
    "memory options",
    "memory search",
    "models",
    "runs",
    "runs bookmarks",
    "runs causes",
    "runs list",
    "runs show",
    "selector eval",
    "show",
    "status",
    "tasks",
    "triage",
];

/// The whole command line, with the option in sight in the commands that print a table.
pub(super) fn with_columns(command: Command) -> Command {
    let option = command.get_arguments().find(|arg| arg.get_id() == COLUMNS);
    let Some(option) = option.cloned() else {
        return command;
    };
    // Not for the commands below: some of them print no table.
    let shown = option.hide(false).global(false);
    WITH_TABLE.iter().fold(command, |command, path| {
        let mut words = path.split(' ');
        let first = words.next().unwrap_or_default();
        command.mut_subcommand(first, |command| match words.next() {
            Some(second) => command.mut_subcommand(second, |below| below.arg(shown.clone())),
            None => command.arg(shown.clone()),
        })
    })
}

/// The words of the command that was typed.
pub(super) fn path_of(matches: &ArgMatches) -> String {
    let mut path = Vec::new();
    let mut at = matches;
    while let Some((name, below)) = at.subcommand() {
        path.push(name);
        at = below;
    }
    path.join(" ")
}

pub(super) fn has_table(path: &str) -> bool {
    WITH_TABLE.contains(&path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{command, parse};

    /// Whether the help of a command tells of the option.
    fn is_told(path: &str) -> bool {
        let mut root = command();
        root.build();
        let found = path.split(' ').fold(&root, |at, name| {
            at.find_subcommand(name)
                .unwrap_or_else(|| panic!("`{path}`"))
        });
        let told = |arg: &&clap::Arg| arg.get_id() == COLUMNS && !arg.is_hide_set();
        found.get_arguments().any(|arg| told(&arg))
    }

    #[test]
    fn columns_are_told_where_there_is_a_table_and_refused_elsewhere() {
        for path in WITH_TABLE {
            assert!(is_told(path), "{path}");
        }
        for path in ["acp", "mcp", "run", "kb show", "runs delete", "man"] {
            assert!(!is_told(path), "{path}");
        }
        for line in [
            "--columns run,task runs list",
            "runs --columns run list",
            "runs list --columns run",
            "show 1 --questions --columns call",
        ] {
            let (_, columns) = parse(std::iter::once("pithead").chain(line.split(' '))).unwrap();
            assert!(!columns.is_empty(), "{line}");
        }
        for line in ["acp --columns run", "--columns run kb show k1.1"] {
            let error = parse(std::iter::once("pithead").chain(line.split(' ')));
            let error = error.unwrap_err().to_string();
            assert!(error.contains("prints no table"), "{line}: {error}");
        }
    }
}
