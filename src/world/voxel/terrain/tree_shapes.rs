//! Shapes of trees: which blocks a tree is made of, wherever it stands.
//!
//! Used when land is made and when a sapling grows. Invariant: the blocks follow from kind, base,
//! height and stream only; nothing reaches farther than four columns from the base.

use super::tree::{Tree, TreeKind};
use crate::block::{self as blocks, BlockId};

/// One block of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Wins over everything.
    Log(BlockId),
    /// A log at the foot; it continues downwards until it meets the ground.
    Foot(BlockId),
    /// Only where there is air.
    Leaves(BlockId),
    /// Vines and pods: like leaves, but not needed.
    Hanging(BlockId),
    /// The soil under the trunk.
    Soil,
}

/// Hands all blocks of a tree to `put`, in the order in which they are to be laid.
pub(crate) fn build(mut tree: Tree, put: &mut impl FnMut([i32; 3], Part)) {
    let tree = &mut tree;
    match tree.kind {
        TreeKind::Oak | TreeKind::Birch => crown_round(tree, 2, put),
        TreeKind::Jungle => {
            crown_round(tree, 2, put);
            trunk(tree, put);
            pods_and_vines(tree, put);
            return;
        }
        TreeKind::SwampOak => {
            crown_round(tree, 3, put);
            trunk(tree, put);
            fringe(tree, put);
            return;
        }
        TreeKind::BigOak => crown_big(tree, put),
        TreeKind::Spruce => crown_cone(tree, put),
        TreeKind::JungleBush => crown_bush(tree, put),
        TreeKind::BigJungle | TreeKind::DarkOak => return broad(tree, put),
        TreeKind::Acacia => return acacia(tree, put),
        TreeKind::BrownMushroom | TreeKind::RedMushroom => cap(tree, put),
    }
    trunk(tree, put);
}

fn trunk(tree: &Tree, put: &mut impl FnMut([i32; 3], Part)) {
    let [x, y, z] = tree.base;
    let log = tree.kind.log();
    put([x, y - 1, z], Part::Soil);
    for up in 0..tree.trunk {
        put([x, y + up, z], Part::Log(log));
    }
}

/// One layer of leaves around a middle; bits of `corners` say which corners are kept.
fn disc(
    tree: &Tree,
    [bx, y, bz]: [i32; 3],
    radius: i32,
    corners: u64,
    put: &mut impl FnMut([i32; 3], Part),
) {
    let leaves = tree.kind.leaves();
    for dz in -radius..=radius {
        for dx in -radius..=radius {
            let corner = radius > 0 && dx.abs() == radius && dz.abs() == radius;
            let bit = u64::from(dx > 0) | u64::from(dz > 0) << 1;
            if !(corner && corners >> bit & 1 == 0) {
                put([bx + dx, y, bz + dz], Part::Leaves(leaves));
            }
        }
    }
}

/// Two wide layers, then two narrow ones; corners are ragged.
fn crown_round(tree: &mut Tree, wide: i32, put: &mut impl FnMut([i32; 3], Part)) {
    let [x, y, z] = tree.base;
    for up in tree.trunk - 3..=tree.trunk {
        let radius = if up < tree.trunk - 1 { wide } else { wide - 1 };
        let ragged = tree.rng.next_u64();
        // The topmost layer is a cross, the others lose corners by chance.
        let kept = if up == tree.trunk { 0 } else { ragged };
        disc(tree, [x, y + up, z], radius, kept, put);
    }
}

/// Layers that widen and narrow downwards from a tip, as spruces have.
fn crown_cone(tree: &mut Tree, put: &mut impl FnMut([i32; 3], Part)) {
    let [x, y, z] = tree.base;
    let bare = 1 + tree.rng.below(2) as i32;
    let widest = 2 + tree.rng.below(2) as i32;
    let (mut radius, mut limit) = (0, 1);
    for up in (bare..=tree.trunk).rev() {
        disc(tree, [x, y + up, z], radius, 0, put);
        radius += 1;
        if radius > limit {
            radius = i32::from(limit > 1);
            limit = (limit + 1).min(widest);
        }
    }
}

