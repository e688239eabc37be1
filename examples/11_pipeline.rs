//! How do I keep a device busy with batches?
//!
//! A lane has a stream and the memory of one batch, so the upload, the computation and the download of three batches
//! overlap. Each lane has a copy of the weights. A wait per batch proves its result, and a batch that fails fails alone.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::pipeline::Pipeline;
use ascendcl::{Acl, Npu, op};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let weights = current.malloc_host_from(host, &[1.0_f32, 2.0, 3.0, 4.0])?;
        let copy = || current.memcpy(current.malloc(4)?, &weights);
        let mut pipeline = Pipeline::with_values(current, host, 3, [4, 4], copy)?;
        let mut sum = 0.0;
        pipeline.run(
            0..10_u8,
            |turn, input: &mut [f32]| input.fill(turn.into()),
            |batch| {
                let (x, w) = (batch.input.tensor(&[4])?, batch.value.tensor(&[4])?);
                let output = batch.output.into_tensor(&[4])?;
                let plan = op::mul(current, &x, &w, output)?;
                Ok(plan.launch(batch.stream)?.into_output())
            },
            |turn, products: ascendcl::Result<&[f32]>| {
                match products {
                    Ok(products) => sum += products.iter().sum::<f32>(),
                    Err(error) => println!("batch {turn}: {error}"),
                }
                Ok(())
            },
        )?;
        println!("the sum of all products is {sum}");
        Ok(())
    })
}
