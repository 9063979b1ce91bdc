//! Several entries changed together, usual reasons, and entries whose label was overruled.

use super::{console, curated};
use crate::cache::Loaded;
use crate::screens::knowledge::state::EntryAction;
use crate::testing::entry;
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::knowledge::Status;
use pithead_engine::journal::{Doubt, Overruled};
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, RunId};

#[test]
fn what_is_marked_is_changed_together_and_what_cannot_be_is_named() {
    let [one, waits, buried] = [
        (1, Status::Active),
        (2, Status::Proposed),
        (3, Status::Vetoed),
    ]
    .map(|(n, status)| entry(n, status, "").id);
    let mut console = console(100, 36);
    console.press("Mx");
    let said = console.said();
    assert!(
        said.contains(&format!("{buried}")) && said.contains("m takes its mark off"),
        "{said}"
    );
    assert_eq!(console.press("a"), None);
    assert!(
        console.said().contains("only proposed entries"),
        "{}",
        console.said()
    );
    // The tombstone stands last.
    console.press("Gmx");
    let screen = console.screen();
    assert!(screen.contains("Retire 2 entries?"), "{screen}");
    let act = curated(console.press("both are wrong⏎"));
    let mut ids = [vec![act.id], act.also].concat();
    ids.sort();
    let mut wanted = vec![one, waits];
    wanted.sort();
    assert_eq!((ids, act.what), (wanted, EntryAction::Retire));
    assert_eq!(act.reason, "both are wrong");
}

#[test]
fn a_usual_reason_is_replaced_by_what_is_typed() {
    let mut console = console(100, 40);
    console.press("G⏎GR");
    let screen = console.screen();
    assert!(
        screen.contains("restored (type another reason)"),
        "{screen}"
    );
    let act = curated(console.press("it was right⏎"));
    assert_eq!(act.reason, "it was right");
}

#[test]
fn help_on_a_page_tells_the_keys_of_that_page_and_leads_back_to_it() {
    let mut console = console(100, 44);
    console.press("⏎?");
    let screen = console.screen();
    for words in ["An entry", "backtest", "Reading"] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
    console.press("?⎋");
    assert!(
        console.screen().contains("Where it stands"),
        "{}",
        console.screen()
    );
}

#[test]
fn an_entry_whose_label_was_overruled_says_that_it_has_to_be_reviewed() {
    let mut console = console(120, 36);
    let known = entry(1, Status::Active, "");
    let overruled = Overruled {
        run: RunId(3),
        attempt: AttemptId(7),
        was: FailureReason::NavStuck,
        label: FailureReason::ToolMissing,
        reason: "it held no pickaxe".to_owned(),
        by: "ada".to_owned(),
        at: Millis(50),
    };
    let doubt = Doubt {
        entry: known.id,
        title: known.title.clone(),
        status: known.status,
        overruled,
    };
    console.cache.apply(Loaded::Doubts(vec![doubt]));
    console.shell.settle(&console.cache);
    let screen = console.screen();
    assert!(screen.contains("active ? review"), "{screen}");
    console.press("⏎");
    let screen = console.screen();
    for words in ["attempt a7 of run 3", "ada overruled", "it held no"] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
    console.cache.apply(Loaded::Doubts(Vec::new()));
    assert!(!console.screen().contains("? review"));
}
