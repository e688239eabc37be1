//! What both generations decode and encode: JPEG and PNG in device memory.

use std::sync::Arc;

use ascendcl_sys::{ACL_ERROR_FAILURE, ACL_ERROR_FORMAT_NOT_MATCH};

use super::colour::Matrix;
use super::engine::Engine;
use super::format::{Layout, UNKNOWN};
use super::image::{Colours, Image, Lane, Plane};
use super::jpeg::{self, Jpeg, Sampling};
use super::picture::{Picture, Refused, store};
use super::png;
use super::product::Product;
use crate::results::list_of;

/// The sizes that the decoder of JPEG accepts, and the encoder.
pub(super) const JPEG_SIDES: std::ops::RangeInclusive<u32> = 32..=8192;

/// The sizes that the decoder of PNG accepts.
pub(super) const PNG_SIDES: std::ops::RangeInclusive<u32> = 32..=4096;

/// Returns the format of a decoded JPEG, if the decoder can make the requested one.
pub(super) fn decoded_format(sampling: Sampling, requested: u32, product: Product) -> Option<u32> {
    let own: &[u32] = match sampling {
        Sampling::S444 => &[6, 5],
        Sampling::S422 => &[4, 3],
        Sampling::S440 => &[1001, 1000],
        Sampling::S420 => &[],
        Sampling::Gray if !product.is_oldest() => &[2, 0],
        Sampling::Gray => &[],
        Sampling::Other => return None,
    };
    let mut all = own.iter().chain(&[2, 1]);
    if requested == UNKNOWN {
        return all.next().copied();
    }
    all.find(|format| **format == requested).copied()
}

/// Returns the size of a decoded JPEG. Sides that share colours become even: one less, or one more if `is_up`.
pub(super) fn decoded_size(header: &Jpeg, format: u32, is_up: bool) -> (u32, u32) {
    let (width, height) = header.turned();
    let sampling = header.reported();
    if sampling == Sampling::Gray {
        return (width, height);
    }
    let of_format = Layout::of(format).map_or((1, 1), Layout::shared);
    let of_source = match (header.is_turned(), sampling.shared()) {
        (true, (across, down)) => (down, across),
        (false, shared) => shared,
    };
    let rounded = |side: u32, one: usize, other: usize| {
        let unit = one.max(other) as u32;
        if is_up {
            side.next_multiple_of(unit)
        } else {
            side / unit * unit
        }
    };
    (
        rounded(width, of_format.0, of_source.0),
        rounded(height, of_format.1, of_source.1),
    )
}

/// The output of a decoding, with what the decoder decides.
pub(super) struct Output {
    pub(super) picture: Picture,
    pub(super) product: Product,
    /// Whether odd sides become even by one pixel more.
    pub(super) is_up: bool,
}

impl Output {
    /// Decodes a JPEG into the buffer of the output, and returns the picture there.
    pub(super) fn decode_jpeg(
        &self,
        file: &[u8],
        engine: &Arc<dyn Engine>,
    ) -> Result<(Image, Picture), Refused> {
        let header = jpeg::read(file).map_err(damaged)?;
        if let Some(why) = header.unsupported() {
            return Err(Refused::jpeg(format!("the JPEG cannot be decoded: {why}")));
        }
        if !header.has_end() {
            return Err(damaged("it ends in the middle".to_owned()));
        }
        let format = decoded_format(header.reported(), self.picture.format, self.product);
        let format = format.ok_or_else(|| Refused {
            code: ACL_ERROR_FORMAT_NOT_MATCH as u32,
            text: format!(
                "a JPEG of the subsampling {:?} cannot be decoded to the format {}",
                header.reported(),
                self.picture.format
            ),
        })?;
        let (width, height) = decoded_size(&header, format, self.is_up);
        if !JPEG_SIDES.contains(&header.width) || !JPEG_SIDES.contains(&header.height) {
            return Err(Refused::parameter(format!(
                "the JPEG has {}x{} pixels; 32 to 8192 are allowed for each side",
                header.width, header.height
            )));
        }
        if let Some(why) = header.missing() {
            return Err(damaged(why));
        }
        let picture = self.placed(format, width, height, self.product.decoded_unit())?;
        let plane = engine.decode_jpeg(file).map_err(damaged)?;
        let plane = plane.checked(header.width as usize, header.height as usize, None);
        let plane = plane.map_err(damaged)?;
        let layout =
            Layout::of(format).ok_or_else(|| Refused::parameter("the format is not modelled"))?;
        let image = oriented(image_of(&plane), &header);
        let image = resized(image, width as usize, height as usize);
        let matrix =
            Matrix::of(0).ok_or_else(|| Refused::parameter("there is no colour matrix"))?;
        Ok((image.converted(Colours::of(layout), &matrix, 0), picture))
    }

