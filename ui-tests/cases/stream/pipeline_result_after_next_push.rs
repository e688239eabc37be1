//! Keeps the result of a batch while the lane of its memory takes the next one.

use ascendcl::pipeline::Pipeline;
use ascendcl::{Npu, Result};

fn wrong(mut copies: Pipeline<'_, '_, '_, Npu<0>, u8, u8>) -> Result<()> {
    let mut kept = Vec::new();
    for turn in 0..10 {
        let fill = |input: &mut [u8]| input.fill(turn);
        let done = copies.push(fill, |batch| batch.stream.memcpy_async(batch.output, batch.input));
        if let Some(done) = done {
            kept.push(done.output?); //~ mistake
            //~ instead: kept.push(done.output?.to_vec());
        }
    }
    println!("{}", kept.len());
    Ok(())
}
