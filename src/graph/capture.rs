//! Captures: the record of what a closure queues on a stream.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::context::with_bound;
use crate::device::{Core, DeviceTag, unproven};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result, Usage};
use crate::graph::keep::Keep;
use crate::graph::memory::Table;
use crate::graph::{Graph, GraphMemory, destroyed, leak};
use crate::outcome::Unverified;
use crate::park::pools::Paused;
use crate::park::{self, Parking};
use crate::queue::Queued;
use crate::raw::check;
use crate::release;
use crate::state::DropUses;
use crate::stream::{Created, Distinct, GraphBrand, Stream, StreamTag, attached};

/// A stream while a closure records on it: it has the calls that queue work, and none that waits.
///
/// ```
/// use ascendcl::graph::Recording;
/// use ascendcl::memory::{Dev, SliceMut};
/// use ascendcl::stream::GraphBrand;
/// use ascendcl::{Npu, Result};
///
/// /// A step that several graphs record.
/// fn clear<'g>(
///     recording: &mut Recording<'_, '_, 'g, Npu<0>>,
///     state: SliceMut<'g, Dev<Npu<0>>, [f32], (Npu<0>, GraphBrand<'g>)>,
/// ) -> Result<()> {
///     recording.memset_async(state, 0)
/// }
/// ```
pub type Recording<'t, 'dev, 'g, D> = Stream<'t, 'dev, D, GraphBrand<'g>>;

/// A capture that has failed. `?` makes an [`Error`] of it in a function that returns one, and the memory is freed.
///
/// The memory borrows its device. In a function that returns `Box<dyn std::error::Error>` or an error of `anyhow`, write
/// `stream.capture(..).map_err(Error::from)?`.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::error::Usage;
/// use ascendcl::graph::NotCaptured;
///
/// let small = current.memset(current.malloc::<u8>(4)?, 0)?;
/// let large = current.memset(current.malloc::<u8>(8)?, 0)?;
/// let failed = stream.capture((small, large), |recording, (small, large)| recording.memcpy_async(small, &large));
/// let Err(NotCaptured { error, memory: Some(memory) }) = failed else { unreachable!() };
/// println!("{error}");
/// let (small, large) = stream.synchronize()?.verify(memory);
/// # drop((small, large));
/// # });
/// ```
pub struct NotCaptured<'dev, Q, R> {
    /// The reason.
    pub error: Error,
    /// The memory, or the graph of [`Queued::also`]. It is `None` where no wait has proven that nothing uses it: it is leaked
    /// then, and [`leaks`](crate::leaks) counts it.
    pub memory: Option<Unverified<'dev, Q, R>>,
}

impl<Q, R> From<NotCaptured<'_, Q, R>> for Error {
    fn from(failed: NotCaptured<'_, Q, R>) -> Error {
        failed.error
    }
}

