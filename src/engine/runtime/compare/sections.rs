//! Compared runs as lines: who they are, then what differs, then what is the same.

use super::ComparedRun;
use pithead_core::domain::mind::spending::money;
use pithead_core::text::numbers::format_count;
use std::collections::BTreeSet;

/// One line of the comparison: what, and what each run has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonLine {
    pub name: String,
    pub values: Vec<String>,
}

impl ComparisonLine {
    /// The runs are not alike in this.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.values.windows(2).any(|two| two[0] != two[1])
    }
}

/// Lines under one title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonSection {
    /// Empty above the lines that say which runs these are.
    pub title: &'static str,
    pub lines: Vec<ComparisonLine>,
}

/// The runs, section by section; differences come first.
#[must_use]
pub fn sections(sides: &[ComparedRun]) -> Vec<ComparisonSection> {
    let (steps_apart, steps_alike) = steps(sides).into_iter().partition(ComparisonLine::differs);
    let (apart, alike): (Vec<_>, Vec<_>) = figures(sides)
        .into_iter()
        .partition(ComparisonLine::differs);
    let all = [
        ("", head(sides)),
        ("Steps that differ", steps_apart),
        ("Figures that differ", apart),
        ("Steps that are alike", steps_alike),
        ("Figures that are alike", alike),
    ];
    let section = |(title, lines)| ComparisonSection { title, lines };
    let filled = all.into_iter().filter(|(_, lines)| !lines.is_empty());
    filled.map(section).collect()
}

fn line(sides: &[ComparedRun], name: &str, of: impl Fn(&ComparedRun) -> String) -> ComparisonLine {
    ComparisonLine {
        name: name.to_owned(),
        values: sides.iter().map(of).collect(),
    }
}

fn head(sides: &[ComparedRun]) -> Vec<ComparisonLine> {
    let mut head = vec![
        line(sides, "run", |s| s.run.to_string()),
        line(sides, "task", |s| s.task.clone()),
    ];
    let is_forked = |s: &ComparedRun| s.forked_from.is_some();
    if sides.iter().any(is_forked) {
        head.push(line(sides, "forked from", |s| {
            s.forked_from
                .map_or("–".to_owned(), |(run, at)| format!("{run} at {at}"))
        }));
        head.push(line(sides, "left out", |s| {
            let out = s
                .left_out
                .iter()
                .map(|out| format!("{} ({})", out.id, out.title));
            let out: Vec<String> = out.collect();
            if out.is_empty() {
                "–".to_owned()
            } else {
                out.join(", ")
            }
        }));
    }
    head.push(line(sides, "outcome", |s| s.outcome.to_owned()));
    head.push(line(sides, "because", |s| {
        s.because.clone().unwrap_or_default()
    }));
    head
}

/// The steps of all plans, each in one line.
fn steps(sides: &[ComparedRun]) -> Vec<ComparisonLine> {
    let all = || sides.iter().flat_map(|side| &side.steps);
    let rows: BTreeSet<usize> = all().map(|step| step.row).collect();
    let of_row = |row: usize| {
        let what = all()
            .find(|step| step.row == row)
            .map_or("", |step| &step.what);
        line(sides, what, |side| {
            let step = side.steps.iter().find(|step| step.row == row);
            step.map_or("– in no plan".to_owned(), |step| {
                // More or less of the same is a difference too.
                let much = if step.what == what {
                    String::new()
                } else {
                    format!(", {}", step.what)
                };
                step.words() + &much
            })
        })
    };
    rows.into_iter().map(of_row).collect()
}

fn figures(sides: &[ComparedRun]) -> Vec<ComparisonLine> {
    let mut out = Vec::new();
    let mut line = |name: &str, of: &dyn Fn(&ComparedRun) -> String| {
        out.push(line(sides, name, of));
    };
    line("mind", &|s| s.mind.clone());
    line("system", &|s| s.system.clone());
    line("seed", &|s| s.seed.to_string());
    line("ticks", &|s| format_count(s.ticks));
    line("attempts", &|s| s.attempts.to_string());
    line("failed", &|s| s.failed_attempts.to_string());
    let reasons: BTreeSet<&str> = sides
        .iter()
        .flat_map(|side| side.failures_by_reason.keys().copied())
        .collect();
    for reason in reasons {
        line(reason, &|s| {
            let n = s.failures_by_reason.get(reason);
            n.copied().unwrap_or(0).to_string()
        });
    }
    line("replans", &|s| s.replans.to_string());
    line("entries learned", &|s| s.knowledge_added.to_string());
    line("entries used", &|s| s.knowledge_used.len().to_string());
    line("used only here", &|s| only(s, sides).join(" "));
    line("questions", &|s| s.costs.questions.to_string());
    line("tokens in", &|s| s.costs.tokens_in.to_string());
    line("tokens out", &|s| s.costs.tokens_out.to_string());
    line("money", &|s| money(s.costs.micros));
    line("mind, ms", &|s| s.costs.ms.to_string());
    line("took, ms", &|s| {
        s.wall_ms.map_or("–".to_owned(), |ms| ms.to_string())
    });
    out
}

/// Entries that this run used and none of the others.
fn only<'a>(side: &'a ComparedRun, sides: &[ComparedRun]) -> Vec<&'a str> {
    let elsewhere = |id: &str| {
        let others = sides.iter().filter(|other| other.run != side.run);
        others
            .flat_map(|other| &other.knowledge_used)
            .any(|used| used == id)
    };
    let own = side.knowledge_used.iter().map(String::as_str);
    own.filter(|id| !elsewhere(id)).collect()
}
