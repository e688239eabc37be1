//! Rows: memory seen as a matrix, and blocking copies of it.

use std::ffi::c_void;
use std::fmt;

use ascendcl_sys as sys;
use typenum::Unsigned;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::copy::{CopyTo, Destination, SameElement, SameLen, Source};
use crate::memory::length::{Dyn, Fixed, Len, NonEmpty};
use crate::memory::place::{Host, OnBoard, Place};
use crate::runtime::HostSide;
use crate::state::Sealed;

/// A matrix in memory: `height` rows of `width` elements each, that begin `pitch` elements apart.
///
/// What holds the elements is `O`: what a copy takes as source or destination (`&buf`, `&mut buf`, a slice,
/// the same of queued memory). Height and width are in the type ([`Rows::fixed`]) or known at run time
/// ([`Rows::new`]).
///
/// # Invariants
///
/// `width <= pitch`, and `(height - 1) * pitch + width` elements lie within `O`.
#[derive(Clone, Copy)]
pub struct Rows<O, H: Len = Dyn, W: Len = Dyn> {
    pub(crate) operand: O,
    pub(crate) height: H,
    pub(crate) width: W,
    pub(crate) pitch: usize,
}

/// What can be seen as rows: the operands of copies.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be seen as rows",
    label = "expected what a copy takes: `&` or `&mut` of an initialised buffer, or a part of one",
    note = "a copy of rows leaves gaps as they are, so fresh memory (`Uninit`) must be filled first: `memset`"
)]
pub trait Extent: Sealed {
    /// The number of elements.
    #[doc(hidden)]
    fn extent(&self) -> usize;
}

/// A width that fits the pitch `P`.
#[diagnostic::on_unimplemented(
    message = "rows of `{Self}` elements do not fit a pitch of `{P}` elements",
    label = "the width must not be larger than the pitch, nor the pitch than an address can span, and neither has zeros in front",
    note = "the pitch is the distance from the start of one row to the start of the next",
    note = "write a number by its name, `U16`, or as `Sum`, `Prod` ... of such: these have no zeros in front"
)]
pub trait FitsPitch<P>: fits::Fits<P> {}
#[diagnostic::do_not_recommend]
impl<W: fits::Fits<P>, P> FitsPitch<P> for W {}

mod fits {
    use typenum::{IsLessOrEqual, NonZero, True, Unsigned};

    use crate::memory::length::Countable;

    /// Seals [`FitsPitch`](super::FitsPitch): it is a property of typenum's numbers.
    pub trait Fits<P>: Unsigned {}
    impl<W: Countable + NonZero + IsLessOrEqual<P, Output = True>, P: Countable> Fits<P> for W {}
}

impl<O: Extent> Rows<O> {
    /// Sees `operand` as rows.
    ///
    /// # Errors
    ///
    /// [`Usage::Pitch`] for a width larger than the pitch, and [`Usage::Rows`] when the operand is too short.
    pub fn new(operand: O, height: usize, width: usize, pitch: usize) -> Result<Rows<O>> {
        if width > pitch {
            return Err(Usage::Pitch { width, pitch }.into());
        }
        Rows::within(operand, Dyn(height), Dyn(width), pitch)
    }

    /// Sees `operand` as `H` rows of `W` elements that begin `P` elements apart, all numbers of `typenum`. A
    /// width larger than the pitch does not compile.
    ///
    /// # Errors
    ///
    /// [`Usage::Rows`] when the operand is too short.
    pub fn fixed<H, W, P>(operand: O) -> Result<Rows<O, Fixed<H>, Fixed<W>>>
    where
        H: NonEmpty,
        W: FitsPitch<P>,
        P: Unsigned,
    {
        Rows::within(operand, Fixed::NEW, Fixed::NEW, P::USIZE)
    }
}

impl<O: Extent, H: Len, W: Len> Rows<O, H, W> {
    fn within(operand: O, height: H, width: W, pitch: usize) -> Result<Self> {
        let (rows, columns, len) = (height.get(), width.get(), operand.extent());
        let last = rows.saturating_sub(1).checked_mul(pitch);
        let needed = last.and_then(|last| last.checked_add(columns));
        match needed {
            // INVARIANT: the rows end within the operand; the caller has compared width and pitch.
            Some(needed) if needed <= len || rows == 0 || columns == 0 => Ok(Rows {
                operand,
                height,
                width,
                pitch,
            }),
            _ => Err(Usage::Rows {
                height: rows,
                width: columns,
                pitch,
                len,
            }
            .into()),
        }
    }
}

impl<O: fmt::Debug, H: Len, W: Len> fmt::Debug for Rows<O, H, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (height, width, pitch) = (self.height.get(), self.width.get(), self.pitch);
        write!(
            f,
            "Rows({height} x {width}, pitch {pitch}, {:?})",
            self.operand
        )
    }
}

/// Rows can be copied from this domain to the domain `Target` by a blocking call: between host and device.
#[diagnostic::on_unimplemented(
    message = "there is no blocking copy of rows from `{Self}` memory to `{Target}` memory",
    label = "rows are copied from host to device, or from device to host",
    note = "within the device queue the copy: `stream.memcpy_2d_async`, on products that have it"
)]
pub trait CopyRowsTo<Target>: Sealed {}
#[diagnostic::do_not_recommend]
impl<B: OnBoard> CopyRowsTo<B> for Host {}
#[diagnostic::do_not_recommend]
impl<A: OnBoard> CopyRowsTo<Host> for A {}

