//! Colour matrices, and the conversion of images between their colours.
//!
//! The rows of BT.601 wide are those of the manual, with its constants of -0.5 and 127.5 from RGB to YUV; the others
//! come from the standards. A result is rounded to the nearest number, and up from the middle of two. Colours that several
//! pixels share are those of each of them, and the mean of them in the other direction.
//!
//! The arithmetic is in whole numbers. The factors of the manual are thousandths, so nothing but the result is rounded. The
//! other factors are rounded to 20 binary places.

use super::image::{Colours, Image, Lane, Pixels, Plane};
use super::rows::{
    BINARY, Component, Factors, Rows, THOUSANDTHS, Unit, add, join_four, join_three, join_two, mix,
    mix_rgb, mix_sums, read, read_three,
};

/// A colour matrix, by the number of C, in parts of a unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matrix {
    unit: Unit,
    /// The factors of Y, U and V, and the constant with a half, for each of red, green and blue.
    to_rgb: Factors,
    /// The factors of red, green and blue, and the constant with a half, for each of Y, U and V.
    to_yuv: Factors,
}

/// Keeps each component, in thousandths.
const SAME: Factors = [[1000, 0, 0, 500], [0, 1000, 0, 500], [0, 0, 1000, 500]];

impl Matrix {
    /// Returns the matrix with a number; 0 is BT.601 wide.
    pub(super) fn of(number: u32) -> Option<Matrix> {
        let (red, blue) = match number {
            0 => {
                // With a half, the constants of the manual are 0 and 128.
                let to_yuv = [
                    [299, 587, 114, 0],
                    [-168, -331, 500, 128_000],
                    [500, -419, -81, 128_000],
                ];
                let to_rgb = [1000, 1402, -344, -714, 1772];
                return Some(Matrix::new(THOUSANDTHS, (500, 0), to_rgb, to_yuv));
            }
            1 => (0.299, 0.114),
            2 | 3 => (0.2126, 0.0722),
            4 | 5 => (0.2627, 0.0593),
            _ => return None,
        };
        Some(Matrix::standard(red, blue, number % 2 == 1))
    }

    /// Makes a matrix of the factors of brightness, of V for red, of U and V for green, and of U for blue, and of those to YUV.
    fn new(unit: Unit, (half, black): (i32, i32), to_rgb: [i32; 5], to_yuv: Factors) -> Matrix {
        let [y, red, green_u, green_v, blue] = to_rgb;
        let constant = |of_colours: i32| half - y * black - of_colours * 128;
        Matrix {
            unit,
            to_rgb: [
                [y, 0, red, constant(red)],
                [y, green_u, green_v, constant(green_u + green_v)],
                [y, blue, 0, constant(blue)],
            ],
            to_yuv,
        }
    }

    /// Makes a matrix from the parts of red and blue in brightness.
    fn standard(red: f32, blue: f32, is_narrow: bool) -> Matrix {
        let green = 1.0 - red - blue;
        let (black, bright, colour) = if is_narrow {
            (16.0, 219.0 / 255.0, 224.0 / 255.0)
        } else {
            (0.0, 1.0, 1.0)
        };
        let (to_red, to_blue) = (2.0 * (1.0 - red), 2.0 * (1.0 - blue));
        let whole = |number: f32| (number * (1 << 20) as f32).round() as i32;
        let scaled = |factors: [f32; 3], by: f32, constant: f32| {
            let [a, b, c] = factors;
            [
                whole(a * by),
                whole(b * by),
                whole(c * by),
                whole(constant + 0.5),
            ]
        };
        let to_rgb = [
            whole(1.0 / bright),
            whole(to_red / colour),
            whole(-to_blue * blue / green / colour),
            whole(-to_red * red / green / colour),
            whole(to_blue / colour),
        ];
        let to_yuv = [
            scaled([red, green, blue], bright, black),
            scaled([-red / to_blue, -green / to_blue, 0.5], colour, 128.0),
            scaled([0.5, -green / to_red, -blue / to_red], colour, 128.0),
        ];
        Matrix::new(BINARY, (whole(0.5), black as i32), to_rgb, to_yuv)
    }
}

