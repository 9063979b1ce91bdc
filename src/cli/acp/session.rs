//! One session of an editor: its turn, which is a run that is started, followed and told.
//!
//! Invariant: a turn is answered once; the run belongs to its driver process and goes on without the editor.

use super::updates::{Teller, message};
use crate::cli::rpc::RpcError;
use pithead_core::domain::run::event::Recorded;
use pithead_engine::journal::{Journal, JournalError};
use pithead_engine::launch::{LaunchError, Launched, Launcher, WantedRun};
use pithead_engine::runtime::DriverStatus;
use pithead_engine::runtime::attach::{Attached, GuestKind};
use pithead_world::ids::{DecisionId, RunId};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

/// Events told at a time, so that a long run does not keep an answer waiting.
const EVENTS_MAX: usize = 512;

/// What a session is doing.
#[derive(Debug, Default)]
pub(super) enum Turn {
    #[default]
    Idle,
    Starting {
        /// Of the prompt.
        id: Value,
        came: Receiver<Result<RunId, LaunchError>>,
        is_cancelled: bool,
    },
    Following {
        /// None where no prompt waits: a session that was loaded while its run goes on.
        id: Option<Value>,
        run: Box<Followed>,
        is_cancelled: bool,
    },
}

/// A run that is followed.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) teller: Teller,
    attached: Attached,
}

/// What a look at a session comes to.
#[derive(Debug, Default)]
pub(super) struct Looked {
    pub(super) updates: Vec<Value>,
    /// A run that has just begun.
    pub(super) began: Option<RunId>,
    /// Questions that the editor is to ask.
    pub(super) questions: Vec<DecisionId>,
    /// The answer to the prompt, if the turn is over.
    pub(super) answer: Option<(Value, Result<Value, RpcError>)>,
    /// The run is to be ended, for the turn was cancelled before it began.
    pub(super) abort: Option<RunId>,
}

/// Starts a run in a thread of its own: a mind may have to read the goal first.
pub(super) fn start(id: Value, launcher: &Launcher, wanted: WantedRun) -> std::io::Result<Turn> {
    let (out, came) = sync_channel(1);
    let launcher = launcher.clone();
    let work = move || {
        let started = launcher.start(&wanted).map(|launched| match launched {
            Launched::Elsewhere(run) => run,
            // Not with a driver process; the link ends the run's driving when it is dropped.
            Launched::Here(link) => link.run(),
        });
        // An editor that has gone wants to know nothing.
        let _ = out.send(started);
    };
    let thread = std::thread::Builder::new().name("start".to_owned());
    thread.spawn(work)?;
    Ok(Turn::Starting {
        id,
        came,
        is_cancelled: false,
    })
}

impl Followed {
    /// Attaches to a run; what is recorded of it comes first.
    pub(super) fn open(database: &Path, run: RunId, operator: &str) -> Result<Self, JournalError> {
        let journal = Journal::look(database)?;
        let attached = Attached::open_as(GuestKind::CommandLine, journal, run, operator)?;
        Ok(Self {
            teller: Teller::new(run),
            attached,
        })
    }

    /// All that is recorded up to now, for a session that is loaded.
    pub(super) fn recorded(&mut self) -> Result<Vec<Recorded>, JournalError> {
        self.attached.drain(EVENTS_MAX)
    }

    pub(super) fn is_driven(&self) -> bool {
        self.attached.status() == DriverStatus::Running
    }
}

impl Turn {
    pub(super) fn is_idle(&self) -> bool {
        matches!(self, Self::Idle)
    }

    /// Takes what has come since the last look.
    pub(super) fn look(&mut self, database: &Path, operator: &str) -> Looked {
        match std::mem::take(self) {
            Self::Idle => Looked::default(),
            Self::Starting {
                id,
                came,
                is_cancelled,
            } => match came.try_recv() {
                Err(TryRecvError::Empty) => {
                    *self = Self::Starting {
                        id,
                        came,
                        is_cancelled,
                    };
                    Looked::default()
                }
                Err(TryRecvError::Disconnected) => {
                    over(id, Err(RpcError::internal("the start was interrupted")))
                }
                Ok(Err(error)) => not_started(id, &error),
                Ok(Ok(run)) => self.began(id, run, is_cancelled, (database, operator)),
            },
            Self::Following {
                id,
                run,
                is_cancelled,
            } => self.follow(id, run, is_cancelled),
        }
    }

    fn began(
        &mut self,
        id: Value,
        run: RunId,
        is_cancelled: bool,
        (database, operator): (&Path, &str),
    ) -> Looked {
        let followed = match Followed::open(database, run, operator) {
            Ok(followed) => followed,
            Err(error) => return over(id, Err(RpcError::internal(error.to_string()))),
        };
        *self = Self::Following {
            id: Some(id),
            run: Box::new(followed),
            is_cancelled,
        };
        Looked {
            began: Some(run),
            abort: is_cancelled.then_some(run),
            ..Looked::default()
        }
    }

    fn follow(&mut self, id: Option<Value>, mut run: Box<Followed>, is_cancelled: bool) -> Looked {
        // The status first: what was recorded before it changed is in the events that follow.
        let status = run.attached.status();
        let events = match run.attached.drain(EVENTS_MAX) {
            Ok(events) => events,
            Err(error) => return fault(id, &error),
        };
        let mut looked = Looked::default();
        for fact in &events {
            looked.updates.extend(run.teller.take(fact));
        }
        looked.questions = run.teller.new_questions();
        let reason = match (&status, is_cancelled) {
            (_, _) if !events.is_empty() => None,
            (DriverStatus::Running, _) => None,
            (DriverStatus::Over, true) => Some("cancelled"),
            (DriverStatus::Over, false) => Some("end_turn"),
            (DriverStatus::Stopped { because }, _) => {
                let id = run.teller.run();
                let words = format!(
                    "run {id} is no longer driven: {because}; `pithead resume {id}` continues it"
                );
                looked.updates.push(message(&words));
                Some(if is_cancelled {
                    "cancelled"
                } else {
                    "end_turn"
                })
            }
        };
        match (reason, id) {
            (Some(reason), Some(id)) => {
                looked.answer = Some((id, Ok(json!({"stopReason": reason}))));
            }
            (Some(_), None) => (),
            (None, id) => {
                *self = Self::Following {
                    id,
                    run,
                    is_cancelled,
                };
            }
        }
        looked
    }
}

fn over(id: Value, answer: Result<Value, RpcError>) -> Looked {
    Looked {
        answer: Some((id, answer)),
        ..Looked::default()
    }
}

fn fault(id: Option<Value>, error: &JournalError) -> Looked {
    let fault = RpcError::internal(error.to_string());
    Looked {
        updates: vec![message(&error.to_string())],
        answer: id.map(|id| (id, Err(fault))),
        ..Looked::default()
    }
}

/// A goal that is not understood is the user's to say otherwise; anything else is an error of the program's.
fn not_started(id: Value, error: &LaunchError) -> Looked {
    match error {
        LaunchError::Goal(_) => Looked {
            updates: vec![message(&error.to_string())],
            ..over(id, Ok(json!({"stopReason": "refusal"})))
        },
        _ => over(id, Err(RpcError::internal(error.to_string()))),
    }
}
