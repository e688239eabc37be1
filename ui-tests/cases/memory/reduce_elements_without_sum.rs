//! Adds elements that the copy engine does not combine.

use ascendcl::queue::ReduceKind;
use ascendcl::stream::Main;
use ascendcl::{Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>, Main>) -> Result<()> {
    let part = stream.memset_async(stream.malloc::<u64>(16)?, 1)?; //~ mistake
    let mut sum = stream.memset_async(stream.malloc::<u64>(16)?, 0)?; //~ mistake
    //~ instead: let part = stream.memset_async(stream.malloc::<i32>(16)?, 1)?;
    //~ instead: let mut sum = stream.memset_async(stream.malloc::<i32>(16)?, 0)?;
    stream.reduce_async(&mut sum, &part, ReduceKind::Sum)?; //~ mistake
    //~ instead: stream.reduce_async(&mut sum, &part, ReduceKind::Sum)?;
    Ok(())
}
