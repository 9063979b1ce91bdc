//! The selector's predictor: learnt from the attempts of a database, and judged on those of another (DEPS).
//!
//! Invariant: the same attempts give the same model, to the bit.

mod chart;
mod evaluate;
mod fit;
mod sample;

pub use chart::calibration_chart;
pub use evaluate::{Calibration, HorizonReport, evaluate};
pub use fit::{EPOCHS, train};
pub use sample::{TimedAttempt, samples_of};
