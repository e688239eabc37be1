//! Streams of another library of the process.

use std::mem::ManuallyDrop;

use ascendcl_sys as sys;

use crate::context::{Current, with_bound};
use crate::device::{AnyDevice, Core, DeviceTag};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::interop::Foreign;
use crate::raw::Handle;
use crate::stream::end::{self, Way};
use crate::stream::{Stream, StreamName, attached, stream_key};

impl<'t, 'dev, D: AnyDevice> Current<'t, 'dev, D> {
    /// Borrows a stream of another library under the name `S` (in C an `aclrtStream`, in pyACL its address, in torch_npu
    /// `torch.npu.current_stream().npu_stream`). No call of the runtime, as a rule.
    ///
    /// Work is queued on it in the order of all calls, those of the other library among them. The stream is never
    /// destroyed here. When the handle is dropped nobody waits: its work goes on, and the name stays with the stream,
    /// so that the next call may borrow the same one again. What was dropped while it was queued is freed behind a wait
    /// for the stream that is made here, or for the whole device.
    ///
    /// A name that has stood for another stream gets this one behind a wait for the whole device
    /// (`aclrtSynchronizeDevice`), because memory may still be queued there under the name.
    /// [`Stream::give_back`] waits for the stream alone, and frees its name.
    ///
    /// # Failures
    ///
    /// The runtime reports a failed task to one wait, whoever makes it. If the other library waits for the stream or
    /// for the device, it may be told of work that was queued here, and [`Stream::synchronize`] knows nothing of that.
    /// Where this can happen, or where the other library aborts work, take memory back unverified, by [`Stream::drain`].
    /// A failure of work of the other library may be told here in turn, and poisons the name.
    ///
    /// # Errors
    ///
    /// [`Usage::BorrowedNull`] for a null stream; [`Usage::StreamBorrowed`] when the stream has another name here;
    /// [`Usage::StreamNameTaken`] while a handle has the name, and until the device is reset after work under it has
    /// failed; [`ErrorKind::Wait`] from the wait for the device.
    ///
    /// # Safety
    ///
    /// - `raw` is a live stream of the context of this `Current`: it was created while that context was current. (A
    ///   library that calls `aclrtSetDevice`, as torch_npu does, has its streams in the default context of the device,
    ///   which [`Thread::set_current`](crate::Thread::set_current) binds.)
    /// - The stream is not destroyed before the returned value is gone, and the
    ///   [`ParkedStream`](crate::ParkedStream) that it may become. A value that was forgotten counts as gone.
    /// - The host can submit work to the stream and wait for it: the stream was not created with
    ///   `ACL_STREAM_PERSISTENT`, `ACL_STREAM_CPU_SCHEDULE` or `ACL_STREAM_DEVICE_USE_ONLY`.
    /// - Until the returned value is gone the stream is bound to no model and captured by none (`aclmdlRIBindStream`,
    ///   `aclmdlRICaptureBegin`): work that was captured runs later, and no wait for the stream covers it.
    pub unsafe fn borrow_raw_stream<S: StreamName>(
        self,
        raw: sys::aclrtStream,
    ) -> Result<Stream<'t, 'dev, D, Foreign<S>>>
    where
        D: DeviceTag,
    {
        let raw = Handle::from_other(raw).ok_or(Usage::BorrowedNull { what: "stream" })?;
        claim::<S>(self.core(), raw)?;
        // INVARIANT: a live stream of this context by the caller's contract, for which waits say that its work is over;
        // claimed under a name that is free or stood for this stream before.
        Ok(attached(raw, ()))
    }
}

/// Claims the name `Foreign<S>` for a stream. If it stood for another one, all work that was queued under the name is
/// waited for; the other stream itself may be gone.
fn claim<S: StreamName>(core: &Core, raw: Handle) -> Result<()> {
    let key = stream_key::<Foreign<S>>(());
    let Some(before) = core.ledger().claim_borrowed(key, raw)? else {
        core.parking().stream_begins(key);
        return Ok(());
    };
    let is_over = core
        .wait_and_release()
        .and_then(|()| core.ledger().tell(Some(key)));
    let is_free = is_over.and_then(|()| match core.ledger().is_poisoned(key) {
        true => {
            let name = key.label();
            Err(Usage::StreamNameTaken { name }.into())
        }
        false => Ok(()),
    });
    match &is_free {
        // Callbacks of the other stream are none of this one.
        Ok(()) => core.ledger().unsubscribe(key),
        Err(_) => core.ledger().unclaim_borrowed(key, before),
    }
    is_free
}

impl<D: AnyDevice, S: StreamName> Stream<'_, '_, D, Foreign<S>> {
    /// Waits until all work of the stream is over (`aclrtSynchronizeStream`, pyACL `acl.rt.synchronize_stream`) and gives
    /// the stream back to its library, and its name to whoever borrows the next one.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] when a task failed, also one of the other library, [`Usage::StreamPoisoned`] when a wait for
    /// the whole device has failed, and [`Usage::HostFuncPanicked`]. The handle is gone all the same, and its name stays
    /// taken until the device is reset.
    #[doc(alias = "aclrtSynchronizeStream")]
    pub fn give_back(self) -> Result<()> {
        let this = ManuallyDrop::new(self);
        let end = |core: &Core| end::end(Some(this.raw), Way::GivenBack, this.key(), core);
        // SAFETY: this value borrows the binding that made it.
        unsafe { with_bound(end) }.destroyed()
    }
}
