//! Decoding of JPEG of the second generation (`hi_mpi_vdec_*`). Video is not modelled.
//!
//! A picture is decoded by the thread that fetches it.

use std::collections::VecDeque;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use ascendcl_sys::{
    HI_ID_VDEC, HI_PT_JPEG, HI_TRUE, HI_VDEC_SEND_MODE_FRAME, HI_VIDEO_FIELD_FRAME, hi_bool,
    hi_jpegd_precision_mode, hi_pixel_format, hi_vdec_chn, hi_vdec_chn_attr, hi_vdec_chn_param,
    hi_vdec_chn_param_kind, hi_vdec_chn_status, hi_vdec_pic_info, hi_vdec_pic_param,
    hi_vdec_stream, hi_vdec_supplement_info, hi_video_frame_info,
};

use super::decoding::Decoding;
use super::system::{
    BUF_EMPTY, BUF_FULL, BUSY, EXIST, ILLEGAL_PARAM, INVALID_CHN_ID, Module, NOT_PERM, NOT_SUPPORT,
    System, changed, created, destroyed, new_queue, wait, with,
};
use crate::check::{self, StreamSlot};
use crate::media::engine;
use crate::media::format::{Layout, is_decoded};
use crate::media::picture::Picture;
use crate::media::product::product;
use crate::object_calls::status;

pub(super) const VDEC: Module = Module::Vdec;

/// The room of a queue.
const ROOM: usize = 32;

/// A channel.
pub(in crate::media) struct Decoder {
    attr: hi_vdec_chn_attr,
    param: hi_vdec_chn_param,
    rounding: u32,
    is_started: bool,
    waiting: VecDeque<Waiting>,
    queue: StreamSlot,
    sent: u64,
    fetched: u64,
    /// The frames that the program has not released.
    held: u32,
    /// The width, the height and the time stamp of the latest frame that was fetched.
    latest: (u32, u32, u64),
    /// The pictures that could not be decoded.
    damaged: i32,
}

struct Waiting {
    decoding: Arc<Decoding>,
    stream: hi_vdec_stream,
    info: hi_vdec_pic_info,
}

// SAFETY: the addresses are numbers for the emulator until a task uses them.
unsafe impl Send for Waiting {}

fn in_range(call: &str, chn: hi_vdec_chn) -> Result<(), i32> {
    let most = product().channels();
    if (0..most).contains(&chn) {
        return Ok(());
    }
    Err(VDEC.refuse(
        call,
        INVALID_CHN_ID,
        format_args!("chn is {chn}; it is below {most}"),
    ))
}

fn channel<'s>(system: &'s mut System, call: &str, chn: i32) -> Result<&'s mut Decoder, i32> {
    system
        .vdec
        .get_mut(&chn)
        .ok_or_else(|| VDEC.unknown(call, chn))
}

/// Uses a channel.
fn of<R>(
    call: &str,
    chn: hi_vdec_chn,
    work: &mut dyn FnMut(&mut Decoder) -> Result<R, i32>,
) -> Result<R, i32> {
    in_range(call, chn)?;
    with(VDEC, call, &mut |system| work(channel(system, call, chn)?))
}

pub(super) fn illegal(call: &str, why: std::fmt::Arguments<'_>) -> i32 {
    VDEC.refuse(call, ILLEGAL_PARAM, why)
}

#[cold]
fn video(call: &'static str) -> i32 {
    check::not_modelled(call);
    VDEC.refuse(
        call,
        NOT_SUPPORT,
        format_args!("the emulator decodes JPEG (HI_PT_JPEG) and no video"),
    )
}

