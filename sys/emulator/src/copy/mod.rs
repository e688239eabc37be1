//! Copies and fills (`acl/acl_rt.h`).
//!
//! The addresses decide what a copy does, not its kind: so does the driver (observed, CANN runtime
//! 1.17). A copy without stream checks its ranges at once; one with a stream checks them when its turn
//! comes, and tells at the next synchronise. Ordinary host memory makes an asynchronous copy
//! synchronous, as on a card: the runtime waits for the stream and copies in the call.

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::{
    ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_MEMORY_ALLOCATION,
    ACL_ERROR_RT_PARAM_INVALID, ACL_MEMCPY_DEFAULT, ACL_MEMCPY_DEVICE_TO_DEVICE,
    ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, ACL_MEMCPY_HOST_TO_DEVICE,
    ACL_SUCCESS, aclError, aclrtMemcpyKind, aclrtStream,
};

use crate::bulk;
use crate::check::{self, Touch};
use crate::config::RunMode;
use crate::context::{current, null};
use crate::error::fail;
use crate::peer;
use crate::space::{Entered, Place};
use crate::state::state;
use crate::submit::{self, own};
use crate::task::{Rows, Task};
use crate::worker::LARGE;

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
    if let Err(code) = check(call, dst, src, kind)
        .and_then(|()| check_room(call, destMax, count))
        .and_then(|()| current(call).map(drop))
    {
        return code;
    }
    // SAFETY: not null; ordinary host memory is valid for `count` bytes by the caller's contract.
    unsafe { copy_now(call, dst, src, count) }
}

pub(crate) unsafe extern "C" fn aclrtMemcpyAsync(
    dst: *mut c_void,
    destMax: usize,
    src: *const c_void,
    count: usize,
    kind: aclrtMemcpyKind,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtMemcpyAsync";
    if count == 0 {
        return ACL_SUCCESS;
    }
    let checked = check(call, dst, src, kind).and_then(|()| {
        let found = submit::find(call, stream)?;
        check_room(call, destMax, count)?;
        let ends = Ends::new(call, dst.addr(), src.addr(), count, count, kind)?;
        Ok((own(call, found)?, ends))
    });
    let (target, ends) = match checked {
        Ok(checked) => checked,
        Err(code) => return code,
    };
    let large = count >= LARGE;
    match (ends.to, ends.from) {
        (Some(to), Some(from)) => submit::push_made(call, target, large, |number| {
            check::tell(call, |checker, site| {
                let touches = vec![
                    Touch::read(src.addr(), count),
                    Touch::write(dst.addr(), count),
                ];
                let copies = state().space.is_device(dst.addr());
                checker.queued(target.stream, number, touches, copies, site);
            });
            Task::Copy { to, from, count }
        }),
        (Some(to), None) if kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE => {
            // SAFETY: ordinary host memory, valid for `count` bytes by the caller's contract.
            let Some(from) = (unsafe { buffered(src.cast::<u8>(), count) }) else {
                return fail(
                    ACL_ERROR_RT_MEMORY_ALLOCATION,
                    format_args!("{call} failed: there is no buffer of {count} bytes on the host"),
                );
            };
            submit::push(
                call,
                target,
                Task::CopyBuffer { to, from },
                large,
                |number| {
                    check::tell(call, |checker, site| {
                        let touches = vec![Touch::write(dst.addr(), count)];
                        checker.queued(target.stream, number, touches, false, site);
                    });
                },
            )
        }
        _ => match submit::synchronise(call, target.stream, None) {
            // SAFETY: as for aclrtMemcpy.
            ACL_SUCCESS => unsafe { copy_now(call, dst, src, count) },
            code => code,
        },
    }
}

