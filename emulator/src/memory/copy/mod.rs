//! Copies (`acl/acl_rt.h`). Copies of rows are in `rows`, fills in `fill`, and copies whose ends are written in device
//! memory in `indirect`.
//!
//! The addresses decide what a copy does, not its kind, as in the driver (observed, CANN runtime 1.17). A copy
//! without a stream checks its ranges at once. A copy with a stream checks them when its turn comes, and the next
//! synchronise reports the error. Ordinary host memory makes an asynchronous copy synchronous, as on a card: the
//! runtime waits for the stream and copies in the call.

mod fill;
mod indirect;
mod pieces;
mod rows;

use std::ffi::c_void;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_MEMORY_ALLOCATION, ACL_MEMCPY_DEVICE_TO_DEVICE,
    ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, ACL_MEMCPY_HOST_TO_DEVICE,
    ACL_SUCCESS, aclError, aclrtMemcpyKind, aclrtStream,
};

pub(crate) use fill::*;
pub(crate) use indirect::*;
pub(crate) use rows::*;

use crate::check::{self, InPlace, Touch};
use crate::config::RunMode;
use crate::device::peer;
use crate::engine::current::current;
use crate::engine::engine;
use crate::engine::submit::{self, Target, own};
use crate::engine::task::Task;
use crate::engine::worker::LARGE;
use crate::error::{fail, null};
use crate::graph;
use crate::object_calls::{attempt, invalid, invalid_below, status};
use crate::space::place::{Entered, Place};
use crate::space::{Location, bulk, ordinary, space};

use pieces::{Pieces, pieces};

pub(crate) unsafe extern "C" fn aclrtMemcpy(
    dst: *mut c_void,
    destMax: usize,
    src: *const c_void,
    count: usize,
    kind: aclrtMemcpyKind,
) -> aclError {
    let call = "aclrtMemcpy";
    if count == 0 {
        return ACL_SUCCESS;
    }
    attempt!(
        check_arguments(call, dst, src, kind)
            .and_then(|()| check_room(call, destMax, count))
            .and_then(|()| graph::allow(call, &current(call)?))
    );
    // SAFETY: not null; ordinary host memory is valid for `count` bytes by the caller's contract.
    unsafe { copy_now(call, dst, src, count, kind) }
}

pub(crate) unsafe extern "C" fn aclrtMemcpyAsync(
    dst: *mut c_void,
    destMax: usize,
    src: *const c_void,
    count: usize,
    kind: aclrtMemcpyKind,
    stream: aclrtStream,
) -> aclError {
    // SAFETY: the same contract.
    status(unsafe { copy_async(dst, destMax, src, count, kind, stream) })
}

/// Queues a copy between a device and page-locked memory. It refuses other memory of the host, which aclrtMemcpyAsync
/// would copy at once.
pub(crate) unsafe extern "C" fn aclrtMemcpyAsyncWithCondition(
    dst: *mut c_void,
    destMax: usize,
    src: *const c_void,
    count: usize,
    kind: aclrtMemcpyKind,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtMemcpyAsyncWithCondition";
    if count == 0 {
        return ACL_SUCCESS;
    }
    if dst.is_null() || src.is_null() {
        return null(call, "dst or src");
    }
    if kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE {
        return no_kind(call, kind);
    }
    let is_pageable = |address| matches!(space().locate(address), Location::Pageable);
    if is_pageable(dst.addr()) || is_pageable(src.addr()) {
        return invalid_below(
            call,
            format_args!("the memory of the host is not page-locked; use aclrtMallocHost"),
        );
    }
    // SAFETY: the same contract.
    unsafe { aclrtMemcpyAsync(dst, destMax, src, count, kind, stream) }
}

