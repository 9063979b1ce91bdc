//! The queue of pairs, and what stands on an entry's page beside what it says.

use crate::screens::knowledge::queue::{PairKind, QueuedPair};
use crate::screens::knowledge::record::{Deeds, Record};
use crate::screens::knowledge::state::{EntryAction, EntryRequest};
use crate::screens::knowledge::study_result::StudyResult;
use crate::screens::knowledge::tests::*;
use pithead_core::domain::knowledge::Entry;
use pithead_core::knowledge::graph::relations;
use pithead_core::knowledge::queue::EntryPair;

/// The queue holds an active entry and one that waits.
fn queue(width: u16, height: u16) -> Console {
    let mut console = console(width, height);
    let pair = EntryPair {
        one: entry(1, Status::Active, "").id,
        other: entry(2, Status::Proposed, "").id,
        because: "the first forbids all that the second does".to_owned(),
    };
    let pairs = vec![QueuedPair {
        kind: PairKind::Duplicate,
        pair,
    }];
    console.cache.apply(Loaded::Queue(pairs, Vec::new()));
    console.shell.settle(&console.cache);
    console.press("Q");
    console
}

#[test]
fn two_stand_side_by_side_below_the_queue() {
    insta::assert_snapshot!("queue_120x36", queue(120, 36).screen());
}

#[test]
fn two_stand_below_each_other_where_it_is_narrow() {
    let mut console = queue(60, 60);
    console.press("⏎");
    let screen = console.screen();
    for words in [
        "◂ k3.1",
        "▸ k42.2",
        "From the first to the second",
        "- reason: NAV_STUCK",
    ] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
}

#[test]
fn a_pair_is_merged_kept_or_one_of_it_retired_with_a_reason() {
    let [one, other] =
        [(1, Status::Active), (2, Status::Proposed)].map(|(n, s)| entry(n, s, "").id);
    let mut console = queue(120, 36);
    let act = curated(console.press("⏎>⏎"));
    assert_eq!(
        (act.id, act.what, act.reason.as_str()),
        (one, EntryAction::MergeInto(other), "merged")
    );
    console.press("⏎<");
    let screen = console.screen();
    assert!(screen.contains("Merge into k3.1: k42.2 · mine"), "{screen}");
    let act = curated(console.press("the first is older⏎"));
    assert_eq!((act.id, act.what), (other, EntryAction::MergeInto(one)));
    assert_eq!(act.reason, "the first is older");
    console.press("⏎=⏎");
    assert!(
        console.said().contains("needs a reason"),
        "{}",
        console.said()
    );
    console.press("⎋");
    assert!(console.screen().contains("≠"), "{}", console.screen());
    let act = curated(console.press("=other ores⏎"));
    assert_eq!((act.id, act.what), (one, EntryAction::KeepBeside(other)));
    let act = curated(console.press("⏎Xno⏎"));
    assert_eq!((act.id, act.what), (other, EntryAction::Retire));
}

#[test]
fn a_pair_that_is_gone_says_so() {
    let mut console = queue(120, 36);
    console.press("⏎");
    let mut entries = console.cache.entries.clone();
    entries.pop();
    console.cache.apply(Loaded::Base {
        runs: Vec::new(),
        entries,
        decisions: Decisions::default(),
        rules: Ok(Gates::default()),
    });
    assert!(console.screen().contains("no longer in the database"));
    console.press("x");
    assert!(
        console.said().contains("no longer in the database"),
        "{}",
        console.said()
    );
}

#[test]
fn the_page_of_an_entry_has_its_record_its_relations_and_what_was_looked_into() {
    let mut console = console(100, 70);
    let id = entry(1, Status::Active, "").id;
    let base: Vec<Entry> = console
        .cache
        .entries
        .iter()
        .map(|e| (**e).clone())
        .collect();
    let known = base.iter().find(|known| known.id == id).unwrap();
    console
        .cache
        .apply(Loaded::Relations(id, relations(known, &base)));
    let deeds = |helped, hurt, blocked| Deeds {
        helped,
        hurt,
        blocked,
    };
    let record = Record([(RunId(4), deeds(2, 0, 1)), (RunId(7), deeds(0, 1, 0))].into());
    console.cache.apply(Loaded::Records([(id, record)].into()));
    console.shell.settle(&console.cache);
    assert!(console.screen().contains("▲▼"), "{}", console.screen());
    console.press("⏎Tf");
    let of = |version, found| state::Study::Over { version, found };
    let observed = Ok(StudyResult::Lines(vec!["observed, not a trial".to_owned()]));
    let studies = &mut console.shell.knowledge.studies;
    studies.insert((id, state::StudyKind::Effect), of(4, observed));
    let fault = Err("no world".to_owned());
    studies.insert((id, state::StudyKind::Trial), of(3, fault));
    insta::assert_snapshot!("entry_100x70", console.screen());
}

#[test]
fn what_was_kept_is_kept_in_the_database_and_waits_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let (path, one) = database(folder.path());
    let mut journal = Journal::open(&path, Durability::Full).unwrap();
    let mut twin = samples::entry(0, 2, "stone");
    twin.status = Status::Active;
    let other = twin.id;
    let proposed = Event::KnowledgeProposed {
        entry: Box::new(twin),
    };
    let made = journal.curate(Millis(2), |_| Ok(vec![proposed.clone()]));
    made.unwrap().unwrap();
    let pairs = || {
        let base = Journal::look(&path)
            .unwrap()
            .knowledge(EntryFilter::default());
        queue::queue(&base.unwrap())
    };
    assert_eq!(pairs().len(), 1);
    let ann = Operator::new(&path, "ann", Clock::System);
    let told = |id, what| {
        let reason = "so".to_owned();
        carry_out(
            &EntryRequest {
                id,
                also: Vec::new(),
                what,
                reason,
            },
            &ann,
        )
    };
    assert_eq!(
        told(one, EntryAction::KeepBeside(other)),
        Ok(format!("{one} is active (version 1)"))
    );
    assert_eq!(pairs(), []);
    let decided = inbox::decisions::DecisionReader::default()
        .read(&journal, &[])
        .unwrap();
    assert_eq!(decided.past[0].word, inbox::decisions::KEPT);
    let because = inbox::undo::undo_of(&decided.past[0], None).unwrap_err();
    assert!(
        because.contains("no longer in the database") || because.contains("beside"),
        "{because}"
    );
    assert_eq!(
        told(other, EntryAction::MergeInto(one)),
        Ok(format!("{other} is superseded (version 2)"))
    );
}
