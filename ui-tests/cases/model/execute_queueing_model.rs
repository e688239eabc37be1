//! Runs a model for streams by the blocking call.

use ascendcl::model::{Model, Queueing}; //~ mistake
//~ instead: use ascendcl::model::{Blocking, Model};
use ascendcl::{DeviceBuf, Npu, Result};

fn wrong<'d>(
    model: &mut Model<'_, 'd, Npu<0>, Queueing>, //~ mistake
    //~ instead: model: &mut Model<'_, 'd, Npu<0>, Blocking>,
    image: &DeviceBuf<'d, Npu<0>, [f32]>,
    scores: &mut DeviceBuf<'d, Npu<0>, [f32]>,
) -> Result<()> {
    model.execute((image,), (scores,))?;
    Ok(())
}
