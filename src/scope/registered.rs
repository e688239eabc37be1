//! Registered memory: host memory that a scope lends without a copy, page-locked or mapped for the device
//! (`acl/acl_rt.h`; manual chapter 11-02).
//!
//! A registration is no value of its own. A value could be forgotten (`mem::forget`), and the program would free memory
//! that is still registered, or that the device still writes. So the scope has all registrations, and ends them behind its
//! wait for the device. The borrow lasts as long, and there is nothing that a program could unregister twice.

use std::convert::Infallible;
use std::ffi::c_void;
use std::fs;
use std::marker::PhantomData;
use std::mem;
use std::num::NonZero;
use std::ptr::{NonNull, null_mut, without_provenance_mut};
use std::slice;

use ascendcl_sys as sys;
use bytemuck::Pod;

use super::{Lease, Lend, LendMut, Scope};
use crate::context::Current;
use crate::device::{AnyDevice, Core, OfDevice};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result, Usage};
use crate::memory::elements::ElementOf;
use crate::memory::pages::PAGE;
use crate::memory::{Elements, Host, Mapped, Place};
use crate::raw::check;
use crate::release;
use crate::runtime::HostSide;
use crate::state::{Invariant, Sealed};
use crate::sync::{Mutex, MutexGuard, lock};

/// The last kernel of Linux whose driver registers memory of `aclrtMallocHost` alone (manual, chapter 11-02).
const OLD_KERNEL: (u32, u32) = (5, 10);

/// The borrow `R` of host memory, registered so that work uses it as memory of the domain `M`: [`Host`] if it is page-locked,
/// and [`Mapped`] if the device reaches it in place. It has no values: it is a part of the type of a [`Lease`].
///
/// ```
/// use ascendcl::Npu;
/// use ascendcl::memory::Host;
/// use ascendcl::scope::{Lease, Registered};
///
/// /// A `Vec` that copies of the device read while the host goes on.
/// type Batch<'scope> = Lease<'scope, Npu<0>, Registered<Host, &'scope [f32]>>;
/// ```
#[derive(Debug)]
pub struct Registered<M, R> {
    nobody: Infallible,
    _memory: PhantomData<(Invariant<M>, R)>,
}

/// Memory that is not page-locked: a slice of Rust, of a `Vec`, a box or a mapped file.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not pageable memory",
    label = "only slices of Rust can be registered as page-locked",
    note = "lend a buffer as it is: `scope.lend(&mut buffer)`; memory of `malloc_host` is page-locked already",
    note = "lend a slice of a `Vec` or an array: `scope.lend_pinned(current, host, &mut vec[..])`"
)]
pub trait Pageable: Lend<Place = Host, Seen = ()> {}
#[diagnostic::do_not_recommend]
impl<T: Pod> Pageable for &[T] {}
#[diagnostic::do_not_recommend]
impl<T: Pod> Pageable for &mut [T] {}

/// The device of a scope, and the addresses that the scope has registered.
///
/// # Invariants
///
/// - Memory at these addresses is borrowed longer than this value lives.
pub(super) struct Registrations<'c> {
    pub(super) core: &'c Core,
    addresses: Mutex<Vec<usize>>,
}

