//! Notifies that processes share: a record in one process releases a wait in another one.

use std::fmt;
use std::marker::PhantomData;
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use ascendcl_sys as sys;

use super::operand::{CreatedElsewhere, CreatedHere};
use super::{Domain, Exported, Imported, Importers, KEY, NotifyKey, Text};
use crate::context::Current;
use crate::device::{AnyDevice, Core, SameDevice, in_context};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result};
use crate::park::{StreamKey, User};
use crate::raw::{Handle, check};
use crate::release;
use crate::state::Invariant;
use crate::stream::{Stream, StreamTag};

/// The call that ends a notify in this process.
const DESTROY: &str = "aclrtDestroyNotify";

/// A notify that processes share. The process that has created it waits for it (`M` = [`Exported`]); others record it (`M` =
/// [`Imported`]).
///
/// One record releases one wait, and a second record before that wait counts for nothing. So the two processes take turns.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::share::Importers;
///
/// let filled = current.create_shared_notify(Importers::Any)?;
/// let key = filled.key(); // send its bytes to the other process
/// # });
/// ```
///
/// # Invariants
///
/// - `raw` is a live notify of the context of `core`, which only this value destroys.
/// - `users` has the streams with queued work that uses it.
pub struct SharedNotify<'dev, M: Domain> {
    raw: Handle,
    key: NotifyKey,
    core: &'dev Arc<Core>,
    users: Vec<User>,
    _domain: PhantomData<Invariant<M>>,
}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Creates a notify that other processes can record (`aclrtCreateNotify`, `aclrtNotifyGetExportKey`, pyACL
    /// `acl.rt.create_notify`, `acl.rt.notify_get_export_key`; `aclrtNotifySetImportPid` for a list of processes).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::share::Importers;
    ///
    /// let filled = current.create_shared_notify(Importers::Any)?;
    /// let bytes = filled.key().to_bytes(); // the other process makes a `NotifyKey` of them
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::NoImporters`](crate::error::Usage::NoImporters) for an empty list, and [`ErrorKind::Refused`], also on devices
    /// that are divided into virtual ones.
    ///
    /// Products without the function, according to the manual: 310B.
    #[doc(alias = "aclrtCreateNotify")]
    #[doc(alias = "aclrtNotifyGetExportKey")]
    #[doc(alias = "aclrtNotifySetImportPid")]
    #[doc(alias = "acl.rt.create_notify")]
    #[doc(alias = "acl.rt.notify_get_export_key")]
    #[doc(alias = "acl.rt.notify_set_import_pid")]
    pub fn create_shared_notify(
        self,
        importers: Importers<'_>,
    ) -> Result<SharedNotify<'dev, Exported<D>>> {
        let flags = match importers.some()? {
            Importers::Listed(_) => sys::ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT,
            Importers::Any => sys::ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION,
        };
        let mut raw = ptr::null_mut();
        // SAFETY: `raw` is valid for a write.
        let code = unsafe { sys::aclrtCreateNotify(&raw mut raw, sys::ACL_NOTIFY_DEFAULT) };
        check("aclrtCreateNotify", code)?;
        let mut notify = self.shared("aclrtCreateNotify", raw, NotifyKey([0; KEY]))?;
        let name = notify.key.0.as_mut_ptr().cast();
        // SAFETY: a live notify, and `KEY` characters that are valid for writes.
        let code = unsafe { sys::aclrtNotifyGetExportKey(raw, name, KEY, flags) };
        check("aclrtNotifyGetExportKey", code)?;
        if let Importers::Listed(processes) = importers {
            let numbers = processes.as_ptr().cast_mut();
            // SAFETY: a live notify, and as many numbers as the call is told. C does not write them (manual chapter 08).
            let code = unsafe { sys::aclrtNotifySetImportPid(raw, numbers, processes.len()) };
            check("aclrtNotifySetImportPid", code)?;
        }
        Ok(notify)
    }

    /// Imports a notify of another process (`aclrtNotifyImportByKey`, pyACL `acl.rt.notify_import_by_key`, with access between
    /// the two devices if they differ). The other process keeps it until then.
    ///
    /// ```
    /// use ascendcl::share::{Imported, NotifyKey, SharedNotify};
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn import<'dev>(
    ///     current: Current<'_, 'dev, Npu<0>>,
    ///     key: &NotifyKey,
    /// ) -> Result<SharedNotify<'dev, Imported<Npu<0>>>> {
    ///     current.import_notify(key)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 507899 if no process has the key any more, if this process is not among the [`Importers`], or
    /// if it has created the notify itself.
    ///
    /// Products without the function, according to the manual: 310B.
    #[doc(alias = "aclrtNotifyImportByKey")]
    #[doc(alias = "acl.rt.notify_import_by_key")]
    pub fn import_notify(self, key: &NotifyKey) -> Result<SharedNotify<'dev, Imported<D>>> {
        let (text, mut raw) = (Text::of(key.0), ptr::null_mut());
        let flags = sys::ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS;
        // SAFETY: `raw` is valid for a write, and the key is a text of C.
        let code = unsafe { sys::aclrtNotifyImportByKey(&raw mut raw, text.as_ptr(), flags) };
        check("aclrtNotifyImportByKey", code)?;
        self.shared("aclrtNotifyImportByKey", raw, *key)
    }

    /// Takes a notify that `call` has made on this device.
    fn shared<M: Domain>(
        self,
        call: &'static str,
        raw: sys::aclrtNotify,
        key: NotifyKey,
    ) -> Result<SharedNotify<'dev, M>> {
        // INVARIANT: it was made just now, so nothing else has it and no work uses it.
        Ok(SharedNotify {
            raw: Handle::new(call, raw)?,
            key,
            core: self.core(),
            users: Vec::new(),
            _domain: PhantomData,
        })
    }
}

