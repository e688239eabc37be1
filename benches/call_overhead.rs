//! What the typed call costs beside the raw one: C calls per operation, and time as a ratio.
//!
//! The backend only counts, so nothing but the wrapper is measured. Both sides of a row run in this
//! process, in turns; the figure is the median of their ratios. `cargo bench --bench call_overhead`

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops when something is wrong"
)]

use std::ffi::c_void;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Thread, sys};

/// Calls of the backend since the last look.
static CALLS: AtomicU64 = AtomicU64::new(0);

fn count() -> sys::aclError {
    CALLS.fetch_add(1, Ordering::Relaxed);
    sys::ACL_SUCCESS
}

/// Functions of the counting backend that only count.
macro_rules! counting {
    ($($name:ident($($type:ty),*);)*) => {
        $( #[expect(non_snake_case, reason = "the names of C")]
           unsafe extern "C" fn $name($(_: $type),*) -> sys::aclError { count() } )*
    };
}

counting! {
    aclInit(*const std::ffi::c_char);
    aclFinalize();
    aclrtSetDevice(i32);
    aclrtResetDevice(i32);
    aclrtSetCurrentContext(sys::aclrtContext);
    aclrtFree(*mut c_void);
    aclrtMemcpy(*mut c_void, usize, *const c_void, usize, sys::aclrtMemcpyKind);
    aclrtMemset(*mut c_void, usize, i32, usize);
    aclrtSynchronizeStream(sys::aclrtStream);
    aclrtDestroyStream(sys::aclrtStream);
}

#[expect(non_snake_case, reason = "the name of C")]
unsafe extern "C" fn aclrtMalloc(
    pointer: *mut *mut c_void,
    _: usize,
    _: sys::aclrtMemMallocPolicy,
) -> sys::aclError {
    // SAFETY: the caller passes a valid pointer. The address is never dereferenced.
    unsafe { pointer.write(core::ptr::without_provenance_mut(4096)) };
    count()
}

unsafe extern "C" fn handle(pointer: *mut *mut c_void) -> sys::aclError {
    // SAFETY: the caller passes a valid pointer. The address is never dereferenced.
    unsafe { pointer.write(core::ptr::without_provenance_mut(4096)) };
    count()
}

fn install() {
    let mut api = sys::Api::absent("a counter");
    api.runtime.aclInit = aclInit;
    api.runtime.aclFinalize = aclFinalize;
    api.device.aclrtSetDevice = aclrtSetDevice;
    api.device.aclrtResetDevice = aclrtResetDevice;
    api.context.aclrtSetCurrentContext = aclrtSetCurrentContext;
    api.context.aclrtGetCurrentContext = handle;
    api.stream.aclrtCreateStream = handle;
    api.stream.aclrtSynchronizeStream = aclrtSynchronizeStream;
    api.stream.aclrtDestroyStream = aclrtDestroyStream;
    api.memory.aclrtMalloc = aclrtMalloc;
    api.memory.aclrtFree = aclrtFree;
    api.memory.aclrtMemcpy = aclrtMemcpy;
    api.memory.aclrtMemset = aclrtMemset;
    // SAFETY: it only counts, and nothing here touches the memory that it pretends to allocate.
    unsafe { api.install() }.unwrap();
}

/// Nanoseconds of an operation, the mean of one round.
fn time(operation: &mut impl FnMut()) -> f64 {
    const ROUND: u32 = 20_000;
    let start = Instant::now();
    for _ in 0..ROUND {
        operation();
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(ROUND)
}

/// C calls of one operation.
fn calls(operation: &mut impl FnMut()) -> u64 {
    let before = CALLS.load(Ordering::Relaxed);
    operation();
    CALLS.load(Ordering::Relaxed) - before
}

/// Prints a row: both sides in turns, and the median of the ratios.
fn row(name: &str, mut typed: impl FnMut(), mut raw: impl FnMut()) {
    let (typed_calls, raw_calls) = (calls(&mut typed), calls(&mut raw));
    let mut rounds: Vec<_> = (0..51)
        .map(|_| (time(&mut typed), time(&mut raw)))
        .collect();
    rounds.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    let (typed_time, raw_time) = rounds.get(rounds.len() / 2).copied().unwrap();
    let ratio = typed_time / raw_time;
    println!(
        "{name:<28} {typed_calls:>8} {raw_calls:>8} {typed_time:>10.2} {raw_time:>10.2} {ratio:>7.2}"
    );
}

fn main() {
    install();
    let acl = Acl::from_env().unwrap();
    let mut thread = Thread::claim().unwrap();
    let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
    let current = thread.set_current(&device).unwrap();
    let mut stream = current.create_stream::<Main>().unwrap();
    let source = current
        .memset(current.malloc::<f32>(1024).unwrap(), 0)
        .unwrap();
    let mut target = current
        .memset(current.malloc::<f32>(1024).unwrap(), 0)
        .unwrap();
    let mut fixed = current
        .memset(current.malloc_array::<f32, 1024>().unwrap(), 0)
        .unwrap();
    let fixed_source = current
        .memset(current.malloc_array::<f32, 1024>().unwrap(), 0)
        .unwrap();
    let (to, from) = (
        target.as_raw().cast::<c_void>(),
        source.as_raw().cast::<c_void>(),
    );
    let raw_stream = stream.as_raw();
    let kind = sys::ACL_MEMCPY_DEVICE_TO_DEVICE;

    println!(
        "backend: {}; nanoseconds are medians, the ratio is what counts",
        acl.backend()
    );
    println!(
        "{:<28} {:>8} {:>8} {:>10} {:>10} {:>7}",
        "operation", "C typed", "C raw", "ns typed", "ns raw", "ratio"
    );
    let raw_copy = || {
        // SAFETY: the backend only counts.
        black_box(unsafe { sys::aclrtMemcpy(black_box(to), 4096, black_box(from), 4096, kind) });
    };
    row(
        "memcpy, run-time length",
        || {
            current
                .memcpy(black_box(&mut target), black_box(&source))
                .unwrap()
        },
        raw_copy,
    );
    row(
        "memcpy, length in the type",
        || {
            current
                .memcpy(black_box(&mut fixed), black_box(&fixed_source))
                .unwrap()
        },
        raw_copy,
    );
    row(
        "memset",
        || current.memset(black_box(&mut fixed), 0).unwrap(),
        || {
            // SAFETY: the backend only counts.
            black_box(unsafe { sys::aclrtMemset(black_box(to), 4096, 0, 4096) });
        },
    );
    row(
        "synchronize",
        || {
            let _idle = black_box(&mut stream).synchronize().unwrap();
        },
        || {
            // SAFETY: the backend only counts.
            black_box(unsafe { sys::aclrtSynchronizeStream(black_box(raw_stream)) });
        },
    );
    row(
        "malloc and free",
        || {
            current
                .malloc::<f32>(black_box(1024))
                .unwrap()
                .free()
                .unwrap()
        },
        || {
            let mut pointer = core::ptr::null_mut();
            let policy = sys::ACL_MEM_MALLOC_HUGE_FIRST;
            // SAFETY: `pointer` is valid for a write.
            black_box(unsafe { sys::aclrtMalloc(&raw mut pointer, black_box(4096), policy) });
            // SAFETY: the backend only counts.
            black_box(unsafe { sys::aclrtFree(black_box(pointer)) });
        },
    );
}