impl<'scope, 'env, D: AnyDevice + 'env> Scope<'scope, 'env, D> {
    /// Registers memory of Rust as page-locked (`aclrtHostRegisterV2` with `ACL_HOST_REG_PINNED`) and lends it to the device
    /// until the end of the scope: a queued copy uses it in place, and does not wait.
    ///
    /// The memory begins at a multiple of 4096 bytes; [`Pages`](crate::memory::Pages) is memory that does. The end of the scope
    /// ends the registration (`aclrtHostUnregister`). Registering costs more than a copy of a few megabytes, so a loop belongs
    /// into the scope. Between two uses, [`Idle::get_mut`](crate::stream::Idle::get_mut) gives the program the lease, and
    /// [`Lease::as_mut_slice`] the memory.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::memory::Pages;
    ///
    /// let mut batch = Pages::<f32>::zeroed(1024)?;
    /// current.scope(|scope| -> ascendcl::Result<()> {
    ///     let mut lent = stream.adopt(scope.lend_pinned(current, host, &mut batch[..])?);
    ///     for round in 0..3 {
    ///         stream.synchronize()?.get_mut(&mut lent).as_mut_slice().fill(round as f32);
    ///         let on_device = stream.memcpy_async(stream.malloc(1024)?, &lent)?; // no copy in between
    ///     }
    ///     Ok(())
    /// })??;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// - [`Usage::RegisteredAddress`] for memory that begins at no multiple of 4096 bytes, and [`Usage::ZeroSize`].
    /// - [`Usage::OldKernel`] on Linux 5.10 or older, where no memory of Rust can be registered.
    /// - [`ErrorKind::Backend`] if an older CANN lacks the function.
    /// - [`ErrorKind::Refused`] with 507910 if a part of the memory is registered already, and with other codes for memory that
    ///   the driver does not register: pages that cannot be written, and on many releases mapped files.
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtHostRegisterV2")]
    #[doc(alias = "aclrtHostUnregister")]
    pub fn lend_pinned<'t, 'dev: 't, R: Pageable + 'scope>(
        &'scope self,
        _current: impl OfDevice<Current<'t, 'dev, D>>,
        _host: HostSide<'_>,
        memory: R,
    ) -> Result<Lease<'scope, D, Registered<Host, R>>> {
        let memory = memory.into_raw();
        let (address, bytes) = registrable::<R>(memory)?;
        // SAFETY: live memory of `bytes` bytes, which stays borrowed until the scope has ended the registration.
        let code = unsafe { sys::aclrtHostRegisterV2(address, bytes, sys::ACL_HOST_REG_PINNED) };
        check("aclrtHostRegisterV2", code)?;
        self.shared.enter(address);
        Ok(self.lease(memory, memory.addr()))
    }

    /// Maps host memory for the device (`aclrtHostRegister` with `ACL_HOST_REGISTER_MAPPED`, pyACL `acl.rt.host_register`) and
    /// lends it until the end of the scope: operators and kernels of the device use it in place, over the bus.
    ///
    /// A table that is larger than the memory of the device, and of which an operator reads a few rows, stays on the host so.
    /// Copies do not take the memory. It begins at a multiple of 4096 bytes, as [`Pages`](crate::memory::Pages) does. The end of
    /// the scope ends the registration (`aclrtHostUnregister`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::memory::Pages;
    /// use ascendcl::op;
    ///
    /// let mut table = Pages::<f32>::zeroed(1024)?;
    /// table.fill(2.0);
    /// current.scope(|scope| -> ascendcl::Result<()> {
    ///     let table = stream.adopt(scope.lend_mapped(current, host, &table[..])?);
    ///     let squares = stream.malloc(1024)?.into_tensor(&[1024])?; // in device memory
    ///     let table = table.tensor(&[1024])?;
    ///     let squares = op::mul(current, &table, &table, squares)?.launch(&mut stream)?.into_output();
    ///     let squares = stream.memcpy_async(stream.malloc_host(host, 1024)?, &squares)?;
    ///     assert_eq!(stream.synchronize()?.take(squares)[7], 4.0);
    ///     Ok(())
    /// })??;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Scope::lend_pinned`]. On Linux 5.10 or older, [`Usage::OldKernel`] is for memory of Rust only: lend a buffer of
    /// [`Current::malloc_host`].
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtHostRegister")]
    #[doc(alias = "aclrtHostGetDevicePointer")]
    #[doc(alias = "acl.rt.host_register")]
    #[doc(alias = "acl.rt.host_unregister")]
    pub fn lend_mapped<'t, 'dev: 't, R: Lend<Place = Host, Seen = ()> + 'scope>(
        &'scope self,
        _current: impl OfDevice<Current<'t, 'dev, D>>,
        _host: HostSide<'_>,
        memory: R,
    ) -> Result<Lease<'scope, D, Registered<Mapped<D>, R>>> {
        let memory = memory.into_raw();
        let (address, bytes) = registrable::<R>(memory)?;
        let seen = self.shared.map(address, bytes)?;
        Ok(self.lease(memory, seen))
    }

    fn lease<M: Place, R: Lend<Seen = ()>>(
        &'scope self,
        memory: NonNull<R::Elements>,
        seen: NonZero<usize>,
    ) -> Lease<'scope, D, Registered<M, R>> {
        // INVARIANT: the borrow lasts for `'scope` by the bounds of the callers, which have consumed it.
        Lease {
            core: self.shared.core,
            memory,
            seen,
            _scope: PhantomData,
        }
    }
}

