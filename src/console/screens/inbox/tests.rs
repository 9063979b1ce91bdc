//! The inbox of all runs: order, groups, rules before they are saved, and taking back.

mod harmful;
mod triage;

use crate::cache::{Cache, Loaded};
use crate::context::Context;
use crate::effect::{Effect, GateRule, InboxAction, Reach};
use crate::input::keymap::Keymap;
use crate::input::terminal::on_terminal;
use crate::screen::Screen;
use crate::screens::inbox::carry_out::carry_out;
use crate::screens::inbox::decisions::{DecidedSubject, DecisionReader, Decisions, PastDecision};
use crate::screens::inbox::undo::Undo;
use crate::screens::inbox::{undo, *};
use crate::shell::Shell;
use crate::testing::{Console, entry};
use crate::view::View;
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::run::decision::{
    By, Fallback, GateKind, Gates, Policy, Question, Subject, Verdict,
};
use pithead_core::domain::run::event::Event;
use pithead_core::domain::samples;
use pithead_engine::journal::{Durability, EntryFilter, Journal};
use pithead_engine::runtime::operator::Operator;
use pithead_engine::runtime::operator::rules::read_rules;
use pithead_world::clock::{Clock, Millis};
use pithead_world::ids::{DecisionId, KnowledgeId, RunId, Seq};
use ratatui::crossterm::event::{Event as Term, KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use std::path::Path;
use std::sync::Arc;

fn question(id: u64, kind: GateKind, subject: Subject, policy: Policy, asked: u64) -> Question {
    let asked = Millis(asked);
    Question {
        id: DecisionId(id),
        kind,
        subject,
        policy,
        asked,
        deadline: policy.deadline(asked),
        held: None,
    }
}

fn risk(id: u64, asked: u64) -> Question {
    let subject = Subject::Risk {
        subgoal: pithead_world::ids::SubgoalId(6),
        risk: "dig down to y 8".to_owned(),
    };
    let policy = Policy::AskFor {
        seconds: 60,
        then: Fallback::Veto,
    };
    question(id, GateKind::RiskyAction, subject, policy, asked)
}

/// Three entries wait, two of them alike, and a run stands before a risk.
fn console(width: u16, height: u16) -> Console {
    let size = Size::new(width, height);
    let mut cache = Cache::default();
    let entries = [
        (1, "mine: first try 8 blocks away"),
        (2, "mine: first try 16 blocks away"),
        (3, "craft furnace: first have cobblestone"),
    ]
    .map(|(n, title)| Arc::new(entry(n, Status::Proposed, title)));
    cache.apply(Loaded::Base {
        runs: Vec::new(),
        entries: entries.to_vec(),
        decisions: Decisions {
            open: vec![decisions::AskedQuestion {
                run: RunId(7),
                question: risk(4, 5_000),
            }],
            past: Vec::new(),
        },
        rules: Ok(Gates::default()),
    });
    cache.tell_time(Millis(17_000));
    let mut shell = Shell::new(Screen::Inbox, Keymap::default(), size);
    shell.settle(&cache);
    Console::new(shell, cache, View::default())
}

#[test]
fn all_that_waits_stands_oldest_first_with_what_it_blocks_and_its_clock() {
    insta::assert_snapshot!("inbox_120x12", console(120, 12).screen());
}

#[test]
fn a_question_that_blocks_a_run_is_answered_on_that_runs_screen() {
    let mut console = console(120, 24);
    let open = Effect::Inbox(InboxAction::Open {
        run: RunId(7),
        decision: DecisionId(4),
    });
    assert_eq!(console.press("G⏎"), Some(open));
    assert_eq!(console.press("ggmGm⏎"), None, "not together with entries");
    assert!(
        console.said().contains("answered alone"),
        "{}",
        console.said()
    );
}

#[test]
fn what_is_alike_is_decided_at_once_after_all_of_it_was_seen() {
    let mut console = console(100, 24);
    assert_eq!(console.press("="), None);
    assert!(console.said().starts_with("2 similar ones are marked"));
    assert_eq!(console.press("⏎a"), None);
    assert!(console.said().starts_with("scroll to the end first"));
    let ids: Vec<KnowledgeId> = [1, 2].map(|n| entry(n, Status::Proposed, "").id).into();
    assert_eq!(
        console.press("Ga"),
        Some(Effect::Inbox(InboxAction::Answer {
            ids: ids.clone(),
            verdict: Verdict::Approve
        }))
    );
    console.press("⏎Gv");
    assert!(console.screen().contains("mine: first try 16 blocks away"));
    assert_eq!(
        console.press("too far⏎"),
        Some(Effect::Inbox(InboxAction::Answer {
            ids,
            verdict: Verdict::Veto {
                reason: "too far".to_owned()
            }
        }))
    );
}

#[test]
fn an_entry_is_edited_and_approved_in_one_step() {
    let mut console = console(100, 40);
    console.press("⏎Ge");
    assert!(
        console.screen().contains("Edit guardrail"),
        "{}",
        console.screen()
    );
    let save = Term::Key(KeyEvent::new(KeyCode::Char('s'), KeyModifiers::CONTROL));
    let mut context = Context {
        shell: &mut console.shell,
        cache: &console.cache,
        view: &console.view,
    };
    let effect = on_terminal(&mut context, &save);
    let body = console.cache.entries[0].body.clone();
    assert_eq!(
        effect,
        Some(Effect::Inbox(InboxAction::Answer {
            ids: vec![console.cache.entries[0].id],
            verdict: Verdict::EditKnowledge(body)
        }))
    );
}

#[test]
fn a_rule_is_shown_in_full_before_it_is_saved() {
    let mut console = console(120, 24);
    console.cache.rules_file = Some("/home/ann/.config/pithead/gates.toml".into());
    console.press("P");
    let screen = console.screen();
    for words in [
        "Questions of the gate guardrail",
        "gates.toml: [gates] guardrail = \"auto\"",
        "run 42: guardrail = auto",
        "approved without asking you",
    ] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
    let saved = |reach, policy| {
        Some(Effect::Inbox(InboxAction::Save(GateRule {
            kind: GateKind::Guardrail,
            run: RunId(42),
            reach,
            policy,
        })))
    };
    assert_eq!(console.press("y"), saved(Reach::Always, Policy::Auto));
    assert_eq!(console.press("P↑→y"), saved(Reach::Run, Policy::Ask));
    assert_eq!(console.press("Pjy"), None, "once saves nothing");
    assert_eq!(console.press("P⎋"), None);
}

#[test]
fn a_saved_rule_is_taken_off_after_a_question_that_names_it() {
    let mut console = console(100, 24);
    console.cache.rules = Gates([(GateKind::Plan, Policy::Ask)].into());
    let table = tables::rules(&console.cache.rules);
    console.cache.tables.insert(Screen::Rules, table);
    console.press("dp");
    console.shell.settle(&console.cache);
    assert!(console.screen().contains("saved; x removes it"));
    assert!(console.screen().contains("[2 Inbox"), "its tab is lit");
    assert_eq!(console.press("x"), None);
    assert!(console.screen().contains("Remove the rule about plan?"));
    assert_eq!(
        console.press("y"),
        Some(Effect::Inbox(InboxAction::Forget(GateKind::Plan)))
    );
    console.press("jx");
    assert!(
        console.said().contains("nothing was saved"),
        "{}",
        console.said()
    );
}

fn past(about: DecidedSubject, word: &'static str) -> PastDecision {
    PastDecision {
        run: RunId(42),
        seq: Seq(9),
        at: Millis(9),
        about,
        word,
        reason: None,
        by: "ann".to_owned(),
    }
}

#[test]
fn what_can_be_taken_back_is_said_and_why_the_rest_cannot() {
    let check = |status, shown, word| {
        let mut known = entry(1, status, "x");
        known.outcomes.shown = shown;
        undo::undo_of(&past(DecidedSubject::Log(known.id), word), Some(&known))
    };
    let id = |status| entry(1, status, "x").id;
    let active = id(Status::Active);
    assert_eq!(
        check(Status::Active, 0, "approved"),
        Ok(Undo::Unsay(active))
    );
    assert_eq!(
        check(Status::Active, 3, "approved"),
        Ok(Undo::Retire(active))
    );
    assert_eq!(
        check(Status::Vetoed, 0, "vetoed"),
        Ok(Undo::Lift(id(Status::Vetoed)))
    );
    assert_eq!(
        check(Status::Retired, 0, "retired"),
        Ok(Undo::Restore(id(Status::Retired)))
    );
    let late = check(Status::Retired, 0, "approved").unwrap_err();
    assert!(late.contains("no longer has any effect"), "{late}");
    let gate = past(DecidedSubject::Gate(risk(4, 1)), "approved");
    let because = undo::undo_of(&gate, None).unwrap_err();
    assert!(
        because.contains("taken") && because.contains("pithead fork 42"),
        "{because}"
    );
}

/// A database with a run that asks about two entries, and stands before a risk.
fn database(folder: &Path) -> (std::path::PathBuf, RunId, [KnowledgeId; 2]) {
    let path = folder.join("pithead.db");
    let mut journal = Journal::open(&path, Durability::Full).unwrap();
    let run = journal.create_run(samples::config(), Millis(1)).unwrap();
    let entries = ["stone", "coal"];
    let entries = [1, 2].map(|n| samples::entry(run.0, n, entries[n as usize - 1]));
    let mut events: Vec<Event> = entries
        .iter()
        .map(|entry| Event::KnowledgeProposed {
            entry: Box::new(entry.clone()),
        })
        .collect();
    for (n, entry) in (1..).zip(&entries) {
        let subject = Subject::Knowledge(entry.id);
        events.push(Event::DecisionAsked {
            question: question(n, GateKind::Guardrail, subject, Policy::Ask, 2),
        });
    }
    events.push(Event::DecisionAsked {
        question: risk(3, 2),
    });
    journal.append(run, Millis(2), events).unwrap();
    (path, run, entries.map(|entry| entry.id))
}

fn status(path: &Path, id: KnowledgeId) -> Status {
    let journal = Journal::look(path).unwrap();
    let base = journal.knowledge(EntryFilter::default()).unwrap();
    base.iter().find(|entry| entry.id == id).unwrap().status
}

#[test]
fn the_ledger_reads_on_and_forgets_what_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let (path, run, [one, _]) = database(folder.path());
    let mut journal = Journal::open(&path, Durability::Full).unwrap();
    let mut ledger = DecisionReader::default();
    let told = ledger.read(&journal, &journal.runs().unwrap()).unwrap();
    assert_eq!((told.open.len(), told.past.len()), (3, 0));
    assert!(told.about(one).is_some() && told.asked(run, DecisionId(3)).is_some());
    let made = |n, verdict| Event::DecisionMade {
        decision: DecisionId(n),
        verdict,
        by: By::Operator("ann".to_owned()),
    };
    let reason = "no".to_owned();
    let answers = vec![made(1, Verdict::Approve), made(3, Verdict::Veto { reason })];
    journal.append(run, Millis(9), answers).unwrap();
    let told = ledger.read(&journal, &journal.runs().unwrap()).unwrap();
    assert_eq!(told.open.len(), 1);
    let words: Vec<_> = told.past.iter().map(|past| past.word).collect();
    assert_eq!(words, ["vetoed", "approved"], "the newest first");
    assert_eq!(
        told,
        DecisionReader::default()
            .read(&journal, &journal.runs().unwrap())
            .unwrap()
    );
}

