//! Tables of the documentation that are made from the program.
//!
//! Each is between `<!-- NAME: begin -->` and `<!-- NAME: end -->`. With UPDATE_DOCS=1 the tests
//! write them; the last column of a table that has meanings is kept, since people write it.

use super::{path_of, text_of};
use pithead::config::file::Settings;
use pithead_console::input::keys;
use pithead_core::diagnosis::table::predicate_names;
use pithead_core::domain::check::{CHECK_KINDS, Check};
use pithead_core::domain::experience::diagnosis::FailureReason;
use pithead_core::domain::experience::thresholds::{KNOBS, Thresholds};
use pithead_core::domain::run::budget::{Budget, Limits};
use pithead_core::domain::run::decision::{GateKind, Gates, Policy};
use pithead_core::domain::run::event::Event;
use serde::Serialize;

/// Marks the place where a person has to write what a new row means.
const UNWRITTEN: &str = "TO BE WRITTEN";

/// Compares the sections of a document with what the program generates, or writes them.
#[track_caller]
fn check(document: &str, sections: &[(&str, String)]) {
    let mut text = text_of(document);
    let mut outdated = Vec::new();
    for (name, made) in sections {
        let (before, old, after) = section(document, &text, name);
        assert!(
            !made.contains(UNWRITTEN),
            "{document}: a row of `{name}` is new; write its last column:\n{made}"
        );
        if old != made {
            outdated.push(*name);
            text = format!("{before}{made}{after}");
        }
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path_of(document), text).unwrap();
    } else {
        assert!(
            outdated.is_empty(),
            "{document} is out of date in {outdated:?}; write it again with\n    \
             UPDATE_DOCS=1 cargo test --test all docs"
        );
    }
}

/// The text before, in and after a section; the markers belong to before and after.
#[track_caller]
fn section<'a>(document: &str, text: &'a str, name: &str) -> (&'a str, &'a str, &'a str) {
    let (begin, end) = (
        format!("<!-- {name}: begin -->\n"),
        format!("<!-- {name}: end -->"),
    );
    let start = text.find(&begin).map(|at| at + begin.len());
    let start = start.unwrap_or_else(|| panic!("{document} has no line `{}`", begin.trim_end()));
    let stop = text[start..].find(&end).map(|at| at + start);
    let stop = stop.unwrap_or_else(|| panic!("{document} has no line `{end}`"));
    (&text[..start], &text[start..stop], &text[stop..])
}

/// A table whose last column is taken from the document, row by row, by the first column.
#[track_caller]
fn with_meanings(document: &str, name: &str, head: &[&str], rows: &[Vec<String>]) -> String {
    let text = text_of(document);
    let (_, old, _) = section(document, &text, name);
    let meaning_of = |first: &str| {
        let row = old
            .lines()
            .find(|line| line.starts_with(&format!("| {first} |")))?;
        let last = row.trim_end_matches('|').rsplit(" | ").next()?;
        Some(last.trim().to_owned())
    };
    let mut out = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        let meaning = meaning_of(&row[0]).unwrap_or_else(|| UNWRITTEN.to_owned());
        out += &format!("| {} | {meaning} |\n", row.join(" | "));
    }
    out
}

/// The fields of a value as it is stored, with their defaults. `full` has a value in every field, since
/// those that hold none are not stored.
fn fields(full: impl Serialize, default: impl Serialize) -> Vec<Vec<String>> {
    let json = |value| match value {
        serde_json::Value::Object(fields) => fields,
        other => panic!("not a structure: {other}"),
    };
    let defaults = json(serde_json::to_value(default).unwrap());
    let names = json(serde_json::to_value(full).unwrap());
    let shown = |name: &str| {
        defaults
            .get(name)
            .map_or("none".to_owned(), ToString::to_string)
    };
    let row = |name: &String| vec![format!("`{name}`"), shown(name)];
    names.keys().map(row).collect()
}

