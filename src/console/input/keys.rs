//! Keys: the command table, where its rows hold, and how keys are written.
//!
//! The rows are in `table`, the operator's changes to them in `keymap`.

use crate::input::bindings::ROWS;
use crate::msg::Msg;
use crate::screen::Screen;
use crate::screens::live::layout::Focus;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key as it is pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    pub code: KeyCode,
    pub ctrl: bool,
}

/// Where a row holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// On every screen, when nothing lies over it.
    Everywhere,
    /// On the screen of one run.
    Run,
    Live,
    Replay,
    Pane(Focus),
    /// On every screen that is a list.
    List,
    On(Screen),
    /// Any full-screen text.
    Reading,
    Decision,
    /// An entry of the knowledge base.
    Entry,
    /// An entry that is shown or selected: what looks into it.
    Known,
    /// The versions of an entry.
    History,
    /// Two entries side by side.
    Pair,
    /// A question to the mind.
    Asked,
    Editor,
    Typing,
    Confirm,
    /// A list with switches: breakpoints, bookmarks.
    Choosing,
    /// The form of a fork.
    Forking,
    /// The form for a new run.
    Form,
    /// The columns of a list.
    Columns,
    /// A rule about a gate, before it is saved.
    Ruling,
    /// What becomes of a run when the console is left.
    Leaving,
}

/// One row.
#[derive(Debug)]
pub struct Binding {
    pub scope: Scope,
    /// By which the palette finds it and the keymap changes it.
    pub name: &'static str,
    pub keys: &'static [Key],
    pub msg: Msg,
    /// One or two words for the footer; empty keeps it out of there.
    pub short: &'static str,
    pub help: &'static str,
    /// What may follow its name in the palette.
    pub argument: Option<Argument>,
}

/// What a command takes when it is typed in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// One subgoal: `act mine oak_log 3`.
    Action,
    /// What the run is told: `limit ticks 24000`, `replan the cave is flooded`.
    Steering,
    /// Where the run stops: `break reason NAV_STUCK`.
    Breakpoint,
}

/// Every combination of scopes that can hold at once.
#[must_use]
pub fn contexts() -> Vec<Vec<Scope>> {
    let mut all = vec![
        vec![Scope::Reading],
        vec![Scope::Decision, Scope::Known, Scope::Reading],
        vec![Scope::Entry, Scope::Known, Scope::Reading],
        vec![Scope::Known, Scope::Reading],
        vec![Scope::History, Scope::Reading],
        vec![Scope::Pair, Scope::Reading],
        vec![Scope::Asked, Scope::Reading],
        vec![Scope::Typing],
        vec![Scope::Editor],
        vec![Scope::Confirm],
        vec![Scope::Choosing],
        vec![Scope::Forking],
        vec![Scope::Form],
        vec![Scope::Columns],
        vec![Scope::Ruling],
        vec![Scope::Leaving],
    ];
    for focus in Focus::ALL.into_iter().chain(Focus::SWITCHED) {
        for mode in [Scope::Live, Scope::Replay] {
            all.push(vec![
                Scope::Pane(focus),
                mode,
                Scope::Run,
                Scope::Everywhere,
            ]);
        }
    }
    for screen in Screen::ALL {
        if screen != Screen::Live {
            all.push(list_scopes(screen));
        }
    }
    all
}

/// What holds on a screen that is a list.
#[must_use]
pub(crate) fn list_scopes(screen: Screen) -> Vec<Scope> {
    let mut scopes = vec![Scope::On(screen), Scope::List];
    if matches!(screen, Screen::Knowledge | Screen::Inbox | Screen::Home) {
        scopes.push(Scope::Known);
    }
    scopes.push(Scope::Everywhere);
    scopes
}

impl Key {
    #[must_use]
    pub fn from_event(event: &KeyEvent) -> Self {
        // Shift is in the character already; only some terminals report it besides.
        Self {
            code: event.code,
            ctrl: event.modifiers.contains(KeyModifiers::CONTROL),
        }
    }

    /// The key as help and footer write it.
    #[must_use]
    pub fn name(self) -> String {
        let name = match self.code {
            KeyCode::Char(' ') => "space".to_owned(),
            KeyCode::Char(c) => c.to_string(),
            KeyCode::Enter => "enter".to_owned(),
            KeyCode::Esc => "esc".to_owned(),
            KeyCode::Backspace => "backspace".to_owned(),
            KeyCode::Tab => "tab".to_owned(),
            KeyCode::BackTab => "shift-tab".to_owned(),
            KeyCode::Left => "←".to_owned(),
            KeyCode::Right => "→".to_owned(),
            KeyCode::Up => "↑".to_owned(),
            KeyCode::Down => "↓".to_owned(),
            KeyCode::PageUp => "pgup".to_owned(),
            KeyCode::PageDown => "pgdn".to_owned(),
            KeyCode::Home => "home".to_owned(),
            KeyCode::End => "end".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        };
        if self.ctrl {
            format!("ctrl-{name}")
        } else {
            name
        }
    }
}

