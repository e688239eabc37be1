//! Pictures in the AscendCL emulator.
//!
//! [`register`] makes the emulator decode JPEG and PNG, encode JPEG, and scale. With the feature `emulator-media` the crate
//! `ascendcl` and the C library call it themselves.
//!
//! ```
//! ascendcl_emulator_media::register();
//! # // A call of `acldvppJpegDecodeAsync` decodes from now on.
//! ```

mod encode;
mod scale;
mod scan;

use std::sync::Arc;

use ascendcl_emulator::media::{self, Engine, Plane};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// The longest side of a picture that the media engine accepts.
const LONGEST: usize = 8192;

/// Registers the engine with the emulator, unless it has an engine already. A second call changes nothing.
pub fn register() {
    media::register_default(Arc::new(Coders));
}

/// The engine.
#[derive(Debug)]
struct Coders;

impl Engine for Coders {
    fn decode_jpeg(&self, file: &[u8]) -> Result<Plane, String> {
        let options = DecoderOptions::default()
            .set_strict_mode(true)
            .set_max_width(LONGEST)
            .set_max_height(LONGEST);
        let file = scan::with_ones(file);
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&file), options);
        decoder
            .decode_headers()
            .map_err(|error| error.to_string())?;
        let (colours, channels) = match decoder.input_colorspace() {
            Some(ColorSpace::Luma) => (ColorSpace::Luma, 1),
            Some(ColorSpace::YCbCr) => (ColorSpace::YCbCr, 3),
            other => return Err(format!("the colours {other:?} are not supported")),
        };
        decoder.set_options(options.jpeg_set_out_colorspace(colours));
        let bytes = decoder.decode().map_err(|error| error.to_string())?;
        let info = decoder.info().ok_or("the header is missing")?;
        plane(
            usize::from(info.width),
            usize::from(info.height),
            channels,
            bytes,
        )
    }

    fn encode_jpeg(
        &self,
        planes: &[Plane; 3],
        is_420: bool,
        quality: u8,
    ) -> Result<Vec<u8>, String> {
        encode::encoded(planes, is_420, quality)
    }

    fn decode_png(&self, file: &[u8]) -> Result<Plane, String> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
        let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
        let room = reader
            .output_buffer_size()
            .ok_or("the picture is too large")?;
        if room > LONGEST * LONGEST * 4 {
            return Err("the picture is too large".to_owned());
        }
        let mut bytes = vec![0; room];
        let frame = reader
            .next_frame(&mut bytes)
            .map_err(|error| error.to_string())?;
        bytes.truncate(frame.buffer_size());
        let channels = frame.color_type.samples();
        plane(frame.width as usize, frame.height as usize, channels, bytes)
    }

    fn scale(&self, plane: &Plane, width: usize, height: usize) -> Result<Plane, String> {
        if !(1..=4).contains(&plane.channels) {
            return Err(format!("a pixel has {} bytes", plane.channels));
        }
        Ok(scale::scaled(plane, width, height))
    }
}

/// Makes a plane, if there are as many bytes as it has.
fn plane(width: usize, height: usize, channels: usize, bytes: Vec<u8>) -> Result<Plane, String> {
    let needed = width * height * channels;
    if bytes.len() != needed {
        return Err(format!(
            "the picture has {} bytes and needs {needed}",
            bytes.len()
        ));
    }
    let mut plane = Plane::new(0, 0, channels);
    (plane.width, plane.height, plane.bytes) = (width, height, bytes);
    Ok(plane)
}
