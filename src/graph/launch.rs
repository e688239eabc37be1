//! Runs of graphs, and what happens between them in the order of their stream.

use std::mem::ManuallyDrop;

use ascendcl_sys as sys;

use crate::device::{AnyDevice, DeviceTag};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result, Usage};
use crate::graph::capture::NotCaptured;
use crate::graph::{Graph, GraphMemory, Recording};
use crate::queue::Queued;
use crate::stream::{Created, Distinct, GraphBrand, Stream, StreamTag};

impl<'dev, D: AnyDevice, S: StreamTag, T: GraphMemory<D>, V, H>
    Queued<'_, (D, S), Graph<'dev, D, T, V>, H>
{
    /// Queues a run of the graph and returns at once (`aclmdlRIExecuteAsync`): one call of C. It is work of the stream that
    /// has the graph: it begins behind earlier work of the stream, and later work begins behind it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let bytes = current.malloc_host_from(host, &[0_u8, 1])?;
    /// let mut graph = stream.capture(bytes, |recording, mut bytes| recording.each_run_on(&mut bytes, |bytes| bytes[0] += 1))?;
    /// for _ in 0..3 {
    ///     graph.launch(&mut stream)?;
    /// }
    /// let bytes = stream.synchronize()?.take(graph).destroy()?;
    /// assert_eq!(bytes[..], [3, 1]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`Usage::TornGraph`] where an update was broken off. A task that fails is reported by the
    /// stream's next wait.
    ///
    /// Products without the function, according to the manual: 310B, 910.
    #[doc(alias = "aclmdlRIExecuteAsync")]
    #[inline(always)]
    pub fn launch(&mut self, stream: &mut Stream<'_, '_, D, S>) -> Result<()> {
        // SAFETY: a live stream, and a complete instance of its context, or null, which C refuses. All that its tasks use is
        // owned by the graph, which comes back only behind a proof for this stream.
        let code =
            unsafe { sys::aclmdlRIExecuteAsync(self.resource().keep.first(), stream.as_raw()) };
        ran(code)
    }

    /// Queues a run of the recording number `index`, as [`Queued::launch`] does of the first one, which has the number 0.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let bytes = current.malloc_host_from(host, &[0_u8])?;
    /// let graph = stream.capture(bytes, |recording, mut bytes| recording.each_run_on(&mut bytes, |bytes| bytes[0] += 1))?;
    /// let mut graph = graph.also(&mut stream, |recording, mut bytes| recording.each_run_on(&mut bytes, |bytes| bytes[0] *= 10))?;
    /// graph.launch(&mut stream)?;
    /// graph.launch_nth(1, &mut stream)?;
    /// assert_eq!(stream.synchronize()?.take(graph).destroy()?[..], [10]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Queued::launch`], and [`Usage::Recording`] for a number that the graph does not have.
    #[doc(alias = "aclmdlRIExecuteAsync")]
    pub fn launch_nth(&mut self, index: usize, stream: &mut Stream<'_, '_, D, S>) -> Result<()> {
        let keep = &self.resource().keep;
        // SAFETY: as in `launch`; the instance is never null.
        let code = unsafe { sys::aclmdlRIExecuteAsync(keep.nth(index)?, stream.as_raw()) };
        ran(code)
    }

    /// The memory of the graph as operands of other work of its stream. That work is in order with the runs, so there is no wait
    /// between.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let state = current.memset(current.malloc::<u8>(4)?, 0)?;
    /// let mut graph = stream.capture(state, |recording, state| recording.memset_async(state, 1))?;
    /// graph.launch(&mut stream)?;
    /// let back = stream.memcpy_async(stream.malloc_host(host, 4)?, &graph.memory())?; // what the run has left
    /// stream.memset_async(graph.memory(), 9)?; // before the next run
    /// graph.launch(&mut stream)?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [1; 4]);
    /// # });
    /// ```
    pub fn memory(&mut self) -> T::At<'_, (D, S)> {
        // SAFETY: the memory of the graph, which is queued on `(D, S)` and borrowed exclusively for the result.
        unsafe { T::at(&raw mut *self.resource_mut().memory) }
    }

    /// The instance of the first recording, for calls that this crate does not have, such as `aclmdlRIDebugPrint`. Do not destroy
    /// it; it is null where an update was broken off.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let bytes = current.memset(current.malloc::<u8>(4)?, 0)?;
    /// let graph = stream.capture(bytes, |recording, bytes| recording.memset_async(bytes, 1))?;
    /// assert!(!graph.as_raw().is_null());
    /// # });
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn as_raw(&self) -> sys::aclmdlRI {
        self.resource().keep.first()
    }

    /// What the closure of the capture has returned: [`Graph::value`].
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let bytes = current.memset(current.malloc::<u8>(4)?, 0)?;
    /// let graph = stream.capture(bytes, |recording, bytes| {
    ///     recording.memset_async(bytes, 1)?;
    ///     Ok("one fill")
    /// })?;
    /// assert_eq!(*graph.value(), "one fill");
    /// # });
    /// ```
    #[must_use]
    pub fn value(&self) -> &V {
        self.resource().value()
    }
}

/// The outcome of the call that queues a run.
#[inline(always)]
fn ran(code: sys::aclError) -> Result<()> {
    #[cold]
    fn refused(code: sys::aclError) -> Error {
        // The instance of a torn graph is null, and for nothing else the runtime returns this (observed, 1.17).
        if code == sys::ACL_ERROR_INVALID_PARAM {
            return Usage::TornGraph.into();
        }
        Error::refused("aclmdlRIExecuteAsync", code)
    }
    match code {
        sys::ACL_SUCCESS => Ok(()),
        code => Err(refused(code)),
    }
}

impl<'q, 'dev, D: DeviceTag, S: Created + Distinct, T: GraphMemory<D>, V, H>
    Queued<'q, (D, S), Graph<'dev, D, T, V>, H>
{
    /// Records more work over the same memory, for [`Queued::launch_nth`]: one recording for each size of a batch, say. The
    /// recordings run one behind the other.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let numbers = current.memset(current.malloc::<f32>(64)?, 0)?;
    /// let mut graph = stream.capture(numbers, |recording, numbers| recording.memset_async(numbers, 1))?;
    /// for half in [16, 32] {
    ///     graph = graph.also(&mut stream, |recording, numbers| {
    ///         let (front, _) = numbers.split_at_mut(half)?;
    ///         recording.memset_async(front, 2)
    ///     })?;
    /// }
    /// graph.launch_nth(2, &mut stream)?;
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::capture`]. [`NotCaptured`] has the graph, without the new recording.
    pub fn also<'t, 'd: 'q>(
        self,
        stream: &mut Stream<'t, 'd, D, S>,
        record: impl for<'g> FnOnce(
            &mut Recording<'t, 'd, 'g, D>,
            T::At<'g, (D, GraphBrand<'g>)>,
        ) -> Result<()>,
    ) -> Result<Self, NotCaptured<'q, (D, S), Graph<'dev, D, T, V>>> {
        let mut this = ManuallyDrop::new(self);
        let Graph { keep, memory, .. } = this.resource_mut();
        match stream.record_graph(keep, &mut **memory, record) {
            Ok(()) => Ok(ManuallyDrop::into_inner(this)),
            Err(failed) => Err(stream.failed(failed, move |idle| {
                let graph = ManuallyDrop::into_inner(this).into_resource();
                match idle {
                    Ok(()) => Some(graph),
                    Err(why) => {
                        graph.leak(&why);
                        None
                    }
                }
            })),
        }
    }
}
