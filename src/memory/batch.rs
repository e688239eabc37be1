//! Copies of many buffers by one call, between host and device memory (`acl/acl_rt.h`; manual chapter 11-03).
//!
//! The runtime gives no order to the copies of a batch, so no two of them may meet. They cannot: each destination is owned or
//! borrowed exclusively. The arrays of C are built from one list of pairs, so they have one length.

use std::ffi::c_void;

use ascendcl_sys as sys;

use crate::context::{Current, with_bound};
use crate::device::{AnyDevice, Core};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::CopyTo;
use crate::memory::elements::{ElementOf, Elements, SameElements};
use crate::memory::operand::{Destination, Source};
use crate::memory::place::{Host, OnBoard, ReachedFrom};
use crate::raw::check;
use crate::stream::{Stream, StreamTag};

/// Domains from which device `D` can copy to memory of the domain `Target` in a batch.
#[diagnostic::on_unimplemented(
    message = "a batch of copies does not go from `{Self}` memory to `{Target}` memory",
    label = "a batch copies from host memory to memory of device `{D}`, or back",
    note = "copy within a device, and to or from a peer, one by one: `memcpy`, `memcpy_async`"
)]
pub trait BatchTo<Target, D>: CopyTo<Target, D> {}
#[diagnostic::do_not_recommend]
impl<D, M: OnBoard + ReachedFrom<D>> BatchTo<M, D> for Host {}
#[diagnostic::do_not_recommend]
impl<D, M: OnBoard + ReachedFrom<D>> BatchTo<Host, D> for M {}

impl<D: AnyDevice> Current<'_, '_, D> {
    /// Copies each source to its destination and returns when all copies are done (`aclrtMemcpyBatch`).
    ///
    /// All pairs have the same types, and so one direction: from host to device memory, or back. The results are those of the
    /// destinations, in the order of the pairs: fresh ones are returned initialised.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let rows = [current.malloc_host_from(host, &[1_u32, 2])?, current.malloc_host_from(host, &[3, 4, 5])?];
    /// let pairs = rows.iter().map(|row| Ok((current.malloc(row.len())?, row))).collect::<ascendcl::Result<Vec<_>>>()?;
    /// let on_device = current.memcpy_batch(pairs)?; // one call for all rows
    /// assert_eq!(on_device[1].len(), 3);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Length`] for the first pair whose lengths differ, before anything is copied; [`ErrorKind::Backend`] if an older
    /// CANN lacks the function; and [`ErrorKind::Refused`], as for [`Current::memcpy`]. Some copies may be done then. On an
    /// error fresh destinations are freed.
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtMemcpyBatch")]
    pub fn memcpy_batch<T, S>(
        self,
        pairs: impl IntoIterator<Item = (T, S)>,
    ) -> Result<Vec<T::Written>>
    where
        T: Destination<D>,
        S: Source<D, Elements: SameElements<T::Elements>>,
        S::Place: BatchTo<T::Place, D>,
    {
        let pairs: Vec<_> = pairs.into_iter().collect();
        let mut arrays = Arrays::of(&pairs)?;
        if !arrays.sizes.is_empty() {
            let kind = <S::Place as CopyTo<T::Place, D>>::KIND;
            let id = self.core().id();
            let call = |to, room, from, sizes, count, attributes, starts, number, failed| {
                // SAFETY: the contract of `Arrays::pass`. The call returns when the copies are done.
                unsafe {
                    sys::aclrtMemcpyBatch(
                        to, room, from, sizes, count, attributes, starts, number, failed,
                    )
                }
            };
            let code = arrays.pass(kind, id, &call);
            if code != sys::ACL_SUCCESS {
                return Err(self.blocking_failed("aclrtMemcpyBatch", code));
            }
        }
        let written = pairs.into_iter().map(|(destination, _)| {
            // SAFETY: the copies covered every element of the destination.
            unsafe { destination.written() }
        });
        Ok(written.collect())
    }
}

