//! The key table: every key of the console, where it works, what it does and its help.
//!
//! Footer, `?` and the table in docs/OPERATING.md are made from these rows.
//! Invariant: in one context a key stands in one row (a test).

use super::msg::{Motion, Msg, ReplayMsg};
use super::ui::{Focus, Overlay, Ui};
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
    Everywhere,
    Live,
    Replay,
    Pane(Focus),
    /// Any full-screen text.
    Reading,
    Decision,
    Editor,
    Typing,
    Confirm,
}

/// One row.
#[derive(Debug)]
pub struct Row {
    pub scope: Scope,
    pub keys: &'static [Key],
    pub msg: Msg,
    /// One or two words for the footer; empty keeps it out of there.
    pub short: &'static str,
    pub help: &'static str,
}

const fn plain(code: KeyCode) -> Key {
    Key { code, ctrl: false }
}

const fn ch(c: char) -> Key {
    plain(KeyCode::Char(c))
}

const fn ctrl(c: char) -> Key {
    Key {
        code: KeyCode::Char(c),
        ctrl: true,
    }
}

const fn row(
    scope: Scope,
    keys: &'static [Key],
    msg: Msg,
    short: &'static str,
    help: &'static str,
) -> Row {
    Row {
        scope,
        keys,
        msg,
        short,
        help,
    }
}

const ENTER: Key = plain(KeyCode::Enter);
const ESC: Key = plain(KeyCode::Esc);
const LEFT: Key = plain(KeyCode::Left);
const RIGHT: Key = plain(KeyCode::Right);
const UP: &[Key] = &[ch('k'), plain(KeyCode::Up)];
const DOWN: &[Key] = &[ch('j'), plain(KeyCode::Down)];
const PAGE_UP: &[Key] = &[plain(KeyCode::PageUp), ctrl('u')];
const PAGE_DOWN: &[Key] = &[plain(KeyCode::PageDown), ctrl('d')];
const HOME: Key = plain(KeyCode::Home);
const END: Key = plain(KeyCode::End);

use Scope::{Confirm, Decision, Editor, Everywhere, Live, Pane, Reading, Replay, Typing};

