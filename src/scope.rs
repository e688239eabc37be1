//! Scopes in which borrowed memory is lent to a device.
//!
//! Queued memory is owned, because `mem::forget` can end any borrow early. A scope is the exception: like
//! `std::thread::scope`, it does not return before the device is done with all memory that was lent in it. This holds
//! for every way to leave the scope, also for a panic.

mod registered;

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::Arc;

use bytemuck::Pod;

use registered::Registrations;
pub use registered::{Pageable, Registered};

use crate::context::Current;
use crate::device::{AnyDevice, Core, proof_or_abort};
use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::memory::operand::{Allocated, OfRust};
use crate::memory::{
    Buf, Destination, Elements, Host, Init, OnDevice, Place, Slice, SliceMut, Source,
};
use crate::outcome::ContinuesAfterFailure;
use crate::park::{Parking, StreamKey, User};
use crate::queue::owned::Owned;
use crate::queue::{Queue, Queued};
use crate::state::{Invariant, Sealed};

/// A scope in which memory can be lent to device `D`, made by [`Current::scope`].
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// let numbers = [1_u32, 2, 3, 4];
/// let mut copies = [0_u32; 4];
/// current.scope(|scope| -> ascendcl::Result<()> {
///     let from = stream.adopt(scope.lend(&numbers[..]));
///     let mut to = stream.adopt(scope.lend(&mut copies[..]));
///     let on_device = stream.memcpy_async(stream.malloc(4)?, &from)?;
///     stream.memcpy_async(&mut to, &on_device)
/// })??; // the end of the scope waits
/// assert_eq!(copies, numbers);
/// # });
/// ```
pub struct Scope<'scope, 'env: 'scope, D: 'env> {
    shared: &'scope Registrations<'scope>,
    _scope: PhantomData<(&'scope mut &'scope (), &'env mut &'env (), Invariant<D>)>,
}

/// Memory that was lent in a [`Scope`], and that stays borrowed until the scope has waited for device `D`.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// let mut numbers = [0_u8; 4];
/// current.scope(|scope| -> ascendcl::Result<()> {
///     let mut lease = stream.adopt(scope.lend(&mut numbers[..]));
///     let ones = stream.memset_async(stream.malloc::<u8>(4)?, 1)?;
///     stream.memcpy_async(&mut lease, &ones)?;
///     let numbers = stream.synchronize()?.take(lease).into_inner(); // before the scope ends
///     assert_eq!(numbers, &[1; 4]);
///     Ok(())
/// })??;
/// # });
/// ```
///
/// # Invariants
///
/// - `memory` is the memory of the borrow `R`.
/// - The borrow lasts for `'scope` and is not used meanwhile.
pub struct Lease<'scope, D, R: Lend> {
    core: &'scope Core,
    memory: NonNull<R::Elements>,
    seen: R::Seen,
    _scope: PhantomData<(&'scope mut &'scope (), Invariant<D>, R)>,
}

// SAFETY: a lease is equivalent to the borrow `R`, and allows no more than it; any thread may use a `Core` (`Sync`).
unsafe impl<D, R: Lend + Send> Send for Lease<'_, D, R> {}
// SAFETY: `&Lease` allows no reads and no writes of the memory; any thread may use a `Core` (`Sync`).
unsafe impl<D, R: Lend + Sync> Sync for Lease<'_, D, R> {}

/// Memory that can be lent: slices of Rust, buffers, and parts of buffers. The device can read memory that is lent by
/// `&`, and read and write memory that is lent by `&mut`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be lent to a device",
    label = "a scope lends `&` or `&mut` of initialised memory",
    note = "move fresh memory (`Uninit`) into a stream: `stream.adopt(buffer)`"
)]
pub trait Lend: Sealed {
    /// The domain of the memory.
    type Place: Place;
    /// The elements of the memory.
    type Elements: Elements + ?Sized;

    /// The type that [`Lease::into_inner`] returns.
    type Returned;

    /// Whether the memory is not page-locked, so that the runtime makes a copy of it wait.
    #[doc(hidden)]
    const PAGEABLE: bool;

    /// What a lease keeps if the device has an address of its own for the memory.
    #[doc(hidden)]
    type Seen: Copy;

