//! Pipelines: upload, compute and download of several batches at the same time (double buffering).
//!
//! A [`Pipeline`] has lanes. A lane is a stream with a host buffer and a device buffer for the input of a batch, and the same
//! for its output. The three steps of a batch are in order on its stream, and the batches of different lanes overlap. One
//! wait per batch proves its result.
//!
//! ```
//! # ascendcl::example!(|acl, host, current| {
//! use ascendcl::op;
//! use ascendcl::pipeline::Pipeline;
//!
//! let mut pipeline = Pipeline::new(current, host, 2, [1024, 1024])?;
//! pipeline.run(
//!     0..100,
//!     |turn, input: &mut [f32]| input.fill(turn as f32),
//!     |batch| {
//!         let x = batch.input.tensor(&[1024])?;
//!         let output = batch.output.into_tensor(&[1024])?;
//!         Ok(op::add(current, &x, &x, 1.0, output)?.launch(batch.stream)?.into_output())
//!     },
//!     |turn, twice| Ok(assert_eq!(twice?[5], turn as f32 * 2.0)),
//! )?;
//! # });
//! ```

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::Usage;
use crate::error::{Error, Result};
use crate::memory::{DeviceBuf, HostBuf, Plain, Uninit};
use crate::park::{Parking, StreamKey, User};
use crate::pending;
use crate::queue::owned::Owned;
use crate::queue::{Queued, Resource};
use crate::runtime::HostSide;
use crate::stream::{Idle, Numbered, ParkedStream, Stream, StreamBrand, StreamTag};

/// Memory that is queued on the stream of a lane, inside the step that computes a batch.
///
/// A step that is a function has it in its signature:
///
/// ```
/// use ascendcl::pipeline::{Batch, InLane};
/// use ascendcl::{Current, DeviceBuf, DeviceTag, Result, op};
///
/// /// Doubles 1024 numbers.
/// fn double<'dev, 'id, D: DeviceTag>(
///     current: Current<'_, 'dev, D>,
///     batch: Batch<'_, '_, 'dev, 'id, D, f32, f32>,
/// ) -> Result<InLane<'dev, 'id, D, DeviceBuf<'dev, D, [f32]>>> {
///     let x = batch.input.tensor(&[1024])?;
///     let output = batch.output.into_tensor(&[1024])?;
///     Ok(op::add(current, &x, &x, 1.0, output)?.launch(batch.stream)?.into_output())
/// }
/// ```
pub type InLane<'dev, 'id, D, R> = Queued<'dev, (D, StreamBrand<'id>), R>;

/// Memory that is queued on the stream of a lane.
type InStream<'dev, D, R> = Queued<'dev, (D, Numbered), R>;

/// What the middle step of a batch works with.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::pipeline::Pipeline;
///
/// let mut copies = Pipeline::<_, u8, u8>::new(current, host, 2, [4, 4])?;
/// let fill = |input: &mut [u8]| input.fill(7);
/// let copied = copies.push(fill, |batch| batch.stream.memcpy_async(batch.output, batch.input));
/// assert!(copied.is_none()); // the lane of the next batch is free
/// # });
/// ```
#[derive(Debug)]
pub struct Batch<'a, 't, 'dev, 'id, D: AnyDevice, T: Plain, U: Plain, X: Resource<D> = NoValue> {
    /// The stream of the lane.
    pub stream: &'a mut Stream<'t, 'dev, D, StreamBrand<'id>>,
    /// The input, which the stream has uploaded.
    pub input: &'a InLane<'dev, 'id, D, DeviceBuf<'dev, D, [T]>>,
    /// The memory of the output. The step returns it.
    pub output: InLane<'dev, 'id, D, DeviceBuf<'dev, D, [U], Uninit>>,
    /// The value of the lane, if the pipeline was made [with values](Pipeline::with_values).
    pub value: &'a mut InLane<'dev, 'id, D, X>,
}

/// The value of a lane in a pipeline without values.
///
/// ```
/// use ascendcl::pipeline::{NoValue, Pipeline};
///
/// /// A pipeline in a signature: the last parameter is `NoValue`, where it is left out.
/// fn in_flight(pipeline: &Pipeline<'_, '_, '_, ascendcl::Npu<0>, u8, f32, NoValue>) -> usize {
///     pipeline.in_flight()
/// }
/// ```
#[derive(Debug)]
pub struct NoValue;

impl<D> Owned<D> for NoValue {
    const SWAPS: bool = true;

