//! Takes shared memory back while a stream may be reading it.

use ascendcl::queue::{Queued, Shared};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Q = (Npu<0>, Main);
type Weights<'dev> = Shared<Npu<0>, DeviceBuf<'dev, Npu<0>, [f32]>>;

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>, Main>,
    shared: Queued<'_, Q, Weights<'_>>,
) -> Result<()> {
    drop(shared.try_unwrap()); //~ mistake
    //~ instead: drop(stream.synchronize()?.take(shared).try_unwrap());
    stream.synchronize()?;
    Ok(())
}
