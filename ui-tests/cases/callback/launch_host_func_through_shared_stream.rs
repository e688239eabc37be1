//! Queues a host function through a shared borrow of a stream.

use ascendcl::{Npu, Result, Stream};

fn wrong(stream: &Stream<'_, '_, Npu<0>>) -> Result<()> { //~ mistake
    //~ instead: fn wrong(stream: &mut Stream<'_, '_, Npu<0>>) -> Result<()> {
    stream.launch_host_func(|| println!("half of the work is done"))
}
