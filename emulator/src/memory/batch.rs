//! Many copies between host and device in one call (`acl/acl_rt.h`).
//!
//! Each copy has one direction. The attributes of its part of the batch name the memory of both ends. The first copy
//! that fails ends the call, and the call writes its index. If none fails, the call writes the largest number. The
//! functions with the suffix `V2` write no index, and neither does a call that is refused before the first copy.

use std::ffi::c_void;
use std::slice;

use ascendcl_sys::{
    ACL_ERROR_RT_PARAM_INVALID, ACL_MEM_LOCATION_TYPE_DEVICE, ACL_MEM_LOCATION_TYPE_HOST,
    ACL_MEM_LOCATION_TYPE_HOST_NUMA, ACL_MEMCPY_DEFAULT, ACL_SUCCESS, aclError, aclrtMemLocation,
    aclrtMemcpyBatchAttr, aclrtStream,
};

use crate::engine::current::current;
use crate::error::null;
use crate::memory::copy;
use crate::object_calls::{attempt, invalid, refused};
use crate::space::{Location, space};

/// The checked arrays of a batch.
struct Batch<'a> {
    to: &'a [*mut c_void],
    room: &'a [usize],
    from: &'a [*mut c_void],
    sizes: &'a [usize],
    attributes: &'a [aclrtMemcpyBatchAttr],
    /// The index of the first copy of each attribute.
    starts: &'a [usize],
}

pub(crate) unsafe extern "C" fn aclrtMemcpyBatch(
    dsts: *mut *mut c_void,
    destMaxs: *mut usize,
    srcs: *mut *mut c_void,
    sizes: *mut usize,
    numBatches: usize,
    attrs: *mut aclrtMemcpyBatchAttr,
    attrsIndexes: *mut usize,
    numAttrs: usize,
    failIndex: *mut usize,
) -> aclError {
    let call = "aclrtMemcpyBatch";
    let ends = (dsts, destMaxs, srcs, sizes);
    // SAFETY: the same contract.
    let batch = unsafe { Batch::new(call, ends, numBatches, attrs, attrsIndexes, numAttrs) };
    // SAFETY: the ends are valid by the caller's contract.
    let one = |to, room, from: *mut c_void, size| unsafe {
        copy::aclrtMemcpy(to, room, from, size, ACL_MEMCPY_DEFAULT)
    };
    // SAFETY: the same contract.
    unsafe { run(call, batch, Some(failIndex), &one) }
}

pub(crate) unsafe extern "C" fn aclrtMemcpyBatchV2(
    dsts: *mut *mut c_void,
    destMaxs: *mut usize,
    srcs: *mut *mut c_void,
    sizes: *mut usize,
    numBatches: usize,
    attrs: *mut aclrtMemcpyBatchAttr,
    attrsIndexes: *mut usize,
    numAttrs: usize,
) -> aclError {
    let call = "aclrtMemcpyBatchV2";
    let ends = (dsts, destMaxs, srcs, sizes);
    // SAFETY: the same contract.
    let batch = unsafe { Batch::new(call, ends, numBatches, attrs, attrsIndexes, numAttrs) };
    // SAFETY: the ends are valid by the caller's contract.
    let one = |to, room, from: *mut c_void, size| unsafe {
        copy::aclrtMemcpy(to, room, from, size, ACL_MEMCPY_DEFAULT)
    };
    // SAFETY: no index is written; the rest is the same contract.
    unsafe { run(call, batch, None, &one) }
}

pub(crate) unsafe extern "C" fn aclrtMemcpyBatchAsync(
    dsts: *mut *mut c_void,
    destMaxs: *mut usize,
    srcs: *mut *mut c_void,
    sizes: *mut usize,
    numBatches: usize,
    attrs: *mut aclrtMemcpyBatchAttr,
    attrsIndexes: *mut usize,
    numAttrs: usize,
    failIndex: *mut usize,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtMemcpyBatchAsync";
    let ends = (dsts, destMaxs, srcs, sizes);
    // SAFETY: the same contract.
    let batch = unsafe { Batch::new(call, ends, numBatches, attrs, attrsIndexes, numAttrs) };
    let kind = ACL_MEMCPY_DEFAULT;
    // SAFETY: the ends are valid by the caller's contract.
    let one = |to, room, from: *mut c_void, size| unsafe {
        copy::aclrtMemcpyAsync(to, room, from, size, kind, stream)
    };
    // SAFETY: the same contract.
    unsafe { run(call, batch, Some(failIndex), &one) }
}

pub(crate) unsafe extern "C" fn aclrtMemcpyBatchAsyncV2(
    dsts: *mut *mut c_void,
    destMaxs: *mut usize,
    srcs: *mut *mut c_void,
    sizes: *mut usize,
    numBatches: usize,
    attrs: *mut aclrtMemcpyBatchAttr,
    attrsIndexes: *mut usize,
    numAttrs: usize,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtMemcpyBatchAsyncV2";
    let ends = (dsts, destMaxs, srcs, sizes);
    // SAFETY: the same contract.
    let batch = unsafe { Batch::new(call, ends, numBatches, attrs, attrsIndexes, numAttrs) };
    let kind = ACL_MEMCPY_DEFAULT;
    // SAFETY: the ends are valid by the caller's contract.
    let one = |to, room, from: *mut c_void, size| unsafe {
        copy::aclrtMemcpyAsync(to, room, from, size, kind, stream)
    };
    // SAFETY: no index is written; the rest is the same contract.
    unsafe { run(call, batch, None, &one) }
}

