//! Drawing a recorded session: the cells of the emulated terminal, and a line about the place. Pure.

use crate::draw::scrub::scrub_frame;
use crate::recording::playback::Playback;
use crate::theme::{Role, Theme};
use crate::widgets::rich::Rich;
use pithead_core::text::clean::clean_line;
use pithead_core::text::numbers::format_seconds;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

pub(crate) fn draw(frame: &mut Frame<'_>, playback: &Playback, theme: &Theme) {
    let area = frame.area();
    let screen = playback.screen();
    let (rows, columns) = screen.size();
    let height = area.height.saturating_sub(1);
    for y in 0..rows.min(height) {
        for x in 0..columns.min(area.width) {
            let Some(cell) = screen.cell(y, x) else {
                continue;
            };
            // The second half of a wide character belongs to the first.
            if cell.is_wide_continuation() || (cell.is_wide() && x + 1 >= area.width) {
                continue;
            }
            let text = clean_line(cell.contents());
            if !text.is_empty() {
                frame.buffer_mut()[(x, y)].set_symbol(&text);
            }
            frame.buffer_mut()[(x, y)].set_style(style(cell));
        }
    }
    if area.height > 0 {
        let place = Rect::new(0, area.height - 1, area.width, 1);
        let is_cut = columns > area.width || rows > height;
        let size = is_cut.then_some((columns, rows));
        let line = place_line(playback, size).cut(usize::from(area.width));
        frame.render_widget(line.styled(theme, false), place);
    }
    scrub_frame(frame.buffer_mut());
}

/// Where it is, what was marked last, and the keys.
fn place_line(playback: &Playback, cut: Option<(u16, u16)>) -> Rich {
    let (at, length) = (playback.at().0 / 1000, playback.length().0 / 1000);
    let sign = if playback.is_playing() { "▶" } else { "■" };
    let mut out = Rich::text(
        Role::Running,
        format!(
            " {sign} {} of {} ",
            format_seconds(at),
            format_seconds(length)
        ),
    );
    out.add(Role::Text, format!("×{} ", playback.speed()));
    if let Some(percent) = playback.percent() {
        out.add(Role::Notice, format!("going there: {percent} % "));
    }
    if let Some((columns, rows)) = cut {
        let text = format!("recorded at {columns}×{}: widen the terminal ", rows + 1);
        out.add(Role::Notice, text);
    }
    let (mark, passed, all) = playback.mark();
    if all > 0 {
        out.add(Role::Strong, format!("◆ {passed} of {all} "));
    }
    if let Some(mark) = mark {
        out.add(Role::Text, format!("{mark} "));
    }
    let keys = " space play  ←→ 5 s  [ ] marks  . step  < > speed  g G ends  q leave";
    out.add(Role::Faint, keys);
    if !playback.title().is_empty() {
        out.add(Role::Faint, format!("  {}", playback.title()));
    }
    out
}

fn style(cell: &vt100::Cell) -> Style {
    let mut style = Style::new()
        .fg(color(cell.fgcolor()))
        .bg(color(cell.bgcolor()));
    for (is_on, modifier) in [
        (cell.bold(), Modifier::BOLD),
        (cell.dim(), Modifier::DIM),
        (cell.italic(), Modifier::ITALIC),
        (cell.underline(), Modifier::UNDERLINED),
        (cell.inverse(), Modifier::REVERSED),
    ] {
        if is_on {
            style = style.add_modifier(modifier);
        }
    }
    style
}

fn color(color: vt100::Color) -> Color {
    match color {
        vt100::Color::Default => Color::Reset,
        vt100::Color::Idx(index) => Color::Indexed(index),
        vt100::Color::Rgb(r, g, b) => Color::Rgb(r, g, b),
    }
}
