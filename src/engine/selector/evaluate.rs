//! HorizonReport: how well a model predicts attempts that it has not seen.

use super::sample::TimedAttempt;
use pithead_core::domain::horizon::{ENDS, Horizon, HorizonModel};
use serde::Serialize;

/// Groups of equal size by what was predicted.
const GROUPS: usize = 10;
/// Pairs looked at for the concordance; more change the third digit.
const PAIRS_MAX: usize = 2_000_000;

/// What a model's predictions are worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HorizonReport {
    pub attempts: usize,
    pub done: usize,
    /// Of pairs whose order is known, the share that is predicted in that order; 0.5 is chance.
    pub concordance: f64,
    /// Of done attempts, the share that took at most as long as nine of ten were predicted to.
    pub within_late: f64,
    /// Done attempts by what was predicted.
    pub calibration: Vec<Calibration>,
}

/// A tenth of the done attempts, those with the shortest predictions first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibration {
    pub attempts: usize,
    /// Medians, in ticks.
    pub predicted: u32,
    pub took: u64,
}

/// Judges the model by these attempts.
#[must_use]
pub fn evaluate(model: &HorizonModel, samples: &[TimedAttempt]) -> HorizonReport {
    let mut judged: Vec<(Horizon, &TimedAttempt)> = samples
        .iter()
        .map(|sample| (model.predict(&sample.features), sample))
        .collect();
    let concordance = concordance(&judged);
    judged.retain(|(_, sample)| sample.done);
    judged.sort_by_key(|(horizon, _)| horizon.ticks);
    let last = u64::from(ENDS[ENDS.len() - 1]);
    let within = judged
        .iter()
        .filter(|(horizon, sample)| sample.ticks.min(last) <= u64::from(horizon.late));
    let size = judged.len().div_ceil(GROUPS).max(1);
    HorizonReport {
        attempts: samples.len(),
        done: judged.len(),
        concordance,
        within_late: within.count() as f64 / judged.len().max(1) as f64,
        calibration: judged.chunks(size).map(calibration).collect(),
    }
}

/// One pair in so many, so that any number of attempts takes the same time.
fn concordance(judged: &[(Horizon, &TimedAttempt)]) -> f64 {
    let pairs = judged.len() * judged.len().saturating_sub(1) / 2;
    let step = pairs.div_ceil(PAIRS_MAX).max(1);
    let (mut known, mut right, mut n) = (0.0, 0.0, 0_usize);
    for (at, (horizon, sample)) in judged.iter().enumerate() {
        for (other_horizon, other) in &judged[at + 1..] {
            n += 1;
            if n % step != 0 {
                continue;
            }
            // The order is known if the one that ended first was done then.
            let (first, second) = if sample.ticks < other.ticks {
                ((horizon, *sample), other_horizon)
            } else if other.ticks < sample.ticks {
                ((other_horizon, *other), horizon)
            } else {
                continue;
            };
            if !first.1.done {
                continue;
            }
            known += 1.0;
            right += match first.0.ticks.cmp(&second.ticks) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
        }
    }
    if known > 0.0 { right / known } else { 0.5 }
}

fn calibration(group: &[(Horizon, &TimedAttempt)]) -> Calibration {
    let mut took: Vec<u64> = group.iter().map(|(_, sample)| sample.ticks).collect();
    took.sort_unstable();
    Calibration {
        attempts: group.len(),
        predicted: group[group.len() / 2].0.ticks,
        took: took[took.len() / 2],
    }
}

#[cfg(test)]
mod tests {
    use super::super::fit::train;
    use super::*;

    fn sample(name: &str, ticks: u64) -> TimedAttempt {
        TimedAttempt {
            features: vec![(name.to_owned(), 1.0)],
            ticks,
            done: true,
        }
    }

    #[test]
    fn a_model_that_knows_orders_rightly_and_one_that_does_not_by_chance() {
        let samples: Vec<TimedAttempt> = (0..100)
            .flat_map(|n| [sample("near", 30 + n % 7), sample("far", 600 + n % 90)])
            .collect();
        let known = evaluate(&train(&samples, 1, ""), &samples);
        assert!(known.concordance > 0.7, "{known:?}");
        assert!(known.within_late > 0.85, "{known:?}");
        let (first, last) = (&known.calibration[0], known.calibration.last().unwrap());
        assert!(first.took < 40 && last.took >= 600);
        assert!(first.predicted < 100 && last.predicted > 300);
        let nothing: Vec<TimedAttempt> = samples
            .iter()
            .map(|s| TimedAttempt {
                features: Vec::new(),
                ..s.clone()
            })
            .collect();
        let chance = evaluate(&train(&nothing, 1, ""), &nothing);
        assert!((chance.concordance - 0.5).abs() < 1e-9);
    }
}
