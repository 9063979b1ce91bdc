//! The arms of an evaluation: each system with each base and each choice of kinds, as typed.
//!
//! Invariant: an arm's name says all in which arms of one command can differ, and does not change when arms
//! are added, so that its folder is continued.

use super::Args;
use crate::cli::options::horizon_model;
use crate::cli::outcome::CommandError;
use crate::cli::rounds::Rounds;
use crate::config::{self, minds};
use pithead_core::domain::run::profile::{Profile, Selector};
use pithead_engine::eval::{Base, BaseError, BaseFile, BaseKinds, Setting};
use pithead_engine::runtime::Keep;
use pithead_world::clock::Clock;
use pithead_world::port::{StartPlace, WorldSpec};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The word for an empty base.
const NONE: &str = "none";

/// One system with one base.
#[derive(Debug)]
pub(super) struct EvalArm {
    pub(super) name: String,
    pub(super) setting: Setting,
    /// Where its results are kept.
    pub(super) folder: Option<PathBuf>,
    /// Of folders that hold something for each arm; empty if there is only one.
    pub(super) subfolder: PathBuf,
}

/// All arms, the one that the others are compared with first.
pub(super) fn arms_of(args: &Args) -> Result<Vec<EvalArm>, CommandError> {
    minds::parse_mind(&args.mind).map_err(CommandError::usage)?;
    let bases = bases(args)?;
    let mut arms = Vec::new();
    for (system, profile) in chosen_profiles(args)? {
        for base in &bases {
            let name = match base {
                Some(base) => format!("{system}+{}", base_name(base)),
                None => system.clone(),
            };
            arms.push((name, setting(args, profile.clone(), base.clone())?));
        }
    }
    let names: BTreeSet<&str> = arms.iter().map(|(name, _)| name.as_str()).collect();
    if names.len() < arms.len() {
        return Err(CommandError::usage(format!(
            "two arms have the same name; each system and each base may be named once, and bases need file names that differ ({})",
            names.into_iter().collect::<Vec<_>>().join(", ")
        )));
    }
    let is_only = arms.len() == 1;
    let arm = |(name, setting): (String, Setting)| {
        let subfolder = if is_only {
            PathBuf::new()
        } else {
            PathBuf::from(&name)
        };
        EvalArm {
            folder: args.out.as_ref().map(|out| out.join(&subfolder)),
            name,
            setting,
            subfolder,
        }
    };
    Ok(arms.into_iter().map(arm).collect())
}

/// Each system with each bound on its rounds and each selector, and what an arm calls it.
fn chosen_profiles(args: &Args) -> Result<Vec<(String, Profile)>, CommandError> {
    let mut chosen = Vec::new();
    for system in chosen_systems(args) {
        let profile = config::systems::named_system(system).map_err(CommandError::usage)?;
        for (name, profile) in by_rounds(args, system, profile) {
            chosen.extend(by_selector(args, &name, profile));
        }
    }
    Ok(chosen)
}

fn by_rounds(args: &Args, name: &str, profile: Profile) -> Vec<(String, Profile)> {
    if args.rounds.is_empty() {
        return vec![(name.to_owned(), profile)];
    }
    let arm = |rounds: &Rounds| {
        let profile = rounds.given_to(profile.clone());
        (format!("{name}+rounds-{rounds}"), profile)
    };
    args.rounds.iter().map(arm).collect()
}

fn by_selector(args: &Args, name: &str, profile: Profile) -> Vec<(String, Profile)> {
    if args.selectors.is_empty() {
        return vec![(name.to_owned(), profile)];
    }
    let arm = |selector: &Selector| {
        let profile = Profile {
            selector: *selector,
            ..profile.clone()
        };
        (format!("{name}+{}", selector.name()), profile)
    };
    args.selectors.iter().map(arm).collect()
}

fn chosen_systems(args: &Args) -> Vec<&str> {
    if args.systems.is_empty() {
        return vec![&args.system];
    }
    args.systems.iter().map(|name| name.trim()).collect()
}

/// The bases, none for an empty one.
fn bases(args: &Args) -> Result<Vec<Option<Base>>, CommandError> {
    if args.kb.is_empty() {
        return Ok(vec![None]);
    }
    let all = [BaseKinds::all()];
    let kinds: &[BaseKinds] = if args.kinds.is_empty() {
        &all
    } else {
        &args.kinds
    };
    let mut bases = Vec::new();
    for path in &args.kb {
        if path == Path::new(NONE) {
            bases.push(None);
            continue;
        }
        let file = BaseFile::read(path, args.anyway)?;
        for kinds in kinds {
            bases.push(Some(file.select(kinds)?));
        }
    }
    Ok(bases)
}

/// The name of its file, and of its kinds if it is not whole.
fn base_name(base: &Base) -> String {
    let path = Path::new(&base.label.file);
    let file = path.file_name().unwrap_or(path.as_os_str());
    let file = file.to_string_lossy();
    if base.label.kinds == BaseKinds::all().to_string() {
        file.into_owned()
    } else {
        format!("{file}+{}", base.label.kinds)
    }
}

