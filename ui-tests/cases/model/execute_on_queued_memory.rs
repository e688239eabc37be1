//! Passes memory to a blocking run while a stream uses it.

use ascendcl::model::{Blocking, Model};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong<'d>(
    model: &mut Model<'_, 'd, Npu<0>, Blocking>,
    stream: &mut Stream<'_, 'd, Npu<0>, Main>,
    image: Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [f32]>>,
    scores: &mut DeviceBuf<'d, Npu<0>, [f32]>,
) -> Result<()> {
    //~ instead: let image = stream.synchronize()?.take(image);
    model.execute((&image,), (scores,))?;
    stream.synchronize()?; //~ mistake
    Ok(())
}
