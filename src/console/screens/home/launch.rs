//! Starting runs: what is asked for, and a start on its way in a thread of its own.

use pithead_engine::config::ConfigError;
use pithead_engine::config::consent::NamedFile;
use pithead_engine::launch::{LaunchError, Launched, Launcher, WantedRun};
use pithead_engine::runtime::worlds::{NoWorld, allow_server};
use pithead_world::ids::RunId;
use pithead_world::port::ServerSpec;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

/// What is being started.
#[derive(Debug, Clone, PartialEq)]
pub enum Launch {
    Start(Box<WantedRun>),
    Resume(RunId),
    /// Resumes a run that reads a file which the operator has allowed.
    ResumeReading(NamedFile),
    /// Resumes a run on a server elsewhere, which the operator allows from now on.
    ResumeJoining(NamedServer),
}

/// A server outside of this machine that a recorded run takes place on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedServer {
    pub run: RunId,
    pub server: ServerSpec,
}

/// What the operator is asked before a recorded run goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResumeConsent {
    ReadFile(NamedFile),
    JoinServer(NamedServer),
}

impl ResumeConsent {
    #[must_use]
    pub fn run(&self) -> RunId {
        match self {
            Self::ReadFile(file) => file.run,
            Self::JoinServer(server) => server.run,
        }
    }

    /// The start that the consent leads to.
    #[must_use]
    pub fn launch(self) -> Launch {
        match self {
            Self::ReadFile(file) => Launch::ResumeReading(file),
            Self::JoinServer(server) => Launch::ResumeJoining(server),
        }
    }
}

/// Why a start came to nothing.
#[derive(Debug)]
pub(crate) enum StartFault {
    /// The operator has to allow something first.
    NotAllowed(ResumeConsent),
    Failed(String),
}

fn start(launcher: &Launcher, launch: &Launch) -> Result<Launched, LaunchError> {
    match launch {
        Launch::Start(wanted) => launcher.start(wanted),
        Launch::Resume(run) => launcher.resume(*run, None),
        Launch::ResumeReading(file) => launcher.resume(file.run, Some(file)),
        Launch::ResumeJoining(named) => {
            allow_server(&named.server).map_err(ConfigError::from)?;
            // What else it wants is asked about next.
            launcher.resume(named.run, None)
        }
    }
}

fn fault(launch: &Launch, error: LaunchError) -> StartFault {
    let run = match launch {
        Launch::Start(_) => None,
        Launch::Resume(run) => Some(*run),
        Launch::ResumeReading(file) => Some(file.run),
        Launch::ResumeJoining(named) => Some(named.run),
    };
    match (error, run) {
        (LaunchError::Config(ConfigError::NotAllowed(file)), _) => {
            StartFault::NotAllowed(ResumeConsent::ReadFile(file))
        }
        (LaunchError::Config(ConfigError::World(NoWorld::NotAllowed { server })), Some(run)) => {
            StartFault::NotAllowed(ResumeConsent::JoinServer(NamedServer { run, server }))
        }
        (other, _) => StartFault::Failed(other.to_string()),
    }
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
                // A console that has gone wants no run.
                let _ = out.send(start(&launcher, &launch).map_err(|error| fault(&launch, error)));
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
