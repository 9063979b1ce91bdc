//! The list screens: heading, rows, and what the list says of itself; and where a click falls.

use crate::cache::Cache;
use crate::screen::{Screen, has_tab_line};
use crate::screens::live::state::RunMode;
use crate::shell::Shell;
use crate::tabs::Tabs;
use crate::theme::{Role, Theme};
use crate::view::View;
use crate::view::inbox::Open;
use crate::widgets::rich::{Rich, paragraph};
use crate::widgets::rows::{line, rows};
use crate::widgets::table::draw::show;
use crate::widgets::table::{ListItem, Table, TableUi};
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::run::decision::Subject;
use pithead_core::text::numbers::{count_with_noun, format_count};
use pithead_engine::runtime::lineage::LineageSubject;
use pithead_world::ids::AttemptId;
use ratatui::Frame;
use ratatui::layout::{Position, Rect, Size};

/// Where things stand on a list screen; what has no room is absent.
#[derive(Debug, Clone, Copy)]
struct Places {
    top: Option<Rect>,
    told: Option<Rect>,
    heading: Option<Rect>,
    rows: Rect,
    /// What is selected, in some lines: below the rows or beside them.
    preview: Option<Rect>,
    /// Between rows and preview, where that is beside them.
    edge: Option<Rect>,
}

/// What is selected in a list, in some lines, and the key that shows all of it.
#[derive(Debug)]
pub(crate) struct Preview {
    pub(crate) name: String,
    pub(crate) key: &'static str,
    pub(crate) lines: Vec<Rich>,
}

/// From this height on there is room for a preview.
const PREVIEW_FROM: u16 = 18;
/// From this width on it stands beside the rows.
const BESIDE_FROM: u16 = 160;
/// Rows of a list that has a preview below it; a shorter list leaves it the rest.
const ABOVE_ROWS: std::ops::RangeInclusive<u16> = 4..=16;

/// Whether the preview of a list stands beside its rows.
fn is_beside(screen: Screen, size: Size) -> bool {
    // What the others have there needs the whole width: tables, and entries side by side.
    let fits = matches!(screen, Screen::Inbox | Screen::Decided | Screen::Runs);
    fits && size.width >= BESIDE_FROM && size.height >= PREVIEW_FROM
}

/// Columns of the preview of a list.
pub(crate) fn preview_width(screen: Screen, size: Size) -> u16 {
    if is_beside(screen, size) {
        size.width * 9 / 20
    } else {
        size.width
    }
}

/// Where things stand for a list of so many rows.
fn places(screen: Screen, size: Size, rows: usize) -> Places {
    let row = |y: u16, width: u16, wanted: bool| {
        (wanted && size.width > 0).then(|| Rect::new(0, y, width, 1))
    };
    // The footer has the last line; the first ones go one by one as the screen gets lower.
    let (has_top, has_told, has_heading) = (size.height >= 4, size.height >= 8, size.height >= 6);
    let told_at = u16::from(has_top);
    let heading_at = told_at + u16::from(has_told);
    let rows_at = heading_at + u16::from(has_heading);
    let room = size.height.saturating_sub(rows_at + 1);
    let (width, height) = if is_beside(screen, size) {
        let beside = preview_width(screen, size);
        (size.width.saturating_sub(beside + 2), room)
    } else {
        (size.width, rows_above(screen, size, room, rows))
    };
    let left = Rect::new(0, rows_at.min(size.height), width, height);
    let is_there = height < room || width < size.width;
    let (preview, edge) = match (is_there, width < size.width) {
        (false, _) => (None, None),
        (true, false) => (
            Some(Rect::new(0, rows_at + height, width, room - height)),
            None,
        ),
        (true, true) => (
            Some(Rect::new(
                width + 2,
                heading_at,
                size.width - width - 2,
                room + 1,
            )),
            Some(Rect::new(width, heading_at, 1, room + 1)),
        ),
    };
    Places {
        top: row(0, size.width, has_top),
        told: row(told_at, size.width, has_told),
        heading: row(heading_at, width, has_heading),
        rows: left,
        preview,
        edge,
    }
}

/// Rows above the preview; all that there is room for in lists that have none.
fn rows_above(screen: Screen, size: Size, room: u16, rows: usize) -> u16 {
    let share = match screen {
        Screen::Evaluate | Screen::Failures | Screen::Queue => 4,
        // One goes through these row by row.
        Screen::Inbox | Screen::Decided | Screen::Runs => 2,
        _ => return room, // other lists have the whole screen
    };
    if size.height < PREVIEW_FROM {
        return room;
    }
    let wanted = (room / share).clamp(*ABOVE_ROWS.start(), *ABOVE_ROWS.end());
    wanted.min(
        u16::try_from(rows)
            .unwrap_or(u16::MAX)
            .max(*ABOVE_ROWS.start()),
    )
}

