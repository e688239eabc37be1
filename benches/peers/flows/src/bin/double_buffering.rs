//! `examples/11_pipeline.rs` with cudarc: three streams, each with the memory of one batch.

use std::error::Error;
use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaSlice, CudaStream, DriverError, LaunchConfig, PinnedHostSlice, PushKernelArg,
};
use cudarc::nvrtc::compile_ptx;

const KERNEL: &str = r#"
extern "C" __global__ void mul(float *out, const float *x, const float *w, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] * w[i];
}"#;

struct Lane {
    stream: Arc<CudaStream>,
    input: PinnedHostSlice<f32>,
    x: CudaSlice<f32>,
    weights: CudaSlice<f32>,
    products: CudaSlice<f32>,
    output: PinnedHostSlice<f32>,
}

fn lane(context: &Arc<CudaContext>) -> Result<Lane, DriverError> {
    let stream = context.new_stream()?;
    Ok(Lane {
        // SAFETY: the host writes it before it is read.
        input: unsafe { context.alloc_pinned(4) }?,
        x: stream.alloc_zeros(4)?,
        weights: stream.clone_htod(&[1.0, 2.0, 3.0, 4.0])?,
        products: stream.alloc_zeros(4)?,
        // SAFETY: a copy writes it before it is read.
        output: unsafe { context.alloc_pinned(4) }?,
        stream,
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let context = CudaContext::new(0)?;
    let module = context.load_module(compile_ptx(KERNEL)?)?;
    let mul = module.load_function("mul")?;
    let mut lanes = [lane(&context)?, lane(&context)?, lane(&context)?];
    let mut sum = 0.0;
    for turn in 0..10 + 3 {
        let lane = &mut lanes[turn % 3];
        if turn >= 3 {
            sum += lane.output.as_slice()?.iter().sum::<f32>();
        }
        if turn < 10 {
            lane.input.as_mut_slice()?.fill(turn as f32);
            lane.stream.memcpy_htod(&lane.input, &mut lane.x)?;
            let mut launch = lane.stream.launch_builder(&mul);
            launch.arg(&mut lane.products).arg(&lane.x);
            launch.arg(&lane.weights).arg(&4);
            // SAFETY: these are the parameters of the kernel, and each thread stays inside of the buffers.
            unsafe { launch.launch(LaunchConfig::for_num_elems(4)) }?;
            lane.stream.memcpy_dtoh(&lane.products, &mut lane.output)?;
        }
    }
    println!("the sum of all products is {sum}");
    Ok(())
}
