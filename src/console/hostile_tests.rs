//! What others write, on every list and page at once: nothing of it comes out unclean.
//!
//! A run's own screen is in `draw::tests`, its attempts are in `debug::tests`.

use crate::cache::log::LogLine;
use crate::cache::{Cache, Loaded};
use crate::input::keymap::Keymap;
use crate::screen::Screen;
use crate::screens::inbox::decisions::{AskedQuestion, DecidedSubject, Decisions, PastDecision};
use crate::shell::Shell;
use crate::testing::{Console, entry, guardrail};
use crate::view::View;
use pithead_core::domain::condition::Condition;
use pithead_core::domain::knowledge::{
    Author, Body, Change, Entry, Guardrail, Imported, ReferencePlan, Skill, Status, TextNote,
};
use pithead_core::domain::run::decision::{GateKind, Gates, Policy, Question, Subject};
use pithead_core::domain::run::outcome::Outcome;
use pithead_core::domain::samples;
use pithead_core::text::clean::is_clean;
use pithead_core::text::hostile::HOSTILE;
use pithead_engine::eval::listing::{
    ChartLine, EpisodeEnding, EpisodeRow, EvalId, EvalListing, EvalSection, EvalState, Evaluation,
    LineChart,
};
use pithead_engine::journal::{Journal, LabelledFailure, RunRow};
use pithead_engine::runtime::compare::{ComparedRun, compare};
use pithead_world::clock::Millis;
use pithead_world::ids::{AttemptId, DecisionId, RunId, Seq};
use ratatui::crossterm::event::Event as Term;
use ratatui::layout::Size;
use std::sync::Arc;

fn run(id: u64, text: &str) -> RunRow {
    RunRow {
        id: RunId(id),
        task: text.to_owned(),
        seed: 7,
        mind: text.to_owned(),
        system: text.to_owned(),
        senses: None,
        started: Millis(1000),
        ended: Some(Millis(61_000)),
        outcome: Some(Outcome::Failure),
        because: Some(text.to_owned()),
        ticks: 6000,
        attempts: 20,
        failed: 9,
        events: 500,
        origin: None,
        alive: false,
    }
}

/// Entries whose every word is the text, of each kind that holds words.
fn entries(text: &str) -> Vec<Arc<Entry>> {
    let mut step = samples::subgoal(1, "stone");
    (step.condition, step.rationale) = (text.to_owned(), Some(text.to_owned()));
    let bodies = [
        Body::Guardrail(Guardrail {
            avoid: text.to_owned(),
            ..guardrail()
        }),
        Body::Note(TextNote {
            name: text.to_owned(),
            about: text.to_owned(),
            text: text.repeat(3),
            language: Some(text.to_owned()),
        }),
        Body::Skill(Skill {
            goal: samples::item("stone"),
            count: 1,
            requires: guardrail().trigger,
            steps: vec![step.clone()],
            success: step.checks.clone(),
            effects: Default::default(),
            flows: Vec::new(),
        }),
        Body::ReferencePlan(ReferencePlan {
            goal: samples::item("stone"),
            steps: vec![step],
            count: 1,
            requires: Condition::always(),
            flows: Vec::new(),
            runs: Vec::new(),
            from_successes: 3,
        }),
    ];
    let made = (1..).zip(bodies).map(|(n, body)| {
        let mut made = entry(n, Status::Proposed, text);
        made.author = Author::Import(text.to_owned());
        made.provenance.task = text.to_owned();
        made.provenance.imported = Some(Box::new(Imported {
            format: text.to_owned(),
            source: text.to_owned(),
            name: text.to_owned(),
            label: Some(text.to_owned()),
            original: Some(text.to_owned()),
        }));
        made.history.push(Change {
            version: 1,
            at: Millis(1),
            by: Author::Operator(text.to_owned()),
            reason: text.to_owned(),
            before: Some(body.clone()),
            status: None,
            other: None,
        });
        Arc::new(Entry { body, ..made })
    });
    made.collect()
}

fn decisions(text: &str, entries: &[Arc<Entry>]) -> Decisions {
    let question = Question {
        id: DecisionId(4),
        kind: GateKind::TaskEnd,
        subject: Subject::End {
            outcome: Outcome::Failure,
            because: text.to_owned(),
        },
        policy: Policy::Ask,
        asked: Millis(1),
        deadline: None,
        held: Some(text.to_owned()),
    };
    let past = |seq, about| PastDecision {
        run: RunId(1),
        seq: Seq(seq),
        at: Millis(9),
        about,
        word: "vetoed",
        reason: Some(text.to_owned()),
        by: text.to_owned(),
    };
    Decisions {
        past: vec![
            past(8, DecidedSubject::Gate(question.clone())),
            past(9, DecidedSubject::Log(entries[0].id)),
        ],
        open: vec![AskedQuestion {
            run: RunId(1),
            question,
        }],
    }
}

