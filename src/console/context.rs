//! What update changes, and what drawing reads.

use crate::cache::Cache;
use crate::shell::Shell;
use crate::terminal::pictures::placement::PictureMode;
use crate::view::View;

/// Everything that a key can look at and change.
#[derive(Debug)]
pub struct Context<'a> {
    pub shell: &'a mut Shell,
    pub cache: &'a Cache,
    pub view: &'a View,
}

/// Everything that is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    pub shell: &'a Shell,
    pub cache: &'a Cache,
    pub view: &'a View,
    /// How pictures are written beside the frame; none where they are drawn in cells.
    pub pictures: Option<PictureMode>,
}
