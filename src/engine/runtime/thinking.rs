//! Thinking: where the mind of a run answers, in the driver's own thread or in one beside it.
//!
//! A slow mind must not keep the operator's commands waiting, so it has a thread of its own, and its
//! answers come in through the same inbox as the commands. Late answers carry an id that is no
//! longer open and change nothing.

use super::link::{Inbox, Incoming};
use crate::mind::watch::Watch;
use crate::mind::{Mind, MindQuestion, MindReply, Silence};
use pithead_core::domain::mind::ask::Ask;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::mind::spending::Allowance;
use pithead_core::domain::run::input::Input;
use pithead_world::clock::Clock;
use pithead_world::ids::CallId;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Questions on their way to the thread; the core asks one at a time.
/// More than one only while an answer that was cancelled is still on its way out.
const QUESTIONS_MAX: usize = 4;

/// A mind and its place.
pub(super) struct Thinking {
    place: Place,
    watch: Watch,
    /// Roles that are shown what the body sees.
    pictured: Vec<MindRole>,
    /// The question that the thread was given last, while it may still be at it.
    open: Option<CallId>,
}

enum Place {
    Here(Box<dyn Mind>),
    Beside(SyncSender<Asked>),
}

/// A question, and what goes with it.
pub(super) struct Asked {
    pub(super) call: CallId,
    pub(super) ask: Box<Ask>,
    pub(super) picture: Option<Vec<u8>>,
    pub(super) allowance: Allowance,
}

impl Thinking {
    /// Gives the mind its place; the thread, where there is one, is to be joined at the end.
    pub(super) fn new(
        mind: Box<dyn Mind>,
        inbox: Inbox,
        watch: Watch,
        clock: Clock,
    ) -> std::io::Result<(Self, Option<JoinHandle<()>>)> {
        // The mind may soon be in its thread, where it cannot be asked.
        let pictured = MindRole::ALL
            .into_iter()
            .filter(|role| role.can_use_picture() && mind.takes_pictures(*role))
            .collect();
        // A mind that waits for a server gets a thread of its own, so that the driver hears commands meanwhile.
        let (place, thread) = if mind.is_slow() {
            let (asks, asked) = sync_channel(QUESTIONS_MAX);
            let watch = watch.clone();
            let thread = std::thread::Builder::new()
                .name("mind".to_owned())
                .spawn(move || serve(mind, &asked, &inbox, &watch, &clock))?;
            (Place::Beside(asks), Some(thread))
        } else {
            (Place::Here(mind), None)
        };
        let thinking = Self {
            place,
            watch,
            pictured,
            open: None,
        };
        Ok((thinking, thread))
    }

    /// Puts the question: the answer, or nothing if it will come through the inbox.
    pub(super) fn put(&mut self, asked: Asked, clock: &Clock) -> Vec<Input> {
        let call = asked.call;
        match &mut self.place {
            Place::Here(mind) => think(mind.as_mut(), &asked, &self.watch, clock),
            Place::Beside(asks) => {
                // Before the send: a cancellation may come right after.
                self.open = Some(call);
                match asks.try_send(asked) {
                    Ok(()) => Vec::new(),
                    // The thread ends only with the driver, unless the mind broke down in it.
                    Err(_) => vec![Input::Unanswered {
                        call,
                        because: "the mind broke down; see the log".to_owned(),
                    }],
                }
            }
        }
    }

    /// Whether the question is to come with a picture.
    pub(super) fn wants_picture(&self, ask: &Ask) -> bool {
        self.pictured.contains(&ask.role())
    }

    /// Calls off what is being thought about, unless it is this.
    pub(super) fn keep_only(&mut self, wanted: Option<CallId>) {
        if let Some(open) = self.open
            && wanted != Some(open)
        {
            self.watch.cancel(open);
            self.open = None;
        }
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        // The thread would otherwise be joined only after its answer.
        self.watch.cancel_all();
    }
}

/// The thread's life: one question after the other, until the driver is gone.
fn serve(
    mut mind: Box<dyn Mind>,
    asked: &Receiver<Asked>,
    inbox: &Inbox,
    watch: &Watch,
    clock: &Clock,
) {
    while let Ok(question) = asked.recv() {
        let inputs = think(mind.as_mut(), &question, watch, clock);
        watch.report(None);
        for input in inputs {
            // Waits for room; the driver empties the inbox before it joins the thread.
            if inbox.send(Incoming::Thought(input)).is_err() {
                return;
            }
        }
    }
}

fn think(mind: &mut dyn Mind, asked: &Asked, watch: &Watch, clock: &Clock) -> Vec<Input> {
    let (began, call) = (clock.now(), asked.call);
    let MindReply { result, spent } = mind.think(&MindQuestion {
        call,
        ask: &asked.ask,
        picture: asked.picture.as_deref(),
        allowance: asked.allowance,
        watch,
    });
    let ms = clock.now().since(began);
    let answer = match result {
        Ok(text) => Input::Answered { call, text, ms },
        Err(Silence::Failed(because)) => Input::Unanswered { call, because },
        Err(Silence::Withheld(because)) => Input::Withheld { call, because },
        Err(Silence::Unavailable { because, lasting }) => Input::Unavailable {
            call,
            because,
            lasting,
        },
    };
    let charged = spent.map(|spent| Input::Charged { call, spent });
    // The cost before the answer: the answer ends the question, and a cost without an open
    // question is not counted.
    charged.into_iter().chain([answer]).collect()
}
