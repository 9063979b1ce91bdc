//! Trading: find a villager whose trade has the item, go there, look at its offers, exchange.
//!
//! Villages are found by wandering; in one, houses are looked into. Invariant: every villager is asked once, and one that
//! has the offer but a price that cannot be paid ends the action with what is lacking.

use super::super::controls::{Controls, Deed};
use super::super::follow::look;
use super::super::hand;
use super::super::path::goal::Goal;
use super::super::senses::{Display, Hands, Living, Senses};
use super::super::villagers::{Deal, is_rest};
use super::travel::{self, Manner};
use super::wanted::Wanted;
use super::work::work;
use super::{End, explore, reflex, sleep};
use crate::action::{ActionFailure, Target};
use crate::block::BlockId;
use crate::family::ItemSpec;
use crate::mob::MobKind;
use crate::observation::Gui;
use crate::space::Pos;
use crate::trade::{Profession, offers_for};

/// Villagers asked in one action, and rounds of going about.
const ASKED_MAX: usize = 24;
const ROUNDS_MAX: u32 = 96;
/// Exchanges with one villager.
const EXCHANGES_MAX: u32 = 64;
/// Close enough to speak.
const SPEAK: f64 = 3.4;
/// Ticks for its window to open; it may have to come out from behind something.
const OPEN_TICKS_MAX: u32 = 20;
/// Ticks of waiting beside one who is asleep, and how often one looks about meanwhile.
const VIGIL_TICKS_MAX: u32 = 1_200;
const VIGIL_WATCH_EVERY: u32 = 20;
/// How far off houses that were seen are looked into.
const HOUSES: f64 = 64.0;

/// A search for one who trades the item.
struct Search {
    item: ItemSpec,
    wanted: Wanted,
    /// Houses that were looked into.
    visited: Vec<Pos>,
    lacking: Option<ActionFailure>,
}

/// Buys until `count` more of the item are held.
pub(crate) async fn trade(hands: &Hands, item: ItemSpec, count: u32) -> End {
    let mut professions: Vec<Profession> = offers_for(item).iter().map(|(who, _)| *who).collect();
    professions.sort_unstable();
    professions.dedup();
    if professions.is_empty() {
        return Err(ActionFailure::Invalid {
            because: format!("no villager trades {item}"),
        });
    }
    hand::close(hands).await?;
    let goal = hands.with(|s| s.count(item)) + count;
    let mut search = Search {
        item,
        wanted: Wanted {
            mobs: vec![MobKind::Villager],
            professions,
            ..Wanted::default()
        },
        visited: Vec::new(),
        lacking: None,
    };
    for _ in 0..ROUNDS_MAX {
        if hands.with(|s| s.count(item)) >= goal {
            return Ok(());
        }
        if search.wanted.spent.len() >= ASKED_MAX {
            break;
        }
        let next = hands.with(|s| s.mobs.iter().find(|mob| search.wanted.is_mob(mob)).copied());
        match next {
            Some(villager) => search.ask(hands, villager, goal).await?,
            None => search.look_further(hands).await?,
        }
    }
    Err(search.failure(hands))
}

impl Search {
    fn failure(&self, hands: &Hands) -> ActionFailure {
        self.lacking.clone().unwrap_or(ActionFailure::NoTarget {
            target: Target::Mob(MobKind::Villager),
            y: hands.with(|s| s.feet().y),
        })
    }

    /// Looks into the next house that is known, or goes on to find a village.
    async fn look_further(&mut self, hands: &Hands) -> End {
        if let Some(house) = hands.with(|s| self.house(s)) {
            self.visited.push(house);
            let goal = Goal::Near {
                at: house,
                range: 3.0,
            };
            let wanted = &self.wanted;
            let enough = |s: &Senses| s.mobs.iter().any(|mob| wanted.is_mob(mob));
            return match travel::travel_until(hands, &goal, Manner::Walk, &enough).await {
                Ok(()) | Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {
                    explore::look_around(hands).await;
                    Ok(())
                }
                Err(failure) => Err(failure),
            };
        }
        if let Some(lacking) = self.lacking.clone() {
            return Err(lacking);
        }
        let mut anywhere = self.wanted.clone();
        anywhere.blocks = furniture();
        anywhere.avoid.clone_from(&self.visited);
        explore::search(hands, &anywhere, &Target::Mob(MobKind::Villager)).await
    }

    /// What stands in houses: a place where a villager lives or works.
    fn house(&self, s: &Senses) -> Option<Pos> {
        let signs = furniture();
        let near = s
            .seen
            .nearest(s.feet(), HOUSES, 64, |block| signs.contains(&block));
        let is_new = |at: &Pos| self.visited.iter().all(|known| known.distance(*at) > 4.0);
        near.into_iter().map(|(at, _)| at).find(is_new)
    }

