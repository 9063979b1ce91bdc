//! Staging in a session: which run is in sight, and the one that is driven behind it.

use crate::effect::Effect;
use crate::feed::Feed;
use crate::msg::ReplayMsg;
use crate::screen::Screen;
use crate::screens::debug;
use crate::screens::home::launch::Launch;
use crate::screens::live::state::{LiveState, RunMode};
use crate::session::{Session, Stage};
use crate::shell::RunPlace;
use crate::view::View;
use pithead_engine::runtime::DriverStatus;
use pithead_world::clock::Millis;
use pithead_world::ids::RunId;

impl Session {
    /// Shows a run: one that is at hand at once, another after its recording has been opened.
    pub(crate) fn open_run(&mut self, run: RunId) -> Option<Effect> {
        let is = |view: &View| view.head.as_ref().is_some_and(|head| head.run == run);
        if is(&self.view) {
            self.land();
        } else if self.parked.as_ref().is_some_and(|stage| is(&stage.view)) {
            self.unpark();
            self.land();
        } else {
            return Some(Effect::OpenRun(run));
        }
        None
    }

    /// Shows the run in sight at what it was opened for; a recording goes there.
    fn land(&mut self) {
        let moment = match self.shell.aim {
            Some(RunPlace::Moment(seq)) => Some(seq),
            _ => None, // the Debug screen finds its attempt itself
        };
        self.shell.land();
        if let (Some(seq), Feed::Recording(player)) = (moment, &mut self.feed) {
            player.handle(ReplayMsg::ToSeq(seq.0), &mut self.view);
            self.more = true;
        }
    }

    /// One console drives one run at a time.
    pub(crate) fn begin(&mut self, launch: Launch) -> Option<Effect> {
        if let Some(run) = self.driven_run() {
            self.shell.refuse(format!(
                "run {run} is driven from here and goes on; leave it first, or use a second terminal"
            ));
            return None;
        }
        Some(Effect::Begin(launch))
    }

    /// The run that this console drives and that goes on.
    pub(crate) fn driven_run(&self) -> Option<RunId> {
        let here = (&self.shell.live, &self.view);
        let parked = self.parked.as_deref();
        let behind = parked.map(|stage| (&stage.live, &stage.view));
        let mut all = [Some(here), behind].into_iter().flatten();
        let is_driven = |(live, view): &(&LiveState, &View)| {
            let runs = live.mode == RunMode::Live(DriverStatus::Running);
            runs && !live.is_guest && !view.status.is_over()
        };
        let (_, view) = all.find(is_driven)?;
        Some(view.head.as_ref().map_or(RunId(0), |head| head.run))
    }

    /// A run that was begun here comes in sight. Runs driven before are over.
    pub(crate) fn drive(&mut self, feed: Feed, now: Millis) {
        self.show(feed, now);
        self.parked = None;
        self.shell.close_overlays();
        self.shell.toast = None;
    }

    /// Puts another run in sight. A run that this console drives goes on behind it.
    pub(crate) fn show(&mut self, feed: Feed, now: Millis) {
        self.shell.close_overlays();
        self.hold_what_is_read();
        self.note_look();
        let mut live = LiveState::new(feed.mode());
        (live.now, live.is_guest) = (now, feed.is_guest());
        live.is_own_process = feed.is_own_process();
        let before = Stage {
            feed: std::mem::replace(&mut self.feed, feed),
            view: std::mem::take(&mut self.view),
            live: std::mem::replace(&mut self.shell.live, live),
        };
        let is_ours = !before.live.is_guest || before.live.is_own_process;
        if matches!(before.live.mode, RunMode::Live(_)) && is_ours {
            self.parked = Some(Box::new(before));
        }
        self.shell.has_run = true;
        // What was chosen about the other run means nothing in this one.
        self.shell.debug = debug::state::DebugState::default();
        self.shell.lists.remove(&Screen::Debug);
        self.land();
        (self.dirty, self.more) = (true, true);
    }

    /// Puts the run that this console drives in sight again.
    pub(crate) fn unpark(&mut self) {
        if self.parked.is_some() {
            self.note_look();
        }
        if let Some(stage) = self.parked.take() {
            (self.feed, self.view, self.shell.live) = (stage.feed, stage.view, stage.live);
            (self.dirty, self.more) = (true, true);
        }
    }
}
