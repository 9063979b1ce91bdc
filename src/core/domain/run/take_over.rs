//! Acts: what an operator types to act for the agent, for example `mine oak_log 3`, as a subgoal.
//!
//! Invariant: what reads has checks that can become true, so that an act is judged like any subgoal.

use crate::domain::check::{Check, Place};
use crate::domain::plan::building::BUILD_TIMEOUT_S;
use crate::domain::plan::item_words;
use crate::domain::plan::task::COUNT_MAX;
use crate::domain::plan::{Executor, Goal, Mode, Subgoal};
use crate::text::nearest::nearest_or_all;
use pithead_world::action::Target;
use pithead_world::block::BlockId;
use pithead_world::blueprint::{BadBlueprintName, Blueprint};
use pithead_world::drops::{blocks_dropping, silk_touch_drop};
use pithead_world::family::ItemSpec;
use pithead_world::ids::SubgoalId;
use pithead_world::item::ItemId;
use pithead_world::mob::{MobKind, mobs_dropping};
use pithead_world::space::Pos;

/// Seconds of world time for one act.
const TIMEOUT_S: u32 = 180;
/// Longest text that is looked at.
const WORDS_MAX: usize = 200;
/// Names offered at once.
const OFFERED_MAX: usize = 12;
/// Blocks at which a thing counts as reached.
const REACH: u32 = 3;
/// Blocks at which a thing counts as found.
const SIGHT: u32 = 16;
const TICKS_MAX: u64 = 24_000;

/// What stands behind a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    ItemAndCount,
    Item,
    /// An item, a block or a living thing.
    Thing,
    Height,
    Place,
    Ticks,
    Blueprint,
}

/// A verb, what carries it out, what it needs, and what it does.
struct Verb {
    name: &'static str,
    executor: Executor,
    needs: Needs,
    about: &'static str,
}

const fn verb(name: &'static str, executor: Executor, needs: Needs, about: &'static str) -> Verb {
    Verb {
        name,
        executor,
        needs,
        about,
    }
}

const VERBS: [Verb; 16] = [
    verb(
        "mine",
        Executor::Mine,
        Needs::ItemAndCount,
        "break blocks until so many more are had",
    ),
    verb(
        "craft",
        Executor::Craft,
        Needs::ItemAndCount,
        "craft so many more",
    ),
    verb(
        "smelt",
        Executor::Smelt,
        Needs::ItemAndCount,
        "smelt so many more",
    ),
    verb(
        "attack",
        Executor::Attack,
        Needs::ItemAndCount,
        "hunt for what is dropped",
    ),
    verb(
        "fish",
        Executor::Fish,
        Needs::ItemAndCount,
        "fish for so many more",
    ),
    verb(
        "grow",
        Executor::Grow,
        Needs::ItemAndCount,
        "plant and harvest so many more",
    ),
    verb(
        "trade",
        Executor::Trade,
        Needs::ItemAndCount,
        "trade for so many more",
    ),
    verb(
        "take",
        Executor::Take,
        Needs::ItemAndCount,
        "take so many more out of a chest",
    ),
    verb(
        "equip",
        Executor::Equip,
        Needs::Item,
        "take it into the hand",
    ),
    verb(
        "approach",
        Executor::Approach,
        Needs::Thing,
        "walk up to the nearest that is known",
    ),
    verb(
        "explore",
        Executor::Explore,
        Needs::Thing,
        "look for one that is not known yet",
    ),
    verb("goto", Executor::Approach, Needs::Place, "walk to a place"),
    verb(
        "dig_down",
        Executor::DigDown,
        Needs::Height,
        "dig down to a height",
    ),
    verb(
        "go_up",
        Executor::GoUp,
        Needs::Height,
        "climb or dig up to a height",
    ),
    verb(
        "build",
        Executor::Build,
        Needs::Blueprint,
        "put up a building by its blueprint",
    ),
    verb("wait", Executor::Wait, Needs::Ticks, "let world time pass"),
];