#[test]
fn a_group_is_answered_and_undone_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let (path, run, [one, two]) = database(folder.path());
    let ann = Operator::new(&path, "ann", Clock::System);
    let told = |act| carry_out(act, &ann, None);
    let group = InboxAction::Answer {
        ids: vec![one, two],
        verdict: Verdict::Approve,
    };
    assert!(told(group).unwrap().starts_with("2 approved"));
    assert_eq!([one, two].map(|id| status(&path, id)), [Status::Active; 2]);
    let journal = Journal::look(&path).unwrap();
    let events = journal.events(run, Seq(0), 99).unwrap();
    let made = |fact: &&pithead_core::domain::run::event::Recorded| {
        matches!(fact.event, Event::DecisionMade { .. })
    };
    assert_eq!(
        events.iter().filter(made).count(),
        2,
        "each is stored alone"
    );
    assert_eq!(
        told(InboxAction::TakeBack(two)),
        Ok(format!("{two} is proposed"))
    );
    assert_eq!(
        [one, two].map(|id| status(&path, id)),
        [Status::Active, Status::Proposed]
    );
    let journal = Journal::look(&path).unwrap();
    let decided = DecisionReader::default().read(&journal, &journal.runs().unwrap());
    let of_two = |past: &&PastDecision| past.about.entry() == Some(two);
    let decided = decided.unwrap().past;
    let words: Vec<_> = decided
        .iter()
        .filter(of_two)
        .map(|past| past.word)
        .collect();
    assert_eq!(
        words,
        ["proposed", "approved"],
        "taking back is one decision"
    );
    // It waits at no gate now, and is answered in the knowledge log.
    let again = InboxAction::Answer {
        ids: vec![two],
        verdict: Verdict::Veto {
            reason: "no".to_owned(),
        },
    };
    told(again).unwrap();
    assert_eq!(status(&path, two), Status::Vetoed);
    assert_eq!(
        told(InboxAction::TakeBack(two)),
        Ok(format!("{two} is proposed"))
    );
    let faults = told(InboxAction::TakeBack(two)).unwrap_err();
    assert!(faults.contains("waits for you already"), "{faults}");
}

