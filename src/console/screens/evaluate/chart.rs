//! Charts in cells: a sign for each line at each pass, `│` for its interval; read without colour too.
//!
//! ```text
//!  50 ┤    ●│
//!     ┤    │▲        ● steve-evolving  ▲ no-skills
//! ```
//! Invariant: lines lie side by side within a pass, so that no interval hides another one.

use crate::theme::Role;
use crate::widgets::rich::Rich;
use pithead_engine::eval::listing::LineChart;

/// Rows of the drawing.
const HEIGHT: usize = 11;
/// Columns before the axis.
const SCALE: usize = 5;
/// Signs of the lines; there are more than systems.
const SIGNS: [char; 10] = ['●', '▲', '■', '◆', '✚', '○', '△', '□', '◇', '✕'];
const ROLES: [Role; 5] = [
    Role::Good,
    Role::Notice,
    Role::Running,
    Role::Key,
    Role::Bad,
];

/// A cell of the drawing.
type Mark = Option<(Role, char)>;

/// The chart in lines: title, drawing, axis, and which sign is which line.
#[must_use]
pub fn chart_lines(chart: &LineChart, width: usize) -> Vec<Rich> {
    let mut out = vec![Rich::text(Role::Title, &chart.title)];
    let passes = chart
        .lines
        .iter()
        .map(|line| line.points.len())
        .max()
        .unwrap_or(0);
    let room = width.saturating_sub(SCALE + 2);
    // A column for each line and one between two passes, or as many passes as there is room for.
    let cluster = chart.lines.len() + 1;
    let each = (room / passes.max(1)).clamp(cluster, 4 * cluster);
    let shown = passes.min(room / each.max(1));
    if shown == 0 || chart.most <= 0.0 {
        out.push(Rich::text(Role::Faint, "nothing to draw yet"));
        return out;
    }
    let first = passes - shown;
    let mut cells: Vec<Vec<Mark>> = vec![vec![None; shown * each]; HEIGHT];
    for (at, line) in chart.lines.iter().enumerate() {
        let points = line.points.iter().skip(first);
        for (pass, (value, span)) in points.enumerate() {
            let column = pass * each + (each - chart.lines.len()) / 2 + at;
            let role = ROLES[at % ROLES.len()];
            if let Some((low, high)) = span {
                let (top, bottom) = (row(*high, chart.most), row(*low, chart.most));
                for cells in &mut cells[top..=bottom] {
                    cells[column] = Some((role, '│'));
                }
            }
            let sign = SIGNS[at % SIGNS.len()];
            cells[row(*value, chart.most)][column] = Some((role, sign));
        }
    }
    for (at, row) in cells.iter().enumerate() {
        out.push(scale(at, chart.most).with_rest(&drawn(row)));
    }
    out.push(axis(first, shown, each));
    legend(&mut out, chart, width);
    if first > 0 {
        let told = format!("the last {shown} of {passes} passes; a wider terminal shows more");
        out.push(Rich::text(Role::Faint, told));
    }
    out
}

/// The row of a value; the top one is 0.
fn row(value: f64, most: f64) -> usize {
    let share = if value.is_finite() {
        (value / most).clamp(0.0, 1.0)
    } else {
        0.0
    };
    HEIGHT - 1 - (share * (HEIGHT - 1) as f64).round() as usize
}

/// The scale names its top, its middle and its foot.
fn scale(at: usize, most: f64) -> Rich {
    let value = most * (HEIGHT - 1 - at) as f64 / (HEIGHT - 1) as f64;
    let is_named = at == 0 || at == HEIGHT - 1 || at == HEIGHT / 2;
    let text = if !is_named {
        String::new()
    } else if most >= 10.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    };
    Rich::text(Role::Faint, format!("{text:>SCALE$} ┤"))
}

fn drawn(row: &[Mark]) -> Rich {
    let mut out = Rich::new();
    for mark in row {
        match mark {
            Some((role, sign)) => out.add(*role, sign.to_string()),
            None => out.add(Role::Text, " "),
        }
    }
    out
}

/// The numbers of the passes, each in the middle of its columns.
fn axis(first: usize, shown: usize, each: usize) -> Rich {
    let numbers: String = (1..=shown)
        .map(|pass| format!("{:^each$}", first + pass))
        .collect();
    Rich::text(Role::Faint, format!("{:>SCALE$}  {numbers}", "pass"))
}

/// Which sign is which line, in as many rows as it takes.
fn legend(out: &mut Vec<Rich>, chart: &LineChart, width: usize) {
    let indent = || Rich::text(Role::Text, " ".repeat(SCALE + 1));
    let mut row = indent();
    for (at, line) in chart.lines.iter().enumerate() {
        let sign = SIGNS[at % SIGNS.len()];
        let part = Rich::text(ROLES[at % ROLES.len()], format!(" {sign} "))
            .and(Role::Text, format!("{} ", line.name));
        if row.width() + part.width() > width && row.width() > SCALE + 1 {
            out.push(std::mem::replace(&mut row, indent()).cut(width));
        }
        row.append(&part);
    }
    out.push(row.cut(width));
    if chart
        .lines
        .iter()
        .flat_map(|l| &l.points)
        .any(|p| p.1.is_some())
    {
        out.push(indent().and(Role::Faint, " │ 95 % interval").cut(width));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pithead_engine::eval::listing::ChartLine;

    fn chart(lines: usize, passes: usize) -> LineChart {
        let line = |at: usize| ChartLine {
            name: format!("system-{at}"),
            points: (0..passes)
                .map(|pass| {
                    let value = (20 * at + 10 * pass) as f64;
                    (value, Some((value - 15.0, value + 15.0)))
                })
                .collect(),
        };
        LineChart {
            title: "success, percent".to_owned(),
            most: 100.0,
            lines: (0..lines).map(line).collect(),
        }
    }

    #[test]
    fn lines_have_signs_of_their_own_and_intervals_beside_each_other() {
        let drawn: Vec<String> = chart_lines(&chart(3, 2), 60)
            .iter()
            .map(Rich::plain)
            .collect();
        insta::assert_snapshot!(drawn.join("\n"));
    }

    #[test]
    fn any_width_and_any_number_of_passes_are_drawn_within_the_width() {
        for (many, passes) in [(0, 0), (1, 1), (5, 3), (5, 200), (12, 2)] {
            for width in [0, 1, 8, 20, 80, 200] {
                for line in chart_lines(&chart(many, passes), width).iter().skip(1) {
                    let plain = line.plain();
                    let fits = plain.chars().count() <= width.max(SCALE + 2);
                    let is_word = plain.starts_with("nothing") || plain.starts_with("the last");
                    assert!(fits || is_word, "{width}: `{plain}`");
                }
            }
        }
        let few = chart_lines(&chart(5, 200), 80);
        assert!(
            few.last()
                .unwrap()
                .plain()
                .ends_with("of 200 passes; a wider terminal shows more")
        );
    }

    #[test]
    fn values_that_are_no_numbers_lie_at_the_foot() {
        assert_eq!(row(f64::NAN, 100.0), HEIGHT - 1);
        assert_eq!((row(-5.0, 100.0), row(500.0, 100.0)), (HEIGHT - 1, 0));
    }
}
