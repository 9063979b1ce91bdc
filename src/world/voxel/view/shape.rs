//! Shapes: which part of its cell a block fills, and where a line meets it.
//!
//! Blocks have no state in this world, so stairs, doors and fences all stand alike. Measures are
//! sixteenths of a block. Invariant: a hit lies inside the cell.

use crate::block::{self as blocks, BlockId};

/// A part of a cell, from and to along x, y, z.
pub(crate) type Cuboid = [[u8; 3]; 2];

/// What part of its cell a block fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Nothing,
    Cube,
    /// Cuboids with the block's own pattern, cut out where they are.
    Boxes(&'static [Cuboid]),
    /// Two upright planes across.
    Cross,
    /// A thin layer at whatever stands beside it.
    Hung,
    /// A cube whose top is lower under air.
    Fluid,
}

/// Height of a fluid's surface.
pub(crate) const SURFACE: f32 = 14.0 / 16.0;
/// Distance of a hung layer from the wall.
const HUNG_OFF: f32 = 1.0 / 16.0;

/// A place where a line meets a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Meeting {
    /// Distance along the line.
    pub(crate) at: f32,
    /// 0 x, 1 y, 2 z: the axis across which the face stands.
    pub(crate) axis: usize,
    /// Sideways and down on the face, 0..=1.
    pub(crate) uv: [f32; 2],
}

const SLAB: &[Cuboid] = &[[[0, 0, 0], [16, 8, 16]]];
const STAIRS: &[Cuboid] = &[[[0, 0, 0], [16, 8, 16]], [[0, 8, 8], [16, 16, 16]]];
const LAYER: &[Cuboid] = &[[[0, 0, 0], [16, 1, 16]]];
const SNOW: &[Cuboid] = &[[[0, 0, 0], [16, 2, 16]]];
const PATH: &[Cuboid] = &[[[0, 0, 0], [16, 15, 16]]];
const BED: &[Cuboid] = &[[[0, 3, 0], [16, 9, 16]]];
const PLATE: &[Cuboid] = &[[[1, 0, 1], [15, 1, 15]]];
const BUTTON: &[Cuboid] = &[[[5, 0, 6], [11, 2, 10]]];
const DOOR: &[Cuboid] = &[[[0, 0, 0], [16, 16, 3]]];
const TRAPDOOR: &[Cuboid] = &[[[0, 0, 0], [16, 3, 16]]];
const WALL: &[Cuboid] = &[[[4, 0, 4], [12, 16, 12]], [[5, 0, 0], [11, 13, 16]]];
const FENCE: &[Cuboid] = &[
    [[6, 0, 6], [10, 16, 10]],
    [[7, 6, 0], [9, 9, 16]],
    [[7, 12, 0], [9, 15, 16]],
];
const GATE: &[Cuboid] = &[
    [[0, 5, 7], [16, 8, 9]],
    [[0, 11, 7], [16, 14, 9]],
    [[7, 5, 7], [9, 14, 9]],
];
const PANE: &[Cuboid] = &[[[7, 0, 0], [9, 16, 16]], [[0, 0, 7], [16, 16, 9]]];
const TORCH: &[Cuboid] = &[[[7, 0, 7], [9, 10, 9]]];
const CHEST: &[Cuboid] = &[[[1, 0, 1], [15, 14, 15]]];
const CACTUS: &[Cuboid] = &[[[1, 0, 1], [15, 16, 15]]];
const CANE: &[Cuboid] = &[[[6, 0, 6], [10, 16, 10]]];
const SMALL: &[Cuboid] = &[[[4, 0, 4], [12, 8, 12]]];
const POT: &[Cuboid] = &[[[5, 0, 5], [11, 6, 11]]];
const LOW: &[Cuboid] = &[[[0, 0, 0], [16, 7, 16]]];
const DESK: &[Cuboid] = &[[[0, 0, 0], [16, 12, 16]]];
const ANVIL: &[Cuboid] = &[
    [[2, 0, 2], [14, 4, 14]],
    [[5, 4, 5], [11, 10, 11]],
    [[3, 10, 0], [13, 16, 16]],
];
const SIGN: &[Cuboid] = &[[[7, 0, 7], [9, 9, 9]], [[0, 9, 7], [16, 16, 9]]];

