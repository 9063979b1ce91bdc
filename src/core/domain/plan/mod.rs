//! Plans: PlanJSON as the program holds it (a superset of the paper's planner card).
//!
//! Subgoal ids are stable over the replans of one run. Reading untrusted PlanJSON is in
//! `json`; a `Plan` is always well-formed but not yet verified.

pub mod building;
pub mod form;
pub mod id_text;
pub mod item_words;
pub mod json;
pub mod note;
pub mod outline;
pub mod task;
mod task_list;

use crate::domain::check::{Check, Place};
use pithead_world::blueprint::BlueprintName;
use pithead_world::family::ItemSpec;
use pithead_world::ids::{KnowledgeId, SubgoalId};
use serde::{Deserialize, Serialize};

/// A plan: subgoals in the order proposed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Plan {
    pub plan_id: String,
    pub subgoals: Vec<Subgoal>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub global_constraints: Vec<String>,
    /// Why actions failed before, in the planner's words (GITM).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// What the planner thought before it wrote the steps (GITM).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thoughts: Option<String>,
}

/// One node of the plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Subgoal {
    #[serde(rename = "subgoal_id", with = "crate::domain::plan::id_text::id")]
    pub id: SubgoalId,
    /// What is to be done, in words.
    pub condition: String,
    pub task_kind: TaskKind,
    pub executor_hint: Executor,
    #[serde(default)]
    pub mode: Mode,
    /// Seconds of world time allowed for one attempt.
    pub timeout_s: u32,
    pub checks: Vec<Check>,
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        with = "crate::domain::plan::id_text::ids"
    )]
    pub needs: Vec<SubgoalId>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "crate::domain::plan::id_text::maybe_id"
    )]
    pub parent: Option<SubgoalId>,
    /// Subgoals of one group are alternatives: one of them is enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<String>,
    pub goal: Goal,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// The entries of the knowledge base that the step is as it is because of; they are credited with what becomes of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub follows: Vec<KnowledgeId>,
    /// What has to hold right before the step; checked in systems whose plans assert it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asserts: Vec<Check>,
    /// What the planner expects of the step, in words (GITM).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expectation: Option<String>,
}

/// What a subgoal is about (GITM's {object, count, material, tool, info}).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Goal {
    /// The item wanted; none for pure movement and waiting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<ItemSpec>,
    pub count: u32,
    /// What it is made of: fuel for smelting, input otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<ItemSpec>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<ItemSpec>,
    /// Height wanted by dig_down and go_up; ticks wanted by wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub info: Option<String>,
}

/// The kind of a subgoal; stall detection chooses its strategy by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    Mine,
    Craft,
    Smelt,
    Use,
    Combat,
    Move,
    Wait,
}

impl TaskKind {
    pub const ALL: [Self; 7] = [
        Self::Mine,
        Self::Craft,
        Self::Smelt,
        Self::Use,
        Self::Combat,
        Self::Move,
        Self::Wait,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Mine => "mine",
            Self::Craft => "craft",
            Self::Smelt => "smelt",
            Self::Use => "use",
            Self::Combat => "combat",
            Self::Move => "move",
            Self::Wait => "wait",
        }
    }
}

/// Which executor carries a subgoal out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Executor {
    Mine,
    Craft,
    Smelt,
    Equip,
    Place,
    Use,
    Fish,
    Grow,
    Breed,
    Trade,
    Enchant,
    Repair,
    Dye,
    Take,
    Put,
    Sleep,
    Build,
    Eat,
    Attack,
    Explore,
    Approach,
    DigDown,
    GoUp,
    Wait,
}

impl Executor {
    pub const ALL: [Self; 24] = [
        Self::Mine,
        Self::Craft,
        Self::Smelt,
        Self::Equip,
        Self::Place,
        Self::Use,
        Self::Fish,
        Self::Grow,
        Self::Breed,
        Self::Trade,
        Self::Enchant,
        Self::Repair,
        Self::Dye,
        Self::Take,
        Self::Put,
        Self::Sleep,
        Self::Build,
        Self::Eat,
        Self::Attack,
        Self::Explore,
        Self::Approach,
        Self::DigDown,
        Self::GoUp,
        Self::Wait,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Mine => "mine",
            Self::Craft => "craft",
            Self::Smelt => "smelt",
            Self::Equip => "equip",
            Self::Place => "place",
            Self::Use => "use",
            Self::Fish => "fish",
            Self::Grow => "grow",
            Self::Breed => "breed",
            Self::Trade => "trade",
            Self::Enchant => "enchant",
            Self::Repair => "repair",
            Self::Dye => "dye",
            Self::Take => "take",
            Self::Put => "put",
            Self::Sleep => "sleep",
            Self::Build => "build",
            Self::Eat => "eat",
            Self::Attack => "attack",
            Self::Explore => "explore",
            Self::Approach => "approach",
            Self::DigDown => "dig_down",
            Self::GoUp => "go_up",
            Self::Wait => "wait",
        }
    }

    /// The kind of subgoal it carries out.
    #[must_use]
    pub fn kind(self) -> TaskKind {
        match self {
            Self::Mine => TaskKind::Mine,
            Self::Craft => TaskKind::Craft,
            Self::Smelt => TaskKind::Smelt,
            Self::Attack => TaskKind::Combat,
            Self::Equip
            | Self::Place
            | Self::Use
            | Self::Fish
            | Self::Grow
            | Self::Breed
            | Self::Trade
            | Self::Enchant
            | Self::Repair
            | Self::Dye
            | Self::Take
            | Self::Put
            | Self::Sleep
            | Self::Build
            | Self::Eat => TaskKind::Use,
            Self::Explore | Self::Approach | Self::DigDown | Self::GoUp => TaskKind::Move,
            Self::Wait => TaskKind::Wait,
        }
    }
}