    unsafe fn park(self, _: &Arc<Parking>, _: &[User]) {}

    fn enters(&self, _: StreamKey) {}

    fn accepted(&self) {}
}

/// The result of a batch.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::pipeline::{Done, Pipeline};
///
/// let mut copies = Pipeline::<_, u8, u8>::new(current, host, 1, [4, 4])?;
/// let fill = |input: &mut [u8]| input.fill(7);
/// let done = copies.push(fill, |batch| batch.stream.memcpy_async(batch.output, batch.input));
/// let Some(Done { number, output }) = done else { unreachable!() };
/// assert_eq!((number, output?), (0, &[7; 4][..]));
/// # });
/// ```
#[derive(Debug)]
pub struct Done<'a, U> {
    /// Which batch it is. The first one is 0.
    pub number: u64,
    /// The output, or the first failure of the batch: of its calls, or of the work of its lane.
    pub output: Result<&'a [U]>,
}

/// A lane, whose buffers are `Buffers`.
struct Lane<'dev, D: AnyDevice, X: Resource<D>, Buffers> {
    // Before the stream: what the stream may still use is parked on it, and its destruction frees it.
    buffers: Buffers,
    value: InStream<'dev, D, X>,
    stream: ParkedStream<'dev, D>,
}

/// The buffers of a lane whose stream is idle.
struct Free<'dev, D: AnyDevice, T: Plain, U: Plain> {
    host_input: HostBuf<'dev, [T]>,
    input: DeviceBuf<'dev, D, [T], Uninit>,
    output: DeviceBuf<'dev, D, [U], Uninit>,
    host_output: HostBuf<'dev, [U]>,
}

/// The buffers of a lane whose stream works on a batch.
struct Busy<'dev, D: AnyDevice, T: Plain, U: Plain> {
    host_input: InStream<'dev, D, HostBuf<'dev, [T]>>,
    input: InStream<'dev, D, DeviceBuf<'dev, D, [T]>>,
    output: InStream<'dev, D, DeviceBuf<'dev, D, [U]>>,
    host_output: InStream<'dev, D, HostBuf<'dev, [U]>>,
}

/// The stream of a batch that has failed, and the first failure.
type Failed<'dev, D> = (ParkedStream<'dev, D>, Error);

type FreeLane<'dev, D, T, U, X> = Lane<'dev, D, X, Free<'dev, D, T, U>>;
type BusyLane<'dev, D, T, U, X> = Lane<'dev, D, X, Busy<'dev, D, T, U>>;

/// Lanes in which batches of `T` become batches of `U`.
///
/// Each batch has one result, in the order of the batches. A batch whose work fails, or is refused, has the error as its
/// result, and the pipeline goes on: the lane gets another stream and other memory. Where no wait succeeds any more, as on a
/// device that [stops on failure](crate::Device::stop_on_failure), each later batch has that error. Dropping a pipeline waits
/// for its streams.
///
/// - The wait for a lane proves the work of the lane. Memory of another stream, such as weights behind
///   [`wait_shared`](Stream::wait_shared), is proven by a wait for that stream: make it before the first batch.
/// - While a [scope](Current::scope) of the device is open, each batch is waited for before the next one is queued.
/// - A plan has the brand of its step, so each batch plans its operators anew. Work that is planned once is for a stream.
/// - A batch whose step panics takes no number, if the panic is caught.
/// - A step that needs an error type of its own calls [`push`](Pipeline::push) in a loop, in place of `run`.
///
/// Write the closures in the call of [`push`](Pipeline::push) or [`run`](Pipeline::run): the compiler does not find the type
/// of a step that is bound to a name first.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::pipeline::Pipeline;
///
/// let mut copies = Pipeline::new(current, host, 2, [4, 4])?;
/// copies.run(
///     0..10,
///     |turn, input: &mut [u8]| input.fill(turn),
///     |batch| batch.stream.memcpy_async(batch.output, batch.input),
///     |_, copy| {
///         if let Err(error) = copy {
///             println!("a batch has failed: {error}");
///         }
///         Ok(())
///     },
/// )?;
/// # });
/// ```
pub struct Pipeline<'t, 'dev, 'p, D: AnyDevice, T: Plain, U: Plain, X: Resource<D> = NoValue> {
    current: Current<'t, 'dev, D>,
    host: HostSide<'p>,
    lanes: usize,
    lens: [usize; 2],
    /// Makes the value of a new lane.
    make: Box<dyn FnMut() -> Result<X> + 'p>,
    free: Vec<FreeLane<'dev, D, T, U, X>>,
    /// The batches whose results were not returned, oldest first.
    busy: VecDeque<Result<BusyLane<'dev, D, T, U, X>>>,
    /// How many results were returned.
    returned: u64,
    /// Why there are no further lanes: no wait for the device succeeds any more.
    gone: Option<Error>,
}

