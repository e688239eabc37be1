//! Sets the size of pictures of a model whose gears are batch sizes.

use ascendcl::model::{BatchSize, Blocking, Model};
use ascendcl::{DeviceBuf, Npu, Result};

fn wrong<'d>(
    model: &mut Model<'_, 'd, Npu<0>, Blocking, BatchSize>,
    images: &DeviceBuf<'d, Npu<0>, [f32]>,
    scores: &mut DeviceBuf<'d, Npu<0>, [f32]>,
) -> Result<()> {
    model.execute_gear([224, 320], (images,), (scores,))?; //~ mistake
    //~ instead: model.execute_gear(8, (images,), (scores,))?;
    Ok(())
}
