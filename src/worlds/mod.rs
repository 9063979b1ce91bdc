//! Bodies: implementations of the World port.

pub mod voxel;
