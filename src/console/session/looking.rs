//! Looking in a session: how a run is looked at is noted when it leaves the screen and recalled when it
//! comes back.

use crate::screen::Screen;
use crate::session::Session;
use crate::session::deciding::Visit;
use crate::terminal::pictures::placement::PictureMode;

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
