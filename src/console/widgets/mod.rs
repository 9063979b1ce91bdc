//! Widgets: pieces of drawing and typing that several screens share; they know no screen.

pub mod diagnosis;
pub mod editor;
pub mod effect_bar;
pub mod entry;
pub mod gauge;
pub mod mind_call;
pub(crate) mod page;
pub(crate) mod pane;
pub(crate) mod popup;
pub mod rich;
pub(crate) mod rows;
pub mod scroll;
pub mod table;
pub mod time;
