//! This project beside AscendCL, and the raw AscendCL calls.

use std::error::Error;
use std::ffi::{c_int, c_uint, c_void};
use std::hint::black_box;
use std::ptr::{null_mut, without_provenance_mut};

use ascendcl::event::Order;
use ascendcl::kernel::{In, InOut, LenOf};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, StreamName, Thread};
use counting::acl::RawLaunch;
use counting::{BLOCKS, BYTES, Counting, FACTOR, FILE, LEN, ok};

/// A second stream.
enum Other {}
impl StreamName for Other {}

ascendcl::kernel! {
    struct Saxpy = saxpy(x: In<f32>, y: InOut<f32>, a: f32, n: LenOf<x>) where x == y;
}

pub fn rows() -> Result<(), Box<dyn Error>> {
    let library = Counting::open("libascendcl.so")?;
    let raw = Raw::new(&library)?;
    let acl = Acl::from_env()?;
    let Some(host) = acl.run_mode()?.host() else {
        return Err("the library says that it is no host".into());
    };
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    let mut other = current.create_stream::<Other>()?;
    let mut event = current.create_event::<Order>()?;
    let host = stream.adopt(current.malloc_host::<f32>(host, LEN)?);
    let source = stream.adopt(current.memset(current.malloc::<f32>(LEN)?, 0)?);
    let mut target = stream.adopt(current.memset(current.malloc::<f32>(LEN)?, 0)?);
    let raw_launch = RawLaunch::new(&library)?;
    let binary = current.load_binary_from(FILE.as_bytes())?;
    // SAFETY: the library only counts.
    let saxpy = unsafe { binary.kernel::<Saxpy>() }?;

    library.row(
        "ascendcl: copy to device, queued",
        || stream.memcpy_async(black_box(&mut target), &host).unwrap(),
        || raw.copy(1),
    );
    library.row(
        "ascendcl: copy within device, queued",
        || {
            stream
                .memcpy_async(black_box(&mut target), &source)
                .unwrap()
        },
        || raw.copy(3),
    );
    library.row(
        "ascendcl: fill, queued",
        || stream.memset_async(black_box(&mut target), 0).unwrap(),
        || raw.fill(),
    );
    library.row(
        "ascendcl: record, wait",
        || {
            let recorded = stream.record(black_box(&mut event)).unwrap();
            other.wait(recorded).unwrap();
        },
        || raw.record_wait(),
    );
    library.row(
        "ascendcl: synchronize stream",
        || {
            black_box(&mut stream).synchronize().unwrap();
        },
        || raw.synchronize(),
    );
    library.row(
        "ascendcl: allocate, free",
        || {
            current
                .malloc::<f32>(black_box(LEN))
                .unwrap()
                .free()
                .unwrap()
        },
        || raw.malloc_free(),
    );
    library.row(
        "ascendcl: launch of a kernel",
        || {
            let y = black_box(&mut target);
            stream
                .launch(saxpy, BLOCKS, (&source, y, FACTOR, ()))
                .unwrap()
        },
        || raw_launch.launch(),
    );
    let memory = current.memset(current.malloc::<f32>(LEN)?, 0)?;
    let graph = stream.capture(memory, |recording, memory| {
        recording.memset_async(memory, 0)
    });
    let mut graph = graph.map_err(ascendcl::Error::from)?;
    library.row(
        "ascendcl: launch of a graph",
        || black_box(&mut graph).launch(&mut stream).unwrap(),
        || raw.launch_graph(),
    );
    drop(graph);
    binary.unload()?;
    let idle = stream.synchronize()?;
    idle.take(host).free()?;
    idle.take(source).free()?;
    idle.take(target).free()?;
    Ok(())
}

type Copy =
    unsafe extern "C" fn(*mut c_void, usize, *const c_void, usize, c_uint, *mut c_void) -> c_int;
type Fill = unsafe extern "C" fn(*mut c_void, usize, c_int, usize, *mut c_void) -> c_int;
type Two = unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int;
type One = unsafe extern "C" fn(*mut c_void) -> c_int;
type Malloc = unsafe extern "C" fn(*mut *mut c_void, usize, c_uint) -> c_int;

/// The raw calls: functions, handles and addresses in memory, as a C program has them.
pub struct Raw {
    copy: Copy,
    fill: Fill,
    record: Two,
    wait: Two,
    synchronize: One,
    malloc: Malloc,
    free: One,
    launch_graph: Two,
    stream: *mut c_void,
    other: *mut c_void,
    event: *mut c_void,
    from: *mut c_void,
    to: *mut c_void,
}

impl Raw {
    pub fn new(library: &Counting) -> Result<Raw, Box<dyn Error>> {
        // SAFETY: the types of AscendCL's functions.
        unsafe {
            Ok(Raw {
                copy: library.function("aclrtMemcpyAsync")?,
                fill: library.function("aclrtMemsetAsync")?,
                record: library.function("aclrtRecordEvent")?,
                wait: library.function("aclrtStreamWaitEvent")?,
                synchronize: library.function("aclrtSynchronizeStream")?,
                malloc: library.function("aclrtMalloc")?,
                free: library.function("aclrtFree")?,
                launch_graph: library.function("aclmdlRIExecuteAsync")?,
                stream: without_provenance_mut(0x1000),
                other: without_provenance_mut(0x2000),
                event: without_provenance_mut(0x3000),
                from: without_provenance_mut(0x4000),
                to: without_provenance_mut(0x5000),
            })
        }
    }

    pub fn copy(&self, kind: c_uint) {
        let raw = black_box(self);
        // SAFETY: the library only counts, here and below.
        ok(unsafe { (raw.copy)(raw.to, BYTES, raw.from, BYTES, kind, raw.stream) });
    }

    pub fn fill(&self) {
        let raw = black_box(self);
        // SAFETY: as above.
        ok(unsafe { (raw.fill)(raw.to, BYTES, 0, BYTES, raw.stream) });
    }

    pub fn record_wait(&self) {
        let raw = black_box(self);
        // SAFETY: as above.
        ok(unsafe { (raw.record)(raw.event, raw.stream) });
        // SAFETY: as above.
        ok(unsafe { (raw.wait)(raw.other, raw.event) });
    }

    pub fn synchronize(&self) {
        let raw = black_box(self);
        // SAFETY: as above.
        ok(unsafe { (raw.synchronize)(raw.stream) });
    }

    pub fn launch_graph(&self) {
        let raw = black_box(self);
        // SAFETY: as above; it counts the call of any handle.
        ok(unsafe { (raw.launch_graph)(raw.event, raw.stream) });
    }

    pub fn malloc_free(&self) {
        let raw = black_box(self);
        let mut pointer = null_mut();
        // SAFETY: as above.
        ok(unsafe { (raw.malloc)(&raw mut pointer, black_box(BYTES), 0) });
        // SAFETY: as above.
        ok(unsafe { (raw.free)(pointer) });
    }
}
