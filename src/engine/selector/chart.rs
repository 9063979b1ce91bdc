//! The calibration chart: what was predicted against what it took, both on a scale of powers of ten.

use super::evaluate::Calibration;
use plotters::prelude::*;

const SIZE: (u32, u32) = (480, 420);
const BLUE: RGBColor = RGBColor(0, 114, 178);
const GREY: RGBColor = RGBColor(160, 160, 160);

/// An SVG with a dot for each group and the line on which perfect predictions lie.
pub fn calibration_chart(groups: &[Calibration]) -> Result<String, String> {
    let mut text = String::new();
    draw(&mut text, groups).map_err(|error| error.to_string())?;
    Ok(text)
}

fn draw(text: &mut String, groups: &[Calibration]) -> Result<(), Box<dyn std::error::Error>> {
    let most = groups
        .iter()
        .map(|g| f64::from(g.predicted).max(g.took as f64))
        .fold(10.0, f64::max);
    let range = (1.0..most * 1.5).log_scale();
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d(range.clone(), range)?;
    chart
        .configure_mesh()
        .x_desc("predicted ticks (median of a tenth)")
        .y_desc("ticks it took (median)")
        .light_line_style(WHITE)
        .draw()?;
    chart.draw_series(LineSeries::new(
        [(1.0, 1.0), (most, most)],
        GREY.stroke_width(1),
    ))?;
    chart.draw_series(groups.iter().map(|g| {
        let at = (f64::from(g.predicted).max(1.0), (g.took as f64).max(1.0));
        Circle::new(at, 4, BLUE.filled())
    }))?;
    area.present()?;
    drop(chart);
    drop(area);
    Ok(())
}
