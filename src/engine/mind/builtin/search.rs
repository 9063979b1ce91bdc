//! The search for a plan: from what is wanted back to what is held, lies about or walks about.
//!
//! Each need is met from the stock, and what is short by the way that is cheapest for that many pieces as things
//! stand. Invariant: things are never made of themselves, not even in a circle, so the steps have an order.

use super::cost::Cost;
use super::graph::{Link, WayGraph};
use super::ways::Way;
use pithead_world::counts::Counts;
use pithead_world::family::ItemSpec;
use pithead_world::recipe::used_first;
use std::collections::BTreeMap;

/// Needs that are looked at before a search is given up.
const NEEDS_MAX: u32 = 600;
/// Ways to a thing that are tried before the search goes back.
const WAYS_MAX: usize = 12;
/// Steps back from a thing to what is held, when it is asked how much the stock suffices for.
const DEPTH: u32 = 3;

/// Where things may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Out of what is held, by crafting and smelting alone; what other steps have to hold stays.
    Stock,
    /// Out of what is held, and what other steps have to hold is used up after them.
    WholeStock,
    /// Out of what is held and what lies and walks about.
    World,
}

impl Reach {
    /// Whether this way is open.
    pub(super) fn has(self, way: &Way) -> bool {
        self == Self::World || way.is_making()
    }
}

/// Something to be met.
#[derive(Debug, Clone, Copy)]
pub(super) struct Need {
    /// Its number in the graph.
    pub(super) thing: usize,
    pub(super) count: u32,
    pub(super) kind: NeedKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NeedKind {
    /// Used up, or to be there at the end.
    Used,
    /// The most that is needed at once; it is not used up.
    Held,
    /// What is held already does not count.
    Fresh,
}

/// So many pieces of a thing by one way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Made {
    pub(super) thing: usize,
    pub(super) link: usize,
    pub(super) pieces: u32,
}

/// What has been decided so far.
#[derive(Debug, Clone)]
pub(super) struct Draw {
    /// What is held and not taken for anything yet.
    free: Counts,
    pub(super) made: Vec<Made>,
    kept: BTreeMap<usize, u32>,
    /// Products and their parts.
    made_of: Vec<(usize, usize)>,
}

pub(super) struct Search<'a> {
    graph: &'a WayGraph,
    costs: &'a [Option<Cost>],
    reach: Reach,
    left: u32,
}

impl<'a> Search<'a> {
    pub(super) fn new(graph: &'a WayGraph, costs: &'a [Option<Cost>], reach: Reach) -> Self {
        Self {
            graph,
            costs,
            reach,
            left: NEEDS_MAX,
        }
    }

    /// How all needs are met from this stock; none if no way was found.
    pub(super) fn run(&mut self, stock: &Counts, needs: Vec<Need>) -> Option<Draw> {
        let begin = Draw {
            free: stock.clone(),
            made: Vec::new(),
            kept: BTreeMap::new(),
            made_of: Vec::new(),
        };
        self.meet(begin, needs)
    }

    fn meet(&mut self, mut draw: Draw, mut needs: Vec<Need>) -> Option<Draw> {
        let (need, short) = loop {
            let Some(at) = self.next(&needs) else {
                return Some(draw);
            };
            let need = needs.remove(at);
            let short = self.take(&mut draw, need);
            if short > 0 {
                break (need, short);
            }
        };
        self.left = self.left.checked_sub(1)?;
        for (link, pieces) in self.choices(&draw, need.thing, short) {
            let Some((drawn, more)) = self.decide(&draw, need.thing, link, pieces) else {
                continue;
            };
            let mut open = needs.clone();
            open.extend(more);
            if pieces < short {
                // What is made already is not counted again.
                let kind = match need.kind {
                    NeedKind::Held => NeedKind::Fresh,
                    kind => kind,
                };
                open.push(Need {
                    count: short - pieces,
                    kind,
                    ..need
                });
            }
            if let Some(done) = self.meet(drawn, open) {
                return Some(done);
            }
            if self.left == 0 {
                return None;
            }
        }
        None
    }

    /// Single things before families, so that a family does not use up what only one step takes.
    fn next(&self, needs: &[Need]) -> Option<usize> {
        let is_single =
            |need: &Need| matches!(self.graph.things[need.thing].item, ItemSpec::Item(_));
        let single = needs.iter().position(is_single);
        single.or(if needs.is_empty() { None } else { Some(0) })
    }

    /// Takes what is held; the rest is short.
    fn take(&self, draw: &mut Draw, need: Need) -> u32 {
        let item = self.graph.things[need.thing].item;
        match need.kind {
            NeedKind::Fresh => need.count,
            NeedKind::Used => need.count - take(&mut draw.free, item, need.count),
            NeedKind::Held => {
                let kept = draw.kept.entry(need.thing).or_default();
                let more = need.count.saturating_sub(*kept);
                *kept += more;
                more - take(&mut draw.free, item, more)
            }
        }
    }

