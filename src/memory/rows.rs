//! Rows: memory as a matrix, and copies of matrices.

use std::ffi::c_void;
use std::fmt;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::copy::CopyTo;
use crate::memory::elements::{ElementOf, Elements, SameElements};
use crate::memory::operand::{Destination, Source};
use crate::memory::place::{Host, OnBoard, Place};
use crate::memory::{Buf, Slice, SliceMut};
use crate::raw::check;
use crate::runtime::HostSide;
use crate::state::{Init, Sealed};
use crate::stream::{AnyStream, Stream, StreamTag};

/// A matrix in memory: `height` rows of `width` elements each, whose starts are `pitch` elements apart.
///
/// `O` is the operand that holds the elements: a source or destination of a copy (`&buf`, `&mut buf`, a slice, or one
/// of these of queued memory). Height and width are part of the type `S` ([`Rows::fixed`]) or known at run time
/// ([`Rows::new`]).
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::memory::Rows;
///
/// // The left half of a matrix of 2 rows and 4 columns.
/// let matrix = current.malloc_host_from(host, &[1_u8, 2, 3, 4, 5, 6, 7, 8])?;
/// let mut half = current.memset(current.malloc::<u8>(4)?, 0)?;
/// current.memcpy_2d(Rows::new(&mut half, 2, 2, 2)?, Rows::new(&matrix, 2, 2, 4)?, host)?;
/// let mut back = current.malloc_host::<u8>(host, 4)?;
/// current.memcpy(&mut back, &half)?;
/// assert_eq!(back[..], [1, 2, 5, 6]);
/// # });
/// ```
///
/// # Invariants
///
/// `width <= pitch`, and `(height - 1) * pitch + width` elements lie within `O`.
#[derive(Clone, Copy)]
pub struct Rows<O, S = (usize, usize)> {
    operand: O,
    shape: S,
    pitch: usize,
}

/// Memory that [`Rows`] can use as a matrix: the operands of copies.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no rows",
    label = "expected `&` or `&mut` of an initialised buffer, or a part of one",
    note = "fill fresh memory (`Uninit`) first, because a copy of rows does not write the gaps: `memset`"
)]
pub trait Extent: Sealed {
    /// Returns the number of elements.
    #[doc(hidden)]
    fn extent(&self) -> usize;
}

#[diagnostic::do_not_recommend]
impl<M: Place, E: Elements + ?Sized> Extent for &Buf<'_, M, E, Init> {
    #[inline(always)]
    fn extent(&self) -> usize {
        self.len()
    }
}
#[diagnostic::do_not_recommend]
impl<M: Place, E: Elements + ?Sized> Extent for &mut Buf<'_, M, E, Init> {
    #[inline(always)]
    fn extent(&self) -> usize {
        self.len()
    }
}
#[diagnostic::do_not_recommend]
impl<M: Place, E: Elements + ?Sized, Q> Extent for Slice<'_, M, E, Q> {
    #[inline(always)]
    fn extent(&self) -> usize {
        self.len()
    }
}
#[diagnostic::do_not_recommend]
impl<M: Place, E: Elements + ?Sized, Q> Extent for SliceMut<'_, M, E, Q> {
    #[inline(always)]
    fn extent(&self) -> usize {
        self.len()
    }
}

/// The height and the width of rows: `(height, width)` at run time, or
/// [`FixedRows`](crate::memory::fixed::FixedRows).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the height and width of rows",
    label = "expected `(usize, usize)`, or `FixedRows` of two numbers"
)]
pub trait RowShape: Sealed + Copy {
    /// Returns the height and the width.
    #[doc(hidden)]
    fn height_and_width(self) -> (usize, usize);
}

impl Sealed for (usize, usize) {}
#[diagnostic::do_not_recommend]
impl RowShape for (usize, usize) {
    #[inline(always)]
    fn height_and_width(self) -> (usize, usize) {
        self
    }
}

/// Shapes of rows that can be equal. The compiler compares shapes that are part of types.
#[diagnostic::on_unimplemented(
    message = "the source and the destination have rows of different heights or widths",
    label = "`{Self}` cannot be copied to `{Target}`",
    note = "give both sides the same height and the same width; the pitches may differ"
)]
pub trait SameRows<Target>: RowShape {
    /// Whether the compiler has compared the shapes.
    const KNOWN: bool;
}
#[diagnostic::do_not_recommend]
impl SameRows<(usize, usize)> for (usize, usize) {
    const KNOWN: bool = false;
}

