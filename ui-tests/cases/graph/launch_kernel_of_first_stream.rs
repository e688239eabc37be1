//! Launches a kernel of the first stream of a recording on the second one.

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
        recording.fork(&mut numbers, |_, side, mut there| { //~ mistake
        //~ instead: recording.fork((clear, &mut numbers), |_, side, (clear, mut there)| {
            side.launch(clear, 8, (&mut there,)) //~ mistake
            //~ instead: side.launch(clear, 8, (&mut there,))
        })
    })?;
    drop(graph);
    Ok(())
}
