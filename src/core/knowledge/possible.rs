//! Whether conditions can hold at all, and together: for lint, duplicates and contradictions.
//!
//! Two-valued, over the disjunctive normal form. Invariant: what is said to be impossible is; what is
//! said to be possible may not be.

use crate::domain::check::Check;
use crate::domain::condition::{Condition, Predicate};
use crate::domain::knowledge::Remedy;
use crate::domain::knowledge::pattern::{overlaps, within};
use pithead_world::family::ItemSpec;
use pithead_world::item::Tier;

/// More ways to make a condition true than these are not looked through: it counts as possible.
const WAYS_MAX: usize = 256;

/// One predicate, wanted or not wanted.
#[derive(Debug, Clone, PartialEq)]
struct Literal {
    predicate: Predicate,
    holds: bool,
}

/// Whether all of these can hold at the same moment.
#[must_use]
pub fn together(conditions: &[&Condition]) -> bool {
    let all = conditions.iter().map(|c| (*c).clone()).collect();
    match ways(&Condition::All(all).normalised()) {
        None => true,
        Some(ways) => ways.iter().any(|way| is_free_of_conflict(way)),
    }
}

/// Whether the first can hold only where the second does.
#[must_use]
pub fn entails(a: &Condition, b: &Condition) -> bool {
    !together(&[a, &b.clone().not()])
}

/// Whether carrying the remedies out makes the trigger false; none if that is unknown.
#[must_use]
pub fn clears(recovery: &[Remedy], trigger: &Condition) -> Option<bool> {
    let mut after = Vec::new();
    for remedy in recovery {
        after.push(outcome(remedy, trigger)?);
    }
    let mut all: Vec<&Condition> = after.iter().collect();
    all.push(trigger);
    Some(!together(&all))
}

/// What is true once a remedy is carried out; none if words or a walk leave that open.
fn outcome(remedy: &Remedy, trigger: &Condition) -> Option<Condition> {
    let is = |check: Check| Condition::from(check);
    Some(match remedy {
        Remedy::Have { item, count } => is(Check::InvGe {
            item: *item,
            count: *count,
        }),
        Remedy::GoBelow { y } => is(Check::YposLe { y: *y }),
        Remedy::GoAbove { y } => is(Check::YposGe { y: *y }),
        // It stands near, or can be set down: the trigger's own words say what counts as near.
        Remedy::Station { block } => {
            let mut names = Vec::new();
            predicates(trigger, &mut names);
            let about = |p: &Predicate| p_is_about(p, *block);
            let near: Vec<Condition> = names.into_iter().filter(about).map(Condition::Is).collect();
            if near.is_empty() {
                return None;
            }
            // All of these come true, for it is carried or stands before the body.
            Condition::All(near)
        }
        Remedy::Tool { kind, tier } => {
            let mut found = vec![Condition::Is(Predicate::ToolGe {
                kind: *kind,
                tier: *tier,
            })];
            let mut names = Vec::new();
            predicates(trigger, &mut names);
            // A trigger may name the tool itself.
            found.extend(names.into_iter().filter_map(|p| {
                let Predicate::Check(Check::InvGe { item, count: 0..=1 }) = &p else {
                    return None;
                };
                is_tool(*item, *kind, *tier).then_some(Condition::Is(p))
            }));
            Condition::All(found)
        }
        Remedy::MoveAway { .. } | Remedy::Advice { .. } => return None,
    })
}

fn p_is_about(predicate: &Predicate, block: pithead_world::block::BlockId) -> bool {
    use crate::domain::check::Place;
    use pithead_world::action::Target;
    match predicate {
        Predicate::Check(Check::Near {
            place: Place::Thing(Target::Block(near)),
            ..
        }) => *near == block,
        Predicate::Check(Check::InvGe { item, count: 0..=1 }) => {
            block.item().is_some_and(|carried| item.matches(carried))
        }
        _ => false, // no other predicate names a block
    }
}

/// Every piece of the family is such a tool, of at most that tier: a better one counts as well.
fn is_tool(item: ItemSpec, kind: pithead_world::item::ToolKind, tier: Tier) -> bool {
    item.members().iter().all(|member| {
        let tool = member.facts().tool;
        tool.is_some_and(|tool| tool.kind == kind && tool.tier.level() <= tier.level())
    })
}

/// The predicates of a condition in its normal form.
fn predicates(condition: &Condition, found: &mut Vec<Predicate>) {
    fn walk(condition: &Condition, found: &mut Vec<Predicate>) {
        match condition {
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().for_each(|part| walk(part, found));
            }
            Condition::Not(part) => walk(part, found),
            Condition::Is(predicate) => found.push(predicate.clone()),
        }
    }
    walk(&condition.normalised(), found);
}

