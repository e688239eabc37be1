//! Keeps the memory of a batch behind the step that computes it.

use ascendcl::pipeline::Pipeline;
use ascendcl::{Npu, Result};

fn wrong(mut copies: Pipeline<'_, '_, '_, Npu<0>, u8, u8>) -> Result<()> {
    let mut kept = None;
    copies.push(
        |input| input.fill(1),
        |batch| {
            kept = Some(batch.output); //~ mistake
            batch.stream.memset_async(batch.stream.malloc(4)?, 0) //~ mistake
            //~ instead: kept = Some(batch.stream.number());
            //~ instead: batch.stream.memset_async(batch.output, 0)
        },
    );
    println!("{}", kept.is_some());
    Ok(())
}
