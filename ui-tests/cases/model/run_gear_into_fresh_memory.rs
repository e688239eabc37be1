//! Takes memory for written after a run with a gear, which writes only its part.

use ascendcl::model::{BatchSize, Blocking, Model};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    model: &mut Model<'_, 'd, Npu<0>, Blocking, BatchSize>,
    images: &DeviceBuf<'d, Npu<0>, [f32]>,
) -> Result<()> {
    let scores = current.malloc::<f32>(80)?;
    model.execute_gear(1, (images,), (scores,))?; //~ mistake
    //~ instead: let mut scores = current.memset(scores, 0)?;
    //~ instead: model.execute_gear(1, (images,), (&mut scores,))?;
    Ok(())
}
