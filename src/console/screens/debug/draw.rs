//! The Debug screen: the list, the scrubber, the parts, and what lies over them.

use crate::cache::Cache;
use crate::lists::draw as list;
use crate::screens::debug::inspection::{Inspection, PartContent, inspection};
use crate::screens::debug::parts::part_content;
use crate::screens::debug::place::Places;
use crate::screens::debug::state::DebugPart;
use crate::screens::debug::{breaks, compare, frames, place};
use crate::shell::Shell;
use crate::theme::{Role, Theme};
use crate::view::View;
use crate::widgets::pane;
use crate::widgets::rich::Rich;
use crate::widgets::rows::{line, rows};
use crate::widgets::scroll::window;
use crate::widgets::table::TableUi;
use crate::widgets::table::draw::show;
use pithead_core::text::clean::fit_columns;
use pithead_core::text::numbers::{format_count, format_ticks};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType};

pub(crate) fn draw(
    frame: &mut Frame<'_>,
    shell: &Shell,
    cache: &Cache,
    view: &View,
    theme: &Theme,
) {
    let places = place::debug_places(frame.area().as_size(), &shell.debug);
    let width = usize::from(frame.area().width);
    line(frame, places.title, &title(shell, view).cut(width), theme);
    line(
        frame,
        places.told,
        &list::list_summary(shell, cache).cut(width),
        theme,
    );
    draw_list(frame, shell, cache, &places, theme);
    let Some(inspection) = inspection(shell, cache) else {
        let text = match &cache.debug.fault {
            Some(fault) => Rich::text(Role::Bad, format!(" {fault}")),
            None => Rich::text(Role::Faint, " reading …"),
        };
        if !cache.debug.index.attempts.is_empty() {
            line(frame, places.case, &text.cut(width), theme);
        }
        return;
    };
    line(
        frame,
        places.case,
        &attempt_line(&inspection, cache, width),
        theme,
    );
    line(
        frame,
        places.scrubber,
        &scrubber(&inspection, cache, width),
        theme,
    );
    line(frame, places.tabs, &tabs(shell, width), theme);
    if let Some(area) = places.side {
        return beside(frame, area, &inspection, cache, theme);
    }
    for (part, area) in &places.parts {
        let inner = pane::room(*area);
        let said = part_content(*part, &inspection, cache, usize::from(inner.width));
        let is_focused = *part == shell.debug.part;
        let top = top(*part, &said, usize::from(inner.height), shell.debug.scroll);
        boxed(frame, *area, (part.name(), is_focused), &said, top, theme);
    }
}

/// ` pithead ▸ Debug ▸ run 3 · craft an iron pickaxe · a recording`
fn title(shell: &Shell, view: &View) -> Rich {
    let mut out = Rich::text(Role::Title, " pithead")
        .and(Role::Faint, " ▸ ")
        .and(Role::Strong, shell.screen.name());
    let Some(head) = &view.head else { return out };
    out.add(Role::Faint, " ▸ ");
    out.add(Role::Text, format!("run {} · {}", head.run, head.task));
    let how = match (shell.live.is_replay(), view.status.is_over()) {
        (true, _) => " · a recording",
        (false, true) => " · over",
        (false, false) => " · live",
    };
    out.add(Role::Faint, how);
    if let Some((from, at)) = view.origin {
        out.add(Role::Notice, format!(" · forked from run {from} at {at}"));
    }
    let on = breaks::breakpoints(shell, view)
        .iter()
        .filter(|b| !b.off)
        .count();
    if on > 0 {
        out.add(Role::Notice, format!(" · ● {on} to stop at"));
    }
    out
}

fn draw_list(frame: &mut Frame<'_>, shell: &Shell, cache: &Cache, places: &Places, theme: &Theme) {
    let area = places.rows.intersection(frame.area());
    if area.is_empty() {
        return;
    }
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    let nothing = TableUi::default();
    let list = shell.list().unwrap_or(&nothing);
    let Some(table) = cache.table(shell.screen) else {
        return list::draw_unread(frame, area, cache.debug.fault.as_deref(), theme);
    };
    let shown = show(table, list, width, height);
    line(frame, places.heading, &shown.heading, theme);
    let selected = (shown.selected, Some(area.x));
    rows(frame, area, &shown.lines, selected, theme);
}

/// ` a4 mine iron_ore ×3 · NAV_STUCK · recorded`
fn attempt_line(inspection: &Inspection<'_>, cache: &Cache, width: usize) -> Rich {
    let row = &inspection.case.row;
    let (role, label) = crate::screens::debug::readings::label(row, cache.debug.index.ended);
    let mut out = Rich::text(Role::Strong, format!(" {} ", row.id))
        .and(Role::Text, &row.words)
        .and(Role::Faint, " · ")
        .and(role, label);
    let deed = inspection
        .case
        .deeds
        .iter()
        .rev()
        .find(|(seq, _)| *seq <= inspection.case.seq_at(inspection.at));
    if let Some((_, words)) = deed {
        out.add(Role::Faint, " · ");
        out.add(Role::Text, words);
    }
    out.cut(width)
}