/// Queues the pieces of a copy one after the other.
///
/// # Safety
///
/// - Ordinary host memory is valid for all bytes of the pieces, as for `aclrtMemcpyAsync`.
#[cold]
unsafe fn copy_pieces(
    pieces: &Pieces<2>,
    dst: *mut c_void,
    src: *const c_void,
    kind: aclrtMemcpyKind,
    stream: aclrtStream,
) -> Result<(), aclError> {
    pieces.each(|offset, len| {
        let (to, from) = (dst.wrapping_byte_add(offset), src.wrapping_byte_add(offset));
        // SAFETY: the caller's contract: the piece is a part of the ranges.
        done(unsafe { aclrtMemcpyAsync(to, len, from, len, kind, stream) })
    })
}

/// Queues a copy, or copies in the call if a stream cannot make the copy.
///
/// # Safety
///
/// - Ordinary host memory is valid for `count` bytes, as for `aclrtMemcpyAsync`.
#[inline(always)]
unsafe fn copy_async(
    dst: *mut c_void,
    room: usize,
    src: *const c_void,
    count: usize,
    kind: aclrtMemcpyKind,
    stream: aclrtStream,
) -> Result<(), aclError> {
    let call = "aclrtMemcpyAsync";
    if count == 0 {
        return Ok(());
    }
    check_arguments(call, dst, src, kind)?;
    let found = submit::find(call, stream)?;
    check_room(call, room, count)?;
    let ends = Ends::new(call, dst.addr(), src.addr(), count, count, kind)?;
    let target = own(call, found)?;
    let (Some(to), Some(from)) = (ends.to, ends.from) else {
        // SAFETY: the caller's contract.
        return unsafe { copy_pageable(call, dst, src, count, kind, (stream, target), ends.to) };
    };
    if (to.is_nowhere() || from.is_nowhere())
        && let Some(pieces) = pieces([dst.addr(), src.addr()], count)
    {
        // SAFETY: the caller's contract.
        return unsafe { copy_pieces(&pieces, dst, src, kind, stream) };
    }
    if check::is_on() {
        return copy_told(call, target, (dst, src, count, kind), to, from);
    }
    let task = move |_| Task::Copy { to, from, count };
    done(submit::push(call, target, count >= LARGE, task))
}

/// Queues a copy and reports it to the checker.
#[cold]
fn copy_told(
    call: &str,
    target: Target,
    (dst, src, count, kind): (*mut c_void, *const c_void, usize, aclrtMemcpyKind),
    to: Place,
    from: Place,
) -> Result<(), aclError> {
    let tell = |number| {
        check::tell(call, &|checker, site| {
            checker.directed(kind, dst.addr(), src.addr(), &site);
            let touches = vec![
                Touch::read(src.addr(), count),
                Touch::write(dst.addr(), count),
            ];
            checker.overlaps(&touches, InPlace::Pairs, &site);
            let copies = space().is_device(dst.addr());
            checker.queued(target.stream.slot(), number, touches, copies, site);
        });
    };
    let task = |_| Task::Copy { to, from, count };
    done(submit::push_told(call, target, count >= LARGE, &tell, task))
}

/// Copies with a stream from or to ordinary host memory. `to` is the destination, or `None` if it is ordinary host
/// memory.
///
/// # Safety
///
/// - Ordinary host memory is valid for `count` bytes, as for `aclrtMemcpyAsync`.
#[inline(never)]
unsafe fn copy_pageable(
    call: &'static str,
    dst: *mut c_void,
    src: *const c_void,
    count: usize,
    kind: aclrtMemcpyKind,
    (stream, target): (aclrtStream, Target),
    to: Option<Place>,
) -> Result<(), aclError> {
    let Some(to) = to.filter(|_| kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE) else {
        graph::allow_pageable(call, target)?;
        done(submit::synchronise(call, target.stream, None))?;
        // SAFETY: the caller's contract.
        return done(unsafe { copy_now(call, dst, src, count, kind) });
    };
    is_memory(call, "src", src.addr(), count)?;
    if to.is_nowhere()
        && let Some(pieces) = pieces([dst.addr(), src.addr()], count)
    {
        // SAFETY: the caller's contract.
        return unsafe { copy_pieces(&pieces, dst, src, kind, stream) };
    }
    // SAFETY: this is ordinary host memory, which is valid for `count` bytes by the caller's contract.
    let from = unsafe { buffered(src.cast::<u8>(), count) }.ok_or_else(|| {
        fail(
            ACL_ERROR_RT_MEMORY_ALLOCATION,
            format_args!("{call} failed: there is no buffer of {count} bytes on the host"),
        )
    })?;
    let task = Task::CopyBuffer { to, from };
    done(submit::push_told(
        call,
        target,
        count >= LARGE,
        &|number| {
            check::tell(call, &|checker, site| {
                let touches = vec![Touch::write(dst.addr(), count)];
                checker.queued(target.stream.slot(), number, touches, false, site);
            });
        },
        |_| task,
    ))
}

