//! Update: what a message changes, and what it asks for. Dispatch only.
//!
//! What works everywhere is done here; the rest goes to what lies on top, else to the screen in sight.

use crate::context::{Context, Scene};
use crate::effect::Effect;
use crate::input::typed::parse_typed;
use crate::lists::update::{go_to_screen, update_columns, update_filter, update_list};
use crate::lists::views;
use crate::msg::{CurateMsg, DebugMsg, Msg};
use crate::overlay::{EditedText, OpenPage, Overlay, PageSubject};
use crate::overlays::clipboard::selected_text;
use crate::overlays::outside::{edit_outside, update_text};
use crate::overlays::pages::{scroll_page, settle_page};
use crate::overlays::palette::{PaletteOffer, find_offers};
use crate::overlays::{gate_rule, known, new_run, triage, typed};
use crate::screen::Screen;
use crate::screens::home::form::FormContent;
use crate::screens::home::launch::ResumeConsent;
use crate::screens::{debug, home, inbox, knowledge, lineage, live, options, runs};
use crate::shell::Shell;
use crate::subjects::{open_lineage, open_options};
use crate::widgets::scroll::{Motion, moved};
use pithead_world::ids::Seq;

/// One message.
pub fn update(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    let effect = dispatch(context, msg);
    settle_page(context.shell, context.cache, context.view);
    effect
}

fn dispatch(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    match msg {
        Msg::Go(screen) => go_to_screen(context, screen),
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
        Msg::Options => open_options(context),
        Msg::Lineage => open_lineage(context),
        Msg::Palette => context.shell.open_overlay(Overlay::Palette {
            text: String::new(),
            at: 0,
        }),
        Msg::TakeOver => typed::open_typed(context, "act"),
        Msg::Limit => typed::open_typed(context, "limit"),
        Msg::Replan => typed::open_typed(context, "replan"),
        Msg::TakeBack => return typed::take_back_action(context),
        Msg::NewRun => new_run::open_form(context.shell, FormContent::Nothing),
        Msg::Help => open_help(context.shell),
        Msg::Copy => return copy(context),
        Msg::CopyMoment => return copy_moment(context),
        Msg::NextTheme => return Some(Effect::NextTheme),
        Msg::NextPictures => return Some(Effect::NextPictures),
        Msg::Export => return Some(Effect::Export),
        Msg::Suspend => return Some(Effect::Suspend),
        Msg::Redraw => return Some(Effect::Redraw),
        Msg::Mouse => return Some(switch_mouse(context)),
        Msg::Quit => {
            // The question whether to leave a run is asked on its own screen.
            if context.shell.has_run {
                context.shell.enter(Screen::Live);
            }
            return live::update::quit(context.shell, context.view);
        }
        Msg::Evidence | Msg::Curate(CurateMsg::History | CurateMsg::Study(_)) => {
            return known::look_into(context, msg);
        }
        Msg::Undo if context.shell.screen != Screen::Decided => undo_last(context),
        Msg::Outside if context.shell.open_text().is_some() => return edit_outside(context.shell),
        Msg::Text(what) => update_text(context.shell, what),
        _ => match context.shell.overlay().cloned() {
            Some(overlay) => return update_overlay(context, overlay, msg),
            None => return update_screen(context, msg),
        },
    }
    None
}

/// Opens the keys that work here; help about help is help.
fn open_help(shell: &mut Shell) {
    let is_open = shell
        .page()
        .is_some_and(|page| page.subject == PageSubject::Help);
    if !is_open {
        shell.open_page(PageSubject::Help);
    }
}

/// Opens what taking back the newest decision would do; the list of all has the others.
fn undo_last(context: &mut Context<'_>) {
    let newest = context.cache.decisions.past.first();
    match newest.map(|past| (past.run, past.seq)) {
        Some((run, seq)) => inbox::overlay::open_undo(context, run, seq),
        None => context.shell.refuse("nothing has been decided yet"),
    }
}

fn switch_mouse(context: &mut Context<'_>) -> Effect {
    context.shell.mouse = !context.shell.mouse;
    context.shell.say(if context.shell.mouse {
        "the mouse is on"
    } else {
        "the mouse is off: the terminal selects text"
    });
    Effect::Mouse(context.shell.mouse)
}