impl<'t, 'dev, 'p, D: AnyDevice, T: Plain, U: Plain> Pipeline<'t, 'dev, 'p, D, T, U> {
    /// Makes a pipeline with a number of lanes, for batches of `inputs` and `outputs` elements. A number of 0 is taken as 1.
    ///
    /// Two lanes overlap the work of the host with that of the device. A third one overlaps copies with computation.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::pipeline::Pipeline;
    ///
    /// let pipeline = Pipeline::<_, u8, f32>::new(current, host, 3, [640, 10])?;
    /// assert_eq!(pipeline.in_flight(), 0);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::ZeroSize`] for a length of 0, and the errors of [`Current::malloc`], [`Current::malloc_host`] and
    /// [`Current::create_parked_stream`].
    pub fn new(
        current: Current<'t, 'dev, D>,
        host: HostSide<'p>,
        lanes: usize,
        lens: [usize; 2],
    ) -> Result<Self> {
        Self::with_values(current, host, lanes, lens, || Ok(NoValue))
    }
}

impl<'t, 'dev, 'p, D, T, U, X> Pipeline<'t, 'dev, 'p, D, T, U, X>
where
    D: AnyDevice,
    T: Plain,
    U: Plain,
    X: Resource<D>,
{
    /// Makes a pipeline in which each lane has a value of its own, which `make` returns: a model, or a buffer that a batch
    /// leaves to the next batch of the lane. A lane that is made again after a failure gets another value.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::pipeline::Pipeline;
    ///
    /// let zeros = || current.memset(current.malloc::<u8>(4)?, 0);
    /// let mut sums = Pipeline::with_values(current, host, 2, [4, 4], zeros)?;
    /// let fill = |turn, input: &mut [u8]| input.fill(turn);
    /// let mut before = Vec::new();
    /// sums.run(
    ///     1..=4,
    ///     fill,
    ///     |batch| {
    ///         let output = batch.stream.memcpy_async(batch.output, &*batch.value)?;
    ///         batch.stream.memcpy_async(&mut *batch.value, batch.input)?;
    ///         Ok(output)
    ///     },
    ///     |_, output| Ok(before.push(output?[0])),
    /// )?;
    /// assert_eq!(before, [0, 0, 1, 2]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Pipeline::new`], and the errors of `make`.
    pub fn with_values(
        current: Current<'t, 'dev, D>,
        host: HostSide<'p>,
        lanes: usize,
        lens: [usize; 2],
        make: impl FnMut() -> Result<X> + 'p,
    ) -> Result<Self> {
        let mut pipeline = Pipeline {
            current,
            host,
            lanes: lanes.max(1),
            lens,
            make: Box::new(make),
            free: Vec::new(),
            busy: VecDeque::new(),
            returned: 0,
            gone: None,
        };
        for _ in 0..pipeline.lanes {
            let lane = pipeline.lane()?;
            pipeline.free.push(lane);
        }
        Ok(pipeline)
    }

    /// How many batches have no result yet.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::pipeline::Pipeline;
    ///
    /// let mut copies = Pipeline::<_, u8, u8>::new(current, host, 2, [4, 4])?;
    /// let fill = |input: &mut [u8]| input.fill(7);
    /// copies.push(fill, |batch| batch.stream.memcpy_async(batch.output, batch.input));
    /// assert_eq!(copies.in_flight(), 1);
    /// # });
    /// ```
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.busy.len()
    }

    /// Queues a batch: `fill` writes its input, and `compute` queues its computation. If no lane is free for the batch
    /// behind it, this call waits for the oldest batch and returns its result.
    ///
    /// `fill` gets the input of an older batch, or zeros. If `compute` returns an error, that is the result of this batch.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::pipeline::Pipeline;
    ///
    /// let mut copies = Pipeline::<_, u8, u8>::new(current, host, 2, [4, 4])?;
    /// for turn in 0..10 {
    ///     let fill = |input: &mut [u8]| input.fill(turn);
    ///     let done = copies.push(fill, |batch| batch.stream.memcpy_async(batch.output, batch.input));
    ///     if let Some(done) = done {
    ///         assert_eq!(done.output?, [done.number as u8; 4]);
    ///     }
    /// }
    /// # });
    /// ```
    pub fn push<F, C>(&mut self, fill: F, compute: C) -> Option<Done<'_, U>>
    where
        F: FnOnce(&mut [T]),
        C: for<'a, 'id> FnOnce(
            Batch<'a, 't, 'dev, 'id, D, T, U, X>,
        ) -> Result<InLane<'dev, 'id, D, DeviceBuf<'dev, D, [U]>>>,
    {
        let lane = match self.free.pop() {
            // A failed wait for the whole device spoils the waits of the lanes that are free, too.
            Some(lane) if pending::of_failures() && lane.stream.is_poisoned() => {
                let Lane {
                    buffers,
                    value,
                    stream,
                } = lane;
                drop((buffers, value));
                self.give_up(stream);
                self.lane()
            }
            Some(lane) => Ok(lane),
            None => self.lane(),
        };
        let submitted = lane.and_then(|lane| {
            let submitted = lane.submit(self.current, fill, compute);
            submitted.map_err(|failed| self.ended(failed))
        });
        self.busy.push_back(submitted);
        if self.busy.len() < self.lanes {
            return None;
        }
        self.pop()
    }

    /// Waits for the oldest batch and returns its result. Returns `None` when no batch is in flight.
    ///
    /// On a device [with a limit](crate::Device::release_within) the wait has this limit. If it passes, the end of the stream
    /// has it again, and then the batch has failed.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::pipeline::Pipeline;
    ///
    /// let mut copies = Pipeline::<_, u8, u8>::new(current, host, 2, [4, 4])?;
    /// let fill = |input: &mut [u8]| input.fill(7);
    /// copies.push(fill, |batch| batch.stream.memcpy_async(batch.output, batch.input));
    /// while let Some(done) = copies.pop() {
    ///     assert_eq!(done.output?, [7; 4]);
    /// }
    /// # });
    /// ```
    pub fn pop(&mut self) -> Option<Done<'_, U>> {
        let number = self.returned;
        let busy = self.busy.pop_front()?;
        self.returned += 1;
        let waited = busy.and_then(|lane| {
            let waited = lane.wait(self.current);
            waited.map_err(|failed| self.ended(failed))
        });
        let output = waited.map(|lane| {
            self.free.push(lane);
            self.free
                .last()
                .map_or(&[][..], |lane| &lane.buffers.host_output)
        });
        Some(Done { number, output })
    }

    /// Pushes a batch for each item, and gives the results to `take`, in order.
    ///
    /// `take` gets the number of each batch, which counts all batches of the pipeline, and its result. Batches that are in flight
    /// from before come first. If `take` returns an error, this call returns it, and the batches that are in flight stay so.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::pipeline::Pipeline;
    ///
    /// let mut copies = Pipeline::new(current, host, 2, [4, 4])?;
    /// copies.run(
    ///     0..10,
    ///     |turn, input: &mut [u8]| input.fill(turn),
    ///     |batch| batch.stream.memcpy_async(batch.output, batch.input),
    ///     |turn, copy| Ok(assert_eq!(copy?, [turn as u8; 4])),
    /// )?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// The error of `take`.
    pub fn run<I, F, C, R>(
        &mut self,
        items: I,
        mut fill: F,
        mut compute: C,
        mut take: R,
    ) -> Result<()>
    where
        I: IntoIterator,
        F: FnMut(I::Item, &mut [T]),
        C: for<'a, 'id> FnMut(
            Batch<'a, 't, 'dev, 'id, D, T, U, X>,
        ) -> Result<InLane<'dev, 'id, D, DeviceBuf<'dev, D, [U]>>>,
        R: FnMut(u64, Result<&[U]>) -> Result<()>,
    {
        for item in items {
            if let Some(done) = self.push(|input| fill(item, input), &mut compute) {
                take(done.number, done.output)?;
            }
        }
        while let Some(done) = self.pop() {
            take(done.number, done.output)?;
        }
        Ok(())
    }

    /// Ends the lane of a batch that has failed. Returns the error of the batch: that of the end of its stream if there is one.
    fn ended(&mut self, (stream, first): Failed<'dev, D>) -> Error {
        self.give_up(stream).unwrap_or(first)
    }

    /// Ends the stream of a lane, which frees the memory that is parked on it. Without a proof that its work is over, returns the
    /// reason: then no further lane is made.
    fn give_up(&mut self, stream: ParkedStream<'dev, D>) -> Option<Error> {
        let reason = stream.give_up(self.current)?;
        self.gone = Some(reason.clone());
        Some(reason)
    }

    /// Makes a lane.
    fn lane(&mut self) -> Result<FreeLane<'dev, D, T, U, X>> {
        if let Some(gone) = &self.gone {
            return Err(gone.clone());
        }
        let (current, [inputs, outputs]) = (self.current, self.lens);
        let mut stream = current.create_parked_stream()?;
        let value = (self.make)()?;
        Ok(Lane {
            buffers: Free {
                host_input: current.malloc_host(self.host, inputs)?,
                input: current.malloc(inputs)?,
                output: current.malloc(outputs)?,
                host_output: current.malloc_host(self.host, outputs)?,
            },
            value: stream.with(current, |stream| stream.adopt(value).unbrand()),
            stream,
        })
    }
}

