//! The text of each mistake.

use std::fmt;

use super::Usage;
use crate::error::mistake::Shapes;

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Usage::AlreadyInitialised => f.write_str(
                "AscendCL is already initialised in this process: share the `Acl` instead of making another",
            ),
            Usage::ThreadClaimed => f.write_str(
                "this thread's context is already managed, by a `Thread` (a forgotten one counts) or by an \
                 `Acl::on` that has not returned: pass that `Thread` or its `Current` on, or use another thread",
            ),
            Usage::InHostFunc => f.write_str(
                "AscendCL cannot be used inside a function that the runtime calls (a host function, a callback, a \
                 hook for failed tasks): use it on the thread that waits for the stream",
            ),
            Usage::SubscriptionEnded => f.write_str(
                "the subscription belongs to another stream, or has ended with an earlier stream of this name: \
                 subscribe the stream that is used now",
            ),
            Usage::OwnReportThread => f.write_str(
                "this thread cannot run the callbacks of its own stream, because it waits for the stream: subscribe \
                 it to the `ReportThread` of another thread",
            ),
            Usage::ReportThreadGone => f.write_str(
                "no thread runs the stream's callbacks any more, so a wait for the stream would never end: the \
                 `ReportThread` was dropped; keep it until the stream has unsubscribed",
            ),
            Usage::NotOnHost => f.write_str(
                "the program runs on the device itself (run mode ACL_DEVICE), where there is no host memory: \
                 allocate by `Current::malloc_local`, which works in both run modes, or match on `Acl::run_mode`",
            ),
            Usage::SlotTaken { slot } => write!(
                f,
                "device slot {slot} is in use: each device that is open at a time has a slot of its own, `Npu<0>`, `Npu<1>`; \
                 open this one as another one, reset that one first, or use `Acl::with_device`, which needs none"
            ),
            Usage::DeviceTaken { id } => write!(
                f,
                "device {id} is already open in this process: share that `Device` by reference"
            ),
            Usage::DeviceEnding { id } => write!(
                f,
                "device {id} does not answer, and has not ended since the limit of its release has passed: try again later, or \
                 open another device"
            ),
            Usage::ContextTaken { number } => write!(
                f,
                "context {number} of this device exists already: destroy it first or create one of another number"
            ),
            Usage::PeerAccessTaken { user, peer } => write!(
                f,
                "device {user} has access to device {peer} already: share that `PeerAccess` by reference (a \
                 forgotten one counts)"
            ),
            Usage::PeerLost { user, peer, cause, .. } => write!(
                f,
                "device {user} may still use memory of device {peer}, so device {peer} is not reset; the wait for \
                 device {user} failed: {cause}"
            ),
            Usage::DeviceId { id } => write!(
                f,
                "there is no device {id}: ids are small numbers from 0"
            ),
            Usage::NoDefaultDevice => f.write_str(
                "no default device is configured: write {\"defaultDevice\": {\"default_device\": \"0\"}} into the \
                 file of `Acl::init_with_config`, or call `set_device`",
            ),
            Usage::Path { path } => write!(f, "the path {path:?} contains a zero byte"),
            Usage::StreamNameTaken { name } => write!(
                f,
                "the name `{name}` is taken on this device, by a stream that lives or by one whose work has failed: \
                 give each stream a name of its own (`enum Second {{}}` and `impl StreamName for Second {{}}`), create streams without a name in a loop \
                 (`create_parked_stream`), or let batches overlap in a `pipeline::Pipeline`; a reset of the device \
                 gives all names back"
            ),
            Usage::StreamBorrowed { name } => write!(
                f,
                "this stream is borrowed under the name `{name}` already: use that handle, or borrow the stream \
                 under that name"
            ),
            Usage::BorrowedNull { what } => write!(
                f,
                "null is no {what} that can be borrowed: ask the library that owns it for its handle or address (a \
                 null stream is the default one: `Current::default_stream`)"
            ),
            Usage::BorrowedAddress { address } => write!(
                f,
                "borrowed memory begins at a multiple of 64 bytes, and {address:#x} is none: borrow the allocation \
                 from its start and take a slice; of a tensor that is a view, let the other library make a copy"
            ),
            #[cfg(feature = "dlpack")]
            Usage::DlTensor { what: "read-only flag", .. } => f.write_str(
                "the memory of this DLPack tensor is read-only, which tensors before DLPack 1 cannot say: lend it by \
                 `buffer.slice_mut(..)`, or give the buffer",
            ),
            #[cfg(feature = "dlpack")]
            Usage::DlTensor { what, found, expected } => write!(
                f,
                "the {what} of this DLPack tensor is {found}, not {expected}: ask the other library for a contiguous tensor of version 1, \
                 on this device (device type 21, kDLAscend), with this element type; of a library that names its device \
                 otherwise, as torch_npu does, borrow the address: `current.borrow_raw_memory(..)`"
            ),
            Usage::RegisteredAddress { address } => write!(
                f,
                "registered memory begins at a multiple of 4096 bytes, and {address:#x} is none: take memory of \
                 `memory::Pages`, a mapping of whole pages, or a part that begins at a page"
            ),
            Usage::Configuration { reason } => f.write_str(reason),
            Usage::DeviceLimit { limit, value, step, range } => {
                write!(f, "the limit {limit} cannot be {value} bytes: pass a multiple of {step}")?;
                match (*range.start(), *range.end()) {
                    (0, usize::MAX) => Ok(()),
                    (least, usize::MAX) => write!(f, " from {least} on"),
                    (least, most) => write!(f, " from {least} to {most}"),
                }
            }
            Usage::NoCores { kind } => write!(
                f,
                "no operator runs on 0 cores of the kind {kind}: pass 1 to as many as `res_limit(CoreKind::{kind})` returns, or \
                 leave the kind out"
            ),
            Usage::HiddenDevice { visible } => write!(
                f,
                "ASCEND_RT_VISIBLE_DEVICES is {visible:?}, and AscendCL sets limits through device 0: add device 0 to the \
                 variable, or set no limit"
            ),
            Usage::OldKernel { release } => write!(
                f,
                "Linux {release} registers no memory of Rust, only kernels above 5.10 do: use memory of \
                 `Current::malloc_host`, which is page-locked, and which `Scope::lend_mapped` takes"
            ),
            Usage::SharedPages { address, bytes } => write!(
                f,
                "shared memory begins at a page and has whole pages, which {bytes} bytes at {address:#x} have not: allocate \
                 a multiple of 4096 bytes (above 1 MiB a multiple of 2 MiB, with `MallocPolicy::HugeOnly`)"
            ),
            Usage::SharedMappings { mappings } => write!(
                f,
                "memory at reserved addresses is shared as one piece, and this buffer has {mappings}: map all of its memory in \
                 front of the first `grow`, `memory.map_mem(current, len)?`"
            ),
            Usage::SharedElements { bytes, size } => write!(
                f,
                "the shared memory has {bytes} bytes, which are no whole number of elements of {size} bytes: import the \
                 element type that the other process has exported"
            ),
            Usage::NoImporters => write!(
                f,
                "no process is listed, so none could import the key: list the number that `Current::bare_tgid` returns in \
                 the other process, or pass `Importers::Any`"
            ),
            Usage::Priority { value } => write!(
                f,
                "{value} is no priority of a stream: priorities are 0 (most urgent) to 7, and the runtime would \
                 silently take 7"
            ),
            Usage::FailedMeanwhile { cause, .. } => write!(
                f,
                "work of this device failed during the scope, so the lent memory may be unwritten; another wait, or \
                 the hook for failed releases, received the error: {cause}"
            ),
            Usage::HostFuncPanicked { name } => write!(
                f,
                "a host function or callback on the stream `{name}` has panicked, so its work is incomplete, and \
                 later work of the stream has run all the same: take the buffers back unverified with `drain`, \
                 destroy the stream and create another one, by `create_parked_stream` or under another name (a \
                 reset of the device gives all names back)"
            ),
            Usage::Recording { index, of } => write!(
                f,
                "recording {index} of a graph that has {of}: they count from 0, and `also` adds one"
            ),
            Usage::TornGraph => f.write_str(
                "an update of the graph was broken off, so an operator may be half the old one: destroy the graph, which \
                 gives its memory back, and capture it again",
            ),
            Usage::OtherGraph => f.write_str(
                "the operator is in another graph, or in a recording that has failed: update it by the `Group` that the \
                 capture of this graph has returned",
            ),
            Usage::StreamPoisoned { name } => write!(
                f,
                "a wait of the stream `{name}` has failed, or a host function or callback on it has panicked, or it \
                 was aborted, so its earlier work may have failed: take the buffers back unverified with `drain`, destroy the \
                 stream and create another one, by `create_parked_stream` or under another name (a reset of the \
                 device gives all names back)"
            ),
            Usage::OtherStream { memory, stream } => write!(
                f,
                "the memory, fence or subscription belongs to stream number {memory}, and this is number {stream}: \
                 use it on its own stream, or move memory with `handoff` there"
            ),
            Usage::Panicked { text } => write!(f, "the code of a worker has panicked: {text}"),
            Usage::NotServed => f.write_str(
                "the body of a worker has returned without an error and without `requests.serve(..)`, so nobody answers",
            ),
            Usage::OwnWorker => f.write_str(
                "a handler waits for its own worker, which may wait for this handler: call the function of the request, or \
                 send it by `try_send` and do not wait",
            ),
            Usage::NoThread { reason } => write!(
                f,
                "no thread could be started ({reason}): a worker does not serve its device, and what only a thread can release \
                 is never released"
            ),
            Usage::Unproven { cause, .. } => write!(
                f,
                "no wait has succeeded, so the work may still run: its memory is never released, and counted (`leaks`), and \
                 its names are free again behind a reset of the device; the first wait failed: {cause}"
            ),
            Usage::Parked { bytes, stream } => {
                write!(
                    f,
                    "{bytes} bytes are parked: memory that was dropped while it was queued"
                )?;
                if let Some(stream) = stream {
                    write!(f, ", the last of it on the stream `{stream}`")?;
                }
                f.write_str(
                    "; nothing frees it before a wait: call `synchronize` on the stream, or wait for a `fence` behind \
                     the work, or take the memory back (`Idle::take`) and use it again",
                )
            }
            Usage::Late { limit } => write!(
                f,
                "the work has not ended within {limit:?}, the limit of releases: choose a longer limit \
                 (`release_within`) if it may take longer; else the device hangs, and its memory and names stay taken \
                 until it has ended"
            ),
            Usage::Aborted { name } => write!(
                f,
                "the work of the stream `{name}` was aborted, because it did not end in time: take its results as lost, create another stream, by `create_parked_stream` or under another name (a reset of \
                 the device gives all names back), and queue the work again"
            ),
            Usage::RecordDropped { name } => write!(
                f,
                "the stream `{name}` was aborted, which may have dropped this record, so a wait for it might never end: take the \
                 results in front of it as lost, queue that work again, record again, and wait for the new record"
            ),
            Usage::NotAborted { name, cause } => {
                write!(f, "the stream `{name}` is not aborted: {cause}")
            }
            Usage::Timeout { limit } => write!(
                f,
                "a wait can be limited to 1 to 2147483647 milliseconds, not to {limit:?}; to wait for ever use the \
                 call without a limit"
            ),
            Usage::WaitTimeout { limit } => write!(
                f,
                "waits on the device can be limited to 1 to 4294967295 seconds, not to {limit:?}; for no limit pass \
                 `None`"
            ),
            Usage::Misaligned { address } => write!(
                f,
                "a queued copy within a device needs addresses aligned to 64 bytes, and {address:#x} is not: begin \
                 slices at such elements"
            ),
            Usage::ZeroSize { len, size } => write!(
                f,
                "an allocation of zero bytes was asked for ({len} elements of {size} bytes): pass a number of elements that is \
                 not 0; memory at reserved addresses has those that were written, `memory.grow(current, len)?`"
            ),
            Usage::BlockFull { needed, left } => write!(
                f,
                "a piece needs {needed} bytes, and the block has {left} bytes left: a piece of n bytes needs n \
                 rounded up to 32, and 32 more, from an aligned address"
            ),
            Usage::ReservationFull { needed, reserved } => write!(
                f,
                "{needed} elements do not fit the addresses that are reserved, which have room for {reserved}: reserve more \
                 from the start, `Current::reserve_mem_address`, because reserved addresses do not grow"
            ),
            Usage::PoolInUse => f.write_str(
                "the program has forgotten memory of the pool (`mem::forget`), so the pool is not destroyed before the reset of \
                 its device: drop the memory instead",
            ),
            Usage::SizeOverflow { len, size } => write!(
                f,
                "{len} elements of {size} bytes are more than an address can span"
            ),
            Usage::Alignment { needed, given } => write!(
                f,
                "elements aligned to {needed} bytes do not fit memory that is aligned to {given}"
            ),
            Usage::Length { source_len, destination_len } => write!(
                f,
                "the source has {source_len} elements and the destination {destination_len}: take a slice of the \
                 longer one"
            ),
            Usage::RandomCounter { elements } => write!(
                f,
                "the counter of random numbers has {elements} elements, and the device uses two: take `malloc_as::<[u64; 2]>()`, or a \
                 slice of two"
            ),
            Usage::Pitch { width, pitch } => write!(
                f,
                "rows of {width} elements do not fit a pitch of {pitch}: the pitch is the distance from one row's \
                 start to the next"
            ),
            Usage::Rows { height, width, pitch, len } => write!(
                f,
                "{height} rows of {width} elements, {pitch} apart, do not lie within {len} elements"
            ),
            Usage::RowShape { source_shape, destination_shape } => write!(
                f,
                "the source has {} rows of {} elements and the destination {} rows of {}: copy as many as both have",
                source_shape.0, source_shape.1, destination_shape.0, destination_shape.1
            ),
            Usage::RowLimit { bytes, height } => write!(
                f,
                "a queued copy takes at most 5242880 rows of at most 5000000 bytes, not {height} rows of {bytes}: \
                 copy in pieces, or by `memcpy_2d`"
            ),
            Usage::Range { start, end, len } => write!(
                f,
                "the range {start}..{end} does not lie within the buffer's {len} elements"
            ),
            Usage::NotFilled { filled, len } => write!(
                f,
                "{filled} of {len} elements were written: write the rest before `finish`"
            ),
            Usage::ShapeSize { shape, elements, len } => write!(
                f,
                "the shape {shape:?} has {elements} elements and the buffer {len}: pass a shape of {len} elements, \
                 or a slice of {elements} elements"
            ),
            Usage::Rank { rank } => write!(
                f,
                "a tensor has at most 8 dimensions, this one {rank}: join neighbouring dimensions"
            ),
            Usage::Dimension { shape } => write!(
                f,
                "the shape {shape:?} has a size or a stride above i64::MAX, the largest in C"
            ),
            Usage::OutputShape { operator, operand, expected, output } => write!(
                f,
                "{operator}: of an operand of the shape {operand:?} the output has the shape {expected:?}, not \
                 {output:?}: describe the output by that shape"
            ),
            Usage::Product { operator, left, right, output } => write!(
                f,
                "{operator}: the product of the shapes {left:?} and {right:?} is not of the shape {output:?}: [.., \
                 m, k] and [.., k, n] give [.., m, n], and the dimensions in front broadcast"
            ),
            Usage::Joined { operator, operands, axis, output } => write!(
                f,
                "{operator}: the shapes {} joined along dimension {axis} do not give {output:?}: all other \
                 dimensions must be equal, and that one is the sum",
                Shapes(operands)
            ),
            Usage::EmptyList { operator } => write!(
                f,
                "{operator}: the list of tensors is empty: pass at least one"
            ),
            Usage::Axis { operator, axis, rank } => write!(
                f,
                "{operator}: a tensor of {rank} dimensions has no dimension {axis}: count from 0, or from the end \
                 by -1, -2 .."
            ),
            Usage::RepeatedAxis { operator, axis } => write!(
                f,
                "{operator}: dimension {axis} is named twice: name each once"
            ),
            Usage::Chosen { operator, k, size, axis } => write!(
                f,
                "{operator}: dimension {axis} has {size} elements: choose 1 to {size}, not {k}"
            ),
            Usage::Broadcast { operator, operands, output } => write!(
                f,
                "{operator}: the shapes {operands:?} do not broadcast to {output:?}: compared from the last \
                 dimension, sizes must be equal or 1, and the output has the larger ones"
            ),
            Usage::OperandShape { operator, first, expected, shape } => write!(
                f,
                "{operator}: beside an operand of the shape {first:?} another one must have the shape {expected:?}, \
                 not {shape:?}: describe it by that shape"
            ),
            Usage::OperandRank { operator, shape, rank } => write!(
                f,
                "{operator}: an operand has the shape {shape:?}, and the operator takes one of {rank} dimensions \
                 there: describe it by as many"
            ),
            Usage::Numbers { operator, numbers, shape, rule } => write!(
                f,
                "{operator}: the numbers {numbers:?} do not fit an operand of the shape {shape:?}: {rule}"
            ),
            Usage::IndexBound { operator, below, size } => write!(
                f,
                "{operator}: the indices are less than {below}, and the dimension has {size} elements: compare them \
                 with that number, by `Tensor::indices`"
            ),
            #[cfg(feature = "operators")]
            Usage::Misplaced(wrong) => fmt::Display::fmt(wrong, f),
            Usage::IndexRange { index, position, below } => write!(
                f,
                "index {index} at position {position} is not within 0..{below}: indices count from 0"
            ),
            Usage::Permutation { axes, rank } => write!(
                f,
                "{axes:?} is no order of the {rank} dimensions of the tensor: name each once, from 0 or from the \
                 end by -1, -2 .."
            ),
            Usage::AxisRange { axis, start, end, step, size } => write!(
                f,
                "the range {start}..{end} by steps of {step} is empty or leaves the {size} elements of dimension \
                 {axis}: choose from 0..{size}"
            ),
            Usage::Expand { shape, to } => {
                write!(f, "the shape {shape:?} does not expand to {to:?}: ")?;
                let count = to.iter().try_fold(1_i64, |count, size| {
                    count.checked_mul(i64::try_from(*size).ok()?)
                });
                f.write_str(match count {
                    Some(_) => "compared from the last dimension, each has one element or as many",
                    None => "it has more elements than an index of C can count, which is 2^63 - 1",
                })
            }
            Usage::NotContiguous { shape, strides } => write!(
                f,
                "the view of the shape {shape:?} with the strides {strides:?} is not contiguous: let an operator \
                 copy its elements first, or use the tensor that it is a view of"
            ),
            #[cfg(feature = "operators")]
            Usage::Repeated(wrong) => fmt::Display::fmt(wrong, f),
            #[cfg(feature = "kernels")]
            Usage::Kernel(wrong) => fmt::Display::fmt(wrong, f),
            #[cfg(feature = "models")]
            Usage::Model(wrong) => fmt::Display::fmt(wrong, f),
            #[cfg(feature = "media")]
            Usage::Media(wrong) => fmt::Display::fmt(wrong, f),
            #[cfg(feature = "collectives")]
            Usage::Collective(wrong) => fmt::Display::fmt(wrong, f),
        }
    }
}

impl std::error::Error for Usage {}
