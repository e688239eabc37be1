//! Reads the output of a queued run before a wait for the stream.

use ascendcl::model::{Model, Queueing};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

type Q = (Npu<0>, Main);

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    stream: &mut Stream<'_, 'd, Npu<0>, Main>,
    model: &mut Queued<'d, Q, Model<'_, 'd, Npu<0>, Queueing>>,
    image: &Queued<'d, Q, DeviceBuf<'d, Npu<0>, [f32]>>,
    host: &mut HostBuf<'d, [f32]>,
) -> Result<()> {
    let scores = stream.adopt(current.malloc::<f32>(10)?);
    let (scores,) = stream.execute_async(model, (image,), (scores,))?;
    //~ instead: let scores = stream.synchronize()?.take(scores);
    current.memcpy(host, &scores)?; //~ mistake
    //~ instead: current.memcpy(host, &scores)?;
    Ok(())
}