impl<Q, R> fmt::Debug for NotCaptured<'_, Q, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<Q, R> fmt::Display for NotCaptured<'_, Q, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<Q, R> std::error::Error for NotCaptured<'_, Q, R> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl<'t, 'dev, D: DeviceTag, S: StreamTag> Stream<'t, 'dev, D, S> {
    /// Records the work that `record` queues, and runs nothing of it (`aclmdlRICaptureBegin`, `aclmdlRICaptureEnd`). The graph is
    /// queued on this stream.
    ///
    /// `memory` is what the recorded work uses ([`GraphMemory`]); the closure gets parts of it, which no other work has. What the
    /// closure returns stays with the graph ([`Graph::value`]), and recorded memory is no part of it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let numbers = current.malloc_host_from(host, &[1_u32, 2])?;
    /// let on_device = current.memset(current.malloc::<u32>(2)?, 0)?;
    /// let mut graph = stream.capture((numbers, on_device), |recording, (numbers, on_device)| {
    ///     recording.memcpy_async(on_device, &numbers)
    /// })?;
    /// graph.launch(&mut stream)?;
    /// let (numbers, on_device) = stream.synchronize()?.take(graph).destroy()?;
    /// # drop((numbers, on_device));
    /// # });
    /// ```
    ///
    /// The closure replaces the calls that build a graph by hand (`aclmdlRIBuildBegin` and those behind it), and the type
    /// [`Recording`] replaces questions about a capture (`aclmdlRICaptureGetInfo`).
    ///
    /// # Errors
    ///
    /// [`NotCaptured`] has the memory and the reason. That is the error of the closure; [`ErrorKind::Refused`], with 207008 or
    /// 207005 where the product has no stream or no task left for a graph, with 107027 where other code records on this stream;
    /// or [`ErrorKind::Wait`] where the stream cannot be proven to be idle then.
    ///
    /// # Panics
    ///
    /// A panic of the closure goes on behind the end of the capture. The memory is freed then.
    ///
    /// Products without the function, according to the manual: 310B, 910.
    #[doc(alias = "aclmdlRICaptureBegin")]
    #[doc(alias = "aclmdlRICaptureEnd")]
    #[doc(alias("aclmdlRIBuildBegin", "aclmdlRIBindStream", "aclmdlRIEndTask"))]
    #[doc(alias("aclmdlRIBuildEnd", "aclmdlRIUnbindStream"))]
    #[doc(alias("aclmdlRICaptureGetInfo", "aclmdlRICaptureThreadExchangeMode"))]
    pub fn capture<T: GraphMemory<D>, V>(
        &mut self,
        memory: T,
        record: impl for<'g> FnOnce(
            &mut Recording<'t, 'dev, 'g, D>,
            T::At<'g, (D, GraphBrand<'g>)>,
        ) -> Result<V>,
    ) -> Result<Queued<'dev, (D, S), Graph<'dev, D, T, V>>, NotCaptured<'dev, (D, S), T>>
    where
        S: Created + Distinct,
    {
        // SAFETY: this value borrows the binding that made it.
        let Some(core) = unsafe { with_bound(Core::weak) }.upgrade() else {
            // It cannot be gone, because the binding borrows the device.
            let reason = "its device is gone".to_owned();
            return Err(NotCaptured {
                error: Usage::NoThread { reason }.into(),
                memory: Some(Unverified::new(memory)),
            });
        };
        // The streams of a graph are queues of the runtime, and nothing says that an abort reaches them.
        core.note_other_queues();
        let mut keep = Keep::new(core);
        let mut memory = ManuallyDrop::new(memory);
        match self.record_graph(&mut keep, &mut *memory, record) {
            // INVARIANT: a complete instance, whose tasks use the memory and what `keep` has; nothing has run.
            Ok(value) => Ok(self.adopt(Graph {
                keep: ManuallyDrop::new(keep),
                memory,
                value,
                table: Table::of::<D, T>(),
                _device: DropUses::new(),
                _of: PhantomData,
            })),
            Err(failed) => Err(self.failed(failed, move |idle| {
                let (table, memory) = (Table::of::<D, T>(), ManuallyDrop::into_inner(memory));
                match idle {
                    // SAFETY: the wait has proven that nothing runs.
                    Ok(()) => unsafe { destroyed(keep, table, memory) }.ok(),
                    Err(why) => {
                        // SAFETY: the table of the memory.
                        unsafe { leak(&keep, table, memory, &why) };
                        None
                    }
                }
            })),
        }
    }

    /// Records on this stream. What the work uses are `memory` and what `keep` has.
    pub(super) fn record_graph<T: GraphMemory<D>, V>(
        &mut self,
        keep: &mut Keep,
        memory: &mut T,
        record: impl for<'g> FnOnce(
            &mut Recording<'t, 'dev, 'g, D>,
            T::At<'g, (D, GraphBrand<'g>)>,
        ) -> Result<V>,
    ) -> Result<V, Failed> {
        let raw = self.as_raw();
        let _paused = Paused::new(keep.parking().key(), self.key());
        // SAFETY: a live stream of this crate, which is borrowed until the end.
        let begun =
            unsafe { sys::aclmdlRICaptureBegin(raw, sys::ACL_MODEL_RI_CAPTURE_MODE_RELAXED) };
        check("aclmdlRICaptureBegin", begun).map_err(Failed::before)?;
        // INVARIANT: the stream of `self`, which is borrowed, under a tag and a number that no other stream has. It is never
        // dropped.
        let number = park::number();
        let mut recording = ManuallyDrop::new(attached(self.handle(), (keep.number(), number)));
        let memory: *mut T = memory;
        // SAFETY: the memory stays where it is until the closure has ended, the only user of the parts is the closure, and its
        // work is recorded.
        let parts = unsafe { T::at(memory) };
        let recorded = catch_unwind(AssertUnwindSafe(|| record(&mut recording, parts)));
        let mut instance = core::ptr::null_mut();
        // The end must come on every path: the stream would swallow all later work.
        // SAFETY: the stream of the begin, on its thread, and `instance` is valid for a write.
        let ended = unsafe { sys::aclmdlRICaptureEnd(raw, &raw mut instance) };
        let ended = check("aclmdlRICaptureEnd", ended);
        if ended.is_err() {
            // An end that has failed has ended the capture, or else this one does (107029).
            // SAFETY: as above.
            let _ = unsafe { sys::aclmdlRICaptureEnd(raw, &raw mut instance) };
        }
        keep.end_forks();
        let why = match (recorded, ended) {
            (Ok(Ok(value)), Ok(())) => {
                keep.push(instance, number);
                return Ok(value);
            }
            (Ok(Err(error)), _) | (Ok(Ok(_)), Err(error)) => Why::Error(error),
            (Err(panic), _) => Why::Panic(panic),
        };
        let parking = Arc::clone(keep.parking());
        Err(Failed {
            why,
            instance,
            recording: Some((parking, number)),
        })
    }

    /// The outcome of a failed capture. Nothing says that no part of an invalidated capture has run, so the memory comes back
    /// behind a wait: `memory` gives it, or leaks and counts it where there is no proof.
    #[cold]
    pub(super) fn failed<R>(
        &mut self,
        failed: Failed,
        memory: impl FnOnce(Result<()>) -> Option<R>,
    ) -> NotCaptured<'dev, (D, S), R> {
        let idle = self.drain().map(drop).map_err(|error| unproven(&error));
        let idle = match idle {
            Ok(()) => failed.destroy(),
            Err(why) => {
                failed.leak(&why);
                Err(why)
            }
        };
        let memory = memory(idle);
        match failed.why {
            Why::Error(error) => NotCaptured {
                error,
                memory: memory.map(Unverified::new),
            },
            Why::Panic(panic) => {
                drop(memory);
                resume_unwind(panic)
            }
        }
    }
}

