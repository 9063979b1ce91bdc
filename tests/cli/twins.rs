//! What a key of the console does, a command does too, and prints one JSON document about it.
//!
//! The match over messages has no wildcard: a new message of the console names its command here, or says that it
//! only changes what is in sight. Each command is carried out on a database.

use super::pithead;
use pithead_console::effect::LeaveChoice;
use pithead_console::input::bindings::ROWS;
use pithead_console::msg::{CurateMsg, DebugMsg, Msg, TextMsg};
use pithead_console::screen::Screen;
use pithead_console::screens::knowledge::state::StudyKind;
use pithead_console::triage::TriageKind;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// The commands for a key, on a run that is over (1), a fork of it that is left (2) and a guardrail (k1.1).
#[rustfmt::skip]
fn twins(msg: Msg) -> &'static [&'static str] {
    match msg {
        Msg::PauseOrResume => &["tell 2 pause --json", "tell 2 resume --json"],
        Msg::PauseSoon => &["tell 2 pause soon --json"],
        Msg::Step => &["tell 2 step --json"],
        Msg::Slower | Msg::Faster => &["tell 2 pace x4 --json"],
        Msg::Abort => &["tell 2 abort done --json"],
        Msg::TakeOver => &["tell 2 act mine oak_log 1 --json"],
        Msg::TakeBack => &["tell 2 withdraw sg_1 --json", "kb undo k1.1 --json"],
        Msg::Limit => &["tell 2 limit ticks 24000 --json"],
        Msg::Replan => &["tell 2 replan flooded --json"],
        Msg::Retry => &["tell 2 retry sg_1 --json"],
        Msg::Approve => &["kb approve k1.1 --json", "tell 1 approve d1 --json"],
        Msg::Edit | Msg::Outside => &["kb edit k1.1 --body k1.yaml --reason odd --json"],
        Msg::Veto => &["kb veto k1.2 --reason wrong --json", "tell 1 veto d2 wrong --json"],
        Msg::Undo => &["kb undo k1.1 --json"],
        Msg::Rule => &["config gates --set plan=ask --json", "tell 2 gate plan=ask --json"],
        Msg::Rules | Msg::Remove => &["config gates --json"],
        Msg::Triage(TriageKind::Assign) => &["triage k1.1 --assign ada --json"],
        Msg::Triage(TriageKind::Snooze) => &["triage k1.1 --snooze 2h --json"],
        Msg::Triage(TriageKind::Comment) => &["triage 1 --comment odd --json"],
        Msg::Leave(LeaveChoice::Ended) | Msg::AbortRuns => &["runs abort 2 --reason done --json"],
        Msg::ResumeRuns => &["runs resume 2 --dry-run --json"],
        Msg::Delete => &["runs delete 2 --dry-run --json"],
        Msg::NewRun => &["run craft~a~stick --headless --json"],
        Msg::Continue => &["resume 2 --headless --json"],
        Msg::SaveView | Msg::Views => &["config views runs --save odd --filter odd --json"],
        // What is looked at.
        Msg::Inbox | Msg::Alike => &["inbox --json"],
        Msg::Decided => &["kb history k1.1 --json", "show 1 --json"],
        Msg::Policy => &["show 1 --json"],
        Msg::Mind => &["show 1 --questions --json"],
        Msg::Costs => &["show 1 --costs --json"],
        Msg::Trace => &["explain 1 1 --json"],
        Msg::Compare => &["runs compare 1 2 --json"],
        Msg::Causes => &["runs causes --json"],
        Msg::Evidence => &["kb show k1.1 --json"],
        Msg::Options | Msg::AllOptions => &["memory options --json"],
        Msg::Circumstances => &["memory options --by --json"],
        Msg::Lineage => &["kb lineage k1.1 --json"],
        Msg::Help => &["config keys --json"],
        Msg::Replay(_) | Msg::Jump | Msg::CopyMoment => &["replay 1 --headless --json"],
        Msg::Go(Screen::Home | Screen::Live) => &["status --json"],
        Msg::Go(Screen::Knowledge) => &["kb list --json"],
        Msg::Go(Screen::Runs) => &["runs list --json"],
        Msg::Go(Screen::Evaluate) => &["evals --json"],
        Msg::Debug(msg) => debug_twins(msg),
        Msg::Curate(msg) => curation_twins(msg),
        // Only what is in sight, and which console commands, changes by these.
        Msg::FocusNext | Msg::FocusPrevious | Msg::Move(_) | Msg::Open | Msg::Back | Msg::Fold | Msg::Unfold
        | Msg::Zoom | Msg::Look | Msg::Quit | Msg::Suspend | Msg::Redraw | Msg::Seat | Msg::Yes | Msg::Submit
        | Msg::Go(_) | Msg::HistoryBack | Msg::HistoryForward | Msg::Palette | Msg::Filter | Msg::Columns | Msg::Sort
        | Msg::SortReverse | Msg::Mark | Msg::MarkRange | Msg::MarkAll | Msg::Copy | Msg::NextTheme
        | Msg::NextPictures | Msg::Mouse | Msg::Export | Msg::Sheet
        | Msg::Leave(LeaveChoice::Running | LeaveChoice::Stopped)
        | Msg::Text(TextMsg::SwitchForm | TextMsg::Undo | TextMsg::Redo | TextMsg::ToFault) => &[],
    }
}

