//! The driver: one thread per run that owns state, world and journal.
//!
//! Each turn takes one input through decide → append → apply → perform → publish. Nothing is
//! performed that is not on the disk; nothing is published that was not applied. It sleeps in one
//! place, `wait`, and an operator's command ends that at once.

use super::link::{DriverStatus, Incoming, Publisher};
use super::pace::{Pace, Pacer};
use super::run_memory::RunMemory;
use super::thinking::{Asked, Thinking};
use crate::journal::{DriverLock, EntryFilter, Journal, JournalError};
use pithead_core::agent::{self, State};
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::run::event::{Event, Recorded, RunConfig};
use pithead_core::domain::run::input::Input;
use pithead_core::domain::run::rulebook::Harmful;
use pithead_core::knowledge::life;
use pithead_world::clock::{Clock, Millis};
use pithead_world::ids::RunId;
use pithead_world::port::{Notice, World};
use std::collections::VecDeque;
use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long one look at a world that is being joined may take, so that the operator is heard in between.
const JOIN_TICKS: u32 = 2;

/// All that a run is driven with.
/// No locks: the thread of the driver owns all of it. Others reach it through the inbox.
pub(super) struct Driver {
    pub(super) run: RunId,
    pub(super) state: State,
    pub(super) journal: Journal,
    pub(super) world: Box<dyn World>,
    pub(super) thinking: Thinking,
    /// The mind's thread, where it has one.
    pub(super) mind_thread: Option<JoinHandle<()>>,
    pub(super) memory: RunMemory,
    pub(super) clock: Clock,
    pub(super) pacer: Pacer,
    /// In whose name the run was opened.
    pub(super) operator: String,
    pub(super) publisher: Publisher,
    /// Notices not taken yet: one poll may bring several, and a pause may fall between them.
    pub(super) notices: VecDeque<Notice>,
    /// Questions whose answer this thread is to find, oldest first.
    /// A mind without a thread of its own, and the stores.
    pub(super) asked: VecDeque<Event>,
    /// Answers not taken yet.
    pub(super) answers: VecDeque<Input>,
    pub(super) started: bool,
    /// The deadline for which the core was woken last, so that it is woken once.
    /// Without it a deadline that changes nothing would wake the core for ever.
    pub(super) woken_for: Option<Millis>,
    /// Held as long as the run is driven.
    /// A file lock: it goes with the process, however that dies.
    pub(super) lock: DriverLock,
    pub(super) keep: Keep,
    /// The world went on while the run was left: nothing else is taken until the body stands in it again.
    pub(super) joining: bool,
    /// Why the run is left although nobody wanted that: its mind or its world is unavailable.
    pub(super) outage: Option<String>,
}

/// How much of a run is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    Everything,
    /// All but the frames that changed nothing. The run cannot be resumed in the middle of an
    /// attempt, for what was measured on the way is not there.
    Attempts,
}

/// What the wait for an input came to.
enum Next {
    Input(Input),
    /// A client wants to see what the body sees; nothing of it is an event.
    Look {
        width: u32,
        height: u32,
    },
    /// The client has gone; the run stays as it is and can be resumed.
    Left,
}

