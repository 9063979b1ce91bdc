//! The card of an entry: its backtest as bars, the attempts behind them, and the keys that look into it.

use crate::feed::Feed;
use crate::input::keymap::Keymap;
use crate::overlay::EditedText;
use crate::screen::Screen;
use crate::screens::knowledge::state::{Study, StudyKind};
use crate::screens::knowledge::study_result::{
    BacktestFound, BlockedAttempt, Side, StudyResult, backtest, change,
};
use crate::screens::knowledge::tests::*;
use crate::session::Session;
use crate::testing::{running, story, view_of};
use crate::widgets::editor::Editor;
use pithead_core::domain::knowledge::Body;
use pithead_core::domain::run::event::Event;
use pithead_world::ids::ExperienceId;

fn found() -> StudyResult {
    let side = |all, blocked, unknown| Side {
        all,
        blocked,
        unknown,
    };
    let attempt = |n, succeeded, label, happened: &str| BlockedAttempt {
        id: ExperienceId { run: RunId(7), n },
        succeeded,
        label,
        step: "mine iron_ore ×3".to_owned(),
        happened: happened.to_owned(),
    };
    StudyResult::Backtest(BacktestFound {
        failures: side(31, 12, 2),
        successes: side(88, 1, 0),
        attempts: vec![
            attempt(9, false, Some("NAV_STUCK"), "14 s without moving: gravel"),
            attempt(4, false, Some("TIMEOUT"), "90 s were not enough"),
            attempt(2, true, None, "all checks are true"),
        ],
    })
}

fn studied(console: &mut Console, id: KnowledgeId, version: u32) {
    let study = Study::Over {
        version,
        found: Ok(found()),
    };
    let studies = &mut console.shell.knowledge.studies;
    studies.insert((id, StudyKind::Backtest), study);
}

/// The story's run with its guardrail's question, over a base that knows its run.
fn on_live() -> Console {
    let mut console = console(100, 36);
    console.view = view_of(&story());
    console.shell.screen = Screen::Live;
    console.shell.has_run = true;
    console
}

/// What a trial has come to stands where it was asked for.
fn check_trial(console: &mut Console, of: &Entry, place: &str) {
    let trial = Study::Over {
        version: of.version,
        found: Ok(StudyResult::Lines(vec![
            "20 of 20 with, 9 without".to_owned(),
        ])),
    };
    let studies = &mut console.shell.knowledge.studies;
    studies.insert((of.id, StudyKind::Trial), trial);
    console.press("G");
    let screen = console.screen();
    assert!(screen.contains("20 of 20 with, 9"), "{place}: {screen}");
}

#[test]
fn a_card_stands_above_what_an_entry_says_wherever_it_is_shown() {
    let waiting = entry(2, Status::Proposed, "");
    type MakePlace = fn() -> Console;
    let places: [(&str, MakePlace); 3] = [
        ("the knowledge base", || {
            let mut console = console(100, 36);
            console.press("j⏎");
            console
        }),
        ("the inbox", || {
            let mut console = console(100, 36);
            console.shell.go(Screen::Inbox);
            console.press("⏎");
            console
        }),
        ("the run", || {
            let mut console = on_live();
            let question = PageSubject::Question(DecisionId(1));
            console.shell.open_page(question);
            console
        }),
    ];
    for (place, make) in places {
        let mut console = make();
        studied(&mut console, waiting.id, waiting.version);
        let screen = console.screen();
        let at = |words: &str| {
            let found = screen.find(words);
            found.unwrap_or_else(|| panic!("{place}: no `{words}` in\n{screen}"))
        };
        assert!(
            at("12 of 31; of 2 it is unknown") < at("1 of 88"),
            "{place}"
        );
        assert!(at("1 of 88") < at("What it says"), "{place}");
        check_trial(&mut console, &waiting, place);
        for keys in ["b", "T", "t", "f", "h"] {
            let mut console = make();
            studied(&mut console, waiting.id, waiting.version);
            let effect = console.press(keys);
            let entry = match effect {
                Some(Effect::Study(entry, _)) => entry.id,
                Some(other) => panic!("{place}: {keys} asks for {other:?}"),
                // The run of its evidence is in no database here, and is named.
                None if keys == "t" => {
                    assert!(
                        console.said().contains("are deleted or in another"),
                        "{place}"
                    );
                    continue;
                }
                None => match console.shell.page().map(|page| page.subject.clone()) {
                    Some(PageSubject::History { id, .. }) if keys == "h" => id,
                    other => panic!("{place}: {keys} opens {other:?}"),
                },
            };
            assert_eq!(entry, waiting.id, "{place}: {keys}");
        }
    }
}

#[test]
fn the_keys_that_look_into_an_entry_work_on_its_row() {
    for keys in ["b", "T", "f"] {
        let mut console = console(100, 36);
        let Some(Effect::Study(..)) = console.press(keys) else {
            panic!("{keys}: {}", console.said())
        };
        assert!(console.shell.entry_in_hand().is_some(), "{keys} shows it");
    }
}

#[test]
fn blocked_attempts_are_told_in_words_and_lead_to_their_frames() {
    let mut console = console(100, 30);
    let known = entry(1, Status::Active, "");
    console.press("⏎");
    studied(&mut console, known.id, 4);
    assert!(
        console
            .screen()
            .contains("enter tells what happened in 3 attempts")
    );
    console.press("⏎");
    insta::assert_snapshot!("blocked_100x30", console.screen());
    console.press("j⏎");
    assert_eq!(console.said(), "run 7 is deleted or in another database");
    console.press("⎋");
    assert_eq!(
        console.shell.entry_in_hand(),
        Some(known.id),
        "back to the entry"
    );
    // Without attempts behind it, enter closes the page as it does everywhere.
    console.shell.knowledge.studies.clear();
    console.press("⏎");
    assert_eq!(console.shell.overlays, []);
}

