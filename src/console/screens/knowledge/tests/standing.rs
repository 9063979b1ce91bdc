//! Why an entry does not act, on its page.

use super::{console, entry};
use crate::cache::Loaded;
use crate::overlay::PageSubject;
use crate::screens::knowledge::standing::standing;
use crate::testing::Console;
use pithead_core::domain::knowledge::{Entry, Status};
use pithead_core::domain::run::budget::Limits;
use pithead_world::clock::Millis;
use pithead_world::ids::KnowledgeId;

const NOW: Millis = Millis(17_000);

fn base(console: &Console) -> Vec<Entry> {
    let entries = console.cache.entries.iter();
    entries.map(|known| (**known).clone()).collect()
}

/// The page of an entry, as the loader tells of it.
fn page(console: &mut Console, id: KnowledgeId) -> String {
    let base = base(console);
    let known = base.iter().find(|known| known.id == id).unwrap();
    let reasons = standing(known, &base, NOW);
    console.cache.apply(Loaded::Standing(id, reasons));
    console.shell.close_overlays();
    console.shell.open_page(PageSubject::Entry(id));
    console.screen()
}

#[test]
fn the_page_of_an_entry_says_why_it_does_not_act() {
    let mut console = console(100, 40);
    let [active, waits, vetoed] = [
        entry(1, Status::Active, "").id,
        entry(2, Status::Proposed, "").id,
        entry(3, Status::Active, "").id,
    ];
    let text = page(&mut console, vetoed);
    assert!(
        text.contains("does not act  it was vetoed by operator ann: nonsense"),
        "{text}"
    );
    let text = page(&mut console, waits);
    assert!(
        text.contains("does not act  it waits for approval"),
        "{text}"
    );
    let text = page(&mut console, active);
    assert!(!text.contains("does not act"), "{text}");
}

#[test]
fn an_active_entry_that_is_given_to_no_run_is_told_so() {
    let bound = Limits::default().shown_max;
    let all = 0..u64::try_from(bound).unwrap() + 3;
    let base: Vec<Entry> = all.map(|n| entry(n, Status::Active, "own")).collect();
    let told = base.iter().flat_map(|entry| standing(entry, &base, NOW));
    let codes: Vec<&str> = told.map(|reason| reason.code).collect();
    assert_eq!(codes, ["over-bound"; 3]);
    assert_eq!(standing(&base[0], &base[..1], NOW), []);
}
