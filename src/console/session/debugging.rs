//! Debugging in a session: what is read for the Debug screen, and who is told of breakpoints and labels.

use crate::effect::Effect;
use crate::feed::Feed;
use crate::overlay::asked_in_hand;
use crate::overlays::pages::settle_page;
use crate::screen::Screen;
use crate::screens::debug;
use crate::screens::debug::readings::DebugReading;
use crate::screens::live::state::RunMode;
use crate::session::Session;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::run::breakpoint::Breakpoint;
use pithead_core::domain::run::command::Command;
use pithead_engine::runtime::DriverStatus;
use pithead_world::ids::{AttemptId, RunId};

impl Session {
    /// A live run is told where to stop; a recording is stopped here.
    pub(crate) fn set_breaks(&mut self, breaks: Vec<Breakpoint>) {
        if let Feed::Recording(player) = &mut self.feed {
            player.stop_at(breaks.clone());
            self.shell.debug.breaks = breaks;
            return;
        }
        match self.feed.send(Command::SetBreaks { breaks }) {
            Ok(()) => (),
            Err(because) => self.shell.refuse(because),
        }
    }

    /// A run that is driven hears of it itself; another is opened for it.
    pub(crate) fn overrule(
        &mut self,
        run: RunId,
        attempt: AttemptId,
        label: FailureReason,
        reason: String,
    ) -> Option<Effect> {
        let command = Command::Overrule {
            attempt,
            label,
            reason: reason.clone(),
        };
        match &self.shell.live.mode {
            RunMode::Live(DriverStatus::Running) => match self.feed.send(command) {
                Ok(()) => self.shell.say(format!("{attempt} is {}", label.name())),
                Err(because) => self.shell.refuse(because),
            },
            RunMode::Live(DriverStatus::Over) if !self.shell.live.is_guest => {
                match self.feed.send(command) {
                    Ok(()) => self.shell.say(format!("{attempt} is {}", label.name())),
                    Err(because) => self.shell.refuse(because),
                }
            }
            RunMode::Live(_) | RunMode::Replay(_) => {
                return Some(Effect::Overrule {
                    run,
                    attempt,
                    label,
                    reason,
                });
            }
        }
        None
    }

    /// From now on the Debug screen is read for by this loader.
    pub(crate) fn use_case_loader(&mut self, loader: debug::loader::CaseLoader) {
        self.inspection = Some(loader);
    }

    /// Takes in what was read for the Debug screen.
    pub(crate) fn read_debug(&mut self) {
        let Some(loader) = &mut self.inspection else {
            return;
        };
        let in_sight = self.shell.screen == Screen::Debug;
        let in_sight = in_sight || asked_in_hand(&self.shell.overlays).is_some();
        let wants =
            in_sight.then(|| debug::inspection::wants(&self.shell, &self.cache, &self.view));
        loader.want(wants);
        let readings: Vec<DebugReading> = loader.taken().collect();
        for read in readings {
            self.dirty = true;
            let is_found = matches!(read, DebugReading::StudyResult(_));
            if self.cache.apply_debug(read) {
                debug::frames::enter(&mut self.shell, &self.cache);
                self.shell.settle(&self.cache);
            }
            settle_page(&mut self.shell, &self.cache, &self.view);
            debug::inspection::judge(&mut self.shell, &self.cache);
            if is_found && let Some(effect) = debug::overlay::show_found(&mut self.context()) {
                // What was found is shown on a recording too; nothing else is asked for.
                let _ = self.perform(effect);
            }
        }
    }
}