impl<'c> Registrations<'c> {
    pub(super) fn new(core: &'c Core) -> Self {
        let addresses = Mutex::default();
        Registrations { core, addresses }
    }

    /// Ends all registrations, behind the wait of the scope. The binding of the thread is that of the scope.
    pub(super) fn end<D: AnyDevice>(&self, _current: Current<'_, '_, D>) {
        for address in mem::take(&mut *self.addresses()) {
            // SAFETY: the memory is registered, and still borrowed (invariant).
            let code = unsafe { sys::aclrtHostUnregister(without_provenance_mut(address)) };
            release::status_in_drop("aclrtHostUnregister", code);
        }
    }

    fn addresses(&self) -> MutexGuard<'_, Vec<usize>> {
        lock(&self.addresses)
    }

    /// Enters memory that was registered.
    fn enter(&self, address: *mut c_void) {
        self.addresses().push(address.addr());
    }

    /// Maps memory for the current device, and returns the address that the device has for it.
    fn map(&self, address: *mut c_void, bytes: u64) -> Result<NonZero<usize>> {
        let call = "aclrtHostRegister";
        let (kind, mut seen) = (sys::ACL_HOST_REGISTER_MAPPED, null_mut());
        // SAFETY: live memory of `bytes` bytes, which stays borrowed until the scope has ended the registration; `seen` is valid
        // for a write.
        let code = unsafe { sys::aclrtHostRegister(address, bytes, kind, &raw mut seen) };
        check(call, code)?;
        self.enter(address);
        NonZero::new(seen.addr()).ok_or_else(|| Error::refused(call, sys::ACL_ERROR_BAD_ALLOC))
    }
}

/// Returns the address and the bytes of memory that can be registered here.
fn registrable<R: Lend>(memory: NonNull<R::Elements>) -> Result<(*mut c_void, u64)> {
    let len = R::Elements::count(memory);
    let address = memory.as_ptr().cast::<c_void>();
    refuse(address, len, size_of::<ElementOf<R::Elements>>())?;
    let cann = matches!(
        sys::installed(),
        Some(sys::Origin::Linked | sys::Origin::Library(_))
    );
    if cann && R::PAGEABLE {
        refuse_kernel(&fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default())?;
    }
    // No overflow: a slice or a buffer has this many bytes.
    Ok((address, (len * size_of::<ElementOf<R::Elements>>()) as u64))
}

/// Refuses memory that cannot be registered.
fn refuse(address: *mut c_void, len: usize, size: usize) -> Result<()> {
    if len == 0 || size == 0 {
        return Err(Usage::ZeroSize { len, size }.into());
    }
    let address = address.addr();
    if !address.is_multiple_of(PAGE) {
        return Err(Usage::RegisteredAddress { address }.into());
    }
    Ok(())
}

/// Refuses memory of Rust on a kernel that registers none. A release that is no number passes: the driver decides.
fn refuse_kernel(release: &str) -> Result<()> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    if let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next())
        && (major, minor) <= OLD_KERNEL
    {
        return Err(Usage::OldKernel {
            release: release.trim().to_owned(),
        }
        .into());
    }
    Ok(())
}