/// A list screen without its footer.
pub(crate) fn draw(
    frame: &mut Frame<'_>,
    shell: &Shell,
    cache: &Cache,
    preview: Option<Preview>,
    theme: &Theme,
) {
    let size = frame.area().as_size();
    let nothing = TableUi::default();
    let list = shell.list().unwrap_or(&nothing);
    let places = places(shell.screen, size, list.order.len());
    let width = usize::from(size.width);
    line(frame, places.top, &top_line(shell, cache, width), theme);
    line(
        frame,
        places.told,
        &list_summary(shell, cache).cut(width),
        theme,
    );
    let Some(table) = cache.table(shell.screen) else {
        let area = places.rows.intersection(frame.area());
        return draw_unread(frame, area, cache.fault.as_deref(), theme);
    };
    let (columns, height) = (places.rows.width, places.rows.height);
    let shown = show(table, list, usize::from(columns), usize::from(height));
    line(frame, places.heading, &shown.heading, theme);
    let area = places.rows.intersection(frame.area());
    let selected = (shown.selected, Some(area.x));
    rows(frame, area, &shown.lines, selected, theme);
    for y in places.edge.into_iter().flat_map(Rect::rows) {
        line(frame, Some(y), &Rich::text(Role::Border, "│"), theme);
    }
    if let (Some(area), Some(preview)) = (places.preview, preview) {
        draw_preview(frame, area, &preview, theme);
    }
}

/// In place of a list that has not been read: why, in full, for it says at its end what to do.
pub(crate) fn draw_unread(frame: &mut Frame<'_>, area: Rect, fault: Option<&str>, theme: &Theme) {
    let mut lines = Vec::new();
    match fault {
        Some(fault) => paragraph(
            &mut lines,
            Rich::new(),
            Role::Bad,
            fault,
            usize::from(area.width),
        ),
        None => lines.push(Rich::text(Role::Faint, "reading …")),
    }
    rows(frame, area, &lines, (None, None), theme);
}

/// What is selected; the last line says if there is more.
fn draw_preview(
    frame: &mut Frame<'_>,
    area: Rect,
    Preview { name, key, lines }: &Preview,
    theme: &Theme,
) {
    let width = usize::from(area.width);
    let name = Rich::text(Role::Border, "── ")
        .and(Role::Strong, name)
        .and(Role::Border, " ");
    let rest = width.saturating_sub(name.width());
    let name = name.and(Role::Border, "─".repeat(rest)).cut(width);
    line(frame, Some(first_row(area)), &name, theme);
    let room = usize::from(area.height.saturating_sub(1));
    let mut shown: Vec<Rich> = lines.iter().take(room).cloned().collect();
    if lines.len() > room
        && let Some(last) = shown.last_mut()
    {
        let more = format!("… {} more lines; {key} shows all", lines.len() + 1 - room);
        *last = Rich::text(Role::Faint, more);
    }
    let area = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(1),
        ..area
    };
    rows(frame, area, &shown, (None, None), theme);
}

/// Where one is, and the tabs at the end of the line.
fn top_line(shell: &Shell, cache: &Cache, width: usize) -> Rich {
    let (title, waiting) = (title(shell, cache), waiting(cache));
    let tabs = Tabs::of_top(shell, waiting).line();
    match tabs_in_top(shell, &title, &tabs, width) {
        Some(0) => tabs,
        Some(_) => title.with_right(tabs, width),
        None if waiting > 0 => {
            let waiting = format!("   ◆ {waiting} waiting");
            title.and(Role::Notice, waiting).cut(width)
        }
        None => title.cut(width),
    }
}

/// The line of tabs above the title of a run's own screens.
pub(crate) fn tab_line(shell: &Shell, waiting: usize) -> Rich {
    let tabs = Tabs::of_top(shell, waiting).line();
    Rich::new().with_right(tabs, usize::from(shell.size.width))
}

/// The column where the tabs begin. Where there is no room for both, a screen that has a tab is named by it.
fn tabs_in_top(shell: &Shell, title: &Rich, tabs: &Rich, width: usize) -> Option<usize> {
    let is_told = shell.screen.key().is_some();
    match tabs.width() {
        0 => None,
        wide if title.width() + 1 + wide <= width => Some(width - wide),
        wide if is_told && wide <= width => Some(0),
        _ => None, // where one is goes before where one could be
    }
}

