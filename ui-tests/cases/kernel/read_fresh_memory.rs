//! Passes a kernel memory to read that nothing has written.

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
    y: &mut Numbers<'_, '_>,
) -> Result<()> {
    let x = stream.malloc::<f32>(64)?; //~ mistake
    //~ instead: let x = stream.memset_async(stream.malloc::<f32>(64)?, 0)?;
    stream.launch(saxpy, 8, (&x, y, 2.0, ()))
}
