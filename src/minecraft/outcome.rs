//! Outcomes: the report of an action, with the typed failures of the embedded body.
//!
//! Invariant: a code that is not known is an invalid action with its cleaned reason, never a success.

use crate::lack;
use crate::order::names;
use crate::sensed::{counts, gui_named};
use crate::wire::{Acted, WireFailure};
use pithead_core::text::clean::clean_excerpt;
use pithead_world::action::{Action, ActionFailure, ActionReport, GuiFault, Target, Unbuilt};
use pithead_world::block::{BlockId, CHEST};
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::item::ItemId;
use pithead_world::mob::MobKind;
use pithead_world::observation::Frame;
use pithead_world::space::Pos;

/// Letters of a reason that comes from outside.
const REASON_MAX: usize = 160;
const WINDOWS_MAX: usize = 9;
/// Longer than any action takes.
const TICKS_MAX: u64 = 24_000 * 100;

/// The report of what was ordered; `before` and `after` are the frames around it.
pub(crate) fn report(
    action: &Action,
    acted: &Acted,
    before: &Counts,
    after: &Frame,
) -> ActionReport {
    let gains = after.inventory.delta(before).into_iter();
    let gains = gains.filter_map(|(item, change)| Some((item, u32::try_from(change).ok()?)));
    let failure = acted.failure.as_ref();
    let mut windows = Vec::new();
    for window in acted
        .windows
        .iter()
        .take(WINDOWS_MAX)
        .map(|name| gui_named(name))
    {
        if !windows.contains(&window) {
            windows.push(window);
        }
    }
    ActionReport {
        failure: failure.map(|failure| failure_from_wire(failure, action, after)),
        ticks: acted.ticks.min(TICKS_MAX),
        broken: acted
            .broken
            .iter()
            .filter_map(|(name, count)| Some((BlockId::named(name)?, *count)))
            .collect(),
        gained: gains.filter(|(_, count)| *count > 0).collect(),
        used: counts(&acted.used),
        windows,
    }
}

/// What went wrong, in terms of the order.
pub(crate) fn failure_from_wire(
    failure: &WireFailure,
    action: &Action,
    after: &Frame,
) -> ActionFailure {
    let feet = after.position.block();
    let place = |at: Option<[i32; 3]>| at.map_or(feet, Pos::from);
    let text = |text: &Option<String>, usual: &str| {
        let given = text.as_deref().filter(|text| !text.trim().is_empty());
        clean_excerpt(given.unwrap_or(usual), REASON_MAX)
    };
    let block = |name: &Option<String>| name.as_deref().and_then(BlockId::named);
    let invalid = |because: String| ActionFailure::Invalid { because };
    if let Some(failure) = failure_in_detail(failure, action) {
        return failure;
    }
    match (failure.code.as_str(), item_of(action)) {
        ("no_target", _) => ActionFailure::NoTarget {
            target: sought_by(action),
            y: failure.y.unwrap_or(feet.y),
        },
        ("no_path", _) => ActionFailure::NoPath {
            to: place(failure.to),
            blocked_by: block(&failure.by),
        },
        ("stuck" | "out_of_time", _) => ActionFailure::Stuck {
            at: place(failure.at),
        },
        ("no_drop", _) => match block(&failure.block) {
            Some(block) => ActionFailure::NoDrop {
                block,
                held: failure.held.as_deref().and_then(ItemId::named),
                broken: failure.broken.unwrap_or(0),
            },
            None => invalid("a block of no known kind broke for nothing".to_owned()),
        },
        ("no_recipe", Some((item, _))) => ActionFailure::NoRecipe { item },
        ("no_station", item) => match (block(&failure.station), item) {
            (Some(station), Some((item, _))) => ActionFailure::NoStation { item, station },
            (Some(station), None) => match station.item() {
                Some(item) => ActionFailure::NotHeld { item: item.into() },
                None => invalid(format!("there is no {}", station.name())),
            },
            (None, _) => invalid("a station is missing".to_owned()),
        },
        ("missing", Some((item, count))) => missing(action, item, count, &after.inventory),
        ("no_fuel", _) => ActionFailure::NoFuel,
        ("not_held", Some((item, _))) => ActionFailure::NotHeld { item },
        ("not_held", None) => invalid("nothing to eat is held".to_owned()),
        ("inventory_full", _) => ActionFailure::InventoryFull,
        ("gui_blocked", _) => ActionFailure::GuiBlocked {
            gui: gui_named(failure.gui.as_deref().unwrap_or_default())
                .name()
                .to_owned(),
            // The bridge waits for windows to open and for what is clicked in them; it never fails to close one.
            fault: GuiFault::NoAnswer,
        },
        ("no_room", _) => ActionFailure::NoRoom {
            at: place(failure.at),
        },
        ("danger", _) => ActionFailure::Danger {
            of: text(&failure.of, "something"),
        },
        ("died", _) => ActionFailure::Died {
            of: text(&failure.of, "its wounds"),
        },
        ("cancelled", _) => ActionFailure::Cancelled,
        (code, _) => invalid(text(&failure.because, &clean_excerpt(code, REASON_MAX))),
    }
}

