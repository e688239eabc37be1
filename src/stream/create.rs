//! Making streams: under a name, under a brand, or parked with a number.

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::outcome::FailureMode;
use crate::park;
use crate::raw::{Handle, check};
use crate::release;
use crate::stream::name::{StreamIdent, stream_key};
use crate::stream::parked::parked;
use crate::stream::{
    DefaultName, DefaultStream, Numbered, ParkedStream, Stream, StreamBrand, StreamConfig,
    StreamName, StreamTag, attached,
};

impl<'t, 'dev, D: AnyDevice> Current<'t, 'dev, D> {
    /// Creates a stream (`aclrtCreateStream`, pyACL `acl.rt.create_stream`).
    ///
    /// # Errors
    ///
    /// [`Usage::StreamNameTaken`] while a stream of that name lives on the device, and until the device is
    /// reset after the work of one has failed; [`ErrorKind::Refused`] with 207008 when the device has no stream
    /// left.
    #[doc(alias = "aclrtCreateStream")]
    #[doc(alias = "acl.rt.create_stream")]
    pub fn create_stream<S: StreamName>(self) -> Result<Stream<'t, 'dev, D, S>> {
        self.create_plain(())
    }

    /// Creates a stream that needs no name (`aclrtCreateStream`, pyACL `acl.rt.create_stream`), and calls `f` with it.
    ///
    /// What identifies the stream in types is a lifetime that no other stream has, so each call makes another one, also
    /// in a loop or on several threads. Functions for it are written once, over `S: StreamTag`. What belongs to two
    /// streams can still not be mixed.
    ///
    /// The stream is the closure's: it is destroyed there, or parked; dropping it synchronises and destroys it, also if
    /// `f` panics. For streams that a `Vec` or a struct holds there is [`Current::create_parked_stream`].
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
    /// fn count(acl: &ascendcl::Acl, workers: usize) -> ascendcl::Result<()> {
    ///     use ascendcl::{Npu, Thread};
    ///     let mut thread = Thread::claim()?;
    ///     let device = &acl.set_device::<Npu<0>>(&mut thread, 0)?;
    ///     std::thread::scope(|scope| {
    ///         let work = move || {
    ///             let mut thread = Thread::claim()?;
    ///             let current = thread.set_current(device)?;
    ///             current.with_stream(|mut stream| {
    ///                 let buf = stream.adopt(current.malloc::<u32>(16)?);
    ///                 let buf = stream.memset_async(buf, 7)?;
    ///                 stream.synchronize()?.take(buf).free()?;
    ///                 stream.destroy()
    ///             })?
    ///         };
    ///         let running: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
    ///         running.into_iter().try_for_each(|worker| worker.join().unwrap())
    ///     })
    /// }
    /// # #[cfg(feature = "emulator")]
    /// # fn main() -> ascendcl::Result<()> { count(&ascendcl::Acl::from_env()?, 3) }
    /// # #[cfg(not(feature = "emulator"))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 207008 when the device has no stream left; `f` does not run then.
    #[doc(alias = "aclrtCreateStream")]
    #[doc(alias = "acl.rt.create_stream")]
    pub fn with_stream<T>(
        self,
        f: impl for<'id> FnOnce(Stream<'t, 'dev, D, StreamBrand<'id>>) -> T,
    ) -> Result<T> {
        let stream = self.create_plain::<StreamBrand<'_>>(park::number())?;
        Ok(f(stream))
    }

    /// Creates a stream that needs no name (`aclrtCreateStream`, pyACL `acl.rt.create_stream`), and parks it.
    ///
    /// All such streams have one type, so a program can hold as many of them as it finds out that it needs. A number
    /// tells them apart when the program runs. [`ParkedStream::with`] takes one into use; its memory stays in its hands
    /// between two uses by [`Queued::unbrand`](crate::Queued::unbrand).
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
    /// fn fill(acl: &ascendcl::Acl, lanes: usize) -> ascendcl::Result<()> {
    ///     use ascendcl::{DeviceBuf, Npu, ParkedStream, Queued, Result, Thread, stream::Numbered};
    ///
    ///     struct Lane<'dev> {
    ///         stream: ParkedStream<'dev, Npu<0>>,
    ///         memory: Queued<'dev, (Npu<0>, Numbered), DeviceBuf<'dev, Npu<0>, [u32]>>,
    ///     }
    ///
    ///     let mut thread = Thread::claim()?;
    ///     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    ///     let current = thread.set_current(&device)?;
    ///     let lane = |_| -> Result<Lane<'_>> {
    ///         let mut stream = current.create_parked_stream()?;
    ///         let memory = stream.with(current, |stream| {
    ///             let fresh = stream.adopt(current.malloc(16)?);
    ///             Ok::<_, ascendcl::Error>(stream.memset_async(fresh, 0)?.unbrand())
    ///         })?;
    ///         Ok(Lane { stream, memory })
    ///     };
    ///     let lanes: Vec<Lane<'_>> = (0..lanes).map(lane).collect::<Result<_>>()?; // they run side by side
    ///     for Lane { mut stream, memory } in lanes {
    ///         stream.with(current, |stream| {
    ///             let memory = stream.rebrand(memory)?;
    ///             stream.synchronize()?.take(memory).free()
    ///         })?;
    ///         stream.destroy(current)?;
    ///     }
    ///     Ok(())
    /// }
    /// # #[cfg(feature = "emulator")]
    /// # fn main() -> ascendcl::Result<()> { fill(&ascendcl::Acl::from_env()?, 3) }
    /// # #[cfg(not(feature = "emulator"))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 207008 when the device has no stream left.
    #[doc(alias = "aclrtCreateStream")]
    #[doc(alias = "acl.rt.create_stream")]
    pub fn create_parked_stream(self) -> Result<ParkedStream<'dev, D, Numbered>> {
        let stream = self.create_plain::<Numbered>(park::number())?;
        Ok(parked(stream, self))
    }

    /// Creates a parked stream as [`Current::create_parked_stream`] does, with a priority or flags
    /// (`aclrtCreateStreamWithConfig`, pyACL `acl.rt.create_stream_with_config`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 207008 when the device has no stream left, and with 207000 for
    /// [`StreamFlags::Huge`](crate::stream::StreamFlags::Huge) on a product without it.
    #[doc(alias = "aclrtCreateStreamWithConfig")]
    #[doc(alias = "acl.rt.create_stream_with_config")]
    pub fn create_parked_stream_with(
        self,
        config: StreamConfig,
    ) -> Result<ParkedStream<'dev, D, Numbered>> {
        let stream = self.create_configured::<Numbered>(park::number(), config)?;
        Ok(parked(stream, self))
    }

    fn create_plain<S: StreamTag>(self, ident: StreamIdent<S>) -> Result<Stream<'t, 'dev, D, S>> {
        self.create_by(ident, "aclrtCreateStream", |raw| {
            // SAFETY: `raw` is valid for a write of a pointer.
            unsafe { sys::aclrtCreateStream(raw) }
        })
    }

    /// Creates a stream with the call `create`.
    pub(super) fn create_by<S: StreamTag>(
        self,
        ident: StreamIdent<S>,
        call: &'static str,
        create: impl FnOnce(*mut sys::aclrtStream) -> sys::aclError,
    ) -> Result<Stream<'t, 'dev, D, S>> {
        let core = self.core();
        let key = stream_key::<S>(ident);
        core.claim_stream(key)?;
        let mut raw = core::ptr::null_mut();
        let created = check(call, create(&raw mut raw))
            .and_then(|()| Handle::new(call, raw))
            .and_then(stopping::<D>)
            // SAFETY: there is no stream, and so no work.
            .inspect_err(|_| unsafe { core.stream_ends(key) });
        // INVARIANT: just created, in the current context, under a name that was free or a number that nothing has had.
        Ok(attached(created?, ident))
    }

    /// The context's default stream (in C a null `aclrtStream`).
    ///
    /// All threads of the process share it; here one place at a time may hold it.
    ///
    /// # Errors
    ///
    /// [`Usage::StreamNameTaken`] while it is held elsewhere, and until the device is reset after a failure
    /// that may have been that of its work.
    pub fn default_stream(self) -> Result<DefaultStream<'t, 'dev, D>> {
        let key = stream_key::<DefaultName>(());
        self.core().claim_stream(key)?;
        if let Err(error) = set_failure_mode::<D>(core::ptr::null_mut()) {
            self.core().ledger().release_stream(key);
            return Err(error);
        }
        // INVARIANT: stands for the default stream, held once.
        Ok(attached(Handle::NULL_STREAM, ()))
    }
}

/// A fresh stream in the failure mode of its device; one that cannot have it is destroyed.
fn stopping<D: AnyDevice>(raw: Handle) -> Result<Handle> {
    set_failure_mode::<D>(raw.as_ptr()).inspect_err(|_| {
        // SAFETY: created just now, and used nowhere else.
        let code = unsafe { sys::aclrtDestroyStream(raw.as_ptr()) };
        release::in_drop(check("aclrtDestroyStream", code));
    })?;
    Ok(raw)
}

/// Tells a stream of a device that stops on failure to do so. The other mode is CANN's default.
fn set_failure_mode<D: AnyDevice>(raw: sys::aclrtStream) -> Result<()> {
    if !D::Mode::STOPS {
        return Ok(());
    }
    // SAFETY: a live stream of the current context, or null for its default stream.
    let code = unsafe { sys::aclrtSetStreamFailureMode(raw, sys::ACL_STOP_ON_FAILURE) };
    check("aclrtSetStreamFailureMode", code)
}
