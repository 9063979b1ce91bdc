//! Trades: the orders for what people live from beyond digging and crafting, with the tables that they need.
//!
//! What grows from which seed, what an animal eats and who sells a thing is every player's knowledge; what comes of it
//! is the server's business.

use crate::order::{beds, names};
use pithead_world::action::Action;
use pithead_world::enchant::mended_with;
use pithead_world::enchanting::can_lay;
use pithead_world::extra::{Colour, takes_colour};
use pithead_world::family::ItemSpec;
use pithead_world::farming::{Crop, GrowthHabit, crops_giving, feed_of};
use pithead_world::inventory::Stack;
use pithead_world::item::{ItemId, ToolKind};
use pithead_world::trade::{Profession, offers_for};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The arguments of the order; other actions have theirs in `order`.
pub(crate) fn arguments(action: &Action) -> Value {
    match action {
        Action::Fish { item, count } => json!({"gain": names(*item), "count": count}),
        Action::Grow { item, count } => {
            let crops: Vec<Value> = crops_giving(*item).map(crop_for_bridge).collect();
            json!({"gain": names(*item), "count": count, "crops": crops, "hoes": hoes(), "beds": beds()})
        }
        Action::Breed { mob } => {
            json!({"mob": mob.name(), "feed": feed_of(*mob).map(ItemId::name).collect::<Vec<_>>()})
        }
        Action::Trade { item, count } => {
            let mut who: Vec<Profession> = offers_for(*item).iter().map(|(who, _)| *who).collect();
            who.sort_unstable();
            who.dedup();
            let who: Vec<&str> = who.into_iter().map(Profession::name).collect();
            json!({"gain": names(*item), "count": count, "professions": who, "beds": beds()})
        }
        Action::Enchant { item } => {
            let things = put_on_the_table(*item);
            let takes = |item: &&ItemId| can_lay(&Stack::new(**item, 1));
            let takes: Vec<&str> = things
                .members()
                .iter()
                .filter(takes)
                .map(|i| i.name())
                .collect();
            json!({"items": names(things), "takes": takes})
        }
        Action::Dye { item, dye } => {
            let things = item
                .members()
                .iter()
                .copied()
                .filter(|item| takes_colour(*item));
            let dyes = dye.members().iter().copied();
            let dyes = dyes.filter(|dye| Colour::of_dye(*dye).is_some());
            json!({
                "items": things.map(ItemId::name).collect::<Vec<_>>(),
                "dyes": dyes.map(ItemId::name).collect::<Vec<_>>(),
            })
        }
        Action::Repair { item } => {
            let members = item.members().iter();
            let rows = members.filter_map(|item| Some((item.name(), names(mended_with(*item)?))));
            json!({"items": names(*item), "materials": rows.collect::<BTreeMap<_, _>>()})
        }
        _ => json!({}), // `order` asks for no others
    }
}

/// An enchanted book is asked for by its result; the table makes it of a plain one.
fn put_on_the_table(item: ItemSpec) -> ItemSpec {
    let book = ItemId::named("enchanted_book").map(ItemSpec::from);
    let plain = ItemId::named("book").map(ItemSpec::from);
    if book == Some(item) {
        plain.unwrap_or(item)
    } else {
        item
    }
}

fn crop_for_bridge(crop: &Crop) -> Value {
    let (manner, part) = match crop.manner {
        GrowthHabit::Field => ("field", None),
        GrowthHabit::Stem { fruit } => ("stem", Some(fruit)),
        GrowthHabit::Stalk => ("stalk", None),
        GrowthHabit::Tree { log } => ("tree", Some(log)),
        GrowthHabit::Bush => ("bush", None),
        GrowthHabit::Pod => ("pod", None),
        GrowthHabit::Spread => ("spread", None),
    };
    let part = part.map(|block| block.name());
    json!({"seed": crop.seed.name(), "plant": crop.plant.name(), "manner": manner, "part": part})
}

/// All hoes, the one that is worth least first.
fn hoes() -> Vec<&'static str> {
    let tool = |item: &ItemId| item.facts().tool.filter(|tool| tool.kind == ToolKind::Hoe);
    let mut hoes: Vec<ItemId> = ItemId::all().filter(|item| tool(item).is_some()).collect();
    hoes.sort_by_key(|item| (tool(item).map(|tool| tool.tier), *item));
    hoes.into_iter().map(ItemId::name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_world::mob::MobKind;

    #[track_caller]
    fn check(action: &Action, expected: &str) {
        assert_eq!(arguments(action).to_string(), expected);
    }

    fn item(name: &str) -> ItemSpec {
        name.parse().unwrap()
    }

    #[test]
    fn crops_feed_and_sellers_are_written_out() {
        let grow = Action::Grow {
            item: item("melon_slice"),
            count: 2,
        };
        let order = arguments(&grow);
        assert_eq!(
            order["crops"].to_string(),
            r#"[{"seed":"melon_seeds","plant":"melon_stem","manner":"stem","part":"melon"}]"#
        );
        assert_eq!(order["hoes"][0], "wooden_hoe");
        let mob = MobKind::Pig;
        check(
            &Action::Breed { mob },
            r#"{"mob":"pig","feed":["carrot","potato","beetroot"]}"#,
        );
        let trade = Action::Trade {
            item: item("bread"),
            count: 1,
        };
        assert_eq!(arguments(&trade)["professions"], json!(["farmer"]));
    }

    #[test]
    fn what_can_be_improved_with_what_is_written_out() {
        let repair = Action::Repair {
            item: item("iron_pickaxe"),
        };
        check(
            &repair,
            r#"{"items":["iron_pickaxe"],"materials":{"iron_pickaxe":["iron_ingot"]}}"#,
        );
        let dye = Action::Dye {
            item: item("leather_boots"),
            dye: item("red_dye"),
        };
        check(&dye, r#"{"items":["leather_boots"],"dyes":["red_dye"]}"#);
        let enchant = Action::Enchant {
            item: item("enchanted_book"),
        };
        check(&enchant, r#"{"items":["book"],"takes":["book"]}"#);
    }
}
