//! Owned descriptions of tensors and scalars (`aclnn/acl_meta.h`). They own no element.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::error::{Error, Result};
use crate::op::element::Element;
use crate::op::tensor::Dims;
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
    /// Describes `data` as a contiguous tensor of the shape `dims`, by value: the compiler need not
    /// keep in memory what C does not see.
    #[inline(always)]
    pub(super) fn new<T: Element>(data: *mut T, dims: Dims) -> Result<RawTensor> {
        let (sizes, strides) = (dims.sizes, dims.strides);
        let (sizes, strides) = (sizes.as_ptr().cast(), strides.as_ptr().cast());
        let rank = dims.rank as u64;
        // SAFETY: the first `rank` elements of each array are initialised (invariant of `Dims`), and
        // the call copies them; `data` is stored, not read.
        let tensor = unsafe {
            sys::aclCreateTensor(
                sizes,
                rank,
                T::DATA_TYPE,
                strides,
                0,
                sys::ACL_FORMAT_ND,
                sizes,
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

    #[inline]
    pub(super) fn as_ptr(&self) -> *mut sys::aclTensor {
        self.0.as_ptr()
    }
}

impl Drop for RawTensor {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: created by `new`, destroyed once.
        let code = unsafe { sys::aclDestroyTensor(self.0.as_ptr()) };
        release::status_in_drop("aclDestroyTensor", code);
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
    #[inline]
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

    #[inline]
    pub(super) fn as_ptr(&self) -> *const sys::aclScalar {
        self.0.as_ptr()
    }
}

impl Drop for RawScalar {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: created by `new`, destroyed once.
        let code = unsafe { sys::aclDestroyScalar(self.0.as_ptr()) };
        release::status_in_drop("aclDestroyScalar", code);
    }
}

/// Both operands and the output of an operator, and its scalar, if it has one.
pub(super) struct Described {
    left: ManuallyDrop<RawTensor>,
    right: ManuallyDrop<RawTensor>,
    output: ManuallyDrop<RawTensor>,
    scalar: ManuallyDrop<Option<RawScalar>>,
}

impl Described {
    #[inline(always)]
    pub(super) fn new([left, right, output]: [RawTensor; 3], scalar: Option<RawScalar>) -> Self {
        Described {
            left: ManuallyDrop::new(left),
            right: ManuallyDrop::new(right),
            output: ManuallyDrop::new(output),
            scalar: ManuallyDrop::new(scalar),
        }
    }

    /// # Safety
    ///
    /// Called once, and the value is neither used nor dropped afterwards.
    #[inline(always)]
    unsafe fn take(&mut self) -> (RawTensor, RawTensor, RawTensor, Option<RawScalar>) {
        // SAFETY: the caller's contract.
        let left = unsafe { ManuallyDrop::take(&mut self.left) };
        // SAFETY: the caller's contract.
        let right = unsafe { ManuallyDrop::take(&mut self.right) };
        // SAFETY: the caller's contract.
        let output = unsafe { ManuallyDrop::take(&mut self.output) };
        // SAFETY: the caller's contract.
        let scalar = unsafe { ManuallyDrop::take(&mut self.scalar) };
        (left, right, output, scalar)
    }

    /// Releases them in place, on the path where all went well.
    #[inline(always)]
    pub(super) fn release(self) {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used and not dropped afterwards.
        let (left, right, output, scalar) = unsafe { this.take() };
        drop(left);
        drop(right);
        drop(output);
        drop(scalar);
    }
}

impl Drop for Described {
    /// Releases them on every other path: out of line, and by value, because a path that took their
    /// address would keep a plan in memory for all paths.
    #[inline(always)]
    fn drop(&mut self) {
        #[cold]
        #[inline(never)]
        fn release(
            left: RawTensor,
            right: RawTensor,
            output: RawTensor,
            scalar: Option<RawScalar>,
        ) {
            drop(left);
            drop(right);
            drop(output);
            drop(scalar);
        }
        // SAFETY: dropped once, and not used afterwards.
        let (left, right, output, scalar) = unsafe { self.take() };
        release(left, right, output, scalar);
    }
}
