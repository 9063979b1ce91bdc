//! Input: what keys, the mouse and pasted text do on any screen.
//!
//! What concerns one run is handed on to `console::update`.

use crate::cache::Desk;
use crate::input::keys;
use crate::input::mouse::on_mouse;
use crate::msg::{DebugMsg, Effect, Msg};
use crate::overlays::{act, columns, pages, palette, tell};
use crate::screen::Screen;
use crate::screens::debug::sheet::Sheet;
use crate::screens::home::begin;
use crate::screens::inbox;
use crate::screens::inbox::sheet::Sheet as InboxSheet;
use crate::screens::knowledge::sheet::{Ask, Sheet as CurateSheet};
use crate::screens::live::{answer, update as run};
use crate::screens::runs::bulk::Bulk;
use crate::screens::runs::{bulk, rows};
use crate::screens::{debug, knowledge};
use crate::shell::{Cover, Shell};
use crate::ui::{Overlay, Ui};
use crate::view::View;
use crate::widgets::editor::Editor;
use crate::widgets::scroll::moved;
use crate::widgets::table::Item;
use crate::widgets::table::filter::LENGTH_MAX;
use pithead_core::text::clean::{clean_block, clean_line};
use pithead_core::text::numbers::count_with_noun;
use ratatui::crossterm::event::{Event as Term, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Size;

/// Everything that a key can look at and change.
#[derive(Debug)]
pub struct Hands<'a> {
    pub shell: &'a mut Shell,
    pub desk: &'a Desk,
    pub ui: &'a mut Ui,
    pub view: &'a View,
}

/// Something came from the terminal.
pub fn on_terminal(hands: &mut Hands<'_>, event: &Term) -> Option<Effect> {
    match event {
        Term::Key(key) if key.kind != KeyEventKind::Release => match after_escape(hands, key) {
            Some(second) => {
                let escape = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
                on_key(hands, &escape).or_else(|| on_key(hands, &second))
            }
            None => on_key(hands, key),
        },
        Term::Paste(text) => {
            paste(hands, text);
            typed(hands);
            None
        }
        Term::Resize(width, height) => {
            let size = Size::new(*width, *height);
            (hands.shell.size, hands.ui.size) = (size, size);
            look_at_page(hands.shell, hands.desk);
            inbox::sheet::look(hands.shell, hands.desk);
            knowledge::sheet::look(hands.shell, hands.desk);
            run::look_at_decision(hands.ui, hands.view);
            None
        }
        Term::Mouse(mouse) => on_mouse(hands, mouse),
        Term::Key(_) | Term::FocusGained | Term::FocusLost => None,
    }
}

fn paste(hands: &mut Hands<'_>, text: &str) {
    if let Cover::Start(form) = &mut hands.shell.cover {
        form.type_in(text);
    } else if let Some(line) = typed_text(&mut hands.shell.cover) {
        type_in(line, text);
    } else if let Some(editor) = editor(hands.shell) {
        editor.area.insert_str(clean_block(text));
    } else {
        answer::paste(hands.ui, text);
    }
}

/// Escape and a key in one go look like alt and the key; only the editor has a use for alt.
fn after_escape(hands: &mut Hands<'_>, key: &KeyEvent) -> Option<KeyEvent> {
    let is_alt = key.modifiers.contains(KeyModifiers::ALT) && matches!(key.code, KeyCode::Char(_));
    let is_editing = open_text(hands.shell, hands.ui).is_some();
    (is_alt && !is_editing).then(|| KeyEvent::new(key.code, key.modifiers - KeyModifiers::ALT))
}

fn on_key(hands: &mut Hands<'_>, key: &KeyEvent) -> Option<Effect> {
    (hands.ui.toast, hands.shell.toast) = (None, None);
    hands.shell.aim = None;
    let scopes = keys::scopes(hands.shell, hands.ui);
    if let Some(msg) = hands.shell.keymap.lookup(&scopes, key) {
        return update(hands, msg);
    }
    if let Cover::Start(form) = &mut hands.shell.cover {
        begin::typed(form, key);
        return None;
    }
    match typed_text(&mut hands.shell.cover) {
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
            typed(hands);
        }
        None => match editor(hands.shell) {
            Some(editor) => editor.typed(*key),
            None => answer::typed(hands.ui, key),
        },
    }
    None
}

