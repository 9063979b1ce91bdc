//! A session: the console's loop as data, without terminal and without waiting.
//!
//! All inputs are taken in, then it says whether a frame is due and how long to wait. Invariant:
//! a frame is due only if something that is shown has changed, and but for keys at most every 16 ms.

pub(crate) mod debugging;
pub(crate) mod deciding;
pub(crate) mod editing;
pub(crate) mod hosting;
pub(crate) mod looking;
pub(crate) mod noticing;
pub(crate) mod staging;

use crate::cache::Cache;
use crate::cache::loader::{CacheLoader, CacheWants};
use crate::context::{Context, Scene};
use crate::effect::{Effect, Leaving};
use crate::feed::Feed;
use crate::input::keymap::Keymap;
use crate::input::terminal::on_terminal;
use crate::msg::Msg;
use crate::options::Departure;
use crate::overlay::question_in_hand;
use crate::overlays::known::entry_in_sight;
use crate::overlays::pages::settle_page;
use crate::remember::ViewMemory;
use crate::screen::Screen;
use crate::screens::debug;
use crate::screens::live::answer;
use crate::screens::live::camera::Camera;
use crate::screens::live::state::{LiveState, RunMode};
use crate::shell::Shell;
use crate::terminal::pictures::placement::PictureMode;
use crate::update::update as obey;
use crate::view::View;
use pithead_core::domain::run::command::Command;
use pithead_engine::journal::JournalError;
use pithead_engine::runtime::DriverStatus;
use pithead_world::clock::Millis;
use pithead_world::ids::{DecisionId, RunId};
use ratatui::crossterm::event::Event as Term;
use ratatui::layout::Size;
use std::time::Duration;

/// Between two frames: faster than the eye, slow enough for a flood of events.
const FRAME_MS: u64 = 16;
/// The same while a recording is folded towards a far place, of which only the progress is looked at.
const SEEK_FRAME_MS: u64 = 100;
/// Between a frame and one that answers a key: whoever types looks at the screen already.
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
    pub(crate) shell: Shell,
    pub(crate) cache: Cache,
    loader: Option<CacheLoader>,
    /// What reads for the Debug screen.
    inspection: Option<debug::loader::CaseLoader>,
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
    camera: Camera,
    /// How pictures are written on this terminal, if they are.
    pictures: Option<PictureMode>,
    /// How runs were looked at before, and the run in sight whose look has been recalled.
    pub(crate) memory: ViewMemory,
    recalled: Option<RunId>,
    /// A question of the inbox that is answered on its run's screen.
    visit: deciding::Visit,
    /// What the operator was told through the terminal.
    noticed: noticing::Noticed,
}

/// A run that is not in sight.
#[derive(Debug)]
struct Stage {
    feed: Feed,
    view: View,
    live: LiveState,
}

impl Session {
    pub(crate) fn new(feed: Feed, keymap: Keymap, size: Size, now: Millis) -> Self {
        let screen = match feed {
            Feed::Nothing => Screen::Home,
            _ => Screen::Live,
        };
        let mut shell = Shell::new(screen, keymap, size);
        shell.live.mode = feed.mode();
        (shell.live.now, shell.live.is_guest) = (now, feed.is_guest());
        shell.live.is_own_process = feed.is_own_process();
        Self {
            feed,
            view: View::default(),
            shell,
            cache: Cache::default(),
            loader: None,
            inspection: None,
            parked: None,
            dirty: true,
            pressed: false,
            more: true,
            held: None,
            drawn: None,
            heard: now,
            now,
            deaf_until: Millis(0),
            camera: Camera::default(),
            pictures: None,
            memory: ViewMemory::default(),
            recalled: None,
            visit: deciding::Visit::default(),
            noticed: noticing::Noticed::default(),
        }
    }

    /// Something came from the terminal.
    pub(crate) fn on_terminal(&mut self, event: &Term) -> Option<Effect> {
        if changes_nothing(event) || self.is_deaf_to(event) {
            return None;
        }
        let effect = self.handle(event);
        self.return_to_inbox();
        self.hold_what_is_read();
        effect
    }

    fn handle(&mut self, event: &Term) -> Option<Effect> {
        // Even a key that does nothing takes the last word off the footer. What it asks of a run is
        // answered soon, so the run is looked at often again.
        (self.dirty, self.pressed, self.heard) = (true, true, self.now);
        let effect = on_terminal(&mut self.context(), event)?;
        self.perform(effect)
    }