/// A copy of host memory; `None` if there is no room for one.
///
/// # Safety
///
/// `start` is valid for reads of `count` bytes, if there is room for so many.
unsafe fn buffered(start: *const u8, count: usize) -> Option<Box<[u8]>> {
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(count).ok()?;
    // SAFETY: the reservation succeeded, so `count` is at most `isize::MAX`; the caller's contract.
    buffer.extend_from_slice(unsafe { std::slice::from_raw_parts(start, count) });
    Some(buffer.into())
}

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
    if devPtr.is_null() {
        return null(call, "devPtr");
    }
    let checked = check_room(call, maxCount, count)
        .and_then(|()| current(call).map(drop))
        .and_then(|()| peer::device_reaches(call, devPtr.addr()));
    if let Err(code) = checked {
        return code;
    }
    check::tell(call, |checker, site| {
        checker.use_now(vec![Touch::write(devPtr.addr(), count)], false, site);
    });
    let end = match End::new(call, "devPtr", devPtr.addr(), count) {
        Ok(end) => end,
        Err(code) => return code,
    };
    // SAFETY: entered, or ordinary host memory that is valid by the caller's contract.
    unsafe { end.pointer(devPtr).write_bytes(value as u8, count) };
    ACL_SUCCESS
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
    if devPtr.is_null() {
        return null(call, "devPtr");
    }
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
        let to = Place::new(&state().space, address, count).ok_or_else(|| {
            fail(
                ACL_ERROR_RT_PARAM_INVALID,
                format_args!(
                    "{call} failed: {address:#x} is ordinary host memory; pass device memory"
                ),
            )
        })?;
        let target = own(call, found)?;
        peer::device_reaches(call, address)?;
        Ok((target, to))
    });
    match checked {
        Ok((target, to)) => submit::push_made(call, target, count >= LARGE, |number| {
            check::tell(call, |checker, site| {
                let touches = vec![Touch::write(address, count)];
                checker.queued(target.stream, number, touches, false, site);
            });
            Task::Fill { to, value, count }
        }),
        Err(code) => code,
    }
}

pub(crate) unsafe extern "C" fn aclrtMemcpy2d(
    dst: *mut c_void,
    dpitch: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
    kind: aclrtMemcpyKind,
) -> aclError {
    let call = "aclrtMemcpy2d";
    if width == 0 || height == 0 {
        return ACL_SUCCESS;
    }
    let kinds = &ROW_KINDS;
    let checked = check_rows(call, dst, dpitch, src, spitch, width, height, kind, kinds);
    let extents = match checked.and_then(|extents| current(call).map(|_| extents)) {
        Ok(extents) => extents,
        Err(code) => return code,
    };
    // SAFETY: the pitches were checked; ordinary host memory is valid by the caller's contract.
    unsafe { copy_rows_now(call, dst, dpitch, src, spitch, width, height, extents) }
}

pub(crate) unsafe extern "C" fn aclrtMemcpy2dAsync(
    dst: *mut c_void,
    dpitch: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
    kind: aclrtMemcpyKind,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtMemcpy2dAsync";
    if width == 0 || height == 0 {
        return ACL_SUCCESS;
    }
    let kinds = &STREAM_ROW_KINDS;
    let checked = check_rows(call, dst, dpitch, src, spitch, width, height, kind, kinds);
    let checked = checked.and_then(|extents| {
        let found = submit::find(call, stream)?;
        check_size(call, width, height)?;
        let ends = Ends::new(call, dst.addr(), src.addr(), extents.0, extents.1, kind)?;
        Ok((own(call, found)?, ends, extents))
    });
    let (target, ends, extents) = match checked {
        Ok(checked) => checked,
        Err(code) => return code,
    };
    if let (Some(to), Some(from)) = (ends.to, ends.from) {
        let rows = Rows {
            to,
            to_pitch: dpitch,
            from,
            from_pitch: spitch,
            width,
            height,
        };
        let large = width.saturating_mul(height) >= LARGE;
        return submit::push(
            call,
            target,
            Task::CopyRows(Box::new(rows)),
            large,
            |number| {
                check::tell(call, |checker, site| {
                    let touches = touches(dst.addr(), dpitch, src.addr(), spitch, width, height);
                    let copies = state().space.is_device(dst.addr());
                    checker.queued(target.stream, number, touches, copies, site);
                });
            },
        );
    }
    match submit::synchronise(call, target.stream, None) {
        // SAFETY: as for aclrtMemcpy2d.
        ACL_SUCCESS => unsafe {
            copy_rows_now(call, dst, dpitch, src, spitch, width, height, extents)
        },
        code => code,
    }
}