/// Makes the copies in order.
///
/// # Safety
///
/// - A pointer for the index is null or valid for a write.
unsafe fn run(
    call: &str,
    batch: Result<Batch<'_>, aclError>,
    failed: Option<*mut usize>,
    copy: &dyn Fn(*mut c_void, usize, *mut c_void, usize) -> aclError,
) -> aclError {
    if failed.is_some_and(|failed| failed.is_null()) {
        return null(call, "failIndex");
    }
    let batch = attempt!(batch.and_then(|batch| current(call).map(|_| batch)));
    let ends = batch
        .to
        .iter()
        .zip(batch.room)
        .zip(batch.from.iter().zip(batch.sizes));
    let mut done = (usize::MAX, ACL_SUCCESS);
    for (index, ((&to, &room), (&from, &size))) in ends.enumerate() {
        let checked = batch.check(call, index, to, from, size);
        let code = checked.map_or_else(|code| code, |()| copy(to, room, from, size));
        if code != ACL_SUCCESS {
            done = (index, code);
            break;
        }
    }
    let (index, code) = done;
    if let Some(failed) = failed {
        // SAFETY: not null; the caller's contract.
        unsafe { failed.write(index) };
    }
    code
}

impl<'a> Batch<'a> {
    /// Checks the arrays.
    ///
    /// # Safety
    ///
    /// - Each array is null, or it has as many elements as the number behind it says, for as long as the batch
    ///   exists.
    unsafe fn new(
        call: &str,
        (to, room, from, sizes): (*mut *mut c_void, *mut usize, *mut *mut c_void, *mut usize),
        count: usize,
        attributes: *mut aclrtMemcpyBatchAttr,
        starts: *mut usize,
        kinds: usize,
    ) -> Result<Batch<'a>, aclError> {
        if to.is_null() || from.is_null() || room.is_null() || sizes.is_null() {
            return Err(null(call, "dsts, destMaxs, srcs or sizes"));
        }
        if attributes.is_null() || starts.is_null() {
            return Err(null(call, "attrs or attrsIndexes"));
        }
        if count == 0 {
            return Err(invalid(call, format_args!("numBatches is 0; pass copies")));
        }
        // This comes first, because the arrays may be shorter than a wrong number says.
        if kinds == 0 || kinds > count {
            return Err(refused(
                call,
                ACL_ERROR_RT_PARAM_INVALID,
                format_args!(
                    "numAttrs is {kinds}; there is at least one attribute, and no more than the {count} copies"
                ),
            ));
        }
        // SAFETY: not null; the caller's contract.
        let to = unsafe { slice::from_raw_parts(to, count) };
        // SAFETY: not null; the caller's contract.
        let room = unsafe { slice::from_raw_parts(room, count) };
        // SAFETY: not null; the caller's contract.
        let from = unsafe { slice::from_raw_parts(from, count) };
        // SAFETY: not null; the caller's contract.
        let sizes = unsafe { slice::from_raw_parts(sizes, count) };
        if let Some(copy) = sizes.iter().zip(room).position(|(size, room)| size > room) {
            return Err(invalid(
                call,
                format_args!(
                    "copy {copy} has more bytes than its place; make destMaxs as large as sizes"
                ),
            ));
        }
        // SAFETY: not null; the caller's contract.
        let attributes = unsafe { slice::from_raw_parts(attributes, kinds) };
        // SAFETY: not null; the caller's contract.
        let starts = unsafe { slice::from_raw_parts(starts, kinds) };
        if let Some(kind) = attributes.iter().position(|kind| kind.rsv != [0; 16]) {
            return Err(invalid(
                call,
                format_args!("attribute {kind} has bytes in rsv; they are reserved, set them to 0"),
            ));
        }
        let ascends = starts.is_sorted_by(|one, next| one < next);
        if starts.first() != Some(&0) || !ascends || starts.last() >= Some(&count) {
            return Err(refused(
                call,
                ACL_ERROR_RT_PARAM_INVALID,
                format_args!(
                    "attrsIndexes is {starts:?}; each attribute begins behind the one before it, from copy 0 on and \
                     before numBatches {count}"
                ),
            ));
        }
        Ok(Batch {
            to,
            room,
            from,
            sizes,
            attributes,
            starts,
        })
    }

    /// Checks a copy against the attributes of its part.
    fn check(
        &self,
        call: &str,
        index: usize,
        to: *mut c_void,
        from: *mut c_void,
        size: usize,
    ) -> Result<(), aclError> {
        let refused = |why: &str| {
            Err(refused(
                call,
                ACL_ERROR_RT_PARAM_INVALID,
                format_args!("copy {index} of {size} bytes from {from:p} to {to:p}: {why}"),
            ))
        };
        if size == 0 || to.is_null() || from.is_null() {
            return refused("a copy has at least one byte, and no end is NULL");
        }
        let part = self.starts.iter().rposition(|start| *start <= index);
        let Some(attribute) = part.and_then(|part| self.attributes.get(part)) else {
            return refused("it has no attribute");
        };
        if !lies(to, &attribute.dstLoc) || !lies(from, &attribute.srcLoc) {
            return refused("an end lies elsewhere than its attribute says");
        }
        if is_device(to) == is_device(from) {
            return refused("one end is device memory and the other host memory");
        }
        Ok(())
    }
}

fn is_device(pointer: *mut c_void) -> bool {
    space().is_device(pointer.addr())
}

/// Returns whether memory is at the location of an attribute.
fn lies(pointer: *mut c_void, location: &aclrtMemLocation) -> bool {
    let host = [ACL_MEM_LOCATION_TYPE_HOST, ACL_MEM_LOCATION_TYPE_HOST_NUMA];
    match space().locate(pointer.addr()) {
        Location::Device(heap, _) => {
            location.type_ == ACL_MEM_LOCATION_TYPE_DEVICE && heap.index() == location.id
        }
        _ => host.contains(&location.type_),
    }
}
