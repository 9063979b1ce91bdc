//! The driver: one thread per run that owns state, world, journal and mind.
//!
//! Each turn takes one input through decide → append → apply → perform → publish. Nothing is
//! performed that is not on the disk; nothing is published that was not applied. It sleeps in one
//! place, `wait`, and an operator's command ends that at once.

use super::link::{DriverStatus, Publisher, Wish};
use super::pace::{Pace, Pacer};
use crate::agent::{self, State};
use crate::clock::Clock;
use crate::domain::event::{Event, Recorded};
use crate::domain::input::Input;
use crate::ids::RunId;
use crate::journal::{DriverLock, Journal, JournalError};
use crate::mind::Mind;
use crate::world::port::{Notice, World};
use std::collections::VecDeque;
use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use std::time::Duration;

/// All that a run is driven with.
pub(super) struct Driver {
    pub(super) run: RunId,
    pub(super) state: State,
    pub(super) journal: Journal,
    pub(super) world: Box<dyn World>,
    pub(super) mind: Box<dyn Mind>,
    pub(super) clock: Clock,
    pub(super) pacer: Pacer,
    /// In whose name the run was opened.
    pub(super) operator: String,
    pub(super) publisher: Publisher,
    /// Notices not taken yet: one poll may bring several, and a pause may fall between them.
    pub(super) notices: VecDeque<Notice>,
    /// Questions whose answer this thread is to find, oldest first.
    pub(super) asked: VecDeque<Event>,
    pub(super) started: bool,
    /// The deadline for which the core was woken last, so that it is woken once.
    pub(super) woken_for: Option<crate::clock::Millis>,
    /// Held as long as the run is driven.
    pub(super) lock: DriverLock,
}

/// What the wait for an input came to.
enum Next {
    Input(Input),
    /// The client has gone; the run stays as it is and can be resumed.
    Left,
}

impl Driver {
    /// Drives until the client leaves or the journal fails. A run that is over still takes
    /// decisions about what it proposed.
    pub(super) fn drive(mut self) {
        let because = loop {
            match self.turn() {
                Ok(true) => (),
                Ok(false) if self.state.is_over() => break None,
                Ok(false) => break Some("the operator left".to_owned()),
                Err(error) => break Some(error.to_string()),
            }
        };
        let Self {
            publisher,
            lock,
            journal,
            ..
        } = self;
        // Before the client hears of the end, the run is free for the next driver.
        drop((journal, lock));
        publisher.set_status(
            because.map_or(DriverStatus::Over, |because| DriverStatus::Stopped {
                because,
            }),
        );
    }

    /// Takes one input; false if there will be no more.
    pub(super) fn turn(&mut self) -> Result<bool, JournalError> {
        let input = match self.next()? {
            Next::Input(input) => input,
            Next::Left => return Ok(false),
        };
        let now = self.clock.now();
        let events = agent::decide(&self.state, now, input);
        let recorded = self.journal.append(self.run, now, events)?;
        recorded.iter().for_each(|fact| self.state.apply(fact));
        recorded.iter().for_each(|fact| self.perform(&fact.event));
        self.publish(recorded);
        Ok(true)
    }

    fn publish(&self, recorded: Vec<Recorded>) {
        recorded
            .into_iter()
            .for_each(|fact| self.publisher.publish(fact));
        if self.state.is_over() {
            self.publisher.set_status(DriverStatus::Over);
        }
    }

    /// Does what an event asks for. Questions are only queued: they are answered after the event
    /// was published, so that a client sees what is being thought about.
    pub(super) fn perform(&mut self, event: &Event) {
        if let Some(request) = super::perform::request(event, &self.state) {
            self.world.request(request);
        } else if super::perform::is_question(event) {
            self.asked.push_back(event.clone());
        } else if let Event::PaceSet { times_realtime, .. } = event {
            self.pacer.set(Pace::of(*times_realtime));
        }
    }

    /// The next input, waited for if need be: the operator first, then what is late, then answers,
    /// and only then the world.
    fn next(&mut self) -> Result<Next, JournalError> {
        if !std::mem::replace(&mut self.started, true) {
            return Ok(Next::Input(Input::Started {
                times_realtime: self.pacer.pace().times_realtime(),
                operator: self.operator.clone(),
            }));
        }
        loop {
            match self.publisher.wishes.try_recv() {
                Ok(wish) => return Ok(Next::Input(commanded(wish))),
                Err(TryRecvError::Disconnected) => return Ok(Next::Left),
                Err(TryRecvError::Empty) => (),
            }
            if self.is_late() {
                return Ok(Next::Input(Input::Woken));
            }
            if let Some(question) = self.asked.pop_front() {
                return self.answer(question).map(Next::Input);
            }
            if !self.state.wants_world() {
                match self.wait(None) {
                    Some(next) => return Ok(next),
                    None => continue,
                }
            }
            if let Some(notice) = self.notices.pop_front() {
                return Ok(Next::Input(super::perform::input(notice)));
            }
            match self.pacer.wait(self.clock.now()) {
                None => self.poll(),
                Some(time) => match self.wait(Some(time)) {
                    Some(next) => return Ok(next),
                    None => continue,
                },
            }
        }
    }

    /// True once per deadline, when it has passed.
    fn is_late(&mut self) -> bool {
        let deadline = self.state.deadline();
        let late = deadline.is_some_and(|at| at <= self.clock.now()) && deadline != self.woken_for;
        if late {
            self.woken_for = deadline;
        }
        late
    }

    /// Lets world time pass.
    fn poll(&mut self) {
        let before = self.world.tick();
        let ticks_max = self
            .state
            .config()
            .map_or(1, |config| config.world.frame_ticks);
        self.notices.extend(self.world.poll(ticks_max));
        let passed = self.world.tick().saturating_sub(before);
        self.pacer.passed(self.clock.now(), passed);
    }

    /// Sleeps until a command comes, the time is over, or a deadline is due. The only sleep there is.
    fn wait(&self, time: Option<Duration>) -> Option<Next> {
        let now = self.clock.now();
        let open = self
            .state
            .deadline()
            .filter(|at| Some(*at) != self.woken_for);
        let deadline = open.map(|at| Duration::from_millis(at.since(now)));
        let wishes = &self.publisher.wishes;
        let heard = match [time, deadline].into_iter().flatten().min() {
            Some(time) => wishes.recv_timeout(time),
            None => wishes.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match heard {
            Ok(wish) => Some(Next::Input(commanded(wish))),
            Err(RecvTimeoutError::Disconnected) => Some(Next::Left),
            Err(RecvTimeoutError::Timeout) => None,
        }
    }

    fn answer(&mut self, question: Event) -> Result<Input, JournalError> {
        super::perform::answer(
            question,
            &self.state,
            &self.journal,
            self.mind.as_mut(),
            &self.clock,
        )
    }
}

fn commanded(wish: Wish) -> Input {
    Input::Commanded {
        command: wish.command,
        operator: wish.operator,
    }
}
