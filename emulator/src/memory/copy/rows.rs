//! Copies of rows (`acl/acl_rt.h`).

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_MEMCPY_DEFAULT, ACL_MEMCPY_DEVICE_TO_DEVICE,
    ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE, ACL_SUCCESS, aclError, aclrtMemcpyKind,
    aclrtStream,
};

use super::{End, Ends, check_arguments};
use crate::check::{self, InPlace, Touch};
use crate::device::peer;
use crate::engine::current::current;
use crate::engine::submit::{self, own};
use crate::engine::task::{Rows, Task};
use crate::engine::worker::LARGE;
use crate::error::fail;
use crate::graph;
use crate::object_calls::{attempt, invalid, invalid_below};
use crate::space::space;

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
    let allowed = |extents| graph::allow(call, &current(call)?).map(|()| extents);
    let extents = attempt!(checked.and_then(allowed));
    // SAFETY: the pitches were checked; ordinary host memory is valid by the caller's contract.
    unsafe { copy_rows_now(call, dst, dpitch, src, spitch, width, height, kind, extents) }
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
    let (target, ends, extents) = attempt!(checked);
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
        return submit::push_told(
            call,
            target,
            large,
            &|number| {
                check::tell(call, &|checker, site| {
                    checker.directed(kind, dst.addr(), src.addr(), &site);
                    let touches = touches(dst.addr(), dpitch, src.addr(), spitch, width, height);
                    checker.overlaps(&touches, InPlace::Pairs, &site);
                    let copies = space().is_device(dst.addr());
                    checker.queued(target.stream.slot(), number, touches, copies, site);
                });
            },
            |_| Task::CopyRows(Box::new(rows)),
        );
    }
    attempt!(graph::allow_pageable(call, target));
    match submit::synchronise(call, target.stream, None) {
        // SAFETY: the pitches were checked; ordinary host memory is valid by the caller's contract.
        ACL_SUCCESS => unsafe {
            copy_rows_now(call, dst, dpitch, src, spitch, width, height, kind, extents)
        },
        code => code,
    }
}

/// The kinds of copies of rows without a stream.
const ROW_KINDS: [aclrtMemcpyKind; 3] = [
    ACL_MEMCPY_HOST_TO_DEVICE,
    ACL_MEMCPY_DEVICE_TO_HOST,
    ACL_MEMCPY_DEFAULT,
];
/// The kinds of copies of rows with a stream. Only these copies include device to device.
const STREAM_ROW_KINDS: [aclrtMemcpyKind; 4] = [
    ACL_MEMCPY_HOST_TO_DEVICE,
    ACL_MEMCPY_DEVICE_TO_HOST,
    ACL_MEMCPY_DEVICE_TO_DEVICE,
    ACL_MEMCPY_DEFAULT,
];
/// The limits of copies of rows with a stream.
const MAX_WIDTH: usize = 5_000_000;
const MAX_HEIGHT: usize = 5 << 20;

/// Checks the size of a copy of rows with a stream.
fn check_size(call: &str, width: usize, height: usize) -> Result<(), aclError> {
    if width <= MAX_WIDTH && height <= MAX_HEIGHT {
        return Ok(());
    }
    Err(invalid_below(
        call,
        format_args!(
            "width {width}, height {height}; a copy with a stream takes up to \
             {MAX_WIDTH} bytes in a row and {MAX_HEIGHT} rows; copy in parts"
        ),
    ))
}

/// Checks a copy of rows and returns the number of bytes that it covers on both sides.
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
    check_arguments(call, dst, src, kind)?;
    let extent = |pitch: usize| pitch.checked_mul(height - 1)?.checked_add(width);
    let extents = extent(dpitch).zip(extent(spitch));
    match extents {
        Some(extents) if width <= dpitch && width <= spitch && kinds.contains(&kind) => Ok(extents),
        Some(_) if width <= dpitch && width <= spitch && kind == ACL_MEMCPY_DEVICE_TO_DEVICE => {
            Err(fail(
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                format_args!(
                    "{call} failed: rows go from device memory to device memory with a stream \
                     only; use aclrtMemcpy2dAsync"
                ),
            ))
        }
        _ => Err(invalid(
            call,
            format_args!(
                "width {width}, pitches {dpitch} and {spitch}, kind {kind:?}; a row \
                 fits its pitch, and the kind is one of {kinds:?}"
            ),
        )),
    }
}

/// The number of rows that the checker follows one by one. Of a copy with more rows it only knows the two ranges.
const ROWS_FOLLOWED: usize = 1024;

/// Returns the memory that a copy of rows uses: the source and then the destination of each row.
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
    let mut touches = Vec::with_capacity(2 * height);
    for row in 0..height {
        // The call may still refuse these rows: the addresses may leave the address space.
        touches.push(Touch::read(src.wrapping_add(row * spitch), width));
        touches.push(Touch::write(dst.wrapping_add(row * dpitch), width));
    }
    touches
}

/// # Safety
///
/// - Pointers to ordinary host memory are valid for the rows, which cover `extents`.
#[expect(clippy::too_many_arguments, reason = "the arguments of aclrtMemcpy2d")]
unsafe fn copy_rows_now(
    call: &str,
    dst: *mut c_void,
    dpitch: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
    kind: aclrtMemcpyKind,
    extents: (usize, usize),
) -> aclError {
    check::tell(call, &|checker, site| {
        checker.directed(kind, dst.addr(), src.addr(), &site);
        let touches = touches(dst.addr(), dpitch, src.addr(), spitch, width, height);
        checker.overlaps(&touches, InPlace::Pairs, &site);
        checker.use_now(touches, space().is_device(dst.addr()), site);
    });
    let ends = peer::reaches(call, src.addr(), dst.addr()).and_then(|()| {
        let from = End::new(call, "src", src.addr(), extents.1)?;
        Ok((End::new(call, "dst", dst.addr(), extents.0)?, from))
    });
    let (to, from) = attempt!(ends);
    for row in 0..height {
        // SAFETY: inside the extent, which is entered or valid by the caller's contract.
        let source = unsafe { from.pointer(src.cast_mut()).add(row * spitch) };
        // SAFETY: inside the extent, which is entered or valid by the caller's contract.
        let destination = unsafe { to.pointer(dst).add(row * dpitch) };
        // SAFETY: both pointers are at the start of a row of their extent.
        unsafe { ptr::copy(source, destination, width) };
    }
    ACL_SUCCESS
}
