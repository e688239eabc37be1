//! Pieces of a block whose sizes are part of their types.

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use typenum::{Prod, Quot, Sum, U2, U4, U31, U32, Unsigned};

use crate::device::AnyDevice;
use crate::error::Result;
use crate::memory::fixed::{Fixed, FixedSize, NonEmpty, Without};
use crate::memory::place::{Cached, Dev, Dvpp, DvppV2, OnBoard, Piece};
use crate::memory::{Block, Buf};
use crate::state::{Invariant, Uninit};

/// Free bytes of a block, from which the compiler cuts pieces. `Left` is their number.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use typenum::{U100, U4096};
///
/// let block = current.malloc_block(8192)?;
/// let room = block.room::<U4096>()?; // 4096 bytes are free
/// let (weights, room) = room.piece::<f32, U100>(); // a piece that does not fit does not compile
/// let (bias, _room) = room.piece::<f32, U100>();
/// # });
/// ```
///
/// # Invariants
///
/// - `start` is aligned as pieces of `M` are.
/// - No other code gets the `Left` bytes after `start` during `'b`.
pub struct Room<'b, M: OnBoard, Left> {
    start: NonNull<u8>,
    _block: PhantomData<(&'b (), Invariant<(M, Left)>)>,
}

impl<'dev, M: OnBoard> Block<'dev, M> {
    /// Takes `N` bytes of the block, a number of `typenum`, for pieces whose sizes are part of their types. The
    /// compiler checks that the pieces fit.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use typenum::U4096;
    ///
    /// let block = current.malloc_block(8192)?;
    /// let room = block.room::<U4096>()?;
    /// assert!(block.room::<typenum::U8192>().is_err()); // 4096 bytes are taken
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::BlockFull`](crate::error::Usage::BlockFull) when the block has fewer than `N` free bytes.
    pub fn room<N: NonEmpty>(&self) -> Result<Room<'_, M, N>> {
        Ok(Room {
            start: self.take(N::USIZE)?,
            _block: PhantomData,
        })
    }
}

impl<'b, M: OnBoard, Left> Room<'b, M, Left> {
    /// Returns a fresh piece of `N` elements `T` and the remaining room. A piece that does not fit does not compile.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use typenum::{U100, U4096};
    ///
    /// let block = current.malloc_block(8192)?;
    /// let (weights, room) = block.room::<U4096>()?.piece::<f32, U100>();
    /// assert_eq!(weights.len(), 100);
    /// let (bias, _room) = room.piece::<f32, U100>();
    /// # });
    /// ```
    pub fn piece<T, N>(self) -> PieceAndRest<'b, M, Left, T, N>
    where
        N: NonEmpty + Measured<M, T>,
        Left: HasRoom<M, T, N> + Without<N::Bytes>,
    {
        let behind = self.start.as_ptr().wrapping_add(N::Bytes::USIZE);
        // SAFETY: not null, because the address lies within the room or at its end.
        let start = unsafe { NonNull::new_unchecked(behind) };
        // SAFETY: the first bytes of this room, which is consumed. They have room for `N` elements and the padding
        // (`HasRoom`), and are aligned as pieces of `M` are, which is enough for any number.
        let piece = unsafe { Buf::from_parts(self.start.cast()) };
        let rest = Room {
            start,
            _block: PhantomData,
        };
        (piece, rest)
    }
}

/// The result of [`Room::piece`]: the piece and the remaining room.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::memory::fixed::PieceAndRest;
/// use typenum::{U100, U4096};
///
/// let block = current.malloc_block(8192)?;
/// let room = block.room::<U4096>()?;
/// let both: PieceAndRest<'_, _, U4096, f32, U100> = room.piece();
/// # });
/// ```
pub type PieceAndRest<'b, M, Left, T, N> = (
    Buf<'b, Piece<M>, Fixed<T, N>, Uninit>,
    Room<'b, M, <Left as Without<<N as Measured<M, T>>::Bytes>>::Rest>,
);