impl<'dev, D: AnyDevice, T: Plain, U: Plain, X: Resource<D>> FreeLane<'dev, D, T, U, X> {
    /// Queues a batch. After an error the lane is gone.
    fn submit<'t>(
        self,
        current: Current<'t, 'dev, D>,
        fill: impl FnOnce(&mut [T]),
        compute: impl for<'a, 'id> FnOnce(
            Batch<'a, 't, 'dev, 'id, D, T, U, X>,
        )
            -> Result<InLane<'dev, 'id, D, DeviceBuf<'dev, D, [U]>>>,
    ) -> Result<BusyLane<'dev, D, T, U, X>, Failed<'dev, D>> {
        let Lane {
            mut buffers,
            value,
            mut stream,
        } = self;
        fill(&mut buffers.host_input);
        let submitted = stream.with(current, |stream| -> Result<_> {
            let mut value = stream.rebrand(value)?;
            let host_input = stream.adopt(buffers.host_input);
            let input = stream.memcpy_async(stream.adopt(buffers.input), &host_input)?;
            let output = compute(Batch {
                input: &input,
                output: stream.adopt(buffers.output),
                value: &mut value,
                stream,
            })?;
            let mut host_output = stream.adopt(buffers.host_output);
            stream.memcpy_async(&mut host_output, &output)?;
            let buffers = Busy {
                host_input: host_input.unbrand(),
                input: input.unbrand(),
                output: output.unbrand(),
                host_output: host_output.unbrand(),
            };
            Ok((buffers, value.unbrand()))
        });
        match submitted {
            Ok((buffers, value)) => Ok(Lane {
                buffers,
                value,
                stream,
            }),
            Err(error) => Err((stream, error)),
        }
    }
}

