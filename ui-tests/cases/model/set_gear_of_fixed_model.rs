//! Names a gear for a model of one size.

use ascendcl::model::{Blocking, Model};
use ascendcl::{DeviceBuf, Npu, Result};

fn wrong<'d>(
    model: &mut Model<'_, 'd, Npu<0>, Blocking>,
    images: &DeviceBuf<'d, Npu<0>, [f32]>,
    scores: &mut DeviceBuf<'d, Npu<0>, [f32]>,
) -> Result<()> {
    model.execute_gear(8, (images,), (scores,))?; //~ mistake
    //~ instead: model.execute((images,), (scores,))?;
    Ok(())
}
