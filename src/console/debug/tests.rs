//! Tests of the Debug screen.
