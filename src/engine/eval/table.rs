//! Tables: a report in words, aligned for a terminal or as Markdown; the same cells in both.

use super::report::{GroupResult, Report, TaskResult};
use super::stats::{Milestone, Tally};
use pithead_core::domain::mind::reflection::{Disturbance, Trigger};
use pithead_core::text::numbers::count_with_noun;

/// Tasks that never succeeded and are named on a terminal; the files name all.
const NAMED_MAX: usize = 12;

/// A table before it is laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportTable {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// What it is an evaluation of, and success by group, for a terminal.
pub(super) fn short_text(report: &Report) -> String {
    head(report).join("\n") + "\n\n" + &aligned(&groups(report))
}

/// The same for a file that people read.
pub(super) fn short_markdown(report: &Report) -> String {
    let lines = head(report).into_iter().map(|line| format!("- {line}\n"));
    lines.collect::<String>() + "\n" + &piped(&groups(report))
}

/// For a terminal.
pub(super) fn text(report: &Report) -> String {
    let mut text = short_text(report);
    if !report.overall.failures_by_reason.is_empty() {
        text += &format!("\nfailed attempts\n{}", aligned(&failures(report)));
    }
    if !report.overall.reflections.is_empty() {
        text += &format!(
            "\nwhat set reflections off, and whose fault it was, percent\n{}",
            aligned(&reflections(report))
        );
    }
    if !report.overall.milestones.is_empty() {
        text += &format!(
            "\nmilestones, of all episodes\n{}",
            aligned(&milestones(report))
        );
    }
    let never = never(report);
    if !never.is_empty() {
        let tasks = count_with_noun(never.len(), "task", "tasks");
        text += &format!("\nnever succeeded: {tasks}\n");
        for task in never.iter().take(NAMED_MAX) {
            text += &format!("  {}\n", without_success(task));
        }
        if never.len() > NAMED_MAX {
            text += &format!("  and {} more\n", never.len() - NAMED_MAX);
        }
    }
    if !report.left_out.is_empty() {
        text += &format!("\n{}\n", left_out(report));
    }
    if report.published.is_empty() {
        return text;
    }
    text + "\npublished, percent (each differs: see below)\n"
        + &aligned(&published(report))
        + &differences(report)
        + "\n"
}

/// For a file that people read.
pub(super) fn markdown(report: &Report) -> String {
    let mut text = format!("# Evaluation of {}\n\n", report.suite);
    for line in head(report).iter().skip(1) {
        text += &format!("- {line}\n");
    }
    text += &format!("\n## Success\n\n{}", piped(&groups(report)));
    text += "\nRates are of episodes; intervals are Wilson's, 95 %. They treat episodes as independent; those of one seed share a world, so the true spread is larger.\n";
    text += &format!(
        "\n## Failed attempts by reason\n\n{}",
        piped(&failures(report))
    );
    if !report.overall.reflections.is_empty() {
        text += &format!(
            "\n## Reflections\n\nWhat set them off and whose fault it was, percent:\n\n{}",
            piped(&reflections(report))
        );
    }
    if !report.overall.milestones.is_empty() {
        text += &format!(
            "\n## Milestones\n\nFirst held at some tick, of all episodes:\n\n{}",
            piped(&milestones(report))
        );
    }
    if !report.published.is_empty() {
        text += "\n## Beside the papers\n\nPercent, as printed. None of these is the same experiment:\n\n";
        text += &format!(
            "{}\n{}\n",
            piped(&published(report)),
            differences(report).trim()
        );
    }
    text += &format!("\n## Tasks\n\n{}", piped(&tasks(report)));
    if !report.left_out.is_empty() {
        text += &format!("\n## Left out\n\n{}\n\n", left_out(report));
        for task in &report.left_out {
            text += &format!("- {}: {}\n", task.task, task.because);
        }
    }
    text += "\n## Doubts about the suite\n\n";
    for doubt in &report.doubts {
        text += &format!("- {doubt}\n");
    }
    text
}

/// What it is an evaluation of, one fact a line.
fn head(report: &Report) -> Vec<String> {
    let pattern = report.pattern.as_ref();
    let mut lines = vec![
        format!("{}: {}", report.suite, report.title),
        format!(
            "{}{}, seeds {}{}{}",
            count_with_noun(report.tasks, "task", "tasks"),
            pattern.map_or(String::new(), |pattern| format!(" ({pattern})")),
            report.seeds,
            if report.own_worlds {
                ", a world for each episode"
            } else {
                ""
            },
            if report.complete { "" } else { ", INCOMPLETE" }
        ),
        format!("mind {}, system {}", report.mind, report.system),
        knowledge(report),
    ];
    lines.extend(report.aids.iter().cloned());
    lines
}

