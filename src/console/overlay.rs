//! Overlays: what lies over the screen in sight, one above the other, as plain data.
//!
//! The shell keeps the stack; the topmost one takes the keys. Invariant: a text that is read in full is an
//! `OpenPage`, wherever it was opened, and a text that is written stands in the shell's one editor.

use crate::effect::GateRule;
use crate::screens::debug::state::{DebugOverlay, DebugPage};
use crate::screens::home::form::NewRunForm;
use crate::screens::home::launch::ResumeConsent;
use crate::screens::inbox::state::InboxOverlay;
use crate::screens::knowledge::state::ReasonPrompt;
use crate::screens::live::state::{RunOverlay, RunPage};
use crate::screens::runs::state::Bulk;
use crate::triage::TriagePrompt;
use crate::widgets::table::ListItem;
use crate::widgets::table::columns::ColumnChoice;
use pithead_world::ids::{DecisionId, KnowledgeId, RunId, Seq};

/// What lies over a screen.
#[derive(Debug, Clone, PartialEq)]
pub enum Overlay {
    /// A text in full.
    Page(OpenPage),
    /// The text in the shell's editor.
    Editor(EditedText),
    /// A filter being typed; the one before comes back if it is left.
    Filter {
        text: String,
        before: String,
    },
    Palette {
        text: String,
        at: usize,
    },
    /// The columns of the list, being chosen.
    Columns(ColumnChoice),
    /// A new run, being described.
    NewRun(Box<NewRunForm>),
    /// A rule about a gate, before it is saved.
    GateRule(GateRule),
    /// About the run in sight.
    Run(RunOverlay),
    /// About the attempt in sight, or about breakpoints.
    Debug(DebugOverlay),
    /// About what was decided.
    Inbox(InboxOverlay),
    /// Why an entry is changed; the reason stays with it.
    Reason(ReasonPrompt),
    /// Runs are to be deleted.
    DeleteRuns(Vec<RunId>),
    /// A recorded run wants to read a file, or to join a server.
    Consent(ResumeConsent),
    /// What is done with many runs, before it is done.
    Bulk(Bulk),
    /// The saved views of the list, one of them being chosen.
    Views {
        at: usize,
    },
    /// The name of a view, before it is saved.
    SaveView {
        text: String,
    },
    /// Who looks into what waits, until when it is out of sight, a comment.
    Triage(TriagePrompt),
}

/// A text that is read in full.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenPage {
    pub subject: PageSubject,
    pub scroll: usize,
    /// Its end has been on the screen, so that what it is about can be decided.
    pub seen: bool,
}

/// What a page is about.
#[derive(Debug, Clone, PartialEq)]
pub enum PageSubject {
    /// The keys that work here.
    Help,
    /// A row of a list.
    Row(ListItem),
    /// A question of the run in sight.
    Question(DecisionId),
    /// Something else of the run in sight.
    Run(RunPage),
    /// Something about the attempt in sight.
    Debug(DebugPage),
    /// A question to the mind of the run in sight, by its event.
    Asked(Seq),
    /// Entries that wait for an answer, one below the other.
    Proposals(Vec<KnowledgeId>),
    /// An entry of the knowledge base.
    Entry(KnowledgeId),
    /// What became of an entry, change by change; `at` counts from the newest.
    History { id: KnowledgeId, at: usize },
    /// The attempts that an entry would have blocked; `at` is the selected one.
    Blocked { id: KnowledgeId, at: usize },
    /// Two of the queue, side by side.
    Pair([KnowledgeId; 2]),
}

/// Whose text is in the editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditedText {
    /// The content of a question of the run in sight.
    Question(DecisionId),
    /// The plan of the fork whose form lies below.
    ForkPlan,
    /// An entry that waits for an answer.
    Proposal(KnowledgeId),
    /// An entry of the knowledge base.
    Entry(KnowledgeId),
}

impl OpenPage {
    #[must_use]
    pub fn new(subject: PageSubject) -> Self {
        Self {
            subject,
            scroll: 0,
            seen: false,
        }
    }
}

impl Overlay {
    /// The line of text that is being typed, if one is.
    pub fn typed_line(&mut self) -> Option<&mut String> {
        match self {
            Self::Filter { text, .. }
            | Self::SaveView { text }
            | Self::Palette { text, .. }
            | Self::Run(RunOverlay::Veto { text, .. } | RunOverlay::Jump { text })
            | Self::Debug(DebugOverlay::Line { text, .. })
            | Self::Inbox(InboxOverlay::Veto { text, .. })
            | Self::Reason(ReasonPrompt { text, .. })
            | Self::Triage(TriagePrompt { text, .. }) => Some(text),
            Self::Bulk(bulk) => bulk.typed_reason(),
            Self::Page(_)
            | Self::Editor(_)
            | Self::Columns(_)
            | Self::Views { .. }
            | Self::NewRun(_)
            | Self::GateRule(_)
            | Self::Run(RunOverlay::Confirm(_) | RunOverlay::Say { .. } | RunOverlay::Leave)
            | Self::Debug(
                DebugOverlay::Breaks { .. }
                | DebugOverlay::Bookmarks { .. }
                | DebugOverlay::Fork(_),
            )
            | Self::Inbox(InboxOverlay::Undo(_) | InboxOverlay::Forget(_))
            | Self::DeleteRuns(_)
            | Self::Consent(_) => None,
        }
    }

    /// It is about the run in sight, so that no pane of its screen has the keys.
    #[must_use]
    pub fn is_about_run(&self) -> bool {
        match self {
            Self::Page(page) => {
                matches!(page.subject, PageSubject::Question(_) | PageSubject::Run(_))
            }
            Self::Editor(whose) => matches!(whose, EditedText::Question(_)),
            Self::Run(_) => true,
            Self::Filter { .. }
            | Self::Palette { .. }
            | Self::Columns(_)
            | Self::NewRun(_)
            | Self::GateRule(_)
            | Self::Debug(_)
            | Self::Inbox(_)
            | Self::Reason(_)
            | Self::DeleteRuns(_)
            | Self::Consent(_)
            | Self::Bulk(_)
            | Self::Views { .. }
            | Self::SaveView { .. }
            | Self::Triage(_) => false,
        }
    }

    /// The question of the run in sight that is read or answered here.
    fn question(&self) -> Option<DecisionId> {
        match self {
            Self::Page(OpenPage {
                subject: PageSubject::Question(id),
                ..
            })
            | Self::Run(RunOverlay::Veto { id, .. })
            | Self::Editor(EditedText::Question(id)) => Some(*id),
            _ => None, // nothing else is about one question
        }
    }
}

/// The question of the run in sight that the operator reads or answers, wherever it is in the stack.
#[must_use]
pub fn question_in_hand(overlays: &[Overlay]) -> Option<DecisionId> {
    overlays.iter().rev().find_map(Overlay::question)
}

/// The question to the mind that is read, wherever it is in the stack.
#[must_use]
pub fn asked_in_hand(overlays: &[Overlay]) -> Option<Seq> {
    overlays.iter().rev().find_map(|overlay| match overlay {
        Overlay::Page(OpenPage {
            subject: PageSubject::Asked(seq),
            ..
        }) => Some(*seq),
        _ => None, // nothing else is about one
    })
}
