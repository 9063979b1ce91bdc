//! The map pane: what has been seen around the agent, from above, at its height.
//!
//! One block is one column, or two where there is room. North is up. Every sign can be told apart
//! without its colour.

use crate::screens::live::panes::pane::{Pane, switch_zoom};
use crate::screens::live::state::LiveState;
use crate::shell::Shell;
use crate::theme::Role;
use crate::view::View;
use crate::view::map::{MapSight, bearing};
use crate::widgets::pane::{PaneContent, Room};
use crate::widgets::rich::Rich;
use crate::widgets::scroll::Motion;
use pithead_core::text::numbers::{count_with_noun, format_times};
use pithead_world::block;
use pithead_world::block::BlockId;
use pithead_world::space::Pos;

/// What it shows, and what keys do in it.
pub(crate) const PANE: Pane = Pane {
    show,
    move_selection,
    open: switch_zoom,
};

/// From this width on a block takes two columns, which makes it square.
const SQUARE_FROM: usize = 44;
/// Notable things listed below the map.
const LISTED_MAX: usize = 4;

pub fn show(view: &View, ui: &LiveState, room: Room) -> PaneContent {
    let map = &view.map;
    let (Some(feet), true) = (map.feet, room.width > 0) else {
        let lines = vec![Rich::text(Role::Faint, "nothing has been seen yet")];
        return PaneContent {
            lines,
            ..PaneContent::default()
        };
    };
    let mut foot = notable(view, room);
    let rows = room.height.saturating_sub(foot.len());
    let step = if room.width >= SQUARE_FROM { 2 } else { 1 };
    let columns = room.width / step;
    let (shift_x, shift_z) = ui.map_shift;
    let west = feet.x + shift_x - i32::try_from(columns / 2).unwrap_or(0);
    let north = feet.z + shift_z - i32::try_from(rows / 2).unwrap_or(0);
    let marks = Marks::of(view, feet);
    let mut lines: Vec<Rich> = (0..rows)
        .map(|row| {
            let z = north + i32::try_from(row).unwrap_or(0);
            line(view, &marks, west, z, columns, step)
        })
        .collect();
    lines.append(&mut foot);
    let mut title = format!(
        "y {} · {} seen",
        feet.y,
        count_with_noun(map.chunks_seen(), "chunk", "chunks")
    );
    if let Some(stretch) = &map.repeated {
        let blocks = count_with_noun(stretch.places.len(), "block", "blocks");
        title += &format!(" · ↻ {blocks} walked {}", format_times(stretch.times));
    }
    PaneContent {
        title,
        lines,
        ..PaneContent::default()
    }
}

fn line(view: &View, marks: &Marks, west: i32, z: i32, columns: usize, step: usize) -> Rich {
    let mut out = Rich::new();
    let mut run = (Role::Text, String::new());
    for x in (west..).take(columns) {
        let (role, sign) = marks.at(x, z).unwrap_or_else(|| cell(view, x, z));
        if run.0 != role {
            out.add(run.0, std::mem::take(&mut run.1));
            run.0 = role;
        }
        run.1.push(sign);
        if step == 2 {
            // Ground and walls fill their square; a thing stands once in it.
            run.1.push(if is_fill(sign) { sign } else { ' ' });
        }
    }
    out.add(run.0, run.1);
    out
}

fn is_fill(sign: char) -> bool {
    matches!(sign, '█' | '▓' | '▒' | '░' | '~' | '≈' | '·')
}

/// Things that lie over the ground.
struct Marks {
    cells: Vec<(i32, i32, Role, char)>,
}

impl Marks {
    /// The first that stands on a cell wins: the agent, where it got stuck, ores, its path.
    fn of(view: &View, feet: Pos) -> Self {
        let mut cells = vec![(feet.x, feet.z, Role::Agent, '@')];
        let repeated = view.map.repeated.iter().flat_map(|of| &of.places);
        let repeated = repeated.map(|p| (p.x, p.z, Role::Notice, '↻'));
        cells.extend(view.map.stuck.iter().map(|p| (p.x, p.z, Role::Bad, '✗')));
        cells.extend(repeated);
        let notable = view.frame.iter().flat_map(|frame| &frame.notable);
        cells.extend(notable.filter_map(|sight| {
            let (role, sign) = thing(sight.block)?;
            Some((sight.at.x, sight.at.z, role, sign))
        }));
        let mobs = view.frame.iter().flat_map(|frame| &frame.mobs);
        cells.extend(mobs.map(|mob| {
            let sign = mob.kind.name().chars().next().unwrap_or('m');
            (mob.at.block().x, mob.at.block().z, Role::Strong, sign)
        }));
        cells.extend(
            view.map
                .trail
                .iter()
                .rev()
                .map(|p| (p.x, p.z, Role::Trail, '•')),
        );
        Self { cells }
    }