    /// Converts the borrow to an address that can be used as the borrow could.
    #[doc(hidden)]
    fn into_raw(self) -> NonNull<Self::Elements>;

    /// The address that work uses.
    #[doc(hidden)]
    fn seen(memory: NonNull<Self::Elements>, seen: Self::Seen) -> NonNull<Self::Elements>;

    /// # Safety
    ///
    /// - The address comes from `into_raw` of this type.
    /// - Nothing else uses the memory any more.
    #[doc(hidden)]
    unsafe fn from_raw(memory: NonNull<Self::Elements>) -> Self::Returned;
}

/// Memory that is lent by an exclusive borrow, so that the device can write it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` was lent for reading only",
    label = "lend `&mut` of the memory, so that the device can write it"
)]
pub trait LendMut: Lend {
    /// The allocator of the memory: AscendCL or Rust.
    type Origin;
}

impl<'scope, 'env, D: 'env> Scope<'scope, 'env, D> {
    /// Lends memory to the device until the end of the scope.
    ///
    /// Memory of Rust (`Vec`, arrays) is not page-locked, and the runtime makes a queued copy of it a blocking one.
    /// Up to CANN 8.0 the manual does not allow such copies (chapter 11). For an older CANN, or for copies that
    /// overlap with work of the host, lend a buffer of [`Current::malloc_host`].
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let mut numbers = [0_u8; 4];
    /// current.scope(|scope| -> ascendcl::Result<()> {
    ///     let mut to = stream.adopt(scope.lend(&mut numbers[..]));
    ///     let ones = stream.memset_async(stream.malloc::<u8>(4)?, 1)?;
    ///     stream.memcpy_async(&mut to, &ones) // runs while the scope is open, and no longer
    /// })??;
    /// assert_eq!(numbers, [1; 4]);
    /// # });
    /// ```
    pub fn lend<R: Lend<Seen = ()> + 'scope>(&'scope self, memory: R) -> Lease<'scope, D, R> {
        // INVARIANT: the call consumes the borrow, which lasts for `'scope` by its bound.
        Lease {
            core: self.shared.core,
            memory: memory.into_raw(),
            seen: (),
            _scope: PhantomData,
        }
    }
}

