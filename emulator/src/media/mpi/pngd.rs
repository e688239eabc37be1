//! Decoding of PNG of the second generation (`hi_mpi_pngd_*`).
//!
//! A picture is decoded by the thread that fetches it.

use std::collections::VecDeque;
use std::sync::Arc;

use ascendcl_sys::{
    PNGD_MAX_CHN_NUM, hi_img_info, hi_img_info_format, hi_img_stream, hi_pic_info, hi_pixel_format,
    hi_png_color_format, hi_pngd_chn, hi_pngd_chn_attr,
};

use super::decoding::Decoding;
use super::system::{
    BUF_EMPTY, BUSY, EXIST, ILLEGAL_PARAM, INVALID_CHN_ID, Module, NOT_SUPPORT, System, changed,
    created, destroyed, new_queue, wait, with,
};
use crate::check::StreamSlot;
use crate::media::decode::PNG_SIDES;
use crate::media::engine;
use crate::media::format::UNKNOWN;
use crate::media::picture::Picture;
use crate::media::png;
use crate::media::query::content;
use crate::object_calls::status;
use crate::observe::violation;

const PNGD: Module = Module::Pngd;

/// A channel: what it has to decode.
pub(in crate::media) struct Decoder {
    waiting: VecDeque<Waiting>,
    queue: StreamSlot,
    sent: u64,
    fetched: u64,
}

struct Waiting {
    decoding: Arc<Decoding>,
    info: hi_pic_info,
    stream: hi_img_stream,
}

// SAFETY: the addresses are numbers for the emulator until a task uses them.
unsafe impl Send for Waiting {}

fn in_range(call: &str, chn: hi_pngd_chn) -> Result<(), i32> {
    if (0..PNGD_MAX_CHN_NUM as i32).contains(&chn) {
        return Ok(());
    }
    Err(PNGD.refuse(
        call,
        INVALID_CHN_ID,
        format_args!("chn is {chn}; it is below {PNGD_MAX_CHN_NUM}"),
    ))
}

fn channel<'s>(system: &'s mut System, call: &str, chn: i32) -> Result<&'s mut Decoder, i32> {
    system
        .pngd
        .get_mut(&chn)
        .ok_or_else(|| PNGD.unknown(call, chn))
}