    fn context(&mut self) -> Context<'_> {
        Context {
            shell: &mut self.shell,
            cache: &self.cache,
            view: &self.view,
        }
    }

    /// Carries out what concerns the runs that are open here. What needs the terminal, a file or the
    /// database is returned, for the session has none of these.
    pub(crate) fn perform(&mut self, effect: Effect) -> Option<Effect> {
        match effect {
            Effect::Send(command) => self.send(command),
            Effect::Host(wish) => {
                if let Err(because) = self.feed.ask_host(wish) {
                    self.shell.refuse(because);
                }
                None
            }
            Effect::Leave(choice) => self.leave(choice),
            Effect::Replay(msg) => {
                if let Feed::Recording(player) = &mut self.feed {
                    player.handle(msg, &mut self.view);
                    self.more = true;
                }
                None
            }
            // Leaving is asked of the run that would be left.
            Effect::Quit(_) if self.parked.is_some() => {
                self.unpark();
                let effect = obey(&mut self.context(), Msg::Quit)?;
                self.perform(effect)
            }
            Effect::OpenRun(run) => self.open_run(run),
            Effect::Begin(launch) => self.begin(launch),
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
            Effect::Inbox(action) => self.decide(action),
            outside @ (Effect::Quit(_)
            | Effect::Tell(..)
            | Effect::Suspend
            | Effect::Redraw
            | Effect::Copy(_)
            | Effect::NextTheme
            | Effect::Theme(_)
            | Effect::NextPictures
            | Effect::Mouse(_)
            | Effect::Export
            | Effect::Mark(_)
            | Effect::Fork(_)
            | Effect::Curate(_)
            | Effect::Study(..)
            | Effect::DeleteRuns(_)
            | Effect::Bulk(_)
            | Effect::KeepView(_)
            | Effect::EditOutside { .. }) => Some(outside),
        }
    }

    /// What is drawn.
    pub(crate) fn scene(&self) -> Scene<'_> {
        Scene {
            shell: &self.shell,
            cache: &self.cache,
            view: &self.view,
            pictures: self.pictures,
        }
    }

    /// From now on the cache is read by this loader.
    pub(crate) fn use_loader(&mut self, loader: CacheLoader) {
        self.loader = Some(loader);
    }

    /// Takes in what the cache's loader has read.
    fn take_readings(&mut self) {
        let Some(loader) = &mut self.loader else {
            return;
        };
        loader.want(CacheWants {
            screen: self.shell.screen,
            opened: self.shell.opened,
            compared: self.shell.compared.clone(),
            failing: self.shell.failing.clone(),
            reading: entry_in_sight(&self.shell, &self.cache, &self.view),
            options: self.shell.options.clone(),
            lineage: self.shell.lineage,
        });
        let Shell {
            compared, failing, ..
        } = &self.shell;
        self.cache.keep(self.shell.opened, compared, failing);
        self.cache
            .keep_subjects(&self.shell.options, self.shell.lineage);
        let mut came = false;
        for loaded in loader.taken() {
            self.cache.apply(loaded);
            came = true;
        }
        if came {
            self.take_rules();
            self.cache.tell_time(self.now);
            self.shell.settle(&self.cache);
            settle_page(&mut self.shell, &self.cache, &self.view);
            self.dirty = true;
        }
    }

    /// Shows a wait for the database, or that it is over.
    pub(crate) fn show_wait(&mut self, waits: bool) {
        let waits = waits || self.feed.is_waiting_for_others();
        self.dirty |= self.shell.waits_for_database != waits;
        self.shell.waits_for_database = waits;
    }

    /// Takes in what the feed has.
    pub(crate) fn fold(&mut self, now: Millis) -> Result<(), JournalError> {
        (self.now, self.shell.now) = (now, now);
        self.take_readings();
        self.read_debug();
        if let Some(stage) = &mut self.parked {
            stage.feed.fold(&mut stage.view, now)?;
            stage.live.mode = stage.feed.mode();
            let toast = answer::settle_answers(&mut stage.live, &stage.view);
            self.dirty |= toast.is_some();
            self.shell.toast = toast.or(self.shell.toast.take());
        }
        // The mode first: what was published before it changed is then in what comes.
        let mode = self.feed.mode();
        let came = self.feed.fold(&mut self.view, now)?;
        if came.events > 0 {
            self.heard = now;
            self.camera.something_happened();
            let toast = answer::settle_answers(&mut self.shell.live, &self.view);
            self.dirty |= self.shows_run() || toast.is_some();
            self.shell.toast = toast.or(self.shell.toast.take());
            settle_page(&mut self.shell, &self.cache, &self.view);
        }
        self.more = came.more;
        let mode = if self.shell.live.is_replay() {
            self.feed.mode()
        } else {
            mode
        };
        if mode != self.shell.live.mode {
            // How far a recording has come is told on the run's own screens.
            self.dirty |= self.shows_run() || !self.shell.live.is_replay();
            self.shell.live.mode = mode;
        }
        if let Feed::Recording(player) = &mut self.feed
            && let Some(because) = player.take_stop()
        {
            self.shell.say(format!("stopped at {because}"));
            self.dirty = true;
        }
        self.take_presence();
        let thinking = self.feed.thinking();
        self.take_thinking(thinking);
        self.switch_panes();
        if self.shell.screen == Screen::Live {
            let (shell, means) = (&mut self.shell, self.pictures);
            self.dirty |= self.camera.look(shell, means, &mut self.feed, now);
            self.dirty |= answer::show_returned_text(&mut self.shell);
        }
        self.recall_look();
        self.open_wanted();
        self.hold_what_is_read();
        self.age_inbox(now);
        self.tell_time(now);
        Ok(())
    }

    /// Lists are made of what the cache reads: a run that goes on behind them changes nothing there.
    fn shows_run(&self) -> bool {
        matches!(self.shell.screen, Screen::Live | Screen::Debug)
    }

    /// No time-out answers a question that the operator is reading: the run is told what is on
    /// the screen, and when it no longer is.
    fn hold_what_is_read(&mut self) {
        let runs = |id: &DecisionId| {
            let open = self.view.inbox.get(*id);
            open.is_some_and(|open| open.question.deadline.is_some())
        };
        let read = question_in_hand(&self.shell.overlays).filter(|_| !self.shell.live.is_replay());
        let read = read.filter(|id| self.held == Some(*id) || runs(id));
        // An answer on its way keeps what it is about held until the run has taken or refused it.
        let on_its_way = |id| self.shell.live.answered.contains_key(&id);
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
        let shown = match self.shell.live.mode {
            RunMode::Replay(_) => self.view.at,
            RunMode::Live(_) if self.shows_clock() => now,
            RunMode::Live(_) => return,
        };
        if shown.0 / 1000 != self.shell.live.now.0 / 1000 {
            self.dirty = self.dirty || self.shows_clock();
            self.shell.live.now = shown;
        }
    }

    /// Wall time is on the screen and goes on by itself.
    fn shows_clock(&self) -> bool {
        self.shell.live.mode == RunMode::Live(DriverStatus::Running)
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
        let is_seeking = matches!(&self.shell.live.mode, RunMode::Replay(replay) if replay.seeking);
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
        // Keys count again as soon as a person can have seen what has come.
        let deaf_ms = self.deaf_until.since(now);
        Duration::from_millis(if deaf_ms > 0 { ms.min(deaf_ms) } else { ms })
    }

    fn until_next_look(&self, now: Millis) -> u64 {
        match &self.shell.live.mode {
            RunMode::Replay(replay) if replay.playing => {
                (1000 / u64::from(replay.speed.max(1))).clamp(FRAME_MS, IDLE_MS)
            }
            RunMode::Live(DriverStatus::Running) => match now.since(self.heard) {
                0..QUIET_AFTER_MS => FRAME_MS,
                QUIET_AFTER_MS..ASLEEP_AFTER_MS => QUIET_MS,
                _ => IDLE_MS,
            },
            RunMode::Replay(_) | RunMode::Live(_) => IDLE_MS,
        }
    }

    /// Lets go of the run that this console drives, and of the one in sight.
    pub(crate) fn close(mut self) -> Departure {
        self.unpark();
        let live = &self.shell.live;
        let is_here = !live.is_guest || live.is_own_process;
        let is_own = matches!(live.mode, RunMode::Live(_)) && is_here;
        Departure {
            exit: Leaving::Over,
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
fn changes_nothing(event: &Term) -> bool {
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