/// What the episodes know, and whether they learn.
fn knowledge(report: &Report) -> String {
    let base = report.base.as_ref().map(ToString::to_string);
    let mut line = match (report.knowledge, base) {
        ("shared", None) => "knowledge: one base, all episodes learn in order".to_owned(),
        ("shared", Some(base)) => {
            format!("knowledge: one base that begins with {base}, all episodes learn in order")
        }
        (_, None) => "knowledge: each episode begins with none".to_owned(),
        (_, Some(base)) => format!("knowledge: each episode begins with {base}"),
    };
    if report.frozen {
        line += ", frozen: no episode learns";
    }
    if report.hold_out > 0 {
        line += &format!(", hold-out: each entry withheld with {} %", report.hold_out);
    }
    line
}

pub(super) fn groups(report: &Report) -> ReportTable {
    let names = [
        "group",
        "tasks",
        "episodes",
        "success",
        "rate",
        "95 %",
        "attempts",
        "failed",
        "replans",
        "RC",
        "ticks",
        "to success",
        "void",
    ];
    let row = |name: &str, tasks: usize, left: usize, tally: &Tally| {
        let tasks = if left == 0 {
            tasks.to_string()
        } else {
            format!("{tasks} (-{left})")
        };
        vec![
            name.to_owned(),
            tasks,
            tally.episodes.to_string(),
            tally.successes.to_string(),
            tally
                .rate
                .map_or("-".to_owned(), |rate| format!("{rate:.1}")),
            interval(tally),
            tally.attempts.to_string(),
            tally.failed_attempts.to_string(),
            format!("{:.1}", tally.replans),
            tally.rc.map_or("-".to_owned(), |rc| format!("{rc:.1}")),
            format!("{:.0}", tally.ticks),
            tally
                .ticks_to_success
                .map_or("-".to_owned(), |t| format!("{t:.0}")),
            tally.void.to_string(),
        ]
    };
    let each = |group: &GroupResult| row(&group.group, group.tasks, group.left_out, &group.tally);
    let mut rows: Vec<Vec<String>> = report.groups.iter().map(each).collect();
    rows.push(row(
        "all",
        report.tasks,
        report.left_out.len(),
        &report.overall,
    ));
    ReportTable {
        head: names.map(str::to_owned).to_vec(),
        rows,
    }
}

fn interval(tally: &Tally) -> String {
    let interval = tally.wilson95;
    if tally.episodes == 0 {
        return "-".to_owned();
    }
    format!("{:.1}-{:.1}", interval.low, interval.high)
}

/// When the items of the tech tree were first held.
pub(super) fn milestones(report: &Report) -> ReportTable {
    let head = ["item", "episodes", "share", "median tick"];
    let row = |one: &Milestone| {
        vec![
            one.item.to_owned(),
            one.reached.to_string(),
            format!("{:.1}", one.share),
            one.median_tick.to_string(),
        ]
    };
    ReportTable {
        head: head.map(str::to_owned).to_vec(),
        rows: report.overall.milestones.iter().map(row).collect(),
    }
}

pub(super) fn failures(report: &Report) -> ReportTable {
    let reasons: Vec<&String> = report.overall.failures_by_reason.keys().collect();
    let row = |name: &str, tally: &Tally| {
        let count = |reason: &&String| tally.failures_by_reason.get(*reason).copied().unwrap_or(0);
        std::iter::once(name.to_owned())
            .chain(reasons.iter().map(|reason| count(reason).to_string()))
            .collect()
    };
    let groups = report.groups.iter().filter(|g| g.tally.failed_attempts > 0);
    let mut rows: Vec<Vec<String>> = groups.map(|g| row(&g.group, &g.tally)).collect();
    rows.push(row("all", &report.overall));
    let head = std::iter::once("group".to_owned()).chain(reasons.iter().map(|r| (*r).clone()));
    ReportTable {
        head: head.collect(),
        rows,
    }
}

