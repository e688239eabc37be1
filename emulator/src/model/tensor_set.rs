//! Changes of tensor descriptions (`acl/acl_base_mdl.h`).
//!
//! A description has a shape with its memory layout ("origin"), and the memory layout of the elements ("storage"). The
//! shape of the storage follows from both, so the emulator does not keep it.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::take;

use ascendcl_sys::{
    ACL_SUCCESS, ACL_TENSOR_SHAPE_RANGE_NUM, ACL_TENSOR_VALUE_RANGE_NUM, aclError, aclFormat,
    aclMemType, aclTensorDesc,
};

use super::tensor_desc::{TENSOR_DESCS, read};
use crate::object_calls::{invalid, not_null, status};

/// Copies an array of C.
///
/// # Safety
///
/// - `first` is valid for reads of `count` values, or `count` is 0.
unsafe fn copied<T: Copy>(first: *const T, count: usize) -> Vec<T> {
    if count == 0 {
        return Vec::new();
    }
    // SAFETY: the caller's contract.
    unsafe { std::slice::from_raw_parts(first, count) }.to_vec()
}

pub(crate) unsafe extern "C" fn aclSetTensorShapeRange(
    desc: *mut aclTensorDesc,
    dimsCount: usize,
    dimsRange: *mut [i64; ACL_TENSOR_SHAPE_RANGE_NUM],
) -> aclError {
    let call = "aclSetTensorShapeRange";
    status((|| {
        not_null(call, "desc", desc)?;
        if dimsCount > 0 {
            not_null(call, "dimsRange", dimsRange)?;
        }
        // SAFETY: not null; the caller's contract: `dimsCount` ranges.
        let mut ranges = unsafe { copied(dimsRange, dimsCount) };
        TENSOR_DESCS.with(call, "desc", desc, &mut |desc| {
            desc.ranges = take(&mut ranges)
        })
    })())
}

/// Does nothing: the ranges of values are a hint for the compiler.
pub(crate) unsafe extern "C" fn aclSetTensorValueRange(
    desc: *mut aclTensorDesc,
    _valueCount: usize,
    _valueRange: *mut [i64; ACL_TENSOR_VALUE_RANGE_NUM],
) -> aclError {
    status(TENSOR_DESCS.check("aclSetTensorValueRange", "desc", desc))
}

pub(crate) unsafe extern "C" fn aclSetTensorDescName(
    desc: *mut aclTensorDesc,
    name: *const c_char,
) {
    let mut name = if name.is_null() {
        CString::default()
    } else {
        // SAFETY: not null; the caller's contract: a C string.
        unsafe { CStr::from_ptr(name) }.to_owned()
    };
    read("aclSetTensorDescName", desc, (), &mut |_| ());
    let _ = TENSOR_DESCS.with("aclSetTensorDescName", "desc", desc, &mut |desc| {
        desc.name = take(&mut name);
    });
}

/// Sets the memory layout of the elements; null is no error, as in CANN.
fn set_storage(call: &str, desc: *mut aclTensorDesc, format: aclFormat) -> aclError {
    if desc.is_null() {
        return ACL_SUCCESS;
    }
    status(TENSOR_DESCS.with(call, "desc", desc, &mut |desc| desc.storage = format))
}

pub(crate) unsafe extern "C" fn aclSetTensorStorageFormat(
    desc: *mut aclTensorDesc,
    format: aclFormat,
) -> aclError {
    set_storage("aclSetTensorStorageFormat", desc, format)
}

pub(crate) unsafe extern "C" fn aclSetTensorFormat(
    desc: *mut aclTensorDesc,
    format: aclFormat,
) -> aclError {
    set_storage("aclSetTensorFormat", desc, format)
}

pub(crate) unsafe extern "C" fn aclSetTensorOriginFormat(
    desc: *mut aclTensorDesc,
    format: aclFormat,
) -> aclError {
    if desc.is_null() {
        return ACL_SUCCESS;
    }
    status(
        TENSOR_DESCS.with("aclSetTensorOriginFormat", "desc", desc, &mut |desc| {
            desc.format = format;
        }),
    )
}

pub(crate) unsafe extern "C" fn aclSetTensorStorageShape(
    desc: *mut aclTensorDesc,
    _numDims: c_int,
    dims: *const i64,
) -> aclError {
    checked_shape("aclSetTensorStorageShape", desc, dims)
}

pub(crate) unsafe extern "C" fn aclSetTensorShape(
    desc: *mut aclTensorDesc,
    _numDims: c_int,
    dims: *const i64,
) -> aclError {
    checked_shape("aclSetTensorShape", desc, dims)
}

/// Checks the arguments that set the shape of the storage.
fn checked_shape(call: &str, desc: *mut aclTensorDesc, dims: *const i64) -> aclError {
    status((|| {
        not_null(call, "desc", desc)?;
        not_null(call, "dims", dims)?;
        TENSOR_DESCS.check(call, "desc", desc)
    })())
}

pub(crate) unsafe extern "C" fn aclSetTensorOriginShape(
    desc: *mut aclTensorDesc,
    numDims: c_int,
    dims: *const i64,
) -> aclError {
    let call = "aclSetTensorOriginShape";
    status((|| {
        not_null(call, "desc", desc)?;
        not_null(call, "dims", dims)?;
        // SAFETY: not null; the caller's contract: `numDims` numbers, and none if it is negative.
        let mut shape = unsafe { copied(dims, usize::try_from(numDims).unwrap_or(0)) };
        TENSOR_DESCS.with(call, "desc", desc, &mut |desc| {
            desc.shape = take(&mut shape)
        })
    })())
}

/// Does nothing but checks: names of groups of inputs tell the compiler which inputs an operator counts as one. The
/// operators of the emulator know their groups.
pub(crate) unsafe extern "C" fn aclSetTensorDynamicInput(
    desc: *mut aclTensorDesc,
    dynamicInputName: *const c_char,
) -> aclError {
    let call = "aclSetTensorDynamicInput";
    status((|| {
        not_null(call, "desc", desc)?;
        not_null(call, "dynamicInputName", dynamicInputName)?;
        TENSOR_DESCS.check(call, "desc", desc)
    })())
}

pub(crate) unsafe extern "C" fn aclSetTensorConst(
    desc: *mut aclTensorDesc,
    dataBuffer: *mut c_void,
    length: usize,
) -> aclError {
    let call = "aclSetTensorConst";
    status((|| {
        not_null(call, "desc", desc)?;
        not_null(call, "dataBuffer", dataBuffer)?;
        if length == 0 {
            return Err(invalid(
                call,
                format_args!("length is 0; pass the bytes of the elements in host memory"),
            ));
        }
        // SAFETY: not null; the caller's contract: `length` bytes of host memory.
        let mut bytes = unsafe { copied(dataBuffer.cast::<u8>(), length) };
        TENSOR_DESCS.with(call, "desc", desc, &mut |desc| {
            desc.constant = Some(take(&mut bytes).into());
        })
    })())
}

pub(crate) unsafe extern "C" fn aclSetTensorPlaceMent(
    desc: *mut aclTensorDesc,
    memType: aclMemType,
) -> aclError {
    status(
        TENSOR_DESCS.with("aclSetTensorPlaceMent", "desc", desc, &mut |desc| {
            desc.placement = memType;
        }),
    )
}
