//! `examples/12_worker.rs` with cudarc: requests of several threads, a function and buffers that are made once.

use std::error::Error;
use std::sync::{Arc, Mutex};
use std::thread;

use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::compile_ptx;

const KERNEL: &str = r#"
extern "C" __global__ void add(float *out, const float *x, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] + y[i];
}"#;

struct Session {
    stream: Arc<CudaStream>,
    add: CudaFunction,
    x: CudaSlice<f32>,
    sum: CudaSlice<f32>,
}

impl Session {
    fn new() -> Result<Session, Box<dyn Error>> {
        let context = CudaContext::new(0)?;
        let stream = context.default_stream();
        let module = context.load_module(compile_ptx(KERNEL)?)?;
        Ok(Session {
            add: module.load_function("add")?,
            x: stream.alloc_zeros(3)?,
            sum: stream.alloc_zeros(3)?,
            stream,
        })
    }

    fn call(&mut self, request: [f32; 3]) -> Result<Vec<f32>, DriverError> {
        self.stream.memcpy_htod(&request, &mut self.x)?;
        let mut launch = self.stream.launch_builder(&self.add);
        launch.arg(&mut self.sum).arg(&self.x).arg(&self.x).arg(&3);
        // SAFETY: these are the parameters of the kernel, and each thread stays inside of the buffers.
        unsafe { launch.launch(LaunchConfig::for_num_elems(3)) }?;
        self.stream.clone_dtoh(&self.sum)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let session = Arc::new(Mutex::new(Session::new()?));
    let clients = [1.0, 2.0, 3.0, 4.0].map(|number| {
        let session = Arc::clone(&session);
        thread::spawn(move || session.lock().unwrap().call([number; 3]))
    });
    for client in clients {
        match client.join() {
            Ok(Ok(sum)) => println!("{sum:?}"),
            failed => println!("no sum: {failed:?}"),
        }
    }
    Ok(())
}