/// All of them. The order is that of the help page.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    row(Live, &[ch(' ')], Msg::PauseOrResume, "pause/resume", "pause the run, or let it go on"),
    row(Live, &[ch('n')], Msg::Step, "step", "let a paused run go on to its next frame"),
    row(Live, &[ch('[')], Msg::Slower, "", "let the world pass slower"),
    row(Live, &[ch(']')], Msg::Faster, "", "let the world pass faster"),
    row(Live, &[ch('A')], Msg::Abort, "abort", "end the run (asks first)"),
    row(Live, &[ch('g')], Msg::Move(Motion::Top), "", "to the first line"),
    row(Live, &[ch('G')], Msg::Move(Motion::Bottom), "", "to the last line"),

    row(Replay, &[ch(' ')], Msg::Replay(ReplayMsg::PlayOrPause), "play/stop", "play the recording, or stop"),
    row(Replay, &[ch('n')], Msg::Replay(ReplayMsg::Forward), "forward", "one event forward"),
    row(Replay, &[ch('p')], Msg::Replay(ReplayMsg::Back), "back", "one event back"),
    row(Replay, &[ch('N')], Msg::Replay(ReplayMsg::NextLandmark), "next landmark", "to the next plan, attempt, failure or decision"),
    row(Replay, &[ch('P')], Msg::Replay(ReplayMsg::PreviousLandmark), "", "to the plan, attempt, failure or decision before"),
    row(Replay, &[ch('[')], Msg::Replay(ReplayMsg::Slower), "", "play slower"),
    row(Replay, &[ch(']')], Msg::Replay(ReplayMsg::Faster), "", "play faster"),
    row(Replay, &[ch(':')], Msg::Jump, "jump", "jump to an event (120) or a tick (t3400)"),
    row(Replay, &[ch('g')], Msg::Replay(ReplayMsg::Start), "", "to the start of the recording"),
    row(Replay, &[ch('G')], Msg::Replay(ReplayMsg::End), "", "to the end of the recording"),

    row(Everywhere, &[plain(KeyCode::Tab)], Msg::FocusNext, "panes", "to the next pane"),
    row(Everywhere, &[plain(KeyCode::BackTab)], Msg::FocusPrevious, "", "to the pane before"),
    row(Everywhere, &[ch('1')], Msg::Focus(Focus::Plan), "", "to the plan"),
    row(Everywhere, &[ch('2')], Msg::Focus(Focus::Monitor), "", "to the monitors"),
    row(Everywhere, &[ch('3')], Msg::Focus(Focus::Diagnosis), "", "to the diagnosis"),
    row(Everywhere, &[ch('4')], Msg::Focus(Focus::Inbox), "", "to the inbox"),
    row(Everywhere, &[ch('5')], Msg::Focus(Focus::Map), "", "to the map"),
    row(Everywhere, &[ch('6')], Msg::Focus(Focus::Knowledge), "", "to the knowledge in use"),
    row(Everywhere, &[ch('7')], Msg::Focus(Focus::Timeline), "", "to the events"),
    row(Everywhere, UP, Msg::Move(Motion::Up), "", "up"),
    row(Everywhere, DOWN, Msg::Move(Motion::Down), "", "down"),
    row(Everywhere, PAGE_UP, Msg::Move(Motion::PageUp), "", "a page up"),
    row(Everywhere, PAGE_DOWN, Msg::Move(Motion::PageDown), "", "a page down"),
    row(Everywhere, &[HOME], Msg::Move(Motion::Top), "", "to the first line"),
    row(Everywhere, &[END], Msg::Move(Motion::Bottom), "", "to the last line; follow what is new"),
    row(Everywhere, &[ENTER], Msg::Open, "open", "open what is selected"),
    row(Everywhere, &[ESC], Msg::Back, "", "back: leave the full screen, follow the run again"),
    row(Everywhere, &[ch('+')], Msg::Zoom, "full screen", "this pane on the whole screen, or back"),
    row(Everywhere, &[ch('w')], Msg::Look, "view", "what the body sees, or hide it again"),
    row(Everywhere, &[ch('i')], Msg::Inbox, "inbox", "open the question that the run waits on, or the oldest"),
    row(Everywhere, &[ch('d')], Msg::Trace, "why", "the diagnosis in full, with every predicate"),
    row(Everywhere, &[ch('$')], Msg::Costs, "", "what the mind has cost, by role, phase and model"),
    row(Everywhere, &[ctrl('l')], Msg::Redraw, "", "draw the screen anew"),
    row(Everywhere, &[ctrl('z')], Msg::Suspend, "", "suspend to the shell (fg comes back)"),
    row(Everywhere, &[ch('?')], Msg::Help, "keys", "the keys that work here"),
    row(Everywhere, &[ch('q'), ctrl('c')], Msg::Quit, "quit", "leave the console"),

    row(Pane(Focus::Plan), &[LEFT, ch('h')], Msg::Fold, "", "fold the node"),
    row(Pane(Focus::Plan), &[RIGHT, ch('l')], Msg::Unfold, "", "unfold the node"),
    row(Pane(Focus::Map), &[LEFT, ch('h')], Msg::Move(Motion::Left), "", "move the map west"),
    row(Pane(Focus::Map), &[RIGHT, ch('l')], Msg::Move(Motion::Right), "", "move the map east"),
    row(Pane(Focus::Inbox), &[ch('a')], Msg::Approve, "approve", "approve (opens the question first)"),
    row(Pane(Focus::Inbox), &[ch('e')], Msg::Edit, "edit", "edit (opens the question first)"),
    row(Pane(Focus::Inbox), &[ch('v')], Msg::Veto, "veto", "veto (opens the question first)"),

    row(Decision, &[ch('a')], Msg::Approve, "approve", "approve it as it stands"),
    row(Decision, &[ch('e')], Msg::Edit, "edit", "change it, then approve it in the changed form"),
    row(Decision, &[ch('v')], Msg::Veto, "veto", "veto it; asks for the reason, which the mind is told"),
    row(Reading, UP, Msg::Move(Motion::Up), "", "up"),
    row(Reading, DOWN, Msg::Move(Motion::Down), "scroll", "down"),
    row(Reading, PAGE_UP, Msg::Move(Motion::PageUp), "", "a page up"),
    row(Reading, &[plain(KeyCode::PageDown), ctrl('d'), ch(' ')], Msg::Move(Motion::PageDown), "page", "a page down"),
    row(Reading, &[HOME, ch('g')], Msg::Move(Motion::Top), "", "to the beginning"),
    row(Reading, &[END, ch('G')], Msg::Move(Motion::Bottom), "end", "to the end"),
    row(Reading, &[ESC, ch('q'), ENTER, ctrl('c')], Msg::Back, "close", "close"),
    row(Reading, &[ctrl('z')], Msg::Suspend, "", "suspend to the shell (fg comes back)"),

    row(Editor, &[ctrl('s')], Msg::Submit, "save", "check the text and decide with it; faults keep the editor open"),
    row(Editor, &[ESC], Msg::Back, "leave", "leave without saving (asks once if the text was changed)"),
    row(Typing, &[ENTER], Msg::Submit, "done", "take the text"),
    row(Typing, &[ESC, ctrl('c')], Msg::Back, "cancel", "leave without doing anything"),
    row(Confirm, &[ch('y')], Msg::Yes, "yes", "yes, do it"),
    row(Confirm, &[ESC, ch('n'), ctrl('c')], Msg::Back, "no", "no, go back"),
];