impl Image {
    /// Returns the image in other colours. `alpha` is that of pixels that had none.
    pub(super) fn converted(self, to: Colours, matrix: &Matrix, alpha: u8) -> Image {
        if let Some(image) = self.pixels().converted(to, matrix, alpha) {
            return image;
        }
        let planes = match to {
            Colours::Rgb(channels) if self.colours != to => {
                let mut plane = Plane::new(self.width, self.height, channels);
                for (y, to) in plane.rows_mut().enumerate() {
                    for from in &self.planes {
                        for channel in 0..3 {
                            let of = Lane(channel, from.channels);
                            Lane(channel, channels).copy(to, from.row(y), of);
                        }
                    }
                    if channels > 3 {
                        Lane(3, channels).fill(to, alpha);
                    }
                }
                vec![plane]
            }
            Colours::Gray => self.planes.into_iter().take(1).collect(),
            _ => self.planes,
        };
        Image {
            width: self.width,
            height: self.height,
            colours: to,
            planes,
        }
    }

    /// Returns the pixels of the image.
    pub(super) fn pixels(&self) -> Pixels<'_> {
        let mut components = Vec::new();
        for plane in &self.planes {
            let row = plane.width * plane.channels;
            for offset in 0..plane.channels {
                components.push(Component {
                    bytes: &plane.bytes,
                    distance: row,
                    row,
                    rows: plane.height,
                    offset,
                    step: plane.channels,
                });
            }
        }
        Pixels {
            width: self.width,
            height: self.height,
            colours: self.colours,
            components,
        }
    }
}

