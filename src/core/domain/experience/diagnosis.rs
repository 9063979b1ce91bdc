//! Diagnosis: what came of one attempt, and why (Eq. 1-2 of Steve-Evolving).
//!
//! The 11 reasons are those of the paper's Table 5, the 13 observables those of its Table 4. Every
//! label carries the trace that led to it.

use pithead_world::action::ActionFailure;
use pithead_world::block::BlockId;
use pithead_world::counts::Counts;
use pithead_world::item::ItemId;
use pithead_world::observation::Gui;
use pithead_world::space::Point;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Why an attempt failed.
/// The names of the paper; they are stored, shown to models and typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FailureReason {
    NavStuck,
    NavOscillate,
    PathUnreachable,
    GuiBlocked,
    MonitorNeverTrue,
    ToolMissing,
    Timeout,
    EnvTerminated,
    ActionInvalid,
    RiskAbort,
    Unknown,
}

impl FailureReason {
    pub const ALL: [Self; 11] = [
        Self::NavStuck,
        Self::NavOscillate,
        Self::PathUnreachable,
        Self::GuiBlocked,
        Self::MonitorNeverTrue,
        Self::ToolMissing,
        Self::Timeout,
        Self::EnvTerminated,
        Self::ActionInvalid,
        Self::RiskAbort,
        Self::Unknown,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NavStuck => "NAV_STUCK",
            Self::NavOscillate => "NAV_OSCILLATE",
            Self::PathUnreachable => "PATH_UNREACHABLE",
            Self::GuiBlocked => "GUI_BLOCKED",
            Self::MonitorNeverTrue => "MONITOR_NEVER_TRUE",
            Self::ToolMissing => "TOOL_MISSING",
            Self::Timeout => "TIMEOUT",
            Self::EnvTerminated => "ENV_TERMINATED",
            Self::ActionInvalid => "ACTION_INVALID",
            Self::RiskAbort => "RISK_ABORT",
            Self::Unknown => "UNKNOWN",
        }
    }

    /// What the reason says of an attempt.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::NavStuck => "the body stood still where it had to move",
            Self::NavOscillate => {
                "the body moved back and forth over the same ground without getting anywhere"
            }
            Self::PathUnreachable => "no path to the place was found, or the body came no nearer",
            Self::GuiBlocked => {
                "a window was open in the way or did not open, or windows opened and closed without effect"
            }
            Self::MonitorNeverTrue => {
                "the action ended, or its time ran out, and the checks came no nearer to true"
            }
            Self::ToolMissing => "a tool, ingredient, station, fuel or recipe is missing",
            Self::Timeout => "the body was making progress when its time ran out",
            Self::EnvTerminated => "the body died, or the world ended",
            Self::ActionInvalid => "no action fits the step, or the world cannot do it",
            Self::RiskAbort => "it was given up because continuing could kill",
            Self::Unknown => "no predicate held, or the attempt was cancelled",
        }
    }

    /// The reason of that name, in either case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim().replace('-', "_");
        Self::ALL
            .into_iter()
            // As people type them: any case, hyphens or underscores.
            .find(|reason| reason.name().eq_ignore_ascii_case(&name))
    }

    /// The coarse class of the reason.
    /// A coarse class compares failures between systems with finer labels.
    #[must_use]
    pub fn fail_type(self) -> FailType {
        match self {
            Self::NavStuck | Self::NavOscillate | Self::PathUnreachable => FailType::Navigation,
            Self::GuiBlocked | Self::ToolMissing | Self::ActionInvalid => FailType::Interaction,
            Self::MonitorNeverTrue | Self::Timeout => FailType::Timeout,
            Self::EnvTerminated | Self::RiskAbort => FailType::Environment,
            Self::Unknown => FailType::Unknown,
        }
    }
}

/// The coarse class of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailType {
    Navigation,
    Interaction,
    Timeout,
    Environment,
    Unknown,
}

