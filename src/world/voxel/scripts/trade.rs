//! Trading: find a villager whose trade has the item, go there, look at its offers, exchange.
//!
//! Villages are found by wandering; in one, houses are looked into. Invariant: every villager is asked once, whoever was
//! missed is tried once more, and one that has the offer but a price that cannot be paid ends the action with what is
//! lacking.

use super::super::controls::{Controls, HandAction};
use super::super::path::goal::PathGoal;
use super::super::primitives::handling;
use super::super::primitives::looking;
use super::super::primitives::looking::look_at_block;
use super::super::primitives::reflexes;
use super::super::primitives::travel::{self, TravelMode};
use super::super::senses::{BodyHandle, Display, Living, Senses};
use super::super::villagers::{Deal, is_rest};
use super::combat::touches;
use super::pursuit::come_near;
use super::wanted::{self, Wanted};
use super::work::work;
use super::{End, explore, overland, sleep};
use crate::action::{ActionFailure, GuiFault, Target};
use crate::block::BlockId;
use crate::family::ItemSpec;
use crate::item::ItemId;
use crate::mob::MobKind;
use crate::observation::{Gui, Pause};
use crate::ore::{best_height, is_bound_to_land};
use crate::space::Pos;
use crate::trade::{Profession, offers_for};

/// Villagers asked in one action, and rounds of going about.
const ASKED_MAX: usize = 24;
const ROUNDS_MAX: u32 = 96;
/// Exchanges with one villager.
const EXCHANGES_MAX: u32 = 64;
/// Ways to one who walks about, each to where it then is.
const FOLLOWS_MAX: u32 = 12;
/// Ticks for its window to open; it may have to come out from behind something.
const OPEN_TICKS_MAX: u32 = 20;
/// Ticks of waiting beside one who is asleep, without sleeping too; how often one looks about meanwhile, and tries to sleep.
const VIGIL_TICKS_MAX: u32 = 1_200;
const VIGIL_WATCH_EVERY: u32 = 20;
const VIGIL_SLEEP_EVERY: u32 = 1_000;
/// So near to where it was offered one looks around for who offers it.
const MARKET: f64 = 12.0;
/// How far off houses that were seen are looked into, and what of one house is as good as looked at with it.
const HOUSES: f64 = 64.0;
const SAME_HOUSE: f64 = 4.0;
/// So many things that stand in houses are told apart.
const SIGNS_MAX: usize = 1024;

/// A search for one who trades the item.
struct Search {
    item: ItemSpec,
    wanted: Wanted,
    /// Houses that were looked into.
    visited: Vec<Pos>,
    /// Villagers that could not be spoken to, each as often as that was tried.
    missed: Vec<u64>,
    /// What the easiest of the prices that could not be paid lacks.
    lacking: Option<Short>,
}

/// A price that cannot be paid yet.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Short {
    needs: ItemId,
    have: u32,
    need: u32,
}

impl Short {
    /// What lies in the rock of any land is got before what grows, lives or lies in some of them; then the fewest.
    fn trouble(&self) -> (bool, u32) {
        let sources = wanted::sources(self.needs.into());
        let lies_anywhere =
            |block: &BlockId| best_height(*block).is_some() && !is_bound_to_land(*block);
        let is_dug = sources.iter().any(lies_anywhere);
        (!is_dug, self.need.saturating_sub(self.have))
    }

    fn of(self, item: ItemSpec) -> ActionFailure {
        ActionFailure::MissingIngredient {
            item,
            needs: self.needs.into(),
            have: self.have,
            need: self.need,
        }
    }
}

/// Buys until `count` more of the item are held.
pub(crate) async fn trade(body: &BodyHandle, item: ItemSpec, count: u32) -> End {
    let mut professions: Vec<Profession> = offers_for(item).iter().map(|(who, _)| *who).collect();
    professions.sort_unstable();
    professions.dedup();
    if professions.is_empty() {
        return Err(ActionFailure::Invalid {
            because: format!("no villager trades {item}"),
        });
    }
    handling::close(body).await?;
    let goal = body.with(|s| s.count(item)) + count;
    let mut search = Search {
        item,
        wanted: Wanted {
            mobs: vec![MobKind::Villager],
            professions,
            ..Wanted::default()
        },
        visited: Vec::new(),
        missed: Vec::new(),
        lacking: None,
    };
    return_to_market(body, item).await?;
    for _ in 0..ROUNDS_MAX {
        if body.with(|s| s.count(item)) >= goal {
            return Ok(());
        }
        if search.wanted.spent.len() >= ASKED_MAX {
            break;
        }
        let next = body.with(|s| s.mobs.iter().find(|mob| search.wanted.is_mob(mob)).copied());
        match next {
            Some(villager) => search.trade_with(body, villager, goal).await?,
            None => search.look_further(body).await?,
        }
    }
    Err(search.failure(body))
}

