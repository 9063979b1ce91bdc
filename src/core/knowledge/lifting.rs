//! Lifting: a lesson about a place becomes one about what its places have in common.
//!
//! A region is of one world and makes no entry. Where the same failed alike at two places, what they share may be what
//! mattered: the biome, the night, wounds, lava, the way out. Invariant: what held as well where such a step went
//! well is not it, and without such a success nothing is concluded.

use crate::domain::check::{Check, Place};
use crate::domain::condition::{Condition, Predicate};
use crate::domain::experience::Experience;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::knowledge::{Guardrail, Pattern, Region, Remedy};
use pithead_world::action::Target;
use pithead_world::block::BlockId;
use pithead_world::item::{Tier, ToolKind};
use pithead_world::space::Pos;

/// Time of day from which and until which monsters are about.
const NIGHT: (u32, u32) = (13_000, 23_000);
/// Wounded below this, half hearts.
const WOUNDED: u32 = 8;
/// Lava within so many blocks is at hand.
const LAVA_NEAR: u32 = 6;

/// What a place and a moment can be like.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mark {
    Biome(String),
    Night,
    Wounded,
    LavaNear,
    /// Under ground without anything to dig a way out with.
    NoWayOut,
}

impl Mark {
    fn of_state(state: &StateSummary) -> Vec<Self> {
        let mut marks = vec![Self::Biome(state.biome.clone())];
        marks.extend(
            (NIGHT.0..=NIGHT.1)
                .contains(&state.time)
                .then_some(Self::Night),
        );
        marks.extend((state.health < WOUNDED as f32).then_some(Self::Wounded));
        let lava = |near: Pos| near.distance(state.position) <= f64::from(LAVA_NEAR);
        let mut lavas = state.notable.iter().filter(|s| s.block.name() == "lava");
        marks.extend(lavas.any(|s| lava(s.at)).then_some(Self::LavaNear));
        let digs = state
            .inventory
            .iter()
            .filter_map(|(item, _)| item.facts().tool)
            .any(|tool| tool.kind == ToolKind::Pickaxe);
        marks.extend((state.underground && !digs).then_some(Self::NoWayOut));
        marks
    }

    fn condition(&self) -> Option<Condition> {
        Some(match self {
            Self::Biome(biome) => Predicate::BiomeIn(vec![biome.clone()]).into(),
            Self::Night => Check::WorldTime {
                window: Some(NIGHT),
                elapsed: None,
            }
            .into(),
            Self::Wounded => Predicate::HealthLt(WOUNDED).into(),
            Self::LavaNear => Check::Near {
                place: Place::Thing(Target::Block(BlockId::named("lava")?)),
                range: LAVA_NEAR,
            }
            .into(),
            Self::NoWayOut => {
                let pickaxe = Predicate::ToolGe {
                    kind: ToolKind::Pickaxe,
                    tier: Tier::Wood,
                };
                Condition::from(Predicate::Underground).and(Condition::from(pickaxe).not())
            }
        })
    }

    fn words(&self) -> String {
        match self {
            Self::Biome(biome) => format!("in {biome}"),
            Self::Night => "at night".to_owned(),
            Self::Wounded => "with wounds".to_owned(),
            Self::LavaNear => "beside lava".to_owned(),
            Self::NoWayOut => "under ground without a pickaxe".to_owned(),
        }
    }

    /// What would have kept the step from it; for a biome and for lava going elsewhere will do.
    fn remedy(&self) -> Option<Remedy> {
        let advice = |text: &str| {
            Some(Remedy::Advice {
                text: text.to_owned(),
            })
        };
        match self {
            Self::Biome(_) | Self::LavaNear => None,
            Self::Night => advice("wait for the morning"),
            Self::Wounded => advice("eat, and wait until the wounds have healed"),
            Self::NoWayOut => Some(Remedy::Tool {
                kind: ToolKind::Pickaxe,
                tier: Tier::Wood,
            }),
        }
    }
}

/// The lesson without its place, if the failures like it show what their places have in common. `failed` and
/// `successes` are all attempts of the run; what speaks for the lesson comes with it.
#[must_use]
pub fn lifted<'a>(
    lesson: &Guardrail,
    failed: impl Iterator<Item = &'a Experience>,
    successes: impl Iterator<Item = &'a Experience>,
) -> Option<(Guardrail, Vec<&'a Experience>)> {
    let region = lesson.forbid.region?;
    let alike: Vec<&Experience> = failed.filter(|e| is_alike(lesson, e)).collect();
    if !are_two_places(&alike, &region) {
        return None;
    }
    let mut common = Mark::of_state(&alike.first()?.pre);
    common.retain(|mark| alike.iter().all(|e| Mark::of_state(&e.pre).contains(mark)));
    let mut contrast = successes
        .filter(|e| {
            lesson
                .forbid
                .kind
                .is_none_or(|kind| kind == e.action.task_kind)
        })
        .peekable();
    contrast.peek()?;
    for success in contrast {
        let there = Mark::of_state(&success.pre);
        common.retain(|mark| !there.contains(mark));
    }
    let mut conditions = common.iter().filter_map(Mark::condition).peekable();
    conditions.peek()?;
    let words: Vec<String> = common.iter().map(Mark::words).collect();
    let own: Vec<Remedy> = common.iter().filter_map(Mark::remedy).collect();
    let lifted = Guardrail {
        trigger: conditions.fold(lesson.trigger.clone(), Condition::and),
        forbid: Pattern {
            region: None,
            ..lesson.forbid.clone()
        },
        avoid: format!(
            "{} it failed at {} places",
            words.join(" and "),
            alike.len()
        ),
        recovery: if own.is_empty() {
            lesson.recovery.clone()
        } else {
            own
        },
        reason: lesson.reason,
    };
    Some((lifted, alike))
}

