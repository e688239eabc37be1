//! Unloads a binary whose kernel a graph has.

use ascendcl::kernel;
use ascendcl::kernel::{Binary, InOut};
use ascendcl::{DeviceBuf, Npu, Result, Stream};

kernel! {
    struct Clear = clear(x: InOut<u32>);
}

type Numbers<'d> = DeviceBuf<'d, Npu<0>, [u32]>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    binary: Binary<'_, 'd, Npu<0>>,
    numbers: Numbers<'d>,
) -> Result<()> {
    // SAFETY: the binary was built from `clear.cpp`, whose kernel `clear` is the declared one.
    let clear = unsafe { binary.kernel::<Clear>() }?;
    let mut graph = stream.capture((clear, numbers), |recording, (clear, mut numbers)| {
        recording.launch(clear, 8, (&mut numbers,))
    })?;
    binary.unload()?; //~ mistake
    graph.launch(stream)?;
    //~ instead: stream.synchronize()?.take(graph).destroy()?;
    //~ instead: binary.unload()?;
    Ok(())
}
