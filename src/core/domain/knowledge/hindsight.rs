//! Hindsight: a past attempt in brief, for asking what a guardrail would have done to it.
//!
//! It holds what patterns and triggers can ask for and nothing else, as bytes that are quick to read:
//! what a pattern needs comes first, so that most attempts are passed over unread.
//! Invariant: what was not recorded is unknown, never false.

use crate::domain::check::Truth;
use crate::domain::condition::situation::Situation;
use crate::domain::experience::Experience;
use crate::domain::experience::state_summary::StateSummary;
use crate::domain::knowledge::Guardrail;
use crate::domain::knowledge::pattern;
use crate::domain::plan::{Executor, Goal, Mode, Subgoal, TaskKind};
use pithead_world::block::BlockId;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::ids::SubgoalId;
use pithead_world::item::ItemId;
use pithead_world::observation::{BlockSight, Gui};
use pithead_world::space::{Point, Pos};
use serde::{Deserialize, Serialize};

/// Recorded attempts that a guardrail would have blocked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Blocked {
    pub failures: u64,
    pub successes: u64,
    /// Of rules only: attempts that had what the rule requires.
    #[serde(default, skip_serializing_if = "is_none_counted")]
    pub met_failures: u64,
    #[serde(default, skip_serializing_if = "is_none_counted")]
    pub met_successes: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for it
fn is_none_counted(number: &u64) -> bool {
    *number == 0
}

impl Blocked {
    /// What it would have forbidden went well more often than not.
    #[must_use]
    pub fn speaks_against(self) -> bool {
        self.successes > self.failures
    }
}

/// Raised when the bytes change; others are made anew from the attempt itself.
const LAYOUT: u8 = 1;

/// What is known of the moment at which an attempt began.
#[must_use]
pub fn situation<'a>(card: &'a StateSummary, subgoal: &'a Subgoal) -> Situation<'a> {
    let at = card.position;
    Situation {
        inventory: Some(&card.inventory),
        held: Some(card.held),
        position: Some(Point::new(
            f64::from(at.x) + 0.5,
            f64::from(at.y),
            f64::from(at.z) + 0.5,
        )),
        health: Some(card.health),
        hunger: Some(card.hunger),
        underground: Some(card.underground),
        biome: Some(&card.biome),
        gui: Some(card.gui),
        tick: Some(card.tick),
        time: Some(card.time),
        notable: Some(&card.notable),
        subgoal: Some(subgoal),
        ..Situation::default()
    }
}

/// Whether the guardrail would have forbidden the attempt.
#[must_use]
pub fn would_forbid(guardrail: &Guardrail, experience: &Experience) -> Truth {
    let (action, pre) = (&experience.action, &experience.pre);
    pattern::forbids(guardrail, action, &situation(pre, action))
}

/// The attempt in brief.
#[must_use]
pub fn encode(experience: &Experience) -> Vec<u8> {
    let (action, pre) = (&experience.action, &experience.pre);
    let mut out = Vec::with_capacity(256);
    out.push(LAYOUT);
    out.push(place(&TaskKind::ALL, &action.task_kind));
    text(&mut out, action.goal.object.map_or("", |item| item.name()));
    text(&mut out, action.goal.tool.map_or("", |item| item.name()));
    text(&mut out, &action.condition);
    // What only a trigger asks for.
    number(&mut out, pre.tick);
    number(&mut out, u64::from(pre.time));
    for along in [pre.position.x, pre.position.y, pre.position.z] {
        signed(&mut out, along);
    }
    text(&mut out, &pre.biome);
    out.push(u8::from(pre.underground));
    out.extend(pre.health.to_le_bytes());
    out.extend(pre.hunger.to_le_bytes());
    out.push(place(&GUIS, &pre.gui));
    text(&mut out, pre.held.map_or("", |item| item.name()));
    number(&mut out, pre.inventory.iter().count() as u64);
    for (item, count) in pre.inventory.iter() {
        text(&mut out, item.name());
        number(&mut out, u64::from(count));
    }
    number(&mut out, pre.notable.len() as u64);
    for sight in &pre.notable {
        text(&mut out, sight.block.name());
        for (to, from) in [
            (sight.at.x, pre.position.x),
            (sight.at.y, pre.position.y),
            (sight.at.z, pre.position.z),
        ] {
            // Sights are near, so their offsets are short.
            signed(&mut out, to.wrapping_sub(from));
        }
    }
    out
}

