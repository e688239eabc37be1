//! Pools: memory that streams allocate and free in their order, without a wait (`acl/acl_rt_memory_soma.h`).

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::{Arc, Weak};

use ascendcl_sys as sys;

use crate::context::{Current, with_bound};
use crate::device::{AnyDevice, Core, Ident, OfDevice, ident_of, key_of};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result, Usage};
use crate::memory::{Buf, Plain, Pooled, Uninit, alloc};
use crate::park::pools;
use crate::park::{self, Parked};
use crate::queue::Queued;
use crate::raw::{Handle, check};
use crate::release;
use crate::state::Invariant;
use crate::stream::{AnyStream, Created, Stream};

/// The alignment of the memory of a pool, which is that of other device memory at least.
const ALIGNMENT: usize = 64;

/// Memory of device `D` that streams allocate from and free to in their order (`aclrtMemPoolCreate`), made by
/// [`Current::create_pool`].
///
/// [`Stream::malloc_from`] returns memory that is queued on the stream. Dropping it there frees it behind the work of the stream
/// that uses it (`aclrtMemPoolFreeAsync`), and the next allocation of the stream reuses it. So a loop that allocates memory for
/// each batch neither waits nor grows.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// let pool = current.create_pool(1 << 30)?;
/// for round in 0..100 {
///     let batch = stream.memset_async(stream.malloc_from::<f32>(&pool, 1024)?, round)?;
///     // ... more work of the stream that uses `batch`, which is freed in its order here ...
/// }
/// assert_eq!(ascendcl::parked_bytes(), 0);
/// stream.synchronize()?;
/// pool.destroy(current)?;
/// # });
/// ```
///
/// Memory that another stream has taken over (by a [fence](Stream::fence) or [`Stream::handoff`]) is parked when it is dropped
/// there, as other memory is: the runtime would reuse it on its first stream, and not wait for the other one. Idle memory is
/// freed at once (`aclrtFree`).
///
/// A pool that is dropped is destroyed behind the next wait for the whole device, because memory that the program has forgotten
/// (`mem::forget`) may be in use until then. It lives as long as memory of it that nobody frees.
///
/// # Invariants
///
/// - `raw` is a live pool of the device.
pub struct Pool<'dev, D: AnyDevice> {
    raw: ManuallyDrop<Arc<RawPool>>,
    device: Ident<D>,
    _device: PhantomData<(&'dev (), Invariant<D>)>,
}

/// A pool of the runtime. It is destroyed when the last one that has it, a [`Pool`] or an allocation, lets it go.
///
/// # Invariants
///
/// - The pool lives. Who let go of one before has waited for the work on its memory.
struct RawPool {
    handle: Handle,
    /// The device. It outlives the pool, unless memory of the pool was forgotten.
    core: Weak<Core>,
}

impl RawPool {
    fn as_ptr(&self) -> sys::aclrtMemPool {
        self.handle.as_ptr()
    }

    /// Destroys the pool.
    fn destroy(self) -> Result<()> {
        let mut pool = ManuallyDrop::new(self);
        let ended = pool.end();
        // SAFETY: dropped once: `pool` is neither used again nor dropped.
        unsafe { core::ptr::drop_in_place(&raw mut pool.core) };
        ended
    }

    /// Destroys the pool, which is not used again.
    fn end(&self) -> Result<()> {
        let mut context = core::ptr::null_mut();
        // SAFETY: valid for a write of a pointer.
        let bound = unsafe { sys::aclrtGetCurrentContext(&raw mut context) };
        let pool = self.handle;
        let destroy = move || {
            // SAFETY: a live pool (invariant). This is the last that has it, so the program has no memory of it.
            let code = unsafe { sys::aclrtMemPoolDestroy(pool.as_ptr()) };
            check("aclrtMemPoolDestroy", code)
        };
        if bound == sys::ACL_SUCCESS {
            return destroy();
        }
        // The runtime takes the driver of the current context without asking for one (sources of the CANN runtime, July 2026).
        match self.core.upgrade() {
            Some(core) => core.elsewhere(destroy),
            None => Err(Error::refused("aclrtMemPoolDestroy", bound)),
        }
    }
}

