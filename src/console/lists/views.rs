//! Saved views on the screen: choosing one, and saving how a list is looked at.

use crate::context::Context;
use crate::effect::Effect;
use crate::msg::Msg;
use crate::overlay::Overlay;
use crate::saved_views::{KeptView, SavedView};
use crate::shell::Shell;
use crate::theme::{Role, Theme};
use crate::widgets::popup::{keys, popup, typing};
use crate::widgets::rich::Rich;
use crate::widgets::scroll::{moved, window};
use pithead_core::text::clean::clean_line;
use ratatui::Frame;

/// Letters of a name.
const NAME_MAX: usize = 40;
/// Rows of the chooser at once.
const ROWS_MAX: usize = 12;

/// The views of the list in sight.
fn views_here(shell: &Shell) -> Vec<(&String, &SavedView)> {
    let views = shell.views.get(shell.screen.name());
    views.into_iter().flatten().collect()
}

/// Shows the views of the list in sight.
pub(crate) fn open_views(context: &mut Context<'_>) {
    if views_here(context.shell).is_empty() {
        let because =
            "no view of this list is saved; filter, sort or choose columns, then \" saves it";
        return context.shell.refuse(because);
    }
    context.shell.open_overlay(Overlay::Views { at: 0 });
}

/// Asks for the name of the view in sight.
pub(crate) fn open_save(context: &mut Context<'_>) {
    let text = String::new();
    context.shell.open_overlay(Overlay::SaveView { text });
}

/// A message while a view is chosen.
pub(crate) fn update_views(context: &mut Context<'_>, at: usize, msg: Msg) -> Option<Effect> {
    let views = views_here(context.shell);
    let at = at.min(views.len().saturating_sub(1));
    let chosen = views
        .get(at)
        .map(|(name, view)| ((*name).clone(), (*view).clone()));
    let len = views.len();
    match (msg, chosen) {
        (Msg::Move(motion), _) => {
            let at = moved(at, len, 1, motion);
            context.shell.replace_overlay(Overlay::Views { at });
        }
        (Msg::Open, Some((name, view))) => {
            context.shell.close_overlay();
            let list = context.shell.list_with(context.cache);
            match list.map(|(list, table)| view.apply(list, table)) {
                Some(Ok(())) => context.shell.say(format!("view {name}")),
                Some(Err(because)) => context.shell.refuse(because),
                None => context.shell.refuse("nothing has been read yet"),
            }
        }
        (Msg::Remove, Some((name, _))) => {
            context.shell.close_overlay();
            return Some(kept(context.shell, name, None));
        }
        (Msg::Back, _) => context.shell.close_overlay(),
        _ => (), // no other row chooses
    }
    None
}

/// A message while the name of a view is typed.
pub(crate) fn update_save(context: &mut Context<'_>, text: &str, msg: Msg) -> Option<Effect> {
    let name = clean_line(text.trim());
    match msg {
        Msg::Back => context.shell.close_overlay(),
        Msg::Submit if name.is_empty() => context.shell.refuse("a view is found by its name"),
        Msg::Submit if name.chars().count() > NAME_MAX => {
            let because = format!("the name of a view has at most {NAME_MAX} letters");
            context.shell.refuse(because);
        }
        Msg::Submit => {
            context.shell.close_overlay();
            let list = context.shell.list_with(context.cache);
            let view = list.map(|(list, table)| SavedView::of_list(list, table));
            let Some(view) = view else {
                context.shell.refuse("nothing has been read yet");
                return None;
            };
            return Some(kept(context.shell, name, Some(view)));
        }
        _ => (), // keys that move have no meaning in a line of text
    }
    None
}

/// Keeps it for this console at once, and asks for the file.
fn kept(shell: &mut Shell, name: String, view: Option<SavedView>) -> Effect {
    let list = shell.screen.name().to_owned();
    let views = shell.views.entry(list.clone()).or_default();
    match &view {
        Some(view) => {
            views.insert(name.clone(), view.clone());
        }
        None => {
            views.remove(&name);
        }
    }
    Effect::KeepView(KeptView { list, name, view })
}

pub(crate) fn draw_views(frame: &mut Frame<'_>, shell: &Shell, at: usize, theme: &Theme) {
    let views = views_here(shell);
    let at = at.min(views.len().saturating_sub(1));
    let first = window(at, views.len(), ROWS_MAX);
    let shown = views.iter().enumerate().skip(first).take(ROWS_MAX);
    let mut lines: Vec<Rich> = shown
        .map(|(row, (name, view))| {
            let sign = if row == at { "▌ " } else { "  " };
            Rich::text(Role::BorderFocus, sign)
                .and(Role::Strong, format!("{name}  "))
                .and(Role::Faint, view.words())
        })
        .collect();
    lines.push(Rich::new());
    lines.push(keys(&[
        ("enter", "look"),
        ("x", "take off"),
        ("esc", "back"),
    ]));
    popup(frame, "Saved views", &lines, theme);
}

pub(crate) fn draw_save(frame: &mut Frame<'_>, text: &str, theme: &Theme) {
    let lines = [
        Rich::text(
            Role::Faint,
            "Filter, order and columns of this list; ' shows the saved views.",
        ),
        Rich::new(),
        typing("save as ", text),
        Rich::new(),
        keys(&[("enter", "save"), ("esc", "back")]),
    ];
    popup(frame, "Save this view", &lines, theme);
}