#[test]
fn what_is_shown_is_looked_through_once_for_each_version() {
    let size = Size::new(100, 36);
    let mut session = Session::new(Feed::Nothing, Keymap::default(), size, Millis(0));
    let known = entry(1, Status::Active, "");
    let base = |known: &Entry| Loaded::Base {
        runs: Vec::new(),
        decisions: Decisions::default(),
        entries: vec![Arc::new(known.clone())],
        rules: Ok(Gates::default()),
    };
    session.cache.apply(base(&known));
    assert_eq!(session.take_wanted_study(), None, "nothing is shown");
    session.shell.open_page(PageSubject::Entry(known.id));
    let wanted = session.take_wanted_study().unwrap();
    assert_eq!(wanted.id, known.id);
    assert_eq!(session.take_wanted_study(), None, "it is under way");
    session.settle_study((known.id, known.version), StudyKind::Backtest, Ok(found()));
    assert_eq!(session.shell.toast, None, "nobody asked for it");
    assert_eq!(session.take_wanted_study(), None);
    let mut changed = known;
    changed.version += 1;
    session.cache.apply(base(&changed));
    let wanted = session.take_wanted_study().unwrap();
    assert_eq!(wanted.version, changed.version);
}

#[test]
fn a_guardrail_is_held_against_the_attempts_that_are_recorded() {
    let mut journal = Journal::in_memory().unwrap();
    let run = journal.create_run(samples::config(), Millis(1)).unwrap();
    let events = running().events.into_iter().skip(1);
    let events = events.map(|recorded| recorded.event).collect();
    journal.append(run, Millis(2), events).unwrap();
    let known = entry(1, Status::Active, "");
    let StudyResult::Backtest(found) = backtest(&journal, &known).unwrap() else {
        panic!("a guardrail has a backtest")
    };
    assert_eq!((found.failures.all, found.failures.blocked), (2, 2));
    assert!(found.successes.blocked > 0, "{found:?}");
    let told = &found.attempts[0];
    assert_eq!((told.label, told.succeeded), (Some("NAV_STUCK"), false));
    assert!(told.happened.contains("gravel"), "{told:?}");
    let mut skill = known;
    skill.body = samples::entry(3, 1, "stone").body;
    assert!(matches!(
        backtest(&journal, &skill),
        Ok(StudyResult::Observed(_) | StudyResult::Backtest(_))
    ));
}

/// A guardrail in the base, and attempts in the record that it would have blocked.
fn recorded(known: &Entry) -> Journal {
    let mut journal = Journal::in_memory().unwrap();
    let run = journal.create_run(samples::config(), Millis(1)).unwrap();
    let events = running().events.into_iter().skip(1);
    let events = events.map(|recorded| recorded.event).collect();
    journal.append(run, Millis(2), events).unwrap();
    let proposed = Event::KnowledgeProposed {
        entry: Box::new(known.clone()),
    };
    let made = journal.curate(Millis(1), |_| Ok(vec![proposed.clone()]));
    made.unwrap().unwrap();
    journal
}

#[test]
fn a_guardrail_is_held_against_the_record_while_it_is_edited() {
    let known = samples::entry(0, 1, "iron_ore");
    let journal = recorded(&known);
    let size = Size::new(100, 30);
    let mut session = Session::new(Feed::Nothing, Keymap::default(), size, Millis(0));
    let editor = Editor::entry(&known).unwrap();
    session
        .shell
        .open_editor(EditedText::Entry(known.id), editor);
    assert_eq!(session.take_wanted_edit(), None, "nothing was changed");
    // While the text is no guardrail there is nothing to hold against anything.
    let editor = session.shell.editor.as_mut().unwrap();
    editor.area.insert_str("nonsense: [");
    assert_eq!(session.take_wanted_edit(), None);
    let editor = session.shell.editor.as_mut().unwrap();
    let text = Editor::entry(&known).unwrap().text();
    editor.replace(&text.replace("iron_ore", "sand"));
    let edited = session
        .take_wanted_edit()
        .expect("the text reads as another guardrail");
    assert!(matches!(&edited.body, Body::Guardrail(_)));
    assert_eq!(session.take_wanted_edit(), None, "it is under way");
    let found = change(&journal, &edited).unwrap();
    let StudyResult::Change(told) = &found else {
        panic!("{found:?}")
    };
    // It was about iron ore, which failed twice; nobody tried to get sand.
    assert_eq!((told.saved[0].blocked, told.edited[0].blocked), (2, 0));
    assert_eq!(told.blocked_now, 0);
    assert!(told.blocked_no_more >= 2, "{told:?}");
    assert!(
        told.examples
            .iter()
            .any(|(is_now, past)| !is_now && past.happened.contains("gravel"))
    );
    session.settle_study(
        (known.id, known.version),
        StudyKind::Edit,
        Ok(found.clone()),
    );
    assert_eq!(session.take_wanted_edit(), None, "it is known");
    let mut console = console(100, 30);
    console.shell.editor = session.shell.editor.take();
    console.shell.overlays = session.shell.overlays.clone();
    console.shell.knowledge.studies = session.shell.knowledge.studies.clone();
    let screen = console.screen();
    assert!(screen.contains("What the edit would change"), "{screen}");
    assert!(
        screen.contains("would be blocked: 0 of 2 (as saved 2)"),
        "{screen}"
    );
    // The next text is looked into again.
    let editor = console.shell.editor.as_mut().unwrap();
    editor.replace(&text.replace("iron_ore", "dirt"));
    assert!(
        console.screen().contains("holding the edit against"),
        "{}",
        console.screen()
    );
}