impl Drop for RawPool {
    fn drop(&mut self) {
        release::in_drop(self.end());
    }
}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Creates a pool of at most `bytes` bytes of device memory, which it takes from the device when streams need it
    /// (`aclrtMemPoolCreate`). With 0 it may take all memory of the device.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let pool = current.create_pool(0)?;
    /// let zeros = stream.memset_async(stream.malloc_from::<u8>(&pool, 100)?, 0)?;
    /// let zeros = stream.synchronize()?.take(zeros); // idle memory of the pool
    /// zeros.free()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Backend`] if CANN lacks the function, as all releases before 2026 do: use [`Stream::malloc`], and wait for
    /// the streams or for fences. [`ErrorKind::Refused`] with 107000 if the device has less memory.
    ///
    /// Products without the function, according to the manual: 950, A3, 310B, 310P, 910.
    #[doc(alias = "aclrtMemPoolCreate")]
    pub fn create_pool(self, bytes: usize) -> Result<Pool<'dev, D>> {
        let properties = sys::aclrtMemPoolProps {
            allocType: sys::ACL_MEM_ALLOCATION_TYPE_PINNED,
            handleType: sys::ACL_MEM_HANDLE_TYPE_NONE,
            location: sys::aclrtMemLocation {
                id: self.core().id(),
                type_: sys::ACL_MEM_LOCATION_TYPE_DEVICE,
            },
            maxSize: bytes,
            reserved: [0; 32],
        };
        let mut pool = core::ptr::null_mut();
        // SAFETY: valid for a write of a pointer, and the properties for a read.
        let code = unsafe { sys::aclrtMemPoolCreate(&raw mut pool, &raw const properties) };
        check("aclrtMemPoolCreate", code)?;
        let pool = Handle::new("aclrtMemPoolCreate", pool)?;
        // INVARIANT: a new pool of the current device.
        let pool = Pool {
            raw: ManuallyDrop::new(Arc::new(RawPool {
                handle: pool,
                core: self.core().weak(),
            })),
            device: ident_of::<D>(|| self.core().parking().key()),
            _device: PhantomData,
        };
        pool.keep_to_streams()?;
        Ok(pool)
    }
}

impl<D: AnyDevice> Pool<'_, D> {
    /// Returns the raw pool, for calls that this crate does not have. Do not destroy it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// assert!(!current.create_pool(0)?.as_raw().is_null());
    /// # });
    /// ```
    #[must_use]
    pub fn as_raw(&self) -> sys::aclrtMemPool {
        self.raw.as_ptr()
    }

    /// Forbids that a stream gets memory that another one has freed behind work that is not over, because it waits for that one:
    /// an abort would drop its wait.
    fn keep_to_streams(&self) -> Result<()> {
        for attribute in [
            sys::ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES,
            sys::ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
        ] {
            let mut value = 0_i32;
            let place = (&raw mut value).cast::<c_void>();
            // SAFETY: a live pool, and an `int`, which is the type of these attributes (sources of the CANN runtime, July 2026).
            let code = unsafe { sys::aclrtMemPoolSetAttr(self.raw.as_ptr(), attribute, place) };
            check("aclrtMemPoolSetAttr", code)?;
        }
        Ok(())
    }
}

