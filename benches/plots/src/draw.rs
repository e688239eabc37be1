//! The plots: a line joins the medians, a band reaches from the lower to the upper quartile, and a thin line at each point
//! from the lowest to the highest value.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::Result;
use crate::measured::{Measured, Point};

const SIZE: (u32, u32) = (760, 440);
const TITLE: (&str, u32) = ("sans-serif", 24);
const FONT: (&str, u32) = ("sans-serif", 18);
const LEGEND: &str = "line: median of all sweeps; band: quartiles; thin lines: lowest to highest";

const INK: RGBColor = RGBColor(0x1c, 0x20, 0x24);
const GRID: RGBColor = RGBColor(0xd5, 0xda, 0xe0);
/// The colours of the lines. They differ for readers who do not see all colours, too.
const FIRST: RGBColor = RGBColor(0x0b, 0x57, 0xa4);
const SECOND: RGBColor = RGBColor(0xb4, 0x4a, 0x00);

/// Colours for readers with a dark screen. A style has precedence over the attributes that the plotter writes.
const DARK: &str = r##"
<style>
@media (prefers-color-scheme: dark) {
rect[fill="#FFFFFF"] { fill: #0d1117; }
[fill="#1C2024"] { fill: #e6edf3; }
[stroke="#1C2024"] { stroke: #e6edf3; }
[stroke="#D5DAE0"] { stroke: #343b43; }
[stroke="#0B57A4"] { stroke: #7cb7f5; }
[fill="#0B57A4"] { fill: #7cb7f5; }
[stroke="#B44A00"] { stroke: #ffa657; }
[fill="#B44A00"] { fill: #ffa657; }
}
</style>
"##;

type Chart<'c, 's> = ChartContext<'c, SVGBackend<'s>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;

/// All plots, with the names of their files.
pub(crate) fn all(measured: &Measured) -> Result<[(&'static str, String); 2]> {
    Ok([
        ("sizes.svg", picture(|area| sizes(area, &measured.sizes))?),
        (
            "scaling.svg",
            picture(|area| scaling(area, &measured.streams, &measured.devices))?,
        ),
    ])
}

/// A picture with colours for both kinds of screens.
fn picture(draw: impl FnOnce(&Area<'_>) -> Result<()>) -> Result<String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        draw(&area)?;
        area.present()?;
    }
    // Behind the first line, which opens the picture.
    Ok(text.replacen('\n', DARK, 1))
}

/// GB/s over bytes, both in powers of two.
fn sizes(area: &Area<'_>, points: &[Point]) -> Result<()> {
    let points: Vec<Point> = points.to_vec();
    let lowest = points.iter().map(|point| point.quarters(0));
    let lowest = lowest.fold(1.0, f64::min).log2().floor();
    let highest = points.iter().map(|point| point.quarters(4));
    let highest = highest.fold(1.0, f64::max).log2().ceil();
    head(area, "Upload and wait on the emulator, one stream")?;
    let mut chart = builder(area).build_cartesian_2d(5.5..28.5, lowest..highest)?;
    chart
        .configure_mesh()
        .x_desc("bytes of an upload")
        .y_desc("GB/s")
        .x_labels(12)
        .y_labels((highest - lowest) as usize + 1)
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(INK)
        .label_style(FONT.into_font().color(&INK))
        .x_label_formatter(&|exponent: &f64| {
            // The others would touch each other.
            if (exponent - 6.0) % 4.0 == 0.0 {
                bytes_in_words(exponent.exp2())
            } else {
                String::new()
            }
        })
        .y_label_formatter(&power_of_two)
        .draw()?;
    let line = Line::new(&points, FIRST, |point| point.place, f64::log2);
    line.draw(&mut chart)
}

/// Millions of uploads per second over streams and devices.
fn scaling(area: &Area<'_>, streams: &[Point], devices: &[Point]) -> Result<()> {
    let highest = streams.iter().chain(devices);
    let highest = highest.map(|point| point.quarters(4)).fold(1.0, f64::max);
    head(area, "Queued uploads of 64 bytes on the emulator")?;
    let mut chart = builder(area).build_cartesian_2d(-0.3..3.6, 0.0..highest * 1.05)?;
    chart
        .configure_mesh()
        .x_desc("streams of one thread, or devices with a thread each")
        .y_desc("millions per second")
        .x_labels(5)
        .y_labels(8)
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(INK)
        .label_style(FONT.into_font().color(&INK))
        .x_label_formatter(&power_of_two)
        .y_label_formatter(&|rate| format!("{rate:.0}"))
        .draw()?;
    let lines = [
        ("streams", streams, FIRST, -0.02),
        ("devices", devices, SECOND, 0.02),
    ];
    for (name, points, color, shift) in lines {
        // A little to the side, so that neither hides the other.
        let line = Line::new(
            points,
            color,
            |point| point.place.log2() + shift,
            |rate| rate,
        );
        line.draw(&mut chart)?;
        line.name(&mut chart, name)?;
    }
    Ok(())
}

fn head(area: &Area<'_>, title: &str) -> Result<()> {
    area.draw(&Text::new(title, (14, 12), TITLE.into_font().color(&INK)))?;
    area.draw(&Text::new(LEGEND, (14, 40), FONT.into_font().color(&INK)))?;
    Ok(())
}

fn builder<'a, 'b, 's>(area: &'a Area<'s>) -> ChartBuilder<'a, 'b, SVGBackend<'s>> {
    let mut builder = ChartBuilder::on(area);
    builder
        .margin(14)
        .margin_top(70)
        .margin_right(30)
        .x_label_area_size(56)
        .y_label_area_size(68);
    builder
}

/// A line in the coordinates of its chart.
struct Line {
    color: RGBColor,
    /// Each point: its place, and the values at each quarter of its sweeps.
    points: Vec<(f64, [f64; 5])>,
}

impl Line {
    fn new(
        points: &[Point],
        color: RGBColor,
        place: impl Fn(&Point) -> f64,
        value: impl Fn(f64) -> f64,
    ) -> Self {
        let quarters = |point: &Point| [0, 1, 2, 3, 4].map(|nth| value(point.quarters(nth)));
        let points = points.iter().map(|point| (place(point), quarters(point)));
        Line {
            color,
            points: points.collect(),
        }
    }

    fn draw(&self, chart: &mut Chart<'_, '_>) -> Result<()> {
        let Line { color, points } = self;
        let upper = points
            .iter()
            .map(|(place, [.., upper, _])| (*place, *upper));
        let lower = points
            .iter()
            .map(|(place, [_, lower, ..])| (*place, *lower));
        let band: Vec<_> = upper.chain(lower.rev()).collect();
        chart.draw_series([Polygon::new(band, color.mix(0.25))])?;
        let spread = |(place, [lowest, .., highest]): &(f64, [f64; 5])| {
            PathElement::new([(*place, *lowest), (*place, *highest)], *color)
        };
        chart.draw_series(points.iter().map(spread))?;
        let medians: Vec<_> = points
            .iter()
            .map(|(place, [_, _, median, ..])| (*place, *median))
            .collect();
        chart.draw_series(LineSeries::new(medians.clone(), color.stroke_width(2)))?;
        let dot = |median| Circle::new(median, 4, color.filled());
        chart.draw_series(medians.into_iter().map(dot))?;
        Ok(())
    }

    /// Writes the name of the line behind its last point.
    fn name(&self, chart: &mut Chart<'_, '_>, name: &'static str) -> Result<()> {
        if let Some((place, [_, _, median, ..])) = self.points.last() {
            let style = FONT.into_font().color(&self.color);
            let style = style.pos(Pos::new(HPos::Left, VPos::Center));
            let text = EmptyElement::at((*place, *median)) + Text::new(name, (10, 0), style);
            chart.draw_series([text])?;
        }
        Ok(())
    }
}

/// 4096 is 4 KiB.
fn bytes_in_words(bytes: f64) -> String {
    let units = [(f64::from(1 << 20), "MiB"), (f64::from(1 << 10), "KiB")];
    let unit = units.into_iter().find(|(size, _)| bytes >= *size);
    let (size, name) = unit.unwrap_or((1.0, "B"));
    format!("{:.0} {name}", bytes / size)
}

/// The number with this binary logarithm; nothing between the powers.
fn power_of_two(exponent: &f64) -> String {
    if exponent.fract() == 0.0 {
        exponent.exp2().to_string()
    } else {
        String::new()
    }
}
