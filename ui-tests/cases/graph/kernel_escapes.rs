//! Keeps a kernel of a graph outside of the closure.

use ascendcl::kernel;
use ascendcl::kernel::{Function, InOut};
use ascendcl::{DeviceBuf, Npu, Result, Stream};

kernel! {
    struct Clear = clear(x: InOut<u32>);
}

type Numbers<'d> = DeviceBuf<'d, Npu<0>, [u32]>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    clear: Function<'_, Npu<0>, Clear>,
    numbers: Numbers<'d>,
) -> Result<()> {
    let graph = stream.capture((clear, numbers), |recording, (clear, mut numbers)| {
        recording.launch(clear, 8, (&mut numbers,))?;
        Ok(clear) //~ mistake
        //~ instead: Ok(())
    })?;
    drop(graph);
    Ok(())
}
