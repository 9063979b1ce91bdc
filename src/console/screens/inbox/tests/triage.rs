//! Triage on the lists: assigning, snoozing, commenting what is marked; views under a name.

use super::{console, entry};
use crate::cache::Loaded;
use crate::effect::{Effect, InboxAction};
use crate::saved_views::KeptView;
use crate::screen::Screen;
use crate::screens::inbox::carry_out::carry_out;
use crate::testing::Console;
use crate::triage::TriageOrder;
use crate::widgets::table::ListItem;
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::run::triage::{TriageAct, TriageSubject, Triages};
use pithead_core::domain::samples;
use pithead_engine::journal::{Durability, Journal};
use pithead_engine::runtime::operator::Operator;
use pithead_world::clock::{Clock, Millis};
use pithead_world::ids::{DecisionId, RunId};

const NOW: Millis = Millis(17_000);

fn entry_subject(n: u64) -> TriageSubject {
    TriageSubject::Entry(entry(n, Status::Proposed, "x").id)
}

fn question() -> TriageSubject {
    TriageSubject::Question {
        run: RunId(7),
        decision: DecisionId(4),
    }
}

fn take(console: &mut Console, acts: &[(TriageSubject, TriageAct)]) {
    let mut triages = Triages::new();
    for (subject, act) in acts {
        let triage = triages.entry(*subject).or_default();
        triage.apply(act, "bea", Millis(16_000));
    }
    console.cache.apply(Loaded::Triages(triages));
    console.shell.settle(&console.cache);
}

#[test]
fn what_is_selected_is_assigned_snoozed_and_commented() {
    let mut console = console(120, 24);
    let effect = |subject, order| {
        let subjects = vec![subject];
        Some(Effect::Inbox(InboxAction::Triage { subjects, order }))
    };
    let to = TriageOrder::Assign(Some("ada".to_owned()));
    assert_eq!(console.press("Gwada⏎"), effect(question(), to));
    let until = TriageOrder::Snooze(Some(1_800));
    assert_eq!(console.press("Z30m⏎"), effect(question(), until));
    let said = TriageOrder::Comment("ask bea first".to_owned());
    assert_eq!(console.press("nask bea first⏎"), effect(question(), said));
    assert_eq!(console.press("Zlater⏎"), None);
    assert!(
        console.said().contains("30m, 2h or 1d"),
        "{}",
        console.said()
    );
    assert_eq!(
        console.press("⎋Z⏎"),
        effect(question(), TriageOrder::Snooze(None))
    );
    assert_eq!(console.press("n ⏎"), None);
    assert!(console.shell.overlay().is_some(), "nothing was kept");
}

#[test]
fn all_that_is_marked_is_triaged_together() {
    let mut console = console(120, 24);
    let Some(Effect::Inbox(InboxAction::Triage { subjects, .. })) = console.press("ggmjmwada⏎")
    else {
        panic!("it is triaged")
    };
    assert_eq!(subjects.len(), 2);
}

#[test]
fn what_is_snoozed_stands_last_until_its_time_and_says_who_looks_into_it() {
    let mut console = console(120, 30);
    let first = |console: &Console| console.cache.table(Screen::Inbox).unwrap().rows[0].item;
    let ListItem::Entry(oldest) = first(&console) else {
        panic!("an entry waits longest")
    };
    let subject = TriageSubject::Entry(oldest);
    let acts = [
        (subject, TriageAct::Assign(Some("ada".to_owned()))),
        (subject, TriageAct::Snooze(Some(NOW.plus(60_000)))),
        (
            subject,
            TriageAct::Comment("it \u{1b}[31mis gravel".to_owned()),
        ),
    ];
    take(&mut console, &acts);
    assert_ne!(first(&console), ListItem::Entry(oldest));
    console.press("G");
    let text = console.screen();
    assert!(text.contains("@ada · back in 60 s · 1 comment"), "{text}");
    assert!(
        text.contains("assigned to") && text.contains("is gravel"),
        "{text}"
    );
    console.assert_clean();
    // Its time has come.
    console.cache.tell_time(NOW.plus(60_000));
    console.shell.settle(&console.cache);
    assert_eq!(first(&console), ListItem::Entry(oldest));
    let text = console
        .press("gg")
        .map_or_else(|| console.screen(), |_| String::new());
    assert!(text.contains("@ada · 1 comment"), "{text}");
}

#[test]
fn rows_that_wait_for_nobody_are_not_triaged() {
    let mut console = console(120, 24);
    console.press("5");
    assert_eq!(console.press("w"), None);
    let said = console.said().to_owned();
    assert!(said.contains("only questions, entries and runs"), "{said}");
}

#[test]
fn triage_is_in_the_journal_before_it_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let run = {
        let mut journal = Journal::open(&path, Durability::Full).unwrap();
        journal.create_run(samples::config(), Millis(1)).unwrap()
    };
    let operator = Operator::new(&path, "ada", Clock::System);
    let act = |subjects, order| carry_out(InboxAction::Triage { subjects, order }, &operator, None);
    let own = TriageSubject::Run(run);
    let to = TriageOrder::Assign(Some("bea".to_owned()));
    assert_eq!(act(vec![own], to), Ok("run 1: assigned to bea".to_owned()));
    let triages = Journal::look(&path).unwrap().triages().unwrap();
    assert_eq!(triages[&own].assigned.as_deref(), Some("bea"));
    // What is not there is named, and what is there is kept.
    let fault = act(vec![entry_subject(9), own], TriageOrder::Assign(None)).unwrap_err();
    assert!(fault.contains("is not in the database"), "{fault}");
    let triages = Journal::look(&path).unwrap().triages().unwrap();
    assert_eq!(triages[&own].assigned, None);
}

#[test]
fn a_view_is_saved_under_a_name_and_looked_at_again() {
    let mut console = console(120, 24);
    assert_eq!(console.press("'"), None);
    assert!(
        console.said().contains("no view of this list"),
        "{}",
        console.said()
    );
    console.press("/furnace⏎");
    let Some(Effect::KeepView(KeptView { list, name, view })) = console.press("\"my furnaces⏎")
    else {
        panic!("it is kept")
    };
    assert_eq!((list.as_str(), name.as_str()), ("Inbox", "my furnaces"));
    assert_eq!(view.unwrap().filter, "furnace");
    console.press("⎋");
    let rows = |console: &Console| console.shell.list().unwrap().order.len();
    assert_eq!(rows(&console), 4);
    console.press("'");
    assert!(
        console.screen().contains("my furnaces  /furnace"),
        "{}",
        console.screen()
    );
    console.press("⏎");
    assert_eq!(rows(&console), 1);
    let removed = console.press("'x");
    assert!(matches!(removed, Some(Effect::KeepView(kept)) if kept.view.is_none()));
    assert!(console.shell.views["Inbox"].is_empty());
}