    /// The ways by which so many pieces could be got, with a number of pieces for each, cheapest for a piece first.
    fn choices(&self, draw: &Draw, thing: usize, count: u32) -> Vec<(usize, u32)> {
        let mut found: Vec<(bool, u64, usize, u32)> = Vec::new();
        // What is at hand first, whatever it costs: it leaves the rest to be made of.
        let is_last_resort = self.reach == Reach::WholeStock;
        let links = self.graph.things[thing].links.iter().enumerate();
        for (at, link) in links {
            if !self.reach.has(&link.candidate.way) {
                continue;
            }
            let suffices = if link.candidate.way.is_making() {
                self.suffices(draw, link, count, DEPTH)
            } else {
                0
            };
            let some = (suffices > 0 && suffices < count).then_some(suffices);
            let more = count.max(self.graph.things[thing].wanted);
            let all = (count, more);
            for (pieces, priced) in some.map(|some| (some, some)).into_iter().chain([all]) {
                let price = |pieces: u32| self.a_piece(draw, (thing, at), pieces);
                if let Some(price) = price(priced).or_else(|| price(pieces)) {
                    let is_made_up =
                        is_last_resort && self.suffices(draw, link, pieces, 0) < pieces;
                    // From the stock alone whatever suffices is welcome.
                    let is_outdone = self.reach == Reach::World
                        && pieces < count
                        && self.is_outdone(draw, thing, (pieces, price));
                    found.push((is_made_up || is_outdone, price, at, pieces));
                }
            }
        }
        // Of equals the first; the order of ways is fixed.
        found.sort_unstable_by_key(|(is_later, price, at, pieces)| {
            (*is_later, *price, u32::MAX - pieces, *at)
        });
        found.truncate(WAYS_MAX);
        found
            .into_iter()
            .map(|(_, _, at, pieces)| (at, pieces))
            .collect()
    }

    /// What one of so many more pieces costs.
    fn a_piece(&self, draw: &Draw, way: (usize, usize), pieces: u32) -> Option<u64> {
        let price = self.price(draw, way, pieces)?;
        Some(price / u64::from(pieces.max(1)))
    }

    /// Whether some way gives as many pieces for less: then that what is held suffices for them is no reason to take it.
    fn is_outdone(&self, draw: &Draw, thing: usize, (pieces, price): (u32, u64)) -> bool {
        let links = self.graph.things[thing].links.iter().enumerate();
        let mut open = links.filter(|(_, link)| self.reach.has(&link.candidate.way));
        open.any(|(at, _)| {
            let other = self.a_piece(draw, (thing, at), pieces);
            other.is_some_and(|other| other < price)
        })
    }

    /// What so many more pieces cost as things stand, in hundredths; none if a part cannot be had.
    fn price(&self, draw: &Draw, (thing, at): (usize, usize), pieces: u32) -> Option<u64> {
        let link = &self.graph.things[thing].links[at];
        if let Way::Pick(member) = &link.candidate.way {
            // Where a family and one of its members are both got, the member serves for both.
            let number = self.graph.number((*member).into());
            if number.is_some_and(|number| draw.pieces_of(number) > 0) {
                return Some(0);
            }
        }
        let already = draw.pieces_by(thing, at);
        let mut cost = Cost::of(link.candidate.own_for(already, pieces));
        for (part, count) in self.parts_for_more(link, already, pieces) {
            let short = count.saturating_sub(draw.free.count(self.graph.things[part].item));
            if short > 0 && link.candidate.undoes() {
                return None;
            }
            if short > 0 {
                // What was held when the costs were computed may be taken by now.
                let free = |at: usize| draw.free.count(self.graph.things[at].item);
                let now = self.graph.cost_now(part, (self.costs, self.reach), &free);
                cost.add_used(now.as_ref().or(self.costs[part].as_ref())?, short);
            }
        }
        for (part, count) in &link.held {
            let kept = draw.kept.get(part).copied().unwrap_or_default();
            let free = draw.free.count(self.graph.things[*part].item);
            let short = count.saturating_sub(kept.max(free));
            if short > 0 {
                cost.add_lasting(*part, self.costs[*part].as_ref()?, short);
            }
        }
        let is_got = |number: usize| draw.kept.contains_key(&number);
        Some(cost.without(is_got).of_pieces(1))
    }

    /// What so many more pieces use up.
    fn parts_for_more(&self, link: &Link, already: u32, pieces: u32) -> Vec<(usize, u32)> {
        let before = if already == 0 {
            BTreeMap::new()
        } else {
            link.candidate.uses(already)
        };
        let all = link.candidate.uses(already + pieces).into_iter();
        let more = all.filter_map(|(part, count)| {
            let more = count - before.get(&part).copied().unwrap_or_default();
            Some((self.graph.number(part)?, more))
        });
        more.filter(|(_, more)| *more > 0).collect()
    }