impl<D, M: Place, R: Lend<Place = Host, Seen = ()>> Lease<'_, D, Registered<M, R>> {
    /// Returns the memory, which stays registered. The lease is not queued: it was not yet, or a stream has given it back.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::memory::Pages;
    ///
    /// let mut numbers = Pages::<u8>::zeroed(4)?;
    /// current.scope(|scope| -> ascendcl::Result<()> {
    ///     let mut lent = stream.adopt(scope.lend_pinned(current, host, &mut numbers[..])?);
    ///     let ones = stream.memset_async(stream.malloc::<u8>(4)?, 1)?;
    ///     stream.memcpy_async(&mut lent, &ones)?;
    ///     let lent = stream.synchronize()?.take(lent);
    ///     assert_eq!(lent.as_slice(), [1; 4]);
    ///     Ok(())
    /// })??;
    /// # });
    /// ```
    #[must_use]
    pub fn as_slice(&self) -> &[ElementOf<R::Elements>] {
        let len = R::Elements::count(self.memory);
        // SAFETY: memory of a slice or of a host buffer, which is written and aligned, and borrowed for `'scope`. Nothing writes
        // it: the owner of a lease has a proof that no stream does, or never queued it on one.
        unsafe { slice::from_raw_parts(self.memory.cast().as_ptr(), len) }
    }

    /// Returns the memory for writing. It stays registered.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::memory::Pages;
    ///
    /// let mut numbers = Pages::<u8>::zeroed(4)?;
    /// current.scope(|scope| -> ascendcl::Result<()> {
    ///     let mut lent = scope.lend_pinned(current, host, &mut numbers[..])?;
    ///     lent.as_mut_slice().fill(7);
    ///     Ok(())
    /// })??;
    /// assert_eq!(numbers[..], [7; 4]);
    /// # });
    /// ```
    pub fn as_mut_slice(&mut self) -> &mut [ElementOf<R::Elements>]
    where
        R: LendMut,
    {
        let len = R::Elements::count(self.memory);
        // SAFETY: as for `as_slice`. The borrow is exclusive (`LendMut`), and so is that of the lease: nothing reads the memory.
        unsafe { slice::from_raw_parts_mut(self.memory.cast().as_ptr(), len) }
    }
}

impl<M, R> Sealed for Registered<M, R> {}
#[diagnostic::do_not_recommend]
impl<M: Place, R: Lend<Seen = ()>> Lend for Registered<M, R> {
    type Place = M;
    type Elements = R::Elements;
    type Returned = R::Returned;
    type Seen = NonZero<usize>;
    const PAGEABLE: bool = false;

    fn into_raw(self) -> NonNull<R::Elements> {
        match self.nobody {}
    }

    #[inline(always)]
    fn seen(memory: NonNull<R::Elements>, seen: NonZero<usize>) -> NonNull<R::Elements> {
        memory.with_addr(seen)
    }

    unsafe fn from_raw(memory: NonNull<R::Elements>) -> R::Returned {
        // SAFETY: the caller's contract. The address of a lease is that of the borrow `R`.
        unsafe { R::from_raw(memory) }
    }
}
#[diagnostic::do_not_recommend]
impl<M: Place, R: LendMut + Lend<Seen = ()>> LendMut for Registered<M, R> {
    type Origin = R::Origin;
}

#[cfg(test)]
mod tests {
    use std::ptr::without_provenance_mut;

    use super::{refuse, refuse_kernel};
    use crate::error::{Error, ErrorKind, Usage};

    #[test]
    fn kernels_up_to_5_10_are_refused() {
        for old in [
            "5.10.0-60.18.0.50.oe2203.aarch64\n",
            "5.4.0",
            "4.19.90-vhulk",
        ] {
            let error = refuse_kernel(old).map_err(Error::into_kind);
            let release = old.trim().to_owned();
            let expected = ErrorKind::Usage(Usage::OldKernel { release });
            assert_eq!(
                format!("{error:?}"),
                format!("{:?}", Err::<(), _>(expected))
            );
        }
        for new in ["5.11.0", "5.15.0-1", "6.6.0", "10.1", "", "unknown"] {
            assert!(refuse_kernel(new).is_ok(), "{new}");
        }
    }

    #[test]
    fn only_whole_pages_and_no_empty_memory() {
        let at = without_provenance_mut;
        assert!(refuse(at(0x5000), 1, 1).is_ok());
        assert!(refuse(at(0x5000), 0, 4).is_err());
        assert!(refuse(at(0x5000), 4, 0).is_err());
        assert!(refuse(at(0x5010), 4, 4).is_err());
    }
}
