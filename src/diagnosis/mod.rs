//! Diagnosis: what came of an attempt, and why. Pure; the verdict explains itself.
//!
//! Invariant: same evidence and thresholds, same verdict and trace.
