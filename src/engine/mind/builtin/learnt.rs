//! What an ask teaches: guardrails, lessons, notes and skills, read as corrections of beliefs.
//!
//! Nothing here knows the game; it repeats what the ask holds, and is gone with the ask.

use super::elsewhere::is_for_elsewhere;
use super::rejected;
use super::shown::{Shown, keep_the_least_that_did, keep_what_all_show, of_skill, of_steps};
use pithead_core::domain::check::{Check, Place};
use pithead_core::domain::condition::{Condition, Predicate};
use pithead_core::domain::knowledge::pattern::{contains, overlaps};
use pithead_core::domain::knowledge::{Body, Entry, Guardrail, Pattern, Region, Remedy};
use pithead_core::domain::mind::ask::{Explained, PlanAsk};
use pithead_core::domain::plan::TaskKind;
use pithead_core::domain::plan::task::Task;
use pithead_core::text::numbers::list_first;
use pithead_world::action::Target;
use pithead_world::block;
use pithead_world::family::ItemSpec;
use pithead_world::ids::KnowledgeId;
use pithead_world::item::{Tier, ToolKind};
use pithead_world::space::Pos;
use std::collections::BTreeSet;

/// Sources named where a step says why; a belief may rest on dozens.
const SOURCES_NAMED: usize = 3;

/// Entries that a step cites at most: credit that is shared by more says nothing.
const CITED_MAX: usize = 8;

/// Everything that an ask teaches.
#[derive(Debug, Clone, Default)]
pub(super) struct Learnt {
    points: Vec<Point>,
}

/// What to see to before doing something.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) kind: Option<TaskKind>,
    pub(super) target: Option<ItemSpec>,
    pub(super) region: Option<Region>,
    /// The number of pieces that counts are meant for; without it they are for one crafting.
    /// "craft 12 planks": counts in the remedies are for twelve.
    pub(super) pieces: Option<u32>,
    pub(super) remedies: Vec<Remedy>,
    /// Of what skills show: the things that each sighting used.
    pub(super) sightings: Vec<Vec<ItemSpec>>,
    pub(super) shown: Shown,
    /// The id of the entry, or words.
    /// Quoted in the reason of a step, so that a person sees where it comes from.
    pub(super) by: String,
}

/// So many of an item have to be at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Floor {
    pub(super) item: ItemSpec,
    pub(super) count: u32,
    /// For this many pieces of the product; without it for one crafting.
    pub(super) pieces: Option<u32>,
}

impl Learnt {
    /// Reads the whole ask.
    /// The order matters: later points come from nearer sources, and the planner prefers
    /// them.
    #[must_use]
    pub(super) fn from(ask: &PlanAsk) -> Self {
        let knowledge = ask.knowledge.iter();
        let holding = knowledge.filter(|entry| {
            entry.body.holds_after(ask.done.len()) && !is_for_elsewhere(entry, &ask.state)
        });
        let mut points = of_knowledge(holding, &ask.task);
        let lessons = ask.lessons.iter().enumerate();
        points.extend(
            lessons.map(|(at, g)| of_guardrail(g, format!("lesson {} of this run", at + 1))),
        );
        points.extend(ask.guide.explained.iter().map(of_explained));
        points.extend(ask.rejected.iter().flat_map(rejected::of_rejected));
        Self { points }
    }

    /// How many single things it teaches.
    #[must_use]
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// What one of them is about, if that is one thing.
    #[must_use]
    pub(super) fn target(&self, at: usize) -> Option<ItemSpec> {
        self.points.get(at)?.target
    }

    /// These and one more, of another ask's.
    #[must_use]
    pub(super) fn with(&self, other: &Self, at: usize) -> Self {
        let points = self.points.iter().chain(other.points.get(at));
        Self {
            points: points.cloned().collect(),
        }
    }

    /// Reads entries alone, for questions that are not about plans.
    #[must_use]
    pub(super) fn of_entries(entries: &[Entry], task: &Task) -> Self {
        Self {
            points: of_knowledge(entries.iter(), task),
        }
    }

    fn about(&self, kind: TaskKind, target: ItemSpec) -> impl Iterator<Item = &Point> {
        // A point without kind or target holds for all.
        self.points.iter().filter(move |point| {
            point.kind.is_none_or(|k| k == kind) && point.target.is_none_or(|t| overlaps(t, target))
        })
    }

    fn remedies(&self, kind: TaskKind, target: ItemSpec) -> impl Iterator<Item = &Remedy> {
        self.about(kind, target).flat_map(|point| &point.remedies)
    }

    /// Where corrections for doing this come from, each once, in words; none if there are none.
    #[must_use]
    pub(super) fn sources(&self, kind: TaskKind, target: ItemSpec) -> Option<String> {
        let by = self.about(kind, target).map(|point| point.by.as_str());
        let all: Vec<&str> = by.collect::<BTreeSet<_>>().into_iter().collect();
        (!all.is_empty()).then(|| list_first(&all, SOURCES_NAMED))
    }

