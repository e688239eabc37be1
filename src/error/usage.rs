//! Mistakes of the caller that this crate finds before it calls the runtime.

use std::borrow::Cow;
use std::path::PathBuf;

use super::mistake::Shapes;

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
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Usage {
    /// A second [`Acl`](crate::Acl) while the first lives.
    #[error(
        "AscendCL is already initialised in this process: share the `Acl` instead of making another"
    )]
    AlreadyInitialised,
    /// A second [`Thread`](crate::Thread) on one thread.
    #[error(
        "this thread's context is already managed, by a `Thread` (a forgotten one counts) or by an `Acl::on` that has not \
         returned: pass that `Thread` or its `Current` on, or use another thread"
    )]
    ThreadClaimed,
    /// AscendCL used inside a [function that it calls](crate::callback).
    #[error(
        "AscendCL cannot be used inside a function that the runtime calls (a host function, a callback, a hook for \
         failed tasks): use it on the thread that waits for the stream"
    )]
    InHostFunc,
    /// A subscription of an earlier stream of the same name, with which it has ended.
    #[error(
        "the subscription belongs to another stream, or has ended with an earlier stream of this name: subscribe the \
         stream that is used now"
    )]
    SubscriptionEnded,
    /// A stream whose callbacks the calling thread would have to run.
    #[error(
        "this thread cannot run the callbacks of its own stream, because it waits for the stream: subscribe it to the \
         `ReportThread` of another thread"
    )]
    OwnReportThread,
    /// Callbacks for a thread that has ended, or has dropped its `ReportThread`.
    #[error(
        "no thread runs the stream's callbacks any more, so a wait for the stream would never end: the `ReportThread` was \
         dropped; keep it until the stream has unsubscribed"
    )]
    ReportThreadGone,
    /// Host memory asked for where there is none.
    #[error(
        "the program runs on the device itself (run mode ACL_DEVICE), where there is no host memory: allocate by \
         `Current::malloc_local`, which works in both run modes, or match on `Acl::run_mode`"
    )]
    NotOnHost,
    /// A device slot that is in use.
    #[error(
        "device slot {slot} is in use: reset that device first, or open this one as another `Npu<_>`"
    )]
    SlotTaken {
        /// The number in `Npu<_>`.
        slot: usize,
    },
    /// A card that is open already.
    #[error("device {id} is already open in this process: share that `Device` by reference")]
    DeviceTaken {
        /// The device id.
        id: u32,
    },
    /// The number of an explicit context that is in use.
    #[error(
        "context {number} of this device exists already: destroy it first or create one of another number"
    )]
    ContextTaken {
        /// The number in `Ctx<_, N>`.
        number: usize,
    },
    /// Access to a peer that was enabled already.
    #[error(
        "device {user} has access to device {peer} already: share that `PeerAccess` by reference (a forgotten one counts)"
    )]
    PeerAccessTaken {
        /// The device that has access.
        user: u32,
        /// The device whose memory it is.
        peer: u32,
    },
    /// A device whose memory another device may still use, because no wait for that one succeeds.
    #[error(
        "device {user} may still use memory of device {peer}, so device {peer} is not reset; the wait for device {user} \
         failed: {cause}"
    )]
    PeerLost {
        /// The device that has access.
        user: u32,
        /// The device whose memory it is.
        peer: u32,
        /// The text of the wait's error.
        cause: String,
    },
    /// A device id that C's `int32_t` cannot carry.
    #[error("there is no device {id}: ids are small numbers from 0")]
    DeviceId {
        /// The device id.
        id: u32,
    },
    /// The configuration names no default device.
    #[error(
        "no default device is configured: write {{\"defaultDevice\": {{\"default_device\": \"0\"}}}} into the \
         file of `Acl::init_with_config`, or call `set_device`"
    )]
    NoDefaultDevice,
    /// A path that C cannot take.
    #[error("the path {path:?} contains a zero byte")]
    Path {
        /// The path.
        path: PathBuf,
    },
    /// A stream name that is in use on this device.
    #[error(
        "the name `{name}` is taken on this device, by a stream that lives (destroy it first) or by one whose work \
         has failed (use another name, or `create_parked_stream`, which needs none; a reset of the device gives all \
         names back)"
    )]
    StreamNameTaken {
        /// The name type.
        name: Cow<'static, str>,
    },
    /// A stream of another library that is borrowed under another name.
    #[error(
        "this stream is borrowed under the name `{name}` already: use that handle, or borrow the stream under that name"
    )]
    StreamBorrowed {
        /// The name type.
        name: Cow<'static, str>,
    },
    /// A null handle or address where something of another library is to be borrowed.
    #[error(
        "null is no {what} that can be borrowed: ask the library that owns it for its handle or address (a null stream \
         is the default one: `Current::default_stream`)"
    )]
    BorrowedNull {
        /// A stream, an event or memory.
        what: &'static str,
    },
    /// Memory of another library that does not begin where its allocator could have put it.
    #[error(
        "borrowed memory begins at a multiple of 64 bytes, and {address:#x} is none: borrow the allocation from its \
         start and take a slice"
    )]
    BorrowedAddress {
        /// The address.
        address: usize,
    },
    /// A number that is no priority of a stream.
    #[error(
        "{value} is no priority of a stream: priorities are 0 (most urgent) to 7, and the runtime would silently take 7"
    )]
    Priority {
        /// The number.
        value: u32,
    },
    /// Work of the device failed during a [scope](crate::Current::scope), and another wait or the hook received the error.
    #[error(
        "work of this device failed during the scope, so the lent memory may be unwritten; another wait, or the hook \
         for failed releases, received the error: {cause}"
    )]
    FailedMeanwhile {
        /// The text of that error.
        cause: String,
    },
    /// A [host function or callback](crate::callback) that has panicked.
    #[error(
        "a host function or callback on the stream `{name}` has panicked, so its work is incomplete, and later work of \
         the stream has run all the same: take the buffers back unverified with `drain`, destroy the stream and create \
         another one, by `create_parked_stream` or under another name (a reset of the device gives all names back)"
    )]
    HostFuncPanicked {
        /// The name type of the stream, or its number.
        name: Cow<'static, str>,
    },
    /// A stream whose wait has failed before, or a host function or callback on it.
    #[error(
        "a wait of the stream `{name}` has failed, or a host function or callback on it has panicked, so its earlier \
         work may have failed: take the buffers back unverified with `drain`, destroy the stream and create another \
         one, by `create_parked_stream` or under another name (a reset of the device gives all names back)"
    )]
    StreamPoisoned {
        /// The name type, or the number.
        name: Cow<'static, str>,
    },
    /// Memory, a fence or a subscription of another stream than the one that was to have it.
    #[error(
        "the memory, fence or subscription belongs to stream number {memory}, and this is number {stream}: use it on its \
         own stream, or move memory with `handoff` there"
    )]
    OtherStream {
        /// The number of the stream that has the memory, fence or subscription.
        memory: u64,
        /// The number of the stream that was to have it.
        stream: u64,
    },
    /// The system gives no thread to release a device's resources on.
    #[error(
        "no thread could be started to release the device's resources ({reason}), so they are never released"
    )]
    NoThread {
        /// The message of the system.
        reason: String,
    },
    /// Work that may still run, because no wait for it has succeeded.
    #[error(
        "no wait has succeeded, so the work may still run: its memory is never released, and its names are never given \
         out again; the first wait failed: {cause}"
    )]
    Unproven {
        /// The text of the first wait's error.
        cause: String,
    },
    /// A limit of time that C cannot take.
    #[error(
        "a wait can be limited to 1 to 2147483647 milliseconds, not to {limit:?}; to wait for ever use the call without a limit"
    )]
    Timeout {
        /// The limit.
        limit: std::time::Duration,
    },
    /// A limit for waits on the device that C cannot take.
    #[error(
        "waits on the device can be limited to 1 to 4294967295 seconds, not to {limit:?}; for no limit pass `None`"
    )]
    WaitTimeout {
        /// The limit.
        limit: std::time::Duration,
    },
    /// An address that a copy within a device cannot take.
    #[error(
        "a queued copy within a device needs addresses aligned to 64 bytes, and {address:#x} is not: begin \
         slices at such elements"
    )]
    Misaligned {
        /// The address.
        address: usize,
    },
    /// An allocation of no bytes.
    #[error("an allocation of zero bytes was asked for ({len} elements of {size} bytes)")]
    ZeroSize {
        /// Elements.
        len: usize,
        /// Bytes of one element.
        size: usize,
    },
    /// A block that has not enough left for a piece.
    #[error(
        "a piece needs {needed} bytes, and the block has {left} bytes left: a piece of n bytes needs n rounded up to 32, \
         and 32 more, from an aligned address"
    )]
    BlockFull {
        /// Bytes that it takes.
        needed: usize,
        /// Bytes that are left.
        left: usize,
    },
    /// An allocation whose size overflows.
    #[error("{len} elements of {size} bytes are more than an address can span")]
    SizeOverflow {
        /// Elements.
        len: usize,
        /// Bytes of one element.
        size: usize,
    },
    /// An element type that needs more alignment than the allocator gives.
    #[error("elements aligned to {needed} bytes do not fit memory that is aligned to {given}")]
    Alignment {
        /// Alignment of the element type.
        needed: usize,
        /// Alignment of the memory.
        given: usize,
    },
    /// Source and destination of different lengths.
    #[error(
        "the source has {source_len} elements and the destination {destination_len}: take a slice of the longer one"
    )]
    Length {
        /// Elements of the source.
        source_len: usize,
        /// Elements of the destination.
        destination_len: usize,
    },
    /// Rows that are wider than their pitch.
    #[error(
        "rows of {width} elements do not fit a pitch of {pitch}: the pitch is the distance from one row's start to \
         the next"
    )]
    Pitch {
        /// Elements of a row.
        width: usize,
        /// Elements from one row's start to the next.
        pitch: usize,
    },
    /// Rows that do not lie within their memory.
    #[error("{height} rows of {width} elements, {pitch} apart, do not lie within {len} elements")]
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
    #[error(
        "the source has {} rows of {} elements and the destination {} rows of {}: copy as many as both have",
        source_shape.0, source_shape.1, destination_shape.0, destination_shape.1
    )]
    RowShape {
        /// Rows of the source, and elements of a row.
        source_shape: (usize, usize),
        /// Rows of the destination, and elements of a row.
        destination_shape: (usize, usize),
    },
    /// Rows that a queued copy cannot take.
    #[error(
        "a queued copy takes at most 5242880 rows of at most 5000000 bytes, not {height} rows of {bytes}: copy in \
         pieces, or by `memcpy_2d`"
    )]
    RowLimit {
        /// Bytes of a row.
        bytes: usize,
        /// Rows.
        height: usize,
    },
    /// A range outside a buffer.
    #[error("the range {start}..{end} does not lie within the buffer's {len} elements")]
    Range {
        /// First element.
        start: usize,
        /// Element behind the last.
        end: usize,
        /// Elements of the buffer.
        len: usize,
    },
    /// A buffer that is filled piece by piece and is not full.
    #[error("{filled} of {len} elements were written: write the rest before `finish`")]
    NotFilled {
        /// Elements written.
        filled: usize,
        /// Elements of the buffer.
        len: usize,
    },
    /// A shape that does not describe the buffer.
    #[error(
        "the shape {shape:?} has {elements} elements and the buffer {len}: pass a shape of {len} elements, or a slice of \
         {elements} elements"
    )]
    ShapeSize {
        /// The shape.
        shape: Vec<usize>,
        /// Elements of the shape.
        elements: usize,
        /// Elements of the buffer.
        len: usize,
    },
    /// A shape of too many dimensions.
    #[error("a tensor has at most 8 dimensions, this one {rank}: join neighbouring dimensions")]
    Rank {
        /// Dimensions.
        rank: usize,
    },
    /// A shape without elements whose other dimensions are too large to describe.
    #[error("the shape {shape:?} has a size or a stride above i64::MAX, the largest in C")]
    Dimension {
        /// The shape.
        shape: Vec<usize>,
    },
    /// An output of another shape than the operator gives.
    #[error(
        "{operator}: of an operand of the shape {operand:?} the output has the shape {expected:?}, not {output:?}: \
         describe the output by that shape"
    )]
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
    #[error(
        "{operator}: the product of the shapes {left:?} and {right:?} is not of the shape {output:?}: [.., m, k] and \
         [.., k, n] give [.., m, n], and the dimensions in front broadcast"
    )]
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
    #[error(
        "{operator}: the shapes {} joined along dimension {axis} do not give {output:?}: all other dimensions must be \
         equal, and that one is the sum",
        Shapes(operands)
    )]
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
    #[error("{operator}: the list of tensors is empty: pass at least one")]
    EmptyList {
        /// The operator.
        operator: &'static str,
    },
    /// A dimension that a tensor does not have.
    #[error(
        "{operator}: a tensor of {rank} dimensions has no dimension {axis}: count from 0, or from the end by -1, -2 .."
    )]
    Axis {
        /// The operator.
        operator: &'static str,
        /// The dimension.
        axis: i64,
        /// Dimensions of the tensor.
        rank: usize,
    },
    /// A dimension that was named twice.
    #[error("{operator}: dimension {axis} is named twice: name each once")]
    RepeatedAxis {
        /// The operator.
        operator: &'static str,
        /// The dimension, counted from 0.
        axis: usize,
    },
    /// More elements than a dimension has, or none.
    #[error("{operator}: dimension {axis} has {size} elements: choose 1 to {size}, not {k}")]
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
    #[error(
        "{operator}: the shapes {operands:?} do not broadcast to {output:?}: compared from the last dimension, sizes must be \
         equal or 1, and the output has the larger ones"
    )]
    Broadcast {
        /// The operator.
        operator: &'static str,
        /// Shapes of the operands.
        operands: Vec<Vec<usize>>,
        /// Shape of the output.
        output: Vec<usize>,
    },
    /// An operand whose shape does not fit to the first one.
    #[error(
        "{operator}: beside an operand of the shape {first:?} another one must have the shape {expected:?}, not {shape:?}: \
         describe it by that shape"
    )]
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
    #[error(
        "{operator}: an operand has the shape {shape:?}, and the operator takes one of {rank} dimensions there: describe it by \
         as many"
    )]
    OperandRank {
        /// The operator.
        operator: &'static str,
        /// Shape of the operand.
        shape: Vec<usize>,
        /// The dimensions that it must have.
        rank: usize,
    },
    /// Numbers that do not fit the dimensions of the operand.
    #[error(
        "{operator}: the numbers {numbers:?} do not fit an operand of the shape {shape:?}: {rule}"
    )]
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
    #[error(
        "{operator}: the indices are less than {below}, and the dimension has {size} elements: compare them with that number, \
         by `Tensor::indices`"
    )]
    IndexBound {
        /// The operator.
        operator: &'static str,
        /// The bound of the indices.
        below: usize,
        /// Elements of the dimension.
        size: usize,
    },
    /// Parts, ranges, indices or positions that do not fit a tensor.
    #[error(transparent)]
    Misplaced(#[from] super::Misplaced),
    /// An index that is not within its bound.
    #[error("index {index} at position {position} is not within 0..{below}: indices count from 0")]
    IndexRange {
        /// The index.
        index: i64,
        /// Where it stands in the tensor.
        position: usize,
        /// The bound.
        below: usize,
    },
    /// Dimensions of a permuted view that are not those of the tensor.
    #[error(
        "{axes:?} is no order of the {rank} dimensions of the tensor: name each once, from 0 or from the end by -1, -2 .."
    )]
    Permutation {
        /// The dimensions.
        axes: Vec<i64>,
        /// Dimensions of the tensor.
        rank: usize,
    },
    /// A range of a dimension that is empty or ends behind it.
    #[error(
        "the range {start}..{end} by steps of {step} is empty or leaves the {size} elements of dimension {axis}"
    )]
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
    #[error(
        "the shape {shape:?} does not expand to {to:?}: compared from the last dimension, each has one element or as many"
    )]
    Expand {
        /// Shape of the tensor.
        shape: Vec<usize>,
        /// The shape that was asked for.
        to: Vec<usize>,
    },
    /// A view whose elements do not lie one behind the other.
    #[error(
        "the view of the shape {shape:?} with the strides {strides:?} is not contiguous: let an operator copy its elements \
         first, or use the tensor that it is a view of"
    )]
    NotContiguous {
        /// Shape of the view.
        shape: Vec<usize>,
        /// Distances of neighbours in each dimension, in elements.
        strides: Vec<i64>,
    },
    /// A tensor that does not go with a repeatable plan.
    #[error(transparent)]
    Repeated(#[from] super::Repeated),
    /// A model without fixed sizes, or buffers that are not those of a model.
    #[error(transparent)]
    Model(super::ModelMismatch),
    /// A mistake with pictures, channels or the interfaces of the media engine.
    #[error(transparent)]
    Media(#[from] super::MediaMismatch),
    /// A mistake with communicators.
    #[error(transparent)]
    Collective(#[from] super::CollectiveMismatch),
}