    /// Goes to a villager, looks at what it offers, and buys.
    async fn ask(&mut self, hands: &Hands, villager: Living, goal: u32) -> End {
        let is_there = self.go_to(hands, villager).await?;
        if is_there && hands.with(|s| is_rest(s.time)) {
            return wait_for_morning(hands).await;
        }
        if !is_there || !open(hands, villager).await {
            self.wanted.spent.push(villager.id);
            return hand::close(hands).await;
        }
        for _ in 0..EXCHANGES_MAX {
            let held = hands.with(|s| s.count(self.item));
            if held >= goal {
                break;
            }
            match hands.with(|s| choose(s, self.item, goal - held)) {
                Choice::Take(offer) => work(hands, Deed::Trade { offer }).await?,
                Choice::Lack(failure) => {
                    self.lacking = Some(failure);
                    self.wanted.spent.push(villager.id);
                    break;
                }
                Choice::Nothing => {
                    self.wanted.spent.push(villager.id);
                    break;
                }
            }
        }
        hand::close(hands).await
    }

    async fn go_to(&self, hands: &Hands, villager: Living) -> Result<bool, ActionFailure> {
        let here = |s: &Senses| {
            let now = s.mobs.iter().find(|mob| mob.id == villager.id);
            now.is_some_and(|now| s.eyes.distance(now.at.plus(0.0, 1.5, 0.0)) < SPEAK)
        };
        for manner in [Manner::Walk, Manner::Walk, Manner::Dig] {
            let at = hands.with(|s| {
                let now = s.mobs.iter().find(|mob| mob.id == villager.id);
                now.map_or(villager.at, |now| now.at).block()
            });
            let goal = Goal::Near { at, range: 2.0 };
            match travel::travel_until(hands, &goal, manner, &here).await {
                Ok(()) | Err(ActionFailure::NoPath { .. } | ActionFailure::Stuck { .. }) => {}
                Err(failure) => return Err(failure),
            }
            if hands.with(|s| here(s)) {
                return Ok(true);
            }
            hands.idle().await;
        }
        Ok(hands.with(|s| here(s)))
    }
}

/// Beds, work places and bells.
fn furniture() -> Vec<BlockId> {
    let sites = Profession::ALL.into_iter().map(Profession::site);
    let beds = BlockId::all().filter(|block| block.name().ends_with("_bed"));
    sites.chain(beds).chain(BlockId::named("bell")).collect()
}

/// Sleeps too, where there is a bed, or waits a while.
async fn wait_for_morning(hands: &Hands) -> End {
    match sleep::sleep(hands).await {
        Ok(()) => return Ok(()),
        Err(failure @ (ActionFailure::Died { .. } | ActionFailure::Cancelled)) => {
            return Err(failure);
        }
        Err(_) => {}
    }
    for tick in 0..VIGIL_TICKS_MAX {
        if !hands.with(|s| is_rest(s.time)) {
            return Ok(());
        }
        if tick % VIGIL_WATCH_EVERY == 0 {
            reflex::watch(hands).await?;
        }
        hands.idle().await;
    }
    Err(ActionFailure::GuiBlocked {
        gui: Gui::Trade.name().to_owned(),
    })
}

async fn open(hands: &Hands, villager: Living) -> bool {
    for _ in 0..OPEN_TICKS_MAX {
        if hands.with(|s| s.gui()) == Gui::Trade {
            return true;
        }
        let keys = hands.with(|s| {
            let now = s.mobs.iter().find(|mob| mob.id == villager.id);
            let at = now.map_or(villager.at, |now| now.at);
            Controls {
                deed: Some(Deed::UseOn { mob: villager.id }),
                ..look(s, at.block().up())
            }
        });
        hands.act(keys).await;
    }
    hands.with(|s| s.gui()) == Gui::Trade
}

/// What to do with the offers that are shown.
enum Choice {
    Take(usize),
    Lack(ActionFailure),
    Nothing,
}

fn choose(s: &Senses, item: ItemSpec, count: u32) -> Choice {
    let Display::Deals(deals) = &s.display else {
        return Choice::Nothing;
    };
    let fits = |deal: &Deal| item.matches(deal.terms.get.item) && deal.left() > 0;
    let mut lacking = None;
    for (offer, deal) in deals.iter().enumerate().filter(|(_, deal)| fits(deal)) {
        let times = count.div_ceil(deal.terms.get.count.max(1));
        let short = deal
            .price()
            .find(|(needs, price)| s.slots.count(*needs) < *price);
        match short {
            None => return Choice::Take(offer),
            Some((needs, price)) => {
                lacking = Some(ActionFailure::MissingIngredient {
                    item,
                    needs: needs.into(),
                    have: s.slots.count(needs),
                    need: price * times,
                });
            }
        }
    }
    lacking.map_or(Choice::Nothing, Choice::Lack)
}
