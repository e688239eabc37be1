//! Passes a kernel memory that is not queued on its stream.

use ascendcl::kernel;
use ascendcl::kernel::{Function, In, InOut, LenOf};
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream, stream::Main};

kernel! {
    struct Saxpy = saxpy(x: In<f32>, y: InOut<f32>, a: f32, n: LenOf<x>) where x == y;
}

type Numbers<'q, 'dev> = Queued<'q, (Npu<0>, Main), DeviceBuf<'dev, Npu<0>, [f32]>>;

fn wrong<'dev>(
    stream: &mut Stream<'_, 'dev, Npu<0>>,
    saxpy: Function<'_, Npu<0>, Saxpy>,
    x: DeviceBuf<'dev, Npu<0>, [f32]>,
    y: &mut Numbers<'_, '_>,
) -> Result<()> {
    stream.launch(saxpy, 8, (&x, y, 2.0, ())) //~ mistake
    //~ instead: stream.launch(saxpy, 8, (&stream.adopt(x), y, 2.0, ()))
}
