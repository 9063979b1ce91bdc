//! The sections of an evaluation's detail page: the tables of its report, and curves as charts.
//!
//! Invariant: the cells are those of the report, so the page and the files agree.

use super::curve::{Curve, PassResult};
use super::listing::{ChartLine, ChartValue, EvalSection, LineChart};
use super::published::Published;
use super::report::Report;
use super::table::ReportTable;

fn table_section(title: &str, table: ReportTable) -> EvalSection {
    let ReportTable { head, rows } = table;
    EvalSection::Table {
        title: title.to_owned(),
        head,
        rows,
    }
}

pub(super) fn suite_sections(report: &Report) -> Vec<EvalSection> {
    let mut sections = vec![table_section(
        "Success by group, percent",
        report.by_group(),
    )];
    if !report.overall.failures_by_reason.is_empty() {
        sections.push(table_section(
            "Failed attempts by reason",
            report.by_reason(),
        ));
    }
    if !report.overall.reflections.is_empty() {
        sections.push(table_section(
            "What set reflections off, and whose fault it was, percent",
            report.reflections(),
        ));
    }
    sections.push(table_section(
        "Compared with the papers, percent: none of these is the same experiment",
        report.beside_papers(),
    ));
    let differs = |row: &Published| format!("{}: {} ({})", row.label, row.differs, row.source);
    sections.push(EvalSection::Text {
        title: "What differs".to_owned(),
        lines: report.published.iter().map(differs).collect(),
    });
    sections.push(EvalSection::Text {
        title: "Aids and what is simulated".to_owned(),
        lines: [format!("mind {}", report.mind)]
            .into_iter()
            .chain(report.aids.iter().cloned())
            .chain(report.not_played())
            .collect(),
    });
    sections.push(table_section("Tasks", report.each_task()));
    sections
}

pub(super) fn curve_sections(curve: &Curve) -> Vec<EvalSection> {
    let chart = |title: &str, of: fn(&PassResult) -> ChartValue| {
        let lines: Vec<ChartLine> = curve
            .systems
            .iter()
            .map(|system| ChartLine {
                name: system.system.clone(),
                points: system.passes.iter().map(of).collect(),
            })
            .collect();
        let values = lines.iter().flat_map(|line| &line.points);
        LineChart {
            title: title.to_owned(),
            most: values.map(|point| point.0).fold(1.0, f64::max),
            lines,
        }
    };
    let success_title = match curve.held_out {
        Some(_) => "Success on held-out seeds by checkpoint, percent",
        None => "Success by pass, percent",
    };
    let success = chart(success_title, |p| {
        let wilson = p.tally.wilson95;
        (p.tally.rate.unwrap_or(0.0), Some((wilson.low, wilson.high)))
    });
    vec![
        EvalSection::Chart(LineChart {
            most: 100.0,
            ..success
        }),
        EvalSection::Chart(chart("Failed attempts per task, by pass", |p| {
            (p.failed_per_episode, None)
        })),
        table_section("By pass", curve.by_pass()),
        table_section("By group, percent", curve.by_group()),
        table_section("Failed attempts per task by reason", curve.by_reason()),
        table_section(
            "Paired differences of lives with the same seed, 95 %",
            curve.by_pair(),
        ),
        EvalSection::Text {
            title: "Compared with the paper".to_owned(),
            lines: vec![
                curve.comparison(),
                format!(
                    "mind {}, controller {}; embedded world, not Minecraft",
                    curve.mind, curve.controller
                ),
            ],
        },
    ]
}
