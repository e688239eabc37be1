//! Passes memory to a run as an input that nothing has written.

use ascendcl::model::{Blocking, Model};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    model: &mut Model<'_, 'd, Npu<0>, Blocking>,
    scores: &mut DeviceBuf<'d, Npu<0>, [f32]>,
) -> Result<()> {
    let image = current.malloc::<f32>(64)?;
    //~ instead: let image = current.memset(image, 0)?;
    model.execute((&image,), (scores,))?; //~ mistake
    //~ instead: model.execute((&image,), (scores,))?;
    Ok(())
}