/// The bytes of a copy of rows as C takes them.
pub(crate) struct Bytes {
    pub(crate) to_pitch: usize,
    pub(crate) from_pitch: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// Compares two matrices and computes the bytes of a copy from one to the other.
pub(crate) fn bytes<E, A, H0, W0, B, H1, W1>(
    to: &Rows<A, H1, W1>,
    from: &Rows<B, H0, W0>,
) -> Result<Bytes>
where
    H0: Len + SameLen<H1>,
    W0: Len + SameLen<W1>,
    H1: Len,
    W1: Len,
{
    let source_shape = (from.height.get(), from.width.get());
    let destination_shape = (to.height.get(), to.width.get());
    let known = <H0 as SameLen<H1>>::KNOWN && <W0 as SameLen<W1>>::KNOWN;
    if !known && source_shape != destination_shape {
        return Err(Usage::RowShape {
            source_shape,
            destination_shape,
        }
        .into());
    }
    // No overflow: the operands had this many bytes; a pitch behind the last row is cut off.
    let size = size_of::<E>();
    let pitch = |pitch: usize| pitch.saturating_mul(size);
    Ok(Bytes {
        to_pitch: pitch(to.pitch),
        from_pitch: pitch(from.pitch),
        // Where there are no rows, any width is one.
        width: source_shape.1.saturating_mul(size),
        height: source_shape.0,
    })
}

impl<D: AnyDevice> Current<'_, '_, D> {
    /// Copies rows and returns when that is done (`aclrtMemcpy2d`, pyACL `acl.rt.memcpy2d`). What lies between
    /// the rows of the destination stays as it is.
    ///
    /// The proof `_host` comes from [`Acl::run_mode`](crate::Acl::run_mode): where the program runs on the
    /// device itself there are no copies of rows.
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
    /// fn pad(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    ///     use ascendcl::{Npu, Thread, memory::Rows};
    ///     let mut thread = Thread::claim()?;
    ///     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    ///     let current = thread.set_current(&device)?;
    ///     let Some(side) = acl.run_mode()?.host() else { return Ok(()) };
    ///
    ///     let image = current.malloc_host::<u8>(side, 4 * 48)?; // 4 rows of 48
    ///     let mut padded = current.memset(current.malloc::<u8>(4 * 64)?, 0)?; // 64 apart
    ///     current.memcpy_2d(Rows::new(&mut padded, 4, 48, 64)?, Rows::new(&image, 4, 48, 48)?, side)
    /// }
    /// # #[cfg(feature = "emulator")]
    /// # fn main() -> ascendcl::Result<()> { pad(&ascendcl::Acl::from_env()?) }
    /// # #[cfg(not(feature = "emulator"))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::RowShape`] when heights or widths that are known at run time differ, and
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtMemcpy2d")]
    #[doc(alias = "acl.rt.memcpy2d")]
    pub fn memcpy_2d<T, S, H0, W0, H1, W1>(
        self,
        destination: Rows<T, H1, W1>,
        source: Rows<S, H0, W0>,
        _host: HostSide<'_>,
    ) -> Result<()>
    where
        T: Destination<Written = ()>,
        S: Source<Element: SameElement<T::Element>>,
        S::Place: CopyRowsTo<T::Place> + CopyTo<T::Place, D>,
        H0: Len + SameLen<H1>,
        W0: Len + SameLen<W1>,
        H1: Len,
        W1: Len,
    {
        let bytes = bytes::<T::Element, _, _, _, _, _, _>(&destination, &source)?;
        let mut destination = destination.operand;
        let ((to, _), (from, _)) = (destination.destination(), source.operand.source());
        // SAFETY: each row lies within the operand (invariant of `Rows`), which is live memory that is
        // borrowed exclusively or is initialised. The call returns when the copy is done.
        let code = unsafe {
            sys::aclrtMemcpy2d(
                to.cast::<c_void>(),
                bytes.to_pitch,
                from.cast::<c_void>(),
                bytes.from_pitch,
                bytes.width,
                bytes.height,
                <S::Place as CopyTo<T::Place, D>>::KIND,
            )
        };
        if code != sys::ACL_SUCCESS {
            return Err(self.blocking_failed("aclrtMemcpy2d", code));
        }
        Ok(())
    }
}

/// Lists what can be seen as rows; `$len` is how long it is.
macro_rules! extent {
    ($([$($g:tt)*] $type:ty $(where [$($bounds:tt)*])?, |$this:ident| $len:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($g)*> $crate::memory::rows::Extent for $type $(where $($bounds)*)? {
            #[inline(always)]
            fn extent(&self) -> usize {
                let $this = self;
                $len
            }
        }
    )* };
}
pub(crate) use extent;

extent! {
    [M: Place, T, L: Len] &crate::memory::Buf<'_, M, T, L, crate::state::Init>, |buf| buf.len();
    [M: Place, T, L: Len] &mut crate::memory::Buf<'_, M, T, L, crate::state::Init>, |buf| buf.len();
    [M: Place, T, L: Len] crate::memory::Slice<'_, M, T, L>, |part| part.len();
    [M: Place, T, L: Len] crate::memory::SliceMut<'_, M, T, L>, |part| part.len();
}
