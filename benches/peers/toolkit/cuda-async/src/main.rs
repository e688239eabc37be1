//! `cuda-async` beside the CUDA driver: a copy that is awaited. Its variables choose the way to wait.

use std::env;
use std::error::Error;
use std::hint::black_box;

use counting::cuda::{LIBRARY, Raw};
use counting::{BYTES, Counting, Executor, LEN};
use cuda_async::device_operation::{DeviceOp, ExecutionContext, value, with_context};
use cuda_async::error::DeviceError;
use cuda_async::scheduling_policies::SingleStream;
use cuda_core::{CudaContext, DeviceBuffer, RawDeviceBuffer, memory};

fn main() -> Result<(), Box<dyn Error>> {
    let library = Counting::open(LIBRARY)?;
    let raw = Raw::new(&library)?;
    let executor = Executor::new(&library)?;
    let context = CudaContext::new(0)?;
    let (stream, _other) = (context.new_stream()?, context.new_stream()?);
    let source = DeviceBuffer::<f32>::zeroed(&stream, LEN)?.into_storage();
    let target = DeviceBuffer::<f32>::zeroed(&stream, LEN)?.into_storage();
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
