//! Decoding and encoding of the first generation (`acldvppJpegDecodeAsync`, `acldvppJpegEncodeAsync`,
//! `acldvppPngDecodeAsync`).
//!
//! The decoder of JPEG writes to its input: it clears up to eight bytes behind the end of the picture.

use std::ffi::c_void;
use std::sync::Arc;

use ascendcl_sys::{aclError, acldvppChannelDesc, acldvppJpegeConfig, acldvppPicDesc, aclrtStream};

use super::channel::{self, JPEGD, JPEGE, PNGD, Used};
use super::config;
use super::decode::{JPEG_SIDES, Output, clear_tail, components, put};
use super::description;
use super::engine::{self, Engine};
use super::format::{UNKNOWN, is_decoded, is_encoded};
use super::image::Grid;
use super::object::touch;
use super::picture::{Generation, Picture, Refused, check_memory, load};
use super::product::product;
use super::query::encoder_strides;
use super::task::{Accepted, Job, Memory};
use super::vpc::has_format;
use crate::check::Touch;
use crate::object_calls::{invalid, not_null, status};
use crate::sync::{Mutex, lock};

/// A decoding that the checks of its call have accepted.
struct Decoding {
    call: &'static str,
    channel: Used,
    data: (usize, u32),
    desc: (usize, Picture),
    engine: Arc<dyn Engine>,
    is_png: bool,
}

impl Decoding {
    /// Makes the checks of the device that need no content.
    fn check(&self) -> Result<(), Refused> {
        let (engine, name) = if self.is_png {
            (PNGD, "PNG decoding")
        } else {
            (JPEGD, "JPEG decoding")
        };
        let product = product();
        let picture = &self.desc.1;
        self.channel.check(engine, name)?;
        check_memory("the input", self.data.0, Generation::First, product)?;
        check_memory("the output", picture.data, Generation::First, product)?;
        if picture.data == 0 || picture.size == 0 {
            return Err(Refused::parameter("the output has no buffer"));
        }
        if !self.data.0.is_multiple_of(128) || !picture.data.is_multiple_of(128) {
            return Err(Refused::parameter(
                "the input or the output does not begin at a multiple of 128",
            ));
        }
        Ok(())
    }

    fn queue(self, stream: aclrtStream) -> Result<(), aclError> {
        let (handle, picture) = self.desc;
        let (address, bytes) = (self.data.0, self.data.1 as usize);
        let decided: Arc<Mutex<Option<Picture>>> = Arc::default();
        let output = Output {
            picture,
            product: product(),
            is_up: self.channel.rounding == 1,
        };
        let checked = self.check();
        let (engine, is_png) = (self.engine, self.is_png);
        let job: Arc<Job> = {
            let decided = Arc::clone(&decided);
            Arc::new(move |memory: &mut Memory<'_>| {
                let file = memory.read(0);
                let (image, picture) = if is_png {
                    output.decode_png(file, &engine)?
                } else {
                    output.decode_jpeg(file, &engine)?
                };
                put(&image, &picture, memory.write(1))?;
                if !is_png {
                    clear_tail(memory.write(0));
                }
                *lock(&decided) = Some(picture);
                Ok(())
            })
        };
        let input = if is_png {
            Touch::read(address, bytes)
        } else {
            Touch::write(address, bytes)
        };
        let room = Touch {
            dense: false,
            ..Touch::write(picture.data, picture.size as usize)
        };
        let plan = Accepted {
            call: self.call,
            ranges: vec![(address, bytes), (picture.data, picture.size as usize)],
            touches: vec![
                Touch::read(address, bytes),
                input,
                room,
                self.channel.touch(),
                touch(handle, true),
            ],
            job: checked.map(|()| job),
            finish: Arc::new(move |code| {
                if let Some(picture) = lock(&decided).take() {
                    description::decided(handle, &picture);
                }
                description::finish(handle, code);
            }),
        };
        plan.queue(stream)
    }
}

pub(crate) unsafe extern "C" fn acldvppJpegDecodeAsync(
    channelDesc: *mut acldvppChannelDesc,
    data: *const c_void,
    size: u32,
    outputDesc: *mut acldvppPicDesc,
    stream: aclrtStream,
) -> aclError {
    let call = "acldvppJpegDecodeAsync";
    status((|| {
        let channel = channel::used(call, channelDesc)?;
        not_null(call, "data", data)?;
        let picture = description::picture(call, "outputDesc", outputDesc)?;
        has_bytes(call, size)?;
        has_format(
            call,
            "the output",
            picture.format,
            is_decoded(picture.format, product()),
        )?;
        let decoding = Decoding {
            call,
            channel,
            data: (data.addr(), size),
            desc: (outputDesc.addr(), picture),
            engine: engine::needed(call)?,
            is_png: false,
        };
        decoding.queue(stream)
    })())
}

pub(crate) unsafe extern "C" fn acldvppPngDecodeAsync(
    channelDesc: *mut acldvppChannelDesc,
    data: *const c_void,
    size: u32,
    outputDesc: *mut acldvppPicDesc,
    stream: aclrtStream,
) -> aclError {
    let call = "acldvppPngDecodeAsync";
    status((|| {
        let channel = channel::used(call, channelDesc)?;
        not_null(call, "data", data)?;
        let picture = description::picture(call, "outputDesc", outputDesc)?;
        has_bytes(call, size)?;
        has_format(
            call,
            "the output",
            picture.format,
            matches!(picture.format, 12 | UNKNOWN),
        )?;
        let decoding = Decoding {
            call,
            channel,
            data: (data.addr(), size),
            desc: (outputDesc.addr(), picture),
            engine: engine::needed(call)?,
            is_png: true,
        };
        decoding.queue(stream)
    })())
}