/// Back to where it was offered, for a price that could not be paid then.
async fn return_to_market(body: &BodyHandle, item: ItemSpec) -> End {
    let market = body.with(|s| s.market.filter(|(gives, _)| *gives == item));
    let Some((_, at)) = market else {
        return Ok(());
    };
    let goal = PathGoal::Flat {
        x: at.x,
        z: at.z,
        range: MARKET,
    };
    // Like every way over the land it can wait for the day.
    let was_roaming = body.with(|s| std::mem::replace(&mut s.is_roaming, true));
    let end = overland::walk(body, &goal, &|_| false).await;
    body.with(|s| s.is_roaming = was_roaming);
    travel::went(end).map(|_| ())
}

impl Search {
    fn failure(&self, body: &BodyHandle) -> ActionFailure {
        match self.lacking {
            Some(short) => short.of(self.item),
            None => ActionFailure::NoTarget {
                target: Target::Mob(MobKind::Villager),
                y: body.with(|s| s.feet().y),
            },
        }
    }

    /// Looks into the next house that is known, or moves on to find a village.
    async fn look_further(&mut self, body: &BodyHandle) -> End {
        if let Some(house) = body.with(|s| self.house(s)) {
            self.visited.push(house);
            let goal = PathGoal::Near {
                at: house,
                range: 3.0,
            };
            let wanted = &self.wanted;
            let enough = |s: &Senses| s.mobs.iter().any(|mob| wanted.is_mob(mob));
            travel::went(travel::travel_until(body, &goal, TravelMode::Walk, &enough).await)?;
            looking::look_around(body).await;
            return Ok(());
        }
        if let Some(short) = self.lacking {
            return Err(short.of(self.item));
        }
        let missed = &self.missed;
        let is_due = |id: &u64| missed.iter().filter(|other| *other == id).count() == 1;
        self.wanted.spent.retain(|id| !is_due(id));
        let mut anywhere = self.wanted.clone();
        anywhere.blocks = furniture();
        // All that stands in these houses, or the search would end beside them.
        anywhere.avoid = body.with(|s| self.signs(s, wanted::FAR, true));
        explore::search(body, &anywhere, &Target::Mob(MobKind::Villager)).await
    }

    /// What stands in a house that was not looked into: a place where a villager lives or works.
    fn house(&self, s: &Senses) -> Option<Pos> {
        self.signs(s, HOUSES, false).first().copied()
    }

    /// What is known to stand in houses, of those that were looked into or of the others, the nearest first.
    fn signs(&self, s: &Senses, range: f64, is_visited: bool) -> Vec<Pos> {
        let signs = furniture();
        let near = s
            .seen
            .nearest(s.feet(), range, SIGNS_MAX, |block| signs.contains(&block));
        let was_visited = |at: &Pos| {
            let mut visited = self.visited.iter();
            visited.any(|known| known.distance(*at) <= SAME_HOUSE)
        };
        let places = near.into_iter().map(|(at, _)| at);
        places.filter(|at| was_visited(at) == is_visited).collect()
    }

    /// Goes to a villager and buys of it.
    async fn trade_with(&mut self, body: &BodyHandle, villager: Living, goal: u32) -> End {
        let is_there = self.go_to(body, villager).await?;
        if is_there && body.with(|s| is_rest(s.time)) {
            return wait_for_morning(body).await;
        }
        if is_there && open(body, villager).await {
            self.buy(body, villager, goal).await?;
        } else {
            self.missed.push(villager.id);
            self.wanted.spent.push(villager.id);
        }
        handling::close(body).await
    }