/// The screen on whose tab in the first line a click falls.
pub(crate) fn tab_in_top(
    shell: &Shell,
    cache: &Cache,
    view: &View,
    column: usize,
) -> Option<Screen> {
    let is_run = matches!(shell.screen, Screen::Live | Screen::Debug);
    let waiting = if is_run {
        waiting_beside(shell, cache, view)
    } else {
        waiting(cache)
    };
    let tabs = Tabs::of_top(shell, waiting);
    if is_run {
        let line = has_tab_line(shell.size).then(|| tabs.line().width())?;
        return tabs.at(column.checked_sub(usize::from(shell.size.width).checked_sub(line)?)?);
    }
    let (title, width) = (title(shell, cache), usize::from(shell.size.width));
    let from = tabs_in_top(shell, &title, &tabs.line(), width)?;
    tabs.at(column.checked_sub(from)?)
}

/// How many questions wait in all runs.
fn waiting(cache: &Cache) -> usize {
    let inbox = cache.table(Screen::Inbox);
    inbox.map_or(0, |table| table.rows.len())
}

/// How many wait while a run is in sight. The database is not looked at then; the run itself tells what it asks.
pub(crate) fn waiting_beside(shell: &Shell, cache: &Cache, view: &View) -> usize {
    let Some(run) = view.head.as_ref().map(|head| head.run) else {
        return waiting(cache);
    };
    if !matches!(shell.live.mode, RunMode::Live(_)) {
        return waiting(cache); // a recording shows what was asked then
    }
    let inbox = cache.table(Screen::Inbox);
    let known: Vec<ListItem> = inbox.map_or_else(Vec::new, |table| {
        table.rows.iter().map(|row| row.item).collect()
    });
    let still_waits = |item: &&ListItem| match **item {
        ListItem::Entry(id) if id.run == run => {
            let item = view.knowledge.item(id);
            item.is_none_or(|item| item.status == Status::Proposed)
        }
        ListItem::Question(asker, id) if asker == run => view.inbox.get(id).is_some(),
        _ => true, // of other runs
    };
    // A fork repeats what its past asked about entries of others, which stand in the inbox already.
    let is_new = |open: &&Open| match open.question.subject {
        Subject::Knowledge(id) => id.run == run && !known.contains(&ListItem::Entry(id)),
        _ => !known.contains(&ListItem::Question(run, open.question.id)),
    };
    known.iter().filter(still_waits).count() + view.inbox.open.iter().filter(is_new).count()
}

/// ` pithead ▸ Knowledge ▸ Queue`
fn title(shell: &Shell, cache: &Cache) -> Rich {
    let mut out = Rich::text(Role::Title, " pithead").and(Role::Faint, " ▸ ");
    if let (Screen::Episodes, Some(id)) = (shell.screen, shell.opened) {
        out.add(Role::Text, Screen::Evaluate.name());
        out.add(Role::Faint, " ▸ ");
        out.add(Role::Text, cache.name(ListItem::Evaluation(id)));
        out.add(Role::Faint, " ▸ ");
    }
    if shell.screen.tab() == Screen::Knowledge && shell.screen != Screen::Knowledge {
        out.add(Role::Text, Screen::Knowledge.name());
        out.add(Role::Faint, " ▸ ");
    }
    if shell.screen == Screen::Failures {
        out.add(Role::Text, Screen::Runs.name());
        out.add(Role::Faint, " ▸ ");
        let runs = count_with_noun(shell.failing.len(), "run", "runs");
        out.add(Role::Text, runs);
        out.add(Role::Faint, " ▸ ");
    }
    out.add(Role::Strong, shell.screen.name());
    if let Some(subject) = subject(shell, cache) {
        out.add(Role::Faint, " of ");
        out.add(Role::Text, subject);
    }
    out
}

/// What the list is about, if it is opened from something.
fn subject(shell: &Shell, cache: &Cache) -> Option<String> {
    let name = match (shell.screen, shell.lineage) {
        (Screen::Options, _) => shell.options.name.clone(),
        (Screen::Lineage, Some(LineageSubject::Entry(id))) => cache.name(ListItem::Entry(id)),
        (Screen::Lineage, Some(LineageSubject::Attempt(id))) => {
            cache.name(ListItem::Failure(id.run, AttemptId(id.n)))
        }
        _ => return None, // other lists are about nothing in particular
    };
    (!name.is_empty()).then_some(name)
}

fn first_row(area: Rect) -> Rect {
    Rect {
        height: area.height.min(1),
        ..area
    }
}

