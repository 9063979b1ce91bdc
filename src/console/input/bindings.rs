//! The command table: every command of the console, its name, its keys, where it works, its help.
//!
//! Footer, `?`, the palette and the table in docs/REFERENCE.md are made from these rows.
//! Invariant: a name stands once, and in one context a key stands in one row (tests).

use crate::effect::LeaveChoice;
use crate::input::keys::{Argument, Binding, Key, Scope};
use crate::msg::{CurateMsg as C, DebugMsg as D, Msg, ReplayMsg, TextMsg};
use crate::screen::Screen;
use crate::screens::knowledge::state::StudyKind;
use crate::triage::TriageKind;
use crate::widgets::scroll::Motion;
use ratatui::crossterm::event::KeyCode;

use Scope::{
    Asked, Choosing, Columns, Confirm, Decision, Editor, Entry, Everywhere, Forking, Form, History,
    Known, Leaving, List, Live, On, Pair, Pane, Reading, Replay, Ruling, Run, Typing,
};

use crate::screens::live::layout::Focus;

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
    name: &'static str,
    keys: &'static [Key],
    msg: Msg,
    short: &'static str,
    help: &'static str,
) -> Binding {
    Binding {
        scope,
        name,
        keys,
        msg,
        short,
        help,
        argument: None,
    }
}

