//! Queries of tensors (`aclnn/acl_meta.h`), and the start and end of aclnn (`aclnn/aclnn_base.h`).
//!
//! Null returns 161001 (manual). A handle of no live tensor returns 161002; CANN dereferences it.

use core::ffi::{c_char, c_void};

use ascendcl_sys::{
    ACLNN_ERR_INNER, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR, aclDataType, aclFormat,
    aclTensor, aclnnStatus,
};

use super::shape::Dims;
use super::tensor::{TENSORS, Tensor};
use crate::error::fail;
use crate::handles::registry::Fate;

/// Answers a query of a tensor; `outs` are the places for the answer.
fn look<R>(
    call: &str,
    tensor: *const aclTensor,
    outs: &[*mut c_void],
    look: &dyn Fn(&mut Tensor) -> R,
) -> Result<R, aclnnStatus> {
    if tensor.is_null() || outs.iter().any(|out| out.is_null()) {
        return Err(fail(
            ACLNN_ERR_PARAM_NULLPTR,
            format_args!("{call}: it was given null; pass a tensor and places for the answer"),
        ));
    }
    let seen = TENSORS.visit(tensor.addr(), &mut |tensor| (Fate::Keep, look(tensor)));
    seen.ok_or_else(|| {
        fail(
            ACLNN_ERR_PARAM_INVALID,
            format_args!(
                "{call}: {:#x} is not a tensor, or was destroyed already",
                tensor.addr()
            ),
        )
    })
}

/// Passes an array of sizes to C. The caller then owns it: `delete[]` or `free` releases it.
///
/// # Safety
///
/// - Both places are null or valid for a write.
unsafe fn give(
    call: &str,
    tensor: *const aclTensor,
    values: *mut *mut i64,
    count: *mut u64,
    choose: &dyn Fn(&Tensor) -> Dims,
) -> aclnnStatus {
    let chosen = look(
        call,
        tensor,
        &[values.cast(), count.cast()],
        &|tensor: &mut Tensor| tensor.excess().map_or_else(|| Ok(choose(tensor)), Err),
    );
    let dims = match chosen {
        Ok(Ok(dims)) => dims,
        Ok(Err(text)) => {
            return fail(
                ACLNN_ERR_PARAM_INVALID,
                format_args!("{call}: the tensor has {text}"),
            );
        }
        Err(code) => return code,
    };
    // In the usual C++ runtime `new[]` is `malloc`, so both `delete[]` and `free` can release it.
    // SAFETY: no preconditions.
    let array = unsafe { libc::malloc(dims.rank().max(1) * size_of::<i64>()) }.cast::<i64>();
    if array.is_null() {
        return fail(ACLNN_ERR_INNER, format_args!("{call}: no memory is left"));
    }
    for (index, size) in dims.iter().enumerate() {
        // SAFETY: one of the `rank` values that were allocated.
        unsafe { array.wrapping_add(index).write(size as i64) };
    }
    // SAFETY: not null; the caller's contract.
    unsafe { values.write(array) };
    // SAFETY: not null; the caller's contract.
    unsafe { count.write(dims.rank() as u64) };
    0
}

/// Writes the shape of the view to a new array that the caller owns: `delete[]` or `free` releases it.
///
/// # Safety
///
/// - Both places are null or valid for a write. Handles may be any values: they are looked up and never dereferenced.
pub unsafe extern "C" fn aclGetViewShape(
    tensor: *const aclTensor,
    viewDims: *mut *mut i64,
    viewDimsNum: *mut u64,
) -> aclnnStatus {
    // SAFETY: the caller's contract.
    unsafe {
        give(
            "aclGetViewShape",
            tensor,
            viewDims,
            viewDimsNum,
            &|tensor| tensor.shape,
        )
    }
}

/// Writes the strides of the view, in elements, to a new array that the caller owns: `delete[]` or `free` releases
/// it.
///
/// # Safety
///
/// - Both places are null or valid for a write. Handles may be any values: they are looked up and never dereferenced.
pub unsafe extern "C" fn aclGetViewStrides(
    tensor: *const aclTensor,
    stridesValue: *mut *mut i64,
    stridesNum: *mut u64,
) -> aclnnStatus {
    // SAFETY: the caller's contract.
    unsafe {
        give(
            "aclGetViewStrides",
            tensor,
            stridesValue,
            stridesNum,
            &|tensor| tensor.strides,
        )
    }
}

/// Defines functions that write one property of a tensor.
macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident($out:ident: $T:ty) = $choose:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// - The place is null or valid for a write. Handles may be any values: they are looked up and never
        ///   dereferenced.
        pub unsafe extern "C" fn $name(tensor: *const aclTensor, $out: *mut $T) -> aclnnStatus {
            let choose: fn(&mut Tensor) -> $T = $choose;
            match look(stringify!($name), tensor, &[$out.cast()], &choose) {
                Ok(value) => {
                    // SAFETY: not null; the caller's contract.
                    unsafe { $out.write(value) };
                    0
                }
                Err(code) => code,
            }
        }
    )*};
}

getters! {
    /// Writes the offset of the view's first element in the storage.
    aclGetViewOffset(offset: i64) = |tensor| tensor.offset as i64;
    /// Writes the format of the tensor.
    aclGetFormat(format: aclFormat) = |tensor| tensor.format;
    /// Writes the data type of the tensor.
    aclGetDataType(dataType: aclDataType) = |tensor| tensor.dtype;
    /// Writes the address of the storage, from which the offset counts.
    aclGetRawTensorAddr(addr: *mut c_void) = |tensor| core::ptr::without_provenance_mut(tensor.address);
}

/// Starts aclnn. The emulator has nothing to start and does not read the configuration file. CANN reads one debugging
/// switch from it and ignores a file that it cannot read.
///
/// # Safety
///
/// None: any value is allowed.
pub unsafe extern "C" fn aclnnInit(_: *const c_char) -> aclnnStatus {
    0
}

/// Ends aclnn.
///
/// # Safety
///
/// None.
pub unsafe extern "C" fn aclnnFinalize() -> aclnnStatus {
    0
}
