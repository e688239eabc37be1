//! A `libascendcl.so` that only counts its calls.
#![allow(non_snake_case, reason = "the names of C")]
#![allow(clippy::missing_safety_doc, reason = "the contracts of C")]

#[path = "../../stub.rs"]
mod calls;

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::without_provenance_mut;

use calls::{HostFunction, count, fresh, queue, stub};

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
