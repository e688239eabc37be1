//! How do I queue many small operators by one call?
//!
//! The work is recorded once. Then each run of the graph is one call, and nothing of it is prepared again:
//! `cargo run --features graphs --example 16_graph`.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::op::{self, CubeMath};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result};

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let input = current.malloc_host_from(host, &[1.0_f32, 0.0])?;
        let turn = stream.malloc_host_from(host, &[0.0_f32, -1.0, 1.0, 0.0])?;
        let turn = stream.memcpy_async(stream.malloc(4)?, &turn)?;
        let turn = stream.synchronize()?.take(turn);
        let output = current.malloc_host::<f32>(host, 2)?;
        let memory = (input, turn, output);
        let mut graph = stream.capture(memory, |recording, (input, turn, mut output)| {
            let fresh = recording.malloc(2)?; // the graph keeps it
            let mut x = recording.memcpy_async(fresh, &input)?;
            for _ in 0..5 {
                let product = recording.malloc(2)?.into_tensor(&[2, 1])?;
                let (a, b) = (turn.tensor(&[2, 2])?, x.tensor(&[2, 1])?);
                let product = op::matmul(current, &a, &b, product, CubeMath::Keep)?;
                x = product.launch(recording)?.into_output();
            }
            recording.memcpy_async(&mut output, &x)
        })?;
        for turn in 1..=3_u8 {
            graph.launch(&mut stream)?;
            let mut idle = stream.synchronize()?.take(graph);
            let (mut input, _, output) = idle.memory(); // no run is queued, so the host has it
            println!("turn {turn}: {:?} becomes {:?}", &input[..], &output[..]);
            input.copy_from_slice(&output);
            graph = stream.adopt(idle);
        }
        Ok(())
    })
}
