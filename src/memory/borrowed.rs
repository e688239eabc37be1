//! Memory of another library of the process.

use std::ffi::c_void;
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
use crate::error::{Result, Usage};
use crate::interop::Foreign;
use crate::memory::place::{
    Allocator, Cached, Dev, Dvpp, DvppV2, Host, Local, OnBoard, Operand, Peer, Piece, Place,
    ReachedFrom, WordPlace,
};
use crate::memory::{Buf, Init, Plain, alloc};

/// What `aclrtMalloc` aligns to, and what queued copies within a device want (api_ref 11-01; `acl/acl_rt.h`, CANN 8.1).
const ALIGNMENT: usize = 64;

/// Memory of device `D` that another library owns, made by [`Current::borrow_raw_memory`].
pub type ForeignBuf<'o, D, E, I = Init> = Buf<'o, Foreign<Dev<D>>, E, I>;

/// Memory that this program has allocated: it can be freed.
#[diagnostic::on_unimplemented(
    message = "memory of another library cannot be freed here",
    label = "`{Self}` memory is borrowed: its owner frees it",
    note = "let the buffer go out of scope: nothing is freed then"
)]
pub trait OwnMemory: Place {}

/// Lists the domains of one's own.
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
    [D: AnyDevice, P: AnyDevice, A] Peer<D, P, A>;
}

impl<M: OnBoard> Place for Foreign<M> {}
impl<M: OnBoard> Allocator for Foreign<M> {
    const NAME: &'static str = "ForeignBuf";
    const FREE: &'static str = "nothing";
    const OWNED: bool = false;

    /// The other library frees it.
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
    /// `tensor.data_ptr()`). No call of the runtime.
    ///
    /// The buffer is copied, filled, queued and given to operators as others are, and never freed here. `owner` is what
    /// keeps the memory allocated, a tensor for instance: the buffer borrows it, so that the compiler refuses to drop it
    /// earlier. What stands for it elsewhere, in Python say, can be passed as `&()`.
    ///
    /// With `I` = [`Uninit`](crate::memory::Uninit) the memory is fresh: an output that work writes as a whole. Of a
    /// tensor that is a view, borrow the storage from its start and take a [slice](Buf::slice).
    ///
    /// # Errors
    ///
    /// [`Usage::BorrowedNull`], [`Usage::BorrowedAddress`] for an address that is no multiple of 64,
    /// [`Usage::ZeroSize`], [`Usage::SizeOverflow`], and [`Usage::Alignment`] for elements aligned to more than 64 bytes.
    ///
    /// # Safety
    ///
    /// - `pointer` is the address of `len` elements `T` in memory of the device `D`, inside an allocation of `aclrtMalloc`
    ///   or of an allocator that cuts such allocations as CANN asks for: behind the elements, rounded up to 32 bytes,
    ///   there are 32 bytes more.
    /// - With `I` = [`Init`] the elements were written, by work that is over or that is ordered, on the device, in front of
    ///   all work that is queued here.
    /// - Work of others that uses the memory is over, or ordered like that: it is on the same stream, or the stream waits
    ///   for an event behind it. (Others may go on to read what is only read here.)
    /// - Until the buffer is gone and all work on it is over, the memory is neither freed nor used by others, except by
    ///   work that is ordered behind that work on the device (and except for reading what is only read here). The work
    ///   may go on when the buffer is gone: a buffer that is dropped or forgotten while it is queued
    ///   waits for nothing. [`Stream::synchronize`](crate::Stream::synchronize) of the stream that has it waits for that
    ///   work, and so does [`Current::synchronize_device`]; an allocator that gives memory out again in the order of the
    ///   same stream, as that of torch_npu does, needs no wait.
    /// - No other buffer or slice of this program stands for the memory meanwhile, except for reading on both sides.
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
        // SAFETY: `len` elements of device memory that nothing frees before the work on them is over, with their bytes
        // written for `Init` (the caller's contract); `size` has checked their number. This domain frees nothing, and the
        // device is borrowed for `'dev`, which outlives `'o`.
        Ok(unsafe { Buf::from_parts(NonNull::slice_from_raw_parts(pointer, len)) })
    }
}