/// Converts a code to a result.
#[inline(always)]
fn done(code: aclError) -> Result<(), aclError> {
    if code == ACL_SUCCESS {
        Ok(())
    } else {
        Err(code)
    }
}

/// Returns a copy of host memory; `None` if there is not enough memory for it.
///
/// # Safety
///
/// - `start` is valid for reads of `count` bytes, if that much memory can be allocated.
unsafe fn buffered(start: *const u8, count: usize) -> Option<Box<[u8]>> {
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(count).ok()?;
    // SAFETY: the reservation succeeded, so `count` is at most `isize::MAX`; the caller's contract.
    buffer.extend_from_slice(unsafe { std::slice::from_raw_parts(start, count) });
    Some(buffer.into())
}

/// Checks pointers and kind, as the ACL layer does.
#[inline(always)]
fn check_arguments(
    call: &str,
    dst: *mut c_void,
    src: *const c_void,
    kind: aclrtMemcpyKind,
) -> Result<(), aclError> {
    if dst.is_null() || src.is_null() {
        return Err(null(call, "dst or src"));
    }
    if kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE {
        return Err(no_kind(call, kind));
    }
    Ok(())
}

#[cold]
fn no_kind(call: &str, kind: aclrtMemcpyKind) -> aclError {
    invalid(
        call,
        format_args!("kind is {kind:?}; pass one of the kinds 0 to 5"),
    )
}

#[inline(always)]
fn check_room(call: &str, room: usize, count: usize) -> Result<(), aclError> {
    if count <= room {
        return Ok(());
    }
    Err(no_room(call, room, count))
}

#[cold]
fn no_room(call: &str, room: usize, count: usize) -> aclError {
    check::tell(call, &|checker, site| checker.too_much(count, room, site));
    invalid_below(
        call,
        format_args!("count {count} is more than the destination's {room} bytes"),
    )
}

/// Both ends of an asynchronous copy; `None` means ordinary host memory.
struct Ends {
    to: Option<Place>,
    from: Option<Place>,
}

impl Ends {
    #[inline(always)]
    fn new(
        call: &str,
        to: usize,
        from: usize,
        to_len: usize,
        from_len: usize,
        kind: aclrtMemcpyKind,
    ) -> Result<Ends, aclError> {
        peer::reaches(call, from, to)?;
        let space = space();
        let ends = Ends {
            to: Place::near(space, to, to_len),
            from: Place::near(space, from, from_len),
        };
        if (ends.to.is_none() || ends.from.is_none()) && !ends.suit(kind) {
            return Err(no_device(call, to, from, kind));
        }
        let on_host = !space.is_device(to) && !space.is_device(from);
        if on_host && engine().config.run_mode == RunMode::Host {
            return Err(no_stream_needed(call));
        }
        Ok(ends)
    }

    /// Returns whether ordinary host memory is only on the host's side of this kind of copy.
    fn suit(&self, kind: aclrtMemcpyKind) -> bool {
        match kind {
            ACL_MEMCPY_HOST_TO_DEVICE | ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE => self.to.is_some(),
            ACL_MEMCPY_DEVICE_TO_HOST => self.from.is_some(),
            ACL_MEMCPY_DEVICE_TO_DEVICE => self.to.is_some() && self.from.is_some(),
            _ => true,
        }
    }
}

