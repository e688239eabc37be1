//! Blocking fills.

use std::ffi::c_void;

use ascendcl_sys as sys;
use bytemuck::Pod;

use crate::context::Current;
use crate::device::DeviceTag;
use crate::error::Result;
use crate::memory::copy::{Destination, OnDevice};
use crate::memory::length::Len;
use crate::raw::check;

impl<D: DeviceTag> Current<'_, '_, D> {
    /// Fills memory with a byte and returns when that is done (`aclrtMemset`, pyACL
    /// `acl.rt.memset`).
    ///
    /// A fresh buffer goes in by value and comes back initialised.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`](crate::Error::Refused). A fresh buffer is freed then.
    #[doc(alias = "aclrtMemset")]
    #[doc(alias = "acl.rt.memset")]
    #[inline]
    pub fn memset<T>(self, mut destination: T, value: u8) -> Result<T::Written>
    where
        T: Destination<Element: Pod>,
        T::Place: OnDevice<D>,
    {
        let (to, len) = destination.destination();
        // No overflow: the allocation had this many bytes.
        let bytes = len.get() * size_of::<T::Element>();
        // SAFETY: a live allocation of `bytes` bytes, exclusively borrowed or owned; any byte is
        // valid for `Pod` elements.
        let code = unsafe { sys::aclrtMemset(to.cast::<c_void>(), bytes, value.into(), bytes) };
        check("aclrtMemset", code)?;
        // SAFETY: the fill covered every element.
        Ok(unsafe { destination.written() })
    }
}