/// A message on the screen in sight, with nothing over it.
fn update_screen(context: &mut Context<'_>, msg: Msg) -> Option<Effect> {
    if let Msg::Debug(about @ (DebugMsg::Break | DebugMsg::Breaks)) = msg {
        debug::update::open_breaks(context, about);
        return None;
    }
    match msg {
        Msg::Triage(kind) => {
            triage::open(context, kind);
            return None;
        }
        Msg::Views => {
            views::open_views(context);
            return None;
        }
        Msg::SaveView => {
            views::open_save(context);
            return None;
        }
        _ => (), // the rest is the screen's
    }
    match context.shell.screen {
        Screen::Live => live::update::update_run(context.shell, context.view, msg),
        Screen::Debug => debug::update::update_debug(context, msg),
        Screen::Inbox | Screen::Decided | Screen::Rules => {
            inbox::update::update_inbox(context, msg)
        }
        Screen::Knowledge | Screen::Queue => knowledge::update::update_knowledge(context, msg),
        Screen::Options => options::update::update_options(context, msg),
        Screen::Lineage => lineage::update::update_lineage(context, msg),
        Screen::Runs | Screen::Failures => runs::update::update_runs(context, msg),
        Screen::Home => home::update::update_home(context, msg),
        Screen::Evaluate | Screen::Episodes => {
            crate::screens::evaluate::update::update_evaluate(context, msg)
        }
        Screen::Logs => update_list(context, msg),
    }
}

/// A message while something lies over the screen.
fn update_overlay(context: &mut Context<'_>, overlay: Overlay, msg: Msg) -> Option<Effect> {
    match overlay {
        Overlay::Page(page) => return update_page(context, page, msg),
        Overlay::Editor(whose) => return update_editor(context, whose, msg),
        Overlay::Filter { text, before } => update_filter(context, text, before, msg),
        Overlay::Palette { text, at } => return update_palette(context, text, at, msg),
        Overlay::Columns(choice) => update_columns(context, choice, msg),
        Overlay::NewRun(form) => return new_run::update_form(context.shell, form, msg),
        Overlay::GateRule(rule) => return gate_rule::update_gate_rule(context, rule, msg),
        Overlay::Run(run) => {
            return live::update::update_overlay(context.shell, context.view, run, msg);
        }
        Overlay::Debug(debug) => return debug::overlay::update_overlay(context, debug, msg),
        Overlay::Inbox(inbox) => return inbox::overlay::update_overlay(context, inbox, msg),
        Overlay::Reason(prompt) => return knowledge::overlay::update_reason(context, prompt, msg),
        Overlay::DeleteRuns(delete) => {
            context.shell.close_overlay();
            return (msg == Msg::Yes).then_some(Effect::DeleteRuns(delete));
        }
        Overlay::Consent(wants) => return update_consent(context.shell, wants, msg),
        Overlay::Bulk(bulk) => return runs::bulk::update_bulk(context, bulk, msg),
        Overlay::Views { at } => return views::update_views(context, at, msg),
        Overlay::SaveView { text } => return views::update_save(context, &text, msg),
        Overlay::Triage(prompt) => return triage::update(context, prompt, msg),
    }
    None
}

/// The answer whether a recorded run may read a file, or join a server.
fn update_consent(shell: &mut Shell, wants: ResumeConsent, msg: Msg) -> Option<Effect> {
    shell.close_overlay();
    let run = wants.run();
    if msg == Msg::Yes {
        shell.say(format!("resuming run {run} …"));
        return Some(Effect::Begin(wants.launch()));
    }
    shell.say(format!("run {run} was not resumed"));
    None
}

/// A message while something is read.
fn update_page(context: &mut Context<'_>, page: OpenPage, msg: Msg) -> Option<Effect> {
    match (page.subject, msg) {
        (_, Msg::Back) => context.shell.close_overlay(),
        (PageSubject::History { id, at }, Msg::Move(Motion::Up | Motion::Down)) => {
            return knowledge::overlay::update_history(context, (id, at), msg);
        }
        (PageSubject::Blocked { id, at }, _) => {
            return known::update_blocked(context, (id, at), msg);
        }
        (PageSubject::Asked(seq), Msg::Move(motion @ (Motion::Left | Motion::Right))) => {
            open_neighbour(context, seq, motion);
        }
        (PageSubject::Asked(_), Msg::Open) => context.shell.close_overlay(),
        (_, Msg::Open) => known::open_blocked(context),
        (_, Msg::Move(motion)) => {
            scroll_page(context.shell, context.cache, context.view, motion);
        }
        (PageSubject::Question(id), Msg::Rule) => rule_about_question(context, id),
        (PageSubject::Question(id), _) => {
            return live::answer::update_page(context.shell, context.view, id, msg);
        }
        (PageSubject::Proposals(ids), _) => {
            return inbox::overlay::update_page(context, ids, msg);
        }
        (PageSubject::Entry(id), _) => return knowledge::overlay::update_page(context, id, msg),
        (PageSubject::History { id, at }, _) => {
            return knowledge::overlay::update_history(context, (id, at), msg);
        }
        (PageSubject::Pair(ids), _) => return knowledge::overlay::update_pair(context, ids, msg),
        // Nothing is decided about these.
        (
            PageSubject::Help
            | PageSubject::Row(_)
            | PageSubject::Run(_)
            | PageSubject::Debug(_)
            | PageSubject::Asked(_),
            _,
        ) => (),
    }
    None
}

