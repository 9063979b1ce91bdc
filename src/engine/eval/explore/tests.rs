//! Explorations: what is chosen, what is counted, and that a life is the same twice.

use super::life::{ExploredLife, Explorer};
use super::*;
use crate::eval::plan::{Seeds, Setting};
use crate::mind::builtin::Builtin;
use crate::mind::builtin::errors::Level;
use crate::runtime::Keep;
use crate::runtime::worlds::build_world;
use crate::suites::SuiteName;
use pithead_core::domain::run::event::RunConfig;
use pithead_core::systems;
use pithead_world::aids::WorldAids;
use pithead_world::item::ItemId;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

fn setting(system: &str) -> Setting {
    Setting {
        mind: "builtin:competent".to_owned(),
        profile: systems::named(system).unwrap(),
        world: Setting::world_of(WorldAids::default()),
        learn: true,
        keep: Keep::Attempts,
        ..crate::eval::tests::setting(SuiteName::Mcu70)
    }
}

fn explore(out: Option<&Path>, tasks: u32) -> (Vec<ExploredLife>, Exploration) {
    let settings = [setting("steve-evolving"), setting("planning-only")];
    let factory = |config: &RunConfig, seed: u64| {
        let world = build_world(config, None).map_err(|error| error.to_string())?;
        let mind: Box<dyn crate::mind::Mind> = Box::new(Builtin::new(Level::Competent, seed));
        Ok((world, mind))
    };
    let run = ExploreRun {
        settings: &settings,
        seeds: Seeds { first: 1, last: 2 },
        level: Level::Competent,
        tasks,
        jobs: 2,
        out,
        factory: &factory,
        interrupt: &AtomicBool::new(false),
    };
    let lives = play_explorations(&run, |_, _| ()).unwrap();
    let report = Exploration::from_lives(&run, &lives);
    (lives, report)
}

#[test]
fn an_agent_tries_what_it_has_not_had_and_first_what_failed_least() {
    let mut explorer = Explorer::new(Level::Competent, 1);
    let first: BTreeSet<ItemId> = (0..40).filter_map(|_| explorer.next_task()).collect();
    assert!(first.len() > 5, "it draws: {first:?}");
    let mut other = Explorer::new(Level::Competent, 1);
    let again: BTreeSet<ItemId> = (0..40).filter_map(|_| other.next_task()).collect();
    assert_eq!(first, again, "the same seed draws the same");
}

#[test]
fn a_life_counts_each_kind_once_and_is_the_same_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (lives, report) = explore(Some(folder.path()), 3);
    assert_eq!(lives.len(), 4);
    for life in &lives {
        let mut had = BTreeSet::new();
        for task in &life.tasks {
            assert!(!had.contains(&task.item), "{} was had already", task.item);
            let is_new = task.new_items.iter().all(|item| had.insert(item.clone()));
            assert!(is_new && task.items == had.len() as u64, "{task:?}");
            assert!(!task.success || had.contains(&task.item), "{task:?}");
        }
    }
    assert_eq!(
        explore(Some(folder.path()), 3).0,
        lives,
        "finished lives are kept"
    );
    assert_eq!(explore(None, 3).0, lives, "and played again the same");
    assert!(report.complete);
    let [full, _] = &report.systems[..] else {
        panic!("{:?}", report.systems)
    };
    let [.., last] = &full.points[..] else {
        panic!("{full:?}")
    };
    assert_eq!((full.points.len(), last.task, full.lives), (3, 3, 2));
    let Some(pair) = report.against.first() else {
        panic!("{report:?}")
    };
    assert_eq!((pair.lives, pair.than.as_str()), (2, "planning-only"));
    // Each attempt is an experience, and each task takes one at least.
    assert!(last.experiences >= 3.0 && last.rules == 0.0, "{last:?}");
    assert!(pair.items.low <= pair.items.value && pair.items.value <= pair.items.high);
    let text = report.markdown();
    assert!(
        text.contains("kinds of items") && text.contains("planning-only"),
        "{text}"
    );
    assert!(report.items_svg().unwrap().contains("self-chosen tasks"));
}
