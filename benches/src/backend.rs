//! An AscendCL that only records its calls.
//!
//! Its handles and addresses depend only on the calls since [`restart`]: two programs that call the same functions in
//! the same order with the same arguments make the same record, addresses included.

use std::ffi::{c_char, c_void};
use std::fmt;
use std::ptr::without_provenance_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

use ascendcl::sys::{self, ACL_SUCCESS, Api, aclError};

/// The largest number of calls that are recorded between two restarts.
const NOTES: usize = 4096;
/// The largest number of arguments that are recorded of a call.
const ARGUMENTS: usize = 6;
/// Bytes of host memory that can be allocated between two restarts.
const HOST: usize = 1 << 16;
/// The workspace of an operator.
const WORKSPACE: u64 = 256;

/// A call of the backend: the function, and its arguments except addresses of the caller's stack.
#[derive(Clone, PartialEq, Eq)]
pub struct Call {
    /// The C name.
    pub name: String,
    /// Numbers, handles and addresses.
    pub arguments: Vec<usize>,
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:x?}", self.name, self.arguments)
    }
}

/// Makes this the backend of the process.
///
/// # Errors
///
/// The process has a backend already.
pub fn install() -> Result<(), sys::AlreadyInstalled> {
    // SAFETY: the functions write what their C contracts promise, host memory is real, and nothing
    // touches the device memory that they make up.
    unsafe { table().install() }.map(drop)
}

/// Deletes the record, and starts again with the same addresses.
pub fn restart() {
    CALLS.store(0, Relaxed);
    NEXT_HANDLE.store(0x10_0000, Relaxed);
    NEXT_HOST.store(0, Relaxed);
}

/// The calls since the last restart.
#[must_use]
pub fn calls() -> Vec<Call> {
    let count = CALLS.load(Relaxed);
    assert!(count <= NOTES, "{count} calls are more than can be noted");
    let noted = NAMES.iter().zip(&VALUES).take(count);
    let call = |(name, values): (&AtomicPtr<&'static str>, &[AtomicUsize; ARGUMENTS])| {
        // SAFETY: within `count`, where `note` has stored the address of a constant.
        let name = unsafe { *name.load(Relaxed) };
        let arguments = values.iter().map(|value| value.load(Relaxed)).collect();
        Call {
            name: name.to_owned(),
            arguments,
        }
    };
    noted.map(call).collect()
}

/// Whether an instruction belongs to the backend.
#[must_use]
pub fn is_backend(instruction: usize) -> bool {
    let (start, end) = (
        &raw const __start_counting_backend,
        &raw const __stop_counting_backend,
    );
    (start.addr()..end.addr()).contains(&instruction)
}

// The linker defines them for a section whose name is a name of C.
unsafe extern "C" {
    static __start_counting_backend: u8;
    static __stop_counting_backend: u8;
}

