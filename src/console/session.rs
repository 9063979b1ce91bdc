//! A session: the console's loop as data, without terminal and without waiting.
//!
//! All inputs are taken in, then it says whether a frame is due and how long to wait. Invariant:
//! a frame is due only if something that is shown has changed, and but for keys at most every 16 ms.

pub(crate) mod debugging;
pub(crate) mod deciding;
pub(crate) mod editing;
pub(crate) mod looking;
pub(crate) mod staging;

use crate::cache::Desk;
use crate::cache::loader::{Loader, Wanted};
use crate::draw::Sight;
use crate::feed::Feed;
use crate::input::keymap::Keymap;
use crate::msg::{Effect, Exit, Msg};
use crate::remember::Memory;
use crate::run::Departure;
use crate::screen::Screen;
use crate::screens::home::Errand;
use crate::screens::inbox;
use crate::screens::inbox::Act;
use crate::screens::live::camera::Eyes;
use crate::screens::live::{answer, update};
use crate::screens::runs::bulk::Bulk;
use crate::screens::{debug, knowledge};
use crate::shell::Shell;
use crate::terminal::pictures::Means;
use crate::ui::{Mode, Ui};
use crate::update::{Hands, look_at_page, on_terminal, update as obey};
use crate::view::View;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::run::command::Command;
use pithead_core::domain::run::event::Event;
use pithead_engine::journal::JournalError;
use pithead_engine::runtime::DriverStatus;
use pithead_engine::runtime::fork::ForkRequest;
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, DecisionId, KnowledgeId, RunId};
use ratatui::crossterm::event::Event as Term;
use ratatui::layout::Size;
use std::time::Duration;

/// Between two frames: faster than the eye, slow enough for a flood of events.
const FRAME_MS: u64 = 16;
/// The same while a recording is folded towards a far place, of which only the progress is looked at.
const SEEK_FRAME_MS: u64 = 100;
/// Between a frame and one that answers a key: nobody waits for the eye of somebody else.
const KEY_FRAME_MS: u64 = 4;
/// Between two looks at a run that has been quiet for a while.
const QUIET_MS: u64 = 50;
/// Between two looks when nothing but a signal can happen, or nothing has for long.
const IDLE_MS: u64 = 250;
/// After so long without an event or a key a run counts as quiet.
const QUIET_AFTER_MS: u64 = 1000;
/// After so long it counts as asleep: every look costs, and there are only looks.
const ASLEEP_AFTER_MS: u64 = 5000;

/// The run in sight with its feed, and the console around it.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) feed: Feed,
    pub(crate) view: View,
    pub(crate) ui: Ui,
    pub(crate) shell: Shell,
    pub(crate) desk: Desk,
    loader: Option<Loader>,
    /// What reads for the Debug screen.
    glass: Option<debug::loader::Loader>,
    /// The run that this console drives, while another one is in sight.
    parked: Option<Box<Stage>>,
    /// Something shown has changed since the last frame.
    dirty: bool,
    /// A key has changed it.
    pressed: bool,
    more: bool,
    /// The question whose clock this console has stopped.
    held: Option<DecisionId>,
    drawn: Option<Millis>,
    heard: Millis,
    /// The moment of the last fold; keys that come are as new as that.
    now: Millis,
    /// Until when keys are not for what has just come over the screen by itself.
    deaf_until: Millis,
    eyes: Eyes,
    /// How pictures are written on this terminal, if they are.
    pictures: Option<Means>,
    /// How runs were looked at before, and the run in sight whose look has been recalled.
    pub(crate) memory: Memory,
    recalled: Option<RunId>,
    /// A question of the inbox that is answered on its run's screen.
    errand: deciding::Errand,
}

/// A run that is not in sight.
#[derive(Debug)]
struct Stage {
    feed: Feed,
    view: View,
    ui: Ui,
}

/// What is to be done that the session cannot do: it has no terminal and no files.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Order {
    Leave(Exit),
    Suspend,
    Redraw,
    OpenRun(RunId),
    /// Begins a run, or goes on with one.
    Begin(Errand),
    Copy(String),
    NextTheme,
    NextPictures,
    Mouse(bool),
    Export,
    Overrule {
        run: RunId,
        attempt: AttemptId,
        label: FailureReason,
        reason: String,
    },
    Mark(Event),
    Fork(Box<ForkRequest>),
    Inbox(Act),
    Curate(knowledge::Act),
    Study(KnowledgeId, knowledge::study::Kind),
    DeleteRuns(Vec<RunId>),
    Bulk(Bulk),
    EditOutside {
        text: String,
        ending: &'static str,
    },
}