/// Refuses a size of 0.
fn has_bytes(call: &str, size: u32) -> Result<(), aclError> {
    if size == 0 {
        return Err(invalid(
            call,
            format_args!("size is 0; it is the number of bytes at data"),
        ));
    }
    Ok(())
}

/// A word of the program that a task writes.
#[derive(Clone, Copy)]
struct Word(*mut u32);

// SAFETY: the contract of `acldvppJpegEncodeAsync`: the word is valid until the program has waited for the task, and
// nobody uses it meanwhile.
unsafe impl Send for Word {}
// SAFETY: as above.
unsafe impl Sync for Word {}

impl Word {
    /// Writes the word.
    fn write(self, number: u32) {
        // SAFETY: see above.
        unsafe { self.0.write(number) };
    }
}

pub(crate) unsafe extern "C" fn acldvppJpegEncodeAsync(
    channelDesc: *mut acldvppChannelDesc,
    inputDesc: *mut acldvppPicDesc,
    data: *const c_void,
    size: *mut u32,
    config: *mut acldvppJpegeConfig,
    stream: aclrtStream,
) -> aclError {
    let call = "acldvppJpegEncodeAsync";
    status((|| {
        let channel = channel::used(call, channelDesc)?;
        let source = description::picture(call, "inputDesc", inputDesc)?;
        not_null(call, "data", data)?;
        not_null(call, "size", size)?;
        let level = config::quality(call, config)?;
        // SAFETY: not null; the caller's contract: valid for a read.
        let room = unsafe { size.read() };
        if room == 0 {
            return Err(invalid(
                call,
                format_args!("*size is 0; it is the room at data"),
            ));
        }
        has_format(call, "the input", source.format, is_encoded(source.format))?;
        let engine = engine::needed(call)?;
        let checked = checked(&channel, &source, data.addr(), level);
        let (address, room, word) = (data.addr(), room as usize, Word(size));
        let count: Arc<Mutex<Option<u32>>> = Arc::default();
        let mut touches = vec![
            Touch {
                dense: false,
                ..Touch::write(address, room)
            },
            channel.touch(),
            touch(inputDesc.addr(), false),
        ];
        let mut ranges = Vec::new();
        let job = checked.map(|grid| {
            touches.extend(source.touches(&grid, source.area(), false));
            ranges = vec![(source.data, source.bytes(&grid)), (address, room)];
            let count = Arc::clone(&count);
            let job: Arc<Job> = Arc::new(move |memory: &mut Memory<'_>| {
                let file = encoded(&source, &grid, memory.read(0), level, engine.as_ref())?;
                let to = memory.write(1).get_mut(..file.len()).ok_or_else(|| {
                    Refused::parameter(format!(
                        "the JPEG has {} bytes, and there is room for {room}",
                        file.len()
                    ))
                })?;
                to.copy_from_slice(&file);
                *lock(&count) = Some(file.len() as u32);
                Ok(())
            });
            job
        });
        let plan = Accepted {
            call,
            ranges,
            touches,
            job,
            finish: Arc::new(move |_| {
                if let Some(count) = lock(&count).take() {
                    word.write(count);
                }
            }),
        };
        plan.queue(stream)
    })())
}

/// Makes the checks of the device.
fn checked(channel: &Used, source: &Picture, data: usize, level: u32) -> Result<Grid, Refused> {
    let product = product();
    channel.check(JPEGE, "JPEG encoding")?;
    check_memory("the input", source.data, Generation::First, product)?;
    check_memory("the output", data, Generation::First, product)?;
    if level > 100 {
        return Err(Refused::parameter(format!(
            "the quality is {level}; 0 to 100 are allowed"
        )));
    }
    encodable(source)
}

/// Checks the input of the encoder.
pub(super) fn encodable(source: &Picture) -> Result<Grid, Refused> {
    let grid = source.grid("the input")?;
    let (width, height) = (source.width, source.height);
    if !JPEG_SIDES.contains(&width) || !JPEG_SIDES.contains(&height) {
        return Err(Refused::parameter(format!(
            "the input has {width}x{height} pixels; 32 to 8192 are allowed for each side"
        )));
    }
    let (across, down) = grid.layout.shared();
    if !width.is_multiple_of(across as u32) || !height.is_multiple_of(down as u32) {
        return Err(Refused::parameter(format!(
            "the input has {width}x{height} pixels, and its format needs even sides"
        )));
    }
    encoder_strides(source).map_err(Refused::parameter)?;
    let bytes = grid.layout.bytes(grid.width_stride, grid.height_stride);
    if (source.size as usize) < bytes {
        return Err(Refused::parameter(format!(
            "the input has a buffer of {} bytes and needs {bytes}",
            source.size
        )));
    }
    Ok(grid)
}

/// Encodes a picture. A quality of 0 is the best one, as 100 is.
pub(super) fn encoded(
    source: &Picture,
    grid: &Grid,
    bytes: &[u8],
    level: u32,
    engine: &dyn Engine,
) -> Result<Vec<u8>, Refused> {
    let image = load(grid, bytes, source.area())?;
    let is_420 = grid.layout.shared() == (2, 2);
    let quality = if level == 0 {
        100
    } else {
        level.min(100) as u8
    };
    engine
        .encode_jpeg(&components(image), is_420, quality)
        .map_err(Refused::parameter)
}
