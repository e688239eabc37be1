//! Device memory that processes share.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::num::NonZero;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use ascendcl_sys as sys;

use super::operand::Exportable;
use super::{Domain, Exported, Imported, Importers, KEY, MemoryKey, Text};
use crate::context::Current;
use crate::device::{AnyDevice, Core, OfDevice, in_context};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result, Usage};
use crate::memory::pages::PAGE;
use crate::memory::reserved::Range;
use crate::memory::{Buf, DeviceBuf, Plain};
use crate::park::Parked;
use crate::raw::check;
use crate::release;
use crate::state::Invariant;

/// The call that ends an export or an import.
const CLOSE: &str = "aclrtIpcMemClose";

/// Device memory of elements `T` that several processes have: this process owns it with `M` = [`Exported`], and another one does
/// with `M` = [`Imported`]. Memory at reserved addresses that this process owns has `M` = `Exported<Reserved<D>>`.
///
/// Other processes may read and write the memory at any time. So it is no [`Buf`](crate::Buf): no operator uses it. Blocking and
/// queued copies and fills use exported memory. Imported memory has queued copies within the device alone: between two devices
/// AscendCL has no others (manual, chapter 11-07), and a key does not say which device it is of. The end of the value ends the
/// export (and frees the memory) or the import, behind all work that uses it.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::share::Importers;
///
/// let frames = current.memset(current.malloc::<u8>(4096)?, 0)?;
/// let frames = current.export_memory(frames, Importers::Any)?;
/// let key = frames.key(); // send its bytes to the other process
/// let mut frames = stream.adopt(frames);
/// let ones = stream.memset_async(stream.malloc::<u8>(4096)?, 1)?;
/// stream.memcpy_async(&mut frames, &ones)?;
/// stream.synchronize()?.take(frames).close(current)?; // the other process has closed its import
/// # });
/// ```
///
/// # Invariants
///
/// - `elements` is live device memory of the device of `core`, and every byte was written.
/// - With `M` = `Exported<D>` it is an allocation of `aclrtMalloc` that this value owns, and `key` names it.
/// - With `M` = `Exported<Reserved<D>>`, and if `key` is that of a handle, it lies in `mapped`, which this value owns.
/// - Otherwise it is the only import of `key` in this process, and only this value closes it.
pub struct SharedBuf<'dev, M: Domain, T> {
    pub(super) elements: NonNull<[T]>,
    pub(super) key: MemoryKey,
    /// Physical memory at addresses of this process.
    pub(super) mapped: Option<Box<Range>>,
    pub(super) core: &'dev Arc<Core>,
    pub(super) _domain: PhantomData<Invariant<M>>,
}