impl<D, R: Lend> Lease<'_, D, R> {
    /// The memory of the borrow, for work of the stream that has it.
    #[inline(always)]
    pub(crate) fn memory(&self) -> NonNull<R::Elements> {
        R::seen(self.memory, self.seen)
    }

    /// Returns the memory after it came back from its stream: a slice for memory of Rust, and `()` for buffers and
    /// their parts.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let mut numbers = [0_u8; 4];
    /// current.scope(|scope| {
    ///     let lease = scope.lend(&mut numbers[..]);
    ///     lease.into_inner().fill(7); // it was not queued, so the slice comes back at once
    /// })?;
    /// assert_eq!(numbers, [7; 4]);
    /// # });
    /// ```
    pub fn into_inner(self) -> R::Returned {
        // SAFETY: the address is that of `R` (invariant). The owner of a lease has a proof that no stream uses it, or
        // never queued it on one.
        unsafe { R::from_raw(self.memory) }
    }
}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Runs `f` with a scope in which memory can be lent to the device, and then waits for the device
    /// (`aclrtSynchronizeDevice`).
    ///
    /// The call also waits if `f` panics. While other code of the process captures a stream, the runtime refuses the wait
    /// for the device. Then the call waits for each stream that memory of an open scope was moved into
    /// (`aclrtSynchronizeStream`). If one of them is captured itself, or belongs to another library, the call goes on until
    /// the capture has ended, for up to ten minutes.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Wait`] when a task failed. Then all work of the device is over, but no stream can prove that
    ///   earlier work has succeeded, as for [`Current::synchronize_device`]. The error may also be an earlier failure
    ///   that no wait has returned yet.
    /// - [`Usage::FailedMeanwhile`](crate::error::Usage::FailedMeanwhile) when another wait for the device returned a
    ///   failure while the scope ran, inside or outside of the scope. So too when a value was dropped meanwhile, and the
    ///   [hook for failed releases](crate::on_release_failure) has received the failure of its work.
    ///   [`Acl::on`](crate::Acl::on) does not return this failure again.
    ///
    /// # Aborts
    ///
    /// If every attempt to wait fails, nothing proves that the device has stopped using the memory that the caller is
    /// about to get back. The process is aborted, because no safe way to continue exists. On a device with a
    /// [limit](crate::Device::release_within), the streams that the memory was moved into and that this thread has in use are
    /// aborted before, and the scope returns [`Usage::FailedMeanwhile`](crate::error::Usage::FailedMeanwhile).
    ///
    /// # Examples
    ///
    /// ```
    /// fn double(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    ///     use ascendcl::{Npu, Thread, stream::Main};
    ///     let mut thread = Thread::claim()?;
    ///     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    ///     let current = thread.set_current(&device)?;
    ///     let mut stream = current.create_stream::<Main>()?;
    ///     let (source, mut target) = (vec![7_u32; 100], vec![0_u32; 100]);
    ///     current.scope(|scope| -> ascendcl::Result<()> {
    ///         let from = stream.adopt(scope.lend(&source[..]));
    ///         let mut to = stream.adopt(scope.lend(&mut target[..]));
    ///         let buf = stream.adopt(current.malloc::<u32>(100)?);
    ///         let buf = stream.memcpy_async(buf, &from)?;
    ///         stream.memcpy_async(&mut to, &buf)?;
    ///         Ok(())
    ///     })??;
    ///     assert_eq!(source, target);
    ///     Ok(())
    /// }
    /// # ascendcl::example!(|acl| { double(&acl)?; });
    /// ```
    pub fn scope<'env, T>(
        self,
        f: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env, D>) -> T,
    ) -> Result<T, Error>
    where
        D: 'env,
        D::Mode: ContinuesAfterFailure,
    {
        let shared = Registrations::new(self.core());
        let wait = WaitOnExit {
            current: self,
            shared: &shared,
            reports: self.core().ledger().scope_begins(),
        };
        let scope = Scope {
            shared: &shared,
            _scope: PhantomData,
        };
        let result = f(&scope);
        wait.wait()?;
        Ok(result)
    }
}

/// A guard that waits for the device when the scope is left, also by a panic.
struct WaitOnExit<'s, 't, 'dev, D: AnyDevice> {
    current: Current<'t, 'dev, D>,
    shared: &'s Registrations<'s>,
    /// The number of failures when the scope began.
    reports: u64,
}

impl<D: AnyDevice> WaitOnExit<'_, '_, '_, D> {
    fn wait(self) -> Result<(), Error> {
        ManuallyDrop::new(self).wait_or_abort()
    }

    /// Waits for the device and returns the first failure. Aborts the process if no attempt to wait succeeds.
    fn wait_or_abort(&self) -> Result<(), Error> {
        let core = self.current.core();
        let failed = proof_or_abort(&mut || core.wait_behind_scope());
        // A collective may have failed without an error of its stream.
        core.ask_watched();
        core.ledger().scope_ends();
        self.shared.end(self.current);
        match failed {
            None => core.ledger().check_reports(self.reports),
            Some(first) => Err(first),
        }
    }
}

impl<D: AnyDevice> Drop for WaitOnExit<'_, '_, '_, D> {
    fn drop(&mut self) {
        if let Err(error) = self.wait_or_abort() {
            self.current.core().failed_in_drop(error);
        }
    }
}

impl<D, R: Lend<Place: OnDevice<D>>> Owned<D> for Lease<'_, D, R> {
    const SWAPS: bool = true;

    /// Does nothing: the scope waits for the device before the owner of the memory can use it again.
    unsafe fn park(self, _: &Arc<Parking>, _: &[User]) {}

    fn enters(&self, stream: StreamKey) {
        self.core.ledger().enter_lent(stream);
    }

    /// Memory claims nothing of its contents.
    fn accepted(&self) {}
}

impl<T: Pod> Sealed for &[T] {}
#[diagnostic::do_not_recommend]
impl<'m, T: Pod> Lend for &'m [T] {
    type Place = Host;
    type Elements = [T];
    type Returned = &'m [T];
    type Seen = ();
    const PAGEABLE: bool = true;

    fn into_raw(self) -> NonNull<[T]> {
        NonNull::from(self)
    }