static CALLS: AtomicUsize = AtomicUsize::new(0);
static NAMES: [AtomicPtr<&'static str>; NOTES] =
    [const { AtomicPtr::new(std::ptr::null_mut()) }; NOTES];
static VALUES: [[AtomicUsize; ARGUMENTS]; NOTES] =
    [const { [const { AtomicUsize::new(0) }; ARGUMENTS] }; NOTES];
static NEXT_HANDLE: AtomicUsize = AtomicUsize::new(0x10_0000);
static NEXT_HOST: AtomicUsize = AtomicUsize::new(0);
static HOST_MEMORY: Aligned = Aligned([const { AtomicUsize::new(0) }; HOST / size_of::<usize>()]);

/// As `aclrtMallocHost` aligns.
#[repr(align(64))]
struct Aligned(
    #[expect(dead_code, reason = "only its address is used")]
    [AtomicUsize; HOST / size_of::<usize>()],
);

/// Records a call. It is inlined, so that its instructions are in the backend's section.
#[inline(always)]
fn note(name: &'static &'static str, arguments: [usize; ARGUMENTS]) {
    let index = CALLS.fetch_add(1, Relaxed);
    if let (Some(slot), Some(values)) = (NAMES.get(index), VALUES.get(index)) {
        slot.store(std::ptr::from_ref(name).cast_mut(), Relaxed);
        let [a, b, c, d, e, f] = values;
        let [g, h, i, j, k, l] = arguments;
        a.store(g, Relaxed);
        b.store(h, Relaxed);
        c.store(i, Relaxed);
        d.store(j, Relaxed);
        e.store(k, Relaxed);
        f.store(l, Relaxed);
    }
}

/// One number of several, which tells other numbers and another order.
fn scalars<const N: usize>(all: [f32; N]) -> usize {
    all.into_iter().fold(0usize, |sum, one| {
        sum.wrapping_mul(31).wrapping_add(one.to_bits() as usize)
    })
}

/// One number of the words of memory of the caller, which tells other words and another order.
///
/// # Safety
///
/// - `bytes` bytes at `memory` are words.
fn words(memory: *const c_void, bytes: usize) -> usize {
    let words = (0..bytes / size_of::<usize>()).map(|at| {
        // SAFETY: the launches of this program pass arguments of whole words.
        unsafe { memory.cast::<usize>().wrapping_add(at).read_unaligned() }
    });
    words.fold(0usize, |sum, one| sum.wrapping_mul(31).wrapping_add(one))
}

/// An unused address at the start of a page.
#[inline(always)]
fn fresh() -> *mut c_void {
    without_provenance_mut(NEXT_HANDLE.fetch_add(0x1000, Relaxed))
}

/// Host memory; null when it is exhausted.
#[inline(always)]
fn fresh_host(size: usize) -> *mut c_void {
    let start = NEXT_HOST.fetch_add(size.next_multiple_of(64), Relaxed);
    if start + size > HOST {
        return std::ptr::null_mut();
    }
    (&raw const HOST_MEMORY)
        .cast_mut()
        .cast::<c_void>()
        .wrapping_byte_add(start)
}

/// Fills a list of up to six numbers with zeros.
macro_rules! pad {
    () => {
        [0; ARGUMENTS]
    };
    ($a:expr) => {
        [$a, 0, 0, 0, 0, 0]
    };
    ($a:expr, $b:expr) => {
        [$a, $b, 0, 0, 0, 0]
    };
    ($a:expr, $b:expr, $c:expr) => {
        [$a, $b, $c, 0, 0, 0]
    };
    ($a:expr, $b:expr, $c:expr, $d:expr) => {
        [$a, $b, $c, $d, 0, 0]
    };
    ($a:expr, $b:expr, $c:expr, $d:expr, $e:expr) => {
        [$a, $b, $c, $d, $e, 0]
    };
    ($a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $f:expr) => {
        [$a, $b, $c, $d, $e, $f]
    };
}

/// Defines the functions of the backend and its table.
macro_rules! backend {
    ($(
        $area:ident $name:ident($($arg:ident: $type:ty),*) $(-> $result:ty)?, notes [$($note:expr),*]
        $(, writes $out:ident = $value:expr)* $(, returns $returned:expr)?;
    )*) => {
        $(
            #[expect(non_snake_case, reason = "the names of C")]
            #[unsafe(link_section = "counting_backend")]
            unsafe extern "C" fn $name($($arg: $type),*) -> backend!(@result $($result)?) {
                note(&stringify!($name), pad!($($note),*));
                // SAFETY: the caller passes addresses that are valid for a write.
                $( unsafe { $out.write($value) }; )*
                backend!(@returned $($returned)?)
            }
        )*

        fn table() -> Api {
            let mut api = Api::absent("a backend that only counts");
            $( api.$area.$name = $name; )*
            api
        }
    };
    (@result) => { aclError };
    (@result $result:ty) => { $result };
    (@returned) => { ACL_SUCCESS };
    (@returned $returned:expr) => { $returned };
}

backend! {
    runtime aclInit(_config: *const c_char), notes [];
    runtime aclFinalize(), notes [];
    runtime aclrtGetRunMode(mode: *mut sys::aclrtRunMode), notes [], writes mode = sys::ACL_HOST;
    device aclrtSetDevice(id: i32), notes [id.cast_unsigned() as usize];
    device aclrtResetDevice(id: i32), notes [id.cast_unsigned() as usize];
    device aclrtSynchronizeDevice(), notes [];
    context aclrtSetCurrentContext(context: sys::aclrtContext), notes [context.addr()];
    context aclrtGetCurrentContext(context: *mut sys::aclrtContext), notes [],
        writes context = fresh();
    stream aclrtCreateStream(stream: *mut sys::aclrtStream), notes [], writes stream = fresh();
    stream aclrtSynchronizeStream(stream: sys::aclrtStream), notes [stream.addr()];
    stream aclrtDestroyStream(stream: sys::aclrtStream), notes [stream.addr()];
    event aclrtCreateEventExWithFlag(event: *mut sys::aclrtEvent, flags: u32),
        notes [flags as usize], writes event = fresh();
    event aclrtDestroyEvent(event: sys::aclrtEvent), notes [event.addr()];
    event aclrtRecordEvent(event: sys::aclrtEvent, stream: sys::aclrtStream),
        notes [event.addr(), stream.addr()];
    event aclrtStreamWaitEvent(stream: sys::aclrtStream, event: sys::aclrtEvent),
        notes [stream.addr(), event.addr()];
    event aclrtSynchronizeEvent(event: sys::aclrtEvent), notes [event.addr()];
    memory aclrtMalloc(
        pointer: *mut *mut c_void, size: usize, policy: sys::aclrtMemMallocPolicy
    ), notes [size, policy.0 as usize], writes pointer = fresh();
    memory aclrtFree(pointer: *mut c_void), notes [pointer.addr()];
    memory aclrtMallocHost(pointer: *mut *mut c_void, size: usize), notes [size],
        writes pointer = fresh_host(size);
    memory aclrtFreeHost(pointer: *mut c_void), notes [pointer.addr()];
    memory aclrtMemcpy(
        to: *mut c_void, room: usize, from: *const c_void, count: usize, kind: sys::aclrtMemcpyKind
    ), notes [to.addr(), room, from.addr(), count, kind.0 as usize];
    memory aclrtMemcpyAsync(
        to: *mut c_void, room: usize, from: *const c_void, count: usize, kind: sys::aclrtMemcpyKind,
        stream: sys::aclrtStream
    ), notes [to.addr(), room, from.addr(), count, kind.0 as usize, stream.addr()];
    memory aclrtMemset(to: *mut c_void, room: usize, value: i32, count: usize),
        notes [to.addr(), room, value.cast_unsigned() as usize, count];
    memory aclrtMemsetAsync(
        to: *mut c_void, room: usize, value: i32, count: usize, stream: sys::aclrtStream
    ), notes [to.addr(), room, value.cast_unsigned() as usize, count, stream.addr()];
    model aclrtBinaryLoadFromData(
        _data: *const c_void, length: usize, _options: *const sys::aclrtBinaryLoadOptions,
        binary: *mut sys::aclrtBinHandle
    ), notes [length], writes binary = fresh();
    model aclrtBinaryUnLoad(binary: sys::aclrtBinHandle), notes [binary.addr()];
    model aclrtBinaryGetFunction(
        binary: sys::aclrtBinHandle, _name: *const c_char, function: *mut sys::aclrtFuncHandle
    ), notes [binary.addr()], writes function = fresh();
    model aclrtLaunchKernelWithHostArgs(
        function: sys::aclrtFuncHandle, blocks: u32, stream: sys::aclrtStream,
        config: *mut sys::aclrtLaunchKernelCfg, arguments: *mut c_void, bytes: usize,
        _places: *mut sys::aclrtPlaceHolderInfo, count: usize
    ), notes [function.addr(), blocks as usize, stream.addr(), config.addr() ^ count, words(arguments, bytes), bytes];
    graph aclmdlRICaptureBegin(stream: sys::aclrtStream, mode: sys::aclmdlRICaptureMode),
        notes [stream.addr(), mode.0 as usize];
    graph aclmdlRICaptureEnd(stream: sys::aclrtStream, instance: *mut sys::aclmdlRI),
        notes [stream.addr()], writes instance = fresh();
    graph aclmdlRIExecuteAsync(instance: sys::aclmdlRI, stream: sys::aclrtStream),
        notes [instance.addr(), stream.addr()];
    graph aclmdlRIDestroy(instance: sys::aclmdlRI), notes [instance.addr()];
    collective HcclGetRootInfo(_info: *mut sys::HcclRootInfo) -> sys::HcclResult, notes [],
        returns sys::HCCL_SUCCESS;
    collective HcclCommInitRootInfo(
        size: u32, _info: *const sys::HcclRootInfo, rank: u32, comm: *mut sys::HcclComm
    ) -> sys::HcclResult, notes [size as usize, rank as usize],
        writes comm = fresh(), returns sys::HCCL_SUCCESS;
    collective HcclGetCommName(comm: sys::HcclComm, name: *mut c_char) -> sys::HcclResult,
        notes [comm.addr()], writes name = 0, returns sys::HCCL_SUCCESS;
    collective HcclGetCommAsyncError(
        comm: sys::HcclComm, error: *mut sys::HcclResult
    ) -> sys::HcclResult, notes [comm.addr()],
        writes error = sys::HCCL_SUCCESS, returns sys::HCCL_SUCCESS;
    collective HcclAllReduce(
        send: *mut c_void, recv: *mut c_void, count: u64, data_type: sys::HcclDataType,
        operation: sys::HcclReduceOp, comm: sys::HcclComm, stream: sys::aclrtStream
    ) -> sys::HcclResult,
        notes [
            send.addr(), recv.addr(), count as usize,
            (data_type.0 as usize) << 8 | operation.0 as usize, comm.addr(), stream.addr()
        ],
        returns sys::HCCL_SUCCESS;
    collective HcclAllGatherV(
        send: *mut c_void, count: u64, recv: *mut c_void, _counts: *const c_void, _starts: *const c_void,
        data_type: sys::HcclDataType, comm: sys::HcclComm, stream: sys::aclrtStream
    ) -> sys::HcclResult,
        notes [
            send.addr(), recv.addr(), count as usize, data_type.0 as usize, comm.addr(), stream.addr()
        ],
        returns sys::HCCL_SUCCESS;
    collective HcclCommDestroy(comm: sys::HcclComm) -> sys::HcclResult, notes [comm.addr()],
        returns sys::HCCL_SUCCESS;
    op aclCreateTensor(
        _shape: *const i64, rank: u64, data_type: sys::aclDataType, _strides: *const i64,
        offset: i64, format: sys::aclFormat, _storage: *const i64, storage_rank: u64,
        data: *mut c_void
    ) -> *mut sys::aclTensor,
        notes [
            rank as usize, data_type.0.cast_unsigned() as usize, offset.cast_unsigned() as usize,
            format.0.cast_unsigned() as usize, storage_rank as usize, data.addr()
        ],
        returns fresh().cast();
    op aclDestroyTensor(tensor: *const sys::aclTensor) -> sys::aclnnStatus, notes [tensor.addr()];
    op aclSetAclOpExecutorRepeatable(executor: *mut sys::aclOpExecutor) -> sys::aclnnStatus,
        notes [executor.addr()];
    op aclDestroyAclOpExecutor(executor: *mut sys::aclOpExecutor) -> sys::aclnnStatus,
        notes [executor.addr()];
    op aclSetInputTensorAddr(
        executor: *mut sys::aclOpExecutor, index: usize, tensor: *mut sys::aclTensor,
        data: *mut c_void
    ) -> sys::aclnnStatus, notes [executor.addr(), index, tensor.addr(), data.addr()];
    op aclSetOutputTensorAddr(
        executor: *mut sys::aclOpExecutor, index: usize, tensor: *mut sys::aclTensor,
        data: *mut c_void
    ) -> sys::aclnnStatus, notes [executor.addr(), index, tensor.addr(), data.addr()];
    op aclnnMulGetWorkspaceSize(
        left: *const sys::aclTensor, right: *const sys::aclTensor, output: *mut sys::aclTensor,
        size: *mut u64, executor: *mut *mut sys::aclOpExecutor
    ) -> sys::aclnnStatus, notes [left.addr(), right.addr(), output.addr()],
        writes size = WORKSPACE, writes executor = fresh().cast();
    op aclnnReluGetWorkspaceSize(
        operand: *const sys::aclTensor, output: *const sys::aclTensor, size: *mut u64,
        executor: *mut *mut sys::aclOpExecutor
    ) -> sys::aclnnStatus, notes [operand.addr(), output.addr()],
        writes size = WORKSPACE, writes executor = fresh().cast();
    op aclnnRelu(
        workspace: *mut c_void, size: u64, executor: *mut sys::aclOpExecutor,
        stream: sys::aclrtStream
    ) -> sys::aclnnStatus,
        notes [workspace.addr(), size as usize, executor.addr(), stream.addr()];
    op aclnnApplyAdamWV2GetWorkspaceSize(
        parameters: *mut sys::aclTensor, mean: *mut sys::aclTensor, square: *mut sys::aclTensor,
        most: *mut sys::aclTensor, gradient: *const sys::aclTensor, step: *const sys::aclTensor,
        lr: f32, beta1: f32, beta2: f32, weight_decay: f32, eps: f32, amsgrad: bool, maximize: bool,
        size: *mut u64, executor: *mut *mut sys::aclOpExecutor
    ) -> sys::aclnnStatus,
        notes [
            parameters.addr(), mean.addr(), square.addr(), gradient.addr(), step.addr(),
            scalars([lr, beta1, beta2, weight_decay, eps])
                ^ most.addr() ^ usize::from(amsgrad) ^ (usize::from(maximize) << 1)
        ],
        writes size = WORKSPACE, writes executor = fresh().cast();
    op aclnnApplyAdamWV2(
        workspace: *mut c_void, size: u64, executor: *mut sys::aclOpExecutor,
        stream: sys::aclrtStream
    ) -> sys::aclnnStatus,
        notes [workspace.addr(), size as usize, executor.addr(), stream.addr()];
    op aclnnMul(
        workspace: *mut c_void, size: u64, executor: *mut sys::aclOpExecutor,
        stream: sys::aclrtStream
    ) -> sys::aclnnStatus,
        notes [workspace.addr(), size as usize, executor.addr(), stream.addr()];
}
