//! Smelting: at furnaces, known or carried: fuel in, raw in, wait, take out.
//!
//! Invariant: what lies in the furnace when the script ends by itself is taken along.

use super::super::controls::{ControlOutcome, Controls, FurnaceSlot, HandAction};
use super::super::path::goal::PathGoal;
use super::super::primitives::handling;
use super::super::primitives::reflexes;
use super::super::primitives::travel;
use super::super::senses::{BodyHandle, Senses};
use super::End;
use super::pick_up::pick_up;
use super::station::{self, PlacedStation, SPILL};
use crate::action::ActionFailure;
use crate::block as blocks;
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::keep::COALS;
use crate::observation::{FurnaceView, Gui};
use crate::smelting::{COOK_TICKS, burn_ticks, smelt_inputs};
use crate::space::Pos;

/// Pieces of one load: a stack.
/// As much as a slot holds.
const LOAD_MAX: u32 = 64;
/// Loads in one action.
/// A bound on the loop: 40 stacks are more than an inventory.
const LOADS_MAX: u32 = 40;
/// Furnaces that are lit at once.
/// More take longer to put down and take up than they save.
const FURNACES_MAX: usize = 4;
/// Furnaces left so near by an order that was called off are gone back to, in blocks.
const BACK: f64 = 48.0;
/// Waiting beyond the cooking time: a fire that has to be lit again cools the piece.
const SLACK_TICKS: u32 = 100;

/// What is smelted at once.
#[derive(Debug, Clone, Copy)]
struct Load {
    input: ItemId,
    pieces: u32,
}

/// What goes into one furnace.
#[derive(Debug, Clone, Copy)]
struct Fire {
    input: ItemId,
    pieces: u32,
    fuel: ItemId,
    fuel_pieces: u32,
}

/// Smelts until `count` more of the item are held.
pub(crate) async fn smelt(
    body: &BodyHandle,
    item: ItemSpec,
    count: u32,
    fuel: Option<ItemSpec>,
    furnaces_stay: bool,
) -> End {
    // Counted from what is held now, because pieces may be picked up or lost on the way.
    let goal = body.with(|s| s.count(item)) + count;
    let mut furnaces = fetch_left(body).await?;
    let mut put_in = Vec::new();
    let mut end = Ok(());
    for _ in 0..LOADS_MAX {
        let held = body.with(|s| s.count(item));
        if held >= goal {
            break;
        }
        // Asked before a furnace is put down.
        let planned = body.with(|s| {
            let load = choose(s, item, goal - held)?;
            let rest = goal - held - load.pieces;
            Ok((load, rest, fires(s, load, rest, fuel, FURNACES_MAX)?.len()))
        });
        let (load, rest, wanted) = match planned {
            Ok(planned) => planned,
            Err(failure) => {
                end = Err(failure);
                break;
            }
        };
        // The station is looked for once and kept for all loads.
        if furnaces.is_empty() {
            furnaces.push(station::reach(body, blocks::FURNACE, item).await?);
        }
        furnaces.extend(station::more(body, blocks::FURNACE, &furnaces, wanted).await?);
        let parts = match body.with(|s| fires(s, load, rest, fuel, furnaces.len())) {
            Ok(parts) => parts,
            Err(failure) => {
                end = Err(failure);
                break;
            }
        };
        put_in.extend(parts.iter().flat_map(|part| [part.input, part.fuel]));
        end = smelt_load(body, &furnaces, &parts).await;
        if end.is_err() {
            break;
        }
    }
    handling::close(body).await?;
    // After a failure nobody knows what comes next.
    if !furnaces_stay || end.is_err() {
        station::leave_all(body, &furnaces).await?;
    }
    if end.is_err() {
        // What was in the furnaces fell out of them.
        pick_up(body, SPILL, &move |loose| put_in.contains(&loose)).await?;
    }
    let is_done = |at: &Pos| furnaces.iter().any(|furnace| furnace.at == *at);
    body.with(|s| s.fires.retain(|at| !is_done(at)));
    end
}

/// Takes out what is in furnaces near by since an order was called off, once what burns there is cooked; these furnaces.
async fn fetch_left(body: &BodyHandle) -> Result<Vec<PlacedStation>, ActionFailure> {
    let mut furnaces = Vec::new();
    while let Some(at) = body.with(|s| s.fires.last().copied()) {
        let stands = body
            .with(|s| at.distance(s.feet()) <= BACK && s.seen.block(at) == Some(blocks::FURNACE));
        let is_out =
            |furnace: &FurnaceView| furnace.input == 0 || (furnace.burn == 0 && furnace.fuel == 0);
        let end = match stands {
            true => travel::went(drain(body, at, LOAD_MAX, &is_out).await),
            false => Ok(false),
        };
        // What came to nothing is not tried again, or it might hold up every order from now on.
        body.with(|s| s.fires.retain(|fire| *fire != at));
        if end? {
            furnaces.push(station::standing(body, at));
        }
    }
    Ok(furnaces)
}