impl<'dev, D: AnyDevice> Pool<'dev, D> {
    /// Waits for the device, without a limit, and destroys the pool (`aclrtMemPoolDestroy`). This call does not compile while
    /// memory of the pool is alive. Where work may hang, drop the pool: a later wait destroys it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// current.create_pool(1 << 30)?.destroy(current)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] as for [`Current::synchronize_device`]; then a later wait for the device destroys the pool.
    /// [`Usage::PoolInUse`] if the program has forgotten memory of the pool (`mem::forget`), which lives until the device is
    /// reset then, and [`ErrorKind::Refused`].
    ///
    /// Products without the function, according to the manual: 950, A3, 310B, 310P, 910.
    #[doc(alias = "aclrtMemPoolDestroy")]
    pub fn destroy<'t>(self, current: impl OfDevice<Current<'t, 'dev, D>>) -> Result<()> {
        current.into_inner().core().wait_and_release()?;
        let mut pool = ManuallyDrop::new(self);
        // SAFETY: `pool` is not used again and not dropped, so the handle is taken once.
        let raw = unsafe { ManuallyDrop::take(&mut pool.raw) };
        Arc::try_unwrap(raw).map_or_else(|_| Err(Usage::PoolInUse.into()), RawPool::destroy)
    }

    /// The bytes that the program has of the pool (`aclrtMemPoolGetAttr` with `ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT`). A pool
    /// gives out whole units, of 2 MiB on many products.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let pool = current.create_pool(1 << 30)?;
    /// let batch = stream.malloc_from::<u8>(&pool, 100)?;
    /// assert!(pool.used(current)? >= 100);
    /// drop(batch);
    /// assert_eq!(pool.used(current)?, 0);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    ///
    /// Products without the function, according to the manual: 950, A3, 310B, 310P, 910.
    #[doc(alias = "aclrtMemPoolGetAttr")]
    pub fn used<'t, 'd: 't>(&self, current: impl OfDevice<Current<'t, 'd, D>>) -> Result<u64> {
        self.number(current, sys::ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT)
    }

    /// The bytes that the pool has taken from the device, with those that are free for the next allocation
    /// (`aclrtMemPoolGetAttr` with `ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let pool = current.create_pool(1 << 30)?;
    /// drop(stream.malloc_from::<u8>(&pool, 100)?);
    /// assert!(pool.reserved(current)? >= 100); // for the next allocation of the stream
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtMemPoolGetAttr")]
    pub fn reserved<'t, 'd: 't>(&self, current: impl OfDevice<Current<'t, 'd, D>>) -> Result<u64> {
        self.number(current, sys::ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT)
    }

    /// Sets the bytes that the pool keeps for later allocations when a stream is waited for (`aclrtMemPoolSetAttr` with
    /// `ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD`). Before the first call that is 0: the runtime may give all free memory back to
    /// the device.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let pool = current.create_pool(1 << 30)?;
    /// pool.set_release_threshold(current, 1 << 30)?; // keep everything
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 107000 for more bytes than the pool can have.
    ///
    /// Products without the function, according to the manual: 950, A3, 310B, 310P, 910.
    #[doc(alias = "aclrtMemPoolSetAttr")]
    pub fn set_release_threshold<'t, 'd: 't>(
        &self,
        _current: impl OfDevice<Current<'t, 'd, D>>,
        bytes: u64,
    ) -> Result<()> {
        let mut value = bytes;
        let attribute = sys::ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD;
        let place = (&raw mut value).cast::<c_void>();
        // SAFETY: a live pool, and a `uint64_t`, which is the type of this attribute (sources of the CANN runtime, July 2026).
        let code = unsafe { sys::aclrtMemPoolSetAttr(self.raw.as_ptr(), attribute, place) };
        check("aclrtMemPoolSetAttr", code)
    }

    /// Gives free memory back to the device until the pool has no more than `keep` bytes, or only memory that is in use
    /// (`aclrtMemPoolTrimTo`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let pool = current.create_pool(1 << 30)?;
    /// drop(stream.malloc_from::<u8>(&pool, 100)?);
    /// stream.synchronize()?;
    /// pool.trim_to(current, 0)?;
    /// assert_eq!(pool.reserved(current)?, 0);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 107000 for more bytes than the pool can have.
    ///
    /// Products without the function, according to the manual: 950, A3, 310B, 310P, 910.
    #[doc(alias = "aclrtMemPoolTrimTo")]
    pub fn trim_to<'t, 'd: 't>(
        &self,
        _current: impl OfDevice<Current<'t, 'd, D>>,
        keep: usize,
    ) -> Result<()> {
        // SAFETY: a live pool of the current device.
        let code = unsafe { sys::aclrtMemPoolTrimTo(self.raw.as_ptr(), keep) };
        check("aclrtMemPoolTrimTo", code)
    }

    /// Returns an attribute that is a number of bytes.
    fn number<'t, 'd: 't>(
        &self,
        _current: impl OfDevice<Current<'t, 'd, D>>,
        attribute: sys::aclrtMemPoolAttr,
    ) -> Result<u64> {
        let mut value = 0_u64;
        let place = (&raw mut value).cast::<c_void>();
        // SAFETY: a live pool of the current device, and a `uint64_t`, which is the type of all attributes that are numbers of
        // bytes (sources of the CANN runtime, July 2026).
        let code = unsafe { sys::aclrtMemPoolGetAttr(self.raw.as_ptr(), attribute, place) };
        check("aclrtMemPoolGetAttr", code)?;
        Ok(value)
    }
}

/// A stream that allocates from pools: each [`Created`] one. The runtime refuses the default stream.
#[diagnostic::on_unimplemented(
    message = "the stream `{Self}` cannot allocate from a pool",
    label = "a pool serves the streams that this program has created",
    note = "create a stream: `current.create_stream::<Main>()?`",
    note = "any stream allocates memory of the device itself: `stream.malloc(len)?`"
)]
pub trait PoolStream: Created {}
#[diagnostic::do_not_recommend]
impl<S: Created> PoolStream for S {}

