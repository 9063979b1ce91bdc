//! Availability: whether a command would do something now. The footer offers nothing else.
//!
//! A key that can do nothing still says why when it is pressed. Invariant: what is offered is not refused
//! (`no_key_of_the_footer_is_refused`).

use crate::context::Scene;
use crate::msg::{CurateMsg, DebugMsg, Msg, ReplayMsg, TextMsg};
use crate::overlay::{OpenPage, Overlay, PageSubject};
use crate::overlays::known::entry_at_hand;
use crate::overlays::pages::page_extent;
use crate::screen::Screen;
use crate::screens::debug::inspection::{beside, chosen, inspection};
use crate::screens::inbox::update::alike;
use crate::screens::knowledge::history::version_at;
use crate::screens::knowledge::state::{EntryAction, Study};
use crate::screens::live::answer::is_answerable;
use crate::screens::live::layout::Focus;
use crate::screens::live::seat;
use crate::screens::live::select::question_row;
use crate::screens::live::state::RunMode;
use crate::screens::live::update::command_fault;
use crate::subjects::entry_in_sight;
use crate::view::status::PauseState;
use crate::widgets::editor::TextFormat;
use crate::widgets::scroll::Motion;
use crate::widgets::table::ListItem;
use pithead_core::domain::knowledge::Status;
use pithead_engine::runtime::compare::{RUNS_MAX, family};
use pithead_world::ids::KnowledgeId;

/// Whether the command would do something.
pub(crate) fn is_available(scene: &Scene<'_>, msg: Msg) -> bool {
    let page = scene.shell.overlay();
    if page.is_none_or(|overlay| matches!(overlay, Overlay::Page(_)))
        && let Some(answer) = looks_into(scene, msg)
    {
        return answer;
    }
    match page {
        None => fits_screen(scene, msg),
        Some(Overlay::Page(page)) => on_page(scene, page, msg),
        Some(Overlay::Editor(_)) => in_editor(scene, msg),
        // A question, a form or a line of text takes all its keys.
        Some(_) => true,
    }
}

/// Whether the command would do something on the screen, with nothing over it.
pub(crate) fn fits_screen(scene: &Scene<'_>, msg: Msg) -> bool {
    match scene.shell.screen {
        Screen::Live => on_run(scene, msg),
        Screen::Debug => on_attempt(scene, msg),
        _ => on_list(scene, msg),
    }
}

/// Looking into an entry needs one.
fn looks_into(scene: &Scene<'_>, msg: Msg) -> Option<bool> {
    let (Msg::Evidence | Msg::Curate(CurateMsg::History | CurateMsg::Study(_))) = msg else {
        return None;
    };
    let entry = entry_at_hand(scene.shell, scene.cache, scene.view);
    Some(entry.is_some_and(|entry| match msg {
        Msg::Evidence => {
            let mut evidence = entry.provenance.experiences.iter();
            evidence.any(|of| scene.cache.run(of.run).is_some())
        }
        Msg::Curate(CurateMsg::Study(kind)) => {
            let study = scene.shell.knowledge.studies.get(&(entry.id, kind));
            !matches!(study, Some(Study::UnderWay { .. }))
        }
        _ => scene.cache.entry(entry.id).is_some(),
    }))
}

/// What the text in the editor allows.
fn in_editor(scene: &Scene<'_>, msg: Msg) -> bool {
    let (Some(editor), Msg::Text(what)) = (&scene.shell.editor, msg) else {
        return true;
    };
    match what {
        TextMsg::SwitchForm => editor.format == TextFormat::Plan,
        TextMsg::Undo | TextMsg::Redo => editor.is_changed(),
        TextMsg::ToFault => editor
            .fault
            .as_ref()
            .is_some_and(|fault| fault.line.is_some()),
    }
}