/// The ways in which a normal form comes true; none if there are too many.
fn ways(condition: &Condition) -> Option<Vec<Vec<Literal>>> {
    match condition {
        Condition::Is(predicate) => Some(vec![vec![literal(predicate, true)]]),
        Condition::Not(part) => match part.as_ref() {
            Condition::Is(predicate) => Some(vec![vec![literal(predicate, false)]]),
            // A normal form has negation at its leaves only.
            other => ways(&other.clone().not().normalised()),
        },
        Condition::Any(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(ways(part)?);
            }
            (all.len() <= WAYS_MAX).then_some(all)
        }
        Condition::All(parts) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let more = ways(part)?;
                if all.len() * more.len() > WAYS_MAX {
                    return None;
                }
                all = all
                    .iter()
                    .flat_map(|way| more.iter().map(|m| [way.clone(), m.clone()].concat()))
                    .collect();
            }
            Some(all)
        }
    }
}

fn literal(predicate: &Predicate, holds: bool) -> Literal {
    Literal {
        predicate: predicate.clone(),
        holds,
    }
}

fn is_free_of_conflict(way: &[Literal]) -> bool {
    let alone = way.iter().all(|literal| !is_settled(literal));
    alone
        && way
            .iter()
            .enumerate()
            .all(|(at, a)| way[at + 1..].iter().all(|b| !conflict(a, b)))
}

/// Decided the other way in every world: to hold at least none, to have less health than none.
fn is_settled(literal: &Literal) -> bool {
    match (&literal.predicate, literal.holds) {
        (
            Predicate::Check(
                Check::InvGe { count: 0, .. }
                | Check::CraftedGe { count: 0, .. }
                | Check::ContainerGe { count: 0 },
            )
            | Predicate::AttemptsGe { n: 0, .. },
            holds,
        ) => !holds,
        (Predicate::HealthLt(bound) | Predicate::HungerLt(bound), true) => *bound == 0,
        // Twenty half hearts and twenty points of food are all there is.
        (Predicate::HealthLt(bound) | Predicate::HungerLt(bound), false) => *bound > 20,
        _ => false, // everything else may go either way
    }
}

fn conflict(a: &Literal, b: &Literal) -> bool {
    match (a.holds, b.holds) {
        (true, true) => excludes(&a.predicate, &b.predicate),
        (true, false) => implies(&a.predicate, &b.predicate),
        (false, true) => implies(&b.predicate, &a.predicate),
        (false, false) => false,
    }
}

/// Both cannot hold.
fn excludes(a: &Predicate, b: &Predicate) -> bool {
    use Predicate::{BiomeIn, Check as Is, SubgoalKind, Target};
    match (a, b) {
        (SubgoalKind(a), SubgoalKind(b)) => a != b,
        (Target(a), Target(b)) => !overlaps(*a, *b),
        (BiomeIn(a), BiomeIn(b)) => !a.iter().any(|name| b.contains(name)),
        (Is(Check::Equipped { item: a }), Is(Check::Equipped { item: b })) => !overlaps(*a, *b),
        (Is(Check::GuiOpen { gui: Some(a) }), Is(Check::GuiOpen { gui: Some(b) })) => a != b,
        _ => false, // no other two are known to rule each other out
    }
}

/// Where the first holds, the second does.
fn implies(a: &Predicate, b: &Predicate) -> bool {
    use Predicate::{AttemptsGe, BiomeIn, Check as Is, HealthLt, HungerLt, Target, ToolGe};
    if a == b {
        return true;
    }
    match (a, b) {
        (Is(a), Is(b)) => check_implies(a, b),
        (Is(Check::InvGe { item, count: 1.. }), ToolGe { kind, tier }) => {
            item.members().iter().all(|member| {
                let tool = member.facts().tool;
                tool.is_some_and(|t| t.kind == *kind && t.tier.level() >= tier.level())
            })
        }
        (HealthLt(a), HealthLt(b)) | (HungerLt(a), HungerLt(b)) => a <= b,
        (Target(a), Target(b)) => within(*a, *b),
        (ToolGe { kind: a, tier: x }, ToolGe { kind: b, tier: y }) => {
            a == b && x.level() >= y.level()
        }
        (AttemptsGe { reason: a, n: x }, AttemptsGe { reason: b, n: y }) => a == b && x >= y,
        (BiomeIn(a), BiomeIn(b)) => a.iter().all(|name| b.contains(name)),
        _ => false, // of the others none is known to follow from another
    }
}