impl<M: Domain> SharedNotify<'_, M> {
    /// Returns the key, for other processes. Those that the owner has named may import it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # use ascendcl::share::Importers;
    /// let filled = current.create_shared_notify(Importers::Any)?;
    /// assert_eq!(filled.key(), filled.key()); // a key is a copy
    /// # });
    /// ```
    #[must_use]
    pub fn key(&self) -> NotifyKey {
        self.key
    }

    /// Returns the raw notify, for calls that this crate does not have. Do not destroy it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # use ascendcl::share::Importers;
    /// assert!(!current.create_shared_notify(Importers::Any)?.as_raw().is_null());
    /// # });
    /// ```
    #[must_use]
    pub fn as_raw(&self) -> sys::aclrtNotify {
        self.raw.as_ptr()
    }

    /// Makes later work of the stream wait until another process has recorded the notify, and takes the record back
    /// (`aclrtWaitAndResetNotify`, pyACL `acl.rt.wait_and_reset_notify`).
    ///
    /// The other process may end before its record. So there is a limit, which is rounded up to seconds. When it is over, the
    /// next wait of the host for the stream returns an error, and later work has run all the same. A record that comes too late
    /// releases the next wait.
    ///
    /// ```
    /// use ascendcl::share::{Exported, Imported, SharedBuf, SharedNotify};
    /// use ascendcl::stream::Main;
    /// use ascendcl::{HostBuf, Npu, Queued, Result, Stream};
    /// use std::time::Duration;
    ///
    /// /// Fetches the frame of another process.
    /// fn fetch<'dev>(
    ///     stream: &mut Stream<'_, 'dev, Npu<0>>,
    ///     filled: &mut SharedNotify<'dev, Exported<Npu<0>>>,
    ///     frame: &Queued<'dev, (Npu<0>, Main), SharedBuf<'dev, Imported<Npu<0>>, u8>>,
    ///     to: &mut Queued<'dev, (Npu<0>, Main), HostBuf<'dev, [u8]>>,
    /// ) -> Result<()> {
    ///     filled.wait_and_reset(stream, Duration::from_secs(10))?;
    ///     let here = stream.memcpy_async(stream.malloc(frame.len())?, frame)?; // within the device
    ///     stream.memcpy_async(to, &here)?;
    ///     stream.synchronize()?; // an error if nobody has recorded the notify in time
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtWaitAndResetNotify")]
    #[doc(alias = "acl.rt.wait_and_reset_notify")]
    pub fn wait_and_reset<S: StreamTag>(
        &mut self,
        stream: &mut Stream<'_, '_, impl SameDevice<M::Device>, S>,
        limit: Duration,
    ) -> Result<()>
    where
        M: CreatedHere,
    {
        // 0 is no limit in C.
        let seconds = limit.as_nanos().div_ceil(1_000_000_000).max(1);
        let seconds = u32::try_from(seconds).unwrap_or(u32::MAX);
        self.enters(stream.key());
        // SAFETY: a live notify of this process and a live stream of the current context. The notify is destroyed behind the work
        // of the stream (`users`).
        let code = unsafe { sys::aclrtWaitAndResetNotify(self.as_raw(), stream.as_raw(), seconds) };
        check("aclrtWaitAndResetNotify", code)
    }

    /// Records the notify behind the work of the stream (`aclrtRecordNotify`, pyACL `acl.rt.record_notify`): the wait of the
    /// process that has created it ends.
    ///
    /// ```
    /// use ascendcl::share::{Exported, Imported, SharedBuf, SharedNotify};
    /// use ascendcl::stream::Main;
    /// use ascendcl::{HostBuf, Npu, Queued, Result, Stream};
    ///
    /// /// Writes a frame for another process.
    /// fn publish<'dev>(
    ///     stream: &mut Stream<'_, 'dev, Npu<0>>,
    ///     frame: &mut Queued<'dev, (Npu<0>, Main), SharedBuf<'dev, Exported<Npu<0>>, u8>>,
    ///     from: &Queued<'dev, (Npu<0>, Main), HostBuf<'dev, [u8]>>,
    ///     filled: &mut SharedNotify<'dev, Imported<Npu<0>>>,
    /// ) -> Result<()> {
    ///     stream.memcpy_async(frame, from)?;
    ///     filled.record(stream) // behind the copy
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtRecordNotify")]
    #[doc(alias = "acl.rt.record_notify")]
    pub fn record<S: StreamTag>(
        &mut self,
        stream: &mut Stream<'_, '_, impl SameDevice<M::Device>, S>,
    ) -> Result<()>
    where
        M: CreatedElsewhere,
    {
        self.enters(stream.key());
        // SAFETY: a live notify and a live stream of the current context. The notify is destroyed behind the work of the stream
        // (`users`).
        let code = unsafe { sys::aclrtRecordNotify(self.as_raw(), stream.as_raw()) };
        check("aclrtRecordNotify", code)
    }

    /// Enters that work of a stream uses the notify. A failed call may have queued it all the same.
    fn enters(&mut self, stream: StreamKey) {
        self.core
            .parking()
            .enter_user(&mut self.users, Some(stream));
    }
}

impl<M: Domain> Drop for SharedNotify<'_, M> {
    /// Destroys the notify (`aclrtDestroyNotify`, pyACL `acl.rt.destroy_notify`) behind the work that uses it: the manual does not
    /// say what becomes of a wait for a destroyed notify.
    fn drop(&mut self) {
        // SAFETY: a notify of the context of `core`, which only this value destroys (invariant).
        let parked = unsafe { in_context(self.core, DESTROY, self.raw, destroy, lose) };
        self.core.parking().park(&self.users, parked);
    }
}

/// # Safety
///
/// - No work uses the notify, and its context is current. It is destroyed once.
unsafe fn destroy(notify: Handle) -> sys::aclError {
    // SAFETY: the caller's contract.
    unsafe { sys::aclrtDestroyNotify(notify.as_ptr()) }
}

fn lose(_: Handle, why: &Error) {
    release::leaked(why);
}

impl<M: Domain> fmt::Debug for SharedNotify<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedNotify({:?})", self.as_raw())
    }
}
