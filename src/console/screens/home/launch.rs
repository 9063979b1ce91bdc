//! Starting runs: what is asked for, and a start on its way in a thread of its own.

use pithead_engine::config::ConfigError;
use pithead_engine::config::consent::NamedFile;
use pithead_engine::launch::{LaunchError, Launched, Launcher, WantedRun};
use pithead_world::ids::RunId;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

/// What is being started.
#[derive(Debug, Clone, PartialEq)]
pub enum Launch {
    Start(Box<WantedRun>),
    Resume(RunId),
    /// Resumes a run that reads a file which the operator has allowed.
    ResumeReading(NamedFile),
}

/// Why a start came to nothing.
#[derive(Debug)]
pub(crate) enum StartFault {
    /// The run wants to read a file that only its config names.
    NotAllowed(NamedFile),
    Failed(String),
}

/// A start on its way.
#[derive(Debug)]
pub(crate) struct Starting(Receiver<Result<Launched, StartFault>>);

impl Starting {
    /// Begins in a thread of its own.
    pub(crate) fn begin(launcher: &Launcher, launch: Launch) -> Result<Self, String> {
        let (out, came) = sync_channel(1);
        let launcher = launcher.clone();
        let spawned = std::thread::Builder::new()
            .name("start".to_owned())
            .spawn(move || {
                let made = match &launch {
                    Launch::Start(wanted) => launcher.start(wanted),
                    Launch::Resume(run) => launcher.resume(*run, None),
                    Launch::ResumeReading(file) => launcher.resume(file.run, Some(file)),
                };
                // A console that has gone wants no run.
                let _ = out.send(made.map_err(|error| match error {
                    LaunchError::Config(ConfigError::NotAllowed(file)) => {
                        StartFault::NotAllowed(file)
                    }
                    other => StartFault::Failed(other.to_string()),
                }));
            });
        spawned.map_err(|error| error.to_string())?;
        Ok(Self(came))
    }

    /// What came of it, once it has.
    pub(crate) fn taken(&self) -> Option<Result<Launched, StartFault>> {
        match self.0.try_recv() {
            Ok(made) => Some(made),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                let because = "the start was interrupted".to_owned();
                Some(Err(StartFault::Failed(because)))
            }
        }
    }
}
