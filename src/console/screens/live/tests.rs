//! Screens as plain text at several sizes, and what must hold at every size.

use crate::msg::Msg;
use crate::overlay::{EditedText, OpenPage, Overlay, PageSubject};
use crate::screens::live::layout::Focus;
use crate::screens::live::state::{Confirm, ReplayState, RunMode, RunOverlay, RunPage};
use crate::shell::Shell;
use crate::testing::{
    Story, draw_run, entry, item, running, screen, send, shell_of, story, subgoal, view_of,
};
use crate::theme::{Role, Theme, names};
use crate::view::View;
use crate::widgets::scroll::Motion;
use pithead_core::domain::knowledge::Status;
use pithead_core::domain::plan::Executor;
use pithead_core::domain::run::decision::{GateKind, Policy, Subject};
use pithead_core::domain::run::event::Event;
use pithead_core::text::clean::is_clean;
use pithead_core::text::hostile::HOSTILE;
use pithead_engine::runtime::DriverStatus;
use pithead_world::action::Action;
use pithead_world::ids::{DecisionId, SubgoalId};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Size;

fn console(width: u16, height: u16) -> Shell {
    shell_of(
        RunMode::Live(DriverStatus::Running),
        Size::new(width, height),
    )
}

#[test]
fn the_live_screen() {
    insta::assert_snapshot!(
        "live_120x36",
        screen(&view_of(&running()), &console(120, 36))
    );
}

#[test]
fn the_live_screen_on_a_small_terminal() {
    insta::assert_snapshot!("live_80x24", screen(&view_of(&running()), &console(80, 24)));
}

#[test]
fn the_live_screen_on_a_tiny_terminal() {
    insta::assert_snapshot!("live_40x10", screen(&view_of(&running()), &console(40, 10)));
    insta::assert_snapshot!("live_1x1", screen(&view_of(&running()), &console(1, 1)));
}

#[test]
fn a_question_in_full() {
    let view = view_of(&story());
    let mut shell = console(80, 24);
    shell.live.now = view.at;
    send(&mut shell, &view, Msg::Inbox);
    insta::assert_snapshot!("decision_80x24", screen(&view, &shell));
}

#[test]
fn the_diagnosis_in_full() {
    let view = view_of(&story());
    let mut shell = console(80, 30);
    send(&mut shell, &view, Msg::Trace);
    insta::assert_snapshot!("trace_80x30", screen(&view, &shell));
}

#[test]
fn a_recording_shows_its_place() {
    let mut shell = console(80, 24);
    shell.live.mode = RunMode::Replay(ReplayState {
        at: 60,
        len: 120,
        playing: true,
        speed: 20,
        seeking: false,
    });
    let text = screen(&view_of(&running()), &shell);
    assert!(text.contains("▶ playing  event 60 of 120 ▕━━━"), "{text}");
    assert!(text.contains("pithead ▸ recording 42"), "{text}");
    assert!(text.contains("space play/stop"), "{text}");
}

/// Every overlay, over a view.
fn overlays(view: &View, size: Size) -> Vec<Shell> {
    let base = console(size.width, size.height);
    let with = |overlay: Overlay| {
        let mut shell = base.clone();
        shell.open_overlay(overlay);
        shell
    };
    let page = |subject: PageSubject, scroll: usize, seen: bool| {
        with(Overlay::Page(OpenPage {
            subject,
            scroll,
            seen,
        }))
    };
    let id = DecisionId(2);
    let mut zoomed = base.clone();
    (zoomed.live.zoom, zoomed.live.focus) = (true, Focus::Map);
    let mut all = vec![
        base.clone(),
        zoomed,
        page(PageSubject::Question(id), 2, false),
        page(PageSubject::Question(DecisionId(1)), 0, true),
        with(Overlay::Run(RunOverlay::Veto {
            id,
            text: "too \u{1b}[31mdeep".to_owned(),
        })),
        with(Overlay::Run(RunOverlay::Confirm(Confirm::Abort))),
        with(Overlay::Run(RunOverlay::Jump {
            text: "t34".to_owned(),
        })),
        page(PageSubject::Run(RunPage::Node(SubgoalId(6))), 0, false),
        page(PageSubject::Run(RunPage::Trace), 99, false),
    ];
    all.extend(Focus::ALL.map(|focus| {
        let mut shell = base.clone();
        shell.live.focus_on(focus);
        shell
    }));
    if let Some(open) = view.inbox.get(id) {
        let editor = crate::widgets::editor::Editor::open(open).unwrap();
        let mut shell = base.clone();
        shell.open_editor(EditedText::Question(id), editor);
        all.push(shell);
    }
    all
}

