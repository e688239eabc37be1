//! Operators of a graph that change between runs.

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::device::{AnyDevice, DeviceTag};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::graph::keep::Keep;
use crate::graph::{Graph, GraphMemory, Recording};
use crate::op::operator::Outputs;
use crate::op::{Operator, OutputsOf, Plan, recorded_room};
use crate::queue::Queued;
use crate::raw::{Handle, check};
use crate::state::Invariant;
use crate::stream::{GraphBrand, Stream, StreamTag, attached};
use crate::sync::{Mutex, lock};

/// The place of an operator `P` in a graph, where [`Queued::update`] puts the same operator with other tensors or values.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::op;
///
/// let one = current.memset_d32(current.malloc::<f32>(4)?, 1.0)?;
/// let out = current.memset(current.malloc::<f32>(4)?, 0)?;
/// let mut graph = stream.capture((one, out), |recording, (one, mut out)| {
///     let (a, b) = (one.tensor(&[4])?, one.tensor(&[4])?);
///     let ((), scaled) = recording.updatable(op::add(current, &a, &b, 1.0, out.tensor_mut(&[4])?)?)?;
///     Ok(scaled)
/// })?;
/// for alpha in [2.0, 3.0] {
///     let scaled = graph.value().clone();
///     graph.update(&mut stream, &scaled, |update, (one, mut out)| {
///         let (a, b) = (one.tensor(&[4])?, one.tensor(&[4])?);
///         update.launch(op::add(current, &a, &b, alpha, out.tensor_mut(&[4])?)?)
///     })?;
///     graph.launch(&mut stream)?;
/// }
/// # stream.synchronize()?;
/// # });
/// ```
pub struct Group<P> {
    place: Arc<Inner>,
    _operator: PhantomData<Invariant<P>>,
}

struct Inner {
    handle: Handle,
    /// The number of its recording.
    recording: u64,
    /// The workspace of the operator, which the graph keeps: its address and its bytes.
    room: Mutex<(usize, usize)>,
}

impl<P> Clone for Group<P> {
    fn clone(&self) -> Self {
        Group {
            place: Arc::clone(&self.place),
            _operator: PhantomData,
        }
    }
}

impl<P> fmt::Debug for Group<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Group({:p})", self.place.handle.as_ptr())
    }
}

