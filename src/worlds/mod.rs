//! Bodies: implementations of the World port.

pub mod filmed;
pub mod table18;
pub mod voxel;