fn check_implies(a: &Check, b: &Check) -> bool {
    let more = |a: &ItemSpec, x: &u32, b: &ItemSpec, y: &u32| within(*a, *b) && x >= y;
    match (a, b) {
        (Check::InvGe { item: a, count: x }, Check::InvGe { item: b, count: y })
        | (Check::InvDeltaGe { item: a, count: x }, Check::InvDeltaGe { item: b, count: y })
        | (Check::InvDeltaGe { item: a, count: x }, Check::InvGe { item: b, count: y })
        | (Check::CraftedGe { item: a, count: x }, Check::CraftedGe { item: b, count: y }) => {
            more(a, x, b, y)
        }
        (Check::Equipped { item: a }, Check::Equipped { item: b }) => within(*a, *b),
        // What is in the hand is held.
        (Check::Equipped { item: a }, Check::InvGe { item: b, count }) => {
            *count <= 1 && within(*a, *b)
        }
        (Check::Near { place: a, range: x }, Check::Near { place: b, range: y }) => {
            a == b && x <= y
        }
        (Check::YposLe { y: a }, Check::YposLe { y: b }) => a <= b,
        (Check::GuiOpen { .. }, Check::GuiOpen { gui: None }) => true,
        (Check::FurnaceGe { meter: a, value: x }, Check::FurnaceGe { meter: b, value: y }) => {
            a == b && x >= y
        }
        (Check::ContainerGe { count: x }, Check::ContainerGe { count: y }) => x >= y,
        _ => false, // of the others none is known to follow from another
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::condition::arbitrary::{conditions, worlds};
    use proptest::prelude::*;

    fn condition(text: &str) -> Condition {
        text.parse().unwrap()
    }

    #[test]
    fn what_cannot_hold_is_seen() {
        for (text, possible) in [
            ("never", false),
            ("always", true),
            ("inv stick >= 3 and inv stick < 2", false),
            ("inv stick >= 3 and inv stick < 4", true),
            ("inv oak_log >= 3 and inv #logs < 2", false),
            ("inv #logs >= 3 and inv oak_log < 2", true),
            ("y <= 10 and y >= 11", false),
            ("y <= 10 and y >= 10", true),
            ("subgoal is craft and subgoal is mine", false),
            ("target oak_log and target #logs", true),
            ("target oak_log and target #planks", false),
            ("holding iron_pickaxe and inv iron_pickaxe < 1", false),
            ("inv iron_pickaxe >= 1 and not tool pickaxe >= stone", false),
            ("health < 0", false),
            ("gui closed and gui furnace", false),
            (
                "(inv stick >= 3 or y <= 4) and inv stick < 2 and y >= 9",
                false,
            ),
            ("not (inv stick >= 3 or y <= 4) and inv stick < 2", true),
        ] {
            assert_eq!(together(&[&condition(text)]), possible, "{text}");
        }
    }

    #[test]
    fn a_recovery_clears_its_trigger_or_not() {
        let have = |item: &str, count| Remedy::Have {
            item: item.parse().unwrap(),
            count,
        };
        let table = Remedy::Station {
            block: "crafting_table".parse().unwrap(),
        };
        let no_table = "not near crafting_table 4 and inv crafting_table < 1";
        let pickaxe = Remedy::Tool {
            kind: pithead_world::item::ToolKind::Pickaxe,
            tier: Tier::Iron,
        };
        let advice = Remedy::Advice {
            text: "be careful".to_owned(),
        };
        for (recovery, trigger, expected) in [
            (vec![have("stick", 8)], "inv stick < 8", Some(true)),
            (vec![have("stick", 4)], "inv stick < 8", Some(false)),
            (vec![have("oak_log", 2)], "inv #logs < 2", Some(true)),
            (vec![have("#logs", 2)], "inv oak_log < 2", Some(false)),
            (
                vec![have("stick", 4), have("coal", 1)],
                "inv coal < 1",
                Some(true),
            ),
            (vec![Remedy::GoBelow { y: 12 }], "not y <= 16", Some(true)),
            (vec![Remedy::GoBelow { y: 20 }], "not y <= 16", Some(false)),
            (vec![table.clone()], no_table, Some(true)),
            (vec![table], "inv stick < 1", None),
            (
                vec![pickaxe.clone()],
                "not tool pickaxe >= stone",
                Some(true),
            ),
            (vec![pickaxe], "inv stone_pickaxe < 1", Some(true)),
            (vec![advice], "inv stick < 1", None),
            (vec![], "inv stick < 1", Some(false)),
        ] {
            assert_eq!(
                clears(&recovery, &condition(trigger)),
                expected,
                "{recovery:?} {trigger}"
            );
        }
    }

    proptest! {
        /// What holds somewhere is never called impossible.
        #[test]
        fn nothing_true_is_impossible(condition in conditions(), world in worlds()) {
            if condition.truth(&world.situation()).is_true() {
                prop_assert!(together(&[&condition]), "{condition}");
            }
        }
    }
}
