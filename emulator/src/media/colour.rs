//! Colour matrices, and the conversion of images between their colours.
//!
//! The rows of BT.601 wide are those of the manual, with its constants of -0.5 and 127.5 from RGB to YUV; the others
//! come from the standards. A result is rounded to the nearest number. Colours that several pixels share are those of
//! each of them, and the mean of them in the other direction.

use super::image::{Colours, Image, Lane, Plane};
use crate::wide::wide;

/// A colour matrix, by the number of C.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matrix {
    black: f32,
    /// The factors of brightness, of V for red, of U and V for green, and of U for blue.
    to_rgb: [f32; 5],
    /// The factors of red, green and blue, and the constant, for each of Y, U and V.
    to_yuv: [[f32; 4]; 3],
}

impl Matrix {
    /// Returns the matrix with a number; 0 is BT.601 wide.
    pub(super) fn of(number: u32) -> Option<Matrix> {
        let (wide_red, wide_blue) = match number {
            0 => {
                return Some(Matrix {
                    black: 0.0,
                    to_rgb: [1.0, 1.402, -0.344, -0.714, 1.772],
                    to_yuv: [
                        [0.299, 0.587, 0.114, -0.5],
                        [-0.168, -0.331, 0.5, 127.5],
                        [0.5, -0.419, -0.081, 127.5],
                    ],
                });
            }
            1 => (0.299, 0.114),
            2 | 3 => (0.2126, 0.0722),
            4 | 5 => (0.2627, 0.0593),
            _ => return None,
        };
        Some(Matrix::standard(wide_red, wide_blue, number % 2 == 1))
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
        let scaled = |factors: [f32; 3], by: f32, constant| {
            let [a, b, c] = factors;
            [a * by, b * by, c * by, constant]
        };
        Matrix {
            black,
            to_rgb: [
                1.0 / bright,
                to_red / colour,
                -to_blue * blue / green / colour,
                -to_red * red / green / colour,
                to_blue / colour,
            ],
            to_yuv: [
                scaled([red, green, blue], bright, black),
                scaled([-red / to_blue, -green / to_blue, 0.5], colour, 128.0),
                scaled([0.5, -green / to_red, -blue / to_red], colour, 128.0),
            ],
        }
    }
}

/// A row for each of red, green and blue.
fn three_rows(width: usize) -> [Vec<u8>; 3] {
    [vec![0; width], vec![0; width], vec![0; width]]
}

wide! {
    /// Writes red, green or blue of a row: brightness without black by its factor, and U and V by theirs.
    fn write_rgb(to: &mut [u8], bright: &[u8], u: &[u8], v: &[u8], numbers: [f32; 4]) {
        let [black, of_y, of_u, of_v] = numbers;
        for (((to, y), u), v) in to.iter_mut().zip(bright).zip(u).zip(v) {
            let y = (f32::from(*y) - black) * of_y;
            *to = byte(y + of_u * (f32::from(*u) - 128.0) + of_v * (f32::from(*v) - 128.0));
        }
    }

    /// Writes Y, U or V of the pixels of a row: red, green and blue by their factors, and the constant.
    fn write_yuv(to: &mut [f32], rgb: &[Vec<u8>; 3], factors: [f32; 4]) {
        let ([r, g, b, constant], [red, green, blue]) = (factors, rgb);
        for (((to, red), green), blue) in to.iter_mut().zip(red).zip(green).zip(blue) {
            *to = r * f32::from(*red) + g * f32::from(*green) + b * f32::from(*blue) + constant;
        }
    }

    /// Writes numbers, divided, as bytes.
    fn write_bytes(to: &mut [u8], from: &[f32], divisor: f32) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = byte(from / divisor);
        }
    }

    /// Writes the components of pixels of three bytes.
    fn split_three(row: &[u8], rgb: &mut [Vec<u8>; 3]) {
        let [red, green, blue] = rgb;
        let places = red.iter_mut().zip(green).zip(blue);
        for (((red, green), blue), pixel) in places.zip(row.as_chunks::<3>().0) {
            [*red, *green, *blue] = *pixel;
        }
    }

    /// Writes the pixels of three components.
    fn join_three(row: &mut [u8], rgb: &[Vec<u8>; 3]) {
        let [red, green, blue] = rgb;
        let pixels = red.iter().zip(green).zip(blue);
        for (pixel, ((red, green), blue)) in row.as_chunks_mut::<3>().0.iter_mut().zip(pixels) {
            *pixel = [*red, *green, *blue];
        }
    }
}

