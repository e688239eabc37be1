//! A writer that fills a fresh buffer piece by piece.

use std::ptr::NonNull;

use bytemuck::Pod;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::Buf;
use crate::memory::copy::{CopyTo, OnDevice};
use crate::memory::elements::{Elements, SameElements};
use crate::memory::operand::Source;
use crate::memory::place::{FillPlace, Place};
use crate::memory::slice::SliceMut;
use crate::state::{Init, Uninit};

/// A fresh buffer that is written piece by piece, from its start to its end.
///
/// When every element was written, [`Writer::finish`] returns the initialised buffer. Otherwise [`Writer::fill_rest`]
/// fills the remaining elements, or [`Writer::finish_prefix`] returns the part that was written.
///
/// This is useful for uploads that are larger than their host buffer.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// let part = current.malloc_host_from(host, &[1_u8, 2])?;
/// let mut writer = current.malloc::<u8>(6)?.writer();
/// while writer.remaining() > 0 {
///     writer.memcpy(current, &part)?;
/// }
/// let whole = writer.finish()?; // every element was written
/// assert_eq!(whole.len(), 6);
/// # });
/// ```
///
/// # Invariants
///
/// The first `filled` elements were written.
#[derive(Debug)]
pub struct Writer<'dev, M: Place, E: Elements + ?Sized> {
    buf: Buf<'dev, M, E, Uninit>,
    filled: usize,
}

impl<'dev, M: Place, E: Elements + ?Sized> Buf<'dev, M, E, Uninit> {
    /// Returns a writer that fills the buffer piece by piece.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let head = current.malloc_host_from(host, &[1_u8, 2])?;
    /// let mut writer = current.malloc::<u8>(4)?.writer();
    /// writer.memcpy(current, &head)?;
    /// let numbers = writer.fill_rest(current, 0)?; // all bytes are written, so the buffer can be read
    /// let mut back = current.malloc_host::<u8>(host, 4)?;
    /// current.memcpy(&mut back, &numbers)?;
    /// assert_eq!(back[..], [1, 2, 0, 0]);
    /// # });
    /// ```
    #[must_use]
    pub fn writer(self) -> Writer<'dev, M, E> {
        Writer {
            buf: self,
            filled: 0,
        }
    }
}

impl<'dev, M: Place, E: Elements + ?Sized> Writer<'dev, M, E> {
    /// Returns the number of elements that were not written yet.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let part = current.malloc_host_from(host, &[1_u8, 2])?;
    /// let mut writer = current.malloc::<u8>(6)?.writer();
    /// assert_eq!(writer.remaining(), 6);
    /// writer.memcpy(current, &part)?;
    /// assert_eq!(writer.remaining(), 4);
    /// # });
    /// ```
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.buf.len() - self.filled
    }

    /// Copies `source` to the elements after the written ones, as [`Current::memcpy`] does (`aclrtMemcpy`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let part = current.malloc_host_from(host, &[1_u8, 2])?;
    /// let mut writer = current.malloc::<u8>(3)?.writer();
    /// writer.memcpy(current, &part)?;
    /// assert!(writer.memcpy(current, &part).is_err()); // one element remains
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when the source has more elements than remain, and [`ErrorKind::Refused`]. On an error the
    /// number of written elements does not change.
    pub fn memcpy<D: AnyDevice, S>(&mut self, current: Current<'_, '_, D>, source: S) -> Result<()>
    where
        S: Source<D, Elements: SameElements<[E::Element]>>,
        S::Place: CopyTo<M, D>,
    {
        let len = S::Elements::count(source.source());
        let end = self.filled.saturating_add(len);
        // SAFETY: `memcpy` only writes to its destination.
        let part = unsafe { SliceMut::of_fresh(&mut self.buf, self.filled..end) }?;
        current.memcpy(part, source)?;
        self.filled = end;
        Ok(())
    }

    /// Fills the remaining elements with a byte (`aclrtMemset`) and returns the initialised buffer. Makes no runtime
    /// call if no elements remain.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let fresh = current.malloc::<u8>(4)?;
    /// let zeros = fresh.writer().fill_rest(current, 0)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Current::memset`]. On an error the buffer is freed.
    pub fn fill_rest<D: AnyDevice>(
        mut self,
        current: Current<'_, '_, D>,
        value: u8,
    ) -> Result<Buf<'dev, M, E, Init>>
    where
        E: Elements<Element: Pod>,
        M: OnDevice<D> + FillPlace,
    {
        let len = self.buf.len();
        if self.filled != len {
            // SAFETY: `memset` only writes to its destination.
            let rest = unsafe { SliceMut::of_fresh(&mut self.buf, self.filled..len) }?;
            current.memset(rest, value)?;
            self.filled = len;
        }
        self.finish()
    }

    /// Returns the written part as a buffer whose length is known at run time, for data that may be shorter than the
    /// buffer.
    ///
    /// The rest of the memory stays unwritten, and nothing can access it any more. It belongs to the same allocation
    /// and is freed with the buffer.
    ///
    /// ```
    /// fn upload(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    ///     use ascendcl::{Npu, Thread};
    ///     let mut thread = Thread::claim()?;
    ///     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    ///     let current = thread.set_current(&device)?;
    ///     let Some(side) = acl.run_mode()?.host() else { return Ok(()) };
    ///
    ///     let line = current.malloc_host::<u8>(side, 80)?;
    ///     let mut writer = current.malloc::<u8>(1000)?.writer();
    ///     while writer.remaining() >= line.len() {
    ///         writer.memcpy(current, &line)?;
    ///     }
    ///     let text = writer.finish_prefix()?;
    ///     assert_eq!(text.len(), 960); // 12 lines
    ///     text.free()
    /// }
    /// # ascendcl::example!(|acl| { upload(&acl)?; });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::NotFilled`] when nothing was written. On an error the buffer is freed.
    pub fn finish_prefix(self) -> Result<Buf<'dev, M, [E::Element], Init>> {
        let (filled, len) = (self.filled, self.buf.len());
        if filled == 0 {
            return Err(Usage::NotFilled { filled, len }.into());
        }
        let first = self.buf.into_raw().cast();
        let elements = NonNull::slice_from_raw_parts(first, filled);
        // SAFETY: the memory of the consumed buffer, which has room for these elements. Every one of them was written
        // (invariant of `Writer`). The memory is freed by its address alone.
        Ok(unsafe { Buf::from_parts(elements) })
    }

    /// Returns the initialised buffer.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let part = current.malloc_host_from(host, &[1_u8, 2])?;
    /// let mut writer = current.malloc::<u8>(2)?.writer();
    /// writer.memcpy(current, &part)?;
    /// let written = writer.finish()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::NotFilled`] when some elements were not written. On an error the buffer is freed.
    pub fn finish(self) -> Result<Buf<'dev, M, E, Init>> {
        let len = self.buf.len();
        if self.filled != len {
            return Err(Usage::NotFilled {
                filled: self.filled,
                len,
            }
            .into());
        }
        // SAFETY: every element was written (invariant of `Writer`).
        Ok(unsafe { self.buf.assume() })
    }
}
