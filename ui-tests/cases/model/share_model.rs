//! Runs a model by two references at once.

use ascendcl::model::{Blocking, Model};
use ascendcl::{DeviceBuf, Npu, Result};

fn wrong<'d>(
    model: &Model<'_, 'd, Npu<0>, Blocking>, //~ mistake
    //~ instead: model: &mut Model<'_, 'd, Npu<0>, Blocking>,
    image: &DeviceBuf<'d, Npu<0>, [f32]>,
    scores: &mut DeviceBuf<'d, Npu<0>, [f32]>,
) -> Result<()> {
    model.execute((image,), (scores,))?;
    Ok(())
}
