//! Gears: the shapes that a model is compiled for, in the syntax of the options of `atc`.
//!
//! An ONNX file has no place for them. So the emulator reads them from the metadata of the file, where the key is the
//! name of the option. `atc` ignores the metadata, so one file serves both.

use crate::results::{every_some, list_of};

/// The gears of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Gears {
    /// The values of all unknown dimensions are one number (`dynamic_batch_size`: `1,2,4`).
    Batch(Vec<u64>, usize),
    /// The unknown dimensions are heights and widths in turn (`dynamic_image_size`: `32,32;64,64`).
    Image(Vec<[u64; 2]>, usize),
    /// There is a number for each unknown dimension (`dynamic_dims`: `20,20;40,40`).
    Dims(Vec<Vec<u64>>),
}

impl Gears {
    /// Reads the gears of a model from its metadata. `unknown` has the places of the unknown dimensions of each input.
    pub(super) fn read(
        metadata: &[(String, String)],
        unknown: &[Vec<usize>],
    ) -> Result<Option<Gears>, String> {
        let count: usize = unknown.iter().map(Vec::len).sum();
        let options = metadata.iter().filter(|(key, _)| {
            ["dynamic_batch_size", "dynamic_image_size", "dynamic_dims"].contains(&key.as_str())
        });
        let mut gears = None;
        for (key, text) in options {
            if gears.is_some() {
                return Err(format!(
                    "the metadata `{key}` comes beside that of other gears; keep one"
                ));
            }
            let rows = rows(key, text)?;
            let of = |length: usize| {
                let fits = rows.iter().all(|row| row.len() == length)
                    && count > 0
                    && count.is_multiple_of(length);
                fits.then_some(()).ok_or_else(|| {
                    format!("the metadata `{key}` is `{text}`, which does not fit {count} unknown dimensions")
                })
            };
            gears = Some(match key.as_str() {
                "dynamic_batch_size" => {
                    let numbers: Vec<u64> = rows.concat();
                    if count == 0 {
                        of(1)?;
                    }
                    Gears::Batch(numbers, count)
                }
                "dynamic_image_size" => {
                    of(2)?;
                    let pairs = rows.iter().filter_map(|row| row.as_slice().try_into().ok());
                    Gears::Image(list_of(pairs), count)
                }
                _ => {
                    of(count.max(1))?;
                    Gears::Dims(rows)
                }
            });
        }
        Ok(gears)
    }

    /// Returns the numbers of each gear, one for each unknown dimension.
    pub(super) fn rows(&self) -> Vec<Vec<u64>> {
        match self {
            Gears::Batch(sizes, count) => list_of(sizes.iter().map(|size| vec![*size; *count])),
            Gears::Image(sizes, count) => list_of(sizes.iter().map(|size| size.repeat(count / 2))),
            Gears::Dims(rows) => rows.clone(),
        }
    }

    /// Returns the number of values that the input for gears holds.
    pub(super) fn numbers(&self) -> usize {
        match self {
            Gears::Batch(..) => 1,
            Gears::Image(..) => 2,
            Gears::Dims(rows) => rows.first().map_or(0, Vec::len),
        }
    }

    /// Returns the position of the gear with these values.
    pub(super) fn find(&self, numbers: &[u64]) -> Option<usize> {
        match self {
            Gears::Batch(sizes, _) => sizes.iter().position(|size| [*size] == numbers),
            Gears::Image(sizes, _) => sizes.iter().position(|size| size == numbers),
            Gears::Dims(rows) => rows.iter().position(|row| row == numbers),
        }
    }
}

/// Reads rows of numbers: `;` separates rows, `,` numbers.
fn rows(key: &str, text: &str) -> Result<Vec<Vec<u64>>, String> {
    let number = |word: &str| word.trim().parse::<u64>().ok().filter(|number| *number > 0);
    let row = |words: &str| every_some(words.split(',').map(number));
    let rows = every_some(text.split(';').map(row));
    rows.ok_or_else(|| {
        format!(
            "the metadata `{key}` is `{text}`; write numbers above 0 with `,` and `;` between them"
        )
    })
}

/// Returns a dimension of a gear.
pub(super) fn values(number: Option<u64>) -> Result<usize, String> {
    let number = number.and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| "a gear has too few numbers".to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use super::*;

    fn read(key: &str, text: &str, unknown: &[Vec<usize>]) -> Result<Option<Gears>, String> {
        Gears::read(&[(key.to_owned(), text.to_owned())], unknown)
    }

    #[test]
    fn the_metadata_has_the_syntax_of_the_options_of_atc() {
        let batch = read("dynamic_batch_size", "1,2, 4", &[vec![0], vec![0]])
            .unwrap()
            .unwrap();
        assert_eq!(batch.rows(), [[1, 1], [2, 2], [4, 4]]);
        assert_eq!(
            (batch.numbers(), batch.find(&[4]), batch.find(&[3])),
            (1, Some(2), None)
        );
        let image = read("dynamic_image_size", "8,16;32,64", &[vec![2, 3]])
            .unwrap()
            .unwrap();
        assert_eq!(image.rows(), [[8, 16], [32, 64]]);
        assert_eq!((image.numbers(), image.find(&[32, 64])), (2, Some(1)));
        let dims = read("dynamic_dims", "1,5;2,6", &[vec![0], vec![1]])
            .unwrap()
            .unwrap();
        assert_eq!(dims.rows(), [[1, 5], [2, 6]]);
        assert_eq!((dims.numbers(), dims.find(&[2, 6])), (2, Some(1)));
        assert_eq!(read("author", "1", &[vec![]]), Ok(None));
    }

    #[test]
    fn gears_that_do_not_fit_the_model_are_refused() {
        for (key, text, unknown) in [
            ("dynamic_batch_size", "1,0", vec![vec![0]]),
            ("dynamic_batch_size", "1,two", vec![vec![0]]),
            ("dynamic_batch_size", "1", vec![vec![]]),
            ("dynamic_image_size", "8,16,1", vec![vec![2, 3]]),
            ("dynamic_image_size", "8,16", vec![vec![2]]),
            ("dynamic_dims", "1,2;3", vec![vec![0, 1]]),
        ] {
            let text = read(key, text, &unknown).unwrap_err();
            assert!(text.contains(key), "{text}");
        }
    }
}
