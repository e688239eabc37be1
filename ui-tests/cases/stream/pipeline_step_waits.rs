//! Takes the input of a batch back in the step that computes it, while the lane needs it.

use ascendcl::pipeline::Pipeline;
use ascendcl::{Npu, Result};

fn wrong(mut copies: Pipeline<'_, '_, '_, Npu<0>, u8, u8>) -> Result<()> {
    copies.push(
        |input| input.fill(1),
        |batch| {
            let idle = batch.stream.synchronize()?;
            idle.take(batch.input); //~ mistake
            batch.stream.memcpy_async(batch.output, batch.input)
        },
    );
    Ok(())
}