/// The same sort of step failed for the same reason.
fn is_alike(lesson: &Guardrail, e: &Experience) -> bool {
    let Pattern { kind, target, .. } = &lesson.forbid;
    e.diagnosis.reason == Some(lesson.reason)
        && kind.is_none_or(|kind| kind == e.action.task_kind)
        && (target.is_none() || *target == e.action.goal.object)
}

/// Two of them farther from each other than the region reaches.
fn are_two_places(alike: &[&Experience], region: &Region) -> bool {
    let at = |e: &&Experience| e.pre.position;
    alike.iter().enumerate().any(|(n, a)| {
        let later = alike.iter().skip(n + 1);
        later
            .map(|b| at(a).distance(at(b)))
            .any(|blocks| blocks > f64::from(region.radius))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples;

    const AT_NIGHT: u32 = 15_000;

    fn attempt(n: u64, x: i32, time: u32, biome: &str, success: bool) -> Experience {
        let mut made = samples::experience(1, n, "stone", success);
        made.pre.position = Pos::new(x, 64, 0);
        made.pre.time = time;
        biome.clone_into(&mut made.pre.biome);
        made
    }

    fn lesson() -> Guardrail {
        let failed = attempt(1, 0, 0, "plains", false);
        Guardrail {
            trigger: Condition::always(),
            forbid: Pattern {
                kind: Some(failed.action.task_kind),
                target: failed.action.goal.object,
                region: Some(Region {
                    centre: failed.pre.position,
                    radius: 10,
                }),
                ..Pattern::default()
            },
            avoid: "around 0 64 0 the body got stuck there".to_owned(),
            recovery: vec![Remedy::MoveAway { blocks: 24 }],
            reason: failed.diagnosis.reason.unwrap(),
        }
    }

    fn lift(failed: &[Experience], successes: &[Experience]) -> Option<Guardrail> {
        lifted(&lesson(), failed.iter(), successes.iter()).map(|(made, _)| made)
    }

    #[test]
    fn two_places_by_night_and_a_success_by_day_blame_the_night() {
        let failed = [
            attempt(1, 0, AT_NIGHT, "plains", false),
            attempt(2, 90, AT_NIGHT, "plains", false),
        ];
        let by_day = [attempt(3, 40, 1_000, "plains", true)];
        let made = lift(&failed, &by_day).unwrap();
        assert_eq!(made.forbid.region, None);
        assert_eq!(made.trigger.to_string(), "all(time 13000..23000)");
        assert_eq!(made.avoid, "at night it failed at 2 places");
        assert!(matches!(&made.recovery[..], [Remedy::Advice { .. }]));
    }

    #[test]
    fn one_place_no_contrast_or_nothing_in_common_lifts_nothing() {
        let night = |n, x| attempt(n, x, AT_NIGHT, "plains", false);
        let by_day = || [attempt(3, 40, 1_000, "plains", true)];
        assert_eq!(lift(&[night(1, 0)], &by_day()), None);
        assert_eq!(
            lift(&[night(1, 0), night(2, 5)], &by_day()),
            None,
            "one region"
        );
        assert_eq!(lift(&[night(1, 0), night(2, 90)], &[]), None, "no contrast");
        let well = [attempt(3, 40, AT_NIGHT, "plains", true)];
        assert_eq!(
            lift(&[night(1, 0), night(2, 90)], &well),
            None,
            "it went well so too"
        );
        let by_day_too = [night(1, 0), attempt(2, 90, 100, "plains", false)];
        assert_eq!(lift(&by_day_too, &by_day()), None);
    }

    #[test]
    fn a_biome_is_left_by_going_elsewhere() {
        let failed = [1, 2].map(|n| attempt(n, 100 * n as i32, 1_000, "desert", false));
        let made = lift(&failed, &[attempt(3, 0, 1_000, "forest", true)]).unwrap();
        assert_eq!(made.trigger.to_string(), "all(biome desert)");
        assert_eq!(made.recovery, lesson().recovery);
    }
}