/// Adds the pixels that share a colour: one, or two. The last pixel counts for one behind it.
fn add(sums: &mut [f32], row: &[f32], across: usize) {
    if across == 1 {
        for (sum, pixel) in sums.iter_mut().zip(row) {
            *sum += pixel;
        }
        return;
    }
    let (pairs, rest) = row.as_chunks::<2>();
    let (to, to_rest) = sums.split_at_mut(pairs.len().min(sums.len()));
    for (sum, [first, second]) in to.iter_mut().zip(pairs) {
        *sum = *sum + first + second;
    }
    for (sum, pixel) in to_rest.iter_mut().zip(rest) {
        *sum = *sum + pixel + pixel;
    }
}

/// Rounds a number to a byte.
#[inline(always)]
fn byte(number: f32) -> u8 {
    let number = if number > 0.0 { number.min(255.0) } else { 0.0 };
    // SAFETY: `number` is at least 0 and at most 255, and no NaN, for which the comparison is false.
    let whole = unsafe { number.to_int_unchecked::<i32>() };
    (whole + i32::from(number - whole as f32 >= 0.5)) as u8
}

impl Image {
    /// Returns the image in other colours. `alpha` is that of pixels that had none.
    pub(super) fn converted(self, to: Colours, matrix: &Matrix, alpha: u8) -> Image {
        let planes = match (self.colours, to) {
            (from, to) if from == to => self.planes,
            (Colours::Gray | Colours::Yuv(..), Colours::Gray) => {
                self.planes.into_iter().take(1).collect()
            }
            (Colours::Gray | Colours::Yuv(..), Colours::Yuv(across, down)) => {
                let colours = self.shared(across, down);
                let mut planes: Vec<Plane> = self.planes.into_iter().take(1).collect();
                planes.push(colours);
                planes
            }
            (Colours::Gray | Colours::Yuv(..), Colours::Rgb(channels)) => {
                vec![self.planes_to_rgb(channels, matrix, alpha)]
            }
            (Colours::Rgb(_), Colours::Rgb(channels)) => {
                let mut plane = Plane::new(self.width, self.height, channels);
                for (y, to) in plane.rows_mut().enumerate() {
                    for (channel, from) in self.rgb_row(y).iter().enumerate() {
                        Lane(channel, channels).copy(to, from, Lane(0, 1));
                    }
                    if channels > 3 {
                        Lane(3, channels).fill(to, alpha);
                    }
                }
                vec![plane]
            }
            (Colours::Rgb(_), Colours::Gray) => vec![self.rgb_to_bright(matrix)],
            (Colours::Rgb(_), Colours::Yuv(across, down)) => self.rgb_to_yuv(across, down, matrix),
        };
        Image {
            width: self.width,
            height: self.height,
            colours: to,
            planes,
        }
    }

    /// Red, green and blue of the pixels of a row.
    fn rgb_row(&self, y: usize) -> [Vec<u8>; 3] {
        let three = self.planes.first().filter(|plane| plane.channels == 3);
        let Some(plane) = three else {
            let lane = |channel| self.lane(0, y, channel, 1);
            return [lane(0), lane(1), lane(2)];
        };
        let mut rgb = three_rows(self.width);
        split_three(plane.row(y), &mut rgb);
        rgb
    }

    /// U and V of the pixels of a row.
    pub(super) fn colour_row(&self, y: usize) -> [Vec<u8>; 2] {
        let (across, down) = match self.colours {
            Colours::Yuv(across, down) => (across, down),
            Colours::Gray | Colours::Rgb(_) => {
                return [vec![128; self.width], vec![128; self.width]];
            }
        };
        let lane = |channel| self.lane(1, y / down, channel, across);
        [lane(0), lane(1)]
    }

    /// A component of the pixels of a row, where so many pixels share one.
    fn lane(&self, plane: usize, y: usize, channel: usize, across: usize) -> Vec<u8> {
        let mut row = vec![0; self.width];
        if let Some(plane) = self.planes.get(plane) {
            for pixel in 0..across {
                let from = Lane(channel, plane.channels);
                Lane(pixel, across).copy(&mut row, plane.row(y), from);
            }
        }
        row
    }

