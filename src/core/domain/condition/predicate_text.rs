//! Reading one predicate of the text form.

use super::Predicate;
use super::text::{ConditionError, Reader};
use crate::domain::check::{Check, FurnaceMeter, Place};
use crate::domain::experience::diagnosis::FailureReason;
use crate::domain::plan::TaskKind;
use crate::domain::plan::item_words;
use pithead_world::action::Target;
use pithead_world::block::BlockId;
use pithead_world::blueprint::BadBlueprintName;
use pithead_world::family::ItemSpec;
use pithead_world::item::{Tier, ToolKind};
use pithead_world::mob::MobKind;
use pithead_world::observation::Gui;
use pithead_world::space::Pos;

type Read<T> = Result<T, ConditionError>;

/// The first words of predicates, as they are named when something else stands there.
const EXPECTED: &str = "a predicate (inv, gained, crafted, equipped, holding, near, y, gui, furnace, container, \
     built, time, elapsed, biome, health, hunger, on_ground, underground, mob_near, subgoal, target, tool, failed)";

pub(super) fn read_predicate(reader: &mut Reader) -> Read<Predicate> {
    let fault = reader.fault(EXPECTED);
    let word = reader.name(EXPECTED)?;
    if let Some(check) = check(&word, reader)? {
        return Ok(Predicate::Check(check));
    }
    Ok(match word.as_str() {
        "holding" => Predicate::Holding(item(reader)?),
        "biome" => Predicate::BiomeIn(biomes(reader)?),
        "health" => Predicate::HealthLt(below(reader)?),
        "hunger" => Predicate::HungerLt(below(reader)?),
        "on_ground" => Predicate::OnGround,
        "underground" => Predicate::Underground,
        "mob_near" => {
            let mob = reader.word("a mob", mob)?;
            Predicate::MobNear {
                mob,
                range: reader.number()?,
            }
        }
        "subgoal" => {
            reader.take_word("is");
            let kinds = "mine, craft, smelt, use, combat, move or wait";
            Predicate::SubgoalKind(reader.word(kinds, kind)?)
        }
        "target" => {
            reader.take_word("is");
            Predicate::Target(item(reader)?)
        }
        "tool" => tool(reader)?,
        "failed" => {
            let reason = reader.word("a failure reason", reason)?;
            Predicate::AttemptsGe {
                reason,
                n: at_least(reader)?,
            }
        }
        // Everything else is refused.
        _ => return Err(fault),
    })
}

/// The predicates that are checks; none for words that begin another.
fn check(word: &str, reader: &mut Reader) -> Read<Option<Check>> {
    Ok(Some(match word {
        "inv" => inventory(reader)?,
        "gained" => {
            let (item, count) = item_and_count(reader)?;
            Check::InvDeltaGe { item, count }
        }
        "crafted" => {
            let (item, count) = item_and_count(reader)?;
            Check::CraftedGe { item, count }
        }
        "equipped" => Check::Equipped {
            item: item(reader)?,
        },
        "near" => {
            let place = place(reader)?;
            Check::Near {
                place,
                range: reader.number()?,
            }
        }
        "y" => height(reader)?,
        "gui" => gui(reader)?,
        "furnace" => {
            let meter = reader.word("burn, cook or output", meter)?;
            Check::FurnaceGe {
                meter,
                value: at_least(reader)?,
            }
        }
        "container" => Check::ContainerGe {
            count: at_least(reader)?,
        },
        "built" => Check::Built {
            blueprint: reader.word("the name of a blueprint", |name| {
                name.parse().map_err(|_: BadBlueprintName| Vec::new())
            })?,
        },
        "time" => time(reader)?,
        "elapsed" => Check::WorldTime {
            window: None,
            elapsed: Some(at_least(reader)?),
        },
        // The caller knows the other words.
        _ => return Ok(None),
    }))
}

fn item(reader: &mut Reader) -> Read<ItemSpec> {
    reader.word("an item", |name| {
        item_words::named(name).map_err(|unknown| unknown.nearest)
    })
}

fn item_and_count(reader: &mut Reader) -> Read<(ItemSpec, u32)> {
    Ok((item(reader)?, at_least(reader)?))
}

fn inventory(reader: &mut Reader) -> Read<Check> {
    let item = item(reader)?;
    if reader.take_symbol("<") {
        return Ok(Check::InvLt {
            item,
            count: reader.number()?,
        });
    }
    if reader.take_symbol("<=") {
        let count: u32 = reader.number()?;
        return Ok(Check::InvLt {
            item,
            count: count.saturating_add(1),
        });
    }
    Ok(Check::InvGe {
        item,
        count: at_least(reader)?,
    })
}

/// `>= 3`, or `> 2`, which is the same.
fn at_least<T: std::str::FromStr>(reader: &mut Reader) -> Read<T> {
    if reader.take_symbol(">") {
        // Counts are far below the largest number, and one more is read as too large.
        let bound: u32 = reader.number()?;
        let text = u64::from(bound) + 1;
        return text
            .to_string()
            .parse()
            .map_err(|_| reader.fault("a smaller number"));
    }
    reader.symbol(">=")?;
    reader.number()
}

fn below(reader: &mut Reader) -> Read<u32> {
    reader.symbol("<")?;
    reader.number()
}

