//! Fitting: the hazards that make the attempts most likely, by stochastic gradient descent.
//!
//! Each attempt counts once for each span of time that it lasted: not done in all but the last, and in the last done
//! or not. Steps adapt to how often a feature occurs (AdaGrad), and what occurs seldom is drawn to nothing.

use super::sample::TimedAttempt;
use pithead_core::domain::horizon::{
    ENDS, HorizonModel, STAGES, VERSION, logistic, span_of, stage,
};
use pithead_world::rng::Rng;
use std::collections::BTreeMap;

/// Passes over the attempts; more change the third digit of the loss.
pub const EPOCHS: u32 = 30;
/// The first step of each weight.
const RATE: f64 = 0.2;
/// How strongly a weight is drawn to nothing in each step.
const DECAY: f64 = 2e-4;
/// A feature of fewer attempts says nothing that can be relied on.
const SEEN_MIN: usize = 8;

/// One number that is learnt.
#[derive(Debug, Clone, Copy, Default)]
struct Weight {
    value: f64,
    /// The sum of the squares of its gradients.
    squares: f64,
}

impl Weight {
    fn step(&mut self, gradient: f64, decay: f64) {
        let gradient = gradient + decay * self.value;
        self.squares += gradient * gradient;
        self.value -= RATE * gradient / (self.squares.sqrt() + 1e-9);
    }
}

/// An attempt with its features by number.
struct Row {
    features: Vec<(usize, f64)>,
    span: usize,
    done: bool,
}

/// The model of these attempts; `recipe` is kept in it for people.
#[must_use]
pub fn train(samples: &[TimedAttempt], seed: u64, recipe: &str) -> HorizonModel {
    let names = frequent_names(samples);
    let numbers: BTreeMap<&str, usize> = names
        .iter()
        .enumerate()
        .map(|(n, name)| (*name, n))
        .collect();
    let row = |sample: &TimedAttempt| Row {
        features: sample
            .features
            .iter()
            .filter_map(|(name, value)| Some((*numbers.get(name.as_str())?, *value)))
            .collect(),
        span: span_of(sample.ticks),
        done: sample.done,
    };
    let rows: Vec<Row> = samples.iter().map(row).collect();
    let mut base = vec![Weight::default(); ENDS.len()];
    let mut weights = vec![[Weight::default(); STAGES]; names.len()];
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut rng = Rng::new(seed);
    for _ in 0..EPOCHS {
        shuffle(&mut order, &mut rng);
        for at in &order {
            learn(&rows[*at], &mut base, &mut weights);
        }
    }
    let weights = names.iter().zip(&weights);
    HorizonModel {
        version: VERSION,
        recipe: recipe.to_owned(),
        base: base.iter().map(|w| rounded(w.value)).collect(),
        weights: weights
            .map(|(name, stages)| ((*name).to_owned(), stages.map(|w| rounded(w.value))))
            .collect(),
    }
}

/// Names that enough attempts have, in order.
fn frequent_names(samples: &[TimedAttempt]) -> Vec<&str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, _) in samples.iter().flat_map(|sample| &sample.features) {
        *counts.entry(name).or_default() += 1;
    }
    let frequent = counts.into_iter().filter(|(_, count)| *count >= SEEN_MIN);
    frequent.map(|(name, _)| name).collect()
}

fn learn(row: &Row, base: &mut [Weight], weights: &mut [[Weight; STAGES]]) {
    let mut sums = [0.0; STAGES];
    for (number, value) in &row.features {
        for (sum, weight) in sums.iter_mut().zip(&weights[*number]) {
            *sum += weight.value * value;
        }
    }
    let mut errors = [0.0; STAGES];
    for (span, weight) in base.iter_mut().enumerate().take(row.span + 1) {
        let is_event = row.done && span == row.span;
        let error = logistic(weight.value + sums[stage(span)]) - f64::from(u8::from(is_event));
        weight.step(error, 0.0);
        errors[stage(span)] += error;
    }
    let reached = stage(row.span);
    for (number, value) in &row.features {
        let stages = weights[*number].iter_mut().zip(errors).take(reached + 1);
        for (weight, error) in stages {
            weight.step(error * value, DECAY);
        }
    }
}

fn shuffle(order: &mut [usize], rng: &mut Rng) {
    for last in (1..order.len()).rev() {
        let other = rng.below(last as u64 + 1);
        order.swap(last, usize::try_from(other).unwrap_or(0));
    }
}

/// Three digits: what they leave out changes no choice, and files stay small.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Near things take 40 to 80 ticks, far ones 400 to 800, and of a third kind none is ever done.
    fn attempts() -> Vec<TimedAttempt> {
        let mut rng = Rng::new(7);
        let mut sample = |name: &str, ticks: u64, done: bool| TimedAttempt {
            features: vec![(name.to_owned(), 1.0)],
            ticks: ticks + rng.below(ticks),
            done,
        };
        let all = (0..300).flat_map(|_| {
            [
                sample("near", 40, true),
                sample("far", 400, true),
                sample("lost", 2000, false),
            ]
        });
        all.collect()
    }

    #[test]
    fn it_learns_how_long_each_takes_and_counts_failures_as_not_done() {
        let model = train(&attempts(), 1, "made up");
        let of = |name: &str| model.predict(&[(name.to_owned(), 1.0)]);
        let (near, far, lost) = (of("near"), of("far"), of("lost"));
        assert!((45..90).contains(&near.ticks), "{near:?}");
        assert!((450..800).contains(&far.ticks), "{far:?}");
        assert!(lost.ticks > 4000, "{lost:?}");
        assert!(near.early >= 40 && near.late <= 113, "{near:?}");
    }

    #[test]
    fn the_same_attempts_give_the_same_model_and_rare_features_are_left_out() {
        let mut samples = attempts();
        samples[0].features.push(("rare".to_owned(), 1.0));
        let model = train(&samples, 1, "made up");
        assert_eq!(model, train(&samples, 1, "made up"));
        assert!(!model.weights.contains_key("rare"));
    }
}