// SAFETY: the value owns its export or import. Its address is used by copies alone, and its drop makes the context current.
unsafe impl<M: Domain, T: Send> Send for SharedBuf<'_, M, T> {}
// SAFETY: a shared reference allows only reads by copies.
unsafe impl<M: Domain, T: Sync> Sync for SharedBuf<'_, M, T> {}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Makes memory of this device importable by other processes.
    ///
    /// **A buffer of [`Current::malloc`]** gets a key (`aclrtIpcMemGetExportKey`, pyACL `acl.rt.ipc_mem_get_export_key`;
    /// `aclrtIpcMemSetImportPid` for a list of processes). Pages are shared: the memory begins at a page, and its bytes are a multiple
    /// of 4096. Allocations up to 1 MiB have pages of that size. For more, allocate a multiple of 2 MiB with
    /// [`MallocPolicy::HugeOnly`](crate::MallocPolicy::HugeOnly), or with
    /// [`MallocPolicy::HugeOnlyP2p`](crate::MallocPolicy::HugeOnlyP2p) if the other process uses another device.
    ///
    /// **A [`ReservedBuf`](crate::memory::ReservedBuf)** gets a handle (`aclrtMemExportToShareableHandle`, pyACL
    /// `acl.rt.mem_export_to_shareable_handle`; `aclrtMemSetPidToShareableHandle` for a list of processes). Its memory was mapped at
    /// once, by one call of [`map_mem`](crate::memory::ReservedBuf::map_mem) or the first `grow`. It does not grow any more. Each
    /// process that has imported it keeps it, so this process need not end last.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::share::Importers;
    ///
    /// let frames = current.memset(current.malloc::<u8>(4096)?, 0)?;
    /// let frames = current.export_memory(frames, Importers::Any)?;
    /// let bytes = frames.key().to_bytes(); // the other process makes a `MemoryKey` of them
    ///
    /// let mut cache = current.reserve_mem_address::<f32>(host, 1 << 20)?;
    /// current.memset(cache.grow(current, 1 << 19)?, 0)?;
    /// let cache = current.export_memory(cache, Importers::Any)?;
    /// assert_eq!(cache.len(), 1 << 19);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// The memory is freed then.
    ///
    /// - [`Usage::NoImporters`] for an empty list.
    /// - For a buffer, [`Usage::SharedPages`] if it does not begin and end at a page.
    /// - For memory at reserved addresses, [`Usage::ZeroSize`] if no element was written, and [`Usage::SharedMappings`] if memory was
    ///   mapped several times.
    /// - [`ErrorKind::Refused`] with 507899 if the pages are larger than 4096 bytes and the memory is a part of one, or if the
    ///   list has more processes than the driver takes. For memory at reserved addresses CANN 8.1 takes a list alone.
    ///
    /// Products without the function, according to the manual: 310B. (They have that for memory at reserved addresses.)
    #[doc(alias = "aclrtIpcMemGetExportKey")]
    #[doc(alias = "aclrtIpcMemSetImportPid")]
    #[doc(alias = "aclrtMemExportToShareableHandle")]
    #[doc(alias = "aclrtMemSetPidToShareableHandle")]
    #[doc(alias = "acl.rt.ipc_mem_get_export_key")]
    #[doc(alias = "acl.rt.ipc_mem_set_import_pid")]
    #[doc(alias = "acl.rt.mem_export_to_shareable_handle")]
    #[doc(alias = "acl.rt.mem_set_pid_to_shareable_handle")]
    pub fn export_memory<X: Exportable<'dev, D>>(
        self,
        memory: X,
        importers: Importers<'_>,
    ) -> Result<SharedBuf<'dev, X::Side, X::Element>> {
        memory.export(self, importers.some()?)
    }

    /// Imports memory of another process: by a key of a buffer (`aclrtIpcMemImportByKey`, pyACL `acl.rt.ipc_mem_import_by_key`), with
    /// access between the two devices if they differ, or by a handle of memory at reserved addresses
    /// (`aclrtMemImportFromShareableHandle`, pyACL `acl.rt.mem_import_from_shareable_handle`), which is mapped to addresses of this
    /// process (`aclrtReserveMemAddress`, `aclrtMapMem`). If the devices of a handle differ, this process enables access to the other
    /// one first ([`PeerAccess`](crate::peer::PeerAccess)).
    ///
    /// ```
    /// use ascendcl::share::{Imported, MemoryKey, SharedBuf};
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn import<'dev>(
    ///     current: Current<'_, 'dev, Npu<0>>,
    ///     key: &MemoryKey,
    /// ) -> Result<SharedBuf<'dev, Imported<Npu<0>>, f32>> {
    ///     // SAFETY: the key comes from the other process, which keeps the memory until this one has ended.
    ///     unsafe { current.import_memory(key) }
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// - [`Usage::SharedElements`] if the memory is not a whole number of elements, and [`Usage::SizeOverflow`] for a key with more
    ///   bytes than there are addresses, which no export has made.
    /// - [`ErrorKind::Refused`] with 507899 if no process has the key any more, if this process is not among the [`Importers`],
    ///   if it has exported the memory itself, or if it has imported the handle already.
    ///
    /// Products without the function, according to the manual: 310B. (They have that for a handle.)
    ///
    /// # Safety
    ///
    /// - The key is that of an export, and the memory has as many bytes as the key says: [`SharedBuf::key`] has made it.
    /// - For the key of a buffer, this process has no other import of the key that is open: C ends an import by its key, and not by its
    ///   address.
    /// - The process that exports the memory does not end the export, free the memory or reset the device before the returned
    ///   value is gone and all work on it is over. A value that was dropped while it was queued is gone behind a wait for its
    ///   stream, and a forgotten one never is. `docs/soundness.md` has what is assumed of a process that is killed. If the key is of
    ///   memory at reserved addresses, the process keeps the memory until this call has returned, and need not keep it longer: it
    ///   exists as long as a process has it.
    #[doc(alias = "aclrtIpcMemImportByKey")]
    #[doc(alias = "aclrtMemImportFromShareableHandle")]
    #[doc(alias = "acl.rt.ipc_mem_import_by_key")]
    #[doc(alias = "acl.rt.mem_import_from_shareable_handle")]
    pub unsafe fn import_memory<T: Plain>(
        self,
        key: &MemoryKey,
    ) -> Result<SharedBuf<'dev, Imported<D>, T>> {
        let bytes = usize::try_from(key.bytes).unwrap_or(usize::MAX);
        let size = size_of::<T>();
        let len = bytes.checked_div(size).unwrap_or(0);
        // `isize::MAX` limits the bytes of a slice of Rust.
        if isize::try_from(bytes).is_err() {
            return Err(Usage::SizeOverflow { len, size }.into());
        }
        if len == 0 || len * size != bytes {
            return Err(Usage::SharedElements { bytes, size }.into());
        }
        let (first, mapped) = match key.handle() {
            None => (open(key)?, None),
            Some((handle, slack)) => {
                let whole = slack.checked_add(key.bytes);
                let whole = whole.and_then(|whole| isize::try_from(whole).ok());
                let whole = whole.and_then(|whole| NonZero::new(whole.cast_unsigned()));
                let whole = whole.ok_or(Usage::SizeOverflow { len, size })?;
                let range = Range::import(self.core().id(), handle, whole)?;
                (range.first(0), Some(range))
            }
        };
        // INVARIANT: the memory has these bytes, and the exporter keeps it (the caller's contract). An export of this crate has
        // written memory; whatever the bytes are, they are values of plain elements. The key has no other import here.
        Ok(SharedBuf {
            elements: NonNull::slice_from_raw_parts(first.cast(), len),
            key: *key,
            mapped,
            core: self.core(),
            _domain: PhantomData,
        })
    }
}

