//! Pithead.