impl<'dev, D: AnyDevice, S: AnyStream> Stream<'_, 'dev, D, S> {
    /// Allocates memory of a pool for `len` elements in the order of this stream, and queues it on the stream
    /// (`aclrtMemPoolMallocAsync`).
    ///
    /// The memory is fresh: a copy, a fill or an operator of this stream takes it by value and returns it initialised. Dropping
    /// it while it is queued here frees it behind that work, without a wait (`aclrtMemPoolFreeAsync`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let pool = current.create_pool(1 << 30)?;
    /// let numbers = stream.malloc_host_from(host, &[1_u32, 2])?;
    /// let on_device = stream.memcpy_async(stream.malloc_from(&pool, 2)?, &numbers)?;
    /// let back = stream.memcpy_async(stream.malloc_host(host, 2)?, &on_device)?;
    /// drop(on_device); // the stream frees it behind the copies
    /// assert_eq!(stream.synchronize()?.take(back)[..], [1, 2]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::malloc`], with 207001 when the pool is full: memory that the program has freed on other streams may
    /// still be in use there.
    ///
    /// Products without the function, according to the manual: 950, A3, 310B, 310P, 910.
    #[doc(alias = "aclrtMemPoolMallocAsync")]
    #[doc(alias = "aclrtMemPoolFreeAsync")]
    pub fn malloc_from<'p, 'd: 'p, T: Plain>(
        &self,
        pool: impl OfDevice<&'p Pool<'d, D>>,
        len: usize,
    ) -> Result<Queued<'dev, (D, S), Buf<'p, Pooled<D>, [T], Uninit>>>
    where
        S: PoolStream,
        D: 'p,
    {
        let call = "aclrtMemPoolMallocAsync";
        let pool = pool.into_inner();
        let bytes = alloc::size::<T>(len, ALIGNMENT)?;
        let mut memory = core::ptr::null_mut();
        let raw = pool.raw.as_ptr();
        // SAFETY: valid for a write of a pointer, a live pool of the device, and a live stream of the current context.
        let code =
            unsafe { sys::aclrtMemPoolMallocAsync(&raw mut memory, bytes, raw, self.as_raw()) };
        check(call, code)?;
        let Some(memory) = NonNull::new(memory) else {
            return Err(Error::refused(call, sys::ACL_ERROR_INTERNAL_ERROR));
        };
        // SAFETY: the stream borrows the binding of the thread to the device.
        let device = unsafe { with_bound(|core| core.parking().key()) };
        let owner = Arc::clone(&pool.raw);
        // SAFETY: memory of the pool and its stream, which this crate has created (`PoolStream`), and whose end calls
        // `stream_leaves` first.
        unsafe { pools::enter(memory, owner, device, self.key(), self.handle()) };
        let elements = NonNull::slice_from_raw_parts(memory.cast::<T>(), len);
        // SAFETY: `bytes` bytes for `len` elements, which this value frees. The device is borrowed longer than the pool.
        Ok(self.queue(unsafe { Buf::from_parts(elements) }))
    }
}

impl<D: AnyDevice> Drop for Pool<'_, D> {
    fn drop(&mut self) {
        /// # Safety
        ///
        /// - `pool` comes from [`Arc::into_raw`] of a pool, and nothing else drops it.
        unsafe fn let_go(pool: NonNull<c_void>) -> sys::aclError {
            // SAFETY: the caller's contract. Its drop reports errors.
            drop(unsafe { Arc::from_raw(pool.as_ptr().cast::<RawPool>()) });
            sys::ACL_SUCCESS
        }
        // SAFETY: dropped once, and the field is not used afterwards.
        let raw = Arc::into_raw(unsafe { ManuallyDrop::take(&mut self.raw) });
        let parked = Parked {
            // SAFETY: the address of a value.
            pointer: unsafe { NonNull::new_unchecked(raw.cast_mut().cast()) },
            bytes: 0,
            free: let_go,
            call: "aclrtMemPoolDestroy",
        };
        // Any stream of the device may still use memory that was forgotten (`mem::forget`).
        park::find(key_of::<D>(self.device)).park(&[None], parked);
    }
}

impl<D: AnyDevice> fmt::Debug for Pool<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool({:p})", self.raw.as_ptr())
    }
}