/// Imports memory by the key of a buffer.
fn open(key: &MemoryKey) -> Result<NonNull<c_void>> {
    let (call, text) = ("aclrtIpcMemImportByKey", Text::of(key.name));
    let (mut address, flags) = (
        ptr::null_mut(),
        sys::ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS,
    );
    // SAFETY: `address` is valid for a write, and the key is a text of C.
    let code = unsafe { sys::aclrtIpcMemImportByKey(&raw mut address, text.as_ptr(), flags) };
    check(call, code)?;
    NonNull::new(address).ok_or_else(|| Error::refused(call, sys::ACL_ERROR_INTERNAL_ERROR))
}

#[diagnostic::do_not_recommend]
impl<'dev, D: AnyDevice, T: Plain> Exportable<'dev, D> for DeviceBuf<'dev, D, [T]> {
    type Side = Exported<D>;
    type Element = T;

    fn export(
        self,
        current: Current<'_, 'dev, D>,
        importers: Importers<'_>,
    ) -> Result<SharedBuf<'dev, Exported<D>, T>> {
        let flags = match importers {
            Importers::Listed(_) => sys::ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT,
            Importers::Any => sys::ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION,
        };
        // No overflow: the allocation has this many bytes.
        let bytes = self.len() * size_of::<T>();
        let address = self.as_raw().addr();
        if !address.is_multiple_of(PAGE) || !bytes.is_multiple_of(PAGE) {
            return Err(Usage::SharedPages { address, bytes }.into());
        }
        let mut name = [0; KEY];
        // SAFETY: a live allocation of `bytes` bytes, and `KEY` characters that are valid for writes.
        let code = unsafe {
            sys::aclrtIpcMemGetExportKey(
                self.as_raw().cast(),
                bytes,
                name.as_mut_ptr().cast(),
                KEY,
                flags,
            )
        };
        check("aclrtIpcMemGetExportKey", code)?;
        // INVARIANT: initialised memory of `aclrtMalloc` on this device, whose buffer gives it up; it has the key.
        let shared = SharedBuf {
            elements: self.into_raw(),
            key: MemoryKey {
                name,
                bytes: bytes as u64,
            },
            mapped: None,
            core: current.core(),
            _domain: PhantomData,
        };
        if let Importers::Listed(processes) = importers {
            let text = Text::of(name);
            // SAFETY: a text of C, and as many numbers as the call is told. C does not write them (manual chapter 11-07).
            let code = unsafe {
                sys::aclrtIpcMemSetImportPid(
                    text.as_ptr(),
                    processes.as_ptr().cast_mut(),
                    processes.len(),
                )
            };
            check("aclrtIpcMemSetImportPid", code)?;
        }
        Ok(shared)
    }
}