const GUIS: [Gui; 9] = [
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
/// A window that the table above does not name: nothing is known of it.
const OTHER: u8 = u8::MAX;

/// Whether the guardrail would have forbidden the attempt that these bytes are of; none if they are
/// not to be read.
#[must_use]
pub fn judge(guardrail: &Guardrail, bytes: &[u8]) -> Option<Truth> {
    let mut read = Reader(bytes);
    if read.byte()? != LAYOUT {
        return None;
    }
    let kind = *TaskKind::ALL.get(usize::from(read.byte()?))?;
    let (object, tool) = (read.text()?, read.text()?);
    let mut subgoal = Subgoal {
        id: SubgoalId(0),
        condition: String::new(),
        task_kind: kind,
        executor_hint: Executor::Wait, // no pattern asks for it
        mode: Mode::Move,
        timeout_s: 0,
        checks: Vec::new(),
        needs: Vec::new(),
        parent: None,
        alternatives: None,
        goal: Goal {
            object: None,
            count: 1,
            material: None,
            tool: None,
            amount: None,
            info: None,
        },
        rationale: None,
        follows: Vec::new(),
        asserts: Vec::new(),
        expectation: None,
    };
    if guardrail.forbid.kind.is_some_and(|wanted| wanted != kind) {
        return Some(Truth::False);
    }
    subgoal.goal.object = spec(object)?;
    subgoal.goal.tool = spec(tool)?;
    read.text()?.clone_into(&mut subgoal.condition);
    if !pattern::fits(&guardrail.forbid, &subgoal) {
        return Some(Truth::False);
    }
    let card = read.card()?;
    let mut now = situation(&card.0, &subgoal);
    if !card.1 {
        now.gui = None;
    }
    Some(pattern::forbids(guardrail, &subgoal, &now))
}

fn spec(name: &str) -> Option<Option<ItemSpec>> {
    if name.is_empty() {
        return Some(None);
    }
    name.parse().ok().map(Some)
}

fn place<T: PartialEq, const N: usize>(all: &[T; N], wanted: &T) -> u8 {
    let found = all.iter().position(|one| one == wanted);
    found.and_then(|at| u8::try_from(at).ok()).unwrap_or(OTHER)
}

fn text(out: &mut Vec<u8>, text: &str) {
    number(out, text.len() as u64);
    out.extend(text.as_bytes());
}

/// Seven bits to the byte, lowest first.
fn number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push((number & 0x7F) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Small distances to zero are short, whatever their sign.
fn signed(out: &mut Vec<u8>, value: i32) {
    let folded = (value << 1) ^ (value >> 31);
    number(out, u64::from(folded.cast_unsigned()));
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i32> {
        let folded = u32::try_from(self.number()?).ok()?;
        Some((folded >> 1).cast_signed() ^ -(folded & 1).cast_signed())
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = usize::try_from(self.number()?).ok()?;
        std::str::from_utf8(self.take(length)?).ok()
    }

    fn float(&mut self) -> Option<f32> {
        self.take(4)?.try_into().ok().map(f32::from_le_bytes)
    }

    fn position(&mut self) -> Option<Pos> {
        Some(Pos::new(self.signed()?, self.signed()?, self.signed()?))
    }

    /// The state, and whether its window is one that is known.
    fn card(&mut self) -> Option<(StateSummary, bool)> {
        let (tick, time) = (self.number()?, u32::try_from(self.number()?).ok()?);
        let position = self.position()?;
        let biome = self.text()?.to_owned();
        let underground = self.byte()? != 0;
        let (health, hunger) = (self.float()?, self.float()?);
        let gui = GUIS.get(usize::from(self.byte()?)).copied();
        let held = match self.text()? {
            "" => None,
            name => Some(ItemId::named(name)?),
        };
        let mut inventory = Counts::default();
        for _ in 0..self.number()? {
            let (name, count) = (self.text()?, self.number()?);
            inventory.add(ItemId::named(name)?, u32::try_from(count).ok()?);
        }
        let mut notable = Vec::new();
        for _ in 0..self.number()? {
            let block: BlockId = self.text()?.parse().ok()?;
            let off = self.position()?;
            let at = Pos::new(
                position.x.wrapping_add(off.x),
                position.y.wrapping_add(off.y),
                position.z.wrapping_add(off.z),
            );
            notable.push(BlockSight { block, at });
        }
        let card = StateSummary {
            tick,
            time,
            position,
            biome,
            underground,
            health,
            hunger,
            inventory,
            held,
            gui: gui.unwrap_or(Gui::Closed),
            notable,
            mobs: Vec::new(),
            // As with mobs: what a short form leaves out is not known to a backtest.
            builds: Vec::new(),
        };
        Some((card, gui.is_some()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::condition::arbitrary::conditions;
    use crate::domain::samples::{experience, guardrail};
    use proptest::prelude::*;

    fn sample() -> Experience {
        let mut one = experience(1, 1, "stone", true);
        one.pre.inventory = "oak_log=3,stick=2,iron_pickaxe=1".parse().unwrap();
        one.pre.position = Pos::new(-7, 12, 400);
        one.pre.notable = vec![BlockSight {
            block: "crafting_table".parse().unwrap(),
            at: Pos::new(-9, 12, 403),
        }];
        one.pre.held = Some("iron_pickaxe".parse().unwrap());
        one
    }

    #[test]
    fn bytes_cut_short_or_foreign_are_not_read() {
        let bytes = encode(&sample());
        let mut all = guardrail("stone");
        all.forbid = crate::domain::knowledge::Pattern::default();
        assert!(judge(&all, &bytes).is_some());
        for length in 0..bytes.len() {
            assert_eq!(judge(&all, &bytes[..length]), None, "{length}");
        }
        assert_eq!(judge(&all, &[LAYOUT + 1, 0, 0]), None);
    }

    proptest! {
        /// The bytes say of every trigger what the attempt itself says.
        #[test]
        fn bytes_and_document_agree(trigger in conditions()) {
            let one = sample();
            let mut rail = guardrail("stone");
            rail.forbid = crate::domain::knowledge::Pattern::default();
            rail.trigger = trigger;
            prop_assert_eq!(judge(&rail, &encode(&one)), Some(would_forbid(&rail, &one)));
        }
    }
}
