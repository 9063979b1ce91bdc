//! Scopes: which rows of the table hold now.

use crate::input::keys::{Scope, list_scopes};
use crate::overlay::{Overlay, PageSubject};
use crate::screen::Screen;
use crate::screens::debug::state::DebugOverlay;
use crate::screens::inbox::state::InboxOverlay;
use crate::screens::live::state::{RunOverlay, RunPage};
use crate::shell::Shell;
use pithead_engine::runtime::operator::bulk::BulkAction;

/// The scopes that hold now, nearest first.
#[must_use]
pub(crate) fn scopes(shell: &Shell) -> Vec<Scope> {
    match shell.overlay() {
        None => screen_scopes(shell),
        Some(overlay) => overlay_scopes(overlay),
    }
}

/// The scopes of the screen with nothing over it.
#[must_use]
pub(crate) fn screen_scopes(shell: &Shell) -> Vec<Scope> {
    let screen = shell.screen;
    if screen == Screen::Live {
        let mode = if shell.live.is_replay() {
            Scope::Replay
        } else {
            Scope::Live
        };
        let pane = Scope::Pane(shell.live.focus);
        return vec![pane, mode, Scope::Run, Scope::Everywhere];
    }
    list_scopes(screen)
}

/// The scopes of what help was asked about.
#[must_use]
pub(crate) fn scopes_below_help(shell: &Shell) -> Vec<Scope> {
    let is_help = |overlay: &&Overlay| matches!(overlay, Overlay::Page(page) if page.subject == PageSubject::Help);
    let below = shell
        .overlays
        .iter()
        .rev()
        .find(|overlay| !is_help(overlay));
    below.map_or_else(|| screen_scopes(shell), overlay_scopes)
}

fn overlay_scopes(overlay: &Overlay) -> Vec<Scope> {
    vec![match overlay {
        Overlay::Page(page) => return page_scopes(&page.subject),
        Overlay::Editor(_) => Scope::Editor,
        Overlay::Filter { .. }
        | Overlay::Palette { .. }
        | Overlay::Reason(_)
        | Overlay::Triage(_)
        | Overlay::SaveView { .. }
        | Overlay::Run(RunOverlay::Veto { .. } | RunOverlay::Jump { .. })
        | Overlay::Debug(DebugOverlay::Line { .. })
        | Overlay::Inbox(InboxOverlay::Veto { .. }) => Scope::Typing,
        Overlay::Bulk(bulk) => match bulk.action {
            BulkAction::Abort => Scope::Typing,
            BulkAction::Resume => Scope::Confirm,
        },
        Overlay::Run(RunOverlay::Confirm(_) | RunOverlay::Say { .. })
        | Overlay::Inbox(InboxOverlay::Undo(_) | InboxOverlay::Forget(_))
        | Overlay::DeleteRuns(_)
        | Overlay::Consent(_) => Scope::Confirm,
        Overlay::Views { .. }
        | Overlay::Debug(DebugOverlay::Breaks { .. } | DebugOverlay::Bookmarks { .. }) => {
            Scope::Choosing
        }
        Overlay::Debug(DebugOverlay::Fork(_)) => Scope::Forking,
        Overlay::NewRun(_) => Scope::Form,
        Overlay::Columns(_) => Scope::Columns,
        Overlay::GateRule(_) => Scope::Ruling,
        Overlay::Run(RunOverlay::Leave) => Scope::Leaving,
    }]
}

fn page_scopes(subject: &PageSubject) -> Vec<Scope> {
    match subject {
        PageSubject::Question(_) | PageSubject::Proposals(_) => {
            vec![Scope::Decision, Scope::Known, Scope::Reading]
        }
        PageSubject::Entry(_) => vec![Scope::Entry, Scope::Known, Scope::Reading],
        PageSubject::Asked(_) => vec![Scope::Asked, Scope::Reading],
        PageSubject::Run(RunPage::Entry(_)) => vec![Scope::Known, Scope::Reading],
        PageSubject::History { .. } => vec![Scope::History, Scope::Reading],
        PageSubject::Pair(_) => vec![Scope::Pair, Scope::Reading],
        PageSubject::Help
        | PageSubject::Row(_)
        | PageSubject::Run(_)
        | PageSubject::Blocked { .. }
        | PageSubject::Debug(_) => {
            vec![Scope::Reading]
        }
    }
}
