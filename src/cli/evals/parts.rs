//! The detail page of an evaluation: the tables of its report, and curves as charts.

use pithead_console::screens::evaluate::Part;
use pithead_console::screens::evaluate::chart::{Chart, Line, Value};
use pithead_engine::eval::published::Published;
use pithead_engine::eval::{Curve, PassResult, Report, ReportTable};

fn part(title: &str, table: ReportTable) -> Part {
    let ReportTable { head, rows } = table;
    Part::Table {
        title: title.to_owned(),
        head,
        rows,
    }
}

pub(super) fn suite_parts(report: &Report) -> Vec<Part> {
    let mut parts = vec![part("Success by group, percent", report.by_group())];
    if !report.overall.failures_by_reason.is_empty() {
        parts.push(part("Failed attempts by reason", report.by_reason()));
    }
    parts.push(part(
        "Compared with the papers, percent: none of these is the same experiment",
        report.beside_papers(),
    ));
    let differs = |row: &Published| format!("{}: {} ({})", row.label, row.differs, row.source);
    parts.push(Part::Text {
        title: "What differs".to_owned(),
        lines: report.published.iter().map(differs).collect(),
    });
    parts.push(Part::Text {
        title: "Aids and what is simulated".to_owned(),
        lines: [format!("mind {}", report.mind)]
            .into_iter()
            .chain(report.aids.iter().cloned())
            .chain(report.not_played())
            .collect(),
    });
    parts.push(part("Tasks", report.each_task()));
    parts
}

pub(super) fn curve_parts(curve: &Curve) -> Vec<Part> {
    let chart = |title: &str, of: fn(&PassResult) -> Value| {
        let lines: Vec<Line> = curve
            .systems
            .iter()
            .map(|system| Line {
                name: system.system.clone(),
                points: system.passes.iter().map(of).collect(),
            })
            .collect();
        let values = lines.iter().flat_map(|line| &line.points);
        Chart {
            title: title.to_owned(),
            most: values.map(|point| point.0).fold(1.0, f64::max),
            lines,
        }
    };
    let success = chart("Success by pass, percent", |p| {
        let wilson = p.tally.wilson95;
        (p.tally.rate.unwrap_or(0.0), Some((wilson.low, wilson.high)))
    });
    vec![
        Part::Chart(Chart {
            most: 100.0,
            ..success
        }),
        Part::Chart(chart("Failed attempts per task, by pass", |p| {
            (p.failed_per_episode, None)
        })),
        part("By pass", curve.by_pass()),
        part("By group, percent", curve.by_group()),
        part("Failed attempts per task by reason", curve.by_reason()),
        part(
            "Paired differences of lives with the same seed, 95 %",
            curve.by_pair(),
        ),
        Part::Text {
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
