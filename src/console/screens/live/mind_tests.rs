//! The mind on the screen of a run: the answer as it comes, its questions, one of them in full.

use crate::cache::Cache;
use crate::context::{Context, Scene};
use crate::feed::{Feed, Script};
use crate::input::keymap::Keymap;
use crate::msg::Msg;
use crate::overlay::PageSubject;
use crate::screens::live::layout::Focus;
use crate::screens::live::state::RunMode;
use crate::session::Session;
use crate::shell::Shell;
use crate::testing::{running, screen, send, shell_of, story, text_of, view_of};
use crate::view::View;
use crate::widgets::scroll::Motion;
use pithead_core::domain::mind::role::MindRole;
use pithead_core::domain::mind::spending::Spent;
use pithead_core::domain::run::event::{Event, Recorded};
use pithead_core::text::clean::is_clean;
use pithead_core::text::hostile::HOSTILE;
use pithead_engine::mind::watch::{AnswerProgress, AnswerStage};
use pithead_engine::runtime::DriverStatus;
use pithead_engine::runtime::questions::{CallReply, MindCall};
use pithead_world::clock::Millis;
use pithead_world::ids::{CallId, Seq};
use ratatui::layout::Size;
use std::sync::Arc;

fn progress(said: &str) -> AnswerProgress {
    AnswerProgress {
        call: CallId(1),
        role: MindRole::Planner,
        model: "qwen".to_owned(),
        stage: AnswerStage::Answering {
            tokens: 1_234,
            first_token_ms: 80,
            said: said.to_owned(),
        },
        since: 1_000_000,
    }
}

fn thinking(said: &str, width: u16, height: u16) -> (View, Shell) {
    let mode = RunMode::Live(DriverStatus::Running);
    let mut shell = shell_of(mode, Size::new(width, height));
    shell.live.focus_on(Focus::Mind);
    shell.live.thinking = Some(progress(said));
    shell.live.now = Millis(1_012_000);
    (view_of(&running()), shell)
}

#[test]
fn the_answer_under_way_is_shown_as_it_comes() {
    for (width, height) in [(80, 24), (120, 36), (84, 50)] {
        let (view, mut shell) = thinking("{\"plan_id\": \"p1\",\n\"subgoals\": [", width, height);
        let text = screen(&view, &shell);
        assert!(text.contains("q1 planner · qwen"), "{text}");
        assert!(text.contains("\"subgoals\": ["), "{text}");
        // More comes: the end is in sight, whatever came before it.
        let long = "a line of reasons\n".repeat(60) + "the last word";
        shell.live.thinking = Some(progress(&long));
        let text = screen(&view, &shell);
        assert!(text.contains("the last word"), "{text}");
    }
    let (view, shell) = thinking("", 120, 36);
    let text = screen(&view, &shell);
    assert!(
        text.contains("1,234 tokens") && text.contains("12 s"),
        "{text}"
    );
    assert!(text.contains("The model reasons;"), "{text}");
}

#[test]
fn hostile_words_of_a_model_are_cleaned_as_they_come() {
    for text in HOSTILE {
        let (view, shell) = thinking(text, 120, 36);
        for line in screen(&view, &shell).lines() {
            assert!(is_clean(line), "{line:?}");
        }
    }
}

fn session(events: Vec<Recorded>) -> Session {
    let script = Script::of([events]);
    let size = Size::new(120, 36);
    Session::new(
        Feed::Scripted(script),
        Keymap::default(),
        size,
        Millis(1_000_000),
    )
}

fn think(session: &mut Session, said: Option<&str>) {
    if let Feed::Scripted(script) = &mut session.feed {
        script.thinking = said.map(progress);
    }
    session.fold(Millis(2_000_000)).unwrap();
}

#[test]
fn an_answer_comes_in_sight_when_it_begins_unless_a_question_waits() {
    let mut quiet = session(running().events);
    // The guardrail that waits in this story is decided first.
    quiet.fold(Millis(2_000_000)).unwrap();
    quiet.view.inbox.open.clear();
    assert_eq!(quiet.shell.live.decisions, Focus::Inbox);
    think(&mut quiet, Some("first"));
    assert_eq!(quiet.shell.live.decisions, Focus::Mind);
    assert!(text_of(&quiet.scene()).contains("first"));
    // A question of the run goes before it.
    let mut asked = session(story().events);
    think(&mut asked, Some("first"));
    assert_eq!(asked.shell.live.decisions, Focus::Inbox);
    // Whoever looks at it keeps it.
    asked.shell.live.focus_on(Focus::Mind);
    think(&mut asked, Some("first second"));
    assert_eq!(asked.shell.live.decisions, Focus::Mind);
}