impl Pixels<'_> {
    /// Returns an image of other colours. `None` if no matrix makes them of these ones.
    pub(super) fn converted(&self, to: Colours, matrix: &Matrix, alpha: u8) -> Option<Image> {
        let planes = match (self.colours, to) {
            (from, to) if from == to => return None,
            (Colours::Rgb(_), Colours::Rgb(_)) | (Colours::Yuv(..), Colours::Gray) => return None,
            (_, Colours::Rgb(channels)) => vec![self.to_rgb(channels, matrix, alpha)],
            (_, Colours::Gray) => vec![self.to_bright(matrix)],
            (Colours::Rgb(_), Colours::Yuv(across, down)) => {
                self.to_yuv((across, down), matrix.to_yuv, matrix.unit)
            }
            (_, Colours::Yuv(across, down)) => self.to_yuv((across, down), SAME, THOUSANDTHS),
        };
        Some(Image {
            width: self.width,
            height: self.height,
            colours: to,
            planes,
        })
    }

    /// Room for the components of the pixels of a row, which are grey.
    pub(super) fn rows(&self) -> Rows<u8> {
        let row = vec![128; self.width];
        [row.clone(), row.clone(), row]
    }

    /// Reads the components of the pixels of a row. The row above was read before: what both share stays.
    pub(super) fn read_row(&self, y: usize, rows: &mut Rows<u8>) {
        // Pixels of three bytes have all components in one row.
        if let [a, b, c, ..] = &self.components[..]
            && a.step == 3
        {
            read_three(rows, a.row(y), [a.offset, b.offset, c.offset]);
            return;
        }
        let shared = match self.colours {
            Colours::Yuv(across, down) => (across, down),
            Colours::Gray | Colours::Rgb(_) => (1, 1),
        };
        let mut is_first = true;
        for (row, of) in rows.iter_mut().zip(&self.components) {
            let (across, down) = if is_first { (1, 1) } else { shared };
            is_first = false;
            if y.is_multiple_of(down) {
                read(row, of.row(y / down), of.offset, of.step, across);
            }
        }
    }

    fn to_rgb(&self, channels: usize, matrix: &Matrix, alpha: u8) -> Plane {
        let row = vec![0; self.width];
        let (mut rows, mut rgb) = (self.rows(), [row.clone(), row.clone(), row]);
        Plane::from_rows(self.width, self.height, channels, &mut |y, to| {
            self.read_row(y, &mut rows);
            mix_rgb(&mut rgb, &rows, matrix.to_rgb, matrix.unit);
            match channels {
                3 => join_three(to, &rgb),
                _ => join_four(to, &rgb, alpha),
            }
        })
    }

    fn to_bright(&self, matrix: &Matrix) -> Plane {
        let mut rows = self.rows();
        Plane::from_rows(self.width, self.height, 1, &mut |y, to| {
            self.read_row(y, &mut rows);
            mix(to, &rows, matrix.to_yuv[0], matrix.unit);
        })
    }

    /// Returns the planes of brightness, and of the means of the colours that pixels share. A row is read once for both.
    fn to_yuv(
        &self,
        (across, down): (usize, usize),
        [of_y, of_u, of_v]: Factors,
        (shift, times): Unit,
    ) -> Vec<Plane> {
        let (width, height) = (self.width, self.height);
        let (columns, lines) = (width.div_ceil(across), height.div_ceil(down));
        let mut rows = self.rows();
        let (sum, mean) = (vec![0; columns], vec![0; columns]);
        let mut sums = [sum.clone(), sum.clone(), sum];
        let mut means = [mean.clone(), mean];
        let mut colours = Vec::with_capacity(columns * 2 * lines);
        // One, two or four pixels share a colour.
        let count = across * down;
        let unit = (shift + count.ilog2(), times);
        let bright = Plane::from_rows(width, height, 1, &mut |y, to| {
            self.read_row(y, &mut rows);
            mix(to, &rows, of_y, (shift, times));
            // The last row counts for one below it.
            let is_last = y + 1 == height;
            let times = if is_last { down - y % down } else { 1 };
            for time in 0..times {
                let are_new = time == 0 && y.is_multiple_of(down);
                for (sums, row) in sums.iter_mut().zip(&rows) {
                    add(sums, row, across, are_new);
                }
            }
            if !is_last && !(y + 1).is_multiple_of(down) {
                return;
            }
            for (means, [f, g, h, constant]) in means.iter_mut().zip([of_u, of_v]) {
                mix_sums(means, &sums, [f, g, h, constant * count as i32], unit);
            }
            let start = colours.len();
            colours.resize(start + columns * 2, 0);
            join_two(colours.get_mut(start..).unwrap_or_default(), &means);
        });
        let colours = Plane {
            width: columns,
            height: lines,
            channels: 2,
            bytes: colours,
        };
        vec![bright, colours]
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "a failed step is a failed test"
    )]
    use super::Matrix;
    use crate::media::image::{Colours, Image, Plane};

    fn converted(number: u32, rgb: [u8; 3]) -> Option<Vec<Vec<u8>>> {
        let image = Image {
            width: 1,
            height: 1,
            colours: Colours::Rgb(3),
            planes: vec![Plane::from_pixels(1, 1, |_, _| rgb)],
        };
        let matrix = Matrix::of(number)?;
        let image = image.converted(Colours::Yuv(1, 1), &matrix, 0);
        Some(image.planes.into_iter().map(|plane| plane.bytes).collect())
    }

    #[test]
    fn the_usual_matrix_has_the_constants_of_the_manual() {
        assert_eq!(
            converted(0, [255, 255, 255]),
            Some(vec![vec![255], vec![128, 128]])
        );
        assert_eq!(converted(0, [0, 0, 0]), Some(vec![vec![0], vec![128, 128]]));
        assert_eq!(
            converted(0, [255, 0, 0]),
            Some(vec![vec![76], vec![85, 255]])
        );
    }

    #[test]
    fn rows_of_any_width_have_the_bytes_of_each_pixel_alone() {
        let rgb = |x: usize| [x * 7, x * 31 + 100, x * 13 + 200].map(|one| (one % 256) as u8);
        for width in 1..70 {
            let image = Image {
                width,
                height: 1,
                colours: Colours::Rgb(3),
                planes: vec![Plane::from_pixels(width, 1, |x, _| rgb(x))],
            };
            for number in 0..6 {
                let Some(matrix) = Matrix::of(number) else {
                    continue;
                };
                let image = image.clone().converted(Colours::Yuv(1, 1), &matrix, 0);
                let back = image.clone().converted(Colours::Rgb(3), &matrix, 0);
                for x in 0..width {
                    let alone = converted(number, rgb(x)).unwrap_or_default();
                    let pixel = |plane: usize, channel| {
                        image.planes.get(plane).map(|one| one.at(x, 0, channel))
                    };
                    let [y, u, v] = [pixel(0, 0), pixel(1, 0), pixel(1, 1)];
                    let bytes: Vec<u8> = [y, u, v].into_iter().flatten().collect();
                    assert_eq!(bytes, alone.concat(), "{width} {number} {x}");
                    let there = Image {
                        width: 1,
                        height: 1,
                        colours: Colours::Yuv(1, 1),
                        planes: vec![
                            Plane::from_pixels(1, 1, |_, _| [at(&alone, 0, 0)]),
                            Plane::from_pixels(1, 1, |_, _| [at(&alone, 1, 0), at(&alone, 1, 1)]),
                        ],
                    };
                    let own = there.converted(Colours::Rgb(3), &matrix, 0).planes;
                    for (channel, byte) in own.iter().flat_map(|plane| &plane.bytes).enumerate() {
                        let found = back.planes.first().map(|plane| plane.at(x, 0, channel));
                        assert_eq!(found, Some(*byte), "{width} {number} {x}");
                    }
                }
            }
        }
    }

    fn at(planes: &[Vec<u8>], plane: usize, index: usize) -> u8 {
        planes
            .get(plane)
            .and_then(|plane| plane.get(index))
            .copied()
            .unwrap_or_default()
    }

    /// Colours with all kinds of sums, among them greys and primary ones.
    fn many(width: usize, height: usize, channels: usize) -> Image {
        let pixel = |x: usize, y: usize| match (x * 31 + y * 17) % 5 {
            0 => [x * 3 + y; 3],
            1 => [x, y, x + y].map(|n| 255 * (n % 2)),
            _ => [x * 7 + y * 3, x * 11 + y * 29, x * 5 + y * 13],
        };
        let rgba = Plane::from_pixels(width, height, |x, y| {
            let [r, g, b] = pixel(x, y).map(|n| n as u8);
            [r, g, b, 77]
        });
        Image {
            width,
            height,
            colours: Colours::Rgb(channels),
            planes: vec![rgba.of_channels(0..channels)],
        }
    }

    /// Returns the factors of a matrix to YUV and to RGB as numbers with many digits, and what is taken from Y, U and V before.
    fn exact(number: u32) -> ([[f64; 4]; 3], [[f64; 3]; 3], [f64; 3]) {
        if number == 0 {
            let to_yuv = [
                [0.299, 0.587, 0.114, -0.5],
                [-0.168, -0.331, 0.5, 127.5],
                [0.5, -0.419, -0.081, 127.5],
            ];
            let to_rgb = [[1.0, 0.0, 1.402], [1.0, -0.344, -0.714], [1.0, 1.772, 0.0]];
            return (to_yuv, to_rgb, [0.0, 128.0, 128.0]);
        }
        let (red, blue) = [(0.299, 0.114), (0.2126, 0.0722), (0.2627, 0.0593)][number as usize / 2];
        let green = 1.0 - red - blue;
        let (black, y, c) = match number % 2 {
            1 => (16.0, 219.0 / 255.0, 224.0 / 255.0),
            _ => (0.0, 1.0, 1.0),
        };
        let (of_u, of_v) = (c / (2.0 - 2.0 * blue), c / (2.0 - 2.0 * red));
        let to_yuv = [
            [red * y, green * y, blue * y, black],
            [-red * of_u, -green * of_u, c / 2.0, 128.0],
            [c / 2.0, -green * of_v, -blue * of_v, 128.0],
        ];
        let to_rgb = [
            [1.0 / y, 0.0, 1.0 / of_v],
            [1.0 / y, -blue / green / of_u, -red / green / of_v],
            [1.0 / y, 1.0 / of_u, 0.0],
        ];
        (to_yuv, to_rgb, [black, 128.0, 128.0])
    }

    #[test]
    fn each_byte_is_the_nearest_one_in_all_matrices_and_layouts() {
        for number in 0..6 {
            let (to_yuv, to_rgb, zero) = exact(number);
            // Thousandths are exact, and the middle of two numbers is rounded up.
            let room = if number == 0 { 1e-9 } else { 5e-4 };
            let is_near = |byte: u8, exact: f64| {
                let difference = f64::from(byte) - exact.clamp(0.0, 255.0);
                let is_above = number != 0 || difference > room - 0.5;
                is_above && difference.abs() <= 0.5 + room
            };
            let matrix = Matrix::of(number).unwrap();
            for (channels, (across, down), width, height) in [
                (3, (2, 2), 131, 37),
                (4, (2, 2), 70, 20),
                (3, (2, 1), 66, 5),
                (4, (1, 1), 33, 9),
            ] {
                let rgb = many(width, height, channels);
                let part = |x: usize, y: usize, [r, g, b, constant]: [f64; 4]| {
                    let of = |channel| f64::from(rgb.planes[0].at(x, y, channel));
                    r * of(0) + g * of(1) + b * of(2) + constant
                };
                let yuv = rgb
                    .clone()
                    .converted(Colours::Yuv(across, down), &matrix, 0);
                let gray = rgb.clone().converted(Colours::Gray, &matrix, 0);
                assert!(gray.planes[0] == yuv.planes[0]);
                let all = yuv.clone().converted(Colours::Yuv(1, 1), &matrix, 0);
                let back = yuv.clone().converted(Colours::Rgb(channels), &matrix, 9);
                for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                    let what = format!("{number} {channels} {across} {down}: {x} {y}");
                    let bright = yuv.planes[0].at(x, y, 0);
                    assert!(is_near(bright, part(x, y, to_yuv[0])), "{what}: {bright}");
                    let (left, top) = (x / across * across, y / down * down);
                    let shared =
                        (top..top + down).flat_map(|y| (left..left + across).map(move |x| (x, y)));
                    let colours = [0, 1].map(|channel| {
                        let byte = yuv.planes[1].at(x / across, y / down, channel);
                        let sum: f64 = shared
                            .clone()
                            .map(|(x, y)| part(x, y, to_yuv[channel + 1]))
                            .sum();
                        let exact = sum / (across * down) as f64;
                        assert!(is_near(byte, exact), "{what}: {byte} for {exact}");
                        assert_eq!(all.planes[1].at(x, y, channel), byte, "{what}");
                        f64::from(byte)
                    });
                    let yuv = [f64::from(bright), colours[0], colours[1]];
                    for (channel, factors) in to_rgb.iter().enumerate() {
                        let parts = (0..3).map(|of| factors[of] * (yuv[of] - zero[of]));
                        let (byte, exact) = (back.planes[0].at(x, y, channel), parts.sum());
                        assert!(is_near(byte, exact), "{what}: {byte} for {exact}");
                    }
                    assert!(channels == 3 || back.planes[0].at(x, y, 3) == 9, "{what}");
                }
            }
        }
    }

    #[test]
    fn narrow_matrices_keep_room_at_both_ends() {
        for number in [1, 3, 5] {
            assert_eq!(
                converted(number, [255; 3]),
                Some(vec![vec![235], vec![128, 128]])
            );
            assert_eq!(
                converted(number, [0; 3]),
                Some(vec![vec![16], vec![128, 128]])
            );
        }
        assert_eq!(Matrix::of(6), None);
    }

    #[test]
    fn a_matrix_and_its_inverse_give_the_colour_back() {
        for number in 0..6 {
            for rgb in [[200, 30, 90], [10, 240, 60], [128, 128, 128]] {
                let Some(matrix) = Matrix::of(number) else {
                    continue;
                };
                let image = Image {
                    width: 1,
                    height: 1,
                    colours: Colours::Rgb(3),
                    planes: vec![Plane::from_pixels(1, 1, |_, _| rgb)],
                };
                let there = image.converted(Colours::Yuv(1, 1), &matrix, 0);
                let back = there.converted(Colours::Rgb(3), &matrix, 0).planes;
                let back: Vec<u8> = back.into_iter().flat_map(|plane| plane.bytes).collect();
                assert_eq!(back.len(), 3);
                for (a, b) in rgb.iter().zip(&back) {
                    assert!(a.abs_diff(*b) <= 3, "{number}: {rgb:?} {back:?}");
                }
            }
        }
    }
}
