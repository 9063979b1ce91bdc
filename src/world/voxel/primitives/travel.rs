//! Travelling: plan, follow, plan again, until the goal is reached or cannot be.
//!
//! Invariant: bounded re-planning; a way that does not come nearer ends as `NoPath` or `Stuck`.

use super::super::path::goal::PathGoal;
use super::super::path::{self, Means, MoveKind, NoWay, Path, PathStep, SAFE_FALL};
use super::super::senses::{BodyHandle, End, Senses};
use super::follow::{self, Halt};
use super::looking::look_around;
use super::reflexes;
use super::running;
use super::straight::walk_straight;
use crate::action::ActionFailure;
use crate::block::BlockId;
use crate::item::ItemId;
use crate::space::{Facing, Pos};

/// Plans for one goal before giving up.
pub(crate) const REPLANS_MAX: u32 = 60;
/// Plans in a row that brought the body no nearer; over the land one from where it had not been yet counts for little, as
/// on the way round a lake.
const FRUITLESS_MAX: u32 = 24;
const FRUITLESS: u32 = 4;
const FRUITLESS_NEW: u32 = 1;
/// Health that a fall leaves the body, in half hearts.
const HEALTH_KEPT: f32 = 10.0;
/// So many times no way from the same place, and the wood that was for tools is built with.
const STRANDED: u32 = 6;
/// Blocks that one falls in the rock if that is quicker: through the roof of a cave onto its floor.
const CAVE_FALL: i32 = 7;
/// Steps of a part of a way that are followed before planning on: what is seen on the way counts.
const PARTIAL_STEPS_MAX: usize = 24;

/// Walks without a way, in one journey, and how far off what one walks to has to be, in blocks.
const STRAIGHT_MAX: u32 = 4;
const STRAIGHT_FROM: f64 = 2.5;

/// What a traveller may do to the land.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TravelMode {
    /// Leave everything as it is.
    Walk,
    /// Dig through what is known, put blocks down.
    Dig,
    /// Also dig into the unknown.
    Burrow,
}

/// Goes to a goal, looking after the body on the way.
pub(crate) async fn travel(body: &BodyHandle, goal: &PathGoal, manner: TravelMode) -> End {
    go_to_goal(body, goal, manner, true, &|_| false).await
}