/// The question to the mind before or after the one that is read.
fn open_neighbour(context: &mut Context<'_>, seq: Seq, motion: Motion) {
    let mind = &context.view.mind;
    let row = mind.row(seq);
    let next = match motion {
        Motion::Left => row.and_then(|row| row.checked_sub(1)),
        _ => row.map(|row| row + 1),
    };
    match next.and_then(|row| mind.questions.get(row)) {
        Some(question) => {
            let page = OpenPage::new(PageSubject::Asked(question.seq));
            context.shell.replace_overlay(Overlay::Page(page));
        }
        None if motion == Motion::Left => context.shell.refuse("this is the first question"),
        None => context.shell.refuse("this is the newest question"),
    }
}

/// A rule about the question that is read on the run's own screen.
fn rule_about_question(context: &mut Context<'_>, id: pithead_world::ids::DecisionId) {
    let open = context.view.inbox.get(id);
    let run = context.view.head.as_ref().map(|head| head.run);
    if let (Some(open), Some(run)) = (open, run) {
        gate_rule::open_gate_rule(context, open.question.kind, run);
    }
}

/// A message while a text is edited.
fn update_editor(context: &mut Context<'_>, whose: EditedText, msg: Msg) -> Option<Effect> {
    match whose {
        EditedText::Question(id) => {
            live::answer::update_editor(context.shell, context.view, id, msg)
        }
        EditedText::ForkPlan => {
            debug::forking::update_editor(context.shell, msg);
            None
        }
        EditedText::Proposal(id) => inbox::overlay::update_editor(context, id, msg),
        EditedText::Entry(id) => knowledge::overlay::update_editor(context, id, msg),
    }
}

/// A message while a command is looked for, or typed in full.
fn update_palette(context: &mut Context<'_>, text: String, at: usize, msg: Msg) -> Option<Effect> {
    match (msg, parse_typed(&text)) {
        (Msg::Back, _) => context.shell.close_overlay(),
        (Msg::Submit, Some(command)) => return typed::submit_typed(context, &command, at),
        (Msg::FocusNext, Some(command)) => {
            typed::complete_typed(context, &command, at);
        }
        (Msg::Submit, None) => {
            let offer = find_offers(&scene_of(context), &text).get(at).copied();
            match offer {
                Some(offer) => {
                    context.shell.close_overlay();
                    return take_offer(context, offer);
                }
                None => context.shell.refuse(format!("no command fits `{text}`")),
            }
        }
        (Msg::Move(motion), command) => {
            let rows = match &command {
                Some(command) => typed::offer_count(command),
                None => find_offers(&scene_of(context), &text).len(),
            };
            let at = moved(at, rows, 1, motion);
            context.shell.replace_overlay(Overlay::Palette { text, at });
        }
        _ => (), // no other row holds in a line of text
    }
    None
}

fn scene_of<'a>(context: &'a Context<'_>) -> Scene<'a> {
    Scene {
        shell: context.shell,
        cache: context.cache,
        view: context.view,
        pictures: None,
    }
}

/// Does what was chosen in the palette, and remembers that a command was used.
fn take_offer(context: &mut Context<'_>, offer: PaletteOffer) -> Option<Effect> {
    match offer {
        PaletteOffer::Command(row) => {
            let uses = context.shell.uses.entry(row.name.to_owned()).or_default();
            *uses = uses.saturating_add(1);
            dispatch(context, row.msg)
        }
        PaletteOffer::Run(run) => Some(Effect::OpenRun(run)),
        PaletteOffer::Entry(id) => {
            context.shell.open_page(PageSubject::Entry(id));
            None
        }
        PaletteOffer::Theme(name) => Some(Effect::Theme(name)),
    }
}

/// The command that opens the moment in sight.
fn copy_moment(context: &mut Context<'_>) -> Option<Effect> {
    let run = context.view.head.as_ref().map(|head| head.run);
    let Some((run, (seq, _))) = run.zip(debug::frames::moment(context)) else {
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
    let text = selected_text(context.shell, context.cache, context.view);
    if text.trim().is_empty() {
        context
            .shell
            .refuse("nothing is selected that could be copied");
        return None;
    }
    Some(Effect::Copy(text))
}