/// Balls of leaves at the ends of short limbs and on top.
fn crown_big(tree: &mut Tree, put: &mut impl FnMut([i32; 3], Part)) {
    const LIMBS: [(i32, i32); 4] = [(2, 0), (-2, 0), (0, 2), (0, -2)];
    let [x, y, z] = tree.base;
    let mut ball = |middle: [i32; 3], tree: &Tree| {
        for (dy, radius) in [(-1, 1), (0, 2), (1, 2), (2, 1)] {
            disc(tree, [middle[0], middle[1] + dy, middle[2]], radius, 0, put);
        }
    };
    ball([x, y + tree.trunk - 1, z], tree);
    let mut ends = [[0; 3]; 4];
    for (end, (dx, dz)) in ends.iter_mut().zip(LIMBS) {
        let up = tree.trunk - 2 - tree.rng.below(4) as i32;
        *end = [x + dx, y + up, z + dz];
        ball(*end, tree);
    }
    for end in ends {
        put(end, Part::Log(tree.kind.log()));
        put(
            [(end[0] + x) / 2, end[1], (end[2] + z) / 2],
            Part::Log(tree.kind.log()),
        );
    }
}

fn crown_bush(tree: &mut Tree, put: &mut impl FnMut([i32; 3], Part)) {
    let [x, y, z] = tree.base;
    for (up, radius) in [(0, 2), (1, 2), (2, 1)] {
        let ragged = tree.rng.next_u64();
        disc(tree, [x, y + up, z], radius, ragged, put);
    }
}

/// Trunks of 2×2, as the big trees of jungles and dark forests have.
fn broad(tree: &mut Tree, put: &mut impl FnMut([i32; 3], Part)) {
    let [x, y, z] = tree.base;
    let leaves = tree.kind.leaves();
    // Layers around a trunk of two: how far they stand over it on each side.
    let layers: &[(i32, i32)] = match tree.kind {
        TreeKind::BigJungle => &[(-2, 3), (-1, 3), (0, 2), (1, 1)],
        _ => &[(-2, 2), (-1, 3), (0, 2), (1, 0)],
    };
    for (up, over) in layers {
        let ragged = tree.rng.next_u64();
        for dz in -over..=over + 1 {
            for dx in -over..=over + 1 {
                let corner = (dx == -over || dx == over + 1) && (dz == -over || dz == over + 1);
                let bit = u64::from(dx > 0) | u64::from(dz > 0) << 1;
                if !(corner && *over > 0 && ragged >> bit & 1 == 0) {
                    put([x + dx, y + tree.trunk + up, z + dz], Part::Leaves(leaves));
                }
            }
        }
    }
    for (dx, dz) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        put([x + dx, y - 1, z + dz], Part::Soil);
        put([x + dx, y, z + dz], Part::Foot(tree.kind.log()));
        for up in 1..tree.trunk {
            put([x + dx, y + up, z + dz], Part::Log(tree.kind.log()));
        }
    }
    if tree.kind == TreeKind::BigJungle {
        for up in 1..tree.trunk - 3 {
            let sides = tree.rng.next_u64();
            for (bit, (dx, dz)) in [(-1, 0), (2, 1), (1, -1), (0, 2)].into_iter().enumerate() {
                if sides >> (2 * bit) & 3 == 0 {
                    put([x + dx, y + up, z + dz], Part::Hanging(blocks::VINE));
                }
            }
        }
    }
}

/// A trunk that leans one block aside under a flat crown.
fn acacia(tree: &mut Tree, put: &mut impl FnMut([i32; 3], Part)) {
    const LEANS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    let [x, y, z] = tree.base;
    let (dx, dz) = LEANS[tree.rng.below(4) as usize];
    let bend = tree.trunk - 1 - tree.rng.below(2) as i32;
    let top = [x + dx, y + tree.trunk - 1, z + dz];
    disc(tree, top, 3, 0, put);
    disc(tree, [top[0], top[1] + 1, top[2]], 1, 15, put);
    put([x, y - 1, z], Part::Soil);
    for up in 0..tree.trunk {
        let at = if up < bend {
            [x, y + up, z]
        } else {
            [x + dx, y + up, z + dz]
        };
        put(at, Part::Log(tree.kind.log()));
    }
}