impl<D: AnyDevice, S: StreamTag> Stream<'_, '_, D, S> {
    /// Queues a copy of each source to its destination and returns at once (`aclrtMemcpyBatchAsync`). The copies have no order
    /// among each other, and are behind earlier work of the stream.
    ///
    /// All pairs have the same types, and so one direction: from host to device memory, or back. The results are those of the
    /// destinations, in the order of the pairs: fresh ones are returned initialised.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let rows = [stream.malloc_host_from(host, &[1_u32, 2])?, stream.malloc_host_from(host, &[3, 4])?];
    /// let pairs = rows.iter().map(|row| Ok((stream.malloc(2)?, row))).collect::<ascendcl::Result<Vec<_>>>()?;
    /// let on_device = stream.memcpy_batch_async(pairs)?; // one call for all rows
    /// let back = stream.memcpy_async(stream.malloc_host(host, 2)?, &on_device[1])?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [3, 4]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Length`] for the first pair whose lengths differ, before anything is queued; [`ErrorKind::Backend`] if an older
    /// CANN lacks the function; and [`ErrorKind::Refused`] and [`ErrorKind::Wait`], as for [`Stream::memcpy_async`]. Some copies
    /// may be queued then. On an error fresh destinations are parked.
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtMemcpyBatchAsync")]
    pub fn memcpy_batch_async<T, A>(
        &mut self,
        pairs: impl IntoIterator<Item = (T, A)>,
    ) -> Result<Vec<T::Written>>
    where
        T: Destination<(D, S)>,
        A: Source<(D, S), Elements: SameElements<T::Elements>>,
        A::Place: BatchTo<T::Place, D>,
    {
        let pairs: Vec<_> = pairs.into_iter().collect();
        let mut arrays = Arrays::of(&pairs)?;
        if !arrays.sizes.is_empty() {
            let kind = <A::Place as CopyTo<T::Place, D>>::KIND;
            // SAFETY: the stream borrows the binding of the thread to the device.
            let id = unsafe { with_bound(Core::id) };
            let stream = self.as_raw();
            let call = |to, room, from, sizes, count, attributes, starts, number, failed| {
                // SAFETY: the contract of `Arrays::pass`, and a live stream of the current context. The memory lives until the
                // work is over (invariant of `Queued`), and this queue orders all other work that uses it.
                unsafe {
                    sys::aclrtMemcpyBatchAsync(
                        to, room, from, sizes, count, attributes, starts, number, failed, stream,
                    )
                }
            };
            let code = arrays.pass(kind, id, &call);
            if A::WAITS || T::WAITS {
                // As in `memcpy_async`.
                self.told("aclrtMemcpyBatchAsync", code)?;
            } else {
                check("aclrtMemcpyBatchAsync", code)?;
            }
        }
        let written = pairs.into_iter().map(|(destination, _)| {
            // SAFETY: the copies cover every element of the destination.
            unsafe { destination.written() }
        });
        Ok(written.collect())
    }
}

/// A call of C with the arguments of a batch.
type Call<'a> = dyn Fn(
        *mut *mut c_void,
        *mut usize,
        *mut *mut c_void,
        *mut usize,
        usize,
        *mut sys::aclrtMemcpyBatchAttr,
        *mut usize,
        usize,
        *mut usize,
    ) -> sys::aclError
    + 'a;

/// The arrays of a batch, which have one length.
///
/// # Invariants
///
/// - Each destination is live memory of as many bytes as its source, which is initialised. No two of these ranges overlap, unless
///   both are sources.
struct Arrays {
    to: Vec<*mut c_void>,
    from: Vec<*mut c_void>,
    sizes: Vec<usize>,
}

impl Arrays {
    /// Makes the arrays of pairs, without those of no elements, which the runtime refuses.
    fn of<X, T, S>(pairs: &[(T, S)]) -> Result<Arrays>
    where
        T: Destination<X>,
        S: Source<X, Elements: SameElements<T::Elements>>,
    {
        let (mut to, mut from, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        for (destination, source) in pairs {
            let (source, destination) = (source.source(), destination.destination());
            let (len, other) = (S::Elements::count(source), T::Elements::count(destination));
            if len != other {
                return Err(Usage::lengths(len, other));
            }
            if len > 0 {
                to.push(destination.as_ptr().cast::<c_void>());
                from.push(source.as_ptr().cast::<c_void>());
                // No overflow: the allocations of both sides have this many bytes.
                sizes.push(len * size_of::<ElementOf<T::Elements>>());
            }
        }
        // INVARIANT: the operands are live and have these lengths (invariants of `Buf` and of the slices), and each destination is
        // owned or borrowed exclusively.
        Ok(Arrays { to, from, sizes })
    }

    /// Passes the arrays to `call`, which copies them in the direction `kind`. They are valid and as long as the number of
    /// copies says during the call, and so are the attributes.
    fn pass(&mut self, kind: sys::aclrtMemcpyKind, id: u32, call: &Call<'_>) -> sys::aclError {
        let host = sys::aclrtMemLocation {
            id: 0,
            type_: sys::ACL_MEM_LOCATION_TYPE_HOST,
        };
        let device = sys::aclrtMemLocation {
            id,
            type_: sys::ACL_MEM_LOCATION_TYPE_DEVICE,
        };
        let (dst, src) = if kind == sys::ACL_MEMCPY_HOST_TO_DEVICE {
            (device, host)
        } else {
            (host, device)
        };
        let mut attribute = sys::aclrtMemcpyBatchAttr {
            dstLoc: dst,
            srcLoc: src,
            rsv: [0; 16],
        };
        let (mut start, mut failed) = (0, 0);
        // The sizes are those of the places, too.
        let mut room = self.sizes.clone();
        call(
            self.to.as_mut_ptr(),
            room.as_mut_ptr(),
            self.from.as_mut_ptr(),
            self.sizes.as_mut_ptr(),
            self.sizes.len(),
            &raw mut attribute,
            &raw mut start,
            1,
            &raw mut failed,
        )
    }
}
