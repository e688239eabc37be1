//! Graphs: work of a stream that is recorded once and run many times (`aclmdlRI*` of `acl/acl_rt.h`; manual chapter 15).
//!
//! A host that submits small operators one by one is often slower than its device. A graph is submitted by one call.
//! [`Stream::capture`](crate::Stream::capture) records the work that a closure queues, and nothing runs meanwhile. The result
//! owns the memory that the work uses. It is [`Queued`](crate::Queued), as a buffer is: it runs on the stream that has it, it
//! moves to another stream by [`handoff`](crate::Stream::handoff), and it comes back from a wait.
//!
//! ```
//! # ascendcl::example!(|acl, host, current, stream| {
//! use ascendcl::op;
//!
//! let input = current.malloc_host_from(host, &[1.0_f32, 2.0])?;
//! let x = current.memset(current.malloc::<f32>(2)?, 0)?;
//! let output = current.malloc_host::<f32>(host, 2)?;
//!
//! let mut graph = stream.capture((input, x, output), |recording, (input, mut x, mut output)| {
//!     recording.memcpy_async(&mut x, &input)?;
//!     let sum = recording.malloc(2)?.into_tensor(&[2])?; // memory of the graph, too
//!     let sum = op::add(current, &x.tensor(&[2])?, &x.tensor(&[2])?, 1.0, sum)?.launch(recording)?;
//!     recording.memcpy_async(&mut output, &sum.into_output())
//! })?;
//! for turn in 1..=3_u8 {
//!     graph.launch(&mut stream)?; // one call of C
//!     let mut idle = stream.synchronize()?.take(graph);
//!     let (mut input, _, output) = idle.memory(); // the host has the memory between two runs
//!     println!("{:?}", &output[..]);
//!     input.fill(turn.into());
//!     graph = stream.adopt(idle);
//! }
//! # });
//! ```
//!
//! # What is in a graph
//!
//! - **Memory** that the program gives ([`GraphMemory`]). It is initialised, because the host may look at it before the first
//!   run. The closure gets it as parts: [`SliceMut`](crate::memory::SliceMut) of a buffer, and
//!   [`Slice`](crate::memory::Slice) of a [`Shared`](crate::queue::Shared) one.
//! - **Memory of the recording**: what the closure allocates on it, and the workspaces of its operators. The graph keeps it,
//!   and no part of it leaves the closure.
//! - **Work**: copies, fills and operators, which have the methods and functions of any stream. A kernel is a part of the
//!   memory, and so is a communicator.
//! - **Functions of the host**, which each run calls: [`Recording::each_run`](crate::Stream::each_run).
//! - **A second stream** beside the first one, for a part of the recording: [`Recording::fork`](crate::Stream::fork).
//!
//! A recording does not wait, and what it records does not run yet. So calls that wait for a stream, fences and functions that
//! run once do not compile there. Other streams go on meanwhile, and their waits work. The runtime refuses a wait for the whole
//! device as long as a stream is captured (107027). Such a refusal is no failed wait.
//!
//! # What may fail
//!
//! - A capture fails with [`NotCaptured`], which gives the memory back. `?` makes an [`Error`] of it and frees the
//!   memory. 207008 and 207005 mean that the product has no streams or tasks left: a graph takes a stream, and each second stream one more.
//! - A run fails as other work does: the next wait for its stream returns the error.
//!
//! The typed API records in the mode `ACL_MODEL_RI_CAPTURE_MODE_RELAXED`. The other modes refuse calls of other threads, and what
//! they would prevent does not compile here.

mod capture;
#[cfg(feature = "collectives")]
mod comm;
mod fork;
mod host_func;
mod keep;
#[cfg(feature = "kernels")]
mod kernel;
mod launch;
mod memory;
#[cfg(feature = "operators")]
mod update;

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::Arc;

pub use capture::{NotCaptured, Recording};
#[cfg(feature = "collectives")]
pub use comm::GraphComm;
pub use fork::ForkMemory;
pub use memory::GraphMemory;
#[cfg(feature = "operators")]
pub use update::{Changed, Group, Update};

use crate::device::AnyDevice;
use crate::error::{Error, Result};
use crate::graph::keep::Keep;
use crate::graph::memory::Table;
use crate::park::{Parking, StreamKey, User};
use crate::queue::owned::Owned;
use crate::raw::contained;
use crate::release;
use crate::state::{DropUses, Invariant};

