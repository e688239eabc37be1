//! A layer of a network, `relu(x * W + b)`, with a kernel of the program in place of two operators, and the same result.
//!
//! ```text
//! cargo run --features kernels --example kernel                             a function of Rust stands for the kernel
//! cargo xtask kernel examples/kernel/bias_relu.cpp --out target/bias_relu.so
//! cargo run --features kernels --example kernel -- target/bias_relu.so      the kernel itself, on the emulator
//! ```
//!
//! On a card the argument is the binary that the compiler of Ascend C has made of `bias_relu.cpp`.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::emulator::kernel::{View, ViewMut, register};
use ascendcl::kernel::{In, InOut};
use ascendcl::op::{CubeMath, add, matmul, relu};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu};

/// Rows of `x`, numbers in each, and columns of the result.
const ROWS: usize = 32;
const INNER: usize = 16;
const COLUMNS: usize = 64;
const LEN: usize = ROWS * COLUMNS;

ascendcl::kernel! {
    /// `x = relu(x + bias)`, row by row.
    struct BiasRelu = bias_relu(x: InOut<f32>, bias: In<f32>, rows: u32, columns: u32)
        where x == rows * columns, bias == columns, columns % 8 == 0;
}

fn main() -> ascendcl::Result<()> {
    register(ascendcl::emulator::kernel!(
        bias_relu(x: ViewMut<f32>, bias: View<f32>, rows: u32, columns: u32) |block| {
            for i in block.part((rows * columns) as usize) {
                x.set(i, (x.get(i) + bias.get(i % columns as usize)).max(0.0));
            }
        }
    ));
    let numbers = |len: usize| (0..len).map(|i| (i % 7) as f32 - 3.0).collect::<Vec<_>>();
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let binary = match std::env::args().nth(1) {
            Some(file) => current.load_binary(file)?,
            None => current.load_binary_from(b"the function above")?,
        };
        // SAFETY: the kernel of `bias_relu.cpp`, and the function above, are the declared one.
        let bias_relu = unsafe { binary.kernel::<BiasRelu>() }?;
        let mut stream = current.create_stream::<Main>()?;
        let mut upload = |len| {
            let staged = stream.malloc_host_from(host, &numbers(len))?;
            stream.memcpy_async(stream.malloc::<f32>(len)?, &staged)
        };
        let (x, w) = (upload(ROWS * INNER)?, upload(INNER * COLUMNS)?);
        let bias = upload(COLUMNS)?;
        let (x, w) = (x.tensor(&[ROWS, INNER])?, w.tensor(&[INNER, COLUMNS])?);
        let shape = [ROWS, COLUMNS];

        // The product, two operators behind it, and then the kernel on the product itself.
        let out = stream.malloc(LEN)?.into_tensor(&shape)?;
        let plan = matmul(current, &x, &w, out, CubeMath::Keep)?;
        let mut product = plan.launch(&mut stream)?.into_output();
        let out = stream.malloc(LEN)?.into_tensor(&shape)?;
        let (first, b) = (product.tensor(&shape)?, bias.tensor(&[COLUMNS])?);
        let plan = add(current, &first, &b, 1.0, out)?;
        let sum = plan.launch(&mut stream)?.into_output();
        let out = stream.malloc(LEN)?.into_tensor(&shape)?;
        let plan = relu(current, &sum.tensor(&shape)?, out)?;
        let by_operators = plan.launch(&mut stream)?.into_output();
        let arguments = (&mut product, &bias, ROWS as u32, COLUMNS as u32);
        stream.launch(bias_relu, 8, arguments)?;

        let left = stream.memcpy_async(stream.malloc_host(host, LEN)?, &product)?;
        let right = stream.memcpy_async(stream.malloc_host(host, LEN)?, &by_operators)?;
        let idle = stream.synchronize()?;
        let (left, right) = (idle.take(left), idle.take(right));
        let (sum, is_same) = (left.iter().sum::<f32>(), left[..] == right[..]);
        println!("the sum of the layer is {sum}; both ways have the same result: {is_same}");
        binary.unload()
    })
}