/// The text that is open over a screen of the shell.
fn editor(shell: &mut Shell) -> Option<&mut Editor> {
    match &shell.cover {
        Cover::Debug(_) => shell.debug.editor.as_deref_mut(),
        Cover::Inbox(InboxSheet::Edit(_)) => shell.inbox.editor.as_deref_mut(),
        Cover::Curate(CurateSheet::Edit(_)) => shell.curate.editor.as_deref_mut(),
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
fn outside(hands: &mut Hands<'_>) -> Option<Effect> {
    let open = open_text(hands.shell, hands.ui)?;
    let (text, ending) = (open.text(), open.format.ending());
    Some(Effect::EditOutside { text, ending })
}

/// The line of text that is being typed over a screen of the shell.
pub(crate) fn typed_text(cover: &mut Cover) -> Option<&mut String> {
    match cover {
        Cover::Filter { text, .. }
        | Cover::Palette { text, .. }
        | Cover::Debug(Sheet::Line { text, .. })
        | Cover::Bulk(Bulk { reason: text, .. })
        | Cover::Inbox(InboxSheet::Veto { text, .. })
        | Cover::Curate(CurateSheet::Reason(Ask { text, .. })) => Some(text),
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
fn typed(hands: &mut Hands<'_>) {
    match &mut hands.shell.cover {
        Cover::Filter { text, .. } => {
            let text = text.clone();
            filter_by(hands, text);
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

fn filter_by(hands: &mut Hands<'_>, text: String) {
    if let Some((list, table)) = hands.shell.list_with(hands.desk) {
        list.filter = text;
        if let Err(because) = list.settle(table) {
            hands.shell.refuse(because);
        }
    }
}

/// One message.
pub fn update(hands: &mut Hands<'_>, msg: Msg) -> Option<Effect> {
    match msg {
        Msg::Go(screen) => go(hands, screen),
        Msg::HistoryBack => {
            if !hands.shell.go_back() {
                hands.shell.refuse("there is no screen to go back to");
            }
        }
        Msg::HistoryForward => {
            if !hands.shell.go_forward() {
                hands.shell.refuse("there is no screen to go forward to");
            }
        }
        Msg::Palette => {
            hands.shell.cover = Cover::Palette {
                text: String::new(),
                at: 0,
            }
        }
        Msg::TakeOver => act::open(hands),
        Msg::Limit => tell::open(hands, tell::LIMIT),
        Msg::Replan => tell::open(hands, tell::REPLAN),
        Msg::TakeBack => return tell::take_back(hands),
        Msg::NewRun => begin::open(hands.shell, None),
        Msg::Help => hands.shell.cover = Cover::Help { scroll: 0 },
        Msg::Copy => return copy(hands),
        Msg::CopyMoment => return copy_moment(hands),
        Msg::NextTheme => return Some(Effect::NextTheme),
        Msg::NextPictures => return Some(Effect::NextPictures),
        Msg::Export => return Some(Effect::Export),
        Msg::Mouse => {
            hands.shell.mouse = !hands.shell.mouse;
            let word = if hands.shell.mouse {
                "the mouse is on"
            } else {
                "the mouse is off: the terminal selects text"
            };
            hands.shell.say(word);
            return Some(Effect::Mouse(hands.shell.mouse));
        }
        Msg::Quit => {
            // The question whether to leave a run is asked on its own screen.
            if hands.shell.has_run {
                hands.shell.enter(Screen::Live);
            }
            return run::update(hands.ui, hands.view, msg);
        }
        Msg::Outside if open_text(hands.shell, hands.ui).is_some() => return outside(hands),
        Msg::Rule if hands.shell.screen == Screen::Live => rule_of_run(hands),
        _ if hands.shell.cover != Cover::None => return over(hands, msg),
        Msg::Debug(about @ (DebugMsg::Break | DebugMsg::Breaks)) => {
            return debug::update::on_breaks(hands, about);
        }
        _ if hands.shell.screen == Screen::Debug => return debug::update::on(hands, msg),
        _ if inbox::owns(hands.shell.screen) => return inbox::update::on(hands, msg),
        _ if knowledge::owns(hands.shell.screen) => return knowledge::update::on(hands, msg),
        _ if hands.shell.screen != Screen::Live => return on_list(hands, msg),
        _ => return run::update(hands.ui, hands.view, msg),
    }
    None
}

pub(crate) fn go(hands: &mut Hands<'_>, screen: Screen) {
    if matches!(screen, Screen::Live | Screen::Debug) && !hands.shell.has_run {
        hands
            .shell
            .refuse("no run is open; ctrl-r starts one, 5 lists them all, enter opens one");
    } else {
        hands.shell.go(screen);
    }
}

/// A rule about the question that is read on the run's own screen.
fn rule_of_run(hands: &mut Hands<'_>) {
    let open = hands.ui.reads().and_then(|id| hands.view.inbox.get(id));
    let run = hands.view.head.as_ref().map(|head| head.run);
    if let (Some(open), Some(run)) = (open, run) {
        inbox::sheet::open_rule(hands, open.question.kind, run);
    }
}

/// A message while something lies over the screen.
fn over(hands: &mut Hands<'_>, msg: Msg) -> Option<Effect> {
    if let Cover::Debug(sheet) = &hands.shell.cover {
        let sheet = sheet.clone();
        return debug::sheet::on(hands, sheet, msg);
    }
    if let Cover::Inbox(sheet) = &hands.shell.cover {
        let sheet = sheet.clone();
        return inbox::sheet::on(hands, sheet, msg);
    }
    if let Cover::Curate(sheet) = &hands.shell.cover {
        let sheet = sheet.clone();
        return knowledge::sheet::on(hands, sheet, msg);
    }
    match (std::mem::take(&mut hands.shell.cover), msg) {
        (Cover::Filter { before, .. }, Msg::Back) => filter_by(hands, before),
        (Cover::Filter { text, .. }, Msg::Submit) => filter_by(hands, text),
        (Cover::Palette { text, at }, Msg::Submit) if act::words(&text).is_some() => {
            return act::submit(hands, &text, at);
        }
        (Cover::Palette { text, at }, Msg::FocusNext) if act::words(&text).is_some() => {
            act::complete(hands, &text, at);
        }
        (Cover::Palette { text, at }, Msg::Submit) if tell::is(&text) => {
            return tell::submit(hands, &text, at);
        }
        (Cover::Palette { text, at }, Msg::FocusNext) if tell::is(&text) => {
            tell::complete(hands, &text, at);
        }
        (Cover::Palette { text, at }, Msg::Submit) => {
            if let Some(rest) = text.trim_start().strip_prefix("break ") {
                return spoken(hands, rest);
            }
            let scopes = keys::below(hands.shell.screen, hands.ui);
            let found = palette::find(&hands.shell.keymap, &scopes, &text);
            match found.get(at) {
                Some(row) => return update(hands, row.msg),
                None => {
                    hands.shell.refuse(format!("no command fits `{text}`"));
                    hands.shell.cover = Cover::Palette { text, at };
                }
            }
        }
        (Cover::Palette { text, at }, Msg::Move(motion)) => {
            let scopes = keys::below(hands.shell.screen, hands.ui);
            let found = match act::words(&text) {
                Some(_) => act::len(&text),
                None if tell::is(&text) => tell::len(&text),
                None => palette::find(&hands.shell.keymap, &scopes, &text).len(),
            };
            let at = moved(at, found, 1, motion);
            hands.shell.cover = Cover::Palette { text, at };
        }
        (Cover::Start(form), msg) => return begin::on(hands.shell, form, msg),
        (Cover::Columns(choice), msg) => columns::on(hands, choice, msg),
        (Cover::Delete(runs), Msg::Yes) => return Some(Effect::DeleteRuns(runs)),
        (Cover::Delete(_), _) => (),
        (Cover::Bulk(asked), msg) => return bulk::on(hands, asked, msg),
        (Cover::Help { .. } | Cover::Page { .. } | Cover::Palette { .. }, Msg::Back) => (),
        (cover @ (Cover::Help { .. } | Cover::Page { .. }), msg) => {
            hands.shell.cover = cover;
            return read(hands, msg);
        }
        // Keys that move have no meaning in a line of text.
        (cover, _) => hands.shell.cover = cover,
    }
    None
}

/// A message while something is being read.
fn read(hands: &mut Hands<'_>, msg: Msg) -> Option<Effect> {
    match msg {
        Msg::Move(motion) => {
            let (lines, height) = pages::extent(hands.shell, hands.desk, hands.ui);
            let last = lines.saturating_sub(height);
            if let Cover::Help { scroll } | Cover::Page { scroll, .. } = &mut hands.shell.cover {
                *scroll = moved(*scroll, last + 1, height.saturating_sub(1), motion);
            }
            look_at_page(hands.shell, hands.desk);
            None
        }
        Msg::Suspend | Msg::Redraw => run::update(hands.ui, hands.view, msg),
        _ => None, // no other row holds while something is read
    }
}

/// A breakpoint that was typed in full behind the command's name.
fn spoken(hands: &mut Hands<'_>, text: &str) -> Option<Effect> {
    match debug::breaks::add(hands, text) {
        Ok(effect) => Some(effect),
        Err(because) => {
            hands.shell.refuse(because);
            let text = format!("break {text}");
            hands.shell.cover = Cover::Palette { text, at: 0 };
            None
        }
    }
}

/// A message on a screen that is a list.
pub(crate) fn on_list(hands: &mut Hands<'_>, msg: Msg) -> Option<Effect> {
    if matches!(msg, Msg::Suspend | Msg::Redraw) {
        return run::update(hands.ui, hands.view, msg);
    }
    let page = usize::from(hands.shell.size.height / 2);
    let Some((list, table)) = hands.shell.list_with(hands.desk) else {
        hands.shell.refuse("nothing has been read yet");
        return None;
    };
    match msg {
        Msg::Move(motion) => list.go(table, page, motion),
        Msg::Columns => {
            columns::open(hands);
            return None;
        }
        Msg::Sort => list.sort_next(table),
        Msg::SortReverse => list.sort_reverse(),
        Msg::Mark => list.mark(table),
        Msg::MarkAll => list.mark_all(table),
        Msg::MarkRange => {
            let n = list.mark_range(table);
            let words = count_with_noun(n, "row is", "rows are");
            hands
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
            return rows::on(hands, msg);
        }
        Msg::Filter => {
            let before = list.filter.clone();
            hands.shell.cover = Cover::Filter {
                text: before.clone(),
                before,
            };
        }
        Msg::Back if !list.filter.is_empty() => list.filter.clear(),
        Msg::Back if !list.marks.is_empty() => list.marks.clear(),
        Msg::Back => {
            hands.shell.go_back();
            return None;
        }
        Msg::Open | Msg::Sheet => match list.item(table) {
            Some(item) => return rows::open(hands, item, msg),
            None => hands.shell.refuse("there is no row to open"),
        },
        _ => return None, // no other row holds on a list
    }
    if let Some((list, table)) = hands.shell.list_with(hands.desk)
        && let Err(because) = list.settle(table)
    {
        hands.shell.refuse(because);
    }
    None
}

pub(crate) fn open(hands: &mut Hands<'_>, item: Item) {
    hands.shell.cover = Cover::Page { item, scroll: 0 };
    look_at_page(hands.shell, hands.desk);
}

/// Keeps the end of the page on the screen in sight; it may have become shorter.
pub fn look_at_page(shell: &mut Shell, desk: &Desk) {
    let Cover::Page { item, .. } = shell.cover else {
        return;
    };
    let (lines, height) = pages::extent_of(item, shell.size, desk);
    if let Cover::Page { scroll, .. } = &mut shell.cover {
        *scroll = (*scroll).min(lines.saturating_sub(height));
    }
}

/// The command that opens the moment in sight.
fn copy_moment(hands: &mut Hands<'_>) -> Option<Effect> {
    let run = hands.view.head.as_ref().map(|head| head.run);
    let Some((run, (seq, _))) = run.zip(debug::update::moment(hands)) else {
        hands.shell.refuse("no moment of a run is in sight");
        return None;
    };
    let named = &hands.shell.named;
    Some(Effect::Copy(format!(
        "pithead replay {run} --at {seq}{named}"
    )))
}

/// What is selected, or read, as text.
fn copy(hands: &mut Hands<'_>) -> Option<Effect> {
    let text = pages::selected(hands.shell, hands.desk, hands.ui, hands.view);
    if text.trim().is_empty() {
        hands
            .shell
            .refuse("nothing is selected that could be copied");
        return None;
    }
    Some(Effect::Copy(text))
}
