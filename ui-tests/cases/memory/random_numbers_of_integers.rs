//! Fills memory of integers with random numbers.

use ascendcl::queue::RandomNum;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    counter: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u64; 2]>>,
    numbers: RandomNum,
) -> Result<()> {
    let filled = stream.malloc::<i32>(4)?; //~ mistake
    //~ instead: let filled = stream.malloc::<f32>(4)?;
    drop(stream.random_num_async(filled, counter, numbers, 7)?); //~ mistake
    //~ instead: drop(stream.random_num_async(filled, counter, numbers, 7)?);
    Ok(())
}
