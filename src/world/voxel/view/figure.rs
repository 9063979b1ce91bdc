//! Figures: living things as a few coloured boxes.
//!
//! Boxes stand along the axes; a face with eyes looks one of four ways. It moves nothing.
//! Invariant: the boxes of a figure lie within the width and height of its kind, snouts apart.

use super::appearance::Tone;
use super::shape;
use crate::mob::MobKind;
use crate::space::Point;

/// A living thing to be drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    pub kind: MobKind,
    /// The middle of its feet.
    pub at: Point,
    /// Tells two of a kind apart: it decides where a figure looks.
    pub number: u64,
}

/// A box relative to the eye.
#[derive(Debug, Clone, Copy)]
struct Part {
    low: [f32; 3],
    high: [f32; 3],
    tone: Tone,
    /// Eyes on this side: axis, and whether on the far side of it.
    face: Option<(usize, bool)>,
}

/// A figure ready to be met by lines from the eye.
#[derive(Debug)]
pub(crate) struct Stand {
    parts: Vec<Part>,
    middle: [f32; 3],
    /// Square of the distance from the middle within which all parts lie.
    radius_squared: f32,
}

/// Where a line meets a figure.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Met {
    pub(crate) at: f32,
    pub(crate) axis: usize,
    pub(crate) tone: Tone,
}

/// Colours of body, head and legs.
fn tones(kind: MobKind) -> [Tone; 3] {
    let rgb = |hex: u32| [16, 8, 0].map(|shift| ((hex >> shift) & 0xFF) as f32 / 255.0);
    let [body, head, legs] = match kind {
        MobKind::Cow => [0x0044_3626, 0x0053_4230, 0x003A_2E22],
        MobKind::Mooshroom => [0x00A0_1C1E, 0x00B0_2A2A, 0x0080_1618],
        MobKind::Pig => [0x00EE_A3A0, 0x00F2_B0AC, 0x00D8_8E8A],
        MobKind::Sheep => [0x00E8_E8E8, 0x00D0_B8A0, 0x00C8_B098],
        MobKind::Chicken => [0x00F2_F2F2, 0x00F4_F4F0, 0x00E0_B030],
        MobKind::Rabbit => [0x008A_6C4E, 0x0098_7A5C, 0x0078_5C40],
        MobKind::Horse => [0x0070_4A28, 0x0078_5230, 0x0050_3418],
        MobKind::Llama => [0x00D8_C69A, 0x00DE_CEA8, 0x00C0_AE82],
        MobKind::Squid => [0x0022_3B4D, 0x002A_4A60, 0x001C_3040],
        MobKind::Cod => [0x00C1_A76A, 0x00B0_9458, 0x00A0_8448],
        MobKind::Salmon => [0x00A0_3530, 0x006A_7A58, 0x0080_2A26],
        MobKind::Zombie => [0x0020_8A8A, 0x004F_8040, 0x0036_3E92],
        MobKind::Husk => [0x0080_6A48, 0x00A0_8A60, 0x006A_583C],
        MobKind::Skeleton => [0x00B8_B8B8, 0x00CC_CCCC, 0x00A4_A4A4],
        MobKind::Stray => [0x0062_7678, 0x00B8_C4C6, 0x0088_9698],
        MobKind::Spider => [0x0034_2D27, 0x003E_362E, 0x0028_221E],
        MobKind::CaveSpider => [0x000C_424E, 0x0012_4E5C, 0x000A_343E],
        MobKind::Creeper => [0x0050_A84A, 0x005C_B854, 0x0040_9040],
        MobKind::Enderman => [0x0016_1616, 0x001A_1A1A, 0x0010_1010],
        MobKind::Slime => [0x0070_C060, 0x0084_D070, 0x0060_B050],
        MobKind::Witch => [0x0034_2040, 0x00B8_8A6A, 0x0028_1830],
        MobKind::Drowned => [0x0030_6A6A, 0x0060_9A90, 0x0030_4A60],
        MobKind::Villager => [0x0056_3C33, 0x00BD_8B72, 0x0042_2E28],
        MobKind::Silverfish => [0x0075_7D80, 0x008A_9497, 0x0060_6769],
    };
    [rgb(body), rgb(head), rgb(legs)]
}

/// How a kind is built.
#[derive(Clone, Copy, PartialEq)]
enum Build {
    Upright,
    OnFours,
    Lump,
}

fn build(kind: MobKind) -> Build {
    match kind {
        MobKind::Cow
        | MobKind::Mooshroom
        | MobKind::Pig
        | MobKind::Sheep
        | MobKind::Rabbit
        | MobKind::Horse
        | MobKind::Llama
        | MobKind::Chicken
        | MobKind::Spider
        | MobKind::CaveSpider => Build::OnFours,
        MobKind::Squid | MobKind::Cod | MobKind::Salmon | MobKind::Slime | MobKind::Silverfish => {
            Build::Lump
        }
        MobKind::Zombie
        | MobKind::Husk
        | MobKind::Skeleton
        | MobKind::Stray
        | MobKind::Creeper
        | MobKind::Enderman
        | MobKind::Witch
        | MobKind::Drowned
        | MobKind::Villager => Build::Upright,
    }
}

