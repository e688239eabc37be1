//! Makes random numbers with a counter of 8 bytes.

use ascendcl::queue::RandomNum;
use ascendcl::{Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, numbers: RandomNum) -> Result<()> {
    let mut counter = stream.memset_async(stream.malloc_as::<[u32; 2]>()?, 0)?; //~ mistake
    //~ instead: let mut counter = stream.memset_async(stream.malloc_as::<[u64; 2]>()?, 0)?;
    let filled = stream.random_num_async(stream.malloc(4)?, &mut counter, numbers, 7)?; //~ mistake
    //~ instead: let filled = stream.random_num_async(stream.malloc(4)?, &mut counter, numbers, 7)?;
    drop(filled);
    Ok(())
}
