//! Knowledge: skills, guardrails, rules and reference plans, and the life of an entry.
//!
//! A guardrail is executable: its trigger is a `Condition`, its forbid pattern matches subgoals.
//! Nothing proposed acts until it is active; a veto is a tombstone, not a deletion.

pub mod closure;
pub mod effect;
pub mod hindsight;
pub mod inputs;
pub mod interval;
pub mod kind;
mod life;
mod merge;
mod outcomes;
pub mod pattern;
pub mod post_mortem;
mod rule;
mod signature;
pub(crate) mod skill_merge;
pub mod title;

pub use crate::domain::knowledge::life::ChangeNote;
pub use crate::domain::knowledge::rule::{Rule, RuleRecord};

use crate::domain::check::Check;
use crate::domain::condition::Condition;
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::knowledge::effect::RunSums;
use crate::domain::knowledge::inputs::Flow;
use crate::domain::knowledge::kind::EntryKind;
use crate::domain::knowledge::post_mortem::PostMortem;
use crate::domain::plan::{Subgoal, TaskKind};
use pithead_world::block::BlockId;
use pithead_world::clock::Millis;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{ExperienceId, KnowledgeId, RunId};
use pithead_world::item::{Tier, ToolKind};
use pithead_world::space::Pos;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One entry of the knowledge base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub id: KnowledgeId,
    /// From 1; each change of content or status makes a new one.
    pub version: u32,
    pub status: Status,
    pub author: Author,
    /// One line for lists.
    pub title: String,
    /// What acts. All else is about it.
    pub body: Body,
    pub provenance: Provenance,
    /// Absent in bases from before outcomes were counted.
    #[serde(default)]
    pub outcomes: Outcomes,
    /// 0..=1; moved by outcomes.
    /// Stored with the entry for lists; it fades with time and is computed anew when an
    /// outcome comes.
    pub confidence: f64,
    pub created: Millis,
    /// Older versions, oldest first, each with the reason for leaving it.
    #[serde(default)]
    pub history: Vec<Change>,
}

/// Where an entry stands in its life.
/// Proposed entries wait for approval and act on nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Proposed,
    Active,
    Superseded,
    Retired,
    /// A tombstone: the same content is never proposed again.
    Vetoed,
}

impl Status {
    /// The name as it is stored and typed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Active => "active",
            Self::Superseded => "superseded",
            Self::Retired => "retired",
            Self::Vetoed => "vetoed",
        }
    }
}

/// Who wrote an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    Mind(String),
    Operator(String),
    Import(String),
    /// Nobody in person: a gate's policy or its time-out.
    Policy(String),
}

/// Where an entry comes from.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Provenance {
    pub run: Option<RunId>,
    pub task: String,
    /// The attempts it rests on; a merge adds those of the other entry.
    pub experiences: Vec<ExperienceId>,
    /// For what came from outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Box<Imported>>,
}

/// What an imported entry was where it came from.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Imported {
    /// For example `agent-skill`, `voyager`.
    pub format: String,
    /// The file's or folder's name, without its path.
    pub source: String,
    /// Its id or name there.
    pub name: String,
    /// Its failure label there, where ours is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What has no place in an entry, as it was written there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original: Option<String>,
}

/// One step in an entry's history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    pub version: u32,
    pub at: Millis,
    pub by: Author,
    pub reason: String,
    /// The content before the change, where the content changed.
    pub before: Option<Body>,
    /// The status before the change, where the status changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// The other entry, where two were merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<KnowledgeId>,
}

/// What an entry has done so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Outcomes {
    /// The first six are plain counts of events; `good` and `bad` are the evidence behind
    /// the confidence.
    pub retrieved: u32,
    pub shown: u32,
    pub matched: u32,
    pub blocked: u32,
    pub helped: u32,
    pub hurt: u32,
    /// Evidence for it, in thousandths of a case; older cases count for less.
    #[serde(skip_serializing_if = "is_zero")]
    pub good: u32,
    /// Evidence against it, as `good`.
    #[serde(skip_serializing_if = "is_zero")]
    pub bad: u32,
    /// When evidence last came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<Millis>,
    /// Runs with hold-out that it was given to, and those that it was withheld from.
    #[serde(skip_serializing_if = "RunSums::is_empty")]
    pub given: RunSums,
    #[serde(skip_serializing_if = "RunSums::is_empty")]
    pub withheld: RunSums,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for it
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// One way in which an entry took part.
/// In order of growing part: given to the run, in a prompt, matching, preventing, and how
/// it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryUse {
    Retrieved,
    Shown,
    /// Its trigger held for the subgoal at hand.
    Matched,
    /// It kept a subgoal from being planned or run.
    Blocked,
    Helped,
    Hurt,
}

impl EntryUse {
    /// The name that lists and JSON show.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Retrieved => "retrieved",
            Self::Shown => "shown",
            Self::Matched => "matched",
            Self::Blocked => "blocked",
            Self::Helped => "helped",
            Self::Hurt => "hurt",
        }
    }
}

/// The content of an entry.
/// The tag is stored: a kind's name never changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Body {
    Skill(Skill),
    Guardrail(Guardrail),
    TaskGuardrail(TaskGuardrail),
    Rule(Rule),
    ReferencePlan(ReferencePlan),
    Note(TextNote),
}

impl Body {
    #[must_use]
    pub fn entry_kind(&self) -> EntryKind {
        match self {
            Self::Skill(_) => EntryKind::Skill,
            Self::Guardrail(_) => EntryKind::Guardrail,
            Self::TaskGuardrail(_) => EntryKind::TaskGuardrail,
            Self::Rule(_) => EntryKind::Rule,
            Self::ReferencePlan(_) => EntryKind::ReferencePlan,
            Self::Note(_) => EntryKind::Note,
        }
    }

