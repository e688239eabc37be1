//! A `libcuda.so` that only counts its calls: those of the peers for streams, events, memory, copies,
//! kernels and host functions.
#![allow(non_snake_case, reason = "the names of C")]
#![allow(clippy::missing_safety_doc, reason = "the contracts of C")]

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering::Relaxed};

static COUNTS: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicU64 = AtomicU64::new(0);
static NEXT: AtomicUsize = AtomicUsize::new(0x10_0000);
/// The host function that is queued, and what it gets.
static FUNCTION: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static DATA: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

type HostFunction = unsafe extern "C" fn(*mut c_void);

/// Starts or ends the count.
#[unsafe(no_mangle)]
pub extern "C" fn stub_counts(on: bool) {
    COUNTS.store(on, Relaxed);
}

/// The number of calls that were counted.
#[unsafe(no_mangle)]
pub extern "C" fn stub_calls() -> u64 {
    CALLS.load(Relaxed)
}

/// Calls the host function that is queued: the program says that it would wait now. A thread for it, as in the real library,
/// would add the time of the switch to both sides.
#[unsafe(no_mangle)]
pub extern "C" fn stub_call_host_function() {
    let function = FUNCTION.load(Relaxed);
    if !function.is_null() {
        FUNCTION.store(null_mut(), Relaxed);
        // SAFETY: `queue` has stored a function of this type.
        let function = unsafe { std::mem::transmute::<*mut c_void, HostFunction>(function) };
        // SAFETY: the caller has queued both for one call.
        unsafe { function(DATA.load(Relaxed)) };
    }
}

/// Queues a host function. There is one at a time, so an older one is called first.
fn queue(function: HostFunction, data: *mut c_void) {
    stub_call_host_function();
    DATA.store(data, Relaxed);
    FUNCTION.store(function as *mut c_void, Relaxed);
}

/// Counts, of every thread. A locked instruction would change the times, so there is no count meanwhile.
fn count() -> c_int {
    if COUNTS.load(Relaxed) {
        CALLS.fetch_add(1, Relaxed);
    }
    0
}

/// A new address or handle.
fn fresh() -> *mut c_void {
    let next = NEXT.load(Relaxed);
    NEXT.store(next + 0x1000, Relaxed);
    without_provenance_mut(next)
}

/// Functions that count, and write the results that their entries give.
macro_rules! stub {
    ($($name:ident($($arg:ident: $type:ty),*) $({$out:ident = $value:expr})?;)*) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $type),*) -> c_int {
            $(
                // SAFETY: the caller passes an address that is valid for a write.
                unsafe { $out.write($value) };
            )?
            count()
        }
    )* };
}

