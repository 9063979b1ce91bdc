//! Scenery: a picture in cells, two pixels to each: half blocks in colour, letters of rising weight without.
//!
//! Invariant: nothing is drawn outside its area, and where there is no picture it says so.

use crate::context::Scene;
use crate::screen::Screen;
use crate::screens::live::layout;
use crate::screens::live::layout::Focus;
use crate::screens::live::state::LiveState;
use crate::terminal::pictures::placement::Placement;
use crate::theme::{Role, Theme};
use crate::widgets::pane;
use pithead_world::port::Pixels;
use ratatui::Frame;
use ratatui::layout::{Rect, Size};
use ratatui::style::{Color, Style};
use ratatui::text::Span;

/// From dark to bright.
const SHADES: [&str; 10] = [" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"];

/// Where what the body sees stands on a screen of this size, if there are eyes and a place.
#[must_use]
pub fn place(size: Size, ui: &LiveState) -> Option<Rect> {
    if !ui.has_eyes() {
        return None;
    }
    let panes = layout::live_layout(size, ui).panes;
    let (_, area) = panes.iter().find(|(focus, _)| *focus == Focus::View)?;
    let inner = pane::room(*area);
    (!inner.is_empty()).then_some(inner)
}

/// The picture that is written beside the frame; none where it is drawn in cells. What lies over the
/// screen lies over the picture too, so there is none under it.
#[must_use]
pub fn beside(size: Size, scene: &Scene<'_>) -> Option<Placement> {
    let shell = scene.shell;
    let mode = scene.pictures?;
    let is_bare = shell.screen == Screen::Live && shell.overlays.is_empty();
    let seen = shell
        .live
        .seen
        .as_ref()
        .filter(|seen| seen.width > 0 && seen.height > 0)?;
    let area = place(size, &shell.live).filter(|_| is_bare)?;
    Some(Placement {
        area,
        screen: size,
        mode,
        seen: seen.clone(),
    })
}

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, seen: Option<&Pixels>, theme: &Theme) {
    let Some(seen) = seen.filter(|seen| seen.width > 0 && seen.height > 0) else {
        let text = Span::styled("nothing seen yet", theme.style(Role::Faint));
        return frame.render_widget(text, area);
    };
    // The theme stands for what the terminal has: no colours, the sixteen, or all.
    let of_terminal = theme.style(Role::Good).fg;
    let colour = |pixel| match of_terminal {
        Some(Color::Rgb(..)) => exact(pixel),
        _ => nearest(pixel),
    };
    let buffer = frame.buffer_mut();
    for row in 0..area.height {
        for column in 0..area.width {
            let pixel = |half: u32| {
                let (x, y) = (u32::from(column), u32::from(row) * 2 + half);
                // A picture of another size, from before the pane was resized, is stretched.
                seen.at(
                    x * seen.width / u32::from(area.width),
                    y * seen.height / (u32::from(area.height) * 2),
                )
            };
            let (upper, lower) = (pixel(0), pixel(1));
            let Some(cell) = buffer.cell_mut((area.x + column, area.y + row)) else {
                continue;
            };
            if of_terminal.is_some() {
                let style = Style::new().fg(colour(upper)).bg(colour(lower));
                cell.set_symbol("▀").set_style(style);
            } else {
                cell.set_symbol(SHADES[shade(upper, lower)]);
            }
        }
    }
}

fn exact([red, green, blue]: [u8; 3]) -> Color {
    Color::Rgb(red, green, blue)
}

/// The sixteen colours, as most terminals show them.
const SIXTEEN: [(Color, [u8; 3]); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::Red, [205, 0, 0]),
    (Color::Green, [0, 205, 0]),
    (Color::Yellow, [205, 205, 0]),
    (Color::Blue, [0, 0, 238]),
    (Color::Magenta, [205, 0, 205]),
    (Color::Cyan, [0, 205, 205]),
    (Color::Gray, [229, 229, 229]),
    (Color::DarkGray, [127, 127, 127]),
    (Color::LightRed, [255, 0, 0]),
    (Color::LightGreen, [0, 255, 0]),
    (Color::LightYellow, [255, 255, 0]),
    (Color::LightBlue, [92, 92, 255]),
    (Color::LightMagenta, [255, 0, 255]),
    (Color::LightCyan, [0, 255, 255]),
    (Color::White, [255, 255, 255]),
];

fn nearest(pixel: [u8; 3]) -> Color {
    let apart = |other: [u8; 3]| -> u32 {
        let parts = pixel.iter().zip(other);
        parts.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let found = SIXTEEN.iter().min_by_key(|(_, shown)| apart(*shown));
    found.map_or(Color::Reset, |(colour, _)| *colour)
}

/// How bright two pixels are together, as a place among the shades.
fn shade(upper: [u8; 3], lower: [u8; 3]) -> usize {
    let light =
        |[red, green, blue]: [u8; 3]| u32::from(red) * 3 + u32::from(green) * 6 + u32::from(blue);
    let most = 2 * 10 * 255;
    let shades = SHADES.len() as u32 - 1;
    ((light(upper) + light(lower)) * shades / most) as usize
}
