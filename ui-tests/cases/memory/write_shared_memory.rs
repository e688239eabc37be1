//! Queues a fill of memory that other streams may be reading.

use ascendcl::queue::{Queued, Shared};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Q = (Npu<0>, Main);
type Weights<'dev> = Shared<Npu<0>, DeviceBuf<'dev, Npu<0>, [f32]>>;

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>, Main>,
    shared: &mut Queued<'_, Q, Weights<'_>>,
    own: &mut Queued<'_, Q, DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    stream.memset_async(shared, 0) //~ mistake
    //~ instead: let _ = shared;
    //~ instead: stream.memset_async(own, 0)
}