impl Session {
    pub(crate) fn new(feed: Feed, keymap: Keymap, size: Size, now: Millis) -> Self {
        let mut ui = Ui::new(feed.mode(), size);
        (ui.now, ui.is_guest) = (now, feed.is_guest());
        let screen = match feed {
            Feed::Nothing => Screen::Home,
            _ => Screen::Live,
        };
        Self {
            feed,
            view: View::default(),
            ui,
            shell: Shell::new(screen, keymap, size),
            desk: Desk::default(),
            loader: None,
            glass: None,
            parked: None,
            dirty: true,
            pressed: false,
            more: true,
            held: None,
            drawn: None,
            heard: now,
            now,
            deaf_until: Millis(0),
            eyes: Eyes::default(),
            pictures: None,
            memory: Memory::default(),
            recalled: None,
            errand: deciding::Errand::default(),
        }
    }

    /// Something came from the terminal.
    pub(crate) fn on_terminal(&mut self, event: &Term) -> Option<Order> {
        if means_nothing(event) || self.is_deaf_to(event) {
            return None;
        }
        let order = self.take(event);
        self.return_to_inbox();
        self.hold_what_is_read();
        order
    }

    fn take(&mut self, event: &Term) -> Option<Order> {
        // Even a key that does nothing takes the last word off the footer. What it asks of a run is
        // answered soon, so the run is looked at often again.
        (self.dirty, self.pressed, self.heard) = (true, true, self.now);
        let effect = on_terminal(&mut self.hands(), event)?;
        self.carry_out(effect)
    }

