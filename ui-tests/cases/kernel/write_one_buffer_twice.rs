//! Passes one fresh buffer as two outputs.

use ascendcl::kernel;
use ascendcl::kernel::{Function, Out};
use ascendcl::{Npu, Result, Stream};

kernel! {
    struct Both = both(x: Out<f32>, y: Out<f32>);
}

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    both: Function<'_, Npu<0>, Both>,
) -> Result<()> {
    let z = stream.malloc(64)?;
    stream.launch(both, 8, (z, z))?; //~ mistake
    //~ instead: stream.launch(both, 8, (z, stream.malloc(64)?))?;
    Ok(())
}