stub! {
    cuInit(_flags: c_uint);
    cuDeviceGet(device: *mut c_int, _ordinal: c_int) { device = 0 };
    cuDeviceGetAttribute(value: *mut c_int, _attribute: c_int, _device: c_int) { value = 1 };
    cuDevicePrimaryCtxRetain(context: *mut *mut c_void, _device: c_int) { context = without_provenance_mut(0x1000) };
    cuDevicePrimaryCtxRelease_v2(_device: c_int);
    cuDevicePrimaryCtxSetFlags_v2(_device: c_int, _flags: c_uint);
    cuCtxGetCurrent(context: *mut *mut c_void) { context = without_provenance_mut(0x1000) };
    cuCtxSetCurrent(_context: *mut c_void);
    cuCtxSynchronize();
    cuStreamCreate(stream: *mut *mut c_void, _flags: c_uint) { stream = fresh() };
    cuStreamCreateWithPriority(stream: *mut *mut c_void, _flags: c_uint, _priority: c_int) { stream = fresh() };
    cuStreamDestroy_v2(_stream: *mut c_void);
    cuStreamSynchronize(_stream: *mut c_void);
    cuStreamQuery(_stream: *mut c_void);
    cuStreamIsCapturing(_stream: *mut c_void, status: *mut c_uint) { status = 0 };
    cuStreamWaitEvent(_stream: *mut c_void, _event: *mut c_void, _flags: c_uint);
    cuEventCreate(event: *mut *mut c_void, _flags: c_uint) { event = fresh() };
    cuEventRecord(_event: *mut c_void, _stream: *mut c_void);
    cuEventDestroy_v2(_event: *mut c_void);
    cuEventQuery(_event: *mut c_void);
    cuEventSynchronize(_event: *mut c_void);
    cuMemAllocAsync(pointer: *mut *mut c_void, _bytes: usize, _stream: *mut c_void) { pointer = fresh() };
    cuMemFreeAsync(_pointer: *mut c_void, _stream: *mut c_void);
    cuMemAlloc_v2(pointer: *mut *mut c_void, _bytes: usize) { pointer = fresh() };
    cuMemFree_v2(_pointer: *mut c_void);
    cuStreamWriteValue32_v2(_stream: *mut c_void, to: *mut u32, value: u32, _flags: c_uint) { to = value };
    cuMemHostGetDevicePointer_v2(device: *mut *mut c_void, host: *mut c_void, _flags: c_uint) { device = host };
    cuMemcpyHtoD_v2(_to: *mut c_void, _from: *const c_void, _bytes: usize);
    cuMemcpyDtoD_v2(_to: *mut c_void, _from: *mut c_void, _bytes: usize);
    cuMemcpyHtoDAsync_v2(_to: *mut c_void, _from: *const c_void, _bytes: usize, _stream: *mut c_void);
    cuMemcpyDtoDAsync_v2(_to: *mut c_void, _from: *mut c_void, _bytes: usize, _stream: *mut c_void);
    cuMemsetD8_v2(_to: *mut c_void, _value: u8, _bytes: usize);
    cuMemsetD8Async(_to: *mut c_void, _value: u8, _bytes: usize, _stream: *mut c_void);
    cuModuleLoadData(module: *mut *mut c_void, _image: *const c_void) { module = fresh() };
    cuModuleLoadDataEx(module: *mut *mut c_void, _image: *const c_void, _options: c_uint, _names: *mut c_int, _values: *mut *mut c_void) { module = fresh() };
    cuModuleGetFunction(function: *mut *mut c_void, _module: *mut c_void, _name: *const c_char) { function = fresh() };
    cuModuleUnload(_module: *mut c_void);
    cuLaunchKernel(_function: *mut c_void, _blocks_x: c_uint, _blocks_y: c_uint, _blocks_z: c_uint, _threads_x: c_uint, _threads_y: c_uint, _threads_z: c_uint, _shared: c_uint, _stream: *mut c_void, _arguments: *mut *mut c_void, _extra: *mut *mut c_void);
    cuStreamBeginCapture_v2(_stream: *mut c_void, _mode: c_uint);
    cuStreamEndCapture(_stream: *mut c_void, graph: *mut *mut c_void) { graph = fresh() };
    cuGraphInstantiateWithFlags(instance: *mut *mut c_void, _graph: *mut c_void, _flags: u64) { instance = fresh() };
    cuGraphLaunch(_instance: *mut c_void, _stream: *mut c_void);
    cuGraphExecDestroy(_instance: *mut c_void);
    cuGraphDestroy(_graph: *mut c_void);
    cuGetErrorName(_code: c_int, _text: *mut *const c_char);
    cuGetErrorString(_code: c_int, _text: *mut *const c_char);
}

/// Its function is called when the program waits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchHostFunc(
    _stream: *mut c_void,
    function: HostFunction,
    data: *mut c_void,
) -> c_int {
    queue(function, data);
    count()
}

/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchHostFunc_v2(
    _stream: *mut c_void,
    function: HostFunction,
    data: *mut c_void,
    _mode: c_uint,
) -> c_int {
    queue(function, data);
    count()
}

/// Host memory that the device can write. It is not freed: there is little of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemHostAlloc(
    pointer: *mut *mut c_void,
    bytes: usize,
    _flags: c_uint,
) -> c_int {
    let words = vec![0_u64; bytes.div_ceil(8)];
    let start = Box::leak(words.into_boxed_slice()).as_mut_ptr();
    // SAFETY: the caller passes an address that is valid for a write.
    unsafe { pointer.write(start.cast()) };
    count()
}
