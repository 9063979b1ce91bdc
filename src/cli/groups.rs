//! Groups: the commands by job, as `pithead --help` shows them.
//!
//! Invariant: every command that is not hidden is in one group (a test).

use clap::Command;

/// A job, and its commands in the order in which they are met.
const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Run and supervise",
        &[
            "run", "resume", "watch", "status", "inbox", "triage", "tell", "console", "plan", "acp",
        ],
    ),
    (
        "Look and debug",
        &["runs", "explain", "find", "fork", "replay", "play"],
    ),
    ("Knowledge", &["kb", "memory", "mcp"]),
    (
        "Experiments",
        &[
            "eval",
            "evals",
            "learn",
            "selector",
            "tasks",
            "blueprints",
            "world",
        ],
    ),
    (
        "Models",
        &["init", "models", "doctor", "prompt", "cassette"],
    ),
    (
        "Set-up and upkeep",
        &[
            "config",
            "bridge",
            "verify",
            "backup",
            "restore",
            "completions",
            "man",
        ],
    ),
];

/// The command with a help page that lists its commands by job.
pub(super) fn grouped(command: Command) -> Command {
    let mut list = String::new();
    for (job, names) in GROUPS {
        list += &format!("{job}:\n");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map_or(String::new(), ToString::to_string);
            list += &format!("  {name:<12} {about}\n");
        }
        list.push('\n');
    }
    command.help_template(format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}{{after-help}}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group_and_every_name_is_a_command() {
        let command = crate::cli::command();
        let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
        let mut shown: Vec<&str> = shown.map(Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        shown.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, shown);
    }

    #[test]
    fn help_lists_commands_below_their_jobs() {
        let help = crate::cli::command().render_help().to_string();
        let place = |word: &str| {
            help.find(word)
                .unwrap_or_else(|| panic!("{word} in\n{help}"))
        };
        assert!(place("Run and supervise:") < place("  resume "));
        assert!(place("  resume ") < place("Look and debug:"));
        assert!(place("Set-up and upkeep:") < place("Options:"));
        assert!(help.contains("--db"), "{help}");
    }
}
