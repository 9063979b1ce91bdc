//! Bases of evaluations: read from databases and exports, part of a folder's identity, and frozen or learnt from.

use super::base::{Base, BaseError, BaseFile};
use super::base_kinds::BaseKinds;
use super::plan::Setting;
use super::registry::RegistryEntry;
use super::tests::{plan, played, setting};
use crate::journal::{Durability, EntryFilter, Journal};
use crate::suites::SuiteName;
use pithead_core::domain::condition::Condition;
use pithead_core::domain::experience::option::OptionRecord;
use pithead_core::domain::knowledge::{Body, Entry, Skill, Status};
use pithead_core::domain::run::event::Event;
use pithead_core::domain::samples;
use pithead_core::knowledge::exchange::own;
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, RunId, Seq};
use std::path::{Path, PathBuf};

/// A guardrail, a proposed one, and skills of one and of two steps; each of a run of its own.
fn entries() -> Vec<Entry> {
    let active = |run, target: &str| Entry {
        status: Status::Active,
        ..samples::entry(run, 1, target)
    };
    let skill = |run, steps: &[&str]| {
        let mut entry = active(run, "stone");
        entry.body = Body::Skill(Skill {
            goal: samples::item(steps[steps.len() - 1]),
            count: 1,
            requires: Condition::always(),
            steps: (1..)
                .zip(steps)
                .map(|(n, item)| samples::subgoal(n, item))
                .collect(),
            success: samples::subgoal(1, steps[steps.len() - 1]).checks,
            effects: [(samples::item(steps[steps.len() - 1]), 1)].into(),
            flows: Vec::new(),
        });
        entry.outcomes.last = Some(Millis(1_000));
        entry
    };
    vec![
        active(3, "iron_ore"),
        samples::entry(4, 1, "gold_ore"),
        skill(5, &["oak_log"]),
        skill(9, &["oak_log", "dirt"]),
    ]
}

fn database(folder: &Path) -> PathBuf {
    let path = folder.join("base.db");
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    let propose = |entry: Entry| Event::KnowledgeProposed {
        entry: Box::new(entry),
    };
    let events: Vec<Event> = entries().into_iter().map(propose).collect();
    journal
        .curate(Millis(1), |_| Ok(events.clone()))
        .unwrap()
        .unwrap();
    path
}

fn base(path: &Path, kinds: &str) -> Base {
    let kinds: BaseKinds = kinds.parse().unwrap();
    BaseFile::read(path, false).unwrap().select(&kinds).unwrap()
}

fn knowledge_events(folder: &Path) -> (usize, usize) {
    let journal = Journal::look(&folder.join("journal.db")).unwrap();
    let runs = journal.runs().unwrap();
    let events = runs.iter().flat_map(|row| {
        assert!(
            row.id > RunId(9),
            "run {} is one that the base names",
            row.id
        );
        journal.events(row.id, Seq(0), usize::MAX).unwrap()
    });
    let (mut learnt, mut retrieved) = (0, 0);
    for recorded in events {
        match recorded.event {
            Event::KnowledgeProposed { .. }
            | Event::KnowledgeMerged { .. }
            | Event::KnowledgeActivated { .. } => learnt += 1,
            Event::Recalled { knowledge, .. } => retrieved += knowledge.len(),
            _ => (),
        }
    }
    (learnt, retrieved)
}

#[test]
fn a_database_and_its_export_are_the_same_base_and_kinds_are_parts_of_it() {
    let home = tempfile::tempdir().unwrap();
    let path = database(home.path());
    let whole = base(&path, "all");
    let counts: Vec<(&str, u64)> = whole
        .label
        .entries
        .iter()
        .map(|(k, n)| (k.as_str(), *n))
        .collect();
    assert_eq!(
        counts,
        [("guardrail", 1), ("one_step_skill", 1), ("whole_skill", 1)]
    );
    let export = home.path().join("base.yaml");
    let journal = Journal::look(&path).unwrap();
    let all = journal.knowledge(EntryFilter::default()).unwrap();
    std::fs::write(&export, own::write(&all).unwrap()).unwrap();
    assert_eq!(base(&export, "all").label.digest, whole.label.digest);
    let part = base(&path, "guardrail,one-step-skill");
    assert_eq!(part.label.entries.values().sum::<u64>(), 2);
    assert_ne!(part.label.digest, whole.label.digest);
    let rules = BaseFile::read(&path, false)
        .unwrap()
        .select(&"rule".parse().unwrap());
    assert!(matches!(rules, Err(BaseError::Empty { .. })), "{rules:?}");
}

#[test]
fn what_is_no_base_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let file = |text: &str| {
        let path = home.path().join("x.yaml");
        std::fs::write(&path, text).unwrap();
        BaseFile::read(&path, false).unwrap_err().to_string()
    };
    assert!(file("a: b").contains("is no file of ours; --kb takes a Pithead database"));
    let missing = BaseFile::read(&home.path().join("no.db"), false).unwrap_err();
    assert!(missing.to_string().contains("could not read"), "{missing}");
    let twice = [entries()[0].clone(), entries()[0].clone()];
    assert!(file(&own::write(&twice).unwrap()).contains("two of its entries have the id k3.1"));
    let mut far = entries()[0].clone();
    far.id.run = RunId(u64::MAX);
    assert!(file(&own::write(&[far]).unwrap()).contains("names run"));
}

