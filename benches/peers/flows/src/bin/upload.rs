//! `examples/02_operator.rs` with cudarc: rows + 2 * offsets, for each of the two rows.

use std::error::Error;

use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::compile_ptx;

const KERNEL: &str = r#"
extern "C" __global__ void add(int *out, const int *rows, const int *offsets, int alpha, int columns, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = rows[i] + alpha * offsets[i % columns];
}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let context = CudaContext::new(0)?;
    let stream = context.default_stream();
    let module = context.load_module(compile_ptx(KERNEL)?)?;
    let add = module.load_function("add")?;
    let rows = stream.clone_htod(&[1, 2, 3, 10, 20, 30])?;
    let offsets = stream.clone_htod(&[100, 200, 300])?;
    let mut sums = stream.alloc_zeros::<i32>(6)?;

    let mut launch = stream.launch_builder(&add);
    launch.arg(&mut sums).arg(&rows).arg(&offsets);
    launch.arg(&2).arg(&3).arg(&6);
    // SAFETY: these are the parameters of the kernel, and each thread stays inside of the three buffers.
    unsafe { launch.launch(LaunchConfig::for_num_elems(6)) }?;
    println!("{:?}", stream.clone_dtoh(&sums)?);
    Ok(())
}
