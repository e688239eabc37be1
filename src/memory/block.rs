//! Blocks: one allocation, cut into pieces.
//!
//! Engines of Ascend chips read past the end of their data, and want their addresses aligned. `aclrtMalloc`
//! takes care of both for a whole allocation: it rounds the size up to 32 bytes and adds 32. Who cuts an
//! allocation into pieces has to do the same for each of them (manual, chapter 11: `ALIGN_UP(len, 32) + 32`
//! bytes, beginning at a multiple of 64, of 128 for the media engine). A [`Block`] does.

use std::fmt;
use std::mem::{ManuallyDrop, forget};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, Core, Ident, ident_of, key_of};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::place::{Dev, Dvpp, OnBoard, Piece};
use crate::memory::plain::Plain;
use crate::memory::{Buf, alloc};
use crate::park;
use crate::raw::check_wait;
use crate::state::Uninit;

/// What a piece is longer than its data by, at least, and a multiple of (manual, chapter 11).
const PAD: usize = 32;

/// One allocation in the domain `M`, from which pieces are taken that live as long as it.
///
/// Pieces are buffers: they are copied, queued and given to operators like others. They are given back
/// together: when the block is dropped its memory is parked, and freed after the next wait for the whole
/// device, because nothing else proves that no stream uses a piece any more. [`Block::free_with_dev_sync`]
/// waits at once.
///
/// # Invariants
///
/// - `buf` is an allocation of `M` of which the first `used` bytes were given away, and no byte twice.
/// - It is freed only after a proof that all work of the device is over.
pub struct Block<'dev, M: OnBoard> {
    buf: ManuallyDrop<Buf<'dev, M, [u8], Uninit>>,
    device: Ident<M::Device>,
    used: AtomicUsize,
}

/// The bytes that a piece of `bytes` bytes takes, besides the alignment of its start:
/// `ALIGN_UP(bytes, 32) + 32`. `None` for more than an address can span.
#[must_use]
pub const fn padded(bytes: usize) -> Option<usize> {
    match bytes.checked_next_multiple_of(PAD) {
        Some(rounded) => rounded.checked_add(PAD),
        None => None,
    }
}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Allocates device memory that will be cut into pieces (`aclrtMalloc`, pyACL `acl.rt.malloc`).
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
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
    /// # #[cfg(feature = "emulator")]
    /// # fn main() -> ascendcl::Result<()> { pieces(&ascendcl::Acl::from_env()?) }
    /// # #[cfg(not(feature = "emulator"))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`].
    pub fn malloc_block(self, bytes: usize) -> Result<Block<'dev, Dev<D>>> {
        Ok(Block::new(self.malloc(bytes)?, self.core()))
    }

    /// Allocates memory of the media engine that will be cut into pieces (`acldvppMalloc`, pyACL
    /// `acl.media.dvpp_malloc`).
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

    /// The bytes behind the next aligned address that are not given away.
    #[must_use]
    pub fn left(&self) -> usize {
        let next = self.next(self.used.load(Ordering::Relaxed));
        next.map_or(0, |next| self.buf.len().saturating_sub(next))
    }

    /// The offset of the first aligned address behind `used` bytes, whatever the block itself is aligned to.
    fn next(&self, used: usize) -> Option<usize> {
        let base = self.buf.as_raw().addr();
        let address = base.checked_add(used)?;
        Some(address.checked_next_multiple_of(M::ALIGNMENT)? - base)
    }

    /// A piece of `len` elements, fresh as a new allocation is.
    ///
    /// It takes [`padded`] bytes of the block, from the next multiple of 64 bytes (128 for media memory).
    ///
    /// # Errors
    ///
    /// [`Usage::ZeroSize`], [`Usage::SizeOverflow`], [`Usage::Alignment`] for elements aligned to more than
    /// the pieces are, and [`Usage::BlockFull`].
    pub fn piece<T: Plain>(&self, len: usize) -> Result<Buf<'_, Piece<M>, [T], Uninit>> {
        let bytes = alloc::size::<T>(len, M::ALIGNMENT)?;
        let size = size_of::<T>();
        let needed = padded(bytes).ok_or(Usage::SizeOverflow { len, size })?;
        let start = self.take(needed)?;
        // SAFETY: `needed` bytes of the block for this piece alone, aligned for `T` (`size` has compared), that
        // the block keeps while the piece borrows it and until the device is done with it.
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
        // SAFETY: not null, because it is an address within the allocation.
        Ok(unsafe { NonNull::new_unchecked(address) })
    }
}

impl<'dev, D: AnyDevice> Block<'dev, Dev<D>> {
    /// Waits for the device and frees the block (`aclrtFreeWithDevSync`).
    ///
    /// Does not compile while a piece is alive.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] as for [`Current::synchronize_device`], and [`ErrorKind::Refused`]; the block is parked then.
    #[doc(alias = "aclrtFreeWithDevSync")]
    pub fn free_with_dev_sync(self, current: Current<'_, 'dev, D>) -> Result<()> {
        let pointer = self.buf.as_raw();
        current.core().wait_with(|| {
            // SAFETY: an allocation of `aclrtMalloc` on the current device, which the call frees after a wait
            // for the device that succeeds, or not at all (`rtFreeWithDevSync`, sources of ACL 1.16).
            let code = unsafe { sys::aclrtFreeWithDevSync(pointer.cast()) };
            check_wait("aclrtFreeWithDevSync", code)
        })?;
        forget(self);
        Ok(())
    }
}

impl<M: OnBoard> Drop for Block<'_, M> {
    fn drop(&mut self) {
        // SAFETY: dropped once, and the field is not used afterwards.
        let buf = unsafe { ManuallyDrop::take(&mut self.buf) };
        // Any stream of the device may use a piece that was queued and forgotten.
        buf.into_parking(&park::find(key_of::<M::Device>(self.device)), &[None]);
    }
}

impl<M: OnBoard> fmt::Debug for Block<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Block({:?}, {} bytes left)", *self.buf, self.left())
    }
}