impl FailType {
    /// As it is stored and shown.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Navigation => "navigation",
            Self::Interaction => "interaction",
            Self::Timeout => "timeout",
            Self::Environment => "environment",
            Self::Unknown => "unknown",
        }
    }
}

/// The verdict on one attempt: ⟨o, Δs, f_reason, c⟩ and how it was reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Diagnosis {
    /// o: all checks of the subgoal were true.
    pub success: bool,
    /// f_reason; none on success.
    pub reason: Option<FailureReason>,
    pub fail_type: Option<FailType>,
    /// Share of the evidence that speaks for the label, 0..=1.
    /// 1 for a success and for a label that an operator gave.
    pub confidence: f64,
    /// Δs.
    pub delta: StateDelta,
    /// c: the continuous indicators.
    pub indicators: Vec<Indicator>,
    /// Every predicate evaluated, in order.
    /// Also those that did not hold.
    pub trace: Vec<TraceStep>,
    /// Other labels whose predicates held, best first.
    pub runners_up: Vec<FailureReason>,
    /// What the body itself reported, if it did.
    pub report: Option<ActionFailure>,
    /// One sentence for people.
    pub summary: String,
    pub observables: Observables,
}

impl Diagnosis {
    /// The body itself said that its tools gave out.
    #[must_use]
    pub fn is_of_tools(&self) -> bool {
        let report = self.report.as_ref();
        report.is_some_and(ActionFailure::is_of_tools)
    }

    /// Another label, which a person gave; the trace still says what led to the old one.
    /// Evidence and trace stay, so that the change can be judged later.
    pub fn overrule(&mut self, label: FailureReason) {
        self.reason = Some(label);
        self.fail_type = Some(label.fail_type());
        self.confidence = 1.0;
        self.runners_up.retain(|other| *other != label);
    }
}

/// Δs: what the attempt changed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StateDelta {
    pub inventory: BTreeMap<ItemId, i64>,
    /// What went into crafting grids and furnaces; other losses (blocks placed, tools worn) are not
    /// in here.
    #[serde(default)]
    pub used: Counts,
    /// The windows in which something was made, in order of their first use. Empty in older documents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<Gui>,
    /// Blocks broken, by kind.
    /// Negative counts never occur: blocks are broken, not placed.
    pub blocks: BTreeMap<BlockId, i64>,
    /// Blocks from start to end, straight line.
    pub moved: f64,
    /// Change of health, half hearts.
    pub health: f64,
}

/// One continuous indicator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Indicator {
    pub name: String,
    pub value: f64,
    /// For example `blocks²`, `items`, `ticks`, `1`.
    pub unit: String,
    /// The threshold it is held against, if any.
    pub threshold: Option<f64>,
}

/// One predicate of the trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TraceStep {
    /// For example `reported missing ingredient`, `σ²_coord < ε_nav`.
    pub predicate: String,
    /// The inputs, in words.
    pub inputs: String,
    pub value: Option<f64>,
    pub threshold: Option<f64>,
    /// Whether it speaks for its label here.
    pub holds: bool,
    /// The label this predicate speaks for.
    pub speaks_for: Option<FailureReason>,
}

/// The 13 observables of one attempt (Table 4).
/// Names and order are those of the paper's table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observables {
    pub coords_start: Point,
    pub coords_end: Point,
    /// Mean over the axes of the variance of position, blocks².
    pub coords_variance: f64,
    pub inventory: Counts,
    pub inv_delta: BTreeMap<ItemId, i64>,
    pub is_gui_open: bool,
    pub gui_state: String,
    pub gui_events: GuiEvents,
    /// Ticks since the world began, at the end of the attempt.
    pub world_time: u64,
    /// None where no furnace was in use.
    pub furnace_burn: Option<u32>,
    pub furnace_cook: Option<u32>,
    pub container_items: u32,
    pub crafted_items: Counts,
}

/// Windows opened and closed during an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GuiEvents {
    pub open: u32,
    pub close: u32,
}