#[test]
fn frozen_episodes_are_given_the_base_and_learn_nothing() {
    let home = tempfile::tempdir().unwrap();
    let base = base(&database(home.path()), "all");
    let plan = plan(SuiteName::Mcu70, "mcu70/wooden/0[18]", "1");
    let frozen = Setting {
        base: Some(base),
        frozen: true,
        ..setting(SuiteName::Mcu70)
    };
    let learns = Setting {
        frozen: false,
        ..frozen.clone()
    };
    let (still, learnt) = (home.path().join("frozen"), home.path().join("learns"));
    assert_eq!(played(&frozen, &plan, Some(&still), 99).len(), 2);
    assert_eq!(knowledge_events(&still), (0, 6));
    assert_eq!(played(&learns, &plan, Some(&learnt), 99).len(), 2);
    let (count, retrieved) = knowledge_events(&learnt);
    assert!(count > 0 && retrieved == 6, "{count} {retrieved}");
}

#[test]
fn shared_knowledge_begins_with_the_base_and_survives_an_interruption() {
    let home = tempfile::tempdir().unwrap();
    let setting = Setting {
        base: Some(base(&database(home.path()), "all")),
        learn: true,
        ..setting(SuiteName::Mcu70)
    };
    let plan = plan(SuiteName::Mcu70, "mcu70/wooden/0[14]", "1..2");
    let whole = played(&setting, &plan, None, 99);
    let out = home.path().join("out");
    played(&setting, &plan, Some(&out), 2);
    let rest = played(&setting, &plan, Some(&out), 99);
    let ticks = |episodes: &[super::Episode]| -> Vec<u64> {
        episodes.iter().map(|episode| episode.ticks).collect()
    };
    assert_eq!(ticks(&rest), ticks(&whole));
    let (learnt, retrieved) = knowledge_events(&out);
    assert!(learnt > 0 && retrieved > 12, "{learnt} {retrieved}");
}

#[test]
fn a_folder_continues_only_with_the_same_base() {
    let home = tempfile::tempdir().unwrap();
    let path = database(home.path());
    let plan = plan(SuiteName::Mcu70, "mcu70/wooden/09", "1");
    let with = |kinds: &str, frozen| Setting {
        base: Some(base(&path, kinds)),
        frozen,
        ..setting(SuiteName::Mcu70)
    };
    let out = home.path().join("out");
    played(&with("guardrail", true), &plan, Some(&out), 99);
    let refusal = |setting: &Setting| {
        super::results::ResultsFile::open(&out, setting)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    assert_eq!(refusal(&with("guardrail", true)), Ok(()));
    let other = refusal(&with("all", true)).unwrap_err();
    assert!(other.contains("its knowledge base is"), "{other}");
    let learning = refusal(&with("guardrail", false)).unwrap_err();
    assert!(
        learning.contains("its frozen is true, not false"),
        "{learning}"
    );
    let none = refusal(&setting(SuiteName::Mcu70)).unwrap_err();
    assert!(none.contains("not none"), "{none}");
}

/// Entries of the registry from before there were bases are read, and those with one are written back as they were.
#[test]
fn the_registry_keeps_the_base() {
    let old = r#"{"schema":1,"kind":"suite","folder":"/a","cwd":"/","command":[],"suite":"mcu70","tasks":null,
        "seeds":"1","mind":"builtin:expert","systems":["steve-evolving"],"controller":"scripted","learn":false,
        "passes":1,"began":1,"found":0}"#;
    let mut entry: RegistryEntry = serde_json::from_str(old).unwrap();
    assert!(entry.base.is_none() && !entry.frozen);
    let home = tempfile::tempdir().unwrap();
    entry.base = Some(base(&database(home.path()), "skill").label);
    let text = serde_json::to_string(&entry).unwrap();
    assert_eq!(serde_json::from_str::<RegistryEntry>(&text).unwrap(), entry);
}

/// The records of options that the runs in this folder were told of, run by run.
fn options_told(folder: &Path) -> Vec<Vec<OptionRecord>> {
    let journal = Journal::look(&folder.join("journal.db")).unwrap();
    let runs = journal.runs().unwrap();
    let told = runs.iter().filter_map(|row| {
        let events = journal.events(row.id, Seq(0), usize::MAX).unwrap();
        events.into_iter().find_map(|fact| match fact.event {
            Event::Recalled { options, .. } => Some(options.iter().cloned().collect()),
            _ => None,
        })
    });
    told.collect()
}

#[test]
fn options_of_a_base_act_in_every_episode_with_the_same_weight() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("life.db");
    let mut journal = Journal::open(&path, Durability::Normal).unwrap();
    let run = journal.create_run(samples::config(), Millis(1)).unwrap();
    for n in 1..=4 {
        let ended = Event::AttemptEnded {
            attempt: AttemptId(n),
            experience: Box::new(samples::experience(run.0, n, "oak_log", n > 1)),
        };
        journal.append(run, Millis(2), vec![ended]).unwrap();
    }
    let all = base(&path, "all");
    assert_eq!(all.label.entries["option"], 1);
    let export = home.path().join("life.yaml");
    let options = journal.options_by_origin(run).unwrap();
    std::fs::write(&export, own::write_base(&[], &options).unwrap()).unwrap();
    assert_eq!(base(&export, "option").label.digest, all.label.digest);
    let skills = BaseFile::read(&path, false)
        .unwrap()
        .select(&"skill".parse().unwrap());
    assert!(matches!(skills, Err(BaseError::Empty { .. })));
    // Eras are 64 runs long: the episodes lie in several.
    let plan = plan(SuiteName::Mcu70, "mcu70/wooden/09", "1..66");
    let with = Setting {
        base: Some(all),
        frozen: true,
        ..setting(SuiteName::Mcu70)
    };
    let out = home.path().join("out");
    assert_eq!(played(&with, &plan, Some(&out), 99).len(), 66);
    let told = options_told(&out);
    assert_eq!(told[0], options[0].records);
    assert_eq!(told[65], told[0]);
}