/// As `travel`, and ends early, well, once `enough` holds.
pub(crate) async fn travel_until(
    body: &BodyHandle,
    goal: &PathGoal,
    manner: TravelMode,
    enough: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> End {
    go_to_goal(body, goal, manner, true, enough).await
}

/// As `travel_until`, on foot; by digging only where there is no way round, and through what nobody has seen only
/// where that does not help either, as on a ledge or in the crown of a tree.
pub(crate) async fn walk_until(
    body: &BodyHandle,
    goal: &PathGoal,
    enough: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> End {
    for manner in [TravelMode::Walk, TravelMode::Dig] {
        match go_to_goal(body, goal, manner, true, enough).await {
            Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {}
            end => return end,
        }
    }
    go_to_goal(body, goal, TravelMode::Burrow, true, enough).await
}

/// Goes to a goal without minding anything else; for those who flee.
pub(crate) async fn rush(body: &BodyHandle, goal: &PathGoal, manner: TravelMode) -> End {
    go_to_goal(body, goal, manner, false, &|_| false).await
}

/// As `rush`, and ends early, well, once `enough` holds.
pub(crate) async fn rush_until(
    body: &BodyHandle,
    goal: &PathGoal,
    manner: TravelMode,
    enough: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> End {
    go_to_goal(body, goal, manner, false, enough).await
}

/// Not getting there is an answer; anything else is a failure.
pub(crate) fn went(end: End) -> Result<bool, ActionFailure> {
    match end {
        Ok(()) => Ok(true),
        Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => Ok(false),
        Err(failure) => Err(failure),
    }
}

async fn go_to_goal(
    body: &BodyHandle,
    goal: &PathGoal,
    manner: TravelMode,
    is_watchful: bool,
    enough: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> End {
    let mut best = u32::MAX;
    let mut fruitless = 0;
    let mut planned_from = Vec::new();
    let mut lost = Lost::default();
    for _ in 0..REPLANS_MAX {
        if is_watchful {
            reflexes::watch(body).await?;
        }
        let (feet, is_done, estimate) = body.with(|s| {
            let feet = s.feet();
            let is_done = goal.is_met(&s.seen, feet) || enough(s);
            (feet, is_done, goal.estimate(feet))
        });
        if is_done {
            return Ok(());
        }
        if estimate < best {
            (best, fruitless) = (estimate, 0);
        } else {
            let goes_round = manner == TravelMode::Walk && body.with(|s| s.sky);
            let is_new = goes_round && !planned_from.contains(&feet);
            fruitless += if is_new { FRUITLESS_NEW } else { FRUITLESS };
        }
        planned_from.push(feet);
        if fruitless > FRUITLESS_MAX {
            return Err(ActionFailure::Stuck {
                at: body.with(|s| s.feet()),
            });
        }
        if let Some(hole) = body.with(|s| lost.hole(s, goal, manner)) {
            follow::look_into(body, &hole).await;
        }
        let daring = Daring::IntoCaves;
        let path = match body.with(|s| lost.plan(s, goal, manner, is_watchful, daring)) {
            Ok(path) => path,
            Err(NoWay {
                blocked_by, unseen, ..
            }) => {
                if body.with(|s| !s.on_ground && !s.in_water) {
                    // In mid-air there is no way from anywhere: land first.
                    body.idle().await;
                    continue;
                }
                if is_watchful && lost.gets_on(body, goal, manner, unseen).await {
                    continue;
                }
                match lost.way_at_a_price(body, goal, manner, is_watchful) {
                    Some(path) => path,
                    None => return Err(no_path(body, goal, blocked_by)),
                }
            }
        };
        let now = body.with(|s| s.tick);
        follow_path(body, &path, is_watchful, enough).await?;
        if body.with(|s| s.tick) == now {
            // Every plan costs at least a tick, or a wrong one could be made for ever in no time.
            body.idle().await;
        }
    }
    Err(ActionFailure::Stuck {
        at: body.with(|s| s.feet()),
    })
}

fn no_path(body: &BodyHandle, goal: &PathGoal, blocked_by: Option<BlockId>) -> ActionFailure {
    let to = body.with(|s| {
        count_stranding(s);
        goal.place(s.feet())
    });
    ActionFailure::NoPath { to, blocked_by }
}

/// What was tried where no way is known.
#[derive(Debug, Default)]
struct Lost {
    /// Where the body last looked around for one.
    looked_at: Option<Pos>,
    /// The step whose end it last looked for.
    looked_over: Option<PathStep>,
    walks: u32,
    /// Holes that the body looked into.
    looked_into: Vec<Pos>,
    /// The last search that found no way: what it rested on, the blocks of a fall that it allowed, and what it told.
    searched: Option<(Basis, i32, NoWay)>,
}

/// What a search for a way rests on, besides its goal, its manner and how deep it may fall.
#[derive(Debug, PartialEq)]
struct Basis {
    /// Changes of what was seen.
    changes: u64,
    from: Pos,
    tools: Vec<ItemId>,
    blocks: u32,
    over_unseen: bool,
}

impl Basis {
    fn of(s: &Senses, means: &Means<'_>) -> Self {
        Self {
            changes: s.seen.changes(),
            from: start(s),
            tools: s.dig_costs.tools().to_vec(),
            blocks: means.blocks,
            over_unseen: means.over_unseen,
        }
    }
}

/// Whether so deep a fall is no more to a search that found no way than what it allowed.
fn is_as_deep(fall: i32, before: i32, found: &NoWay) -> bool {
    fall == before || (fall > before && found.too_deep.is_none_or(|depth| depth > fall))
}

impl Lost {
    /// A way by what is known; one that was searched for in vain is not searched for again.
    fn plan(
        &mut self,
        s: &mut Senses,
        goal: &PathGoal,
        manner: TravelMode,
        is_watchful: bool,
        daring: Daring,
    ) -> Result<Path, NoWay> {
        s.spends_wood = daring == Daring::Anywhere && is_stranded(s);
        s.dig_costs.refresh(&s.slots, s.break_speed);
        let means = means(s, manner, is_watchful, daring);
        let basis = Basis::of(s, &means);
        let fall = means.fall;
        if let Some((before, fell, found)) = &self.searched
            && basis == *before
            && is_as_deep(fall, *fell, found)
        {
            return Err(*found);
        }
        let found = path::find(&s.seen, basis.from, goal, means);
        self.searched = found.as_ref().err().map(|no_way| (basis, fall, *no_way));
        found
    }

    /// As on the last leaf of a tree, or on a bridge for which the stones gave out: rather a fall that hurts, or the wood
    /// that was for tools, than to stay there for ever.
    fn way_at_a_price(
        &mut self,
        body: &BodyHandle,
        goal: &PathGoal,
        manner: TravelMode,
        is_watchful: bool,
    ) -> Option<Path> {
        let daring = |s: &mut Senses| self.plan(s, goal, manner, is_watchful, Daring::Anywhere);
        is_watchful.then(|| body.with(daring).ok()).flatten()
    }

    /// A hole beside the body, on its way down, whose floor nobody has seen; each once.
    fn hole(&mut self, s: &Senses, goal: &PathGoal, manner: TravelMode) -> Option<PathStep> {
        if !matches!(goal, PathGoal::Below { .. })
            || manner != TravelMode::Burrow
            || s.sky
            || !s.on_ground
        {
            return None;
        }
        let from = s.feet();
        let nature = |at: Pos| s.seen.nature(at);
        let is_hole = |q: &Pos| {
            let open = (0..=CAVE_FALL)
                .map(|down| q.plus(0, -down, 0))
                .take_while(|at| nature(*at).is_air())
                .count() as i32;
            open > 1 && open <= CAVE_FALL && nature(q.plus(0, -open, 0)).is_unknown()
        };
        let mut sides = Facing::FLAT.iter().map(|side| from.side(*side));
        let to = sides.find(|q| is_hole(q) && !self.looked_into.contains(q))?;
        self.looked_into.push(to);
        Some(PathStep {
            from,
            to: to.down(),
            way: MoveKind::Drop,
        })
    }

    /// Looks over the edge and around, once at each place, then walks straight on; false if none of it helps.
    async fn gets_on(
        &mut self,
        body: &BodyHandle,
        goal: &PathGoal,
        manner: TravelMode,
        unseen: Option<PathStep>,
    ) -> bool {
        if let Some(step) = unseen.filter(|_| unseen != self.looked_over) {
            self.looked_over = unseen;
            follow::look_over(body, &step).await;
            return true;
        }
        let feet = body.with(|s| s.feet());
        let Some(to) = goal.direction().filter(|_| manner != TravelMode::Burrow) else {
            return false;
        };
        if self.looked_at != Some(feet) {
            self.looked_at = Some(feet);
            look_around(body).await;
            return true;
        }
        let is_far = feet.distance(Pos::new(to.x, feet.y, to.z)) > STRAIGHT_FROM;
        self.walks += 1;
        is_far && self.walks <= STRAIGHT_MAX && walk_straight(body, to).await
    }
}

/// A body that bobs in the water is above it every other moment; it sets out from the water all
/// the same, or it would try to jump from the surface as from a floor.
fn start(s: &Senses) -> Pos {
    let feet = s.feet();
    let afloat =
        !s.on_ground && s.seen.nature(feet).is_air() && s.seen.nature(feet.down()).is_water();
    if afloat { feet.down() } else { feet }
}

/// When the body dares a fall that hurts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Daring {
    /// In the rock, where the way round goes along the roof of a cave and nobody knows how far.
    IntoCaves,
    /// Wherever it keeps half of its health: nothing else has helped.
    Anywhere,
}

/// Once more there is no way from here.
fn count_stranding(s: &mut Senses) {
    let (feet, times) = (s.feet(), s.stranded.1);
    let again = s.stranded.0 == feet;
    s.stranded = (feet, if again { times + 1 } else { 1 });
}

fn is_stranded(s: &Senses) -> bool {
    s.stranded.0 == s.feet() && s.stranded.1 >= STRANDED
}

/// Blocks that the body may fall.
fn dared_fall(s: &Senses, manner: TravelMode, daring: Daring) -> i32 {
    let bearable = SAFE_FALL + (s.health - HEALTH_KEPT).max(0.0) as i32;
    match daring {
        Daring::Anywhere => bearable,
        Daring::IntoCaves if manner == TravelMode::Burrow && !s.sky => bearable.min(CAVE_FALL),
        Daring::IntoCaves => SAFE_FALL,
    }
}

/// What the body may do to get on.
fn means(s: &Senses, manner: TravelMode, is_watchful: bool, daring: Daring) -> Means<'_> {
    // Who flees does not look before the leap.
    let fall = match is_watchful {
        true => dared_fall(s, manner, daring),
        false => SAFE_FALL,
    };
    let leaves_all = manner == TravelMode::Walk;
    Means {
        dig: (!leaves_all).then_some(&s.dig_costs),
        through_unknown: manner == TravelMode::Burrow,
        blocks: if leaves_all { 0 } else { s.filler_count() },
        // Below ground it is mostly rock, and who flees or burns has no time for what may be there.
        over_unseen: leaves_all && s.sky && is_watchful,
        fall,
    }
}

async fn follow_path(
    body: &BodyHandle,
    path: &Path,
    is_watchful: bool,
    enough: &(dyn Fn(&Senses) -> bool + Send + Sync),
) -> End {
    let limit = if path.complete {
        path.steps.len()
    } else {
        path.steps.len().min(PARTIAL_STEPS_MAX)
    };
    let steps = &path.steps[..limit];
    let mut i = 0;
    while let Some(step) = steps.get(i) {
        if body.with(|s| enough(s)) {
            return Ok(());
        }
        if is_watchful && reflexes::watch(body).await? {
            return Ok(());
        }
        if body.with(|s| s.feet()) != step.from {
            return Ok(());
        }
        let stretch = body.with(|s| running::stretch(s, &steps[i..]));
        let end = i + stretch.map_or(1, |stretch| stretch.steps);
        let next = path.steps.get(end);
        let made = match stretch {
            Some(stretch) => {
                // What was not seen yet comes into sight on the way.
                let goes_on = next.is_some() || !path.complete;
                running::run(body, stretch, &steps[end - 1], goes_on).await
            }
            None => follow::step(body, step, next).await,
        };
        match made {
            Ok(()) => i = end,
            Err(Halt::Changed) => return Ok(()),
            Err(Halt::Stuck) => return shake_free(body).await,
            Err(Halt::Failed(failure)) => return Err(failure),
        }
    }
    Ok(())
}

/// Stuck on an edge or a corner: a step aside and a jump, by chance.
async fn shake_free(body: &BodyHandle) -> End {
    use super::super::controls::Controls;
    let yaw = body.with(|s| s.chance.below(8)) as f32 * 45.0;
    for _ in 0..6 {
        let is_risky = body.with(|s| {
            let feet = s.feet();
            [(1, 0), (-1, 0), (0, 1), (0, -1)].iter().any(|(x, z)| {
                let beside = s.seen.nature(feet.plus(*x, -1, *z));
                !beside.is_floor() && !beside.is_water()
            })
        });
        let forward = i8::from(!is_risky);
        body.act(Controls {
            forward,
            jump: true,
            yaw,
            ..Controls::default()
        })
        .await;
    }
    Ok(())
}

/// Below ground one digs, above one walks around.
pub(crate) fn manner_here(body: &BodyHandle) -> TravelMode {
    if body.with(|s| s.sky) {
        TravelMode::Dig
    } else {
        TravelMode::Burrow
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_would_come_to_the_same_repeats_one_that_found_no_way() {
        let basis = |changes| Basis {
            changes,
            from: Pos::default(),
            tools: Vec::new(),
            blocks: 3,
            over_unseen: false,
        };
        let found = |too_deep| NoWay {
            blocked_by: None,
            unseen: None,
            too_deep,
        };
        assert!(basis(7) == basis(7) && basis(8) != basis(7));
        assert!(is_as_deep(3, 3, &found(Some(5))));
        assert!(is_as_deep(4, 3, &found(Some(5))));
        assert!(is_as_deep(9, 3, &found(None)));
        assert!(!is_as_deep(5, 3, &found(Some(5))));
        assert!(!is_as_deep(2, 3, &found(None)));
    }
}
