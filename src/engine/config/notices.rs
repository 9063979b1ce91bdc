//! Notices: how the operator is told that something waits: by the terminal, and by a command of their own.
//!
//! Invariant: the command is the operator's, from their own config file; nothing of a run becomes part of it
//! but as values of its environment.

use serde::Deserialize;

/// The longest time after which a command may be run, in seconds: a day.
const AFTER_S_MAX: u64 = 86_400;

/// What the config file says about notices.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NoticeSettings {
    pub terminal: TerminalNotice,
    /// A program and its arguments; run by the process that drives a run.
    pub command: Vec<String>,
    /// Seconds for which a question waits before the command is run.
    pub after_s: u64,
    /// Who is to answer if nobody has by then; empty for nobody.
    pub escalate_to: String,
    /// Seconds for which a question waits before it is assigned to them.
    pub escalate_after_s: u64,
}

/// What the console writes to its terminal when a question comes up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TerminalNotice {
    Off,
    #[default]
    Bell,
    /// A notification as iTerm2, kitty, `WezTerm` and Windows Terminal show it.
    Osc9,
    /// The same as urxvt, foot and Ghostty show it.
    Osc777,
}

impl NoticeSettings {
    /// The fault of the settings, if they have one.
    pub fn check(&self) -> Result<(), String> {
        if self.command.first().is_some_and(String::is_empty) {
            return Err("notices.command: the first word is the program and is empty".to_owned());
        }
        let spans = [
            ("after_s", self.after_s),
            ("escalate_after_s", self.escalate_after_s),
        ];
        for (name, seconds) in spans {
            if seconds > AFTER_S_MAX {
                return Err(format!(
                    "notices.{name} is {seconds}; it is at most {AFTER_S_MAX}, a day"
                ));
            }
        }
        if self.escalate_to.trim().is_empty() && self.escalate_after_s > 0 {
            return Err("notices.escalate_to: a second operator has a name".to_owned());
        }
        Ok(())
    }
}
