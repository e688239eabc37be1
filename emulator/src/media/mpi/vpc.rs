//! Picture processing of the second generation (`hi_mpi_vpc_*`): channels and their queues.
//!
//! A call queues a task and returns its number. `hi_mpi_vpc_get_process_result` runs the tasks up to that one.

use std::sync::Arc;

use ascendcl_sys::{
    hi_vpc_chn, hi_vpc_chn_attr, hi_vpc_make_border_info, hi_vpc_pic_info, hi_vpc_scalar,
};

use super::system::{
    BAD_ADDR, BUF_EMPTY, BUF_FULL, EXIST, ILLEGAL_PARAM, INVALID_CHN_ID, Module, NOT_SUPPORT,
    System, changed, created, destroyed, new_queue, wait, with,
};
use crate::check::{self, StreamSlot};
use crate::media::colour::Matrix;
use crate::media::config::bytes_of;
use crate::media::object::touch;
use crate::media::operate::Border;
use crate::media::picture::Picture;
use crate::media::product::product;
use crate::media::task::Accepted;
use crate::media::transfer::Prepared;
use crate::object_calls::status;
use crate::observe::violation;
use crate::results::list_of;

/// The results that a queue keeps, if its channel does not ask for a number.
const USUAL: usize = 16;

/// A channel.
pub(in crate::media) struct Processor {
    pub(super) matrix: Matrix,
    /// The number of the matrix.
    pub(super) number: u32,
    room: usize,
    queue: StreamSlot,
    /// The number of tasks so far.
    sent: u32,
    tasks: Vec<Sent>,
}

/// A task whose result nobody has fetched.
struct Sent {
    id: u32,
    /// The task, until a thread runs it.
    plan: Option<Accepted>,
    status: Option<u32>,
}

pub(super) const VPC: Module = Module::Vpc;

pub(super) fn matrix() -> Option<Matrix> {
    Matrix::of(0)
}

/// Refuses a number of a channel that is out of range.
fn in_range(call: &str, chn: hi_vpc_chn) -> Result<(), i32> {
    let most = product().channels();
    if (0..most).contains(&chn) {
        return Ok(());
    }
    Err(VPC.refuse(
        call,
        INVALID_CHN_ID,
        format_args!("chn is {chn}; it is below {most}"),
    ))
}

/// Creates a channel with a number, or with the first free one.
unsafe fn create(
    call: &str,
    chn: Option<hi_vpc_chn>,
    attr: *const hi_vpc_chn_attr,
) -> Result<i32, i32> {
    if let Some(chn) = chn {
        in_range(call, chn)?;
    }
    let number = with(VPC, call, &mut |system| {
        VPC.not_null(call, "attr", attr)?;
        // SAFETY: not null; the caller's contract: valid for a read.
        let attr = unsafe { attr.read() };
        let room = match attr.attr {
            0 => USUAL,
            room @ 10..=350 => room as usize,
            other => {
                return Err(VPC.refuse(call, ILLEGAL_PARAM, format_args!(
                    "attr is {other}; a queue has room for 10 to 350 results, 0 is the usual room"
                )));
            }
        };
        let free = || (0..product().channels()).find(|number| !system.vpc.contains(number));
        let number = chn.or_else(free).ok_or_else(|| {
            VPC.refuse(
                call,
                BUF_FULL,
                format_args!(
                    "all {} channels exist; destroy one (hi_mpi_vpc_destroy_chn)",
                    product().channels()
                ),
            )
        })?;
        if system.vpc.contains(&number) {
            return Err(VPC.refuse(call, EXIST, format_args!("the channel {number} exists")));
        }
        let matrix = matrix().ok_or_else(|| VPC.code(NOT_SUPPORT))?;
        let channel = Processor {
            matrix,
            number: 0,
            room,
            queue: new_queue(),
            sent: 0,
            tasks: Vec::new(),
        };
        system.vpc.insert(number, channel);
        Ok(number)
    })?;
    created(VPC, call, number);
    Ok(number)
}

