//! Encoding of JPEG of the second generation (`hi_mpi_venc_*`). Video is not modelled.
//!
//! A picture is encoded by the thread that fetches it.

use std::collections::VecDeque;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_MEM_MALLOC_HUGE_FIRST, HI_PT_JPEG, HI_TRUE, HI_VENC_JPEG_PACK_PIC, hi_img_stream,
    hi_venc_chn, hi_venc_chn_attr, hi_venc_chn_status, hi_venc_data_type, hi_venc_jpeg_param,
    hi_venc_jpeg_stream_info, hi_venc_pack_address, hi_venc_start_param, hi_venc_stream,
    hi_video_frame_info,
};

use super::system::{
    BUF_EMPTY, BUF_FULL, BUSY, EXIST, ILLEGAL_PARAM, INVALID_CHN_ID, Module, NOT_PERM, NOT_SUPPORT,
    System, changed, created, destroyed, new_queue, wait, with,
};
use crate::check::{self, StreamSlot, Touch};
use crate::media::coding::{encodable, encoded};
use crate::media::engine;
use crate::media::format::is_encoded;
use crate::media::picture::{Generation, Picture, Refused, check_memory};
use crate::media::product::product;
use crate::media::query::encoded_room;
use crate::media::task::{Accepted, Memory};
use crate::memory::{allocate, release};
use crate::object_calls::status;
use crate::observe::violation;
use crate::space::heap::Maker;
use crate::sync::{Mutex, lock};

const VENC: Module = Module::Venc;

/// The room of a queue.
const ROOM: usize = 32;

/// A channel.
pub(in crate::media) struct Encoder {
    quality: hi_venc_jpeg_param,
    is_started: bool,
    waiting: VecDeque<Waiting>,
    queue: StreamSlot,
    sent: u64,
    fetched: u64,
    /// The outputs that the program has not released: the address, and whether the memory is that of the channel.
    held: Vec<(usize, bool)>,
}

/// An encoding that waits.
struct Waiting {
    plan: Accepted,
    count: Arc<Mutex<Option<u32>>>,
    input: usize,
    output: usize,
    is_own: bool,
    pts: u64,
}

fn in_range(call: &str, chn: hi_venc_chn) -> Result<(), i32> {
    let most = product().channels();
    if (0..most).contains(&chn) {
        return Ok(());
    }
    Err(VENC.refuse(
        call,
        INVALID_CHN_ID,
        format_args!("chn is {chn}; it is below {most}"),
    ))
}

fn channel<'s>(system: &'s mut System, call: &str, chn: i32) -> Result<&'s mut Encoder, i32> {
    system
        .venc
        .get_mut(&chn)
        .ok_or_else(|| VENC.unknown(call, chn))
}

/// Uses a channel.
fn of<R>(
    call: &str,
    chn: hi_venc_chn,
    work: &mut dyn FnMut(&mut Encoder) -> Result<R, i32>,
) -> Result<R, i32> {
    in_range(call, chn)?;
    with(VENC, call, &mut |system| work(channel(system, call, chn)?))
}

