//! What lies over a screen of the shell: pages, the palette, lines of text.

use crate::available::fits_screen;
use crate::cache::Cache;
use crate::context::Scene;
use crate::effect::GateRule;
use crate::input::keys::{Argument, names};
use crate::input::typed::parse_typed;
use crate::lists::views::{draw_save, draw_views};
use crate::overlay::{OpenPage, Overlay};
use crate::overlays::edit_card::edit_card;
use crate::overlays::gate_rule::rule_lines;
use crate::overlays::pages::{bar_rows, page_bar, page_lines, page_title};
use crate::overlays::palette;
use crate::overlays::palette::PaletteOffer;
use crate::overlays::typed::typed_lines;
use crate::screens::home::launch::{NamedServer, ResumeConsent};
use crate::screens::live;
use crate::screens::runs::bulk;
use crate::screens::runs::state::Bulk;
use crate::theme::{Role, Theme};
use crate::widgets::popup::{clear, key_bar, keys, popup, put, reading, typing};
use crate::widgets::rich::Rich;
use crate::widgets::scroll::window;
use crate::widgets::table::ListItem;
use crate::widgets::table::columns::ColumnChoice;
use pithead_core::text::clean::{clean_line, wrap_columns};
use pithead_core::text::numbers::count_with_noun;
use pithead_engine::runtime::operator::bulk::BulkAction;
use pithead_world::ids::RunId;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::widgets::Clear;

/// Commands shown at once.
const FOUND_MAX: u16 = 12;
const PALETTE_WIDTH: u16 = 112;
/// Runs named before they are deleted.
const DELETED_NAMED_MAX: usize = 8;
const DELETE_WIDTH: usize = 72;

/// What lies on top; what is below it comes in sight again when it is closed.
pub(crate) fn draw(frame: &mut Frame<'_>, scene: &Scene<'_>, theme: &Theme) {
    let Scene {
        shell, cache, view, ..
    } = *scene;
    let Some(overlay) = shell.overlay() else {
        return;
    };
    match overlay {
        Overlay::Page(page) => draw_page(frame, page, scene, theme),
        Overlay::Editor(_) => {
            if let Some(editor) = &shell.editor {
                let room = frame.area().width.saturating_sub(2);
                let below = edit_card(editor, &shell.knowledge.studies, usize::from(room));
                crate::widgets::editor::draw::draw(frame, editor, &below, theme);
            }
        }
        Overlay::Filter { text, .. } => draw_filter(frame, text, theme),
        Overlay::Palette { text, at } => draw_palette(frame, scene, (text, *at), theme),
        Overlay::Columns(choice) => columns(frame, choice, theme),
        Overlay::NewRun(form) => crate::screens::home::draw::draw(frame, form, theme),
        Overlay::GateRule(rule) => draw_rule(frame, rule, cache, theme),
        Overlay::Run(run) => live::overlay::draw(frame, run, view, theme),
        Overlay::Debug(debug) => {
            crate::screens::debug::draw_overlay::draw(frame, debug, shell, cache, view, theme);
        }
        Overlay::Inbox(inbox) => crate::screens::inbox::draw::draw(frame, inbox, cache, theme),
        Overlay::Reason(prompt) => {
            crate::screens::knowledge::draw::draw_reason(frame, prompt, cache, theme);
        }
        Overlay::DeleteRuns(runs) => delete(frame, runs, cache, theme),
        Overlay::Consent(wants) => consent(frame, wants, theme),
        Overlay::Bulk(bulk) => many_runs(frame, bulk, cache, theme),
        Overlay::Views { at } => draw_views(frame, shell, *at, theme),
        Overlay::SaveView { text } => draw_save(frame, text, theme),
        Overlay::Triage(prompt) => crate::overlays::triage::draw(frame, prompt, theme),
    }
}

fn draw_page(frame: &mut Frame<'_>, page: &OpenPage, scene: &Scene<'_>, theme: &Theme) {
    let Scene {
        shell, cache, view, ..
    } = *scene;
    let state = (shell, cache, view);
    let title = page_title(&page.subject, cache, view);
    let lines = page_lines(&page.subject, state);
    let place = (shell.size, bar_rows(&page.subject));
    reading(frame, &title, &lines, page.scroll, place, theme);
    if let Some(bar) = page_bar(page, state) {
        key_bar(frame, shell.size, &bar, theme);
    }
}

