//! Staging in a session: which run is in sight, and the one that is driven behind it.

use crate::effect::Effect;
use crate::feed::Feed;
use crate::screen::Screen;
use crate::screens::debug;
use crate::screens::home::launch::Launch;
use crate::screens::live::state::{Overlay, RunMode, Ui};
use crate::session::{Session, Stage};
use crate::shell::Cover;
use crate::view::View;
use pithead_engine::runtime::DriverStatus;
use pithead_world::clock::Millis;
use pithead_world::ids::RunId;

impl Session {
    /// Shows a run: one that is at hand at once, another after its recording has been opened.
    pub(crate) fn open_run(&mut self, run: RunId) -> Option<Effect> {
        let is = |view: &View| view.head.as_ref().is_some_and(|head| head.run == run);
        if is(&self.view) {
            self.shell.land();
        } else if self.parked.as_ref().is_some_and(|stage| is(&stage.view)) {
            self.unpark();
            self.shell.land();
        } else {
            return Some(Effect::OpenRun(run));
        }
        None
    }

    /// One console drives one run at a time.
    pub(crate) fn begin(&mut self, launch: Launch) -> Option<Effect> {
        let here = (&self.ui, &self.view);
        let parked = self.parked.as_deref();
        let behind = parked.map(|stage| (&stage.ui, &stage.view));
        let driven = [Some(here), behind].into_iter().flatten();
        let mut driven = driven.filter(|(ui, view)| {
            let runs = ui.mode == RunMode::Live(DriverStatus::Running);
            runs && !ui.is_guest && !view.status.is_over()
        });
        if let Some((_, view)) = driven.next() {
            let run = view.head.as_ref().map_or(RunId(0), |head| head.run);
            self.shell.refuse(format!(
                "run {run} is driven from here and goes on; leave it first, or use a second terminal"
            ));
            return None;
        }
        Some(Effect::Begin(launch))
    }

    /// A run that was begun here comes in sight. Runs driven before are over.
    pub(crate) fn drive(&mut self, feed: Feed, now: Millis) {
        self.show(feed, now);
        self.parked = None;
        (self.shell.cover, self.shell.toast) = (Cover::None, None);
    }

    /// Puts another run in sight. A run that this console drives goes on behind it.
    pub(crate) fn show(&mut self, feed: Feed, now: Millis) {
        self.ui.overlay = Overlay::None;
        self.hold_what_is_read();
        self.note_look();
        let mut ui = Ui::new(feed.mode(), self.ui.size);
        (ui.now, ui.is_guest) = (now, feed.is_guest());
        let before = Stage {
            feed: std::mem::replace(&mut self.feed, feed),
            view: std::mem::take(&mut self.view),
            ui: std::mem::replace(&mut self.ui, ui),
        };
        if matches!(before.ui.mode, RunMode::Live(_)) && !before.ui.is_guest {
            self.parked = Some(Box::new(before));
        }
        self.shell.has_run = true;
        // What was chosen about the other run means nothing in this one.
        self.shell.debug = debug::state::DebugUi::default();
        self.shell.lists.remove(&Screen::Debug);
        self.shell.land();
        (self.dirty, self.more) = (true, true);
    }

    /// Puts the run that this console drives in sight again.
    pub(crate) fn unpark(&mut self) {
        if self.parked.is_some() {
            self.note_look();
        }
        if let Some(stage) = self.parked.take() {
            (self.feed, self.view, self.ui) = (stage.feed, stage.view, stage.ui);
            self.ui.size = self.shell.size;
            (self.dirty, self.more) = (true, true);
        }
    }
}
