//! Uses the fresh buffer that a launch took, in place of the result.

use ascendcl::kernel;
use ascendcl::kernel::{Function, In, Out};
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream, stream::Main};

kernel! {
    struct Add = add(x: In<f32>, y: In<f32>, z: Out<f32>) where x == y, y == z;
}

type Numbers<'q, 'dev> = Queued<'q, (Npu<0>, Main), DeviceBuf<'dev, Npu<0>, [f32]>>;

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    add: Function<'_, Npu<0>, Add>,
    x: &Numbers<'_, '_>,
    y: &Numbers<'_, '_>,
) -> Result<()> {
    let z = stream.malloc(64)?;
    stream.launch(add, 8, (x, y, z))?; //~ mistake
    //~ instead: let z = stream.launch(add, 8, (x, y, z))?;
    drop(stream.synchronize()?.take(z)); //~ mistake
    //~ instead: drop(stream.synchronize()?.take(z));
    Ok(())
}
