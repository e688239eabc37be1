//! The raw calls of the CUDA driver, the reference for the peers of CUDA.

use std::error::Error;
use std::ffi::{c_int, c_uint, c_void};
use std::hint::black_box;
use std::ptr::{null_mut, without_provenance_mut};

use crate::{BLOCKS, BYTES, COUNT, Counting, FACTOR, RawWait, THREADS, ok};

/// The library, where the loader finds it.
pub const LIBRARY: &str = "libcuda.so";

type Copy = unsafe extern "C" fn(*mut c_void, *const c_void, usize, *mut c_void) -> c_int;
type Fill = unsafe extern "C" fn(*mut c_void, u8, usize, *mut c_void) -> c_int;
type Two = unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int;
type Wait = unsafe extern "C" fn(*mut c_void, *mut c_void, c_uint) -> c_int;
type One = unsafe extern "C" fn(*mut c_void) -> c_int;
type AllocAsync = unsafe extern "C" fn(*mut *mut c_void, usize, *mut c_void) -> c_int;
/// The function, three numbers of blocks and of threads, memory of a block, the stream, the arguments, and more options.
type Launch = unsafe extern "C" fn(
    *mut c_void,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    *mut c_void,
    *mut *mut c_void,
    *mut *mut c_void,
) -> c_int;
type Alloc = unsafe extern "C" fn(*mut *mut c_void, usize) -> c_int;

/// Functions, handles and addresses in memory, as a C program has them.
pub struct Raw {
    copy: Copy,
    copy_within: Copy,
    fill: Fill,
    record: Two,
    wait: Wait,
    synchronize: One,
    alloc_async: AllocAsync,
    free_async: Two,
    alloc: Alloc,
    free: One,
    launch: Launch,
    launch_graph: Two,
    host_function: RawWait,
    stream: *mut c_void,
    other: *mut c_void,
    event: *mut c_void,
    from: *mut c_void,
    to: *mut c_void,
    function: *mut c_void,
    graph: *mut c_void,
}

impl Raw {
    pub fn new(library: &Counting) -> Result<Raw, Box<dyn Error>> {
        // SAFETY: the types of the driver's functions.
        unsafe {
            Ok(Raw {
                copy: library.function("cuMemcpyHtoDAsync_v2")?,
                copy_within: library.function("cuMemcpyDtoDAsync_v2")?,
                fill: library.function("cuMemsetD8Async")?,
                record: library.function("cuEventRecord")?,
                wait: library.function("cuStreamWaitEvent")?,
                synchronize: library.function("cuStreamSynchronize")?,
                alloc_async: library.function("cuMemAllocAsync")?,
                free_async: library.function("cuMemFreeAsync")?,
                alloc: library.function("cuMemAlloc_v2")?,
                free: library.function("cuMemFree_v2")?,
                launch: library.function("cuLaunchKernel")?,
                launch_graph: library.function("cuGraphLaunch")?,
                host_function: RawWait::new(library, "cuLaunchHostFunc")?,
                stream: without_provenance_mut(0x1000),
                other: without_provenance_mut(0x2000),
                event: without_provenance_mut(0x3000),
                from: without_provenance_mut(0x4000),
                to: without_provenance_mut(0x5000),
                function: without_provenance_mut(0x6000),
                graph: without_provenance_mut(0x7000),
            })
        }
    }

    #[inline]
    pub fn copy(&self) {
        let raw = black_box(self);
        // SAFETY: the library only counts, here and below.
        ok(unsafe { (raw.copy)(raw.to, raw.from, BYTES, raw.stream) });
    }

    #[inline]
    pub fn copy_within(&self) {
        let raw = black_box(self);
        // SAFETY: as above.
        ok(unsafe { (raw.copy_within)(raw.to, raw.from, BYTES, raw.stream) });
    }

    #[inline]
    pub fn launch_graph(&self) {
        let raw = black_box(self);
        // SAFETY: as above.
        ok(unsafe { (raw.launch_graph)(raw.graph, raw.stream) });
    }

    #[inline]
    pub fn await_copy(&self) {
        self.copy_within();
        // SAFETY: as above.
        unsafe { self.host_function.wait(self.stream) };
    }

    /// Launches `saxpy(x, y, a, n)`: C takes the address of each argument.
    #[inline]
    pub fn launch(&self) {
        let raw = black_box(self);
        let (mut x, mut y, mut a, mut n) = (raw.from, raw.to, FACTOR, COUNT);
        let mut arguments: [*mut c_void; 4] = [
            (&raw mut x).cast(),
            (&raw mut y).cast(),
            (&raw mut a).cast(),
            (&raw mut n).cast(),
        ];
        let arguments = arguments.as_mut_ptr();
        // SAFETY: as above.
        ok(unsafe {
            (raw.launch)(
                raw.function,
                BLOCKS,
                1,
                1,
                THREADS,
                1,
                1,
                0,
                raw.stream,
                arguments,
                null_mut(),
            )
        });
    }

    #[inline]
    pub fn await_launch(&self) {
        self.launch();
        // SAFETY: as above.
        unsafe { self.host_function.wait(self.stream) };
    }

    #[inline]
    pub fn fill(&self) {
        let raw = black_box(self);
        // SAFETY: as above.
        ok(unsafe { (raw.fill)(raw.to, 0, BYTES, raw.stream) });
    }

    #[inline]
    pub fn record_wait(&self) {
        let raw = black_box(self);
        // SAFETY: as above.
        ok(unsafe { (raw.record)(raw.event, raw.stream) });
        // SAFETY: as above.
        ok(unsafe { (raw.wait)(raw.other, raw.event, 0) });
    }

    #[inline]
    pub fn synchronize(&self) {
        let raw = black_box(self);
        // SAFETY: as above.
        ok(unsafe { (raw.synchronize)(raw.stream) });
    }

    /// In the order of a stream, as two of the peers allocate.
    #[inline]
    pub fn alloc_free_async(&self) {
        let raw = black_box(self);
        let mut pointer = null_mut();
        // SAFETY: as above.
        ok(unsafe { (raw.alloc_async)(&raw mut pointer, black_box(BYTES), raw.stream) });
        // SAFETY: as above.
        ok(unsafe { (raw.free_async)(pointer, raw.stream) });
    }

    /// At once.
    #[inline]
    pub fn alloc_free(&self) {
        let raw = black_box(self);
        let mut pointer = null_mut();
        // SAFETY: as above.
        ok(unsafe { (raw.alloc)(&raw mut pointer, black_box(BYTES)) });
        // SAFETY: as above.
        ok(unsafe { (raw.free)(pointer) });
    }
}
