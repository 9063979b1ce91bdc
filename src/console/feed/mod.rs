//! Feeds: where the console's events come from, a live run or a recording.

pub mod followed;
pub mod player;
mod shortcuts;

use crate::effect::HostWish;
use crate::feed::followed::FollowedRun;
use crate::feed::player::{Came, Player};
use crate::screens::live::state::{ReplayState, RunMode};
use crate::view::View;
use pithead_core::domain::run::command::Command;
use pithead_engine::journal::JournalError;
use pithead_engine::mind::watch::AnswerProgress;
use pithead_engine::runtime::attach::Attached;
use pithead_engine::runtime::attach::presence::Presence;
use pithead_engine::runtime::{DriverStatus, Link};
use pithead_world::port::Pixels;
use std::sync::Arc;

/// A source of events.
#[derive(Debug)]
pub enum Feed {
    Live(Link),
    Recording(Player),
    /// A run that another process drives.
    Attached(Box<FollowedRun>),
    /// No run yet: the console begins with its lists.
    Nothing,
    /// A live run of which a test plays the driver.
    #[cfg(test)]
    Scripted(Script),
}

/// Events folded before the screen gets its turn again: some milliseconds' work.
const FOLD_MAX: usize = 4096;
/// The same where each has to be read from the disk and decoded first.
const READ_MAX: usize = 128;

impl Feed {
    /// Follows a run that another process drives.
    #[must_use]
    pub fn attached(run: Attached) -> Self {
        Self::Attached(Box::new(FollowedRun::new(run)))
    }

    pub(crate) fn mode(&self) -> RunMode {
        match self {
            Self::Live(link) => RunMode::Live(link.status()),
            Self::Recording(player) => RunMode::Replay(player.state()),
            Self::Attached(attached) => RunMode::Live(attached.status()),
            Self::Nothing => RunMode::Replay(ReplayState::default()),
            #[cfg(test)]
            Self::Scripted(script) => RunMode::Live(script.status.clone()),
        }
    }

    /// Another process drives it.
    pub(crate) fn is_guest(&self) -> bool {
        matches!(self, Self::Attached(_))
    }

    /// Another process drives it, for this console.
    pub(crate) fn is_own_process(&self) -> bool {
        matches!(self, Self::Attached(attached) if attached.is_own())
    }

    /// Who is at the run, where another process drives it and answers.
    pub(crate) fn presence(&self) -> Option<Presence> {
        match self {
            Self::Attached(attached) => attached.presence(),
            _ => None, // nobody else has others beside them
        }
    }

    /// The process that drives it waits for another program that writes to the database.
    pub(crate) fn is_waiting_for_others(&self) -> bool {
        matches!(self, Self::Attached(attached) if attached.is_waiting_for_others())
    }

    /// Asks the process that drives the run for the seat, or for something about it.
    pub(crate) fn ask_host(&mut self, wish: HostWish) -> Result<(), String> {
        let Self::Attached(attached) = self else {
            return Err("this console drives the run itself, or shows a recording".to_owned());
        };
        let done = match wish {
            HostWish::AskSeat => attached.ask_seat(),
            HostWish::GiveSeat(to) => attached.give_seat(to),
            HostWish::Stop => attached.stop(),
        };
        done.map_err(|error| error.to_string())
    }

    /// Folds what has come.
    pub(crate) fn fold(
        &mut self,
        view: &mut View,
        now: pithead_world::clock::Millis,
    ) -> Result<Came, JournalError> {
        let max = if matches!(self, Self::Live(_)) {
            FOLD_MAX
        } else {
            READ_MAX
        };
        let events = match self {
            Self::Recording(player) => return player.turn(view, now),
            Self::Live(link) => link.drain(max)?,
            Self::Attached(attached) => return attached.fold(view, max),
            Self::Nothing => Vec::new(),
            #[cfg(test)]
            Self::Scripted(script) => script.waiting.pop_front().unwrap_or_default(),
        };
        events.iter().for_each(|event| view.apply(event));
        Ok(Came {
            events: events.len(),
            more: events.len() >= max,
        })
    }

    /// How far the mind is, if it tells.
    pub(crate) fn thinking(&self) -> Option<AnswerProgress> {
        match self {
            Self::Live(link) => link.thinking(),
            Self::Attached(attached) => attached.thinking(),
            Self::Recording(_) | Self::Nothing => None,
            #[cfg(test)]
            Self::Scripted(script) => script.thinking.clone(),
        }
    }

    /// Asks for a picture of what the body sees.
    pub(crate) fn ask_view(&mut self, width: u32, height: u32) {
        match self {
            Self::Live(link) => link.ask_view(width, height),
            Self::Attached(attached) => attached.ask_view(width, height),
            // The picture is no event.
            Self::Recording(_) | Self::Nothing => (),
            #[cfg(test)]
            Self::Scripted(script) => script.looked.push((width, height)),
        }
    }

    /// The last picture that has come.
    pub(crate) fn view(&self) -> Option<Arc<Pixels>> {
        match self {
            Self::Live(link) => link.view(),
            Self::Attached(attached) => attached.view(),
            Self::Recording(_) | Self::Nothing => None,
            #[cfg(test)]
            Self::Scripted(script) => script.picture.clone(),
        }
    }

    /// Sends a command; says why if nobody listens.
    pub(crate) fn send(&mut self, command: Command) -> Result<(), String> {
        match self {
            Self::Live(link) => link.send(command).map_err(|gone| gone.to_string()),
            Self::Recording(_) => Err("this is a recording".to_owned()),
            Self::Attached(attached) => attached.send(command).map_err(|error| error.to_string()),
            Self::Nothing => Err("no run is open".to_owned()),
            #[cfg(test)]
            Self::Scripted(script) => {
                script.sent.push(command);
                Ok(())
            }
        }
    }

    /// Lets go of the run: one under way stops where it is and can be resumed.
    pub(crate) fn close(self) -> Option<DriverStatus> {
        match self {
            Self::Live(link) => Some(link.close().status),
            Self::Attached(attached) => Some(attached.status()),
            Self::Recording(_) | Self::Nothing => None,
            #[cfg(test)]
            Self::Scripted(script) => Some(script.status),
        }
    }
}

/// A driver played by a test.
#[cfg(test)]
#[derive(Debug)]
pub struct Script {
    /// Each is handed out at one look.
    pub(crate) waiting: std::collections::VecDeque<Vec<pithead_core::domain::run::event::Recorded>>,
    pub(crate) sent: Vec<Command>,
    pub(crate) status: DriverStatus,
    /// Pictures asked for, and the one that is there.
    pub(crate) looked: Vec<(u32, u32)>,
    pub(crate) picture: Option<Arc<Pixels>>,
    /// How far the mind is.
    pub(crate) thinking: Option<AnswerProgress>,
}

#[cfg(test)]
impl Script {
    /// A running driver that hands out these lots of events.
    pub(crate) fn of<const N: usize>(
        lots: [Vec<pithead_core::domain::run::event::Recorded>; N],
    ) -> Self {
        Self {
            waiting: lots.into(),
            sent: Vec::new(),
            status: DriverStatus::Running,
            looked: Vec::new(),
            picture: None,
            thinking: None,
        }
    }
}
