//! Horizons: how many ticks a step will take from here, learnt from attempts (DEPS, Section 3.3).
//!
//! The model is a hazard for each span of time: the chance that a step that is not done yet is done within the span.
//! Attempts that failed are known not to be done until then, which is all they say. Invariant: the same model and the
//! same scene give the same prediction on every machine.

pub mod scene;

use pithead_world::rng::mix;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Written in every file; a file of another version is refused.
pub const VERSION: u32 = 1;
/// Where spans end, in ticks; each is √2 times as long as the one before. What takes longer counts as the last.
pub const ENDS: [u32; 20] = [
    10, 14, 20, 28, 40, 57, 80, 113, 160, 226, 320, 453, 640, 905, 1280, 1810, 2560, 3620, 5120,
    7240,
];
/// What a feature says may differ between the first ten seconds, the first minute, and later.
pub const STAGES: usize = 3;
/// The spans at which the second and the third stage begin.
const STAGE_STARTS: [usize; 2] = [9, 14];
/// Ticks by which one horizon must be shorter than another to be e times as probable.
pub const TEMPERATURE: f64 = 200.0;
/// Features of a file; the embedded one has some hundreds.
const FEATURES_MAX: usize = 20_000;

/// A trained predictor μ(h | state, goal).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HorizonModel {
    pub version: u32,
    /// How it was trained, in words for people.
    pub recipe: String,
    /// The log odds of being done within each span, before anything is known of the step.
    pub base: Vec<f64>,
    /// What each feature adds to the log odds, by stage.
    pub weights: BTreeMap<String, [f64; STAGES]>,
}

/// Why a file is no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    #[error("no horizon model: {0}")]
    Unreadable(String),
    #[error("a horizon model of version {0}; this program reads version {VERSION}")]
    Version(u32),
    #[error("the model has {found} spans of time; it must have {}", ENDS.len())]
    Spans { found: usize },
    #[error("the model has {0} features; it may have {FEATURES_MAX}")]
    TooLarge(usize),
    #[error("the model holds a number that is none")]
    NotFinite,
}

/// What is predicted of one step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Horizon {
    /// Expected ticks.
    pub ticks: u32,
    /// Of ten such steps one is done by then.
    pub early: u32,
    /// Of ten such steps nine are done by then.
    pub late: u32,
}

/// Trained on the embedded world; docs/EVALUATION.md has the recipe and how well it predicts.
static EMBEDDED: LazyLock<HorizonModel> = LazyLock::new(|| {
    HorizonModel::read(include_str!("embedded.json")).expect("the embedded model is read by a test")
});

impl HorizonModel {
    /// The model that the program brings.
    #[must_use]
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// Reads a file of `pithead selector train`.
    pub fn read(text: &str) -> Result<Self, ModelError> {
        let model: Self = serde_json::from_str(text)
            .map_err(|error| ModelError::Unreadable(error.to_string()))?;
        if model.version != VERSION {
            return Err(ModelError::Version(model.version));
        }
        if model.base.len() != ENDS.len() {
            return Err(ModelError::Spans {
                found: model.base.len(),
            });
        }
        if model.weights.len() > FEATURES_MAX {
            return Err(ModelError::TooLarge(model.weights.len()));
        }
        let mut numbers = model.base.iter().chain(model.weights.values().flatten());
        if numbers.any(|number| !number.is_finite()) {
            return Err(ModelError::NotFinite);
        }
        Ok(model)
    }

    /// Sixteen hexadecimal digits that say whether two models are the same.
    #[must_use]
    pub fn digest(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        let mix_in = |sum: u64, byte: u8| mix(sum ^ u64::from(byte));
        format!("{:016x}", text.bytes().fold(0, mix_in))
    }

    /// How long a step takes of which these features are known.
    #[must_use]
    pub fn predict(&self, features: &[(String, f64)]) -> Horizon {
        let mut sums = [0.0; STAGES];
        for (name, value) in features {
            let Some(weights) = self.weights.get(name) else {
                continue; // not seen in training
            };
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight * value;
            }
        }
        let (mut left, mut mean, mut start) = (1.0, 0.0, 0.0);
        let (mut early, mut late) = (None, None);
        for (span, end) in ENDS.iter().enumerate() {
            let middle = (start + f64::from(*end)) / 2.0;
            let hazard = logistic(self.base[span] + sums[stage(span)]);
            mean += left * hazard * middle;
            left *= 1.0 - hazard;
            start = f64::from(*end);
            early = early.or((left <= 0.9).then_some(*end));
            late = late.or((left <= 0.1).then_some(*end));
        }
        // What is not done by then is taken to need as long again.
        let last = ENDS[ENDS.len() - 1];
        mean += left * 2.0 * f64::from(last);
        Horizon {
            ticks: mean.round() as u32,
            early: early.unwrap_or(last),
            late: late.unwrap_or(last),
        }
    }
}