fn draw_filter(frame: &mut Frame<'_>, text: &str, theme: &Theme) {
    let screen = frame.area();
    let area = Rect {
        y: screen.bottom().saturating_sub(1),
        height: screen.height.min(1),
        ..screen
    };
    frame.render_widget(Clear, area);
    let hint = Rich::text(
        Role::Faint,
        "text  !text  /regex/  column:text  column:>3  since:1h ",
    );
    let line = typing(" filter ", text).with_right(hint, usize::from(area.width));
    put(frame, area, &[line], theme);
}

fn draw_rule(frame: &mut Frame<'_>, rule: &GateRule, cache: &Cache, theme: &Theme) {
    let file = cache
        .rules_file
        .as_ref()
        .map(|path| path.display().to_string());
    let mut lines = rule_lines(rule, file.as_deref());
    lines.push(Rich::new());
    lines.push(keys(&[
        ("↑↓", "reach"),
        ("←→", "policy"),
        ("y", "save"),
        ("esc", "leave"),
    ]));
    popup(frame, "A rule", &lines, theme);
}

/// What becomes of each of many runs, and the reason as it is typed.
fn many_runs(frame: &mut Frame<'_>, bulk: &Bulk, cache: &Cache, theme: &Theme) {
    let width = usize::from(frame.area().width.saturating_sub(4));
    let mut lines = bulk::bulk_lines(bulk, cache, width.min(DELETE_WIDTH));
    match bulk.action {
        BulkAction::Abort => {
            lines.push(typing("reason ", &bulk.reason));
            lines.push(keys(&[("enter", "end them"), ("esc", "leave them")]));
        }
        BulkAction::Resume => lines.push(keys(&[("y", "go on"), ("esc", "leave them")])),
    }
    popup(frame, "Sure?", &lines, theme);
}

/// The file or the server in full, however long its name is.
fn consent(frame: &mut Frame<'_>, wants: &ResumeConsent, theme: &Theme) {
    let width = usize::from(frame.area().width.saturating_sub(4));
    let because = "Only the recorded run names it, and a database may come from someone else.";
    let (question, yes) = match wants {
        ResumeConsent::ReadFile(file) => (format!("{file}. Allow it?"), "read it"),
        ResumeConsent::JoinServer(NamedServer { run, server }) => (
            format!(
                "run {run} takes place on the server {server}, which is not on this machine; the body `{}` \
                 would join it. Allow the server from now on?",
                server.player
            ),
            "join it",
        ),
    };
    let mut lines = Vec::new();
    for (role, words) in [
        (Role::Strong, clean_line(&question)),
        (Role::Text, because.to_owned()),
    ] {
        let wrapped = wrap_columns(&words, width.min(DELETE_WIDTH));
        lines.extend(wrapped.iter().map(|line| Rich::text(role, line)));
    }
    lines.push(Rich::new());
    lines.push(keys(&[("y", yes), ("esc", "leave the run")]));
    popup(frame, "Sure?", &lines, theme);
}

/// What would go, run by run, and what stays.
fn delete(frame: &mut Frame<'_>, runs: &[RunId], cache: &Cache, theme: &Theme) {
    let question = match runs {
        [run] => format!("Delete {}?", cache.name(ListItem::Run(*run))),
        _ => format!("Delete {} runs?", runs.len()),
    };
    let width = usize::from(frame.area().width.saturating_sub(4));
    let mut lines = vec![Rich::text(Role::Strong, question).cut(width)];
    let learnt = |run: RunId| cache.entries.iter().filter(|e| e.id.run == run).count();
    let (mut events, mut attempts, mut entries) = (0, 0, 0);
    for run in runs {
        let row = cache.run(*run);
        let (of_run, tried) = row.map_or((0, 0), |row| (row.events, row.attempts));
        (events, attempts, entries) = (events + of_run, attempts + tried, entries + learnt(*run));
    }
    if runs.len() > 1 {
        let named = runs.iter().take(DELETED_NAMED_MAX);
        let name =
            |run: &RunId| Rich::text(Role::Text, format!("  {}", cache.name(ListItem::Run(*run))));
        lines.extend(named.map(|run| name(run).cut(width)));
        if runs.len() > DELETED_NAMED_MAX {
            let more = format!("  and {} more", runs.len() - DELETED_NAMED_MAX);
            lines.push(Rich::text(Role::Faint, more));
        }
    }
    let goes = format!(
        "Deleted: the recording, of at most {} (attempts and knowledge stay). This cannot be undone.",
        count_with_noun(events as usize, "event", "events")
    );
    let stays = format!(
        "Kept: {} to be recalled, {} learned there, and their evidence.",
        count_with_noun(attempts as usize, "attempt", "attempts"),
        count_with_noun(entries, "entry", "entries")
    );
    for (role, words) in [(Role::Bad, goes), (Role::Text, stays)] {
        let wrapped = wrap_columns(&words, width.min(DELETE_WIDTH));
        lines.extend(wrapped.iter().map(|line| Rich::text(role, line)));
    }
    lines.push(Rich::new());
    lines.push(keys(&[("y", "delete"), ("esc", "leave them")]));
    popup(frame, "Sure?", &lines, theme);
}

