//! The embedded world that a run's config names, filmed if asked.

use pithead_core::domain::run::event::RunConfig;
use pithead_world::aids::Controller;
use pithead_world::filmed::{Eyes, Filmed};
use pithead_world::ids::ActionId;
use pithead_world::oracle::OracleWorld;
use pithead_world::port::{VOXEL, World};
use pithead_world::table18::Table18World;
use pithead_world::voxel::view::picture::{Picture, Size};
use pithead_world::voxel::world::VoxelWorld;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Where pictures of the ends of attempts go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Film {
    pub folder: PathBuf,
    pub size: Size,
}

/// The config names a world that this program does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown world `{0}`; this program has the embedded world `voxel`")]
pub struct UnknownWorld(pub String);

/// The world that a run was started with, with its controller, and filmed if asked.
pub fn build_world(config: &RunConfig, film: Option<Film>) -> Result<Box<dyn World>, UnknownWorld> {
    // Old journals may name worlds of other versions.
    match (config.world.kind.as_str(), config.world.aids.controller) {
        (VOXEL, Controller::Scripted) => Ok(filmed(VoxelWorld::new(), film)),
        (VOXEL, Controller::Table18) => Ok(filmed(Table18World::for_task(&config.task.text), film)),
        // A world of words has nothing to film.
        (VOXEL, Controller::Oracle) => Ok(Box::new(OracleWorld::new())),
        (other, _) => Err(UnknownWorld(other.to_owned())),
    }
}

fn filmed<W: World + Eyes + 'static>(world: W, film: Option<Film>) -> Box<dyn World> {
    let Some(Film { folder, size }) = film else {
        return Box::new(world);
    };
    let album = Box::new(move |action: ActionId, picture: Picture| {
        // By the number of the action, so that pictures sort in order.
        let file = folder.join(format!("action-{:03}.png", action.0));
        let saved = picture
            .to_png()
            .map_err(|error| error.to_string())
            .and_then(|png| std::fs::write(&file, png).map_err(|error| error.to_string()));
        // A picture that cannot be kept is no reason to end a run.
        if let Err(because) = saved {
            tracing::warn!(file = %file.display(), because, "a picture was not saved");
        }
    });
    Box::new(Filmed::new(world, size, album))
}