impl<'dev, 'g, D: DeviceTag> Stream<'_, 'dev, D, GraphBrand<'g>> {
    /// Records an operator that [`Queued::update`] can change later (`aclmdlRICaptureTaskGrpBegin`,
    /// `aclmdlRICaptureTaskGrpEnd`). It has a workspace of its own. Gives back what the operator writes to, and its place.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let numbers = current.memset_d32(current.malloc::<f32>(4)?, 1.0)?;
    /// let mut graph = stream.capture(numbers, |recording, mut numbers| {
    ///     let doubled = op::inplace_muls(current, numbers.tensor_mut(&[4])?, 2.0)?;
    ///     let ((), place) = recording.updatable(doubled)?;
    ///     Ok(place)
    /// })?;
    /// graph.launch(&mut stream)?; // doubles the numbers
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] where the operator cannot be recorded, or the product has no groups (207000).
    ///
    /// Products without the function, according to the manual: 310B, 910.
    #[doc(alias = "aclmdlRICaptureTaskGrpBegin")]
    #[doc(alias = "aclmdlRICaptureTaskGrpEnd")]
    pub fn updatable<P: Operator, O>(
        &mut self,
        plan: Plan<'_, 'dev, (D, GraphBrand<'g>), P, O>,
    ) -> Result<(O::Written, Group<P>)>
    where
        O: Outputs<(D, GraphBrand<'g>), OutputsOf<P>>,
    {
        let raw = self.as_raw();
        // SAFETY: a live stream that records.
        check("aclmdlRICaptureTaskGrpBegin", unsafe {
            sys::aclmdlRICaptureTaskGrpBegin(raw)
        })?;
        let mut room = (0, 0);
        let launched = launch(plan, self, &mut room);
        let mut handle = core::ptr::null_mut();
        let call = "aclmdlRICaptureTaskGrpEnd";
        // On every path: an open group would spoil the end of the capture (107033).
        // SAFETY: as above, and `handle` is valid for a write.
        let ended = check(call, unsafe {
            sys::aclmdlRICaptureTaskGrpEnd(raw, &raw mut handle)
        });
        let output = launched?;
        ended?;
        let place = Inner {
            handle: Handle::new(call, handle)?,
            recording: self.ident().1,
            room: Mutex::new(room),
        };
        let group = Group {
            place: Arc::new(place),
            _operator: PhantomData,
        };
        Ok((output, group))
    }
}

/// Records an operator with the workspace at `room`, which is its own.
fn launch<'dev, 'g, D: DeviceTag, P: Operator, O>(
    plan: Plan<'_, 'dev, (D, GraphBrand<'g>), P, O>,
    recording: &mut Recording<'_, 'dev, 'g, D>,
    room: &mut (usize, usize),
) -> Result<O::Written>
where
    O: Outputs<(D, GraphBrand<'g>), OutputsOf<P>>,
{
    // SAFETY: the workspace has the bytes that the first phase has asked for, and lives as long as the graph. Only this operator
    // uses it, in runs that are one behind the other.
    unsafe {
        plan.launch_into(recording, |recording, bytes| {
            recorded_room(room, recording, P::PREPARE, bytes)
        })
    }
}

/// The right to put one operator `P` into its place in a graph.
///
/// ```
/// use ascendcl::graph::{Changed, Update};
/// use ascendcl::memory::{Dev, SliceMut};
/// use ascendcl::op::{self, operators::InplaceMuls};
/// use ascendcl::stream::GraphBrand;
/// use ascendcl::{Current, Npu, Result};
///
/// /// The numbers of a graph, in an update of it.
/// type Numbers<'g> = SliceMut<'g, Dev<Npu<0>>, [f32], (Npu<0>, GraphBrand<'g>)>;
///
/// fn scale<'g, 'dev>(
///     current: Current<'_, 'dev, Npu<0>>,
///     update: Update<'g, 'dev, Npu<0>, InplaceMuls<f32>>,
///     numbers: &mut Numbers<'g>,
///     factor: f32,
/// ) -> Result<Changed<'g>> {
///     update.launch(op::inplace_muls(current, numbers.tensor_mut(&[4])?, factor)?)
/// }
/// ```
#[must_use = "the operator stays as it is until `launch`"]
pub struct Update<'g, 'dev, D: AnyDevice, P> {
    recording: ManuallyDrop<Stream<'g, 'dev, D, GraphBrand<'g>>>,
    place: &'g Inner,
    keep: &'g mut Keep,
    _operator: PhantomData<Invariant<P>>,
}

/// The proof that an operator was put into its place, in the update `'g`.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::op;
///
/// let numbers = current.memset_d32(current.malloc::<f32>(4)?, 1.0)?;
/// let mut graph = stream.capture(numbers, |recording, mut numbers| {
///     let ((), place) = recording.updatable(op::inplace_muls(current, numbers.tensor_mut(&[4])?, 2.0)?)?;
///     Ok(place)
/// })?;
/// let place = graph.value().clone();
/// graph.update(&mut stream, &place, |update, mut numbers| {
///     let changed = update.launch(op::inplace_muls(current, numbers.tensor_mut(&[4])?, 3.0)?)?;
///     println!("the factor is 3 now");
///     Ok(changed)
/// })?;
/// # stream.synchronize()?;
/// # });
/// ```
#[derive(Debug)]
pub struct Changed<'g>(PhantomData<Invariant<&'g ()>>);

impl<'g, 'dev, D: DeviceTag, P: Operator> Update<'g, 'dev, D, P> {
    /// Puts the operator of a plan into its place. Its operands are memory of the graph, and no others: they alone have the tag of
    /// the update.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let numbers = current.memset_d32(current.malloc::<f32>(4)?, 1.0)?;
    /// let mut graph = stream.capture(numbers, |recording, mut numbers| {
    ///     let doubled = op::inplace_muls(current, numbers.tensor_mut(&[4])?, 2.0)?;
    ///     let ((), place) = recording.updatable(doubled)?;
    ///     Ok(place)
    /// })?;
    /// let place = graph.value().clone();
    /// graph.update(&mut stream, &place, |update, mut numbers| {
    ///     let halved = op::inplace_muls(current, numbers.tensor_mut(&[4])?, 0.5)?;
    ///     update.launch(halved)
    /// })?;
    /// graph.launch(&mut stream)?; // halves the numbers
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. Where the update has begun, the graph is torn: it runs no more ([`Usage::TornGraph`]), because
    /// some of the tasks of the operator may be the old ones.
    pub fn launch<O>(
        mut self,
        plan: Plan<'_, 'dev, (D, GraphBrand<'g>), P, O>,
    ) -> Result<Changed<'g>>
    where
        O: Outputs<(D, GraphBrand<'g>), OutputsOf<P>>,
    {
        let raw = self.recording.as_raw();
        // SAFETY: a live stream that does not record, and a group of an instance that the graph keeps.
        check("aclmdlRICaptureTaskUpdateBegin", unsafe {
            sys::aclmdlRICaptureTaskUpdateBegin(raw, self.place.handle.as_ptr())
        })?;
        let launched = launch(plan, &mut self.recording, &mut lock(&self.place.room));
        // On every path: the stream would take later work for the update.
        // SAFETY: as above.
        let ended = check("aclmdlRICaptureTaskUpdateEnd", unsafe {
            sys::aclmdlRICaptureTaskUpdateEnd(raw)
        });
        if launched.is_err() || ended.is_err() {
            self.keep.tear();
        }
        launched.map(drop)?;
        ended.map(|()| Changed(PhantomData))
    }
}

impl<D: AnyDevice, P> fmt::Debug for Update<'_, '_, D, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Update").finish_non_exhaustive()
    }
}

impl<'dev, D: DeviceTag, S: StreamTag, T: GraphMemory<D>, V, H>
    Queued<'_, (D, S), Graph<'_, D, T, V>, H>
{
    /// Changes an operator of the graph (`aclmdlRICaptureTaskUpdateBegin`, `aclmdlRICaptureTaskUpdateEnd`), as work of its
    /// stream: runs in front of it have the old operator, and runs behind it the new one.
    ///
    /// The closure plans the same operator on memory of the graph, and gives it to [`Update::launch`]. The workspace of the
    /// operator is used again where it is large enough.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    ///
    /// let numbers = current.memset_d32(current.malloc::<f32>(4)?, 1.0)?;
    /// let mut graph = stream.capture(numbers, |recording, mut numbers| {
    ///     let doubled = op::inplace_muls(current, numbers.tensor_mut(&[4])?, 2.0)?;
    ///     let ((), place) = recording.updatable(doubled)?;
    ///     Ok(place)
    /// })?;
    /// graph.launch(&mut stream)?; // doubles the numbers
    /// let place = graph.value().clone();
    /// graph.update(&mut stream, &place, |update, mut numbers| {
    ///     update.launch(op::inplace_muls(current, numbers.tensor_mut(&[4])?, 0.5)?)
    /// })?;
    /// graph.launch(&mut stream)?; // halves them
    /// let back = stream.memcpy_async(stream.malloc_host(host, 4)?, &graph.memory())?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [1.0_f32; 4]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// The error of the closure. [`Usage::OtherGraph`] for the place of another graph. [`ErrorKind::Refused`]; where the update
    /// has begun, the graph is torn then, and each launch returns [`Usage::TornGraph`]. Its memory comes back as before.
    ///
    /// Products without the function, according to the manual: 310B, 910.
    #[doc(alias = "aclmdlRICaptureTaskUpdateBegin")]
    #[doc(alias = "aclmdlRICaptureTaskUpdateEnd")]
    pub fn update<P: Operator>(
        &mut self,
        stream: &mut Stream<'_, 'dev, D, S>,
        group: &Group<P>,
        change: impl for<'g> FnOnce(
            Update<'g, 'dev, D, P>,
            T::At<'g, (D, GraphBrand<'g>)>,
        ) -> Result<Changed<'g>>,
    ) -> Result<()> {
        let Graph { keep, memory, .. } = self.resource_mut();
        let graph = keep.number();
        if !keep.has(group.place.recording) {
            return Err(Usage::OtherGraph.into());
        }
        let memory: *mut T = &raw mut **memory;
        let update = Update {
            // INVARIANT: the stream of this graph, which is borrowed, under a tag and a number that no other stream has. It is
            // never dropped.
            recording: ManuallyDrop::new(attached(stream.handle(), (graph, group.place.recording))),
            place: &group.place,
            keep,
            _operator: PhantomData,
        };
        // SAFETY: the memory of the graph, which is borrowed meanwhile; the operator is in order with the runs.
        let parts = unsafe { T::at(memory) };
        change(update, parts).map(drop)
    }
}
