//! Lets a host function write memory that other streams may be reading.

use ascendcl::queue::Shared;
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream};

type Q = (Npu<0>, Main);

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    share: &mut Queued<'_, Q, Shared<Npu<0>, HostBuf<'_, [u32]>>>,
    own: &mut Queued<'_, Q, HostBuf<'_, [u32]>>,
) -> Result<()> {
    stream.launch_host_func_on(share, |numbers| numbers.sort())?; //~ mistake
    //~ instead: stream.launch_host_func_on(own, |numbers| numbers.sort())?;
    Ok(())
}