pub(crate) unsafe extern "C" fn hi_mpi_pngd_create_chn(
    chn: hi_pngd_chn,
    attr: *const hi_pngd_chn_attr,
) -> i32 {
    let call = "hi_mpi_pngd_create_chn";
    status((|| {
        in_range(call, chn)?;
        with(PNGD, call, &mut |system| {
            PNGD.not_null(call, "attr", attr)?;
            if system.pngd.contains(&chn) {
                return Err(PNGD.refuse(call, EXIST, format_args!("the channel {chn} exists")));
            }
            let decoder = Decoder {
                waiting: VecDeque::new(),
                queue: new_queue(),
                sent: 0,
                fetched: 0,
            };
            system.pngd.insert(chn, decoder);
            Ok(())
        })?;
        created(PNGD, call, chn);
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_pngd_destroy_chn(chn: hi_pngd_chn) -> i32 {
    let call = "hi_mpi_pngd_destroy_chn";
    status((|| {
        in_range(call, chn)?;
        with(PNGD, call, &mut |system| {
            if !channel(system, call, chn)?.waiting.is_empty() {
                return Err(PNGD.refuse(
                    call,
                    BUSY,
                    format_args!("pictures of the channel were not fetched"),
                ));
            }
            system.pngd.remove(&chn);
            Ok(())
        })?;
        destroyed(PNGD, call, chn);
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_pngd_send_stream(
    chn: hi_pngd_chn,
    stream: *const hi_img_stream,
    png_pic_info: *mut hi_pic_info,
    _milli_sec: i32,
) -> i32 {
    let call = "hi_mpi_pngd_send_stream";
    status((|| {
        in_range(call, chn)?;
        PNGD.not_null(call, "stream", stream)?;
        PNGD.not_null(call, "png_pic_info", png_pic_info)?;
        // SAFETY: not null; the caller's contract: valid for a read.
        let stream = unsafe { stream.read() };
        // SAFETY: not null; the caller's contract: valid for a read.
        let info = unsafe { png_pic_info.read() };
        PNGD.not_null(call, "stream->addr", stream.addr)?;
        PNGD.not_null(call, "png_pic_info->picture_address", info.picture_address)?;
        if stream.len == 0 || ![12, 16, UNKNOWN].contains(&info.picture_format.0) {
            return Err(PNGD.refuse(
                call,
                ILLEGAL_PARAM,
                format_args!(
                    "the stream is empty, or {:?} is no format of the decoder",
                    info.picture_format
                ),
            ));
        }
        let engine = engine::needed(call).map_err(|_| PNGD.code(NOT_SUPPORT))?;
        let picture = Picture {
            data: info.picture_address.addr(),
            size: info.picture_buffer_size,
            format: info.picture_format.0,
            width: info.picture_width,
            height: info.picture_height,
            width_stride: info.picture_width_stride,
            height_stride: info.picture_height_stride,
        };
        let data = (stream.addr.addr(), stream.len as usize);
        let decoding = Arc::new(Decoding::new(call, data, picture, engine, None));
        let (number, queue) = with(PNGD, call, &mut |system| {
            let channel = channel(system, call, chn)?;
            channel.sent += 1;
            channel.waiting.push_back(Waiting {
                decoding: Arc::clone(&decoding),
                info,
                stream,
            });
            Ok((channel.sent, channel.queue))
        })?;
        decoding.tell(PNGD, chn, queue, number);
        changed();
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_pngd_get_image_data(
    chn: hi_pngd_chn,
    png_pic_info: *mut hi_pic_info,
    stream: *mut hi_img_stream,
    milli_sec: i32,
) -> i32 {
    let call = "hi_mpi_pngd_get_image_data";
    status((|| {
        in_range(call, chn)?;
        PNGD.not_null(call, "png_pic_info", png_pic_info)?;
        PNGD.not_null(call, "stream", stream)?;
        let found = wait(PNGD, call, milli_sec, &mut |system| {
            let channel = channel(system, call, chn)?;
            Ok(channel.waiting.pop_front().map(|waiting| {
                channel.fetched += 1;
                (waiting, channel.fetched, channel.queue)
            }))
        })?;
        let (waiting, number, queue) = found.ok_or_else(|| {
            PNGD.refuse(
                call,
                BUF_EMPTY,
                format_args!("the channel {chn} has no picture"),
            )
        })?;
        let decoded = waiting.decoding.run();
        Decoding::done(queue, number);
        let mut info = waiting.info;
        if let Ok(picture) = &decoded {
            info.picture_width = picture.width;
            info.picture_height = picture.height;
            info.picture_width_stride = picture.width_stride;
            info.picture_height_stride = picture.height_stride;
            info.picture_format = hi_pixel_format(picture.format);
        }
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { png_pic_info.write(info) };
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { stream.write(waiting.stream) };
        decoded.map(drop).map_err(|_| {
            PNGD.refuse(
                call,
                ILLEGAL_PARAM,
                format_args!(
                    "the picture was not decoded; the emulator's `violations()` say why{}",
                    violation::cause()
                ),
            )
        })
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_png_get_image_info(
    png_stream: *const hi_img_stream,
    img_info: *mut hi_img_info,
) -> i32 {
    let call = "hi_mpi_png_get_image_info";
    status((|| {
        PNGD.not_null(call, "png_stream", png_stream)?;
        PNGD.not_null(call, "img_info", img_info)?;
        // SAFETY: not null; the caller's contract: valid for a read.
        let stream = unsafe { png_stream.read() };
        PNGD.not_null(call, "png_stream->addr", stream.addr)?;
        // SAFETY: the caller's contract: `len` bytes of host memory.
        let file = unsafe { content(stream.addr.cast(), stream.len) };
        let illegal = |why: &str| PNGD.refuse(call, ILLEGAL_PARAM, format_args!("{why}"));
        let header = png::read(file).map_err(|why| illegal(&why))?;
        let components = header
            .components()
            .ok_or_else(|| PNGD.refuse(call, NOT_SUPPORT, format_args!("the PNG has a palette")))?;
        if !PNG_SIDES.contains(&header.width) || !PNG_SIDES.contains(&header.height) {
            return Err(illegal("a side of the picture is not between 32 and 4096"));
        }
        let unit = if components == 4 || components == 2 {
            4
        } else {
            3
        };
        let info = hi_img_info {
            width: header.width,
            height: header.height,
            width_stride: header.width.next_multiple_of(128) * unit,
            height_stride: header.height.next_multiple_of(16),
            img_buf_size: header.width.next_multiple_of(128)
                * unit
                * header.height.next_multiple_of(16),
            format: hi_img_info_format {
                png_pixel_format: hi_png_color_format(u32::from(header.colour)),
            },
            reserved: [0; 4],
        };
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { img_info.write(info) };
        Ok(())
    })())
}
