//! Starting runs from the console: what is wished, and who can do it.

use pithead_core::domain::run::decision::Gates;
use pithead_engine::runtime::Link;
use pithead_engine::suites::SuiteTask;
use pithead_world::ids::RunId;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

/// What is to be achieved.
#[derive(Debug, Clone, PartialEq)]
pub enum RunAim {
    /// In the operator's own words.
    Words(String),
    /// As a published set has it, with its budget and where it begins.
    Suite(&'static SuiteTask),
}

/// A run as it is wished.
#[derive(Debug, Clone, PartialEq)]
pub struct WantedRun {
    pub aim: RunAim,
    pub seed: u64,
    pub mind: String,
    pub system: String,
    pub gates: Gates,
}

/// What can be chosen from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choices {
    pub minds: Vec<String>,
    pub systems: Vec<String>,
    /// What gates are set to unless the operator changes them: with the saved rules.
    pub gates: Gates,
}

/// Makes runs and goes on with them.
pub trait Starter: std::fmt::Debug + Send + Sync {
    fn start(&self, wanted: &WantedRun) -> Result<Link, String>;
    fn resume(&self, run: RunId) -> Result<Link, String>;
}

/// Who can start runs, and what can be chosen.
#[derive(Debug, Clone)]
pub struct Launcher {
    pub starter: Arc<dyn Starter>,
    pub choices: Choices,
}

/// What is being started.
#[derive(Debug, Clone, PartialEq)]
pub enum Launch {
    Start(Box<WantedRun>),
    Resume(RunId),
}

/// A start on its way.
#[derive(Debug)]
pub(crate) struct Starting(Receiver<Result<Link, String>>);

impl Starting {
    /// Begins in a thread of its own.
    pub(crate) fn begin(starter: &Arc<dyn Starter>, launch: Launch) -> Result<Self, String> {
        let (out, came) = sync_channel(1);
        let starter = Arc::clone(starter);
        let spawned = std::thread::Builder::new()
            .name("start".to_owned())
            .spawn(move || {
                let made = match &launch {
                    Launch::Start(wanted) => starter.start(wanted),
                    Launch::Resume(run) => starter.resume(*run),
                };
                // A console that has gone wants no run.
                let _ = out.send(made);
            });
        spawned.map_err(|error| error.to_string())?;
        Ok(Self(came))
    }

    /// What came of it, once it has.
    pub(crate) fn taken(&self) -> Option<Result<Link, String>> {
        match self.0.try_recv() {
            Ok(made) => Some(made),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("the start was broken off".to_owned())),
        }
    }
}