/// The load divided among as many furnaces as there are, or as many as what may be burnt suffices for.
/// The `rest` is what is to be smelted after it: fires waste heat, so it counts before there are more of them.
/// Where no kind of fuel suffices for one fire, one is lit for as much as the best kind suffices for.
fn fires(
    s: &Senses,
    load: Load,
    rest: u32,
    asked: Option<ItemSpec>,
    furnaces: usize,
) -> Result<Vec<Fire>, ActionFailure> {
    let stock = Burnable::of(s, load.input, load.pieces, asked);
    let most = (furnaces as u32).clamp(1, load.pieces.max(1));
    (1..=most)
        .rev()
        .find_map(|number| stock.clone().divide(load, rest, number))
        .or_else(|| Some(vec![stock.longest(load)?]))
        .ok_or(ActionFailure::NoFuel)
}

/// Fills a furnace for each part, the largest first, and empties them in that order.
async fn smelt_load(body: &BodyHandle, furnaces: &[PlacedStation], parts: &[Fire]) -> End {
    for (furnace, part) in furnaces.iter().zip(parts) {
        body.with(|s| s.fires.push(furnace.at));
        fill(body, furnace.at, *part).await?;
    }
    for (furnace, part) in furnaces.iter().zip(parts) {
        let is_cooked = |furnace: &FurnaceView| furnace.output >= part.pieces;
        drain(body, furnace.at, part.pieces, &is_cooked).await?;
    }
    Ok(())
}

async fn fill(body: &BodyHandle, furnace: Pos, load: Fire) -> End {
    open(body, furnace).await?;
    // Someone's leftovers would block the slots.
    // The output first: it may be what the load would be refused for.
    for slot in [FurnaceSlot::Output, FurnaceSlot::Input, FurnaceSlot::Fuel] {
        take_from_furnace(body, slot).await;
    }
    put(body, FurnaceSlot::Fuel, load.fuel, load.fuel_pieces).await?;
    put(body, FurnaceSlot::Input, load.input, load.pieces).await
}

/// Waits until all is cooked, at most so many pieces, and takes everything out.
async fn drain(
    body: &BodyHandle,
    furnace: Pos,
    pieces: u32,
    is_done: &(dyn Fn(&FurnaceView) -> bool + Send + Sync),
) -> End {
    open(body, furnace).await?;
    for _ in 0..pieces * COOK_TICKS + SLACK_TICKS {
        let (is_open, is_done) = body.with(|s| {
            let is_open = s.gui() == Gui::Furnace;
            (is_open, s.furnace.as_ref().is_some_and(is_done))
        });
        if is_done {
            break;
        }
        // A threat closes the window: the reflexes need the hands.
        if !is_open || body.is_threatened() {
            handling::close(body).await?;
            reflexes::watch(body).await?;
            open(body, furnace).await?;
        }
        body.idle().await;
    }
    // The product first, then what did not burn or cook, so nothing stays behind.
    take_from_furnace(body, FurnaceSlot::Output).await;
    for slot in [FurnaceSlot::Input, FurnaceSlot::Fuel] {
        take_from_furnace(body, slot).await;
    }
    Ok(())
}

/// Its window, and no other's; the way back to it, if something drove the body off.
async fn open(body: &BodyHandle, furnace: Pos) -> End {
    handling::close(body).await?;
    let beside = PathGoal::Reach { at: furnace };
    travel::travel(body, &beside, travel::manner_here(body)).await?;
    handling::open(body, Some(furnace), Gui::Furnace).await
}

async fn put(body: &BodyHandle, slot: FurnaceSlot, item: ItemId, count: u32) -> End {
    let action = HandAction::FurnacePut {
        slot,
        item: item.into(),
        count,
    };
    match body
        .act(Controls {
            action: Some(action),
            ..Controls::default()
        })
        .await
    {
        ControlOutcome::Refused(because) => Err(ActionFailure::Invalid {
            because: because.to_owned(),
        }),
        _ => Ok(()),
    }
}

async fn take_from_furnace(body: &BodyHandle, slot: FurnaceSlot) {
    // An empty slot refuses, which is as well.
    body.act(Controls {
        action: Some(HandAction::FurnaceTake { slot }),
        ..Controls::default()
    })
    .await;
}

/// What to smelt, or what is lacking.
fn choose(s: &Senses, item: ItemSpec, count: u32) -> Result<Load, ActionFailure> {
    let inputs = smelt_inputs(item);
    let Some(first) = inputs.first() else {
        return Err(ActionFailure::NoRecipe { item });
    };
    let held = |input: &ItemId| s.slots.count(*input);
    let input = inputs
        .iter()
        // One kind that is enough alone is better than the largest pile.
        .find(|input| held(input) >= count.min(LOAD_MAX))
        .copied();
    let Some(input) = input.or_else(|| {
        inputs
            .iter()
            .copied()
            .filter(|i| held(i) > 0)
            .max_by_key(held)
    }) else {
        return Err(ActionFailure::MissingIngredient {
            item,
            needs: (*first).into(),
            have: 0,
            need: count,
        });
    };
    // Where several things smelt into it, one kind is done after the other.
    let all: u32 = inputs.iter().map(held).sum();
    if all < count.min(LOAD_MAX) {
        return Err(ActionFailure::MissingIngredient {
            item,
            needs: input.into(),
            have: all,
            need: count,
        });
    }
    let pieces = count.min(held(&input)).min(LOAD_MAX);
    Ok(Load { input, pieces })
}

