//! Filmed worlds: a picture of what the body sees at the end of each action.
//!
//! The pictures go to whoever asked for them; the world does not change by it, and nothing of them
//! reaches the agent. Invariant: a filmed run is the same run.

use super::voxel::self_view::picture_from_body;
use super::voxel::sim::Simulation;
use super::voxel::view::picture::{Picture, Size};
use super::voxel::world::VoxelWorld;
use crate::ids::ActionId;
use crate::port::{Notice, Pixels, Request, World};

/// What can be looked out of.
pub trait Eyes {
    /// The world as it is; none before its reset.
    fn simulation(&self) -> Option<&Simulation>;
}

impl Eyes for VoxelWorld {
    fn simulation(&self) -> Option<&Simulation> {
        Self::simulation(self)
    }
}

/// Takes the picture at the end of an action.
pub type Album = Box<dyn FnMut(ActionId, Picture) + Send>;

/// A world with a camera.
pub struct Filmed<W> {
    world: W,
    size: Size,
    album: Album,
}

impl<W> std::fmt::Debug for Filmed<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Filmed {{ {}×{} }}", self.size.width, self.size.height)
    }
}

impl<W: World + Eyes> Filmed<W> {
    pub fn new(world: W, size: Size, album: Album) -> Self {
        Self { world, size, album }
    }
}

impl<W: World + Eyes> World for Filmed<W> {
    fn request(&mut self, request: Request) {
        self.world.request(request);
    }

    fn poll(&mut self, ticks_max: u32) -> Vec<Notice> {
        let notices = self.world.poll(ticks_max);
        for notice in &notices {
            if let (Notice::Acted { id, .. }, Some(sim)) = (notice, self.world.simulation()) {
                (self.album)(*id, picture_from_body(sim, self.size));
            }
        }
        notices
    }

    fn tick(&self) -> u64 {
        self.world.tick()
    }

    fn picture(&self) -> Option<Vec<u8>> {
        self.world.picture()
    }

    fn view(&self, width: u32, height: u32) -> Option<Pixels> {
        self.world.view(width, height)
    }
}