pub(crate) unsafe extern "C" fn hi_mpi_venc_create_chn(
    chn: hi_venc_chn,
    attr: *const hi_venc_chn_attr,
) -> i32 {
    let call = "hi_mpi_venc_create_chn";
    status((|| {
        in_range(call, chn)?;
        with(VENC, call, &mut |system| {
            VENC.not_null(call, "attr", attr)?;
            // SAFETY: not null; the caller's contract: valid for a read.
            let attr = unsafe { attr.read() }.venc_attr;
            if system.venc.contains(&chn) {
                return Err(VENC.refuse(call, EXIST, format_args!("the channel {chn} exists")));
            }
            if attr.type_ != HI_PT_JPEG {
                check::not_modelled(call);
                return Err(VENC.refuse(
                    call,
                    NOT_SUPPORT,
                    format_args!("the emulator encodes JPEG (HI_PT_JPEG) and no video"),
                ));
            }
            if attr.pic_width > attr.max_pic_width || attr.pic_height > attr.max_pic_height {
                return Err(VENC.refuse(
                    call,
                    ILLEGAL_PARAM,
                    format_args!("the size is above the greatest size of the channel"),
                ));
            }
            // SAFETY: plain numbers, which zeros are.
            let mut quality: hi_venc_jpeg_param = unsafe { std::mem::zeroed() };
            quality.qfactor = 90;
            let encoder = Encoder {
                quality,
                is_started: false,
                waiting: VecDeque::new(),
                queue: new_queue(),
                sent: 0,
                fetched: 0,
                held: Vec::new(),
            };
            system.venc.insert(chn, encoder);
            Ok(())
        })?;
        created(VENC, call, chn);
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_venc_destroy_chn(chn: hi_venc_chn) -> i32 {
    let call = "hi_mpi_venc_destroy_chn";
    status((|| {
        in_range(call, chn)?;
        with(VENC, call, &mut |system| {
            let channel = channel(system, call, chn)?;
            if channel.is_started {
                return Err(VENC.refuse(
                    call,
                    NOT_PERM,
                    format_args!("the channel accepts pictures; call hi_mpi_venc_stop_chn first"),
                ));
            }
            if !channel.waiting.is_empty() || !channel.held.is_empty() {
                return Err(VENC.refuse(
                    call,
                    BUSY,
                    format_args!("outputs of the channel were not fetched or not released"),
                ));
            }
            system.venc.remove(&chn);
            Ok(())
        })?;
        destroyed(VENC, call, chn);
        changed();
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_venc_start_chn(
    chn: hi_venc_chn,
    recv_param: *const hi_venc_start_param,
) -> i32 {
    let call = "hi_mpi_venc_start_chn";
    status(of(call, chn, &mut |channel| {
        VENC.not_null(call, "recv_param", recv_param)?;
        // SAFETY: not null; the caller's contract: valid for a read.
        let number = unsafe { recv_param.read() }.recv_pic_num;
        if number == 0 || number < -1 {
            return Err(VENC.refuse(
                call,
                ILLEGAL_PARAM,
                format_args!("recv_pic_num is {number}; it is above 0, or -1 for no limit"),
            ));
        }
        channel.is_started = true;
        Ok(())
    }))
}

pub(crate) unsafe extern "C" fn hi_mpi_venc_stop_chn(chn: hi_venc_chn) -> i32 {
    status(of("hi_mpi_venc_stop_chn", chn, &mut |channel| {
        channel.is_started = false;
        Ok(())
    }))
}

/// Refuses a quality that is out of range.
fn check_quality(call: &str, quality: &hi_venc_jpeg_param) -> Result<(), i32> {
    if matches!(quality.qfactor, 1..=100 | u32::MAX) {
        return Ok(());
    }
    Err(VENC.refuse(
        call,
        ILLEGAL_PARAM,
        format_args!("qfactor is {}; it is 1 to 100", quality.qfactor),
    ))
}

pub(crate) unsafe extern "C" fn hi_mpi_venc_set_jpeg_param(
    chn: hi_venc_chn,
    jpeg_param: *const hi_venc_jpeg_param,
) -> i32 {
    let call = "hi_mpi_venc_set_jpeg_param";
    status(of(call, chn, &mut |channel| {
        VENC.not_null(call, "jpeg_param", jpeg_param)?;
        // SAFETY: not null; the caller's contract: valid for a read.
        let quality = unsafe { jpeg_param.read() };
        check_quality(call, &quality)?;
        channel.quality = quality;
        Ok(())
    }))
}

pub(crate) unsafe extern "C" fn hi_mpi_venc_get_jpeg_param(
    chn: hi_venc_chn,
    jpeg_param: *mut hi_venc_jpeg_param,
) -> i32 {
    let call = "hi_mpi_venc_get_jpeg_param";
    status(of(call, chn, &mut |channel| {
        VENC.not_null(call, "jpeg_param", jpeg_param)?;
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { jpeg_param.write(channel.quality) };
        Ok(())
    }))
}

/// Returns the picture of a frame. Its buffer is as large as its strides say.
///
/// # Safety
///
/// - `frame` is null or valid for a read.
unsafe fn picture(call: &str, frame: *const hi_video_frame_info) -> Result<(Picture, u64), i32> {
    VENC.not_null(call, "frame", frame)?;
    // SAFETY: not null; the caller's contract.
    let frame = unsafe { frame.read() }.v_frame;
    let [data, ..] = frame.virt_addr;
    let ([columns, ..], [rows, ..]) = (frame.width_stride, frame.height_stride);
    let rows = if rows == 0 { frame.height } else { rows };
    let picture = Picture {
        data: data.addr(),
        size: u32::MAX,
        format: frame.pixel_format.0,
        width: frame.width,
        height: frame.height,
        width_stride: columns,
        height_stride: rows,
    };
    if !is_encoded(picture.format) {
        return Err(VENC.refuse(
            call,
            NOT_SUPPORT,
            format_args!("{:?} is not encoded", frame.pixel_format),
        ));
    }
    Ok((picture, frame.pts))
}

pub(crate) unsafe extern "C" fn hi_mpi_venc_get_jpege_predicted_size(
    frame: *const hi_video_frame_info,
    jpeg_param: *const hi_venc_jpeg_param,
    size: *mut u32,
) -> i32 {
    let call = "hi_mpi_venc_get_jpege_predicted_size";
    status((|| {
        // SAFETY: the same contract.
        let (picture, _) = unsafe { picture(call, frame) }?;
        VENC.not_null(call, "jpeg_param", jpeg_param)?;
        VENC.not_null(call, "size", size)?;
        // SAFETY: not null; the caller's contract: valid for a read.
        check_quality(call, &unsafe { jpeg_param.read() })?;
        let illegal = |why: Refused| VENC.refuse(call, ILLEGAL_PARAM, format_args!("{}", why.text));
        encodable(&picture).map_err(illegal)?;
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { size.write(encoded_room(&picture)) };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_venc_send_frame(
    chn: hi_venc_chn,
    frame: *const hi_video_frame_info,
    milli_sec: i32,
) -> i32 {
    let call = "hi_mpi_venc_send_frame";
    status((|| {
        // SAFETY: the same contract.
        let (source, pts) = unsafe { picture(call, frame) }?;
        let room = encoded_room(&source) as usize;
        let mut memory = ptr::null_mut::<c_void>();
        let policy = ACL_MEM_MALLOC_HUGE_FIRST;
        // SAFETY: `memory` is valid for a write.
        match unsafe { allocate(call, &raw mut memory, room, 0, policy, Maker::Dvpp2) } {
            0 => {}
            _ => return Err(VENC.code(0xc)),
        }
        let sent = send(
            call,
            chn,
            (source, pts),
            (memory.addr(), room, true),
            milli_sec,
        );
        if sent.is_err() {
            release(call, memory, |kind| kind == Maker::Dvpp2);
        }
        sent
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_venc_send_jpege_frame(
    chn: hi_venc_chn,
    frame: *const hi_video_frame_info,
    jpege_stream: *const hi_img_stream,
    milli_sec: i32,
) -> i32 {
    let call = "hi_mpi_venc_send_jpege_frame";
    status((|| {
        // SAFETY: the same contract.
        let source = unsafe { picture(call, frame) }?;
        VENC.not_null(call, "jpege_stream", jpege_stream)?;
        // SAFETY: not null; the caller's contract: valid for a read.
        let output = unsafe { jpege_stream.read() };
        VENC.not_null(call, "jpege_stream->addr", output.addr)?;
        if output.len == 0 {
            return Err(VENC.refuse(
                call,
                ILLEGAL_PARAM,
                format_args!("there is no room for the output"),
            ));
        }
        let room = (output.addr.addr(), output.len as usize, false);
        send(call, chn, source, room, milli_sec)
    })())
}

/// Queues an encoding into a buffer: the address, the bytes, and whether the memory is that of the channel.
fn send(
    call: &'static str,
    chn: hi_venc_chn,
    (source, pts): (Picture, u64),
    (output, room, is_own): (usize, usize, bool),
    milliseconds: i32,
) -> Result<(), i32> {
    let engine = engine::needed(call).map_err(|_| VENC.code(NOT_SUPPORT))?;
    let quality = of(call, chn, &mut |channel| {
        if !channel.is_started {
            return Err(VENC.refuse(
                call,
                NOT_PERM,
                format_args!(
                    "the channel does not accept pictures; call hi_mpi_venc_start_chn first"
                ),
            ));
        }
        Ok(channel.quality.qfactor.min(100))
    })?;
    let illegal = |why: Refused| VENC.refuse(call, ILLEGAL_PARAM, format_args!("{}", why.text));
    let grid = encodable(&source).map_err(illegal)?;
    check_memory("the input", source.data, Generation::Second, product()).map_err(illegal)?;
    check_memory("the output", output, Generation::Second, product()).map_err(illegal)?;
    let mut touches = source.touches(&grid, source.area(), false);
    touches.push(Touch {
        dense: false,
        ..Touch::write(output, room)
    });
    let count: Arc<Mutex<Option<u32>>> = Arc::default();
    let job = {
        let count = Arc::clone(&count);
        move |memory: &mut Memory<'_>| {
            let file = encoded(&source, &grid, memory.read(0), quality, engine.as_ref())?;
            let to = memory.write(1).get_mut(..file.len()).ok_or_else(|| {
                Refused::parameter(format!(
                    "the JPEG has {} bytes, and there is room for {room}",
                    file.len()
                ))
            })?;
            to.copy_from_slice(&file);
            *lock(&count) = Some(file.len() as u32);
            Ok(())
        }
    };
    let mut waiting = Some(Waiting {
        plan: Accepted {
            call,
            ranges: vec![(source.data, source.bytes(&grid)), (output, room)],
            touches: Vec::new(),
            job: Ok(Arc::new(job)),
            finish: Arc::new(|_| ()),
        },
        count,
        input: source.data,
        output,
        is_own,
        pts,
    });
    let number = wait(VENC, call, milliseconds, &mut |system| {
        let channel = channel(system, call, chn)?;
        if channel.waiting.len() >= ROOM {
            return Ok(None);
        }
        channel.sent += 1;
        channel.waiting.extend(waiting.take());
        Ok(Some((channel.sent, channel.queue)))
    })?;
    let (number, queue) = number.ok_or_else(|| {
        VENC.refuse(
            call,
            BUF_FULL,
            format_args!("the queue is full; fetch outputs with hi_mpi_venc_get_stream"),
        )
    })?;
    check::tell(call, &|checker, site| {
        let mut touches = touches.clone();
        touches.push(Touch::read(VENC.channel(chn), 1));
        checker.queued(queue, number, touches, false, site);
    });
    changed();
    Ok(())
}

pub(crate) unsafe extern "C" fn hi_mpi_venc_query_status(
    chn: hi_venc_chn,
    status: *mut hi_venc_chn_status,
) -> i32 {
    let call = "hi_mpi_venc_query_status";
    crate::object_calls::status(of(call, chn, &mut |channel| {
        VENC.not_null(call, "status", status)?;
        // SAFETY: plain numbers, which zeros are.
        let mut now: hi_venc_chn_status = unsafe { std::mem::zeroed() };
        now.left_stream_frames = channel.waiting.len() as u32;
        now.cur_packs = u32::from(!channel.waiting.is_empty());
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { status.write(now) };
        Ok(())
    }))
}

pub(crate) unsafe extern "C" fn hi_mpi_venc_get_stream(
    chn: hi_venc_chn,
    stream: *mut hi_venc_stream,
    milli_sec: i32,
) -> i32 {
    let call = "hi_mpi_venc_get_stream";
    status((|| {
        in_range(call, chn)?;
        VENC.not_null(call, "stream", stream)?;
        // SAFETY: not null; the caller's contract: valid for reads and writes.
        let out = unsafe { &mut *stream };
        VENC.not_null(call, "stream->pack", out.pack)?;
        if out.pack_cnt == 0 {
            return Err(VENC.refuse(
                call,
                ILLEGAL_PARAM,
                format_args!("pack_cnt is 0; there is one packet"),
            ));
        }
        let found = wait(VENC, call, milli_sec, &mut |system| {
            let channel = channel(system, call, chn)?;
            Ok(channel.waiting.pop_front().map(|waiting| {
                channel.fetched += 1;
                (
                    waiting,
                    (channel.fetched, channel.queue),
                    channel.quality.qfactor,
                )
            }))
        })?;
        let (waiting, (number, queue), quality) = found.ok_or_else(|| {
            VENC.refuse(
                call,
                BUF_EMPTY,
                format_args!("the channel {chn} has no output"),
            )
        })?;
        let code = waiting.plan.now();
        check::note(&|checker| checker.synchronised(queue, number));
        changed();
        let count = lock(&waiting.count).take();
        let Some(count) = count else {
            if waiting.is_own {
                let memory = ptr::with_exposed_provenance_mut(waiting.output);
                release(call, memory, |kind| kind == Maker::Dvpp2);
            }
            return Err(VENC.refuse(
                call,
                ILLEGAL_PARAM,
                format_args!(
                    "the encoding has failed with {code}; the emulator's `violations()` say why{}",
                    violation::cause()
                ),
            ));
        };
        of(call, chn, &mut |channel| {
            channel.held.push((waiting.output, waiting.is_own));
            Ok(())
        })?;
        // SAFETY: plain numbers and pointers, which zeros are.
        let mut pack: ascendcl_sys::hi_venc_pack = unsafe { std::mem::zeroed() };
        pack.address = hi_venc_pack_address {
            input_addr: waiting.input as u64,
        };
        pack.addr = ptr::with_exposed_provenance_mut(waiting.output);
        pack.len = count;
        pack.pts = waiting.pts;
        pack.is_frame_end = HI_TRUE;
        pack.data_type = hi_venc_data_type {
            jpeg_type: HI_VENC_JPEG_PACK_PIC,
        };
        // SAFETY: not null; the caller's contract: room for a packet.
        unsafe { out.pack.write(pack) };
        out.pack_cnt = 1;
        out.seq = number as u32;
        out.report.jpeg_info = hi_venc_jpeg_stream_info {
            pic_bytes: count,
            update_attr_cnt: 0,
            qfactor: quality,
        };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_venc_release_stream(
    chn: hi_venc_chn,
    stream: *mut hi_venc_stream,
) -> i32 {
    let call = "hi_mpi_venc_release_stream";
    status((|| {
        in_range(call, chn)?;
        VENC.not_null(call, "stream", stream)?;
        // SAFETY: not null; the caller's contract: valid for a read.
        let pack = unsafe { stream.read() }.pack;
        VENC.not_null(call, "stream->pack", pack)?;
        // SAFETY: not null; the caller's contract: valid for a read.
        let output = unsafe { pack.read() }.addr;
        let released = of(call, chn, &mut |channel| {
            let found = channel
                .held
                .iter()
                .position(|(address, _)| *address == output.addr());
            let found = found.ok_or_else(|| {
                VENC.refuse(
                    call,
                    ILLEGAL_PARAM,
                    format_args!(
                        "the program holds no output at {:#x} of the channel {chn}",
                        output.addr()
                    ),
                )
            })?;
            Ok(channel.held.remove(found))
        })?;
        if let (_, true) = released {
            release(call, output.cast(), |kind| kind == Maker::Dvpp2);
        }
        Ok(())
    })())
}
