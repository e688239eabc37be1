//! Lending borrowed memory to a device.
//!
//! Queued memory is owned, because nothing else survives `mem::forget`. A scope is the exception: like
//! `std::thread::scope` it does not return before the device is done with what was lent in it, however
//! it is left.

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::Arc;

use bytemuck::Pod;

use crate::context::Current;
use crate::device::{AnyDevice, wait_for_proof};
use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::memory::operand::{Allocated, OfRust};
use crate::memory::{
    Buf, Destination, Elements, Host, Init, OnDevice, Place, Slice, SliceMut, Source,
};
use crate::outcome::Borrows;
use crate::park::{Parking, User};
use crate::queue::owned::Owned;
use crate::queue::{Queue, Queued};
use crate::release;
use crate::state::{Invariant, Sealed};

/// A scope in which memory can be lent to device `D`. Made by [`Current::scope`].
pub struct Scope<'scope, 'env: 'scope, D> {
    _scope: PhantomData<(&'scope mut &'scope (), &'env mut &'env (), Invariant<D>)>,
}

/// Borrowed memory that stays borrowed until the scope has synchronised device `D`.
///
/// # Invariants
///
/// `memory` is the memory of the borrow `R`, which lasts for `'scope` and is not used
/// meanwhile.
pub struct Lease<'scope, D, R: Lend> {
    memory: NonNull<R::Elements>,
    _scope: PhantomData<(&'scope mut &'scope (), Invariant<D>, R)>,
}

// SAFETY: stands for the borrow `R`, and offers no more than it.
unsafe impl<D, R: Lend + Send> Send for Lease<'_, D, R> {}
// SAFETY: through `&Lease` nothing is read or written.
unsafe impl<D, R: Lend + Sync> Sync for Lease<'_, D, R> {}

/// Memory that can be lent: slices of the host, buffers and their parts, by `&` for reading and by
/// `&mut` for writing too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be lent to a device",
    label = "lend `&` or `&mut` of initialised memory",
    note = "fresh memory (`Uninit`) is handed over by value: `stream.adopt(buffer)`"
)]
pub trait Lend: Sealed {
    /// Where it lies.
    type Place: Place;
    /// What it holds.
    type Elements: Elements + ?Sized;

    /// What [`Lease::into_inner`] gives back.
    type Returned;

    /// Whether it is not page-locked, so that the runtime makes a copy of it wait.
    #[doc(hidden)]
    const PAGEABLE: bool = false;

    /// Turns the borrow into an address, with the right to use it as the borrow could.
    #[doc(hidden)]
    fn into_raw(self) -> NonNull<Self::Elements>;

    /// # Safety
    ///
    /// The address came from `into_raw` of this type, and nothing else uses the memory any more.
    #[doc(hidden)]
    unsafe fn from_raw(memory: NonNull<Self::Elements>) -> Self::Returned;
}

/// Memory that was borrowed exclusively.
#[diagnostic::on_unimplemented(
    message = "`{Self}` was lent for reading only",
    label = "lend `&mut` of it to let the device write"
)]
pub trait LendMut: Lend {
    /// Who has allocated it.
    type Origin;
}

impl<'scope, D> Scope<'scope, '_, D> {
    /// Lends memory to the device until the end of the scope.
    ///
    /// Memory of Rust (`Vec`, arrays) is not page-locked. The runtime makes a copy of it a blocking one;
    /// up to CANN 8.0 the manual does not allow such copies at all (chapter 11). For copies that overlap
    /// with the host, and for an older CANN, lend a buffer of [`Current::malloc_host`].
    pub fn lend<R: Lend + 'scope>(&'scope self, memory: R) -> Lease<'scope, D, R> {
        // INVARIANT: the borrow was consumed, and lasts for `'scope` by its bound.
        Lease {
            memory: memory.into_raw(),
            _scope: PhantomData,
        }
    }
}

