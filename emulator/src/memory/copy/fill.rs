//! Fills with bytes and with 32-bit words (`acl/acl_rt.h`).

use std::ffi::c_void;

use ascendcl_sys::{ACL_SUCCESS, aclError, aclrtStream};

use super::pieces::pieces;
use super::{End, check_room, done};
use crate::check::{self, Touch};
use crate::device::peer;
use crate::engine::current::current;
use crate::engine::submit::{self, own};
use crate::engine::task::Task;
use crate::engine::worker::LARGE;
use crate::graph;
use crate::object_calls::{attempt, invalid, invalid_below, not_null};
use crate::space::bulk::fill_words;
use crate::space::place::Place;
use crate::space::space;

/// The bytes of a word.
const WORD: usize = size_of::<u32>();

pub(crate) unsafe extern "C" fn aclrtMemset(
    devPtr: *mut c_void,
    maxCount: usize,
    value: i32,
    count: usize,
) -> aclError {
    let call = "aclrtMemset";
    if count == 0 {
        return ACL_SUCCESS;
    }
    attempt!(not_null(call, "devPtr", devPtr));
    let checked =
        check_room(call, maxCount, count).and_then(|()| graph::allow(call, &current(call)?));
    let filled = checked.and_then(|()| {
        let Some(pieces) = pieces([devPtr.addr()], count) else {
            // SAFETY: the same contract.
            return unsafe { fill_piece(call, devPtr, value as u8, count) };
        };
        pieces.each(|offset, len| {
            // SAFETY: the same contract for a part of the range.
            unsafe { fill_piece(call, devPtr.wrapping_byte_add(offset), value as u8, len) }
        })
    });
    filled.err().unwrap_or(ACL_SUCCESS)
}

/// Fills memory in the call. The memory is in one mapping of the program, or in none.
///
/// # Safety
///
/// - If the pointer points to ordinary host memory, it is valid for writes of `count` bytes.
unsafe fn fill_piece(
    call: &str,
    start: *mut c_void,
    value: u8,
    count: usize,
) -> Result<(), aclError> {
    peer::device_reaches(call, start.addr())?;
    check::tell(call, &|checker, site| {
        checker.use_now(vec![Touch::write(start.addr(), count)], false, site);
    });
    let end = End::new(call, "devPtr", start.addr(), count)?;
    // SAFETY: the memory is entered, or it is ordinary host memory that is valid by the caller's contract.
    unsafe { end.pointer(start).write_bytes(value, count) };
    Ok(())
}

pub(crate) unsafe extern "C" fn aclrtMemsetAsync(
    devPtr: *mut c_void,
    maxCount: usize,
    value: i32,
    count: usize,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtMemsetAsync";
    if count == 0 {
        return ACL_SUCCESS;
    }
    attempt!(not_null(call, "devPtr", devPtr));
    fill_async(call, devPtr.addr(), maxCount, value as u8, count, stream)
}

/// Queues a fill.
pub(crate) fn fill_async(
    call: &str,
    address: usize,
    room: usize,
    value: u8,
    count: usize,
    stream: aclrtStream,
) -> aclError {
    let checked = submit::find(call, stream).and_then(|found| {
        check_room(call, room, count)?;
        let to = Place::new(space(), address, count).ok_or_else(|| {
            invalid_below(
                call,
                format_args!("{address:#x} is ordinary host memory; pass device memory"),
            )
        })?;
        let target = own(call, found)?;
        peer::device_reaches(call, address)?;
        Ok((target, to))
    });
    if let Ok((_, to)) = &checked
        && to.is_nowhere()
        && let Some(pieces) = pieces([address], count)
    {
        let filled = pieces.each(|offset, len| {
            let start = address + offset;
            done(fill_async(call, start, len, value, len, stream))
        });
        return filled.err().unwrap_or(ACL_SUCCESS);
    }
    let (target, to) = attempt!(checked);
    let make = move |_| Task::Fill { to, value, count };
    let large = count >= LARGE;
    if check::is_on() {
        let tell = |number| {
            check::tell(call, &|checker, site| {
                let touches = vec![Touch::write(address, count)];
                checker.queued(target.stream.slot(), number, touches, false, site);
            });
        };
        submit::push_told(call, target, large, &tell, make)
    } else {
        submit::push(call, target, large, make)
    }
}

pub(crate) unsafe extern "C" fn aclrtMemsetD32(
    ptr: *mut c_void,
    memSize: usize,
    value: u32,
    N: usize,
) -> aclError {
    let call = "aclrtMemsetD32";
    if N == 0 {
        return ACL_SUCCESS;
    }
    let filled = check_words(call, ptr, memSize, N).and_then(|_| {
        graph::allow(call, &current(call)?)?;
        peer::device_reaches(call, ptr.addr())?;
        fill_now(call, ptr, value, N)
    });
    filled.err().unwrap_or(ACL_SUCCESS)
}

pub(crate) unsafe extern "C" fn aclrtMemsetD32Async(
    ptr: *mut c_void,
    memSize: usize,
    value: u32,
    N: usize,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtMemsetD32Async";
    if N == 0 {
        return ACL_SUCCESS;
    }
    let checked = check_words(call, ptr, memSize, N).and_then(|to| {
        let found = submit::find(call, stream)?;
        let target = own(call, found)?;
        peer::device_reaches(call, ptr.addr())?;
        Ok((to, target))
    });
    let (to, target) = attempt!(checked);
    if space().is_device(ptr.addr()) {
        let task = Task::FillWords {
            to,
            value,
            count: N,
        };
        submit::push_told(
            call,
            target,
            N >= LARGE / WORD,
            &|number| {
                check::tell(call, &|checker, site| {
                    let touches = vec![Touch::write(ptr.addr(), N * WORD)];
                    checker.queued(target.stream.slot(), number, touches, false, site);
                });
            },
            |_| task,
        )
    } else {
        // Host memory is filled in the call, without waiting for the stream.
        fill_now(call, ptr, value, N).err().unwrap_or(ACL_SUCCESS)
    }
}

/// Makes the checks of the ACL layer and returns the place of the words.
fn check_words(call: &str, ptr: *mut c_void, room: usize, count: usize) -> Result<Place, aclError> {
    not_null(call, "ptr", ptr)?;
    let refused = |why: &str| {
        Err(invalid(
            call,
            format_args!("ptr {ptr:p}, memSize {room}, N {count}: {why}"),
        ))
    };
    if !ptr.addr().is_multiple_of(WORD) {
        return refused("the address is no multiple of 4");
    }
    let bytes = match count.checked_mul(WORD) {
        Some(bytes) if bytes <= room => bytes,
        _ => return refused("N words of 4 bytes are more than memSize"),
    };
    match Place::new(space(), ptr.addr(), bytes) {
        Some(place) => Ok(place),
        None => refused("only memory of aclrtMalloc or aclrtMallocHost can be filled"),
    }
}

/// Fills memory of AscendCL with words, in the call.
fn fill_now(call: &str, ptr: *mut c_void, value: u32, count: usize) -> Result<(), aclError> {
    check::tell(call, &|checker, site| {
        let touches = vec![Touch::write(ptr.addr(), count * WORD)];
        checker.use_now(touches, false, site);
    });
    let end = End::new(call, "ptr", ptr.addr(), count * WORD)?;
    // SAFETY: this is memory of AscendCL (`check_words`), and it is entered for `count` words.
    unsafe { fill_words(end.pointer(ptr), value, count) };
    Ok(())
}
