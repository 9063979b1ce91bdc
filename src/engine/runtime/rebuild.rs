//! Rebuilding a world: the recorded orders again, at the ticks at which they were first given.
//!
//! The world is deterministic, so the same orders lead to the same world; checksums of the frames
//! on the way prove it. Polls are as long as they were, so notices come in the same parcels.

use super::perform;
use pithead_core::agent::State;
use pithead_core::domain::run::event::Event;
use pithead_world::ids::ActionId;
use pithead_world::observation::Frame;
use pithead_world::port::{Notice, Request, World};
use std::collections::VecDeque;

/// Polls without any notice before the world counts as dead.
/// A world that gives nothing for that long will give nothing.
const SILENT_POLLS_MAX: u32 = 10_000;

/// The world did not go the way it went before.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Differs {
    #[error(
        "the world differs from the recording at tick {tick} (checksum {found:016x}, recorded {recorded:016x}); \
         it was recorded by another version of the world, so the run can be replayed but not resumed"
    )]
    Checksum {
        tick: u64,
        found: u64,
        recorded: u64,
    },
    #[error(
        "the world differs from the recording at tick {tick}: {found} came where {expected} was recorded"
    )]
    Course {
        tick: u64,
        expected: &'static str,
        found: String,
    },
}

/// A world on its way through a recording.
pub(super) struct Rebuild<'a> {
    world: &'a mut dyn World,
    notices: VecDeque<Notice>,
    /// Frames that came and are not in the recording.
    /// An evaluation keeps attempts only; debugging wants the frames in between back.
    passed: Vec<Frame>,
}

/// What the recording says came next.
enum Expected<'a> {
    Ready(&'a Frame),
    Frame(&'a Frame),
    Acted(ActionId, &'a Frame),
}

impl<'a> Rebuild<'a> {
    pub(super) fn new(world: &'a mut dyn World) -> Self {
        Self {
            world,
            notices: VecDeque::new(),
            passed: Vec::new(),
        }
    }

    /// The frames that came since the last recorded one and are not in the recording, oldest first.
    pub(super) fn passed(&mut self) -> Vec<Frame> {
        std::mem::take(&mut self.passed)
    }

    /// Goes through one recorded event; `state` knows what the run was started with.
    pub(super) fn follow(&mut self, event: &Event, state: &State) -> Result<(), Differs> {
        match event {
            Event::WorldReady { frame } => {
                // Asked for here and not at `WorldAsked`, which a crash may have left unanswered.
                // `WorldAsked` may be the last event of a killed run, and is then asked
                // again by `open_requests`.
                if let Some(config) = state.config() {
                    self.world.request(Request::Reset(config.world.clone()));
                }
                self.expect(&Expected::Ready(frame), state)
            }
            Event::FrameSeen { frame } => self.expect(&Expected::Frame(frame), state),
            Event::ActionEnded { action, frame, .. } => {
                self.expect(&Expected::Acted(*action, frame), state)
            }
            Event::ActionIssued { .. } | Event::ActionCancelled { .. } => {
                for request in perform::requests(event, state) {
                    self.world.request(request);
                }
                Ok(())
            }
            // The others happened outside the world.
            _ => Ok(()),
        }
    }

    /// The notices that came and were not recorded: they are the first that the core will take.
    pub(super) fn finish(self) -> VecDeque<Notice> {
        self.notices
    }

    fn expect(&mut self, expected: &Expected<'_>, state: &State) -> Result<(), Differs> {
        let mut silent = 0;
        loop {
            let Some(notice) = self.notices.pop_front() else {
                silent += 1;
                if silent > SILENT_POLLS_MAX {
                    return Err(expected.missed("nothing".to_owned(), self.world.tick()));
                }
                // The same length of polls as in the live run: a notice that came in a poll
                // of ten ticks must not come earlier here.
                let ticks_max = state.config().map_or(1, |config| config.world.frame_ticks);
                self.notices.extend(self.world.poll(ticks_max));
                continue;
            };
            match expected.meets(&notice) {
                Meeting::Same => return Ok(()),
                // The core had no use for it then, or an evaluation kept attempts only.
                // Frames that changed nothing are not recorded by evaluations.
                Meeting::Earlier => {
                    if let Notice::Frame(frame) = notice {
                        self.passed = keep(std::mem::take(&mut self.passed), *frame);
                    }
                }
                Meeting::Differs(differs) => return Err(differs),
            }
        }
    }
}

/// Frames passed over between two recorded ones; nobody may ever ask for them.
/// Frames are large; the oldest go.
const PASSED_MAX: usize = 4_096;

fn keep(mut passed: Vec<Frame>, mut frame: Frame) -> Vec<Frame> {
    frame.checksum.settle();
    if passed.len() == PASSED_MAX {
        passed.remove(0);
    }
    passed.push(frame);
    passed
}

enum Meeting {
    Same,
    Earlier,
    Differs(Differs),
}

impl Expected<'_> {
    fn name(&self) -> &'static str {
        match self {
            Self::Ready(_) => "a new world",
            Self::Frame(_) => "a frame",
            Self::Acted(..) => "the end of an action",
        }
    }

    fn frame(&self) -> &Frame {
        match self {
            Self::Ready(frame) | Self::Frame(frame) | Self::Acted(_, frame) => frame,
        }
    }

    fn missed(&self, found: String, tick: u64) -> Differs {
        Differs::Course {
            tick,
            expected: self.name(),
            found,
        }
    }

    fn meets(&self, notice: &Notice) -> Meeting {
        let (same, frame) = match (self, notice) {
            (Self::Ready(_), Notice::Ready(frame)) | (Self::Frame(_), Notice::Frame(frame)) => {
                (true, frame)
            }
            (Self::Acted(action, _), Notice::Acted { id, frame, .. }) => (action == id, frame),
            (_, Notice::Ready(frame) | Notice::Frame(frame) | Notice::Acted { frame, .. }) => {
                (false, frame)
            }
            // Only worlds that are never rebuilt have bodies that do so.
            (_, Notice::Reacted(_)) => return Meeting::Earlier,
            (_, Notice::Lost { because }) => {
                return Meeting::Differs(self.missed(because.clone(), self.frame().tick));
            }
        };
        let recorded = self.frame();
        // Too far: the recorded notice never came.
        if frame.tick > recorded.tick {
            let found = format!("something at tick {}", frame.tick);
            return Meeting::Differs(self.missed(found, recorded.tick));
        }
        if !same || frame.tick < recorded.tick {
            // Earlier, or of another kind: the recorded one may still come.
            return Meeting::Earlier;
        }
        // The checksum covers the whole simulation, not only what the frame shows.
        let (tick, found, recorded) = (
            frame.tick,
            frame.checksum.value(),
            recorded.checksum.value(),
        );
        if found == recorded {
            return Meeting::Same;
        }
        Meeting::Differs(Differs::Checksum {
            tick,
            found,
            recorded,
        })
    }
}
