//! Ways in words, one line each, for people.
//!
//! The words are not parsed by anything; machines read the JSON of `Way`.

use super::{Amount, Needs, Station, Vein, Way};
use crate::item::{Tier, ToolKind};
use crate::mob::MobKind;
use crate::naming::with_article;

fn rank_name(rank: u32) -> &'static str {
    match rank {
        0 | 1 => "novice",
        2 => "apprentice",
        3 => "journeyman",
        4 => "expert",
        _ => "master",
    }
}

/// A mob to be killed, and a warning.
fn prey(mob: MobKind, hostile: bool) -> String {
    let warning = if hostile { " (hostile)" } else { "" };
    with_article(mob.name()) + warning
}

impl std::fmt::Display for Way {
    /// One line for people.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Mined {
                block,
                needs,
                quick_with,
                amount,
                veins,
            } => {
                write!(
                    f,
                    "mine {block} with {}: {amount}",
                    tool(*needs, *quick_with)
                )?;
                veins.iter().try_for_each(|vein| write!(f, "; {vein}"))
            }
            Self::Unripe { block } => write!(f, "break unripe {block}: 1"),
            Self::SilkTouch { block, needs } => {
                let on = needs.map_or("any tool".to_owned(), |needs| tool(Some(needs), None));
                write!(f, "mine {block} with silk touch on {on}: 1")
            }
            Self::Killed {
                mob,
                hostile,
                amount,
            } => {
                write!(f, "kill {}: {amount}", prey(*mob, *hostile))
            }
            Self::Carried { mob, hostile } => {
                write!(f, "kill {} that carries it: 1", prey(*mob, *hostile))
            }
            Self::Sheared { mob, amount } => {
                write!(f, "shear {}: {amount}", with_article(mob.name()))
            }
            Self::Laid { mob, amount } => {
                write!(f, "wait near a {mob} every 5 to 10 minutes: {amount}")
            }
            Self::Used { .. }
            | Self::Turned { .. }
            | Self::Picked { .. }
            | Self::Dyed { .. }
            | Self::Grown { .. }
            | Self::Fished { .. } => self.handled(f),
            Self::Smelted { input, ticks, xp } => {
                write!(f, "smelt {input} in a furnace: 1 in {ticks} ticks, {xp} xp")
            }
            Self::Traded { .. } | Self::Looted { .. } | Self::Enchanted { .. } => {
                from_others(self, f)
            }
            Self::Crafted { .. } => crafted(self, f),
        }
    }
}

/// What comes from villagers, chests and tables.
fn from_others(way: &Way, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    match way {
        Way::Traded {
            profession,
            rank,
            pay,
            gives,
        } => {
            let price: Vec<String> = pay
                .iter()
                .map(|(item, count)| match count {
                    0 => item.to_string(),
                    _ => format!("{count} {item}"),
                })
                .collect();
            let price = price.join(" + ");
            write!(
                f,
                "buy from {profession} ({}) for {price}: {gives}",
                rank_name(*rank)
            )
        }
        Way::Looted { place, chance } => {
            let place = with_article(place);
            write!(f, "look in a chest of {place}: {:.1} %", chance * 100.0)
        }
        Way::Enchanted { from } => {
            let from = with_article(from.name());
            write!(f, "enchant {from} at an enchanting table: 1")
        }
        _ => Ok(()),
    }
}

fn crafted(way: &Way, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    match way {
        Way::Crafted {
            makes,
            from,
            station,
            returns,
            unpacks,
        } => {
            let list: Vec<String> = from
                .iter()
                .map(|(spec, count)| format!("{count} {spec}"))
                .collect();
            let place = match station {
                Station::Inventory => "by hand",
                Station::CraftingTable => "at a crafting table",
            };
            write!(f, "craft from {} {place}: {makes}", list.join(" + "))?;
            returns
                .iter()
                .try_for_each(|(item, count)| write!(f, ", {count} {item} back"))?;
            if *unpacks {
                f.write_str(" (takes apart what was made of it)")
            } else {
                Ok(())
            }
        }
        _ => Ok(()),
    }
}

impl Way {
    /// One line for what is done with the right button or by waiting; nothing for the other ways.
    fn handled(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Used { held, on, count } => write!(f, "use {held} on {on}: {count}"),
            Self::Turned { tool, block } => {
                let tool = format!("{tool:?}").to_lowercase();
                write!(f, "use any {tool} on {block} and break what it becomes: 1")
            }
            Self::Picked { block, amount } => write!(f, "pick a ripe {block}: {amount}"),
            Self::Dyed { mob, dye, amount } => {
                write!(f, "use {dye} on a {mob} and shear it: {amount}")
            }
            Self::Grown { seed, plant } if seed.name() == plant.name() => {
                write!(f, "plant {seed} and wait")
            }
            Self::Grown { seed, plant } => write!(f, "plant {seed} and wait for its {plant}"),
            Self::Fished { pool, share } => {
                let percent = share * 100.0;
                write!(f, "fish it ({}): {percent:.1} % of catches", pool.name())
            }
            _ => Ok(()),
        }
    }
}

/// A tool in words: `a stone pickaxe or better`, `the bare hand (quicker with an axe)`.
fn tool(needs: Option<Needs>, quick: Option<ToolKind>) -> String {
    let word = |kind: ToolKind| format!("{kind:?}").to_lowercase();
    match (needs, quick) {
        (
            Some(Needs {
                tool: ToolKind::Shears,
                ..
            }),
            _,
        ) => "shears".to_owned(),
        (
            Some(Needs {
                tool,
                tier: Tier::Wood,
            }),
            _,
        ) => format!("any {}", word(tool)),
        (Some(Needs { tool, tier }), _) => {
            let tier = format!("{tier:?}").to_lowercase();
            format!("{} {} or better", with_article(&tier), word(tool))
        }
        (None, Some(quick)) => format!("the bare hand (quicker: {})", word(quick)),
        (None, None) => "the bare hand".to_owned(),
    }
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.min == self.max {
            write!(f, "{}", self.min)?;
        } else {
            write!(f, "{} to {}", self.min, self.max)?;
        }
        if self.chance < 1.0 {
            write!(f, ", chance {:.1} %", self.chance * 100.0)?;
        }
        Ok(())
    }
}

impl std::fmt::Display for Vein {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let blobs = match self.per_chunk {
            1 => "1 blob".to_owned(),
            number => format!("{number} blobs"),
        };
        write!(
            f,
            "y {} to {}, {blobs} of {} per chunk",
            self.y_min, self.y_max, self.size
        )?;
        match &self.biome {
            Some(biome) => write!(f, ", in {biome} only"),
            None => Ok(()),
        }
    }
}
