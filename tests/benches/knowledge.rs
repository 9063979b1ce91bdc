//! The knowledge base: a guardrail tested on 100,000 recorded attempts, narrow and wide.

use crate::common;
use divan::Bencher;
use divan::counter::ItemsCount;
use pithead_core::domain::experience::Experience;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::knowledge::{Guardrail, Pattern};
use pithead_core::domain::plan::TaskKind;
use pithead_core::domain::run::event::Event;
use pithead_engine::journal::{Durability, Journal};
use pithead_engine::runtime;
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, ExperienceId, RunId};
use std::sync::OnceLock;

const ATTEMPTS: u64 = 100_000;
const BATCH: u64 = 500;

/// A journal with so many attempts, made of those of a real run. It lies on the disk; the page cache
/// holds it, as it would after the run that made it.
fn place() -> &'static (tempfile::TempDir, std::path::PathBuf) {
    static PLACE: OnceLock<(tempfile::TempDir, std::path::PathBuf)> = OnceLock::new();
    PLACE.get_or_init(|| {
        let folder = common::folder();
        let path = folder.path().join("pithead.db");
        let mut journal = Journal::open(&path, Durability::Normal).expect("a journal is made");
        let run = journal
            .create_run(common::run_config(common::DIAMOND, 7), Millis(1))
            .expect("it takes a run");
        let known = experiences();
        for from in (0..ATTEMPTS).step_by(usize::try_from(BATCH).expect("it is small")) {
            let batch = (from..from + BATCH).map(|n| {
                let one = &known[usize::try_from(n).expect("it is small") % known.len()];
                ended(one, run, n + 1)
            });
            journal
                .append(run, Millis(2), batch.collect())
                .expect("there is room");
        }
        (folder, path)
    })
}

/// Every attempt of a real run, without the trace, which a backtest never reads.
fn experiences() -> Vec<Experience> {
    let facts = common::record(common::DIAMOND, 7).into_iter();
    facts
        .filter_map(|fact| match fact.event {
            Event::AttemptEnded { experience, .. } => Some(*experience),
            _ => None,
        })
        .map(|mut experience| {
            experience.diagnosis.trace.clear();
            experience
        })
        .collect()
}

fn ended(experience: &Experience, run: RunId, n: u64) -> Event {
    Event::AttemptEnded {
        attempt: AttemptId(n),
        experience: Box::new(Experience {
            id: ExperienceId { run, n },
            ..experience.clone()
        }),
    }
}

fn guardrail(trigger: &str, forbid: Pattern) -> Guardrail {
    Guardrail {
        trigger: trigger.parse().expect("it is a condition"),
        forbid,
        avoid: String::new(),
        recovery: Vec::new(),
        reason: FailureReason::ToolMissing,
    }
}

fn held_against_all(bencher: Bencher, rail: &Guardrail) {
    let (_, path) = place();
    let journal = Journal::look(path).expect("it is there");
    bencher
        .counter(ItemsCount::new(ATTEMPTS))
        .bench_local(|| runtime::backtest(&journal, rail).expect("it can be read"));
}

/// A kind and a target: most attempts are passed over unread.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn backtest_narrow(bencher: Bencher) {
    let forbid = Pattern {
        kind: Some(TaskKind::Mine),
        target: Some("iron_ore".parse().expect("it is an item")),
        ..Pattern::default()
    };
    held_against_all(bencher, &guardrail("not tool pickaxe >= stone", forbid));
}

/// A trigger alone: every attempt is read in full.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn backtest_wide(bencher: Bencher) {
    let trigger = "inv stick < 2 and not near crafting_table 4 or underground and y <= 20";
    held_against_all(bencher, &guardrail(trigger, Pattern::default()));
}