impl Needs {
    fn form(self) -> &'static str {
        match self {
            Self::ItemAndCount => "ITEM [COUNT]",
            Self::Item => "ITEM",
            Self::Thing => "ITEM, BLOCK or MOB",
            Self::Height => "Y",
            Self::Place => "X Y Z",
            Self::Ticks => "TICKS",
            Self::Blueprint => "BLUEPRINT",
        }
    }
}

/// Why the words are no act.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ActFault(String);

/// The subgoal that the words ask for; its id is given where it is taken over.
pub fn parse_operator_action(words: &str) -> Result<Subgoal, ActFault> {
    let words: String = words.chars().take(WORDS_MAX).collect();
    let mut parts = words.split_whitespace();
    let verb = match parts.next() {
        Some(name) => find(name)?,
        None => {
            let names: Vec<&str> = verbs().map(|verb| verb.name).collect();
            return Err(ActFault(format!(
                "say what to do, for example `mine oak_log 3`; there are {}",
                names.join(", ")
            )));
        }
    };
    let rest: Vec<&str> = parts.collect();
    let (goal, check) = wanted(verb, &rest)?;
    let condition = format!("{} {}", verb.name, rest.join(" "));
    Ok(Subgoal {
        id: SubgoalId(0),
        condition,
        task_kind: verb.executor.kind(),
        executor_hint: verb.executor,
        mode: Mode::Move,
        timeout_s: match verb.needs {
            Needs::Blueprint => BUILD_TIMEOUT_S,
            _ => TIMEOUT_S, // the others take less
        },
        checks: vec![check],
        needs: Vec::new(),
        parent: None,
        alternatives: None,
        goal,
        rationale: None,
        follows: Vec::new(),
        asserts: Vec::new(),
        expectation: None,
    })
}

fn verbs() -> impl Iterator<Item = &'static Verb> + Clone {
    VERBS.iter()
}

fn find(name: &str) -> Result<&'static Verb, ActFault> {
    verbs().find(|verb| verb.name == name).ok_or_else(|| {
        let close = nearest_or_all(name, verbs().map(|verb| verb.name));
        ActFault(format!(
            "`{name}` is nothing that can be done; did you mean {}?",
            close.join(", ")
        ))
    })
}

/// What is to be obtained or reached, and the check that says so.
fn wanted(verb: &Verb, rest: &[&str]) -> Result<(Goal, Check), ActFault> {
    let form = || {
        ActFault(format!(
            "`{}` is said as `{} {}`",
            verb.name,
            verb.name,
            verb.needs.form()
        ))
    };
    Ok(match (verb.needs, rest) {
        (Needs::ItemAndCount, [name]) => counted(verb, name, 1)?,
        (Needs::ItemAndCount, [name, count]) => counted(verb, name, number(count, 1, COUNT_MAX)?)?,
        (Needs::Item, [name]) => {
            let item = item(name)?;
            (goal(Some(item)), Check::Equipped { item })
        }
        (Needs::Thing, [name]) => thing(verb, name)?,
        (Needs::Height, [y]) => {
            let y: i32 = number(y, -64, 320)?;
            let check = if verb.executor == Executor::GoUp {
                Check::YposGe { y }
            } else {
                Check::YposLe { y }
            };
            let amount = Some(i64::from(y));
            (
                Goal {
                    amount,
                    ..goal(None)
                },
                check,
            )
        }
        (Needs::Place, [x, y, z]) => {
            const FAR: i32 = 30_000_000;
            let at = Pos::new(
                number(x, -FAR, FAR)?,
                number(y, -64, 320)?,
                number(z, -FAR, FAR)?,
            );
            let place = Place::At(at);
            (goal(None), Check::Near { place, range: 1 })
        }
        (Needs::Ticks, [ticks]) => {
            let ticks: u64 = number(ticks, 1, TICKS_MAX)?;
            let check = Check::WorldTime {
                window: None,
                elapsed: Some(ticks),
            };
            let amount = Some(ticks as i64);
            (
                Goal {
                    amount,
                    ..goal(None)
                },
                check,
            )
        }
        // Whether there is one is asked of the task, which knows the operator's.
        (Needs::Blueprint, [name]) => {
            let blueprint = name.parse();
            let blueprint =
                blueprint.map_err(|error: BadBlueprintName| ActFault(error.to_string()))?;
            (goal(None), Check::Built { blueprint })
        }
        _ => return Err(form()),
    })
}

