//! Launches one kernel with the arguments of another one.

use ascendcl::kernel;
use ascendcl::kernel::{Function, In, InOut, LenOf, Out};
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream, stream::Main};

kernel! {
    struct Saxpy = saxpy(x: In<f32>, y: InOut<f32>, a: f32, n: LenOf<x>) where x == y;
}

kernel! {
    struct Add = add(x: In<f32>, y: In<f32>, z: Out<f32>) where x == y, y == z;
}

type Numbers<'q, 'dev> = Queued<'q, (Npu<0>, Main), DeviceBuf<'dev, Npu<0>, [f32]>>;

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    add: Function<'_, Npu<0>, Add>, //~ mistake
    //~ instead: add: Function<'_, Npu<0>, Saxpy>,
    x: &Numbers<'_, '_>,
    y: &mut Numbers<'_, '_>,
) -> Result<()> {
    stream.launch(add, 8, (x, y, 2.0, ()))
}
