//! Passes a kernel memory that another stream may still write.

use ascendcl::kernel;
use ascendcl::kernel::{Function, In, InOut, LenOf};
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream, stream::Main};

kernel! {
    struct Saxpy = saxpy(x: In<f32>, y: InOut<f32>, a: f32, n: LenOf<x>) where x == y;
}

type Numbers<'q, 'dev> = Queued<'q, (Npu<0>, Main), DeviceBuf<'dev, Npu<0>, [f32]>>;

enum Second {}
impl ascendcl::StreamName for Second {}

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    saxpy: Function<'_, Npu<0>, Saxpy>,
    x: &Queued<'_, (Npu<0>, Second), DeviceBuf<'_, Npu<0>, [f32]>>, //~ mistake
    //~ instead: x: &Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>,
    y: &mut Numbers<'_, '_>,
) -> Result<()> {
    stream.launch(saxpy, 8, (x, y, 2.0, ()))
}