impl<M: Domain, T> SharedBuf<'_, M, T> {
    /// Returns the key, for other processes. Those that the owner has named may import it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # use ascendcl::share::Importers;
    /// let frames = current.memset(current.malloc::<u8>(4096)?, 0)?;
    /// let frames = current.export_memory(frames, Importers::Any)?;
    /// assert_eq!(frames.key(), frames.key()); // a key is a copy
    /// # });
    /// ```
    #[must_use]
    pub fn key(&self) -> MemoryKey {
        self.key
    }

    /// Returns the number of elements.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # use ascendcl::share::Importers;
    /// let frames = current.memset(current.malloc::<f32>(1024)?, 0)?;
    /// assert_eq!(current.export_memory(frames, Importers::Any)?.len(), 1024); // elements, not bytes
    /// # });
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Returns whether there are no elements. This is always `false`, because empty memory is not shared.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # use ascendcl::share::Importers;
    /// let frames = current.memset(current.malloc::<f32>(1024)?, 0)?;
    /// assert!(!current.export_memory(frames, Importers::Any)?.is_empty());
    /// # });
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the address in this process, for C functions that this crate does not wrap.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # use ascendcl::share::Importers;
    /// let frames = current.memset(current.malloc::<f32>(1024)?, 0)?;
    /// assert!(!current.export_memory(frames, Importers::Any)?.as_raw().is_null());
    /// # });
    /// ```
    #[must_use]
    pub fn as_raw(&self) -> *mut T {
        self.elements.as_ptr().cast()
    }

    #[inline(always)]
    pub(super) fn elements(&self) -> NonNull<[T]> {
        self.elements
    }

    /// Takes the memory of a handle. That of a key is forgotten.
    pub(super) fn into_mapped(self) -> Option<Box<Range>> {
        ManuallyDrop::new(self).mapped.take()
    }

    /// Makes a parked object of it. An export or import by a key is released in its context.
    pub(super) fn into_parked(self) -> Parked {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: the value is not used again.
        unsafe { this.parked() }
    }

    /// # Safety
    ///
    /// - The value is not used again.
    unsafe fn parked(&mut self) -> Parked {
        if let Some(range) = self.mapped.take() {
            let parked = range.into_parked();
            let bytes = if M::OWNS { parked.bytes } else { 0 };
            return Parked { bytes, ..parked };
        }
        let open = Open {
            key: Text::of(self.key.name),
            freed: M::OWNS.then_some(self.elements.cast()),
        };
        // No overflow: the memory has this many bytes.
        let bytes = if M::OWNS {
            self.len() * size_of::<T>()
        } else {
            0
        };
        // SAFETY: an export or import of the context of `core` (invariant), which only this object releases from now on (the
        // caller's contract).
        let parked = unsafe { in_context(self.core, CLOSE, open, close, lose) };
        Parked { bytes, ..parked }
    }
}

