//! Queues a run of a model with gears, and names no gear.

use ascendcl::model::{BatchSize, Model, Queueing};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type Floats<'d> = Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [f32]>>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>, Main>,
    model: &mut Queued<'d, (Npu<0>, Main), Model<'_, 'd, Npu<0>, Queueing, BatchSize>>,
    images: &Floats<'d>,
    scores: &mut Floats<'d>,
) -> Result<()> {
    stream.execute_async(model, (images,), (scores,))?; //~ mistake
    //~ instead: stream.execute_gear_async(model, 8, (images,), (scores,))?;
    Ok(())
}
