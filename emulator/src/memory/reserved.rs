//! Addresses that the program reserves for mappings of physical memory (`acl/acl_rt.h`).

use std::ffi::c_void;
use std::ptr;
use std::sync::PoisonError;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_MEMORY_ALLOCATION, ACL_ERROR_RT_PARAM_INVALID,
    ACL_SUCCESS, aclError,
};

use crate::error::fail;
use crate::object_calls::{attempt, invalid, not_null, refused};
use crate::ordered::Numbers;
use crate::space::space;
use crate::sync::{Mutex, lock};

/// The unit of physical memory and of reserved addresses.
pub(super) const UNIT: usize = 2 << 20;

/// The reserved ranges: first address to length.
pub(super) static RESERVED: Mutex<Numbers> = Mutex::new(Numbers::new());

pub(crate) unsafe extern "C" fn aclrtReserveMemAddress(
    virPtr: *mut *mut c_void,
    size: usize,
    alignment: usize,
    expectPtr: *mut c_void,
    flags: u64,
) -> aclError {
    // SAFETY: the same contract.
    unsafe {
        reserve(
            "aclrtReserveMemAddress",
            virPtr,
            size,
            alignment,
            expectPtr,
            flags,
        )
    }
}

/// Reserves addresses without a property of memory that the emulator does not have.
pub(crate) unsafe extern "C" fn aclrtReserveMemAddressNoUCMemory(
    virPtr: *mut *mut c_void,
    size: usize,
    alignment: usize,
    expectPtr: *mut c_void,
    flags: u64,
) -> aclError {
    let call = "aclrtReserveMemAddressNoUCMemory";
    // SAFETY: the same contract.
    unsafe { reserve(call, virPtr, size, alignment, expectPtr, flags) }
}

/// # Safety
///
/// - `virPtr` is null or valid for a write.
unsafe fn reserve(
    call: &str,
    virPtr: *mut *mut c_void,
    size: usize,
    alignment: usize,
    expectPtr: *mut c_void,
    flags: u64,
) -> aclError {
    attempt!(not_null(call, "virPtr", virPtr));
    if size == 0 || flags > 1 {
        return invalid(
            call,
            format_args!(
                "size is {size}, flags is {flags}; reserve at least one byte, with flags 0 or 1"
            ),
        );
    }
    if alignment != 0 || !expectPtr.is_null() {
        return refused(
            call,
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!(
                "alignment is {alignment}, expectPtr is {expectPtr:p}; both are reserved, pass 0 \
                 and NULL"
            ),
        );
    }
    let (base, len) = space().window();
    if len == 0 {
        return fail(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!(
                "{call} failed: the emulator has no addresses to map memory to: its run mode is Device, \
                 or the system refused them"
            ),
        );
    }
    let mut reserved = lock(&RESERVED);
    let address = size.checked_next_multiple_of(UNIT).and_then(|size| {
        Some((
            gap(&reserved, base.next_multiple_of(UNIT), base + len, size)?,
            size,
        ))
    });
    let Some((address, size)) = address else {
        return fail(
            ACL_ERROR_RT_MEMORY_ALLOCATION,
            format_args!("{call} failed: no range of {size} bytes is left; release some"),
        );
    };
    reserved.insert(address, size);
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { virPtr.write(ptr::with_exposed_provenance_mut(address)) };
    ACL_SUCCESS
}

/// Returns the first address with `size` free bytes below `end`.
fn gap(reserved: &Numbers, base: usize, end: usize, size: usize) -> Option<usize> {
    let mut candidate = base;
    for (start, len) in reserved {
        if start - candidate >= size {
            break;
        }
        candidate = start + len;
    }
    (end.checked_sub(candidate)? >= size).then_some(candidate)
}

pub(crate) unsafe extern "C" fn aclrtReleaseMemAddress(virPtr: *mut c_void) -> aclError {
    let call = "aclrtReleaseMemAddress";
    attempt!(not_null(call, "virPtr", virPtr));
    let mut reserved = lock(&RESERVED);
    let start = virPtr.addr();
    let Some(len) = reserved.get(&start).copied() else {
        return refused(
            call,
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!("{virPtr:p} is not the start of a reserved range"),
        );
    };
    let mappings = space()
        .mappings()
        .read()
        .unwrap_or_else(PoisonError::into_inner);
    if mappings.inside(&(start..start + len)).next().is_some() {
        return refused(
            call,
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!("memory is mapped at {virPtr:p}; unmap it first"),
        );
    }
    reserved.remove(&start);
    ACL_SUCCESS
}

#[cfg(test)]
mod tests {
    use super::{Numbers, gap};

    #[test]
    fn the_first_gap_that_is_large_enough_is_taken() {
        let reserved = Numbers::from([(100, 10), (115, 5), (150, 10)]);
        assert_eq!(gap(&reserved, 100, 1000, 5), Some(110));
        assert_eq!(gap(&reserved, 100, 1000, 6), Some(120));
        assert_eq!(gap(&reserved, 100, 1000, 31), Some(160));
        assert_eq!(gap(&reserved, 100, 165, 6), Some(120));
        assert_eq!(gap(&reserved, 100, 165, 31), None);
        assert_eq!(gap(&Numbers::new(), 100, 110, 10), Some(100));
    }
}
