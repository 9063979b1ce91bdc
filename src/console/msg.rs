//! Messages: changes that keys ask for, of the screen, of a replay or of the run.

use crate::effect::LeaveChoice;
use crate::screen::Screen;
use crate::screens::knowledge;
use crate::triage::TriageKind;
use crate::widgets::scroll::Motion;

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Msg {
    FocusNext,
    FocusPrevious,
    Move(Motion),
    /// Opens what is selected.
    Open,
    /// Leaves the overlay, the full screen or the selection, in this order.
    Back,
    Fold,
    Unfold,
    Zoom,
    /// Shows what the body sees, or hides it.
    Look,
    Trace,
    Costs,
    /// A question to the mind in full.
    Mind,
    /// The run's policy file.
    Policy,
    /// Pauses the run when the attempt under way has ended.
    PauseSoon,
    /// Tries the selected node of the plan next.
    Retry,
    /// Another limit of the run.
    Limit,
    /// Has the rest planned anew.
    Replan,
    /// Takes the last act back.
    TakeBack,
    Inbox,
    Help,
    Quit,
    Suspend,
    Redraw,
    PauseOrResume,
    Step,
    Abort,
    /// Asks for the right to command, or gives it to the console that asks.
    Seat,
    /// Leaves a run that has a process of its own.
    Leave(LeaveChoice),
    Slower,
    Faster,
    Approve,
    Edit,
    Veto,
    /// Yes to the question on the screen.
    Yes,
    /// Takes the text that was typed.
    Submit,
    /// Asks what the operator does for the agent.
    TakeOver,
    /// The form for a new run.
    NewRun,
    /// Goes on with the selected run.
    Continue,
    Replay(ReplayMsg),
    /// Asks where to jump.
    Jump,
    Go(Screen),
    HistoryBack,
    HistoryForward,
    Palette,
    Filter,
    /// Asks which columns are in sight.
    Columns,
    /// The saved views of the list.
    Views,
    /// Saves how the list is looked at.
    SaveView,
    Sort,
    SortReverse,
    Mark,
    /// Ends the marked runs, after a question.
    AbortRuns,
    /// Lets the marked runs go on, after a question.
    ResumeRuns,
    /// Deletes the marked runs, after a question.
    Delete,
    /// From the row that was marked last to this one.
    MarkRange,
    MarkAll,
    /// To the clipboard.
    Copy,
    CopyMoment,
    NextTheme,
    /// The next way to draw what the body sees.
    NextPictures,
    Mouse,
    /// The screen as files.
    Export,
    /// What is selected, in full.
    Sheet,
    /// The marked runs beside each other.
    Compare,
    /// Why the subgoals of some runs failed.
    Causes,
    /// The attempt that the selected entry rests on.
    Evidence,
    /// What was tried to get what is selected.
    Options,
    /// The circumstances of options as rows of their own, or not.
    Circumstances,
    /// All options, whatever the list is about.
    AllOptions,
    /// From failures to entries, runs and overruled labels.
    Lineage,
    /// Takes the selected row out of its list.
    Remove,
    Debug(DebugMsg),
    /// Marks what is alike the selected row.
    Alike,
    /// A rule about questions like the selected one.
    Rule,
    /// Takes back the selected decision.
    Undo,
    /// What was decided.
    Decided,
    /// The saved rules.
    Rules,
    Curate(CurateMsg),
    /// The text in the editor, in the operator's own editor.
    Outside,
    Text(TextMsg),
    /// Who looks into it, until when it is out of sight, a comment.
    Triage(TriageKind),
}

/// About the text in the editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextMsg {
    /// A plan as an outline or as JSON.
    SwitchForm,
    Undo,
    Redo,
    /// To where the fault is.
    ToFault,
}

/// About entries of the knowledge base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurateMsg {
    Retire,
    /// Takes back a veto, a retirement or a merge.
    Restore,
    History,
    /// The content of the selected version again.
    RollBack,
    /// Duplicates and contradictions.
    Queue,
    /// Of two, the right one becomes part of the left one, or the other way round.
    MergeLeft,
    MergeRight,
    KeepBoth,
    RetireRight,
    /// Looks into the entry in the background.
    Study(knowledge::state::StudyKind),
}

/// Looking into a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebugMsg {
    LeapBack,
    LeapOn,
    TurnBack,
    TurnOn,
    First,
    Last,
    Set,
    Reset,
    /// What the moved thresholds would change in all runs.
    Relabel,
    Overrule,
    Where,
    WhereNext,
    /// What changed a value last.
    Wrote,
    Bookmark,
    Bookmarks,
    Break,
    Breaks,
    /// Two attempts beside each other, or one again.
    Side,
    Fork,
    /// This moment on the run's own screen.
    Show,
    ForkPoint,
    ForkWithout,
    ForkKeep,
    ForkThresholds,
    ForkPlan,
}

/// Moving through a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplayMsg {
    PlayOrPause,
    Forward,
    Back,
    NextLandmark,
    PreviousLandmark,
    Slower,
    Faster,
    Start,
    End,
    /// To an event by its number.
    ToSeq(u64),
    /// To a moment of world time.
    ToTick(u64),
}
