//! Mob: one living thing, what it is up to, and what a hit does to it.
//!
//! Movement is in `walk`, choices are in `mind`, what it leaves is in `remains`. Invariant: a mob whose health is 0 does nothing
//! more and is taken away by the next step.

use super::swarm;
use crate::experience;
use crate::item::ItemId;
use crate::mob::MobKind;
use crate::rng::{Rng, mix};
use crate::space::Point;

/// Ticks after a hit in which no other hit counts.
/// Half a second, as in the game: fast clicking does not add damage.
pub const HURT_TICKS: u64 = 10;
/// Ticks that an animal runs about after a hit, as in 1.16.
const FLEE_TICKS: u64 = 100;
/// Ticks that a hostile mob stays angry without seeing the player.
pub(crate) const ANGER_TICKS: u64 = 100;
/// Ticks after a blow of the player in which a death is theirs.
pub(crate) const CREDIT_TICKS: u64 = 100;
/// Blocks per tick, given by a hit.
const KNOCK_ACROSS: f64 = 0.4;
const KNOCK_UP: f64 = 0.36;

/// One living thing.
#[derive(Debug, Clone, PartialEq)]
pub struct Mob {
    /// Unique in its world, never used again.
    pub number: u64,
    pub kind: MobKind,
    /// The middle of its feet.
    pub position: Point,
    /// Blocks per tick, from falls and knocks; its own steps come on top.
    pub velocity: Point,
    /// In half hearts; 0 is dead.
    pub health: f32,
    pub on_ground: bool,
    pub(crate) mood: Mood,
    /// Until this tick hits do not count.
    pub(crate) hurt_until: u64,
    /// From this tick on it can strike again.
    pub(crate) strike_at: u64,
    /// y from which it has been falling.
    pub(crate) fell_from: f64,
    /// 1, 2 or 4 for slimes, 0 for all others.
    /// Decides health, damage and box, and how many come of it at its death.
    pub size: u8,
    /// Ticks that a creeper has hissed.
    /// `u8::MAX` means that it went off, see `spend`.
    pub(crate) fuse: u8,
    /// Ticks that an archer has drawn its bow.
    pub(crate) drawn: u8,
    /// How an archer sidles: towards the player and to its right, each -1 or 1.
    pub(crate) sidles: (i8, i8),
    /// A monster that is born small stays so.
    pub(crate) small: bool,
    /// What it carries in its hand, apart from the bows of archers.
    pub held: Option<ItemId>,
    /// The wool of a sheep.
    pub coat: Coat,
    /// From this tick on it is grown up.
    pub(crate) adult_at: u64,
    /// Until this tick it looks for a mate; 0: not at all.
    pub(crate) love_until: u64,
    /// From this tick on it can be fed again.
    pub(crate) breeds_at: u64,
    /// The last blow of the player: until when it counts as theirs, and the looting of the weapon.
    pub(crate) struck: (u64, u8),
    /// At this tick it calls the others of its kind around; 0: it was not hurt.
    pub(crate) calls_at: u64,
}

/// The wool of a sheep: an index into the colours it can be born with, and whether it is shorn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Coat {
    /// An index into `COATS`.
    pub dye: u8,
    pub shorn: bool,
}

/// Colours of wool; those that sheep are born with come first, with their shares in 100,000.
/// Shares of the game. The dyed colours behind them have none: they come only from a dye or
/// from dyed parents.
const COATS: [(&str, u32); 16] = [
    ("white", 81_836),
    ("black", 5000),
    ("gray", 5000),
    ("light_gray", 5000),
    ("brown", 3000),
    ("pink", 164),
    ("orange", 0),
    ("magenta", 0),
    ("light_blue", 0),
    ("yellow", 0),
    ("lime", 0),
    ("cyan", 0),
    ("purple", 0),
    ("blue", 0),
    ("green", 0),
    ("red", 0),
];

impl Coat {
    /// A coat as nature deals them.
    pub(crate) fn draw(rng: &mut Rng) -> Self {
        let mut roll = rng.below(100_000) as u32;
        for (dye, (_, share)) in (0..).zip(COATS) {
            if roll < share {
                return Self { dye, shorn: false };
            }
            roll -= share;
        }
        Self::default()
    }

    /// The number of a colour.
    #[must_use]
    pub fn colour(name: &str) -> Option<u8> {
        (0..)
            .zip(COATS)
            .find(|(_, (colour, _))| *colour == name)
            .map(|(dye, _)| dye)
    }

    /// The wool it is made of.
    #[must_use]
    pub fn wool(self) -> Option<ItemId> {
        let (name, _) = COATS.get(usize::from(self.dye))?;
        ItemId::named(&format!("{name}_wool"))
    }
}

/// What a mob is up to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Mood {
    /// Stands until a tick.
    Idle { until: u64 },
    /// Walks in a direction (unit length) until a tick.
    Stroll { x: f64, z: f64, until: u64 },
    /// Runs in a direction until a tick, and in others until it is calm again.
    Flee {
        x: f64,
        z: f64,
        until: u64,
        calm: u64,
    },
    /// After the player until a tick.
    Hunt { until: u64 },
}

/// What came of a hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HitOutcome {
    /// Hurt; the health that is left.
    Hurt { health: f32 },
    /// Dead; what it leaves comes as an event of the next step.
    Killed,
    /// Hit too shortly before.
    Immune,
    /// There is no such mob.
    Gone,
}

