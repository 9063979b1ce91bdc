//! System profiles: which parts of the loop are on, and how. A profile is data.

use crate::domain::knowledge::kind::EntryKind;
use crate::domain::plan::form::PlanForm;
use serde::{Deserialize, Serialize};

/// One way to run the loop (prompts/<system>/system.toml).
/// A misspelt field in a system file is an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// For example `steve-evolving`.
    pub name: String,
    /// One line for `--help` and lists.
    pub about: String,
    /// K_tol: failures of one subgoal before the rest is replanned; 0 never replans.
    /// Failures of other runs count too, see `similar_failures`.
    pub k_tol: u32,
    /// Recall experiences and knowledge before planning.
    pub recall: bool,
    /// Of these the experiences: recall them, and count similar failures of earlier runs. As `recall` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall_experience: Option<bool>,
    /// Check plans before they run and send errors back to the planner.
    /// Without it the first plan is taken as it is.
    pub verify: bool,
    /// Show skills to the planner.
    pub show_skills: bool,
    /// Show guardrails and rules to the planner.
    pub show_guardrails: bool,
    /// Let guardrails and rules refuse plans in verification. As `show_guardrails` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guardrails_refuse: Option<bool>,
    /// Let guardrails block a step before it begins. As `show_guardrails` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guardrails_block: Option<bool>,
    /// Show the planner what the tries of each way to get something came to. As `show_skills` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub use_options: Option<bool>,
    /// Distil skills from success.
    pub distil_skills: bool,
    /// Distil guardrails from repeated failure.
    pub distil_guardrails: bool,
    pub selector: Selector,
    /// Take the task apart into a tree of goals before planning (GITM).
    #[serde(default, skip_serializing_if = "is_off")]
    pub decompose: bool,
    /// Show pages of a wiki, written from the game's tables, with each goal (GITM).
    #[serde(default, skip_serializing_if = "is_off")]
    pub wiki: bool,
    /// Ask why a step keeps failing in place of a lesson: words for the planner, no constraint (DEPS).
    #[serde(default, skip_serializing_if = "is_off")]
    pub explain: bool,
    /// Ask for the cause of a step that keeps failing, as a lesson or an explanation; without it the planner is only
    /// asked again. On if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask_cause: Option<bool>,
    /// Rounds of planning anew in one run (DEPS, Table 4); the program's own limit if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// Have the planner state what is held after each step of its plan (chain of thought).
    #[serde(default, skip_serializing_if = "is_off")]
    pub track: bool,
    /// How much the planner is asked for at a time; whole plans if absent.
    #[serde(default, skip_serializing_if = "PlanForm::is_whole")]
    pub form: PlanForm,
    /// Have the run summed up by the mind before it ends.
    #[serde(default, skip_serializing_if = "is_off")]
    pub summarise: bool,
    /// Have the mind summarise the successes of five runs for a goal into one reference plan (GITM); without it the
    /// program makes one of what their skills have in common.
    #[serde(default, skip_serializing_if = "is_off")]
    pub reference_plans: bool,
    /// Have rules and, where none decides, the mind judge each step of a plan before it runs (Metagent-P).
    #[serde(default, skip_serializing_if = "is_off")]
    pub judge: bool,
    /// Learn rules from what the verifier sent back, and let rules refuse plans (Metagent-P).
    #[serde(default, skip_serializing_if = "is_off")]
    pub learn_rules: bool,
    /// Show rules that are known already and let them refuse plans, also where none are learned.
    #[serde(default, skip_serializing_if = "is_off")]
    pub use_rules: bool,
    /// Look back at each step that failed, and replan only if the plan is not trusted (Metagent-P).
    #[serde(default, skip_serializing_if = "is_off")]
    pub reflect: bool,
}

impl Profile {
    /// Whether the planner is shown entries of this kind.
    #[must_use]
    pub fn shows(&self, kind: EntryKind) -> bool {
        match kind {
            EntryKind::Skill | EntryKind::ReferencePlan | EntryKind::Note => self.show_skills,
            EntryKind::Rule => self.show_guardrails || self.uses_rules(),
            EntryKind::Guardrail | EntryKind::TaskGuardrail => self.show_guardrails,
        }
    }

    /// Whether entries of this kind may refuse a plan in verification.
    #[must_use]
    pub fn refuses_by(&self, kind: EntryKind) -> bool {
        let guardrails = self.guardrails_refuse.unwrap_or(self.show_guardrails);
        match kind {
            EntryKind::Skill | EntryKind::ReferencePlan | EntryKind::Note => false,
            EntryKind::Rule => guardrails || self.uses_rules(),
            EntryKind::Guardrail | EntryKind::TaskGuardrail => guardrails,
        }
    }

    /// Whether entries of this kind may block a step before it begins.
    #[must_use]
    pub fn blocks_by(&self, kind: EntryKind) -> bool {
        kind == EntryKind::Guardrail && self.guardrails_block.unwrap_or(self.show_guardrails)
    }

