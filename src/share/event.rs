//! Events that processes share: a stream or the host waits for work that another process has recorded.

use std::ffi::c_char;
use std::fmt;
use std::marker::PhantomData;
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use ascendcl_sys as sys;

use super::operand::{AwaitsEvents, RecordsEvents};
use super::{Domain, Exported, Imported};
use crate::context::Current;
use crate::device::{AnyDevice, Core, SameDevice, in_context};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result};
use crate::park::{StreamKey, User};
use crate::raw::{Handle, check, check_wait};
use crate::release;
use crate::state::Invariant;
use crate::stream::{Stream, StreamTag, millis};

/// The call that ends an event in this process.
const DESTROY: &str = "aclrtDestroyEvent";
/// The bytes of a handle.
const HANDLE: usize = sys::ACL_IPC_EVENT_HANDLE_SIZE;

/// The handle of an event that was recorded at least once, for other processes. Any process may have copies of it.
///
/// [`SharedEvent::record`] returns it. So a process that has the key does not wait in front of the first record, where AscendCL
/// waits for nothing.
///
/// ```
/// use ascendcl::share::EventKey;
/// use std::io::{Read, Result};
///
/// /// Reads a key that another process has written with `write_all(&key.to_bytes())`.
/// fn receive(mut pipe: impl Read) -> Result<EventKey> {
///     let mut bytes = [0; 64];
///     pipe.read_exact(&mut bytes)?;
///     Ok(EventKey::from_bytes(bytes))
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(alias = "aclrtIpcEventHandle")]
pub struct EventKey(sys::aclrtIpcEventHandle);

impl EventKey {
    /// Returns the bytes to send to another process: the 64 bytes of C.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # use ascendcl::share::EventKey;
    /// let mut filled = current.create_shared_event()?;
    /// let key = filled.record(&mut stream)?;
    /// let bytes: [u8; 64] = key.to_bytes(); // for a pipe
    /// assert_eq!(EventKey::from_bytes(bytes), key);
    /// # });
    /// ```
    #[must_use]
    pub fn to_bytes(self) -> [u8; HANDLE] {
        self.0
            .reserved
            .map(|byte| u8::from_ne_bytes(byte.to_ne_bytes()))
    }

    /// Returns the key with these bytes.
    ///
    /// ```
    /// use ascendcl::share::EventKey;
    ///
    /// let key = EventKey::from_bytes([7; 64]); // no event has it
    /// assert_eq!(key.to_bytes(), [7; 64]);
    /// ```
    #[must_use]
    pub fn from_bytes(bytes: [u8; HANDLE]) -> EventKey {
        let reserved = bytes.map(|byte| c_char::from_ne_bytes([byte]));
        EventKey(sys::aclrtIpcEventHandle { reserved })
    }
}

