//! Blocks: single allocations that are cut into pieces.
//!
//! Engines of Ascend chips read past the end of their data and need aligned addresses. `aclrtMalloc` handles both for
//! a whole allocation: it rounds the size up to 32 bytes and adds 32 bytes. A program that cuts an allocation into
//! pieces must do this for each piece: a piece takes `ALIGN_UP(len, 32) + 32` bytes and begins at a multiple of 64,
//! for the media engine of 128 (manual, chapter 11). A [`Block`] does this.

use std::fmt;
use std::mem::{ManuallyDrop, forget};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::context::Current;
use crate::device::{AnyDevice, Core, Ident, OfDevice, ident_of, key_of};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::place::{Dev, Dvpp, OnBoard, Piece};
use crate::memory::plain::Plain;
use crate::memory::{Buf, alloc};
use crate::park;
use crate::state::Uninit;

/// The padding of a piece: its size is a multiple of this number, and exceeds the size of its data by at least this
/// number (manual, chapter 11).
const PAD: usize = 32;

/// One allocation in the domain `M` that is cut into pieces, which borrow the block.
///
/// Pieces are buffers: they are copied, queued and passed to operators like others. All pieces are freed together.
/// When the block is dropped, its memory is parked: it is freed after the next wait for the whole device, because
/// nothing else proves that no stream uses a piece. [`Block::free_with_dev_sync`] waits immediately.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// let block = current.malloc_block(1 << 20)?; // one allocation
/// let weights = current.memset(block.piece::<f32>(1000)?, 0)?;
/// let bias = current.memset(block.piece::<f32>(10)?, 0)?;
/// drop((weights, bias));
/// block.free_with_dev_sync(current)?;
/// # });
/// ```
///
/// # Invariants
///
/// - `buf` is an allocation of `M`. Its first `used` bytes were given to pieces, each byte at most once.
/// - `buf` is freed only after a proof that all work of the device is over.
pub struct Block<'dev, M: OnBoard> {
    buf: ManuallyDrop<Buf<'dev, M, [u8], Uninit>>,
    device: Ident<M::Device>,
    used: AtomicUsize,
}

/// Returns the number of bytes that a piece with `bytes` bytes of data takes: `ALIGN_UP(bytes, 32) + 32`. Returns
/// `None` if the result does not fit a `usize`.
///
/// The alignment of the start of the piece can take more bytes.
///
/// ```
/// use ascendcl::memory::padded;
///
/// assert_eq!(padded(100), Some(160)); // 128 bytes and 32 bytes of padding
/// assert_eq!(padded(usize::MAX), None);
/// ```
#[must_use]
pub const fn padded(bytes: usize) -> Option<usize> {
    match bytes.checked_next_multiple_of(PAD) {
        Some(rounded) => rounded.checked_add(PAD),
        None => None,
    }
}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Allocates a block of device memory of `bytes` bytes (`aclrtMalloc`, pyACL `acl.rt.malloc`).
    ///
    /// ```
    /// fn pieces(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    ///     use ascendcl::{Npu, Thread};
    ///     let mut thread = Thread::claim()?;
    ///     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    ///     let current = thread.set_current(&device)?;
    ///     let block = current.malloc_block(4096)?;
    ///     let weights = current.memset(block.piece::<f32>(100)?, 0)?;
    ///     let bias = current.memset(block.piece::<f32>(10)?, 0)?;
    ///     assert_eq!(bias.as_raw().addr() % 64, 0);
    ///     drop((weights, bias));
    ///     block.free_with_dev_sync(current)
    /// }
    /// # ascendcl::example!(|acl| { pieces(&acl)?; });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`].
    pub fn malloc_block(self, bytes: usize) -> Result<Block<'dev, Dev<D>>> {
        Ok(Block::new(self.malloc(bytes)?, self.core()))
    }

    /// Allocates a block of memory of the media engine of `bytes` bytes (`acldvppMalloc`, pyACL
    /// `acl.media.dvpp_malloc`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let block = current.malloc_dvpp_block(1 << 20)?;
    /// let file = current.memset(block.piece::<u8>(1000)?, 0)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc_dvpp`].
    pub fn malloc_dvpp_block(self, bytes: usize) -> Result<Block<'dev, Dvpp<D>>> {
        Ok(Block::new(self.malloc_dvpp(bytes)?, self.core()))
    }
}

impl<'dev, M: OnBoard> Block<'dev, M> {
    fn new(buf: Buf<'dev, M, [u8], Uninit>, core: &Core) -> Self {
        Block {
            buf: ManuallyDrop::new(buf),
            device: ident_of::<M::Device>(|| core.parking().key()),
            used: AtomicUsize::new(0),
        }
    }