fn on_page(scene: &Scene<'_>, page: &OpenPage, msg: Msg) -> bool {
    // Among versions `j` chooses, whether or not there is anything to scroll.
    let chooses =
        matches!(page.subject, PageSubject::History { .. }) && msg == Msg::Move(Motion::Down);
    if let Msg::Move(Motion::Down | Motion::PageDown | Motion::Bottom) = msg
        && !chooses
    {
        let (lines, height) = page_extent(&page.subject, (scene.shell, scene.cache, scene.view));
        return lines > height;
    }
    let decides = matches!(msg, Msg::Approve | Msg::Edit | Msg::Veto | Msg::Outside);
    match &page.subject {
        PageSubject::Question(id) if decides => {
            page.seen && is_answerable(scene.shell, scene.view, *id)
        }
        PageSubject::Proposals(ids) if decides => {
            let is_proposed = |id: &KnowledgeId| status(scene, *id) == Some(Status::Proposed);
            page.seen && ids.iter().all(is_proposed) && (msg != Msg::Edit || ids.len() == 1)
        }
        PageSubject::Entry(id) => on_entry(scene, *id, page.seen, msg),
        PageSubject::History { id, at } if msg == Msg::Curate(CurateMsg::RollBack) => {
            let entry = scene.cache.entry(*id);
            let rolled = entry.map(|entry| EntryAction::RollBack(version_at(entry, *at)));
            rolled.is_some_and(|what| what.refused(scene.cache, *id).is_none())
        }
        _ => true, // nothing else about a page depends on what it says
    }
}

fn on_entry(scene: &Scene<'_>, id: KnowledgeId, seen: bool, msg: Msg) -> bool {
    let Some(entry) = scene.cache.entry(id) else {
        return msg == Msg::Back;
    };
    let changes = |what: EntryAction| seen && what.refused(scene.cache, id).is_none();
    match msg {
        Msg::Approve => changes(EntryAction::Approve),
        Msg::Veto => changes(EntryAction::Veto),
        Msg::Curate(CurateMsg::Retire) => changes(EntryAction::Retire),
        Msg::Curate(CurateMsg::Restore) => changes(EntryAction::Restore),
        Msg::Edit | Msg::Outside => seen && entry.status != Status::Vetoed,
        _ => true, // the rest can be looked at whatever the entry is
    }
}

fn status(scene: &Scene<'_>, id: KnowledgeId) -> Option<Status> {
    scene.cache.entry(id).map(|entry| entry.status)
}

fn on_run(scene: &Scene<'_>, msg: Msg) -> bool {
    let (shell, view) = (scene.shell, scene.view);
    let can_command = || command_fault(&shell.live, view).is_none();
    let replay = match &shell.live.mode {
        RunMode::Replay(replay) => Some(replay),
        RunMode::Live(_) => None,
    };
    match msg {
        Msg::Step => can_command() && view.status.hold == PauseState::Paused,
        Msg::PauseOrResume
        | Msg::PauseSoon
        | Msg::Abort
        | Msg::TakeOver
        | Msg::Limit
        | Msg::Replan => can_command(),
        Msg::Slower | Msg::Faster => can_command() && view.pace.is_some(),
        Msg::Retry => can_command() && !view.plan.nodes.is_empty(),
        Msg::Inbox => !view.inbox.open.is_empty(),
        Msg::Approve | Msg::Edit | Msg::Veto => {
            let row = question_row(view, &shell.live);
            let id = row.map(|row| view.inbox.open[row].question.id);
            shell.live.focus == Focus::Inbox && id.is_some_and(|id| is_answerable(shell, view, id))
        }
        Msg::Trace => view.diagnosis.is_some(),
        Msg::Mind => !view.mind.questions.is_empty(),
        Msg::Look => shell.live.has_eyes(),
        Msg::Replay(ReplayMsg::PlayOrPause | ReplayMsg::Forward | ReplayMsg::NextLandmark) => {
            replay.is_some_and(|replay| replay.at < replay.len)
        }
        Msg::Replay(ReplayMsg::Back | ReplayMsg::PreviousLandmark) => {
            replay.is_some_and(|replay| replay.at > 1)
        }
        Msg::Seat => seat::can_change(&shell.live),
        Msg::Debug(DebugMsg::Break) => can_command() || replay.is_some(),
        _ => true, // the rest is about what is looked at
    }
}