impl Driver {
    /// Drives until the client leaves or the journal fails. A run that is over still takes
    /// decisions about what it proposed.
    /// Returns only when nobody drives any more; the status says why.
    pub(super) fn drive(mut self) {
        let because = loop {
            match self.turn() {
                Ok(true) => (),
                Ok(false) if self.state.is_over() => break None,
                Ok(false) => {
                    let outage = self.outage.take();
                    break Some(outage.unwrap_or_else(|| "the operator left".to_owned()));
                }
                Err(error @ JournalError::Gone { .. }) => {
                    break Some(format!("{error}; event {} is the last", self.state.seq));
                }
                Err(error) => break Some(error.to_string()),
            }
        };
        let Self {
            publisher,
            lock,
            journal,
            thinking,
            mind_thread,
            ..
        } = self;
        // Calls off what is being thought about; a mind sees that within moments.
        // The order of the next lines matters: cancel, empty the inbox, join, unlock,
        // report.
        drop(thinking);
        if let Some(thread) = mind_thread {
            // Nobody will take its last answer, and there must be room for it.
            // The inbox is bounded: a mind that waits for room would never end.
            while publisher.incoming.try_recv().is_ok() {}
            // A panic over there was told by its silence.
            let _ = thread.join();
        }
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
            Next::Look { width, height } => {
                // Pictures are no events: they depend on the size of a terminal.
                self.publisher.show(self.world.view(width, height));
                return Ok(true);
            }
            Next::Left => return Ok(false),
        };
        let now = self.clock.now();
        let events = agent::decide(&self.state, now, input);
        // A turn that says only `frame.seen` changes nothing but the attempt under way.
        if self.keep == Keep::Attempts && matches!(events[..], [Event::FrameSeen { .. }]) {
            self.pass_over(now, events);
            return Ok(true);
        }
        // Append, apply, perform, publish: after a crash anything that was performed is on
        // the disk, and whatever a client saw can be read again.
        let recorded = self.journal.append(self.run, now, events)?;
        recorded.iter().for_each(|fact| self.state.apply(fact));
        self.lock.note(self.state.seq);
        recorded.iter().for_each(|fact| self.perform(&fact.event));
        // An answer to a replaced question is of no use; its mind is told to stop.
        self.thinking.keep_only(self.state.open_call());
        // A world that is being joined is not there yet, which is no reason to stop.
        let away = self.state.is_away && !self.joining;
        self.outage = recorded.iter().find_map(|fact| outage(&fact.event, away));
        self.publish(recorded);
        Ok(self.outage.is_none())
    }

    /// A frame that nothing came of: the state takes it in, and nobody else hears of it.
    fn pass_over(&mut self, at: Millis, events: Vec<Event>) {
        let (run, seq) = (self.run, self.state.seq);
        for event in events {
            self.state.apply(&Recorded {
                run,
                // The number of the last stored event: a frame that is passed over gets
                // none.
                seq,
                at,
                event,
            });
        }
    }

    fn publish(&self, recorded: Vec<Recorded>) {
        recorded
            .into_iter()
            .for_each(|fact| self.publisher.publish(fact));
        if self.state.is_over() {
            // After the last event was published, so a client never sees "over" without its
            // end.
            self.publisher.set_status(DriverStatus::Over);
        }
    }

    /// Does what an event asks for. Questions are only queued: they are answered after the event
    /// was published, so that a client sees what is being thought about.
    /// Requests to the world are only handed over; the world answers in a later poll.
    pub(super) fn perform(&mut self, event: &Event) {
        for request in super::perform::requests(event, &self.state) {
            self.world.request(request);
        }
        if super::perform::is_question(event) {
            self.asked.push_back(event.clone());
        } else if let Event::PaceSet { times_realtime, .. } = event {
            self.pacer.set(Pace::from_factor(*times_realtime));
        }
    }

    /// The next input, waited for if need be: the operator first, then what is late, then answers,
    /// and only then the world.
    fn next(&mut self) -> Result<Next, JournalError> {
        // The first input of every driver, also of a resumed run.
        if !std::mem::replace(&mut self.started, true) {
            return Ok(Next::Input(Input::Started {
                times_realtime: self.pacer.pace().times_realtime(),
                operator: self.operator.clone(),
            }));
        }
        loop {
            // The operator comes first: a command must never wait for the world.
            match self.publisher.incoming.try_recv() {
                Ok(incoming) => match self.taken(incoming) {
                    Some(next) => return Ok(next),
                    None => continue,
                },
                Err(TryRecvError::Disconnected) => return Ok(Next::Left),
                // The flag is read when the queue is empty: the door may have found no room
                // for its message.
                Err(TryRecvError::Empty) if self.publisher.is_left() => return Ok(Next::Left),
                Err(TryRecvError::Empty) => (),
            }
            if self.is_late() {
                return Ok(Next::Input(Input::Woken));
            }
            // At a breakpoint nothing moves but the operator.
            if self.state.at_break {
                match self.wait(None) {
                    Some(next) => return Ok(next),
                    None => continue,
                }
            }
            if self.joining {
                if let Some(notice) = self.joined() {
                    return Ok(notice);
                }
                continue;
            }
            match self.answered_or_asked()? {
                Some(Some(next)) => return Ok(next),
                Some(None) => continue,
                None => (),
            }
            // Nothing can happen without the operator or an answer of the mind's thread.
            if !self.state.wants_world() {
                match self.wait(None) {
                    Some(next) => return Ok(next),
                    None => continue,
                }
            }
            // One notice a turn, since a pause may fall between two of one poll.
            if let Some(notice) = self.notices.pop_front() {
                let reports = super::perform::reports_of(&self.state);
                return Ok(Next::Input(super::perform::input(notice, reports)));
            }
            // None: the world may go on at once.
            match self.pacer.wait(self.clock.now()) {
                None => self.poll(),
                Some(time) => match self.wait(Some(time)) {
                    Some(next) => return Ok(next),
                    None => continue,
                },
            }
        }
    }

    /// An answer to take, or a question to find the answer of; nothing if there is neither, and nothing to take yet if
    /// a question was worked on.
    fn answered_or_asked(&mut self) -> Result<Option<Option<Next>>, JournalError> {
        if !self.answers.is_empty()
            && let Some(seen) = self.seen_meanwhile()
        {
            return Ok(Some(Some(seen)));
        }
        if let Some(answer) = self.answers.pop_front() {
            return Ok(Some(Some(Next::Input(answer))));
        }
        let Some(question) = self.asked.pop_front() else {
            return Ok(None);
        };
        // Replaced since it was asked; an answer would cost and be of no use.
        let is_replaced = matches!(question, Event::MindAsked { call, .. } if self.state.open_call() != Some(call));
        if !is_replaced {
            let answers = self.answer(question)?;
            self.answers.extend(answers);
        }
        Ok(Some(None))
    }

    /// The first that comes of a world that is being joined again.
    fn joined(&mut self) -> Option<Next> {
        self.notices.extend(self.world.poll(JOIN_TICKS));
        let notice = self.notices.pop_front()?;
        self.joining = false;
        let reports = super::perform::reports_of(&self.state);
        Some(Next::Input(super::perform::input(notice, reports)))
    }

    /// What happened in a world that did not wait while the mind thought. It is taken in before the answer, so that the
    /// next attempt begins with the world as it is.
    fn seen_meanwhile(&mut self) -> Option<Next> {
        let goes_on = |config: &RunConfig| config.world.goes_on_by_itself();
        if !self.state.config().is_some_and(goes_on) {
            return None;
        }
        if self.notices.is_empty() {
            self.notices.extend(self.world.poll(0));
        }
        let notice = self.notices.pop_front()?;
        let reports = super::perform::reports_of(&self.state);
        Some(Next::Input(super::perform::input(notice, reports)))
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
    /// Bounded by the nearer of pace and deadline. A message ends it at once.
    fn wait(&mut self, time: Option<Duration>) -> Option<Next> {
        let now = self.clock.now();
        let open = self
            .state
            .deadline()
            .filter(|at| Some(*at) != self.woken_for);
        let deadline = open.map(|at| Duration::from_millis(at.since(now)));
        let incoming = &self.publisher.incoming;
        let heard = match [time, deadline].into_iter().flatten().min() {
            Some(time) => incoming.recv_timeout(time),
            // No bound: only a message can change anything.
            None => incoming.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match heard {
            Ok(incoming) => self.taken(incoming),
            Err(RecvTimeoutError::Disconnected) => Some(Next::Left),
            Err(RecvTimeoutError::Timeout) => None,
        }
    }

    /// What has come in; none if it has to wait, for a run that stands at a breakpoint hears its
    /// operator only.
    fn taken(&mut self, incoming: Incoming) -> Option<Next> {
        Some(match incoming {
            Incoming::Command(given) => Next::Input(Input::Commanded {
                command: given.command,
                operator: given.operator,
            }),
            Incoming::Thought(input) if self.state.at_break => {
                // Kept in order until the run goes on.
                self.answers.push_back(input);
                return None;
            }
            Incoming::Thought(input) => Next::Input(input),
            Incoming::Look { width, height } => Next::Look { width, height },
            Incoming::Left => Next::Left,
        })
    }

    /// Takes out of use what did harm in earlier runs, before this one is given anything.
    fn tend(&mut self, now: Millis) -> Result<(), JournalError> {
        let active = self.journal.knowledge(EntryFilter {
            status: Some(Status::Active),
            kind: None,
        })?;
        // Mostly there is nothing to write, and then nobody is kept from writing.
        // Curating takes the write lock; a base without harm is left to others.
        let config = self.state.config();
        let harmful = config.map_or(Harmful::Queue, |config| config.rulebook.harmful);
        if !life::tend(&active, harmful, now).is_empty() {
            let tended = self
                .journal
                .curate(now, |all| Ok(life::tend(all, harmful, now)))?;
            tracing::info!("tended the knowledge base: {tended:?}");
        }
        Ok(())
    }

    fn answer(&mut self, question: Event) -> Result<Vec<Input>, JournalError> {
        match question {
            Event::MindAsked { call, ask } => {
                let wanted = self.thinking.wants_picture(&ask);
                let asked = Asked {
                    call,
                    // A picture is rendered only if a model takes one.
                    picture: wanted.then(|| self.world.picture()).flatten(),
                    allowance: self.state.allowance(),
                    ask,
                };
                Ok(self.thinking.put(asked, &self.clock))
            }
            other => {
                let now = self.clock.now();
                // Only recall gives entries to a run, so it is enough to tend before it.
                if matches!(&other, Event::RecallAsked { needs, .. } if needs.is_empty()) {
                    self.tend(now)?;
                }
                let (state, journal) = (&self.state, &self.journal);
                let found = super::perform::look_up(other, state, journal, &mut self.memory, now)?;
                Ok(vec![found])
            }
        }
    }
}

/// Why the run cannot go on for now. Its question stays open, so whoever resumes it asks again.
fn outage(event: &Event, is_away: bool) -> Option<String> {
    match event {
        Event::WorldLost { because } if is_away => {
            Some(format!("the connection to the world is lost: {because}"))
        }
        Event::MindUnavailable { because, .. } => {
            Some(format!("the mind is unavailable: {because}"))
        }
        _ => None, // nothing else stops a driver
    }
}