    /// The entries that a step for it follows, those that count most. Lessons of the run are no entries.
    #[must_use]
    pub(super) fn cited(&self, kind: TaskKind, target: ItemSpec) -> Vec<KnowledgeId> {
        let mut cited: Vec<KnowledgeId> = Vec::new();
        let about: Vec<&Point> = self.about(kind, target).collect();
        // From the latest back: later points are preferred.
        for point in about.iter().rev() {
            if let Ok(id) = point.by.parse()
                && !cited.contains(&id)
            {
                cited.push(id);
            }
        }
        cited.truncate(CITED_MAX);
        cited.sort_unstable();
        cited
    }

    /// Items to have at hand for it, stations aside.
    #[must_use]
    pub(super) fn floors(&self, kind: TaskKind, target: ItemSpec) -> Vec<Floor> {
        let each = |point: &Point| {
            let pieces = point.pieces;
            let floor = move |remedy: &Remedy| match remedy {
                // Stations are asked for by another function.
                Remedy::Have { item, count } if station(*item).is_none() => Some(Floor {
                    item: *item,
                    count: *count,
                    pieces,
                }),
                _ => None,
            };
            point.remedies.iter().filter_map(floor).collect::<Vec<_>>()
        };
        self.about(kind, target).flat_map(each).collect()
    }

    /// Whether the station is called for.
    #[must_use]
    pub(super) fn station(&self, kind: TaskKind, target: ItemSpec, wanted: block::BlockId) -> bool {
        self.remedies(kind, target).any(|remedy| match remedy {
            Remedy::Station { block } => *block == wanted,
            Remedy::Have { item, .. } => station(*item) == Some(wanted),
            _ => false,
        })
    }

    /// The best tool called for.
    #[must_use]
    pub(super) fn tool(&self, kind: TaskKind, target: ItemSpec) -> Option<(ToolKind, Tier)> {
        let tools = self
            .remedies(kind, target)
            .filter_map(|remedy| match remedy {
                Remedy::Tool { kind, tier } => Some((*kind, *tier)),
                _ => None,
            });
        // The highest tier satisfies all that were asked for.
        tools.max_by_key(|(_, tier)| tier.level())
    }

    /// The least height called for.
    #[must_use]
    pub(super) fn below(&self, kind: TaskKind, target: ItemSpec) -> Option<i32> {
        let heights = self
            .remedies(kind, target)
            .filter_map(|remedy| match remedy {
                Remedy::GoBelow { y } => Some(*y),
                _ => None,
            });
        heights.min()
    }

    #[must_use]
    pub(super) fn above(&self, kind: TaskKind, target: ItemSpec) -> Option<i32> {
        let heights = self
            .remedies(kind, target)
            .filter_map(|remedy| match remedy {
                Remedy::GoAbove { y } => Some(*y),
                _ => None,
            });
        heights.max()
    }

    /// How far to leave this place first.
    #[must_use]
    pub(super) fn away(&self, kind: TaskKind, target: ItemSpec, here: Pos) -> Option<u32> {
        // A point without a region holds everywhere.
        let bad = |point: &&Point| point.region.is_none_or(|region| contains(&region, here));
        let remedies = self
            .about(kind, target)
            .filter(bad)
            .flat_map(|point| &point.remedies);
        let ways = remedies.filter_map(|remedy| match remedy {
            Remedy::MoveAway { blocks } => Some(*blocks),
            _ => None,
        });
        ways.max()
    }
}

pub(super) fn station(item: ItemSpec) -> Option<block::BlockId> {
    let name = item.single()?.name();
    [block::CRAFTING_TABLE, block::FURNACE]
        .into_iter()
        .find(|b| b.name() == name)
}

/// What entries say, in their order; of what skills show only what all of them agree on.
fn of_knowledge<'a>(entries: impl Iterator<Item = &'a Entry>, task: &Task) -> Vec<Point> {
    let mut points: Vec<Point> = entries.flat_map(|entry| of_entry(entry, task)).collect();
    keep_what_all_show(&mut points);
    keep_the_least_that_did(&mut points);
    points
}

fn of_entry(entry: &Entry, task: &Task) -> Vec<Point> {
    let by = entry.id.to_string();
    let point = match &entry.body {
        Body::Guardrail(guardrail) => Some(of_guardrail(guardrail, by)),
        Body::TaskGuardrail(guardrail) => {
            let about = fits_task(&guardrail.task, task);
            let at_step = !guardrail.before.is_anything();
            about.then(|| Point {
                kind: guardrail.before.kind,
                target: guardrail.before.target.or(Some(task.goal)),
                region: None,
                // Missing for the task as a whole, or before the step, whatever the number of pieces.
                pieces: (!at_step).then_some(task.count),
                remedies: guardrail.missing.clone(),
                sightings: Vec::new(),
                shown: Shown::Not,
                by,
            })
        }
        Body::Skill(skill) if skill.steps.len() > 1 => return of_steps(skill, &by),
        Body::Skill(skill) => of_skill(skill, by),
        Body::Rule(rule) => {
            let (kind, target) = aims(&rule.when);
            let remedies = wanted_by(&rule.then);
            target.map(|_| Point {
                kind,
                target,
                region: None,
                pieces: None,
                remedies,
                sightings: Vec::new(),
                shown: Shown::Not,
                by,
            })
        }
        Body::ReferencePlan(plan) => {
            let seen = plan.as_skill();
            return seen.map_or(Vec::new(), |way| of_steps(&way, &by));
        }
        Body::Note(_) => None,
    };
    point.into_iter().collect()
}

