//! `cudarc` beside the CUDA driver.

use std::error::Error;
use std::hint::black_box;

use counting::cuda::{LIBRARY, Raw};
use counting::{BLOCKS, COUNT, Counting, FACTOR, FILE, LEN, THREADS};
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::Ptx;

pub fn rows() -> Result<(), Box<dyn Error>> {
    let library = Counting::open(LIBRARY)?;
    let raw = Raw::new(&library)?;
    let context = CudaContext::new(0)?;
    let (stream, other) = (context.new_stream()?, context.new_stream()?);
    let host = vec![1.0_f32; LEN];
    let source = stream.clone_htod(&host)?;
    let mut target = stream.alloc_zeros::<f32>(LEN)?;
    let event = context.new_event(None)?;
    let saxpy = context
        .load_module(Ptx::from_src(FILE))?
        .load_function("saxpy")?;
    let config = LaunchConfig {
        grid_dim: (BLOCKS, 1, 1),
        block_dim: (THREADS, 1, 1),
        shared_mem_bytes: 0,
    };

    library.row(
        "cudarc: copy to device, queued",
        || stream.memcpy_htod(black_box(&host), &mut target).unwrap(),
        || raw.copy(),
    );
    library.row(
        "cudarc: copy within device, queued",
        || stream.memcpy_dtod(black_box(&source), &mut target).unwrap(),
        || raw.copy_within(),
    );
    library.row(
        "cudarc: fill, queued",
        || stream.memset_zeros(black_box(&mut target)).unwrap(),
        || raw.fill(),
    );
    library.row(
        "cudarc: record, wait",
        || {
            black_box(&event).record(&stream).unwrap();
            other.wait(&event).unwrap();
        },
        || raw.record_wait(),
    );
    library.row(
        "cudarc: synchronize stream",
        || black_box(&stream).synchronize().unwrap(),
        || raw.synchronize(),
    );
    library.row(
        "cudarc: allocate, free",
        || {
            // SAFETY: nothing reads it.
            drop(unsafe { stream.alloc::<f32>(black_box(LEN)) }.unwrap());
        },
        || raw.alloc_free_async(),
    );
    library.row(
        "cudarc: launch of a kernel",
        || {
            let mut launch = stream.launch_builder(&saxpy);
            launch.arg(&source).arg(black_box(&mut target));
            launch.arg(&FACTOR).arg(&COUNT);
            // SAFETY: the library only counts.
            unsafe { launch.launch(config) }.unwrap();
        },
        || raw.launch(),
    );
    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED)?;
    stream.memset_zeros(&mut target)?;
    let graph = stream.end_capture(CUgraphInstantiate_flags(0))?;
    let graph = graph.ok_or("nothing was captured")?;
    library.row(
        "cudarc: launch of a graph",
        || black_box(&graph).launch().unwrap(),
        || raw.launch_graph(),
    );
    Ok(())
}