    /// For how many of so many pieces what is held suffices, made by making parts out of it if need be.
    fn suffices(&self, draw: &Draw, link: &Link, count: u32, depth: u32) -> u32 {
        let uses = link.candidate.uses(count);
        let depth = if link.candidate.undoes() { 0 } else { depth };
        let mut least = count;
        for part in &link.candidate.parts {
            let asked = uses.get(&part.item).zip(self.graph.number(part.item));
            if let Some((asked, number)) = asked {
                let there = self.there(draw, number, *asked, depth);
                least = least.min(link.candidate.pieces_from(part.amount, there));
            }
            if least == 0 {
                return 0;
            }
        }
        least
    }

    /// How many of so many pieces are there or can be made of what is.
    fn there(&self, draw: &Draw, thing: usize, count: u32, depth: u32) -> u32 {
        let free = draw.free.count(self.graph.things[thing].item).min(count);
        if free == count || depth == 0 {
            return free;
        }
        let links = self.graph.things[thing].links.iter();
        let making = links.filter(|link| link.candidate.way.is_making());
        let made = making.map(|link| match &link.candidate.way {
            // The members that are held are counted with their family.
            Way::Pick(member) => {
                let held = draw.free.count(*member);
                let number = self.graph.number((*member).into());
                let all = number.map(|at| self.there(draw, at, held + count - free, depth - 1));
                all.map_or(0, |all| all - held)
            }
            _ => self.suffices(draw, link, count - free, depth - 1),
        });
        free + made.max().unwrap_or_default()
    }

    /// Takes this way for so many pieces: what that needs; none if it would lead in a circle.
    fn decide(
        &self,
        draw: &Draw,
        thing: usize,
        at: usize,
        pieces: u32,
    ) -> Option<(Draw, Vec<Need>)> {
        let link = &self.graph.things[thing].links[at];
        let already = draw.pieces_by(thing, at);
        let used = self.parts_for_more(link, already, pieces);
        let parts = used.iter().chain(&link.held).map(|(part, _)| *part);
        let mut drawn = draw.clone();
        for part in parts {
            if part == thing || drawn.is_made_of(part, thing) {
                return None;
            }
            if !drawn.made_of.contains(&(thing, part)) {
                drawn.made_of.push((thing, part));
            }
        }
        drawn.add(Made {
            thing,
            link: at,
            pieces,
        });
        let needs = |parts: &[(usize, u32)], kind: NeedKind| {
            let each = parts.iter().map(|(thing, count)| Need {
                thing: *thing,
                count: *count,
                kind,
            });
            each.collect::<Vec<_>>()
        };
        // What is carried is set aside first, before something else uses it up.
        let kept = if self.reach == Reach::WholeStock {
            &[][..]
        } else {
            &link.kept
        };
        let mut more = needs(kept, NeedKind::Held);
        more.extend(needs(&link.held, NeedKind::Held));
        more.extend(needs(&used, NeedKind::Used));
        Some((drawn, more))
    }

    /// What all steps cost besides their parts.
    pub(super) fn price_of(&self, draw: &Draw) -> u64 {
        let own = |made: &Made| {
            let link = &self.graph.things[made.thing].links[made.link];
            link.candidate.own_for(0, made.pieces)
        };
        draw.made.iter().map(own).fold(0, u64::saturating_add)
    }
}

impl Draw {
    fn pieces_by(&self, thing: usize, link: usize) -> u32 {
        let made = self.made.iter();
        let mut by = made.filter(|made| made.thing == thing && made.link == link);
        by.next().map_or(0, |made| made.pieces)
    }

    fn pieces_of(&self, thing: usize) -> u32 {
        let of = self.made.iter().filter(|made| made.thing == thing);
        of.map(|made| made.pieces).sum()
    }

    fn add(&mut self, more: Made) {
        let same = |made: &&mut Made| made.thing == more.thing && made.link == more.link;
        match self.made.iter_mut().find(same) {
            Some(made) => made.pieces += more.pieces,
            None => self.made.push(more),
        }
    }

    fn is_made_of(&self, product: usize, part: usize) -> bool {
        let mut open = vec![product];
        let mut seen = Vec::new();
        while let Some(at) = open.pop() {
            if at == part {
                return true;
            }
            if !seen.contains(&at) {
                seen.push(at);
                let parts = self.made_of.iter().filter(|(of, _)| *of == at);
                open.extend(parts.map(|(_, part)| *part));
            }
        }
        false
    }
}

/// Takes up to so many pieces, in the order in which the body does; how many there were.
fn take(stock: &mut Counts, wanted: ItemSpec, count: u32) -> u32 {
    let mut left = count;
    while left > 0 {
        let held = wanted
            .members()
            .iter()
            .map(|item| (*item, stock.count(*item)));
        let Some((item, held)) = used_first(held) else {
            break;
        };
        let taken = left.min(held);
        stock.remove(item, taken);
        left -= taken;
    }
    count - left
}