#[test]
fn a_rule_reaches_its_run_and_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let (path, run, _) = database(folder.path());
    let ann = Operator::new(&path, "ann", Clock::System);
    let file = folder.path().join("gates.toml");
    let ruling = GateRule {
        kind: GateKind::Guardrail,
        run,
        reach: Reach::Always,
        policy: Policy::Auto,
    };
    let word = carry_out(InboxAction::Save(ruling), &ann, Some(&file)).unwrap();
    assert!(word.contains("saved: guardrail = auto"), "{word}");
    assert_eq!(
        read_rules(&file).unwrap().of(GateKind::Guardrail),
        Policy::Auto
    );
    let journal = Journal::look(&path).unwrap();
    let set = journal
        .events_of_kinds(run, Seq(0), &["policy.set"], 9)
        .unwrap();
    assert_eq!(set.len(), 1);
    carry_out(InboxAction::Forget(GateKind::Guardrail), &ann, Some(&file)).unwrap();
    assert!(read_rules(&file).unwrap().0.is_empty());
}

#[test]
fn hostile_text_in_the_inbox_reaches_no_cell() {
    for text in pithead_core::text::hostile::HOSTILE {
        for keys in ["", "⏎", "⏎Gv", "⏎Ge", "P", "h", "h⏎", "hz", "p"] {
            let mut console = console(100, 20);
            let mut bad = entry(1, Status::Proposed, text);
            bad.provenance.task = (*text).to_owned();
            let mut asked = risk(4, 1);
            asked.subject = Subject::End {
                outcome: pithead_core::domain::run::outcome::Outcome::Failure,
                because: (*text).to_owned(),
            };
            asked.held = Some((*text).to_owned());
            let mut told = past(DecidedSubject::Log(bad.id), "retired");
            (told.reason, told.by) = (Some((*text).to_owned()), (*text).to_owned());
            bad.status = Status::Proposed;
            console.cache.apply(Loaded::Base {
                runs: Vec::new(),
                entries: vec![Arc::new(bad)],
                decisions: Decisions {
                    open: vec![decisions::AskedQuestion {
                        run: RunId(7),
                        question: asked,
                    }],
                    past: vec![told],
                },
                rules: Err((*text).to_owned()),
            });
            console.shell.settle(&console.cache);
            console.press(keys);
            console.assert_clean();
        }
    }
}