#[test]
fn the_screen_is_drawn_at_every_size() {
    let view = view_of(&story());
    let sizes = [
        (0, 0),
        (1, 1),
        (2, 1),
        (1, 9),
        (3, 3),
        (7, 4),
        (16, 4),
        (20, 6),
        (29, 8),
        (30, 8),
    ];
    let more = [
        (39, 11),
        (40, 10),
        (60, 16),
        (59, 50),
        (80, 24),
        (84, 46),
        (110, 28),
        (250, 12),
    ];
    for (width, height) in sizes.into_iter().chain(more) {
        for shell in overlays(&view, Size::new(width, height)) {
            screen(&view, &shell);
            screen(&View::default(), &shell);
        }
    }
}

#[test]
fn a_screen_that_shrinks_under_an_overlay_is_still_drawn() {
    let view = view_of(&story());
    for mut shell in overlays(&view, Size::new(120, 36)) {
        // The terminal is smaller than what the last resize told.
        let mut terminal = Terminal::new(TestBackend::new(12, 5)).unwrap();
        let theme = Theme::default_for(true);
        terminal
            .draw(|frame| draw_run(frame, &view, &shell, &theme))
            .unwrap();
        shell.size = Size::new(12, 5);
        terminal
            .draw(|frame| draw_run(frame, &view, &shell, &theme))
            .unwrap();
    }
}

/// A run in which every word of others is hostile.
fn hostile(text: &str) -> Story {
    let mut story = Story::new();
    if let Event::RunStarted { config } = &mut story.events[0].event {
        config.task.text = text.to_owned();
        config.mind = text.to_owned();
        config.profile.name = text.to_owned();
    }
    let mut step = subgoal(1, Executor::Mine, "iron_ore", 3);
    step.condition = text.to_owned();
    step.rationale = Some(text.to_owned());
    let mut bad = entry(2, Status::Proposed, text);
    let id = bad.id;
    if let pithead_core::domain::knowledge::Body::Guardrail(guardrail) = &mut bad.body {
        guardrail.avoid = text.to_owned();
    }
    story.say(Event::KnowledgeProposed {
        entry: Box::new(bad),
    });
    story.ask(1, GateKind::Guardrail, Subject::Knowledge(id), Policy::Ask);
    story.plan(1, vec![step.clone()], None).adopt(1);
    story.attempt(
        1,
        Action::Mine {
            item: item("iron_ore").into(),
            count: 3,
        },
        3,
    );
    story.failed(
        &step,
        pithead_core::domain::experience::diagnosis::FailureReason::NavStuck,
    );
    story.say(Event::CommandRefused {
        decision: None,
        command: text.to_owned(),
        because: text.to_owned(),
    });
    // A new step is shown with all that is said about it.
    step.id = pithead_world::ids::SubgoalId(2);
    story.plan(2, vec![step], Some(1));
    story.ask(
        2,
        GateKind::Replan,
        Subject::Plan(pithead_world::ids::Revision(2)),
        Policy::Ask,
    );
    story
}

#[test]
fn hostile_text_reaches_no_cell_of_any_screen() {
    for text in HOSTILE {
        let view = view_of(&hostile(text));
        for mut shell in overlays(&view, Size::new(100, 30)) {
            shell.refuse(text);
            let mut terminal = Terminal::new(TestBackend::new(100, 30)).unwrap();
            let theme = Theme::default_for(true);
            terminal
                .draw(|frame| draw_run(frame, &view, &shell, &theme))
                .unwrap();
            let buffer = terminal.backend().buffer();
            for cell in &buffer.content {
                assert!(is_clean(cell.symbol()), "{text:?} left {:?}", cell.symbol());
            }
            let saved = crate::export::svg(buffer, theme.paper);
            assert!(saved.lines().all(is_clean), "{text:?}");
        }
    }
}

#[test]
fn long_text_of_others_cannot_push_the_deciding_keys_away() {
    let flood = "approve me\n".repeat(3000);
    let view = view_of(&hostile(&flood));
    let mut shell = console(80, 24);
    send(&mut shell, &view, Msg::Inbox);
    assert!(screen(&view, &shell).contains("read on to the end"));
    send(&mut shell, &view, Msg::Move(Motion::Bottom));
    let last = screen(&view, &shell);
    let bar = last.lines().nth(21).unwrap();
    assert!(
        bar.contains("a approve   e edit   v veto with a reason"),
        "{last}"
    );
}