/// Shapes by the end of the name, the first that fits.
const BY_ENDING: &[(&str, Shape)] = &[
    ("_slab", Shape::Boxes(SLAB)),
    ("_stairs", Shape::Boxes(STAIRS)),
    ("_carpet", Shape::Boxes(LAYER)),
    ("_bed", Shape::Boxes(BED)),
    ("_pressure_plate", Shape::Boxes(PLATE)),
    ("_button", Shape::Boxes(BUTTON)),
    ("_trapdoor", Shape::Boxes(TRAPDOOR)),
    ("_door", Shape::Boxes(DOOR)),
    ("_fence_gate", Shape::Boxes(GATE)),
    ("_fence", Shape::Boxes(FENCE)),
    ("_wall_sign", Shape::Hung),
    ("_wall_banner", Shape::Hung),
    ("_wall", Shape::Boxes(WALL)),
    ("_pane", Shape::Boxes(PANE)),
    ("_sign", Shape::Boxes(SIGN)),
    ("_banner", Shape::Boxes(SIGN)),
    ("torch", Shape::Boxes(TORCH)),
    ("_sapling", Shape::Cross),
    ("_skull", Shape::Boxes(SMALL)),
    ("_head", Shape::Boxes(SMALL)),
    ("rail", Shape::Boxes(LAYER)),
    ("chest", Shape::Boxes(CHEST)),
    ("anvil", Shape::Boxes(ANVIL)),
    ("campfire", Shape::Boxes(LOW)),
    ("lantern", Shape::Boxes(POT)),
    ("_coral", Shape::Cross),
    ("_fan", Shape::Cross),
    ("_stem", Shape::Cross),
    ("_tulip", Shape::Cross),
    ("_roots", Shape::Cross),
    ("_fungus", Shape::Cross),
    ("vines", Shape::Hung),
];

/// Shapes of blocks whose names do not end in one.
const BY_NAME: &[(&str, Shape)] = &[
    (
        "grass fern tall_grass large_fern dead_bush seagrass tall_seagrass kelp kelp_plant sugar_cane cobweb fire \
         soul_fire dandelion poppy blue_orchid allium azure_bluet oxeye_daisy cornflower lily_of_the_valley wither_rose \
         sunflower lilac rose_bush peony brown_mushroom red_mushroom wheat carrots potatoes beetroots nether_wart \
         sweet_berry_bush nether_sprouts bamboo_sapling",
        Shape::Cross,
    ),
    ("ladder vine tripwire_hook", Shape::Hung),
    ("snow", Shape::Boxes(SNOW)),
    ("farmland grass_path", Shape::Boxes(PATH)),
    (
        "lily_pad redstone_wire tripwire repeater comparator lever",
        Shape::Boxes(LAYER),
    ),
    ("cactus", Shape::Boxes(CACTUS)),
    ("bamboo end_rod chain chorus_plant", Shape::Boxes(CANE)),
    (
        "flower_pot brewing_stand sea_pickle turtle_egg cocoa conduit",
        Shape::Boxes(POT),
    ),
    ("cake daylight_detector stonecutter", Shape::Boxes(LOW)),
    (
        "enchanting_table lectern end_portal_frame",
        Shape::Boxes(DESK),
    ),
    ("bell grindstone dragon_egg", Shape::Boxes(SMALL)),
    ("iron_bars", Shape::Boxes(PANE)),
    ("water lava bubble_column", Shape::Fluid),
    (
        "air cave_air void_air structure_void barrier moving_piston",
        Shape::Nothing,
    ),
    // Trunks of the Nether, whose names end as those of plants.
    (
        "crimson_stem warped_stem stripped_crimson_stem stripped_warped_stem mushroom_stem",
        Shape::Cube,
    ),
];

pub(crate) fn shape_of(block: BlockId) -> Shape {
    let name = block.name();
    let named = BY_NAME
        .iter()
        .find(|(names, _)| names.split_whitespace().any(|n| n == name));
    if let Some((_, shape)) = named {
        return *shape;
    }
    if name.starts_with("potted_") {
        return Shape::Boxes(POT);
    }
    // What stops sight fills its cell, whatever it is called.
    let ending = BY_ENDING.iter().find(|(ending, _)| name.ends_with(ending));
    match ending {
        Some((_, shape)) if !block.is_opaque() => *shape,
        _ if block == blocks::AIR => Shape::Nothing,
        _ => Shape::Cube,
    }
}