impl Stand {
    pub(crate) fn new(figure: &Figure, eye: Point) -> Self {
        let facts = figure.kind.facts();
        let (width, height) = (facts.width, facts.height);
        let feet = [
            figure.at.x - eye.x,
            figure.at.y - eye.y,
            figure.at.z - eye.z,
        ]
        .map(|v| v as f32);
        let (axis, far) = ([0, 2][(figure.number & 1) as usize], figure.number & 2 == 0);
        let mut parts = Vec::new();
        // Measures: sideways, up, and forward as shares of width, height and width.
        let mut part = |side: [f32; 2], up: [f32; 2], ahead: [f32; 2], tone: Tone, face: bool| {
            let turned = if far { ahead } else { [-ahead[1], -ahead[0]] };
            let (x, z) = if axis == 0 {
                (turned, side)
            } else {
                (side, turned)
            };
            let (low, high) = ([x[0], up[0], z[0]], [x[1], up[1], z[1]]);
            let size = [width, height, width];
            let place = |v: [f32; 3]| [0, 1, 2].map(|i| feet[i] + v[i] * size[i]);
            parts.push(Part {
                low: place(low),
                high: place(high),
                tone,
                face: face.then_some((axis, far)),
            });
        };
        let [body, head, legs] = tones(figure.kind);
        match build(figure.kind) {
            Build::Upright => {
                part([-0.38, -0.03], [0.0, 0.4], [-0.18, 0.18], legs, false);
                part([0.03, 0.38], [0.0, 0.4], [-0.18, 0.18], legs, false);
                part([-0.42, 0.42], [0.4, 0.76], [-0.2, 0.2], body, false);
                part([-0.38, 0.38], [0.76, 1.0], [-0.38, 0.38], head, true);
            }
            Build::OnFours => {
                for (side, ahead) in [(-0.4, -0.5), (0.15, -0.5), (-0.4, 0.2), (0.15, 0.2)] {
                    part(
                        [side, side + 0.25],
                        [0.0, 0.45],
                        [ahead, ahead + 0.25],
                        legs,
                        false,
                    );
                }
                part([-0.45, 0.45], [0.38, 0.88], [-0.55, 0.5], body, false);
                part([-0.3, 0.3], [0.55, 1.0], [0.45, 0.85], head, true);
            }
            Build::Lump => part([-0.5, 0.5], [0.0, 1.0], [-0.5, 0.5], body, true),
        }
        let middle = [feet[0], feet[1] + height * 0.5, feet[2]];
        let radius = width + height * 0.55;
        Self {
            parts,
            middle,
            radius_squared: radius * radius,
        }
    }

    /// A block on its way down.
    pub(crate) fn of_block(at: Point, tone: Tone, eye: Point) -> Self {
        let feet = [at.x - eye.x, at.y - eye.y, at.z - eye.z].map(|v| v as f32);
        let part = Part {
            low: [feet[0] - 0.5, feet[1], feet[2] - 0.5],
            high: [feet[0] + 0.5, feet[1] + 1.0, feet[2] + 0.5],
            tone,
            face: None,
        };
        Self {
            parts: vec![part],
            middle: [feet[0], feet[1] + 0.5, feet[2]],
            radius_squared: 0.75,
        }
    }

    /// Where a line from the eye first meets the figure before `limit`.
    #[inline]
    pub(crate) fn meet(&self, along: [f32; 3], limit: f32) -> Option<Met> {
        let ahead: f32 = (0..3).map(|i| self.middle[i] * along[i]).sum();
        let squared: f32 = self.middle.iter().map(|v| v * v).sum();
        // The line passes the middle too far off.
        if squared - ahead * ahead.max(0.0) > self.radius_squared {
            return None;
        }
        let mut met: Option<Met> = None;
        for part in &self.parts {
            let Some((at, axis)) = shape::enter([0.0; 3], along, part.low, part.high) else {
                continue;
            };
            if at < met.map_or(limit, |m| m.at) {
                met = Some(Met {
                    at,
                    axis,
                    tone: part.tone_at(along, at, axis),
                });
            }
        }
        met
    }
}

impl Part {
    fn tone_at(&self, along: [f32; 3], at: f32, axis: usize) -> Tone {
        let share = |i: usize| (along[i] * at - self.low[i]) / (self.high[i] - self.low[i]);
        let (side, up) = (share(if axis == 0 { 2 } else { 0 }), share(1));
        let in_front = self.face == Some((axis, along[axis] < 0.0));
        let eye =
            in_front && (0.5..0.68).contains(&up) && (0.12..0.36).contains(&(side - 0.5).abs());
        if eye {
            return [0.04, 0.04, 0.05];
        }
        // A coarse weave, so that limbs are told from each other.
        let (a, b) = ((side * 6.0) as i32, (up * 8.0) as i32);
        let shade = 0.93 + 0.02 * ((a * 5 + b * 3) & 7) as f32;
        self.tone.map(|c| c * shade)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cow_ahead_is_met_and_one_behind_is_not() {
        let at = |z| Figure {
            kind: MobKind::Cow,
            at: Point::new(0.0, -1.0, z),
            number: 1,
        };
        let eye = Point::default();
        let ahead = Stand::new(&at(5.0), eye)
            .meet([0.0, 0.0, 1.0], 50.0)
            .unwrap();
        assert!((3.5..5.0).contains(&ahead.at), "{ahead:?}");
        assert!(
            Stand::new(&at(-5.0), eye)
                .meet([0.0, 0.0, 1.0], 50.0)
                .is_none()
        );
        assert!(
            Stand::new(&at(5.0), eye)
                .meet([0.0, 0.0, 1.0], 2.0)
                .is_none()
        );
    }
}
