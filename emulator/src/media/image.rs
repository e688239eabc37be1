//! Pictures outside of device memory: planes without gaps, with the components in one order.

use super::format::Layout;
use super::rows::Component;
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

    /// Returns a plane of an engine, if it has the size and the bytes that were asked for. Any number of components from 1 to 4 may
    /// be right where `channels` is `None`.
    pub(super) fn checked(
        self,
        width: usize,
        height: usize,
        channels: Option<usize>,
    ) -> Result<Plane, String> {
        let is_known = (1..=4).contains(&self.channels);
        let is_asked = channels.is_none_or(|channels| channels == self.channels);
        let is_full = self.bytes.len() == width * height * self.channels;
        if (self.width, self.height) == (width, height) && is_known && is_asked && is_full {
            return Ok(self);
        }
        Err(format!(
            "the engine for pictures gave {} bytes for {}x{} pixels of {} components, and {width}x{height} pixels were asked for",
            self.bytes.len(),
            self.width,
            self.height,
            self.channels
        ))
    }

    /// The bytes of a row. Below the last row it is that one.
    pub(super) fn row(&self, y: usize) -> &[u8] {
        let row = self.width * self.channels;
        let start = y.min(self.height.saturating_sub(1)) * row;
        self.bytes.get(start..start + row).unwrap_or_default()
    }

    /// The bytes of each row.
    pub(super) fn rows_mut(&mut self) -> std::slice::ChunksExactMut<'_, u8> {
        self.bytes
            .chunks_exact_mut((self.width * self.channels).max(1))
    }

    /// Makes a plane of rows that are written one after the other, so that none is filled with zeros before.
    pub(super) fn from_rows(
        width: usize,
        height: usize,
        channels: usize,
        write: &mut dyn FnMut(usize, &mut [u8]),
    ) -> Plane {
        let mut row = vec![0; width * channels];
        let mut bytes = Vec::with_capacity(row.len() * height);
        for y in 0..height {
            write(y, &mut row);
            bytes.extend_from_slice(&row);
        }
        Plane {
            width,
            height,
            channels,
            bytes,
        }
    }

    /// Makes a plane from the components of each pixel.
    pub(super) fn from_pixels<const N: usize>(
        width: usize,
        height: usize,
        mut pixel: impl FnMut(usize, usize) -> [u8; N],
    ) -> Plane {
        let mut plane = Plane::new(width, height, N);
        for (y, row) in plane.rows_mut().enumerate() {
            for (x, components) in row.as_chunks_mut().0.iter_mut().enumerate() {
                *components = pixel(x, y);
            }
        }
        plane
    }

    /// Makes a plane of some components of this one.
    pub(super) fn of_channels(&self, channels: std::ops::Range<usize>) -> Plane {
        let mut plane = Plane::new(self.width, self.height, channels.len());
        let step = plane.channels;
        for (y, row) in plane.rows_mut().enumerate() {
            for (at, from) in channels.clone().enumerate() {
                Lane(at, step).copy(row, self.row(y), Lane(from, self.channels));
            }
        }
        plane
    }
}

/// A component of the pixels of a row: the offset of the first one, and the distance to the next one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lane(pub(super) usize, pub(super) usize);

impl Lane {
    /// Writes the component of a row. Pixels behind the end of `from` are as the last one, or 0 if there is none.
    pub(super) fn copy(self, to: &mut [u8], from: &[u8], of: Lane) {
        let (to, from) = (
            to.get_mut(self.0..).unwrap_or_default(),
            from.get(of.0..).unwrap_or_default(),
        );
        // Steps that the compiler knows make the usual rows several times as fast.
        let written = match (self.1, of.1) {
            (1, 1) => strided::<1, 1>(to, from),
            (1, 2) => strided::<1, 2>(to, from),
            (1, 3) => strided::<1, 3>(to, from),
            (2, 1) => strided::<2, 1>(to, from),
            (2, 2) => strided::<2, 2>(to, from),
            (2, 3) => strided::<2, 3>(to, from),
            (3, 1) => strided::<3, 1>(to, from),
            (3, 3) => strided::<3, 3>(to, from),
            (3, 4) => strided::<3, 4>(to, from),
            (4, 2) => strided::<4, 2>(to, from),
            (4, 3) => strided::<4, 3>(to, from),
            (4, 4) => strided::<4, 4>(to, from),
            (6, 2) => strided::<6, 2>(to, from),
            _ => 0,
        };
        let to = to.get_mut(written * self.1..).unwrap_or_default();
        let from = from.get(written * of.1..).unwrap_or_default();
        let mut from = from.iter().step_by(of.1);
        let mut last = 0;
        for to in to.iter_mut().step_by(self.1) {
            last = from.next().copied().unwrap_or(last);
            *to = last;
        }
    }

