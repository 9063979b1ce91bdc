//! Crafting: in the hand's own 2×2 grid, or at a table, known or carried.
//!
//! What is lacking is found out before anything is touched. Invariant: nothing is used up unless
//! the recipe is carried out.

use super::super::controls::{Controls, Deed, Outcome};
use super::super::hand;
use super::super::senses::{Hands, Senses};
use super::End;
use super::station;
use crate::action::ActionFailure;
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
pub(crate) async fn craft(hands: &Hands, item: ItemSpec, count: u32) -> End {
    let goal = hands.with(|s| s.count(item)) + count;
    hand::make_room(hands).await;
    let mut station = None;
    let mut end = Ok(());
    for _ in 0..CRAFTS_MAX {
        let held = hands.with(|s| s.count(item));
        if held >= goal {
            break;
        }
        let choice = match hands.with(|s| choose(s, item, goal - held)) {
            Ok(choice) => choice,
            Err(failure) => {
                end = Err(failure);
                break;
            }
        };
        if choice.recipe.needs_table && station.is_none() {
            hand::close(hands).await?;
            station = Some(station::reach(hands, blocks::CRAFTING_TABLE, item).await?);
        }
        end = craft_once(hands, &choice, station.map(|s| s.at)).await;
        if end.is_err() {
            break;
        }
    }
    match station {
        Some(station) => station::leave(hands, station).await?,
        None => hand::close(hands).await?,
    }
    end
}

async fn craft_once(hands: &Hands, choice: &Choice, table: Option<crate::space::Pos>) -> End {
    let gui = if table.is_some() {
        Gui::CraftingTable
    } else {
        Gui::Inventory
    };
    hand::open(hands, table, gui).await?;
    let deed = Deed::CraftOnce {
        product: choice.product,
    };
    for _ in 0..CLICK_TICKS_MAX {
        match hands
            .act(Controls {
                deed: Some(deed.clone()),
                ..Controls::default()
            })
            .await
        {
            Outcome::Crafted(..) => return Ok(()),
            Outcome::Refused(because) if because.contains("full") => {
                return Err(ActionFailure::InventoryFull);
            }
            Outcome::Refused(because) => {
                return Err(ActionFailure::Invalid {
                    because: because.to_owned(),
                });
            }
            Outcome::Working | Outcome::Done => {}
            Outcome::Broke(..) | Outcome::Struck(_) | Outcome::Ate(_) => {}
        }
    }
    Err(ActionFailure::GuiBlocked {
        gui: gui.name().to_owned(),
    })
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
