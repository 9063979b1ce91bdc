//! The world that a run's config names: the embedded one, filmed if asked, or a server's.

use pithead_core::domain::run::event::RunConfig;
use pithead_minecraft::world::MinecraftWorld;
use pithead_minecraft::{consent, install};
use pithead_world::aids::Controller;
use pithead_world::filmed::{Eyes, Filmed};
use pithead_world::ids::ActionId;
use pithead_world::oracle::OracleWorld;
use pithead_world::port::{MINECRAFT, ServerSpec, VOXEL, World, WorldSpec};
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

/// Why there is no such world.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoWorld {
    /// Old journals may name worlds of other versions.
    #[error("unknown world `{0}`; this program has `voxel` (embedded) and `minecraft` (a server)")]
    Unknown(String),
    #[error("the world is a server's, and none is named; use --server HOST:PORT")]
    NoServer,
    #[error(
        "the server {server} is not on this machine and was not allowed; --allow-server allows it from now on"
    )]
    NotAllowed { server: ServerSpec },
    #[error("the server could not be put on the list of allowed ones: {because}")]
    NotKept { because: String },
    #[error("no folder was found for the bridge to Minecraft; set HOME")]
    NoHome,
    #[error("--controller {0} needs the embedded world; a server has a scripted body only")]
    NoController(&'static str),
}

/// The world that a run was started with, with its controller, and filmed if asked.
pub fn build_world(config: &RunConfig, film: Option<Film>) -> Result<Box<dyn World>, NoWorld> {
    match (config.world.kind.as_str(), config.world.aids.controller) {
        (VOXEL, Controller::Scripted) => Ok(filmed(VoxelWorld::new(), film)),
        (VOXEL, Controller::Table18) => Ok(filmed(Table18World::for_task(&config.task.text), film)),
        // A world of words has nothing to film.
        (VOXEL, Controller::Oracle) => Ok(Box::new(OracleWorld::new())),
        (MINECRAFT, Controller::Scripted) => server_world(&config.world),
        (MINECRAFT, other) => Err(NoWorld::NoController(other.name())),
        (other, _) => Err(NoWorld::Unknown(other.to_owned())),
    }
}

/// An error that names the server of a world, unless it is on this machine or allowed. Nothing is opened.
pub fn check_server(spec: &WorldSpec) -> Result<(), NoWorld> {
    let Some(server) = spec.server.as_ref().filter(|_| spec.kind == MINECRAFT) else {
        return Ok(());
    };
    let data = data_folder().ok_or(NoWorld::NoHome)?;
    if consent::is_allowed(&data, server) {
        return Ok(());
    }
    Err(NoWorld::NotAllowed {
        server: server.clone(),
    })
}

/// Allows a server from now on, which the operator was asked about.
pub fn allow_server(server: &ServerSpec) -> Result<(), NoWorld> {
    let data = data_folder().ok_or(NoWorld::NoHome)?;
    consent::allow(&data, server).map_err(|error| NoWorld::NotKept {
        because: format!("{}: {error}", consent::list(&data).display()),
    })
}

/// A server outside of this machine is joined only if the operator has allowed it, whoever named it.
fn server_world(spec: &WorldSpec) -> Result<Box<dyn World>, NoWorld> {
    check_server(spec)?;
    if spec.server.is_none() {
        return Err(NoWorld::NoServer);
    }
    let data = data_folder().ok_or(NoWorld::NoHome)?;
    Ok(Box::new(MinecraftWorld::new(Box::new(move || {
        install::find_bridge(&data)
    }))))
}

/// Where the bridge is installed, and the list of allowed servers.
#[must_use]
pub fn data_folder() -> Option<PathBuf> {
    let folders = directories::ProjectDirs::from("", "", "pithead")?;
    Some(folders.data_dir().to_owned())
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