fn on_attempt(scene: &Scene<'_>, msg: Msg) -> bool {
    let (shell, cache) = (scene.shell, scene.cache);
    let attempt = chosen(shell, cache);
    match msg {
        Msg::Debug(DebugMsg::Overrule) => {
            let row = attempt.and_then(|id| cache.debug.index.attempt(id));
            row.is_some_and(|row| row.success == Some(false))
        }
        Msg::Debug(DebugMsg::Side) => shell.debug.side || beside(shell, cache).is_some(),
        Msg::Debug(DebugMsg::TurnOn | DebugMsg::TurnBack | DebugMsg::Where | DebugMsg::Wrote)
        | Msg::Move(Motion::Left | Motion::Right) => inspection(shell, cache).is_some(),
        Msg::Debug(DebugMsg::Break | DebugMsg::Breaks) => shell.has_run,
        Msg::Debug(DebugMsg::Fork) | Msg::Lineage | Msg::Open => attempt.is_some(),
        Msg::Filter | Msg::Sort | Msg::Mark => has_rows(scene),
        _ => true, // the rest moves about
    }
}

fn has_rows(scene: &Scene<'_>) -> bool {
    let table = scene.cache.table(scene.shell.screen);
    table.is_some_and(|table| !table.rows.is_empty())
}

fn on_list(scene: &Scene<'_>, msg: Msg) -> bool {
    let (shell, cache) = (scene.shell, scene.cache);
    let item = shell.item(cache);
    match msg {
        Msg::Filter | Msg::Sort => has_rows(scene),
        // Elsewhere nothing is done with what is marked.
        Msg::Mark => {
            item.is_some()
                && matches!(
                    shell.screen,
                    Screen::Inbox | Screen::Knowledge | Screen::Runs
                )
        }
        Msg::Open | Msg::Sheet => match item {
            Some(ListItem::New | ListItem::Task(_) | ListItem::Starter(_) | ListItem::Again(_)) => {
                shell.choices.is_some()
            }
            other => other.is_some(),
        },
        Msg::Debug(DebugMsg::Break | DebugMsg::Breaks) => shell.has_run,
        Msg::Undo => match shell.screen {
            Screen::Decided => item.is_some(),
            _ => !cache.decisions.past.is_empty(),
        },
        Msg::Lineage => match item {
            Some(ListItem::Failure(..)) => true,
            _ => entry_in_sight(shell, cache).is_some(),
        },
        Msg::Approve | Msg::Veto | Msg::Edit => match item {
            Some(ListItem::Entry(id)) => on_entry(scene, id, true, msg),
            other => other.is_some(),
        },
        Msg::Alike => item.is_some_and(|item| alike(cache, item).len() > 1),
        Msg::Rule => item.is_some(),
        Msg::Remove => match item {
            Some(ListItem::Rule(kind)) => cache.rules.0.contains_key(&kind),
            _ => false, // only rules are taken off a list
        },
        _ => about_runs(scene, item, msg),
    }
}

/// What the lists of runs offer.
fn about_runs(scene: &Scene<'_>, item: Option<ListItem>, msg: Msg) -> bool {
    let (shell, cache) = (scene.shell, scene.cache);
    let row = match item {
        Some(ListItem::Run(run)) => cache.run(run),
        _ => None, // nothing else is a run
    };
    match msg {
        Msg::Continue => {
            let is_left = row.is_some_and(|row| row.outcome.is_none() && !row.alive);
            is_left && shell.choices.is_some()
        }
        Msg::Compare => {
            let marked = shell.list().map_or(0, |list| list.marks.len());
            let forks = row.filter(|_| marked == 0);
            let forks = forks.map_or(0, |row| family(&cache.runs, row.id).len());
            (2..=RUNS_MAX).contains(&marked.max(forks))
        }
        Msg::Causes => has_rows(scene),
        Msg::Delete => {
            let in_sight = scene.view.head.as_ref().map(|head| head.run);
            row.is_some_and(|row| !row.alive && Some(row.id) != in_sight)
        }
        _ => true, // every other row holds on any list
    }
}
