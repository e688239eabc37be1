//! Pictures outside of device memory: planes without gaps, with the components in one order.

use super::format::Layout;
use crate::results::every_some;

/// The colours of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colours {
    /// Brightness alone.
    Gray,
    /// Brightness, and pairs of U and V in a second plane; so many pixels share a pair along a row and down a column.
    Yuv(usize, usize),
    /// Red, green and blue, with alpha if there are four components.
    Rgb(usize),
}

impl Colours {
    pub(super) fn of(layout: Layout) -> Colours {
        match layout {
            Layout::Gray => Colours::Gray,
            Layout::SemiPlanar { shared, .. } => Colours::Yuv(shared.0, shared.1),
            Layout::Packed422 { .. } => Colours::Yuv(2, 1),
            Layout::Packed {
                channels,
                is_rgb: true,
                ..
            } => Colours::Rgb(channels),
            Layout::Packed { .. } => Colours::Yuv(1, 1),
        }
    }
}

/// Rows of pixels without gaps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plane {
    /// The width in pixels.
    pub width: usize,
    /// The height in rows.
    pub height: usize,
    /// The bytes of a pixel, 1 to 4.
    pub channels: usize,
    /// The pixels, row by row.
    pub bytes: Vec<u8>,
}

impl Plane {
    /// Makes a plane of zeros.
    #[must_use]
    pub fn new(width: usize, height: usize, channels: usize) -> Plane {
        Plane {
            width,
            height,
            channels,
            bytes: vec![0; width * height * channels],
        }
    }

    /// Returns a component of a pixel. Beyond the edges it is that of the nearest pixel; it is 0 in an empty plane.
    #[must_use]
    pub fn at(&self, x: usize, y: usize, channel: usize) -> u8 {
        let x = x.min(self.width.saturating_sub(1));
        let y = y.min(self.height.saturating_sub(1));
        let offset = (y * self.width + x) * self.channels + channel;
        self.bytes.get(offset).copied().unwrap_or(0)
    }

    /// Makes a plane from the components of each pixel.
    pub(super) fn from_pixels<const N: usize>(
        width: usize,
        height: usize,
        mut pixel: impl FnMut(usize, usize) -> [u8; N],
    ) -> Plane {
        let mut plane = Plane::new(width, height, N);
        let (mut x, mut y) = (0, 0);
        for components in plane.bytes.as_chunks_mut().0 {
            *components = pixel(x, y);
            x += 1;
            if x == width {
                (x, y) = (0, y + 1);
            }
        }
        plane
    }
}

/// A rectangle of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// An image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Image {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) colours: Colours,
    pub(super) planes: Vec<Plane>,
}

/// The place of pictures in memory: the layout and the strides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Grid {
    pub(super) layout: Layout,
    pub(super) width_stride: usize,
    pub(super) height_stride: usize,
}

/// The bytes that an area of a plane occupies: the first one, the bytes of a row, the rows, and the distance of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Strip {
    pub(super) start: usize,
    pub(super) row: usize,
    pub(super) rows: usize,
    pub(super) stride: usize,
}

impl Strip {
    /// The bytes from the first one to the last one.
    pub(super) fn len(self) -> usize {
        match self.rows {
            0 => 0,
            rows => (rows - 1)
                .saturating_mul(self.stride)
                .saturating_add(self.row),
        }
    }

    fn of(self, bytes: &[u8], row: usize) -> Option<&[u8]> {
        let start = self.start.checked_add(row.checked_mul(self.stride)?)?;
        bytes.get(start..start.checked_add(self.row)?)
    }

    fn of_mut(self, bytes: &mut [u8], row: usize) -> Option<&mut [u8]> {
        let start = self.start.checked_add(row.checked_mul(self.stride)?)?;
        bytes.get_mut(start..start.checked_add(self.row)?)
    }
}

impl Grid {
    /// Returns the strips that an area occupies, one for each plane.
    pub(super) fn strips(&self, area: Area) -> Vec<Strip> {
        let (unit, stride) = (self.layout.unit(), self.width_stride);
        let mut strips = vec![Strip {
            start: area.y * stride + area.x * unit,
            row: area.width * unit,
            rows: area.height,
            stride,
        }];
        if let Layout::SemiPlanar {
            shared: (across, down),
            ..
        } = self.layout
        {
            let (colour_stride, _) = self.layout.colours(stride, self.height_stride);
            strips.push(Strip {
                start: stride * self.height_stride
                    + area.y / down * colour_stride
                    + area.x / across * 2,
                row: area.width.div_ceil(across) * 2,
                rows: area.height.div_ceil(down),
                stride: colour_stride,
            });
        }
        strips
    }