fn counted(verb: &Verb, name: &str, count: u32) -> Result<(Goal, Check), ActFault> {
    if let (Executor::Attack, Some(prey)) = (verb.executor, MobKind::named(name)) {
        return Err(ActFault(attack_by_drop(prey)));
    }
    let item = item(name)?;
    if verb.executor == Executor::Attack && mobs_dropping(item).is_empty() {
        return Err(ActFault(format!("nothing that lives drops {item}")));
    }
    if verb.executor == Executor::Mine && !is_mined(item) {
        return Err(ActFault(format!("no block drops {item}")));
    }
    let goal = Goal {
        count,
        ..goal(Some(item))
    };
    Ok((goal, Check::InvDeltaGe { item, count }))
}

/// How to ask for a fight with it.
fn attack_by_drop(prey: MobKind) -> String {
    let drops = prey.facts().drops.iter();
    let words: Vec<String> = drops
        .map(|row| format!("`attack {}`", row.drop.item))
        .collect();
    let name = prey.name();
    if words.is_empty() {
        return format!("`attack` wants an item, and {name} drops none");
    }
    format!(
        "`attack` wants the item to be had; for {name} write {}",
        words.join(" or ")
    )
}

/// A block gives it when it is broken, whatever tool and enchantment that takes.
fn is_mined(item: ItemSpec) -> bool {
    let whole = |block| silk_touch_drop(block).is_some_and(|drop| item.matches(drop));
    !blocks_dropping(item).is_empty() || BlockId::all().any(whole)
}

fn thing(verb: &Verb, name: &str) -> Result<(Goal, Check), ActFault> {
    let mob = MobKind::named(name).map(Target::Mob);
    let target = match mob.or_else(|| BlockId::named(name).map(Target::Block)) {
        Some(target) => target,
        None => Target::Source(item(name)?),
    };
    let range = if verb.executor == Executor::Explore {
        SIGHT
    } else {
        REACH
    };
    let place = Place::Thing(target);
    Ok((goal(None), Check::Near { place, range }))
}

fn goal(object: Option<ItemSpec>) -> Goal {
    Goal {
        object,
        count: 1,
        material: None,
        tool: None,
        amount: None,
        info: None,
    }
}

fn item(name: &str) -> Result<ItemSpec, ActFault> {
    item_words::named(name).map_err(|unknown| ActFault(unknown.to_string()))
}

fn number<T>(text: &str, least: T, most: T) -> Result<T, ActFault>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display + Copy,
{
    let read = text.parse().ok();
    read.filter(|n| (least..=most).contains(n)).ok_or_else(|| {
        ActFault(format!(
            "`{text}` is no whole number from {least} to {most}"
        ))
    })
}

/// A way to continue with the words: the text with one more word, and what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub text: String,
    pub about: String,
}

