//! Bodies: implementations of the World port.

pub mod filmed;
pub mod table18;
#[cfg(test)]
pub(crate) mod testing;
pub mod voxel;
