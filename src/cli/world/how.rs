//! `pithead world how`: every way to obtain a thing, of a family for each of its members.

use super::thing::Thing;
use crate::cli::outcome::CommandError;
use crate::cli::output::to_json;
use pithead_world::family::ItemSpec;
use pithead_world::how::absent::only_in_the_game;
use pithead_world::how::{Way, how};
use pithead_world::item::ItemId;
use serde::Serialize;

#[derive(Debug, clap::Args)]
pub(crate) struct HowArgs {
    /// An item, or a family such as #logs
    #[arg(value_name = "ITEM")]
    item: Thing,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Every way to an item; the JSON form is stable.
#[derive(Debug, Serialize)]
struct Ways {
    item: ItemId,
    ways: Vec<Way>,
    /// How the game gives it, where this world does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    only_in_the_game: Option<&'static str>,
}

/// The same for each member of a family; the JSON form is stable.
#[derive(Debug, Serialize)]
struct WaysOfFamily {
    family: ItemSpec,
    members: Vec<Ways>,
}

impl Ways {
    fn to(item: ItemId) -> Self {
        Self {
            item,
            ways: how(item),
            only_in_the_game: only_in_the_game(item),
        }
    }

    fn text(&self) -> String {
        let item = self.item;
        let note = self.only_in_the_game.map(|note| format!("  {note}\n"));
        if self.ways.is_empty() && note.is_none() {
            return format!("{item}: the tables of the game have no way to obtain it\n");
        }
        let ways = self.ways.iter().map(|way| format!("  {way}\n"));
        let lines: String = ways.chain(note).collect();
        format!("{item}\n{lines}")
    }
}

pub(super) fn list_ways(args: &HowArgs) -> Result<String, CommandError> {
    let item = match args.item {
        Thing::Item(item) => item,
        Thing::Block(_) | Thing::Village | Thing::Trade(_) => {
            let thing = args.item;
            let error = CommandError::usage(format!("{thing} is no item that one can obtain"));
            return Err(error.hint(format!("`pithead world find {thing}` lists where it is")));
        }
    };
    let members: Vec<Ways> = item.members().iter().copied().map(Ways::to).collect();
    match (item, &members[..]) {
        (ItemSpec::Item(_), [ways]) if args.json => to_json(ways),
        _ if args.json => to_json(&WaysOfFamily {
            family: item,
            members,
        }),
        _ => Ok(members.iter().map(Ways::text).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(thing: &str, json: bool) -> Result<String, CommandError> {
        let item = thing.parse().unwrap();
        list_ways(&HowArgs { item, json })
    }

    #[test]
    fn a_family_has_the_ways_of_each_member() {
        let text = told("#coals", false).unwrap();
        assert!(text.starts_with("coal\n  mine coal_ore"), "{text}");
        assert!(text.contains("\ncharcoal\n  mine campfire"), "{text}");
        let json = told("#coals", true).unwrap();
        assert!(json.contains("\"family\": \"#coals\""), "{json}");
        let json = told("stick", true).unwrap();
        assert!(json.starts_with("{\n  \"item\": \"stick\""), "{json}");
    }

    #[test]
    fn what_only_the_game_gives_is_said() {
        let text = told("trident", false).unwrap();
        assert!(text.contains("drowned of this world hold none"), "{text}");
    }

    #[test]
    fn what_is_no_item_is_looked_for_instead() {
        for thing in ["water", "village", "farmer"] {
            let error = told(thing, false).unwrap_err();
            let advice = error.advice().unwrap();
            assert!(advice.contains(&format!("world find {thing}")), "{advice}");
        }
    }
}
