//! Impossibility: which thing stands in the way of a goal, and why it cannot be had.
//!
//! Invariant: only beliefs are asked; what is said here is what the planner searched by.

use super::graph::WayGraph;
use super::out_of_reach::{OutOfReach, loss_of, use_of};
use super::search::Reach;
use super::ways::{Knowing, Way};
use pithead_core::text::numbers::list_first;
use pithead_world::block::BlockId;
use pithead_world::family::ItemSpec;

/// Blocks that are named as sources out of reach.
const BLOCKS_NAMED: usize = 3;

impl Knowing<'_> {
    /// Whether some way to a piece of it is known.
    pub(super) fn can_get(&self, item: ItemSpec) -> bool {
        let graph = WayGraph::to(self, &[(item, 1)]);
        graph.can_get(item, &graph.costs(Reach::World))
    }

    /// Why `item` cannot be had: what it takes, step by step down to a thing that nothing gives, and why nothing does.
    pub(super) fn why_impossible(&self, item: ItemSpec) -> String {
        let path = self.down_to_obstacle(item);
        let takes: Vec<String> = path
            .windows(2)
            .map(|pair| format!("{} takes {}", pair[0], pair[1]))
            .collect();
        let last = path.last().copied().unwrap_or(item);
        let why = self.why_nothing_gives(last, &path);
        if takes.is_empty() {
            format!("no way is known to get {last}: {why}")
        } else {
            let takes = takes.join(", ");
            format!("{takes}, and no way is known to get that: {why}")
        }
    }

    /// Followed down part by part until a thing lacks nothing but a way.
    fn down_to_obstacle(&self, item: ItemSpec) -> Vec<ItemSpec> {
        let graph = WayGraph::to(self, &[(item, 1)]);
        let costs = graph.costs(Reach::World);
        let mut path = vec![item];
        while let Some(at) = path.last().and_then(|last| graph.number(*last)) {
            let is_lacking = |part: &ItemSpec| {
                let held = self.stock.count(*part) > 0;
                !held && !graph.can_get(*part, &costs) && !path.contains(part)
            };
            let links = graph.things[at].links.iter();
            let lacking = links.filter_map(|link| {
                let parts = link.candidate.parts.iter().map(|part| part.item);
                let lacking: Vec<ItemSpec> = parts.filter(is_lacking).collect();
                lacking.first().map(|first| (lacking.len(), *first))
            });
            // The way that lacks least; of equals the first.
            match lacking.min_by_key(|(count, _)| *count) {
                Some((_, part)) => path.push(part),
                None => break,
            }
        }
        path
    }

    fn why_nothing_gives(&self, item: ItemSpec, path: &[ItemSpec]) -> String {
        let OutOfReach {
            unnatural,
            silk,
            turned,
            lost,
        } = self.beliefs.out_of_reach(item);
        let named = |blocks: &[BlockId]| {
            let names: Vec<&str> = blocks.iter().map(|block| block.name()).collect();
            list_first(&names, BLOCKS_NAMED)
        };
        if !silk.is_empty() {
            return format!("only a tool with silk touch gets it from {}", named(&silk));
        }
        let made_of: Vec<&str> = self
            .options_of(item)
            .iter()
            .filter(|way| way.is_making() && !matches!(way, Way::Pick(_)))
            .flat_map(|way| self.candidate(item, way.clone()).parts)
            .filter(|part| path.contains(&part.item))
            .map(|part| part.item.name())
            .collect();
        if let Some(part) = made_of.first() {
            return format!("it is made only of {part}, which takes it in turn");
        }
        if let Some(turned) = turned.first() {
            return use_of(*turned);
        }
        // A block that gives only itself says nothing.
        let others: Vec<_> = unnatural
            .into_iter()
            .filter(|block| block.item().map(ItemSpec::Item) != Some(item))
            .collect();
        if !others.is_empty() {
            return format!("only {} gives it, which lies nowhere here", named(&others));
        }
        let lies = lost.map_or("it lies nowhere here".to_owned(), loss_of);
        format!(
            "{lies}, no animal leaves it, nobody sells it, no chest holds it, and it is made of nothing"
        )
    }
}
