//! Systems: the profiles that can be run by name, embedded from prompts/<system>/system.toml.
//!
//! A profile is data; there is one loop, not one per system. `folder` reads systems of one's own.

pub mod folder;

use crate::domain::run::profile::Profile;
use crate::text::nearest::nearest_names;
use pithead_world::naming::UnknownName;

/// The system that is run unless another is named.
pub const DEFAULT: &str = "steve-evolving";

/// Every system by name, the default first.
const PROFILES: [(&str, &str); 28] = [
    (
        DEFAULT,
        include_str!("../../../prompts/steve-evolving/system.toml"),
    ),
    (
        "no-skills",
        include_str!("../../../prompts/no-skills/system.toml"),
    ),
    (
        "no-options",
        include_str!("../../../prompts/no-options/system.toml"),
    ),
    (
        "no-guardrails",
        include_str!("../../../prompts/no-guardrails/system.toml"),
    ),
    (
        "no-visibility",
        include_str!("../../../prompts/no-visibility/system.toml"),
    ),
    (
        "no-recall",
        include_str!("../../../prompts/no-recall/system.toml"),
    ),
    (
        "no-guardrails-shown",
        include_str!("../../../prompts/no-guardrails-shown/system.toml"),
    ),
    (
        "no-guardrails-refusing",
        include_str!("../../../prompts/no-guardrails-refusing/system.toml"),
    ),
    (
        "no-guardrails-blocking",
        include_str!("../../../prompts/no-guardrails-blocking/system.toml"),
    ),
    (
        "no-knowledge-use",
        include_str!("../../../prompts/no-knowledge-use/system.toml"),
    ),
    (
        "planning-only",
        include_str!("../../../prompts/planning-only/system.toml"),
    ),
    ("gitm", include_str!("../../../prompts/gitm/system.toml")),
    (
        "gitm-decomposition",
        include_str!("../../../prompts/gitm-decomposition/system.toml"),
    ),
    (
        "gitm-feedback",
        include_str!("../../../prompts/gitm-feedback/system.toml"),
    ),
    (
        "gitm-knowledge",
        include_str!("../../../prompts/gitm-knowledge/system.toml"),
    ),
    ("deps", include_str!("../../../prompts/deps/system.toml")),
    ("dep", include_str!("../../../prompts/dep/system.toml")),
    (
        "jarvis-1",
        include_str!("../../../prompts/jarvis-1/system.toml"),
    ),
    (
        "zero-shot",
        include_str!("../../../prompts/zero-shot/system.toml"),
    ),
    (
        "chain-of-thought",
        include_str!("../../../prompts/chain-of-thought/system.toml"),
    ),
    (
        "progprompt",
        include_str!("../../../prompts/progprompt/system.toml"),
    ),
    (
        "inner-monologue",
        include_str!("../../../prompts/inner-monologue/system.toml"),
    ),
    (
        "code-as-policies",
        include_str!("../../../prompts/code-as-policies/system.toml"),
    ),
    (
        "gpt-replanning",
        include_str!("../../../prompts/gpt-replanning/system.toml"),
    ),
    (
        "metagent-p-base",
        include_str!("../../../prompts/metagent-p-base/system.toml"),
    ),
    (
        "metagent-p-memory",
        include_str!("../../../prompts/metagent-p-memory/system.toml"),
    ),
    (
        "metagent-p-verifier",
        include_str!("../../../prompts/metagent-p-verifier/system.toml"),
    ),
    (
        "metagent-p",
        include_str!("../../../prompts/metagent-p/system.toml"),
    ),
];

/// All systems, the default first.
pub fn all() -> impl Iterator<Item = Profile> {
    PROFILES.iter().map(|(_, text)| parse_profile(text))
}

/// The system of that name, or the names that may have been meant.
pub fn named(name: &str) -> Result<Profile, UnknownName> {
    embedded_text(name)
        .map(parse_profile)
        .ok_or_else(|| UnknownName {
            what: "system",
            given: name.to_owned(),
            nearest: match nearest_names(name, PROFILES.iter().map(|(known, _)| *known)) {
                // There are few enough to name them all.
                none if none.is_empty() => PROFILES.iter().map(|(known, _)| *known).collect(),
                close => close,
            },
        })
}

fn embedded_text(name: &str) -> Option<&'static str> {
    let found = PROFILES.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text)
}

fn parse_profile(text: &str) -> Profile {
    toml::from_str(text).expect("the embedded profiles are read by a test")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_is_read_and_named_as_it_is_listed() {
        let names: Vec<String> = all().map(|profile| profile.name).collect();
        assert_eq!(names, PROFILES.map(|(name, _)| name));
    }

    #[test]
    fn an_unknown_system_is_answered_with_the_nearest() {
        let text = named("no-skils").unwrap_err().to_string();
        assert_eq!(text, "unknown system 'no-skils'; did you mean no-skills?");
        assert!(
            named("zzz")
                .unwrap_err()
                .to_string()
                .contains("steve-evolving, no-skills")
        );
    }
}
