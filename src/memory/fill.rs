//! Blocking fills.

use std::ffi::c_void;

use ascendcl_sys as sys;
use bytemuck::Pod;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
use crate::memory::copy::OnDevice;
use crate::memory::elements::{ElementOf, Elements};
use crate::memory::operand::Destination;
use crate::memory::place::{FillPlace, WordPlace};
use crate::memory::plain::Word;

impl<D: AnyDevice> Current<'_, '_, D> {
    /// Fills memory with a byte and returns when the fill is done (`aclrtMemset`, pyACL `acl.rt.memset`).
    ///
    /// A fresh buffer is passed by value, and the call returns it initialised.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let ones = current.memset(current.malloc::<u32>(2)?, 0xff)?; // each byte
    /// let mut back = current.malloc_host::<u32>(host, 2)?;
    /// current.memcpy(&mut back, &ones)?;
    /// assert_eq!(back[..], [u32::MAX; 2]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. On an error a fresh buffer is freed. If a time limit has ended the call, the method waits
    /// for the device first, and this wait may concern its streams, as for [`Current::memcpy`].
    #[doc(alias = "aclrtMemset")]
    #[doc(alias = "acl.rt.memset")]
    #[inline(always)]
    pub fn memset<T>(self, destination: T, value: u8) -> Result<T::Written>
    where
        T: Destination<D, Elements: Elements<Element: Pod>>,
        T::Place: OnDevice<D> + FillPlace,
    {
        let to = destination.destination();
        let len = T::Elements::count(to);
        // No overflow: the allocation has this many bytes.
        let bytes = len * size_of::<ElementOf<T::Elements>>();
        // SAFETY: live memory of `bytes` bytes, exclusively borrowed or owned. Any byte is valid for `Pod` elements.
        let code =
            unsafe { sys::aclrtMemset(to.as_ptr().cast::<c_void>(), bytes, value.into(), bytes) };
        if code != sys::ACL_SUCCESS {
            return Err(self.blocking_failed("aclrtMemset", code));
        }
        // SAFETY: the fill covered every element.
        Ok(unsafe { destination.written() })
    }

    /// Fills memory with a word of 32 bits and returns when the fill is done (`aclrtMemsetD32`).
    ///
    /// A fresh buffer is passed by value, and the call returns it initialised.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let ones = current.memset_d32(current.malloc::<f32>(2)?, 1.0)?; // each element
    /// let mut back = current.malloc_host::<f32>(host, 2)?;
    /// current.memcpy(&mut back, &ones)?;
    /// assert_eq!(back[..], [1.0, 1.0]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`ErrorKind::Backend`] if an older CANN lacks the function. On an error a fresh
    /// buffer is freed. If a time limit has ended the call, the method waits for the device first, and this wait may
    /// concern its streams, as for [`Current::memcpy`].
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtMemsetD32")]
    pub fn memset_d32<T>(self, destination: T, value: ElementOf<T::Elements>) -> Result<T::Written>
    where
        T: Destination<D, Elements: Elements<Element: Word>>,
        T::Place: OnDevice<D> + WordPlace,
    {
        let to = destination.destination();
        let len = T::Elements::count(to);
        // No overflow: the allocation has this many bytes.
        let bytes = len * size_of::<ElementOf<T::Elements>>();
        // SAFETY: live memory of `len` words, aligned for words (invariant of `Buf`), exclusively borrowed or owned.
        let code =
            unsafe { sys::aclrtMemsetD32(to.as_ptr().cast::<c_void>(), bytes, value.bits(), len) };
        if code != sys::ACL_SUCCESS {
            return Err(self.blocking_failed("aclrtMemsetD32", code));
        }
        // SAFETY: the fill covered every element.
        Ok(unsafe { destination.written() })
    }
}
