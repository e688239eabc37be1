//! Operations on images: the choice of pixels, scaling, borders, counting, maps and pyramids.

use super::engine::Engine;
use super::image::{Colours, Image, Plane};
use crate::results::{every, list_of};

/// The interpolation of scaling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interpolation {
    /// Of two pixels along each axis, as `INTER_LINEAR` of OpenCV.
    Linear,
    /// The nearest pixel, as `INTER_NEAREST` of OpenCV.
    Nearest,
}

/// The content of a border.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Border {
    pub(super) top: usize,
    pub(super) bottom: usize,
    pub(super) left: usize,
    pub(super) right: usize,
    /// The number of C: 0 constant, 1 the edge, 2 mirrored, 3 mirrored without the edge, 4 from the other side.
    pub(super) kind: u32,
    /// The components of a constant border: those of the format, in its order.
    pub(super) value: [u8; 4],
}

impl Border {
    /// Returns the pixel of the image for one along an axis of `len` pixels, `None` for the constant.
    fn source(kind: u32, at: isize, len: usize) -> Option<usize> {
        let last = len as isize - 1;
        if (0..=last).contains(&at) {
            return Some(at as usize);
        }
        let inside = match kind {
            1 => at.clamp(0, last),
            2 => {
                let round = at.rem_euclid(2 * (last + 1));
                if round > last {
                    2 * last + 1 - round
                } else {
                    round
                }
            }
            3 if last == 0 => 0,
            3 => {
                let round = at.rem_euclid(2 * last);
                if round > last {
                    2 * last - round
                } else {
                    round
                }
            }
            4 => at.rem_euclid(last + 1),
            _ => return None,
        };
        Some(inside as usize)
    }
}

impl Image {
    /// Returns the image in another size.
    pub(super) fn scaled(
        self,
        width: usize,
        height: usize,
        interpolation: Interpolation,
        engine: Option<&dyn Engine>,
    ) -> Result<Image, String> {
        if (self.width, self.height) == (width, height) {
            return Ok(self);
        }
        let size = |index: usize| match (index, self.colours) {
            (1, Colours::Yuv(across, down)) => (width.div_ceil(across), height.div_ceil(down)),
            _ => (width, height),
        };
        let planes = self.planes.iter().enumerate().map(|(index, plane)| {
            let (width, height) = size(index);
            match (interpolation, engine) {
                (Interpolation::Nearest, _) => Ok(nearest(plane, width, height)),
                (Interpolation::Linear, Some(engine)) => {
                    let scaled = engine.scale(plane, width, height)?;
                    scaled.checked(width, height, Some(plane.channels))
                }
                (Interpolation::Linear, None) => Err("there is no engine for scaling".to_owned()),
            }
        });
        Ok(Image {
            width,
            height,
            colours: self.colours,
            planes: every(planes)?,
        })
    }

    /// Returns the image with a border.
    pub(super) fn bordered(&self, border: &Border) -> Image {
        let (width, height) = (
            self.width + border.left + border.right,
            self.height + border.top + border.bottom,
        );
        let planes = self.planes.iter().enumerate().map(|(index, plane)| {
            let (across, down) = match (index, self.colours) {
                (1, Colours::Yuv(across, down)) => (across, down),
                _ => (1, 1),
            };
            let (left, top) = (
                (border.left / across) as isize,
                (border.top / down) as isize,
            );
            let (columns, rows) = (width.div_ceil(across), height.div_ceil(down));
            let first = if index == 1 { 1 } else { 0 };
            let mut bytes = Vec::with_capacity(columns * rows * plane.channels);
            for y in 0..rows {
                let from_y = Border::source(border.kind, y as isize - top, plane.height);
                for x in 0..columns {
                    let from_x = Border::source(border.kind, x as isize - left, plane.width);
                    for channel in 0..plane.channels {
                        bytes.push(match (from_x, from_y) {
                            (Some(x), Some(y)) => plane.at(x, y, channel),
                            _ => border.value.get(first + channel).copied().unwrap_or(0),
                        });
                    }
                }
            }
            Plane {
                width: columns,
                height: rows,
                channels: plane.channels,
                bytes,
            }
        });
        Image {
            width,
            height,
            colours: self.colours,
            planes: list_of(planes),
        }
    }