    /// Decodes a PNG for the buffer of the output, and returns the picture there.
    pub(super) fn decode_png(
        &self,
        file: &[u8],
        engine: &Arc<dyn Engine>,
    ) -> Result<(Image, Picture), Refused> {
        let header = png::read(file).map_err(|why| damaged_png(&why))?;
        let refuse = |text: String| Refused {
            code: ACL_ERROR_FORMAT_NOT_MATCH as u32,
            text,
        };
        if header.components().is_none() {
            return Err(refuse(
                "the PNG has a palette, which the decoder does not have".to_owned(),
            ));
        }
        if header.bits > 8 {
            return Err(refuse(format!(
                "the PNG has {} bits for each component; 8 are modelled",
                header.bits
            )));
        }
        if !PNG_SIDES.contains(&header.width) || !PNG_SIDES.contains(&header.height) {
            return Err(Refused::parameter(format!(
                "the PNG has {}x{} pixels; 32 to 4096 are allowed for each side",
                header.width, header.height
            )));
        }
        let has_alpha = matches!(header.colour, 4 | 6);
        let format = match self.picture.format {
            UNKNOWN if has_alpha => 16,
            _ => 12,
        };
        let unit = if format == 16 { 4 } else { 3 };
        let picture = self.placed(format, header.width, header.height, unit)?;
        let plane = engine.decode_png(file).map_err(|why| damaged_png(&why))?;
        let plane = plane.checked(header.width as usize, header.height as usize, None);
        let plane = plane.map_err(|why| damaged_png(&why))?;
        let mut whole = Plane::new(plane.width, plane.height, 4);
        let (has_colours, has_alpha) = (plane.channels > 2, plane.channels % 2 == 0);
        for (y, to) in whole.rows_mut().enumerate() {
            for channel in 0..3 {
                let from = Lane(if has_colours { channel } else { 0 }, plane.channels);
                Lane(channel, 4).copy(to, plane.row(y), from);
            }
            match has_alpha {
                true => Lane(3, 4).copy(to, plane.row(y), Lane(plane.channels - 1, plane.channels)),
                false => Lane(3, 4).fill(to, 255),
            }
        }
        let image = Image {
            width: plane.width,
            height: plane.height,
            colours: Colours::Rgb(4),
            planes: vec![whole],
        };
        let layout =
            Layout::of(format).ok_or_else(|| refuse("the format is not modelled".to_owned()))?;
        let matrix = Matrix::of(0).ok_or_else(|| refuse("there is no colour matrix".to_owned()))?;
        Ok((image.converted(Colours::of(layout), &matrix, 255), picture))
    }

    /// Returns the picture in the buffer of the output. Strides of 0 become the least ones.
    fn placed(&self, format: u32, width: u32, height: u32, unit: u32) -> Result<Picture, Refused> {
        let refuse = |text: String| Err(Refused::parameter(text));
        let layout =
            Layout::of(format).ok_or_else(|| Refused::parameter("the format is not modelled"))?;
        let row = width * layout.unit() as u32;
        let mut picture = self.picture;
        (picture.format, picture.width, picture.height) = (format, width, height);
        if picture.width_stride == 0 {
            // Pixels of three bytes need a multiple of 3, too.
            let step = if unit.is_power_of_two() {
                unit.max(64)
            } else {
                unit * 64
            };
            picture.width_stride = row.next_multiple_of(step);
        }
        if picture.height_stride == 0 {
            picture.height_stride = height.next_multiple_of(16);
        }
        let (columns, rows) = (picture.width_stride, picture.height_stride);
        if columns < row || columns % unit != 0 || columns > 1 << 16 {
            return refuse(format!(
                "the output has rows of {columns} bytes; the picture needs {row}, and this product a multiple of {unit}"
            ));
        }
        if rows < height || rows > 1 << 14 || rows % 2 != 0 {
            return refuse(format!(
                "the output has {rows} rows in its buffer, and the picture {height}"
            ));
        }
        let bytes = layout.bytes(columns as usize, rows as usize);
        if (picture.size as usize) < bytes {
            return refuse(format!(
                "the output has a buffer of {} bytes and needs {bytes}",
                picture.size
            ));
        }
        Ok(picture)
    }
}