impl std::str::FromStr for Key {
    type Err = String;

    /// A key as help writes it: `p`, `space`, `ctrl-n`, `pgup`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (ctrl, name) = match text.strip_prefix("ctrl-") {
            Some(name) => (true, name),
            None => (false, text),
        };
        let named = [
            KeyCode::Char(' '),
            KeyCode::Enter,
            KeyCode::Esc,
            KeyCode::Backspace,
            KeyCode::Tab,
            KeyCode::BackTab,
            KeyCode::Left,
            KeyCode::Right,
            KeyCode::Up,
            KeyCode::Down,
            KeyCode::PageUp,
            KeyCode::PageDown,
            KeyCode::Home,
            KeyCode::End,
        ];
        let functions = (1..=12).map(KeyCode::F);
        let mut known = named.into_iter().chain(functions);
        let found = known.find(|code| {
            Self {
                code: *code,
                ctrl: false,
            }
            .name()
                == name
        });
        let mut chars = name.chars();
        let code = match (found, chars.next(), chars.next()) {
            (Some(code), _, _) => code,
            (None, Some(c), None) if !c.is_control() => KeyCode::Char(c),
            _ => {
                return Err(format!(
                    "`{text}` is not a key; use a letter, space, enter, esc, tab, ↑, pgup, f1, ctrl-x, …"
                ));
            }
        };
        Ok(Self { code, ctrl })
    }
}

/// Keys side by side, for example `k ↑`.
#[must_use]
pub fn names(keys: &[Key]) -> String {
    let names: Vec<String> = keys.iter().map(|key| key.name()).collect();
    names.join(" ")
}

impl Scope {
    /// The heading of its rows.
    #[must_use]
    pub fn title(self) -> String {
        match self {
            Self::Everywhere => "Everywhere".to_owned(),
            Self::Run => "The run's screen".to_owned(),
            Self::List => "A list".to_owned(),
            Self::On(screen) => format!("The {} screen", screen.name()),
            Self::Live => "A live run".to_owned(),
            Self::Replay => "A recording".to_owned(),
            Self::Pane(focus) => format!("The {} pane", focus.name()),
            Self::Reading => "Reading".to_owned(),
            Self::Decision => "A decision".to_owned(),
            Self::Entry => "An entry".to_owned(),
            Self::Known => "Looking into an entry".to_owned(),
            Self::History => "The history of an entry".to_owned(),
            Self::Pair => "Two entries side by side".to_owned(),
            Self::Asked => "A question to the mind".to_owned(),
            Self::Editor => "The editor".to_owned(),
            Self::Typing => "A line of text".to_owned(),
            Self::Confirm => "A question".to_owned(),
            Self::Choosing => "A list with switches".to_owned(),
            Self::Forking => "The form of a fork".to_owned(),
            Self::Form => "A new run".to_owned(),
            Self::Columns => "The columns of a list".to_owned(),
            Self::Ruling => "A rule about a gate".to_owned(),
            Self::Leaving => "Leaving a run".to_owned(),
        }
    }
}

/// The table as Markdown, for docs/REFERENCE.md.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::new();
    let mut heading = None;
    for row in ROWS {
        if heading != Some(row.scope) {
            heading = Some(row.scope);
            out.push_str(&format!(
                "\n### {}\n\n| Key | Command | Does |\n|---|---|---|\n",
                row.scope.title()
            ));
        }
        let keys: Vec<String> = row
            .keys
            .iter()
            .map(|key| format!("`{}`", key.name()))
            .collect();
        out.push_str(&format!(
            "| {} | {} | {} |\n",
            keys.join(" "),
            row.name,
            row.help
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_reachable_and_has_help() {
        for row in ROWS {
            assert!(!row.help.is_empty() && !row.keys.is_empty());
            let mut all = contexts().into_iter();
            assert!(
                all.any(|context| context.contains(&row.scope)),
                "{}",
                row.name
            );
        }
    }

    #[test]
    fn no_two_commands_share_a_name() {
        let mut names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn a_key_reads_as_it_is_written() {
        for row in ROWS {
            for key in row.keys {
                assert_eq!(key.name().parse(), Ok(*key), "{}", row.name);
            }
        }
        assert!("hyper-x".parse::<Key>().is_err());
        assert!("".parse::<Key>().is_err());
    }

    #[test]
    fn what_ends_a_run_is_not_confirmed_by_its_own_key() {
        let of = |msg: Msg| ROWS.iter().find(|row| row.msg == msg).unwrap();
        let confirm = of(Msg::Yes);
        for row in [of(Msg::Abort), of(Msg::Quit)] {
            assert!(row.keys.iter().all(|key| !confirm.keys.contains(key)));
        }
    }

    #[test]
    fn the_table_prints_as_markdown() {
        let table = markdown();
        assert!(table.contains("### A live run") && table.contains("| `space` | pause |"));
    }
}
