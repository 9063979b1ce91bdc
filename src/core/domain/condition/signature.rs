//! h_cond: the signature of a condition's meaning.
//!
//! Conditions are brought to a normal form (negation at the leaves, one spelling per predicate,
//! flat, sorted, without duplicates and without parts that others imply); its text is hashed.
//! Invariant: every rewriting keeps the truth in every situation, known or not.

use super::{Condition, Predicate};
use crate::domain::check::{Check, Place};
use crate::text::signature::Signature;
use pithead_world::action::Target;
use pithead_world::family::ItemSpec;
use pithead_world::item::Tier;
use pithead_world::observation::Gui;

impl Condition {
    /// Equal for conditions that normalise alike.
    #[must_use]
    pub fn signature(&self) -> Signature {
        Signature::from_normal_form(&self.normalised().to_string())
    }

    /// The same condition in its normal form.
    #[must_use]
    pub fn normalised(&self) -> Self {
        normal(self, false)
    }
}

fn normal(condition: &Condition, negated: bool) -> Condition {
    let each = |parts: &[Condition]| parts.iter().map(|part| normal(part, negated)).collect();
    match condition {
        // De Morgan: under a negation the two joints change places.
        Condition::All(parts) if negated => join(Joint::Any, each(parts)),
        Condition::All(parts) => join(Joint::All, each(parts)),
        Condition::Any(parts) if negated => join(Joint::All, each(parts)),
        Condition::Any(parts) => join(Joint::Any, each(parts)),
        Condition::Not(part) => normal(part, !negated),
        Condition::Is(predicate) => match respelled(predicate) {
            Some(other) => normal(&other, negated),
            None if negated => Condition::Not(Box::new(Condition::Is(predicate.clone()))),
            None => Condition::Is(predicate.clone()),
        },
    }
}

/// The one spelling of a predicate that has several; `None` if it is already that.
fn respelled(predicate: &Predicate) -> Option<Condition> {
    let is = |check: Check| Condition::Is(Predicate::Check(check));
    Some(match predicate {
        Predicate::Check(check) => return respelled_check(check),
        Predicate::Holding(item) => is(Check::Equipped { item: *item }),
        Predicate::MobNear { mob, range } => is(Check::Near {
            place: Place::Thing(Target::Mob(*mob)),
            range: *range,
        }),
        // A list of biomes is an any-of of single ones.
        Predicate::BiomeIn(names) => match names.as_slice() {
            [name] if !name.starts_with(NAMESPACE) => return None,
            names => Condition::Any(
                names
                    .iter()
                    .map(|name| name.strip_prefix(NAMESPACE).unwrap_or(name).to_owned())
                    .map(|name| Condition::Is(Predicate::BiomeIn(vec![name])))
                    .collect(),
            ),
        },
        // Gold harvests what wood harvests.
        Predicate::ToolGe {
            kind,
            tier: Tier::Gold,
        } => Condition::Is(Predicate::ToolGe {
            kind: *kind,
            tier: Tier::Wood,
        }),
        Predicate::HealthLt(_)
        | Predicate::HungerLt(_)
        | Predicate::OnGround
        | Predicate::Underground
        | Predicate::SubgoalKind(_)
        | Predicate::Target(_)
        | Predicate::ToolGe { .. }
        | Predicate::AttemptsGe { .. } => return None,
    })
}

const NAMESPACE: &str = "minecraft:";

