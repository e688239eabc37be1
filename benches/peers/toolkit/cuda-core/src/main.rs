//! `cuda-core` beside the CUDA driver. Its queued copies from the host are `unsafe`, and so is its launch.

use std::error::Error;
use std::hint::black_box;

use counting::cuda::{LIBRARY, Raw};
use counting::{BLOCKS, COUNT, Counting, FACTOR, FILE, LEN, THREADS};
use cuda_core::{CudaContext, DeviceBuffer, launch_kernel_on_stream};

fn main() -> Result<(), Box<dyn Error>> {
    let library = Counting::open(LIBRARY)?;
    let raw = Raw::new(&library)?;
    let context = CudaContext::new(0)?;
    let (stream, other) = (context.new_stream()?, context.new_stream()?);
    let host = vec![1.0_f32; LEN];
    let source = DeviceBuffer::from_host(&stream, &host)?;
    let mut target = DeviceBuffer::<f32>::zeroed(&stream, LEN)?;
    let event = context.new_event()?;

    library.row(
        "cuda-core: copy to device, queued",
        || {
            let host = black_box(&host);
            // SAFETY: the library only counts, here and below.
            unsafe { target.copy_from_host_async_unchecked(&stream, host) }.unwrap();
        },
        || raw.copy(),
    );
    library.row(
        "cuda-core: copy within device, queued",
        || {
            let source = black_box(&source);
            target.copy_from_device_async(source, &stream).unwrap();
        },
        || raw.copy_within(),
    );
    library.row(
        "cuda-core: fill, queued",
        || black_box(&mut target).zero_async(&stream).unwrap(),
        || raw.fill(),
    );
    library.row(
        "cuda-core: record, wait",
        || {
            black_box(&event).record(&stream).unwrap();
            other.wait(&event).unwrap();
        },
        || raw.record_wait(),
    );
    library.row(
        "cuda-core: synchronize stream",
        || black_box(&stream).synchronize().unwrap(),
        || raw.synchronize(),
    );
    // SAFETY: as above; nothing reads the memory.
    let new = || unsafe { DeviceBuffer::<f32>::uninitialized_async(&stream, black_box(LEN)) };
    library.row(
        "cuda-core: allocate, free",
        || drop(new().unwrap()),
        || raw.alloc_free_async(),
    );
    // Without the wait for the whole context, which makes the other call safe.
    library.row(
        "cuda-core: allocate, free, queued",
        || {
            // SAFETY: as above.
            unsafe { new().unwrap().drop_async(&stream) }.unwrap();
        },
        || raw.alloc_free_async(),
    );
    let module = context.load_module_from_image(FILE.as_bytes())?;
    let saxpy = module.load_function("saxpy")?;
    let (blocks, threads) = ((BLOCKS, 1, 1), (THREADS, 1, 1));
    library.row(
        "cuda-core: launch of a kernel",
        || {
            let (mut x, mut y) = (black_box(&source).cu_deviceptr(), target.cu_deviceptr());
            let (mut a, mut n) = (FACTOR, COUNT);
            let mut arguments = [
                (&raw mut x).cast(),
                (&raw mut y).cast(),
                (&raw mut a).cast(),
                (&raw mut n).cast(),
            ];
            // SAFETY: as above.
            unsafe { launch_kernel_on_stream(&saxpy, blocks, threads, 0, &stream, &mut arguments) }
                .unwrap();
        },
        || raw.launch(),
    );
    Ok(())
}