/// Whether the body may leave the spot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    #[default]
    Move,
    Stay,
}

impl Plan {
    /// The node with this id.
    #[must_use]
    pub fn get(&self, id: SubgoalId) -> Option<&Subgoal> {
        self.subgoals.iter().find(|s| s.id == id)
    }
}

impl Subgoal {
    /// What it is about in a few words, for example `mine iron_ore ×3` or `dig_down y 12`.
    #[must_use]
    pub fn label(&self) -> String {
        label(self.executor_hint, &self.goal, &self.checks)
    }

    /// The blueprint that is built, if the step builds by one.
    #[must_use]
    pub fn blueprint(&self) -> Option<&BlueprintName> {
        blueprint_of(self.executor_hint, &self.checks)
    }
}

/// The blueprint that a step builds by stands in its check.
fn blueprint_of(executor: Executor, checks: &[Check]) -> Option<&BlueprintName> {
    let mut named = checks.iter().filter_map(|check| match check {
        Check::Built { blueprint } => Some(blueprint),
        _ => None, // no other check names one
    });
    named.next().filter(|_| executor == Executor::Build)
}

/// The place that a step goes to, if that is all it does, stands in its check.
fn sought_place(executor: Executor, checks: &[Check]) -> Option<&Place> {
    let mut places = checks.iter().filter_map(|check| match check {
        Check::Near { place, .. } => Some(place),
        _ => None, // no other check names one
    });
    let goes = matches!(executor, Executor::Approach | Executor::Explore);
    places.next().filter(|_| goes)
}

/// As `Subgoal::label`, for a subgoal that is still being made.
#[must_use]
pub fn label(executor: Executor, goal: &Goal, checks: &[Check]) -> String {
    let mut words = executor.name().to_owned();
    if let Some(blueprint) = blueprint_of(executor, checks) {
        return format!("{words} {blueprint}");
    }
    if let (None, Some(place)) = (goal.object, sought_place(executor, checks)) {
        return match (executor, place) {
            (Executor::Approach, Place::At(at)) => format!("goto {at}"),
            (_, place) => format!("{words} {place}"),
        };
    }
    let is_height = matches!(executor, Executor::DigDown | Executor::GoUp);
    if let Some(object) = goal.object.filter(|_| !is_height) {
        words.push_str(&format!(" {object}"));
        if goal.count > 1 {
            words.push_str(&format!(" ×{}", goal.count));
        }
    }
    match (goal.amount, executor) {
        (Some(y), Executor::DigDown | Executor::GoUp) => words.push_str(&format!(" y {y}")),
        (Some(ticks), Executor::Wait) => words.push_str(&format!(" {ticks} ticks")),
        (Some(_) | None, _) => {}
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_world::action::Target;
    use pithead_world::mob::MobKind;
    use pithead_world::space::Pos;

    #[test]
    fn labels_name_what_is_done_to_what() {
        let goal = |object: Option<&str>, count, amount| Goal {
            object: object.map(|name| name.parse().unwrap()),
            count,
            material: None,
            tool: None,
            amount,
            info: None,
        };
        assert_eq!(
            label(Executor::Mine, &goal(Some("iron_ore"), 3, None), &[]),
            "mine iron_ore ×3"
        );
        assert_eq!(
            label(Executor::Craft, &goal(Some("bucket"), 1, None), &[]),
            "craft bucket"
        );
        assert_eq!(
            label(Executor::DigDown, &goal(None, 1, Some(12)), &[]),
            "dig_down y 12"
        );
        assert_eq!(
            label(Executor::Wait, &goal(None, 1, Some(200)), &[]),
            "wait 200 ticks"
        );
        let near = |place| Check::Near { place, range: 4 };
        let cow = Place::Thing(Target::Mob(MobKind::named("cow").unwrap()));
        let somewhere = Place::At(Pos::new(1, 64, -9));
        for (executor, place, words) in [
            (Executor::Approach, cow.clone(), "approach cow"),
            (Executor::Approach, somewhere, "goto 1 64 -9"),
            (Executor::Explore, cow, "explore cow"),
        ] {
            assert_eq!(label(executor, &goal(None, 1, None), &[near(place)]), words);
        }
        let hut = Check::Built {
            blueprint: "shelter".parse().unwrap(),
        };
        assert_eq!(
            label(Executor::Build, &goal(None, 1, None), &[hut]),
            "build shelter"
        );
    }
}
