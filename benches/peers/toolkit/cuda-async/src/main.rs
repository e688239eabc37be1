//! `cuda-async` beside the CUDA driver: a copy and a launch that are awaited. Its variables choose the way to wait.

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;

use counting::cuda::{LIBRARY, Raw};
use counting::{BLOCKS, BYTES, COUNT, Counting, Executor, FACTOR, FILE, LEN, THREADS};
use cuda_async::device_operation::{DeviceOp, ExecutionContext, value, with_context};
use cuda_async::error::DeviceError;
use cuda_async::launch::{AsyncKernelLaunch, AsyncKernelLaunchBuilder};
use cuda_async::scheduling_policies::SingleStream;
use cuda_core::{CudaContext, CudaFunction, DeviceBuffer, LaunchConfig, RawDeviceBuffer, memory};

fn main() -> Result<(), Box<dyn Error>> {
    let library = Counting::open(LIBRARY)?;
    let raw = Raw::new(&library)?;
    let executor = Executor::new(&library)?;
    let context = CudaContext::new(0)?;
    let (stream, _other) = (context.new_stream()?, context.new_stream()?);
    let source = DeviceBuffer::<f32>::zeroed(&stream, LEN)?.into_storage();
    let target = DeviceBuffer::<f32>::zeroed(&stream, LEN)?.into_storage();
    let saxpy = context.load_module_from_image(FILE.as_bytes())?;
    let saxpy = Arc::new(saxpy.load_function("saxpy")?);
    let policy = SingleStream::from_stream(stream);
    let way = match (
        env::var_os("CUDA_ASYNC_SPIN_BUDGET_US"),
        env::var_os("CUDA_ASYNC_HOST_SYNC"),
    ) {
        (None, _) => "asked",
        (_, None) => "its thread",
        _ => "function",
    };

    library.row(
        &format!("cuda-async: copy awaited, {way}"),
        || {
            let (source, target) = (black_box(&source), black_box(&target));
            let copied = with_context(move |context| value(copy(context, source, target)));
            let copied = executor.block_on(copied.schedule(&policy).unwrap());
            copied.unwrap().unwrap();
        },
        || raw.await_copy(),
    );
    library.row(
        &format!("cuda-async: launch awaited, {way}"),
        || {
            let launched = launch(&saxpy, black_box(&source), black_box(&target));
            let launched = executor.block_on(launched.schedule(&policy).unwrap());
            launched.unwrap();
        },
        || raw.await_launch(),
    );
    Ok(())
}

/// Queues a copy, and registers its memory first, as the crate asks of an operation.
fn copy(
    context: &ExecutionContext,
    source: &RawDeviceBuffer,
    target: &RawDeviceBuffer,
) -> Result<(), DeviceError> {
    context.retain_buffer(source.clone(), false)?;
    context.retain_buffer(target.clone(), true)?;
    let stream = context.get_cuda_stream().cu_stream();
    let (to, from) = (target.cu_deviceptr(), source.cu_deviceptr());
    // SAFETY: the library only counts.
    unsafe { memory::memcpy_dtod_async(to, from, BYTES, stream) }?;
    Ok(())
}

/// Builds a launch, and registers its memory first, as the crate asks of an operation.
fn launch(
    saxpy: &Arc<CudaFunction>,
    x: &RawDeviceBuffer,
    y: &RawDeviceBuffer,
) -> AsyncKernelLaunch<'static> {
    let mut launch = AsyncKernelLaunchBuilder::new(Arc::clone(saxpy));
    launch.retain_buffer(x.clone(), false);
    launch.retain_buffer(y.clone(), true);
    launch.push_args((x.cu_deviceptr(), y.cu_deviceptr(), FACTOR, COUNT));
    // SAFETY: the library only counts.
    unsafe {
        launch.finalize_unchecked(LaunchConfig {
            grid_dim: (BLOCKS, 1, 1),
            block_dim: (THREADS, 1, 1),
            shared_mem_bytes: 0,
        })
    }
}