fn news(text: &str) -> EvalListing {
    let of = |text: &str| text.to_owned();
    let chart = EvalSection::Chart(LineChart {
        title: of(text),
        most: 100.0,
        lines: vec![ChartLine {
            name: of(text),
            points: vec![(50.0, None)],
        }],
    });
    let words = EvalSection::Text {
        title: of(text),
        lines: vec![of(text)],
    };
    let evaluation = Evaluation {
        id: EvalId(1),
        name: of(text),
        mind: of(text),
        system: of(text),
        controller: of(text),
        state: EvalState::Stopped,
        done: 1,
        total: 2,
        unit: "episodes",
        rate: None,
        left_s: None,
        command: of(text),
        folder: of(text),
        journal: Some(of(text)),
        sections: vec![chart, words],
        faults: vec![of(text)],
    };
    let episode = EpisodeRow {
        id: 1,
        task: of(text),
        group: of(text),
        system: of(text),
        seed: 1,
        pass: 1,
        run: Some(1),
        ending: EpisodeEnding::Failure,
        because: of(text),
        ticks: 1,
        attempts: 1,
        failed: 1,
        replans: 1,
        mind_calls: 1,
        reasons: vec![(of(text), 1)],
        last_failure: Some(of(text)),
        wall_ms: 1,
    };
    EvalListing {
        evaluations: vec![Arc::new(evaluation)],
        opened: Some((EvalId(1), Arc::new(vec![episode]))),
    }
}

fn sides(text: &str) -> Vec<ComparedRun> {
    let mut journal = Journal::in_memory().unwrap();
    let runs = [1, 2].map(|at| journal.create_run(samples::config(), Millis(at)).unwrap());
    let mut sides = compare(&journal, &runs).unwrap();
    for side in &mut sides {
        side.task = text.to_owned();
        (side.mind, side.system) = (text.to_owned(), text.to_owned());
        side.because = Some(text.to_owned());
        side.knowledge_used = vec![text.to_owned()];
    }
    sides
}

/// Everything that can be read, with the text in all of it.
pub(crate) fn cache(text: &str) -> Cache {
    let mut cache = Cache::default();
    let entries = entries(text);
    cache.apply(Loaded::Base {
        runs: vec![run(1, text), run(2, text)],
        decisions: decisions(text, &entries),
        entries,
        rules: Ok(Gates([(GateKind::Plan, Policy::Ask)].into())),
    });
    cache.apply(Loaded::News(news(text)));
    cache.apply(Loaded::Log(vec![LogLine {
        n: 1,
        level: text.to_owned(),
        text: text.to_owned(),
    }]));
    let failure = LabelledFailure {
        run: RunId(1),
        attempt: AttemptId(1),
        subgoal: text.to_owned(),
        reason: text.to_owned(),
    };
    let both = vec![RunId(1), RunId(2)];
    cache.apply(Loaded::Failures(both.clone(), vec![failure]));
    cache.apply(Loaded::Compared(both, Ok(Arc::new(sides(text)))));
    cache
}

pub(crate) fn console(screen: Screen, cache: &Cache) -> Console {
    let mut shell = Shell::new(screen, Keymap::default(), Size::new(110, 30));
    shell.opened = Some(EvalId(1));
    shell.settle(cache);
    Console::new(shell, cache.clone(), View::default())
}

/// Each list and the keys that open what lies behind its rows.
pub(crate) const WAYS: [(Screen, &[&str]); 11] = [
    (Screen::Inbox, &["", "⏎", "⏎G", "⏎Gv", "⏎Ge", "P", "="]),
    (Screen::Decided, &["", "⏎", "z"]),
    (Screen::Rules, &["", "P", "x"]),
    (Screen::Knowledge, &["", "⏎", "j⏎G", "jj⏎", "jjj⏎G", "⏎Gv"]),
    (Screen::Runs, &["", "mmv", "mmvG", "⏎"]),
    (Screen::Failures, &["", "d", "dG"]),
    (Screen::Evaluate, &["", "d", "dG"]),
    (Screen::Episodes, &["", "⏎", "⏎G"]),
    (Screen::Logs, &["", "⏎"]),
    (Screen::Home, &["", "⏎"]),
    (Screen::Live, &["", "?"]),
];

#[test]
fn hostile_text_leaves_no_list_and_no_page_unclean() {
    for text in HOSTILE {
        let cache = cache(text);
        for (screen, ways) in WAYS {
            for keys in ways {
                let mut console = console(screen, &cache);
                console.press(keys);
                console.assert_clean();
                // What is typed or pasted there comes from others as well.
                for line in ["", "/", ":"] {
                    console.press(line);
                    console.take(&Term::Paste(text.to_owned()));
                    console.shell.refuse(text);
                    console.assert_clean();
                }
            }
        }
    }
}

#[test]
fn hostile_rules_and_faults_are_told_clean() {
    for text in HOSTILE {
        let mut cache = cache(text);
        cache.apply(Loaded::Base {
            runs: Vec::new(),
            entries: Vec::new(),
            decisions: Decisions::default(),
            rules: Err(text.to_owned()),
        });
        cache.apply(Loaded::Compared(Vec::new(), Err(text.to_owned())));
        for screen in Screen::ALL {
            console(screen, &cache).assert_clean();
        }
        cache.apply(Loaded::Fault(text.to_owned()));
        for screen in Screen::ALL {
            console(screen, &cache).assert_clean();
        }
    }
}

#[test]
fn hostile_text_is_copied_clean() {
    use crate::effect::Effect;
    for text in HOSTILE {
        let cache = cache(text);
        let mut copied = 0;
        for (screen, ways) in WAYS {
            for keys in ways {
                let mut console = console(screen, &cache);
                console.press(keys);
                if let Some(Effect::Copy(text)) = console.press("c") {
                    // Tabs stand between the cells of a row.
                    let is_clean = text.split(['\n', '\t']).all(is_clean);
                    assert!(is_clean, "{screen:?} {keys} copies {text:?}");
                    copied += 1;
                }
            }
        }
        assert!(copied >= 10, "only {copied} were copied");
    }
}
