//! Gives a graph a structure of the program.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

struct Layer<'dev> {
    weights: DeviceBuf<'dev, Npu<0>, [f32]>,
    state: DeviceBuf<'dev, Npu<0>, [f32]>,
}

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, layer: Layer<'_>) -> Result<()> {
    drop(stream.capture(layer, |_, _| Ok(()))?); //~ mistake
    //~ instead: drop(stream.capture((layer.weights, layer.state), |_, _| Ok(()))?);
    Ok(())
}