/// A failure of which the side process says more than its code; none if it does not.
fn failure_in_detail(failure: &WireFailure, action: &Action) -> Option<ActionFailure> {
    let item_named = |name: &Option<String>| name.as_deref().and_then(ItemId::named);
    let (have, need) = (failure.have.unwrap_or(0), failure.need.unwrap_or(1));
    let because = |text: String| Some(ActionFailure::Invalid { because: text });
    match (failure.code.as_str(), item_of(action)) {
        ("no_target", _) => {
            let block = failure.block.as_deref().and_then(BlockId::named);
            let mob = || failure.of.as_deref().and_then(MobKind::named);
            let target = block
                .map(Target::Block)
                .or_else(|| mob().map(Target::Mob))?;
            let y = failure.y?;
            Some(ActionFailure::NoTarget { target, y })
        }
        ("missing", Some((item, _))) => Some(ActionFailure::MissingIngredient {
            item,
            needs: item_named(&failure.needs)?.into(),
            have,
            need,
        }),
        ("not_held", _) => Some(ActionFailure::NotHeld {
            item: item_named(&failure.item)?.into(),
        }),
        ("too_few_levels", _) => Some(ActionFailure::TooFewLevels { have, need }),
        ("not_damaged", Some((item, _))) => because(format!("{item} is not damaged")),
        ("not_enchantable", Some((item, _))) => {
            because(format!("{item} takes no enchantment, or no more"))
        }
        ("unbuilt", _) => Some(ActionFailure::Unbuilt {
            because: unbuilt(failure, action),
            stands: failure.stands.unwrap_or(0),
            of: failure.whole.unwrap_or(0),
        }),
        _ => None, // the code says it all
    }
}

/// Why a building was not finished; what is not known was in the way.
fn unbuilt(failure: &WireFailure, action: &Action) -> Unbuilt {
    let at = failure.at.map_or(Pos::new(0, 0, 0), Pos::from);
    let by = failure.by.as_deref().and_then(BlockId::named);
    match failure.stop.as_deref() {
        Some("no_site") => Unbuilt::NoSite,
        Some("out_of_time") => Unbuilt::OutOfTime {
            ticks: failure.ticks.unwrap_or(0),
        },
        Some("short") => {
            let spec = |row: &&(ItemSpec, [i32; 3])| names(row.0) == failure.items;
            let Action::Build { blocks, .. } = action else {
                return Unbuilt::Blocked { at, by };
            };
            blocks
                .iter()
                .find(spec)
                .map_or(Unbuilt::Blocked { at, by }, |(item, _)| Unbuilt::Short {
                    item: *item,
                    have: failure.have.unwrap_or(0),
                    need: failure.need.unwrap_or(1),
                })
        }
        _ => Unbuilt::Blocked { at, by },
    }
}

fn missing(action: &Action, item: ItemSpec, count: u32, held: &Counts) -> ActionFailure {
    match action {
        Action::Smelt { .. } => lack::smelt_failure(item, count, held),
        _ => lack::craft_failure(item, count, held), // only these two are made of something
    }
}

/// The item that the order is about, and how many.
fn item_of(action: &Action) -> Option<(ItemSpec, u32)> {
    match action {
        Action::Mine { item, count }
        | Action::Craft { item, count, .. }
        | Action::Smelt { item, count, .. }
        | Action::Fish { item, count }
        | Action::Grow { item, count }
        | Action::Trade { item, count }
        | Action::Take { item, count }
        | Action::Put { item, count } => Some((*item, *count)),
        Action::Equip { item }
        | Action::Place { item, .. }
        | Action::Enchant { item }
        | Action::Dye { item, .. }
        | Action::Repair { item } => Some((*item, 1)),
        Action::Use { item, count, .. } => item.map(|item| (item, *count)),
        Action::Build { blocks, .. } => blocks.first().map(|(item, _)| (*item, 1)),
        Action::Attack { gain, count, .. } => gain.map(|item| (item, *count)),
        Action::Explore { .. }
        | Action::Approach { .. }
        | Action::Goto { .. }
        | Action::DigDown { .. }
        | Action::GoUp { .. }
        | Action::Breed { .. }
        | Action::Sleep
        | Action::Raw { .. }
        | Action::Eat
        | Action::Wait { .. } => None,
    }
}

