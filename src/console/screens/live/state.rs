//! State of the live screen: focus, selections, what is folded, and the mode of the run.
//!
//! Nothing here is about the run itself; losing it loses nothing. Selections are ids, so that they stay on
//! their object when a replan moves it.

use crate::screens::live::event_filter::EventFilter;
use crate::screens::live::layout::{Focus, SharedPlace};
use crate::widgets::editor::Editor;
use pithead_engine::mind::watch::AnswerProgress;
use pithead_engine::runtime::DriverStatus;
use pithead_engine::runtime::attach::presence::Presence;
use pithead_world::clock::Millis;
use pithead_world::ids::{DecisionId, KnowledgeId, Seq, SubgoalId};
use pithead_world::port::Pixels;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What lies over the run's screen, besides pages and the editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunOverlay {
    /// Why not? The reason goes with the veto.
    Veto {
        id: DecisionId,
        text: String,
    },
    /// To which event or tick of the recording?
    Jump {
        text: String,
    },
    Confirm(Confirm),
    /// Have the body say this where others read it?
    Say {
        text: String,
    },
    /// What becomes of the run, which has a process of its own?
    Leave,
}

/// Something about the run to read in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunPage {
    Node(SubgoalId),
    Entry(KnowledgeId),
    Trace,
    /// What the mind has cost.
    Costs,
    /// What was predicted of each step that could be next, and what it came to.
    Selections,
    /// Each reflection in full.
    Reflections,
    /// The tree of goals and all steps for them.
    Goals,
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

/// An answer on its way to the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentAnswer {
    /// What was answered, as the operator knows it: `d2`, or an entry's `k42.2`.
    pub about: String,
    /// Answers that the run had refused before.
    pub refused: usize,
}

/// What the live screen keeps about the run in sight.
#[derive(Debug, Clone)]
pub struct LiveState {
    pub mode: RunMode,
    /// Another process drives the run; leaving it here changes nothing there.
    pub is_guest: bool,
    /// The same, and that process was started for this console.
    pub is_own_process: bool,
    /// Who is at the run, where the process that drives it says so.
    pub presence: Option<Presence>,
    pub focus: Focus,
    /// The pane beside the plan where there is room for two.
    pub beside: Focus,
    /// The panes of those that share a place which are in sight where there is room for all places.
    pub decisions: Focus,
    pub corner: Focus,
    /// Panes that the run's profile switches on.
    pub switched: Vec<Focus>,
    pub zoom: bool,
    /// The selected node; none follows what is under way.
    pub node: Option<SubgoalId>,
    pub folded: BTreeSet<SubgoalId>,
    /// Nodes whose attempts are listed below them.
    pub opened: BTreeSet<SubgoalId>,
    pub question: Option<DecisionId>,
    pub entry: Option<KnowledgeId>,
    /// The selected question to the mind; none follows the newest.
    pub asked: Option<Seq>,
    /// The selected event; none follows the newest.
    pub line: Option<Seq>,
    /// Which events are in sight.
    pub events: EventFilter,
    /// Lines scrolled in the panes without a selection.
    pub monitor_scroll: usize,
    pub diagnosis_scroll: usize,
    pub reflector_scroll: usize,
    pub goals_scroll: usize,
    /// The selected step among those that could be next, and the selected rule.
    pub candidate: Option<SubgoalId>,
    pub rule: Option<KnowledgeId>,
    /// Whether what the body sees is to be shown, and the last that was seen of it.
    pub looks: bool,
    pub seen: Option<Arc<Pixels>>,
    /// Blocks by which the map is moved off the agent.
    pub map_shift: (i32, i32),
    /// Questions answered by this console and not yet confirmed by the run.
    pub answered: BTreeMap<DecisionId, SentAnswer>,
    /// The text behind such an answer: it comes back if the run refuses it.
    pub sent: Option<(DecisionId, Box<Editor>)>,
    /// A text that the run has refused, until it can be shown again.
    pub returned: Option<(DecisionId, Box<Editor>)>,
    /// For count-downs and for how long the mind has been thinking.
    pub now: Millis,
    /// How far the mind is, if it tells.
    pub thinking: Option<AnswerProgress>,
}

impl LiveState {
    #[must_use]
    pub fn new(mode: RunMode) -> Self {
        Self {
            mode,
            is_guest: false,
            is_own_process: false,
            presence: None,
            focus: Focus::Plan,
            beside: Focus::Monitor,
            decisions: Focus::Inbox,
            corner: Focus::Knowledge,
            switched: Vec::new(),
            zoom: false,
            node: None,
            folded: BTreeSet::new(),
            opened: BTreeSet::new(),
            question: None,
            entry: None,
            asked: None,
            line: None,
            events: EventFilter::default(),
            monitor_scroll: 0,
            diagnosis_scroll: 0,
            reflector_scroll: 0,
            goals_scroll: 0,
            candidate: None,
            rule: None,
            looks: false,
            seen: None,
            map_shift: (0, 0),
            answered: BTreeMap::new(),
            sent: None,
            returned: None,
            now: Millis(0),
            thinking: None,
        }
    }

    #[must_use]
    pub fn is_replay(&self) -> bool {
        matches!(self.mode, RunMode::Replay(_))
    }

    /// What the body sees can be shown: the run is live, and the process that drives it can be asked.
    #[must_use]
    pub fn has_eyes(&self) -> bool {
        !self.is_replay() && (!self.is_guest || self.presence.is_some())
    }

    /// The panes that there are, in the order of tab.
    pub fn panes(&self) -> impl Iterator<Item = Focus> + '_ {
        Focus::ALL.into_iter().chain(self.switched.iter().copied())
    }

    /// The panes that this one shares its place with.
    pub fn behind(&self, shown: Focus) -> impl Iterator<Item = Focus> + '_ {
        let place = shown.place();
        self.panes()
            .filter(move |other| place.is_some() && other.place() == place && *other != shown)
    }

    /// Brings a pane in sight where it shares its place with others.
    pub fn bring_forward(&mut self, focus: Focus) {
        match focus.place() {
            Some(SharedPlace::Decisions) => self.decisions = focus,
            Some(SharedPlace::Corner) => self.corner = focus,
            None => (),
        }
    }

    pub fn focus_on(&mut self, focus: Focus) {
        self.focus = focus;
        self.bring_forward(focus);
        if focus != Focus::Plan {
            self.beside = focus;
        }
    }
}