impl<'dev, D: AnyDevice, T> SharedBuf<'dev, Exported<D>, T> {
    /// Ends the export (`aclrtIpcMemClose`, pyACL `acl.rt.ipc_mem_close`), and returns the memory to this process alone. The
    /// processes that have imported it have closed it before ([`Current::import_memory`] requires it).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # use ascendcl::share::Importers;
    /// let frames = current.memset(current.malloc::<u8>(4096)?, 0)?;
    /// let frames = current.export_memory(frames, Importers::Any)?;
    /// // ... other processes import it, use it, and close it ...
    /// frames.close(current)?.free()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. The memory is leaked then: a key may still lead to it.
    ///
    /// Products without the function, according to the manual: 310B.
    #[doc(alias = "aclrtIpcMemClose")]
    #[doc(alias = "acl.rt.ipc_mem_close")]
    pub fn close<'t>(
        self,
        _current: impl OfDevice<Current<'t, 'dev, D>>,
    ) -> Result<DeviceBuf<'dev, D, [T]>>
    where
        'dev: 't,
    {
        let this = ManuallyDrop::new(self);
        let text = Text::of(this.key.name);
        // SAFETY: a text of C. The export is closed once, because the value is consumed; its context is current.
        let code = unsafe { sys::aclrtIpcMemClose(text.as_ptr()) };
        check(CLOSE, code).inspect_err(release::leaked)?;
        // SAFETY: an allocation of `aclrtMalloc` that this value has owned, written and live (invariant), and idle: the value was
        // not queued. No process has it any more (the contract of imports).
        Ok(unsafe { Buf::from_raw(this.elements) })
    }
}

impl<'dev, D: AnyDevice, T> SharedBuf<'dev, Imported<D>, T> {
    /// Ends the import (`aclrtIpcMemClose`; `aclrtUnmapMem`, `aclrtFreePhysical` and `aclrtReleaseMemAddress` for a handle). Then the
    /// process that owns the memory may end the export.
    ///
    /// ```
    /// use ascendcl::share::{Imported, SharedBuf};
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn done<'dev>(
    ///     current: Current<'_, 'dev, Npu<0>>,
    ///     frames: SharedBuf<'dev, Imported<Npu<0>>, u8>,
    /// ) -> Result<()> {
    ///     frames.close(current) // and tell the owner
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. The import is gone all the same. Of a handle, what could not be unmapped or released is leaked.
    ///
    /// Products without the function, according to the manual: 310B.
    #[doc(alias = "aclrtIpcMemClose")]
    pub fn close<'t>(self, _current: impl OfDevice<Current<'t, 'dev, D>>) -> Result<()>
    where
        'dev: 't,
    {
        let mut this = ManuallyDrop::new(self);
        if let Some(range) = this.mapped.take() {
            return range.release();
        }
        let text = Text::of(this.key.name);
        // SAFETY: a text of C. The import is closed once, because the value is consumed; its context is current.
        check(CLOSE, unsafe { sys::aclrtIpcMemClose(text.as_ptr()) })
    }
}

impl<M: Domain, T> Drop for SharedBuf<'_, M, T> {
    fn drop(&mut self) {
        // SAFETY: the value is dropped.
        let parked = unsafe { self.parked() };
        // SAFETY: an object that was made above. No work uses the memory: it would own the value, or borrow it and wait.
        let code = unsafe { (parked.free)(parked.pointer) };
        release::status_in_drop(CLOSE, code);
    }
}

impl<M: Domain, T> fmt::Debug for SharedBuf<'_, M, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let element = std::any::type_name::<T>();
        write!(
            f,
            "SharedBuf[{element}; {}]({:p})",
            self.len(),
            self.as_raw()
        )
    }
}

/// An export or an import that ends.
struct Open {
    key: Text,
    /// The memory to free behind the end of an export.
    freed: Option<NonNull<c_void>>,
}

// SAFETY: the address is only a name for the call that frees it, which any thread can make.
unsafe impl Send for Open {}

/// # Safety
///
/// - No work uses the memory, and its context is current. An export or import is closed once.
unsafe fn close(open: Open) -> sys::aclError {
    // SAFETY: a text of C, and the caller's contract.
    let code = unsafe { sys::aclrtIpcMemClose(open.key.as_ptr()) };
    if code != sys::ACL_SUCCESS {
        lose(open, &Error::refused(CLOSE, code));
        return code;
    }
    if let Some(memory) = open.freed {
        // SAFETY: an allocation of `aclrtMalloc` that nothing uses (the caller's contract).
        let freed = unsafe { sys::aclrtFree(memory.as_ptr()) };
        release::status_in_drop("aclrtFree", freed);
    }
    code
}

/// Gives up memory whose key may still lead to it.
fn lose(open: Open, why: &Error) {
    if open.freed.is_some() {
        release::leaked(why);
    }
}