/// What the order had the body look for.
fn sought_by(action: &Action) -> Target {
    let chest = || Target::Block(CHEST);
    match action {
        Action::Explore { targets } => targets.first().cloned().unwrap_or_else(chest),
        Action::Approach { target, .. } | Action::Use { on: target, .. } => target.clone(),
        Action::Attack { mob, .. } | Action::Breed { mob } => Target::Mob(*mob),
        other => item_of(other).map_or_else(chest, |(item, _)| Target::Source(item)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, action: &Action, expected: &str) {
        let failure: WireFailure = serde_json::from_str(json).unwrap();
        let after = Frame::standing();
        let text = failure_from_wire(&failure, action, &after).to_string();
        assert_eq!(text, expected, "{json}");
    }

    #[test]
    fn each_code_becomes_a_typed_failure() {
        let item = |name: &str| -> ItemSpec { name.parse().unwrap() };
        let mine = Action::Mine {
            item: item("cobblestone"),
            count: 3,
        };
        let craft = Action::craft(item("stone_pickaxe"), 1);
        check(
            r#"{"code":"no_target","y":12}"#,
            &mine,
            "found no cobblestone (searched around y 12)",
        );
        check(
            r#"{"code":"no_path","to":[1,2,3],"by":"stone"}"#,
            &mine,
            "no way to 1 2 3, blocked by stone",
        );
        check(
            r#"{"code":"no_path","to":[1,2,3],"by":"x"}"#,
            &mine,
            "no way to 1 2 3",
        );
        check(r#"{"code":"stuck"}"#, &mine, "stuck at 0 64 0");
        check(
            r#"{"code":"no_drop","block":"stone","held":null,"broken":3}"#,
            &mine,
            "broke 3 stone with the bare hand and nothing dropped",
        );
        check(
            r#"{"code":"no_station","station":"crafting_table"}"#,
            &craft,
            "stone_pickaxe needs a crafting_table and none is near or carried",
        );
        check(
            r#"{"code":"missing"}"#,
            &craft,
            "stone_pickaxe needs 3 #stone_tool_materials, only 0 held",
        );
        check(
            r#"{"code":"no_fuel"}"#,
            &craft,
            "nothing to burn in the furnace",
        );
    }

    #[test]
    fn what_is_no_matter_of_an_item_is_told_too() {
        let item = |name: &str| -> ItemSpec { name.parse().unwrap() };
        let mine = Action::Mine {
            item: item("cobblestone"),
            count: 3,
        };
        let craft = Action::craft(item("stone_pickaxe"), 1);
        check(
            r#"{"code":"not_held"}"#,
            &Action::Equip {
                item: item("stick"),
            },
            "stick is not held",
        );
        check(
            r#"{"code":"not_held"}"#,
            &Action::Eat,
            "cannot be done: nothing to eat is held",
        );
        check(
            r#"{"code":"gui_blocked","gui":"furnace"}"#,
            &craft,
            "the furnace window does not answer",
        );
        check(
            r#"{"code":"no_room","at":[4,5,6]}"#,
            &craft,
            "no room for a block at 4 5 6",
        );
        check(
            r#"{"code":"danger","of":"lava\u001b[2J"}"#,
            &mine,
            "given up because of lava·[2J",
        );
        check(
            r#"{"code":"no_target","block":"water","y":60}"#,
            &mine,
            "found no water (searched around y 60)",
        );
        check(
            r#"{"code":"not_held","item":"fishing_rod"}"#,
            &mine,
            "fishing_rod is not held",
        );
        check(
            r#"{"code":"missing","needs":"lapis_lazuli","have":0,"need":1}"#,
            &craft,
            "stone_pickaxe needs 1 lapis_lazuli, only 0 held",
        );
        check(
            r#"{"code":"not_damaged"}"#,
            &craft,
            "cannot be done: stone_pickaxe is not damaged",
        );
        check(r#"{"code":"died"}"#, &mine, "died of its wounds");
        check(r#"{"code":"cancelled"}"#, &mine, "cancelled");
        check(
            r#"{"code":"internal","because":"a\u0007b"}"#,
            &mine,
            "cannot be done: a·b",
        );
        check(r#"{"code":"new"}"#, &mine, "cannot be done: new");
    }
}