/// Whether a task guardrail is about this task.
#[must_use]
pub(super) fn fits_task(pattern: &Pattern, task: &Task) -> bool {
    let text = task.text.to_lowercase();
    pattern
        .target
        .is_none_or(|target| overlaps(target, task.goal))
        && pattern
            .text
            .as_ref()
            .is_none_or(|part| text.contains(&part.to_lowercase()))
}

fn of_guardrail(guardrail: &Guardrail, by: String) -> Point {
    // Words alone cannot be acted upon; the trigger says as well what was lacking.
    // Advice in words comes from models and people.
    let words = |remedy: &Remedy| matches!(remedy, Remedy::Advice { .. });
    let remedies = if guardrail.recovery.iter().all(words) {
        lacked_in(&guardrail.trigger)
    } else {
        guardrail.recovery.clone()
    };
    Point {
        kind: guardrail.forbid.kind,
        target: guardrail.forbid.target,
        region: guardrail.forbid.region,
        pieces: guardrail.forbid.text.as_deref().and_then(pieces_in),
        remedies,
        sightings: Vec::new(),
        shown: Shown::Not,
        by,
    }
}

/// What was missing for a step of this run.
fn of_explained(explained: &Explained) -> Point {
    let Explained { step, explanation } = explained;
    Point {
        kind: Some(step.task_kind),
        target: step.goal.object,
        region: None,
        pieces: pieces_in(&step.condition),
        remedies: explanation.missing.clone(),
        sightings: Vec::new(),
        shown: Shown::Not,
        by: "an explanation of this run".to_owned(),
    }
}

/// The number in "craft 12 #planks".
fn pieces_in(text: &str) -> Option<u32> {
    text.split_whitespace()
        .find_map(|word| word.parse().ok())
        .filter(|n| *n > 0)
}

/// What would have made the trigger false.
fn lacked_in(trigger: &Condition) -> Vec<Remedy> {
    match trigger {
        Condition::All(parts) | Condition::Any(parts) => parts.iter().flat_map(lacked_in).collect(),
        Condition::Not(part) => wanted_by(part),
        Condition::Is(Predicate::Check(Check::InvLt { item, count })) => {
            vec![Remedy::Have {
                item: *item,
                count: *count,
            }]
        }
        // Not at or above y means below it.
        Condition::Is(Predicate::Check(Check::YposGe { y })) => vec![Remedy::GoBelow { y: y - 1 }],
        Condition::Is(Predicate::Check(Check::YposLe { y })) => vec![Remedy::GoAbove { y: y + 1 }],
        Condition::Is(_) => Vec::new(),
    }
}

/// What makes the condition true.
pub(super) fn wanted_by(condition: &Condition) -> Vec<Remedy> {
    match condition {
        Condition::All(parts) => parts.iter().flat_map(wanted_by).collect(),
        Condition::Any(parts) => parts
            .iter()
            .map(wanted_by)
            .find(|r| !r.is_empty())
            // One way is enough.
            .unwrap_or_default(),
        Condition::Not(part) => lacked_in(part),
        Condition::Is(predicate) => wanted_by_predicate(predicate).into_iter().collect(),
    }
}

pub(super) fn wanted_by_predicate(predicate: &Predicate) -> Option<Remedy> {
    match predicate {
        Predicate::Check(Check::InvGe { item, count }) => Some(Remedy::Have {
            item: *item,
            count: *count,
        }),
        Predicate::Check(Check::YposLe { y }) => Some(Remedy::GoBelow { y: *y }),
        Predicate::Check(Check::YposGe { y }) => Some(Remedy::GoAbove { y: *y }),
        Predicate::Check(Check::Near {
            place: Place::Thing(Target::Block(block)),
            ..
        }) => Some(Remedy::Station { block: *block }),
        Predicate::ToolGe { kind, tier } => Some(Remedy::Tool {
            kind: *kind,
            tier: *tier,
        }),
        _ => None,
    }
}

/// The kind and target that a rule speaks of.
fn aims(when: &Condition) -> (Option<TaskKind>, Option<ItemSpec>) {
    match when {
        Condition::All(parts) => parts
            .iter()
            .map(aims)
            .fold((None, None), |(kind, target), (k, t)| {
                (kind.or(k), target.or(t))
            }),
        Condition::Is(Predicate::SubgoalKind(kind)) => (Some(*kind), None),
        Condition::Is(Predicate::Target(item)) => (None, Some(*item)),
        Condition::Is(_) | Condition::Any(_) | Condition::Not(_) => (None, None),
    }
}
