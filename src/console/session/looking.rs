//! Looking in a session: how a run is looked at is noted when it leaves the screen and recalled when it
//! comes back.

use crate::overlays::pages::settle_page;
use crate::screen::Screen;
use crate::screens::live::layout::{Focus, SharedPlace};
use crate::screens::live::panes::switched;
use crate::session::Session;
use crate::session::deciding::Visit;
use crate::terminal::pictures::placement::PictureMode;
use pithead_engine::mind::watch::AnswerProgress;

impl Session {
    /// From now on pictures are written like this, or drawn in cells.
    pub(crate) fn show_pictures(&mut self, mode: Option<PictureMode>) {
        self.pictures = mode;
    }

    /// Remembers how the run in sight is looked at.
    pub(crate) fn note_look(&mut self) {
        let run = self.view.head.as_ref().map(|head| head.run);
        match run.filter(|run| self.recalled == Some(*run)) {
            Some(run) => self.memory.note(run, &self.shell),
            None => self.memory.note_lists(&self.shell),
        }
    }

    /// Takes in how far the mind is. Where nothing waits for the operator, an answer comes in sight when it begins;
    /// a question to the operator goes before it.
    pub(crate) fn take_thinking(&mut self, thinking: Option<AnswerProgress>) {
        let live = &mut self.shell.live;
        let waits = !self.view.inbox.open.is_empty();
        let is_free = live.focus.place() != Some(SharedPlace::Decisions);
        if waits && is_free {
            live.decisions = Focus::Inbox;
        } else if thinking.is_some() && live.thinking.is_none() && is_free {
            live.decisions = Focus::Mind;
        }
        if thinking != live.thinking {
            live.thinking = thinking;
            self.dirty = true;
            settle_page(&mut self.shell, &self.cache, &self.view);
        }
    }

    /// The panes that the profile of the run in sight switches on; the first of them is in sight at once.
    pub(crate) fn switch_panes(&mut self) {
        let switched = switched(&self.view);
        let live = &mut self.shell.live;
        if live.switched == switched {
            return;
        }
        if let Some(first) = switched.first().filter(|_| live.corner == Focus::Knowledge) {
            live.corner = *first;
        } else if !switched.contains(&live.corner) {
            live.corner = Focus::Knowledge;
        }
        let is_there = |focus: Focus| Focus::ALL.contains(&focus) || switched.contains(&focus);
        if !is_there(live.focus) && live.focus != Focus::View {
            live.focus = Focus::Plan;
        }
        if !is_there(live.beside) && live.beside != Focus::View {
            live.beside = Focus::Monitor;
        }
        live.switched = switched;
        self.dirty = true;
    }

    /// Looks at a run that has come in sight as it was looked at before.
    pub(crate) fn recall_look(&mut self) {
        let run = self.view.head.as_ref().map(|head| head.run);
        if run != self.recalled {
            self.recalled = run;
            let recalled = run.and_then(|run| self.memory.recall(run, &mut self.shell));
            // A question, an attempt or a moment that the run was opened for has its own place.
            let is_free = self.shell.screen == Screen::Live
                && self.visit == Visit::None
                && self.shell.live.line.is_none();
            if let Some(screen) = recalled.filter(|_| is_free) {
                self.shell.go(screen);
            }
        }
    }
}
