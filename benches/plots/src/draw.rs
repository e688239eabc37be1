//! The plots.

use std::fs;

use plotters::prelude::*;

use crate::Result;
use crate::scaling::Points;

const SIZE: (u32, u32) = (720, 400);
const FONT: (&str, u32) = ("sans-serif", 16);

/// Colours for readers with a dark screen. A style has precedence over the attributes that the plotter writes.
const DARK: &str = r##"
<style>
@media (prefers-color-scheme: dark) {
rect[fill="#FFFFFF"] { fill: #0d1117; }
text { fill: #e6edf3; }
[stroke="#000000"] { stroke: #e6edf3; }
[stroke="#0000FF"] { stroke: #79a8ff; }
[fill="#0000FF"] { fill: #79a8ff; }
[stroke="#FF0000"] { stroke: #ff7b72; }
[fill="#FF0000"] { fill: #ff7b72; }
}
</style>
"##;

/// GB/s over bytes, both in powers.
pub(crate) fn sizes(path: &str, points: &Points) -> Result<()> {
    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let most = points.iter().map(|point| point.1).fold(1.0, f64::max);
    let least = points.iter().map(|point| point.1).fold(1.0, f64::min);
    let mut chart = ChartBuilder::on(&area)
        .caption("Upload and wait, emulator, one stream", FONT)
        .margin(12)
        .margin_right(40)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(6.0..28.0, (least..most * 1.5).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("bytes")
        .y_desc("GB/s")
        .x_labels(12)
        .max_light_lines(1)
        .bold_line_style(BLACK.mix(0.15))
        .x_label_formatter(&|exponent: &f64| bytes_in_words(exponent.exp2()))
        .y_label_formatter(&rate_in_words)
        .draw()?;
    chart.draw_series(LineSeries::new(
        points.iter().copied(),
        BLUE.stroke_width(2),
    ))?;
    chart.draw_series(dots(points, BLUE))?;
    area.present()?;
    drop(chart);
    drop(area);
    for_dark_screens(path)
}

/// Millions of uploads per second over streams and devices.
pub(crate) fn scaling(path: &str, streams: &Points, devices: &Points) -> Result<()> {
    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let both = streams.iter().chain(devices);
    let most = both.map(|point| point.1).fold(0.0, f64::max);
    let mut chart = ChartBuilder::on(&area)
        .caption("Uploads of 64 bytes, emulator", FONT)
        .margin(12)
        .margin_right(40)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(0.5..8.5, 0.0..most * 1.2)?;
    chart
        .configure_mesh()
        .x_desc("streams of one thread, or devices with a thread each")
        .y_desc("millions per second")
        .x_labels(9)
        .max_light_lines(1)
        .bold_line_style(BLACK.mix(0.15))
        .x_label_formatter(&|count| format!("{count:.0}"))
        .draw()?;
    let series = [("streams", streams, BLUE), ("devices", devices, RED)];
    for (name, points, color) in series {
        chart
            .draw_series(LineSeries::new(
                points.iter().copied(),
                color.stroke_width(2),
            ))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color));
        chart.draw_series(dots(points, color))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()?;
    area.present()?;
    drop(chart);
    drop(area);
    for_dark_screens(path)
}

/// Puts the colours for a dark screen behind the first line, which opens the picture.
fn for_dark_screens(path: &str) -> Result<()> {
    let picture = fs::read_to_string(path)?;
    Ok(fs::write(path, picture.replacen('\n', DARK, 1))?)
}

type Dots = Vec<Circle<(f64, f64), i32>>;

fn dots(points: &Points, color: RGBColor) -> Dots {
    let dot = |point: &(f64, f64)| Circle::new(*point, 3, color.filled());
    points.iter().map(dot).collect()
}

/// 4096 is 4 KiB.
fn bytes_in_words(bytes: f64) -> String {
    let units = [(f64::from(1 << 20), "MiB"), (f64::from(1 << 10), "KiB")];
    let unit = units.into_iter().find(|(size, _)| bytes >= *size);
    let (size, name) = unit.unwrap_or((1.0, "B"));
    format!("{:.0} {name}", bytes / size)
}

/// Every 1, 2 and 5: the numbers between them would overlap on an axis in powers.
fn rate_in_words(rate: &f64) -> String {
    let digit = rate / 10_f64.powf(rate.log10().floor());
    match digit.round() as u8 {
        1 | 2 | 5 => format!("{rate}"),
        _ => String::new(),
    }
}
