//! Foraging: a hungry body without food kills an animal that it meets.
//!
//! Also the preparation for a hunt: a meal, and rest until wounds have healed. Invariant: the last
//! animal of a kind in sight is spared, because an action may need it.

use super::super::senses::{BodyHandle, Living, Senses};
use super::hunt;
use super::purpose::Purpose;
use super::wanted::Wanted;
use super::{End, burrow, explore, simple};
use crate::action::{ActionFailure, Target};
use crate::mob::MobKind;

/// Food at which one takes an animal that is near; who is hurt does so as long as food helps to heal.
const PECKISH: f32 = 10.0;
const HURT: f32 = 14.0;
/// An animal so near is worth the way.
const NEAR: f64 = 20.0;
/// A hunter of monsters goes farther by day.
const NEAR_HUNTER: f64 = 32.0;
/// What got away is not run after again for so long.
const PUT_OFF_TICKS: u64 = 400;
/// With less health, or food below this and none to eat, one does not go looking for a fight.
const SOUND: f32 = 12.0;
const FED: f32 = 14.0;
/// Animals and meals in a row.
const ROUNDS_MAX: u32 = 8;

/// Those that leave meat which is eaten raw without harm.
const GAME: [MobKind; 4] = [MobKind::Cow, MobKind::Pig, MobKind::Sheep, MobKind::Rabbit];

/// The animal to take now.
pub(crate) fn prey(s: &Senses) -> Option<Living> {
    let is_hungry = s.hunger <= PECKISH || (s.health < HURT && s.hunger < simple::HEALS);
    let is_wanting = (is_hungry && simple::best_food(s).is_none()) || simple::lays_in(s);
    if !is_wanting || s.tick < s.retry_after.forage || !s.sky {
        return None;
    }
    let kin = |one: &Living| s.mobs.iter().filter(|mob| mob.kind == one.kind).count();
    let near = if s.monster.is_some() {
        NEAR_HUNTER
    } else {
        NEAR
    };
    game(s).find(|mob| mob.at.distance(s.at) < near && kin(mob) > 1)
}

fn game(s: &Senses) -> impl Iterator<Item = Living> {
    let is_game = |mob: &&Living| GAME.contains(&mob.kind) && !mob.is_baby;
    s.mobs.iter().filter(is_game).copied()
}

/// Kills the animal and takes what it leaves; what got away or left nothing is no reason to stop.
pub(crate) async fn kill_for_food(body: &BodyHandle, prey: Living) -> End {
    match hunt::slay(body, prey).await {
        Ok(true) => {}
        Ok(false) => body.with(|s| s.retry_after.forage = s.tick + PUT_OFF_TICKS),
        Err(failure) => return Err(failure),
    }
    Ok(())
}

/// Eats, after finding something to eat, and heals, as far as it can.
pub(crate) async fn make_fit(body: &BodyHandle) -> End {
    let is_fit = body.with(|s| {
        let has_food = simple::best_food(s).is_some();
        s.health >= SOUND && (s.hunger >= FED || has_food)
    });
    if is_fit {
        return Ok(());
    }
    for _ in 0..ROUNDS_MAX {
        let (is_full, has_food) =
            body.with(|s| (s.hunger >= simple::HEALS, simple::best_food(s).is_some()));
        if is_full {
            break;
        }
        if has_food {
            simple::eat(body).await.or_else(simple::put_off)?;
        } else if !find_game(body).await? {
            break;
        }
    }
    let heals = body.with(|s| s.health < SOUND && s.hunger >= simple::HEALS);
    if heals {
        burrow::rest(body).await?;
    }
    Ok(())
}

/// Looks for an animal and takes it; false if there is none.
async fn find_game(body: &BodyHandle) -> Result<bool, ActionFailure> {
    let wanted = Wanted {
        purpose: Purpose::Use,
        ..Wanted::from_targets(&GAME.map(Target::Mob))
    };
    match explore::search(body, &wanted, &Target::Mob(GAME[0])).await {
        Ok(()) => {}
        Err(ActionFailure::NoTarget { .. }) => return Ok(false),
        Err(failure) => return Err(failure),
    }
    match body.with(|s| game(s).next()) {
        Some(prey) => kill_for_food(body, prey).await.map(|()| true),
        None => Ok(false),
    }
}