    /// Whether entries of this kind do anything in a run.
    #[must_use]
    pub fn uses(&self, kind: EntryKind) -> bool {
        self.shows(kind) || self.refuses_by(kind) || self.blocks_by(kind)
    }

    /// Whether experiences of earlier runs are recalled and compared.
    #[must_use]
    pub fn recalls_experience(&self) -> bool {
        self.recall && self.recall_experience.unwrap_or(true)
    }

    /// Whether the planner is shown what the ways to get things came to.
    #[must_use]
    pub fn uses_options(&self) -> bool {
        self.recall && self.use_options.unwrap_or(self.show_skills)
    }

    /// The same system, using what is known and learning nothing from its runs.
    #[must_use]
    pub fn frozen(self) -> Self {
        Self {
            use_rules: self.uses_rules(),
            distil_skills: false,
            distil_guardrails: false,
            learn_rules: false,
            ..self
        }
    }

    /// What the system is given to read, as results show it.
    #[must_use]
    pub fn aid_line(&self) -> Option<String> {
        let line = "wiki: with each goal the planner reads what the game's tables say of it";
        self.wiki.then(|| line.to_owned())
    }

    /// Whether the mind is asked why a step keeps failing.
    #[must_use]
    pub fn asks_cause(&self) -> bool {
        self.ask_cause.unwrap_or(true)
    }

    /// How often the rest may be planned anew: the limit of the run, or the rounds of the system if these are fewer.
    #[must_use]
    pub fn replans_max(&self, limit: u32) -> u32 {
        self.rounds.map_or(limit, |rounds| rounds.min(limit))
    }

    /// Whether rules are learned, or known ones used.
    #[must_use]
    pub fn uses_rules(&self) -> bool {
        self.learn_rules || self.use_rules
    }
}

/// What a system does not have is left out of its record, as in records from before it existed.
/// Old journals then read as the same profile.
fn is_off(part: &bool) -> bool {
    !part
}

/// How the next subgoal is chosen among those whose needs are met (DEPS).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Selector {
    /// In the order of the plan.
    First,
    /// By lot, from the world's seed.
    Random,
    /// The one whose words are most like what is seen and held (DEPS).
    Similarity,
    /// The one that is expected to be done soonest, by a predictor learnt from attempts (DEPS).
    Horizon,
}

impl Selector {
    pub const ALL: [Self; 4] = [Self::First, Self::Random, Self::Similarity, Self::Horizon];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Random => "random",
            Self::Similarity => "similarity",
            Self::Horizon => "horizon",
        }
    }
}

impl std::str::FromStr for Selector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL
            .into_iter()
            .find(|known| known.name() == text.trim());
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("'{text}' is no selector; there are {names}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::samples;

    fn points(profile: &Profile) -> [bool; 3] {
        let kind = EntryKind::Guardrail;
        [
            profile.shows(kind),
            profile.refuses_by(kind),
            profile.blocks_by(kind),
        ]
    }

    #[test]
    fn a_record_from_before_the_switches_means_all_three_points_and_is_written_as_it_was() {
        let profile = samples::config().profile;
        let text = serde_json::to_string(&profile).unwrap();
        for name in [
            "guardrails_",
            "recall_experience",
            "use_options",
            "use_rules",
        ] {
            assert!(!text.contains(name), "{text}");
        }
        let on: Profile = serde_json::from_str(&text).unwrap();
        assert_eq!((points(&on), on.recalls_experience()), ([true; 3], true));
        let off = text.replace("\"show_guardrails\":true", "\"show_guardrails\":false");
        let off = off.replace("\"recall\":true", "\"recall\":false");
        let off: Profile = serde_json::from_str(&off).unwrap();
        assert_eq!(
            (points(&off), off.recalls_experience()),
            ([false; 3], false)
        );
    }

    #[test]
    fn each_switch_turns_one_point() {
        let of = |show, refuse, block| {
            points(&Profile {
                show_guardrails: show,
                guardrails_refuse: refuse,
                guardrails_block: block,
                ..samples::config().profile
            })
        };
        let all = Some(true);
        assert_eq!(of(false, all, all), [false, true, true]);
        assert_eq!(of(true, Some(false), None), [true, false, true]);
        assert_eq!(of(true, None, Some(false)), [true, true, false]);
    }

    #[test]
    fn a_frozen_system_learns_nothing_and_still_uses_all_that_it_did() {
        let profile = Profile {
            learn_rules: true,
            show_guardrails: false,
            ..samples::config().profile
        };
        let frozen = profile.clone().frozen();
        assert!(!frozen.distil_skills && !frozen.distil_guardrails && !frozen.learn_rules);
        for kind in EntryKind::ALL {
            assert_eq!(frozen.shows(kind), profile.shows(kind), "{kind:?}");
            assert_eq!(
                frozen.refuses_by(kind),
                profile.refuses_by(kind),
                "{kind:?}"
            );
        }
    }
}