impl<D, R: Lend> Lease<'_, D, R> {
    /// The memory, when it came back from its stream: host memory as a slice; of device memory there
    /// is nothing to see.
    pub fn into_inner(self) -> R::Returned {
        // SAFETY: the address is that of `R` (invariant); who owns a lease has a proof that no stream uses it, or
        // never gave it to one.
        unsafe { R::from_raw(self.memory) }
    }
}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Runs `f`, in which memory can be lent to the device without giving it away, and then waits for
    /// the device (`aclrtSynchronizeDevice`), also if `f` panics.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] when a task failed: then the device is done, but no stream can prove anything
    /// about earlier work any more, as for [`Current::synchronize_device`]; and as there, what has failed and nobody was
    /// told yet. [`Usage::FailedMeanwhile`](crate::error::Usage::FailedMeanwhile) when another wait of the device was
    /// told while the scope lasted, inside of it too.
    ///
    /// # Aborts
    ///
    /// If the wait fails again and again, nothing proves that the device has stopped using memory that
    /// the caller is about to get back. There is no safe way on, and the process is aborted.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
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
    /// # #[cfg(feature = "emulator")]
    /// # fn main() -> ascendcl::Result<()> { double(&ascendcl::Acl::from_env()?) }
    /// # #[cfg(not(feature = "emulator"))]
    /// # fn main() {}
    /// ```
    pub fn scope<'env, T>(
        self,
        f: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env, D>) -> T,
    ) -> Result<T, Error>
    where
        D::Mode: Borrows,
    {
        let wait = WaitOnExit {
            current: self,
            reports: self.core().ledger().scope_begins(),
        };
        let scope = Scope {
            _scope: PhantomData,
        };
        let result = f(&scope);
        wait.wait()?;
        Ok(result)
    }
}

/// Waits when the scope is left, also by a panic.
struct WaitOnExit<'t, 'dev, D: AnyDevice> {
    current: Current<'t, 'dev, D>,
    /// How many failures there were when the scope began.
    reports: u64,
}

impl<D: AnyDevice> WaitOnExit<'_, '_, D> {
    fn wait(self) -> Result<(), Error> {
        ManuallyDrop::new(self).wait_or_abort()
    }

    /// Waits for the device. The first failure is the error; without a success there is no safe way on.
    fn wait_or_abort(&self) -> Result<(), Error> {
        let core = self.current.core();
        let waited = wait_for_proof(|| core.wait_and_release());
        core.ledger().scope_ends();
        match waited {
            Ok(None) => core.ledger().check_reports(self.reports),
            Ok(Some(first)) => Err(first),
            Err(first) => release::abort(&first),
        }
    }
}

impl<D: AnyDevice> Drop for WaitOnExit<'_, '_, D> {
    fn drop(&mut self) {
        release::in_drop(self.wait_or_abort());
    }
}

impl<D, R: Lend<Place: OnDevice<D>>> Owned<D> for Lease<'_, D, R> {
    /// The scope waits for the device before the memory's owner has it again.
    unsafe fn park(self, _: &Arc<Parking>, _: &[User]) {}
}

impl<T: Pod> Sealed for &[T] {}
#[diagnostic::do_not_recommend]
impl<'m, T: Pod> Lend for &'m [T] {
    type Place = Host;
    type Elements = [T];
    type Returned = &'m [T];
    const PAGEABLE: bool = true;

    fn into_raw(self) -> NonNull<[T]> {
        NonNull::from(self)
    }

    unsafe fn from_raw(memory: NonNull<[T]>) -> &'m [T] {
        // SAFETY: the address of such a slice; only read, because it has no `LendMut`.
        unsafe { memory.as_ref() }
    }
}

impl<T: Pod> Sealed for &mut [T] {}
#[diagnostic::do_not_recommend]
impl<'m, T: Pod> Lend for &'m mut [T] {
    type Place = Host;
    type Elements = [T];
    type Returned = &'m mut [T];
    const PAGEABLE: bool = true;

    fn into_raw(self) -> NonNull<[T]> {
        NonNull::from(self)
    }

    unsafe fn from_raw(mut memory: NonNull<[T]>) -> &'m mut [T] {
        // SAFETY: the address of such a slice, which nothing else uses (contract).
        unsafe { memory.as_mut() }
    }
}
#[diagnostic::do_not_recommend]
impl<T: Pod> LendMut for &mut [T] {
    type Origin = OfRust;
}

/// Lists what is lent by its address alone.
macro_rules! lend {
    ($($type:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<M: Place, E: Elements + ?Sized> Lend for $type {
            type Place = M;
            type Elements = E;
            type Returned = ();

            fn into_raw(self) -> NonNull<E> {
                self.raw()
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
        self.resource().memory
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
        self.resource().memory
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