/// An event that processes share. The process that has created it records it (`M` = [`Exported`]); others wait for it (`M` =
/// [`Imported`]).
///
/// Unlike a [`SharedNotify`](super::SharedNotify), a record ends any number of waits, of several processes, and is not taken
/// back. A wait is for the record that is the latest one when `wait` is called, and for none that comes later. So the process
/// that records says so behind each call of `record`, for instance by a byte in a pipe, and the other one waits then.
///
/// The event says that the work in front of its record is over, and not that it has succeeded. It has no time, no number and no
/// status, and no recording takes it.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// let mut filled = current.create_shared_event()?;
/// // ... queue the work ...
/// let key = filled.record(&mut stream)?; // send its bytes to the other process
/// # });
/// ```
///
/// # Invariants
///
/// - `raw` is a live event of the context of `core` with `ACL_EVENT_IPC`, which only this value destroys.
/// - `users` has the streams with queued work that uses it.
pub struct SharedEvent<'dev, M: Domain> {
    raw: Handle,
    key: EventKey,
    core: &'dev Arc<Core>,
    users: Vec<User>,
    _domain: PhantomData<Invariant<M>>,
}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Creates an event that other processes can wait for (`aclrtCreateEventExWithFlag` with `ACL_EVENT_IPC`, pyACL
    /// `acl.rt.create_event_ex_with_flag`; `aclrtIpcGetEventHandle`).
    ///
    /// Every process that gets the key can import it: AscendCL has no list of [`Importers`](super::Importers) for events.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let mut filled = current.create_shared_event()?;
    /// let bytes = filled.record(&mut stream)?.to_bytes(); // the other process makes an `EventKey` of them
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], with 207000 where the driver has no such events, and [`ErrorKind::Backend`] if an older CANN lacks
    /// the function.
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtIpcGetEventHandle")]
    pub fn create_shared_event(self) -> Result<SharedEvent<'dev, Exported<D>>> {
        let mut raw = ptr::null_mut();
        // SAFETY: `raw` is valid for a write, and the context of the device is current.
        let code = unsafe { sys::aclrtCreateEventExWithFlag(&raw mut raw, sys::ACL_EVENT_IPC) };
        check("aclrtCreateEventExWithFlag", code)?;
        let unknown = EventKey::from_bytes([0; HANDLE]);
        let mut event = self.shared_event("aclrtCreateEventExWithFlag", raw, unknown)?;
        // SAFETY: a live event with `ACL_EVENT_IPC`, and a handle that is valid for a write.
        let code = unsafe { sys::aclrtIpcGetEventHandle(raw, &raw mut event.key.0) };
        check("aclrtIpcGetEventHandle", code)?;
        Ok(event)
    }

    /// Imports an event of another process (`aclrtIpcOpenEventHandle`), with access between the two devices if they differ.
    ///
    /// ```
    /// use ascendcl::share::{EventKey, Imported, SharedEvent};
    /// use ascendcl::{Current, Npu, Result};
    ///
    /// fn import<'dev>(
    ///     current: Current<'_, 'dev, Npu<0>>,
    ///     key: &EventKey,
    /// ) -> Result<SharedEvent<'dev, Imported<Npu<0>>>> {
    ///     // SAFETY: the key comes from the other process, which keeps the event until this one has ended.
    ///     unsafe { current.import_event(key) }
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], with 507899 if no process has the key any more, or if this process has created the event itself.
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    ///
    /// # Safety
    ///
    /// - The key is that of an event: [`SharedEvent::record`] has returned it. C opens memory by the number in it, and writes there.
    /// - The process that has created the event does not destroy it, and does not reset the device, before the returned value is
    ///   gone and all work on it is over. A value that was dropped is gone behind a wait for the streams that wait for it, and a
    ///   forgotten one never is. `docs/soundness.md` has what is assumed of a process that is killed.
    #[doc(alias = "aclrtIpcOpenEventHandle")]
    pub unsafe fn import_event(self, key: &EventKey) -> Result<SharedEvent<'dev, Imported<D>>> {
        let mut raw = ptr::null_mut();
        // SAFETY: `raw` is valid for a write, and the key is that of an event (the caller's contract).
        let code = unsafe { sys::aclrtIpcOpenEventHandle(key.0, &raw mut raw) };
        check("aclrtIpcOpenEventHandle", code)?;
        self.shared_event("aclrtIpcOpenEventHandle", raw, *key)
    }

    /// Takes an event that `call` has made on this device.
    fn shared_event<M: Domain>(
        self,
        call: &'static str,
        raw: sys::aclrtEvent,
        key: EventKey,
    ) -> Result<SharedEvent<'dev, M>> {
        // INVARIANT: it was made just now, so nothing else has it and no work uses it.
        Ok(SharedEvent {
            raw: Handle::new(call, raw)?,
            key,
            core: self.core(),
            users: Vec::new(),
            _domain: PhantomData,
        })
    }
}