/// Where a line from `from` (relative to the cell) along `along` enters a box of sixteenths.
#[inline]
pub(crate) fn meet_box(from: [f32; 3], along: [f32; 3], cuboid: Cuboid) -> Option<Meeting> {
    let low = cuboid[0].map(|v| f32::from(v) / 16.0);
    let high = cuboid[1].map(|v| f32::from(v) / 16.0);
    let (at, axis) = enter(from, along, low, high)?;
    Some(Meeting {
        at,
        axis,
        uv: face_uv(from, along, at, axis),
    })
}

/// Distance and axis at which a line enters a box, if it does.
#[inline]
pub(crate) fn enter(
    from: [f32; 3],
    along: [f32; 3],
    low: [f32; 3],
    high: [f32; 3],
) -> Option<(f32, usize)> {
    let (mut near, mut far, mut axis) = (0.0_f32, f32::INFINITY, 1);
    for i in 0..3 {
        if along[i].abs() < 1e-7 {
            if from[i] < low[i] || from[i] > high[i] {
                return None;
            }
            continue;
        }
        let (a, b) = (
            (low[i] - from[i]) / along[i],
            (high[i] - from[i]) / along[i],
        );
        let (first, last) = (a.min(b), a.max(b));
        if first > near {
            (near, axis) = (first, i);
        }
        far = far.min(last);
    }
    (near <= far && near > 0.0).then_some((near, axis))
}

/// Sideways and down on the face that is met, within the cell.
#[inline]
pub(crate) fn face_uv(from: [f32; 3], along: [f32; 3], at: f32, axis: usize) -> [f32; 2] {
    let [x, y, z] = [0, 1, 2].map(|i| (from[i] + along[i] * at).clamp(0.0, 0.9999));
    match axis {
        0 => [z, 1.0 - y],
        1 => [x, z],
        _ => [x, 1.0 - y],
    }
}

/// Where a line meets the two planes of a cross, the nearer first.
#[inline]
pub(crate) fn meet_cross(from: [f32; 3], along: [f32; 3]) -> [Option<Meeting>; 2] {
    // The planes x = z and x + z = 1.
    let first = plane(from, along, from[2] - from[0], along[0] - along[2]);
    let second = plane(from, along, 1.0 - from[0] - from[2], along[0] + along[2]);
    match (first, second) {
        (Some(a), Some(b)) if b.at < a.at => [second, first],
        _ => [first, second],
    }
}

fn plane(from: [f32; 3], along: [f32; 3], gap: f32, speed: f32) -> Option<Meeting> {
    let at = gap / speed;
    let [x, y, z] = [0, 1, 2].map(|i| from[i] + along[i] * at);
    let inside = [x, y, z].iter().all(|v| (0.0..1.0).contains(v));
    (at > 0.0 && inside).then_some(Meeting {
        at,
        axis: 1,
        uv: [x, 1.0 - y],
    })
}

/// Where a line meets a layer hung at the wall on one side: `axis` 0 or 2, `high` for the far wall.
#[inline]
pub(crate) fn meet_hung(
    from: [f32; 3],
    along: [f32; 3],
    axis: usize,
    high: bool,
) -> Option<Meeting> {
    let wall = if high { 1.0 - HUNG_OFF } else { HUNG_OFF };
    let at = (wall - from[axis]) / along[axis];
    let point = [0, 1, 2].map(|i| from[i] + along[i] * at);
    let inside = point.iter().all(|v| (0.0..1.0).contains(v));
    (at > 0.0 && inside).then(|| Meeting {
        at,
        axis,
        uv: face_uv(from, along, at, axis),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_shapes() {
        let shape = |name: &str| shape_of(BlockId::named(name).unwrap());
        assert_eq!(shape("oak_slab"), Shape::Boxes(SLAB));
        assert_eq!(shape("oak_log"), Shape::Cube);
        assert_eq!(shape("poppy"), Shape::Cross);
        assert_eq!(shape("water"), Shape::Fluid);
        assert_eq!(shape("air"), Shape::Nothing);
        assert_eq!(shape("crimson_stem"), Shape::Cube);
    }

    #[test]
    fn a_line_meets_the_top_of_a_slab() {
        let met = meet_box([0.5, 2.0, 0.5], [0.0, -1.0, 0.0], SLAB[0]).unwrap();
        assert_eq!((met.at, met.axis, met.uv), (1.5, 1, [0.5, 0.5]));
        assert_eq!(meet_box([0.5, 0.8, 2.0], [0.0, 0.0, -1.0], SLAB[0]), None);
    }
}
