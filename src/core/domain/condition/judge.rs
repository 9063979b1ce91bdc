//! Judging conditions: Kleene's three-valued logic over the predicates.

use super::{Condition, Predicate, spec_within};
use crate::domain::check::{Check, Place, Truth};
use crate::domain::condition::situation::Situation;
use pithead_world::action::Target;
use pithead_world::family::ItemSpec;
use pithead_world::item::{Tier, ToolKind};

impl Condition {
    /// Whether it holds; unknown when that hangs on something unknown.
    #[must_use]
    pub fn truth(&self, now: &Situation<'_>) -> Truth {
        match self {
            Self::All(parts) => parts
                .iter()
                .fold(Truth::True, |truth, part| truth.and(part.truth(now))),
            Self::Any(parts) => parts
                .iter()
                .fold(Truth::False, |truth, part| truth.or(part.truth(now))),
            Self::Not(part) => part.truth(now).negated(),
            Self::Is(predicate) => predicate.truth(now),
        }
    }
}

impl Predicate {
    /// Whether it holds; unknown when an input is unknown.
    #[must_use]
    pub fn truth(&self, now: &Situation<'_>) -> Truth {
        let known = match self {
            Self::Check(check) => return check.truth(now),
            Self::Holding(item) => return Check::Equipped { item: *item }.truth(now),
            Self::MobNear { mob, range } => {
                let place = Place::Thing(Target::Mob(*mob));
                return Check::Near {
                    place,
                    range: *range,
                }
                .truth(now);
            }
            Self::Target(item) => return aims_at(now, *item),
            // No biome is in an empty list, whichever it is.
            Self::BiomeIn(names) if names.is_empty() => Some(false),
            Self::BiomeIn(names) => now
                .biome
                .map(|biome| names.iter().any(|name| bare(name) == bare(biome))),
            Self::HealthLt(bound) => now
                .health
                .map(|health| f64::from(health) < f64::from(*bound)),
            Self::HungerLt(bound) => now
                .hunger
                .map(|hunger| f64::from(hunger) < f64::from(*bound)),
            Self::OnGround => now.on_ground,
            Self::Underground => now.underground,
            Self::SubgoalKind(kind) => now.subgoal.map(|subgoal| subgoal.task_kind == *kind),
            Self::ToolGe { kind, tier } => carries_tool(now, *kind, *tier),
            Self::AttemptsGe { reason, n } => now
                .failures
                .map(|failures| failures.get(reason).copied().unwrap_or(0) >= *n),
        };
        known.map_or(Truth::Unknown, Truth::from_bool)
    }
}

fn bare(biome: &str) -> &str {
    biome.strip_prefix("minecraft:").unwrap_or(biome)
}

/// A subgoal for any log may or may not be about oak: that is unknown, not false.
fn aims_at(now: &Situation<'_>, item: ItemSpec) -> Truth {
    let Some(subgoal) = now.subgoal else {
        return Truth::Unknown;
    };
    let Some(object) = subgoal.goal.object else {
        return Truth::False;
    };
    spec_within(object, item)
}

fn carries_tool(now: &Situation<'_>, kind: ToolKind, tier: Tier) -> Option<bool> {
    let will_do = |tool: pithead_world::item::Tool| tool.will_do(kind, tier);
    now.inventory.map(|counts| {
        counts
            .iter()
            .any(|(item, _)| item.facts().tool.is_some_and(will_do))
    })
}