    fn hands(&mut self) -> Hands<'_> {
        Hands {
            shell: &mut self.shell,
            desk: &self.desk,
            ui: &mut self.ui,
            view: &self.view,
        }
    }

    fn carry_out(&mut self, effect: Effect) -> Option<Order> {
        match effect {
            Effect::Send(command) => {
                if let Err(because) = self.feed.send(command) {
                    self.ui.refuse(because);
                }
                None
            }
            Effect::Replay(msg) => {
                if let Feed::Recording(player) = &mut self.feed {
                    player.on(msg, &mut self.view);
                    self.more = true;
                }
                None
            }
            // Leaving is asked of the run that would be left.
            Effect::Quit(_) if self.parked.is_some() => {
                self.unpark();
                let effect = obey(&mut self.hands(), Msg::Quit)?;
                self.carry_out(effect)
            }
            Effect::Quit(exit) => Some(Order::Leave(exit)),
            Effect::Suspend => Some(Order::Suspend),
            Effect::Redraw => Some(Order::Redraw),
            Effect::OpenRun(run) => self.open_run(run),
            Effect::Begin(errand) => self.begin(errand),
            Effect::Copy(text) => Some(Order::Copy(text)),
            Effect::NextTheme => Some(Order::NextTheme),
            Effect::NextPictures => Some(Order::NextPictures),
            Effect::Mouse(on) => Some(Order::Mouse(on)),
            Effect::Export => Some(Order::Export),
            Effect::SetBreaks(breaks) => {
                self.set_breaks(breaks);
                None
            }
            Effect::Overrule {
                run,
                attempt,
                label,
                reason,
            } => self.overrule(run, attempt, label, reason),
            Effect::Mark(event) => Some(Order::Mark(event)),
            Effect::Fork(wish) => Some(Order::Fork(wish)),
            Effect::Inbox(act) => self.decide(act),
            Effect::Curate(act) => Some(Order::Curate(act)),
            Effect::Study(id, kind) => Some(Order::Study(id, kind)),
            Effect::DeleteRuns(runs) => Some(Order::DeleteRuns(runs)),
            Effect::Bulk(bulk) => Some(Order::Bulk(bulk)),
            Effect::EditOutside { text, ending } => Some(Order::EditOutside { text, ending }),
        }
    }

    /// What is drawn.
    pub(crate) fn sight(&self) -> Sight<'_> {
        Sight {
            shell: &self.shell,
            desk: &self.desk,
            view: &self.view,
            ui: &self.ui,
            pictures: self.pictures,
        }
    }

    /// From now on the desk is read by this loader.
    pub(crate) fn read_with(&mut self, loader: Loader) {
        self.loader = Some(loader);
    }

    /// Takes in what the desk's loader has read.
    fn read(&mut self) {
        let Some(loader) = &mut self.loader else {
            return;
        };
        loader.want(Wanted {
            screen: self.shell.screen,
            opened: self.shell.opened,
            compared: self.shell.compared.clone(),
            failing: self.shell.failing.clone(),
            reading: self.shell.cover.entry(),
        });
        let Shell {
            compared, failing, ..
        } = &self.shell;
        self.desk.keep(self.shell.opened, compared, failing);
        let mut came = false;
        for loaded in loader.taken() {
            self.desk.take(loaded);
            came = true;
        }
        if came {
            self.take_rules();
            self.desk.tell_time(self.now);
            self.shell.settle(&self.desk);
            look_at_page(&mut self.shell, &self.desk);
            inbox::sheet::look(&mut self.shell, &self.desk);
            knowledge::sheet::look(&mut self.shell, &self.desk);
            self.dirty = true;
        }
    }

    /// Takes in what the feed has.
    pub(crate) fn fold(&mut self, now: Millis) -> Result<(), JournalError> {
        self.now = now;
        self.read();
        self.read_debug();
        if let Some(stage) = &mut self.parked {
            stage.feed.fold(&mut stage.view, now)?;
            stage.ui.mode = stage.feed.mode();
        }
        // The mode first: what was published before it changed is then in what comes.
        let mode = self.feed.mode();
        let came = self.feed.fold(&mut self.view, now)?;
        if came.events > 0 {
            self.heard = now;
            self.eyes.something_happened();
            let told = self.ui.toast.clone();
            answer::settle(&mut self.ui, &self.view);
            self.dirty |= self.shows_run() || self.ui.toast != told;
            update::look_at_decision(&mut self.ui, &self.view);
        }
        self.more = came.more;
        let mode = if self.ui.is_replay() {
            self.feed.mode()
        } else {
            mode
        };
        if mode != self.ui.mode {
            // How far a recording has come is told on the run's own screens.
            self.dirty |= self.shows_run() || !self.ui.is_replay();
            self.ui.mode = mode;
        }
        if let Feed::Recording(player) = &mut self.feed
            && let Some(because) = player.take_stop()
        {
            self.shell.say(format!("stopped at {because}"));
            self.dirty = true;
        }
        let thinking = self.feed.thinking();
        if thinking != self.ui.thinking {
            self.ui.thinking = thinking;
            self.dirty = true;
        }
        if self.shell.screen == Screen::Live {
            let (ui, means) = (&mut self.ui, self.pictures);
            self.dirty |= self.eyes.look(ui, means, &mut self.feed, now);
        }
        self.recall_look();
        self.open_wanted();
        self.hold_what_is_read();
        self.age_inbox(now);
        self.tell_time(now);
        Ok(())
    }

    /// Lists are made of what the desk reads: a run that goes on behind them changes nothing there.
    fn shows_run(&self) -> bool {
        matches!(self.shell.screen, Screen::Live | Screen::Debug)
    }

    /// No time-out answers a question under the hands of the operator: the run is told what is on
    /// the screen, and when it no longer is.
    fn hold_what_is_read(&mut self) {
        let runs = |id: &DecisionId| {
            let open = self.view.inbox.get(*id);
            open.is_some_and(|open| open.question.deadline.is_some())
        };
        let read = self.ui.reads().filter(|_| !self.ui.is_replay());
        let read = read.filter(|id| self.held == Some(*id) || runs(id));
        // An answer on its way keeps what it is about held until the run has taken or refused it.
        let on_its_way = |id| self.ui.answered.contains_key(&id);
        if read == self.held || self.held.is_some_and(on_its_way) {
            return;
        }
        let before = std::mem::replace(&mut self.held, read);
        let before = before.filter(|id| self.view.inbox.get(*id).is_some());
        let release = before.map(|decision| Command::ReleaseDecision { decision });
        let hold = read.map(|decision| Command::HoldDecision { decision });
        for command in release.into_iter().chain(hold) {
            // If nobody listens any more, no time-out answers either.
            let _ = self.feed.send(command);
        }
    }

    /// Lets the clocks on the screen go on, once a second and only where one is shown.
    fn tell_time(&mut self, now: Millis) {
        let shown = match self.ui.mode {
            Mode::Replay(_) => self.view.at,
            Mode::Live(_) if self.shows_clock() => now,
            Mode::Live(_) => return,
        };
        if shown.0 / 1000 != self.ui.now.0 / 1000 {
            self.dirty = self.dirty || self.shows_clock();
            self.ui.now = shown;
        }
    }

    /// Wall time is on the screen and goes on by itself.
    fn shows_clock(&self) -> bool {
        self.ui.mode == Mode::Live(DriverStatus::Running)
            && !self.view.status.is_over()
            && (self.view.status.runs_on_wall_time() || self.view.inbox.counts_down())
    }

    /// A frame is to be drawn now.
    pub(crate) fn is_frame_due(&self, now: Millis) -> bool {
        self.dirty && self.until_frame(now) == 0
    }

    /// A frame is to be drawn now, before anything else, for a key has changed something.
    pub(crate) fn is_answer_due(&self, now: Millis) -> bool {
        self.pressed && self.is_frame_due(now)
    }

    /// How long the last frame stands at least.
    fn until_frame(&self, now: Millis) -> u64 {
        let is_seeking = matches!(&self.ui.mode, Mode::Replay(replay) if replay.seeking);
        let stands = match (self.pressed, is_seeking) {
            (true, _) => KEY_FRAME_MS,
            (false, true) => SEEK_FRAME_MS,
            (false, false) => FRAME_MS,
        };
        self.drawn
            .map_or(0, |drawn| stands.saturating_sub(now.since(drawn)))
    }

    pub(crate) fn drawn(&mut self, now: Millis) {
        (self.dirty, self.pressed, self.drawn) = (false, false, Some(now));
    }

    pub(crate) fn must_redraw(&mut self) {
        (self.dirty, self.drawn) = (true, None);
    }

    /// How long nothing will be missed if nobody presses a key.
    pub(crate) fn wait(&self, now: Millis) -> Duration {
        let ms = if self.more {
            0
        } else if self.dirty {
            self.until_frame(now)
        } else {
            self.until_next_look(now)
        };
        Duration::from_millis(ms)
    }

    fn until_next_look(&self, now: Millis) -> u64 {
        match &self.ui.mode {
            Mode::Replay(replay) if replay.playing => {
                (1000 / u64::from(replay.speed.max(1))).clamp(FRAME_MS, IDLE_MS)
            }
            Mode::Live(DriverStatus::Running) => match now.since(self.heard) {
                0..QUIET_AFTER_MS => FRAME_MS,
                QUIET_AFTER_MS..ASLEEP_AFTER_MS => QUIET_MS,
                _ => IDLE_MS,
            },
            Mode::Replay(_) | Mode::Live(_) => IDLE_MS,
        }
    }

    /// Lets go of the run that this console drives, and of the one in sight.
    pub(crate) fn close(mut self) -> Departure {
        self.unpark();
        let is_own = matches!(self.ui.mode, Mode::Live(_)) && !self.ui.is_guest;
        Departure {
            exit: Exit::Over,
            run: self
                .view
                .head
                .as_ref()
                .map(|head| head.run)
                .filter(|_| is_own),
            outcome: self.view.status.outcome(),
            waiting: if is_own {
                self.view.inbox.open.len()
            } else {
                0
            },
            driver: self.feed.close(),
        }
    }
}

/// What the mouse does between clicks, and keys that come up: it changes nothing and draws nothing.
fn means_nothing(event: &Term) -> bool {
    use ratatui::crossterm::event::{KeyEventKind, MouseEventKind};
    match event {
        Term::Mouse(mouse) => matches!(
            mouse.kind,
            MouseEventKind::Moved | MouseEventKind::Drag(_) | MouseEventKind::Up(_)
        ),
        Term::Key(key) => key.kind == KeyEventKind::Release,
        Term::FocusGained | Term::FocusLost => true,
        Term::Paste(_) | Term::Resize(..) => false,
    }
}

#[cfg(test)]
mod tests;
