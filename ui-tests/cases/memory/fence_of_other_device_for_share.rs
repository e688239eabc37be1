//! Gives a stream of device 1 a share of memory of device 0.

use ascendcl::event::{Event, Fence, Order};
use ascendcl::queue::Shared;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Weights<'dev> = Shared<Npu<0>, DeviceBuf<'dev, Npu<0>, [f32]>>;

fn wrong<'dev>(
    (on_0, on_1): (
        &mut Stream<'_, 'dev, Npu<0>, Main>,
        &mut Stream<'_, 'dev, Npu<1>, Main>,
    ),
    fence: &Fence<'dev, (Npu<0>, Main), Weights<'dev>, Event<'dev, Npu<0>, Order>>,
) -> Result<()> {
    drop(on_1.wait_shared(fence)?); //~ mistake
    //~ instead: let _ = on_1;
    //~ instead: drop(on_0.wait_shared(fence)?);
    Ok(())
}
