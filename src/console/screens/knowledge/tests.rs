//! Curating: what is refused and asked before an entry changes, and that no text is lost.

mod cards;
mod marked;
mod pairs;
mod standing;
use crate::cache::Loaded;
use crate::effect::Effect;
use crate::overlay::{Overlay, PageSubject};
use crate::screens::inbox;
use crate::screens::inbox::decisions::{AskedQuestion, Decisions};
use crate::screens::knowledge::carry_out::carry_out;
use crate::screens::knowledge::state::{EntryAction, EntryRequest};
use crate::screens::knowledge::*;
use crate::testing::{Console, entry};
use pithead_core::domain::knowledge::{Author, Body, ChangeNote, Entry, Status};
use pithead_core::domain::run::decision::{GateKind, Gates, Policy, Question, Subject, Verdict};
use pithead_core::domain::run::event::Event;
use pithead_core::domain::samples;
use pithead_core::text::clean::is_clean;
use pithead_engine::journal::{Durability, EntryFilter, Journal};
use pithead_engine::runtime::operator::Operator;
use pithead_world::clock::{Clock, Millis};
use pithead_world::ids::{DecisionId, KnowledgeId, RunId};
use ratatui::crossterm::event::{Event as Term, KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use std::path::Path;
use std::sync::Arc;

/// An active entry that was changed twice, one that waits at the gate of its run, and a tombstone.
fn console(width: u16, height: u16) -> Console {
    let ann = Author::Operator("ann".to_owned());
    let said = |reason| ChangeNote {
        at: Millis(9),
        by: &ann,
        reason,
    };
    let mut changed = entry(1, Status::Active, "craft furnace: first have 8 cobblestone");
    let mut body = changed.body.clone();
    if let Body::Guardrail(rail) = &mut body {
        rail.avoid = "it stands there without stone".to_owned();
    }
    changed.rewrite(body, said("say it shorter"));
    changed.become_status(Status::Retired, said("no longer true"), None);
    changed.become_status(Status::Active, said("it is true after all"), None);
    let mut waits = entry(2, Status::Proposed, "mine: first try 8 blocks away");
    waits.body = samples::entry(42, 2, "iron_ore").body;
    let mut buried = entry(3, Status::Active, "never mine");
    buried.body = samples::entry(3, 3, "coal").body;
    buried.become_status(Status::Vetoed, said("nonsense"), None);
    let base = Loaded::Base {
        runs: Vec::new(),
        decisions: Decisions {
            open: vec![asked(waits.id)],
            past: Vec::new(),
        },
        entries: [buried, waits, changed].map(Arc::new).to_vec(),
        rules: Ok(Gates::default()),
    };
    Console::on_knowledge(base, Size::new(width, height))
}

fn asked(id: KnowledgeId) -> AskedQuestion {
    AskedQuestion {
        run: id.run,
        question: Question {
            id: DecisionId(4),
            kind: GateKind::Guardrail,
            subject: Subject::Knowledge(id),
            policy: Policy::Ask,
            asked: Millis(1),
            deadline: None,
            held: None,
        },
    }
}

fn save(console: &mut Console) -> Option<Effect> {
    console.take(&Term::Key(KeyEvent::new(
        KeyCode::Char('s'),
        KeyModifiers::CONTROL,
    )))
}

/// Writes another text into the open editor.
fn write(console: &mut Console, change: impl Fn(&str) -> String) {
    let editor = console.shell.editor.as_mut().unwrap();
    let text = change(&editor.text());
    editor.replace(&text);
}

fn curated(effect: Option<Effect>) -> EntryRequest {
    match effect {
        Some(Effect::Curate(act)) => act,
        other => panic!("no entry was changed: {other:?}"),
    }
}

#[test]
fn an_entry_is_edited_checked_and_saved_with_a_reason() {
    let mut console = console(100, 40);
    console.press("⏎Ge");
    assert!(
        console.screen().contains("Edit guardrail"),
        "{}",
        console.screen()
    );
    write(&mut console, |text| text.replace("NAV_STUCK", "NAV_STICK"));
    assert_eq!(save(&mut console), None);
    let screen = console.screen();
    assert!(
        screen.contains("✗ line ") && screen.contains("NAV_STICK"),
        "{screen}"
    );
    let text = |text: &str| {
        let fixed = text.replace("NAV_STICK", "NAV_STUCK");
        fixed.replace("without stone", "for a minute")
    };
    write(&mut console, text);
    assert_eq!(save(&mut console), None);
    let screen = console.screen();
    for words in [
        "Save k3.1 · craft furnace",
        "It becomes version 5",
        "edited (type another reason)",
    ] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
    console.press("⎋");
    assert!(
        console.screen().contains("for a minute"),
        "{}",
        console.screen()
    );
    save(&mut console);
    let act = curated(console.press("shorter⏎"));
    assert_eq!(
        (act.id, act.reason.as_str()),
        (entry(1, Status::Active, "").id, "shorter")
    );
    let EntryAction::Edit(body) = act.what else {
        panic!("{:?}", act.what)
    };
    assert!(format!("{body:?}").contains("for a minute"));
}

#[test]
fn what_was_read_to_its_end_is_known_until_it_says_something_else() {
    let mut console = console(60, 16);
    console.press("⏎v");
    assert!(
        console.said().contains("scroll to the end"),
        "{}",
        console.said()
    );
    console.press("G⎋⏎v");
    assert!(matches!(console.shell.overlay(), Some(Overlay::Reason(_))));
    console.press("⎋⎋");
    let id = entry(1, Status::Active, "").id;
    let mut changed = console.cache.entry(id).unwrap().as_ref().clone();
    changed.body = samples::entry(3, 1, "gravel").body;
    console.cache.apply(Loaded::Base {
        runs: Vec::new(),
        decisions: Decisions::default(),
        entries: vec![Arc::new(changed)],
        rules: Ok(Gates::default()),
    });
    console.shell.settle(&console.cache);
    console.press("⏎v");
    assert!(
        console.said().contains("scroll to the end"),
        "another text was not read"
    );
    console.press("Gv");
    assert!(matches!(console.shell.overlay(), Some(Overlay::Reason(_))));
}

/// What is done on a page can be done again later: the screen is saved, and the way out is at hand.
#[test]
fn a_text_that_is_refused_comes_back_with_its_fault() {
    let mut console = console(100, 40);
    console.press("⏎Ge");
    write(&mut console, |text| {
        text.replace("without stone", "for a minute")
    });
    save(&mut console);
    curated(console.press("⏎"));
    assert_eq!(console.shell.overlays, []);
    overlay::settle_sent_text(&mut console.shell, Some("the disk is full"));
    let screen = console.screen();
    assert!(
        screen.contains("✗ the disk is full") && screen.contains("for a minute"),
        "{screen}"
    );
    save(&mut console);
    curated(console.press("⏎"));
    overlay::settle_sent_text(&mut console.shell, None);
    assert_eq!(
        (
            console.shell.knowledge.sent.is_none(),
            console.shell.overlay()
        ),
        (true, None)
    );
    // What nobody answered for is there when the entry is edited again.
    console.press("⏎Ge");
    write(&mut console, |text| {
        text.replace("without stone", "for an hour")
    });
    save(&mut console);
    console.press("⏎");
    console.press("⏎Ge");
    assert!(
        console.screen().contains("for an hour"),
        "{}",
        console.screen()
    );
}

#[test]
fn a_text_goes_to_the_operators_own_editor() {
    let mut console = console(100, 40);
    let Some(Effect::EditOutside { text, ending }) = console.press("⏎Go") else {
        panic!("{}", console.said())
    };
    assert!(text.contains("kind: guardrail"), "{text}");
    assert_eq!(ending, "yaml");
    // The text that comes back is read like one that was typed here.
    write(&mut console, |_| "kind: guardrial".to_owned());
    assert_eq!(save(&mut console), None);
    assert!(
        console.screen().contains("`guardrial` is no kind"),
        "{}",
        console.screen()
    );
    let again = console.take(&Term::Key(KeyEvent::new(
        KeyCode::Char('o'),
        KeyModifiers::CONTROL,
    )));
    let text = "kind: guardrial".to_owned();
    assert_eq!(again, Some(Effect::EditOutside { text, ending }));
    console.press("⎋");
    assert!(console.said().contains("esc again leaves it unsaved"));
}

#[test]
fn what_a_run_asks_about_is_edited_at_its_gate() {
    let mut console = console(100, 40);
    console.press("j⏎Ge");
    write(&mut console, |text| text.replace("TOOL_MISSING", "TIMEOUT"));
    save(&mut console);
    assert!(
        console.screen().contains("Its run asks about it"),
        "{}",
        console.screen()
    );
    let Some(Effect::Inbox(crate::effect::InboxAction::Answer { ids, verdict })) =
        console.press("⏎")
    else {
        panic!("{}", console.said())
    };
    assert_eq!(ids, [entry(2, Status::Proposed, "").id]);
    assert!(matches!(verdict, Verdict::EditKnowledge(_)));
    let approved = crate::effect::InboxAction::Answer {
        ids,
        verdict: Verdict::Approve,
    };
    assert_eq!(console.press("⏎Ga"), Some(Effect::Inbox(approved)));
}

#[test]
fn what_takes_an_entry_out_of_use_is_named_and_needs_a_reason() {
    let mut console = console(100, 16);
    assert_eq!(console.press("x"), None);
    assert!(
        console.said().starts_with("read it to its end"),
        "{}",
        console.said()
    );
    console.press("x");
    assert!(
        console.said().starts_with("scroll to the end first"),
        "{}",
        console.said()
    );
    console.press("Gx");
    let screen = console.screen();
    assert!(screen.contains("Retire k3.1 · craft furnace"), "{screen}");
    assert_eq!(console.press("⏎"), None);
    assert_eq!(
        console.said(),
        "to retire needs a reason; it stays with the entry"
    );
    let act = curated(console.press("no longer so⏎"));
    assert_eq!(
        (act.what, act.reason.as_str()),
        (EntryAction::Retire, "no longer so")
    );
    let vetoed = console.press("⏎Gvno⏎");
    let verdict = Verdict::Veto {
        reason: "no".to_owned(),
    };
    let ids = vec![act.id];
    assert_eq!(
        vetoed,
        Some(Effect::Inbox(crate::effect::InboxAction::Answer {
            ids,
            verdict
        }))
    );
}

#[test]
fn what_cannot_be_done_says_why() {
    let mut console = console(100, 60);
    console.press("⏎a");
    assert_eq!(console.said(), "k3.1 is active already");
    console.press("R");
    assert_eq!(console.said(), "k3.1 is active already");
    console.press("⎋G⏎a");
    assert!(
        console.said().contains("is vetoed already"),
        "{}",
        console.said()
    );
    console.press("e");
    assert!(
        console.said().contains("R lifts that first"),
        "{}",
        console.said()
    );
    console.press("R");
    assert!(
        console.screen().contains("It is proposed again"),
        "{}",
        console.screen()
    );
    let act = curated(console.press("⏎"));
    assert_eq!(
        (act.what, act.reason.as_str()),
        (EntryAction::Restore, "restored")
    );
}

#[test]
fn the_history_shows_what_each_version_changed_and_leads_back() {
    let mut console = console(100, 36);
    console.press("hjj");
    insta::assert_snapshot!("history_100x36", console.screen());
    console.press("r");
    assert_eq!(
        console.said(),
        "k3.1 already says what it said in version 2"
    );
    console.press("jr");
    let screen = console.screen();
    assert!(screen.contains("back to version 1?"), "{screen}");
    let act = curated(console.press("⏎"));
    assert_eq!(act.what, EntryAction::RollBack(1));
    console.press("h⎋");
    assert!(matches!(
        console.shell.page().map(|page| &page.subject),
        Some(PageSubject::Entry(_))
    ));
}

/// A database with one active entry.
fn database(folder: &Path) -> (std::path::PathBuf, KnowledgeId) {
    let path = folder.join("pithead.db");
    let mut journal = Journal::open(&path, Durability::Full).unwrap();
    let known = Entry {
        status: Status::Active,
        ..samples::entry(0, 1, "stone")
    };
    let id = known.id;
    let proposed = Event::KnowledgeProposed {
        entry: Box::new(known),
    };
    let made = journal.curate(Millis(1), |_| Ok(vec![proposed.clone()]));
    made.unwrap().unwrap();
    (path, id)
}

#[test]
fn changes_are_kept_with_author_and_reason_by_the_rules_of_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let (path, id) = database(folder.path());
    let ann = Operator::new(&path, "ann", Clock::System);
    let told = |what, reason: &str| {
        let reason = reason.to_owned();
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
    let coal = samples::entry(0, 1, "coal").body;
    let edit = EntryAction::Edit(Box::new(coal.clone()));
    assert_eq!(
        told(edit, "coal"),
        Ok(format!("{id} is active (version 2)"))
    );
    assert_eq!(
        told(EntryAction::Retire, "no"),
        Ok(format!("{id} is retired (version 3)"))
    );
    assert_eq!(
        told(EntryAction::Restore, "yes"),
        Ok(format!("{id} is active (version 4)"))
    );
    assert_eq!(
        told(EntryAction::RollBack(1), "stone"),
        Ok(format!("{id} is active (version 5)"))
    );
    assert!(
        told(EntryAction::RollBack(9), "x")
            .unwrap_err()
            .contains("no version 9")
    );
    let mut bad = coal;
    if let Body::Guardrail(rail) = &mut bad {
        rail.avoid = "x".repeat(pithead_core::knowledge::lint::LINE_CHARS_MAX + 1);
    }
    let refused = told(EntryAction::Edit(Box::new(bad)), "long").unwrap_err();
    assert!(refused.contains("avoid"), "{refused}");
    let journal = Journal::look(&path).unwrap();
    let known = journal.knowledge(EntryFilter::default()).unwrap().remove(0);
    let said: Vec<String> = known
        .history
        .iter()
        .map(|change| format!("{}: {}", change.by, change.reason))
        .collect();
    assert_eq!(
        said,
        ["coal", "no", "yes", "back to version 1: stone"].map(|why| format!("operator ann: {why}"))
    );
    assert_eq!(known.body, samples::entry(0, 1, "stone").body);
}

#[test]
fn hostile_entries_reach_no_cell_of_what_lies_over_the_knowledge_base() {
    for text in pithead_core::text::hostile::HOSTILE {
        for keys in ["", "⏎", "h", "hj", "⏎Gx", "⏎Ge", "⏎Gvx"] {
            for size in [(100, 20), (60, 12), (9, 3), (1, 1)] {
                let mut console = console(size.0, size.1);
                let mut bad = entry(1, Status::Active, text);
                let by = Author::Mind((*text).to_owned());
                let (at, reason) = (Millis(1), text);
                let mut body = bad.body.clone();
                if let Body::Guardrail(rail) = &mut body {
                    rail.avoid = (*text).to_owned();
                }
                bad.rewrite(
                    body,
                    ChangeNote {
                        at,
                        by: &by,
                        reason,
                    },
                );
                console.cache.apply(Loaded::Base {
                    runs: Vec::new(),
                    entries: vec![Arc::new(bad)],
                    decisions: Decisions::default(),
                    rules: Ok(Gates::default()),
                });
                console.shell.settle(&console.cache);
                console.press(keys);
                for c in console.screen().chars().filter(|c| *c != '\n') {
                    assert!(is_clean(&c.to_string()), "{c:?}");
                }
            }
        }
    }
}

#[test]
fn a_run_is_not_asked_for_what_is_over() {
    let console = console(80, 24);
    let of = |n, status| console.cache.entry(entry(n, status, "").id).unwrap();
    assert!(overlay::is_asked(&console.cache, of(2, Status::Proposed)));
    assert!(!overlay::is_asked(&console.cache, of(1, Status::Active)));
    assert_eq!(of(2, Status::Proposed).id.run, RunId(42));
}
