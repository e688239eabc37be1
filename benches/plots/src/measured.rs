//! The numbers of all sweeps, in the table that the plots are drawn from.

use std::fs;

use crate::Result;
use crate::scaling::Points;

/// The folder of the table and the plots.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/plots");
const TABLE: &str = "measured.csv";

/// A place on the horizontal axis, and the value of each sweep there, the lowest one first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Point {
    /// A power of two in bytes, or a number of streams or devices.
    pub(crate) place: f64,
    values: Vec<f64>,
}

/// The points of the three plotted lines.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Measured {
    pub(crate) sizes: Vec<Point>,
    pub(crate) streams: Vec<Point>,
    pub(crate) devices: Vec<Point>,
}

impl Point {
    fn new(place: f64, mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        Point { place, values }
    }

    /// The value that is as many quarters from the lowest to the highest one: 2 is the median.
    pub(crate) fn quarters(&self, quarters: usize) -> f64 {
        let last = self.values.len().saturating_sub(1);
        self.values
            .get(last * quarters / 4)
            .copied()
            .unwrap_or_default()
    }
}

/// The points of some sweeps, all of which have the same places.
pub(crate) fn points(sweeps: &[Points]) -> Vec<Point> {
    let first = sweeps.first().map_or(&[][..], Vec::as_slice);
    let point = |(nth, (place, _)): (usize, &(f64, f64))| {
        let values = sweeps.iter().filter_map(|sweep| sweep.get(nth));
        // The table has no more digits, and a plot from the table must be the same.
        let values = values.map(|(_, value)| (value * 1e4).round() / 1e4);
        Point::new(*place, values.collect())
    };
    first.iter().enumerate().map(point).collect()
}

impl Measured {
    /// Reads the table.
    pub(crate) fn read() -> Result<Self> {
        let text = fs::read_to_string(format!("{FOLDER}/{TABLE}"))
            .map_err(|error| format!("docs/plots/{TABLE}: {error}"))?;
        Self::of(&text)
    }

    fn of(text: &str) -> Result<Self> {
        let mut measured = Self::default();
        for record in csv::Reader::from_reader(text.as_bytes()).records() {
            let record = record?;
            let mut fields = record.iter();
            let line = match fields.next() {
                Some("bytes, power of two") => &mut measured.sizes,
                Some("streams") => &mut measured.streams,
                Some("devices") => &mut measured.devices,
                other => return Err(format!("docs/plots/{TABLE}: no plot has {other:?}").into()),
            };
            let numbers = fields.map(str::parse).collect::<Result<Vec<f64>, _>>()?;
            match numbers.split_first() {
                Some((place, values)) if !values.is_empty() => {
                    line.push(Point::new(*place, values.to_vec()));
                }
                _ => return Err(format!("docs/plots/{TABLE}: a row has no values").into()),
            }
        }
        Ok(measured)
    }

    /// Writes the table.
    pub(crate) fn write(&self) -> Result<()> {
        write(TABLE, &self.table()?)
    }

    fn table(&self) -> Result<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let sweeps = self.sizes.first().map_or(0, |point| point.values.len());
        let names = ["axis", "place"].map(String::from).into_iter();
        writer.write_record(names.chain((1..=sweeps).map(|nth| format!("value {nth}"))))?;
        for (axis, _, points) in self.lines() {
            for Point { place, values } in points {
                let numbers = [place].into_iter().chain(values).map(f64::to_string);
                writer.write_record([axis.to_owned()].into_iter().chain(numbers))?;
            }
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }

    /// Each line with the name of its axis and its unit.
    pub(crate) fn lines(&self) -> [(&'static str, &'static str, &[Point]); 3] {
        let uploads = "million uploads of 64 bytes per second";
        [
            ("bytes, power of two", "GB/s", &self.sizes),
            ("streams", uploads, &self.streams),
            ("devices", uploads, &self.devices),
        ]
    }
}

/// Writes a file beside the table.
pub(crate) fn write(name: &str, text: &str) -> Result<()> {
    fs::write(format!("{FOLDER}/{name}"), text)
        .map_err(|error| format!("docs/plots/{name}: {error}").into())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{FOLDER, Measured, Point, TABLE, points};
    use crate::{Result, draw};

    #[test]
    fn the_pictures_are_drawn_from_the_table() -> Result<()> {
        let measured = Measured::read()?;
        for (name, picture) in draw::all(&measured)? {
            let there = fs::read_to_string(format!("{FOLDER}/{name}"))?;
            assert!(
                there == picture,
                "`cargo run --release --package ascendcl-plots -- --draw` writes another {name}"
            );
        }
        Ok(())
    }

    #[test]
    fn the_table_keeps_all_values() -> Result<()> {
        let sweeps = [3.0, 1.0, 2.000_04].map(|value| vec![(6.0, value), (8.0, value * 2.0)]);
        let sizes = points(&sweeps);
        assert_eq!(sizes.first(), Some(&Point::new(6.0, vec![1.0, 2.0, 3.0])));
        let measured = Measured {
            streams: points(&[vec![(1.0, 5.0)], vec![(1.0, 4.0)], vec![(1.0, 6.5)]]),
            sizes,
            ..Measured::default()
        };
        assert_eq!(Measured::of(&measured.table()?)?, measured);
        Ok(())
    }

    #[test]
    fn quarters_are_values_in_their_order() {
        let point = Point::new(0.0, (1..=9).rev().map(f64::from).collect());
        let quarters: Vec<f64> = (0..=4).map(|nth| point.quarters(nth)).collect();
        assert_eq!(quarters, [1.0, 3.0, 5.0, 7.0, 9.0]);
    }

    #[test]
    fn a_row_that_is_wrong_is_an_error() {
        for row in ["metres,1,2", "streams,1", "streams", "streams,1,x"] {
            let text = format!("axis,place,value 1\n{row}\n");
            assert!(Measured::of(&text).is_err(), "{TABLE} with {row}");
        }
    }
}