impl<M: Domain> SharedEvent<'_, M> {
    /// Returns the raw event, for calls that this crate does not have. Do not destroy it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// assert!(!current.create_shared_event()?.as_raw().is_null());
    /// # });
    /// ```
    #[must_use]
    pub fn as_raw(&self) -> sys::aclrtEvent {
        self.raw.as_ptr()
    }

    /// Records the event behind the work of the stream (`aclrtRecordEvent`, pyACL `acl.rt.record_event`), and returns the key for
    /// other processes. It is the same one each time.
    ///
    /// The call waits while 8192 records have waits or work that is not over (published source of the runtime).
    ///
    /// ```
    /// use ascendcl::share::{EventKey, Exported, SharedBuf, SharedEvent};
    /// use ascendcl::stream::Main;
    /// use ascendcl::{HostBuf, Npu, Queued, Result, Stream};
    ///
    /// /// Writes a frame that other processes read.
    /// fn publish<'dev>(
    ///     stream: &mut Stream<'_, 'dev, Npu<0>>,
    ///     frame: &mut Queued<'dev, (Npu<0>, Main), SharedBuf<'dev, Exported<Npu<0>>, u8>>,
    ///     from: &Queued<'dev, (Npu<0>, Main), HostBuf<'dev, [u8]>>,
    ///     filled: &mut SharedEvent<'dev, Exported<Npu<0>>>,
    /// ) -> Result<EventKey> {
    ///     stream.memcpy_async(frame, from)?;
    ///     filled.record(stream) // behind the copy
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtRecordEvent")]
    #[doc(alias = "acl.rt.record_event")]
    pub fn record<S: StreamTag>(
        &mut self,
        stream: &mut Stream<'_, '_, impl SameDevice<M::Device>, S>,
    ) -> Result<EventKey>
    where
        M: RecordsEvents,
    {
        self.enters(stream.key());
        // SAFETY: a live event and a live stream of the current context. The event is destroyed behind the work of the stream
        // (`users`).
        let code = unsafe { sys::aclrtRecordEvent(self.as_raw(), stream.as_raw()) };
        check("aclrtRecordEvent", code)?;
        Ok(self.key)
    }

    /// Makes later work of the stream wait for the latest record (`aclrtStreamWaitEvent`, pyACL `acl.rt.stream_wait_event`).
    ///
    /// The wait has no limit (published source of the runtime): if the other process ends or aborts its stream in front of the
    /// recorded point, the stream may wait for ever. Where that can happen, let the host wait, with [`SharedEvent::synchronize_within`].
    ///
    /// ```
    /// use ascendcl::share::{Imported, SharedBuf, SharedEvent};
    /// use ascendcl::stream::Main;
    /// use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};
    ///
    /// /// Fetches the frame of another process, which has said that it has recorded the event.
    /// fn fetch<'dev>(
    ///     stream: &mut Stream<'_, 'dev, Npu<0>>,
    ///     filled: &mut SharedEvent<'dev, Imported<Npu<0>>>,
    ///     frame: &Queued<'dev, (Npu<0>, Main), SharedBuf<'dev, Imported<Npu<0>>, u8>>,
    /// ) -> Result<Queued<'dev, (Npu<0>, Main), DeviceBuf<'dev, Npu<0>, [u8]>>> {
    ///     filled.wait(stream)?;
    ///     stream.memcpy_async(stream.malloc(frame.len())?, frame)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtStreamWaitEvent")]
    #[doc(alias = "acl.rt.stream_wait_event")]
    pub fn wait<S: StreamTag>(
        &mut self,
        stream: &mut Stream<'_, '_, impl SameDevice<M::Device>, S>,
    ) -> Result<()>
    where
        M: AwaitsEvents,
    {
        self.enters(stream.key());
        // SAFETY: as for a record.
        let code = unsafe { sys::aclrtStreamWaitEvent(stream.as_raw(), self.as_raw()) };
        check("aclrtStreamWaitEvent", code)
    }

    /// Waits on the host until the work in front of the latest record is over, for a limited time
    /// (`aclrtSynchronizeEventWithTimeout`, pyACL `acl.rt.synchronize_event_with_timeout`). The limit is rounded up to
    /// milliseconds. It waits for nothing in front of the first record.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use std::time::Duration;
    ///
    /// let mut filled = current.create_shared_event()?;
    /// filled.record(&mut stream)?;
    /// filled.synchronize_within(Duration::from_secs(10))?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] with 507047 when the time was up, and [`ErrorKind::Usage`] for a limit that C does not have.
    #[doc(alias = "aclrtSynchronizeEventWithTimeout")]
    pub fn synchronize_within(&self, limit: Duration) -> Result<()> {
        let millis = millis(limit)?;
        // SAFETY: a live event; the call needs no current context (observed, CANN runtime 1.17, for other events).
        let code = unsafe { sys::aclrtSynchronizeEventWithTimeout(self.as_raw(), millis) };
        check_wait("aclrtSynchronizeEventWithTimeout", code)
    }

    /// Enters that work of a stream uses the event. A failed call may have queued it all the same.
    fn enters(&mut self, stream: StreamKey) {
        self.core
            .parking()
            .enter_user(&mut self.users, Some(stream));
    }
}

impl<M: Domain> Drop for SharedEvent<'_, M> {
    /// Destroys the event (`aclrtDestroyEvent`, pyACL `acl.rt.destroy_event`) behind the work that uses it: the manual does not
    /// say what becomes of a wait of another process for a destroyed event.
    fn drop(&mut self) {
        // SAFETY: an event of the context of `core`, which only this value destroys (invariant).
        let parked = unsafe { in_context(self.core, DESTROY, self.raw, destroy, lose) };
        self.core.parking().park(&self.users, parked);
    }
}

/// # Safety
///
/// - No work uses the event, and its context is current. It is destroyed once.
unsafe fn destroy(event: Handle) -> sys::aclError {
    // SAFETY: the caller's contract.
    unsafe { sys::aclrtDestroyEvent(event.as_ptr()) }
}

fn lose(_: Handle, why: &Error) {
    release::leaked(why);
}

impl<M: Domain> fmt::Debug for SharedEvent<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedEvent({:?})", self.as_raw())
    }
}
