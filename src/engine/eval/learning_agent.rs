//! The agent of a life: it plays one task after the other and keeps what it learns.
//!
//! Invariant: its mind errs as the seed of the life says, and no two of its episodes have the same world.

use super::budget::EvalBudget;
use super::episode::Episode;
use super::lives::LifeFactory;
use super::plan::Setting;
use super::play::{Job, PlayedEpisode, play};
use super::results::ResultsError;
use super::workers::EvalError;
use crate::journal::{EntryFilter, Journal};
use crate::runtime::OpenError;
use crate::suites::SuiteTask;
use pithead_core::domain::experience::shared_options::OptionsOfOrigin;
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::run::event::RunConfig;
use pithead_world::ids::RunId;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The worlds of one life are this many seeds apart, so that up to as many lives share no world.
const WORLDS_APART: u64 = 1_000;

/// The agent of a life under way.
pub(super) struct LearningAgent<'a> {
    factory: &'a LifeFactory<'a>,
    interrupt: &'a AtomicBool,
    setting: &'a Setting,
    seed: u64,
    /// One knowledge base for the whole life: this is what "learning" means here.
    journal: Option<Journal>,
    /// Each run has the bounds of its mind; there are none for all of them together.
    budget: Arc<EvalBudget>,
    next: RunId,
}

impl<'a> LearningAgent<'a> {
    pub(super) fn new(
        (factory, interrupt): (&'a LifeFactory<'a>, &'a AtomicBool),
        setting: &'a Setting,
        seed: u64,
    ) -> Result<Self, EvalError> {
        let journal = setting.first_journal().map_err(ResultsError::from)?;
        Ok(Self {
            factory,
            interrupt,
            setting,
            seed,
            journal: Some(journal),
            budget: Arc::new(EvalBudget::default()),
            next: RunId(1),
        })
    }

    /// Plays the tasks one after the other; none if interrupted: an unfinished life is played again from its
    /// beginning.
    pub(super) fn learn(
        &mut self,
        tasks: &[&'static SuiteTask],
    ) -> Result<Option<Vec<Episode>>, EvalError> {
        let mut episodes = Vec::new();
        for task in tasks {
            let Some(PlayedEpisode { episode, facts: _ }) = self.play(task)? else {
                return Ok(None);
            };
            episodes.push(episode);
        }
        Ok(Some(episodes))
    }

    /// Plays one task; none if interrupted.
    pub(super) fn play(
        &mut self,
        task: &'static SuiteTask,
    ) -> Result<Option<PlayedEpisode>, EvalError> {
        // The seed of the life, not of the episode: the same wrong beliefs throughout.
        let factory = |config: &RunConfig, _: &str| (self.factory)(config, self.seed);
        let job = Job {
            task,
            // Every episode of a life in another world.
            seed: self.seed + WORLDS_APART * (self.next.0 - 1),
            run: self.next,
        };
        self.next = self.next.next();
        let bounds = (&self.budget, self.interrupt);
        let played = play(self.setting, job, &factory, &mut self.journal, bounds)?;
        if played.is_some() && self.journal.is_none() {
            // Only an episode without a world or a mind leaves it behind.
            let journal = self.setting.first_journal().map_err(ResultsError::from)?;
            self.journal = Some(journal);
        }
        Ok(played)
    }

    /// The seed of its life.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// The entries that act now.
    pub(super) fn known(&self) -> Result<Vec<Entry>, EvalError> {
        let active = EntryFilter {
            status: Some(Status::Active),
            kind: None,
        };
        let known = self
            .journal
            .as_ref()
            .map(|journal| journal.knowledge(active));
        let known = known.transpose().map_err(OpenError::from)?;
        Ok(known.unwrap_or_default())
    }

    /// What its tries came to, as they count for its next episode.
    pub(super) fn options(&self) -> Result<Vec<OptionsOfOrigin>, EvalError> {
        let newest = RunId(self.next.0 - 1);
        let journal = self.journal.as_ref();
        let options = journal.map(|journal| journal.options_by_origin(newest));
        let options = options.transpose().map_err(OpenError::from)?;
        Ok(options.unwrap_or_default())
    }
}