/// Recorded work and the memory `T` that it uses. `V` is what the closure of the capture has returned.
///
/// [`Stream::capture`](crate::Stream::capture) makes one that is queued on its stream, and
/// [`Queued::launch`](crate::Queued::launch) runs it. One that a wait has given back is idle: the host has its memory.
///
/// ```
/// use ascendcl::graph::Graph;
/// use ascendcl::stream::Main;
/// use ascendcl::{DeviceBuf, HostBuf, Npu, Queued};
///
/// type Memory<'dev> = (HostBuf<'dev, [f32]>, DeviceBuf<'dev, Npu<0>, [f32]>);
///
/// /// A service with its recorded step.
/// struct Service<'dev> {
///     step: Queued<'dev, (Npu<0>, Main), Graph<'dev, Npu<0>, Memory<'dev>>>,
/// }
/// ```
///
/// # Invariants
///
/// - The instances in `keep` are complete. Their tasks use only `memory` and what `keep` has.
/// - While the graph is not [`Queued`](crate::Queued), no run of it is queued.
/// - `table` is that of `T`.
#[must_use = "a graph does nothing until it is launched"]
pub struct Graph<'dev, D: AnyDevice, T, V = ()> {
    keep: ManuallyDrop<Keep>,
    memory: ManuallyDrop<T>,
    value: V,
    table: &'static Table,
    _device: DropUses<'dev>,
    _of: PhantomData<Invariant<D>>,
}

impl<D: AnyDevice, T: GraphMemory<D>, V> Graph<'_, D, T, V> {
    /// The memory: no run uses it now, so the host reads and writes it. It cannot be moved away from the graph.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let numbers = current.malloc_host_from(host, &[1_u8, 2])?;
    /// let graph = stream.capture(numbers, |recording, mut numbers| recording.each_run_on(&mut numbers, |numbers| numbers.reverse()))?;
    /// let mut graph = stream.synchronize()?.take(graph);
    /// graph.memory()[0] = 7;
    /// let mut graph = stream.adopt(graph);
    /// graph.launch(&mut stream)?;
    /// let mut graph = stream.synchronize()?.take(graph);
    /// assert_eq!(graph.memory()[..], [2, 7]);
    /// # });
    /// ```
    pub fn memory(&mut self) -> T::At<'_, ()> {
        // SAFETY: the memory of this graph, which is idle and borrowed exclusively for the result.
        unsafe { T::at(&raw mut *self.memory) }
    }

    /// Destroys the instances (`aclmdlRIDestroy`) and gives the memory back.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let bytes = current.memset(current.malloc::<u8>(4)?, 0)?;
    /// let graph = stream.capture(bytes, |recording, bytes| recording.memset_async(bytes, 1))?;
    /// let graph = stream.synchronize()?.take(graph);
    /// graph.destroy()?.free()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`](crate::ErrorKind::Refused). The memory is leaked then, because nothing proves that no instance
    /// refers to it, and [`leaks`](crate::leaks) counts it.
    #[doc(alias = "aclmdlRIDestroy")]
    pub fn destroy(self) -> Result<T> {
        let table = self.table;
        let (keep, memory, _value) = self.into_parts();
        // SAFETY: no run is queued (invariant), and the table is that of the memory.
        unsafe { destroyed(keep, table, memory) }
    }

    /// What the closure of the capture has returned, such as the [`Group`]s of operators that change.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let bytes = current.memset(current.malloc::<u8>(4)?, 0)?;
    /// let graph = stream.capture(bytes, |recording, bytes| {
    ///     recording.memset_async(bytes, 1)?;
    ///     Ok("one fill")
    /// })?;
    /// assert_eq!(*stream.synchronize()?.take(graph).value(), "one fill");
    /// # });
    /// ```
    #[must_use]
    pub fn value(&self) -> &V {
        &self.value
    }

    /// The number of recordings: one, and one more for each [`Queued::also`](crate::Queued::also).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let bytes = current.memset(current.malloc::<u8>(4)?, 0)?;
    /// let graph = stream.capture(bytes, |recording, bytes| recording.memset_async(bytes, 1))?;
    /// let graph = graph.also(&mut stream, |recording, bytes| recording.memset_async(bytes, 2))?;
    /// assert_eq!(stream.synchronize()?.take(graph).recordings(), 2);
    /// # });
    /// ```
    #[must_use]
    pub fn recordings(&self) -> usize {
        self.keep.len()
    }
}