/// A row whose name takes words behind it in the palette.
const fn with_argument(mut row: Binding, argument: Argument) -> Binding {
    row.argument = Some(argument);
    row
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

/// All of them. The order is that of the help page.
#[rustfmt::skip]
pub const ROWS: &[Binding] = &[
    row(Live, "pause", &[ch(' ')], Msg::PauseOrResume, "pause/resume", "pause or resume the run"),
    row(Live, "pause.soon", &[ch('s')], Msg::PauseSoon, "", "pause the run after the current step, or cancel that"),
    row(Live, "step", &[ch('n')], Msg::Step, "step", "run until the next frame, while paused"),
    row(Live, "slower", &[ch('[')], Msg::Slower, "", "slow the world down"),
    row(Live, "faster", &[ch(']')], Msg::Faster, "", "speed the world up"),
    row(Live, "abort", &[ch('A')], Msg::Abort, "abort", "end the run (asks first)"),
    row(Live, "command", &[ch('K')], Msg::Seat, "command", "ask for the right to command the run, or give it to the console that asks"),
    with_argument(row(Live, "act", &[ch('o')], Msg::TakeOver, "act", "order one action for the agent: act mine oak_log 3"), Argument::Action),
    with_argument(row(Live, "takeback", &[ch('z')], Msg::TakeBack, "", "withdraw the last unfinished operator action, otherwise undo a decision"), Argument::Steering),
    with_argument(row(Live, "limit", &[ch('L')], Msg::Limit, "", "set another limit for this run: limit ticks 24000"), Argument::Steering),
    with_argument(row(Live, "replan", &[ch('X')], Msg::Replan, "", "have the rest planned again, with a reason: replan the cave is flooded"), Argument::Steering),
    row(Live, "live.top", &[ch('g')], Msg::Move(Motion::Top), "", "to the first line"),
    row(Live, "live.bottom", &[ch('G')], Msg::Move(Motion::Bottom), "", "to the last line"),

    row(Replay, "play", &[ch(' ')], Msg::Replay(ReplayMsg::PlayOrPause), "play/stop", "play or stop the recording"),
    row(Replay, "forward", &[ch('n')], Msg::Replay(ReplayMsg::Forward), "forward", "one event forward"),
    row(Replay, "back", &[ch('p')], Msg::Replay(ReplayMsg::Back), "back", "one event back"),
    row(Replay, "landmark.next", &[ch('N')], Msg::Replay(ReplayMsg::NextLandmark), "next landmark", "to the next plan, attempt, failure or decision"),
    row(Replay, "landmark.previous", &[ch('P')], Msg::Replay(ReplayMsg::PreviousLandmark), "", "to the previous plan, attempt, failure or decision"),
    row(Replay, "play.slower", &[ch('[')], Msg::Replay(ReplayMsg::Slower), "", "play slower"),
    row(Replay, "play.faster", &[ch(']')], Msg::Replay(ReplayMsg::Faster), "", "play faster"),
    row(Replay, "jump", &[ch('J')], Msg::Jump, "jump", "jump to an event (120) or a tick (t3400)"),
    row(Replay, "start", &[ch('g')], Msg::Replay(ReplayMsg::Start), "", "to the start of the recording"),
    row(Replay, "end", &[ch('G')], Msg::Replay(ReplayMsg::End), "", "to the end of the recording"),

    row(Run, "pane.next", &[plain(KeyCode::Tab)], Msg::FocusNext, "panes", "to the next pane"),
    row(Run, "pane.previous", &[plain(KeyCode::BackTab)], Msg::FocusPrevious, "", "to the previous pane"),
    row(Run, "up", UP, Msg::Move(Motion::Up), "", "up"),
    row(Run, "down", DOWN, Msg::Move(Motion::Down), "", "down"),
    row(Run, "page.up", PAGE_UP, Msg::Move(Motion::PageUp), "", "one page up"),
    row(Run, "page.down", PAGE_DOWN, Msg::Move(Motion::PageDown), "", "one page down"),
    row(Run, "top", &[HOME], Msg::Move(Motion::Top), "", "to the first line"),
    row(Run, "bottom", &[END], Msg::Move(Motion::Bottom), "", "to the last line, and follow new ones"),
    row(Run, "open", &[ENTER], Msg::Open, "open", "open the selection"),
    row(Run, "leave", &[ESC], Msg::Back, "", "leave the full screen, then the filter; follow the run again"),
    row(Run, "zoom", &[ch('+')], Msg::Zoom, "full screen", "show this pane on the whole screen, or go back"),
    row(Run, "events", &[ch('/')], Msg::Filter, "filter", "show only events with a text, !text without it, /regex/, tick:>3000 or kind:failure"),
    row(Run, "view", &[ch('w')], Msg::Look, "view", "show or hide what the body sees"),
    row(Run, "pictures", &[ch('W')], Msg::NextPictures, "", "how to draw what the body sees: half-blocks, kitty, sixel"),
    row(Run, "why", &[ch('d')], Msg::Trace, "why", "the diagnosis in full, with every predicate"),
    row(Run, "mind", &[ch('m')], Msg::Mind, "mind", "the question to the mind that is under way, selected or newest: prompt, answer, costs"),
    row(Run, "costs", &[ch('$')], Msg::Costs, "", "what the mind has cost, by role, phase and model"),
    row(Run, "policy", &[ch('R')], Msg::Policy, "", "the policy file of the run: which steps and entries need a person"),
    row(Run, "question", &[ch('i')], Msg::Inbox, "question", "open the question that the run waits for, or the oldest"),
    with_argument(row(Run, "break", &[ch('b')], Msg::Debug(D::Break), "break", "set a breakpoint: phase, subgoal, reason, guardrail, check or tick (`:break reason NAV_STUCK`)"), Argument::Breakpoint),
    row(Run, "breaks", &[ch('B')], Msg::Debug(D::Breaks), "", "list the breakpoints, to turn them on and off"),

    row(List, "list.up", UP, Msg::Move(Motion::Up), "", "up"),
    row(List, "list.down", DOWN, Msg::Move(Motion::Down), "", "down"),
    row(List, "list.page.up", PAGE_UP, Msg::Move(Motion::PageUp), "", "one page up"),
    row(List, "list.page.down", PAGE_DOWN, Msg::Move(Motion::PageDown), "", "one page down"),
    row(List, "list.top", &[HOME, ch('g')], Msg::Move(Motion::Top), "", "to the first row"),
    row(List, "list.bottom", &[END, ch('G')], Msg::Move(Motion::Bottom), "", "to the last row"),
    row(List, "list.open", &[ENTER], Msg::Open, "open", "open the selected row"),
    row(List, "filter", &[ch('/')], Msg::Filter, "filter", "show only rows with a text, !text without it, /regex/, or column:text"),
    row(List, "sort", &[ch('s')], Msg::Sort, "sort", "sort by the next column"),
    row(List, "sort.reverse", &[ch('S')], Msg::SortReverse, "", "reverse the sort order"),
    row(List, "columns", &[ch('C')], Msg::Columns, "", "choose the columns and their order"),
    row(List, "views", &[ch('\'')], Msg::Views, "", "the saved views of this list: filter, order and columns under a name"),
    row(List, "view.save", &[ch('"')], Msg::SaveView, "", "save filter, order and columns of this list under a name"),
    row(List, "mark", &[ch('m'), ch(' ')], Msg::Mark, "mark", "mark or unmark the row"),
    row(List, "mark.range", &[ch('V')], Msg::MarkRange, "", "mark all rows from the last mark to this one"),
    row(List, "mark.all", &[ch('M')], Msg::MarkAll, "", "mark all visible rows, or none"),
    row(List, "list.leave", &[ESC], Msg::Back, "", "clear the filter, then the marks; then go back"),

    row(On(Screen::Knowledge), "knowledge.approve", &[ch('a')], Msg::Approve, "approve", "approve a proposed entry (opens it first)"),
    row(On(Screen::Knowledge), "knowledge.veto", &[ch('v')], Msg::Veto, "veto", "veto an entry, with a reason (opens it first)"),
    row(On(Screen::Knowledge), "knowledge.edit", &[ch('e')], Msg::Edit, "edit", "edit an entry (opens it first)"),
    row(On(Screen::Knowledge), "knowledge.retire", &[ch('x')], Msg::Curate(C::Retire), "", "retire an entry (opens it first)"),
    row(On(Screen::Knowledge), "knowledge.restore", &[ch('R')], Msg::Curate(C::Restore), "", "undo a veto, a retirement or a merge (opens it first)"),
    row(On(Screen::Knowledge), "knowledge.queue", &[ch('Q')], Msg::Curate(C::Queue), "queue", "duplicate and contradicting entries"),
    row(On(Screen::Knowledge), "knowledge.undo", &[ch('z')], Msg::Undo, "", "undo the last decision (says first what that does)"),
    row(On(Screen::Knowledge), "knowledge.lineage", &[ch('L')], Msg::Lineage, "lineage", "failures, this entry, the runs that it helped, blocked or hurt, overruled labels, what must be reviewed"),
    row(On(Screen::Knowledge), "knowledge.assign", &[ch('w')], Msg::Triage(TriageKind::Assign), "", "say who looks into what is marked or selected"),
    row(On(Screen::Knowledge), "knowledge.snooze", &[ch('Z')], Msg::Triage(TriageKind::Snooze), "", "move what is marked or selected to the end of the inbox for a time: 30m, 2h, 1d"),
    row(On(Screen::Knowledge), "knowledge.comment", &[ch('n')], Msg::Triage(TriageKind::Comment), "", "comment what is marked or selected, for all operators"),
    row(On(Screen::Queue), "queue.undo", &[ch('z')], Msg::Undo, "", "undo the last decision (says first what that does)"),
    row(On(Screen::Queue), "queue.lineage", &[ch('L')], Msg::Lineage, "lineage", "failures, this entry, the runs that it helped, blocked or hurt, overruled labels, what must be reviewed"),
    row(On(Screen::Options), "options.by", &[ch('w')], Msg::Circumstances, "circumstances", "show the circumstances too: biome, height, day or night, with arms, food, a bed or without; or hide them"),
    row(On(Screen::Options), "options.all", &[ch('a')], Msg::AllOptions, "all", "the options of all items"),
    row(On(Screen::Inbox), "inbox.undo", &[ch('z')], Msg::Undo, "", "undo the last decision (says first what that does)"),
    row(On(Screen::Inbox), "inbox.lineage", &[ch('L')], Msg::Lineage, "", "failures, this entry, the runs that it helped, blocked or hurt, overruled labels, what must be reviewed"),
    row(On(Screen::Inbox), "inbox.approve", &[ch('a')], Msg::Approve, "approve", "approve (opens the question first)"),
    row(On(Screen::Inbox), "inbox.edit", &[ch('e')], Msg::Edit, "edit", "edit (opens the question first)"),
    row(On(Screen::Inbox), "inbox.veto", &[ch('v')], Msg::Veto, "veto", "veto (opens the question first)"),
    row(On(Screen::Inbox), "inbox.alike", &[ch('=')], Msg::Alike, "alike", "mark all similar entries, to decide them together"),
    row(On(Screen::Inbox), "inbox.rule", &[ch('P')], Msg::Rule, "always …", "a rule for questions like this: once, in this run, always"),
    row(On(Screen::Inbox), "inbox.decided", &[ch('d')], Msg::Decided, "decided", "past decisions of all runs, which can be undone"),
    row(On(Screen::Inbox), "inbox.rules", &[ch('p')], Msg::Rules, "rules", "the rules about gates"),
    row(On(Screen::Inbox), "inbox.assign", &[ch('w')], Msg::Triage(TriageKind::Assign), "", "say who looks into what is marked or selected"),
    row(On(Screen::Inbox), "inbox.snooze", &[ch('Z')], Msg::Triage(TriageKind::Snooze), "", "move what is marked or selected to the end of the inbox for a time: 30m, 2h, 1d"),
    row(On(Screen::Inbox), "inbox.comment", &[ch('n')], Msg::Triage(TriageKind::Comment), "", "comment what is marked or selected, for all operators"),
    row(On(Screen::Decided), "decided.undo", &[ch('z')], Msg::Undo, "take back", "undo the decision (says first what that does)"),
    row(On(Screen::Decided), "decided.rules", &[ch('p')], Msg::Rules, "rules", "the rules about gates"),
    row(On(Screen::Rules), "rules.change", &[ch('P')], Msg::Rule, "change", "set another policy for this gate (shows the rule first)"),
    row(On(Screen::Rules), "rules.remove", &[ch('x')], Msg::Remove, "take off", "remove the saved rule (asks first)"),

    row(On(Screen::Debug), "debug.part.next", &[plain(KeyCode::Tab)], Msg::FocusNext, "parts", "to the next part"),
    row(On(Screen::Debug), "debug.part.previous", &[plain(KeyCode::BackTab)], Msg::FocusPrevious, "", "to the previous part"),
    row(On(Screen::Debug), "debug.left", &[LEFT, ch('h')], Msg::Move(Motion::Left), "", "one frame back; in the thresholds: lower it"),
    row(On(Screen::Debug), "debug.right", &[RIGHT, ch('l')], Msg::Move(Motion::Right), "frame", "one frame forward; in the thresholds: raise it"),
    row(On(Screen::Debug), "debug.leap.back", &[ch('[')], Msg::Debug(D::LeapBack), "", "ten frames back"),
    row(On(Screen::Debug), "debug.leap.on", &[ch(']')], Msg::Debug(D::LeapOn), "", "ten frames forward"),
    row(On(Screen::Debug), "debug.turn.back", &[ch('p')], Msg::Debug(D::TurnBack), "", "back to the frame at which a check, an action or a window changed"),
    row(On(Screen::Debug), "debug.turn.on", &[ch('n')], Msg::Debug(D::TurnOn), "next turn", "forward to the frame at which a check, an action or a window changes"),
    row(On(Screen::Debug), "debug.first", &[ch('0')], Msg::Debug(D::First), "", "to the first frame of the attempt"),
    row(On(Screen::Debug), "debug.last", &[ch('$')], Msg::Debug(D::Last), "", "to the last frame of the attempt"),
    row(On(Screen::Debug), "debug.zoom", &[ch('+')], Msg::Zoom, "", "show this part on the whole screen, or go back"),
    row(On(Screen::Debug), "debug.set", &[ch('=')], Msg::Debug(D::Set), "", "set a threshold to a value (nav_variance=0.5)"),
    row(On(Screen::Debug), "debug.reset", &[ch('-')], Msg::Debug(D::Reset), "", "reset all thresholds to those of the run"),
    row(On(Screen::Debug), "debug.relabel", &[ch('X')], Msg::Debug(D::Relabel), "", "what the moved thresholds would change in all runs: labels that flip, entries that rest on them"),
    row(On(Screen::Debug), "debug.overrule", &[ch('o')], Msg::Debug(D::Overrule), "overrule", "give the attempt another label, with a reason"),
    row(On(Screen::Debug), "debug.where", &[ch('f')], Msg::Debug(D::Where), "first where", "find the first tick at which a condition is true"),
    row(On(Screen::Debug), "debug.where.next", &[ch(';')], Msg::Debug(D::WhereNext), "", "find the next such tick, or the previous change of the value"),
    row(On(Screen::Debug), "debug.wrote", &[ch('a')], Msg::Debug(D::Wrote), "who wrote", "find the step that last changed a value"),
    row(On(Screen::Debug), "debug.side", &[ch('v')], Msg::Debug(D::Side), "side by side", "compare with the marked attempt, or with the previous one at the same step"),
    row(On(Screen::Debug), "debug.fork", &[ch('F')], Msg::Debug(D::Fork), "fork", "fork: a new run from here, with something changed"),
    row(On(Screen::Debug), "debug.lineage", &[ch('L')], Msg::Lineage, "lineage", "the entries that rest on the attempt, and what became of them"),
    row(On(Screen::Debug), "debug.bookmark", &[ch('w')], Msg::Debug(D::Bookmark), "", "bookmark this frame with a note"),
    row(On(Screen::Debug), "debug.bookmarks", &[ch('W')], Msg::Debug(D::Bookmarks), "", "the bookmarks of the run"),
    row(On(Screen::Debug), "debug.show", &[ch('J')], Msg::Debug(D::Show), "", "show this moment on the live screen (recordings)"),
    row(On(Screen::Debug), "debug.break", &[ch('b')], Msg::Debug(D::Break), "", "set a breakpoint: phase, subgoal, reason, guardrail, check or tick"),
    row(On(Screen::Debug), "debug.breaks", &[ch('B')], Msg::Debug(D::Breaks), "", "list the breakpoints, to turn them on and off"),

    row(On(Screen::Home), "home.continue", &[ch('r')], Msg::Continue, "continue", "resume a run that was left or killed"),
    row(On(Screen::Runs), "runs.continue", &[ch('r')], Msg::Continue, "continue", "resume a run that was left or killed"),

    row(On(Screen::Runs), "runs.compare", &[ch('v')], Msg::Compare, "side by side", "compare the marked runs: outcome, failures, entries used, costs"),
    row(On(Screen::Runs), "runs.causes", &[ch('f')], Msg::Causes, "failures", "why steps failed, in the marked runs or in all visible ones"),
    row(On(Screen::Runs), "runs.abort", &[ch('A')], Msg::AbortRuns, "", "end the marked runs, or the selected one, with a reason (says first what happens to each)"),
    row(On(Screen::Runs), "runs.resume", &[ch('R')], Msg::ResumeRuns, "", "resume the marked runs; those that were left get processes of their own (asks first)"),
    row(On(Screen::Runs), "runs.delete", &[ch('D')], Msg::Delete, "delete", "delete the marked runs, or the selected one (says first what is deleted and what stays)"),
    row(On(Screen::Runs), "runs.assign", &[ch('w')], Msg::Triage(TriageKind::Assign), "", "say who looks into what is marked or selected"),
    row(On(Screen::Runs), "runs.snooze", &[ch('Z')], Msg::Triage(TriageKind::Snooze), "", "move what is marked or selected to the end of the inbox for a time: 30m, 2h, 1d"),
    row(On(Screen::Runs), "runs.comment", &[ch('n')], Msg::Triage(TriageKind::Comment), "", "comment what is marked or selected, for all operators"),
    row(On(Screen::Failures), "failures.lineage", &[ch('L')], Msg::Lineage, "lineage", "the entries that rest on the attempt, and what became of them"),
    row(On(Screen::Failures), "failures.sheet", &[ch('d')], Msg::Sheet, "in full", "the whole table of steps by reasons"),
    row(On(Screen::Evaluate), "evaluate.sheet", &[ch('d')], Msg::Sheet, "in full", "the whole detail page: groups, curves, failures, the papers' figures"),

    row(Everywhere, "new", &[ctrl('r')], Msg::NewRun, "", "start a run: task, seed, mind, system, gates"),
    row(Everywhere, "go.home", &[ch('H')], Msg::Go(Screen::Home), "", "to the home screen: runs to start, resume or watch"),
    row(Everywhere, "go.live", &[ch('1')], Msg::Go(Screen::Live), "", "to the live screen of the run"),
    row(Everywhere, "go.inbox", &[ch('2')], Msg::Go(Screen::Inbox), "", "to the inbox of all runs"),
    row(Everywhere, "go.debug", &[ch('3')], Msg::Go(Screen::Debug), "", "to the attempts of the run, frame by frame"),
    row(Everywhere, "go.knowledge", &[ch('4')], Msg::Go(Screen::Knowledge), "", "to the knowledge base"),
    row(Everywhere, "go.runs", &[ch('5')], Msg::Go(Screen::Runs), "", "to all runs"),
    row(Everywhere, "go.evaluate", &[ch('6')], Msg::Go(Screen::Evaluate), "", "to the evaluations, running and finished"),
    row(Everywhere, "go.logs", &[ch('7')], Msg::Go(Screen::Logs), "", "to the program's log"),
    row(Everywhere, "history.back", &[ch('<'), plain(KeyCode::Backspace)], Msg::HistoryBack, "", "to the previous screen"),
    row(Everywhere, "history.forward", &[ch('>')], Msg::HistoryForward, "", "to the next screen"),
    row(Everywhere, "options", &[ch('O')], Msg::Options, "", "what was tried to get what is selected: an entry, an attempt or a step of a plan"),
    row(Everywhere, "palette", &[ch(':')], Msg::Palette, "commands", "find a command by its name; jump to a run, an entry or a theme"),
    row(Everywhere, "copy", &[ch('c')], Msg::Copy, "", "copy the selection to the clipboard"),
    row(Everywhere, "copy.moment", &[ch('@')], Msg::CopyMoment, "", "copy the command that opens this moment of the run"),
    row(Everywhere, "theme", &[ctrl('t')], Msg::NextTheme, "", "the next theme"),
    row(Everywhere, "mouse", &[ch('u')], Msg::Mouse, "", "mouse on or off; off lets the terminal select text"),
    row(Everywhere, "export", &[ch('E')], Msg::Export, "", "save this screen as text and as SVG"),
    row(Everywhere, "redraw", &[ctrl('l')], Msg::Redraw, "", "redraw the screen"),
    row(Everywhere, "suspend", &[ctrl('z')], Msg::Suspend, "", "suspend to the shell (fg returns)"),
    row(Everywhere, "keys", &[ch('?')], Msg::Help, "keys", "the keys that work here"),
    row(Everywhere, "quit", &[ch('q'), ctrl('c')], Msg::Quit, "quit", "leave the console"),

    with_argument(row(Pane(Focus::Plan), "retry", &[ch('r')], Msg::Retry, "try again", "try the selected step next, whatever its state"), Argument::Steering),
    row(Pane(Focus::Select), "select.this", &[ch('r')], Msg::Retry, "select this", "override the selector: try the selected step next"),
    row(Pane(Focus::Plan), "fold", &[LEFT, ch('h')], Msg::Fold, "", "fold the step"),
    row(Pane(Focus::Plan), "unfold", &[RIGHT, ch('l')], Msg::Unfold, "", "unfold the step"),
    row(Pane(Focus::Map), "map.west", &[LEFT, ch('h')], Msg::Move(Motion::Left), "", "move the map west"),
    row(Pane(Focus::Map), "map.east", &[RIGHT, ch('l')], Msg::Move(Motion::Right), "", "move the map east"),
    row(Pane(Focus::Inbox), "approve", &[ch('a')], Msg::Approve, "approve", "approve (opens the question first)"),
    row(Pane(Focus::Inbox), "edit", &[ch('e')], Msg::Edit, "edit", "edit (opens the question first)"),
    row(Pane(Focus::Inbox), "veto", &[ch('v')], Msg::Veto, "veto", "veto (opens the question first)"),

    row(Decision, "decide.approve", &[ch('a')], Msg::Approve, "approve", "approve it unchanged"),
    row(Decision, "decide.edit", &[ch('e')], Msg::Edit, "edit", "edit it, then approve the edited form"),
    row(Decision, "decide.veto", &[ch('v')], Msg::Veto, "veto", "veto it; asks for the reason, which the mind gets"),
    row(Decision, "decide.rule", &[ch('P')], Msg::Rule, "always …", "a rule for questions like this: once, in this run, always"),
    row(Entry, "entry.approve", &[ch('a')], Msg::Approve, "approve", "approve it, so that it acts"),
    row(Entry, "entry.edit", &[ch('e')], Msg::Edit, "edit", "edit it"),
    row(Entry, "entry.outside", &[ch('o')], Msg::Outside, "$EDITOR", "edit it in your own editor"),
    row(Entry, "entry.veto", &[ch('v')], Msg::Veto, "veto", "veto it for good; asks for the reason"),
    row(Entry, "entry.retire", &[ch('x')], Msg::Curate(C::Retire), "retire", "retire it; asks for the reason"),
    row(Entry, "entry.restore", &[ch('R')], Msg::Curate(C::Restore), "bring back", "undo a veto, a retirement or a merge; asks for the reason"),
    row(Entry, "entry.options", &[ch('O')], Msg::Options, "options", "what was tried to get the items that it is about"),
    row(Entry, "entry.lineage", &[ch('L')], Msg::Lineage, "lineage", "failures, this entry, the runs that it helped, blocked or hurt, overruled labels, what must be reviewed"),
    row(Known, "entry.backtest", &[ch('b')], Msg::Curate(C::Study(StudyKind::Backtest)), "backtest", "backtest it again: what it would have blocked of all recorded attempts; runs in the background"),
    row(Known, "entry.trial", &[ch('T')], Msg::Curate(C::Study(StudyKind::Trial)), "trial", "trial: twenty runs with and without it; runs in the background"),
    row(Known, "entry.evidence", &[ch('t')], Msg::Evidence, "evidence", "the newest attempt among its evidence, frame by frame"),
    row(Known, "entry.effect", &[ch('f')], Msg::Curate(C::Study(StudyKind::Effect)), "effect", "effect: how runs with it ended, compared with runs without it"),
    row(Known, "entry.history", &[ch('h')], Msg::Curate(C::History), "history", "its versions and what each changed; restore one"),
    row(History, "history.roll", &[ch('r')], Msg::Curate(C::RollBack), "roll back", "restore the content of the selected version; asks for the reason"),
    row(Pair, "pair.left", &[ch('<')], Msg::Curate(C::MergeLeft), "merge left", "merge the right entry into the left one; asks for the reason"),
    row(Pair, "pair.right", &[ch('>')], Msg::Curate(C::MergeRight), "merge right", "merge the left entry into the right one; asks for the reason"),
    row(Pair, "pair.keep", &[ch('=')], Msg::Curate(C::KeepBoth), "keep both", "keep both; asks for the reason"),
    row(Pair, "pair.retire.left", &[ch('x')], Msg::Curate(C::Retire), "retire left", "retire the left entry; asks for the reason"),
    row(Pair, "pair.retire.right", &[ch('X')], Msg::Curate(C::RetireRight), "retire right", "retire the right entry; asks for the reason"),
    row(Asked, "asked.before", &[LEFT, ch('h')], Msg::Move(Motion::Left), "before", "the question before this one"),
    row(Asked, "asked.after", &[RIGHT, ch('l')], Msg::Move(Motion::Right), "after", "the question after this one"),
    row(Reading, "read.up", UP, Msg::Move(Motion::Up), "", "up"),
    row(Reading, "read.down", DOWN, Msg::Move(Motion::Down), "scroll", "down"),
    row(Reading, "read.page.up", PAGE_UP, Msg::Move(Motion::PageUp), "", "one page up"),
    row(Reading, "read.page.down", &[plain(KeyCode::PageDown), ctrl('d'), ch(' ')], Msg::Move(Motion::PageDown), "page", "one page down"),
    row(Reading, "read.top", &[HOME, ch('g')], Msg::Move(Motion::Top), "", "to the beginning"),
    row(Reading, "read.bottom", &[END, ch('G')], Msg::Move(Motion::Bottom), "end", "to the end"),
    row(Reading, "read.open", &[ENTER], Msg::Open, "", "what an entry would have blocked, attempt by attempt; elsewhere close"),
    row(Reading, "close", &[ESC, ch('q'), ctrl('c')], Msg::Back, "close", "close"),
    row(Reading, "read.keys", &[ch('?')], Msg::Help, "", "the keys that work here"),
    row(Reading, "read.export", &[ch('E')], Msg::Export, "", "save this screen as text and as SVG"),
    row(Reading, "read.suspend", &[ctrl('z')], Msg::Suspend, "", "suspend to the shell (fg returns)"),

    row(Editor, "save", &[ctrl('s')], Msg::Submit, "save", "check and save the text; errors keep the editor open"),
    row(Editor, "editor.form", &[ctrl('t')], Msg::Text(TextMsg::SwitchForm), "JSON", "a plan as JSON, which says all of it, or as one step in each line"),
    row(Editor, "editor.undo", &[ctrl('u')], Msg::Text(TextMsg::Undo), "undo", "take the last change of the text back"),
    row(Editor, "editor.redo", &[ctrl('r')], Msg::Text(TextMsg::Redo), "", "make it again"),
    row(Editor, "editor.fault", &[ctrl('g')], Msg::Text(TextMsg::ToFault), "fault", "to where the fault is"),
    row(Editor, "editor.outside", &[ctrl('o')], Msg::Outside, "$EDITOR", "edit the text in your own editor (VISUAL, EDITOR, else vi)"),
    row(Editor, "editor.leave", &[ESC], Msg::Back, "leave", "leave without saving (asks once if the text was changed)"),
    row(Typing, "typing.take", &[ENTER], Msg::Submit, "done", "accept the text"),
    row(Typing, "typing.cancel", &[ESC, ctrl('c')], Msg::Back, "cancel", "cancel"),
    row(Typing, "typing.complete", &[plain(KeyCode::Tab)], Msg::FocusNext, "", "complete the word"),
    row(Typing, "typing.next", &[plain(KeyCode::Down), ctrl('n')], Msg::Move(Motion::Down), "", "the next of what is offered"),
    row(Typing, "typing.previous", &[plain(KeyCode::Up), ctrl('p')], Msg::Move(Motion::Up), "", "the previous of what is offered"),
    row(Form, "form.start", &[ENTER], Msg::Submit, "take/start", "choose the selected task; then start the run"),
    row(Form, "form.next", &[plain(KeyCode::Tab)], Msg::FocusNext, "next field", "to the next field"),
    row(Form, "form.previous", &[plain(KeyCode::BackTab)], Msg::FocusPrevious, "", "to the previous field"),
    row(Form, "form.up", &[plain(KeyCode::Up)], Msg::Move(Motion::Up), "", "the task or field above"),
    row(Form, "form.down", &[plain(KeyCode::Down)], Msg::Move(Motion::Down), "choose", "the task or field below"),
    row(Form, "form.less", &[LEFT], Msg::Move(Motion::Left), "", "the previous value of the field"),
    row(Form, "form.more", &[RIGHT], Msg::Move(Motion::Right), "change", "the next value of the field"),
    row(Form, "form.leave", &[ESC, ctrl('c')], Msg::Back, "leave", "leave without starting"),
    row(Columns, "columns.up", UP, Msg::Move(Motion::Up), "", "the column above"),
    row(Columns, "columns.down", DOWN, Msg::Move(Motion::Down), "", "the column below"),
    row(Columns, "columns.toggle", &[ch(' ')], Msg::Mark, "show/hide", "show or hide the column"),
    row(Columns, "columns.earlier", &[LEFT, ch('h')], Msg::Move(Motion::Left), "", "move the column to the left"),
    row(Columns, "columns.later", &[RIGHT, ch('l')], Msg::Move(Motion::Right), "move", "move the column to the right"),
    row(Columns, "columns.all", &[ch('x')], Msg::Remove, "as they were", "show all columns, in their default order"),
    row(Columns, "columns.keys", &[ch('?')], Msg::Help, "", "the keys that work here"),
    row(Columns, "columns.leave", &[ESC, ENTER, ch('q'), ctrl('c')], Msg::Back, "done", "close and keep the choice"),
    row(Ruling, "rule.up", UP, Msg::Move(Motion::Up), "", "the previous scope: once, this run, always"),
    row(Ruling, "rule.down", DOWN, Msg::Move(Motion::Down), "reach", "the next scope"),
    row(Ruling, "rule.less", &[LEFT, ch('h')], Msg::Move(Motion::Left), "", "the previous policy"),
    row(Ruling, "rule.more", &[RIGHT, ch('l')], Msg::Move(Motion::Right), "policy", "the next policy"),
    row(Ruling, "rule.yes", &[ch('y')], Msg::Yes, "save", "save the rule as it is shown"),
    row(Ruling, "rule.keys", &[ch('?')], Msg::Help, "", "the keys that work here"),
    row(Ruling, "rule.leave", &[ESC, ch('q'), ctrl('c')], Msg::Back, "leave", "leave without saving"),
    row(Leaving, "leave.running", &[ch('l'), ch('y'), ENTER], Msg::Leave(LeaveChoice::Running), "leave it running", "close the console; the run goes on in its own process"),
    row(Leaving, "leave.stopped", &[ch('s')], Msg::Leave(LeaveChoice::Stopped), "stop it", "stop the run where it is and close the console; `pithead resume` continues it"),
    row(Leaving, "leave.ended", &[ch('e')], Msg::Leave(LeaveChoice::Ended), "end it", "end the run as aborted and close the console"),
    row(Leaving, "leave.stay", &[ESC, ch('n'), ctrl('c')], Msg::Back, "stay", "stay in the console"),
    row(Confirm, "yes", &[ch('y')], Msg::Yes, "yes", "yes, do it"),
    row(Choosing, "choose.up", UP, Msg::Move(Motion::Up), "", "up"),
    row(Choosing, "choose.down", DOWN, Msg::Move(Motion::Down), "", "down"),
    row(Choosing, "choose.toggle", &[ch(' ')], Msg::Mark, "on/off", "turn it on or off"),
    row(Choosing, "choose.remove", &[ch('x')], Msg::Remove, "take off", "remove it from the list"),
    row(Choosing, "choose.open", &[ENTER], Msg::Open, "go there", "go there"),
    row(Choosing, "choose.keys", &[ch('?')], Msg::Help, "", "the keys that work here"),
    row(Choosing, "choose.leave", &[ESC, ch('q'), ctrl('c')], Msg::Back, "close", "close"),
    row(Forking, "fork.point", &[ch('m')], Msg::Debug(D::ForkPoint), "point", "fork before the attempt, or at the visible frame"),
    row(Forking, "fork.keep", &[ch('k')], Msg::Debug(D::ForkKeep), "decisions", "repeat the later decisions of this run, or ask again"),
    row(Forking, "fork.without", &[ch('w')], Msg::Debug(D::ForkWithout), "without", "leave out an entry of the knowledge base"),
    row(Forking, "fork.thresholds", &[ch('t')], Msg::Debug(D::ForkThresholds), "thresholds", "use the thresholds as changed here"),
    row(Forking, "fork.plan", &[ch('p')], Msg::Debug(D::ForkPlan), "plan", "edit the plan first"),
    row(Forking, "fork.yes", &[ch('y')], Msg::Yes, "fork", "create the fork and continue there"),
    row(Forking, "fork.keys", &[ch('?')], Msg::Help, "", "the keys that work here"),
    row(Forking, "fork.leave", &[ESC, ch('q'), ctrl('c')], Msg::Back, "leave", "leave without forking"),
    row(Confirm, "no", &[ESC, ch('n'), ctrl('c')], Msg::Back, "no", "no, go back"),
];
