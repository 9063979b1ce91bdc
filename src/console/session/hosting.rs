//! Hosting in a session: commands to a run of another process, leaving it, and who else is there.

use crate::effect::{Effect, HostWish, LeaveChoice, Leaving};
use crate::screens::live::seat::seat_change;
use crate::session::Session;
use pithead_core::domain::run::command::Command;

impl Session {
    /// Gives the run in sight a command. One that is over takes it through the database if its process has
    /// gone.
    pub(crate) fn send(&mut self, command: Command) -> Option<Effect> {
        let because = self.feed.send(command.clone()).err()?;
        let run = self.view.head.as_ref().map(|head| head.run);
        match run.filter(|_| self.feed.is_guest() && self.view.status.is_over()) {
            Some(run) => Some(Effect::Tell(run, command)),
            None => {
                self.shell.refuse(because);
                None
            }
        }
    }

    /// Leaves a run that has a process of its own. What cannot be done keeps the console open.
    pub(crate) fn leave(&mut self, choice: LeaveChoice) -> Option<Effect> {
        let (done, exit) = match choice {
            LeaveChoice::Running => (Ok(()), Leaving::Running),
            LeaveChoice::Stopped => (self.feed.ask_host(HostWish::Stop), Leaving::Left),
            LeaveChoice::Ended => {
                let reason = "from the console".to_owned();
                (self.feed.send(Command::Abort { reason }), Leaving::Ended)
            }
        };
        match done {
            Ok(()) => Some(Effect::Quit(exit)),
            Err(because) => {
                self.shell.refuse(because);
                None
            }
        }
    }

    /// Takes in who is at the run, and says what has changed about that.
    pub(crate) fn take_presence(&mut self) {
        let presence = self.feed.presence();
        if presence == self.shell.live.presence {
            return;
        }
        let told = seat_change(self.shell.live.presence.as_ref(), presence.as_ref());
        self.shell.toast = told.or(self.shell.toast.take());
        (self.shell.live.presence, self.dirty) = (presence, true);
    }
}