    fn planes_to_rgb(&self, channels: usize, matrix: &Matrix, alpha: u8) -> Plane {
        let mut plane = Plane::new(self.width, self.height, channels);
        let [_, red, green_u, green_v, blue] = matrix.to_rgb;
        let factors = [[0.0, red], [green_u, green_v], [blue, 0.0]];
        let mut rows = three_rows(self.width);
        for (y, to) in plane.rows_mut().enumerate() {
            let bright = self.planes.first().map_or(&[][..], |plane| plane.row(y));
            let [u, v] = self.colour_row(y);
            for (row, [of_u, of_v]) in rows.iter_mut().zip(factors) {
                let numbers = [matrix.black, matrix.to_rgb[0], of_u, of_v];
                write_rgb(row, bright, &u, &v, numbers);
            }
            if channels == 3 {
                join_three(to, &rows);
                continue;
            }
            for (channel, row) in rows.iter().enumerate() {
                Lane(channel, channels).copy(to, row, Lane(0, 1));
            }
            if channels > 3 {
                Lane(3, channels).fill(to, alpha);
            }
        }
        plane
    }

    fn rgb_to_bright(&self, matrix: &Matrix) -> Plane {
        let mut plane = Plane::new(self.width, self.height, 1);
        let mut bright = vec![0.0; self.width];
        for (y, to) in plane.rows_mut().enumerate() {
            write_yuv(&mut bright, &self.rgb_row(y), matrix.to_yuv[0]);
            write_bytes(to, &bright, 1.0);
        }
        plane
    }

    /// Returns the planes of brightness and of colours. A row is taken apart once for both.
    fn rgb_to_yuv(&self, across: usize, down: usize, matrix: &Matrix) -> Vec<Plane> {
        let mut plane = Plane::new(self.width, self.height, 1);
        let mut bright = vec![0.0; self.width];
        let mut places = plane.rows_mut();
        let [of_y, of_u, of_v] = matrix.to_yuv;
        let colours = self.means(across, down, &mut |y, [u, v]| {
            let rgb = self.rgb_row(y);
            // The last row may count twice for colours.
            if let Some(to) = places.next() {
                write_yuv(&mut bright, &rgb, of_y);
                write_bytes(to, &bright, 1.0);
            }
            write_yuv(u, &rgb, of_u);
            write_yuv(v, &rgb, of_v);
        });
        vec![plane, colours]
    }

    /// Returns the plane of colours for another number of pixels that share one.
    fn shared(&self, across: usize, down: usize) -> Plane {
        self.means(across, down, &mut |y, rows| {
            for (to, from) in rows.iter_mut().zip(self.colour_row(y)) {
                for (to, from) in to.iter_mut().zip(from) {
                    *to = f32::from(from);
                }
            }
        })
    }

    /// Returns the plane of the means of U and V, which `write` writes for the pixels of a row.
    fn means(
        &self,
        across: usize,
        down: usize,
        write: &mut dyn FnMut(usize, &mut [Vec<f32>; 2]),
    ) -> Plane {
        let (columns, rows) = (self.width.div_ceil(across), self.height.div_ceil(down));
        let mut plane = Plane::new(columns, rows, 2);
        let mut row = [vec![0.0; self.width], vec![0.0; self.width]];
        let mut sums = [vec![0.0; columns], vec![0.0; columns]];
        let mut means = vec![0; columns];
        let count = (across * down) as f32;
        for (y, to) in plane.rows_mut().enumerate() {
            sums.iter_mut().for_each(|sums| sums.fill(0.0));
            for y in y * down..(y + 1) * down {
                write(y.min(self.height.saturating_sub(1)), &mut row);
                for (sums, row) in sums.iter_mut().zip(&row) {
                    add(sums, row, across);
                }
            }
            for (channel, sums) in sums.iter().enumerate() {
                write_bytes(&mut means, sums, count);
                Lane(channel, 2).copy(to, &means, Lane(0, 1));
            }
        }
        plane
    }
}

#[cfg(test)]
mod tests {
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