    /// Writes one value to the component of a row.
    pub(super) fn fill(self, to: &mut [u8], value: u8) {
        let to = to.get_mut(self.0..).unwrap_or_default();
        to.iter_mut().step_by(self.1).for_each(|to| *to = value);
    }
}

/// Copies bytes between places at two distances, and returns the number of pixels that were copied: not the last one.
#[expect(
    clippy::indexing_slicing,
    reason = "neither side has fewer pixels than are copied; iterators of each pair of distances are three times the code"
)]
fn strided<const TO: usize, const FROM: usize>(to: &mut [u8], from: &[u8]) -> usize {
    let (to, from) = (to.as_chunks_mut::<TO>().0, from.as_chunks::<FROM>().0);
    // The last pixel stays, because the ones behind it may be as it.
    let count = to.len().min(from.len()).saturating_sub(1);
    let (to, from) = (&mut to[..count], &from[..count]);
    for at in 0..count {
        to[at][0] = from[at][0];
    }
    count
}

/// A plane of an image in the bytes of a strip.
#[derive(Debug, Clone, Copy)]
struct Part {
    /// The number of the strip.
    strip: usize,
    /// The distance of pixels.
    step: usize,
    /// The components of the plane, and the offset of each one.
    channels: usize,
    offsets: [usize; 4],
}

impl Part {
    /// Whether a row of the plane has the bytes of the strip.
    fn is_whole(&self) -> bool {
        let in_order = self.offsets.iter().take(self.channels).enumerate();
        self.channels == self.step && in_order.into_iter().all(|(index, offset)| index == *offset)
    }

    /// The component of the plane in its rows, and in the strip.
    fn lanes(&self) -> impl Iterator<Item = (Lane, Lane)> {
        let (channels, step) = (self.channels, self.step);
        let offsets = self.offsets.into_iter().take(channels).enumerate();
        offsets.map(move |(index, offset)| (Lane(index, channels), Lane(offset, step)))
    }
}

