//! Queued copies of rows.

use std::ffi::c_void;

use ascendcl_sys as sys;

use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::elements::ElementOf;
use crate::memory::fixed::{FixedRows, MAX_HEIGHT, MAX_WIDTH, QueuedHeight, QueuedWidth};
use crate::memory::rows::{bytes, extent};
use crate::memory::{
    Buf, CopyTo, Elements, Init, OnDevice, Place, RowShape, Rows, SameElements, SameRows,
};
use crate::queue::{Part, PartMut, Queue, Queued, QueuedDestination, QueuedSource};
use crate::raw::check;
use crate::runtime::HostSide;
use crate::stream::{Stream, StreamTag};

/// Heights and widths that queued copies of rows take: at most 5,242,880 rows of at most 5,000,000 bytes.
#[diagnostic::on_unimplemented(
    message = "a queued copy does not take rows of `{Self}`",
    label = "a queued copy takes at most 5,242,880 rows of at most 5,000,000 bytes"
)]
pub trait QueuedRows: RowShape {}
#[diagnostic::do_not_recommend]
impl QueuedRows for (usize, usize) {}
impl<H: QueuedHeight, W: QueuedWidth> QueuedRows for FixedRows<H, W> {}

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
    pub fn memcpy_2d_async<T, S0, A, B>(
        &mut self,
        destination: Rows<T, B>,
        source: Rows<S0, A>,
        _host: HostSide<'_>,
    ) -> Result<()>
    where
        T: QueuedDestination<(D, S), Written = ()>,
        S0: QueuedSource<(D, S)>,
        [ElementOf<S0::Elements>]: SameElements<[ElementOf<T::Elements>]>,
        S0::Place: CopyTo<T::Place, D>,
        A: QueuedRows + SameRows<B>,
        B: RowShape,
    {
        let bytes = bytes::<ElementOf<T::Elements>, _, _, _, _>(&destination, &source)?;
        if bytes.width > MAX_WIDTH || bytes.height > MAX_HEIGHT {
            return Err(Usage::RowLimit {
                bytes: bytes.width,
                height: bytes.height,
            }
            .into());
        }
        let mut destination = destination.operand;
        let (to, from) = (destination.destination(), source.operand.source());
        // SAFETY: a live stream of the current context. Each row lies within its operand (invariant of `Rows`),
        // which is queued on this stream and stays allocated until the work is over (invariant of `Queued`).
        let code = unsafe {
            sys::aclrtMemcpy2dAsync(
                to.as_ptr().cast::<c_void>(),
                bytes.to_pitch,
                from.as_ptr().cast::<c_void>(),
                bytes.from_pitch,
                bytes.width,
                bytes.height,
                <S0::Place as CopyTo<T::Place, D>>::KIND,
                self.as_raw(),
            )
        };
        check("aclrtMemcpy2dAsync", code)
    }
}

extent! {
    [Q: Queue, M, E: Elements + ?Sized, H] &Queued<'_, Q, Buf<'_, M, E, Init>, H>
        where [M: Place + OnDevice<Q::Device>], |queued| queued.resource().len();
    [Q: Queue, M, E: Elements + ?Sized, H] &mut Queued<'_, Q, Buf<'_, M, E, Init>, H>
        where [M: Place + OnDevice<Q::Device>], |queued| queued.resource().len();
    [Q, M: Place, E: Elements + ?Sized] Part<'_, Q, M, E>, |part| part.len();
    [Q, M: Place, E: Elements + ?Sized] PartMut<'_, Q, M, E>, |part| part.len();
}
