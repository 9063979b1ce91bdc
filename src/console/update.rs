//! Input: what keys, the mouse and pasted text do on any screen.
//!
//! What concerns one run is handed on to `console::update`.

use crate::cache::Cache;
use crate::context::Context;
use crate::effect::Effect;
use crate::input::keys;
use crate::input::mouse::on_mouse;
use crate::msg::{DebugMsg, Msg};
use crate::overlays::{act, columns, pages, palette, tell};
use crate::screen::Screen;
use crate::screens::debug::state::DebugOverlay;
use crate::screens::home::begin;
use crate::screens::inbox;
use crate::screens::inbox::state::InboxOverlay;
use crate::screens::knowledge::state::{KnowledgeOverlay, ReasonPrompt};
use crate::screens::live::state::{Overlay, Ui};
use crate::screens::live::{answer, update as run};
use crate::screens::runs::state::Bulk;
use crate::screens::runs::{bulk, rows};
use crate::screens::{debug, knowledge};
use crate::shell::{Cover, Shell};
use crate::widgets::editor::Editor;
use crate::widgets::scroll::moved;
use crate::widgets::table::ListItem;
use crate::widgets::table::filter::LENGTH_MAX;
use pithead_core::text::clean::{clean_block, clean_line};
use pithead_core::text::numbers::count_with_noun;
use ratatui::crossterm::event::{Event as Term, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Size;

/// Something came from the terminal.
pub fn on_terminal(context: &mut Context<'_>, event: &Term) -> Option<Effect> {
    match event {
        Term::Key(key) if key.kind != KeyEventKind::Release => match after_escape(context, key) {
            Some(second) => {
                let escape = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
                on_key(context, &escape).or_else(|| on_key(context, &second))
            }
            None => on_key(context, key),
        },
        Term::Paste(text) => {
            paste(context, text);
            typed(context);
            None
        }
        Term::Resize(width, height) => {
            let size = Size::new(*width, *height);
            (context.shell.size, context.ui.size) = (size, size);
            look_at_page(context.shell, context.cache);
            inbox::sheet::look(context.shell, context.cache);
            knowledge::sheet::look(context.shell, context.cache);
            run::look_at_decision(context.ui, context.view);
            None
        }
        Term::Mouse(mouse) => on_mouse(context, mouse),
        Term::Key(_) | Term::FocusGained | Term::FocusLost => None,
    }
}

fn paste(context: &mut Context<'_>, text: &str) {
    if let Cover::Start(form) = &mut context.shell.cover {
        form.type_in(text);
    } else if let Some(line) = typed_text(&mut context.shell.cover) {
        type_in(line, text);
    } else if let Some(editor) = editor(context.shell) {
        editor.area.insert_str(clean_block(text));
    } else {
        answer::paste(context.ui, text);
    }
}

/// Escape and a key in one go look like alt and the key; only the editor has a use for alt.
fn after_escape(context: &mut Context<'_>, key: &KeyEvent) -> Option<KeyEvent> {
    let is_alt = key.modifiers.contains(KeyModifiers::ALT) && matches!(key.code, KeyCode::Char(_));
    let is_editing = open_text(context.shell, context.ui).is_some();
    (is_alt && !is_editing).then(|| KeyEvent::new(key.code, key.modifiers - KeyModifiers::ALT))
}

fn on_key(context: &mut Context<'_>, key: &KeyEvent) -> Option<Effect> {
    (context.ui.toast, context.shell.toast) = (None, None);
    context.shell.aim = None;
    let scopes = keys::scopes(context.shell, context.ui);
    if let Some(msg) = context.shell.keymap.lookup(&scopes, key) {
        return update(context, msg);
    }
    if let Cover::Start(form) = &mut context.shell.cover {
        begin::typed(form, key);
        return None;
    }
    match typed_text(&mut context.shell.cover) {
        Some(line) => {
            let ctrl = KeyModifiers::CONTROL | KeyModifiers::ALT;
            match key.code {
                KeyCode::Char('u') if key.modifiers.intersects(ctrl) => line.clear(),
                KeyCode::Char(c) if !key.modifiers.intersects(ctrl) => {
                    type_in(line, &c.to_string());
                }
                KeyCode::Backspace => {
                    line.pop();
                }
                _ => return None, // other keys mean nothing in a line of text
            }
            typed(context);
        }
        None => match editor(context.shell) {
            Some(editor) => editor.typed(*key),
            None => answer::typed(context.ui, key),
        },
    }
    None
}

/// The text that is open over a screen of the shell.
fn editor(shell: &mut Shell) -> Option<&mut Editor> {
    match &shell.cover {
        Cover::Debug(DebugOverlay::Plan(_))
        | Cover::Inbox(InboxOverlay::Edit(_))
        | Cover::Curate(KnowledgeOverlay::Edit(_)) => shell.editor.as_deref_mut(),
        _ => None, // nothing else has a text in an editor
    }
}

/// The text that is open, over a screen of the shell or of the run.
pub fn open_text<'a>(shell: &'a mut Shell, ui: &'a mut Ui) -> Option<&'a mut Editor> {
    match &mut ui.overlay {
        Overlay::Editor(open) if shell.screen == Screen::Live => Some(open),
        _ => editor(shell),
    }
}

/// The text in the editor goes to the operator's own, and comes back.
fn outside(context: &mut Context<'_>) -> Option<Effect> {
    let open = open_text(context.shell, context.ui)?;
    let (text, ending) = (open.text(), open.format.ending());
    Some(Effect::EditOutside { text, ending })
}

/// The line of text that is being typed over a screen of the shell.
pub(crate) fn typed_text(cover: &mut Cover) -> Option<&mut String> {
    match cover {
        Cover::Filter { text, .. }
        | Cover::Palette { text, .. }
        | Cover::Debug(DebugOverlay::Line { text, .. })
        | Cover::Bulk(Bulk { reason: text, .. })
        | Cover::Inbox(InboxOverlay::Veto { text, .. })
        | Cover::Curate(KnowledgeOverlay::Reason(ReasonPrompt { text, .. })) => Some(text),
        Cover::None
        | Cover::Help { .. }
        | Cover::Page { .. }
        | Cover::Delete(_)
        | Cover::Columns(_)
        | Cover::Start(_)
        | Cover::Debug(_)
        | Cover::Inbox(_)
        | Cover::Curate(_) => None,
    }
}

fn type_in(line: &mut String, text: &str) {
    let room = LENGTH_MAX.saturating_sub(line.len());
    let fits = clean_line(text);
    let mut end = fits.len().min(room);
    while !fits.is_char_boundary(end) {
        end -= 1;
    }
    line.push_str(&fits[..end]);
}

/// A line of text has changed: a filter holds at once, a palette begins anew.
fn typed(context: &mut Context<'_>) {
    match &mut context.shell.cover {
        Cover::Filter { text, .. } => {
            let text = text.clone();
            filter_by(context, text);
        }
        Cover::Palette { at, .. } => *at = 0,
        Cover::None
        | Cover::Help { .. }
        | Cover::Page { .. }
        | Cover::Delete(_)
        | Cover::Columns(_)
        | Cover::Start(_)
        | Cover::Bulk(_)
        | Cover::Inbox(_)
        | Cover::Curate(_)
        | Cover::Debug(_) => (),
    }
}

fn filter_by(context: &mut Context<'_>, text: String) {
    if let Some((list, table)) = context.shell.list_with(context.cache) {
        list.filter = text;
        if let Err(because) = list.settle(table) {
            context.shell.refuse(because);
        }
    }
}

/// One message.
pub fn update(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    match msg {
        Msg::Go(screen) => go(context, screen),
        Msg::HistoryBack => {
            if !context.shell.go_back() {
                context.shell.refuse("there is no screen to go back to");
            }
        }
        Msg::HistoryForward => {
            if !context.shell.go_forward() {
                context.shell.refuse("there is no screen to go forward to");
            }
        }
        Msg::Palette => {
            context.shell.cover = Cover::Palette {
                text: String::new(),
                at: 0,
            }
        }
        Msg::TakeOver => act::open(context),
        Msg::Limit => tell::open(context, tell::LIMIT),
        Msg::Replan => tell::open(context, tell::REPLAN),
        Msg::TakeBack => return tell::take_back(context),
        Msg::NewRun => begin::open(context.shell, None),
        Msg::Help => context.shell.cover = Cover::Help { scroll: 0 },
        Msg::Copy => return copy(context),
        Msg::CopyMoment => return copy_moment(context),
        Msg::NextTheme => return Some(Effect::NextTheme),
        Msg::NextPictures => return Some(Effect::NextPictures),
        Msg::Export => return Some(Effect::Export),
        Msg::Mouse => {
            context.shell.mouse = !context.shell.mouse;
            let word = if context.shell.mouse {
                "the mouse is on"
            } else {
                "the mouse is off: the terminal selects text"
            };
            context.shell.say(word);
            return Some(Effect::Mouse(context.shell.mouse));
        }
        Msg::Quit => {
            // The question whether to leave a run is asked on its own screen.
            if context.shell.has_run {
                context.shell.enter(Screen::Live);
            }
            return run::update(context.ui, context.view, msg);
        }
        Msg::Outside if open_text(context.shell, context.ui).is_some() => return outside(context),
        Msg::Rule if context.shell.screen == Screen::Live => rule_of_run(context),
        _ if context.shell.cover != Cover::None => return over(context, msg),
        Msg::Debug(about @ (DebugMsg::Break | DebugMsg::Breaks)) => {
            return debug::update::on_breaks(context, about);
        }
        _ if context.shell.screen == Screen::Debug => return debug::update::on(context, msg),
        _ if context.shell.screen.tab() == Screen::Inbox => return inbox::update::on(context, msg),
        _ if context.shell.screen.tab() == Screen::Knowledge => {
            return knowledge::update::on(context, msg);
        }
        _ if context.shell.screen != Screen::Live => return on_list(context, msg),
        _ => return run::update(context.ui, context.view, msg),
    }
    None
}

pub(crate) fn go(context: &mut Context<'_>, screen: Screen) {
    if matches!(screen, Screen::Live | Screen::Debug) && !context.shell.has_run {
        context
            .shell
            .refuse("no run is open; ctrl-r starts one, 5 lists them all, enter opens one");
    } else {
        context.shell.go(screen);
    }
}

/// A rule about the question that is read on the run's own screen.
fn rule_of_run(context: &mut Context<'_>) {
    let open = context.ui.reads().and_then(|id| context.view.inbox.get(id));
    let run = context.view.head.as_ref().map(|head| head.run);
    if let (Some(open), Some(run)) = (open, run) {
        inbox::sheet::open_rule(context, open.question.kind, run);
    }
}

/// A message while something lies over the screen.
fn over(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    if let Cover::Debug(sheet) = &context.shell.cover {
        let sheet = sheet.clone();
        return debug::sheet::on(context, sheet, msg);
    }
    if let Cover::Inbox(sheet) = &context.shell.cover {
        let sheet = sheet.clone();
        return inbox::sheet::on(context, sheet, msg);
    }
    if let Cover::Curate(sheet) = &context.shell.cover {
        let sheet = sheet.clone();
        return knowledge::sheet::on(context, sheet, msg);
    }
    match (std::mem::take(&mut context.shell.cover), msg) {
        (Cover::Filter { before, .. }, Msg::Back) => filter_by(context, before),
        (Cover::Filter { text, .. }, Msg::Submit) => filter_by(context, text),
        (Cover::Palette { text, at }, Msg::Submit) if act::words(&text).is_some() => {
            return act::submit(context, &text, at);
        }
        (Cover::Palette { text, at }, Msg::FocusNext) if act::words(&text).is_some() => {
            act::complete(context, &text, at);
        }
        (Cover::Palette { text, at }, Msg::Submit) if tell::is(&text) => {
            return tell::submit(context, &text, at);
        }
        (Cover::Palette { text, at }, Msg::FocusNext) if tell::is(&text) => {
            tell::complete(context, &text, at);
        }
        (Cover::Palette { text, at }, Msg::Submit) => {
            if let Some(rest) = text.trim_start().strip_prefix("break ") {
                return spoken(context, rest);
            }
            let scopes = keys::below(context.shell.screen, context.ui);
            let found = palette::find(&context.shell.keymap, &scopes, &text);
            match found.get(at) {
                Some(row) => return update(context, row.msg),
                None => {
                    context.shell.refuse(format!("no command fits `{text}`"));
                    context.shell.cover = Cover::Palette { text, at };
                }
            }
        }
        (Cover::Palette { text, at }, Msg::Move(motion)) => {
            let scopes = keys::below(context.shell.screen, context.ui);
            let found = match act::words(&text) {
                Some(_) => act::len(&text),
                None if tell::is(&text) => tell::len(&text),
                None => palette::find(&context.shell.keymap, &scopes, &text).len(),
            };
            let at = moved(at, found, 1, motion);
            context.shell.cover = Cover::Palette { text, at };
        }
        (Cover::Start(form), msg) => return begin::on(context.shell, form, msg),
        (Cover::Columns(choice), msg) => columns::on(context, choice, msg),
        (Cover::Delete(runs), Msg::Yes) => return Some(Effect::DeleteRuns(runs)),
        (Cover::Delete(_), _) => (),
        (Cover::Bulk(asked), msg) => return bulk::on(context, asked, msg),
        (Cover::Help { .. } | Cover::Page { .. } | Cover::Palette { .. }, Msg::Back) => (),
        (cover @ (Cover::Help { .. } | Cover::Page { .. }), msg) => {
            context.shell.cover = cover;
            return read(context, msg);
        }
        // Keys that move have no meaning in a line of text.
        (cover, _) => context.shell.cover = cover,
    }
    None
}

/// A message while something is being read.
fn read(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    match msg {
        Msg::Move(motion) => {
            let (lines, height) = pages::extent(context.shell, context.cache, context.ui);
            let last = lines.saturating_sub(height);
            if let Cover::Help { scroll } | Cover::Page { scroll, .. } = &mut context.shell.cover {
                *scroll = moved(*scroll, last + 1, height.saturating_sub(1), motion);
            }
            look_at_page(context.shell, context.cache);
            None
        }
        Msg::Suspend | Msg::Redraw => run::update(context.ui, context.view, msg),
        _ => None, // no other row holds while something is read
    }
}

/// A breakpoint that was typed in full behind the command's name.
fn spoken(context: &mut Context<'_>, text: &str) -> Option<Effect> {
    match debug::breaks::add(context, text) {
        Ok(effect) => Some(effect),
        Err(because) => {
            context.shell.refuse(because);
            let text = format!("break {text}");
            context.shell.cover = Cover::Palette { text, at: 0 };
            None
        }
    }
}

/// A message on a screen that is a list.
pub(crate) fn on_list(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    if matches!(msg, Msg::Suspend | Msg::Redraw) {
        return run::update(context.ui, context.view, msg);
    }
    let page = usize::from(context.shell.size.height / 2);
    let Some((list, table)) = context.shell.list_with(context.cache) else {
        context.shell.refuse("nothing has been read yet");
        return None;
    };
    match msg {
        Msg::Move(motion) => list.go(table, page, motion),
        Msg::Columns => {
            columns::open(context);
            return None;
        }
        Msg::Sort => list.sort_next(table),
        Msg::SortReverse => list.sort_reverse(),
        Msg::Mark => list.mark(table),
        Msg::MarkAll => list.mark_all(table),
        Msg::MarkRange => {
            let n = list.mark_range(table);
            let words = count_with_noun(n, "row is", "rows are");
            context
                .shell
                .say(format!("{words} marked, from the last mark to here"));
        }
        Msg::Compare
        | Msg::Causes
        | Msg::AbortRuns
        | Msg::ResumeRuns
        | Msg::Delete
        | Msg::Continue
        | Msg::Evidence => {
            return rows::on(context, msg);
        }
        Msg::Filter => {
            let before = list.filter.clone();
            context.shell.cover = Cover::Filter {
                text: before.clone(),
                before,
            };
        }
        Msg::Back if !list.filter.is_empty() => list.filter.clear(),
        Msg::Back if !list.marks.is_empty() => list.marks.clear(),
        Msg::Back => {
            context.shell.go_back();
            return None;
        }
        Msg::Open | Msg::Sheet => match list.item(table) {
            Some(item) => return rows::open(context, item, msg),
            None => context.shell.refuse("there is no row to open"),
        },
        _ => return None, // no other row holds on a list
    }
    if let Some((list, table)) = context.shell.list_with(context.cache)
        && let Err(because) = list.settle(table)
    {
        context.shell.refuse(because);
    }
    None
}

pub(crate) fn open(context: &mut Context<'_>, item: ListItem) {
    context.shell.cover = Cover::Page { item, scroll: 0 };
    look_at_page(context.shell, context.cache);
}

/// Keeps the end of the page on the screen in sight; it may have become shorter.
pub fn look_at_page(shell: &mut Shell, cache: &Cache) {
    let Cover::Page { item, .. } = shell.cover else {
        return;
    };
    let (lines, height) = pages::extent_of(item, shell.size, cache);
    if let Cover::Page { scroll, .. } = &mut shell.cover {
        *scroll = (*scroll).min(lines.saturating_sub(height));
    }
}

/// The command that opens the moment in sight.
fn copy_moment(context: &mut Context<'_>) -> Option<Effect> {
    let run = context.view.head.as_ref().map(|head| head.run);
    let Some((run, (seq, _))) = run.zip(debug::update::moment(context)) else {
        context.shell.refuse("no moment of a run is in sight");
        return None;
    };
    let named = &context.shell.named;
    Some(Effect::Copy(format!(
        "pithead replay {run} --at {seq}{named}"
    )))
}

/// What is selected, or read, as text.
fn copy(context: &mut Context<'_>) -> Option<Effect> {
    let text = pages::selected(context.shell, context.cache, context.ui, context.view);
    if text.trim().is_empty() {
        context
            .shell
            .refuse("nothing is selected that could be copied");
        return None;
    }
    Some(Effect::Copy(text))
}
