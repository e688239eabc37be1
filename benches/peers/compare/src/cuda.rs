//! `cudarc` beside the CUDA driver.

use std::error::Error;
use std::ffi::{c_int, c_uint, c_void};
use std::hint::black_box;
use std::ptr::null_mut;

use cudarc::driver::CudaContext;

use crate::row::Counting;

const LEN: usize = 1024;
const BYTES: usize = LEN * size_of::<f32>();

type Copy = unsafe extern "C" fn(*mut c_void, *const c_void, usize, *mut c_void) -> c_int;
type Fill = unsafe extern "C" fn(*mut c_void, u8, usize, *mut c_void) -> c_int;
type Two = unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int;
type Wait = unsafe extern "C" fn(*mut c_void, *mut c_void, c_uint) -> c_int;
type One = unsafe extern "C" fn(*mut c_void) -> c_int;
type Alloc = unsafe extern "C" fn(*mut *mut c_void, usize, *mut c_void) -> c_int;

/// Looks at a status.
fn ok(status: c_int) {
    assert!(status == 0, "status {status}");
}

pub fn rows() -> Result<(), Box<dyn Error>> {
    let library = Counting::open("libcuda.so")?;
    // SAFETY: the types of the driver's functions.
    let (copy, copy_within, fill, record, wait, synchronize, alloc, free) = unsafe {
        (
            library.function::<Copy>("cuMemcpyHtoDAsync_v2")?,
            library.function::<Copy>("cuMemcpyDtoDAsync_v2")?,
            library.function::<Fill>("cuMemsetD8Async")?,
            library.function::<Two>("cuEventRecord")?,
            library.function::<Wait>("cuStreamWaitEvent")?,
            library.function::<One>("cuStreamSynchronize")?,
            library.function::<Alloc>("cuMemAllocAsync")?,
            library.function::<Two>("cuMemFreeAsync")?,
        )
    };
    let context = CudaContext::new(0)?;
    let (stream, other) = (context.new_stream()?, context.new_stream()?);
    let host = vec![1.0_f32; LEN];
    let source = stream.clone_htod(&host)?;
    let mut target = stream.alloc_zeros::<f32>(LEN)?;
    let event = context.new_event(None)?;
    // What a raw program holds: handles and addresses in memory.
    let mut raw = [0x1000, 0x2000, 0x3000, 0x4000].map(std::ptr::without_provenance_mut::<c_void>);
    let host_address = host.as_ptr().cast::<c_void>();

    library.row(
        "cudarc: copy to device, queued",
        || stream.memcpy_htod(black_box(&host), &mut target).unwrap(),
        || {
            let [stream, to, ..] = *black_box(&mut raw);
            // SAFETY: the library only counts, here and below.
            ok(unsafe { copy(to, black_box(host_address), BYTES, stream) });
        },
    );
    library.row(
        "cudarc: copy within device, queued",
        || stream.memcpy_dtod(black_box(&source), &mut target).unwrap(),
        || {
            let [stream, to, from, _] = *black_box(&mut raw);
            // SAFETY: as above.
            ok(unsafe { copy_within(to, from, BYTES, stream) });
        },
    );
    library.row(
        "cudarc: fill, queued",
        || stream.memset_zeros(black_box(&mut target)).unwrap(),
        || {
            let [stream, to, ..] = *black_box(&mut raw);
            // SAFETY: as above.
            ok(unsafe { fill(to, 0, BYTES, stream) });
        },
    );
    library.row(
        "cudarc: record, wait",
        || {
            black_box(&event).record(&stream).unwrap();
            other.wait(&event).unwrap();
        },
        || {
            let [stream, event, other, _] = *black_box(&mut raw);
            // SAFETY: as above.
            ok(unsafe { record(event, stream) });
            // SAFETY: as above.
            ok(unsafe { wait(other, event, 0) });
        },
    );
    library.row(
        "cudarc: synchronize stream",
        || black_box(&stream).synchronize().unwrap(),
        || {
            let [stream, ..] = *black_box(&mut raw);
            // SAFETY: as above.
            ok(unsafe { synchronize(stream) });
        },
    );
    library.row(
        "cudarc: allocate, free",
        || {
            // SAFETY: nothing reads it.
            drop(unsafe { stream.alloc::<f32>(black_box(LEN)) }.unwrap());
        },
        || {
            let [stream, ..] = *black_box(&mut raw);
            let mut pointer = null_mut();
            // SAFETY: as above.
            ok(unsafe { alloc(&raw mut pointer, black_box(BYTES), stream) });
            // SAFETY: as above.
            ok(unsafe { free(pointer, stream) });
        },
    );
    Ok(())
}