impl<'dev, D: AnyDevice, T: Plain, U: Plain, X: Resource<D>> BusyLane<'dev, D, T, U, X> {
    /// Waits for the batch. After an error the lane is gone.
    fn wait(
        self,
        current: Current<'_, 'dev, D>,
    ) -> Result<FreeLane<'dev, D, T, U, X>, Failed<'dev, D>> {
        let Lane {
            buffers,
            value,
            mut stream,
        } = self;
        let waited = stream.with(current, |stream| -> Result<_> {
            let host_input = stream.rebrand(buffers.host_input)?;
            let input = stream.rebrand(buffers.input)?;
            let output = stream.rebrand(buffers.output)?;
            let host_output = stream.rebrand(buffers.host_output)?;
            let idle = synchronize(current, stream)?;
            Ok(Free {
                host_input: idle.take(host_input),
                input: idle.take(input).forget_contents(),
                output: idle.take(output).forget_contents(),
                host_output: idle.take(host_output),
            })
        });
        match waited {
            Ok(buffers) => Ok(Lane {
                buffers,
                value,
                stream,
            }),
            Err(error) => {
                drop(value);
                Err((stream, error))
            }
        }
    }
}

/// Waits for a stream, within the limit of its device.
fn synchronize<'s, D: AnyDevice, S: StreamTag>(
    current: Current<'_, '_, D>,
    stream: &'s mut Stream<'_, '_, D, S>,
) -> Result<Idle<'s, (D, S)>> {
    match current.core().limit() {
        Some(millis) => {
            stream.synchronize_within(Duration::from_millis(millis.unsigned_abs().into()))
        }
        None => stream.synchronize(),
    }
}

impl<D: AnyDevice, T: Plain, U: Plain, X: Resource<D>> fmt::Debug
    for Pipeline<'_, '_, '_, D, T, U, X>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipeline")
            .field("lanes", &self.lanes)
            .field("in_flight", &self.in_flight())
            .finish_non_exhaustive()
    }
}
