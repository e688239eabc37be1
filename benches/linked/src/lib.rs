//! Typed and raw calls of a linked CANN, side by side: `typed_x` does the work of `raw_x`.
//!
//! Nothing runs here; `benches/tests/assembly.rs` compiles this and compares the machine code. A typed
//! handle is one word in memory, and so is the raw one.

use std::ffi::c_void;
use std::hint::black_box;

use ascendcl::event::{Order, Recorded};
use ascendcl::graph::Graph;
use ascendcl::kernel::{Function, In, InOut};
use ascendcl::stream::Main;
use ascendcl::{
    Current, DeviceBuf, Error, Event, HostBuf, Npu, Queued, Result, Stream, StreamName, sys,
};

type D = Npu<0>;
type Buf<'d> = DeviceBuf<'d, D, [f32; 1024]>;
type InQueue<'d> = Queued<'d, (D, Main), Buf<'d>>;

/// A second stream.
#[derive(Debug)]
pub enum Other {}
impl StreamName for Other {}

/// The place where a typed program handles an error.
#[cold]
#[inline(never)]
fn typed_failed(error: Error) -> i32 {
    black_box(error).code().unwrap_or(-1)
}

/// The place where a raw program handles a status.
#[cold]
#[inline(never)]
fn raw_failed(status: i32) -> i32 {
    black_box(status)
}

#[inline(always)]
fn typed<T>(result: Result<T>) -> i32 {
    match result {
        Ok(_) => 0,
        Err(error) => typed_failed(error),
    }
}

#[inline(always)]
fn raw(status: sys::aclError) -> i32 {
    if status == sys::ACL_SUCCESS {
        0
    } else {
        raw_failed(status)
    }
}

#[unsafe(no_mangle)]
pub fn typed_memcpy(
    current: Current<'_, '_, D>,
    to: &mut Buf<'_>,
    from: &HostBuf<'_, [f32; 1024]>,
) -> i32 {
    typed(current.memcpy(to, from))
}

#[unsafe(no_mangle)]
pub fn raw_memcpy(_context: &c_void, to: &mut *mut c_void, from: &*mut c_void) -> i32 {
    let kind = sys::ACL_MEMCPY_HOST_TO_DEVICE;
    let (from, to) = (*from, *to);
    // SAFETY: never called.
    raw(unsafe { sys::aclrtMemcpy(to, 4096, from, 4096, kind) })
}

#[unsafe(no_mangle)]
pub fn typed_memset(current: Current<'_, '_, D>, to: &mut Buf<'_>) -> i32 {
    typed(current.memset(to, 7))
}

#[unsafe(no_mangle)]
pub fn raw_memset(_context: &c_void, to: &mut *mut c_void) -> i32 {
    // SAFETY: never called.
    raw(unsafe { sys::aclrtMemset(*to, 4096, 7, 4096) })
}

#[unsafe(no_mangle)]
pub fn typed_memcpy_async(
    stream: &mut Stream<'_, '_, D, Main>,
    to: &mut InQueue<'_>,
    from: &InQueue<'_>,
) -> i32 {
    typed(stream.memcpy_async(to, from))
}

#[unsafe(no_mangle)]
pub fn raw_memcpy_async(
    stream: &mut sys::aclrtStream,
    to: &mut *mut c_void,
    from: &*mut c_void,
) -> i32 {
    let kind = sys::ACL_MEMCPY_DEVICE_TO_DEVICE;
    let (from, to) = (*from, *to);
    // SAFETY: never called.
    raw(unsafe { sys::aclrtMemcpyAsync(to, 4096, from, 4096, kind, *stream) })
}

#[unsafe(no_mangle)]
pub fn typed_memset_async(stream: &mut Stream<'_, '_, D, Main>, to: &mut InQueue<'_>) -> i32 {
    typed(stream.memset_async(to, 7))
}

#[unsafe(no_mangle)]
pub fn raw_memset_async(stream: &mut sys::aclrtStream, to: &mut *mut c_void) -> i32 {
    // SAFETY: never called.
    raw(unsafe { sys::aclrtMemsetAsync(*to, 4096, 7, 4096, *stream) })
}

#[unsafe(no_mangle)]
pub fn typed_record(stream: &mut Stream<'_, '_, D, Main>, event: &mut Event<'_, D, Order>) -> i32 {
    typed(stream.record(event))
}

#[unsafe(no_mangle)]
pub fn raw_record(stream: &mut sys::aclrtStream, event: &mut sys::aclrtEvent) -> i32 {
    // SAFETY: never called.
    raw(unsafe { sys::aclrtRecordEvent(*event, *stream) })
}

#[unsafe(no_mangle)]
pub fn typed_wait(
    stream: &mut Stream<'_, '_, D, Other>,
    recorded: &Recorded<'_, (D, Main), Order>,
) -> i32 {
    typed(stream.wait(*recorded))
}

#[unsafe(no_mangle)]
pub fn raw_wait(stream: &mut sys::aclrtStream, event: &sys::aclrtEvent) -> i32 {
    // SAFETY: never called.
    raw(unsafe { sys::aclrtStreamWaitEvent(*stream, *event) })
}

#[unsafe(no_mangle)]
pub fn typed_synchronize(stream: &mut Stream<'_, '_, D, Main>) -> i32 {
    typed(stream.synchronize())
}

#[unsafe(no_mangle)]
pub fn raw_synchronize(stream: &mut sys::aclrtStream) -> i32 {
    // SAFETY: never called.
    raw(unsafe { sys::aclrtSynchronizeStream(*stream) })
}

#[unsafe(no_mangle)]
pub fn typed_graph(
    stream: &mut Stream<'_, '_, D, Main>,
    graph: &mut Queued<'_, (D, Main), Graph<'_, D, Buf<'_>>>,
) -> i32 {
    typed(graph.launch(stream))
}

#[unsafe(no_mangle)]
pub fn raw_graph(stream: &mut sys::aclrtStream, graph: &mut sys::aclmdlRI) -> i32 {
    // SAFETY: never called.
    raw(unsafe { sys::aclmdlRIExecuteAsync(*graph, *stream) })
}

ascendcl::kernel! {
    /// A kernel without conditions.
    pub struct Scale = scale(x: In<f32>, y: InOut<f32>, first: u32, last: u32);
}

#[unsafe(no_mangle)]
pub fn typed_launch(
    stream: &mut Stream<'_, '_, D, Main>,
    scale: &Function<'_, D, Scale>,
    x: &InQueue<'_>,
    y: &mut InQueue<'_>,
) -> i32 {
    typed(stream.launch(*scale, 8, (x, y, 2, 3)))
}

#[unsafe(no_mangle)]
pub fn raw_launch(
    stream: &mut sys::aclrtStream,
    scale: &sys::aclrtFuncHandle,
    x: &*mut c_void,
    y: &mut *mut c_void,
) -> i32 {
    /// The arguments as the kernel reads them.
    #[repr(C)]
    struct Arguments(*mut c_void, *mut c_void, u32, u32);

    let (function, stream) = (*scale, *stream);
    let mut arguments = Arguments(*x, *y, 2, 3);
    let (bytes, none) = (size_of::<Arguments>(), std::ptr::null_mut());
    let arguments = (&raw mut arguments).cast();
    // SAFETY: never called.
    raw(unsafe {
        sys::aclrtLaunchKernelWithHostArgs(
            function,
            8,
            stream,
            none,
            arguments,
            bytes,
            none.cast(),
            0,
        )
    })
}