/// A run that asked twice; the first answer was paid for.
fn asked_twice() -> View {
    let mut story = running();
    let asked = |event: &Event| matches!(event, Event::MindAsked { .. });
    let question = story.events.iter().find(|fact| asked(&fact.event)).unwrap();
    let Event::MindAsked { ask, .. } = question.event.clone() else {
        unreachable!("it was looked for")
    };
    story.say(Event::MindCharged {
        call: CallId(1),
        spent: Box::new(spent()),
    });
    let call = CallId(2);
    story.say(Event::MindAsked { call, ask });
    story.say(Event::AnswerRejected {
        call,
        fault: "no JSON".to_owned(),
    });
    view_of(&story)
}

fn spent() -> Spent {
    Spent {
        role: MindRole::Recall,
        server: "local".to_owned(),
        model: "qwen".to_owned(),
        tokens_in: 1_200,
        tokens_out: 340,
        tokens_cached: Some(512),
        counted: true,
        micros: Some(2_100),
        tries: 2,
        first_token_ms: Some(80),
        ms: 4_250,
        form: "text".to_owned(),
        fallback: None,
    }
}

#[test]
fn every_question_stands_in_the_list_with_its_tokens_and_seconds() {
    let view = asked_twice();
    let mode = RunMode::Live(DriverStatus::Running);
    let mut shell = shell_of(mode, Size::new(80, 24));
    shell.live.focus_on(Focus::Mind);
    let text = screen(&view, &shell);
    assert!(text.contains("✔ q1 recall"), "{text}");
    assert!(
        text.contains("1,200 → 340") && text.contains("4.2 s"),
        "{text}"
    );
    assert!(
        text.contains("✗ q2 recall") && text.contains("not readable"),
        "{text}"
    );
}

#[test]
fn a_question_is_read_in_full_and_one_goes_on_to_the_next() {
    let view = asked_twice();
    let [first, second] = [0, 1].map(|at| view.mind.questions[at].seq);
    let mode = RunMode::Live(DriverStatus::Running);
    let mut shell = shell_of(mode, Size::new(80, 40));
    send(&mut shell, &view, Msg::Mind);
    let subject = |shell: &Shell| shell.page().map(|page| page.subject.clone());
    assert_eq!(subject(&shell), Some(PageSubject::Asked(second)));
    send(&mut shell, &view, Msg::Move(Motion::Left));
    assert_eq!(subject(&shell), Some(PageSubject::Asked(first)));
    send(&mut shell, &view, Msg::Move(Motion::Left));
    assert_eq!(subject(&shell), Some(PageSubject::Asked(first)));
    let said = shell.toast.as_ref().map(|toast| toast.text.clone());
    assert_eq!(said.as_deref(), Some("this is the first question"));
    let mut cache = Cache::default();
    cache.debug.asked = Some(Arc::new(MindCall {
        seq: first,
        call: CallId(1),
        role: MindRole::Recall,
        system: "You recall.".to_owned(),
        user: "What is like this?".to_owned(),
        replies: vec![CallReply {
            seq: Seq(first.0 + 1),
            what: "answered in 3 ms".to_owned(),
            text: "Nothing is.".to_owned(),
        }],
        spent: Some(spent()),
    }));
    let text = text_of(&Scene {
        shell: &shell,
        cache: &cache,
        view: &view,
        pictures: None,
    });
    for part in [
        "You recall.",
        "What is like this?",
        "answered in 3 ms",
        "Nothing is.",
        "1,200 tokens in (512 cached), 340 out",
        "0.0021 · 4.2 s · 2",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let mut context = Context {
        shell: &mut shell,
        cache: &cache,
        view: &view,
    };
    crate::update::update(&mut context, Msg::Back);
    assert_eq!(subject(&shell), None);
}

#[test]
fn an_answer_under_way_is_read_on_the_page_of_its_question() {
    let view = asked_twice();
    let (_, mut shell) = thinking("so far so good", 80, 40);
    let seq = view.mind.questions[0].seq;
    shell.open_page(PageSubject::Asked(seq));
    let mut cache = Cache::default();
    cache.debug.asked = Some(Arc::new(MindCall {
        seq,
        call: CallId(1),
        role: MindRole::Planner,
        system: String::new(),
        user: "Plan.".to_owned(),
        replies: Vec::new(),
        spent: None,
    }));
    let text = text_of(&Scene {
        shell: &shell,
        cache: &cache,
        view: &view,
        pictures: None,
    });
    assert!(text.contains("The answer so far"), "{text}");
    assert!(text.contains("so far so good"), "{text}");
}

#[test]
fn tokens_money_and_seconds_by_role_and_phase_fit_a_terminal_of_eighty_columns() {
    let mode = RunMode::Live(DriverStatus::Running);
    let mut shell = shell_of(mode, Size::new(80, 24));
    let view = asked_twice();
    send(&mut shell, &view, Msg::Costs);
    let text = screen(&view, &shell);
    for part in [
        "tokens in",
        "out",
        "money",
        "seconds",
        "role recall",
        "phase recall",
        "total",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("1200") && text.contains("340"), "{text}");
    assert!(!text.contains('…'), "{text}");
}
