//! The creation of streams: with a name, with a brand, or parked with a number.

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
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::StreamName;
    ///
    /// enum Upload {} // a stream is a type, so that memory of one stream cannot reach another one
    /// impl StreamName for Upload {}
    ///
    /// let stream = current.create_stream::<Upload>()?;
    /// assert!(current.create_stream::<Upload>().is_err()); // one stream of a name at a time
    /// stream.destroy()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::StreamNameTaken`] while a stream with that name lives on the device. After a failure of its work, the
    /// name stays taken until the device is reset. [`ErrorKind::Refused`] with 207008 when the device has no stream
    /// left.
    #[doc(alias = "aclrtCreateStream")]
    #[doc(alias = "acl.rt.create_stream")]
    pub fn create_stream<S: StreamName>(self) -> Result<Stream<'t, 'dev, D, S>> {
        self.create_plain(())
    }

    /// Creates a stream that needs no name (`aclrtCreateStream`, pyACL `acl.rt.create_stream`), and calls `f` with it.
    ///
    /// A lifetime that no other stream has identifies the stream in types. So each call makes a new stream, also in a
    /// loop or on several threads. Functions for these streams are written once, over `S: StreamTag`. Values of two
    /// streams still cannot be mixed.
    ///
    /// The closure owns the stream, and destroys or parks it. If the stream is dropped there, also because `f`
    /// panics, it is synchronised and destroyed. For streams in a `Vec` or a struct there is
    /// [`Current::create_parked_stream`].
    ///
    /// ```
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
    /// # ascendcl::example!(|acl| { count(&acl, 3)?; });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 207008 when the device has no stream left. `f` does not run then.
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
    /// All streams that this call creates have one type, so a program can choose at run time how many it creates. At
    /// run time each stream has a number that identifies it. [`ParkedStream::with`] takes a stream into use. Between
    /// two uses its queued memory has no brand: [`Queued::unbrand`](crate::Queued::unbrand) removes it.
    ///
    /// ```
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
    /// # ascendcl::example!(|acl| { fill(&acl, 3)?; });
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

    /// Creates a parked stream without a name, with a priority or flags (`aclrtCreateStreamWithConfig`, pyACL
    /// `acl.rt.create_stream_with_config`). The stream is the same kind as that of [`Current::create_parked_stream`].
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::stream::{Priority, StreamConfig};
    ///
    /// let config = StreamConfig::new().priority(Priority::LEAST);
    /// let mut parked = current.create_parked_stream_with(config)?;
    /// parked.with(current, |stream| stream.synchronize().map(drop))?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 207008 when the device has no stream left, and with 207000 for
    /// [`StreamFlags::Huge`](crate::stream::StreamFlags::Huge) on a product without that feature.
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
            .inspect(|raw| core.set_stream(key, *raw))
            // SAFETY: no stream was created, so there is no work.
            .inspect_err(|_| unsafe { core.stream_ends(key) });
        // INVARIANT: created just now, in the current context, with a name that was free or a number that was never
        // used.
        Ok(attached(created?, ident))
    }

    /// Returns the default stream of the context (in C a null `aclrtStream`).
    ///
    /// All threads of the process share the default stream. Here only one value at a time may hold it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut stream = current.default_stream()?; // it comes and goes with the device
    /// let zeros = stream.adopt(current.malloc::<u8>(4)?);
    /// let zeros = stream.memset_async(zeros, 0)?;
    /// stream.synchronize()?.take(zeros).free()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::StreamNameTaken`] while another value holds the default stream. After a failure that may belong to
    /// its work, the default stream stays taken until the device is reset.
    pub fn default_stream(self) -> Result<DefaultStream<'t, 'dev, D>> {
        let key = stream_key::<DefaultName>(());
        self.core().claim_stream(key)?;
        if let Err(error) = set_failure_mode::<D>(core::ptr::null_mut()) {
            self.core().ledger().release_stream(key);
            return Err(error);
        }
        self.core().set_stream(key, Handle::NULL_STREAM);
        // INVARIANT: a placeholder for the default stream, claimed just now.
        Ok(attached(Handle::NULL_STREAM, ()))
    }
}

/// Sets the failure mode of a new stream to that of its device. If that fails, the stream is destroyed.
fn stopping<D: AnyDevice>(raw: Handle) -> Result<Handle> {
    set_failure_mode::<D>(raw.as_ptr()).inspect_err(|_| {
        // SAFETY: created just now, and used nowhere else.
        let code = unsafe { sys::aclrtDestroyStream(raw.as_ptr()) };
        release::in_drop(check("aclrtDestroyStream", code));
    })?;
    Ok(raw)
}

/// Sets the failure mode of a stream if its device stops on failure. The other mode is CANN's default.
fn set_failure_mode<D: AnyDevice>(raw: sys::aclrtStream) -> Result<()> {
    if !D::Mode::STOPS {
        return Ok(());
    }
    // SAFETY: a live stream of the current context, or null for its default stream.
    let code = unsafe { sys::aclrtSetStreamFailureMode(raw, sys::ACL_STOP_ON_FAILURE) };
    check("aclrtSetStreamFailureMode", code)
}
