//! Frees memory that a kernel may still read.

use ascendcl::kernel;
use ascendcl::kernel::{Function, In, InOut, LenOf};
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream, stream::Main};

kernel! {
    struct Saxpy = saxpy(x: In<f32>, y: InOut<f32>, a: f32, n: LenOf<x>) where x == y;
}

type Numbers<'q, 'dev> = Queued<'q, (Npu<0>, Main), DeviceBuf<'dev, Npu<0>, [f32]>>;

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    saxpy: Function<'_, Npu<0>, Saxpy>,
    x: Numbers<'_, '_>,
    y: &mut Numbers<'_, '_>,
) -> Result<()> {
    stream.launch(saxpy, 8, (&x, y, 2.0, ()))?;
    x.free() //~ mistake
    //~ instead: stream.synchronize()?.take(x).free()
}