/// The world, on a server with places apart if that was asked for.
fn world(args: &Args) -> Result<WorldSpec, CommandError> {
    let usual_player = format!("e{:x}", Clock::System.now().0);
    let (aids, feelings) = (args.body.aids(), &args.body.feelings);
    let mut world = args.world.spec(0, aids, feelings, &usual_player)?;
    if let Some(spread) = args.spread {
        let server = world.server.as_mut();
        let server =
            server.ok_or_else(|| CommandError::usage("--spread needs --world minecraft"))?;
        server.place = Some(StartPlace { number: 0, spread });
    }
    Ok(world)
}

fn setting(args: &Args, profile: Profile, base: Option<Base>) -> Result<Setting, CommandError> {
    Ok(Setting {
        suite: args.suite.suite(),
        mind: args.mind.clone(),
        profile,
        world: world(args)?,
        learn: args.learn,
        base,
        frozen: args.frozen,
        hold_out: args.hold_out,
        horizon_model: horizon_model(args.horizon_model.as_deref())?,
        strategy: None,
        budget: minds::budget_of_mind(&args.mind).map_err(CommandError::unavailable)?,
        keep: if args.journal_frames {
            Keep::Everything
        } else {
            Keep::Attempts
        },
    })
}

impl From<BaseError> for CommandError {
    fn from(error: BaseError) -> Self {
        match error {
            BaseError::Journal(error) => error.into(),
            BaseError::File { .. }
            | BaseError::Import(_)
            | BaseError::Lint { .. }
            | BaseError::Ids { .. }
            | BaseError::Empty { .. } => {
                Self::usage(pithead_core::text::clean::clean_lines(&error.to_string()).trim_end())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::options::parse_args;

    fn arms(more: &[&str]) -> Result<Vec<(String, Option<PathBuf>)>, String> {
        let words = ["eval", "--suite", "mcu70", "--seeds", "1", "--out", "out"];
        let args = parse_args::<Args>(words.iter().chain(more))?;
        let arms = arms_of(&args).map_err(|error| error.to_string())?;
        Ok(arms.into_iter().map(|arm| (arm.name, arm.folder)).collect())
    }

    #[test]
    fn a_single_system_keeps_its_results_in_the_folder_itself() {
        let one = arms(&["--system", "no-skills"]).unwrap();
        assert_eq!(one, [("no-skills".to_owned(), Some("out".into()))]);
        assert_eq!(arms(&["--kb", "none"]).unwrap()[0].1, Some("out".into()));
    }

    #[test]
    fn arms_are_systems_times_bases_times_kinds_in_folders_of_their_names() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("a.yaml");
        let mut entry = pithead_core::domain::samples::entry(1, 1, "stone");
        entry.status = pithead_core::domain::knowledge::Status::Active;
        let text = pithead_core::knowledge::exchange::own::write(&[entry]).unwrap();
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let kinds = ["--kinds", "all", "--kinds", "guardrail,whole-skill"];
        let systems = [
            "--systems",
            "no-skills,steve-evolving",
            "--kb",
            "none",
            "--kb",
            path,
        ];
        let all = arms(&[&systems[..], &kinds[..], &["--frozen"]].concat()).unwrap();
        let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            [
                "no-skills",
                "no-skills+a.yaml",
                "no-skills+a.yaml+whole_skill,guardrail",
                "steve-evolving",
                "steve-evolving+a.yaml",
                "steve-evolving+a.yaml+whole_skill,guardrail",
            ]
        );
        assert_eq!(all[1].1, Some("out/no-skills+a.yaml".into()));
        let empty = arms(&["--kb", path, "--kinds", "rule"]).unwrap_err();
        assert!(empty.contains("holds no active entry of rule"), "{empty}");
    }

    #[test]
    fn each_number_of_rounds_is_an_arm() {
        let all = arms(&["--system", "deps", "--rounds", "0,3,inf"]).unwrap();
        let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["deps+rounds-0", "deps+rounds-3", "deps+rounds-inf"]);
    }

    #[test]
    fn each_selector_is_an_arm() {
        let all = arms(&["--system", "deps", "--selectors", "first,horizon"]).unwrap();
        let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["deps+first", "deps+horizon"]);
        let error = arms(&["--selectors", "nearest"]).unwrap_err();
        assert!(error.contains("similarity"), "{error}");
        let error = arms(&["--horizon-model", "/no/such/file"]).unwrap_err();
        assert!(error.contains("/no/such/file"), "{error}");
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        for (words, because) in [
            (&["--systems", "no-skills,no-skills"][..], "same name"),
            (&["--systems", "no-skils"][..], "did you mean no-skills"),
            (
                &["--systems", "a", "--system", "b"][..],
                "cannot be used with",
            ),
            (&["--frozen", "--learn"][..], "cannot be used with"),
            (&["--kinds", "skill"][..], "--kb"),
            (&["--kb", "none", "--kinds", "skil"][..], "one_step_skill"),
            (&["--kb", "/no/such/file"][..], "could not read"),
        ] {
            let error = arms(words).unwrap_err();
            assert!(error.contains(because), "{words:?}: {error}");
        }
    }
}
