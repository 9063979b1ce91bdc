//! Examinations: the active knowledge of a life, frozen, on worlds in which no life learns.
//!
//! Entries and options are examined; the experience that recall searches is not at hand. Invariant: an
//! examination leaves nothing behind, neither in the life nor from one of its episodes to the next.

use super::base::Base;
use super::budget::EvalBudget;
use super::course::HeldOut;
use super::episode::Episode;
use super::lives::LearningRun;
use super::plan::Setting;
use super::play::{Job, PlayedEpisode, play};
use super::workers::EvalError;
use pithead_core::domain::run::event::RunConfig;
use pithead_world::ids::RunId;
use std::sync::Arc;

/// Plays all tasks of the plan on the held-out seeds; none if interrupted. `seed` is that of the life, whose mind is
/// examined.
pub(super) fn examine(
    run: &LearningRun<'_>,
    setting: &Setting,
    base: Option<Base>,
    (held_out, seed): (HeldOut, u64),
) -> Result<Option<Vec<Episode>>, EvalError> {
    let exam = Setting {
        base,
        learn: false,
        frozen: true,
        hold_out: 0,
        ..setting.clone()
    };
    let factory = |config: &RunConfig, _: &str| (run.factory)(config, seed);
    let budget = Arc::new(EvalBudget::default());
    let mut episodes = Vec::new();
    let worlds = held_out.world_seeds();
    let jobs = worlds.flat_map(|seed| run.plan.tasks.iter().map(move |task| (*task, seed)));
    for (number, (task, seed)) in (exam.first_run()..).zip(jobs) {
        let job = Job {
            task,
            seed,
            run: RunId(number),
        };
        let played = play(&exam, job, &factory, &mut None, (&budget, run.interrupt))?;
        let Some(PlayedEpisode { episode, facts: _ }) = played else {
            return Ok(None);
        };
        episodes.push(episode);
    }
    Ok(Some(episodes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::course::Strategy;
    use crate::eval::curve::Curve;
    use crate::eval::lives::{Life, play_lives};
    use crate::eval::tests::{plan, setting};
    use crate::mind::Mind;
    use crate::mind::builtin::{Builtin, errors::Level};
    use crate::suites::SuiteName;
    use pithead_world::port::World;
    use pithead_world::voxel::world::VoxelWorld;
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    type WorldAndMind = (Box<dyn World>, Box<dyn Mind>);

    fn make(_: &RunConfig, seed: u64) -> Result<WorldAndMind, String> {
        let mind = Builtin::new(Level::Novice, seed);
        Ok((Box::new(VoxelWorld::new()), Box::new(mind)))
    }

    fn lives(settings: &[Setting], out: &Path, seeds: u32) -> Result<Vec<Life>, String> {
        let plan = plan(SuiteName::Mcu70, "mcu70/wooden/0[19]", "1");
        let run = LearningRun {
            settings,
            plan: &plan,
            passes: 2,
            held_out: Some(HeldOut {
                checkpoints: 2,
                seeds,
            }),
            jobs: 1,
            out: Some(out),
            factory: &make,
            interrupt: &AtomicBool::new(false),
        };
        play_lives(&run, |_, _| ()).map_err(|error| error.to_string())
    }

    #[test]
    fn knowledge_is_examined_on_worlds_of_its_own_and_an_empty_base_stays_as_it_is() {
        let out = tempfile::tempdir().unwrap();
        let with = |strategy| Setting {
            learn: true,
            strategy: Some(strategy),
            ..setting(SuiteName::Mcu70)
        };
        let settings = [with(Strategy::DiamondOnly), with(Strategy::Cold)];
        let found = lives(&settings, out.path(), 1).unwrap();
        let names: Vec<&str> = found.iter().map(|life| life.system.as_str()).collect();
        assert_eq!(names, ["diamond-only", "cold"]);
        for life in &found {
            assert_eq!(life.passes.len(), 2);
            let episodes = life.passes.iter().flat_map(|pass| &pass.episodes);
            let seeds: Vec<u64> = episodes.map(|episode| episode.seed).collect();
            assert_eq!(seeds, [1_000_000_000; 4]);
        }
        let (learnt, cold) = (&found[0].passes, &found[1].passes);
        assert!(learnt[0].knowledge > 0 && learnt[1].knowledge >= learnt[0].knowledge);
        assert!(cold[0] == cold[1] && cold[0].knowledge == 0);
        // Begun again, nothing is played; with other examinations the folder is refused.
        assert_eq!(lives(&settings, out.path(), 1).unwrap(), found);
        let refused = lives(&settings, out.path(), 2).unwrap_err();
        assert!(
            refused.contains("2 checkpoints on 1 held-out seed,"),
            "{refused}"
        );
        let plan = plan(SuiteName::Mcu70, "mcu70/wooden/0[19]", "1");
        let held_out = HeldOut {
            checkpoints: 2,
            seeds: 1,
        };
        let curve = Curve::from_lives(&settings, &plan, Some(held_out), &found);
        let text = curve.markdown();
        assert!(curve.complete && text.contains("| checkpoint |"), "{text}");
        assert!(
            text.contains("- cold: the knowledge base stays empty"),
            "{text}"
        );
    }
}