    #[inline(always)]
    fn seen(memory: NonNull<[T]>, (): ()) -> NonNull<[T]> {
        memory
    }

    unsafe fn from_raw(memory: NonNull<[T]>) -> &'m [T] {
        // SAFETY: the address of a slice that was only read, because `&[T]` does not implement `LendMut`.
        unsafe { memory.as_ref() }
    }
}

impl<T: Pod> Sealed for &mut [T] {}
#[diagnostic::do_not_recommend]
impl<'m, T: Pod> Lend for &'m mut [T] {
    type Place = Host;
    type Elements = [T];
    type Returned = &'m mut [T];
    type Seen = ();
    const PAGEABLE: bool = true;

    fn into_raw(self) -> NonNull<[T]> {
        NonNull::from(self)
    }

    #[inline(always)]
    fn seen(memory: NonNull<[T]>, (): ()) -> NonNull<[T]> {
        memory
    }

    unsafe fn from_raw(mut memory: NonNull<[T]>) -> &'m mut [T] {
        // SAFETY: the address of a mutable slice, which nothing else uses (the caller's contract).
        unsafe { memory.as_mut() }
    }
}
#[diagnostic::do_not_recommend]
impl<T: Pod> LendMut for &mut [T] {
    type Origin = OfRust;
}

/// Lists the types that are lent by their address alone.
macro_rules! lend {
    ($($type:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<M: Place, E: Elements + ?Sized> Lend for $type {
            type Place = M;
            type Elements = E;
            type Returned = ();
            type Seen = ();
            const PAGEABLE: bool = false;

            fn into_raw(self) -> NonNull<E> {
                self.raw()
            }

            #[inline(always)]
            fn seen(memory: NonNull<E>, (): ()) -> NonNull<E> {
                memory
            }

            unsafe fn from_raw(_: NonNull<E>) {}
        }
    )* };
}

lend! {
    &Buf<'_, M, E, Init>;
    &mut Buf<'_, M, E, Init>;
    Slice<'_, M, E>;
    SliceMut<'_, M, E>;
}

#[diagnostic::do_not_recommend]
impl<M: Place, E: Elements + ?Sized> LendMut for &mut Buf<'_, M, E, Init> {
    type Origin = Allocated;
}
#[diagnostic::do_not_recommend]
impl<M: Place, E: Elements + ?Sized> LendMut for SliceMut<'_, M, E> {
    type Origin = Allocated;
}

impl<Q: Queue, R: Lend<Place: OnDevice<Q::Device>>, H> Sealed
    for &Queued<'_, Q, Lease<'_, Q::Device, R>, H>
{
}
#[diagnostic::do_not_recommend]
impl<Q: Queue, R, H> Source<Q> for &Queued<'_, Q, Lease<'_, Q::Device, R>, H>
where
    R: Lend<Place: OnDevice<Q::Device>>,
{
    type Place = R::Place;
    type Elements = R::Elements;
    const WAITS: bool = R::PAGEABLE;

    #[inline(always)]
    fn source(&self) -> NonNull<R::Elements> {
        self.resource().memory()
    }
}

impl<Q: Queue, R: Lend<Place: OnDevice<Q::Device>>, H> Sealed
    for &mut Queued<'_, Q, Lease<'_, Q::Device, R>, H>
{
}
#[diagnostic::do_not_recommend]
impl<Q: Queue, R, H> Destination<Q> for &mut Queued<'_, Q, Lease<'_, Q::Device, R>, H>
where
    R: LendMut + Lend<Place: OnDevice<Q::Device>>,
{
    type Place = R::Place;
    type Elements = R::Elements;
    type Origin = R::Origin;
    type Written = ();
    const WAITS: bool = R::PAGEABLE;

    #[inline(always)]
    fn destination(&self) -> NonNull<R::Elements> {
        self.resource().memory()
    }

    #[inline(always)]
    unsafe fn written(self) {}
}

impl<D> fmt::Debug for Scope<'_, '_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scope")
    }
}

impl<D, R: Lend> fmt::Debug for Lease<'_, D, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let len = R::Elements::count(self.memory);
        write!(f, "Lease({:p}, {len})", self.memory.cast::<()>())
    }
}