    fn at(&self, x: i32, z: i32) -> Option<(Role, char)> {
        let found = self
            .cells
            .iter()
            .find(|(cx, cz, _, _)| (*cx, *cz) == (x, z))?;
        Some((found.2, found.3))
    }
}

fn cell(view: &View, x: i32, z: i32) -> (Role, char) {
    view.map.sight(x, z).map_or((Role::Text, ' '), terrain)
}

fn thing(block: BlockId) -> Option<(Role, char)> {
    let name = block.name();
    if name.ends_with("_ore") {
        Some((Role::Ore, '◆'))
    } else if matches!(name, "crafting_table" | "furnace" | "chest") {
        Some((Role::Station, '⌂'))
    } else {
        None
    }
}

/// Ground below the feet is light, what stands in the way is dark and dense.
fn terrain(sight: MapSight) -> (Role, char) {
    let block = sight.block;
    let name = block.name();
    if let Some(thing) = thing(block) {
        return thing;
    }
    if block == block::WATER {
        return (Role::Water, '~');
    }
    if block == block::LAVA {
        return (Role::Lava, '≈');
    }
    let is_plant = name.ends_with("_log") || name.ends_with("_leaves") || !block.is_solid();
    if is_plant {
        return (Role::Plant, if block.is_solid() { '♣' } else { '"' });
    }
    let role = ground(name);
    match sight.above_feet {
        // Above the head, then as high as the body: walls.
        2.. => (role, '█'),
        0..=1 => (role, '▓'),
        -1 => (role, '▒'),
        -4..=-2 => (role, '░'),
        _ => (Role::Deep, '·'),
    }
}

fn ground(name: &str) -> Role {
    if name.contains("sand") {
        Role::Sand
    } else if matches!(
        name,
        "grass_block" | "dirt" | "coarse_dirt" | "podzol" | "grass_path" | "farmland"
    ) {
        Role::Soil
    } else {
        Role::Stone
    }
}

/// The nearest of each notable kind, with the way to it.
fn notable(view: &View, room: Room) -> Vec<Rich> {
    let Some(frame) = &view.frame else {
        return Vec::new();
    };
    let mut seen: Vec<BlockId> = Vec::new();
    let mut out = Vec::new();
    for sight in &frame.notable {
        if seen.contains(&sight.block) {
            continue;
        }
        seen.push(sight.block);
        let (role, sign) = thing(sight.block).unwrap_or((Role::Plant, '♣'));
        let place = format!("{} y {}", bearing(frame.position, sight.at), sight.at.y);
        let left = Rich::text(role, format!("{sign} ")).and(Role::Text, sight.block.name());
        out.push(left.with_right(Rich::text(Role::Faint, place), room.width));
        if out.len() == LISTED_MAX.min(room.height / 4) {
            break;
        }
    }
    out
}

/// Blocks that the map moves at a key.
const SHIFT: i32 = 4;
/// As far as the map may be moved off the agent.
const SHIFT_MAX: i32 = 4096;

fn move_selection(shell: &mut Shell, _: &View, motion: Motion) {
    let (x, z) = shell.live.map_shift;
    let (x, z) = match motion {
        Motion::Up => (x, z - SHIFT),
        Motion::Down => (x, z + SHIFT),
        Motion::Left => (x - SHIFT, z),
        Motion::Right => (x + SHIFT, z),
        Motion::PageUp => (x, z - 4 * SHIFT),
        Motion::PageDown => (x, z + 4 * SHIFT),
        Motion::Top | Motion::Bottom => (0, 0),
    };
    shell.live.map_shift = (
        x.clamp(-SHIFT_MAX, SHIFT_MAX),
        z.clamp(-SHIFT_MAX, SHIFT_MAX),
    );
}