/// What set reflections off and what was at fault, as shares of all reflections (Metagent-P, Figure 5).
pub(super) fn reflections(report: &Report) -> ReportTable {
    let triggers = Trigger::ALL.map(Trigger::name);
    let faults = Disturbance::ALL.map(Disturbance::name);
    let row = |name: &str, tally: &Tally| {
        let count = |name: &&str| tally.reflections.get(*name).copied().unwrap_or(0);
        let share = |names: &[&str]| -> Vec<String> {
            let all: u64 = names.iter().map(count).sum();
            let percent = |n: u64| format!("{:.0}", 100.0 * n as f64 / all as f64);
            let cell = |n| if all == 0 { "-".to_owned() } else { percent(n) };
            names.iter().map(count).map(cell).collect()
        };
        let all: u64 = triggers.iter().map(count).sum();
        [name.to_owned(), all.to_string()]
            .into_iter()
            .chain(share(&triggers))
            .chain(share(&faults))
            .collect()
    };
    let groups = report
        .groups
        .iter()
        .filter(|g| !g.tally.reflections.is_empty());
    let mut rows: Vec<Vec<String>> = groups.map(|g| row(&g.group, &g.tally)).collect();
    rows.push(row("all", &report.overall));
    let head = ["group", "reflections"]
        .into_iter()
        .chain(triggers)
        .chain(faults);
    ReportTable {
        head: head.map(str::to_owned).collect(),
        rows,
    }
}

/// The papers' rows under our own.
pub(super) fn published(report: &Report) -> ReportTable {
    let groups: Vec<&str> = report.groups.iter().map(|g| g.group.as_str()).collect();
    let head = ["", "all"].into_iter().chain(groups.iter().copied());
    let percent = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.1}"));
    let mut ours = vec!["here".to_owned(), percent(report.overall.rate)];
    ours.extend(report.groups.iter().map(|g| percent(g.tally.rate)));
    let mut rows = vec![ours];
    for row in &report.published {
        // Their overall is that of all tasks; beside a part of them it would mislead.
        let overall = row.overall.filter(|_| report.pattern.is_none());
        let mut cells = vec![row.label.clone(), percent(overall)];
        cells.extend(groups.iter().map(|g| percent(row.groups.get(*g).copied())));
        rows.push(cells);
    }
    ReportTable {
        head: head.map(str::to_owned).collect(),
        rows,
    }
}

fn differences(report: &Report) -> String {
    let line = |row: &super::published::Published| {
        format!("- {}: {} ({})\n", row.label, row.differs, row.source)
    };
    report.published.iter().map(line).collect()
}

pub(super) fn tasks(report: &Report) -> ReportTable {
    let row = |task: &TaskResult| {
        let Tally {
            episodes,
            successes,
            replans,
            ticks_to_success,
            ..
        } = &task.tally;
        vec![
            task.task.clone(),
            task.instruction.clone(),
            format!("{successes}/{episodes}"),
            format!("{replans:.1}"),
            ticks_to_success.map_or("-".to_owned(), |t| format!("{t:.0}")),
            task.obstacle.clone().unwrap_or_default(),
        ]
    };
    let head = [
        "task",
        "instruction",
        "success",
        "replans",
        "ticks",
        "commonest obstacle",
    ];
    ReportTable {
        head: head.map(str::to_owned).to_vec(),
        rows: report.by_task.iter().map(row).collect(),
    }
}

fn never(report: &Report) -> Vec<&TaskResult> {
    let never = |task: &&TaskResult| task.tally.episodes > 0 && task.tally.successes == 0;
    report.by_task.iter().filter(never).collect()
}

fn without_success(task: &TaskResult) -> String {
    let why = task
        .obstacle
        .as_deref()
        .unwrap_or("no failure was recorded");
    format!("{} {}: {why}", task.task, task.instruction)
}

pub(super) fn left_out(report: &Report) -> String {
    let rate = report
        .rate_of_all
        .map_or("-".to_owned(), |rate| format!("{rate:.1} %"));
    format!(
        "left out: {} that the world does not allow as worded, or that no check decides; counted as failures, the rate is {rate}",
        count_with_noun(report.left_out.len(), "task", "tasks")
    )
}

pub(super) fn aligned(table: &ReportTable) -> String {
    let all = || std::iter::once(&table.head).chain(&table.rows);
    let width = |column: usize| {
        let cells = all().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.head.len()).map(width).collect();
    let mut text = String::new();
    for row in all() {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            if column == 0 {
                line += &format!("{cell:<width$}");
            } else {
                line += &format!("  {cell:>width$}");
            }
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

pub(super) fn piped(table: &ReportTable) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = format!("|{}\n", "---|".repeat(table.head.len()));
    let rows: String = table.rows.iter().map(|row| line(row)).collect();
    line(&table.head) + &rule + &rows
}
