//! Passes host memory to a run.

use ascendcl::model::{Blocking, Model};
use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    model: &mut Model<'_, 'd, Npu<0>, Blocking>,
    image: HostBuf<'d, [f32]>,
    scores: &mut DeviceBuf<'d, Npu<0>, [f32]>,
) -> Result<()> {
    //~ instead: let image = current.memcpy(current.malloc(image.len())?, &image)?;
    model.execute((&image,), (scores,))?; //~ mistake
    //~ instead: model.execute((&image,), (scores,))?;
    let _ = current;
    Ok(())
}