/// Destroys the instances of a graph, and gives its memory back. If one cannot be destroyed, all of it is leaked and counted.
///
/// # Safety
///
/// - No run of the graph is queued, and the table is that of the memory.
unsafe fn destroyed<T>(keep: Keep, table: &Table, memory: T) -> Result<T> {
    let (parking, number) = (Arc::clone(keep.parking()), keep.number());
    // SAFETY: the caller's contract.
    let Err(error) = (unsafe { keep.destroy() }) else {
        return Ok(memory);
    };
    // SAFETY: the caller's contract; nothing frees the memory any more.
    unsafe { table.park(memory, &parking, &[Some(StreamKey::Graph(number))]) };
    parking.leak_recorded(&[number], &error);
    Err(error)
}

/// Leaks and counts a graph that work may still use.
///
/// # Safety
///
/// - The table is that of the memory.
#[cold]
unsafe fn leak<T>(keep: &Keep, table: &Table, memory: T, why: &Error) {
    let graph = StreamKey::Graph(keep.number());
    // SAFETY: the caller's contract; nothing frees the memory any more.
    unsafe { table.park(memory, keep.parking(), &[Some(graph)]) };
    keep.leak(why);
}

impl<D: AnyDevice, T, V> Graph<'_, D, T, V> {
    /// Leaks and counts the graph, because work may still use it.
    #[cold]
    fn leak(self, why: &Error) {
        let table = self.table;
        let (keep, memory, _value) = self.into_parts();
        // SAFETY: the table is that of the memory (invariant).
        unsafe { leak(&keep, table, memory, why) };
    }

    /// Takes the graph apart. The caller destroys the instances, or parks them, before it drops the value: that is code of the
    /// program, and may panic.
    fn into_parts(self) -> (Keep, T, V) {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used again, so the field is taken once.
        let keep = unsafe { ManuallyDrop::take(&mut this.keep) };
        // SAFETY: as above.
        let memory = unsafe { ManuallyDrop::take(&mut this.memory) };
        // SAFETY: as above.
        let value = unsafe { ptr::read(&this.value) };
        (keep, memory, value)
    }
}

impl<D: AnyDevice, T, V> Drop for Graph<'_, D, T, V> {
    fn drop(&mut self) {
        // SAFETY: dropped once, and the field is not used afterwards.
        let keep = unsafe { ManuallyDrop::take(&mut self.keep) };
        // SAFETY: as above.
        let memory = unsafe { ManuallyDrop::take(&mut self.memory) };
        // SAFETY: no run is queued (invariant), and the table is that of the memory.
        match unsafe { destroyed(keep, self.table, memory) } {
            Ok(memory) => drop(memory),
            Err(error) => release::failed(&error),
        }
    }
}

impl<D: AnyDevice, T, V> Owned<D> for Graph<'_, D, T, V> {
    /// The device knows the stream that runs the functions of a graph, by the number of the graph.
    const SWAPS: bool = false;

    /// The instances are destroyed behind the work of `users`, and the memory is freed behind it, too.
    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        let table = self.table;
        let (keep, memory, value) = self.into_parts();
        let graph = StreamKey::Graph(keep.number());
        // SAFETY: the table is that of the memory (invariant), and only the graph uses it.
        unsafe { table.park(memory, parking, &[Some(graph)]) };
        // SAFETY: only `users` run the graph (the caller's contract), and no value has it any more.
        parking.park(users, unsafe { keep.into_parked() });
        // A panic would leave what is parked next (`Queued::and`) to a drop that does not wait.
        contained(|| drop(value));
    }

    fn enters(&self, stream: StreamKey) {
        self.keep.enters(stream);
        // SAFETY: the table is that of the memory (invariant).
        unsafe { self.table.enters::<T>(&self.memory, stream) };
    }

    fn accepted(&self) {
        // SAFETY: the table is that of the memory (invariant).
        unsafe { self.table.accepted::<T>(&self.memory) };
    }
}

impl<D: AnyDevice, T, V> fmt::Debug for Graph<'_, D, T, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.keep.fmt(f)
    }
}