pub(crate) unsafe extern "C" fn hi_mpi_vdec_create_chn(
    chn: hi_vdec_chn,
    attr: *const hi_vdec_chn_attr,
) -> i32 {
    let call = "hi_mpi_vdec_create_chn";
    status((|| {
        in_range(call, chn)?;
        with(VDEC, call, &mut |system| {
            VDEC.not_null(call, "attr", attr)?;
            // SAFETY: not null; the caller's contract: valid for a read.
            let attr = unsafe { attr.read() };
            if system.vdec.contains(&chn) {
                return Err(VDEC.refuse(call, EXIST, format_args!("the channel {chn} exists")));
            }
            if attr.type_ != HI_PT_JPEG {
                return Err(video(call));
            }
            if attr.mode != HI_VDEC_SEND_MODE_FRAME || attr.pic_width == 0 || attr.pic_height == 0 {
                return Err(illegal(
                    call,
                    format_args!("a JPEG channel takes whole frames, and has a size"),
                ));
            }
            let param = hi_vdec_chn_param {
                type_: HI_PT_JPEG,
                display_frame_num: 0,
                kind: hi_vdec_chn_param_kind {
                    pic_param: hi_vdec_pic_param {
                        pixel_format: hi_pixel_format(1),
                        alpha: 255,
                    },
                },
            };
            let decoder = Decoder {
                attr,
                param,
                rounding: 0,
                is_started: false,
                waiting: VecDeque::new(),
                queue: new_queue(),
                sent: 0,
                fetched: 0,
                held: 0,
                latest: (0, 0, 0),
                damaged: 0,
            };
            system.vdec.insert(chn, decoder);
            Ok(())
        })?;
        created(VDEC, call, chn);
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_vdec_destroy_chn(chn: hi_vdec_chn) -> i32 {
    let call = "hi_mpi_vdec_destroy_chn";
    status((|| {
        in_range(call, chn)?;
        with(VDEC, call, &mut |system| {
            let channel = channel(system, call, chn)?;
            if channel.is_started {
                return Err(VDEC.refuse(
                    call,
                    NOT_PERM,
                    format_args!(
                        "the channel accepts input; call hi_mpi_vdec_stop_recv_stream first"
                    ),
                ));
            }
            if !channel.waiting.is_empty() || channel.held > 0 {
                return Err(VDEC.refuse(
                    call,
                    BUSY,
                    format_args!("frames of the channel were not fetched or not released"),
                ));
            }
            system.vdec.remove(&chn);
            Ok(())
        })?;
        destroyed(VDEC, call, chn);
        changed();
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_vdec_get_chn_attr(
    chn: hi_vdec_chn,
    attr: *mut hi_vdec_chn_attr,
) -> i32 {
    let call = "hi_mpi_vdec_get_chn_attr";
    status(of(call, chn, &mut |channel| {
        VDEC.not_null(call, "attr", attr)?;
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { attr.write(channel.attr) };
        Ok(())
    }))
}

pub(crate) unsafe extern "C" fn hi_mpi_vdec_set_chn_attr(
    chn: hi_vdec_chn,
    attr: *const hi_vdec_chn_attr,
) -> i32 {
    let call = "hi_mpi_vdec_set_chn_attr";
    status(of(call, chn, &mut |channel| {
        VDEC.not_null(call, "attr", attr)?;
        if channel.is_started {
            return Err(VDEC.refuse(
                call,
                NOT_PERM,
                format_args!("the channel accepts input; stop it first"),
            ));
        }
        // SAFETY: not null; the caller's contract: valid for a read.
        let attr = unsafe { attr.read() };
        if attr.type_ != HI_PT_JPEG {
            return Err(video(call));
        }
        channel.attr = attr;
        Ok(())
    }))
}

pub(crate) unsafe extern "C" fn hi_mpi_vdec_get_chn_param(
    chn: hi_vdec_chn,
    chn_param: *mut hi_vdec_chn_param,
) -> i32 {
    let call = "hi_mpi_vdec_get_chn_param";
    status(of(call, chn, &mut |channel| {
        VDEC.not_null(call, "chn_param", chn_param)?;
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { chn_param.write(channel.param) };
        Ok(())
    }))
}

pub(crate) unsafe extern "C" fn hi_mpi_vdec_set_chn_param(
    chn: hi_vdec_chn,
    chn_param: *const hi_vdec_chn_param,
) -> i32 {
    let call = "hi_mpi_vdec_set_chn_param";
    status(of(call, chn, &mut |channel| {
        VDEC.not_null(call, "chn_param", chn_param)?;
        // SAFETY: not null; the caller's contract: valid for a read.
        let param = unsafe { chn_param.read() };
        // SAFETY: each field of the union is plain numbers, which any bytes are.
        let format = unsafe { param.kind.pic_param }.pixel_format;
        if param.type_ != HI_PT_JPEG || !is_decoded(format.0, product()) {
            return Err(illegal(
                call,
                format_args!("{:?} with {format:?} is not decoded", param.type_),
            ));
        }
        channel.param = param;
        Ok(())
    }))
}

pub(crate) unsafe extern "C" fn hi_mpi_vdec_set_jpegd_precision_mode(
    chn: hi_vdec_chn,
    mode: hi_jpegd_precision_mode,
) -> i32 {
    let call = "hi_mpi_vdec_set_jpegd_precision_mode";
    status(of(call, chn, &mut |channel| {
        if mode.0 > 2 {
            return Err(illegal(call, format_args!("{mode:?} does not exist")));
        }
        channel.rounding = mode.0;
        Ok(())
    }))
}

pub(crate) unsafe extern "C" fn hi_mpi_vdec_start_recv_stream(chn: hi_vdec_chn) -> i32 {
    status(of("hi_mpi_vdec_start_recv_stream", chn, &mut |channel| {
        channel.is_started = true;
        Ok(())
    }))
}

pub(crate) unsafe extern "C" fn hi_mpi_vdec_stop_recv_stream(chn: hi_vdec_chn) -> i32 {
    status(of("hi_mpi_vdec_stop_recv_stream", chn, &mut |channel| {
        channel.is_started = false;
        Ok(())
    }))
}

pub(crate) unsafe extern "C" fn hi_mpi_vdec_reset_chn(chn: hi_vdec_chn) -> i32 {
    let call = "hi_mpi_vdec_reset_chn";
    status(of(call, chn, &mut |channel| {
        if channel.is_started {
            return Err(VDEC.refuse(
                call,
                NOT_PERM,
                format_args!("the channel accepts input; stop it first"),
            ));
        }
        channel.fetched += channel.waiting.len() as u64;
        channel.waiting.clear();
        Ok(())
    }))
}

pub(crate) unsafe extern "C" fn hi_mpi_vdec_query_status(
    chn: hi_vdec_chn,
    status: *mut hi_vdec_chn_status,
) -> i32 {
    let call = "hi_mpi_vdec_query_status";
    crate::object_calls::status(of(call, chn, &mut |channel| {
        VDEC.not_null(call, "status", status)?;
        // SAFETY: plain numbers, which zeros are.
        let mut now: hi_vdec_chn_status = unsafe { std::mem::zeroed() };
        now.type_ = HI_PT_JPEG;
        now.left_decoded_frames = channel.waiting.len() as u32;
        now.is_started = hi_bool(u32::from(channel.is_started));
        now.recv_stream_frames = channel.sent as u32;
        now.dec_stream_frames = channel.sent as u32;
        now.dec_err.pack_err = channel.damaged;
        (now.width, now.height, now.latest_frame_pts) = channel.latest;
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { status.write(now) };
        Ok(())
    }))
}

pub(crate) unsafe extern "C" fn hi_mpi_vdec_send_stream(
    chn: hi_vdec_chn,
    stream: *const hi_vdec_stream,
    vdec_pic_info: *mut hi_vdec_pic_info,
    milli_sec: i32,
) -> i32 {
    let call = "hi_mpi_vdec_send_stream";
    status((|| {
        in_range(call, chn)?;
        VDEC.not_null(call, "stream", stream)?;
        VDEC.not_null(call, "vdec_pic_info", vdec_pic_info)?;
        // SAFETY: not null; the caller's contract: valid for a read.
        let stream = unsafe { stream.read() };
        // SAFETY: not null; the caller's contract: valid for a read.
        let info = unsafe { vdec_pic_info.read() };
        let rounding = of(call, chn, &mut |channel| {
            if !channel.is_started {
                return Err(VDEC.refuse(call, NOT_PERM, format_args!(
                    "the channel does not accept input; call hi_mpi_vdec_start_recv_stream first"
                )));
            }
            Ok(channel.rounding)
        })?;
        if stream.end_of_stream == HI_TRUE && stream.len == 0 {
            // The end of the input has no picture.
            return Ok(());
        }
        VDEC.not_null(call, "stream->addr", stream.addr)?;
        if stream.len == 0 || info.vir_addr == 0 || !is_decoded(info.pixel_format.0, product()) {
            return Err(illegal(
                call,
                format_args!(
                    "the stream is empty, there is no output, or {:?} is not decoded",
                    info.pixel_format
                ),
            ));
        }
        let engine = engine::needed(call).map_err(|_| VDEC.code(NOT_SUPPORT))?;
        let picture = Picture {
            data: info.vir_addr as usize,
            size: info.buffer_size,
            format: info.pixel_format.0,
            width: info.width,
            height: info.height,
            width_stride: info.width_stride,
            height_stride: info.height_stride,
        };
        let data = (stream.addr.addr(), stream.len as usize);
        let decoding = Arc::new(Decoding::new(call, data, picture, engine, Some(rounding)));
        let number = wait(VDEC, call, milli_sec, &mut |system| {
            let channel = channel(system, call, chn)?;
            if channel.waiting.len() >= ROOM {
                return Ok(None);
            }
            channel.sent += 1;
            channel.waiting.push_back(Waiting {
                decoding: Arc::clone(&decoding),
                stream,
                info,
            });
            Ok(Some((channel.sent, channel.queue)))
        })?;
        let (number, queue) = number.ok_or_else(|| {
            VDEC.refuse(
                call,
                BUF_FULL,
                format_args!("the queue is full; fetch frames with hi_mpi_vdec_get_frame"),
            )
        })?;
        decoding.tell(VDEC, chn, queue, number);
        changed();
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_vdec_get_frame(
    chn: hi_vdec_chn,
    frame_info: *mut hi_video_frame_info,
    supplement: *mut hi_vdec_supplement_info,
    stream: *mut hi_vdec_stream,
    milli_sec: i32,
) -> i32 {
    let call = "hi_mpi_vdec_get_frame";
    status((|| {
        in_range(call, chn)?;
        VDEC.not_null(call, "frame_info", frame_info)?;
        VDEC.not_null(call, "stream", stream)?;
        let found = wait(VDEC, call, milli_sec, &mut |system| {
            let channel = channel(system, call, chn)?;
            Ok(channel.waiting.pop_front().map(|waiting| {
                channel.fetched += 1;
                channel.held += 1;
                (waiting, channel.fetched, channel.queue)
            }))
        })?;
        let (waiting, number, queue) = found.ok_or_else(|| {
            VDEC.refuse(
                call,
                BUF_EMPTY,
                format_args!("the channel {chn} has no frame"),
            )
        })?;
        let decoded = waiting.decoding.run();
        Decoding::done(queue, number);
        changed();
        // SAFETY: plain numbers and pointers, which zeros are.
        let mut frame: hi_video_frame_info = unsafe { std::mem::zeroed() };
        frame.mod_id = HI_ID_VDEC;
        let v_frame = &mut frame.v_frame;
        let memory: *mut c_void = ptr::with_exposed_provenance_mut(waiting.info.vir_addr as usize);
        v_frame.virt_addr[0] = memory;
        v_frame.pts = waiting.stream.pts;
        match &decoded {
            Ok(picture) => {
                (v_frame.width, v_frame.height) = (picture.width, picture.height);
                v_frame.pixel_format = hi_pixel_format(picture.format);
                v_frame.field = HI_VIDEO_FIELD_FRAME;
                v_frame.width_stride[0] = picture.width_stride;
                v_frame.height_stride[0] = picture.height_stride;
                if let Some(layout @ Layout::SemiPlanar { .. }) = Layout::of(picture.format) {
                    let (columns, rows) = (
                        picture.width_stride as usize,
                        picture.height_stride as usize,
                    );
                    let (wide, high) = layout.colours(columns, rows);
                    (v_frame.width_stride[1], v_frame.height_stride[1]) =
                        (wide as u32, high as u32);
                    v_frame.virt_addr[1] = memory.wrapping_byte_add(columns * rows);
                }
            }
            // The frame is there, and it is no picture.
            Err(_) => v_frame.frame_flag = 1,
        }
        of(call, chn, &mut |channel| {
            channel.latest = (frame.v_frame.width, frame.v_frame.height, frame.v_frame.pts);
            channel.damaged += i32::from(decoded.is_err());
            Ok(())
        })?;
        if !supplement.is_null() {
            // SAFETY: plain numbers, which zeros are.
            let mut told: hi_vdec_supplement_info = unsafe { std::mem::zeroed() };
            told.type_ = HI_PT_JPEG;
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { supplement.write(told) };
        }
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { frame_info.write(frame) };
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { stream.write(waiting.stream) };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_vdec_release_frame(
    chn: hi_vdec_chn,
    frame_info: *const hi_video_frame_info,
) -> i32 {
    let call = "hi_mpi_vdec_release_frame";
    status(of(call, chn, &mut |channel| {
        VDEC.not_null(call, "frame_info", frame_info)?;
        channel.held = channel.held.checked_sub(1).ok_or_else(|| {
            illegal(
                call,
                format_args!("the program holds no frame of the channel {chn}"),
            )
        })?;
        Ok(())
    }))
}