    /// Looks at what is offered in the open window, and buys.
    async fn buy(&mut self, body: &BodyHandle, villager: Living, goal: u32) -> End {
        for _ in 0..EXCHANGES_MAX {
            let held = body.with(|s| s.count(self.item));
            if held >= goal {
                break;
            }
            match body.with(|s| choose(s, self.item, goal - held)) {
                Choice::Take(offer) => work(body, HandAction::Trade { offer }).await?,
                Choice::Lack(short) => {
                    let known = self.lacking.take().into_iter();
                    self.lacking = known.chain([short]).min_by_key(Short::trouble);
                    body.with(|s| s.market = Some((self.item, s.feet())));
                    self.wanted.spent.push(villager.id);
                    break;
                }
                Choice::Nothing => {
                    self.wanted.spent.push(villager.id);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Follows one until it can be spoken to; false if there is no way to it.
    async fn go_to(&self, body: &BodyHandle, villager: Living) -> Result<bool, ActionFailure> {
        let is_here = |s: &Senses| s.mob(villager.id).is_some_and(|now| touches(s, now));
        let (mut last, mut manner) = (villager, TravelMode::Walk);
        for _ in 0..FOLLOWS_MAX {
            if body.with(|s| is_here(s)) {
                return Ok(true);
            }
            last = body.with(|s| s.mob(villager.id)).unwrap_or(last);
            manner = match come_near(body, last, manner).await? {
                true => TravelMode::Walk,
                // Not even by digging.
                false if manner == TravelMode::Dig => break,
                false => TravelMode::Dig,
            };
        }
        Ok(body.with(|s| is_here(s)))
    }
}

/// Beds, work places and bells.
fn furniture() -> Vec<BlockId> {
    let sites = Profession::ALL.into_iter().map(Profession::site);
    let beds = BlockId::all().filter(|block| block.name().ends_with("_bed"));
    sites.chain(beds).chain(BlockId::named("bell")).collect()
}

/// Sleeps too, where there is a bed, or waits; like all work by day it can be put off by who is weak.
async fn wait_for_morning(body: &BodyHandle) -> End {
    let was_roaming = body.with(|s| std::mem::replace(&mut s.is_roaming, true));
    let end = keep_vigil(body).await;
    body.with(|s| s.is_roaming = was_roaming);
    end
}

async fn keep_vigil(body: &BodyHandle) -> End {
    for tick in 0..VIGIL_TICKS_MAX {
        if !body.with(|s| is_rest(s.time)) {
            return Ok(());
        }
        if tick % VIGIL_SLEEP_EVERY == 0 {
            let end = sleep::sleep(body).await;
            if matches!(
                end,
                Err(ActionFailure::Died { .. } | ActionFailure::Cancelled)
            ) {
                return end;
            }
        }
        if tick % VIGIL_WATCH_EVERY == 0 {
            reflexes::watch(body).await?;
        }
        body.pause(Pause::Night).await;
    }
    Err(handling::blocked(Gui::Trade, GuiFault::StaysShut))
}

async fn open(body: &BodyHandle, villager: Living) -> bool {
    for _ in 0..OPEN_TICKS_MAX {
        if body.with(|s| s.gui()) == Gui::Trade {
            return true;
        }
        let keys = body.with(|s| {
            let at = s.mob(villager.id).unwrap_or(villager).at;
            Controls {
                action: Some(HandAction::UseOn { mob: villager.id }),
                ..look_at_block(s, at.block().up())
            }
        });
        body.act(keys).await;
    }
    body.with(|s| s.gui()) == Gui::Trade
}

/// What to do with the offers that are shown.
enum Choice {
    Take(usize),
    Lack(Short),
    Nothing,
}

fn choose(s: &Senses, item: ItemSpec, count: u32) -> Choice {
    let Display::Deals(deals) = &s.display else {
        return Choice::Nothing;
    };
    let fits = |deal: &Deal| item.matches(deal.terms.get.item) && deal.left() > 0;
    let mut lacking = Vec::new();
    for (offer, deal) in deals.iter().enumerate().filter(|(_, deal)| fits(deal)) {
        let times = count.div_ceil(deal.terms.get.count.max(1));
        let short = deal
            .price()
            .find(|(needs, price)| s.slots.count(*needs) < *price);
        match short {
            None => return Choice::Take(offer),
            Some((needs, price)) => {
                let short = Short {
                    needs,
                    have: s.slots.count(needs),
                    need: price * times,
                };
                lacking.push(short);
            }
        }
    }
    let easiest = lacking.into_iter().min_by_key(Short::trouble);
    easiest.map_or(Choice::Nothing, Choice::Lack)
}