    /// Returns the number of free bytes, counted from the next aligned address.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let block = current.malloc_block(4096)?;
    /// let before = block.left();
    /// let piece = block.piece::<u8>(1000)?;
    /// assert!(block.left() <= before - 1000);
    /// # });
    /// ```
    #[must_use]
    pub fn left(&self) -> usize {
        let next = self.next(self.used.load(Ordering::Relaxed));
        next.map_or(0, |next| self.buf.len().saturating_sub(next))
    }

    /// Returns the offset of the first aligned address after `used` bytes, for any alignment of the block itself.
    fn next(&self, used: usize) -> Option<usize> {
        let base = self.buf.as_raw().addr();
        let address = base.checked_add(used)?;
        Some(address.checked_next_multiple_of(M::ALIGNMENT)? - base)
    }

    /// Returns a fresh piece of `len` elements.
    ///
    /// The piece takes [`padded`] bytes of the block and begins at the next multiple of 64 bytes (128 bytes for media
    /// memory).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let block = current.malloc_block(4096)?;
    /// let numbers = block.piece::<f32>(100)?;
    /// assert!(block.piece::<f32>(1000).is_err()); // the block has no room for 4000 bytes more
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::ZeroSize`], [`Usage::SizeOverflow`], [`Usage::Alignment`] for elements that need a larger alignment
    /// than that of pieces, and [`Usage::BlockFull`] when the block has not enough free bytes.
    pub fn piece<T: Plain>(&self, len: usize) -> Result<Buf<'_, Piece<M>, [T], Uninit>> {
        let bytes = alloc::size::<T>(len, M::ALIGNMENT)?;
        let size = size_of::<T>();
        let needed = padded(bytes).ok_or(Usage::SizeOverflow { len, size })?;
        let start = self.take(needed)?;
        // SAFETY: `needed` bytes of the block belong to this piece alone and are aligned for `T` (`size` checked
        // this). The block stays allocated while the piece borrows it and until the device has finished all work.
        Ok(unsafe { Buf::from_parts(NonNull::slice_from_raw_parts(start.cast(), len)) })
    }

    /// Takes bytes from the next aligned address.
    pub(super) fn take(&self, bytes: usize) -> Result<NonNull<u8>> {
        let len = self.buf.len();
        let place = |used: usize| {
            let start = self.next(used)?;
            let end = start.checked_add(bytes).filter(|end| *end <= len)?;
            Some((start, end))
        };
        let taken = self
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                place(used).map(|(_, end)| end)
            });
        let Ok(Some((start, _))) = taken.map(place) else {
            return Err(Usage::BlockFull {
                needed: bytes,
                left: self.left(),
            }
            .into());
        };
        let address = self.buf.as_raw().wrapping_add(start);
        // SAFETY: not null, because the address lies within the allocation.
        Ok(unsafe { NonNull::new_unchecked(address) })
    }
}

impl<'dev, D: AnyDevice> Block<'dev, Dev<D>> {
    /// Waits for the device and frees the block (`aclrtFreeWithDevSync`).
    ///
    /// This call does not compile while a piece is alive.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let block = current.malloc_block(4096)?;
    /// current.memset(block.piece::<f32>(100)?, 0)?; // the piece is dropped here
    /// block.free_with_dev_sync(current)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] as for [`Current::synchronize_device`], and [`ErrorKind::Refused`]. On an error the block
    /// is parked: it is freed after a later successful wait for the device.
    #[doc(alias = "aclrtFreeWithDevSync")]
    pub fn free_with_dev_sync<'t>(
        self,
        current: impl OfDevice<Current<'t, 'dev, D>>,
    ) -> Result<()> {
        let current = current.into_inner();
        let pointer = self.buf.as_raw();
        // SAFETY: an allocation of `aclrtMalloc` that only queues of the current device use; it is forgotten behind a success.
        unsafe { current.core().free_with_dev_sync(pointer.cast()) }?;
        forget(self);
        Ok(())
    }
}

impl<M: OnBoard> Drop for Block<'_, M> {
    fn drop(&mut self) {
        // SAFETY: dropped once, and the field is not used afterwards.
        let buf = unsafe { ManuallyDrop::take(&mut self.buf) };
        // Any stream of the device may still use a piece that was queued and then forgotten (`mem::forget`).
        buf.into_parking(&park::find(key_of::<M::Device>(self.device)), &[None]);
    }
}

impl<M: OnBoard> fmt::Debug for Block<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Block({:?}, {} bytes left)", *self.buf, self.left())
    }
}
