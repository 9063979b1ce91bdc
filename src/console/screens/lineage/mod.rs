//! Lineage: failures, entries, the runs that they helped, blocked or hurt, overruled labels, and what must be
//! reviewed, each leading on. Invariant: every row goes somewhere, and the way back is the console's own.

mod folds;
pub mod table;
pub mod update;

#[cfg(test)]
mod tests;