/// `12 of 340 runs · filter iron !failure · sorted by ticks ▼ · 3 marked`
pub(crate) fn list_summary(shell: &Shell, cache: &Cache) -> Rich {
    let Some((table, list)) = cache.table(shell.screen).zip(shell.list()) else {
        return Rich::new();
    };
    let (shown, all) = (list.order.len() as u64, table.rows.len() as u64);
    let of_all = counted(shell.screen, all);
    let mut out = match (shell.screen, shown == all) {
        (Screen::Home, _) if list.filter.is_empty() => home_summary(cache),
        (_, true) => Rich::text(Role::Text, format!(" {of_all}")),
        (_, false) => Rich::text(Role::Text, format!(" {} of {of_all}", format_count(shown))),
    };
    if !list.filter.is_empty() {
        out.add(Role::Faint, " · filter ");
        out.add(Role::Notice, &list.filter);
    }
    if let Some((column, descending)) = list.sort
        && let Some(column) = table.columns.get(column)
    {
        let arrow = if descending { "▼" } else { "▲" };
        out.add(Role::Faint, format!(" · sorted by {} {arrow}", column.name));
    }
    if !list.marks.is_empty() {
        out.add(Role::Notice, format!(" · {} marked", list.marks.len()));
    }
    if let Some(fault) = &cache.fault {
        out.add(Role::Bad, format!(" · not up to date: {fault}"));
    }
    out
}

/// `340 runs`: how many rows a list has, and what they are.
fn counted(screen: Screen, rows: u64) -> String {
    let (one, many) = match screen {
        Screen::Inbox => ("waits for you", "wait for you"),
        Screen::Decided => ("decision", "decisions"),
        Screen::Rules => ("rule", "rules"),
        Screen::Live | Screen::Debug => ("attempt", "attempts"),
        Screen::Knowledge => ("entry", "entries"),
        Screen::Runs => ("run", "runs"),
        Screen::Evaluate => ("evaluation", "evaluations"),
        Screen::Episodes => ("episode", "episodes"),
        Screen::Failures => ("failed attempt", "failed attempts"),
        Screen::Options => ("way", "ways"),
        Screen::Logs => ("line", "lines"),
        Screen::Queue | Screen::Lineage | Screen::Home => ("row", "rows"),
    };
    count_with_noun(usize::try_from(rows).unwrap_or(usize::MAX), one, many)
}

/// ` 2 live · 1 left · 3 wait for you · 14 entries`
fn home_summary(cache: &Cache) -> Rich {
    let count = |alive: bool| {
        let runs = cache.runs.iter();
        runs.filter(|run| run.outcome.is_none() && run.alive == alive)
            .count()
    };
    let waiting = waiting(cache);
    let parts = [
        (Role::Running, count(true), "live", "live"),
        (Role::Notice, count(false), "left", "left"),
        (Role::Notice, waiting, "waits for you", "wait for you"),
        (Role::Text, cache.runs.len(), "run", "runs"),
        (Role::Text, cache.entries.len(), "entry", "entries"),
    ];
    let mut out = Rich::new();
    for (role, n, one, many) in parts.into_iter().filter(|(_, n, ..)| *n > 0) {
        let lead = if out.width() == 0 { " " } else { " · " };
        out.add(Role::Faint, lead);
        out.add(role, count_with_noun(n, one, many));
    }
    if out.width() == 0 {
        out.add(
            Role::Faint,
            " nothing was run yet; enter starts what is selected",
        );
    }
    out
}

/// The row of the list, of those in sight, on which a click falls.
#[must_use]
pub fn row_at(
    screen: Screen,
    list: &TableUi,
    table: &Table,
    size: Size,
    at: Position,
) -> Option<usize> {
    row_in(places(screen, size, list.order.len()).rows, list, table, at)
}

/// The same for a list that is drawn in this place.
pub(crate) fn row_in(place: Rect, list: &TableUi, table: &Table, at: Position) -> Option<usize> {
    if !place.contains(at) {
        return None;
    }
    let (width, height) = (usize::from(place.width), usize::from(place.height));
    let shown = show(table, list, width, height);
    let line = usize::from(at.y - place.y);
    shown.rows.get(line).copied().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    #[test]
    fn why_a_list_is_not_there_is_said_to_its_end() {
        let fault = "the database is damaged: `pithead verify` says where; restore a backup";
        let mut terminal = Terminal::new(TestBackend::new(30, 4)).unwrap();
        let theme = crate::theme::Theme::default_for(true);
        terminal
            .draw(|frame| draw_unread(frame, frame.area(), Some(fault), &theme))
            .unwrap();
        let text = terminal.backend().to_string();
        assert!(text.contains("restore a backup"), "{text}");
    }
}