/// A giant mushroom: brown ones are flat, red ones hang down at the sides.
fn cap(tree: &Tree, put: &mut impl FnMut([i32; 3], Part)) {
    let [x, y, z] = tree.base;
    let top = y + tree.trunk;
    if tree.kind == TreeKind::BrownMushroom {
        return disc(tree, [x, top, z], 3, 0, put);
    }
    disc(tree, [x, top, z], 1, 15, put);
    for down in 1..=3 {
        for d in -1..=1 {
            for at in [
                [x + d, z - 2],
                [x + d, z + 2],
                [x - 2, z + d],
                [x + 2, z + d],
            ] {
                put([at[0], top - down, at[1]], Part::Leaves(tree.kind.leaves()));
            }
        }
    }
}

/// Cocoa and vines on the sides of a jungle trunk.
fn pods_and_vines(tree: &mut Tree, put: &mut impl FnMut([i32; 3], Part)) {
    let [x, y, z] = tree.base;
    let pods = tree.rng.below(5) == 0;
    for up in 1..tree.trunk - 2 {
        let roll = tree.rng.next_u64();
        for (bit, (dx, dz)) in [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().enumerate() {
            let what = match roll >> (4 * bit) & 15 {
                0..=3 => blocks::VINE,
                4..=6 if pods => blocks::COCOA,
                _ => continue,
            };
            put([x + dx, y + up, z + dz], Part::Hanging(what));
        }
    }
}

/// Vines that hang from the rim of a crown of radius three.
fn fringe(tree: &mut Tree, put: &mut impl FnMut([i32; 3], Part)) {
    let [x, y, z] = tree.base;
    for along in -2..=2 {
        for (dx, dz) in [(along, 4), (along, -4), (4, along), (-4, along)] {
            let roll = tree.rng.next_u64();
            if roll & 3 == 0 {
                let from = tree.trunk - 2;
                for up in (from - (roll >> 8 & 3) as i32).max(1)..=from {
                    put([x + dx, y + up, z + dz], Part::Hanging(blocks::VINE));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    const KINDS: [TreeKind; 12] = [
        TreeKind::Oak,
        TreeKind::BigOak,
        TreeKind::SwampOak,
        TreeKind::Birch,
        TreeKind::Spruce,
        TreeKind::Jungle,
        TreeKind::JungleBush,
        TreeKind::BigJungle,
        TreeKind::Acacia,
        TreeKind::DarkOak,
        TreeKind::BrownMushroom,
        TreeKind::RedMushroom,
    ];

    #[test]
    fn no_tree_reaches_beyond_the_margin_and_all_leaves_hang_from_a_log() {
        for (kind, seed) in KINDS
            .iter()
            .flat_map(|kind| (0..60).map(move |seed| (*kind, seed)))
        {
            let (least, heights) = kind.trunk();
            let tree = Tree {
                kind,
                base: [0, 64, 0],
                trunk: least + (seed % heights) as i32,
                rng: Rng::new(seed),
            };
            let (mut logs, mut leaves) = (Vec::new(), Vec::new());
            build(tree, &mut |[x, y, z], part| {
                assert!(x.abs().max(z.abs()) <= 4, "{kind:?} reaches {x} {z}");
                match part {
                    Part::Log(_) | Part::Foot(_) => logs.push([x, y, z]),
                    Part::Leaves(_) => leaves.push([x, y, z]),
                    Part::Hanging(_) | Part::Soil => {}
                }
            });
            let steps = |a: &[i32; 3], b: &[i32; 3]| -> i32 {
                a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum()
            };
            for leaf in &leaves {
                assert!(
                    logs.iter().any(|log| steps(leaf, log) <= 6),
                    "{kind:?} at {leaf:?}"
                );
            }
        }
    }
}