impl<O: Extent> Rows<O> {
    /// Makes a matrix of `height` rows of `width` elements of `operand`. The starts of the rows are `pitch` elements
    /// apart.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::memory::Rows;
    ///
    /// let matrix = current.malloc_host::<f32>(host, 12)?;
    /// let rows = Rows::new(&matrix, 3, 2, 4)?; // 3 rows of 2 elements, whose starts are 4 elements apart
    /// assert!(Rows::new(&matrix, 4, 2, 4).is_err()); // the buffer has no fourth row
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Pitch`] for a width larger than the pitch, and [`Usage::Rows`] when the operand is too short.
    pub fn new(operand: O, height: usize, width: usize, pitch: usize) -> Result<Rows<O>> {
        if width > pitch {
            return Err(Usage::Pitch { width, pitch }.into());
        }
        Rows::within(operand, (height, width), pitch)
    }
}

impl<O: Extent, S: RowShape> Rows<O, S> {
    /// Checks that the rows lie within the operand. The caller has compared width and pitch.
    pub(super) fn within(operand: O, shape: S, pitch: usize) -> Result<Self> {
        let ((height, width), len) = (shape.height_and_width(), operand.extent());
        let last = height.saturating_sub(1).checked_mul(pitch);
        let needed = last.and_then(|last| last.checked_add(width));
        match needed {
            // INVARIANT: the rows end within the operand, and `width <= pitch` (the caller).
            Some(needed) if needed <= len || height == 0 || width == 0 => Ok(Rows {
                operand,
                shape,
                pitch,
            }),
            _ => Err(Usage::Rows {
                height,
                width,
                pitch,
                len,
            }
            .into()),
        }
    }
}

impl<O: fmt::Debug, S: RowShape> fmt::Debug for Rows<O, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((height, width), pitch) = (self.shape.height_and_width(), self.pitch);
        write!(
            f,
            "Rows({height} x {width}, pitch {pitch}, {:?})",
            self.operand
        )
    }
}

/// Domains from which a blocking call can copy rows to the domain `Target`: between host and device.
#[diagnostic::on_unimplemented(
    message = "there is no blocking copy of rows from `{Self}` memory to `{Target}` memory",
    label = "rows are copied from host to device, or from device to host",
    note = "queue a copy within the device: `stream.memcpy_2d_async`, on products with this function"
)]
pub trait CopyRowsTo<Target>: Sealed {}
#[diagnostic::do_not_recommend]
impl<B: OnBoard> CopyRowsTo<B> for Host {}
#[diagnostic::do_not_recommend]
impl<A: OnBoard> CopyRowsTo<Host> for A {}

/// Heights and widths that queued copies of rows take: at most 5,242,880 rows of at most 5,000,000 bytes.
#[diagnostic::on_unimplemented(
    message = "a queued copy does not take rows of `{Self}`",
    label = "a queued copy takes at most 5,242,880 rows of at most 5,000,000 bytes"
)]
pub trait QueuedRows: RowShape {}
#[diagnostic::do_not_recommend]
impl QueuedRows for (usize, usize) {}

/// The largest width in bytes of the rows of a queued copy (manual chapter 11-03).
pub(super) const MAX_WIDTH: usize = 5_000_000;
/// The largest number of rows of a queued copy.
pub(super) const MAX_HEIGHT: usize = 5_242_880;

/// The arguments of a copy of rows as C takes them: the pitches and the width in bytes, and the number of rows.
struct Bytes {
    to_pitch: usize,
    from_pitch: usize,
    width: usize,
    height: usize,
}

/// Compares the shapes of two matrices and computes the arguments of a copy from one to the other.
fn bytes<E, A, S0, B, S1>(to: &Rows<A, S1>, from: &Rows<B, S0>) -> Result<Bytes>
where
    S0: SameRows<S1>,
    S1: RowShape,
{
    let source_shape = from.shape.height_and_width();
    let destination_shape = to.shape.height_and_width();
    if !<S0 as SameRows<S1>>::KNOWN && source_shape != destination_shape {
        return Err(Usage::RowShape {
            source_shape,
            destination_shape,
        }
        .into());
    }
    // No overflow: the operands have this many bytes. Only the pitch after the last row can be larger, and it
    // saturates.
    let size = size_of::<E>();
    let pitch = |pitch: usize| pitch.saturating_mul(size);
    Ok(Bytes {
        to_pitch: pitch(to.pitch),
        from_pitch: pitch(from.pitch),
        // If there are no rows, the width can be any number, and saturates.
        width: source_shape.1.saturating_mul(size),
        height: source_shape.0,
    })
}

impl<D: AnyDevice> Current<'_, '_, D> {
    /// Copies rows and returns when the copy is done (`aclrtMemcpy2d`, pyACL `acl.rt.memcpy2d`). The bytes between
    /// the rows of the destination do not change.
    ///
    /// The proof `_host` comes from [`Acl::run_mode`](crate::Acl::run_mode): a program that runs on the device itself
    /// cannot copy rows.
    ///
    /// ```
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
    /// # ascendcl::example!(|acl| { pad(&acl)?; });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::RowShape`] when heights or widths that are known at run time differ, and [`ErrorKind::Refused`] when
    /// AscendCL returns an error. If a time limit has ended the call, the method waits for the device first, and this
    /// wait may concern its streams, as for [`Current::memcpy`].
    #[doc(alias = "aclrtMemcpy2d")]
    #[doc(alias = "acl.rt.memcpy2d")]
    pub fn memcpy_2d<T, S, A, B>(
        self,
        destination: Rows<T, B>,
        source: Rows<S, A>,
        _host: HostSide<'_>,
    ) -> Result<()>
    where
        T: Destination<D, Written = ()>,
        S: Source<D>,
        [ElementOf<S::Elements>]: SameElements<[ElementOf<T::Elements>]>,
        S::Place: CopyRowsTo<T::Place> + CopyTo<T::Place, D>,
        A: SameRows<B>,
        B: RowShape,
    {
        let bytes = bytes::<ElementOf<T::Elements>, _, _, _, _>(&destination, &source)?;
        let (to, from) = (destination.operand.destination(), source.operand.source());
        // SAFETY: each row lies within its operand (invariant of `Rows`). The operands are live memory: the
        // destination is borrowed exclusively, and the source is initialised. The call returns when the copy is done.
        let code = unsafe {
            sys::aclrtMemcpy2d(
                to.as_ptr().cast::<c_void>(),
                bytes.to_pitch,
                from.as_ptr().cast::<c_void>(),
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

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Queues a copy of rows and returns at once (`aclrtMemcpy2dAsync`, pyACL `acl.rt.memcpy2d_async`). The bytes
    /// between the rows of the destination do not change.
    ///
    /// Only some products support copies within the device. The proof `_host` comes from
    /// [`Acl::run_mode`](crate::Acl::run_mode): a program that runs on the device itself cannot copy rows.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::memory::Rows;
    ///
    /// let matrix = stream.malloc_host_from(host, &[1_u8, 2, 3, 4, 5, 6, 7, 8])?;
    /// let mut half = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// stream.memcpy_2d_async(Rows::new(&mut half, 2, 2, 2)?, Rows::new(&matrix, 2, 2, 4)?, host)?;
    /// let back = stream.memcpy_async(stream.malloc_host(host, 4)?, &half)?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [1, 2, 5, 6]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::RowShape`] when heights or widths that are known at run time differ, [`Usage::RowLimit`] for rows of
    /// more than 5,000,000 bytes or more than 5,242,880 rows, and [`ErrorKind::Refused`] when AscendCL does not queue
    /// the copy. If the copy itself fails, the next wait of the stream returns the error.
    #[doc(alias = "aclrtMemcpy2dAsync")]
    #[doc(alias = "acl.rt.memcpy2d_async")]
    pub fn memcpy_2d_async<T, S0, A, B>(
        &mut self,
        destination: Rows<T, B>,
        source: Rows<S0, A>,
        _host: HostSide<'_>,
    ) -> Result<()>
    where
        S: StreamTag,
        T: Destination<(D, S), Written = ()>,
        S0: Source<(D, S)>,
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
        let (to, from) = (destination.operand.destination(), source.operand.source());
        // SAFETY: a live stream of the current context. Each row lies within its operand (invariant of `Rows`). The
        // operand is queued on this stream and stays allocated until the work is over (invariant of `Queued`).
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