impl Mob {
    pub(crate) fn new(number: u64, kind: MobKind, position: Point) -> Self {
        Self {
            number,
            kind,
            position,
            velocity: Point::default(),
            health: kind.facts().health,
            on_ground: false,
            mood: Mood::Idle { until: 0 },
            // 0 is in the past at every tick: a new mob can be hit, strikes and has eaten
            // nothing.
            hurt_until: 0,
            strike_at: 0,
            fell_from: position.y,
            size: 0,
            fuse: 0,
            drawn: 0,
            sidles: (1, 1),
            small: false,
            held: None,
            coat: Coat::default(),
            adult_at: 0,
            love_until: 0,
            breeds_at: 0,
            struck: (0, 0),
            calls_at: 0,
        }
    }

    /// Sets the size of a slime, which is also its strength.
    pub(crate) fn resize(&mut self, size: u8) {
        self.size = size;
        // Health is the square of the size: 1, 4 and 16 half hearts, as in the game.
        self.health = f32::from(size) * f32::from(size);
    }

    /// Takes a creeper that went off out of the world, without remains.
    /// The marker keeps `bury` from giving drops and points for it.
    pub(crate) fn spend(&mut self) {
        self.health = 0.0;
        self.fuse = u8::MAX;
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.fuse == u8::MAX
    }

    /// Stands for what is not seen of a mob from afar.
    /// Coat, age and such: two worlds that differ only in these must have different
    /// checksums.
    pub(crate) fn private_sum(&self) -> u64 {
        let coat = u64::from(self.coat.dye) << 1 | u64::from(self.coat.shorn);
        let body = coat | u64::from(self.size) << 8 | u64::from(self.fuse) << 16;
        let (ahead, right) = self.sidles;
        // Nothing is added for those who never drew a bow, so that recordings of older builds still agree.
        let bow = u64::from(self.drawn) << 2 | u64::from(ahead < 0) << 1 | u64::from(right < 0);
        let letters = self.held.map_or("", ItemId::name).bytes();
        let held = letters.fold(0, |sum, letter| mix(sum ^ u64::from(letter)));
        let call = if self.calls_at > 0 {
            mix(self.calls_at)
        } else {
            0
        };
        let body = (body | bow << 24 | u64::from(self.small) << 32) ^ held ^ call;
        let struck = self.struck.0 << 8 | u64::from(self.struck.1);
        mix(body ^ mix(self.adult_at ^ mix(self.love_until ^ mix(self.breeds_at ^ mix(struck)))))
    }

    #[must_use]
    pub fn is_baby(&self, tick: u64) -> bool {
        tick < self.adult_at
    }

    /// It is an enderman, and after the player.
    pub(crate) fn is_angry(&self) -> bool {
        self.kind == MobKind::Enderman && matches!(self.mood, Mood::Hunt { .. })
    }

    /// It carries a block that it took up; such a mob stays, as if it had a name.
    pub(crate) fn carries_block(&self) -> bool {
        let carries = &self.kind.facts().carries;
        self.held.is_some_and(|held| carries.contains(&held))
    }

    /// How wide and high it is: half as much while it is young.
    #[must_use]
    pub fn extent(&self, tick: u64) -> (f64, f64) {
        let facts = self.kind.facts();
        let scale = match self.size {
            0 if self.small || self.is_baby(tick) => 0.5,
            0 => 1.0,
            // The table has the box of a slime of size 4.
            size => f64::from(size) / 4.0,
        };
        (
            f64::from(facts.width) * scale,
            f64::from(facts.height) * scale,
        )
    }

    /// Takes a hit that comes from a place.
    pub(crate) fn take_hit(&mut self, damage: f32, from: Point, tick: u64) -> HitOutcome {
        if tick < self.hurt_until || self.health <= 0.0 {
            return HitOutcome::Immune;
        }
        let (x, z) = direction(from, self.position);
        self.hurt_until = tick + HURT_TICKS;
        swarm::ask(self, tick);
        // A hit replaces the velocity, so several hits do not add up to a flight.
        self.velocity = Point::new(x * KNOCK_ACROSS, KNOCK_UP, z * KNOCK_ACROSS);
        self.on_ground = false;
        // Hostile mobs turn on the player, all others panic.
        self.mood = if self.kind.facts().hostile {
            Mood::Hunt {
                until: tick + ANGER_TICKS,
            }
        } else {
            Mood::Flee {
                x,
                z,
                until: tick,
                calm: tick + FLEE_TICKS,
            }
        };
        self.hurt(damage)
    }

    /// Loses health without anybody hitting it.
    pub(crate) fn hurt(&mut self, damage: f32) -> HitOutcome {
        self.health = (self.health - damage).max(0.0);
        if self.health > 0.0 {
            HitOutcome::Hurt {
                health: self.health,
            }
        } else {
            HitOutcome::Killed
        }
    }

    /// Points for whoever killed it: none if it was not the player, or young.
    /// The tick of the last blow decides, not who dealt the last damage: a mob that burns
    /// to death soon after counts.
    pub(crate) fn points(&self, tick: u64, rng: &mut Rng) -> u32 {
        if tick > self.struck.0 || self.is_baby(tick) {
            return 0;
        }
        let (least, most) = experience::in_mob(self.kind, self.size);
        let points = rng.between(least.into(), most.into()) as u32;
        if self.small { points * 5 / 2 } else { points }
    }
}

/// The direction over the ground from one place to another, of unit length; 0 if they are one.
/// Below this length the direction would be rounding noise.
pub(crate) fn direction(from: Point, to: Point) -> (f64, f64) {
    let (x, z) = (to.x - from.x, to.z - from.z);
    let length = (x * x + z * z).sqrt();
    if length < 1e-6 {
        (0.0, 0.0)
    } else {
        (x / length, z / length)
    }
}
