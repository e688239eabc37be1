//! Reads a share that another stream was given.

use ascendcl::queue::{Queued, Shared};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Result, Stream, StreamName};

enum Second {}
impl StreamName for Second {}

type Q = (Npu<0>, Main);
type Weights<'dev> = Shared<Npu<0>, DeviceBuf<'dev, Npu<0>, [f32]>>;

fn wrong(
    (main, second): (
        &mut Stream<'_, '_, Npu<0>, Main>,
        &mut Stream<'_, '_, Npu<0>, Second>,
    ),
    shared: &Queued<'_, Q, Weights<'_>>,
    (on_main, on_second): (
        &mut Queued<'_, Q, DeviceBuf<'_, Npu<0>, [f32]>>,
        &mut Queued<'_, (Npu<0>, Second), DeviceBuf<'_, Npu<0>, [f32]>>,
    ),
) -> Result<()> {
    second.memcpy_async(on_second, shared) //~ mistake
    //~ instead: second.memset_async(on_second, 0)?;
    //~ instead: main.memcpy_async(on_main, shared)
}
