//! Runs a model after it was unloaded.

use ascendcl::model::{Blocking, Model};
use ascendcl::{DeviceBuf, Npu, Result};

fn wrong<'d>(
    mut model: Model<'_, 'd, Npu<0>, Blocking>,
    image: &DeviceBuf<'d, Npu<0>, [f32]>,
    scores: &mut DeviceBuf<'d, Npu<0>, [f32]>,
) -> Result<()> {
    model.unload()?; //~ mistake
    model.execute((image,), (scores,))?; //~ mistake
    //~ instead: model.execute((image,), (scores,))?;
    //~ instead: model.unload()?;
    Ok(())
}
