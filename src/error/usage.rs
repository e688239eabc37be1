//! Mistakes of the caller that this crate finds before it calls the runtime.

mod text;

use std::borrow::Cow;
use std::path::PathBuf;

/// A mistake of the caller. Each names the value and the remedy.
///
/// ```
/// # fn main() -> ascendcl::Result<()> {
/// # #[cfg(feature = "emulator")] {
/// use ascendcl::error::Usage;
/// use ascendcl::{Error, ErrorKind, Thread};
///
/// let thread = Thread::claim()?;
/// let again = Thread::claim().map_err(Error::into_kind);
/// assert!(matches!(again, Err(ErrorKind::Usage(Usage::ThreadClaimed))));
/// # } Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Usage {
    /// A second [`Acl`](crate::Acl) while the first lives.
    AlreadyInitialised,
    /// A second [`Thread`](crate::Thread) on one thread.
    ThreadClaimed,
    /// AscendCL used inside a [function that it calls](crate::callback).
    InHostFunc,
    /// A subscription of an earlier stream of the same name, with which it has ended.
    SubscriptionEnded,
    /// A stream whose callbacks the calling thread would have to run.
    OwnReportThread,
    /// Callbacks for a thread that has ended, or has dropped its `ReportThread`.
    ReportThreadGone,
    /// Host memory asked for where there is none.
    NotOnHost,
    /// A device slot that is in use.
    SlotTaken {
        /// The number in `Npu<_>`.
        slot: usize,
    },
    /// A card that is open already.
    DeviceTaken {
        /// The device id.
        id: u32,
    },
    /// A card whose last device has not ended yet, although the [limit of its release](crate::Device::release_within) has passed.
    DeviceEnding {
        /// The device id.
        id: u32,
    },
    /// The number of an explicit context that is in use.
    ContextTaken {
        /// The number in `Ctx<_, N>`.
        number: usize,
    },
    /// Access to a peer that was enabled already.
    PeerAccessTaken {
        /// The device that has access.
        user: u32,
        /// The device whose memory it is.
        peer: u32,
    },
    /// A device whose memory another device may still use, because no wait for that one succeeds.
    PeerLost {
        /// The device that has access.
        user: u32,
        /// The device whose memory it is.
        peer: u32,
        /// The text of the wait's error.
        cause: String,
        /// The status code of that error, if the runtime gave one.
        code: Option<i32>,
    },
    /// A device id that C's `int32_t` cannot carry.
    DeviceId {
        /// The device id.
        id: u32,
    },
    /// The configuration names no default device.
    NoDefaultDevice,
    /// A path that C cannot take.
    Path {
        /// The path.
        path: PathBuf,
    },
    /// A stream name that is in use on this device.
    StreamNameTaken {
        /// The name type.
        name: Cow<'static, str>,
    },
    /// A stream of another library that is borrowed under another name.
    StreamBorrowed {
        /// The name type.
        name: Cow<'static, str>,
    },
    /// A null handle or address where something of another library is to be borrowed.
    BorrowedNull {
        /// A stream, an event or memory.
        what: &'static str,
    },
    /// Memory of another library that does not begin where its allocator could have put it.
    BorrowedAddress {
        /// The address.
        address: usize,
    },
    /// A tensor of DLPack that is not what the call takes.
    #[cfg(feature = "dlpack")]
    DlTensor {
        /// What differs.
        what: &'static str,
        /// The number that the tensor has.
        found: i64,
        /// The number that it must have.
        expected: i64,
    },
    /// Memory to be registered that does not begin at a page.
    RegisteredAddress {
        /// The address.
        address: usize,
    },
    /// Memory of Rust to be registered on Linux 5.10 or older.
    OldKernel {
        /// The release of the kernel.
        release: String,
    },
    /// A configuration file that asks for what excludes each other.
    Configuration {
        /// The file, what it asks for, and what helps.
        reason: String,
    },
    /// A size of devices that AscendCL would round or ignore.
    DeviceLimit {
        /// The name in [`DeviceLimit`](crate::settings::DeviceLimit).
        limit: String,
        /// The size.
        value: usize,
        /// What it has to be a multiple of.
        step: usize,
        /// The sizes that there are.
        range: std::ops::RangeInclusive<usize>,
    },
    /// A limit of no core.
    NoCores {
        /// The name in [`CoreKind`](crate::settings::CoreKind).
        kind: String,
    },
    /// A size of devices is set through device 0, and the process does not see it.
    HiddenDevice {
        /// The value of `ASCEND_RT_VISIBLE_DEVICES`.
        visible: String,
    },
    /// Memory to be shared with other processes that does not begin and end at a page.
    SharedPages {
        /// The address.
        address: usize,
        /// The bytes.
        bytes: usize,
    },
    /// Memory at reserved addresses to be shared with other processes that was not mapped at once.
    SharedMappings {
        /// How often memory was mapped.
        mappings: usize,
    },
    /// Memory of another process that is no whole number of elements.
    SharedElements {
        /// The bytes of the memory.
        bytes: usize,
        /// Bytes of one element.
        size: usize,
    },
    /// An empty list of processes that may import.
    NoImporters,
    /// A number that is no priority of a stream.
    Priority {
        /// The number.
        value: u32,
    },
    /// Work of the device failed during a [scope](crate::Current::scope), and another wait or the hook received the error.
    FailedMeanwhile {
        /// The text of that error.
        cause: String,
        /// The status code of that error, if the runtime gave one.
        code: Option<i32>,
    },
    /// A [host function or callback](crate::callback) that has panicked.
    HostFuncPanicked {
        /// The name type of the stream, or its number.
        name: Cow<'static, str>,
    },
    /// A number of a recording that the graph does not have.
    Recording {
        /// The number.
        index: usize,
        /// How many recordings the graph has.
        of: usize,
    },
    /// A graph whose update was broken off.
    TornGraph,
    /// The place of an operator in another graph, or in a recording that has failed.
    OtherGraph,
    /// A stream whose wait has failed before, or a host function or callback on it.
    StreamPoisoned {
        /// The name type, or the number.
        name: Cow<'static, str>,
    },
    /// Memory, a fence or a subscription of another stream than the one that was to have it.
    OtherStream {
        /// The number of the stream that has the memory, fence or subscription.
        memory: u64,
        /// The number of the stream that was to have it.
        stream: u64,
    },
    /// The body or a handler of a [worker](crate::worker) that has panicked.
    Panicked {
        /// The text of the panic.
        text: String,
    },
    /// The body of a [worker](crate::worker) that has returned without serving requests.
    NotServed,
    /// A handler that waits for its own [worker](crate::worker).
    OwnWorker,
    /// The system gives no thread, for a worker or to release a device's resources on.
    NoThread {
        /// The message of the system.
        reason: String,
    },
    /// Work that may still run, because no wait for it has succeeded.
    Unproven {
        /// The text of the first wait's error.
        cause: String,
        /// The status code of that error, if the runtime gave one.
        code: Option<i32>,
    },
    /// Much memory that was dropped while it was queued, and whose work no wait has proven to be over. Only the
    /// [hook for failed releases](crate::on_release_failure) gets this, once for each device.
    Parked {
        /// The number of bytes of this device.
        bytes: usize,
        /// The name or the number of the stream that the last of the memory was queued on.
        stream: Option<Cow<'static, str>>,
    },
    /// Work that has not ended within the [limit of a release](crate::Device::release_within).
    Late {
        /// The limit.
        limit: std::time::Duration,
    },
    /// A stream whose work was [aborted](crate::Stream::abort), also because it did not end within the
    /// [limit of a release](crate::Device::release_within).
    Aborted {
        /// The name type of the stream, or its number.
        name: Cow<'static, str>,
    },
    /// A wait for the record of an event or of a notify that an [abort](crate::Stream::abort) of its stream may have dropped. The
    /// wait might never end.
    RecordDropped {
        /// The name type of the stream, or its number.
        name: Cow<'static, str>,
    },
    /// A stream that [`Stream::abort`](crate::Stream::abort) cannot abort with a proof that its memory is unused.
    NotAborted {
        /// The name type of the stream, or its number.
        name: Cow<'static, str>,
        /// The reason, and what helps.
        cause: &'static str,
    },
    /// A limit of time that C cannot take.
    Timeout {
        /// The limit.
        limit: std::time::Duration,
    },
    /// A limit for waits on the device that C cannot take.
    WaitTimeout {
        /// The limit.
        limit: std::time::Duration,
    },
    /// An address that a copy within a device cannot take.
    Misaligned {
        /// The address.
        address: usize,
    },
    /// An allocation of no bytes.
    ZeroSize {
        /// Elements.
        len: usize,
        /// Bytes of one element.
        size: usize,
    },
    /// More elements than a [`ReservedBuf`](crate::memory::ReservedBuf) has addresses for.
    ReservationFull {
        /// The number of elements that there would be.
        needed: usize,
        /// The number of elements that the addresses have room for.
        reserved: usize,
    },
    /// A block that has not enough left for a piece.
    BlockFull {
        /// Bytes that it takes.
        needed: usize,
        /// Bytes that are left.
        left: usize,
    },
    /// A pool that is destroyed while the program has memory of it that it has forgotten.
    PoolInUse,
    /// An allocation whose size overflows.
    SizeOverflow {
        /// Elements.
        len: usize,
        /// Bytes of one element.
        size: usize,
    },
    /// An element type that needs more alignment than the allocator gives.
    Alignment {
        /// Alignment of the element type.
        needed: usize,
        /// Alignment of the memory.
        given: usize,
    },
    /// Source and destination of different lengths.
    Length {
        /// Elements of the source.
        source_len: usize,
        /// Elements of the destination.
        destination_len: usize,
    },
    /// A counter of random numbers that has not two elements.
    RandomCounter {
        /// Its elements.
        elements: usize,
    },
    /// Rows that are wider than their pitch.
    Pitch {
        /// Elements of a row.
        width: usize,
        /// Elements from one row's start to the next.
        pitch: usize,
    },
    /// Rows that do not lie within their memory.
    Rows {
        /// Rows.
        height: usize,
        /// Elements of a row.
        width: usize,
        /// Elements from one row's start to the next.
        pitch: usize,
        /// Elements of the memory.
        len: usize,
    },
    /// Source and destination of different heights or widths.
    RowShape {
        /// Rows of the source, and elements of a row.
        source_shape: (usize, usize),
        /// Rows of the destination, and elements of a row.
        destination_shape: (usize, usize),
    },
    /// Rows that a queued copy cannot take.
    RowLimit {
        /// Bytes of a row.
        bytes: usize,
        /// Rows.
        height: usize,
    },
    /// A range outside a buffer.
    Range {
        /// First element.
        start: usize,
        /// Element behind the last.
        end: usize,
        /// Elements of the buffer.
        len: usize,
    },
    /// A buffer that is filled piece by piece and is not full.
    NotFilled {
        /// Elements written.
        filled: usize,
        /// Elements of the buffer.
        len: usize,
    },
    /// A shape that does not describe the buffer.
    ShapeSize {
        /// The shape.
        shape: Vec<usize>,
        /// Elements of the shape.
        elements: usize,
        /// Elements of the buffer.
        len: usize,
    },
    /// A shape of too many dimensions.
    Rank {
        /// Dimensions.
        rank: usize,
    },
    /// A shape without elements whose other dimensions are too large to describe.
    Dimension {
        /// The shape.
        shape: Vec<usize>,
    },
    /// An output of another shape than the operator gives.
    OutputShape {
        /// The operator.
        operator: &'static str,
        /// Shape of the operand.
        operand: Vec<usize>,
        /// The shape that the output must have.
        expected: Vec<usize>,
        /// The shape that it has.
        output: Vec<usize>,
    },
    /// Matrices that cannot be multiplied, or not to that output.
    Product {
        /// The operator.
        operator: &'static str,
        /// Shape of the first operand.
        left: Vec<usize>,
        /// Shape of the second operand.
        right: Vec<usize>,
        /// Shape of the output.
        output: Vec<usize>,
    },
    /// Tensors that cannot be joined, or not to that output.
    Joined {
        /// The operator.
        operator: &'static str,
        /// Shapes of the operands.
        operands: Vec<Vec<usize>>,
        /// The dimension.
        axis: usize,
        /// Shape of the output.
        output: Vec<usize>,
    },
    /// A list without tensors.
    EmptyList {
        /// The operator.
        operator: &'static str,
    },
    /// A dimension that a tensor does not have.
    Axis {
        /// The operator.
        operator: &'static str,
        /// The dimension.
        axis: i64,
        /// Dimensions of the tensor.
        rank: usize,
    },
    /// A dimension that was named twice.
    RepeatedAxis {
        /// The operator.
        operator: &'static str,
        /// The dimension, counted from 0.
        axis: usize,
    },
    /// More elements than a dimension has, or none.
    Chosen {
        /// The operator.
        operator: &'static str,
        /// How many were asked for.
        k: usize,
        /// Elements of the dimension.
        size: usize,
        /// The dimension, counted from 0.
        axis: usize,
    },
    /// Operands that do not broadcast to the output.
    Broadcast {
        /// The operator.
        operator: &'static str,
        /// Shapes of the operands.
        operands: Vec<Vec<usize>>,
        /// Shape of the output.
        output: Vec<usize>,
    },
    /// An operand whose shape does not fit to the first one.
    OperandShape {
        /// The operator.
        operator: &'static str,
        /// Shape of the first operand.
        first: Vec<usize>,
        /// The shape that the other operand must have.
        expected: Vec<usize>,
        /// The shape that it has.
        shape: Vec<usize>,
    },
    /// An operand of another number of dimensions.
    OperandRank {
        /// The operator.
        operator: &'static str,
        /// Shape of the operand.
        shape: Vec<usize>,
        /// The dimensions that it must have.
        rank: usize,
    },
    /// Numbers that do not fit the dimensions of the operand.
    Numbers {
        /// The operator.
        operator: &'static str,
        /// The numbers.
        numbers: Vec<i64>,
        /// Shape of the operand.
        shape: Vec<usize>,
        /// The numbers that fit.
        rule: &'static str,
    },
    /// Indices that may lie behind the dimension into which they point.
    IndexBound {
        /// The operator.
        operator: &'static str,
        /// The bound of the indices.
        below: usize,
        /// Elements of the dimension.
        size: usize,
    },
    /// Parts, ranges, indices or positions that do not fit a tensor.
    #[cfg(feature = "operators")]
    Misplaced(super::Misplaced),
    /// An index that is not within its bound.
    IndexRange {
        /// The index.
        index: i64,
        /// Where it stands in the tensor.
        position: usize,
        /// The bound.
        below: usize,
    },
    /// Dimensions of a permuted view that are not those of the tensor.
    Permutation {
        /// The dimensions.
        axes: Vec<i64>,
        /// Dimensions of the tensor.
        rank: usize,
    },
    /// A range of a dimension that is empty or ends behind it.
    AxisRange {
        /// The dimension, counted from 0.
        axis: usize,
        /// First index.
        start: usize,
        /// Index behind the last.
        end: usize,
        /// Distance of two indices.
        step: usize,
        /// Elements of the dimension.
        size: usize,
    },
    /// A shape to which a tensor cannot be expanded.
    Expand {
        /// Shape of the tensor.
        shape: Vec<usize>,
        /// The shape that was asked for.
        to: Vec<usize>,
    },
    /// A view whose elements do not lie one behind the other.
    NotContiguous {
        /// Shape of the view.
        shape: Vec<usize>,
        /// Distances of neighbours in each dimension, in elements.
        strides: Vec<i64>,
    },
    /// A tensor that does not go with a repeatable plan.
    #[cfg(feature = "operators")]
    Repeated(super::Repeated),
    /// A model without fixed sizes, or buffers that are not those of a model.
    #[cfg(feature = "models")]
    Model(super::ModelMismatch),
    /// A kernel that is not the declared one, or a launch that the declaration does not admit.
    #[cfg(feature = "kernels")]
    Kernel(super::KernelMismatch),
    /// A mistake with pictures, channels or the interfaces of the media engine.
    #[cfg(feature = "media")]
    Media(super::MediaMismatch),
    /// A mistake with communicators.
    #[cfg(feature = "collectives")]
    Collective(super::CollectiveMismatch),
}

impl Usage {
    /// The status code of the runtime behind this error.
    pub(super) fn code(&self) -> Option<i32> {
        match self {
            Usage::PeerLost { code, .. }
            | Usage::FailedMeanwhile { code, .. }
            | Usage::Unproven { code, .. } => *code,
            Usage::Late { .. } => Some(ascendcl_sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT),
            _ => None,
        }
    }
}