/// Where the frame in sight lies in the attempt, with bookmarks.
fn scrubber(inspection: &Inspection<'_>, cache: &Cache, width: usize) -> Rich {
    let case = inspection.case;
    let (n, of) = frames::position(inspection.ui, case);
    let tick = case
        .samples
        .get(inspection.at)
        .map_or(0, |sample| sample.tick);
    let first = case.samples.first().map_or(0, |sample| sample.tick);
    let left = Rich::text(
        Role::Text,
        format!(
            " frame {} of {} ",
            format_count(n as u64),
            format_count(of as u64)
        ),
    );
    let every = match case.every {
        1 => String::new(),
        every => format!(" · every {every}th frame"),
    };
    let right = Rich::text(
        Role::Faint,
        format!(
            " tick {} · {} in · event {}{every} ",
            format_count(tick),
            format_ticks(tick.saturating_sub(first)),
            format_count(case.seq_at(inspection.at).0)
        ),
    );
    let room = width.saturating_sub(left.width() + right.width() + 3);
    if room < 6 {
        return left.with_right(right, width);
    }
    let column = |at: usize| at * (room - 1) / (of.max(2) - 1);
    let mut bar = vec!['┄'; room];
    bar[..column(inspection.at)].fill('━');
    for mark in &cache.debug.bookmarks {
        let at = case.seqs.partition_point(|seq| *seq <= mark.seq);
        let is_here = mark.seq >= case.row.from && case.row.to.is_none_or(|to| mark.seq <= to);
        if is_here && let Some(at) = at.checked_sub(1) {
            bar[column(at).min(room - 1)] = '◆';
        }
    }
    bar[column(inspection.at).min(room - 1)] = '●';
    left.and(Role::Faint, "▕")
        .and(Role::Bar, bar.into_iter().collect::<String>())
        .and(Role::Faint, "▏")
        .with_right(right, width)
}

fn tabs(shell: &Shell, width: usize) -> Rich {
    let shown = place::lower(&shell.debug);
    let mut out = Rich::new();
    for part in DebugPart::ALL.into_iter().skip(1) {
        let (role, open, close) = if part == shown {
            (Role::BorderFocus, "[", "]")
        } else {
            (Role::Faint, " ", " ")
        };
        out.add(role, format!("{open}{}{close}", part.name()));
    }
    out.cut(width)
}

/// The first line in sight.
fn top(part: DebugPart, said: &PartContent, height: usize, scroll: usize) -> usize {
    let last = said.lines.len().saturating_sub(height);
    match (part, said.selected) {
        // A chart is seen whole, from its name on.
        (DebugPart::Charts, Some(row)) => row.min(last),
        (_, Some(row)) => window(row, said.lines.len(), height),
        (_, None) => scroll.min(last),
    }
}

fn boxed(
    frame: &mut Frame<'_>,
    area: Rect,
    (name, is_focused): (&str, bool),
    said: &PartContent,
    top: usize,
    theme: &Theme,
) {
    let area = area.intersection(frame.area());
    let inner = pane::room(area);
    if area.is_empty() {
        return;
    }
    if inner != area {
        let (border, kind) = if is_focused {
            (Role::BorderFocus, BorderType::Thick)
        } else {
            (Role::Border, BorderType::Rounded)
        };
        let mut spans = vec![Span::styled(format!(" {name} "), theme.style(border))];
        let room = usize::from(area.width).saturating_sub(name.len() + 8);
        if !said.title.is_empty() && room > 4 {
            let title = format!("· {} ", fit_columns(&said.title, room));
            spans.push(Span::styled(title, theme.style(Role::Faint)));
        }
        let mut block = Block::bordered()
            .border_type(kind)
            .border_style(theme.style(border))
            .title_top(Line::from(spans));
        let below = said
            .lines
            .len()
            .saturating_sub(top + usize::from(inner.height));
        if below > 0 || top > 0 {
            let words = format!(" {} of {} ", top + 1, said.lines.len());
            let mark = Span::styled(words, theme.style(Role::Faint));
            block = block.title_bottom(Line::from(mark).right_aligned());
        }
        frame.render_widget(block, area);
    }
    let lines = said.lines.get(top..).unwrap_or_default();
    let selected = said.selected.filter(|_| is_focused);
    let selected = selected.and_then(|row| row.checked_sub(top));
    // The glyph stands in the border.
    let mark = (inner != area).then_some(area.x);
    rows(frame, inner, lines, (selected, mark), theme);
}

fn beside(
    frame: &mut Frame<'_>,
    area: Rect,
    inspection: &Inspection<'_>,
    cache: &Cache,
    theme: &Theme,
) {
    let inner = pane::room(area);
    let said = match inspection.other {
        Some(other) => {
            let ended = cache.debug.index.ended;
            compare::comparison_content(inspection, other, ended, usize::from(inner.width))
        }
        None => {
            PartContent::from_lines(vec![Rich::text(Role::Faint, "reading the other attempt …")])
        }
    };
    let last = said.lines.len().saturating_sub(usize::from(inner.height));
    let top = inspection.ui.scroll.min(last);
    boxed(frame, area, ("Side by side", true), &said, top, theme);
}

/// The part or the row of the list on which a click falls.
pub(crate) fn row_at(shell: &Shell, cache: &Cache, at: Position) -> Option<usize> {
    let rows = place::debug_places(shell.size, &shell.debug).rows;
    let (table, list) = cache.table(shell.screen).zip(shell.list())?;
    list::row_in(rows, list, table, at)
}

/// The part on which a click falls.
pub(crate) fn part_at(shell: &Shell, at: Position) -> Option<DebugPart> {
    let parts = place::debug_places(shell.size, &shell.debug).parts;
    let found = parts.into_iter().find(|(_, area)| area.contains(at));
    found.map(|(part, _)| part)
}