/// Which columns are in sight: `▌ ✔ task`.
fn columns(frame: &mut Frame<'_>, choice: &ColumnChoice, theme: &Theme) {
    let line = |(place, (name, is_on)): (usize, &(&str, bool))| {
        let (sign, role) = if place == choice.at {
            ("▌ ", Role::Strong)
        } else {
            ("  ", Role::Text)
        };
        let shown = if *is_on { "✔ " } else { "· " };
        let line = Rich::text(Role::BorderFocus, sign).and(Role::Good, shown);
        line.and(if *is_on { role } else { Role::Faint }, name)
    };
    // What is below the edge of a low screen comes into sight with the selection.
    let room = usize::from(frame.area().height.saturating_sub(6)).max(1);
    let first = window(choice.at, choice.columns.len(), room);
    let all = choice.columns.iter().enumerate();
    let mut lines: Vec<Rich> = all.skip(first).take(room).map(line).collect();
    lines.push(Rich::new());
    lines.push(keys(&[
        ("space", "show/hide"),
        ("←→", "move"),
        ("x", "as they were"),
        ("esc", "done"),
    ]));
    popup(frame, "Columns", &lines, theme);
}

fn draw_palette(
    frame: &mut Frame<'_>,
    scene: &Scene<'_>,
    (text, at): (&str, usize),
    theme: &Theme,
) {
    let screen = frame.area();
    let width = PALETTE_WIDTH.min(screen.width.saturating_sub(4));
    let height = (FOUND_MAX + 4).min(screen.height.saturating_sub(1));
    let area = Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y + (screen.height - height) / 3,
        width,
        height,
    };
    if area.is_empty() {
        return;
    }
    clear(frame, area);
    let inner = if height > 4 && width > 8 {
        frame.render_widget(crate::widgets::popup::block("Commands", theme), area);
        Rect::new(area.x + 2, area.y + 1, width - 4, height - 2)
    } else {
        area
    };
    let room = usize::from(inner.height).saturating_sub(2);
    let wide = usize::from(inner.width);
    let mut lines = vec![typing(": ", text), Rich::new()];
    let typed = parse_typed(text).filter(|typed| typed.argument != Argument::Breakpoint);
    if let Some(typed) = typed {
        let made = typed_lines(&typed, at);
        // The first says how it reads and stays.
        let first = window(at, made.len() - 1, room.saturating_sub(1));
        lines.extend(made.iter().take(1).cloned());
        lines.extend(made.into_iter().skip(1 + first));
        put(frame, inner, &lines, theme);
        return;
    }
    let found = palette::find_offers(scene, text);
    let first = window(at, found.len(), room);
    for (place, offer) in found.iter().enumerate().skip(first).take(room) {
        lines.push(offer_line(*offer, scene, place == at, wide));
    }
    if found.is_empty() {
        lines.push(Rich::text(Role::Faint, "no command fits"));
    }
    put(frame, inner, &lines, theme);
}

/// `▌ pause    pause or resume the run    space`; what would do nothing now is faint.
fn offer_line(offer: PaletteOffer, scene: &Scene<'_>, is_here: bool, width: usize) -> Rich {
    let (name, about) = offer.words(scene);
    let (key, works) = match offer {
        PaletteOffer::Command(row) => {
            let here = [row.scope];
            let mut rows = scene.shell.keymap.rows(&here);
            let own = rows.find(|(own, _)| own.name == row.name);
            let key = own.map_or(String::new(), |(_, keys)| names(keys));
            (key, fits_screen(scene, row.msg))
        }
        _ => (String::new(), true), // places and themes have no keys of their own
    };
    let (sign, role) = match (is_here, works) {
        (true, _) => ("▌ ", Role::Strong),
        (false, true) => ("  ", Role::Text),
        (false, false) => ("  ", Role::Ghost),
    };
    let left = Rich::text(Role::BorderFocus, sign)
        .and(role, format!("{name:<18} "))
        .and(Role::Faint, about);
    left.with_right(Rich::text(Role::Key, key), width)
}
