//! Crafting: in the hand's own 2×2 grid, or at a table, known or carried.
//!
//! What is lacking is found out before anything is touched. Invariant: nothing is used up unless
//! the recipe is carried out.

use super::super::controls::{ControlOutcome, Controls, HandAction};
use super::super::primitives::{handling, reflexes};
use super::super::senses::{BodyHandle, Senses};
use super::End;
use super::station;
use crate::action::{ActionFailure, GuiFault};
use crate::block as blocks;
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::observation::Gui;
use crate::recipe::{Recipe, recipes_for};

/// Ticks of clicking for one crafting, generously.
const CLICK_TICKS_MAX: u32 = 12;
/// Craftings in one action.
const CRAFTS_MAX: u32 = 600;

/// A recipe that can be carried out now.
struct Choice {
    product: ItemId,
    recipe: &'static Recipe,
}

/// Crafts until `count` more of the item are held.
pub(crate) async fn craft(body: &BodyHandle, item: ItemSpec, count: u32, table_stays: bool) -> End {
    let goal = body.with(|s| s.count(item)) + count;
    handling::make_room(body).await;
    let mut station = None;
    let mut end = Ok(());
    for _ in 0..CRAFTS_MAX {
        if reflexes::watch_amid(body).await? {
            // It may have led away from there.
            station = None;
        }
        let held = body.with(|s| s.count(item));
        if held >= goal {
            break;
        }
        let choice = match body.with(|s| choose(s, item, goal - held)) {
            Ok(choice) => choice,
            Err(failure) => {
                end = Err(failure);
                break;
            }
        };
        if choice.recipe.needs_table && station.is_none() {
            handling::close(body).await?;
            station = Some(station::reach(body, blocks::CRAFTING_TABLE, item).await?);
        }
        end = craft_once(body, &choice, station.map(|s| s.at)).await;
        if end.is_err() {
            break;
        }
    }
    match station {
        // After a failure nobody knows what comes next.
        Some(station) if !table_stays || end.is_err() => station::leave(body, station).await?,
        _ => handling::close(body).await?,
    }
    end
}

async fn craft_once(body: &BodyHandle, choice: &Choice, table: Option<crate::space::Pos>) -> End {
    let gui = if table.is_some() {
        Gui::CraftingTable
    } else {
        Gui::Inventory
    };
    handling::open(body, table, gui).await?;
    let action = HandAction::CraftOnce {
        product: choice.product,
    };
    for _ in 0..CLICK_TICKS_MAX {
        match body
            .act(Controls {
                action: Some(action.clone()),
                ..Controls::default()
            })
            .await
        {
            ControlOutcome::Crafted(..) => return Ok(()),
            ControlOutcome::Refused(because) if because.contains("full") => {
                return Err(ActionFailure::InventoryFull);
            }
            ControlOutcome::Refused(because) => {
                return Err(ActionFailure::Invalid {
                    because: because.to_owned(),
                });
            }
            ControlOutcome::Working | ControlOutcome::Done => {}
            ControlOutcome::Broke(..) | ControlOutcome::Struck(_) | ControlOutcome::Ate(_) => {}
        }
    }
    Err(handling::blocked(gui, GuiFault::NoAnswer))
}

/// The member and recipe for which everything is at hand, or what the likeliest one lacks.
fn choose(s: &Senses, item: ItemSpec, count: u32) -> Result<Choice, ActionFailure> {
    let ways = || {
        let members = item.members().iter();
        members.flat_map(|product| {
            recipes_for(*product).iter().map(|recipe| Choice {
                product: *product,
                recipe,
            })
        })
    };
    let crafts = |recipe: &Recipe| count.div_ceil(recipe.count.max(1));
    let all = ways().find(|way| lack(s, way.recipe, crafts(way.recipe)).is_none());
    if let Some(way) = all.or_else(|| any_of_family(s, item, ways())) {
        return Ok(way);
    }
    // Of several recipes the one lacking least tells what is missing.
    let nearest = ways()
        .filter(|way| !way.recipe.reversible)
        .chain(ways())
        .filter_map(|way| {
            lack(s, way.recipe, crafts(way.recipe))
                .map(|(needs, have, need)| (need.saturating_sub(have), needs, have, need))
        });
    match nearest.min_by_key(|(short, ..)| *short) {
        Some((_, needs, have, need)) => Err(ActionFailure::MissingIngredient {
            item,
            needs,
            have,
            need,
        }),
        None => Err(ActionFailure::NoRecipe { item }),
    }
}

/// Of a family, several kinds may be needed together: planks of oak and of birch.
fn any_of_family(
    s: &Senses,
    item: ItemSpec,
    mut ways: impl Iterator<Item = Choice>,
) -> Option<Choice> {
    let is_family = matches!(item, ItemSpec::Family(_));
    ways.find(|way| is_family && lack(s, way.recipe, 1).is_none())
}

/// The first ingredient of which there is too little: what, how many there are, how many it takes.
fn lack(s: &Senses, recipe: &Recipe, crafts: u32) -> Option<(ItemSpec, u32, u32)> {
    recipe.ingredients.iter().find_map(|(spec, each)| {
        let (have, need) = (s.count(*spec), each * crafts);
        (have < need).then_some((*spec, have, need))
    })
}