fn respelled_check(check: &Check) -> Option<Condition> {
    let is = |check: Check| Condition::Is(Predicate::Check(check));
    Some(match check {
        Check::InvLt { item, count } => is(Check::InvGe {
            item: *item,
            count: *count,
        })
        .not(),
        Check::GuiClosed
        | Check::GuiOpen {
            gui: Some(Gui::Closed),
        } => is(Check::GuiOpen { gui: None }).not(),
        // Feet stand on whole heights: at or above y is not at or below y - 1.
        Check::YposGe { y } => is(Check::YposLe {
            y: y.checked_sub(1)?,
        })
        .not(),
        Check::WorldTime {
            window: None,
            elapsed: None,
        } => Condition::always(),
        Check::WorldTime {
            window: window @ Some(_),
            elapsed: elapsed @ Some(_),
        } => Condition::All(vec![
            is(Check::WorldTime {
                window: *window,
                elapsed: None,
            }),
            is(Check::WorldTime {
                window: None,
                elapsed: *elapsed,
            }),
        ]),
        _ => return None, // every other check has one spelling
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    All,
    Any,
}

fn join(joint: Joint, parts: Vec<Condition>) -> Condition {
    let mut flat: Vec<Condition> = Vec::with_capacity(parts.len());
    for part in parts {
        match (joint, part) {
            (Joint::All, Condition::All(inner)) | (Joint::Any, Condition::Any(inner)) => {
                flat.extend(inner);
            }
            // `never` in a conjunction and `always` in a disjunction decide it.
            (Joint::All, Condition::Any(inner)) if inner.is_empty() => {
                return Condition::Any(inner);
            }
            (Joint::Any, Condition::All(inner)) if inner.is_empty() => {
                return Condition::All(inner);
            }
            (_, part) => flat.push(part),
        }
    }
    // By text and not by id: ids follow the order of tables, which may change between versions.
    flat.sort_by_cached_key(Condition::to_string);
    flat.dedup();
    let mut at = 0;
    while at < flat.len() {
        let idle = |other: &Condition| match joint {
            Joint::All => implies(other, &flat[at]),
            Joint::Any => implies(&flat[at], other),
        };
        if flat
            .iter()
            .enumerate()
            .any(|(i, other)| i != at && idle(other))
        {
            flat.remove(at);
        } else {
            at += 1;
        }
    }
    match (flat.len(), joint) {
        (1, _) => flat.remove(0),
        (_, Joint::All) => Condition::All(flat),
        (_, Joint::Any) => Condition::Any(flat),
    }
}

/// Whether `a` is never truer than `b`; may miss cases, never claims a wrong one.
fn implies(a: &Condition, b: &Condition) -> bool {
    match (a, b) {
        _ if a == b => true,
        (Condition::Any(parts), b) => parts.iter().all(|part| implies(part, b)),
        (a, Condition::All(parts)) => parts.iter().all(|part| implies(a, part)),
        (Condition::All(parts), b) => parts.iter().any(|part| implies(part, b)),
        (a, Condition::Any(parts)) => parts.iter().any(|part| implies(a, part)),
        (Condition::Not(a), Condition::Not(b)) => implies(b, a),
        (Condition::Is(a), Condition::Is(b)) => is_stricter(a, b),
        (Condition::Is(_), Condition::Not(_)) | (Condition::Not(_), Condition::Is(_)) => false,
    }
}

/// The same question with a bound at least as hard. Equal inputs, so both are unknown together.
fn is_stricter(a: &Predicate, b: &Predicate) -> bool {
    match (a, b) {
        (Predicate::Check(a), Predicate::Check(b)) => is_stricter_check(a, b),
        (Predicate::HealthLt(a), Predicate::HealthLt(b))
        | (Predicate::HungerLt(a), Predicate::HungerLt(b)) => a <= b,
        (Predicate::ToolGe { kind: a, tier: x }, Predicate::ToolGe { kind: b, tier: y }) => {
            a == b && x.level() >= y.level()
        }
        (Predicate::AttemptsGe { reason: a, n: x }, Predicate::AttemptsGe { reason: b, n: y }) => {
            a == b && x >= y
        }
        // Everything else has no bound to compare.
        _ => false,
    }
}

fn is_stricter_check(a: &Check, b: &Check) -> bool {
    let more = |a: &ItemSpec, x: &u32, b: &ItemSpec, y: &u32| a == b && x >= y;
    match (a, b) {
        (Check::InvGe { item: a, count: x }, Check::InvGe { item: b, count: y })
        | (Check::InvDeltaGe { item: a, count: x }, Check::InvDeltaGe { item: b, count: y })
        | (Check::CraftedGe { item: a, count: x }, Check::CraftedGe { item: b, count: y }) => {
            more(a, x, b, y)
        }
        (Check::Near { place: a, range: x }, Check::Near { place: b, range: y }) => {
            a == b && x <= y
        }
        (Check::YposLe { y: a }, Check::YposLe { y: b }) => a <= b,
        (Check::FurnaceGe { meter: a, value: x }, Check::FurnaceGe { meter: b, value: y }) => {
            a == b && x >= y
        }
        (Check::ContainerGe { count: x }, Check::ContainerGe { count: y }) => x >= y,
        (
            Check::WorldTime {
                window: None,
                elapsed: Some(x),
            },
            Check::WorldTime {
                window: None,
                elapsed: Some(y),
            },
        ) => x >= y,
        // Everything else has no bound to compare.
        _ => false,
    }
}
