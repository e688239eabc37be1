//! Returns memory that is not queued on the stream of the lane as the output of a batch.

use ascendcl::pipeline::Pipeline;
use ascendcl::{Current, Npu, Result};

fn wrong<'d>(current: Current<'_, 'd, Npu<0>>, mut zeros: Pipeline<'_, 'd, '_, Npu<0>, u8, u8>) -> Result<()> {
    zeros.push(
        |input| input.fill(1),
        |batch| {
            let zeros = current.memset(current.malloc(4)?, 0)?;
            Ok(zeros) //~ mistake
            //~ instead: Ok(batch.stream.adopt(zeros))
        },
    );
    Ok(())
}
