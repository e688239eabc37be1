//! A `libcuda.so` that only counts its calls: those of the peers for streams, events, memory, copies,
//! kernels and host functions.
#![allow(non_snake_case, reason = "the names of C")]
#![allow(clippy::missing_safety_doc, reason = "the contracts of C")]

#[path = "../../stub.rs"]
mod calls;

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::without_provenance_mut;

use calls::{HostFunction, count, fresh, queue, stub};

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
