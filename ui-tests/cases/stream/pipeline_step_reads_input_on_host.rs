//! Reads the input of a batch on the host in the step that computes it.

use ascendcl::pipeline::Pipeline;
use ascendcl::{Npu, Result};

fn wrong(mut copies: Pipeline<'_, '_, '_, Npu<0>, u8, u8>) -> Result<()> {
    copies.push(
        |input| {
            input.fill(1);
            //~ instead: println!("{}", input[0]);
        },
        |batch| {
            println!("{}", batch.input[0]); //~ mistake
            batch.stream.memcpy_async(batch.output, batch.input)
        },
    );
    Ok(())
}