/// The planes of images in pictures of a layout.
fn parts(layout: Layout) -> Vec<Part> {
    let part = |strip, step, channels, offsets| Part {
        strip,
        step,
        channels,
        offsets,
    };
    match layout {
        Layout::Gray => vec![part(0, 1, 1, [0; 4])],
        Layout::SemiPlanar { swapped, .. } => {
            let offsets = if swapped { [1, 0, 0, 0] } else { [0, 1, 0, 0] };
            vec![part(0, 1, 1, [0; 4]), part(1, 2, 2, offsets)]
        }
        Layout::Packed422 { y, u, v } => {
            vec![part(0, 2, 1, [y, 0, 0, 0]), part(0, 4, 2, [u, v, 0, 0])]
        }
        Layout::Packed {
            channels,
            order,
            is_rgb: true,
        } => vec![part(0, channels, channels, order)],
        Layout::Packed {
            channels,
            order: [y, u, v, _],
            ..
        } => vec![
            part(0, channels, 1, [y, 0, 0, 0]),
            part(0, channels, 2, [u, v, 0, 0]),
        ],
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

/// Where the components of the pixels of a rectangle are: in the planes of an image, or in a picture.
#[derive(Debug)]
pub(super) struct Pixels<'a> {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) colours: Colours,
    /// Red, green and blue, or Y, U and V. Colours that are not there are grey.
    pub(super) components: Vec<Component<'a>>,
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

    /// Returns the pixels of an area where they are. `None` if they are not in the bytes.
    pub(super) fn pixels<'a>(&self, bytes: &'a [u8], area: Area) -> Option<Pixels<'a>> {
        let strips = self.strips(area);
        let mut components = Vec::new();
        for part in parts(self.layout) {
            let strip = strips.get(part.strip)?;
            for (_, Lane(offset, step)) in part.lanes() {
                components.push(Component {
                    bytes: bytes.get(strip.start..strip.start.checked_add(strip.len())?)?,
                    distance: strip.stride,
                    row: strip.row,
                    rows: strip.rows,
                    offset,
                    step,
                });
            }
        }
        Some(Pixels {
            width: area.width,
            height: area.height,
            colours: Colours::of(self.layout),
            components,
        })
    }

    /// Reads an area. `None` if it is not in the bytes.
    pub(super) fn load(&self, bytes: &[u8], area: Area) -> Option<Image> {
        let strips = self.strips(area);
        let planes = parts(self.layout).into_iter().map(|part| {
            let strip = *strips.get(part.strip)?;
            let mut plane = Plane::new(strip.row / part.step, 0, part.channels);
            if part.is_whole() {
                plane.bytes.reserve_exact(strip.row * strip.rows);
                for y in 0..strip.rows {
                    plane.bytes.extend_from_slice(strip.of(bytes, y)?);
                }
                plane.height = strip.rows;
                return Some(plane);
            }
            let mut plane = Plane::new(plane.width, strip.rows, part.channels);
            for (y, to) in plane.rows_mut().enumerate() {
                let from = strip.of(bytes, y)?;
                for (in_plane, in_strip) in part.lanes() {
                    in_plane.copy(to, from, in_strip);
                }
            }
            Some(plane)
        });
        Some(Image {
            width: area.width,
            height: area.height,
            colours: Colours::of(self.layout),
            planes: every_some(planes)?,
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
        for (index, part) in parts(self.layout).into_iter().enumerate() {
            let strip = *strips.get(part.strip)?;
            // Grey is the colour of brightness alone.
            let grey = Plane {
                bytes: vec![128; 2],
                ..Plane::new(1, 1, 2)
            };
            let plane = match index {
                0 => image.planes.first()?,
                _ => image.planes.get(index).unwrap_or(&grey),
            };
            for row in 0..strip.rows {
                let (to, from) = (strip.of_mut(bytes, row)?, plane.row(row));
                if part.is_whole() && to.len() == from.len() {
                    to.copy_from_slice(from);
                    continue;
                }
                for (number, (in_plane, in_strip)) in part.lanes().enumerate() {
                    match number < plane.channels {
                        true => in_strip.copy(to, from, Lane(in_plane.0, plane.channels)),
                        false => in_strip.fill(to, 0),
                    }
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Area, Grid, Image, Pixels};
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
            let (there, loaded) = (grid.pixels(&bytes, area), image.as_ref().map(Image::pixels));
            let rows = |pixels: Option<Pixels<'_>>| {
                let pixels = pixels?;
                let mut rows = pixels.rows();
                let read = |y| {
                    pixels.read_row(y, &mut rows);
                    rows.clone()
                };
                Some((0..area.height).map(read).collect::<Vec<_>>())
            };
            assert!(there.is_some());
            assert_eq!(rows(there), rows(loaded), "{format}");
            let mut copy = vec![0; bytes.len()];
            let stored = image.and_then(|image| grid.store(&mut copy, &image, 2, 2));
            assert_eq!(stored, Some(()), "{format}");
            for strip in grid.strips(area) {
                for row in 0..strip.rows {
                    assert_eq!(strip.of(&copy, row), strip.of(&bytes, row), "{format}");
                }
            }
            let beyond = Area { height: 7, ..area };
            assert_eq!(grid.load(&bytes, beyond), None, "{format}");
            assert!(grid.pixels(&bytes, beyond).is_none(), "{format}");
        }
    }
}