    /// Counts the values of each component.
    pub(super) fn counted(&self) -> [[u32; 256]; 3] {
        let mut counts = [[0; 256]; 3];
        let mut first = 0;
        for plane in &self.planes {
            for pixel in plane.bytes.chunks_exact(plane.channels) {
                for (channel, value) in pixel.iter().enumerate() {
                    if let Some(of) = counts.get_mut(first + channel)
                        && let Some(count) = of.get_mut(usize::from(*value))
                    {
                        *count += 1;
                    }
                }
            }
            first += plane.channels;
        }
        counts
    }

    /// Replaces the values of each component by those of a map.
    pub(super) fn mapped(mut self, map: &[[u8; 256]; 3]) -> Image {
        let mut first = 0;
        for plane in &mut self.planes {
            for pixel in plane.bytes.chunks_exact_mut(plane.channels) {
                for (channel, value) in pixel.iter_mut().enumerate() {
                    if let Some(of) = map.get(first + channel) {
                        *value = of.get(usize::from(*value)).copied().unwrap_or(*value);
                    }
                }
            }
            first += plane.channels;
        }
        self
    }

    /// Returns the image with half the sides, after a filter of five by five pixels with mirrored edges.
    pub(super) fn halved(&self, filter: &[[i32; 5]; 5], divisor: i32, border: &Border) -> Image {
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        let plane = self.planes.first();
        let filtered = |x: usize, y: usize| {
            let mut sum = 0;
            for (dy, row) in filter.iter().enumerate() {
                for (dx, factor) in row.iter().enumerate() {
                    let from = |at: usize, delta: usize, len| {
                        Border::source(border.kind, (2 * at + delta) as isize - 2, len)
                    };
                    let value = match (from(x, dx, self.width), from(y, dy, self.height)) {
                        (Some(x), Some(y)) => plane.map_or(0, |plane| plane.at(x, y, 0)),
                        _ => border.value[0],
                    };
                    sum += factor * i32::from(value);
                }
            }
            [((sum + divisor / 2) / divisor).clamp(0, 255) as u8]
        };
        Image {
            width,
            height,
            colours: Colours::Gray,
            planes: vec![Plane::from_pixels(width, height, filtered)],
        }
    }

    /// Returns the image with its pixels in another order; `source` gives the place of each pixel of a plane of so many
    /// columns and rows.
    pub(super) fn moved(
        &self,
        turned: bool,
        source: &dyn Fn(usize, usize, usize, usize) -> (usize, usize),
    ) -> Image {
        let swap = |width, height| {
            if turned {
                (height, width)
            } else {
                (width, height)
            }
        };
        let planes = self.planes.iter().map(|plane| {
            let (width, height) = swap(plane.width, plane.height);
            let mut bytes = Vec::with_capacity(plane.bytes.len());
            for y in 0..height {
                for x in 0..width {
                    let (x, y) = source(x, y, plane.width, plane.height);
                    for channel in 0..plane.channels {
                        bytes.push(plane.at(x, y, channel));
                    }
                }
            }
            Plane {
                width,
                height,
                channels: plane.channels,
                bytes,
            }
        });
        let planes = list_of(planes);
        let (width, height) = swap(self.width, self.height);
        let colours = match self.colours {
            Colours::Yuv(across, down) if turned => Colours::Yuv(down, across),
            other => other,
        };
        Image {
            width,
            height,
            colours,
            planes,
        }
    }
}

/// The filter of a Gaussian pyramid, whose sum is 256.
pub(super) const GAUSS: [[i32; 5]; 5] = [
    [1, 4, 6, 4, 1],
    [4, 16, 24, 16, 4],
    [6, 24, 36, 24, 6],
    [4, 16, 24, 16, 4],
    [1, 4, 6, 4, 1],
];