/// The span in which a step of so many ticks is done.
#[must_use]
pub fn span_of(ticks: u64) -> usize {
    let at = ENDS.iter().position(|end| ticks <= u64::from(*end));
    at.unwrap_or(ENDS.len() - 1)
}

/// The stage of a span.
#[must_use]
pub fn stage(span: usize) -> usize {
    STAGE_STARTS.iter().filter(|start| span >= **start).count()
}

/// The chance that belongs to these log odds.
#[must_use]
pub fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// softmax(-μ): how probable each step is to be the closest to done.
#[must_use]
pub fn probabilities(horizons: &[Horizon]) -> Vec<f64> {
    let least = horizons.iter().map(|h| h.ticks).min().unwrap_or(0);
    let weight = |h: &Horizon| (-f64::from(h.ticks - least) / TEMPERATURE).exp();
    let all: f64 = horizons.iter().map(weight).sum();
    horizons.iter().map(|h| weight(h) / all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(near: [f64; STAGES]) -> HorizonModel {
        HorizonModel {
            version: VERSION,
            recipe: String::new(),
            base: vec![-2.0; ENDS.len()],
            weights: [("near".to_owned(), near)].into(),
        }
    }

    #[test]
    fn what_speaks_for_it_shortens_the_horizon_and_what_is_unknown_changes_nothing() {
        let model = model([2.0, 1.0, 0.5]);
        let of = |features: &[(&str, f64)]| {
            let named = features.iter().map(|(name, x)| ((*name).to_owned(), *x));
            model.predict(&named.collect::<Vec<_>>())
        };
        let (far, near) = (of(&[]), of(&[("near", 1.0)]));
        assert!(
            near.ticks < far.ticks && near.late < far.late,
            "{near:?} {far:?}"
        );
        assert_eq!(of(&[("unheard", 9.0)]), far);
        assert!(far.early <= far.ticks && far.ticks <= 2 * far.late);
        let probable = probabilities(&[far, near]);
        assert!(probable[1] > probable[0] && (probable[0] + probable[1] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_step_with_even_odds_takes_the_ticks_of_its_first_spans() {
        let mut sure = model([0.0; STAGES]);
        sure.base = vec![50.0; ENDS.len()];
        assert_eq!(
            sure.predict(&[]),
            Horizon {
                ticks: 5,
                early: 10,
                late: 10
            }
        );
        sure.base[0] = -50.0; // never in the first span, always in the second
        assert_eq!(sure.predict(&[]).ticks, 12);
        assert_eq!(
            (span_of(10), span_of(11), span_of(1_000_000)),
            (0, 1, ENDS.len() - 1)
        );
        assert_eq!((stage(0), stage(9), stage(19)), (0, 1, 2));
    }

    #[test]
    fn files_that_are_no_model_are_refused_with_the_reason() {
        let written = |change: &dyn Fn(&mut HorizonModel)| {
            let mut model = model([0.0; STAGES]);
            change(&mut model);
            HorizonModel::read(&serde_json::to_string(&model).unwrap())
        };
        assert!(written(&|_| ()).is_ok());
        assert_eq!(written(&|m| m.version = 9), Err(ModelError::Version(9)));
        assert_eq!(
            written(&|m| m.base.truncate(3)),
            Err(ModelError::Spans { found: 3 })
        );
        assert!(matches!(
            HorizonModel::read("{}"),
            Err(ModelError::Unreadable(_))
        ));
    }

    #[test]
    fn the_embedded_model_is_read_and_knows_the_common_steps() {
        let model = HorizonModel::embedded();
        assert!(!model.recipe.is_empty());
        for name in ["do mine", "do attack", "do craft", "seen attack"] {
            assert!(model.weights.contains_key(name), "{name}");
        }
    }
}