/// The scopes that hold now, nearest first.
#[must_use]
pub fn scopes(ui: &Ui) -> Vec<Scope> {
    match &ui.overlay {
        Overlay::None => {
            vec![
                Pane(ui.focus),
                if ui.is_replay() { Replay } else { Live },
                Everywhere,
            ]
        }
        Overlay::Help { .. } | Overlay::Page { .. } => vec![Reading],
        Overlay::Decision { .. } => vec![Decision, Reading],
        Overlay::Veto { .. } | Overlay::Jump { .. } => vec![Typing],
        Overlay::Editor(_) => vec![Editor],
        Overlay::Confirm(_) => vec![Confirm],
    }
}

/// The rows of these scopes, in the order of the scopes.
pub fn rows_in(scopes: &[Scope]) -> impl Iterator<Item = &'static Row> {
    scopes
        .iter()
        .flat_map(|scope| ROWS.iter().filter(move |row| row.scope == *scope))
}

/// What a key press means now.
#[must_use]
pub fn lookup(ui: &Ui, event: &KeyEvent) -> Option<Msg> {
    let key = Key::of(event);
    rows_in(&scopes(ui))
        .find(|row| row.keys.contains(&key))
        .map(|row| row.msg)
}

impl Key {
    #[must_use]
    pub fn of(event: &KeyEvent) -> Self {
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

/// All keys of a row, for example `k ↑`.
#[must_use]
pub fn names(row: &Row) -> String {
    let names: Vec<String> = row.keys.iter().map(|key| key.name()).collect();
    names.join(" ")
}

impl Scope {
    /// The heading of its rows.
    #[must_use]
    pub fn title(self) -> String {
        match self {
            Self::Everywhere => "Everywhere".to_owned(),
            Self::Live => "A live run".to_owned(),
            Self::Replay => "A recording".to_owned(),
            Self::Pane(focus) => format!("The {} pane", focus.name()),
            Self::Reading => "Reading".to_owned(),
            Self::Decision => "A decision".to_owned(),
            Self::Editor => "The editor".to_owned(),
            Self::Typing => "A line of text".to_owned(),
            Self::Confirm => "A question".to_owned(),
        }
    }
}

/// The table as Markdown, for docs/OPERATING.md.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::new();
    let mut heading = None;
    for row in ROWS {
        if heading != Some(row.scope) {
            heading = Some(row.scope);
            out.push_str(&format!(
                "\n### {}\n\n| Key | Does |\n|---|---|\n",
                row.scope.title()
            ));
        }
        let keys: Vec<String> = row
            .keys
            .iter()
            .map(|key| format!("`{}`", key.name()))
            .collect();
        out.push_str(&format!("| {} | {} |\n", keys.join(" "), row.help));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contexts() -> Vec<Vec<Scope>> {
        let mut all = vec![
            vec![Reading],
            vec![Decision, Reading],
            vec![Typing],
            vec![Editor],
        ];
        all.push(vec![Confirm]);
        for focus in Focus::ALL {
            all.push(vec![Pane(focus), Live, Everywhere]);
            all.push(vec![Pane(focus), Replay, Everywhere]);
        }
        all
    }

    #[test]
    fn a_key_stands_in_one_row_of_each_context() {
        for context in contexts() {
            let mut seen: Vec<(Key, &str)> = Vec::new();
            for row in rows_in(&context) {
                for key in row.keys {
                    let other = seen.iter().find(|(k, _)| k == key);
                    assert_eq!(
                        other,
                        None,
                        "{} is also `{}` in {context:?}",
                        key.name(),
                        row.help
                    );
                    seen.push((*key, row.help));
                }
            }
        }
    }

    #[test]
    fn every_row_is_reachable_and_has_help() {
        for row in ROWS {
            assert!(!row.help.is_empty() && !row.keys.is_empty());
            assert!(
                contexts()
                    .iter()
                    .any(|context| context.contains(&row.scope)),
                "{}",
                row.help
            );
        }
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
        assert!(table.contains("### A live run") && table.contains("| `space` | pause the run"));
    }
}