pub(crate) unsafe extern "C" fn hi_mpi_vpc_create_chn(
    chn: hi_vpc_chn,
    attr: *const hi_vpc_chn_attr,
) -> i32 {
    // SAFETY: the same contract.
    status(unsafe { create("hi_mpi_vpc_create_chn", Some(chn), attr) }.map(drop))
}

pub(crate) unsafe extern "C" fn hi_mpi_vpc_sys_create_chn(
    chnl: *mut hi_vpc_chn,
    attr: *const hi_vpc_chn_attr,
) -> i32 {
    let call = "hi_mpi_vpc_sys_create_chn";
    status((|| {
        VPC.not_null(call, "chnl", chnl)?;
        // SAFETY: the same contract.
        let number = unsafe { create(call, None, attr) }?;
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { chnl.write(number) };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_vpc_destroy_chn(chn: hi_vpc_chn) -> i32 {
    let call = "hi_mpi_vpc_destroy_chn";
    status((|| {
        in_range(call, chn)?;
        with(VPC, call, &mut |system| {
            let removed = system.vpc.remove(&chn);
            removed.map(drop).ok_or_else(|| VPC.unknown(call, chn))
        })?;
        destroyed(VPC, call, chn);
        changed();
        Ok(())
    })())
}

fn channel<'s>(system: &'s mut System, call: &str, chn: i32) -> Result<&'s mut Processor, i32> {
    system
        .vpc
        .get_mut(&chn)
        .ok_or_else(|| VPC.unknown(call, chn))
}

/// Queues a task when there is room, and writes its number.
///
/// # Safety
///
/// - `task_id` is valid for a write.
pub(super) unsafe fn send(
    call: &'static str,
    chn: hi_vpc_chn,
    prepared: Prepared,
    task_id: *mut u32,
    milliseconds: i32,
) -> Result<(), i32> {
    if let Err(why) = &prepared.job {
        return Err(VPC.refuse(call, ILLEGAL_PARAM, format_args!("{}", why.text)));
    }
    let touches = prepared.touches;
    let mut plan = Some(Accepted {
        call,
        ranges: prepared.ranges,
        touches: Vec::new(),
        job: prepared.job,
        finish: Arc::new(|_| ()),
    });
    let sent = wait(VPC, call, milliseconds, &mut |system| {
        let channel = channel(system, call, chn)?;
        if channel.tasks.len() >= channel.room {
            return Ok(None);
        }
        channel.sent += 1;
        let id = channel.sent;
        channel.tasks.push(Sent {
            id,
            plan: plan.take(),
            status: None,
        });
        Ok(Some((id, channel.queue)))
    })?;
    let (id, queue) = sent.ok_or_else(|| {
        VPC.refuse(
            call,
            BUF_FULL,
            format_args!("the queue is full; fetch results with hi_mpi_vpc_get_process_result"),
        )
    })?;
    check::tell(call, &|checker, site| {
        let mut touches = touches.clone();
        touches.push(touch(VPC.channel(chn), false));
        checker.queued(queue, u64::from(id), touches, false, site);
    });
    // SAFETY: the caller's contract.
    unsafe { task_id.write(id) };
    Ok(())
}

pub(crate) unsafe extern "C" fn hi_mpi_vpc_get_process_result(
    chn: hi_vpc_chn,
    task_id: u32,
    milli_sec: i32,
) -> i32 {
    let call = "hi_mpi_vpc_get_process_result";
    status((|| {
        in_range(call, chn)?;
        // The tasks that this thread runs: those up to the wanted one that no thread has taken.
        let (taken, queue) = with(VPC, call, &mut |system| {
            let channel = channel(system, call, chn)?;
            if channel.tasks.iter().all(|task| task.id != task_id) {
                return Err(VPC.refuse(
                    call,
                    ILLEGAL_PARAM,
                    format_args!(
                        "the channel {chn} has no task {task_id}, or its result was fetched"
                    ),
                ));
            }
            let up_to = channel.tasks.iter_mut().filter(|task| task.id <= task_id);
            let taken = up_to.filter_map(|task| Some((task.id, task.plan.take()?)));
            let taken: Vec<(u32, Accepted)> = list_of(taken);
            Ok((taken, channel.queue))
        })?;
        for (id, plan) in taken {
            let result = plan.now();
            with(VPC, call, &mut |system| {
                let channel = channel(system, call, chn)?;
                if let Some(task) = channel.tasks.iter_mut().find(|task| task.id == id) {
                    task.status = Some(result);
                }
                Ok(())
            })?;
            changed();
        }
        let result = wait(VPC, call, milli_sec, &mut |system| {
            let channel = channel(system, call, chn)?;
            let found = channel.tasks.iter().position(|task| task.id == task_id);
            let Some(found) = found else {
                return Err(VPC.refuse(
                    call,
                    ILLEGAL_PARAM,
                    format_args!("another thread has fetched the result of task {task_id}"),
                ));
            };
            Ok(
                match channel.tasks.get(found).and_then(|task| task.status) {
                    Some(result) => {
                        channel.tasks.remove(found);
                        Some(result)
                    }
                    None => None,
                },
            )
        })?;
        changed();
        let result = result
            .ok_or_else(|| VPC.refuse(call, BUF_EMPTY, format_args!("the task is not over")))?;
        check::note(&|checker| checker.synchronised(queue, u64::from(task_id)));
        match result {
            0 => Ok(()),
            code => Err(VPC.refuse(
                call,
                BAD_ADDR,
                format_args!(
                    "the task has failed with {code}; the emulator's `violations()` say why{}",
                    violation::cause()
                ),
            )),
        }
    })())
}

/// Returns the picture of a description.
pub(super) fn picture(info: &hi_vpc_pic_info) -> Picture {
    Picture {
        data: info.picture_address.addr(),
        size: info.picture_buffer_size,
        format: info.picture_format.0,
        width: info.picture_width,
        height: info.picture_height,
        width_stride: info.picture_width_stride,
        height_stride: info.picture_height_stride,
    }
}

/// The matrix of a channel, which has to exist.
pub(super) fn matrix_of(call: &str, chn: hi_vpc_chn) -> Result<Matrix, i32> {
    in_range(call, chn)?;
    with(VPC, call, &mut |system| {
        Ok(channel(system, call, chn)?.matrix)
    })
}

pub(super) fn illegal(call: &str, why: std::fmt::Arguments<'_>) -> i32 {
    VPC.refuse(call, ILLEGAL_PARAM, why)
}

/// Reads an element of an array of the program.
///
/// # Safety
///
/// - The array has more than `index` elements.
pub(super) unsafe fn element<T: Copy>(array: *const T, index: usize) -> T {
    // SAFETY: the caller's contract.
    let place = unsafe { array.add(index) };
    // SAFETY: the caller's contract.
    unsafe { place.read() }
}

/// Reads the source and the destination of a call.
///
/// # Safety
///
/// - The pointers are null or valid for a read.
pub(super) unsafe fn both(
    call: &str,
    chn: hi_vpc_chn,
    source: *const hi_vpc_pic_info,
    dest: *const hi_vpc_pic_info,
    task_id: *const u32,
) -> Result<(Matrix, Picture, Picture), i32> {
    let matrix = matrix_of(call, chn)?;
    VPC.not_null(call, "source_pic", source)?;
    VPC.not_null(call, "dest_pic", dest)?;
    VPC.not_null(call, "task_id", task_id)?;
    // SAFETY: not null; the caller's contract.
    let source = picture(&unsafe { source.read() });
    // SAFETY: not null; the caller's contract.
    let dest = picture(&unsafe { dest.read() });
    Ok((matrix, source, dest))
}

pub(super) fn value(scalar: &hi_vpc_scalar) -> [u8; 4] {
    bytes_of(&scalar.val)
}

pub(super) fn border(info: &hi_vpc_make_border_info) -> Border {
    Border {
        top: info.top as usize,
        bottom: info.bottom as usize,
        left: info.left as usize,
        right: info.right as usize,
        kind: info.border_type.0,
        value: value(&info.scalar_value),
    }
}