/// What the last word may become, the best first.
#[must_use]
pub fn complete(words: &str) -> Vec<Offer> {
    let words: String = words.chars().take(WORDS_MAX).collect();
    let words = words.trim_start();
    let Some((verb, rest)) = words.split_once(char::is_whitespace) else {
        let fits = verbs().filter(|verb| verb.name.starts_with(words));
        let offer = |verb: &Verb| Offer {
            text: format!("{} ", verb.name),
            about: format!("{} — {}", verb.needs.form(), verb.about),
        };
        return fits.map(offer).collect();
    };
    let rest = rest.trim_start();
    let Ok(known) = find(verb) else {
        return Vec::new();
    };
    let names: Vec<&str> = match known.needs {
        Needs::ItemAndCount | Needs::Item => ItemId::all().map(ItemId::name).collect(),
        Needs::Thing => {
            let mobs = MobKind::ALL.into_iter().map(MobKind::name);
            mobs.chain(BlockId::all().map(BlockId::name)).collect()
        }
        Needs::Blueprint => {
            let known = Blueprint::embedded().iter();
            known.map(|known| known.name.as_str()).collect()
        }
        Needs::Height | Needs::Place | Needs::Ticks => return Vec::new(),
    };
    if rest.contains(char::is_whitespace) {
        return Vec::new();
    }
    let starts = names.iter().filter(|name| name.starts_with(rest));
    let holds = names
        .iter()
        .filter(|name| !name.starts_with(rest) && name.contains(rest));
    starts
        .chain(holds)
        .take(OFFERED_MAX)
        .map(|name| Offer {
            text: format!("{verb} {name} "),
            about: known.about.to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_becomes_a_subgoal_with_a_check() {
        let act = parse_operator_action("mine oak_log 3").unwrap();
        assert_eq!(act.label(), "mine oak_log ×3");
        let item = "oak_log".parse().unwrap();
        assert_eq!(act.checks, [Check::InvDeltaGe { item, count: 3 }]);
        for (words, label) in [
            ("craft stick", "craft stick"),
            ("dig_down 12", "dig_down y 12"),
            ("go_up 70", "go_up y 70"),
            ("wait 200", "wait 200 ticks"),
            ("goto 1 64 -9", "goto 1 64 -9"),
            ("approach cow", "approach cow"),
            ("explore iron_ore", "explore iron_ore"),
            ("equip stone_pickaxe", "equip stone_pickaxe"),
            ("attack leather 2", "attack leather ×2"),
            ("build shelter", "build shelter"),
        ] {
            let act = parse_operator_action(words).unwrap();
            assert_eq!(act.label(), label, "{words}");
            assert_eq!(act.checks.len(), 1, "{words}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (words, said) in [
            ("", "for example `mine oak_log 3`"),
            ("mien oak_log", "did you mean mine"),
            ("mine", "`mine ITEM [COUNT]`"),
            ("mine oak_lgo", "oak_log"),
            ("mine oak_log x", "no whole number from 1 to"),
            ("mine oak_log 0", "no whole number from 1 to"),
            ("mine oak_log 1 2", "`mine ITEM [COUNT]`"),
            ("dig_down 999", "from -64 to 320"),
            ("goto 1 2", "`goto X Y Z`"),
            ("attack oak_log", "nothing that lives drops oak_log"),
            ("attack cow", "for cow write `attack "),
            ("mine bedrock 2", "no block drops bedrock"),
            ("wait 0", "from 1 to 24000"),
            ("build", "`build BLUEPRINT`"),
            ("build My-Hut", "a-z, 0-9 and _"),
        ] {
            let fault = parse_operator_action(words).unwrap_err().to_string();
            assert!(fault.contains(said), "{words}: {fault}");
        }
    }

    #[test]
    fn words_are_completed() {
        let texts = |words| -> Vec<String> {
            complete(words)
                .into_iter()
                .map(|offer| offer.text)
                .collect()
        };
        assert_eq!(texts("mi"), ["mine "]);
        assert!(texts("mine oak_l").contains(&"mine oak_log ".to_owned()));
        assert!(texts("mine log").contains(&"mine oak_log ".to_owned()));
        assert!(texts("approach co").contains(&"approach cow ".to_owned()));
        assert!(texts("wait 1").is_empty() && texts("fly ").is_empty());
        assert_eq!(texts("").len(), VERBS.len());
    }
}