#[cold]
fn no_device(call: &str, to: usize, from: usize, kind: aclrtMemcpyKind) -> aclError {
    invalid_below(
        call,
        format_args!(
            "{kind:?} from {from:#x} to {to:#x}, but the device's side is ordinary \
             host memory"
        ),
    )
}

#[cold]
fn no_stream_needed(call: &str) -> aclError {
    fail(
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        format_args!("{call} failed: both sides are host memory; copy without a stream"),
    )
}

/// Refuses addresses without ordinary host memory, and ranges that reach into memory of AscendCL behind it.
fn is_memory(call: &str, argument: &str, address: usize, len: usize) -> Result<(), aclError> {
    let last = address.wrapping_add(len.saturating_sub(1));
    if ordinary::is_there(address, len) && !space().is_own(last) {
        return Ok(());
    }
    Err(invalid_below(
        call,
        format_args!("{argument} {address:#x} is no memory of {len} bytes; check the pointer"),
    ))
}

/// One end of a copy in the call: entered memory of AscendCL, or ordinary host memory.
pub(crate) struct End(Option<Entered>);

impl End {
    pub(crate) fn new(
        call: &str,
        argument: &str,
        address: usize,
        len: usize,
    ) -> Result<End, aclError> {
        let space = space();
        let Some(place) = Place::new(space, address, len) else {
            return is_memory(call, argument, address, len).map(|()| End(None));
        };
        place
            .enter(space)
            .map(|entered| End(Some(entered)))
            .map_err(|_| {
                invalid_below(
                    call,
                    format_args!(
                        "{argument} {address:#x} has no allocation of {len} bytes (any \
                     more); check the size, and that it was not freed"
                    ),
                )
            })
    }

    /// Returns the address of the bytes.
    pub(crate) fn pointer(&self, given: *mut c_void) -> *mut u8 {
        self.0.as_ref().map_or(given.cast(), Entered::pointer)
    }
}

/// Copies in the call.
///
/// # Safety
///
/// - Pointers to ordinary host memory are valid for `count` bytes.
#[inline(always)]
unsafe fn copy_now(
    call: &str,
    dst: *mut c_void,
    src: *const c_void,
    count: usize,
    kind: aclrtMemcpyKind,
) -> aclError {
    let Some(pieces) = pieces([dst.addr(), src.addr()], count) else {
        // SAFETY: the same contract.
        return unsafe { copy_piece(call, dst, src, count, kind) };
    };
    let copied = pieces.each(|offset, len| {
        let (to, from) = (dst.wrapping_byte_add(offset), src.wrapping_byte_add(offset));
        // SAFETY: the caller's contract: the piece is a part of the ranges.
        done(unsafe { copy_piece(call, to, from, len, kind) })
    });
    copied.err().unwrap_or(ACL_SUCCESS)
}

/// Copies in the call. Each range is in one mapping, or in none.
///
/// # Safety
///
/// - Pointers to ordinary host memory are valid for `count` bytes.
unsafe fn copy_piece(
    call: &str,
    dst: *mut c_void,
    src: *const c_void,
    count: usize,
    kind: aclrtMemcpyKind,
) -> aclError {
    check::tell(call, &|checker, site| {
        checker.directed(kind, dst.addr(), src.addr(), &site);
        let touches = vec![
            Touch::read(src.addr(), count),
            Touch::write(dst.addr(), count),
        ];
        checker.overlaps(&touches, InPlace::Pairs, &site);
        checker.use_now(touches, space().is_device(dst.addr()), site);
    });
    let ends = peer::reaches(call, src.addr(), dst.addr()).and_then(|()| {
        let from = End::new(call, "src", src.addr(), count)?;
        Ok((End::new(call, "dst", dst.addr(), count)?, from))
    });
    match ends {
        Err(code) => code,
        Ok((to, from)) => {
            let (source, destination) = (from.pointer(src.cast_mut()), to.pointer(dst));
            // SAFETY: both ends are entered for `count` bytes, or valid by the caller's contract.
            unsafe { bulk::copy(destination, source, count) };
            ACL_SUCCESS
        }
    }
}
