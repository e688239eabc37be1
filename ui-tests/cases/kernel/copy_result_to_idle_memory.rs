//! Reads the result of a kernel before a wait.

use ascendcl::kernel;
use ascendcl::kernel::{Function, In, Out};
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream, stream::Main};

kernel! {
    struct Add = add(x: In<f32>, y: In<f32>, z: Out<f32>) where x == y, y == z;
}

type Numbers<'q, 'dev> = Queued<'q, (Npu<0>, Main), DeviceBuf<'dev, Npu<0>, [f32]>>;

fn wrong(
    current: ascendcl::Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    add: Function<'_, Npu<0>, Add>,
    (x, y): (&Numbers<'_, '_>, &Numbers<'_, '_>),
    back: &mut ascendcl::HostBuf<'_, [f32]>,
) -> Result<()> {
    let z = stream.launch(add, 8, (x, y, stream.malloc(64)?))?;
    current.memcpy(back, &z)?; //~ mistake
    //~ instead: let z = stream.synchronize()?.take(z);
    //~ instead: current.memcpy(back, &z)?;
    Ok(())
}
