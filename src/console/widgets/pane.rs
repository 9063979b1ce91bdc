//! One pane: border, name with its number, what it shows, and marks for what is out of sight.

use crate::theme::{Role, Theme};
use crate::widgets::rich::Rich;
use crate::widgets::rows::rows;
use pithead_core::text::clean::fit_columns;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType};
use unicode_width::UnicodeWidthStr;

/// Draws a pane with what it shows; the lines are made for the room that there is.
pub(crate) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    named: PaneName<'_>,
    content: impl FnOnce(Room) -> PaneContent,
    theme: &Theme,
) {
    let area = area.intersection(frame.area());
    let (bare, inner) = (is_bare(area), room(area));
    let room = Room {
        width: usize::from(inner.width),
        height: usize::from(inner.height),
    };
    if room.width == 0 || room.height == 0 {
        return;
    }
    let shown = content(room);
    if !bare {
        let block = frame_of(area, named, &shown.title, theme);
        let block = match (shown.above, shown.below) {
            (false, false) => block,
            (above, below) => {
                let (up, down) = (if above { "↑" } else { "" }, if below { "↓" } else { "" });
                let mark = Span::styled(format!(" {up}{down} more "), theme.style(Role::Faint));
                block.title_bottom(Line::from(mark).right_aligned())
            }
        };
        frame.render_widget(block, area);
    }
    let selected = shown.selected.filter(|_| named.is_focused);
    // The glyph stands in the border.
    let mark = (!bare).then_some(area.x);
    rows(frame, inner, &shown.lines, (selected, mark), theme);
}

/// Below this a border takes more than it gives.
fn is_bare(area: Rect) -> bool {
    area.height < 3 || area.width < 8
}

/// What a pane has for what it shows.
pub(crate) fn room(area: Rect) -> Rect {
    if is_bare(area) { area } else { inside(area) }
}

fn inside(area: Rect) -> Rect {
    Rect {
        x: area.x + 2,
        y: area.y + 1,
        width: area.width - 4,
        height: area.height - 2,
    }
}

/// What stands in the border of a pane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PaneName<'a> {
    pub(crate) name: &'a str,
    pub(crate) is_focused: bool,
    /// The panes that share its place.
    pub(crate) behind: &'a [&'a str],
}

fn frame_of<'a>(area: Rect, named: PaneName<'_>, title: &str, theme: &Theme) -> Block<'a> {
    let PaneName {
        name,
        is_focused,
        behind,
    } = named;
    let (border, kind) = if is_focused {
        (Role::BorderFocus, BorderType::Thick)
    } else {
        (Role::Border, BorderType::Rounded)
    };
    let name = format!(" {name} ");
    // Two corners, and the sign and the gaps around the title.
    let mut room = usize::from(area.width).saturating_sub(name.width() + 5);
    let others = match behind {
        [] => String::new(),
        behind => format!(" {} ", behind.join(" · ")),
    };
    // The others are named where that leaves the title some room.
    let has_room = !behind.is_empty() && room > others.width() + title.width().min(12);
    if has_room {
        room -= others.width() + 1;
    }
    let name_role = if is_focused {
        Role::BorderFocus
    } else {
        Role::Title
    };
    let mut spans = vec![Span::styled(name, theme.style(name_role))];
    if !title.is_empty() && room > 4 {
        let title = format!("· {} ", fit_parts(title, room));
        spans.push(Span::styled(title, theme.style(Role::Faint)));
    }
    let block = Block::bordered()
        .border_type(kind)
        .border_style(theme.style(border))
        .title_top(Line::from(spans));
    if !has_room {
        return block;
    }
    let others = Span::styled(others, theme.style(Role::Faint));
    block.title_top(Line::from(others).right_aligned())
}

/// As many of the parts as there is room for: half a number would be another number.
fn fit_parts(title: &str, room: usize) -> String {
    let mut title = title;
    while title.width() > room {
        match title.rsplit_once(" · ") {
            Some((before, _)) => title = before,
            None => return fit_columns(title, room),
        }
    }
    fit_columns(title, room)
}

/// Room inside a pane.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    pub width: usize,
    pub height: usize,
}

/// What a pane shows.
#[derive(Debug, Clone, Default)]
pub struct PaneContent {
    /// After the pane's name, for example `revision 3`.
    pub title: String,
    pub lines: Vec<Rich>,
    /// The selected line among them.
    pub selected: Option<usize>,
    /// There is more above or below.
    pub above: bool,
    pub below: bool,
}

/// A list of `len` lines around the selected one; only what is in sight is made.
pub(crate) fn rows_around(
    len: usize,
    row: usize,
    room: Room,
    make: impl FnMut(usize) -> Rich,
) -> PaneContent {
    let first = crate::widgets::scroll::window(row, len, room.height);
    let last = (first + room.height).min(len);
    PaneContent {
        lines: (first..last).map(make).collect(),
        selected: (len > 0).then(|| row.saturating_sub(first)),
        above: first > 0,
        below: last < len,
        ..PaneContent::default()
    }
}

/// A list of items of `LINES` lines each, around the selected one; only what is in sight is made.
pub(crate) fn items_around<T, const LINES: usize>(
    items: &[T],
    row: usize,
    room: Room,
    mut make: impl FnMut(&T) -> [Rich; LINES],
) -> PaneContent {
    let height = (room.height / LINES).max(1);
    let first = crate::widgets::scroll::window(row, items.len(), height);
    let last = (first + height).min(items.len());
    PaneContent {
        lines: items[first..last].iter().flat_map(&mut make).collect(),
        selected: (!items.is_empty()).then(|| row.saturating_sub(first) * LINES),
        above: first > 0,
        below: last < items.len(),
        ..PaneContent::default()
    }
}

/// A text of which the first `scroll` lines are above the pane.
pub(crate) fn scrolled_content(lines: Vec<Rich>, scroll: usize, room: Room) -> PaneContent {
    let first = scroll.min(lines.len().saturating_sub(room.height));
    let below = lines.len() > first + room.height;
    let lines = lines.into_iter().skip(first).take(room.height).collect();
    PaneContent {
        lines,
        above: first > 0,
        below,
        ..PaneContent::default()
    }
}
