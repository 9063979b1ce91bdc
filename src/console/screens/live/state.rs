//! State of the live screen: focus, selections, what is folded, and the mode of the run.
//!
//! Nothing here is about the run itself; losing it loses nothing. Selections are ids, so that they stay on
//! their object when a replan moves it.

use crate::screens::live::layout::Focus;
use crate::shell::Toast;
use crate::widgets::editor::Editor;
use pithead_engine::mind::watch::AnswerProgress;
use pithead_engine::runtime::DriverStatus;
use pithead_world::clock::Millis;
use pithead_world::ids::{DecisionId, KnowledgeId, Seq, SubgoalId};
use pithead_world::port::Pixels;
use ratatui::layout::Size;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What lies over the screen.
#[derive(Debug, Clone, Default)]
pub enum Overlay {
    #[default]
    None,
    /// A question in full. `seen`: its end has been on the screen, so the keys work.
    Decision {
        id: DecisionId,
        scroll: usize,
        seen: bool,
    },
    /// Why not? The reason goes with the veto.
    Veto {
        id: DecisionId,
        text: String,
    },
    Editor(Box<Editor>),
    Confirm(Confirm),
    Jump {
        text: String,
    },
    Page {
        page: Page,
        scroll: usize,
    },
}

/// Something to read in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    Node(SubgoalId),
    Entry(KnowledgeId),
    Trace,
    /// What the mind has cost.
    Costs,
    /// The run's policy file.
    Policy,
    Event(Seq),
}

/// What is asked before it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirm {
    Abort,
    Leave,
}

/// Where a replay stands.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ReplayState {
    pub at: u64,
    pub len: u64,
    pub playing: bool,
    /// Events per second.
    pub speed: u32,
    /// Still folding towards a place that was asked for.
    pub seeking: bool,
}

/// Where the events come from.
#[derive(Debug, Clone, PartialEq)]
pub enum RunMode {
    Live(DriverStatus),
    Replay(ReplayState),
}

/// The screen.
#[derive(Debug, Clone)]
pub struct Ui {
    pub mode: RunMode,
    /// Another process drives the run; leaving it here changes nothing there.
    pub is_guest: bool,
    pub focus: Focus,
    /// The pane beside the plan where there is room for two.
    pub beside: Focus,
    pub zoom: bool,
    pub overlay: Overlay,
    /// The selected node; none follows what is under way.
    pub node: Option<SubgoalId>,
    pub folded: BTreeSet<SubgoalId>,
    pub question: Option<DecisionId>,
    pub entry: Option<KnowledgeId>,
    /// The selected event; none follows the newest.
    pub line: Option<Seq>,
    /// Lines scrolled in the panes without a selection.
    pub monitor_scroll: usize,
    pub diagnosis_scroll: usize,
    /// Whether what the body sees is to be shown, and the last that was seen of it.
    pub looks: bool,
    pub seen: Option<Arc<Pixels>>,
    /// Blocks by which the map is moved off the agent.
    pub map_shift: (i32, i32),
    /// Questions answered by this console and not yet confirmed by the run, with the number of
    /// answers that had been refused before.
    pub answered: BTreeMap<DecisionId, usize>,
    /// The text behind such an answer: it comes back if the run refuses it.
    pub sent: Option<Box<Editor>>,
    pub toast: Option<Toast>,
    /// For count-downs and for how long the mind has been thinking.
    pub now: Millis,
    /// How far the mind is, if it tells.
    pub thinking: Option<AnswerProgress>,
    pub size: Size,
}

impl Ui {
    #[must_use]
    pub fn new(mode: RunMode, size: Size) -> Self {
        Self {
            mode,
            is_guest: false,
            focus: Focus::Plan,
            beside: Focus::Monitor,
            zoom: false,
            overlay: Overlay::None,
            node: None,
            folded: BTreeSet::new(),
            question: None,
            entry: None,
            line: None,
            monitor_scroll: 0,
            diagnosis_scroll: 0,
            looks: false,
            seen: None,
            map_shift: (0, 0),
            answered: BTreeMap::new(),
            sent: None,
            toast: None,
            now: Millis(0),
            thinking: None,
            size,
        }
    }

    /// The question that the operator reads or writes on.
    #[must_use]
    pub fn reads(&self) -> Option<DecisionId> {
        match &self.overlay {
            Overlay::Decision { id, .. } | Overlay::Veto { id, .. } => Some(*id),
            Overlay::Editor(editor) => Some(editor.decision),
            Overlay::None | Overlay::Confirm(_) | Overlay::Jump { .. } | Overlay::Page { .. } => {
                None
            }
        }
    }

    #[must_use]
    pub fn is_replay(&self) -> bool {
        matches!(self.mode, RunMode::Replay(_))
    }

    pub fn say(&mut self, text: impl Into<String>) {
        self.toast = Some(Toast {
            text: text.into(),
            is_fault: false,
        });
    }

    /// Says why a key did nothing.
    pub fn refuse(&mut self, text: impl Into<String>) {
        self.toast = Some(Toast {
            text: text.into(),
            is_fault: true,
        });
    }

    pub fn focus_on(&mut self, focus: Focus) {
        self.focus = focus;
        if focus != Focus::Plan {
            self.beside = focus;
        }
    }
}
