//! Memory that another library of the process owns.

use std::ffi::c_void;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
use crate::error::{Result, Usage};
use crate::interop::Foreign;
use crate::memory::place::{
    Allocator, Cached, Dev, Dvpp, DvppV2, Host, Local, OnBoard, Operand, Peer, Piece, Place,
    Pooled, ReachedFrom, WordPlace,
};
use crate::memory::{Buf, Init, Plain, alloc};

/// The alignment of `aclrtMalloc`, which queued copies within a device need (manual chapter 11-01; `acl/acl_rt.h`, CANN
/// 8.1).
const ALIGNMENT: usize = 64;

/// Memory of device `D` that another library owns, borrowed by [`Current::borrow_raw_memory`].
///
/// ```
/// use ascendcl::memory::ForeignBuf;
/// use ascendcl::{Current, Npu, Result};
///
/// /// Sets a tensor of another library to zero.
/// fn clear(current: Current<'_, '_, Npu<0>>, tensor: &mut ForeignBuf<'_, Npu<0>, [f32]>) -> Result<()> {
///     current.memset(tensor, 0)
/// }
/// ```
pub type ForeignBuf<'o, D, E, I = Init> = Buf<'o, Foreign<Dev<D>>, E, I>;

/// Domains of memory that this program has allocated and can free.
#[diagnostic::on_unimplemented(
    message = "this program cannot free memory of another library",
    label = "the owner of `{Self}` memory frees it",
    note = "let the buffer go out of scope, which frees nothing"
)]
pub trait OwnMemory: Place {}

/// Lists the domains of memory that this program allocates.
macro_rules! own {
    ($([$($generics:tt)*] $place:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> OwnMemory for $place {}
    )* };
}

own! {
    [] Host;
    [] Local;
    [D] Dev<D>;
    [D] Cached<D>;
    [D] Dvpp<D>;
    [D] DvppV2<D>;
    [M: OnBoard] Piece<M>;
    [D] Pooled<D>;
    [D: AnyDevice, P: AnyDevice, A] Peer<D, P, A>;
}

impl<M: OnBoard> Place for Foreign<M> {}
impl<M: OnBoard> Allocator for Foreign<M> {
    const NAME: &'static str = "ForeignBuf";
    const FREE: &'static str = "nothing";
    const TOUCHED: bool = M::TOUCHED;
    const OWNED: bool = false;
    const POOLED: bool = false;

    /// Does nothing: the other library frees the memory.
    #[inline(always)]
    unsafe fn free(_: NonNull<c_void>) -> sys::aclError {
        sys::ACL_SUCCESS
    }
}
impl<M: OnBoard> OnBoard for Foreign<M> {
    type Device = M::Device;
    const ALIGNMENT: usize = M::ALIGNMENT;
}
impl<D, M: ReachedFrom<D>> ReachedFrom<D> for Foreign<M> {}
#[diagnostic::do_not_recommend]
impl<M: Operand> Operand for Foreign<M> {}
#[diagnostic::do_not_recommend]
impl<M: OnBoard + WordPlace> WordPlace for Foreign<M> {}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Borrows device memory of another library (in C an address of `aclrtMalloc`, in pyACL a number, in torch_npu
    /// `tensor.data_ptr()`). Makes no runtime call.
    ///
    /// The buffer is copied, filled, queued and passed to operators like others, and is never freed here. `owner` is
    /// the value that keeps the memory allocated, for instance a tensor. The buffer borrows it, so the compiler does
    /// not allow dropping it earlier. If the owner is not a Rust value, for instance an object in Python, pass `&()`.
    ///
    /// With `I` = [`Uninit`](crate::memory::Uninit) the memory is fresh: an output that work writes completely. If a
    /// tensor is a view, borrow its storage from the start and take a [slice](Buf::slice).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let tensor = current.memset(current.malloc::<f32>(16)?, 0)?;
    /// # let address = tensor.as_raw();
    /// use ascendcl::memory::ForeignBuf;
    ///
    /// // SAFETY: 16 written elements of the current device, which `tensor` keeps alive. Nothing else uses them meanwhile.
    /// let numbers: ForeignBuf<'_, _, [f32]> = unsafe { current.borrow_raw_memory(&tensor, address, 16)? };
    /// let mut back = current.malloc_host::<f32>(host, 16)?;
    /// current.memcpy(&mut back, &numbers)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::BorrowedNull`] for a null pointer, [`Usage::BorrowedAddress`] for an address that is not a multiple
    /// of 64, [`Usage::ZeroSize`], [`Usage::SizeOverflow`], and [`Usage::Alignment`] for elements aligned to more
    /// than 64 bytes.
    ///
    /// # Safety
    ///
    /// - `pointer` is the address of `len` elements `T` in memory of the device `D`. The memory lies inside an
    ///   allocation of `aclrtMalloc`, or of an allocator that divides such allocations as CANN requires: after the
    ///   elements, rounded up to 32 bytes, there are 32 more bytes.
    /// - With `I` = [`Init`], the elements were written. The work that wrote them is over, or it is ordered on the
    ///   device before all work that is queued here.
    /// - All work of other code that uses the memory is over, or it is ordered before the work that is queued here:
    ///   it is on the same stream, or the stream waits for an event after it. (Exception: other code may continue to
    ///   read memory that is only read here.)
    /// - Until the buffer is gone and all work on it is over, nobody frees the memory and no other code uses it,
    ///   except by work that is ordered on the device after the work on the buffer. (Exception: other code may read
    ///   memory that is only read here.) The work on the buffer may continue when the buffer is gone: a buffer that
    ///   is dropped or forgotten while it is queued waits for nothing.
    ///   [`Stream::synchronize`](crate::Stream::synchronize) of the stream on which the buffer is queued waits for
    ///   that work, and so does [`Current::synchronize_device`]. An allocator that reuses memory in the order of the
    ///   same stream, such as that of torch_npu, needs no wait.
    /// - No other buffer or slice of this program refers to the memory meanwhile, unless both are only read.
    pub unsafe fn borrow_raw_memory<'o, T: Plain, I, O: ?Sized>(
        self,
        _owner: &'o O,
        pointer: *mut T,
        len: usize,
    ) -> Result<ForeignBuf<'o, D, [T], I>>
    where
        'dev: 'o,
    {
        alloc::size::<T>(len, ALIGNMENT)?;
        let pointer = NonNull::new(pointer).ok_or(Usage::BorrowedNull { what: "memory" })?;
        let address = pointer.addr().get();
        if !address.is_multiple_of(ALIGNMENT) {
            return Err(Usage::BorrowedAddress { address }.into());
        }
        // SAFETY: the caller guarantees `len` elements of device memory, which nothing frees before the work on them
        // is over, and which were written for `Init`. `size` has checked their number. This domain frees nothing, and
        // the device is borrowed for `'dev`, which outlives `'o`.
        Ok(unsafe { Buf::from_parts(NonNull::slice_from_raw_parts(pointer, len)) })
    }
}