/// A number of bytes with room for a piece of `N` elements `T`, with its padding, up to the next aligned address.
#[diagnostic::on_unimplemented(
    message = "a piece of `{N}` elements of `{T}` does not fit in the `{Self}` bytes that are left",
    label = "this piece is too large",
    note = "a piece takes ALIGN_UP(bytes, 32) + 32 bytes, and begins at a multiple of 64 bytes, in media memory of 128",
    note = "numbers of `typenum` are printed in binary: `UInt<UInt<UTerm, B1>, B0>` is 2"
)]
pub trait HasRoom<M, T, N>: sealed::Fits<M, T, N> {}
#[diagnostic::do_not_recommend]
impl<M, T, N, Left: sealed::Fits<M, T, N>> HasRoom<M, T, N> for Left {}

/// A number of elements `T` whose size in a block of `M` memory the compiler can compute.
#[diagnostic::on_unimplemented(
    message = "the compiler does not know the size of a piece of `{Self}` elements of `{T}`",
    label = "expected a number of `typenum`, and elements that are numbers",
    note = "for other elements use `Block::piece`, which checks sizes at run time"
)]
pub trait Measured<M, T>: sealed::Number<M, T> {
    /// The size of the piece in bytes, with its padding, up to the next aligned address.
    type Bytes: Unsigned;
}
#[diagnostic::do_not_recommend]
impl<M, T, N: sealed::Number<M, T>> Measured<M, T> for N {
    type Bytes = N::Taken;
}

/// The number of units of 32 bytes that hold `N` elements `T`, rounded up.
type Units<T, N> = Quot<Sum<Prod<N, <T as FixedSize>::Size>, U31>, U32>;
/// The number of lines of a piece of `N` elements `T`: its units and the padding, in lines of `M::Lines` units,
/// rounded up.
type RoundedUp<M, T, N> = Quot<Sum<Units<T, N>, <M as Lined>::Lines>, <M as Lined>::Lines>;

/// A domain whose pieces are aligned to a number of units of 32 bytes.
pub trait Lined: OnBoard {
    /// The number of units (manual, chapter 11).
    type Lines: Unsigned;
}

/// Lists the domains. The numbers correspond to [`OnBoard::ALIGNMENT`].
macro_rules! lined {
    ($($place:ident: $lines:ident;)*) => { $(
        impl<D: AnyDevice> Lined for $place<D> {
            type Lines = $lines;
        }
        const _: () = assert!(32 * $lines::USIZE == $place::<crate::device::Npu<0>>::ALIGNMENT);
    )* };
}

lined! { Dev: U2; Cached: U2; Dvpp: U4; DvppV2: U4; }

mod sealed {
    use std::ops::{Add, Div, Mul};

    use typenum::{IsLessOrEqual, Prod, Sum, True, U31, U32, Unsigned};

    use super::{FixedSize, Lined, NonEmpty, RoundedUp, Units};

    /// Seals [`Measured`](super::Measured): only numbers of `typenum` implement it.
    pub trait Number<M, T> {
        type Taken: Unsigned;
    }
    impl<M, T, N> Number<M, T> for N
    where
        M: Lined<Lines: Mul<U32>>,
        T: FixedSize,
        N: NonEmpty + Mul<T::Size>,
        Prod<N, T::Size>: Add<U31>,
        Sum<Prod<N, T::Size>, U31>: Div<U32>,
        Units<T, N>: Add<M::Lines>,
        Sum<Units<T, N>, M::Lines>: Div<M::Lines>,
        RoundedUp<M, T, N>: Mul<Prod<M::Lines, U32>, Output: Unsigned>,
    {
        type Taken = Prod<RoundedUp<M, T, N>, Prod<M::Lines, U32>>;
    }

    /// Seals [`HasRoom`](super::HasRoom).
    pub trait Fits<M, T, N> {}
    impl<M, T, N, Left> Fits<M, T, N> for Left
    where
        N: Number<M, T>,
        N::Taken: IsLessOrEqual<Left, Output = True>,
    {
    }
}

impl<M: OnBoard, Left: Unsigned> fmt::Debug for Room<'_, M, Left> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Room({:p}, {})", self.start, Left::USIZE)
    }
}
