//! Owned descriptions of tensors and scalars (`aclnn/acl_meta.h`). They own no element.

use std::ffi::c_void;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::error::{Error, Result};
use crate::op::element::Element;
use crate::op::tensor::Dims;
use crate::raw::check;
use crate::release;

/// An `aclTensor`.
///
/// # Invariants
///
/// The pointer came from `aclCreateTensor` and is destroyed nowhere else.
#[derive(Debug)]
pub(super) struct RawTensor(NonNull<sys::aclTensor>);

// SAFETY: a description on the host; this type offers nothing but its address, and releasing it is
// bound to no thread. `Plan` keeps it on its thread all the same.
unsafe impl Send for RawTensor {}

impl RawTensor {
    /// Describes `data` as a contiguous tensor of the shape `dims`.
    pub(super) fn new<T: Element>(data: *mut T, dims: &Dims) -> Result<RawTensor> {
        let shape = dims.shape();
        let strides = dims.strides();
        let rank = shape.len() as u64;
        // SAFETY: each array has `rank` elements, which the call copies; `data` is stored, not read.
        let tensor = unsafe {
            sys::aclCreateTensor(
                shape.as_ptr(),
                rank,
                T::DATA_TYPE,
                strides.as_ptr(),
                0,
                sys::ACL_FORMAT_ND,
                shape.as_ptr(),
                rank,
                data.cast::<c_void>(),
            )
        };
        match NonNull::new(tensor) {
            Some(tensor) => Ok(RawTensor(tensor)),
            None => Err(Error::refused(
                "aclCreateTensor",
                sys::ACLNN_ERR_PARAM_INVALID,
            )),
        }
    }

    pub(super) fn as_ptr(&self) -> *mut sys::aclTensor {
        self.0.as_ptr()
    }
}

impl Drop for RawTensor {
    fn drop(&mut self) {
        // SAFETY: created by `new`, destroyed once.
        let code = unsafe { sys::aclDestroyTensor(self.0.as_ptr()) };
        release::in_drop(check("aclDestroyTensor", code));
    }
}

/// An `aclScalar`.
///
/// # Invariants
///
/// The pointer came from `aclCreateScalar` and is destroyed nowhere else.
#[derive(Debug)]
pub(super) struct RawScalar(NonNull<sys::aclScalar>);

// SAFETY: as for `RawTensor`.
unsafe impl Send for RawScalar {}

impl RawScalar {
    pub(super) fn new<T: Element>(mut value: T) -> Result<RawScalar> {
        // SAFETY: the call copies one element of the data type from `value`.
        let scalar =
            unsafe { sys::aclCreateScalar((&raw mut value).cast::<c_void>(), T::DATA_TYPE) };
        match NonNull::new(scalar) {
            Some(scalar) => Ok(RawScalar(scalar)),
            None => Err(Error::refused(
                "aclCreateScalar",
                sys::ACLNN_ERR_PARAM_INVALID,
            )),
        }
    }

    pub(super) fn as_ptr(&self) -> *const sys::aclScalar {
        self.0.as_ptr()
    }
}

impl Drop for RawScalar {
    fn drop(&mut self) {
        // SAFETY: created by `new`, destroyed once.
        let code = unsafe { sys::aclDestroyScalar(self.0.as_ptr()) };
        release::in_drop(check("aclDestroyScalar", code));
    }
}