/// Checks pointers and kind, as the ACL layer does.
#[inline(always)]
fn check(
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
    fail(
        ACL_ERROR_INVALID_PARAM,
        format_args!("{call} failed: kind is {kind:?}; pass one of the kinds 0 to 5"),
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
    check::tell(call, |checker, site| checker.too_much(count, room, site));
    fail(
        ACL_ERROR_RT_PARAM_INVALID,
        format_args!("{call} failed: count {count} is more than the destination's {room} bytes"),
    )
}

/// Kinds of a copy of rows without a stream.
const ROW_KINDS: [aclrtMemcpyKind; 3] = [
    ACL_MEMCPY_HOST_TO_DEVICE,
    ACL_MEMCPY_DEVICE_TO_HOST,
    ACL_MEMCPY_DEFAULT,
];
/// Kinds of a copy of rows with one: only that goes from device memory to device memory.
const STREAM_ROW_KINDS: [aclrtMemcpyKind; 4] = [
    ACL_MEMCPY_HOST_TO_DEVICE,
    ACL_MEMCPY_DEVICE_TO_HOST,
    ACL_MEMCPY_DEVICE_TO_DEVICE,
    ACL_MEMCPY_DEFAULT,
];
/// Limits of the copy of rows with a stream.
const MAX_WIDTH: usize = 5_000_000;
const MAX_HEIGHT: usize = 5 << 20;

/// Checks the size of a copy of rows with a stream.
fn check_size(call: &str, width: usize, height: usize) -> Result<(), aclError> {
    if width <= MAX_WIDTH && height <= MAX_HEIGHT {
        return Ok(());
    }
    Err(fail(
        ACL_ERROR_RT_PARAM_INVALID,
        format_args!(
            "{call} failed: width {width}, height {height}; a copy with a stream takes up to \
             {MAX_WIDTH} bytes in a row and {MAX_HEIGHT} rows; copy in parts"
        ),
    ))
}

/// Checks a copy of rows; gives the bytes that it spans on both sides.
#[expect(clippy::too_many_arguments, reason = "the arguments of aclrtMemcpy2d")]
fn check_rows(
    call: &str,
    dst: *mut c_void,
    dpitch: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
    kind: aclrtMemcpyKind,
    kinds: &[aclrtMemcpyKind],
) -> Result<(usize, usize), aclError> {
    check(call, dst, src, kind)?;
    let extent = |pitch: usize| pitch.checked_mul(height - 1)?.checked_add(width);
    let extents = extent(dpitch).zip(extent(spitch));
    match extents {
        Some(extents) if width <= dpitch && width <= spitch && kinds.contains(&kind) => Ok(extents),
        _ => Err(fail(
            ACL_ERROR_INVALID_PARAM,
            format_args!(
                "{call} failed: width {width}, pitches {dpitch} and {spitch}, kind {kind:?}; a row \
                 fits its pitch, and the kind is one of {kinds:?}"
            ),
        )),
    }
}

/// Both ends of an asynchronous copy; `None` is ordinary host memory.
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
        let space = &state().space;
        let ends = Ends {
            to: Place::new(space, to, to_len),
            from: Place::new(space, from, from_len),
        };
        if (ends.to.is_none() || ends.from.is_none()) && !ends.suit(kind) {
            return Err(no_device(call, to, from, kind));
        }
        let on_host = !space.is_device(to) && !space.is_device(from);
        if on_host && state().config.run_mode == RunMode::Host {
            return Err(no_stream_needed(call));
        }
        Ok(ends)
    }

    /// Whether ordinary host memory is where the kind has the host.
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
    fail(
        ACL_ERROR_RT_PARAM_INVALID,
        format_args!(
            "{call} failed: {kind:?} from {from:#x} to {to:#x}, but the device's side is ordinary \
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

/// Rows that the checker follows one by one; of more it knows only where they lie.
const ROWS_FOLLOWED: usize = 1024;

/// What a copy of rows touches: each row's source, then its destination.
fn touches(
    dst: usize,
    dpitch: usize,
    src: usize,
    spitch: usize,
    width: usize,
    height: usize,
) -> Vec<Touch> {
    if height > ROWS_FOLLOWED {
        let extent = |pitch: usize| pitch * (height - 1) + width;
        let gaps = |touch: Touch| Touch {
            dense: false,
            ..touch
        };
        return vec![
            gaps(Touch::read(src, extent(spitch))),
            gaps(Touch::write(dst, extent(dpitch))),
        ];
    }
    (0..height)
        .flat_map(|row| {
            [
                Touch::read(src + row * spitch, width),
                Touch::write(dst + row * dpitch, width),
            ]
        })
        .collect()
}

/// One end of a copy in the call: memory that is entered, or ordinary host memory.
pub(crate) struct End(Option<Entered>);

impl End {
    pub(crate) fn new(
        call: &str,
        argument: &str,
        address: usize,
        len: usize,
    ) -> Result<End, aclError> {
        let space = &state().space;
        let Some(place) = Place::new(space, address, len) else {
            return Ok(End(None));
        };
        place.enter(space).map(|entered| End(Some(entered))).map_err(|_| {
            fail(
                ACL_ERROR_RT_PARAM_INVALID,
                format_args!(
                    "{call} failed: {argument} {address:#x} has no allocation of {len} bytes (any \
                     more); check the size, and that it was not freed"
                ),
            )
        })
    }

    /// Where the bytes are.
    pub(crate) fn pointer(&self, given: *mut c_void) -> *mut u8 {
        self.0.as_ref().map_or(given.cast(), Entered::pointer)
    }
}

/// # Safety
///
/// Where the pointers lead to ordinary host memory, it is valid for `count` bytes.
unsafe fn copy_now(call: &str, dst: *mut c_void, src: *const c_void, count: usize) -> aclError {
    check::tell(call, |checker, site| {
        let touches = vec![
            Touch::read(src.addr(), count),
            Touch::write(dst.addr(), count),
        ];
        checker.use_now(touches, state().space.is_device(dst.addr()), site);
    });
    let ends = peer::reaches(call, src.addr(), dst.addr()).and_then(|()| {
        let from = End::new(call, "src", src.addr(), count)?;
        Ok((End::new(call, "dst", dst.addr(), count)?, from))
    });
    match ends {
        Err(code) => code,
        Ok((to, from)) => {
            let (source, destination) = (from.pointer(src.cast_mut()), to.pointer(dst));
            // SAFETY: both are entered for `count` bytes, or valid by the caller's contract.
            unsafe { bulk::copy(destination, source, count) };
            ACL_SUCCESS
        }
    }
}

/// # Safety
///
/// Where the pointers lead to ordinary host memory, it is valid for the rows, which span `extents`.
#[expect(clippy::too_many_arguments, reason = "the arguments of aclrtMemcpy2d")]
unsafe fn copy_rows_now(
    call: &str,
    dst: *mut c_void,
    dpitch: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
    extents: (usize, usize),
) -> aclError {
    check::tell(call, |checker, site| {
        let touches = touches(dst.addr(), dpitch, src.addr(), spitch, width, height);
        checker.use_now(touches, state().space.is_device(dst.addr()), site);
    });
    let ends = peer::reaches(call, src.addr(), dst.addr()).and_then(|()| {
        let from = End::new(call, "src", src.addr(), extents.1)?;
        Ok((End::new(call, "dst", dst.addr(), extents.0)?, from))
    });
    let (to, from) = match ends {
        Ok(ends) => ends,
        Err(code) => return code,
    };
    for row in 0..height {
        // SAFETY: inside the extent, which is entered or valid by the caller's contract.
        let source = unsafe { from.pointer(src.cast_mut()).add(row * spitch) };
        // SAFETY: inside the extent, which is entered or valid by the caller's contract.
        let destination = unsafe { to.pointer(dst).add(row * dpitch) };
        // SAFETY: a row of both extents.
        unsafe { ptr::copy(source, destination, width) };
    }
    ACL_SUCCESS
}
