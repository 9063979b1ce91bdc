//! The knowledge base from the command line, as somebody would type it, and the database under kill -9.

mod commands;
mod deleted;
mod exchange;
mod killed;
mod post_mortems;
pub(crate) mod stage;
