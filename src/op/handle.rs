//! Owned descriptions of what an operator gets: tensors, scalars, arrays, lists (`aclnn/acl_meta.h`). They own no
//! element.

use std::ffi::c_void;
use std::mem::{ManuallyDrop, forget};
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::error::{Error, Result};
use crate::op::element::Element;
use crate::op::layout::Layout;
use crate::op::shape::Dims;
use crate::park::{Parked, Parking, User};
use crate::release;

/// Declares descriptions: the type of C, the call that makes one, and the call that destroys it.
macro_rules! descriptions {
    ($( $(#[$doc:meta])* $Name:ident($type:ident), $create:literal, $destroy:ident; )*) => { $(
        $(#[$doc])*
        ///
        /// # Invariants
        ///
        /// The pointer came from the call that makes such descriptions, and nothing else destroys it.
        #[derive(Debug)]
        #[repr(transparent)]
        pub struct $Name(NonNull<sys::$type>);

        // SAFETY: a description on the host; this type offers nothing but its address, and releasing it is bound to no
        // thread. `Plan` keeps it on its thread all the same.
        unsafe impl Send for $Name {}

        impl $Name {
            /// Takes over a description that was made just now; null is a refusal.
            #[inline(always)]
            fn own(created: *mut sys::$type) -> Result<$Name> {
                // INVARIANT: the callers below have just made it.
                match NonNull::new(created) {
                    Some(created) => Ok($Name(created)),
                    None => Err(Error::refused($create, sys::ACLNN_ERR_PARAM_INVALID)),
                }
            }

            #[inline(always)]
            pub(super) fn as_ptr(&self) -> *mut sys::$type {
                self.0.as_ptr()
            }
        }

        impl Drop for $Name {
            #[inline]
            fn drop(&mut self) {
                // SAFETY: destroyed nowhere else (invariant).
                let code = unsafe { sys::$destroy(self.0.as_ptr()) };
                release::status_in_drop(stringify!($destroy), code);
            }
        }
    )* };
}

descriptions! {
    /// An `aclTensor`.
    RawTensor(aclTensor), "aclCreateTensor", aclDestroyTensor;
    /// An `aclScalar`.
    RawScalar(aclScalar), "aclCreateScalar", aclDestroyScalar;
    /// An `aclIntArray`.
    RawInts(aclIntArray), "aclCreateIntArray", aclDestroyIntArray;
    /// An `aclFloatArray`.
    RawFloats(aclFloatArray), "aclCreateFloatArray", aclDestroyFloatArray;
    /// An `aclBoolArray`.
    RawBools(aclBoolArray), "aclCreateBoolArray", aclDestroyBoolArray;
    /// An `aclTensorList`, which owns its tensors.
    RawTensors(aclTensorList), "aclCreateTensorList", aclDestroyTensorList;
    /// An `aclScalarList`, which owns its scalars.
    RawScalars(aclScalarList), "aclCreateScalarList", aclDestroyScalarList;
}

impl RawTensor {
    /// Describes a tensor of the shape `dims` that begins `offset` elements behind `data`. The shape goes by
    /// value: the compiler need not keep in memory what C does not see.
    #[inline(always)]
    pub(super) fn new<T: Element, L: Layout>(
        data: *mut T,
        offset: usize,
        dims: Dims,
    ) -> Result<RawTensor> {
        RawTensor::formatted::<T, L>(data, offset, dims, sys::ACL_FORMAT_ND)
    }

    /// [`RawTensor::new`] with the names of the dimensions.
    #[inline(always)]
    pub(super) fn formatted<T: Element, L: Layout>(
        data: *mut T,
        offset: usize,
        dims: Dims,
        format: sys::aclFormat,
    ) -> Result<RawTensor> {
        let (sizes, strides) = (dims.sizes, dims.strides);
        let (sizes, strides) = (sizes.as_ptr().cast(), strides.as_ptr().cast());
        let rank = dims.rank as u64;
        let (start, data) = (offset.cast_signed() as i64, data.cast::<c_void>());
        // What lies in front of a part belongs to what is stored, which has one dimension then.
        let stored = if !L::IS_CONTIGUOUS {
            start.saturating_add(dims.extent())
        } else if offset == 0 {
            0
        } else {
            start.saturating_add(dims.elements())
        };
        let (storage, storage_rank) = match stored {
            0 => (sizes, rank),
            _ => (&raw const stored, 1),
        };
        // SAFETY: the first `rank` elements of each array are initialised (invariant of `Dims`), `stored` lives as long
        // as the call, which copies them; `data` is stored, not read.
        let tensor = unsafe {
            sys::aclCreateTensor(
                sizes,
                rank,
                T::DATA_TYPE,
                strides,
                start,
                format,
                storage,
                storage_rank,
                data,
            )
        };
        RawTensor::own(tensor)
    }
}

impl RawTensor {
    /// Parks it: it is destroyed when the work of `users` is over.
    pub(super) fn into_parking(self, parking: &Parking, users: &[User]) {
        /// # Safety
        ///
        /// - The pointer is a description that nothing else destroys.
        unsafe fn destroy(tensor: NonNull<c_void>) -> sys::aclError {
            // SAFETY: the caller's contract.
            unsafe { sys::aclDestroyTensor(tensor.as_ptr().cast()) }
        }
        let parked = Parked {
            pointer: ManuallyDrop::new(self).0.cast(),
            bytes: 0,
            free: destroy,
            call: "aclDestroyTensor",
        };
        parking.park(users, parked);
    }
}

impl RawScalar {
    #[inline(always)]
    pub(super) fn new<T: Element>(mut value: T) -> Result<RawScalar> {
        // SAFETY: the call copies one element of the data type from `value`.
        let scalar =
            unsafe { sys::aclCreateScalar((&raw mut value).cast::<c_void>(), T::DATA_TYPE) };
        RawScalar::own(scalar)
    }
}

impl RawInts {
    pub(super) fn new(values: &[i64]) -> Result<RawInts> {
        // SAFETY: the call copies as many numbers.
        let array = unsafe { sys::aclCreateIntArray(values.as_ptr(), values.len() as u64) };
        RawInts::own(array)
    }
}

impl RawFloats {
    pub(super) fn new(values: &[f32]) -> Result<RawFloats> {
        // SAFETY: the call copies as many numbers.
        let array = unsafe { sys::aclCreateFloatArray(values.as_ptr(), values.len() as u64) };
        RawFloats::own(array)
    }
}

impl RawBools {
    pub(super) fn new(values: &[bool]) -> Result<RawBools> {
        // SAFETY: the call copies as many values.
        let array = unsafe { sys::aclCreateBoolArray(values.as_ptr(), values.len() as u64) };
        RawBools::own(array)
    }
}

impl RawTensors {
    /// Makes a list of tensors, which destroys them from now on. `None` is a null element.
    pub(super) fn new(tensors: Vec<Option<RawTensor>>) -> Result<RawTensors> {
        let pointers = tensors.as_ptr().cast::<*const sys::aclTensor>();
        // SAFETY: a `RawTensor` is nothing but a pointer that is not null (`repr(transparent)`), so `None` is null, and
        // the call copies as many.
        let list = unsafe { sys::aclCreateTensorList(pointers, tensors.len() as u64) };
        let list = RawTensors::own(list)?;
        // `aclDestroyTensorList` destroys each of them (`aclnn/acl_meta.h`; hicann/opbase, July 2026).
        tensors.into_iter().for_each(forget);
        Ok(list)
    }
}

impl RawScalars {
    /// Makes a list of scalars, which destroys them from now on.
    pub(super) fn new(scalars: Vec<RawScalar>) -> Result<RawScalars> {
        let pointers = scalars.as_ptr().cast::<*const sys::aclScalar>();
        // SAFETY: a `RawScalar` is nothing but a pointer (`repr(transparent)`), and the call copies as many.
        let list = unsafe { sys::aclCreateScalarList(pointers, scalars.len() as u64) };
        let list = RawScalars::own(list)?;
        // `aclDestroyScalarList` destroys each of them (`aclnn/acl_meta.h`; hicann/opbase, July 2026).
        scalars.into_iter().for_each(forget);
        Ok(list)
    }
}

/// The descriptions of an operator's arguments, between its two phases.
pub(super) struct Described<H: Handles>(ManuallyDrop<H>);

/// A tuple of descriptions.
pub trait Handles {
    /// Releases them on a path where something went wrong: out of line, and by value, because a path that took their
    /// address would keep a plan in memory for all paths.
    #[doc(hidden)]
    fn release_out_of_line(self);

    /// Releases them one by one: what drops a tuple as a whole takes its address.
    #[doc(hidden)]
    fn release(self);
}

impl<H: Handles> Described<H> {
    #[inline(always)]
    pub(super) fn new(handles: H) -> Self {
        Described(ManuallyDrop::new(handles))
    }

    pub(super) fn handles(&self) -> &H {
        &self.0
    }

    /// Releases them in place, on the path where all went well.
    #[inline(always)]
    pub(super) fn release(self) {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used and not dropped afterwards.
        let handles = unsafe { ManuallyDrop::take(&mut this.0) };
        handles.release();
    }
}

impl<H: Handles> Drop for Described<H> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: dropped once, and not used afterwards.
        let handles = unsafe { ManuallyDrop::take(&mut self.0) };
        handles.release_out_of_line();
    }
}