#[test]
fn no_meaning_depends_on_colour_alone() {
    let view = view_of(&story());
    let mut shown = names().into_iter().map(|name| {
        let theme = Theme::named(name).unwrap();
        let mut terminal = Terminal::new(TestBackend::new(120, 36)).unwrap();
        terminal
            .draw(|frame| draw_run(frame, &view, &console(120, 36), &theme))
            .unwrap();
        crate::export::text(terminal.backend().buffer())
    });
    let first = shown.next().unwrap();
    assert!(shown.all(|other| other == first));
}

#[test]
fn roles_become_styles() {
    let view = view_of(&story());
    let theme = Theme::named("dark").unwrap();
    let mut terminal = Terminal::new(TestBackend::new(120, 36)).unwrap();
    terminal
        .draw(|frame| draw_run(frame, &view, &console(120, 36), &theme))
        .unwrap();
    let buffer = terminal.backend().buffer();
    let sign = buffer
        .content
        .iter()
        .find(|cell| cell.symbol() == "✗")
        .unwrap();
    assert_eq!(Some(sign.fg), theme.style(Role::Bad).fg);
}

/// A picture of a bright sky over a dark hill.
fn hill() -> pithead_world::port::Pixels {
    let (width, height) = (40, 20);
    let pixel = |at: u32| {
        let (x, y) = (at % width, at / width);
        let is_sky = y + (x.abs_diff(20) / 2) < 10;
        if is_sky {
            [200, 220, 255]
        } else {
            [20, 60, 10]
        }
    };
    let rgb = (0..width * height).map(pixel).collect();
    pithead_world::port::Pixels { width, height, rgb }
}

#[test]
fn what_the_body_sees_stands_beside_the_rest_or_fills_a_small_screen() {
    let view = view_of(&running());
    for (width, height) in [(120, 36), (80, 24)] {
        let mut shell = console(width, height);
        send(&mut shell, &view, Msg::Look);
        assert!(screen(&view, &shell).contains("nothing seen yet"));
        shell.live.seen = Some(std::sync::Arc::new(hill()));
        insta::assert_snapshot!(format!("view_{width}x{height}"), screen(&view, &shell));
        send(&mut shell, &view, Msg::Look);
        assert!(!screen(&view, &shell).contains("what the body sees"));
    }
}

#[test]
fn in_colour_a_cell_holds_two_pixels() {
    let view = view_of(&running());
    let mut shell = console(80, 24);
    send(&mut shell, &view, Msg::Look);
    shell.live.seen = Some(std::sync::Arc::new(hill()));
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    let theme = Theme::default_for(false);
    let drawn = terminal
        .draw(|frame| draw_run(frame, &view, &shell, &theme))
        .unwrap();
    let cell = |x: u16, y: u16| drawn.buffer.cell((x, y)).unwrap();
    let colour = |[r, g, b]: [u8; 3]| ratatui::style::Color::Rgb(r, g, b);
    assert_eq!(cell(40, 5).symbol(), "▀");
    assert_eq!(cell(40, 5).fg, colour([200, 220, 255]));
    assert_eq!(cell(40, 21).bg, colour([20, 60, 10]));
}

#[test]
fn a_recording_says_that_it_has_no_pictures() {
    let mut shell = console(80, 24);
    shell.live.mode = RunMode::Replay(ReplayState::default());
    let view = view_of(&running());
    send(&mut shell, &view, Msg::Look);
    assert!(screen(&view, &shell).contains("not recorded"));
}

#[test]
fn pace_and_mind_stay_in_sight_on_a_narrow_screen() {
    let mut view = view_of(&running());
    view.pace = Some(8.0);
    for (width, height) in [(80, 24), (120, 36), (200, 60)] {
        let shown = screen(&view, &console(width, height));
        let status = shown.lines().find(|line| line.contains("executing"));
        let status = status.unwrap();
        for part in ["mind ", "pace ×8"] {
            assert!(status.contains(part), "{width}: {status}");
        }
    }
}

#[test]
fn a_title_loses_whole_parts_and_never_half_a_number() {
    for (width, height) in [(40, 10), (80, 24), (120, 36)] {
        let shown = screen(&view_of(&running()), &console(width, height));
        let (_, title) = shown.split_once("Plan · ").unwrap();
        let title = title.split(['━', '─']).next().unwrap();
        assert!(title.starts_with("r2") && !title.contains('…'), "{title}");
    }
}

#[test]
fn a_plan_that_waits_is_named_where_the_plan_will_stand() {
    let mut story = Story::new();
    story.plan(1, vec![subgoal(1, Executor::Mine, "oak_log", 1)], None);
    let subject = Subject::Plan(pithead_world::ids::Revision(1));
    story.ask(1, GateKind::Plan, subject, Policy::Ask);
    let shown = screen(&view_of(&story), &console(80, 24));
    assert!(shown.contains("waits for you: i"), "{shown}");
}
