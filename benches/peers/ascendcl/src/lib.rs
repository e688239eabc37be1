//! A `libascendcl.so` that only counts its calls.
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
    aclInit(_config: *const c_char);
    aclFinalize();
    aclrtGetRunMode(mode: *mut c_int) { mode = 1 };
    aclrtSetDevice(_device: c_int);
    aclrtResetDevice(_device: c_int);
    aclrtSynchronizeDevice();
    aclrtGetCurrentContext(context: *mut *mut c_void) { context = without_provenance_mut(0x1000) };
    aclrtSetCurrentContext(_context: *mut c_void);
    aclrtCreateStream(stream: *mut *mut c_void) { stream = fresh() };
    aclrtDestroyStream(_stream: *mut c_void);
    aclrtSynchronizeStream(_stream: *mut c_void);
    aclrtStreamQuery(_stream: *mut c_void, _status: *mut c_uint);
    aclrtStreamWaitEvent(_stream: *mut c_void, _event: *mut c_void);
    aclrtCreateEvent(event: *mut *mut c_void) { event = fresh() };
    aclrtCreateEventExWithFlag(event: *mut *mut c_void, _flags: c_uint) { event = fresh() };
    aclrtRecordEvent(_event: *mut c_void, _stream: *mut c_void);
    aclrtDestroyEvent(_event: *mut c_void);
    aclrtSynchronizeEvent(_event: *mut c_void);
    aclrtMalloc(pointer: *mut *mut c_void, _bytes: usize, _policy: c_uint) { pointer = fresh() };
    aclrtFree(_pointer: *mut c_void);
    aclrtMemcpy(_to: *mut c_void, _room: usize, _from: *const c_void, _count: usize, _kind: c_uint);
    aclrtMemcpyAsync(_to: *mut c_void, _room: usize, _from: *const c_void, _count: usize, _kind: c_uint, _stream: *mut c_void);
    aclrtMemset(_to: *mut c_void, _room: usize, _value: c_int, _count: usize);
    aclrtMemsetAsync(_to: *mut c_void, _room: usize, _value: c_int, _count: usize, _stream: *mut c_void);
    // `aclrtFunctionGetParamCount` is missing, as in a release without summaries of a kernel's parameters.
    aclrtBinaryLoadFromData(_data: *const c_void, _bytes: usize, _options: *const c_void, binary: *mut *mut c_void) { binary = fresh() };
    aclrtBinaryGetFunction(_binary: *mut c_void, _name: *const c_char, function: *mut *mut c_void) { function = fresh() };
    aclrtBinaryUnLoad(_binary: *mut c_void);
    aclmdlRICaptureBegin(_stream: *mut c_void, _mode: c_uint);
    aclmdlRICaptureEnd(_stream: *mut c_void, instance: *mut *mut c_void) { instance = fresh() };
    aclmdlRIExecuteAsync(_instance: *mut c_void, _stream: *mut c_void);
    aclmdlRIDestroy(_instance: *mut c_void);
    aclrtLaunchKernelWithHostArgs(_function: *mut c_void, _blocks: c_uint, _stream: *mut c_void, _config: *mut c_void, _arguments: *mut c_void, _bytes: usize, _places: *mut c_void, _count: usize);
}

/// Host memory that can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtMallocHost(pointer: *mut *mut c_void, bytes: usize) -> c_int {
    let words = vec![0_u64; bytes.div_ceil(8) + 8];
    let start = Box::leak(words.into_boxed_slice()).as_mut_ptr();
    let aligned = start.map_addr(|address| address.next_multiple_of(64));
    // SAFETY: the caller passes an address that is valid for a write.
    unsafe { pointer.write(aligned.cast()) };
    count()
}

/// Host memory is not freed: there is little of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtFreeHost(_pointer: *mut c_void) -> c_int {
    count()
}

/// Its function is called when the program waits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtLaunchHostFunc(
    _stream: *mut c_void,
    function: HostFunction,
    data: *mut c_void,
) -> c_int {
    queue(function, data);
    count()
}
