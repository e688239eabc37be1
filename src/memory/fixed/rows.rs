//! Rows whose height and width are part of their types.

use std::fmt;
use std::marker::PhantomData;

use typenum::{IsLessOrEqual, Prod, True, U5, U1000000, U1048576, Unsigned};

use crate::error::Result;
use crate::memory::fixed::NonEmpty;
use crate::memory::rows::{Extent, MAX_HEIGHT, MAX_WIDTH, QueuedRows, RowShape, Rows, SameRows};
use crate::state::Sealed;

/// A shape of `H` rows of `W` elements each, both numbers of `typenum`.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::memory::Rows;
/// use ascendcl::memory::fixed::FixedRows;
/// use typenum::{U3, U5, U8};
///
/// let numbers = current.memset(current.malloc::<f32>(24)?, 0)?;
/// // Three rows of five elements; the rows begin at each eighth element.
/// let rows: Rows<_, FixedRows<U3, U5>> = Rows::fixed::<U3, U5, U8>(&numbers)?;
/// # });
/// ```
pub struct FixedRows<H, W>(PhantomData<fn() -> (H, W)>);

impl<H, W> Clone for FixedRows<H, W> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<H, W> Copy for FixedRows<H, W> {}

impl<H: Unsigned, W: Unsigned> fmt::Debug for FixedRows<H, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FixedRows({} x {})", H::USIZE, W::USIZE)
    }
}

impl<H, W> Sealed for FixedRows<H, W> {}
#[diagnostic::do_not_recommend]
impl<H: Unsigned, W: Unsigned> RowShape for FixedRows<H, W> {
    #[inline(always)]
    fn height_and_width(self) -> (usize, usize) {
        (H::USIZE, W::USIZE)
    }
}

#[diagnostic::do_not_recommend]
impl<H: Unsigned, W: Unsigned> SameRows<FixedRows<H, W>> for FixedRows<H, W> {
    const KNOWN: bool = true;
}
#[diagnostic::do_not_recommend]
impl<H: Unsigned, W: Unsigned> SameRows<(usize, usize)> for FixedRows<H, W> {
    const KNOWN: bool = false;
}
#[diagnostic::do_not_recommend]
impl<H, W> SameRows<FixedRows<H, W>> for (usize, usize) {
    const KNOWN: bool = false;
}

/// A width that fits the pitch `P`.
#[diagnostic::on_unimplemented(
    message = "rows of `{Self}` elements do not fit a pitch of `{P}` elements",
    label = "the width is larger than the pitch, the pitch is too large for an address, or a number has leading zeros",
    note = "the pitch is the distance from the start of one row to the start of the next",
    note = "write a number by its name, `U16`, or as `Sum`, `Prod` ... of such numbers: these have no leading zeros"
)]
pub trait FitsPitch<P>: fits::Fits<P> {}
#[diagnostic::do_not_recommend]
impl<W: fits::Fits<P>, P> FitsPitch<P> for W {}

mod fits {
    use typenum::{IsLessOrEqual, NonZero, True, Unsigned};

    use crate::memory::fixed::number::Countable;

    /// Seals [`FitsPitch`](super::FitsPitch): only numbers of `typenum` implement it.
    pub trait Fits<P>: Unsigned {}
    impl<W: Countable + NonZero + IsLessOrEqual<P, Output = True>, P: Countable> Fits<P> for W {}
}

impl<O: Extent> Rows<O> {
    /// Makes a matrix of `H` rows of `W` elements of `operand`. The starts of the rows are `P` elements apart, and
    /// all numbers are numbers of `typenum`. A width larger than the pitch does not compile.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::memory::Rows;
    /// use typenum::{U3, U5, U8};
    ///
    /// let numbers = current.memset(current.malloc::<f32>(24)?, 0)?;
    /// let rows = Rows::fixed::<U3, U5, U8>(&numbers)?; // `<U3, U8, U5>` does not compile
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Rows`](crate::error::Usage::Rows) when the operand is too short.
    pub fn fixed<H, W, P>(operand: O) -> Result<Rows<O, FixedRows<H, W>>>
    where
        H: NonEmpty,
        W: FitsPitch<P>,
        P: Unsigned,
    {
        Rows::within(operand, FixedRows(PhantomData), P::USIZE)
    }
}

/// The largest width in bytes of the rows of a queued copy (manual chapter 11-03).
type MaxWidth = Prod<U5, U1000000>;
/// The largest number of rows of a queued copy.
type MaxHeight = Prod<U5, U1048576>;

const _: () = assert!(MaxWidth::USIZE == MAX_WIDTH);
const _: () = assert!(MaxHeight::USIZE == MAX_HEIGHT);

impl<H: QueuedHeight, W: QueuedWidth> QueuedRows for FixedRows<H, W> {}

/// A width that queued copies of rows take: at most 5,000,000 bytes.
#[diagnostic::on_unimplemented(
    message = "rows of `{Self}` elements are too wide for a queued copy",
    label = "a queued copy takes rows of at most 5,000,000 bytes",
    note = "copy the rows in columns, or with `memcpy_2d`, which blocks and has no limit"
)]
pub trait QueuedWidth: Unsigned {}
#[diagnostic::do_not_recommend]
impl<N: Unsigned + IsLessOrEqual<MaxWidth, Output = True>> QueuedWidth for N {}

/// A number of rows that queued copies take: at most 5,242,880.
#[diagnostic::on_unimplemented(
    message = "a queued copy does not take `{Self}` rows",
    label = "a queued copy takes at most 5,242,880 rows",
    note = "copy the rows in pieces, or with `memcpy_2d`, which blocks and has no limit"
)]
pub trait QueuedHeight: Unsigned {}
#[diagnostic::do_not_recommend]
impl<N: Unsigned + IsLessOrEqual<MaxHeight, Output = True>> QueuedHeight for N {}
