//! Lends idle memory to a queued run.

use ascendcl::model::{Model, Queueing};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type Q = (Npu<0>, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>, Main>,
    model: &mut Queued<'d, Q, Model<'_, 'd, Npu<0>, Queueing>>,
    image: DeviceBuf<'d, Npu<0>, [f32]>,
    scores: &mut Queued<'d, Q, DeviceBuf<'d, Npu<0>, [f32]>>,
) -> Result<()> {
    //~ instead: let image = stream.adopt(image);
    stream.execute_async(model, (&image,), (scores,))?; //~ mistake
    //~ instead: stream.execute_async(model, (&image,), (scores,))?;
    Ok(())
}