#[rustfmt::skip]
fn debug_twins(msg: DebugMsg) -> &'static [&'static str] {
    match msg {
        DebugMsg::Set | DebugMsg::Reset => &["explain 1 1 --set nav_variance=0.5 --json"],
        DebugMsg::Relabel => &["explain --all --set nav_variance=0.5 --json"],
        DebugMsg::Overrule => &["explain 1 FAILED --overrule NAV_STUCK --reason held --json"],
        DebugMsg::Where | DebugMsg::WhereNext => &["find 1 inv~oak_log~>=~1 --json"],
        DebugMsg::Wrote => &["find 1 --wrote y --json"],
        DebugMsg::Bookmark | DebugMsg::Bookmarks => &["runs bookmarks 1 --set 9 --note odd --json"],
        DebugMsg::Break | DebugMsg::Breaks => &["tell 2 break tick=40 --json"],
        DebugMsg::Side => &["explain 1 1 --json"],
        DebugMsg::Fork | DebugMsg::ForkPoint | DebugMsg::ForkKeep => &["fork 1 --before a2 --keep-decisions --only --json"],
        DebugMsg::ForkWithout => &["fork 1 --at 9 --without k1.1 --only --json"],
        DebugMsg::ForkThresholds => &["fork 1 --at 9 --set nav_variance=0.5 --only --json"],
        DebugMsg::ForkPlan => &["show 1 --plan --json"],
        DebugMsg::Show => &["replay 1 --headless --json"],
        DebugMsg::LeapBack | DebugMsg::LeapOn | DebugMsg::TurnBack | DebugMsg::TurnOn | DebugMsg::First
        | DebugMsg::Last => &[],
    }
}

#[rustfmt::skip]
fn curation_twins(msg: CurateMsg) -> &'static [&'static str] {
    match msg {
        CurateMsg::Retire | CurateMsg::RetireRight => &["kb retire k1.3 --reason old --json"],
        CurateMsg::Restore => &["kb restore k1.3 --json"],
        CurateMsg::History => &["kb history k1.1 --json"],
        CurateMsg::RollBack => &["kb restore k1.1 --version 1 --json"],
        CurateMsg::Queue => &["kb stats --json"],
        CurateMsg::MergeLeft | CurateMsg::MergeRight => &["kb merge SKILL OTHER --dry-run --json"],
        CurateMsg::KeepBoth => &["kb keep SKILL OTHER --reason both --dry-run --json"],
        CurateMsg::Study(StudyKind::Backtest | StudyKind::Edit) => &["kb backtest k1.1 --json"],
        CurateMsg::Study(StudyKind::Trial) => &["kb trial k1.1 --seeds 1..1 --budget 200 --jobs 1 --json"],
        CurateMsg::Study(StudyKind::Effect) => &["kb effect k1.1 --json"],
    }
}

fn json(folder: &Path, line: &str) -> (i32, Value) {
    let output = pithead(folder, line);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let fault = String::from_utf8_lossy(&output.stderr).into_owned();
    let read = serde_json::from_str(&text);
    let read = read.unwrap_or_else(|error| panic!("{line}: {error}: {text}{fault}"));
    (output.status.code().unwrap_or(-1), read)
}

/// With its log: a process that was stopped while it closed the file leaves one.
fn copy_database(from: &Path, to: &Path) {
    for name in ["pithead.db", "pithead.db-wal"] {
        let file = from.join(name);
        if file.exists() {
            std::fs::copy(file, to.join(name)).unwrap();
        }
    }
}

#[test]
fn every_act_of_the_console_has_a_command_that_prints_json() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let ask = "--seed 7 --headless --gate skill=ask --gate guardrail=ask --json";
    json(folder, &format!("run craft~an~iron~pickaxe {ask}"));
    let (_, shown) = json(folder, "show 1 --json");
    let attempts = shown["attempts"].as_array().unwrap();
    let failed = attempts.iter().find(|one| one["success"] == false);
    let failed = failed.unwrap()["attempt"].to_string();
    let (_, base) = json(folder, "kb list --kind skill --json");
    let skills = base.as_array().unwrap();
    let skill = |at: usize| skills[at]["id"].as_str().unwrap();
    let entry = pithead(folder, "kb show k1.1 --body");
    std::fs::write(folder.join("k1.yaml"), entry.stdout).unwrap();
    let lines: BTreeSet<&str> = ROWS
        .iter()
        .flat_map(|row| twins(row.msg))
        .copied()
        .collect();
    for line in lines {
        // Each on a run of its own to act on, and with the knowledge as it was.
        let copy = tempfile::tempdir().unwrap();
        copy_database(folder, copy.path());
        json(copy.path(), "fork 1 --at 9 --only --json");
        let file = folder.join("k1.yaml");
        let line = line
            .replace("FAILED", failed.trim_matches('"'))
            .replace("SKILL", skill(0))
            .replace("OTHER", skill(1))
            .replace("k1.yaml", &file.to_string_lossy());
        if line.starts_with("kb undo") {
            json(copy.path(), "kb approve k1.1 --json");
        }
        if line.starts_with("kb restore k1.3") {
            json(copy.path(), "kb veto k1.3 --reason old --json");
        }
        let (code, told) = json(copy.path(), &line);
        assert!(told.is_object() || told.is_array(), "{line}: {told}");
        // What a run refuses is told in the same form.
        let is_refused = code == 1 && told["because"].is_string();
        assert!(code == 0 || is_refused, "{line}: {code}: {told}");
    }
}
