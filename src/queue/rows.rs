//! Queued copies of rows.

use std::ffi::c_void;

use ascendcl_sys as sys;
use typenum::{IsLessOrEqual, Prod, True, U5, U1000000, U1048576, Unsigned};

use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::rows::{bytes, extent};
use crate::memory::{
    Buf, CopyTo, Dyn, Fixed, Init, Len, OnDevice, Place, Rows, SameElement, SameLen,
};
use crate::queue::{Part, PartMut, Queue, Queued, QueuedDestination, QueuedSource};
use crate::raw::check;
use crate::runtime::HostSide;
use crate::stream::{Stream, StreamTag};

/// The bytes of a row that a queued copy takes at most (api_ref 11-03).
type MaxWidth = Prod<U5, U1000000>;
/// The rows that a queued copy takes at most.
type MaxHeight = Prod<U5, U1048576>;

/// A width that queued copies of rows take: at most 5,000,000 bytes.
#[diagnostic::on_unimplemented(
    message = "rows of `{Self}` elements are too wide for a queued copy",
    label = "a queued copy takes rows of at most 5,000,000 bytes",
    note = "copy in columns, or by `memcpy_2d`, which blocks and has no limit"
)]
pub trait QueuedWidth: Len {}
#[diagnostic::do_not_recommend]
impl QueuedWidth for Dyn {}
#[diagnostic::do_not_recommend]
impl<N: Unsigned + IsLessOrEqual<MaxWidth, Output = True>> QueuedWidth for Fixed<N> {}

/// A number of rows that queued copies take: at most 5,242,880.
#[diagnostic::on_unimplemented(
    message = "`{Self}` rows are too many for a queued copy",
    label = "a queued copy takes at most 5,242,880 rows",
    note = "copy in pieces, or by `memcpy_2d`, which blocks and has no limit"
)]
pub trait QueuedHeight: Len {}
#[diagnostic::do_not_recommend]
impl QueuedHeight for Dyn {}
#[diagnostic::do_not_recommend]
impl<N: Unsigned + IsLessOrEqual<MaxHeight, Output = True>> QueuedHeight for Fixed<N> {}

impl<D: AnyDevice, S: StreamTag> Stream<'_, '_, D, S> {
    /// Queues a copy of rows (`aclrtMemcpy2dAsync`, pyACL `acl.rt.memcpy2d_async`) and returns at once. What
    /// lies between the rows of the destination stays as it is.
    ///
    /// Copies within the device exist on some products only. The proof `_host` comes from
    /// [`Acl::run_mode`](crate::Acl::run_mode): where the program runs on the device itself there are no
    /// copies of rows.
    ///
    /// # Errors
    ///
    /// [`Usage::RowShape`] when heights or widths that are known at run time differ, [`Usage::RowLimit`] for
    /// rows of more than 5,000,000 bytes or more than 5,242,880 rows, and
    /// [`ErrorKind::Refused`]. That the copy itself fails is reported by the stream's next
    /// wait.
    #[doc(alias = "aclrtMemcpy2dAsync")]
    #[doc(alias = "acl.rt.memcpy2d_async")]
    pub fn memcpy_2d_async<T, A, H0, W0, H1, W1>(
        &mut self,
        destination: Rows<T, H1, W1>,
        source: Rows<A, H0, W0>,
        _host: HostSide<'_>,
    ) -> Result<()>
    where
        T: QueuedDestination<(D, S), Written = ()>,
        A: QueuedSource<(D, S), Element: SameElement<T::Element>>,
        A::Place: CopyTo<T::Place, D>,
        H0: QueuedHeight + SameLen<H1>,
        W0: QueuedWidth + SameLen<W1>,
        H1: Len,
        W1: Len,
    {
        let bytes = bytes::<T::Element, _, _, _, _, _, _>(&destination, &source)?;
        if bytes.width > MaxWidth::USIZE || bytes.height > MaxHeight::USIZE {
            return Err(Usage::RowLimit {
                bytes: bytes.width,
                height: bytes.height,
            }
            .into());
        }
        let mut destination = destination.operand;
        let ((to, _), (from, _)) = (destination.destination(), source.operand.source());
        // SAFETY: a live stream of the current context. Each row lies within its operand (invariant of `Rows`),
        // which is queued on this stream and stays allocated until the work is over (invariant of `Queued`).
        let code = unsafe {
            sys::aclrtMemcpy2dAsync(
                to.cast::<c_void>(),
                bytes.to_pitch,
                from.cast::<c_void>(),
                bytes.from_pitch,
                bytes.width,
                bytes.height,
                <A::Place as CopyTo<T::Place, D>>::KIND,
                self.as_raw(),
            )
        };
        check("aclrtMemcpy2dAsync", code)
    }
}

extent! {
    [Q: Queue, M, T, L: Len, H] &Queued<'_, Q, Buf<'_, M, T, L, Init>, H>
        where [M: Place + OnDevice<Q::Device>], |queued| queued.resource().len();
    [Q: Queue, M, T, L: Len, H] &mut Queued<'_, Q, Buf<'_, M, T, L, Init>, H>
        where [M: Place + OnDevice<Q::Device>], |queued| queued.resource().len();
    [Q, M: Place, T, L: Len] Part<'_, Q, M, T, L>, |part| part.len();
    [Q, M: Place, T, L: Len] PartMut<'_, Q, M, T, L>, |part| part.len();
}
