//! The command table: every command of the console, its name, its keys, where it works, its help.
//!
//! Footer, `?`, the palette and the table in docs/REFERENCE.md are made from these rows.
//! Invariant: a name stands once, and in one context a key stands in one row (tests).

use crate::input::keys::{Binding, Key, Scope};
use crate::msg::{CurateMsg as C, DebugMsg as D, Msg, ReplayMsg};
use crate::screen::Screen;
use crate::screens::knowledge::state::StudyKind;
use crate::widgets::scroll::Motion;
use ratatui::crossterm::event::KeyCode;

use Scope::{
    Choosing, Columns, Confirm, Decision, Editor, Entry, Everywhere, Forking, Form, History, List,
    Live, On, Pair, Pane, Reading, Replay, Ruling, Run, Typing,
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

/// All of them. The order is that of the help page.
#[rustfmt::skip]
pub const ROWS: &[Binding] = &[
    row(Live, "pause", &[ch(' ')], Msg::PauseOrResume, "pause/resume", "pause the run, or let it go on"),
    row(Live, "pause.soon", &[ch('s')], Msg::PauseSoon, "", "pause the run when the step under way has ended, or take that back"),
    row(Live, "step", &[ch('n')], Msg::Step, "step", "let a paused run go on to its next frame"),
    row(Live, "slower", &[ch('[')], Msg::Slower, "", "let the world pass slower"),
    row(Live, "faster", &[ch(']')], Msg::Faster, "", "let the world pass faster"),
    row(Live, "abort", &[ch('A')], Msg::Abort, "abort", "end the run (asks first)"),
    row(Live, "act", &[ch('o')], Msg::TakeOver, "act", "act for the agent for one subgoal: act mine oak_log 3"),
    row(Live, "takeback", &[ch('z')], Msg::TakeBack, "", "take back the last act that is not done; else what was decided"),
    row(Live, "limit", &[ch('L')], Msg::Limit, "", "another limit for this run: limit ticks 24000"),
    row(Live, "replan", &[ch('X')], Msg::Replan, "", "have the rest planned anew, for a reason: replan the cave is flooded"),
    row(Live, "live.top", &[ch('g')], Msg::Move(Motion::Top), "", "to the first line"),
    row(Live, "live.bottom", &[ch('G')], Msg::Move(Motion::Bottom), "", "to the last line"),

    row(Replay, "play", &[ch(' ')], Msg::Replay(ReplayMsg::PlayOrPause), "play/stop", "play the recording, or stop"),
    row(Replay, "forward", &[ch('n')], Msg::Replay(ReplayMsg::Forward), "forward", "one event forward"),
    row(Replay, "back", &[ch('p')], Msg::Replay(ReplayMsg::Back), "back", "one event back"),
    row(Replay, "landmark.next", &[ch('N')], Msg::Replay(ReplayMsg::NextLandmark), "next landmark", "to the next plan, attempt, failure or decision"),
    row(Replay, "landmark.previous", &[ch('P')], Msg::Replay(ReplayMsg::PreviousLandmark), "", "to the plan, attempt, failure or decision before"),
    row(Replay, "play.slower", &[ch('[')], Msg::Replay(ReplayMsg::Slower), "", "play slower"),
    row(Replay, "play.faster", &[ch(']')], Msg::Replay(ReplayMsg::Faster), "", "play faster"),
    row(Replay, "jump", &[ch('J')], Msg::Jump, "jump", "jump to an event (120) or a tick (t3400)"),
    row(Replay, "start", &[ch('g')], Msg::Replay(ReplayMsg::Start), "", "to the start of the recording"),
    row(Replay, "end", &[ch('G')], Msg::Replay(ReplayMsg::End), "", "to the end of the recording"),

    row(Run, "pane.next", &[plain(KeyCode::Tab)], Msg::FocusNext, "panes", "to the next pane"),
    row(Run, "pane.previous", &[plain(KeyCode::BackTab)], Msg::FocusPrevious, "", "to the pane before"),
    row(Run, "up", UP, Msg::Move(Motion::Up), "", "up"),
    row(Run, "down", DOWN, Msg::Move(Motion::Down), "", "down"),
    row(Run, "page.up", PAGE_UP, Msg::Move(Motion::PageUp), "", "a page up"),
    row(Run, "page.down", PAGE_DOWN, Msg::Move(Motion::PageDown), "", "a page down"),
    row(Run, "top", &[HOME], Msg::Move(Motion::Top), "", "to the first line"),
    row(Run, "bottom", &[END], Msg::Move(Motion::Bottom), "", "to the last line; follow what is new"),
    row(Run, "open", &[ENTER], Msg::Open, "open", "open what is selected"),
    row(Run, "leave", &[ESC], Msg::Back, "", "leave the full screen, follow the run again"),
    row(Run, "zoom", &[ch('+')], Msg::Zoom, "full screen", "this pane on the whole screen, or back"),
    row(Run, "view", &[ch('w')], Msg::Look, "view", "what the body sees, or hide it again"),
    row(Run, "pictures", &[ch('W')], Msg::NextPictures, "", "how what the body sees is drawn: half-blocks, kitty, sixel"),
    row(Run, "why", &[ch('d')], Msg::Trace, "why", "the diagnosis in full, with every predicate"),
    row(Run, "costs", &[ch('$')], Msg::Costs, "", "what the mind has cost, by role, phase and model"),
    row(Run, "policy", &[ch('R')], Msg::Policy, "", "the policy file of the run: which steps and entries need a human"),
    row(Run, "question", &[ch('i')], Msg::Inbox, "question", "open the question that the run waits on, or the oldest"),

    row(List, "list.up", UP, Msg::Move(Motion::Up), "", "up"),
    row(List, "list.down", DOWN, Msg::Move(Motion::Down), "", "down"),
    row(List, "list.page.up", PAGE_UP, Msg::Move(Motion::PageUp), "", "a page up"),
    row(List, "list.page.down", PAGE_DOWN, Msg::Move(Motion::PageDown), "", "a page down"),
    row(List, "list.top", &[HOME, ch('g')], Msg::Move(Motion::Top), "", "to the first row"),
    row(List, "list.bottom", &[END, ch('G')], Msg::Move(Motion::Bottom), "", "to the last row"),
    row(List, "list.open", &[ENTER], Msg::Open, "open", "open the selected row"),
    row(List, "filter", &[ch('/')], Msg::Filter, "filter", "show only rows with a text, !text without it, /regex/, or column:text"),
    row(List, "sort", &[ch('s')], Msg::Sort, "sort", "sort by the next column"),
    row(List, "sort.reverse", &[ch('S')], Msg::SortReverse, "", "sort the other way round"),
    row(List, "columns", &[ch('C')], Msg::Columns, "", "which columns are in sight, and in which order"),
    row(List, "mark", &[ch('m'), ch(' ')], Msg::Mark, "mark", "mark the row, or take the mark off"),
    row(List, "mark.range", &[ch('V')], Msg::MarkRange, "", "mark all rows from the last mark to this one"),
    row(List, "mark.all", &[ch('M')], Msg::MarkAll, "", "mark all rows in sight, or none"),
    row(List, "list.leave", &[ESC], Msg::Back, "", "take off the filter, then the marks; then back to where you were"),

    row(On(Screen::Knowledge), "knowledge.approve", &[ch('a')], Msg::Approve, "approve", "let a proposed entry act (opens it first)"),
    row(On(Screen::Knowledge), "knowledge.veto", &[ch('v')], Msg::Veto, "veto", "veto an entry, with a reason (opens it first)"),
    row(On(Screen::Knowledge), "knowledge.edit", &[ch('e')], Msg::Edit, "edit", "change what an entry says (opens it first)"),
    row(On(Screen::Knowledge), "knowledge.retire", &[ch('x')], Msg::Curate(C::Retire), "", "take an entry out of use (opens it first)"),
    row(On(Screen::Knowledge), "knowledge.restore", &[ch('R')], Msg::Curate(C::Restore), "", "take back a veto, a retirement or a merge (opens it first)"),
    row(On(Screen::Knowledge), "knowledge.history", &[ch('h')], Msg::Curate(C::History), "history", "the versions of an entry, what each changed, and the way back to one"),
    row(On(Screen::Knowledge), "knowledge.queue", &[ch('Q')], Msg::Curate(C::Queue), "queue", "entries that say the same or speak against each other"),
    row(On(Screen::Knowledge), "knowledge.evidence", &[ch('t')], Msg::Evidence, "evidence", "the newest attempt that the entry rests on, frame by frame"),
    row(On(Screen::Inbox), "inbox.approve", &[ch('a')], Msg::Approve, "approve", "approve (opens the question first)"),
    row(On(Screen::Inbox), "inbox.edit", &[ch('e')], Msg::Edit, "edit", "edit (opens the question first)"),
    row(On(Screen::Inbox), "inbox.veto", &[ch('v')], Msg::Veto, "veto", "veto (opens the question first)"),
    row(On(Screen::Inbox), "inbox.alike", &[ch('=')], Msg::Alike, "alike", "mark all that is alike, to decide it together"),
    row(On(Screen::Inbox), "inbox.rule", &[ch('P')], Msg::Rule, "always …", "a rule for questions like this: once, in this run, always"),
    row(On(Screen::Inbox), "inbox.decided", &[ch('h')], Msg::Decided, "decided", "what was decided in all runs, to take it back"),
    row(On(Screen::Inbox), "inbox.rules", &[ch('p')], Msg::Rules, "rules", "the rules about gates"),
    row(On(Screen::Decided), "decided.undo", &[ch('z')], Msg::Undo, "take back", "take the decision back (says first what that does)"),
    row(On(Screen::Decided), "decided.rules", &[ch('p')], Msg::Rules, "rules", "the rules about gates"),
    row(On(Screen::Rules), "rules.change", &[ch('P')], Msg::Rule, "change", "another policy for this gate (shows the rule first)"),
    row(On(Screen::Rules), "rules.remove", &[ch('x')], Msg::Remove, "take off", "take the saved rule off (asks first)"),

    row(On(Screen::Debug), "debug.part.next", &[plain(KeyCode::Tab)], Msg::FocusNext, "parts", "to the next part"),
    row(On(Screen::Debug), "debug.part.previous", &[plain(KeyCode::BackTab)], Msg::FocusPrevious, "", "to the part before"),
    row(On(Screen::Debug), "debug.left", &[LEFT, ch('h')], Msg::Move(Motion::Left), "", "a frame back; in the thresholds: lower it"),
    row(On(Screen::Debug), "debug.right", &[RIGHT, ch('l')], Msg::Move(Motion::Right), "frame", "a frame on; in the thresholds: raise it"),
    row(On(Screen::Debug), "debug.leap.back", &[ch('[')], Msg::Debug(D::LeapBack), "", "ten frames back"),
    row(On(Screen::Debug), "debug.leap.on", &[ch(']')], Msg::Debug(D::LeapOn), "", "ten frames on"),
    row(On(Screen::Debug), "debug.turn.back", &[ch('p')], Msg::Debug(D::TurnBack), "", "back to the frame at which a check, an order or a window turned"),
    row(On(Screen::Debug), "debug.turn.on", &[ch('n')], Msg::Debug(D::TurnOn), "next turn", "on to the frame at which a check, an order or a window turns"),
    row(On(Screen::Debug), "debug.first", &[ch('0')], Msg::Debug(D::First), "", "to the first frame of the attempt"),
    row(On(Screen::Debug), "debug.last", &[ch('$')], Msg::Debug(D::Last), "", "to the last frame of the attempt"),
    row(On(Screen::Debug), "debug.zoom", &[ch('+')], Msg::Zoom, "", "this part on the whole screen, or back"),
    row(On(Screen::Debug), "debug.set", &[ch('=')], Msg::Debug(D::Set), "", "move a threshold to a value (nav_variance=0.5)"),
    row(On(Screen::Debug), "debug.reset", &[ch('-')], Msg::Debug(D::Reset), "", "all thresholds as the run has them"),
    row(On(Screen::Debug), "debug.overrule", &[ch('o')], Msg::Debug(D::Overrule), "overrule", "give the attempt another label, with a reason"),
    row(On(Screen::Debug), "debug.where", &[ch('f')], Msg::Debug(D::Where), "first where", "the first tick where a condition is true"),
    row(On(Screen::Debug), "debug.where.next", &[ch(';')], Msg::Debug(D::WhereNext), "", "the next tick where it becomes true; of a value, what changed it before that"),
    row(On(Screen::Debug), "debug.wrote", &[ch('a')], Msg::Debug(D::Wrote), "who wrote", "what changed a value last: the step that wrote it"),
    row(On(Screen::Debug), "debug.side", &[ch('v')], Msg::Debug(D::Side), "side by side", "beside it the marked attempt, or the one before at the same node"),
    row(On(Screen::Debug), "debug.fork", &[ch('F')], Msg::Debug(D::Fork), "fork", "a new run from here, with something changed"),
    row(On(Screen::Debug), "debug.bookmark", &[ch('w')], Msg::Debug(D::Bookmark), "", "bookmark this frame with a note"),
    row(On(Screen::Debug), "debug.bookmarks", &[ch('W')], Msg::Debug(D::Bookmarks), "", "the bookmarks of the run"),
    row(On(Screen::Debug), "debug.show", &[ch('J')], Msg::Debug(D::Show), "", "this moment on the run's own screen (recordings)"),

    row(On(Screen::Home), "home.continue", &[ch('r')], Msg::Continue, "continue", "go on with a run that was left or killed"),
    row(On(Screen::Runs), "runs.continue", &[ch('r')], Msg::Continue, "continue", "go on with a run that was left or killed"),

    row(On(Screen::Runs), "runs.compare", &[ch('v')], Msg::Compare, "side by side", "the marked runs beside each other: outcome, failures, entries used, costs"),
    row(On(Screen::Runs), "runs.causes", &[ch('f')], Msg::Causes, "failures", "why subgoals failed: of the marked runs, else of those in sight"),
    row(On(Screen::Runs), "runs.abort", &[ch('A')], Msg::AbortRuns, "", "end the marked runs, or the selected one, with a reason (says first what becomes of each)"),
    row(On(Screen::Runs), "runs.resume", &[ch('R')], Msg::ResumeRuns, "", "let the marked runs go on: the paused ones, and those that were left in processes of their own (asks first)"),
    row(On(Screen::Runs), "runs.delete", &[ch('D')], Msg::Delete, "delete", "delete the marked runs, or the selected one (says first what goes and what stays)"),
    row(On(Screen::Failures), "failures.sheet", &[ch('d')], Msg::Sheet, "in full", "subgoals by reasons, all of them"),
    row(On(Screen::Evaluate), "evaluate.sheet", &[ch('d')], Msg::Sheet, "in full", "the whole sheet: groups, curves, failures, the papers' figures"),

    row(Everywhere, "new", &[ctrl('r')], Msg::NewRun, "", "start a run: task, seed, mind, system, gates"),
    row(Everywhere, "go.home", &[ch('H')], Msg::Go(Screen::Home), "", "to what can be started, continued or watched"),
    row(Everywhere, "go.live", &[ch('1')], Msg::Go(Screen::Live), "", "to the run"),
    row(Everywhere, "go.inbox", &[ch('2')], Msg::Go(Screen::Inbox), "", "to what waits for you in all runs"),
    row(Everywhere, "go.debug", &[ch('3')], Msg::Go(Screen::Debug), "", "to the attempts of the run, frame by frame"),
    row(Everywhere, "go.knowledge", &[ch('4')], Msg::Go(Screen::Knowledge), "", "to the knowledge base"),
    row(Everywhere, "go.runs", &[ch('5')], Msg::Go(Screen::Runs), "", "to all runs"),
    row(Everywhere, "go.evaluate", &[ch('6')], Msg::Go(Screen::Evaluate), "", "to the evaluations, running and finished"),
    row(Everywhere, "go.logs", &[ch('7')], Msg::Go(Screen::Logs), "", "to the program's log"),
    row(Everywhere, "break", &[ch('b')], Msg::Debug(D::Break), "break", "set a breakpoint: phase, subgoal, reason, guardrail, check or tick (`:break reason NAV_STUCK`)"),
    row(Everywhere, "breaks", &[ch('B')], Msg::Debug(D::Breaks), "", "the breakpoints, to switch on and off"),
    row(Everywhere, "history.back", &[ch('<')], Msg::HistoryBack, "", "to the screen before"),
    row(Everywhere, "history.forward", &[ch('>')], Msg::HistoryForward, "", "to the screen after"),
    row(Everywhere, "palette", &[ch(':')], Msg::Palette, "commands", "find a command by its name"),
    row(Everywhere, "copy", &[ch('c')], Msg::Copy, "", "copy what is selected to the clipboard"),
    row(Everywhere, "copy.moment", &[ch('@')], Msg::CopyMoment, "", "copy the command that opens this moment of the run"),
    row(Everywhere, "theme", &[ch('T')], Msg::NextTheme, "", "the next theme"),
    row(Everywhere, "mouse", &[ch('u')], Msg::Mouse, "", "mouse on or off; off lets the terminal select text"),
    row(Everywhere, "export", &[ch('E')], Msg::Export, "", "save this screen as text and as SVG"),
    row(Everywhere, "redraw", &[ctrl('l')], Msg::Redraw, "", "draw the screen anew"),
    row(Everywhere, "suspend", &[ctrl('z')], Msg::Suspend, "", "suspend to the shell (fg comes back)"),
    row(Everywhere, "keys", &[ch('?')], Msg::Help, "keys", "the keys that work here"),
    row(Everywhere, "quit", &[ch('q'), ctrl('c')], Msg::Quit, "quit", "leave the console"),

    row(Pane(Focus::Plan), "retry", &[ch('r')], Msg::Retry, "try again", "try the selected step next, whatever became of it"),
    row(Pane(Focus::Plan), "fold", &[LEFT, ch('h')], Msg::Fold, "", "fold the node"),
    row(Pane(Focus::Plan), "unfold", &[RIGHT, ch('l')], Msg::Unfold, "", "unfold the node"),
    row(Pane(Focus::Map), "map.west", &[LEFT, ch('h')], Msg::Move(Motion::Left), "", "move the map west"),
    row(Pane(Focus::Map), "map.east", &[RIGHT, ch('l')], Msg::Move(Motion::Right), "", "move the map east"),
    row(Pane(Focus::Inbox), "approve", &[ch('a')], Msg::Approve, "approve", "approve (opens the question first)"),
    row(Pane(Focus::Inbox), "edit", &[ch('e')], Msg::Edit, "edit", "edit (opens the question first)"),
    row(Pane(Focus::Inbox), "veto", &[ch('v')], Msg::Veto, "veto", "veto (opens the question first)"),

    row(Decision, "decide.approve", &[ch('a')], Msg::Approve, "approve", "approve it as it stands"),
    row(Decision, "decide.edit", &[ch('e')], Msg::Edit, "edit", "change it, then approve it in the changed form"),
    row(Decision, "decide.veto", &[ch('v')], Msg::Veto, "veto", "veto it; asks for the reason, which the mind is told"),
    row(Decision, "decide.rule", &[ch('P')], Msg::Rule, "always …", "a rule for questions like this: once, in this run, always"),
    row(Entry, "entry.approve", &[ch('a')], Msg::Approve, "approve", "let it act"),
    row(Entry, "entry.edit", &[ch('e')], Msg::Edit, "edit", "change what it says"),
    row(Entry, "entry.outside", &[ch('o')], Msg::Outside, "$EDITOR", "change what it says in your own editor"),
    row(Entry, "entry.veto", &[ch('v')], Msg::Veto, "veto", "bury it; asks for the reason"),
    row(Entry, "entry.retire", &[ch('x')], Msg::Curate(C::Retire), "retire", "take it out of use; asks for the reason"),
    row(Entry, "entry.restore", &[ch('R')], Msg::Curate(C::Restore), "bring back", "take back a veto, a retirement or a merge; asks for the reason"),
    row(Entry, "entry.history", &[ch('h')], Msg::Curate(C::History), "history", "its versions, what each changed, and the way back to one"),
    row(Entry, "entry.evidence", &[ch('t')], Msg::Evidence, "evidence", "the newest attempt that it rests on, frame by frame"),
    row(Entry, "entry.backtest", &[ch('b')], Msg::Curate(C::Study(StudyKind::Backtest)), "backtest", "what it would have blocked of all recorded attempts; goes on in the background"),
    row(Entry, "entry.trial", &[ch('T')], Msg::Curate(C::Study(StudyKind::Trial)), "trial", "twenty runs with and without it; goes on in the background"),
    row(Entry, "entry.effect", &[ch('f')], Msg::Curate(C::Study(StudyKind::Effect)), "effect", "how runs ended that had it, beside those that had not"),
    row(History, "history.roll", &[ch('r')], Msg::Curate(C::RollBack), "roll back", "give it the content of the selected version again; asks for the reason"),
    row(Pair, "pair.left", &[ch('<')], Msg::Curate(C::MergeLeft), "merge left", "merge the right entry into the left one; asks for the reason"),
    row(Pair, "pair.right", &[ch('>')], Msg::Curate(C::MergeRight), "merge right", "merge the left entry into the right one; asks for the reason"),
    row(Pair, "pair.keep", &[ch('=')], Msg::Curate(C::KeepBoth), "keep both", "let both stand as they are; asks for the reason"),
    row(Pair, "pair.retire.left", &[ch('x')], Msg::Curate(C::Retire), "retire left", "take the left entry out of use; asks for the reason"),
    row(Pair, "pair.retire.right", &[ch('X')], Msg::Curate(C::RetireRight), "retire right", "take the right entry out of use; asks for the reason"),
    row(Reading, "read.up", UP, Msg::Move(Motion::Up), "", "up"),
    row(Reading, "read.down", DOWN, Msg::Move(Motion::Down), "scroll", "down"),
    row(Reading, "read.page.up", PAGE_UP, Msg::Move(Motion::PageUp), "", "a page up"),
    row(Reading, "read.page.down", &[plain(KeyCode::PageDown), ctrl('d'), ch(' ')], Msg::Move(Motion::PageDown), "page", "a page down"),
    row(Reading, "read.top", &[HOME, ch('g')], Msg::Move(Motion::Top), "", "to the beginning"),
    row(Reading, "read.bottom", &[END, ch('G')], Msg::Move(Motion::Bottom), "end", "to the end"),
    row(Reading, "close", &[ESC, ch('q'), ENTER, ctrl('c')], Msg::Back, "close", "close"),
    row(Reading, "read.export", &[ch('E')], Msg::Export, "", "save this screen as text and as SVG"),
    row(Reading, "read.suspend", &[ctrl('z')], Msg::Suspend, "", "suspend to the shell (fg comes back)"),

    row(Editor, "save", &[ctrl('s')], Msg::Submit, "save", "check the text and decide with it; faults keep the editor open"),
    row(Editor, "editor.outside", &[ctrl('o')], Msg::Outside, "$EDITOR", "the text in your own editor (VISUAL, EDITOR, else vi); it comes back here"),
    row(Editor, "editor.leave", &[ESC], Msg::Back, "leave", "leave without saving (asks once if the text was changed)"),
    row(Typing, "typing.take", &[ENTER], Msg::Submit, "done", "take the text"),
    row(Typing, "typing.cancel", &[ESC, ctrl('c')], Msg::Back, "cancel", "leave without doing anything"),
    row(Typing, "typing.complete", &[plain(KeyCode::Tab)], Msg::FocusNext, "", "complete the word with what is offered"),
    row(Typing, "typing.next", &[plain(KeyCode::Down), ctrl('n')], Msg::Move(Motion::Down), "", "the next of the commands found"),
    row(Typing, "typing.previous", &[plain(KeyCode::Up), ctrl('p')], Msg::Move(Motion::Up), "", "the one before"),
    row(Form, "form.start", &[ENTER], Msg::Submit, "take/start", "take the selected task; then start the run"),
    row(Form, "form.next", &[plain(KeyCode::Tab)], Msg::FocusNext, "next field", "to the next field"),
    row(Form, "form.previous", &[plain(KeyCode::BackTab)], Msg::FocusPrevious, "", "to the field before"),
    row(Form, "form.up", &[plain(KeyCode::Up)], Msg::Move(Motion::Up), "", "the task or field above"),
    row(Form, "form.down", &[plain(KeyCode::Down)], Msg::Move(Motion::Down), "choose", "the task or field below"),
    row(Form, "form.less", &[LEFT], Msg::Move(Motion::Left), "", "what the field held before"),
    row(Form, "form.more", &[RIGHT], Msg::Move(Motion::Right), "change", "the next that the field can hold"),
    row(Form, "form.leave", &[ESC, ctrl('c')], Msg::Back, "leave", "leave without starting"),
    row(Columns, "columns.up", UP, Msg::Move(Motion::Up), "", "the column above"),
    row(Columns, "columns.down", DOWN, Msg::Move(Motion::Down), "", "the column below"),
    row(Columns, "columns.toggle", &[ch(' ')], Msg::Mark, "show/hide", "put the column in sight, or out of it"),
    row(Columns, "columns.earlier", &[LEFT, ch('h')], Msg::Move(Motion::Left), "", "move the column a place to the left"),
    row(Columns, "columns.later", &[RIGHT, ch('l')], Msg::Move(Motion::Right), "move", "move the column a place to the right"),
    row(Columns, "columns.all", &[ch('x')], Msg::Remove, "as they were", "all columns in the order that the list has by itself"),
    row(Columns, "columns.leave", &[ESC, ENTER, ch('q'), ctrl('c')], Msg::Back, "done", "close; the choice is kept"),
    row(Ruling, "rule.up", UP, Msg::Move(Motion::Up), "", "the reach above: once, this run, always"),
    row(Ruling, "rule.down", DOWN, Msg::Move(Motion::Down), "reach", "the reach below"),
    row(Ruling, "rule.less", &[LEFT, ch('h')], Msg::Move(Motion::Left), "", "the policy before"),
    row(Ruling, "rule.more", &[RIGHT, ch('l')], Msg::Move(Motion::Right), "policy", "the next policy"),
    row(Ruling, "rule.yes", &[ch('y')], Msg::Yes, "save", "save the rule as it is shown"),
    row(Ruling, "rule.leave", &[ESC, ch('q'), ctrl('c')], Msg::Back, "leave", "leave without saving"),
    row(Confirm, "yes", &[ch('y')], Msg::Yes, "yes", "yes, do it"),
    row(Choosing, "choose.up", UP, Msg::Move(Motion::Up), "", "up"),
    row(Choosing, "choose.down", DOWN, Msg::Move(Motion::Down), "", "down"),
    row(Choosing, "choose.toggle", &[ch(' ')], Msg::Mark, "on/off", "switch it on or off"),
    row(Choosing, "choose.remove", &[ch('x')], Msg::Remove, "take off", "take it off the list"),
    row(Choosing, "choose.open", &[ENTER], Msg::Open, "go there", "go there"),
    row(Choosing, "choose.leave", &[ESC, ch('q'), ctrl('c')], Msg::Back, "close", "close"),
    row(Forking, "fork.point", &[ch('m')], Msg::Debug(D::ForkPoint), "point", "before the attempt, or at the frame in sight"),
    row(Forking, "fork.keep", &[ch('k')], Msg::Debug(D::ForkKeep), "decisions", "decide as it was decided later on in this run, or ask anew"),
    row(Forking, "fork.without", &[ch('w')], Msg::Debug(D::ForkWithout), "without", "leave an entry of the knowledge base out"),
    row(Forking, "fork.thresholds", &[ch('t')], Msg::Debug(D::ForkThresholds), "thresholds", "with the thresholds as they are moved here"),
    row(Forking, "fork.plan", &[ch('p')], Msg::Debug(D::ForkPlan), "plan", "edit the plan first"),
    row(Forking, "fork.yes", &[ch('y')], Msg::Yes, "fork", "make the fork and go on from there"),
    row(Forking, "fork.leave", &[ESC, ch('q'), ctrl('c')], Msg::Back, "leave", "leave without forking"),
    row(Confirm, "no", &[ESC, ch('n'), ctrl('c')], Msg::Back, "no", "no, go back"),
];
