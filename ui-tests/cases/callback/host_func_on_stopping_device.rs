//! Queues a host function on a device that stops on failure, where work behind a panic would count as proven.

use ascendcl::{Npu, Result, Stopping, Stream};

fn wrong(
    stopping: &mut Stream<'_, '_, Stopping<Npu<0>>>,
    stream: &mut Stream<'_, '_, Npu<1>>,
) -> Result<()> {
    stream.synchronize()?;
    stopping.launch_host_func(|| println!("half of the work is done")) //~ mistake
    //~ instead: stopping.synchronize()?;
    //~ instead: stream.launch_host_func(|| println!("half of the work is done"))
}
