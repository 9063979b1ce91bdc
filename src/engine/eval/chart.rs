//! Charts: lines over passes as an SVG, with spans where there are any.

use plotters::prelude::*;

const SIZE: (u32, u32) = (720, 420);
/// Five that are distinguished by people who see colours differently, on white.
const COLOURS: [RGBColor; 5] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(90, 90, 90),
];
/// Lines lie side by side, so that spans do not hide each other.
const ASIDE: f64 = 0.03;

/// The room to the right of the last pass, for the names of the lines: a share of the width.
const LEGEND_SHARE: f64 = 0.28;

/// More numbers below the chart would run into each other.
const X_LABELS_MAX: usize = 30;

/// From, to.
type Span = (f64, f64);

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) name: String,
    /// x, y, and the span of y.
    pub(super) points: Vec<(f64, f64, Option<Span>)>,
}

/// Draws the lines, from 0 to `most`.
pub(super) fn svg(axes: (&str, &str), most: f64, lines: &[Line]) -> Result<String, String> {
    let mut text = String::new();
    draw(&mut text, axes, most, lines).map_err(|error| error.to_string())?;
    Ok(text)
}

fn draw(
    text: &mut String,
    (title, x_name): (&str, &str),
    most: f64,
    lines: &[Line],
) -> Result<(), Box<dyn std::error::Error>> {
    let last = lines
        .iter()
        .flat_map(|line| &line.points)
        .map(|p| p.0)
        .fold(1.0, f64::max);
    let right = 0.7 + (last - 0.4) / (1.0 - LEGEND_SHARE);
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d(0.7..right, 0.0..most)?;
    chart
        .configure_mesh()
        .x_desc(x_name)
        .y_desc(title)
        .x_labels((right as usize).min(X_LABELS_MAX))
        .x_label_formatter(&|x| {
            let is_pass = *x <= last && x.fract() == 0.0;
            if is_pass {
                format!("{x:.0}")
            } else {
                String::new()
            }
        })
        .disable_x_mesh()
        .light_line_style(WHITE)
        .draw()?;
    for (n, line) in lines.iter().enumerate() {
        let colour = COLOURS[n % COLOURS.len()];
        let aside = ASIDE * (n as f64 - (lines.len() as f64 - 1.0) / 2.0);
        let points = line.points.iter().map(|(x, y, _)| (x + aside, *y));
        chart
            .draw_series(LineSeries::new(points.clone(), colour.stroke_width(2)))?
            .label(&line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        chart.draw_series(points.map(|point| Circle::new(point, 3, colour.filled())))?;
        let spans = line
            .points
            .iter()
            .filter_map(|(x, _, span)| Some((x + aside, (*span)?)));
        chart.draw_series(
            spans.map(|(x, (low, high))| PathElement::new([(x, low), (x, high)], colour.mix(0.6))),
        )?;
    }
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.2))
        .position(SeriesLabelPosition::UpperRight)
        .draw()?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_names_its_lines() {
        let line = |name: &str, y| Line {
            name: name.to_owned(),
            points: vec![(1.0, y, Some((y - 5.0, y + 5.0))), (2.0, y + 10.0, None)],
        };
        let text = svg(
            ("success", "pass over all tasks"),
            100.0,
            &[line("one", 20.0), line("other", 40.0)],
        )
        .unwrap();
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        for word in ["success", "one", "other", "pass over all tasks"] {
            assert!(text.contains(word), "{word}");
        }
    }
}
