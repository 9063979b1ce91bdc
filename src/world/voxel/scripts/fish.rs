//! Fishing: to open water, cast, wait for the bite, reel in.
//!
//! Invariant: casts are counted; a rod that broke ends it as `NotHeld`.

use super::super::body::fishing_line::Float;
use super::super::body::turn;
use super::super::controls::{Controls, HandAction};
use super::super::path::goal::{self, PathGoal};
use super::super::primitives::handling;
use super::super::primitives::reflexes;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Senses};
use super::pick_up::pick_up;
use super::wanted::Wanted;
use super::{End, explore, sleep};
use crate::action::{ActionFailure, Target};
use crate::block::WATER;
use crate::family::ItemSpec;
use crate::fishing;
use crate::item::ItemId;
use crate::space::Pos;

/// Casts of one action; many catches are not the wanted item.
const CASTS_MAX: u32 = 400;
/// Ticks that the bobber may fly, and that a bite may take to come.
const FLIGHT_TICKS_MAX: u32 = 60;
const BITE_TICKS_MAX: u32 = 3_000;
/// Ticks for the catch to fly to the angler.
const HAUL_TICKS: u32 = 24;
/// Looking after the body, this often.
const WATCH_EVERY: u32 = 20;
/// Casts that came to nothing before another water is sought, and such waters.
const VAIN_MAX: u32 = 4;
const WATERS_MAX: usize = 8;
/// The cast aims this far out, in blocks.
const FAR: f64 = 8.0;
/// Half the side of the square of water looked for around the bobber.
const OPEN: i32 = 2;

/// Fishes until `count` more of the item are held.
pub(crate) async fn fish(body: &BodyHandle, item: ItemSpec, count: u32) -> End {
    if fishing::chance_of(item) <= 0.0 {
        return Err(ActionFailure::Invalid {
            because: format!("{item} cannot be fished"),
        });
    }
    let rod = rod()?;
    handling::close(body).await?;
    let goal = body.with(|s| s.count(item)) + count;
    let mut avoid: Vec<Pos> = Vec::new();
    let mut vain = 0;
    for _ in 0..CASTS_MAX {
        if body.with(|s| s.count(item)) >= goal {
            return Ok(());
        }
        if body.with(|s| s.slots.count(rod)) == 0 {
            return Err(ActionFailure::NotHeld { item: rod.into() });
        }
        if !body.with(|s| s.has_room()) && !handling::throw_rubble(body).await {
            return Err(ActionFailure::InventoryFull);
        }
        sleep::through_the_night(body).await?;
        let at = shore(body, &mut avoid).await?;
        if cast(body, rod, at, vain).await? {
            vain = 0;
        } else {
            vain += 1;
        }
        if vain > VAIN_MAX {
            avoid.push(at);
            vain = 0;
        }
    }
    Err(ActionFailure::NoTarget {
        target: Target::Source(item),
        y: body.with(|s| s.feet().y),
    })
}

fn rod() -> Result<ItemId, ActionFailure> {
    ItemId::named("fishing_rod").ok_or_else(|| ActionFailure::Invalid {
        because: "there are no rods".to_owned(),
    })
}

/// Goes to the shore of known water, or looks for some; the cell to cast at.
async fn shore(body: &BodyHandle, avoid: &mut Vec<Pos>) -> Result<Pos, ActionFailure> {
    while avoid.len() <= WATERS_MAX {
        if let Some(at) = body.with(|s| spot(s, avoid)) {
            return Ok(at);
        }
        let wanted = Wanted::blocks(&[WATER], avoid);
        let near = body.with(|s| surface(s, avoid, 96.0).first().copied());
        let Some(at) = near else {
            explore::search(body, &wanted, &Target::Block(WATER)).await?;
            if body.with(|s| surface(s, avoid, 96.0).is_empty()) {
                break;
            }
            continue;
        };
        match travel::travel(body, &PathGoal::Reach { at }, TravelMode::Dig).await {
            Ok(()) if body.with(|s| spot(s, avoid)).is_none() => avoid.push(at),
            Ok(()) => {}
            Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => avoid.push(at),
            Err(failure) => return Err(failure),
        }
    }
    Err(ActionFailure::NoTarget {
        target: Target::Block(WATER),
        y: body.with(|s| s.feet().y),
    })
}

/// Known water with air above, nearest first.
fn surface(s: &Senses, avoid: &[Pos], range: f64) -> Vec<Pos> {
    let near = s
        .seen
        .nearest(s.feet(), range, 96 + avoid.len(), |b| b == WATER);
    let cells = near.into_iter().map(|(at, _)| at);
    cells
        .filter(|at| !avoid.contains(at) && s.seen.nature(at.up()).is_air())
        .collect()
}

/// The cell within a cast that has the most water around it, in sight of a dry angler.
fn spot(s: &mut Senses, avoid: &[Pos]) -> Option<Pos> {
    if s.in_water || !s.on_ground {
        return None;
    }
    let eyes = s.eyes;
    let near = surface(s, avoid, FAR);
    let in_cast = near.into_iter().filter(|at| {
        let far = eyes.distance(at.centre());
        (2.0..FAR).contains(&far) && goal::first_in_way(&s.seen, eyes, *at).is_none()
    });
    let wide = |at: Pos| {
        let side = || -OPEN..=OPEN;
        let cells = side().flat_map(|z| side().map(move |x| at.plus(x, 0, z)));
        cells.filter(|p| s.seen.nature(*p).is_water()).count()
    };
    in_cast.max_by_key(|at| (wide(*at), std::cmp::Reverse(*at)))
}

/// One cast and what comes of it; false if the bobber did not float.
async fn cast(body: &BodyHandle, rod: ItemId, at: Pos, vain: u32) -> Result<bool, ActionFailure> {
    handling::hold(body, rod).await?;
    if body.with(|s| s.float.is_some()) {
        click(body, at, 0.0).await;
    }
    // Aimed over the water at first; a cast that fell short aims higher.
    click(body, at, vain as f32 * 6.0).await;
    let mut ticks = 0;
    while body.with(|s| matches!(s.float, Some(Float::Flying { .. }))) && ticks < FLIGHT_TICKS_MAX {
        stand(body).await;
        ticks += 1;
    }
    if !body.with(|s| matches!(s.float, Some(Float::Waiting { .. }))) {
        if body.with(|s| s.float.is_some()) {
            click(body, at, 0.0).await;
        }
        return Ok(false);
    }
    for tick in 0..BITE_TICKS_MAX {
        match body.with(|s| s.float) {
            Some(Float::Bitten { .. }) => {
                click(body, at, 0.0).await;
                for _ in 0..HAUL_TICKS {
                    stand(body).await;
                }
                pick_up(body, 6.0, &|_| true).await?;
                return Ok(true);
            }
            // The rod was put away, or the line tore.
            None => return Ok(true),
            Some(_) => {}
        }
        if tick % WATCH_EVERY == 0 && reflexes::watch(body).await? {
            return Ok(true);
        }
        stand(body).await;
    }
    Ok(false)
}

async fn stand(body: &BodyHandle) {
    let keys = body.with(|s| Controls {
        yaw: s.view.0,
        pitch: s.view.1,
        ..Controls::default()
    });
    body.act(keys).await;
}

async fn click(body: &BodyHandle, at: Pos, higher: f32) {
    let keys = body.with(|s| {
        let (yaw, pitch) = turn::look_at(s.eyes, at.centre());
        Controls {
            action: Some(HandAction::Use { at: None }),
            yaw,
            pitch: pitch - higher,
            ..Controls::default()
        }
    });
    body.act(keys).await;
}