/// What may be burnt and how much of it, by kind in the order of the slots.
#[derive(Debug, Clone)]
struct Burnable {
    /// What was asked for, else whatever nobody misses.
    kinds: Vec<(ItemId, u32)>,
    /// Coal that was not asked for and that the plan does not need: for what the rest does not suffice for.
    spare_coal: Vec<(ItemId, u32)>,
}

impl Burnable {
    /// What is to be smelted must not be burnt, as with logs and charcoal.
    fn of(s: &Senses, input: ItemId, pieces: u32, asked: Option<ItemSpec>) -> Self {
        let (mut kinds, mut spare_coal) = (Vec::new(), Vec::new());
        for item in s.slots.stacks.iter().flatten().map(|stack| stack.item) {
            let is_asked = asked.map_or_else(|| is_expendable(item), |asked| asked.matches(item));
            let (found, kept) = match (is_asked, is_coal(item)) {
                (true, _) => (&mut kinds, 0),
                (false, true) => (&mut spare_coal, s.kept.count(item)),
                (false, false) => continue,
            };
            let to_smelt = if item == input { pieces } else { 0 };
            if !found.iter().any(|(known, _)| *known == item) {
                let free = s.slots.count(item).saturating_sub(to_smelt.max(kept));
                found.push((item, free));
            }
        }
        Self { kinds, spare_coal }
    }

    /// The fuel for so many pieces and how much of it: the least precious kind that suffices.
    fn choose(&self, pieces: u32) -> Option<(ItemId, u32)> {
        let heat = pieces * COOK_TICKS;
        let enough = |(item, held): &(ItemId, u32)| {
            let burn = burn_ticks(*item).filter(|burn| *burn > 0)?;
            let need = heat.div_ceil(burn);
            (*held >= need).then_some((*item, need, need * burn - heat))
        };
        // Less precious first, then less waste; of equals the first slot.
        let best = |kinds: &[(ItemId, u32)]| {
            let enough = kinds.iter().filter_map(enough);
            enough.min_by_key(|(item, _, waste)| (!is_coal(*item), *waste))
        };
        let (fuel, need, _) = best(&self.kinds).or_else(|| best(&self.spare_coal))?;
        Some((fuel, need))
    }

    /// The load in so many fires, if that leaves enough for the rest.
    fn divide(mut self, load: Load, rest: u32, number: u32) -> Option<Vec<Fire>> {
        let fires: Option<Vec<Fire>> = (0..number)
            .map(|at| {
                let pieces = load.pieces / number + u32::from(at < load.pieces % number);
                let (fuel, fuel_pieces) = self.choose(pieces)?;
                self.take(fuel, fuel_pieces);
                Some(Fire {
                    input: load.input,
                    pieces,
                    fuel,
                    fuel_pieces,
                })
            })
            .collect();
        fires.filter(|_| number == 1 || self.heat() >= rest * COOK_TICKS)
    }

    /// One fire for as many pieces as the best kind suffices for, where all kinds together suffice for the load.
    fn longest(&self, load: Load) -> Option<Fire> {
        if self.heat() < load.pieces * COOK_TICKS {
            return None;
        }
        // Compared in ticks of heat, which is what different fuels have in common.
        let (heat, fuel, each) = heats(&self.kinds)
            .max()
            .or_else(|| heats(&self.spare_coal).max())?;
        let pieces = (heat / COOK_TICKS).min(load.pieces);
        (pieces > 0).then(|| Fire {
            input: load.input,
            pieces,
            fuel,
            fuel_pieces: (pieces * COOK_TICKS).div_ceil(each),
        })
    }

    /// Ticks of heat in all of it.
    fn heat(&self) -> u32 {
        let heats = heats(&self.kinds).chain(heats(&self.spare_coal));
        heats.map(|(heat, ..)| heat).sum()
    }

    fn take(&mut self, fuel: ItemId, count: u32) {
        for (item, held) in self.kinds.iter_mut().chain(&mut self.spare_coal) {
            if *item == fuel {
                *held = held.saturating_sub(count);
            }
        }
    }
}

/// Ticks of heat in each kind, the kind, and ticks of one piece; only of kinds that last for a piece to be smelted.
fn heats(kinds: &[(ItemId, u32)]) -> impl Iterator<Item = (u32, ItemId, u32)> {
    kinds.iter().filter_map(|(item, held)| {
        let each = burn_ticks(*item)?;
        let heat = held * each;
        (heat >= COOK_TICKS).then_some((heat, *item, each))
    })
}

/// Coal and charcoal are for burning; wood has other uses.
fn is_coal(item: ItemId) -> bool {
    COALS.contains(&item.name())
}

/// Tools and stations burn too, but nobody wants that unasked.
fn is_expendable(item: ItemId) -> bool {
    let name = item.name();
    item.facts().durability.is_none() && !name.ends_with("_table") && !name.ends_with("chest")
}