/// A capture that has failed, and the instance that its end has made.
pub(super) struct Failed {
    why: Why,
    instance: sys::aclmdlRI,
    /// The number of the recording, the key of what it has dropped.
    recording: Option<(Arc<Parking>, u64)>,
}

/// Why a capture has failed.
enum Why {
    Error(Error),
    Panic(Box<dyn Any + Send>),
}

impl Failed {
    fn before(error: Error) -> Failed {
        Failed {
            why: Why::Error(error),
            instance: core::ptr::null_mut(),
            recording: None,
        }
    }

    /// Leaks and counts the instance, and what the recording has dropped.
    #[cold]
    fn leak(&self, why: &Error) {
        if !self.instance.is_null() {
            release::leaked(why);
        }
        if let Some((parking, number)) = &self.recording {
            parking.leak_recorded(&[*number], why);
        }
    }

    /// Destroys the instance, which no run uses, and then frees what the recording has dropped. So a service whose captures fail
    /// uses constant memory.
    fn destroy(&self) -> Result<()> {
        if !self.instance.is_null() {
            // SAFETY: an instance that has never run.
            let code = unsafe { sys::aclmdlRIDestroy(self.instance) };
            check("aclmdlRIDestroy", code).inspect_err(|why| self.leak(why))?;
        }
        if let Some((parking, number)) = &self.recording {
            // SAFETY: only the recording has used it, whose instance is destroyed, and whose stream was waited for. The stream
            // borrows the binding to the context.
            unsafe { parking.free_recorded(&[*number]) };
        }
        Ok(())
    }
}