/// The names that a table of the configuration file takes, as the parser lists them when it refuses one.
fn settings(table: &str) -> Vec<String> {
    let fault = toml::from_str::<Settings>(&format!("[{table}]\nno_such_setting = 1"));
    let fault = fault.unwrap_err().to_string();
    let (_, known) = fault.split_once("expected").unwrap();
    known
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

fn setting_rows() -> Vec<Vec<String>> {
    let tables = [
        ("[llm]", "llm"),
        ("[llm.servers.NAME]", "llm.servers.a"),
        ("[llm.roles.ROLE]", "llm.roles.a"),
        ("[llm.prices.MODEL]", "llm.prices.a"),
        ("[llm.budget]", "llm.budget"),
        ("[console]", "console"),
        ("[notices]", "notices"),
    ];
    // Tables below [llm] are rows of their own.
    let is_table = |name: &str| ["servers", "roles", "prices", "budget"].contains(&name);
    let mut rows = Vec::new();
    for (shown, table) in tables {
        for name in settings(table) {
            if table != "llm" || !is_table(&name) {
                rows.push(vec![format!("`{shown} {name}`")]);
            }
        }
    }
    rows
}

fn gate_rows() -> Vec<Vec<String>> {
    let policy = |gates: &Gates, kind| {
        let policy = gates.0.get(&kind).copied().unwrap_or(Policy::Auto);
        format!("`{policy}`")
    };
    let (console, headless) = (Gates::console(), Gates::headless());
    let row = |kind: GateKind| {
        let waits = if kind.blocks_run() { "yes" } else { "no" };
        vec![
            format!("`{}`", kind.name()),
            waits.to_owned(),
            policy(&console, kind),
            policy(&headless, kind),
        ]
    };
    GateKind::ALL.into_iter().map(row).collect()
}

fn budget_rows() -> Vec<Vec<String>> {
    let default = Budget::default();
    let full = Budget {
        tokens: Some(1),
        micros: Some(1),
        ..default
    };
    fields(full, default)
}

fn limit_rows() -> Vec<Vec<String>> {
    let default = Limits::default();
    let questions = default.goal_questions_max;
    let full = Limits {
        attempt_seconds: Some(1),
        goal_questions_max: questions + 1,
        ..default
    };
    let mut rows = fields(full, default);
    // It is not written where it is as set.
    let unwritten = rows.iter_mut().find(|row| row[0] == "`goal_questions_max`");
    if let Some(row) = unwritten {
        row[1] = questions.to_string();
    }
    rows
}

fn threshold_table() -> String {
    let defaults = serde_json::to_value(Thresholds::default()).unwrap();
    let mut out =
        "| Threshold | Default | Range | What it bounds |\n|---|---|---|---|\n".to_owned();
    for setting in &KNOBS {
        let unit = if setting.unit == "1" {
            ""
        } else {
            setting.unit
        };
        let (least, most) = setting.range;
        let default = format!("{} {unit}", defaults[setting.name]);
        out += &format!(
            "| `{}` | {} | {least} to {most} | {} |\n",
            setting.name,
            default.trim_end(),
            setting.about
        );
    }
    out
}

/// Each failure reason with its class and the predicates that speak for it, in their order.
fn reason_table() -> String {
    let mut out = "| `reason` | `fail_type` | Predicates |\n|---|---|---|\n".to_owned();
    for reason in FailureReason::ALL {
        let speaking = predicate_names().filter(|(_, label)| *label == reason);
        let names: Vec<&str> = speaking.map(|(name, _)| name).collect();
        let names = if names.is_empty() {
            "no predicate holds".to_owned()
        } else {
            names.join("; ")
        };
        let class = reason.fail_type().name();
        out += &format!("| `{}` | `{class}` | {names} |\n", reason.name());
    }
    out
}

fn check_table() -> String {
    let mut out = "| Check | True when |\n|---|---|\n".to_owned();
    for (name, meaning) in CHECK_KINDS {
        out += &format!("| `{name}` | {meaning} |\n");
    }
    out
}

#[test]
fn the_formats_list_every_check_and_the_predicates_of_every_reason() {
    const DOCUMENT: &str = "docs/FORMATS.md";
    let fault = serde_json::from_str::<Check>(r#"{"check":"no_such"}"#).unwrap_err();
    let fault = fault.to_string();
    let (_, known) = fault.split_once("expected").unwrap();
    let known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
    let listed = CHECK_KINDS.map(|(name, _)| name);
    assert_eq!(known, listed, "the kinds of checks and their meanings");
    let sections = [("checks", check_table()), ("reasons", reason_table())];
    check(DOCUMENT, &sections);
}

#[test]
fn every_kind_of_event_is_explained() {
    let fault = serde_json::from_str::<Event>(r#"{"event":"no.such"}"#).unwrap_err();
    let fault = fault.to_string();
    let (_, known) = fault.split_once("expected").unwrap();
    let kinds: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
    assert!(kinds.len() > 50, "the kinds were not found: {fault}");
    let text = text_of("docs/FORMATS.md");
    let missing: Vec<&&str> = kinds
        .iter()
        .filter(|kind| !text.contains(&format!("`{kind}`")))
        .collect();
    assert!(
        missing.is_empty(),
        "docs/FORMATS.md does not explain {missing:?}"
    );
}

#[test]
fn the_reference_lists_what_the_program_has() {
    const DOCUMENT: &str = "docs/REFERENCE.md";
    let table = |name, head: &[&str], rows: &[Vec<String>]| {
        (name, with_meanings(DOCUMENT, name, head, rows))
    };
    check(
        DOCUMENT,
        &[
            ("commands", pithead::commands_markdown()),
            ("keys", keys::markdown()),
            table("settings", &["Setting", "Meaning"], &setting_rows()),
            table(
                "gates",
                &[
                    "Gate",
                    "The run waits",
                    "In the console",
                    "Without a console",
                    "Asked before",
                ],
                &gate_rows(),
            ),
            table("budget", &["Field", "Default", "Meaning"], &budget_rows()),
            table("limits", &["Limit", "Default", "Meaning"], &limit_rows()),
        ],
    );
}

#[test]
fn the_debugging_guide_lists_every_reason_and_threshold() {
    const DOCUMENT: &str = "docs/DEBUGGING.md";
    let row = |reason: FailureReason| {
        let name = format!("`{}`", reason.name());
        vec![name, reason.meaning().to_owned()]
    };
    let rows = FailureReason::ALL.map(row);
    let head = ["Reason", "Meaning", "What to do"];
    let reasons = ("reasons", with_meanings(DOCUMENT, "reasons", &head, &rows));
    check(DOCUMENT, &[reasons, ("thresholds", threshold_table())]);
}
