//! `examples/14_data_parallel.rs` with cudarc: one thread has both devices, as cudarc has groups of operations.

use std::error::Error;

use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};
use cudarc::nccl::result::NcclError;
use cudarc::nccl::{Comm, ReduceOp, group_end, group_start};
use cudarc::nvrtc::compile_ptx;

const KERNEL: &str = r#"
extern "C" __global__ void mul(float *out, const float *x, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] * y[i];
}"#;

/// An error of NCCL, which does not implement `Error`.
fn nccl(error: NcclError) -> String {
    format!("{error:?}")
}

fn main() -> Result<(), Box<dyn Error>> {
    let (first, second) = (CudaContext::new(0)?, CudaContext::new(1)?);
    let streams = vec![first.default_stream(), second.default_stream()];
    let comms = Comm::from_devices(streams).map_err(nccl)?;
    let ptx = compile_ptx(KERNEL)?;
    let mut squares = Vec::new();
    for (comm, part) in comms.iter().zip([[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]]) {
        let mul = comm
            .context()
            .load_module(ptx.clone())?
            .load_function("mul")?;
        let stream = comm.stream();
        let x = stream.clone_htod(&part)?;
        let mut out = stream.alloc_zeros::<f32>(3)?;
        let mut launch = stream.launch_builder(&mul);
        launch.arg(&mut out).arg(&x).arg(&x).arg(&3);
        // SAFETY: these are the parameters of the kernel, and each thread stays inside of the buffers.
        unsafe { launch.launch(LaunchConfig::for_num_elems(3)) }?;
        squares.push(out);
    }
    group_start().map_err(nccl)?;
    for (comm, squares) in comms.iter().zip(&mut squares) {
        comm.all_reduce_in_place(squares, &ReduceOp::Sum)
            .map_err(nccl)?;
    }
    group_end().map_err(nccl)?;
    for comm in &comms {
        comm.stream().synchronize()?;
    }
    println!("{:?}", comms[0].stream().clone_dtoh(&squares[0])?);
    Ok(())
}
