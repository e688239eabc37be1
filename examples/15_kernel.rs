//! How do I run a kernel of my own?
//!
//! Its parameters are declared once, and each launch is compared with them. Where no file is named, a function of Rust stands
//! for the kernel on the emulator: `cargo run --features kernels --example 15_kernel [saxpy.o]`.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::emulator::kernel::{View, ViewMut, register};
use ascendcl::kernel::{In, InOut, LenOf};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result};

ascendcl::kernel! {
    /// `y += a * x`
    struct Saxpy = saxpy(x: In<f32>, y: InOut<f32>, a: f32, n: LenOf<x>) where x == y;
}

fn main() -> Result<()> {
    register(ascendcl::emulator::kernel!(
        saxpy(x: View<f32>, y: ViewMut<f32>, a: f32, n: u32) |block| {
            for i in block.part(n as usize) {
                y.set(i, a * x.get(i) + y.get(i));
            }
        }
    ));
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let binary = match std::env::args().nth(1) {
            Some(file) => current.load_binary(file)?,
            None => current.load_binary_from(b"the function above")?,
        };
        // SAFETY: `saxpy` of the file and the function above are the declared kernel.
        let saxpy = unsafe { binary.kernel::<Saxpy>() }?;
        let mut stream = current.create_stream::<Main>()?;
        let numbers = stream.malloc_host_from(host, &[1.5_f32; 16])?;
        let x = stream.memcpy_async(stream.malloc(16)?, &numbers)?;
        let mut y = stream.memcpy_async(stream.malloc(16)?, &numbers)?;
        stream.launch(saxpy, 2, (&x, &mut y, 10.0, ()))?;
        let back = stream.memcpy_async(stream.malloc_host(host, 16)?, &y)?;
        let back = stream.synchronize()?.take(back);
        println!("the sum is {}", back.iter().sum::<f32>());
        binary.unload()
    })
}