/// Writes a decoded picture into its buffer.
pub(super) fn put(image: &Image, picture: &Picture, bytes: &mut [u8]) -> Result<(), Refused> {
    store(&picture.grid("the output")?, bytes, image, 0, 0)
}

/// Sets up to eight bytes behind the end of a JPEG to zero, as the decoder does.
pub(super) fn clear_tail(file: &mut [u8]) {
    let end = file.windows(2).rposition(|pair| pair == [0xff, 0xd9]);
    if let Some(end) = end {
        file.iter_mut()
            .skip(end + 2)
            .take(8)
            .for_each(|byte| *byte = 0);
    }
}

fn damaged(why: String) -> Refused {
    Refused {
        code: ACL_ERROR_FAILURE as u32,
        text: format!("the JPEG is damaged: {why}"),
    }
}

fn damaged_png(why: &str) -> Refused {
    Refused {
        code: ACL_ERROR_FAILURE as u32,
        text: format!("the PNG is damaged: {why}"),
    }
}

/// Makes an image of decoded components.
fn image_of(plane: &Plane) -> Image {
    let (width, height) = (plane.width, plane.height);
    let bright = plane.of_channels(0..1);
    let (colours, planes) = if plane.channels < 3 {
        (Colours::Gray, vec![bright])
    } else {
        (Colours::Yuv(1, 1), vec![bright, plane.of_channels(1..3)])
    };
    Image {
        width,
        height,
        colours,
        planes,
    }
}

/// Turns and mirrors an image as its orientation says.
fn oriented(image: Image, header: &Jpeg) -> Image {
    let is_turned = header.is_turned();
    match header.orientation() {
        2 => image.moved(is_turned, &|x, y, width, _| (width - 1 - x, y)),
        3 => image.moved(is_turned, &|x, y, width, height| {
            (width - 1 - x, height - 1 - y)
        }),
        4 => image.moved(is_turned, &|x, y, _, height| (x, height - 1 - y)),
        5 => image.moved(is_turned, &|x, y, _, _| (y, x)),
        6 => image.moved(is_turned, &|x, y, _, height| (y, height - 1 - x)),
        7 => image.moved(is_turned, &|x, y, width, height| {
            (width - 1 - y, height - 1 - x)
        }),
        8 => image.moved(is_turned, &|x, y, width, _| (width - 1 - y, x)),
        _ => image,
    }
}

/// Cuts the last column or row off, or repeats it.
fn resized(image: Image, width: usize, height: usize) -> Image {
    if (image.width, image.height) == (width, height) {
        return image;
    }
    let planes = image.planes.iter().map(|plane| {
        let mut bytes = Vec::with_capacity(width * height * plane.channels);
        for y in 0..height {
            for x in 0..width {
                bytes.extend((0..plane.channels).map(|channel| plane.at(x, y, channel)));
            }
        }
        Plane {
            width,
            height,
            channels: plane.channels,
            bytes,
        }
    });
    Image {
        width,
        height,
        colours: image.colours,
        planes: list_of(planes),
    }
}

/// Returns Y, U and V of each pixel of an image, for an encoder.
pub(super) fn components(image: Image) -> [Plane; 3] {
    let mut u = Plane::new(image.width, image.height, 1);
    let mut v = u.clone();
    let pixels = image.pixels();
    let mut rows = pixels.rows();
    for (y, (u, v)) in u.rows_mut().zip(v.rows_mut()).enumerate() {
        pixels.read_row(y, &mut rows);
        for (to, row) in [u, v].into_iter().zip(rows.iter().skip(1)) {
            to.copy_from_slice(row);
        }
    }
    let bright = image.planes.into_iter().next().unwrap_or_default();
    [bright, u, v]
}
