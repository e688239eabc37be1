//! Borrowed streams: streams of another library of the process.

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
    /// Borrows a stream of another library under the name `S` (in C an `aclrtStream`, in pyACL its address, in
    /// torch_npu `torch.npu.current_stream().npu_stream`). Usually this makes no call of the runtime.
    ///
    /// The stream runs work in the order of all calls, including those of the other library. This crate never
    /// destroys the stream. Dropping the handle does not wait: the work continues, and the name still belongs to the
    /// stream, so the next call may borrow the same stream again. Memory that was dropped while it was queued is
    /// freed after a wait of this crate for the stream or for the whole device.
    ///
    /// If the name belonged to another stream before, this waits for the whole device (`aclrtSynchronizeDevice`),
    /// because the other stream may still use memory under the name. [`Stream::give_back`] waits for the stream
    /// alone, and frees its name.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # enum Torch {}
    /// # impl ascendcl::StreamName for Torch {}
    /// # let other_library = current.create_parked_stream()?;
    /// # let mut other_library = other_library;
    /// # let raw = other_library.with(current, |stream| stream.as_raw());
    /// // SAFETY: the other library does not destroy its stream meanwhile.
    /// let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw)? };
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?; // after the other library's work
    /// stream.synchronize()?.take(zeros).free()?;
    /// # });
    /// ```
    ///
    /// # Failures
    ///
    /// The runtime reports a failed task to one wait only. If the other library waits for the stream or for the
    /// device, it may get the report of work that was queued here. [`Stream::synchronize`] does not know of that
    /// failure then. If this can happen, or if the other library aborts work, take memory back unverified, by
    /// [`Stream::drain`]. A wait here may also get the report of work of the other library; that poisons the name.
    ///
    /// # Errors
    ///
    /// - [`Usage::BorrowedNull`] for a null stream.
    /// - [`Usage::StreamBorrowed`] when the stream is borrowed here under another name.
    /// - [`Usage::StreamNameTaken`] while a handle has the name. After a failure of work under the name, it stays
    ///   taken until the device is reset.
    /// - [`ErrorKind::Wait`] from the wait for the device.
    ///
    /// # Safety
    ///
    /// - `raw` is a live stream of the context of this `Current`: it was created while that context was current. (A
    ///   library that calls `aclrtSetDevice`, as torch_npu does, creates its streams in the default context of the
    ///   device. [`Thread::set_current`](crate::Thread::set_current) binds that context.)
    /// - The stream is not destroyed while the returned value lives, or a [`ParkedStream`](crate::ParkedStream) that
    ///   was made from it. A forgotten value does not live.
    /// - Whoever destroys the stream waits for it first, so that its work is over when another stream has its address.
    /// - Nobody aborts the stream while it may wait for work of this program: an abort drops the wait, and memory that the
    ///   stream has taken over would be given back under that work.
    /// - The host can submit work to the stream and wait for it: the stream was not created with
    ///   `ACL_STREAM_PERSISTENT`, `ACL_STREAM_CPU_SCHEDULE` or `ACL_STREAM_DEVICE_USE_ONLY`.
    /// - While the returned value lives, the stream is bound to no model and captured by none (`aclmdlRIBindStream`,
    ///   `aclmdlRICaptureBegin`): captured work runs later, and no wait for the stream covers it.
    pub unsafe fn borrow_raw_stream<S: StreamName>(
        self,
        raw: sys::aclrtStream,
    ) -> Result<Stream<'t, 'dev, D, Foreign<S>>>
    where
        D: DeviceTag,
    {
        let raw = Handle::from_other(raw).ok_or(Usage::BorrowedNull { what: "stream" })?;
        claim::<S>(self.core(), raw)?;
        // INVARIANT: by the caller's contract a live stream of this context, and a wait for it proves that its work
        // is over. It was claimed under a name that was free or belonged to this stream before.
        Ok(attached(raw, ()))
    }
}

/// Claims the name `Foreign<S>` for a stream. If the name belonged to another stream, this waits for all work that
/// was queued under the name. The other stream itself may be gone.
fn claim<S: StreamName>(core: &Core, raw: Handle) -> Result<()> {
    let key = stream_key::<Foreign<S>>(());
    let Some(before) = core.ledger().claim_borrowed(key, raw)? else {
        core.parking().stream_begins(key);
        core.parking().set_stream(key, raw.as_stream());
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
        // The callbacks of the other stream do not belong to this one.
        Ok(()) => {
            core.ledger().unsubscribe(key);
            core.parking().set_stream(key, raw.as_stream());
        }
        Err(_) => core.ledger().unclaim_borrowed(key, before),
    }
    is_free
}

impl<D: AnyDevice, S: StreamName> Stream<'_, '_, D, Foreign<S>> {
    /// Waits until all work of the stream is over (`aclrtSynchronizeStream`, pyACL `acl.rt.synchronize_stream`) and
    /// gives the stream back to its library. Its name is free for another stream afterwards.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # enum Torch {}
    /// # impl ascendcl::StreamName for Torch {}
    /// # let mut other_library = current.create_parked_stream()?;
    /// # let raw = other_library.with(current, |stream| stream.as_raw());
    /// // SAFETY: the other library does not destroy its stream meanwhile.
    /// let stream = unsafe { current.borrow_raw_stream::<Torch>(raw)? };
    /// stream.give_back()?; // waits; another stream can be borrowed under the name
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] when a task failed, also one of the other library. [`Usage::StreamPoisoned`] when a wait
    /// for the whole device has failed, and [`Usage::HostFuncPanicked`] when a host function has panicked. The handle
    /// is gone all the same, and its name stays taken until the device is reset.
    #[doc(alias = "aclrtSynchronizeStream")]
    pub fn give_back(self) -> Result<()> {
        let this = ManuallyDrop::new(self);
        let end = |core: &Core| end::end(Some(this.raw), Way::GivenBack, this.key(), core);
        // SAFETY: this value borrows the binding that made it.
        unsafe { with_bound(end) }.destroyed()
    }
}
