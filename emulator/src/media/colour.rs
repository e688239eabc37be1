//! Colour matrices, and the conversion of images between their colours.
//!
//! The rows of BT.601 wide are those of the manual, with its constants of -0.5 and 127.5 from RGB to YUV; the others
//! come from the standards. A result is rounded to the nearest number. Colours that several pixels share are those of
//! each of them, and the mean of them in the other direction.

use super::image::{Colours, Image, Plane};

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

    fn rgb(&self, y: u8, u: u8, v: u8) -> [u8; 3] {
        let [bright, red, green_u, green_v, blue] = self.to_rgb;
        let y = (f32::from(y) - self.black) * bright;
        let (u, v) = (f32::from(u) - 128.0, f32::from(v) - 128.0);
        [y + red * v, y + green_u * u + green_v * v, y + blue * u].map(byte)
    }

    fn yuv(&self, [red, green, blue]: [u8; 3]) -> [f32; 3] {
        self.to_yuv.map(|[r, g, b, constant]| {
            r * f32::from(red) + g * f32::from(green) + b * f32::from(blue) + constant
        })
    }
}

/// Rounds a number to a byte.
fn byte(number: f32) -> u8 {
    number.round().clamp(0.0, 255.0) as u8
}

impl Image {
    /// Returns the image in other colours. `alpha` is that of pixels that had none.
    pub(super) fn converted(self, to: Colours, matrix: &Matrix, alpha: u8) -> Image {
        let (width, height) = (self.width, self.height);
        let planes = match (self.colours, to) {
            (from, to) if from == to => self.planes,
            (Colours::Gray | Colours::Yuv(..), Colours::Gray) => {
                self.planes.into_iter().take(1).collect()
            }
            (Colours::Gray | Colours::Yuv(..), Colours::Yuv(across, down)) => {
                let colours = shared(&self, across, down);
                let mut planes: Vec<Plane> = self.planes.into_iter().take(1).collect();
                planes.push(colours);
                planes
            }
            (Colours::Gray | Colours::Yuv(..), Colours::Rgb(channels)) => {
                let rgb = |x, y| {
                    let [bright, u, v] = self.yuv_at(x, y);
                    matrix.rgb(bright, u, v)
                };
                vec![packed(width, height, channels, |x, y| (rgb(x, y), alpha))]
            }
            (Colours::Rgb(_), Colours::Rgb(channels)) => {
                vec![packed(width, height, channels, |x, y| {
                    (self.rgb_at(x, y), alpha)
                })]
            }
            (Colours::Rgb(_), Colours::Gray) => {
                let [bright, _] = self.rgb_to_planes(1, 1, matrix);
                vec![bright]
            }
            (Colours::Rgb(_), Colours::Yuv(across, down)) => {
                self.rgb_to_planes(across, down, matrix).into()
            }
        };
        Image {
            width,
            height,
            colours: to,
            planes,
        }
    }

    fn rgb_at(&self, x: usize, y: usize) -> [u8; 3] {
        let plane = self.planes.first();
        [0, 1, 2].map(|channel| plane.map_or(0, |plane| plane.at(x, y, channel)))
    }

    fn yuv_at(&self, x: usize, y: usize) -> [u8; 3] {
        let bright = self.planes.first().map_or(0, |plane| plane.at(x, y, 0));
        let Colours::Yuv(across, down) = self.colours else {
            return [bright, 128, 128];
        };
        let colour = |channel| {
            let plane = self.planes.get(1);
            plane.map_or(128, |plane| plane.at(x / across, y / down, channel))
        };
        [bright, colour(0), colour(1)]
    }

    /// Returns the planes of brightness and of colours.
    fn rgb_to_planes(&self, across: usize, down: usize, matrix: &Matrix) -> [Plane; 2] {
        let bright = Plane::from_pixels(self.width, self.height, |x, y| {
            let [bright, ..] = matrix.yuv(self.rgb_at(x, y));
            [byte(bright)]
        });
        let (columns, rows) = (self.width.div_ceil(across), self.height.div_ceil(down));
        let colours = Plane::from_pixels(columns, rows, |column, row| {
            let (mut sum_u, mut sum_v) = (0.0, 0.0);
            for (x, y) in block(column, row, across, down) {
                let (x, y) = (x.min(self.width - 1), y.min(self.height - 1));
                let [_, u, v] = matrix.yuv(self.rgb_at(x, y));
                (sum_u, sum_v) = (sum_u + u, sum_v + v);
            }
            let count = (across * down) as f32;
            [byte(sum_u / count), byte(sum_v / count)]
        });
        [bright, colours]
    }
}

/// The pixels that share a colour.
fn block(
    column: usize,
    row: usize,
    across: usize,
    down: usize,
) -> impl Iterator<Item = (usize, usize)> {
    (0..down).flat_map(move |dy| (0..across).map(move |dx| (column * across + dx, row * down + dy)))
}

/// Returns the plane of colours for another number of pixels that share one.
fn shared(image: &Image, across: usize, down: usize) -> Plane {
    let (columns, rows) = (image.width.div_ceil(across), image.height.div_ceil(down));
    Plane::from_pixels(columns, rows, |column, row| {
        let (mut sum_u, mut sum_v) = (0, 0);
        for (x, y) in block(column, row, across, down) {
            let [_, u, v] = image.yuv_at(x, y);
            (sum_u, sum_v) = (sum_u + u32::from(u), sum_v + u32::from(v));
        }
        let count = (across * down) as u32;
        let mean = |sum: u32| ((sum + count / 2) / count) as u8;
        [mean(sum_u), mean(sum_v)]
    })
}

/// Makes a plane of red, green and blue, with alpha if there are four components.
fn packed(
    width: usize,
    height: usize,
    channels: usize,
    mut pixel: impl FnMut(usize, usize) -> ([u8; 3], u8),
) -> Plane {
    if channels < 4 {
        return Plane::from_pixels(width, height, |x, y| pixel(x, y).0);
    }
    Plane::from_pixels(width, height, |x, y| {
        let ([red, green, blue], alpha) = pixel(x, y);
        [red, green, blue, alpha]
    })
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
                let [y, u, v] = matrix.yuv(rgb).map(super::byte);
                let back = matrix.rgb(y, u, v);
                for (a, b) in rgb.iter().zip(back) {
                    assert!(a.abs_diff(b) <= 3, "{number}: {rgb:?} {back:?}");
                }
            }
        }
    }
}
