//! The Home screen: what goes on, what is opened and started from it.

use super::{console, run};
use crate::cache::Loaded;
use crate::effect::Effect;
use crate::overlay::Overlay;
use crate::screen::Screen;
use crate::screens::home::launch::{Launch, NamedServer, ResumeConsent};
use crate::screens::home::wall::LiveRun;
use crate::screens::inbox::decisions::Decisions;
use crate::widgets::table::ListItem;
use pithead_core::domain::run::decision::Gates;
use pithead_engine::launch::RunAim;
use pithead_world::ids::RunId;
use pithead_world::port::{Account, ServerSpec};

#[test]
fn the_home_screen() {
    let mut console = console(Screen::Home, 100, 36);
    let mut live = run(4, "obtain a diamond", None, 2);
    live.alive = true;
    let mut runs = console.cache.runs.clone();
    runs.push(live);
    console.cache.apply(Loaded::Base {
        runs,
        entries: console.cache.entries.clone(),
        decisions: Decisions::default(),
        rules: Ok(Gates::default()),
    });
    let doing = LiveRun {
        doing: "sg_9 mine iron_ore ×3".to_owned(),
        is_paused: false,
        pace: Some(8.0),
    };
    console
        .cache
        .apply(Loaded::Wall([(RunId(4), doing)].into()));
    console.shell.settle(&console.cache);
    insta::assert_snapshot!("home_100x36", console.screen());
    // What waits is decided in the inbox.
    let waiting = console.cache.table(Screen::Inbox).unwrap().rows[0].item;
    let list = console.shell.lists.entry(Screen::Home).or_default();
    list.selected = Some(waiting);
    console.press("⏎");
    let here = console.shell.item(&console.cache);
    assert_eq!((console.shell.screen, here), (Screen::Inbox, Some(waiting)));
    console.press("HH");
    let list = console.shell.lists.entry(Screen::Home).or_default();
    list.selected = Some(ListItem::Run(RunId(4)));
    assert_eq!(console.press("⏎"), Some(Effect::OpenRun(RunId(4))));
}

#[test]
fn what_home_names_opens_and_groups_of_tasks_unfold() {
    let mut console = console(Screen::Home, 100, 60);
    assert_eq!(
        console.press("jj⏎"),
        Some(Effect::OpenRun(RunId(2))),
        "it failed last"
    );
    console.press("j⏎");
    assert!(console.shell.entry_in_hand().is_some());
    console.press("⎋/again⏎");
    console.press("⏎");
    assert!(console.screen().contains("craft a furnace"));
    assert!(matches!(console.shell.overlay(), Some(Overlay::NewRun(_))));
    console.press("⎋⎋");
    assert!(!console.screen().contains("mcu70/wooden/01"));
    let group = ListItem::Group(0);
    console
        .shell
        .lists
        .entry(Screen::Home)
        .or_default()
        .selected = Some(group);
    console.press("⏎");
    assert!(
        console.screen().contains("▌▾ mcu70"),
        "{}",
        console.screen()
    );
    assert!(console.screen().contains("mcu70/wooden/01"));
    console.press("⏎");
    assert!(!console.screen().contains("mcu70/wooden/01"));
}

#[test]
fn a_run_is_described_and_started() {
    let mut console = console(Screen::Home, 80, 24);
    let list = console.shell.lists.entry(Screen::Home).or_default();
    list.selected = Some(ListItem::New);
    assert_eq!(console.press("⏎craft an iron pickaxe"), None);
    insta::assert_snapshot!("start_80x24", console.screen());
    let Some(Effect::Begin(Launch::Start(wanted))) = console.press("⏎") else {
        panic!("it was not started: {}", console.said())
    };
    assert_eq!(
        wanted.aim,
        RunAim::Words("craft an iron pickaxe".to_owned())
    );
    assert_eq!(
        (wanted.seed, wanted.mind.as_str()),
        (7, "builtin:competent")
    );
    // It stays open until the run is there.
    assert!(matches!(console.shell.overlay(), Some(Overlay::NewRun(_))));
    console.press("⎋");
    assert_eq!(console.shell.overlays, []);
}

#[test]
fn a_published_task_is_started_from_its_row() {
    let mut console = console(Screen::Home, 100, 24);
    console.press("/mcu70 diamond⏎");
    let begun = console.press("⏎⏎");
    let Some(Effect::Begin(Launch::Start(wanted))) = begun else {
        panic!("it was not started: {}", console.said())
    };
    assert!(matches!(wanted.aim, RunAim::Suite(task) if task.id.starts_with("mcu70")));
}

#[test]
fn a_run_that_was_left_is_gone_on_with_and_others_say_why_not() {
    let mut console = console(Screen::Home, 100, 24);
    let begun = Some(Effect::Begin(Launch::Resume(RunId(3))));
    assert_eq!(console.press("⏎"), begun);
    console.press("5");
    assert_eq!(console.press("r"), begun);
    assert_eq!(console.press("jr"), None);
    assert_eq!(console.said(), "run 2 is over; enter plays it");
}

#[test]
fn a_server_elsewhere_is_joined_after_a_yes_and_its_name_is_read() {
    let mut console = console(Screen::Home, 100, 24);
    let named = NamedServer {
        run: RunId(3),
        server: ServerSpec {
            host: "play.example.org".to_owned(),
            port: 25_565,
            player: "pithead_7".to_owned(),
            version: None,
            place: None,
            account: Account::default(),
        },
    };
    let wants = ResumeConsent::JoinServer(named.clone());
    console.shell.open_overlay(Overlay::Consent(wants.clone()));
    assert!(console.screen().contains("play.example.org:25565"));
    assert_eq!(console.press("⎋"), None);
    assert_eq!(console.said(), "run 3 was not resumed");
    console.shell.open_overlay(Overlay::Consent(wants));
    let begun = Effect::Begin(Launch::ResumeJoining(named));
    assert_eq!(console.press("y"), Some(begun));
}
