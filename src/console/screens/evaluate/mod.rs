//! Evaluations as the console shows them: a list, a detail page for the chosen one, the episodes of an opened one.
//!
//! Invariant: everything here is text and numbers of others, cleaned where it becomes a line.

pub mod chart;
pub mod pages;
pub(crate) mod tables;
pub(crate) mod update;

pub(crate) use crate::screens::evaluate::tables::{episodes, evaluations};

#[cfg(test)]
mod tests;
