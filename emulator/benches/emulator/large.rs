//! Large copies and sums, compared with the C library and with the limit of the memory.

use std::ffi::c_void;
use std::hint::black_box;
use std::ptr;

use ascendcl_sys::*;

use crate::calls::{check, copy, free, malloc, stream, synchronise};
use crate::reference;
use crate::table::{Goal, Table, each};

pub(crate) fn rows(table: &Table) {
    copies(table);
    sums(table);
}

/// Times copies between device addresses; the reference is `memcpy` between page-locked ranges, which have the same
/// kind of pages. From a certain length on, which depends on the cache that the processor reports, `memcpy` bypasses
/// the caches itself, so a copy can only be as fast. So the longest copies are also compared with the limit.
fn copies(table: &Table) {
    let stream = stream();
    for (name, size, goal) in [
        ("copy 4 KiB (reference: memcpy)", 4 << 10, Goal::None),
        ("copy 64 KiB", 64 << 10, Goal::Ratio(1.0 / 0.95)),
        ("copy 1 MiB", 1 << 20, Goal::Ratio(1.0 / 0.95)),
        ("copy 4 MiB", 4 << 20, Goal::Ratio(1.0 / 0.95)),
        ("copy 16 MiB", 16 << 20, Goal::Ratio(1.0)),
        ("copy 64 MiB", 64 << 20, Goal::Ratio(1.0 / 1.3)),
        ("copy 256 MiB", 256 << 20, Goal::Ratio(1.0 / 1.3)),
    ] {
        if !table.wants(name) {
            continue;
        }
        let (to, from) = (touched(size), touched(size));
        let (host_to, host_from) = (pinned(size), pinned(size));
        let count = u32::try_from(((64 << 20) / size).clamp(1, 1000)).unwrap();
        let now = || {
            each(count, || {
                // SAFETY: device addresses, which the emulator checks.
                let code =
                    unsafe { aclrtMemcpy(to, size, from, size, ACL_MEMCPY_DEVICE_TO_DEVICE) };
                check(code);
            })
        };
        let plain = || {
            each(count, || {
                let (to, from) = (host_to.cast::<u8>(), host_from.cast::<u8>());
                // SAFETY: two ranges of this size that no other code uses.
                unsafe { black_box(to).copy_from_nonoverlapping(black_box(from), size) };
            })
        };
        table.row(name, goal, 11, now, plain);
        let queued = || {
            each(count, || {
                copy(to, from, size, stream);
                synchronise(stream);
            })
        };
        table.row(&format!("{name}, queued"), Goal::None, 11, queued, plain);
        if size >= 64 << 20 {
            let name = format!("{name} (reference: the limit)");
            table.row(&name, Goal::Ratio(1.0 / 0.85), 11, now, || {
                let len = size / size_of::<f32>();
                // SAFETY: two ranges of this size, aligned to pages, that no other code uses.
                let from = unsafe { std::slice::from_raw_parts(host_from.cast(), len) };
                // SAFETY: a range of this size, aligned to pages, that no other code uses.
                let to = unsafe { std::slice::from_raw_parts_mut(host_to.cast(), len) };
                each(count, || reference::copy(to, from))
            });
        }
        [to, from, host_to, host_from].into_iter().for_each(free);
    }
    crate::calls::destroy(stream);
}

/// Times `aclnnAdd`; the reference is a loop at the limit of the memory.
fn sums(table: &Table) {
    const LEN: usize = 16 << 20;
    const NAME: &str = "sum of 64 MiB f32 (reference: the limit)";
    if !table.wants(NAME) {
        return;
    }
    let bytes = LEN * size_of::<f32>();
    let device: Vec<_> = (0..3).map(|_| touched(bytes)).collect();
    let host: Vec<_> = (0..3).map(|_| pinned(bytes).cast::<f32>()).collect();
    let (&[left, right, to], &[host_left, host_right, host_to]) =
        (device.as_slice(), host.as_slice())
    else {
        return;
    };
    // SAFETY: page-locked memory of this length, zero at first, that no other code uses.
    let host_left = unsafe { std::slice::from_raw_parts(host_left, LEN) };
    // SAFETY: page-locked memory of this length, zero at first, that no other code uses.
    let host_right = unsafe { std::slice::from_raw_parts(host_right, LEN) };
    // SAFETY: page-locked memory of this length, zero at first, that no other code uses.
    let host_to = unsafe { std::slice::from_raw_parts_mut(host_to, LEN) };
    let stream = stream();
    let tensors = [left, right, to].map(|address| tensor(address, LEN));
    let mut one = 1f32;
    // SAFETY: the value is read in the call.
    let alpha = unsafe { aclCreateScalar((&raw mut one).cast(), ACL_FLOAT) };
    table.row(
        NAME,
        Goal::Ratio(1.0 / 0.85),
        11,
        || {
            each(1, || {
                let [left, right, to] = tensors;
                let (mut size, mut executor) = (0, ptr::null_mut());
                // SAFETY: tensors and a scalar that exist, and answers valid for writes.
                check(unsafe {
                    aclnnAddGetWorkspaceSize(
                        left,
                        right,
                        alpha,
                        to,
                        &raw mut size,
                        &raw mut executor,
                    )
                });
                // SAFETY: the executor that the first phase made; no workspace is needed.
                check(unsafe { aclnnAdd(ptr::null_mut(), size, executor, stream) });
                synchronise(stream);
            })
        },
        || each(1, || reference::add(host_to, host_left, host_right)),
    );
    // SAFETY: the scalar exists.
    check(unsafe { aclDestroyScalar(alpha) });
    for tensor in tensors {
        // SAFETY: the tensor exists.
        check(unsafe { aclDestroyTensor(tensor) });
    }
    crate::calls::destroy(stream);
    device.into_iter().for_each(free);
    host.into_iter().for_each(|pointer| free(pointer.cast()));
}

fn tensor(address: *mut c_void, len: usize) -> *mut aclTensor {
    let (shape, stride) = ([len as i64], [1i64]);
    // SAFETY: shape and stride are read in the call.
    unsafe {
        aclCreateTensor(
            shape.as_ptr(),
            1,
            ACL_FLOAT,
            stride.as_ptr(),
            0,
            ACL_FORMAT_ND,
            shape.as_ptr(),
            1,
            address,
        )
    }
}

/// Allocates device memory and touches every page.
pub(crate) fn touched(size: usize) -> *mut c_void {
    let pointer = malloc(size);
    // SAFETY: device memory, which the emulator checks.
    check(unsafe { aclrtMemset(pointer, size, 1, size) });
    pointer
}

/// Allocates page-locked memory and touches every page.
pub(crate) fn pinned(size: usize) -> *mut c_void {
    let mut pointer = ptr::null_mut();
    // SAFETY: the pointer is valid for a write.
    check(unsafe { aclrtMallocHost(&raw mut pointer, size) });
    // SAFETY: `size` bytes of it.
    unsafe { pointer.cast::<u8>().write_bytes(0, size) };
    pointer
}