fn place(reader: &mut Reader) -> Read<Place> {
    if reader.take_word("at") {
        let (x, y, z) = (reader.number()?, reader.number()?, reader.number()?);
        return Ok(Place::At(Pos::new(x, y, z)));
    }
    if reader.take_word("source") {
        return Ok(Place::Thing(Target::Source(item(reader)?)));
    }
    if reader.take_word("mob") {
        return Ok(Place::Thing(Target::Mob(reader.word("a mob", mob)?)));
    }
    reader.word("a block, `source` item, `mob` mob or `at` x y z", |name| {
        let target = match (name.parse::<BlockId>(), mob(name), item_words::named(name)) {
            (Ok(block), _, _) => Target::Block(block),
            (_, Ok(mob), _) => Target::Mob(mob),
            (_, _, Ok(item)) => Target::Source(item),
            (Err(unknown), _, _) => return Err(unknown.nearest),
        };
        Ok(Place::Thing(target))
    })
}

/// Heights are whole blocks, so `y < 60` is `y <= 59`.
fn height(reader: &mut Reader) -> Read<Check> {
    if reader.take_symbol("<=") {
        return Ok(Check::YposLe {
            y: reader.number()?,
        });
    }
    if reader.take_symbol(">=") {
        return Ok(Check::YposGe {
            y: reader.number()?,
        });
    }
    if reader.take_symbol("<") {
        let bound: i32 = reader.number()?;
        return Ok(Check::YposLe {
            y: bound.saturating_sub(1),
        });
    }
    if reader.take_symbol(">") {
        let bound: i32 = reader.number()?;
        return Ok(Check::YposGe {
            y: bound.saturating_add(1),
        });
    }
    Err(reader.fault("`<=`, `<`, `>=` or `>`"))
}

fn gui(reader: &mut Reader) -> Read<Check> {
    if reader.take_word("closed") {
        return Ok(Check::GuiClosed);
    }
    // `gui open closed` is what a structure may say; it has a text for the sake of the round trip.
    let any = reader.take_word("open");
    match reader.word(
        "open, closed, inventory, crafting_table, furnace or chest",
        window,
    ) {
        Ok(gui) => Ok(Check::GuiOpen { gui: Some(gui) }),
        Err(_) if any => Ok(Check::GuiOpen { gui: None }),
        Err(fault) => Err(fault),
    }
}

fn time(reader: &mut Reader) -> Read<Check> {
    if reader.take_word("any") {
        return Ok(Check::WorldTime {
            window: None,
            elapsed: None,
        });
    }
    let from = reader.number()?;
    reader.symbol("..")?;
    let window = Some((from, reader.number()?));
    let elapsed = if reader.take_word("elapsed") {
        Some(at_least(reader)?)
    } else {
        None
    };
    Ok(Check::WorldTime { window, elapsed })
}

fn biomes(reader: &mut Reader) -> Read<Vec<String>> {
    if reader.take_word("none") {
        return Ok(Vec::new());
    }
    let mut names = vec![reader.name("a biome")?];
    while reader.take_symbol("|") {
        names.push(reader.name("a biome")?);
    }
    Ok(names)
}

fn tool(reader: &mut Reader) -> Read<Predicate> {
    let kind = reader.word("a kind of tool", tool_kind)?;
    let tier = if reader.take_symbol(">=") {
        reader.word("a tier", tier)?
    } else {
        Tier::Wood
    };
    Ok(Predicate::ToolGe { kind, tier })
}

fn mob(name: &str) -> Result<MobKind, Vec<&'static str>> {
    name.parse()
        .map_err(|unknown: pithead_world::naming::UnknownName| unknown.nearest)
}

fn kind(name: &str) -> Result<TaskKind, Vec<&'static str>> {
    TaskKind::ALL
        .into_iter()
        .find(|kind| kind.name() == name)
        .ok_or_else(Vec::new)
}

fn reason(name: &str) -> Result<FailureReason, Vec<&'static str>> {
    let found = FailureReason::ALL
        .into_iter()
        .find(|reason| reason.name().eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        FailureReason::ALL
            .iter()
            .map(|reason| reason.name())
            .collect()
    })
}

fn meter(name: &str) -> Result<FurnaceMeter, Vec<&'static str>> {
    let all = [FurnaceMeter::Burn, FurnaceMeter::Cook, FurnaceMeter::Output];
    all.into_iter()
        .find(|meter| meter.name() == name)
        .ok_or_else(Vec::new)
}

fn window(name: &str) -> Result<Gui, Vec<&'static str>> {
    let all = [
        Gui::Closed,
        Gui::Inventory,
        Gui::CraftingTable,
        Gui::Furnace,
        Gui::Chest,
        Gui::EnchantingTable,
        Gui::Anvil,
        Gui::Grindstone,
        Gui::Trade,
    ];
    all.into_iter()
        .find(|gui| gui.name() == name)
        .ok_or_else(Vec::new)
}

const TOOL_KINDS: [ToolKind; 6] = [
    ToolKind::Pickaxe,
    ToolKind::Axe,
    ToolKind::Shovel,
    ToolKind::Hoe,
    ToolKind::Sword,
    ToolKind::Shears,
];

fn tool_kind(name: &str) -> Result<ToolKind, Vec<&'static str>> {
    let found = TOOL_KINDS.into_iter().find(|kind| kind.word() == name);
    found.ok_or_else(|| TOOL_KINDS.iter().map(|kind| kind.word()).collect())
}

pub(super) const TIERS: [(Tier, &str); 6] = [
    (Tier::Wood, "wood"),
    (Tier::Gold, "gold"),
    (Tier::Stone, "stone"),
    (Tier::Iron, "iron"),
    (Tier::Diamond, "diamond"),
    (Tier::Netherite, "netherite"),
];

fn tier(name: &str) -> Result<Tier, Vec<&'static str>> {
    let found = TIERS
        .iter()
        .find(|(_, word)| *word == name)
        .map(|(tier, _)| *tier);
    found.ok_or_else(|| TIERS.iter().map(|(_, word)| *word).collect())
}