    /// Whether it binds a plan that is made when so many steps of the run are done. What has to be there before
    /// one step is got on the way to it, and not by turning back from half-way.
    #[must_use]
    pub fn holds_after(&self, steps_done: usize) -> bool {
        match self {
            Self::TaskGuardrail(guardrail) => steps_done == 0 || guardrail.before.is_anything(),
            _ => true, // the others are asked about single steps
        }
    }

    /// The kind's name as it is stored and typed.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.entry_kind().name()
    }
}

/// ⟨s_req, {a}, φ_success, s_eff⟩ (Eq. 6).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Skill {
    /// What it makes or gets.
    pub goal: ItemSpec,
    /// Pieces that one use of the skill makes.
    pub count: u32,
    /// s_req.
    pub requires: Condition,
    /// {a}: the steps, in order.
    pub steps: Vec<Subgoal>,
    /// φ_success.
    pub success: Vec<Check>,
    /// s_eff: the net change of the inventory.
    pub effects: BTreeMap<ItemSpec, i64>,
    /// What each step took and gave, in the order of the steps. Empty where nothing was seen of it: in
    /// entries from elsewhere, and in those of older builds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flows: Vec<Flow>,
}

/// ⟨c_trigger, a_forbid, r_avoid⟩ with recovery (Eq. 7).
/// Of a single step. Its trigger is a condition on the state, its pattern one on the step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Guardrail {
    pub trigger: Condition,
    pub forbid: Pattern,
    /// r_avoid: what happens otherwise, in words.
    pub avoid: String,
    /// What to do first, or instead.
    /// Tried in order; one of them may be enough.
    pub recovery: Vec<Remedy>,
    pub reason: FailureReason,
}

/// ⟨c_task, a_missing, r_deadlock⟩ (Eq. 8).
/// Of a whole task: it acts when a plan is verified, not when a step begins.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TaskGuardrail {
    /// c_task: the tasks it is about.
    pub task: Pattern,
    /// The step of a first plan before which it has to be seen to; without one, any time in any plan.
    #[serde(default, skip_serializing_if = "Pattern::is_anything")]
    pub before: Pattern,
    /// a_missing.
    pub missing: Vec<Remedy>,
    /// r_deadlock, in words.
    pub deadlock: String,
    /// The failed runs that it was learnt from, where it was learnt at their end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_mortem: Option<Box<PostMortem>>,
}

/// goal → summarised sequence (GITM).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReferencePlan {
    pub goal: ItemSpec,
    /// Pieces that one use of it makes.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u32,
    /// What every one of the runs had at its start.
    #[serde(default = "Condition::always", skip_serializing_if = "is_always")]
    pub requires: Condition,
    pub steps: Vec<Subgoal>,
    /// How many runs it was summarised from.
    pub from_successes: u32,
    /// These runs, where a mind summarised what each of them did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<RunId>,
    /// What each step took in these runs, as in skills. Empty in those of older builds, and in those from elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flows: Vec<Flow>,
}

impl ReferencePlan {
    /// The runs that it rests on, such as `1, 2, 5`; none where they are not known.
    #[must_use]
    pub fn runs_listed(&self) -> Option<String> {
        let runs: Vec<String> = self.runs.iter().map(ToString::to_string).collect();
        (!runs.is_empty()).then(|| runs.join(", "))
    }

    /// It as a skill, to be played on paper and read step by step; none if nothing was seen of its steps.
    #[must_use]
    pub fn as_skill(&self) -> Option<Skill> {
        let is_seen = !self.steps.is_empty() && self.flows.len() == self.steps.len();
        is_seen.then(|| Skill {
            goal: self.goal,
            count: self.count,
            requires: self.requires.clone(),
            steps: self.steps.clone(),
            success: vec![Check::InvGe {
                item: self.goal,
                count: self.count,
            }],
            effects: BTreeMap::new(),
            flows: self.flows.clone(),
        })
    }
}

fn one() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for it
fn is_one(count: &u32) -> bool {
    *count == 1
}

fn is_always(condition: &Condition) -> bool {
    *condition == Condition::always()
}

/// Words for minds that read; nothing acts on them. What an import brings and no other kind can hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextNote {
    pub name: String,
    /// What it is about, and when it is of use.
    pub about: String,
    /// Instructions or program text, never run.
    pub text: String,
    /// The language of a program text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// Which subgoals a guardrail forbids; every part given must fit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Pattern {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<TaskKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<ItemSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<ItemSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
    /// Part of the subgoal's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Pattern {
    /// It names nothing, and fits everything.
    #[must_use]
    pub fn is_anything(&self) -> bool {
        *self == Self::default()
    }
}

/// A ball in the world.
/// In the coordinates of one world, so no entry may have it; only constraints of a run do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// Blocks.
    pub centre: Pos,
    pub radius: u32,
}

/// Something that would keep the failure from happening.
/// Typed, so that the builtin mind can plan it and the verifier can check it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Remedy {
    /// Hold this much of the item first.
    Have { item: ItemSpec, count: u32 },
    /// Have this block standing near, or carry it.
    Station { block: BlockId },
    /// Carry a tool of at least this tier.
    Tool { kind: ToolKind, tier: Tier },
    /// Be at or below this height.
    GoBelow { y: i32 },
    /// Be at or above this height.
    GoAbove { y: i32 },
    /// Try somewhere else, at least this many blocks away.
    MoveAway { blocks: u32 },
    /// Words only; the builtin mind cannot act on them.
    Advice { text: String },
}