    /// Reads an area. `None` if it is not in the bytes.
    pub(super) fn load(&self, bytes: &[u8], area: Area) -> Option<Image> {
        let strips = self.strips(area);
        let raw = strips.iter().map(|strip| {
            let mut raw = Vec::with_capacity(strip.row * strip.rows);
            for row in 0..strip.rows {
                raw.extend_from_slice(strip.of(bytes, row)?);
            }
            Some(raw)
        });
        let raw: Vec<Vec<u8>> = every_some(raw)?;
        let colours = Colours::of(self.layout);
        let (width, height) = (area.width, area.height);
        let byte = |plane: usize, at: usize| {
            let found = raw.get(plane).and_then(|raw| raw.get(at));
            found.copied().unwrap_or(0)
        };
        let planes = match self.layout {
            Layout::Gray => vec![Plane::from_pixels(width, height, |x, y| {
                [byte(0, y * width + x)]
            })],
            Layout::SemiPlanar {
                shared: (across, down),
                swapped,
            } => {
                let (first, second) = if swapped { (1, 0) } else { (0, 1) };
                let (columns, rows) = (width.div_ceil(across), height.div_ceil(down));
                vec![
                    Plane::from_pixels(width, height, |x, y| [byte(0, y * width + x)]),
                    Plane::from_pixels(columns, rows, |x, y| {
                        let at = (y * columns + x) * 2;
                        [byte(1, at + first), byte(1, at + second)]
                    }),
                ]
            }
            Layout::Packed422 { y: bright, u, v } => {
                let row = width * 2;
                vec![
                    Plane::from_pixels(width, height, |x, y| [byte(0, y * row + x * 2 + bright)]),
                    Plane::from_pixels(width / 2, height, |x, y| {
                        [byte(0, y * row + x * 4 + u), byte(0, y * row + x * 4 + v)]
                    }),
                ]
            }
            Layout::Packed {
                channels,
                order: [a, b, c, d],
                is_rgb,
            } => {
                let at = |x: usize, y: usize, offset: usize| {
                    byte(0, (y * width + x) * channels + offset)
                };
                match (is_rgb, channels) {
                    (true, 4) => vec![Plane::from_pixels(width, height, |x, y| {
                        [at(x, y, a), at(x, y, b), at(x, y, c), at(x, y, d)]
                    })],
                    (true, _) => vec![Plane::from_pixels(width, height, |x, y| {
                        [at(x, y, a), at(x, y, b), at(x, y, c)]
                    })],
                    (false, _) => vec![
                        Plane::from_pixels(width, height, |x, y| [at(x, y, a)]),
                        Plane::from_pixels(width, height, |x, y| [at(x, y, b), at(x, y, c)]),
                    ],
                }
            }
        };
        Some(Image {
            width,
            height,
            colours,
            planes,
        })
    }

    /// Writes an image of these colours at a place. `None` if it does not fit into the bytes.
    pub(super) fn store(&self, bytes: &mut [u8], image: &Image, x: usize, y: usize) -> Option<()> {
        let area = Area {
            x,
            y,
            width: image.width,
            height: image.height,
        };
        let strips = self.strips(area);
        let first = image.planes.first()?;
        let second = image.planes.get(1);
        let colour = |x, y, channel| second.map_or(128, |plane| plane.at(x, y, channel));
        let top = *strips.first()?;
        for row in 0..top.rows {
            let to = top.of_mut(bytes, row)?;
            match self.layout {
                Layout::Gray | Layout::SemiPlanar { .. } => {
                    for (x, to) in to.iter_mut().enumerate() {
                        *to = first.at(x, row, 0);
                    }
                }
                Layout::Packed422 { y: bright, u, v } => {
                    for (pair, to) in to.chunks_mut(4).enumerate() {
                        let mut put = |at: usize, value| {
                            if let Some(to) = to.get_mut(at) {
                                *to = value;
                            }
                        };
                        put(bright, first.at(pair * 2, row, 0));
                        put(bright + 2, first.at(pair * 2 + 1, row, 0));
                        put(u, colour(pair, row, 0));
                        put(v, colour(pair, row, 1));
                    }
                }
                Layout::Packed {
                    channels,
                    order,
                    is_rgb,
                } => {
                    for (x, to) in to.chunks_mut(channels).enumerate() {
                        for (channel, at) in order.iter().take(channels).enumerate() {
                            let value = match (is_rgb, channel) {
                                (true, 3) if first.channels < 4 => 0,
                                (true, channel) => first.at(x, row, channel),
                                (false, 0) => first.at(x, row, 0),
                                (false, channel) => colour(x, row, channel - 1),
                            };
                            if let Some(to) = to.get_mut(*at) {
                                *to = value;
                            }
                        }
                    }
                }
            }
        }
        if let (Some(strip), Layout::SemiPlanar { swapped, .. }) = (strips.get(1), self.layout) {
            for row in 0..strip.rows {
                for (x, to) in strip.of_mut(bytes, row)?.iter_mut().enumerate() {
                    *to = colour(x / 2, row, usize::from((x % 2 == 1) != swapped));
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Area, Grid};
    use crate::media::format::Layout;

    #[test]
    fn what_is_stored_is_loaded() {
        for format in (0..=13).chain([16, 17, 1000, 1001]) {
            let Some(layout) = Layout::of(format) else {
                continue;
            };
            let grid = Grid {
                layout,
                width_stride: 16 * layout.unit(),
                height_stride: 8,
            };
            let bytes: Vec<u8> = (0..layout.bytes(grid.width_stride, 8))
                .map(|n| (n * 7) as u8)
                .collect();
            let area = Area {
                x: 2,
                y: 2,
                width: 8,
                height: 4,
            };
            let image = grid.load(&bytes, area);
            let mut copy = vec![0; bytes.len()];
            let stored = image.and_then(|image| grid.store(&mut copy, &image, 2, 2));
            assert_eq!(stored, Some(()), "{format}");
            for strip in grid.strips(area) {
                for row in 0..strip.rows {
                    assert_eq!(strip.of(&copy, row), strip.of(&bytes, row), "{format}");
                }
            }
            assert_eq!(
                grid.load(&bytes, Area { height: 7, ..area }),
                None,
                "{format}"
            );
        }
    }
}