/// Returns a plane of another size with the nearest pixels.
fn nearest(plane: &Plane, width: usize, height: usize) -> Plane {
    let mut bytes = Vec::with_capacity(width * height * plane.channels);
    for y in 0..height {
        for x in 0..width {
            let (x, y) = (x * plane.width / width, y * plane.height / height);
            bytes.extend((0..plane.channels).map(|channel| plane.at(x, y, channel)));
        }
    }
    Plane {
        width,
        height,
        channels: plane.channels,
        bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::{Border, GAUSS, Interpolation};
    use crate::media::engine::Engine;
    use crate::media::image::{Colours, Image, Plane};

    fn gray(width: usize, bytes: &[u8]) -> Image {
        let height = bytes.len() / width;
        Image {
            width,
            height,
            colours: Colours::Gray,
            planes: vec![Plane {
                width,
                height,
                channels: 1,
                bytes: bytes.to_vec(),
            }],
        }
    }

    fn row(image: &Image) -> Vec<u8> {
        image
            .planes
            .iter()
            .flat_map(|plane| plane.bytes.clone())
            .collect()
    }

    #[test]
    fn borders_are_those_of_opencv() {
        for (kind, expected) in [
            (0, [9, 9, 9, 1, 2, 3, 4, 9, 9]),
            (1, [1, 1, 1, 1, 2, 3, 4, 4, 4]),
            (2, [3, 2, 1, 1, 2, 3, 4, 4, 3]),
            (3, [4, 3, 2, 1, 2, 3, 4, 3, 2]),
            (4, [2, 3, 4, 1, 2, 3, 4, 1, 2]),
        ] {
            let border = Border {
                top: 0,
                bottom: 0,
                left: 3,
                right: 2,
                kind,
                value: [9; 4],
            };
            assert_eq!(
                row(&gray(4, &[1, 2, 3, 4]).bordered(&border)),
                expected,
                "{kind}"
            );
        }
    }

    #[test]
    fn the_nearest_pixel_is_that_of_opencv() {
        let scaled = gray(4, &[1, 2, 3, 4]).scaled(6, 1, Interpolation::Nearest, None);
        assert_eq!(scaled.map(|image| row(&image)), Ok(vec![1, 1, 2, 3, 3, 4]));
        let scaled = gray(4, &[1, 2, 3, 4]).scaled(6, 1, Interpolation::Linear, None);
        assert!(scaled.is_err(), "{scaled:?}");
    }

    /// An engine that gives back whatever plane it has.
    struct Wrong(Plane);

    impl Engine for Wrong {
        fn decode_jpeg(&self, _: &[u8]) -> Result<Plane, String> {
            Ok(self.0.clone())
        }

        fn encode_jpeg(&self, _: &[Plane; 3], _: bool, _: u8) -> Result<Vec<u8>, String> {
            Ok(Vec::new())
        }

        fn decode_png(&self, _: &[u8]) -> Result<Plane, String> {
            Ok(self.0.clone())
        }

        fn scale(&self, _: &Plane, _: usize, _: usize) -> Result<Plane, String> {
            Ok(self.0.clone())
        }
    }

    #[test]
    fn a_plane_of_an_engine_is_that_which_was_asked_for() {
        let scaled = |plane: Plane| {
            let engine = Wrong(plane);
            gray(4, &[1, 2, 3, 4]).scaled(6, 1, Interpolation::Linear, Some(&engine))
        };
        assert!(scaled(Plane::new(6, 1, 1)).is_ok());
        let short = Plane {
            bytes: vec![0; 5],
            ..Plane::new(6, 1, 1)
        };
        let none = Plane::new(6, 1, 0);
        for wrong in [
            short,
            none,
            Plane::new(6, 1, 2),
            Plane::new(5, 1, 1),
            Plane::default(),
        ] {
            let shown = format!("{wrong:?}");
            let why = scaled(wrong).err().unwrap_or_default();
            assert!(why.contains("6x1 pixels were asked for"), "{shown}: {why}");
        }
    }

    #[test]
    fn a_pyramid_of_one_colour_has_that_colour() {
        let border = Border {
            top: 0,
            bottom: 0,
            left: 0,
            right: 0,
            kind: 3,
            value: [0; 4],
        };
        let half = gray(6, &[77; 36]).halved(&GAUSS, 256, &border);
        assert_eq!((half.width, half.height, row(&half)), (3, 3, vec![77; 9]));
    }

    #[test]
    fn values_are_counted_and_mapped() {
        let counts = gray(2, &[5, 5, 7, 5]).counted();
        assert_eq!((counts[0][5], counts[0][7], counts[1][0]), (3, 1, 0));
        let mut map = [[0; 256]; 3];
        map[0][5] = 50;
        map[0][7] = 70;
        assert_eq!(row(&gray(2, &[5, 5, 7, 5]).mapped(&map)), [50, 50, 70, 50]);
    }
}
